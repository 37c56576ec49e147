//! What a job does, from its options.

use crate::direction::PerDirection;
use crate::display::JobDisplay;
use crate::rng::derive_seed;
use crate::value::{
    ValueError, parse_bytes_in, parse_bytes_range, parse_bytes_signed, parse_count, parse_cpu_list,
    parse_split, parse_steady,
};
use crate::workload::{
    Affinity, Batching, BlockLen, BlockShare, Checksum, Content, FileHandling, FileTurn, Logged, Measured,
    Order, OrderAdvice, Preallocation, Rate, SteadyMetric, SteadyState, StopWhen, SyncEvery, SyncMethod,
    Verify, Workload, WriteThrough,
};
use crate::{NS_PER_MS, options};

use super::display::log_window_ns;
use super::reader::{DATA, Reader};
use super::{BLOCK_LEN_BYTES_MAX, Problem, ResolveContext, moves_data};

/// The shortest window of a series in nanoseconds.
const WINDOW_NS_MIN: u64 = NS_PER_MS;

pub(super) fn workload(
    reader: &mut Reader<'_>,
    engine: String,
    index: usize,
    context: &ResolveContext<'_>,
    display: &JobDisplay,
) -> Option<Workload> {
    let motion = motion(reader)?;
    let block_len = block_len(reader);
    let depth = reader.count("iodepth").max(1) as u32;
    let repeat = reader.switch("randrepeat");
    let written_seed = reader.count("randseed");
    // A seed that was written is meant.
    let fixed = repeat || reader.find("randseed").is_some();
    let seed = derive_seed(if fixed { written_seed } else { written_seed ^ context.run_seed }, index as u64);
    let workload = Workload {
        name: reader.spec.name.clone(),
        engine_options: engine_options(reader, &engine),
        engine,
        read_percent: motion.read_percent,
        order: motion.order,
        random_run: motion.random_run,
        sequential_skip_bytes: motion.skip_bytes,
        align_bytes: align_bytes(reader, &block_len),
        block_len,
        file_turn: file_turn(reader),
        open_files: reader.count_if("openfiles").filter(|&files| files > 0),
        depth,
        batching: batching(reader, depth),
        direct: direct(reader),
        write_through: write_through(reader),
        sync_every: sync_every(reader),
        end_sync: reader.switch("end_fsync"),
        close_sync: reader.switch("fsync_on_close"),
        content: content(reader),
        verify: verify(reader, &motion),
        stop: StopWhen { bytes: None, time_ns: None, ios: None },
        ramp_ns: reader.duration_ns("ramp_time").unwrap_or(0),
        rate: rates(reader),
        rate_cycle_ns: reader.duration_ns("rate_cycle").unwrap_or(1_000 * NS_PER_MS),
        steady_state: steady_state(reader),
        measured: measured(reader),
        logged: logged(reader, display),
        files: file_handling(reader),
        affinity: affinity(reader),
        nice: nice(reader),
        seed,
        window_ns: window_ns(display, context.window_ns),
    };
    let longest_bytes = workload.block_len_bytes_max();
    if workload.block_len_bytes_min() == 0 {
        reader.report("bs", Problem::BlockEmpty);
        return None;
    }
    if longest_bytes > BLOCK_LEN_BYTES_MAX {
        let error = ValueError::OutOfRange { min: 1, max: BLOCK_LEN_BYTES_MAX };
        reader.report("bs", Problem::BadValue(error));
        return None;
    }
    Some(workload)
}

/// Direction and order.
struct Motion {
    read_percent: u32,
    /// Reads and writes are mixed, whatever their shares.
    is_mixed: bool,
    order: Order,
    random_run: u64,
    skip_bytes: i64,
}

