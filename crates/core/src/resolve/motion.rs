//! In which order the blocks of a job come, and how long they are.

use crate::direction::PerDirection;
use crate::options;
use crate::value::{
    ValueError, parse_bytes_in, parse_bytes_range, parse_bytes_signed, parse_count, parse_split,
};
use crate::workload::{BlockLen, BlockShare, FileTurn, Order};

use super::moves_data;
use super::reader::{DATA, Reader};

/// Direction and order.
pub(super) struct Motion {
    pub(super) read_percent: u32,
    /// Reads and writes are mixed, whatever their shares.
    pub(super) is_mixed: bool,
    pub(super) order: Order,
    pub(super) random_run: u64,
    pub(super) skip_bytes: i64,
}

pub(super) fn motion(reader: &mut Reader<'_>) -> Option<Motion> {
    let kb_base = reader.kb_base;
    let (word, suffix) = reader.read("rw", |text| {
        let (word, suffix) = match text.split_once(':') {
            Some((word, suffix)) => (word, Some(suffix)),
            None => (text, None),
        };
        let known = options::RW_WORDS.iter().copied().find(|known| *known == word);
        let word = known.ok_or_else(|| ValueError::UnknownWord { allowed: options::RW_WORDS.to_vec() })?;
        let suffix = match suffix {
            None => None,
            // Behind a random direction the number of I/Os, behind a sequential one the bytes to skip.
            Some(suffix) if word.starts_with("rand") => Some(parse_count(suffix)?.max(1) as i64),
            Some(suffix) => Some(parse_bytes_signed(suffix, kb_base)?),
        };
        Ok((word, suffix))
    })?;
    // Reads are given last for both: what was written later decides, as its share of the other.
    let mixed = match reader.later_of("rwmixread", "rwmixwrite") {
        Some("rwmixwrite") => 100 - reader.count("rwmixwrite").min(100) as u32,
        _ => reader.count("rwmixread") as u32,
    };
    let (read_percent, is_mixed) = match word {
        "read" | "randread" => (100, false),
        "write" | "randwrite" => (0, false),
        _ => (mixed, true),
    };
    // A register that shifts through all blocks gives each of them once, whatever the map is told.
    let is_unique =
        !reader.switch("norandommap") || reader.find("random_generator").is_some_and(|s| s.value == "lfsr");
    let order = match (word.starts_with("rand"), is_unique) {
        (false, _) => Order::Sequential,
        (true, true) => Order::RandomUnique,
        (true, false) => Order::RandomRepeating,
    };
    let random_run = if order.is_random() { suffix.unwrap_or(1) as u64 } else { 1 };
    let skip_bytes = if order.is_random() { 0 } else { suffix.unwrap_or(0) };
    Some(Motion { read_percent, is_mixed, order, random_run, skip_bytes })
}

pub(super) fn block_len(reader: &mut Reader<'_>) -> PerDirection<BlockLen> {
    let kb_base = reader.kb_base;
    let bs = reader.triple("bs", |text| parse_bytes_in(text, kb_base)).unwrap_or_default();
    let default =
        options::find("bs").and_then(|def| parse_bytes_in(def.default, kb_base).ok()).unwrap_or(4_096);
    let mut lens = PerDirection::from_fn(|direction| match moves_data(&direction) {
        true => BlockLen::Fixed { len_bytes: bs[direction].unwrap_or(default) },
        false => BlockLen::default(),
    });
    let ranges = reader.triple("bsrange", |text| parse_bytes_range(text, kb_base)).unwrap_or_default();
    let splits = reader.triple("bssplit", |text| parse_split(text, kb_base)).unwrap_or_default();
    for direction in DATA {
        if let Some((min_bytes, max_bytes)) = ranges[direction] {
            lens[direction] = match min_bytes == max_bytes {
                true => BlockLen::Fixed { len_bytes: min_bytes },
                false => BlockLen::Range { min_bytes, max_bytes },
            };
        }
        if let Some(parts) = &splits[direction] {
            let parts: Vec<BlockShare> =
                parts.iter().map(|&(len_bytes, percent)| BlockShare { len_bytes, percent }).collect();
            lens[direction] = match parts.as_slice() {
                [BlockShare { len_bytes, .. }] => BlockLen::Fixed { len_bytes: *len_bytes },
                _ => BlockLen::Split { parts },
            };
        }
    }
    lens
}

pub(super) fn align_bytes(reader: &mut Reader<'_>, lens: &PerDirection<BlockLen>) -> PerDirection<u64> {
    let kb_base = reader.kb_base;
    let written = reader.triple("blockalign", |text| parse_bytes_in(text, kb_base)).unwrap_or_default();
    PerDirection::from_fn(|direction| match written[direction] {
        Some(bytes) if bytes > 0 => bytes,
        _ => lens[direction].min_bytes(),
    })
}

pub(super) fn file_turn(reader: &mut Reader<'_>) -> (FileTurn, u64) {
    let turn = reader.read("file_service_type", |text| {
        let (word, ios) = text.split_once(':').unwrap_or((text, "1"));
        let turn = match word {
            "sequential" => FileTurn::Sequential,
            "random" => FileTurn::Random,
            // Other words were refused by the table.
            _ => FileTurn::RoundRobin,
        };
        Ok((turn, parse_count(ios)?.max(1)))
    });
    turn.unwrap_or((FileTurn::RoundRobin, 1))
}
