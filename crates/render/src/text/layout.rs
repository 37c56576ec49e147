//! Lines, columns and emphasis.

use cardiograph_core::Message;
use serde::{Deserialize, Serialize};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::lang::Lang;

/// Narrower terminals get lines of this width, too.
const WIDTH_MIN: usize = 40;
/// Indent of a section's content.
pub(crate) const INDENT: &str = "  ";
/// Spaces between columns.
pub(crate) const SPACE: usize = 2;
const PARAGRAPH_INDENT: &str = "  ";

/// How the text is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Columns of the terminal, at least 40. No line is wider, except those meant to be copied.
    pub width: usize,
    /// Whether to use colour (ANSI escape sequences), sparingly.
    pub color: bool,
}

impl Default for Style {
    /// 80 columns without colour, as in a pipe.
    fn default() -> Self {
        Self { width: 80, color: false }
    }
}

/// The tone of a text, shown by colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// Good.
    Good,
    /// Good enough, or with a doubt.
    Fair,
    /// Bad.
    Bad,
    /// Less important than its surroundings.
    Quiet,
}

impl Tone {
    /// Its class on a page.
    pub(crate) const fn class(self) -> &'static str {
        match self {
            Tone::Good => "good",
            Tone::Fair => "fair",
            Tone::Bad => "bad",
            Tone::Quiet => "quiet",
        }
    }
}

