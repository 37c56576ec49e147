//! What can be saved of a damaged file.
//!
//! The file is kept aside as it is, with its log: who has better tools may still use them. A copy of it is read row by row,
//! from both ends, and what can be read goes into a new file. A Report of which a step cannot be read is saved without that
//! step, and says so.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use cardiograph_core::Report;
use rusqlite::{Connection, OpenFlags, OptionalExtension, TransactionBehavior};

use super::open::{beside, open};
use super::{Trouble, read, write};
use crate::atomic::{io_error, parent_of, sync_directory};
use crate::{Remark, StoreError};

/// Rows in a file that somebody made to look endless.
const ROWS_MAX: usize = 10_000_000;

/// Puts the damaged `file` aside and saves what can be read of it.
pub fn salvage(file: &Path) -> Result<Remark, StoreError> {
    let error = |trouble: Trouble| trouble.into_store_error(file);
    // Of two processes that find the damage one waits here, and finds a file that is whole.
    let lock = beside(file, "-repair");
    let held = OpenOptions::new().write(true).create(true).truncate(false).open(&lock);
    let held = held.map_err(|source| io_error("create", &lock, source))?;
    held.lock().map_err(|source| io_error("lock", &lock, source))?;
    if is_whole(file) {
        return Ok(Remark::Repaired { by_another: true, aside: PathBuf::new(), reports: 0, lost: 0 });
    }
    let aside = put_aside(file)?;
    let copy = beside(file, "-copy");
    let found = copy_and_read(&aside, &copy);
    for suffix in ["", "-wal", "-shm"] {
        // It is a copy of ours; what stays of it does no harm.
        let _ = fs::remove_file(beside(&copy, suffix));
    }
    let (reports, lost) = found?;
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
    Ok(Remark::Repaired { by_another: false, aside, reports: reports.len(), lost })
}

/// Whether SQLite finds nothing wrong with the whole file.
fn is_whole(file: &Path) -> bool {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
    let checked = Connection::open_with_flags(file, flags).and_then(|connection| {
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0))
    });
    checked.is_ok_and(|answer| answer == "ok")
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

/// The Reports that can be read, with the times by which they are sorted, the oldest first, and how many cannot.
fn copy_and_read(aside: &Path, copy: &Path) -> Result<(Vec<(Report, i64)>, usize), StoreError> {
    for suffix in ["", "-wal"] {
        let (from, to) = (beside(aside, suffix), beside(copy, suffix));
        if from.exists() {
            fs::copy(&from, &to).map_err(|source| io_error("copy", &from, source))?;
        }
    }
    // Where not even that can be opened, nothing can be read.
    let Ok(connection) = Connection::open(copy) else { return Ok((Vec::new(), 0)) };
    // So SQLite reads a file that is shorter than its header says, as far as it goes.
    let _ = connection.execute_batch("PRAGMA writable_schema = ON");
    let mut numbers = numbers(&connection, "ASC");
    numbers.extend(self::numbers(&connection, "DESC"));
    numbers.sort_unstable();
    numbers.dedup();
    let mut reports = Vec::new();
    let mut lost = 0;
    for number in numbers {
        match report(&connection, number) {
            Some(found) => reports.push(found),
            None => lost += 1,
        }
    }
    Ok((reports, lost))
}

/// The numbers of runs, as far as they can be read in this order.
fn numbers(connection: &Connection, order: &str) -> Vec<i64> {
    let Ok(mut statement) = connection.prepare(&format!("SELECT number FROM run ORDER BY number {order}"))
    else {
        return Vec::new();
    };
    let Ok(rows) = statement.query_map([], |row| row.get(0)) else { return Vec::new() };
    rows.map_while(Result::ok).take(ROWS_MAX).collect()
}

fn report(connection: &Connection, number: i64) -> Option<(Report, i64)> {
    let head =
        "SELECT id, body, sorted_unix_ms, steps FROM run JOIN run_head ON run = number WHERE number = ?1";
    type Head = (String, Vec<u8>, i64, i64);
    let (id, head, sorted_ms, steps): Head = connection
        .query_row(head, [number], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
        .ok()?;
    let mut report = read::head(&id, &head).ok()?;
    let body = "SELECT body FROM step WHERE run = ?1 AND number = ?2";
    for step in 0..steps {
        let bytes = connection.query_row(body, [number, step], |row| row.get::<_, Vec<u8>>(0)).optional();
        let found = bytes.ok().flatten().and_then(|bytes| read::body(&id, &bytes).ok());
        match found {
            Some(found) => report.steps.push(found),
            None => report.notes.push(format!("step {} was lost when the store was damaged", step + 1)),
        }
    }
    Some((report, sorted_ms))
}
