//! The schema's versions: `sql/NNN.sql` migrates from version NNN - 1 to NNN.

use std::path::Path;

use super::drives;
use crate::StoreError;
use crate::database::{Database, Transaction, row, values};
use crate::error::Versioned;
use crate::trouble::Trouble;

/// The migrations in order. A released one never changes.
pub const MIGRATIONS: [&str; 3] =
    [include_str!("../../sql/001.sql"), include_str!("../../sql/002.sql"), include_str!("../../sql/003.sql")];

/// The version that this program writes.
pub const VERSION: u32 = MIGRATIONS.len() as u32;

/// The version that has drives.
const WITH_DRIVES: u32 = 2;

/// What is the database's own in a migration.
pub struct Dialect<'d> {
    /// The schema version; 0 if there is none yet.
    pub version: &'d dyn Fn() -> Result<u32, Trouble>,
    /// What comes before the first version.
    pub first: &'d dyn Fn() -> Result<(), Trouble>,
}

/// Migrates the schema to the current version, one transaction per version. Two processes may do this at once.
///
/// # Errors
/// [`StoreError::TooNew`] when a later version of the program created it.
pub fn migrate(database: &dyn Database, dialect: &Dialect<'_>, place: &Path) -> Result<(), Trouble> {
    // Check without a lock first: usually there is nothing to do.
    while check((dialect.version)()?, place)? < VERSION {
        let transaction = Transaction::begin(database, crate::database::Access::Write)?;
        database.lock("cardiograph schema")?;
        // Another process may have migrated it meanwhile.
        let found = check((dialect.version)()?, place)?;
        let Some(text) = MIGRATIONS.get(found as usize) else { break };
        if found == 0 {
            (dialect.first)()?;
            database.migrate("CREATE TABLE schema_version (version BIGINT NOT NULL)")?;
            database.execute("INSERT INTO schema_version (version) VALUES ($1)", values![0_i64])?;
        }
        database.migrate(text)?;
        if found + 1 == WITH_DRIVES {
            drives::fill(database)?;
        }
        database.execute("UPDATE schema_version SET version = $1", values![found + 1])?;
        transaction.commit()?;
    }
    Ok(())
}

/// The version in the table of it.
pub fn version(database: &dyn Database) -> Result<u32, Trouble> {
    let found = row(database, "SELECT version FROM schema_version", &[], |row| row.integer(0))?;
    Ok(found.unwrap_or(0).clamp(0, u32::MAX.into()) as u32)
}

/// Refuses the schema of a later version of the program.
pub fn check(found: u32, place: &Path) -> Result<u32, StoreError> {
    if found > VERSION {
        let what = Versioned::Store(place.to_path_buf());
        return Err(StoreError::TooNew { what, found: found.into(), known: VERSION });
    }
    Ok(found)
}
