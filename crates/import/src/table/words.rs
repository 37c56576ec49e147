//! Splits rows with single spaces between cells. Names have spaces, too, so the start of the figures must be found.
//!
//! Figures differ from the name before them by their units, or by being numbers at the end of the row. A whole number
//! may also be part of the name (`OCZ VERTEX 4 150 130`): then the mapping, which gives the last column, or the row
//! above must agree.

use cardiograph_core::metric::Unit;
use cardiograph_core::text::shown;
use cardiograph_core::{Message, message};

use super::super::amount;
use super::mapped::is_absence;
use super::number;

/// Words for a missing figure.
const ABSENT: &str =
    "todo tbd n/a na none nan inf - -- – — ? fail failed error skipped null × なし 未計測 未測定";
/// Headings of columns with sizes.
const SIZE_HEADINGS: [&str; 4] = ["size", "capacity", "gb", "tb"];

/// The possible meaning of a word.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// A figure with its unit.
    Figure,
    /// A number.
    Plain {
        is_whole: bool,
    },
    /// A size, as in names.
    Size,
    /// A sign for a missing figure.
    Absent,
    Word,
    /// A word with digits in it.
    Other,
}

/// Facts from a block's lines about its columns.
#[derive(Default)]
pub(super) struct Columns {
    /// Number of columns in the rows so far.
    count: Option<usize>,
    /// Whether there is a heading of sizes, which otherwise are part of names.
    has_sizes: bool,
    /// Number of words in the line above, if it may be headings.
    words_above: usize,
}

impl Columns {
    /// Splits a line into cells, the name first; titles and sentences stay one cell. `wanted` is the last mapped
    /// column.
    ///
    /// # Errors
    /// If the columns are ambiguous.
    pub(super) fn cells(&mut self, line: &str, wanted: usize) -> Result<Vec<String>, Message> {
        let tokens = tokens(line);
        let (name, figures) = tokens.split_at(start(&tokens));
        let is_number = |kind: &Kind| matches!(kind, Kind::Figure | Kind::Plain { .. });
        let kinds: Vec<Kind> = figures.iter().map(|(_, kind)| *kind).collect();
        let found = kinds.len() + usize::from(!name.is_empty());
        let is_text = match (&kinds[..], self.count) {
            ([], None) | ([Kind::Plain { is_whole: true }], None) => true,
            ([], Some(_)) => !tokens.iter().any(|(_, kind)| is_number(kind)),
            ([.., last], None) => *last == Kind::Word && found != wanted,
            _ => false,
        };
        if is_text {
            self.has_sizes |=
                line.split_whitespace().any(|word| SIZE_HEADINGS.contains(&&*word.to_lowercase()));
            self.words_above = tokens.len();
            return Ok(vec![line.to_string()]);
        }
        // Without rows above, the mapping must agree if the name or a word between figures may be a cell.
        let is_soft = matches!(kinds.first(), Some(Kind::Absent | Kind::Plain { is_whole: true }))
            || kinds.contains(&Kind::Word);
        // With a heading for each word, the last word of the name may be a cell (`Sony Sad 8.31`).
        let is_cell = self.words_above == tokens.len()
            && name.len() > 1
            && name.last().is_some_and(|(_, kind)| *kind == Kind::Word);
        let is_torn = name.iter().any(|(_, kind)| is_number(kind) && *kind != Kind::Plain { is_whole: true });
        let is_size = self.has_sizes && name.last().is_some_and(|(_, kind)| *kind == Kind::Size);
        let problem = match self.count {
            _ if kinds.is_empty() => message!("import-table.figures-unknown"),
            None if is_soft && found != wanted || is_torn || is_size || is_cell => {
                message!("import-table.name-end-unknown", cell = shown(&figures[0].0))
            }
            Some(others) if others != found => {
                message!("import-table.count-seems-different", columns = found, others)
            }
            _ if found < wanted => message!("import-table.too-few-columns", columns = found, wanted),
            _ => {
                self.count = Some(found);
                let words: Vec<&str> = name.iter().map(|(text, _)| text.as_str()).collect();
                let name = Some(words.join(" ")).filter(|name| !name.is_empty());
                return Ok(name.into_iter().chain(figures.iter().map(|(text, _)| text.clone())).collect());
            }
        };
        Err(problem)
    }
}

/// The index at which the name ends.
fn start(tokens: &[(String, Kind)]) -> usize {
    let kind = |at: usize| tokens[at].1;
    let has_units = tokens.iter().any(|(_, kind)| *kind == Kind::Figure);
    let is_part = |kind: Kind| kind == Kind::Absent || !has_units && matches!(kind, Kind::Plain { .. });
    let mut start = tokens.len();
    if has_units {
        let of_name = tokens.iter().rposition(|(_, kind)| matches!(kind, Kind::Other | Kind::Size));
        let figure = (of_name.map_or(0, |at| at + 1)..tokens.len()).find(|at| kind(*at) == Kind::Figure);
        let Some(figure) = figure else { return tokens.len() };
        start = figure;
    }
    while start > 0 && is_part(kind(start - 1)) {
        start -= 1;
    }
    let has_figure = tokens[start..].iter().any(|(_, kind)| *kind != Kind::Absent);
    if has_figure { start } else { tokens.len() }
}

/// The words of a line, with figures and units joined.
fn tokens(line: &str) -> Vec<(String, Kind)> {
    let mut words = line.split_whitespace().peekable();
    let mut tokens = Vec::new();
    while let Some(word) = words.next() {
        let kind = kind(word);
        let unit = words.peek().and_then(|next| amount::unit(next).map(|(base, _)| (*next, base)));
        match (kind, unit) {
            (Kind::Plain { .. }, Some((unit, base))) if number::rest(word) == Some("") => {
                words.next();
                tokens.push((format!("{word} {unit}"), kind_of(base)));
            }
            _ => tokens.push((word.to_string(), kind)),
        }
    }
    tokens
}

fn kind_of(base: Unit) -> Kind {
    if base == Unit::Bytes { Kind::Size } else { Kind::Figure }
}

fn kind(word: &str) -> Kind {
    let Some(rest) = number::rest(word) else {
        let is_absent = is_absence(word) || ABSENT.split(' ').any(|known| known == word.to_lowercase());
        return match word.bytes().any(|byte| byte.is_ascii_digit()) {
            true => Kind::Other,
            false if is_absent => Kind::Absent,
            false => Kind::Word,
        };
    };
    let digits = &word[..word.len() - rest.len()];
    match amount::unit(rest) {
        Some((base, _)) if !rest.is_empty() => kind_of(base),
        _ if rest.ends_with("/s") => Kind::Figure,
        // End of a sentence.
        _ if digits.ends_with(['.', ',']) => Kind::Other,
        _ if rest.trim_matches(['%', '*', '?', '†', '‡']).is_empty() => {
            Kind::Plain { is_whole: digits.bytes().all(|byte| byte.is_ascii_digit()) }
        }
        // Names have whole numbers (`300x`), rarely others.
        _ if digits.contains('.') => Kind::Plain { is_whole: false },
        _ => Kind::Other,
    }
}
