//! Rows whose cells have single spaces between: names have spaces, too, so where a row parts must be found out.
//!
//! Figures at the end of a row are told from the name before them by their units, or by being numbers in a row. Where that
//! leaves a doubt (`OCZ VERTEX 4 150 130`), it is settled by the rows around, which have as many columns, or by a mapping
//! that names the last column. What it does not settle is refused: a figure of another column looks as good.

use cardiograph_core::metric::Unit;
use cardiograph_core::text::shown;

use super::super::amount;
use super::mapped::is_absence;
use super::number;

/// What people write where a figure is missing.
const ABSENT: [&str; 21] = [
    "todo",
    "tbd",
    "n/a",
    "na",
    "none",
    "nan",
    "inf",
    "-",
    "--",
    "–",
    "—",
    "?",
    "fail",
    "failed",
    "error",
    "skipped",
    "null",
    "×",
    "なし",
    "未計測",
    "未測定",
];

/// Whether a cell says that a figure is missing, and is no heading.
pub(super) fn says_absent(cell: &str) -> bool {
    let cell = cell.trim().to_lowercase();
    is_absence(&cell) || ABSENT.contains(&cell.as_str()) || cell.starts_with("not ")
}

/// Words of headings by which a capacity behind a name is a column.
const OF_SIZES: [&str; 4] = ["size", "capacity", "gb", "tb"];
const WHAT_TO_DO: &str = "part the columns with tabs, |, commas or two spaces";

/// What is known of a line whose words have single spaces between.
pub(super) enum Words {
    /// No row.
    Text,
    Row(Vec<String>),
    /// It has figures, and which column they are in is not known: why.
    Unsure(String),
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// A figure with a unit that is no size.
    Figure,
    /// A number without a unit.
    Plain {
        is_whole: bool,
    },
    /// A capacity: part of a name, mostly.
    Size,
    Absent,
    Word,
    /// A word with digits that is no number.
    Other,
}

/// A line that may be a row.
struct Candidate {
    name: String,
    /// Those behind the name.
    cells: Vec<String>,
    has_units: bool,
    /// Whether all cells are figures, or say that there is none.
    is_clean: bool,
    /// Whether the name may end before its first cell: `VERTEX 4 150`.
    is_soft: bool,
    /// Whether there are figures before or behind what was taken for the cells.
    is_torn: bool,
    has_size: bool,
    /// Whether a number in it has decimals, as those of headings and models seldom have.
    has_decimals: bool,
    /// Whether all its cells are whole numbers without units: so are headings such as `1 2 4 8`.
    is_whole: bool,
    /// Whether the word before its cells may be one: `Sad`.
    ends_in_word: bool,
}

impl Candidate {
    /// How many columns it has.
    fn count(&self) -> usize {
        self.cells.len() + usize::from(!self.name.is_empty())
    }

    fn is_sure(&self) -> bool {
        self.is_clean && !self.is_soft && !self.is_torn && !self.cells.is_empty()
    }

