//! Makes Reports of a publication.

use std::collections::BTreeMap;

use cardiograph_core::Report;
use cardiograph_core::estimate::Estimate;
use cardiograph_core::imported::{Figure, Imported, Source};
use cardiograph_core::published::{Published, PublishedTable};

use super::{OUTPUTS, SUITE};
use crate::amount::{self, Amount};
use crate::{ImportedTest, Named, Subject, detect, reports as assembled};

/// Format name of the shelf's files.
const FORMAT: &str = "shelf";

/// Identifies a Report: a drive and the conditions.
type Key = (String, BTreeMap<String, String>);

/// The Reports of a publication, in the order of its tables.
pub(super) fn reports(source: &Published) -> Vec<Report> {
    let mut keys: Vec<Key> = Vec::new();
    for row in own_tables(source).flat_map(|table| &table.rows) {
        let key = (row.drive.clone(), row.tags.clone());
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys.iter().enumerate().filter_map(|(at, key)| report(source, key, at + 1)).collect()
}

fn own_tables(source: &Published) -> impl Iterator<Item = &PublishedTable> {
    source.tables.iter().filter(|table| !table.repeats)
}

/// `None` for a drive with words only.
fn report(source: &Published, key: &Key, number: usize) -> Option<Report> {
    let (drive, tags) = key;
    let subject = Subject {
        model: Some(drive.clone()),
        author: source.author.clone(),
        date: source.date.clone(),
        ..Subject::default()
    };
    let place = source.place.as_deref().unwrap_or(&source.title);
    let named = Named { place };
    let tests = source.tests.keys().filter_map(|id| test(source, key, id, &subject)).collect();
    let assembled_reports =
        assembled(tests, FORMAT, &named, concat!("cardiograph ", env!("CARGO_PKG_VERSION")));
    let mut report = assembled_reports.into_iter().next()?;
    report.id = format!("{SUITE}-{}-{number:02}", source.name);
    report.suite = SUITE.to_string();
    report.label = Some(drive.clone());
    report.source = Some(Source {
        program: source.program.clone(),
        format: FORMAT.to_string(),
        place: place.to_string(),
        line: None,
        author: source.author.clone(),
        date: source.date.clone(),
    });
    report.host.model = tags.get("board").cloned();
    report.tags = tags.clone();
    report.drive.capacity_bytes = tags.get("capacity").map_or_else(|| capacity(drive), |text| capacity(text));
    let rows = own_tables(source).flat_map(|table| &table.rows);
    let notes =
        rows.filter(|row| (&row.drive, &row.tags) == (drive, tags)).filter_map(|row| row.note.clone());
    report.notes = notes.chain(source.readings.clone()).chain(source.notes.clone()).collect();
    report.notes.dedup();
    Some(report)
}

/// Makes a test with its figures: those of the complete output, if there is one, and those that only tables have.
fn test(source: &Published, (drive, tags): &Key, id: &str, subject: &Subject) -> Option<ImportedTest> {
    let outputs = source.outputs.iter().filter(|output| output.drive == *drive && output.test == id);
    let mut imported = outputs.filter_map(|output| import_output(&output.file)).next().unwrap_or_default();
    for table in own_tables(source) {
        for row in table.rows.iter().filter(|row| row.drive == *drive && row.tags == *tags) {
            for (cell, column) in row.cells.iter().zip(&table.columns).filter(|(_, column)| column.test == id)
            {
                let Some(value) = cell.value else { continue };
                let is_it =
                    |known: &Figure| (known.direction, known.quantity) == (column.direction, column.quantity);
                if imported.figures.iter().any(is_it) {
                    continue;
                }
                imported.figures.push(Figure {
                    direction: column.direction,
                    quantity: column.quantity,
                    estimate: Estimate::bare(value, 0),
                    window_ns: column.window_ns,
                    doubt: cell.doubt.clone(),
                });
            }
        }
    }
    let test = source.tests.get(id).filter(|_| !imported.figures.is_empty())?;
    Some(ImportedTest {
        command: test.command.clone(),
        imported,
        subject: subject.clone(),
        ..ImportedTest::new(id, test.title.clone(), test.method.clone())
    })
}

/// The figures of an output in [`OUTPUTS`]; the format is detected.
pub(super) fn import_output(file: &str) -> Option<Imported> {
    let (name, text) = OUTPUTS.iter().find(|(name, _)| *name == file)?;
    let named = Named { place: name };
    let importer = detect(text.as_bytes(), &named)?;
    importer.read(&mut text.as_bytes(), &named).ok()?.into_iter().next().map(|test| test.imported)
}

/// The capacity in a drive's name, in bytes: the size after the last space (`Samsung Evo+ 32GB`, `Extreme 64 GB`).
fn capacity(name: &str) -> Option<u64> {
    let at = name.char_indices().rev().find(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at)?;
    let begin = name[..=at].rfind(' ').map_or(0, |space| space + 1);
    let amount = Amount::parse(&name[begin..])?;
    let (_, factor) = amount::unit(amount.unit).filter(|_| matches!(amount.unit, "MB" | "GB" | "TB"))?;
    amount.number().map(|number| (number * factor) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_end_in_a_capacity() {
        for (name, expected) in [
            ("Samsung Evo+ 32GB", Some(32_000_000_000)),
            ("SanDisk Extreme PRO 128 GB", Some(128_000_000_000)),
            ("240GB", Some(240_000_000_000)),
            ("PNY Turbo (C10 90MB/s) 16GB", Some(16_000_000_000)),
            ("Intel SSD 520", None),
            ("SAS 15krpm", None),
            ("", None),
        ] {
            assert_eq!(capacity(name), expected, "{name}");
        }
    }
}
