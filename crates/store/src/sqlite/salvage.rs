//! What can be saved of a damaged file.
//!
//! The file is kept aside as it is, with its log: who has better tools may still use them. A copy of it is read row by row,
//! from both ends, and the Reports that can be read go into a new file. They come from their compressed parts, which have
//! checksums; all other rows are made anew from them. A Report of which a step cannot be read is saved without that step, and
//! says so.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use cardiograph_core::Report;
use cardiograph_core::report::StepResult;
use rusqlite::{Connection, TransactionBehavior};

use super::digest::{Values, clamped};
use super::open::{beside, open};
use super::sql::{self, prepare};
use super::{Trouble, first_page, read, write};
use crate::atomic::{io_error, parent_of, sync_directory};
use crate::{Remark, StoreError};

/// Rows in a file that somebody made to look endless.
const ROWS_MAX: usize = 10_000_000;

/// Puts the damaged `file` aside and saves what can be read of it, unless nothing is wrong with it any more: then
/// `works`, which found the damage, does what it has to do.
pub fn salvage(file: &Path, works: impl FnOnce(&mut Connection) -> bool) -> Result<Remark, StoreError> {
    let error = |trouble: Trouble| trouble.into_store_error(file);
    // Of two processes that find the damage one waits here, and finds a file that is whole.
    let lock = beside(file, "-repair");
    let held = OpenOptions::new().write(true).create(true).truncate(false).open(&lock);
    let held = held.map_err(|source| io_error("create", &lock, source))?;
    held.lock().map_err(|source| io_error("lock", &lock, source))?;
    if is_whole(file, works) {
        return Ok(Remark::Repaired {
            by_another: true,
            aside: PathBuf::new(),
            reports: 0,
            lost: 0,
            lost_steps: 0,
        });
    }
    let aside = put_aside(file)?;
    let copy = beside(file, "-copy");
    let found = copy_and_read(&aside, &copy);
    first_page::remove(&copy);
    let Found { reports, lost } = found?;
    let lost_steps = reports.iter().map(|(report, _)| steps_lost(report)).sum();
    let mut connection = open(file, true).map_err(error)?.expect("it is made");
    let save = |connection: &mut Connection| -> Result<(), Trouble> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for (report, sorted_ms) in &reports {
            write::report(&transaction, report, *sorted_ms)?;
        }
        Ok(transaction.commit()?)
    };
    save(&mut connection).map_err(error)?;
    let _ = fs::remove_file(&lock);
    Ok(Remark::Repaired { by_another: false, aside, reports: reports.len(), lost, lost_steps })
}

/// How the note on a step that was lost ends.
const LOST: &str = "was lost when the store was damaged";

/// How many steps of a Report were lost, now or earlier.
fn steps_lost(report: &Report) -> usize {
    report.notes.iter().filter(|note| note.ends_with(LOST)).count()
}

/// Whether SQLite finds nothing wrong with the whole file, and we nothing with its schema and what we look for.
fn is_whole(file: &Path, works: impl FnOnce(&mut Connection) -> bool) -> bool {
    let Ok(Some(mut connection)) = open(file, false) else { return false };
    let checked = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    checked.is_ok_and(|answer| answer == "ok") && works(&mut connection)
}

/// Renames the file and its log. What readers share is of no use without them.
fn put_aside(file: &Path) -> Result<PathBuf, StoreError> {
    let names = (1u32..).map(|number| beside(file, &format!(".damaged-{number}")));
    let aside = names.into_iter().find(|name| !name.exists()).expect("there are more names than files");
    fs::rename(file, &aside).map_err(|source| io_error("rename", file, source))?;
    let log = beside(file, "-wal");
    if log.exists() {
        fs::rename(&log, beside(&aside, "-wal")).map_err(|source| io_error("rename", &log, source))?;
    }
    let _ = fs::remove_file(beside(file, "-shm"));
    let directory = parent_of(file);
    sync_directory(directory).map_err(|source| io_error("sync", directory, source))?;
    Ok(aside)
}

/// What can be read.
#[derive(Default)]
struct Found {
    /// With the times by which they are sorted, the oldest first.
    reports: Vec<(Report, i64)>,
    /// How many Reports there were beside them.
    lost: usize,
}

