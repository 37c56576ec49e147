//! Taking over a directory with a JSON file for each Report, as the first version kept them.

use std::path::Path;
use std::time::UNIX_EPOCH;

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::sql::{self, prepare};
use super::{Trouble, read, unix_ms, write};
use crate::{JsonDir, Remark};

/// So many Reports go into one transaction: each waits for a sync of its own.
const REPORTS_AT_ONCE: usize = 64;

/// Takes over the Reports of `directory` that are not kept yet, if it has changed since it was last looked at. Its files
/// stay as they are.
pub fn take_over(connection: &mut Connection, directory: &Path) -> Result<Vec<Remark>, Trouble> {
    let modified = std::fs::metadata(directory).and_then(|metadata| metadata.modified()).ok();
    let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified_ns = since.map_or(0, |since| since.as_nanos() as i64);
    let path = directory.to_string_lossy();
    let known: Option<i64> =
        prepare(connection, sql::JSON_DIRECTORY)?.query_row([&path], |row| row.get(0)).optional()?;
    if known == Some(modified_ns) || connection.is_readonly("main")? {
        return Ok(Vec::new());
    }
    let store = JsonDir::new(directory);
    let mut remarks = Vec::new();
    let mut taken = 0;
    let mut ids = store.ids()?;
    // The oldest first, so that what has no date stays in its order.
    ids.reverse();
    for ids in ids.chunks(REPORTS_AT_ONCE) {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for id in ids {
            if read::has(&transaction, id)? {
                continue;
            }
            match store.load_file(id) {
                Ok((report, modified)) => {
                    write::report(&transaction, &report, modified.map_or(0, unix_ms))?;
                    taken += 1;
                }
                Err(error) => remarks.push(Remark::LeftOut { error }),
            }
        }
        transaction.commit()?;
    }
    prepare(connection, sql::UPSERT_JSON_DIRECTORY)?.execute(params![path, modified_ns])?;
    if taken > 0 {
        remarks.insert(0, Remark::TookOver { reports: taken, directory: directory.to_path_buf() });
    }
    Ok(remarks)
}
