//! Reads the tables as Reports and lists.

use std::cmp::Reverse;
use std::collections::HashMap;

use cardiograph_core::report::json::{read_report, read_step};
use cardiograph_core::report::{REPORT_VERSION, StepResult};
use cardiograph_core::summary::RunSummary;
use cardiograph_core::{Message, Report, message};
use serde::Deserialize;

use super::listed::{Condition, Conditions, summary, text, unsigned};
use super::{blob, digest, drives, sql};
use crate::database::{Access, Database, Row, Transaction, Value, row, values};
use crate::error::Versioned;
use crate::trouble::Trouble;
use crate::{Query, StoreError, drive_key};

/// The whole Reports with these ids, in their order; `None` for missing ones.
pub fn reports(database: &dyn Database, ids: &[&str]) -> Result<Vec<Option<Report>>, Trouble> {
    // One transaction for all tables: another process may save in between.
    let _transaction = Transaction::begin(database, Access::Read)?;
    ids.iter().map(|id| report(database, id)).collect()
}

fn report(database: &dyn Database, id: &str) -> Result<Option<Report>, Trouble> {
    let run = row(database, sql::RUN_NUMBER, values![id], |row| row.integer(0))?;
    let Some(run) = run else { return Ok(None) };
    let found = readable(database, sql::HEAD, id, run)?;
    let Readable { report, trouble, .. } =
        found.ok_or_else(|| damaged(id, message!("store-damage.only-listed")))?;
    if report.id != id {
        return Err(damaged(id, message!("store-damage-swapped", other = &report.id)).into());
    }
    trouble.map_or(Ok(Some(report)), Err)
}

/// The readable part of a Report.
pub struct Readable {
    /// Each unreadable step has a note.
    pub report: Report,
    pub lost_steps: usize,
    /// Why it is incomplete.
    pub trouble: Option<Trouble>,
}

/// More steps than any checkup has: a larger number is damaged.
const STEPS_MAX: i64 = 100_000;

/// The readable part of a run's Report; `None` if there is none. `head` selects its number of steps and its head;
/// `id` is for messages.
pub fn readable(
    database: &dyn Database,
    head: &str,
    id: &str,
    run: i64,
) -> Result<Option<Readable>, Trouble> {
    let head = row(database, head, values![run], |row| Ok((row.integer(0)?, self::head(id, row.bytes(1)?))))?;
    let Some((steps, head)) = head else { return Ok(None) };
    let mut report = head?;
    let (mut together, count) = steps_together(database, &report.id, run);
    let found = count.as_ref().map_or(0, |count| *count);
    let mut trouble = match count {
        Ok(count) if count == steps => None,
        Ok(count) => Some(
            damaged(id, message!("store-damage-steps", found = unsigned(count), steps = unsigned(steps)))
                .into(),
        ),
        Err(error) => Some(error),
    };
    let mut lost_steps = 0;
    for number in 0..steps.max(found).min(STEPS_MAX) {
        let read = together.remove(&number).map_or_else(|| step(database, &report.id, run, number), Ok);
        match read {
            Ok(step) => report.steps.push(step),
            Err(found) => {
                report.notes.push(message!("store-step-lost", step = unsigned(number) + 1));
                lost_steps += 1;
                trouble.get_or_insert(found);
            }
        }
    }
    Ok(Some(Readable { report, lost_steps, trouble }))
}

/// A Report without its steps.
fn head(id: &str, bytes: &[u8]) -> Result<Report, StoreError> {
    // A newer format may be unreadable: then its version is the better error.
    #[derive(Deserialize)]
    struct Version {
        report_version: u64,
    }
    let json = blob::json(bytes).map_err(|_| damaged(id, message!("store-damage.compressed")))?;
    let version = serde_json::from_slice::<Version>(&json).map(|head| head.report_version);
    if let Some(found) = version.ok().filter(|&found| found > u64::from(REPORT_VERSION)) {
        let what = Versioned::Report(id.to_string());
        return Err(StoreError::TooNew { what, found, known: REPORT_VERSION });
    }
    // The checksum of the stream holds.
    read_report(&json).map_err(|error| unreadable(id, Message::verbatim(error.to_string())))
}

/// The steps of a run that are as they should be, read by one statement, and how many there are. What damage stops or spoils
/// is missing, and is read again by itself, for the reason.
fn steps_together(
    database: &dyn Database,
    id: &str,
    run: i64,
) -> (HashMap<i64, StepResult>, Result<i64, Trouble>) {
    let (mut found, mut count) = (HashMap::new(), 0);
    let all = database.rows(sql::STEPS, values![run], &mut |row| {
        count += 1;
        let number = row.integer(2)?;
        if let Ok((Ok(step), true)) = step_of(row, id, number)? {
            found.insert(number, step);
        }
        Ok(())
    });
    let counted = || row(database, sql::COUNT_STEPS, values![run], |row| row.integer(0));
    let count = all.map_or_else(|_| counted().map(Option::unwrap_or_default), |()| Ok(count));
    (found, count)
}

