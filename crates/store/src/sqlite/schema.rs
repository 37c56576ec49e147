//! The schema in a file, and what may be in it.

use std::path::Path;
use std::sync::OnceLock;

use cardiograph_core::message;
use rusqlite::{Connection, OptionalExtension};

use crate::tables::schema::{self, Dialect};
use crate::trouble::Trouble;

/// SQLite's application id, which marks the file as ours: `CrdG`.
pub const APPLICATION_ID: i32 = 0x4372_6447;

/// Schema version of the file; 0 if there is none yet.
pub fn version(connection: &Connection) -> Result<u32, Trouble> {
    let is_there = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_version'";
    match connection.query_row(is_there, [], |_| Ok(())).optional()? {
        Some(()) => schema::version(connection),
        None => Ok(0),
    }
}

/// Migrates the schema to the current version.
///
/// # Errors
/// [`StoreError::TooNew`](crate::StoreError::TooNew) when a later version of the program created it.
pub fn migrate(connection: &Connection, path: &Path) -> Result<(), Trouble> {
    let first = || {
        // A file with content had a schema.
        let pages: i64 = connection.query_row("PRAGMA page_count", [], |row| row.get(0))?;
        if pages > 1 {
            return Err(Trouble::damaged(message!("store-damage.no-tables")));
        }
        Ok(connection.pragma_update(None, "application_id", APPLICATION_ID)?)
    };
    schema::migrate(connection, &Dialect { version: &|| version(connection), first: &first }, path)
}

/// A table, index, view or trigger: kind, name, table name, and SQL.
type Object = (String, String, String, Option<String>);

/// All schema entries of a database.
fn objects(connection: &Connection) -> rusqlite::Result<Vec<Object>> {
    let statement = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY 1, 2, 3";
    let mut statement = connection.prepare(statement)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    rows.collect()
}

/// An empty store in memory.
pub fn in_memory() -> Result<Connection, Trouble> {
    let connection = Connection::open_in_memory()?;
    migrate(&connection, Path::new(""))?;
    Ok(connection)
}

/// Refuses a file whose tables differ from ours, or that has anything else attached: a view or a trigger runs its
/// author's SQL.
pub fn check_tables(connection: &Connection) -> Result<(), Trouble> {
    static OURS: OnceLock<Vec<Object>> = OnceLock::new();
    let ours = match OURS.get() {
        Some(ours) => ours,
        None => {
            let made = objects(&in_memory()?)?;
            OURS.get_or_init(|| made)
        }
    };
    let has_name = |name: &str| ours.iter().any(|object| object.2.eq_ignore_ascii_case(name));
    let mut found = objects(connection)?;
    found.retain(|(kind, name, table, _)| kind == "trigger" || has_name(name) || has_name(table));
    let said = |(kind, name, _, text): &Object| (kind.clone(), name.clone(), text.clone());
    match found.iter().map(said).eq(ours.iter().map(said)) {
        true => Ok(()),
        false => Err(Trouble::damaged(message!("store-damage.other-tables"))),
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Report;
    use cardiograph_testing::reports;

    use super::*;
    use crate::tables::{drives, figures, read, write};
    use crate::{DriveQuery, Query};

    #[test]
    fn a_store_without_drives_gets_them() {
        let connection = in_memory().unwrap();
        let saved: Vec<Report> = (0..40)
            .map(|number| {
                let mut report = reports::finished(&format!("a{number:02}"), 1_000 + number * 7 % 40, 1);
                report.drive.leaves[0].serial = Some(format!("serial-{}", number % 7));
                report
            })
            .collect();
        saved.iter().for_each(|report| write::report(&connection, report, 1).unwrap());
        let expected = drives::list(&connection, &DriveQuery::default()).unwrap();
        assert_eq!(expected.len(), 7);
        let older = "DROP INDEX run_of_drive; DROP INDEX run_label_lower; DROP INDEX run_host_lower; \
             DROP INDEX run_tag_lower; CREATE INDEX run_label ON run (label); \
             CREATE INDEX run_tag_value ON run_tag (name, value); \
             ALTER TABLE run DROP COLUMN drive; ALTER TABLE run DROP COLUMN sender; \
             ALTER TABLE run DROP COLUMN sent; ALTER TABLE run_head DROP COLUMN digest_of_deciding; \
             DROP TABLE drive; DROP TABLE token; DROP TABLE audit; DROP TABLE outbox; DROP TABLE card; \
             UPDATE schema_version SET version = 1";
        connection.execute_batch(older).unwrap();
        migrate(&connection, Path::new("memory")).unwrap();
        check_tables(&connection).unwrap();
        assert_eq!(drives::list(&connection, &DriveQuery::default()).unwrap(), expected);
        for drive in &expected {
            let query = Query { drive_key: Some(drive.key.clone()), ..Query::default() };
            let found = read::summaries(&connection, &query).unwrap();
            assert_eq!((found.len() as u64, found[0].id.as_str()), (drive.checkups, drive.newest.as_str()));
        }
        // Digests are those of before.
        for report in &saved {
            assert_eq!(read::reports(&connection, &[&report.id]).unwrap(), [Some(report.clone())]);
            for depth in [figures::Depth::Deciding, figures::Depth::All] {
                let found = figures::figures(&connection, &[&report.id], depth).unwrap();
                assert!(found[0].as_ref().unwrap().is_ok());
            }
        }
    }
}