    fn of(line: &str) -> Option<Self> {
        let tokens = tokens(line);
        let kind = |at: usize| tokens[at].1;
        let is_plain = |kind: Kind| matches!(kind, Kind::Plain { .. });
        let has_units = tokens.iter().any(|(_, kind)| *kind == Kind::Figure);
        if !has_units && !tokens.iter().any(|(_, kind)| is_plain(*kind)) {
            return None;
        }
        let (mut start, mut is_torn) = (tokens.len(), false);
        if has_units {
            let other = tokens.iter().rposition(|(_, kind)| matches!(kind, Kind::Other | Kind::Size));
            let from = other.map_or(0, |at| at + 1);
            is_torn = (0..from).any(|at| kind(at) == Kind::Figure);
            start = (from..tokens.len()).find(|at| kind(*at) == Kind::Figure).unwrap_or(tokens.len());
            let has_cells = start < tokens.len();
            while has_cells && start > 0 && kind(start - 1) == Kind::Absent {
                start -= 1;
            }
        } else {
            while start > 0 && (is_plain(kind(start - 1)) || kind(start - 1) == Kind::Absent) {
                start -= 1;
            }
            if !(start..tokens.len()).any(|at| is_plain(kind(at))) {
                start = tokens.len();
            }
        }
        // Part of the name of a model, or a figure.
        is_torn |= (0..start).any(|at| is_plain(kind(at)));
        let (name, cells) = tokens.split_at(start);
        let first = cells.first().map(|(_, kind)| *kind);
        Some(Self {
            name: name.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(" "),
            cells: cells.iter().map(|(text, _)| text.clone()).collect(),
            has_units,
            is_clean: cells.iter().all(|(_, kind)| *kind != Kind::Word),
            is_soft: matches!(first, Some(Kind::Absent | Kind::Plain { is_whole: true })),
            is_torn,
            has_decimals: tokens.iter().any(|(_, kind)| *kind == Kind::Plain { is_whole: false }),
            is_whole: cells.iter().all(|(_, kind)| *kind == Kind::Plain { is_whole: true }),
            ends_in_word: name.len() > 1 && name.last().is_some_and(|(_, kind)| *kind == Kind::Word),
            has_size: name.last().is_some_and(|(_, kind)| *kind == Kind::Size),
        })
    }

    fn into_cells(self) -> Vec<String> {
        Some(self.name).filter(|name| !name.is_empty()).into_iter().chain(self.cells).collect()
    }

    /// Whether it looks like a row, however its columns are: a sentence may have a number at its end.
    fn is_like_a_row(&self) -> bool {
        !self.cells.is_empty() && self.is_clean && (self.has_units || self.cells.len() > 1)
    }
}

/// What the lines of a block are, between which there is no empty one. `wanted` is the last column that is mapped, from 1.
pub(super) fn rows(lines: &[&str], wanted: usize) -> Vec<Words> {
    let mut candidates: Vec<Option<Candidate>> = lines.iter().map(|line| Candidate::of(line)).collect();
    if lines.len() > 1 && candidates[1].is_none() {
        // A title with a number (`Raspberry Pi 4`) above the headings.
        candidates[0] = candidates[0].take().filter(|first| first.is_like_a_row());
    }
    let Some(columns) = columns(&candidates, wanted) else {
        let unsure = |candidate: Option<Candidate>| match candidate {
            Some(row) if row.is_like_a_row() => Words::Unsure(why_unsure(&row)),
            _ => Words::Text,
        };
        return candidates.into_iter().map(unsure).collect();
    };
    let is_row = |row: &Candidate| row.count() == columns && !row.cells.is_empty();
    let first = candidates.iter().position(|row| row.as_ref().is_some_and(is_row)).unwrap_or(0);
    let headings = first.checked_sub(1).filter(|at| candidates[*at].is_none()).map(|at| lines[at]);
    let problem = problem_of_headings(headings, columns);
    let is_other_sure = |row: &Option<Candidate>| row.as_ref().is_some_and(Candidate::is_sure);
    let is_whole_table = !candidates.iter().any(is_other_sure);
    let is_alone = candidates.iter().flatten().filter(|row| is_row(row)).count() == 1;
    let has_more_words = headings.is_some_and(|headings| headings.split_whitespace().count() > columns);
    let has_sizes = headings.is_some_and(|headings| {
        headings.split_whitespace().any(|word| OF_SIZES.contains(&word.to_lowercase().as_str()))
    });
    let mut told = Vec::new();
    for (at, candidate) in candidates.into_iter().enumerate() {
        told.push(match candidate {
            None => Words::Text,
            Some(row) if is_row(&row) => match &problem {
                Some(problem) => Words::Unsure(problem.clone()),
                None if row.is_whole && at == 0 && !is_whole_table => {
                    Words::Unsure(format!("whether it is headings cannot be known; {WHAT_TO_DO}"))
                }
                None if row.ends_in_word && is_alone && has_more_words => Words::Unsure(why_unsure(&row)),
                None if row.has_size && has_sizes => Words::Unsure(format!(
                    "whether the size behind '{}' is a column of its own cannot be known; {WHAT_TO_DO}",
                    shown(&row.name)
                )),
                None if columns < wanted && lines.len() == 1 => Words::Text,
                None if columns < wanted => Words::Unsure(format!(
                    "it has {columns} columns, and --map names column {wanted}; {WHAT_TO_DO}"
                )),
                None => Words::Row(row.into_cells()),
            },
            Some(row) if at < first && !row.has_units && !row.has_decimals && row.cells.len() < 2 => {
                Words::Text
            }
            Some(row) => Words::Unsure(why_not(&row, columns)),
        });
    }
    told
}

