//! Order and lengths of a job's blocks.

use cardiograph_core::direction::{Direction, PerDirection};
use cardiograph_core::workload::{
    AccessZone, BlockLen, BlockShare, Distribution, FileTurn, Order, StridedZones, Trims,
};
use cardiograph_core::{Message, message};

use super::Problem;
use super::reader::Reader;
use crate::options::{self, OptionKind};
use crate::value::{
    ValueError, parse_access_zones, parse_bytes_in, parse_bytes_range, parse_bytes_signed, parse_count,
    parse_distribution, parse_split, split_word,
};

/// Direction and order.
pub(super) struct Motion {
    pub(super) read_percent: u32,
    pub(super) trims: Trims,
    /// Whether reads and writes are mixed, in any proportion.
    pub(super) is_mixed: bool,
    pub(super) order: Order,
    pub(super) random_run: u64,
    pub(super) skip_bytes: i64,
    pub(super) distribution: Distribution,
    pub(super) access_zones: PerDirection<Vec<AccessZone>>,
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
            // The suffix of a random direction is the number of I/Os, that of a sequential one the bytes to skip.
            Some(suffix) if word.starts_with("rand") => Some(parse_count(suffix)?.max(1) as i64),
            Some(suffix) => Some(parse_bytes_signed(suffix, kb_base)?),
        };
        Ok((word, suffix))
    })?;
    // Both set the share of reads: the later setting decides.
    let mixed = match reader.later_of("rwmixread", "rwmixwrite") {
        Some("rwmixwrite") => 100 - reader.count("rwmixwrite").min(100) as u32,
        _ => reader.count("rwmixread") as u32,
    };
    let (read_percent, is_mixed) = match word {
        "read" | "randread" => (100, false),
        "write" | "randwrite" | "trim" | "randtrim" | "trimwrite" | "randtrimwrite" => (0, false),
        _ => (mixed, true),
    };
    let (distribution, access_zones) = distribution(reader);
    let is_uniform =
        distribution == Distribution::Uniform && access_zones.iter().all(|(_, zones)| zones.is_empty());
    let trims = match word {
        "trim" | "randtrim" => Trims::Only,
        "trimwrite" | "randtrimwrite" => Trims::BeforeWrites,
        _ => Trims::None,
    };
    // An LFSR visits each block once, whatever the random map setting.
    let is_unique =
        !reader.switch("norandommap") || reader.find("random_generator").is_some_and(|s| s.value == "lfsr");
    // Nonuniform offsets repeat, whatever else is set.
    let order = match (word.starts_with("rand"), is_unique && is_uniform) {
        (false, _) => Order::Sequential,
        (true, true) => Order::RandomUnique,
        (true, false) => Order::RandomRepeating,
    };
    let random_run = if order.is_random() { suffix.unwrap_or(1) as u64 } else { 1 };
    let skip_bytes = if order.is_random() { 0 } else { suffix.unwrap_or(0) };
    Some(Motion { read_percent, trims, is_mixed, order, random_run, skip_bytes, distribution, access_zones })
}

/// The distribution of offsets, over the whole region or by zones.
fn distribution(reader: &mut Reader<'_>) -> (Distribution, PerDirection<Vec<AccessZone>>) {
    let kb_base = reader.kb_base;
    let words = words_of("random_distribution");
    let read = reader.read("random_distribution", |text| match split_word(text, words)? {
        (word @ ("zoned" | "zoned_abs"), arguments) => {
            let zones = parse_access_zones(word, arguments, kb_base)?;
            let zones = PerDirection::from_fn(|direction| zones[direction].clone().unwrap_or_default());
            Ok((Distribution::Uniform, zones))
        }
        // fio ignores what follows.
        ("random", Some(_)) => Err(message!("jobs-value.argument-unwanted").into()),
        (word, arguments) => Ok((parse_distribution(word, arguments)?, PerDirection::default())),
    });
    read.unwrap_or_default()
}

