//! The first page of a file, made anew where it was damaged.
//!
//! It has SQLite's header and the text of the schema. Without either SQLite finds no table, though all of them may be whole.
//! What stands there is known: the tables of a store are made in one transaction before anything else is, so that those of two
//! stores of one schema begin on the same pages. The first page of an empty store serves another's tables.

use super::{Trouble, image, schema};

// Where numbers stand in the header, and what they mean: <https://sqlite.org/fileformat2.html#the_database_header>
const PAGE_SIZE: std::ops::Range<usize> = 16..18;
const CHANGES: std::ops::Range<usize> = 24..28;
const PAGES: std::ops::Range<usize> = 28..32;
const CHANGES_OF_PAGES: usize = 92;

/// The pages with the first one of an empty store; `None` where their own is as good. What those behind it hold stays as it is.
pub fn renewed(pages: &[u8]) -> Result<Option<Vec<u8>>, Trouble> {
    let mut empty = schema::in_memory()?;
    if schema(pages).is_some_and(|found| Some(found) == schema::objects(&empty).ok()) {
        return Ok(None);
    }
    let empty = empty.serialize("main")?;
    // 65,536 does not fit there: it is written as 1.
    let size = match u16::from_be_bytes([empty[PAGE_SIZE.start], empty[PAGE_SIZE.start + 1]]) {
        1 => 65_536,
        size => usize::from(size),
    };
    let mut renewed = empty[..size].to_vec();
    renewed.extend_from_slice(pages.get(size..).unwrap_or(&[]));
    let count = u32::try_from(renewed.len() / size).unwrap_or(u32::MAX);
    renewed[PAGES].copy_from_slice(&count.to_be_bytes());
    // The number of pages counts only where these two are the same.
    renewed.copy_within(CHANGES, CHANGES_OF_PAGES);
    Ok(Some(renewed))
}

fn schema(pages: &[u8]) -> Option<Vec<schema::Object>> {
    let connection = image::connect(pages).ok()?;
    // Else one line that is wrong hides all of them.
    connection.execute_batch("PRAGMA writable_schema = ON").ok()?;
    schema::objects(&connection).ok()
}
