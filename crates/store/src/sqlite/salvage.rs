//! What can be saved of a damaged file.
//!
//! Its pages are read row by row, from both ends, and the Reports that can be read go into a new store. They come from their
//! compressed parts, which have checksums; all other rows are made anew from them. A Report of which a step cannot be read is
//! saved without that step, and says so.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use cardiograph_core::Report;
use cardiograph_core::report::StepResult;
use rusqlite::Connection;

use super::digest::{Values, clamped};
use super::sql::{self, prepare};
use super::{Trouble, first_page, image, read, write};

/// No row is shorter, in bytes: a table that has more of them than the file has room for leads back to itself.
const ROW_BYTES_MIN: usize = 4;
/// More checkups than are listed, and more steps than they have.
const RUNS_MAX: usize = 400_000;
const ROWS_MAX: usize = 2_000_000;

/// How much was saved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Saved {
    /// How many Reports.
    pub reports: usize,
    /// How many Reports there were beside them.
    pub lost: usize,
    /// How many of their steps were lost, now or earlier.
    pub lost_steps: usize,
    steps: usize,
}

impl fmt::Display for Saved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = |count: usize| if count == 1 { "" } else { "s" };
        let Self { reports, lost, lost_steps, .. } = *self;
        write!(f, "{reports} checkup{} can be read", s(reports))?;
        if lost_steps > 0 {
            let are = if lost_steps == 1 { "is" } else { "are" };
            write!(f, ", but {lost_steps} of their steps {are} lost")?;
        }
        if lost > 0 { write!(f, "; {lost} checkup{} cannot", s(lost)) } else { Ok(()) }
    }
}

/// Saves what can be read of `pages` into `to`, which is empty: of the pages as they are, or with a first page that is whole
/// where their own is not.
///
/// # Errors
/// What `to` says.
pub fn salvage(pages: &[u8], to: &Connection) -> Result<Saved, Trouble> {
    let Some(renewed) = first_page::renewed(pages)? else { return attempt(pages, to, true) };
    let amount = |saved: Saved| (saved.reports, saved.steps);
    let (own, other) = (attempt(pages, to, false)?, attempt(&renewed, to, false)?);
    attempt(if amount(other) > amount(own) { &renewed } else { pages }, to, true)
}

fn attempt(pages: &[u8], to: &Connection, commits: bool) -> Result<Saved, Trouble> {
    let mut saved = Saved::default();
    // Where not even that can be opened, nothing can be read.
    let Ok(from) = image::connect(pages) else { return Ok(saved) };
    // So SQLite reads a file that is shorter than its header says, as far as it goes.
    let _ = from.execute_batch("PRAGMA writable_schema = ON");
    let transaction = to.unchecked_transaction()?;
    Rows::of(&from, pages.len() / ROW_BYTES_MIN)?
        .each(&mut saved, |report, sorted_ms| write::report(&transaction, report, sorted_ms))?;
    if commits {
        transaction.commit()?
    } else {
        transaction.rollback()?
    }
    Ok(saved)
}

/// How the note on a step that was lost ends.
const LOST: &str = "was lost when the store was damaged";

