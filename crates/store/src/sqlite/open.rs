//! Opening the file, whatever state it is in.

use std::fs::{DirBuilder, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::{Trouble, schema};
use crate::StoreError;
use crate::atomic::{io_error, parent_of, sync_directory};

/// A Report names serial numbers and paths, so others may not read it. SQLite gives its log the mode of the file.
const FILE_MODE: u32 = 0o600;
const DIRECTORY_MODE: u32 = 0o700;
/// How long another process may hold the file. One that saves holds it for the time of a few syncs.
const PATIENCE: Duration = Duration::from_secs(20);

/// Opens the file, up to date; `None` where it is not there and is not to be made.
///
/// # Errors
/// [`StoreError::NotAStore`] of another program's database, and what SQLite says.
pub fn open(file: &Path, creates: bool) -> Result<Option<Connection>, Trouble> {
    if !file.exists() {
        if !creates {
            return Ok(None);
        }
        create(file)?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(PATIENCE)?;
    look_at_owner(&connection, file)?;
    // The connection opens what it may only read, and says so here.
    if connection.is_readonly("main")? {
        return open_to_read(file, connection).map(Some);
    }
    // With a write-ahead log this is FULL. With a rollback journal, which serves where the log cannot be had, the end of a
    // transaction is the deletion of the journal, and only this makes that durable, too.
    connection.execute_batch("PRAGMA synchronous = EXTRA")?;
    // Answers with the mode that it is in.
    connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0))?;
    schema::migrate(&mut connection, file)?;
    Ok(Some(connection))
}

/// Refuses another program's database: it has that program's name, or tables and not ours.
fn look_at_owner(connection: &Connection, file: &Path) -> Result<(), Trouble> {
    let found: i32 = match connection.query_row("PRAGMA application_id", [], |row| row.get(0)) {
        // It may only be read, and the log cannot be looked at: the one who opens it so looks again.
        Err(error) if lacks_log_memory(&error) => return Ok(()),
        found => found?,
    };
    let is_empty = || {
        connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| Ok(row.get::<_, i64>(0)? == 0))
    };
    if found == schema::APPLICATION_ID || found == 0 && is_empty()? {
        return Ok(());
    }
    Err(StoreError::NotAStore { path: file.to_path_buf() }.into())
}

fn create(file: &Path) -> Result<(), StoreError> {
    if let Some(directory) = file.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        let made = DirBuilder::new().recursive(true).mode(DIRECTORY_MODE).create(directory);
        made.map_err(|source| io_error("create", directory, source))?;
    }
    match OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(file) {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(io_error("create", file, error)),
    }
    // SQLite syncs the directory for files that it makes itself.
    let directory = parent_of(file);
    sync_directory(directory).map_err(|source| io_error("sync", directory, source))
}

/// A file that may only be read. Beside its log lies memory that readers share; where that cannot be made, as on a
/// file system that is mounted read-only or in another user's directory, the file is read as one that nobody changes, unless
/// a log would be left out.
fn open_to_read(file: &Path, connection: Connection) -> Result<Connection, Trouble> {
    let connection = match schema::version(&connection) {
        Ok(_) => connection,
        Err(error) if lacks_log_memory(&error) && has_log(file) => {
            return Err(StoreError::LogLeft { path: file.to_path_buf() }.into());
        }
        Err(error) if lacks_log_memory(&error) => {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
            let connection = Connection::open_with_flags(uri(file, "immutable=1"), flags)?;
            look_at_owner(&connection, file)?;
            connection
        }
        Err(error) => return Err(error.into()),
    };
    let found = schema::check(schema::version(&connection)?, file)?;
    if found < schema::VERSION {
        return Err(
            StoreError::SchemaTooOld { path: file.to_path_buf(), found, wanted: schema::VERSION }.into()
        );
    }
    Ok(connection)
}

/// Whether SQLite could not make the memory beside the log: on a file system that is mounted read-only it says that it cannot
/// open, in a directory that may not be written that it can only read.
fn lacks_log_memory(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

fn has_log(file: &Path) -> bool {
    std::fs::metadata(beside(file, "-wal")).is_ok_and(|metadata| metadata.len() > 0)
}

/// A file that SQLite keeps beside its own.
pub fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_os_string();
    name.push(suffix);
    PathBuf::from(name)
}

/// The file as SQLite's URI, with bytes that mean something in one written out.
fn uri(file: &Path, parameters: &str) -> String {
    use std::fmt::Write;
    use std::os::unix::ffi::OsStrExt;
    let mut uri = "file:".to_string();
    for &byte in file.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' => uri.push(byte as char),
            _ => write!(uri, "%{byte:02X}").expect("a String takes everything"),
        }
    }
    format!("{uri}?{parameters}")
}
