//! What a job writes.

use crate::workload::Content;

use super::reader::Reader;

pub(super) fn content(reader: &mut Reader<'_>) -> Content {
    let percent = reader.count("buffer_compress_percentage") as u32;
    let chunk_bytes =
        reader.bytes("buffer_compress_chunk").unwrap_or(512).clamp(1, u64::from(u32::MAX)) as u32;
    if reader.switch("zero_buffers") {
        Content::Zeros
    } else if percent > 0 {
        Content::Compressible { percent, chunk_bytes }
    } else if reader.switch("refill_buffers") {
        Content::Refilled
    } else if reader.switch("scramble_buffers") {
        Content::Stamped
    } else {
        Content::Repeated
    }
}
