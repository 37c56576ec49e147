//! JSON in the small: zlib streams, which every language can read.

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// How hard to press: 6 of 10, zlib's own default.
const LEVEL: u8 = 6;
/// No part of a Report is longer; a damaged stream must not take all memory.
const LEN_BYTES_MAX: usize = 1 << 30;

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

/// The JSON of `value`, and its digest.
pub fn json(value: &impl Serialize) -> Result<(Vec<u8>, i64), serde_json::Error> {
    let json = serde_json::to_vec(value)?;
    let digest = digest(&json);
    Ok((json, digest))
}

/// `json` as it is kept.
pub fn press(json: &[u8]) -> Vec<u8> {
    compress_to_vec_zlib(json, LEVEL)
}

/// What was kept as `bytes`.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, BlobError> {
    let json = decompress_to_vec_zlib_with_limit(bytes, LEN_BYTES_MAX).map_err(|_| BlobError::Damaged)?;
    Ok(serde_json::from_slice(&json)?)
}

/// FNV-1a of 64 bits: tells whether a step has changed since it was kept, and defends against nobody.
fn digest(bytes: &[u8]) -> i64 {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash as i64
}
