//! What an id of a Report may be.

use crate::StoreError;

/// Longest id in bytes: a file name has at most 255, and the temporary file's is longer than the id.
const LEN_BYTES_MAX: usize = 200;

/// Refuses an id that is no plain file name, or that a shell or a path would take for something else.
pub fn check(id: &str) -> Result<(), StoreError> {
    if is_id(id) { Ok(()) } else { Err(StoreError::BadId { id: id.to_string() }) }
}

/// Whether it may be one.
pub fn is_id(id: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    !id.is_empty() && id.len() <= LEN_BYTES_MAX && !id.starts_with(['.', '-']) && id.bytes().all(allowed)
}
