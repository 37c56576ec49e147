//! Parses a file of the shelf.

use std::collections::BTreeMap;

use cardiograph_core::direction::Direction;
use cardiograph_core::method::Method;
use cardiograph_core::published::{
    Preconditioning, Published, PublishedCell, PublishedColumn, PublishedOutput, PublishedRow,
    PublishedTable, PublishedTest,
};
use cardiograph_core::quantity::Quantity;
use cardiograph_core::{Doubt, Message, NS_PER_MS, words};
use serde::Deserialize;

use super::OUTPUTS;
use super::notes::Note;
use crate::amount::{self, Amount};
use crate::command;

type Tags = BTreeMap<String, String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceFile {
    name: String,
    title: String,
    author: Option<String>,
    date: Option<String>,
    place: Option<String>,
    program: String,
    preconditioning: Preconditioning,
    #[serde(default)]
    readings: Vec<Note>,
    #[serde(default)]
    notes: Vec<Note>,
    tests: BTreeMap<String, TestEntry>,
    #[serde(default)]
    drives: BTreeMap<String, Tags>,
    #[serde(default)]
    tables: Vec<TableEntry>,
    #[serde(default)]
    outputs: Vec<OutputEntry>,
}

/// A complete output of a program.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OutputEntry {
    drive: String,
    test: String,
    file: String,
}

/// Figures that are not the drive's: those of a column in rows with these tags.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DoubtEntry {
    column: String,
    #[serde(default)]
    tags: Tags,
    why: Doubt,
}

