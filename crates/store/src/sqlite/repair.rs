//! Repairs a damaged store.
//!
//! Copies what SQLite can read, checkup by checkup, into a new database in memory, which then replaces the file's
//! content in one SQLite transaction: the file stays the same file, other processes wait for its lock and then see
//! the new content, and a crash at any moment leaves either the damaged or the repaired content. The damaged file and
//! its log are copied first.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use cardiograph_core::message;
use cardiograph_files::OwnFile;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::file::StoreFile;
use super::{guard, open, schema};
use crate::database::{Access, Database, Transaction, values};
use crate::tables::{drives, figures, read, sql, write};
use crate::trouble::Trouble;
use crate::{DriveQuery, Query, StoreError};

/// How often to try for the lock, and how long each time. A connection that finds no log waits until nobody else has
/// the file open, even if a writer meanwhile creates a log and stays; the next connection finds the log and only
/// waits for its turn.
const TRIES: u32 = 20;
const TRY: Duration = Duration::from_secs(1);

/// Result of a repair.
#[derive(Debug)]
pub struct Mended {
    /// Where the damaged file was copied to.
    pub aside: PathBuf,
    /// Number of Reports that could be read.
    pub saved: usize,
    /// Ids of the Reports that could not be read.
    pub lost: Vec<String>,
    /// Number of saved steps that could not be read. A note names them.
    pub lost_steps: usize,
}

/// Repairs the store; `None` if it is not damaged. Fails, with the store unchanged, if it does not exist, belongs to
/// another program, or the system refuses.
pub fn repair(file: &StoreFile) -> Result<Option<Mended>, Trouble> {
    let Some(facts) = file.facts("")? else {
        return Err(StoreError::NoStore(message!("store-missing", path = &file.path)).into());
    };
    if is_whole(file)? {
        return Ok(None);
    }
    open::check_header(file)?;
    // Close it after the connection: closing it first would drop the connection's locks.
    let open = file.open()?;
    if facts.len_bytes == 0 {
        // SQLite takes the log of an empty file for a leftover, and removes it.
        file.make_longer()?;
    }
    let mended = schema::in_memory()?;
    for _ in 0..TRIES {
        if let Some(mended) = replace(file, open.as_ref(), &mended)? {
            return Ok(Some(mended));
        }
    }
    Err(busy())
}

/// Replaces the content of the damaged file with what can be read of it, through an empty database `mended`; `None`
/// if others hold its lock.
fn replace(file: &StoreFile, open: &dyn OwnFile, mended: &Connection) -> Result<Option<Mended>, Trouble> {
    let mut damaged = connect(file)?;
    damaged.busy_timeout(TRY)?;
    let found = {
        let copy = Backup::new(mended, &mut damaged)?;
        // Takes the lock: from here on nobody else writes.
        if is_held(&copy, 0)? {
            drop(copy);
            open::keep_log(&damaged);
            return Ok(None);
        }
        let aside = file.keep_aside(open)?;
        let found = save_readable(&aside, mended)?;
        let copied = is_held(&copy, -1).and_then(|is_held| if is_held { Err(busy()) } else { Ok(()) });
        copied.inspect_err(|trouble| {
            // The store is unchanged and does not need the copy.
            if trouble.code() == Some(ErrorCode::DiskFull) {
                aside.remove(&["", "-wal"]);
            }
        })?;
        found
    };
    damaged.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, false)?;
    // The log is durable; a reader may keep it from being written back.
    let _ = damaged.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    Ok(Some(found))
}

/// More runs than a list may have.
const RUNS_MAX: usize = 400_000;
/// All runs, from both ends and through the indexes, so that a damaged page of one index does not hide rows that
/// another one reaches.
const RUNS: [&str; 5] = [
    "SELECT number FROM run NOT INDEXED ORDER BY number",
    "SELECT number FROM run NOT INDEXED ORDER BY number DESC",
    "SELECT number FROM run ORDER BY id",
    "SELECT run FROM run_head ORDER BY run",
    "SELECT run FROM run_head NOT INDEXED",
];

/// Tables whose rows are kept as they are: the Reports do not have them.
const KEPT: [(&str, &[&str]); 2] = [
    (
        "token",
        &["name", "role", "hash", "created_unix_ms", "expires_unix_ms", "revoked_unix_ms", "used_unix_ms"],
    ),
    ("outbox", &["server", "id", "since_unix_ms"]),
];

