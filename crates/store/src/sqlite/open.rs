//! Opening the file, whatever state it is in.

use std::time::{Duration, Instant};

use cardiograph_core::{Action, message};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::file::StoreFile;
use super::{Trouble, guard, schema};
use crate::StoreError;
use crate::error::io_error;

/// How long another process may hold the file. One that saves holds it for the time of a few syncs.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// Between two tries.
const PAUSE: Duration = Duration::from_millis(5);

/// Opens the file, up to date; `None` where it is not there and is not to be made.
///
/// # Errors
/// [`StoreError::NotAStore`] of another program's database, and what SQLite says.
pub fn open(file: &StoreFile, creates: bool) -> Result<Option<Connection>, Trouble> {
    // Looked for first: another process that is making the store gives the file its length before there is a log.
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
    // Nothing of a damaged file is changed, not even by closing it.
    keep_log(&connection);
    look_at_owner(&connection, file)?;
    // The connection opens what it may only read, and says so here.
    if connection.is_readonly("main")? {
        return open_to_read(file, connection).map(Some);
    }
    // With a write-ahead log this is FULL. With a rollback journal, which serves where the log cannot be had, the end of a
    // transaction is the deletion of the journal, and only this makes that durable, too.
    connection.execute_batch("PRAGMA synchronous = EXTRA")?;
    // How a file keeps its journal stands in its header, so that one that may be damaged stays as it is.
    if is_new {
        use_log(&connection)?;
    }
    schema::migrate(&mut connection, &file.path)?;
    schema::check_tables(&connection)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    Ok(Some(connection))
}

/// Has SQLite keep a write-ahead log, where that can be had. It does not wait for this lock by itself: of two that open a new
/// file at the same time one would be refused.
fn use_log(connection: &Connection) -> rusqlite::Result<()> {
    let until = Instant::now() + PATIENCE;
    loop {
        // Answers with the mode that it is in.
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

/// Refuses another program's database: it has that program's name, or tables and not ours.
fn look_at_owner(connection: &Connection, file: &StoreFile) -> Result<(), Trouble> {
    let owner = || connection.query_row("PRAGMA application_id", [], |row| row.get::<_, i32>(0));
    let found = match owner() {
        // It may only be read, and the log cannot be looked at: the one who opens it so looks again.
        Err(error) if lacks_log_memory(&error) => return Ok(()),
        found => found?,
    };
    let is_empty = || {
        connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| Ok(row.get::<_, i64>(0)? == 0))
    };
    // Between two looks another process may have made the store.
    let is_ours = |found| found == schema::APPLICATION_ID;
    if is_ours(found) || found == 0 && (is_empty()? || is_ours(owner()?)) {
        return Ok(());
    }
    Err(StoreError::NotAStore { path: file.path.clone() }.into())
}

/// Refuses another program's file by its header, where SQLite cannot read it. No connection to it may be open
/// ([`StoreFile::open`]).
pub fn check_header(file: &StoreFile) -> Result<(), StoreError> {
    // Where the number stands: <https://sqlite.org/fileformat2.html#the_database_header>
    let mut header = [0; 72];
    let len =
        file.open()?.read_at(&mut header, 0).map_err(|source| io_error(Action::Read, &file.path, source))?;
    if file.is_ours_alone || len == 0 || header[68..] == schema::APPLICATION_ID.to_be_bytes() {
        return Ok(());
    }
    Err(StoreError::NotAStore { path: file.path.clone() })
}

/// A file that may only be read. Beside its log lies memory that readers share; where that cannot be made, as on a
/// file system that is mounted read-only or in another user's directory, the file is read as one that nobody changes, unless
/// a log would be left out.
fn open_to_read(file: &StoreFile, connection: Connection) -> Result<Connection, Trouble> {
    let connection = match schema::version(&connection) {
        Ok(_) => connection,
        Err(error) if lacks_log_memory(&error) && has_log(file)? => {
            return Err(StoreError::LogLeft { path: file.path.clone() }.into());
        }
        Err(error) if lacks_log_memory(&error) => {
            let mut connection = file.connect_immutable()?;
            guard::distrust(&mut connection, file.len_bytes()?)?;
            look_at_owner(&connection, file)?;
            connection
        }
        Err(error) => return Err(error.into()),
    };
    let found = schema::check(schema::version(&connection)?, &file.path)?;
    if found < schema::VERSION {
        return Err(
            StoreError::SchemaTooOld { path: file.path.clone(), found, wanted: schema::VERSION }.into()
        );
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
