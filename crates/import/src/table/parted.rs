//! The lines of a text as rows: what parts their cells.

use cardiograph_core::text::shown;
use cardiograph_core::{Message, message};

use super::super::lines::numbered;
use super::words::Columns;

/// What stands between the cells of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Between {
    Bars,
    Tabs,
    Commas,
    /// Two blanks or more.
    Gaps,
    /// One blank, as within names.
    Blanks,
}

/// A line and its cells.
pub(super) struct Line<'a> {
    pub(super) number: u64,
    pub(super) text: &'a str,
    pub(super) between: Between,
    /// One where it is no row; none where it is empty. A message where its columns cannot be known.
    pub(super) cells: Result<Vec<String>, Message>,
}

/// The lines of a text. `wanted` is the last column that is mapped, from 1.
pub(super) fn lines(text: &str, wanted: usize) -> Vec<Line<'_>> {
    let numbered: Vec<(u64, &str)> = numbered(text).map(|(number, line)| (number, line.trim())).collect();
    let mut parted = Vec::new();
    for block in numbered.chunk_by(|(_, before), (_, line)| before.is_empty() == line.is_empty()) {
        parted.extend(block_of(block, wanted));
    }
    parted
}

/// The lines of a block: all are empty, or none is.
fn block_of<'a>(block: &[(u64, &'a str)], wanted: usize) -> Vec<Line<'a>> {
    let is_other = |line: &str| line.contains(['|', '\t']);
    let others = || block.iter().map(|(_, line)| *line).filter(|line| !is_other(line));
    // A comma may be part of a name or a number: the lines tell together.
    let with_commas = others().filter(|line| has_commas(line, wanted)).count();
    let by_commas = with_commas * 2 > others().count();
    let is_plain = |line: &&str| by(line, ',').len() == without_thousands(line).len();
    let headings = others().next().filter(is_plain).map(|line| by(line, ',').len());
    let mut columns = Columns::default();
    let line = |(number, text): &(u64, &'a str)| {
        let (between, cells) = match text {
            &"" => (Between::Blanks, Ok(Vec::new())),
            line if line.contains('|') => (Between::Bars, Ok(by_bars(line))),
            line if line.contains('\t') => (Between::Tabs, Ok(by(line, '\t'))),
            line if by_commas => (Between::Commas, of_commas(line, headings)),
            line if gaps(line).len() > 1 => (Between::Gaps, Ok(gaps(line))),
            line if is_rule(line) => (Between::Blanks, Ok(by(line, ' '))),
            line => (Between::Blanks, columns.cells(line, wanted)),
        };
        Line { number: *number, text, between, cells }
    };
    block.iter().map(line).collect()
}

fn is_rule(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b'-' | b':' | b'=' | b' '))
}

fn by(line: &str, between: char) -> Vec<String> {
    line.split(between).map(|cell| cell.trim().to_string()).collect()
}

fn by_bars(line: &str) -> Vec<String> {
    let mut cells = by(line, '|');
    if cells.first().is_some_and(String::is_empty) {
        cells.remove(0);
    }
    if cells.last().is_some_and(String::is_empty) {
        cells.pop();
    }
    cells.iter().map(|cell| without_marks(cell).to_string()).collect()
}

/// A cell without what Markdown marks it by (`**12**`): the best of a row, mostly.
fn without_marks(mut cell: &str) -> &str {
    const MARKS: [&str; 5] = ["**", "__", "`", "*", "_"];
    loop {
        let inner = |mark: &&str| cell.strip_prefix(*mark)?.strip_suffix(*mark).map(str::trim);
        match MARKS.iter().filter_map(inner).find(|inner| !inner.is_empty()) {
            Some(inner) => cell = inner,
            None => return cell,
        }
    }
}

/// Between runs of two blanks or more.
fn gaps(line: &str) -> Vec<String> {
    line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_string).collect()
}

/// Whether commas part as many cells as are mapped. A wide gap within a cell, or a comma within brackets, is of another kind.
fn has_commas(line: &str, wanted: usize) -> bool {
    let cells = by(line, ',');
    let is_cell =
        |cell: &String| gaps(cell).len() < 2 && cell.matches('(').count() == cell.matches(')').count();
    without_thousands(line).len() >= wanted.max(2) && cells.iter().all(is_cell)
}

/// The cells between commas, those between the thousands of a number left out: `A, 4,285` has two.
fn without_thousands(line: &str) -> Vec<String> {
    let is_number = |word: &str| word.contains(',') && super::super::amount::number(word).is_some();
    let words =
        line.split(' ').map(|word| if is_number(word) { word.replace(',', "\0") } else { word.to_string() });
    let cells = by(&words.collect::<Vec<_>>().join(" "), ',');
    cells.into_iter().map(|cell| cell.replace('\0', ",")).collect()
}

/// The cells of a line in a table with commas, whose first line has `headings`.
fn of_commas(line: &str, headings: Option<usize>) -> Result<Vec<String>, Message> {
    let (all, fewer) = (by(line, ','), without_thousands(line));
    if all.len() == fewer.len() || headings == Some(all.len()) {
        return Ok(all);
    }
    if headings == Some(fewer.len()) {
        return Ok(fewer);
    }
    let number = fewer.iter().find(|cell| cell.contains(',')).map_or("", String::as_str);
    Err(message!("import-table.number-or-cells", text = shown(number)))
}