impl Style {
    pub(crate) fn paint(&self, tone: impl Into<Option<Tone>>, text: &str) -> String {
        let code = match tone.into().filter(|_| self.color && !text.is_empty()) {
            Some(Tone::Good) => "32",
            Some(Tone::Fair) => "33",
            Some(Tone::Bad) => "31",
            Some(Tone::Quiet) => "2",
            None => return text.to_string(),
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

/// A text built line by line.
#[derive(Debug)]
pub(crate) struct Page {
    style: Style,
    text: String,
}

impl Page {
    pub(crate) fn new(style: &Style) -> Self {
        Self { style: Style { width: style.width.max(WIDTH_MIN), ..*style }, text: String::new() }
    }

    pub(crate) fn style(&self) -> Style {
        self.style
    }

    /// A line, without trailing spaces.
    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// An empty line, unless the page is empty or ends with one.
    pub(crate) fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Prose: the first line begins with `first`, and further lines are indented by its width.
    pub(crate) fn prose(&mut self, first: &str, text: &str) {
        self.lines(first, text, None);
    }

    /// Prose that is less important than its surroundings.
    pub(crate) fn quiet_prose(&mut self, first: &str, text: &str) {
        self.lines(first, text, Tone::Quiet);
    }

    /// Prose in a tone.
    pub(crate) fn toned(&mut self, first: &str, text: &str, tone: Option<Tone>) {
        self.lines(first, text, tone);
    }

    /// An indented paragraph whose further lines are indented more.
    pub(crate) fn hanging(&mut self, indent: &str, text: &str) {
        let taken = width(indent) + PARAGRAPH_INDENT.len();
        for (index, line) in wrap(text, self.style.width.saturating_sub(taken)).iter().enumerate() {
            self.line(&format!("{indent}{}{line}", if index == 0 { "" } else { PARAGRAPH_INDENT }));
        }
    }

    fn lines(&mut self, first: &str, text: &str, tone: impl Into<Option<Tone>> + Copy) {
        let indent = " ".repeat(width(first));
        let mut before = first;
        for line in wrap(text, self.style.width.saturating_sub(indent.len())) {
            self.line(&format!("{before}{}", self.style.paint(tone, &line)));
            before = &indent;
        }
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }
}

/// Text from outside (a drive's model, a label, a path) in one line, without control characters.
pub(crate) use cardiograph_core::text::plain_line as plain;

/// A message in a language, without control characters, even if its text comes from a stored Report.
pub(crate) fn said(message: &Message, lang: Lang) -> String {
    plain(&lang.text(message))
}

/// Columns of a text; escape sequences take none.
pub fn width(text: &str) -> usize {
    let mut parts = text.split("\x1b[");
    let plain = parts.next().unwrap_or_default().width();
    plain + parts.map(|part| part.split_once('m').map_or(0, |(_, text)| text.width())).sum::<usize>()
}

/// Columns of the widest text.
pub(crate) fn widest(texts: impl IntoIterator<Item = impl AsRef<str>>) -> usize {
    texts.into_iter().map(|text| width(text.as_ref())).max().unwrap_or(0)
}

/// The text, padded with trailing spaces.
pub(crate) fn pad_end(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// The text, padded with leading spaces.
pub(crate) fn pad_start(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}

/// The text, or as much as fits into `columns` with an ellipsis.
pub fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_string();
    }
    let mut cut = String::new();
    for letter in text.chars() {
        if width(&cut) + letter.width().unwrap_or(0) + 1 > columns {
            break;
        }
        cut.push(letter);
    }
    format!("{}…", cut.trim_end())
}

/// Breaks a text at spaces into lines of at most `columns`. Words that are too long, such as Japanese
/// sentences, are broken at the end of the line. There is at least one line.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    broken(&plain(text), columns.max(2) as f64, true, |text| width(text) as f64)
}

/// `text` after `first`, broken at spaces into lines of `columns`; further lines begin below the text. Long
/// words, such as paths and commands, stay whole so that they can be copied.
pub fn hanging(columns: usize, first: &str, text: &str) -> String {
    let indent = width(first);
    let lines = broken(text, columns.saturating_sub(indent) as f64, false, |text| width(text) as f64);
    format!("{first}{}", lines.join(&format!("\n{}", " ".repeat(indent))))
}

/// Breaks a text at spaces, and between letters of scripts without spaces, into lines of at most `most` room,
/// and longer words if `breaks_words`. There is at least one line.
pub(crate) fn broken(text: &str, most: f64, breaks_words: bool, room: impl Fn(&str) -> f64) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for piece in pieces(text) {
        let whole = format!("{line}{}", piece.trim_end());
        if room(&whole) > most && !line.is_empty() {
            let is_long = breaks_words && room(piece.trim_end()) > most;
            if !is_long {
                lines.push(std::mem::take(&mut line).trim_end().to_string());
            }
        }
        for letter in piece.chars() {
            // Every line has at least one letter.
            let is_full =
                breaks_words && !line.is_empty() && room(format!("{line}{letter}").trim_end()) > most;
            if is_full {
                lines.push(std::mem::take(&mut line).trim_end().to_string());
            }
            line.push(letter);
        }
    }
    lines.push(line.trim_end().to_string());
    lines
}

/// The pieces of a line: words with a space after each, and parts of words between which a line may end, as
/// in Japanese (Unicode Standard Annex 14). Latin text such as paths and options stays together.
fn pieces(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let text = words.join(" ");
    let is_wide =
        |letter: Option<char>| letter.and_then(UnicodeWidthChar::width).is_some_and(|width| width > 1);
    let (mut pieces, mut begin) = (Vec::new(), 0);
    for (end, _) in unicode_linebreak::linebreaks(&text) {
        let (before, after) = (text[..end].chars().next_back(), text[end..].chars().next());
        if end == text.len() || before == Some(' ') || is_wide(before) || is_wide(after) {
            pieces.push(text[begin..end].to_string());
            begin = end;
        }
    }
    pieces
}

/// The mark of the note with this index: `a` to `z`, then `aa`, `ab` and so on.
pub(crate) fn mark(index: usize) -> String {
    let letter = char::from(b'a' + (index % 26) as u8);
    let before = (index / 26).checked_sub(1).map(mark).unwrap_or_default();
    format!("{before}{letter}")
}

#[cfg(test)]
mod tests {
    use cardiograph_core::text::as_sentence;

    use super::*;