/// How many steps of a Report were lost, now or earlier.
fn steps_lost(report: &Report) -> usize {
    report.notes.iter().filter(|note| note.ends_with(LOST)).count()
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
    /// Those of a file that has room for so many. Fails with [`Trouble::TooLarge`].
    fn of(connection: &'c Connection, room: usize) -> Result<Self, Trouble> {
        let (runs_max, rows_max) = (room.min(RUNS_MAX), room.min(ROWS_MAX));
        let numbers = both_ways(connection, "number, number", "run", "number", runs_max);
        let runs: Vec<Listed> =
            numbers.iter().filter_map(|&(number, _)| listed(connection, number)).collect();
        // Past a page that cannot be read the index may still lead.
        let known = numbers.iter().map(|&(number, _)| number);
        let mut heads = both_ways(connection, "rowid, run", "run_head", "rowid", runs_max);
        known.for_each(|run| heads.extend(through_index(connection, "run_head", run, runs_max)));
        heads.sort_unstable();
        heads.dedup();
        let heads: Vec<Part> = heads.into_iter().map(|(row, run)| Part { row, run }).collect();
        let mut parts = both_ways(connection, "rowid, run", "step", "rowid", rows_max);
        heads.iter().for_each(|head| parts.extend(through_index(connection, "step", head.run, rows_max)));
        parts.sort_unstable();
        parts.dedup();
        if runs.len().max(heads.len()) >= RUNS_MAX || parts.len() >= ROWS_MAX {
            return Err(Trouble::TooLarge);
        }
        let mut steps: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        parts.into_iter().for_each(|(row, run)| steps.entry(run).or_default().push(row));
        let ids = runs.iter().enumerate().map(|(at, run)| (run.id.clone(), at)).collect();
        let numbers = runs.iter().enumerate().map(|(at, run)| (run.number, at)).collect();
        Ok(Self { connection, runs, ids, numbers, heads, steps })
    }

    /// Hands over the Reports in the order in which they were kept, and counts.
    fn each(
        &self,
        saved: &mut Saved,
        mut keep: impl FnMut(&Report, i64) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        let mut found: BTreeMap<(i64, String), (&Part, i64, i64)> = BTreeMap::new();
        let mut last_ms = 0;
        for head in &self.heads {
            let Some((report, steps)) = self.head(head) else { continue };
            let listed = self.listed(&report.id, head);
            let started_ms = clamped(report.started_unix_ms);
            last_ms = match listed {
                Some(Listed { sorted_ms, steps: Some(_), .. }) => *sorted_ms,
                _ if started_ms > 0 => started_ms,
                _ => last_ms,
            };
            let number = listed.map_or(head.run, |run| run.number);
            let steps = listed.and_then(|run| run.steps).unwrap_or(steps).min(STEPS_MAX);
            found.insert((number, report.id), (head, last_ms, steps));
        }
        for ((number, id), (head, sorted_ms, wanted)) in &found {
            let Some((mut report, _)) = self.head(head) else { continue };
            let mut steps = self.steps_of(id, *number, head.run);
            for step in 0..*wanted {
                match steps.remove(&step) {
                    Some((found, _)) => report.steps.push(found),
                    None => report.notes.push(format!("step {} {LOST}", step + 1)),
                }
            }
            keep(&report, *sorted_ms)?;
            saved.reports += 1;
            saved.steps += report.steps.len();
            saved.lost_steps += steps_lost(&report);
        }
        saved.lost = self.runs.len().max(self.heads.len()).saturating_sub(saved.reports);
        Ok(())
    }

    /// A Report without its steps, and how many it has.
    fn head(&self, part: &Part) -> Option<(Report, i64)> {
        let statement = "SELECT body, steps FROM run_head WHERE rowid = ?1";
        let (body, steps): (Vec<u8>, i64) =
            self.connection.query_row(statement, [part.row], |row| Ok((row.get(0)?, row.get(1)?))).ok()?;
        Some((read::head("", &body).ok()?, steps))
    }

    /// What the list has of a Report. The id stands in the Report, too: which run it is does not hang on a number alone.
    fn listed(&self, id: &str, part: &Part) -> Option<&Listed> {
        self.ids.get(id).or_else(|| self.numbers.get(&part.run)).map(|&at| &self.runs[at])
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
fn both_ways(connection: &Connection, columns: &str, table: &str, key: &str, max: usize) -> Vec<(i64, i64)> {
    let one_way = |order: &str| -> Vec<(i64, i64)> {
        pairs(
            connection,
            &format!("SELECT {columns} FROM {table} NOT INDEXED ORDER BY {key} {order}"),
            [],
            max,
        )
    };
    let mut found = one_way("ASC");
    found.extend(one_way("DESC"));
    found.sort_unstable();
    found.dedup();
    found
}

/// The rows of a run that an index leads to.
fn through_index(connection: &Connection, table: &str, run: i64, max: usize) -> Vec<(i64, i64)> {
    pairs(connection, &format!("SELECT rowid, run FROM {table} WHERE run = ?1"), [run], max)
}

fn pairs(
    connection: &Connection,
    statement: &str,
    values: impl rusqlite::Params,
    max: usize,
) -> Vec<(i64, i64)> {
    let Ok(mut statement) = connection.prepare_cached(statement) else { return Vec::new() };
    let Ok(rows) = statement.query_map(values, |row| Ok((row.get(0)?, row.get(1)?))) else {
        return Vec::new();
    };
    rows.map_while(Result::ok).take(max).collect()
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
