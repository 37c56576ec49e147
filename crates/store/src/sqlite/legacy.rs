//! Taking over a directory with a JSON file for each Report, as the first version kept them.

use std::path::Path;
use std::sync::Arc;

use cardiograph_files::FileSystem;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::sql::{self, prepare};
use super::{Trouble, read, write};
use crate::{JsonDir, Remark};

/// So many Reports go into one transaction: each waits for a sync of its own.
const REPORTS_AT_ONCE: usize = 64;

/// Takes over the Reports of `directory` that are not kept yet, if it has changed since it was last looked at. Its files
/// stay as they are.
pub fn take_over(
    connection: &mut Connection,
    files: &Arc<dyn FileSystem>,
    directory: &Path,
    remarks: &mut Vec<Remark>,
) -> Result<(), Trouble> {
    let facts = files.directory(directory).and_then(|directory| directory.facts());
    let modified_ns = facts.map_or(0, |facts| facts.modified_ns.clamp(0, i64::MAX.into()) as i64);
    let path = directory.to_string_lossy();
    let known: Option<i64> =
        prepare(connection, sql::JSON_DIRECTORY)?.query_row([&path], |row| row.get(0)).optional()?;
    if known == Some(modified_ns) || connection.is_readonly("main")? {
        return Ok(());
    }
    let store = JsonDir::new(directory).on(files.clone());
    let mut taken = 0;
    let mut ids = store.ids()?;
    // The oldest first, so that what has no date stays in its order.
    ids.reverse();
    for ids in ids.chunks(REPORTS_AT_ONCE) {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for id in ids {
            if !read::has(&transaction, id)? && take(&transaction, &store, id, remarks)? {
                taken += 1;
            }
        }
        transaction.commit()?;
    }
    prepare(connection, sql::UPSERT_JSON_DIRECTORY)?.execute(params![path, modified_ns])?;
    if taken > 0 {
        remarks.insert(0, Remark::TookOver { reports: taken, directory: directory.to_path_buf() });
    }
    Ok(())
}

/// Takes over Reports that could not be saved, and removes their files: they are the latest of their ids.
pub fn take_unsaved(
    connection: &mut Connection,
    unsaved: &JsonDir,
    remarks: &mut Vec<Remark>,
) -> Result<(), Trouble> {
    let ids = unsaved.ids()?;
    if ids.is_empty() || connection.is_readonly("main")? {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut taken = Vec::new();
    for id in &ids {
        if take(&transaction, unsaved, id, remarks)? {
            taken.push(id.as_str());
        }
    }
    transaction.commit()?;
    unsaved.clear(&taken)?;
    if !taken.is_empty() {
        remarks.push(Remark::TookUnsaved { reports: taken.len() });
    }
    Ok(())
}

/// Keeps the Report of a file; `false` where it cannot be read.
fn take(to: &Connection, from: &JsonDir, id: &str, remarks: &mut Vec<Remark>) -> Result<bool, Trouble> {
    match from.load_file(id) {
        Ok((report, modified_ns)) => write::report(to, &report, modified_ns / 1_000_000).map(|()| true),
        Err(error) => {
            remarks.push(Remark::LeftOut { error });
            Ok(false)
        }
    }
}
