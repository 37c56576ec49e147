//! The kernel's small files, with one value each.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Maximum length of a sysfs attribute: the kernel writes it into one page of memory.
const ATTRIBUTE_LEN_BYTES_MAX: u64 = 4 << 10;
/// Far more than the size of `cpuinfo` and `mountinfo` on the largest machines.
const LIST_LEN_BYTES_MAX: u64 = 64 << 20;

/// Reads a whole file, which must not be longer than `len_bytes_max`.
fn read(path: &Path, len_bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(len_bytes_max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > len_bytes_max {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

/// The bytes of an attribute; `None` if it is missing, unreadable or too long.
pub(crate) fn bytes(path: &Path) -> Option<Vec<u8>> {
    read(path, ATTRIBUTE_LEN_BYTES_MAX).ok()
}

/// The bytes of a file with many lines.
///
/// # Errors
/// When it cannot be read, or is longer than any list of the kernel.
pub(crate) fn list(path: &Path) -> io::Result<Vec<u8>> {
    read(path, LIST_LEN_BYTES_MAX)
}

/// The text of a file with many lines, with invalid UTF-8 replaced.
pub(crate) fn list_text(path: &Path) -> Option<String> {
    list(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// A text attribute.
pub(crate) fn text(path: &Path) -> Option<String> {
    clean(&bytes(path)?)
}

/// A decimal integer attribute.
pub(crate) fn number(path: &Path) -> Option<u64> {
    std::str::from_utf8(&bytes(path)?).ok()?.trim().parse().ok()
}

/// Text from a drive or firmware, made safe to show: without padding and control characters, which could
/// control a terminal. `None` if nothing is left.
pub(crate) fn clean(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let shown: String =
        text.chars().filter(|c| !c.is_control() && *c != char::REPLACEMENT_CHARACTER).collect();
    let shown = shown.trim();
    (!shown.is_empty()).then(|| shown.to_string())
}

/// Whether a text consists of digits.
pub(crate) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_trimmed_and_safe_to_show() {
        let cases: [(&[u8], Option<&str>); 8] = [
            (b"SU02G\n", Some("SU02G")),
            (b"  Samsung SSD 870  \n", Some("Samsung SSD 870")),
            (b"Raspberry Pi 5 Model B Rev 1.0\0", Some("Raspberry Pi 5 Model B Rev 1.0")),
            (b"evil\x1b[2Jname\x07", Some("evil[2Jname")),
            (b"\xff\xfeAB\x80C", Some("ABC")),
            ("Größe\u{85}".as_bytes(), Some("Größe")),
            (b"", None),
            (b" \0\n\t", None),
        ];
        for (bytes, shown) in cases {
            assert_eq!(clean(bytes).as_deref(), shown, "{bytes:?}");
        }
    }

    #[test]
    fn only_whole_numbers_are_numbers() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("size");
        let cases: [(&[u8], Option<u64>); 9] = [
            (b"124735488\n", Some(124_735_488)),
            (b"0\n", Some(0)),
            (b"18446744073709551615", Some(u64::MAX)),
            (b"18446744073709551616", None),
            (b"-1\n", None),
            (b"12 34\n", None),
            (b"", None),
            (b"\xff\xff", None),
            (b"0x10\n", None),
        ];
        for (content, value) in cases {
            std::fs::write(&path, content).unwrap();
            assert_eq!(number(&path), value, "{content:?}");
        }
        assert_eq!(number(&directory.path().join("missing")), None);
        assert_eq!(number(directory.path()), None);
    }

    #[test]
    fn attributes_longer_than_a_page_are_ignored() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("model");
        std::fs::write(&path, vec![b'x'; 4_096]).unwrap();
        assert_eq!(text(&path).map(|text| text.len()), Some(4_096));
        std::fs::write(&path, vec![b'x'; 4_097]).unwrap();
        assert_eq!(text(&path), None);
        assert_eq!(list(&path).unwrap().len(), 4_097);
    }
}
