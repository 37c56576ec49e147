//! The text in a file.

use std::borrow::Cow;

/// A blank that does not break lines. Pages are full of them, and what is copied from there looks as if it had plain ones.
const NO_BREAK_SPACE: char = '\u{a0}';

/// Bytes as text: UTF-8, or UTF-16 where its mark stands at the beginning. A mark is left out, what is no text becomes a
/// sign that stands for that, and all blanks are plain ones.
pub(super) fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => Cow::Owned(from_utf16(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(from_utf16(rest, u16::from_be_bytes)),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest),
        _ => String::from_utf8_lossy(bytes),
    };
    if text.contains(NO_BREAK_SPACE) { Cow::Owned(text.replace(NO_BREAK_SPACE, " ")) } else { text }
}

fn from_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_windows_writes_is_read() {
        assert_eq!(decoded(b"a\xef\xbb\xbf"), "a\u{feff}");
        assert_eq!(decoded(b"\xef\xbb\xbfa"), "a");
        assert_eq!(decoded(b"\xff\xfea\0\xb5\0b"), "aµ");
        assert_eq!(decoded(b"\xfe\xff\0a\0\xb5\xd8\0"), "aµ\u{fffd}");
        assert_eq!(decoded(b"\xff1"), "\u{fffd}1");
        assert_eq!(decoded("1\u{a0}\u{a0}µs".as_bytes()), "1  µs");
    }
}
