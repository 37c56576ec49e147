//! Limits for malicious files: a store may have come by mail.

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;

use crate::tables::blob;

/// SQLite VM steps that any operation may take, and additional ones per byte of the file: ten times what the slowest
/// operation needs.
const STEPS_MIN: u64 = 20_000_000;
const STEPS_PER_BYTE: u64 = 16;
/// Maximum number of VM steps: a sparse file may claim to be longer than any drive.
const STEPS_MAX: u64 = 1 << 34;
/// VM steps between two checks.
const STEPS_AT_ONCE: i32 = 100_000;

/// Limits a connection to a file of this length: it runs only our own SQL, for a limited time, and reads no cell longer
/// than ours.
pub fn distrust(connection: &mut Connection, len_bytes: u64) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, blob::PRESSED_LEN_BYTES_MAX as i32)?;
    bound(connection, len_bytes)
}

/// From now on, interrupts an operation that takes more VM steps than a file of this length explains, with
/// [`rusqlite::ErrorCode::OperationInterrupted`].
pub fn bound(connection: &mut Connection, len_bytes: u64) -> rusqlite::Result<()> {
    let steps = len_bytes.saturating_mul(STEPS_PER_BYTE).saturating_add(STEPS_MIN).min(STEPS_MAX);
    let mut left = steps / STEPS_AT_ONCE as u64;
    let is_over = move || {
        left = left.saturating_sub(1);
        left == 0
    };
    connection.progress_handler(STEPS_AT_ONCE, Some(is_over))
}