/// A test: its command, or a description if the command is unknown.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TestEntry {
    title: Option<String>,
    command: Option<String>,
    /// Which of the command's tests.
    part: Option<String>,
    method: Option<Method>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableEntry {
    title: String,
    #[serde(default)]
    repeats: bool,
    #[serde(default)]
    tags: Tags,
    columns: Vec<ColumnEntry>,
    rows: Vec<RowEntry>,
    #[serde(default)]
    doubts: Vec<DoubtEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ColumnEntry {
    heading: String,
    test: String,
    figure: String,
    /// The published unit, if it differs from the actual one.
    published: Option<String>,
    unit: String,
    window_ms: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RowEntry {
    drive: String,
    #[serde(default)]
    tags: Tags,
    cells: Vec<String>,
    note: Option<Note>,
}

/// Parses the file `name`.
///
/// # Errors
/// A sentence with the problem and its location.
pub(super) fn read(name: &str, text: &str) -> Result<Published, String> {
    let file: SourceFile = toml::from_str(text).map_err(|error| format!("{name}: {error}"))?;
    let in_file = |what: String| format!("{name}: {what}");
    if file.name != name {
        return Err(in_file(format!("it calls itself '{}'", file.name)));
    }
    let tests = file.tests.into_iter().map(|(id, entry)| Ok((id.clone(), test(&id, entry)?)));
    let tests = tests.collect::<Result<BTreeMap<_, _>, String>>().map_err(in_file)?;
    let tables = file.tables.into_iter().map(|entry| table(entry, &tests, &file.drives));
    let tables = tables.collect::<Result<Vec<_>, String>>().map_err(in_file)?;
    let outputs = file.outputs.into_iter().map(|entry| output(entry, &tests));
    let outputs = outputs.collect::<Result<Vec<_>, String>>().map_err(in_file)?;
    Ok(Published {
        name: file.name,
        title: file.title,
        author: file.author,
        date: file.date,
        place: file.place,
        program: file.program,
        preconditioning: file.preconditioning,
        readings: messages(file.readings),
        notes: messages(file.notes),
        tests,
        drives: file.drives,
        tables,
        outputs,
    })
}

fn messages(all: Vec<Note>) -> Vec<Message> {
    all.into_iter().map(|Note(message)| message).collect()
}

fn output(entry: OutputEntry, tests: &BTreeMap<String, PublishedTest>) -> Result<PublishedOutput, String> {
    let OutputEntry { drive, test, file } = entry;
    if !tests.contains_key(&test) {
        return Err(format!("output {file}: there is no test '{test}'"));
    }
    if OUTPUTS.iter().all(|(name, _)| *name != file) {
        return Err(format!("output {file}: there is no such file"));
    }
    Ok(PublishedOutput { drive, test, file })
}

fn test(id: &str, entry: TestEntry) -> Result<PublishedTest, String> {
    let in_test = |what: String| format!("test {id}: {what}");
    let method = match (&entry.command, entry.method) {
        (Some(command), None) => {
            command::method(command, entry.part.as_deref()).map_err(|why| in_test(why.to_string()))?
        }
        (None, Some(method)) => method,
        _ => return Err(in_test("it needs a command or a method".to_string())),
    };
    let title = entry.title.map_or_else(|| words::method::title(&method), Message::verbatim);
    Ok(PublishedTest { title, command: entry.command, method })
}

fn table(
    entry: TableEntry,
    tests: &BTreeMap<String, PublishedTest>,
    drives: &BTreeMap<String, Tags>,
) -> Result<PublishedTable, String> {
    let in_table = |what: String| format!("table '{}': {what}", entry.title);
    let columns = entry.columns.into_iter().map(|one| column(one, tests));
    let columns = columns.collect::<Result<Vec<_>, String>>().map_err(in_table)?;
    let rows = entry.rows.into_iter().map(|one| row(one, &columns, &entry.tags, drives));
    let mut rows = rows.collect::<Result<Vec<_>, String>>().map_err(in_table)?;
    for doubt in &entry.doubts {
        let at = columns.iter().position(|column| column.heading == doubt.column);
        let at = at.ok_or_else(|| in_table(format!("there is no column '{}'", doubt.column)))?;
        let has = |row: &&mut PublishedRow| {
            doubt.tags.iter().all(|(name, value)| row.tags.get(name) == Some(value))
        };
        rows.iter_mut().filter(has).for_each(|row| row.cells[at].doubt = Some(doubt.why.clone()));
    }
    Ok(PublishedTable { title: entry.title.clone(), repeats: entry.repeats, columns, rows })
}

fn column(entry: ColumnEntry, tests: &BTreeMap<String, PublishedTest>) -> Result<PublishedColumn, String> {
    let in_column = |what: String| format!("column '{}': {what}", entry.heading);
    if !tests.contains_key(&entry.test) {
        return Err(in_column(format!("there is no test '{}'", entry.test)));
    }
    let (direction, quantity) = figure(&entry.figure).map_err(in_column)?;
    let (base, _) =
        amount::unit(&entry.unit).ok_or_else(|| in_column(format!("unknown unit '{}'", entry.unit)))?;
    if base != quantity.unit() {
        return Err(in_column(format!("{} is not in {}", entry.figure, entry.unit)));
    }
    Ok(PublishedColumn {
        published: entry.published.unwrap_or_else(|| entry.unit.clone()),
        heading: entry.heading,
        test: entry.test,
        direction,
        quantity,
        unit: entry.unit,
        window_ns: entry.window_ms.map(|ms| ms * NS_PER_MS),
    })
}

/// Parses `read.bandwidth`, `sync.latency_p99`, `runtime`.
fn figure(text: &str) -> Result<(Option<Direction>, Quantity), String> {
    let (direction, quantity) = match text.split_once('.') {
        Some((word, quantity)) if Direction::ALL.iter().any(|direction| direction.name() == word) => {
            (Direction::ALL.into_iter().find(|direction| direction.name() == word), quantity)
        }
        _ => (None, text),
    };
    Ok((direction, quantity.parse::<Quantity>().map_err(|error| error.to_string())?))
}

fn row(
    entry: RowEntry,
    columns: &[PublishedColumn],
    tags: &Tags,
    drives: &BTreeMap<String, Tags>,
) -> Result<PublishedRow, String> {
    let in_row = |what: String| format!("row '{}': {what}", entry.drive);
    if entry.cells.len() != columns.len() {
        return Err(in_row(format!("{} cells in {} columns", entry.cells.len(), columns.len())));
    }
    let cells = entry.cells.iter().zip(columns).map(|(text, column)| cell(text, column));
    let cells = cells.collect::<Result<Vec<_>, String>>().map_err(in_row)?;
    // Tags of the row override those of the table, and these override those of the drive.
    let mut all = drives.get(&entry.drive).cloned().unwrap_or_default();
    all.extend(tags.clone());
    all.extend(entry.tags);
    Ok(PublishedRow { drive: entry.drive, tags: all, cells, note: entry.note.map(|Note(note)| note) })
}

fn cell(text: &str, column: &PublishedColumn) -> Result<PublishedCell, String> {
    let Some(amount) = Amount::parse(text) else {
        return Ok(PublishedCell { text: text.to_string(), value: None, doubt: None });
    };
    let wrong = || format!("'{text}' is not a figure in {}", column.published);
    // A cell may have a different unit (3756 MiB in a column of GiB); a unit with an unusual meaning is that of the
    // column.
    let unit =
        if amount.unit.is_empty() || amount.unit == column.published { &column.unit } else { amount.unit };
    let (base, factor) = amount::unit(unit).ok_or_else(wrong)?;
    let number = amount.number().filter(|_| base == column.quantity.unit()).ok_or_else(wrong)?;
    Ok(PublishedCell { text: text.to_string(), value: Some(number * factor), doubt: None })
}
