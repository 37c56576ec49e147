//! Makes text from outside safe for messages, terminals and files.

use std::borrow::Cow;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use serde::Serialize;

/// Maximum length of a text from outside in a message, in characters.
const SHOWN_CHARS_MAX: usize = 60;

/// Maximum length of a path in a message, in characters: more than real paths have.
const PATH_CHARS_MAX: usize = 1_000;

/// `text` for a message: control characters are escaped, and a long one is truncated.
pub fn shown(text: &str) -> String {
    cut(text, SHOWN_CHARS_MAX)
}

/// A path for a message: complete, with control characters escaped. Only truncated if too long for a real path.
pub fn shown_path(path: &str) -> String {
    cut(path, PATH_CHARS_MAX)
}

fn cut(text: &str, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        Some((end, _)) => printable(&text[..end]) + "…",
        None => printable(text),
    }
}

fn printable(text: &str) -> String {
    let mut printable = String::new();
    for c in text.chars() {
        if c.is_control() || steers(c) { printable.extend(c.escape_default()) } else { printable.push(c) }
    }
    printable
}

/// Whether a character controls the display instead of being shown: controls other than newline and tab, and those
/// that change the direction of text.
pub const fn steers(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        c => matches!(c, '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'),
    }
}

/// Multi-line text with control characters replaced; allocates only if there are any.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if steers(c) { char::REPLACEMENT_CHARACTER } else { c }).collect())
}

/// The same for a single line.
pub fn plain_line(text: &str) -> String {
    let is_shown = |c: char| !steers(c) && !matches!(c, '\n' | '\t');
    text.chars().map(|c| if is_shown(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

/// Names that stay in lower case everywhere, in addition to those that do not look like words (`io_uring`, `ext4`).
const SMALL_NAMES: [&str; 16] = [
    "arcconf",
    "bonnie",
    "btrfs",
    "dd",
    "fdatasync",
    "fio",
    "fsync",
    "hdparm",
    "ioping",
    "iozone",
    "libaio",
    "mdadm",
    "psync",
    "smartctl",
    "storcli",
    "sysbench",
];

/// Capitalises the text, unless it starts with a lower-case name.
pub fn capital(text: &str) -> String {
    let is_of_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '+');
    let first = text.split(|letter| !is_of_word(letter)).next().unwrap_or_default();
    if SMALL_NAMES.contains(&first) || !first.chars().all(char::is_alphabetic) {
        return text.to_string();
    }
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| format!("{}{}", first.to_uppercase(), letters.as_str()))
}

/// Name of a variant of an enum without fields, as in JSON.
pub fn word_of(value: &impl Serialize) -> String {
    let word = serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_string));
    word.expect("an enum without fields is a word")
}

/// Unique values, in order of first occurrence.
pub fn unique<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut unique: Vec<T> = Vec::new();
    values.for_each(|value| {
        if !unique.contains(&value) {
            unique.push(value);
        }
    });
    unique
}

/// Capitalises the text and adds a full stop.
pub fn as_sentence(text: &str) -> String {
    let text = text.trim().trim_end_matches('.');
    if text.is_empty() { String::new() } else { capital(text) + "." }
}

/// Undoes the kernel's `\ooo` escapes of blanks, tabs, newlines, backslashes and, in options, commas.
pub fn unescape(field: &[u8]) -> OsString {
    let mut plain = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((&byte, tail)) = rest.split_first() {
        if let (b'\\', Some(&[a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7'])) =
            (byte, tail.first_chunk())
        {
            plain.push((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'));
            rest = &tail[3..];
        } else {
            plain.push(byte);
            rest = tail;
        }
    }
    OsString::from_vec(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_truncated_and_unprintable_ones_escaped() {
        assert_eq!(shown("a\0b\u{1b}[1m\n"), "a\\u{0}b\\u{1b}[1m\\n");
        assert_eq!(shown(&"長".repeat(61)), format!("{}…", "長".repeat(60)));
        assert_eq!(shown(&"a".repeat(60)), "a".repeat(60));
    }

    #[test]
    fn control_characters_are_not_shown() {
        for c in ('\0'..='\u{3ff}').chain('\u{2000}'..='\u{20ff}') {
            let turns =
                matches!(u32::from(c), 0x200e | 0x200f | 0x202a..=0x202e | 0x2066..=0x2069) || c.is_control();
            assert_eq!(steers(c), turns && c != '\n' && c != '\t', "{c:?}");
            assert_eq!(plain_line(&format!("a{c}b")).contains('\u{fffd}'), turns, "{c:?}");
            assert!(!shown(&c.to_string()).contains(|c| steers(c) || c == '\n'), "{c:?}");
        }
        assert_eq!(plain("a\n\tb 日本"), Cow::Borrowed("a\n\tb 日本"));
        assert_eq!(plain("\u{1b}[31m\u{202e}"), "\u{fffd}[31m\u{fffd}");
    }

    #[test]
    fn paths_are_not_truncated() {
        let path = "/a\u{7}".repeat(250);
        assert_eq!(shown_path(&path), "/a\\u{7}".repeat(250));
        assert_eq!(shown_path(&"\0".repeat(4_096)), format!("{}…", "\\u{0}".repeat(1_000)));
    }

    #[test]
    fn only_valid_escapes_are_undone() {
        for (escaped, plain) in
            [("a\\040b", "a b"), ("\\134", "\\"), ("\\9", "\\9"), ("a\\04", "a\\04"), ("", "")]
        {
            assert_eq!(unescape(escaped.as_bytes()), OsString::from(plain));
        }
    }
}