/// Saves the Reports that SQLite can read from a copy into `to`, which is empty.
fn save_readable(aside: &StoreFile, to: &Connection) -> Result<Mended, Trouble> {
    let mut mended = Mended { aside: aside.path.clone(), saved: 0, lost: Vec::new(), lost_steps: 0 };
    let has_log = aside.facts("-wal")?.is_some();
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut from = if has_log { aside.connect(flags)? } else { aside.connect_immutable()? };
    open::keep_log(&from);
    let len_bytes = aside.len_bytes()?;
    guard::distrust(&mut from, len_bytes)?;
    // Lets SQLite read a file that is shorter than its header says, or whose schema has a damaged line.
    let _ = from.execute_batch("PRAGMA writable_schema = ON");
    let mut runs = BTreeSet::new();
    for statement in RUNS {
        guard::bound(&mut from, len_bytes)?;
        let Ok(mut statement) = from.prepare(statement) else { continue };
        let Ok(rows) = statement.query_map([], |row| row.get::<_, i64>(0)) else { continue };
        runs.extend(rows.map_while(Result::ok).take(RUNS_MAX));
    }
    guard::bound(&mut from, len_bytes)?;
    let transaction = Transaction::begin(to, Access::Write)?;
    let mut saved: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for run in runs {
        let listed = from.prepare_cached("SELECT id, sorted_unix_ms FROM run WHERE number = ?1");
        let listed =
            listed.and_then(|mut listed| listed.query_row([run], |row| Ok((row.get(0)?, row.get(1)?))));
        let is_listed = listed.is_ok();
        let (id, sorted_ms): (String, i64) = listed.unwrap_or_else(|_| (format!("number {run}"), 0));
        match by_any_way(&from, &id, run) {
            Ok(Some(read::Readable { report, lost_steps, .. })) => {
                let steps = report.steps.len();
                if saved.get(&report.id).is_none_or(|&(others, _)| others < steps) {
                    write::report(to, &report, sorted_ms)?;
                    keep_sender(&from, to, run, &report.id)?;
                    saved.insert(report.id, (steps, lost_steps));
                }
            }
            // A number found nowhere else is damaged.
            Ok(None) if !is_listed => {}
            _ => mended.lost.push(id),
        }
    }
    for (key, into_key) in drives::joins(&from).unwrap_or_default() {
        match drives::join(to, &key, &into_key) {
            Err(Trouble::Store(StoreError::NoSuchDrive { .. })) => {}
            joined => joined?,
        }
    }
    for (table, columns) in KEPT {
        keep_rows(&from, to, table, columns)?;
    }
    transaction.commit()?;
    drop(from);
    // SQLite created it for the copy's log.
    aside.remove(&["-shm"]);
    mended.lost.retain(|id| !saved.contains_key(id));
    mended.saved = saved.len();
    mended.lost_steps = saved.values().map(|(_, lost)| lost).sum();
    Ok(mended)
}

/// Keeps who sent a run, if that can be read.
fn keep_sender(from: &Connection, to: &Connection, run: i64, id: &str) -> Result<(), Trouble> {
    const SENDER: &str = "SELECT sender, sent FROM run WHERE number = ?1 AND sender IS NOT NULL";
    let found =
        from.query_row(SENDER, [run], |row| Ok((row.get::<_, String>(0)?, row.get::<_, Vec<u8>>(1)?)));
    let Ok((sender, sent)) = found else { return Ok(()) };
    Database::execute(to, sql::SET_SENDER, values![id, &sender, &sent]).map(drop)
}

/// Keeps the rows of a table that can be read.
fn keep_rows(from: &Connection, to: &Connection, table: &str, columns: &[&str]) -> Result<(), Trouble> {
    let (names, values) = (columns.join(", "), vec!["?"; columns.len()].join(", "));
    let insert = format!("INSERT OR IGNORE INTO {table} ({names}) VALUES ({values})");
    let Ok(mut statement) = from.prepare(&format!("SELECT {names} FROM {table}")) else { return Ok(()) };
    let row = |row: &rusqlite::Row<'_>| {
        (0..columns.len()).map(|at| row.get::<_, rusqlite::types::Value>(at)).collect()
    };
    let Ok(rows) = statement.query_map([], row) else { return Ok(()) };
    for row in rows.map_while(Result::<Vec<_>, _>::ok) {
        to.prepare_cached(&insert)?.execute(rusqlite::params_from_iter(row))?;
    }
    Ok(())
}

/// A run's Report. SQLite may read through a damaged page, so if the index of heads leads nowhere or to another run,
/// searches the table.
fn by_any_way(from: &Connection, id: &str, run: i64) -> Result<Option<read::Readable>, Trouble> {
    const BY_TABLE: &str = "SELECT steps, body FROM run_head NOT INDEXED WHERE run = $1";
    match read::readable(from, sql::HEAD, id, run) {
        Ok(Some(found)) if found.report.id == id => Ok(Some(found)),
        _ => read::readable(from, BY_TABLE, id, run),
    }
}

/// A connection that treats the file as empty, whatever it holds.
fn connect(file: &StoreFile) -> Result<Connection, Trouble> {
    let connection = file.connect(OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(open::PATIENCE)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, true)?;
    connection.execute_batch("PRAGMA synchronous = EXTRA")?;
    Ok(connection)
}

/// Copies this many pages; the first takes the lock. Returns whether others hold it.
fn is_held(copy: &Backup<'_, '_>, pages: i32) -> Result<bool, Trouble> {
    Ok(matches!(copy.step(pages)?, StepResult::Busy | StepResult::Locked))
}

fn busy() -> Trouble {
    rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY), None).into()
}

/// Whether SQLite finds no errors and all digests match.
fn is_whole(file: &StoreFile) -> Result<bool, Trouble> {
    let check = |connection: &Connection| -> Result<bool, Trouble> {
        let answer: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
        if answer != "ok" {
            return Ok(false);
        }
        let runs = read::summaries(connection, &Query::default())?;
        drives::list(connection, &DriveQuery::default())?;
        for run in &runs {
            read::reports(connection, &[&run.id]).map(drop).or_else(allow_strange)?;
            for depth in [figures::Depth::Deciding, figures::Depth::All] {
                figures::figures(connection, &[&run.id], depth).map(drop).or_else(allow_strange)?;
            }
        }
        Ok(true)
    };
    let found = open::open(file, false).and_then(|connection| {
        let Some(connection) = connection else { return Ok(false) };
        let is_whole = check(&connection);
        if !matches!(is_whole, Ok(true)) {
            open::keep_log(&connection);
        }
        is_whole
    });
    match found {
        Err(trouble) if trouble.is_damage() => Ok(false),
        found => found,
    }
}

/// Content that makes no sense but matches its digest is not damage.
fn allow_strange(trouble: Trouble) -> Result<(), Trouble> {
    match trouble {
        Trouble::Store(StoreError::Unreadable { .. } | StoreError::TooNew { .. }) => Ok(()),
        trouble => Err(trouble),
    }
}
