//! JSON in the small: zlib streams, which every language can read.

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

/// How hard to press: 6 of 10, zlib's own default.
const LEVEL: u8 = 6;
/// No part of a Report is longer, in bytes: 64 jobs with a full series each come to 115 MB. What is longer is not kept, and a
/// stream that somebody made to swell does not take all memory.
pub const LEN_BYTES_MAX: usize = 128 << 20;
/// Nor when it is pressed: numbers become less than half as long.
pub const PRESSED_LEN_BYTES_MAX: usize = LEN_BYTES_MAX / 2;

/// The bytes are not a valid zlib stream.
#[derive(Debug)]
pub struct Damaged;

/// `json` as it is kept.
pub fn press(json: &[u8]) -> Vec<u8> {
    compress_to_vec_zlib(json, LEVEL)
}

/// The JSON stored as `bytes`. A zlib stream detects damage by its checksum.
pub fn json(bytes: &[u8]) -> Result<Vec<u8>, Damaged> {
    decompress_to_vec_zlib_with_limit(bytes, LEN_BYTES_MAX).map_err(|_| Damaged)
}
