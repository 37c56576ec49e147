//! Text from outside as it can stand in a message.

/// At most so many characters of a text from outside stand in a message.
const SHOWN_CHARS_MAX: usize = 60;

/// At most so many characters of a path stand in a message: more than real paths have.
const PATH_CHARS_MAX: usize = 1_000;

/// `text` as it can stand in a message: control characters are written out, and the end of a long one is left out.
pub fn shown(text: &str) -> String {
    cut(text, SHOWN_CHARS_MAX)
}

/// A path as it can stand in a message: whole, with control characters written out. The end of what is too long to be one
/// is left out.
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
        if c.is_control() { printable.extend(c.escape_default()) } else { printable.push(c) }
    }
    printable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_and_unprintable_texts_are_shown_short() {
        assert_eq!(shown("a\0b\u{1b}[1m\n"), "a\\u{0}b\\u{1b}[1m\\n");
        assert_eq!(shown(&"長".repeat(61)), format!("{}…", "長".repeat(60)));
        assert_eq!(shown(&"a".repeat(60)), "a".repeat(60));
    }

    #[test]
    fn paths_are_shown_whole() {
        let path = "/a\u{7}".repeat(250);
        assert_eq!(shown_path(&path), "/a\\u{7}".repeat(250));
        assert_eq!(shown_path(&"\0".repeat(4_096)), format!("{}…", "\\u{0}".repeat(1_000)));
    }
}
