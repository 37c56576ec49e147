//! Splits the lines of a text into rows of cells.

use cardiograph_core::text::shown;
use cardiograph_core::{Message, message};

use super::super::lines::numbered;
use super::words::Columns;

/// Separator of a line's cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Between {
    Bars,
    Tabs,
    Commas,
    /// Two or more spaces.
    Gaps,
    /// A single space, as within names.
    Blanks,
}

/// A line and its cells.
pub(super) struct Line<'a> {
    pub(super) number: u64,
    pub(super) text: &'a str,
    pub(super) between: Between,
    /// One cell if it is not a row; none if it is empty. An error if its columns are ambiguous.
    pub(super) cells: Result<Vec<String>, Message>,
}

/// Splits the lines of a text. `wanted` is the last mapped column, from 1.
pub(super) fn lines(text: &str, wanted: usize) -> Vec<Line<'_>> {
    let numbered: Vec<(u64, &str)> = numbered(text).map(|(number, line)| (number, line.trim())).collect();
    let mut parted = Vec::new();
    for block in numbered.chunk_by(|(_, before), (_, line)| before.is_empty() == line.is_empty()) {
        parted.extend(split_block(block, wanted));
    }
    parted
}

/// Splits a block of lines, either all empty or all nonempty.
fn split_block<'a>(block: &[(u64, &'a str)], wanted: usize) -> Vec<Line<'a>> {
    let is_other = |line: &str| line.contains(['|', '\t']);
    let others = || block.iter().map(|(_, line)| *line).filter(|line| !is_other(line));
    // A comma may be part of a name or a number, so all lines decide together.
    let with_commas = others().filter(|line| has_commas(line, wanted)).count();
    let by_commas = with_commas * 2 > others().count();
    let is_plain = |line: &&str| split_at(line, ',').len() == split_at_commas(line).len();
    let headings = others().next().filter(is_plain).map(|line| split_at(line, ',').len());
    let mut columns = Columns::default();
    let line = |(number, text): &(u64, &'a str)| {
        let (between, cells) = match text {
            &"" => (Between::Blanks, Ok(Vec::new())),
            line if line.contains('|') => (Between::Bars, Ok(split_at_bars(line))),
            line if line.contains('\t') => (Between::Tabs, Ok(split_at(line, '\t'))),
            line if by_commas => (Between::Commas, split_comma_row(line, headings)),
            line if split_at_gaps(line).len() > 1 => (Between::Gaps, Ok(split_at_gaps(line))),
            line if is_rule(line) => (Between::Blanks, Ok(split_at(line, ' '))),
            line => (Between::Blanks, columns.cells(line, wanted)),
        };
        Line { number: *number, text, between, cells }
    };
    block.iter().map(line).collect()
}

fn is_rule(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b'-' | b':' | b'=' | b' '))
}

fn split_at(line: &str, between: char) -> Vec<String> {
    line.split(between).map(|cell| cell.trim().to_string()).collect()
}

fn split_at_bars(line: &str) -> Vec<String> {
    let mut cells = split_at(line, '|');
    if cells.first().is_some_and(String::is_empty) {
        cells.remove(0);
    }
    if cells.last().is_some_and(String::is_empty) {
        cells.pop();
    }
    cells.iter().map(|cell| strip_emphasis(cell).to_string()).collect()
}

/// Strips Markdown emphasis (`**12**`), often used for the best in a row.
fn strip_emphasis(mut cell: &str) -> &str {
    const MARKS: [&str; 5] = ["**", "__", "`", "*", "_"];
    loop {
        let inner = |mark: &&str| cell.strip_prefix(*mark)?.strip_suffix(*mark).map(str::trim);
        match MARKS.iter().filter_map(inner).find(|inner| !inner.is_empty()) {
            Some(inner) => cell = inner,
            None => return cell,
        }
    }
}

/// Splits at runs of two or more spaces.
fn split_at_gaps(line: &str) -> Vec<String> {
    line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_string).collect()
}

/// Whether commas separate as many cells as are mapped. A wide gap within a cell, or a comma in parentheses, is
/// something else.
fn has_commas(line: &str, wanted: usize) -> bool {
    let cells = split_at(line, ',');
    let is_cell = |cell: &String| {
        split_at_gaps(cell).len() < 2 && cell.matches('(').count() == cell.matches(')').count()
    };
    split_at_commas(line).len() >= wanted.max(2) && cells.iter().all(is_cell)
}

/// Splits at commas, except those between thousands: `A, 4,285` has two cells.
fn split_at_commas(line: &str) -> Vec<String> {
    let is_number = |word: &str| word.contains(',') && super::super::amount::number(word).is_some();
    let words =
        line.split(' ').map(|word| if is_number(word) { word.replace(',', "\0") } else { word.to_string() });
    let cells = split_at(&words.collect::<Vec<_>>().join(" "), ',');
    cells.into_iter().map(|cell| cell.replace('\0', ",")).collect()
}

/// Splits a line in a comma-separated table whose first line has `headings`.
fn split_comma_row(line: &str, headings: Option<usize>) -> Result<Vec<String>, Message> {
    let (all, fewer) = (split_at(line, ','), split_at_commas(line));
    if all.len() == fewer.len() || headings == Some(all.len()) {
        return Ok(all);
    }
    if headings == Some(fewer.len()) {
        return Ok(fewer);
    }
    let number = fewer.iter().find(|cell| cell.contains(',')).map_or("", String::as_str);
    Err(message!("import-table.number-or-cells", text = shown(number)))
}
