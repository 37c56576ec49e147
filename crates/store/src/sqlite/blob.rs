//! JSON in the small: zlib streams, which every language can read.

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use serde::de::DeserializeOwned;

/// How hard to press: 6 of 10, zlib's own default.
const LEVEL: u8 = 6;
/// No part of a Report is longer, in bytes: 64 jobs with a full series each come to 115 MB. What is longer is not kept, and a
/// stream that somebody made to swell does not take all memory.
pub const LEN_BYTES_MAX: usize = 128 << 20;
/// Nor when it is pressed: numbers become less than half as long.
pub const PRESSED_LEN_BYTES_MAX: usize = LEN_BYTES_MAX / 2;

/// Why bytes are not what was kept.
#[derive(Debug, thiserror::Error)]
pub enum BlobError {
    /// It is no zlib stream, or a damaged one.
    #[error("its compressed part is damaged")]
    Damaged,
    /// It is not the JSON of what it should be.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
}

/// `json` as it is kept.
pub fn press(json: &[u8]) -> Vec<u8> {
    compress_to_vec_zlib(json, LEVEL)
}

/// The JSON that was kept as `bytes`. A zlib stream tells by its checksum that it is damaged.
pub fn json(bytes: &[u8]) -> Result<Vec<u8>, BlobError> {
    decompress_to_vec_zlib_with_limit(bytes, LEN_BYTES_MAX).map_err(|_| BlobError::Damaged)
}

/// What was kept as `bytes`.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, BlobError> {
    Ok(serde_json::from_slice(&json(bytes)?)?)
}