    #[test]
    fn lines_are_broken_at_spaces() {
        assert_eq!(wrap("a bb ccc dddd", 6), ["a bb", "ccc", "dddd"]);
        assert_eq!(wrap("a bb ccc dddd", 8), ["a bb ccc", "dddd"]);
        assert_eq!(wrap("", 10), [""]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("a abcdefgh", 4), ["a ab", "cdef", "gh"]);
    }

    #[test]
    fn wide_letters_take_two_columns() {
        assert_eq!(wrap("台所の白いカード", 6), ["台所の", "白い", "カード"]);
        assert_eq!(wrap("台所の白いカード", 8), ["台所の白", "いカード"]);
        // No line begins with closing punctuation, and names stay whole.
        assert_eq!(wrap("速度は、/dev/sdaで測る。", 8), ["速度は、", "/dev/sda", "で測る。"]);
        assert_eq!(pad_end("台所", 6), "台所  ");
        assert_eq!(pad_start("カード", 7), " カード");
        assert_eq!([cut("カード", 6), cut("カード", 5), cut("a card", 5)], ["カード", "カー…", "a ca…"]);
        assert_eq!([cut("a card", 6), cut("a card", 3)], ["a card", "a…"]);
    }

    #[test]
    fn japanese_hangs_without_spaces() {
        for (columns, text, expected) in [
            (12, "台所の白いカードです", "- 台所の白い\n  カードです"),
            (14, "台所の「カード」。", "- 台所の「カー\n  ド」。"),
            (14, "白い fio --help です", "- 白い fio\n  --help です"),
            (8, "path/of/a/file の中", "- path/of/a/file\n  の中"),
        ] {
            assert_eq!(hanging(columns, "- ", text), expected);
        }
    }

    #[test]
    fn text_from_outside_does_not_control_the_terminal() {
        assert_eq!(plain("a\x1b[2Jb\r\n\u{202e}c"), "a\u{fffd}[2Jb\u{fffd}\u{fffd}\u{fffd}c");
        assert_eq!(wrap("a\x1b[2J", 10), ["a\u{fffd}[2J"]);
    }

    #[test]
    fn colour_is_optional() {
        let style = |color| Style { width: 80, color };
        assert_eq!(style(false).paint(Tone::Bad, "not enough"), "not enough");
        assert_eq!(style(true).paint(Tone::Bad, "not enough"), "\x1b[31mnot enough\x1b[0m");
    }

    #[test]
    fn names_of_programs_have_no_capital() {
        for (text, expected) in [
            ("fio tells no time", "fio tells no time."),
            ("io_uring is not there.", "io_uring is not there."),
            ("bonnie++ wrote", "bonnie++ wrote."),
            ("fioul is oil", "Fioul is oil."),
            ("the page cache", "The page cache."),
            ("élan", "Élan."),
            ("", ""),
        ] {
            assert_eq!(as_sentence(text), expected);
        }
    }

    #[test]
    fn paragraphs_hang_and_sentences_begin_with_a_capital() {
        let mut page = Page::new(&Style { width: 40, color: false });
        page.hanging("", "aaaaaaaaa bbbbbbbbb ccccccccc ddddddddd eeeeeeeee");
        page.prose("\x1b[2mabc\x1b[0m  ", &"aaaaaa ".repeat(6));
        let expected = "aaaaaaaaa bbbbbbbbb ccccccccc\n  ddddddddd eeeeeeeee\n\
                        \x1b[2mabc\x1b[0m  aaaaaa aaaaaa aaaaaa aaaaaa aaaaaa\n     aaaaaa\n";
        assert_eq!(page.into_text(), expected);
        let sentences = ["", "not known", "Said.", "ärger.", " 12 % "].map(as_sentence);
        assert_eq!(sentences, ["", "Not known.", "Said.", "Ärger.", "12 %."]);
    }

    #[test]
    fn no_two_notes_share_a_mark() {
        let indexes = [0, 1, 25, 26, 27, 51, 52, 701, 702];
        assert_eq!(indexes.map(mark), ["a", "b", "z", "aa", "ab", "az", "ba", "zz", "aaa"]);
    }
}