/// How many columns the rows have; `None` where that is not known, or there are none.
fn columns(candidates: &[Option<Candidate>], wanted: usize) -> Option<usize> {
    let rows = || candidates.iter().flatten();
    let sure: Vec<usize> = rows().filter(|row| row.is_sure()).map(Candidate::count).collect();
    let times = |count: usize| sure.iter().filter(|other| **other == count).count();
    // Of those that are as common, the first.
    let common =
        sure.iter().copied().reduce(|best, count| if times(count) > times(best) { count } else { best });
    // Fewer columns would not have the last that is mapped, and more than all numbers at the end there are not.
    let is_settled = |row: &Candidate| {
        let is_title = candidates.len() == 1 && !row.is_like_a_row();
        row.count() == wanted && row.is_clean && !row.is_torn && !row.cells.is_empty() && !is_title
    };
    common.or_else(|| rows().any(is_settled).then_some(wanted))
}

/// Each column has a word above it, at least.
fn problem_of_headings(headings: Option<&str>, columns: usize) -> Option<String> {
    let count = headings?.split_whitespace().count();
    (count > 1 && count < columns).then(|| {
        format!(
            "it has {columns} columns, as it seems, and the line above only {count} words: which figure belongs to \
             which column cannot be known; {WHAT_TO_DO}"
        )
    })
}

fn why_unsure(row: &Candidate) -> String {
    let cell = row.cells.first().map_or("", String::as_str);
    format!("where the name ends and the figures begin cannot be known ('{}'); {WHAT_TO_DO}", shown(cell))
}

fn why_not(row: &Candidate, columns: usize) -> String {
    let count = row.count();
    if row.cells.is_empty() || count == columns {
        return format!(
            "which of it are figures cannot be known; {WHAT_TO_DO}, or leave an empty line before what is no row"
        );
    }
    format!(
        "it has {count} columns, as it seems, and other rows have {columns}: which figure belongs to which column \
         cannot be known; {WHAT_TO_DO}"
    )
}

/// The words of a line, numbers together with their units.
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
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    let Some(rest) = number::rest(word) else {
        let is_absent = ABSENT.contains(&word.to_lowercase().as_str());
        return if has_digit {
            Kind::Other
        } else if is_absent {
            Kind::Absent
        } else {
            Kind::Word
        };
    };
    let digits = &word[..word.len() - rest.len()];
    match amount::unit(rest) {
        Some((base, _)) if !rest.is_empty() => kind_of(base),
        _ if rest.ends_with("/s") => Kind::Figure,
        // The end of a sentence.
        _ if digits.ends_with(['.', ',']) => Kind::Other,
        _ if rest.trim_matches(['%', '*', '?', '†', '‡']).is_empty() => {
            Kind::Plain { is_whole: digits.bytes().all(|byte| byte.is_ascii_digit()) }
        }
        // Names have whole numbers (`300x`), seldom others.
        _ if digits.contains('.') => Kind::Plain { is_whole: false },
        _ => Kind::Other,
    }
}