/// A step, and whether it is the one stored at this position.
type Stored = (serde_json::Result<StepResult>, bool);

/// A step from a row with its digest and stream.
fn step_of(row: &Row<'_>, id: &str, number: i64) -> Result<Result<Stored, blob::Damaged>, Trouble> {
    let (digest, json) = (row.integer(0)?, blob::json(row.bytes(1)?));
    Ok(json.map(|json| (read_step(&json), digest::hash_step(id, number, &json) == digest)))
}

/// A step's result, which must be the one stored at this position.
fn step(database: &dyn Database, id: &str, run: i64, number: i64) -> Result<StepResult, Trouble> {
    let nth = unsigned(number) + 1;
    let read = row(database, sql::STEP, values![run, number], |row| step_of(row, id, number));
    match read? {
        None => Err(damaged(id, message!("store-damage-step.missing", step = nth)).into()),
        Some(Err(_)) => Err(damaged(id, message!("store-damage-step.compressed", step = nth)).into()),
        Some(Ok((_, false))) => Err(damaged(id, message!("store-damage-step.swapped", step = nth)).into()),
        Some(Ok((step, true))) => {
            let said = |error: serde_json::Error| {
                unreadable(id, message!("store-step-unreadable", step = nth, reason = error.to_string()))
            };
            Ok(step.map_err(said)?)
        }
    }
}

/// Up to this many runs, scan all of them for any query: that finds runs that an index misses or that a flipped bit
/// hides from a condition.
const FEW: i64 = 2_000;

/// The checkups that match, newest first.
pub fn summaries(database: &dyn Database, query: &Query) -> Result<Vec<RunSummary>, Trouble> {
    // One transaction for the list and its count: another process may save in between.
    let _transaction = Transaction::begin(database, Access::Read)?;
    let wants_all = *query == Query::default();
    if !database.is_distrusted() {
        return asked(database, query);
    }
    // SQLite counts in an index. A damaged table page can lose a row that the index still has.
    let count = row(database, sql::COUNT, &[], |row| row.integer(0))?.unwrap_or_default();
    let needs_index = query.after.is_some() || query.drive_key.is_some() || query.sender.is_some();
    if !wants_all && (count > FEW || needs_index) {
        return asked(database, query);
    }
    // Reading all rows through an index takes twice as long as scanning the table, which is nearly sorted.
    let all = rows(database, &format!("{} {}", sql::SUMMARIES, sql::KEPT_LAST_FIRST), &[])?;
    if count != all.len() as i64 {
        return Err(damaged(
            "",
            message!("store-damage-list", found = all.len(), checkups = unsigned(count)),
        )
        .into());
    }
    Ok(if wants_all { all } else { query.select(all) })
}

/// Like [`summaries`], through the indexes.
fn asked(database: &dyn Database, query: &Query) -> Result<Vec<RunSummary>, Trouble> {
    let mut conditions = Conditions::default();
    if let Some(begin) = &query.id_begins {
        // Ids are ASCII and sort by byte: no id with this prefix sorts after it.
        conditions.add("id >= $ AND id < $", [text(begin), text(&format!("{begin}\u{7f}"))]);
    }
    if let Some(label) = &query.label {
        conditions.add("lower(label) = $", [text(&label.to_ascii_lowercase())]);
    }
    for (name, value) in &query.tags {
        let has = "number IN (SELECT run FROM run_tag WHERE lower(name) = $ AND lower(value) = $)";
        let lower = [name, value].map(|part| text(&part.to_ascii_lowercase()));
        conditions.add(has, lower);
    }
    if let Some(drive) = &query.drive {
        let has = "number IN (SELECT run FROM run_drive WHERE name = $)";
        conditions.add(has, [text(&drive.to_ascii_lowercase())]);
    }
    if let Some(suite) = &query.suite {
        conditions.add("lower(suite) = $", [text(&suite.to_ascii_lowercase())]);
    }
    if let Some(host) = &query.host {
        conditions.add("lower(host) = $", [text(&host.to_ascii_lowercase())]);
    }
    if let Some(sender) = &query.sender {
        conditions.add("sender = $", [text(sender)]);
    }
    if let Some(since) = query.since_unix_ms {
        conditions.add("started_unix_ms >= $", [Condition::Number(since)]);
    }
    let mut keys = Vec::new();
    if let Some(key) = &query.drive_key {
        let (number, all) = drives::keys(database, key)?;
        keys = all;
        conditions.add("drive = $", [Condition::Number(number.unwrap_or(0) as u64)]);
    }
    if let Some(id) = &query.after {
        let last = row(database, sql::KNOWN, values![id], |row| Ok([row.integer(0)?, row.integer(4)?]))?;
        let last = last.ok_or_else(|| StoreError::NoSuchPage { id: id.clone() })?;
        conditions
            .add("(sorted_unix_ms, number) < ($, $)", last.map(|number| Condition::Number(number as u64)));
    }
    let (wanted, mut values) = conditions.into_parts();
    let mut sql = format!("{}{wanted} ", sql::SUMMARIES);
    if query.skip > 0 || query.limit.is_some() || query.after.is_some() {
        let count = values.len();
        values.extend([Condition::Number(query.limit.unwrap_or(u64::MAX)), Condition::Number(query.skip)]);
        sql.push_str(&format!("{} LIMIT ${} OFFSET ${}", sql::NEWEST_FIRST, count + 1, count + 2));
    } else {
        sql.push_str(sql::KEPT_LAST_FIRST);
    }
    let values: Vec<Value<'_>> = values.iter().map(Value::from).collect();
    let found = rows(database, &sql, &values)?;
    let is_other = |run: &RunSummary| query.drive_key.is_some() && !keys.contains(&drive_key(run));
    match found.iter().find(|run| !query.fits(run) || is_other(run)) {
        Some(run) => Err(damaged(&run.id, message!("store-damage.wrong-key")).into()),
        None => Ok(found),
    }
}

