//! Opens the file, whatever state it is in.

use std::time::{Duration, Instant};

use cardiograph_core::{Action, message};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::file::StoreFile;
use super::{guard, schema};
use crate::StoreError;
use crate::error::io_error;
use crate::tables::schema::{VERSION, check};
use crate::trouble::Trouble;

/// How long to wait for another process. A save holds the file for a few syncs.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// Pause between two attempts.
const PAUSE: Duration = Duration::from_millis(5);

/// Opens the file and brings it up to date; `None` if it does not exist and should not be created.
///
/// # Errors
/// [`StoreError::NotAStore`] for another program's database, and SQLite's errors.
pub fn open(file: &StoreFile, creates: bool) -> Result<Option<Connection>, Trouble> {
    // Checked first: another process that creates the store gives the file its length before there is a log.
    let has_log_before = has_log(file)?;
    match file.facts("")? {
        None if !creates => return Ok(None),
        // SQLite would remove that log.
        None if has_log_before => return Err(StoreError::LogAlone { path: file.path.clone() }.into()),
        None => file.create()?,
        Some(facts) if facts.len_bytes == 0 && has_log_before => {
            return Err(Trouble::damaged(message!("store-damage.empty")));
        }
        Some(_) => {}
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = file.connect(flags)?;
    connection.busy_timeout(PATIENCE)?;
    let len_bytes = file.len_bytes()?;
    let is_new = len_bytes == 0;
    guard::distrust(&mut connection, len_bytes)?;
    // Never change a damaged file, not even by closing it.
    keep_log(&connection);
    look_at_owner(&connection, file)?;
    // A read-only file opens without an error; SQLite reports it here.
    if connection.is_readonly("main")? {
        return open_to_read(file, connection).map(Some);
    }
    // With a write-ahead log this equals FULL. With a rollback journal, the fallback, a transaction ends when the
    // journal is deleted, and only EXTRA makes that durable.
    connection.execute_batch("PRAGMA synchronous = EXTRA")?;
    // The journal mode is in the file's header, so do not set it on a file that may be damaged.
    if is_new {
        use_log(&connection)?;
    }
    schema::migrate(&connection, &file.path)?;
    schema::check_tables(&connection)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    Ok(Some(connection))
}

/// Switches SQLite to a write-ahead log, where possible. SQLite does not wait for this lock itself: of two processes
/// that open a new file at the same time, one would be refused.
fn use_log(connection: &Connection) -> rusqlite::Result<()> {
    let until = Instant::now() + PATIENCE;
    loop {
        // Returns the mode now in use.
        match connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0)) {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && Instant::now() < until =>
            {
                std::thread::sleep(PAUSE);
            }
            answer => return answer.map(drop),
        }
    }
}

/// Keeps the log file when the connection is closed.
pub fn keep_log(connection: &Connection) {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).expect("SQLite knows it");
}

/// Refuses another program's database: one with that program's name, or with tables but not ours.
fn look_at_owner(connection: &Connection, file: &StoreFile) -> Result<(), Trouble> {
    let owner = || connection.query_row("PRAGMA application_id", [], |row| row.get::<_, i32>(0));
    let found = match owner() {
        // Read-only, and the log cannot be read: the read-only path checks again.
        Err(error) if lacks_log_memory(&error) => return Ok(()),
        found => found?,
    };
    let is_empty = || {
        connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| Ok(row.get::<_, i64>(0)? == 0))
    };
    // Another process may have created the store between the two checks.
    let is_ours = |found| found == schema::APPLICATION_ID;
    if is_ours(found) || found == 0 && (is_empty()? || is_ours(owner()?)) {
        return Ok(());
    }
    Err(StoreError::NotAStore { path: file.path.clone() }.into())
}

/// Refuses another program's file by its header, where SQLite cannot read it. No connection to it may be open
/// ([`StoreFile::open`]).
pub fn check_header(file: &StoreFile) -> Result<(), StoreError> {
    // Offset: <https://sqlite.org/fileformat2.html#the_database_header>
    let mut header = [0; 72];
    let len =
        file.open()?.read_at(&mut header, 0).map_err(|source| io_error(Action::Read, &file.path, source))?;
    if file.is_ours_alone || len == 0 || header[68..] == schema::APPLICATION_ID.to_be_bytes() {
        return Ok(());
    }
    Err(StoreError::NotAStore { path: file.path.clone() })
}

/// Opens a read-only file. Readers share memory in a file next to the log; where that cannot be created (a read-only
/// file system, another user's directory), reads the file as immutable, unless that would ignore a log.
fn open_to_read(file: &StoreFile, connection: Connection) -> Result<Connection, Trouble> {
    let connection = match schema::version(&connection) {
        Ok(_) => connection,
        Err(Trouble::Sqlite(error)) if lacks_log_memory(&error) && has_log(file)? => {
            return Err(StoreError::LogLeft { path: file.path.clone() }.into());
        }
        Err(Trouble::Sqlite(error)) if lacks_log_memory(&error) => {
            let mut connection = file.connect_immutable()?;
            guard::distrust(&mut connection, file.len_bytes()?)?;
            look_at_owner(&connection, file)?;
            connection
        }
        Err(trouble) => return Err(trouble),
    };
    let found = check(schema::version(&connection)?, &file.path)?;
    if found < VERSION {
        let wanted = VERSION;
        let too_old = message!("store-too-old", path = &file.path, found, wanted);
        return Err(StoreError::Failed(too_old).into());
    }
    schema::check_tables(&connection)?;
    Ok(connection)
}

/// Whether SQLite could not create the log's shared memory: on a read-only file system it reports that it
/// cannot open, in a read-only directory that it can only read.
fn lacks_log_memory(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

fn has_log(file: &StoreFile) -> Result<bool, StoreError> {
    Ok(file.facts("-wal")?.is_some_and(|facts| facts.len_bytes > 0))
}
