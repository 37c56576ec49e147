//! The first page of a file, made anew where it was damaged.
//!
//! It has SQLite's header and the text of the schema. Without either SQLite finds no table, though all of them may be whole.
//! What stands there is known: the tables of a store are made in one transaction before anything else is, so that those of two
//! stores of one schema begin on the same pages. The first page of an empty store serves another's tables.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rusqlite::Connection;

use super::open::{beside, open};

// Where numbers stand in the header, and what they mean: <https://sqlite.org/fileformat2.html#the_database_header>
const PAGE_SIZE: usize = 16;
const WRITE_FORMAT: usize = 18;
const READ_FORMAT: usize = 19;
const CHANGES: usize = 24;
const PAGES: usize = 28;
const CHANGES_OF_PAGES: usize = 92;
/// The format of a file without a write-ahead log.
const WITHOUT_LOG: u8 = 1;

/// Gives the store in `file`, which has no log and which nobody else reads, the first page of an empty store; whether
/// anything is another now. What the pages behind it hold stays as it is.
///
/// # Errors
/// What the system says.
pub fn renew(file: &Path) -> io::Result<bool> {
    let empty = beside(file, "-empty");
    // One that was left by a kill may be of another schema.
    remove(&empty);
    let made = open(&empty, true).map(drop);
    let page = made.map_err(|trouble| io::Error::other(trouble.reason())).and_then(|()| first_page(&empty));
    let has_same_schema = schema(file).is_some_and(|found| Some(found) == schema(&empty));
    remove(&empty);
    if has_same_schema {
        return Ok(false);
    }
    let mut page = page?;
    let store = OpenOptions::new().write(true).open(file)?;
    let pages = u32::try_from(store.metadata()?.len() / page.len() as u64).unwrap_or(u32::MAX);
    page[WRITE_FORMAT] = WITHOUT_LOG;
    page[READ_FORMAT] = WITHOUT_LOG;
    page[PAGES..PAGES + 4].copy_from_slice(&pages.to_be_bytes());
    // The number of pages counts only where these two are the same.
    page.copy_within(CHANGES..CHANGES + 4, CHANGES_OF_PAGES);
    store.write_all_at(&page, 0)?;
    Ok(true)
}

fn first_page(file: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(file)?;
    let mut size = [0; 2];
    file.read_exact_at(&mut size, PAGE_SIZE as u64)?;
    // 65,536 does not fit there: it is written as 1.
    let size = match u16::from_be_bytes(size) {
        1 => 65_536,
        size => usize::from(size),
    };
    let mut page = vec![0; size];
    file.read_exact_at(&mut page, 0)?;
    Ok(page)
}

/// Names, places and texts of all tables and indices; `None` where they cannot be read.
fn schema(file: &Path) -> Option<Vec<(String, i64, Option<String>)>> {
    let connection = Connection::open(file).ok()?;
    // Else one line that is wrong hides all of them.
    connection.execute_batch("PRAGMA writable_schema = ON").ok()?;
    let statement = "SELECT type || ' ' || name || ' ' || tbl_name, rootpage, sql FROM sqlite_schema";
    let mut statement = connection.prepare(statement).ok()?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).ok()?;
    rows.collect::<rusqlite::Result<_>>().ok()
}

/// Removes a file of ours and what SQLite keeps beside it.
pub fn remove(file: &Path) {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        // It is a copy; what stays of it does no harm.
        let _ = fs::remove_file(beside(file, suffix));
    }
}
