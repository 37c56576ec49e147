//! Numbers of errors, and their names. They are those of Linux on all machines but old ones (MIPS, Alpha, SPARC).

/// Input or output failed.
pub const EIO: i32 = 5;
/// A block is not what was written.
pub const EILSEQ: i32 = 84;
/// The largest number that the kernel can return.
pub const ERRNO_MAX: u64 = 4_095;

/// Errors that have been seen of files and drives.
pub const NAMES: &[(&str, i32)] = &[
    ("EPERM", 1),
    ("ENOENT", 2),
    ("EINTR", 4),
    ("EIO", EIO),
    ("ENXIO", 6),
    ("EBADF", 9),
    ("EAGAIN", 11),
    ("ENOMEM", 12),
    ("EACCES", 13),
    ("EFAULT", 14),
    ("EBUSY", 16),
    ("ENODEV", 19),
    ("EINVAL", 22),
    ("EFBIG", 27),
    ("ENOSPC", 28),
    ("EROFS", 30),
    ("EPIPE", 32),
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
    ("ETIMEDOUT", 110),
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
