//! The languages that headings and labels are written in.

use std::fmt;
use std::str::FromStr;

/// A language. Names, commands and the sentences of a stored Report stay as they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Japanese.
    Ja,
}

impl Lang {
    /// Its code, as in HTML (`lang="ja"`) and on the command line.
    pub const fn code(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Ja => "ja",
        }
    }

    /// The words in this language, given in both.
    pub const fn pick(self, en: &'static str, ja: &'static str) -> &'static str {
        match self {
            Lang::En => en,
            Lang::Ja => ja,
        }
    }
}

/// A language that there are no words in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownLang(String);

impl fmt::Display for UnknownLang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there are no words in '{}'; use en or ja", self.0)
    }
}

impl std::error::Error for UnknownLang {}

impl FromStr for Lang {
    type Err = UnknownLang;

    fn from_str(code: &str) -> Result<Self, Self::Err> {
        match code {
            "en" => Ok(Lang::En),
            "ja" => Ok(Lang::Ja),
            other => Err(UnknownLang(cardiograph_core::text::shown(other))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_they_are_written() {
        for lang in [Lang::En, Lang::Ja] {
            assert_eq!(lang.code().parse(), Ok(lang));
        }
        assert_eq!("fr".parse::<Lang>().unwrap_err().to_string(), "there are no words in 'fr'; use en or ja");
    }
}
