//! Decodes the text of a file.

use std::borrow::Cow;

/// Web pages are full of no-break spaces, which look plain in copied text.
const NO_BREAK_SPACE: char = '\u{a0}';

/// Decodes UTF-8, or UTF-16 with a byte order mark. The mark is dropped, invalid bytes become replacement characters,
/// and all spaces are plain.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
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
    fn utf_16_is_decoded() {
        assert_eq!(decode(b"a\xef\xbb\xbf"), "a\u{feff}");
        assert_eq!(decode(b"\xef\xbb\xbfa"), "a");
        assert_eq!(decode(b"\xff\xfea\0\xb5\0b"), "aµ");
        assert_eq!(decode(b"\xfe\xff\0a\0\xb5\xd8\0"), "aµ\u{fffd}");
        assert_eq!(decode(b"\xff1"), "\u{fffd}1");
        assert_eq!(decode("1\u{a0}\u{a0}µs".as_bytes()), "1  µs");
    }
}
