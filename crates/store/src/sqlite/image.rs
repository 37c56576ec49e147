//! A database file and its log as one piece of memory: what can be read of it is looked for there, and the files stay as they
//! are.

use std::io::Read;

use cardiograph_files::OwnFile;
use rusqlite::Connection;

use super::file::StoreFile;
use super::{guard, schema};
use crate::StoreError;
use crate::error::io_error;

// Where numbers stand in a database's header: <https://sqlite.org/fileformat2.html#the_database_header>
const WRITE_FORMAT: usize = 18;
/// With the read format behind it.
const FORMATS_LEN: usize = 2;
const APPLICATION_ID: usize = 68;

// And in its log: <https://sqlite.org/fileformat2.html#the_write_ahead_log>
const LOG_MAGIC: u32 = 0x377f_0682;
const LOG_HEADER_BYTES: usize = 32;
const FRAME_HEADER_BYTES: usize = 24;

/// The pages of the file with those of its log. Nobody else may write meanwhile.
/// Fails with [`StoreError::Io`], and [`StoreError::NotAStore`] of what another program made.
pub fn read(file: &StoreFile, open: &dyn OwnFile) -> Result<Vec<u8>, StoreError> {
    let failed = |source| io_error("read", &file.path, source);
    let mut header = [0; 100];
    let len = open.read_at(&mut header, 0).map_err(failed)?;
    let log = file.log()?.map(|log| log.read_all()).transpose().map_err(failed)?;
    if !file.is_ours_alone && !is_ours(&header[..len]) {
        return Err(StoreError::NotAStore { path: file.path.clone() });
    }
    let mut pages = open.read_all().map_err(failed)?;
    add_log(&mut pages, &log.unwrap_or_default());
    Ok(pages)
}

/// Whether the header, as far as it is whole, is that of a store.
fn is_ours(pages: &[u8]) -> bool {
    pages.is_empty() || number(pages, APPLICATION_ID) == Some(schema::APPLICATION_ID as u32)
}

/// A connection to pages, which are only read.
pub fn connect(pages: &[u8]) -> rusqlite::Result<Connection> {
    // What is in memory has no log beside it.
    let (before, rest) = pages.split_at(WRITE_FORMAT.min(pages.len()));
    let formats = [1; FORMATS_LEN];
    let formats = &formats[..FORMATS_LEN.min(rest.len())];
    let read = before.chain(formats).chain(&rest[formats.len()..]);
    let mut connection = Connection::open_in_memory()?;
    guard::distrust(&mut connection, pages.len() as u64)?;
    connection.deserialize_read_exact("main", read, pages.len(), true)?;
    Ok(connection)
}

/// Adds what was committed to the log, as far as its checksums hold.
fn add_log(pages: &mut Vec<u8>, log: &[u8]) {
    let at = |position: usize| number(log, position);
    let (Some(magic), Some(page_len), Some(salts)) = (at(0), at(8), log.get(16..24)) else { return };
    let page_len = page_len as usize;
    if magic & !1 != LOG_MAGIC || !page_len.is_power_of_two() || !(512..=65_536).contains(&page_len) {
        return;
    }
    let is_big_endian = magic & 1 == 1;
    let mut sum = checksum((0, 0), &log[..24], is_big_endian);
    if (at(24), at(28)) != (Some(sum.0), Some(sum.1)) {
        return;
    }
    let frames = log[LOG_HEADER_BYTES..].chunks_exact(FRAME_HEADER_BYTES + page_len);
    let mut uncommitted = Vec::new();
    for frame in frames {
        let (header, page) = frame.split_at(FRAME_HEADER_BYTES);
        sum = checksum(checksum(sum, &header[..8], is_big_endian), page, is_big_endian);
        let word = |position: usize| number(header, position).unwrap_or(0);
        if &header[8..16] != salts || (word(16), word(20)) != sum || word(0) == 0 {
            break;
        }
        uncommitted.push((word(0) as usize, page));
        let pages_after = word(4) as usize;
        if pages_after > 0 {
            for (number, page) in uncommitted.drain(..).filter(|(number, _)| *number <= pages_after) {
                let begin = (number - 1) * page_len;
                // A log cannot add more pages than it has.
                if begin > pages.len() + log.len() {
                    continue;
                }
                pages.resize(pages.len().max(begin + page_len), 0);
                pages[begin..begin + page_len].copy_from_slice(page);
            }
            pages.truncate(pages_after.saturating_mul(page_len));
        }
    }
}

fn checksum((mut a, mut b): (u32, u32), bytes: &[u8], is_big_endian: bool) -> (u32, u32) {
    let word = |bytes: &[u8]| {
        let bytes = [bytes[0], bytes[1], bytes[2], bytes[3]];
        if is_big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
    };
    for pair in bytes.chunks_exact(8) {
        a = a.wrapping_add(word(&pair[..4])).wrapping_add(b);
        b = b.wrapping_add(word(&pair[4..])).wrapping_add(a);
    }
    (a, b)
}

fn number(bytes: &[u8], position: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(position..position + 4)?.try_into().ok()?))
}
