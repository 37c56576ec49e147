//! Commits to a small SQLite database by the library itself: sensor readings, as in home automation.

use std::path::{Path, PathBuf};

use cardiograph_core::app::Operation;
use cardiograph_core::rng::Rng;
use cardiograph_core::{Direction, KIB, MIB, Message, message};
use rusqlite::{Connection, ErrorCode, Statement, params};

use crate::cache::drop_file;
use crate::error::AppError;
use crate::load::AppLoad;
use crate::stage::{Part, Stage};
use crate::written::Allowance;

/// Number of sensors.
const SENSORS: u64 = 1_000;
/// Number of readings before the first measured commit.
const READINGS_BEFORE: u64 = 5_000;
/// Random bytes in a reading, besides its numbers.
const NOTE_BYTES: usize = 100;
/// User data in a commit, in bytes: the note and five numbers.
const ROW_BYTES: u64 = NOTE_BYTES as u64 + 5 * 8;
/// Maximum written per commit, in bytes: every page on the paths of the three trees, in the journal and in the database.
const COMMIT_BYTES_MAX: u64 = 128 * KIB;
/// Maximum written by the initial fill and the last checkpoint.
const REST_BYTES: u64 = 16 * MIB;

/// SQLite's journal mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Journal {
    /// A log of new content, moved into the database periodically.
    Wal,
    /// A file with the old content, created and removed by each transaction: SQLite's default.
    Rollback,
}

/// With a write-ahead log.
pub(crate) const WAL: AppLoad = AppLoad {
    name: "sqlite-wal",
    summary: message!("app-summary.sqlite-wal"),
    parameters: &[],
    names: NAMES,
    run: |stage| run(Journal::Wal, stage),
};

/// With a rollback journal.
pub(crate) const ROLLBACK: AppLoad = AppLoad {
    name: "sqlite-rollback",
    summary: message!("app-summary.sqlite-rollback"),
    parameters: &[],
    names: NAMES,
    run: |stage| run(Journal::Rollback, stage),
};

/// The files of both modes.
const NAMES: &[&str] = &["readings.db", "readings.db-journal", "readings.db-wal", "readings.db-shm"];

impl Journal {
    const fn mode(self) -> &'static str {
        match self {
            Journal::Wal => "wal",
            Journal::Rollback => "delete",
        }
    }
}

/// Adds the database's path to errors of the library.
trait DatabaseContext<T> {
    fn database_context(self, path: &Path) -> Result<T, AppError>;
}

impl<T> DatabaseContext<T> for rusqlite::Result<T> {
    fn database_context(self, path: &Path) -> Result<T, AppError> {
        self.map_err(|error| AppError::Database {
            path: path.to_path_buf(),
            is_full: error.sqlite_error_code() == Some(ErrorCode::DiskFull),
            message: Message::verbatim(error.to_string()),
        })
    }
}

const SCHEMA: &str = "
    CREATE TABLE sensor (id INTEGER PRIMARY KEY, last REAL NOT NULL, readings INTEGER NOT NULL);
    CREATE TABLE reading (
        id INTEGER PRIMARY KEY, sensor INTEGER NOT NULL, at INTEGER NOT NULL, value REAL NOT NULL, note BLOB NOT NULL
    );
    CREATE INDEX reading_of_sensor ON reading (sensor, at);
";

/// The database while readings are added.
struct Readings<'a> {
    path: &'a Path,
    begin: Statement<'a>,
    insert: Statement<'a>,
    update: Statement<'a>,
    commit: Statement<'a>,
    rng: Rng,
    content: Rng,
    number: u64,
}

impl<'a> Readings<'a> {
    fn new(connection: &'a Connection, path: &'a Path, stage: &Stage) -> Result<Self, AppError> {
        let prepare = |sql| connection.prepare(sql).database_context(path);
        Ok(Self {
            path,
            begin: prepare("BEGIN IMMEDIATE")?,
            insert: prepare("INSERT INTO reading (sensor, at, value, note) VALUES (?1, ?2, ?3, ?4)")?,
            update: prepare("UPDATE sensor SET last = ?2, readings = readings + 1 WHERE id = ?1")?,
            commit: prepare("COMMIT")?,
            rng: Rng::new(stage.seed),
            content: Rng::new(stage.content_seed),
            number: 0,
        })
    }