impl Found {
    fn steps(&self) -> usize {
        self.reports.iter().map(|(report, _)| report.steps.len()).sum()
    }
}

/// Reads a copy of the damaged file, and once more with a first page that is whole where its own is not.
fn copy_and_read(aside: &Path, copy: &Path) -> Result<Found, StoreError> {
    for suffix in ["", "-wal"] {
        let (from, to) = (beside(aside, suffix), beside(copy, suffix));
        if from.exists() {
            fs::copy(&from, &to).map_err(|source| io_error("copy", &from, source))?;
        }
    }
    let found = read_copy(copy);
    if !first_page::renew(copy).map_err(|source| io_error("write", copy, source))? {
        return Ok(found);
    }
    let again = read_copy(copy);
    let saved = |found: &Found| (found.reports.len(), found.steps());
    Ok(if saved(&again) > saved(&found) { again } else { found })
}

/// What can be read of the copy, whose log is then in it.
fn read_copy(copy: &Path) -> Found {
    // Where not even that can be opened, nothing can be read.
    let Ok(connection) = Connection::open(copy) else { return Found::default() };
    // So SQLite reads a file that is shorter than its header says, as far as it goes.
    let _ = connection.execute_batch("PRAGMA writable_schema = ON");
    let found = Rows::of(&connection).reports();
    let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    found
}

/// More steps than any checkup has, for a number that was damaged to be large.
const STEPS_MAX: i64 = 10_000;

/// What the list of a damaged file tells of a run.
struct Listed {
    number: i64,
    id: String,
    sorted_ms: i64,
    /// How many, if the row is as it was kept.
    steps: Option<i64>,
}

/// A compressed part of a Report, by its row.
struct Part {
    row: i64,
    run: i64,
}

/// The rows of a damaged file that can be read.
struct Rows<'c> {
    connection: &'c Connection,
    runs: Vec<Listed>,
    /// Where in `runs` an id is.
    ids: HashMap<String, usize>,
    /// Where in `runs` a number is.
    numbers: HashMap<i64, usize>,
    heads: Vec<Part>,
    /// By run.
    steps: BTreeMap<i64, Vec<i64>>,
}

impl<'c> Rows<'c> {
    fn of(connection: &'c Connection) -> Self {
        let numbers = both_ways(connection, "number, number", "run", "number");
        let runs: Vec<Listed> =
            numbers.iter().filter_map(|&(number, _)| listed(connection, number)).collect();
        // Past a page that cannot be read the index may still lead.
        let known = numbers.iter().map(|&(number, _)| number);
        let mut heads = both_ways(connection, "rowid, run", "run_head", "rowid");
        known.for_each(|run| heads.extend(through_index(connection, "run_head", run)));
        heads.sort_unstable();
        heads.dedup();
        let heads: Vec<Part> = heads.into_iter().map(|(row, run)| Part { row, run }).collect();
        let mut parts = both_ways(connection, "rowid, run", "step", "rowid");
        heads.iter().for_each(|head| parts.extend(through_index(connection, "step", head.run)));
        parts.sort_unstable();
        parts.dedup();
        let mut steps: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        parts.into_iter().for_each(|(row, run)| steps.entry(run).or_default().push(row));
        let ids = runs.iter().enumerate().map(|(at, run)| (run.id.clone(), at)).collect();
        let numbers = runs.iter().enumerate().map(|(at, run)| (run.number, at)).collect();
        Self { connection, runs, ids, numbers, heads, steps }
    }

    /// The Reports in the order in which they were kept.
    fn reports(&self) -> Found {
        let mut found: BTreeMap<(i64, String), (Report, i64)> = BTreeMap::new();
        let mut last_ms = 0;
        for head in &self.heads {
            let Some((report, number, sorted_ms)) = self.report(head, last_ms) else { continue };
            last_ms = sorted_ms;
            found.insert((number, report.id.clone()), (report, sorted_ms));
        }
        let lost = self.runs.len().max(self.heads.len()).saturating_sub(found.len());
        Found { reports: found.into_values().collect(), lost }
    }