/// Maximum size of a list in memory, in bytes: three hundred thousand checkups.
const LIST_LEN_BYTES_MAX: usize = 96 << 20;

/// The rows that a statement lists, newest first.
fn rows(database: &dyn Database, sql: &str, values: &[Value<'_>]) -> Result<Vec<RunSummary>, Trouble> {
    let (mut found, mut sorted_by) = (Vec::new(), Vec::new());
    let mut len_bytes = 0;
    database.rows(sql, values, &mut |row| {
        let run = summary(row)?;
        let texts = (0..10).filter_map(|at| row.cell(at).ok()?.as_bytes().ok());
        len_bytes += size_of_val(&run) + texts.map(<[u8]>::len).sum::<usize>();
        if len_bytes > LIST_LEN_BYTES_MAX {
            return Err(Trouble::TooLarge);
        }
        found.push(run);
        sorted_by.push(Reverse(row.integer(12)?));
        Ok(())
    })?;
    if !sorted_by.is_sorted() {
        let mut both: Vec<_> = sorted_by.into_iter().zip(found).collect();
        both.sort_by_key(|(by, _)| *by);
        found = both.into_iter().map(|(_, run)| run).collect();
    }
    Ok(found)
}

/// Content that matches its digest but makes no sense.
fn unreadable(id: &str, reason: Message) -> StoreError {
    StoreError::Unreadable { id: id.to_string(), reason }
}

pub fn damaged(id: &str, reason: Message) -> StoreError {
    StoreError::Damaged { id: id.to_string(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::in_memory;
    use crate::tables::write;

    #[test]
    fn indexes_find_the_same_as_a_full_scan() {
        let connection = in_memory().unwrap();
        for number in 0..60u64 {
            let started_ms = 1_790_000_000_000 + number * 7 % 20 * 86_400_000;
            let suite = ["quick", "Quick", "cliff"][number as usize % 3];
            let mut report = Report::new(&format!("2026-{number:03}"), started_ms, "p", suite);
            report.label = (number % 4 > 0).then(|| format!("card-{}", number % 4));
            report.tags.insert("board".to_string(), format!("Pi {}", number % 5));
            report.host.name = Some(["pi5", "NAS"][number as usize % 2].to_string());
            report.drive.leaves = vec![Default::default()];
            report.drive.leaves[0].serial = Some(format!("S4eW-{}", number % 6));
            write::report(&connection, &report, 1).unwrap();
        }
        let none = Query::default;
        let some = |text: &str| Some(text.to_string());
        let board = |value: &str| vec![("board".to_string(), value.to_string())];
        for (query, count) in [
            (none(), 60),
            (Query { limit: Some(7), ..none() }, 7),
            (Query { skip: 55, limit: Some(7), ..none() }, 5),
            (Query { id_begins: some("2026-01"), ..none() }, 10),
            (Query { id_begins: some("2026%"), ..none() }, 0),
            (Query { label: some("card-3"), skip: 2, ..none() }, 13),
            (Query { label: some("' OR 1=1 --"), ..none() }, 0),
            (Query { tags: board("Pi 4"), limit: Some(5), ..none() }, 5),
            (Query { tags: [board("Pi 4"), board("Pi 3")].concat(), ..none() }, 0),
            (Query { drive: some("s4Ew-5"), host: some("nas"), ..none() }, 10),
            (Query { suite: some("QUICK"), since_unix_ms: Some(1_790_000_000_000), ..none() }, 40),
            (Query { since_unix_ms: Some(1_790_000_000_000 + 15 * 86_400_000), ..none() }, 15),
        ] {
            let found = asked(&connection, &query).unwrap();
            assert_eq!(found, summaries(&connection, &query).unwrap(), "{query:?}");
            assert_eq!(found.len(), count, "{query:?}");
        }
    }
}
