//! Several short texts in one string.

use serde::{Serialize, Serializer};
use smol_str::{SmolStr, SmolStrBuilder};

/// Short texts, one per line, in one allocation: a list of a hundred thousand checkups has several per entry.
///
/// As JSON it is a list of texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lines(SmolStr);

impl Lines {
    /// The texts in order.
    pub fn iter(&self) -> std::str::Lines<'_> {
        self.0.lines()
    }

    /// The string: all texts, separated by newlines.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Each line is a text.
impl From<&str> for Lines {
    fn from(lines: &str) -> Self {
        Self(lines.into())
    }
}

/// Newlines within a text become blanks. Empty texts are left out.
impl<S: AsRef<str>> FromIterator<S> for Lines {
    fn from_iter<I: IntoIterator<Item = S>>(texts: I) -> Self {
        let mut lines = SmolStrBuilder::new();
        for (at, text) in texts.into_iter().filter(|text| !text.as_ref().is_empty()).enumerate() {
            if at > 0 {
                lines.push('\n');
            }
            let one_line = text.as_ref().chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c });
            one_line.for_each(|c| lines.push(c));
        }
        Self(lines.finish())
    }
}

impl<'a> IntoIterator for &'a Lines {
    type Item = &'a str;
    type IntoIter = std::str::Lines<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Serialize for Lines {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

/// A user's tags in one string, one line `NAME=VALUE` each. A name ends at the first `=`.
///
/// As JSON it is an object of texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TagLines(Lines);

impl TagLines {
    /// Names and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|line| line.split_once('='))
    }

    /// The value for this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find_map(|(of, value)| (of == name).then_some(value))
    }

    /// The string: all tags, separated by newlines.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// Each line is a tag.
impl From<&str> for TagLines {
    fn from(lines: &str) -> Self {
        Self(Lines::from(lines))
    }
}

impl<N: AsRef<str>, V: AsRef<str>> FromIterator<(N, V)> for TagLines {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(tags: I) -> Self {
        let lines = tags.into_iter().map(|(name, value)| format!("{}={}", name.as_ref(), value.as_ref()));
        Self(lines.collect())
    }
}

impl Serialize for TagLines {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_stored_one_per_line() {
        for (texts, wanted) in [
            (vec![], "[]"),
            (vec!["SD64G"], r#"["SD64G"]"#),
            (vec!["", "a\nb\r", "", "カード"], r#"["a b ","カード"]"#),
        ] {
            let lines: Lines = texts.iter().collect();
            assert_eq!(serde_json::to_string(&lines).unwrap(), wanted);
            assert_eq!(Lines::from(lines.as_str()), lines);
        }
    }

    #[test]
    fn tags_are_found_by_name() {
        let tags: TagLines = [("board", "Pi 5 = best"), ("raid", "")].into_iter().collect();
        assert_eq!(tags.get("board"), Some("Pi 5 = best"));
        assert_eq!(tags.get("raid"), Some(""));
        assert_eq!(tags.get("boar"), None);
        assert_eq!(serde_json::to_string(&tags).unwrap(), r#"{"board":"Pi 5 = best","raid":""}"#);
        assert_eq!(TagLines::from(tags.as_str()), tags);
    }
}
