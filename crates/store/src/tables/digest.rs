//! Digests that reveal a flipped bit: what is read is what was stored.
//!
//! They guard against drive errors, not against an attacker.

use std::ops::Range;

use rusqlite::types::ValueRef;

use crate::database::Row;
use crate::trouble::Trouble;

/// The digest of rows with some columns of one more: CRC32C of the values that the database returns, each followed by its
/// type as a byte that no text contains.
pub fn add(digest: u32, row: &Row<'_>, columns: Range<usize>) -> Result<u32, Trouble> {
    columns.into_iter().try_fold(digest, |digest, at| {
        let append =
            |kind: u8, bytes: &[u8]| crc32c::crc32c_append(crc32c::crc32c_append(digest, bytes), &[kind]);
        Ok(match row.cell(at)? {
            ValueRef::Null => append(0xff, &[]),
            ValueRef::Integer(integer) => append(0xfe, &integer.to_le_bytes()),
            ValueRef::Real(real) => append(0xfd, &real.to_bits().to_le_bytes()),
            ValueRef::Text(bytes) => append(0xfc, bytes),
            ValueRef::Blob(bytes) => append(0xfb, bytes),
        })
    })
}

/// 64-bit FNV-1a of a step's JSON and position: shows whether a step has changed since it was stored, and whether it
/// is at its own position.
pub fn hash_step(id: &str, number: i64, json: &[u8]) -> i64 {
    let add = |hash: u64, bytes: &[u8]| {
        bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    };
    let place = add(add(0xcbf2_9ce4_8422_2325, id.as_bytes()), &number.to_le_bytes());
    add(place, json) as i64
}
