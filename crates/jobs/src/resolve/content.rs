//! The content and memory of a job's writes.

use cardiograph_core::direction::{Direction, PerDirection};
use cardiograph_core::message;
use cardiograph_core::pattern::PatternBytes;
use cardiograph_core::workload::{BlockLen, Compression, Content, Memory, MemoryKind, Repeats};

use super::reader::Reader;
use super::verify::is_checked;
use super::{Problem, Surroundings};
use crate::value::{PatternKind, ValueError, parse_pattern};

/// Maximum offset of a buffer from the start of a page, in bytes.
const SHIFT_BYTES_MAX: u64 = 16 << 20;
/// The longest huge page, in bytes.
const HUGE_PAGE_LEN_BYTES_MAX: u64 = 16 << 30;

pub(super) fn content(
    reader: &mut Reader<'_>,
    block_len: &PerDirection<BlockLen>,
    surroundings: &dyn Surroundings,
) -> Content {
    let pattern = pattern(reader, "buffer_pattern", PatternKind::Buffer, surroundings);
    let checked = checked_pattern(reader, surroundings);
    let content = buffer_content(reader, block_len, pattern);
    let is_made_anew =
        matches!(content, Content::Deduplicable { .. } | Content::Compressible { .. } | Content::Refilled);
    match checked {
        // Unverified writes have the content of the buffer options if these create it for each write, as in fio.
        Some(pattern) if is_checked(reader) || !is_made_anew => Content::Pattern { pattern },
        _ => content,
    }
}

fn pattern(
    reader: &mut Reader<'_>,
    option: &str,
    kind: PatternKind,
    surroundings: &dyn Surroundings,
) -> Option<PatternBytes> {
    reader.read(option, |text| {
        parse_pattern(text, kind, |path| surroundings.pattern_file(path)).map_err(ValueError::Said)
    })
}

/// The pattern of verified blocks.
fn checked_pattern(reader: &mut Reader<'_>, surroundings: &dyn Surroundings) -> Option<PatternBytes> {
    let interval_bytes = reader.count("verify_pattern_interval");
    if interval_bytes > 0 && reader.find("verify_pattern").is_none() {
        reader.report("verify_pattern_interval", Problem::Needs { other: "verify_pattern=%o" });
    }
    let pattern = pattern(reader, "verify_pattern", PatternKind::Verify, surroundings)?;
    Some(pattern.every(interval_bytes))
}

fn buffer_content(
    reader: &mut Reader<'_>,
    block_len: &PerDirection<BlockLen>,
    pattern: Option<PatternBytes>,
) -> Content {
    let compression = compression(reader, pattern.clone());
    let percent = reader.count("dedupe_percentage") as u32;
    let repeats = repeats(reader);
    if percent > 0 {
        let block_len_bytes = block_len[Direction::Write].min_bytes();
        Content::Deduplicable { percent, block_len_bytes, repeats, compression }
    } else if let Some(compression) = compression {
        Content::Compressible { compression }
    } else if let Some(pattern) = pattern {
        Content::Pattern { pattern }
    } else if reader.switch("zero_buffers") {
        Content::Zeros
    } else if reader.switch("refill_buffers") {
        Content::Refilled
    } else if reader.switch("scramble_buffers") {
        Content::Stamped
    } else {
        Content::Repeated
    }
}

fn compression(reader: &mut Reader<'_>, filler: Option<PatternBytes>) -> Option<Compression> {
    let percent = reader.count("buffer_compress_percentage") as u32;
    let chunk_bytes =
        reader.bytes("buffer_compress_chunk").unwrap_or(512).clamp(1, u64::from(u32::MAX)) as u32;
    (percent > 0).then_some(Compression { percent, chunk_bytes, filler })
}

fn repeats(reader: &mut Reader<'_>) -> Repeats {
    let percent = reader.count("dedupe_working_set_percentage") as u32;
    let is_shared = reader.switch("dedupe_global");
    match reader.word("dedupe_mode", &["repeat", "working_set"]) {
        "working_set" => Repeats::OneOf { percent, is_shared },
        _ => {
            if is_shared {
                reader.report("dedupe_global", Problem::Needs { other: "dedupe_mode=working_set" });
            }
            Repeats::Last
        }
    }
}

pub(super) fn memory(reader: &mut Reader<'_>) -> Memory {
    let word = reader.read("mem", |text| match text.split_once(':') {
        // It would have to be created or truncated for that.
        Some(_) => Err(message!("jobs-value.no-file-here").into()),
        None => Ok(text.to_string()),
    });
    let word = word.unwrap_or_default();
    let kind = match word.as_str() {
        "shm" | "shmhuge" => MemoryKind::Segment,
        "mmapshared" => MemoryKind::Shared,
        // Other words were refused by the table.
        _ => MemoryKind::Private,
    };
    let huge_page_len_bytes = reader.bytes("hugepage-size").unwrap_or(0);
    if !huge_page_len_bytes.is_power_of_two()
        || !(4_096..=HUGE_PAGE_LEN_BYTES_MAX).contains(&huge_page_len_bytes)
    {
        reader.report(
            "hugepage-size",
            Problem::BadValue(ValueError::Said(message!("jobs-value.not-a-page-size"))),
        );
    }
    let shift_bytes = reader.bytes("iomem_align").unwrap_or(0);
    if shift_bytes > SHIFT_BYTES_MAX {
        let error = ValueError::OutOfRange { min: 0, max: SHIFT_BYTES_MAX };
        reader.report("iomem_align", Problem::BadValue(error));
    }
    Memory {
        kind,
        huge_page_len_bytes: word.ends_with("huge").then_some(huge_page_len_bytes),
        shift_bytes: shift_bytes.min(SHIFT_BYTES_MAX),
    }
}