    /// A Report, the number of its run and the time by which it is sorted: the one before it has `last_ms`.
    fn report(&self, head: &Part, last_ms: i64) -> Option<(Report, i64, i64)> {
        let statement = "SELECT body, steps FROM run_head WHERE rowid = ?1";
        let (body, steps): (Vec<u8>, i64) =
            self.connection.query_row(statement, [head.row], |row| Ok((row.get(0)?, row.get(1)?))).ok()?;
        // The id stands in the Report, too: which run it is does not hang on a number alone.
        let mut report = read::head("", &body).ok()?;
        let listed =
            self.ids.get(&report.id).or_else(|| self.numbers.get(&head.run)).map(|&at| &self.runs[at]);
        let number = listed.map_or(head.run, |run| run.number);
        let wanted = listed.and_then(|run| run.steps).unwrap_or(steps).min(STEPS_MAX);
        let mut steps = self.steps_of(&report.id, number, head.run);
        for step in 0..wanted {
            match steps.remove(&step) {
                Some((found, _)) => report.steps.push(found),
                None => {
                    report.notes.push(format!("step {} {LOST}", step + 1));
                }
            }
        }
        let started_ms = clamped(report.started_unix_ms);
        let sorted_ms = match listed {
            Some(Listed { sorted_ms, steps: Some(_), .. }) => *sorted_ms,
            _ if started_ms > 0 => started_ms,
            _ => last_ms,
        };
        Some((report, number, sorted_ms))
    }

    /// The steps of a Report by their numbers, and whether their digest says that they stood there.
    fn steps_of(&self, id: &str, number: i64, other: i64) -> BTreeMap<i64, (StepResult, bool)> {
        let mut steps: BTreeMap<i64, (StepResult, bool)> = BTreeMap::new();
        let runs = if number == other { vec![number] } else { vec![number, other] };
        for &row in runs.iter().filter_map(|run| self.steps.get(run)).flatten() {
            let statement = "SELECT number, digest, body FROM step WHERE rowid = ?1";
            let found = self.connection.query_row(statement, [row], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, Vec<u8>>(2)?))
            });
            let Ok((place, digest, body)) = found else { continue };
            let Ok((step, is_right)) = read::body(id, place, digest, &body) else { continue };
            // One that says that it stood elsewhere serves where the number of its run is beyond doubt and no other stands: it
            // may be the digest that is wrong.
            let serves = number == other && !steps.contains_key(&place);
            if is_right || serves {
                steps.insert(place, (step, is_right));
            }
        }
        steps
    }
}

/// Two columns of a table as far as they can be read by `key` from its beginning and from its end, without an index.
fn both_ways(connection: &Connection, columns: &str, table: &str, key: &str) -> Vec<(i64, i64)> {
    let one_way = |order: &str| -> Vec<(i64, i64)> {
        pairs(connection, &format!("SELECT {columns} FROM {table} NOT INDEXED ORDER BY {key} {order}"), [])
    };
    let mut found = one_way("ASC");
    found.extend(one_way("DESC"));
    found.sort_unstable();
    found.dedup();
    found
}

/// The rows of a run that an index leads to.
fn through_index(connection: &Connection, table: &str, run: i64) -> Vec<(i64, i64)> {
    pairs(connection, &format!("SELECT rowid, run FROM {table} WHERE run = ?1"), [run])
}

fn pairs(connection: &Connection, statement: &str, values: impl rusqlite::Params) -> Vec<(i64, i64)> {
    let Ok(mut statement) = connection.prepare_cached(statement) else { return Vec::new() };
    let Ok(rows) = statement.query_map(values, |row| Ok((row.get(0)?, row.get(1)?))) else {
        return Vec::new();
    };
    rows.map_while(Result::ok).take(ROWS_MAX).collect()
}

fn listed(connection: &Connection, number: i64) -> Option<Listed> {
    let whole = prepare(connection, sql::SUMMARY).ok()?.query_row([number], |row| {
        let sorted_ms = row.get(12)?;
        Ok(read::summary(row, &mut Values::default()).ok().map(|run| Listed {
            number,
            id: run.id.to_string(),
            sorted_ms,
            steps: Some(run.steps as i64),
        }))
    });
    if let Ok(Some(whole)) = whole {
        return Some(whole);
    }
    let statement = "SELECT id FROM run WHERE number = ?1";
    let id = connection.query_row(statement, [number], |row| row.get(0)).unwrap_or_default();
    Some(Listed { number, id, sorted_ms: 0, steps: None })
}