/// Percentage of a random job's I/Os at random offsets.
pub(super) fn random_percent(reader: &mut Reader<'_>) -> PerDirection<u32> {
    let written = reader.triple("percentage_random", parse_count).unwrap_or_default();
    PerDirection::from_fn(|direction| written[direction].unwrap_or(100).min(100) as u32)
}

/// Zones used one after the other.
pub(super) fn strided(reader: &mut Reader<'_>, longest_bytes: u64) -> Option<StridedZones> {
    let used_bytes = reader.bytes("zonesize").unwrap_or(0);
    let zone_len_bytes = reader.bytes("zonerange").unwrap_or(0);
    let skip_bytes = reader.bytes("zoneskip").unwrap_or(0);
    if reader.word("zonemode", words_of("zonemode")) != "strided" {
        if used_bytes > 0 {
            reader.report("zonesize", Problem::Needs { other: "zonemode=strided" });
        }
        for (option, bytes) in [("zonerange", zone_len_bytes), ("zoneskip", skip_bytes)] {
            if bytes > 0 {
                reader.remark(option, message!("jobs-remark.needs-strided"));
            }
        }
        return None;
    }
    if used_bytes == 0 && !reader.is_bad("zonesize") {
        reader.report("zonemode", Problem::Needs { other: "zonesize=1M" });
        return None;
    }
    let zone_len_bytes = if zone_len_bytes == 0 { used_bytes } else { zone_len_bytes };
    if zone_len_bytes < longest_bytes {
        let option = if reader.find("zonerange").is_some() { "zonerange" } else { "zonesize" };
        let (region_len_bytes, block_len_bytes) = (zone_len_bytes, longest_bytes);
        reader.report(option, Problem::RegionTooSmall { region_len_bytes, block_len_bytes });
        return None;
    }
    Some(StridedZones { used_bytes, zone_len_bytes, skip_bytes })
}

/// The words of an option in the table.
fn words_of(option: &str) -> &'static [&'static str] {
    match options::find(option).map(|def| def.kind) {
        Some(OptionKind::Word(words) | OptionKind::WordWithArguments(words)) => words,
        _ => &[],
    }
}

pub(super) fn block_len(reader: &mut Reader<'_>) -> PerDirection<BlockLen> {
    let kb_base = reader.kb_base;
    let bs = reader.triple("bs", |text| parse_bytes_in(text, kb_base)).unwrap_or_default();
    let default =
        options::find("bs").and_then(|def| parse_bytes_in(def.default, kb_base).ok()).unwrap_or(4_096);
    let mut lens = PerDirection::from_fn(|direction| match direction {
        Direction::Sync => BlockLen::default(),
        _ => BlockLen::Fixed { len_bytes: bs[direction].unwrap_or(default) },
    });
    let ranges = reader.triple("bsrange", |text| parse_bytes_range(text, kb_base)).unwrap_or_default();
    let splits = reader.triple("bssplit", |text| parse_split(text, kb_base)).unwrap_or_default();
    for direction in Direction::DATA {
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
    let varies = lens.iter().any(|(_, len)| len.min_bytes() != len.max_bytes());
    if varies && reader.find("bs_unaligned").is_some() {
        const WHY: &Message = &message!("jobs-refused.unaligned-range");
        reader.report("bs_unaligned", Problem::Refused { why: WHY });
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
        let (word, arguments) = split_word(text, words_of("file_service_type"))?;
        let turn = match word {
            "sequential" => FileTurn::Sequential,
            "random" => FileTurn::Random,
            "roundrobin" => FileTurn::RoundRobin,
            // The other words have different arguments after the colon.
            _ => return Ok((FileTurn::Skewed(parse_distribution(word, arguments)?), 1)),
        };
        Ok((turn, parse_count(arguments.unwrap_or("1"))?.max(1)))
    });
    turn.unwrap_or((FileTurn::RoundRobin, 1))
}