    /// Adds a reading, within a transaction.
    fn add(&mut self) -> rusqlite::Result<()> {
        let mut note = [0; NOTE_BYTES];
        self.content.fill(&mut note);
        let (sensor, value) = (self.rng.below(SENSORS) as i64, self.rng.unit());
        self.insert.execute(params![sensor, self.number as i64, value, note])?;
        self.update.execute(params![sensor, value])?;
        self.number += 1;
        Ok(())
    }

    fn transaction(&mut self, readings: u64) -> rusqlite::Result<()> {
        self.begin.execute([])?;
        for _ in 0..readings {
            self.add()?;
        }
        self.commit.execute([])?;
        Ok(())
    }

    /// Commits readings one by one until the part is over. Returns the number of readings.
    fn commit_all(mut self, part: &Part<'_>, allowance: &mut Allowance) -> Result<u64, AppError> {
        while !part.is_over() && allowance.has_room() {
            let began_ns = part.now_ns();
            self.transaction(1).database_context(self.path)?;
            part.done(began_ns, ROW_BYTES);
        }
        Ok(self.number)
    }
}

/// Creates a database with tables, sensors and `journal`.
fn create(path: &Path, journal: Journal) -> Result<Connection, AppError> {
    let connection = Connection::open(path).database_context(path)?;
    let mode: String = connection
        .query_row(&format!("PRAGMA journal_mode = {}", journal.mode()), [], |row| row.get(0))
        .database_context(path)?;
    if mode != journal.mode() {
        let message = message!("app-database-journal", mode = journal.mode());
        return Err(AppError::Database { path: path.to_path_buf(), message, is_full: false });
    }
    let sensors = format!(
        "PRAGMA synchronous = FULL; BEGIN; {SCHEMA}
         WITH RECURSIVE number (id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM number WHERE id < {})
         INSERT INTO sensor SELECT id, 0.0, 0 FROM number; COMMIT;",
        SENSORS - 1
    );
    connection.execute_batch(&sensors).database_context(path)?;
    Ok(connection)
}

/// Reopens the database, reads it from the drive, and compares it with what was committed.
fn check(path: &PathBuf, readings: u64) -> Result<(), AppError> {
    drop_file(path)?;
    let connection = Connection::open(path).database_context(path)?;
    let one = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, String>(0));
    let verdict = one("PRAGMA integrity_check(1)").database_context(path)?;
    let counted = one("SELECT count(*) || '/' || (SELECT sum(readings) FROM sensor) FROM reading");
    let counted = counted.database_context(path)?;
    if verdict != "ok" || counted != format!("{readings}/{readings}") {
        let found = message!("app-content-database", verdict, found = counted, readings);
        return Err(AppError::content(path, found));
    }
    Ok(())
}

fn run(journal: Journal, stage: &Stage) -> Result<(), AppError> {
    let path = stage.path("readings.db");
    stage.library(format!("SQLite {}", rusqlite::version()));
    let bytes_max = stage.write_bytes_max.saturating_sub(REST_BYTES);
    let connection = create(&path, journal)?;
    let mut readings = Readings::new(&connection, &path, stage)?;
    readings.transaction(READINGS_BEFORE).database_context(&path)?;
    let mut allowance = Allowance::new(bytes_max, COMMIT_BYTES_MAX);
    let part = stage.begin("commits", Operation::Commit, Direction::Write, 1.0);
    let committed = readings.commit_all(&part, &mut allowance);
    part.end();
    let committed = committed?;
    stage.beat();
    connection.close().map_err(|(_, error)| error).database_context(&path)?;
    stage.beat();
    check(&path, committed)
}
