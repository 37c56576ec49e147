//! Error numbers and their names, as in Linux on all but some old machines (MIPS, Alpha, SPARC).

/// There is no such file.
pub const ENOENT: i32 = 2;
/// Input or output failed.
pub const EIO: i32 = 5;
/// There is no such device or address.
pub const ENXIO: i32 = 6;
/// There is not enough memory.
pub const ENOMEM: i32 = 12;
/// Permission denied.
pub const EACCES: i32 = 13;
/// It already exists.
pub const EEXIST: i32 = 17;
/// There is no such device.
pub const ENODEV: i32 = 19;
/// It is not a directory.
pub const ENOTDIR: i32 = 20;
/// It is a directory.
pub const EISDIR: i32 = 21;
/// Invalid argument.
pub const EINVAL: i32 = 22;
/// File too large.
pub const EFBIG: i32 = 27;
/// The file system is full.
pub const ENOSPC: i32 = 28;
/// The file system is mounted read-only.
pub const EROFS: i32 = 30;
/// The pipe has no reader.
pub const EPIPE: i32 = 32;
/// It timed out.
pub const ETIMEDOUT: i32 = 110;
/// A block differs from the data written.
pub const EILSEQ: i32 = 84;
/// The kernel's largest error number.
pub const ERRNO_MAX: u64 = 4_095;

/// Errors seen with files and drives.
pub const NAMES: &[(&str, i32)] = &[
    ("EPERM", 1),
    ("ENOENT", ENOENT),
    ("EINTR", 4),
    ("EIO", EIO),
    ("ENXIO", ENXIO),
    ("EBADF", 9),
    ("EAGAIN", 11),
    ("ENOMEM", ENOMEM),
    ("EACCES", EACCES),
    ("EFAULT", 14),
    ("EBUSY", 16),
    ("ENODEV", ENODEV),
    ("EINVAL", EINVAL),
    ("EFBIG", EFBIG),
    ("ENOSPC", ENOSPC),
    ("EROFS", EROFS),
    ("EPIPE", EPIPE),
    ("EDOM", 33),
    ("ERANGE", 34),
    ("EDEADLK", 35),
    ("ENODATA", 61),
    ("ETIME", 62),
    ("ENOLINK", 67),
    ("EPROTO", 71),
    ("EBADMSG", 74),
    ("EOVERFLOW", 75),
    ("EILSEQ", EILSEQ),
    ("EOPNOTSUPP", 95),
    ("ENOBUFS", 105),
    ("ESHUTDOWN", 108),
    ("ETIMEDOUT", ETIMEDOUT),
    ("EHOSTDOWN", 112),
    ("EALREADY", 114),
    ("ESTALE", 116),
    ("EUCLEAN", 117),
    ("EREMOTEIO", 121),
    ("EDQUOT", 122),
    ("ENOMEDIUM", 123),
    ("EMEDIUMTYPE", 124),
    ("ECANCELED", 125),
];

/// Texts that C libraries word differently, as fio's readers know them: a static program says the same as any other.
const WORDS: &[(i32, &str)] = &[
    (EIO, "Input/output error"),
    (ENOMEM, "Cannot allocate memory"),
    (16, "Device or resource busy"),
    (18, "Invalid cross-device link"),
    (23, "Too many open files in system"),
    (24, "Too many open files"),
    (25, "Inappropriate ioctl for device"),
    (33, "Numerical argument out of domain"),
    (34, "Numerical result out of range"),
    (35, "Resource deadlock avoided"),
    (40, "Too many levels of symbolic links"),
    (62, "Timer expired"),
    (67, "Link has been severed"),
    (75, "Value too large for defined data type"),
    (EILSEQ, "Invalid or incomplete multibyte or wide character"),
    (95, "Operation not supported"),
    (108, "Cannot send after transport endpoint shutdown"),
    (ETIMEDOUT, "Connection timed out"),
    (116, "Stale file handle"),
    (117, "Structure needs cleaning"),
    (122, "Disk quota exceeded"),
    (125, "Operation canceled"),
];

/// The system's text for an error number, without the number.
pub fn words(errno: i32) -> String {
    if let Some((_, text)) = WORDS.iter().find(|(number, _)| *number == errno) {
        return text.to_string();
    }
    words_of_library(errno)
}

fn words_of_library(errno: i32) -> String {
    let text = std::io::Error::from_raw_os_error(errno).to_string();
    text.split(" (os error").next().unwrap_or(&text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_env = "gnu")]
    fn words_are_those_of_the_usual_library() {
        for (errno, text) in WORDS {
            assert_eq!(words_of_library(*errno), *text);
        }
        assert_eq!(words(ENOSPC), "No space left on device");
    }
}