fn motion(reader: &mut Reader<'_>) -> Option<Motion> {
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

fn block_len(reader: &mut Reader<'_>) -> PerDirection<BlockLen> {
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

fn align_bytes(reader: &mut Reader<'_>, lens: &PerDirection<BlockLen>) -> PerDirection<u64> {
    let kb_base = reader.kb_base;
    let written = reader.triple("blockalign", |text| parse_bytes_in(text, kb_base)).unwrap_or_default();
    PerDirection::from_fn(|direction| match written[direction] {
        Some(bytes) if bytes > 0 => bytes,
        _ => lens[direction].min_bytes(),
    })
}

fn file_turn(reader: &mut Reader<'_>) -> (FileTurn, u64) {
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

fn batching(reader: &mut Reader<'_>, depth: u32) -> Batching {
    let count = |reader: &mut Reader<'_>, option: &str| {
        reader.find(option).is_some().then(|| reader.count(option).min(u64::from(depth)) as u32)
    };
    let complete_min = count(reader, "iodepth_batch_complete_min").unwrap_or(1);
    let complete_max = count(reader, "iodepth_batch_complete_max").filter(|&max| max > 0);
    Batching {
        submit: count(reader, "iodepth_batch").map(|submit| if submit == 0 { depth } else { submit }),
        complete_min,
        complete_max: complete_max.map(|max| max.max(complete_min)),
        low: count(reader, "iodepth_low").filter(|&low| low > 0).unwrap_or(depth),
    }
}

fn direct(reader: &mut Reader<'_>) -> bool {
    // Two names for one thing: what was written later counts.
    match reader.later_of("direct", "buffered") {
        Some("buffered") => !reader.switch("buffered"),
        _ => reader.switch("direct"),
    }
}

fn write_through(reader: &mut Reader<'_>) -> WriteThrough {
    match reader.word("sync", &["none", "0", "sync", "1", "dsync"]) {
        "sync" | "1" => WriteThrough::All,
        "dsync" => WriteThrough::Data,
        _ => WriteThrough::None,
    }
}

fn sync_every(reader: &mut Reader<'_>) -> Option<SyncEvery> {
    let every = |writes, method| (writes > 0).then_some(SyncEvery { writes, method });
    let fsync = every(reader.count("fsync"), SyncMethod::Fsync);
    let fdatasync = every(reader.count("fdatasync"), SyncMethod::Fdatasync);
    if fsync.is_some() && fdatasync.is_some() {
        reader.report("fdatasync", Problem::Contradicts { other: "fsync" });
    }
    fsync.or(fdatasync)
}

fn content(reader: &mut Reader<'_>) -> Content {
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

fn verify(reader: &mut Reader<'_>, motion: &Motion) -> Option<Verify> {
    let checksum = match reader.text("verify")?.as_str() {
        "0" => return None,
        // Other words were refused by the table.
        _ => Checksum::Crc32c,
    };
    let verify = Verify {
        checksum,
        interval_bytes: reader.bytes("verify_interval").unwrap_or(0),
        read_back: reader.switch("do_verify"),
        fatal: reader.switch("verify_fatal"),
    };
    // A mixed job checks what it wrote; with no writes among its I/Os that is nothing.
    (!motion.is_mixed || motion.read_percent < 100).then_some(verify)
}

fn rates(reader: &mut Reader<'_>) -> PerDirection<Option<Rate>> {
    let kb_base = reader.kb_base;
    let written = |option: &str| reader.find(option).is_some();
    if (written("rate") || written("rate_min")) && (written("rate_iops") || written("rate_iops_min")) {
        let option = if written("rate_iops") { "rate_iops" } else { "rate_iops_min" };
        reader.report(option, Problem::Contradicts { other: "rate" });
        return PerDirection::default();
    }
    let bytes = reader.triple("rate", |text| parse_bytes_in(text, kb_base)).unwrap_or_default();
    let bytes_min = reader.triple("rate_min", |text| parse_bytes_in(text, kb_base)).unwrap_or_default();
    let ios = reader.triple("rate_iops", parse_count).unwrap_or_default();
    let ios_min = reader.triple("rate_iops_min", parse_count).unwrap_or_default();
    PerDirection::from_fn(|direction| {
        let some = |value: Option<u64>| value.unwrap_or(0);
        let (bytes, bytes_min) = (some(bytes[direction]), some(bytes_min[direction]));
        let (ios, ios_min) = (some(ios[direction]), some(ios_min[direction]));
        for (option, limit, min) in [("rate_min", bytes, bytes_min), ("rate_iops_min", ios, ios_min)] {
            if limit > 0 && min > limit {
                reader.report(option, Problem::BadValue(ValueError::OutOfRange { min: 0, max: limit }));
            }
        }
        if bytes > 0 || bytes_min > 0 {
            Some(Rate::Bytes { per_second: bytes, min_per_second: bytes_min })
        } else if ios > 0 || ios_min > 0 {
            Some(Rate::Ios { per_second: ios, min_per_second: ios_min })
        } else {
            None
        }
    })
}

fn steady_state(reader: &mut Reader<'_>) -> Option<SteadyState> {
    // A window alone looks for what is looked for when nothing is named.
    let written = reader.read("steadystate", parse_steady)?;
    let window_ns = reader.duration_ns("steadystate_duration").unwrap_or(0);
    if window_ns == 0 {
        // Without a window nothing can settle; fio then looks for nothing, too.
        let setting = reader.find("steadystate")?;
        reader.remark(setting, "needs steadystate_duration, as ss_dur=30, and is ignored without it");
        return None;
    }
    Some(SteadyState {
        metric: if written.is_bandwidth { SteadyMetric::Bandwidth } else { SteadyMetric::Iops },
        by_slope: written.by_slope,
        limit: written.limit,
        limit_is_percent: written.is_percent,
        window_ns,
        ramp_ns: reader.duration_ns("steadystate_ramp_time").unwrap_or(0),
        interval_ns: reader
            .duration_ns("steadystate_check_interval")
            .unwrap_or(1_000 * NS_PER_MS)
            .max(NS_PER_MS),
    })
}

fn measured(reader: &mut Reader<'_>) -> Measured {
    if reader.switch("gtod_reduce") {
        return Measured { submission: false, completion: false, total: false };
    }
    Measured {
        submission: !reader.switch("disable_slat"),
        completion: !reader.switch("disable_clat"),
        total: !reader.switch("disable_lat"),
    }
}

fn logged(reader: &mut Reader<'_>, display: &JobDisplay) -> Logged {
    let logs = &display.logs;
    let ios = logs.bandwidth.is_some() || logs.iops.is_some() || logs.latency.is_some();
    let every_ns = reader.duration_ns("log_hist_msec").unwrap_or(0);
    if logs.histogram.is_some() && every_ns == 0 {
        reader.report("write_hist_log", Problem::Needs { other: "log_hist_msec=1000" });
    }
    Logged {
        ios,
        window_ns: log_window_ns(reader),
        histogram_every_ns: if logs.histogram.is_some() { every_ns } else { 0 },
    }
}

fn file_handling(reader: &mut Reader<'_>) -> FileHandling {
    let preallocation =
        match reader.word("fallocate", &["native", "none", "0", "posix", "1", "keep", "truncate"]) {
            "none" | "0" => Preallocation::None,
            "posix" | "1" => Preallocation::Posix,
            "keep" => Preallocation::Keep,
            "truncate" => Preallocation::Truncate,
            _ => Preallocation::Native,
        };
    let pre_read = reader.switch("pre_read");
    FileHandling {
        preallocation,
        overwrite: reader.switch("overwrite"),
        create_fsync: reader.switch("create_fsync"),
        may_create: reader.switch("allow_file_create"),
        create_on_open: reader.switch("create_on_open"),
        create_only: reader.switch("create_only"),
        unlink: reader.switch("unlink"),
        // What was just read into the cache is to stay there.
        invalidate: reader.switch("invalidate") && !pre_read,
        advice: match reader.word("fadvise_hint", &["1", "0", "random", "sequential"]) {
            "0" => OrderAdvice::None,
            "random" => OrderAdvice::Random,
            "sequential" => OrderAdvice::Sequential,
            _ => OrderAdvice::AsDone,
        },
        pre_read,
        allow_mounted_write: reader.switch("allow_mounted_write"),
    }
}

fn affinity(reader: &mut Reader<'_>) -> Option<Affinity> {
    let cpus = match reader.later_of("cpus_allowed", "cpumask")? {
        "cpus_allowed" => reader.read("cpus_allowed", parse_cpu_list)?,
        _ => {
            let mask = reader.count("cpumask");
            (0..64).filter(|cpu| mask >> cpu & 1 == 1).collect()
        }
    };
    let is_split = reader.word("cpus_allowed_policy", &["shared", "split"]) == "split";
    Some(Affinity { cpus, is_split })
}

fn nice(reader: &mut Reader<'_>) -> i32 {
    let parse = |text: &str| {
        let nice: i32 = text.trim().parse().map_err(|_| ValueError::NotANumber)?;
        let is_allowed = (-20..=19).contains(&nice);
        is_allowed.then_some(nice).ok_or(ValueError::NotBetween { min: -20, max: 19 })
    };
    reader.read("nice", parse).unwrap_or(0)
}

fn engine_options(reader: &Reader<'_>, engine: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for setting in &reader.spec.settings {
        let Some(def) = options::find_for(&setting.option, engine) else { continue };
        if !def.engines.is_empty() {
            found.retain(|(name, _)| name != def.name);
            found.push((def.name.to_string(), setting.value.clone()));
        }
    }
    found
}

/// A window that both spreads are made of, no longer than the usual one.
fn window_ns(display: &JobDisplay, usual_ns: u64) -> u64 {
    let common = |a: u64, b: u64| {
        let (mut a, mut b) = (a, b);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let wanted_ns = common(display.bandwidth_window_ns, display.iops_window_ns);
    common(usual_ns, wanted_ns).max(WINDOW_NS_MIN.min(usual_ns))
}
