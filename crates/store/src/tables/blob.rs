//! Compressed JSON: zlib streams, which every language can read.

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

/// Compression level: 6, zlib's default.
const LEVEL: u8 = 6;
/// Maximum length of any part of a Report, in bytes: 64 jobs with a full series each come to 115 MB. Longer parts are
/// not saved, and a zip bomb cannot take all memory.
pub const LEN_BYTES_MAX: usize = 128 << 20;
/// Maximum compressed length: JSON numbers shrink to less than half.
pub const PRESSED_LEN_BYTES_MAX: usize = LEN_BYTES_MAX / 2;

/// The bytes are not a valid zlib stream.
#[derive(Debug)]
pub struct Damaged;

/// Compresses `json`.
pub fn press(json: &[u8]) -> Vec<u8> {
    compress_to_vec_zlib(json, LEVEL)
}

/// The JSON stored as `bytes`. A zlib stream detects damage by its checksum.
pub fn json(bytes: &[u8]) -> Result<Vec<u8>, Damaged> {
    decompress_to_vec_zlib_with_limit(bytes, LEN_BYTES_MAX).map_err(|_| Damaged)
}
