//! Makes the Workload of a job from its options.

use cardiograph_core::NS_PER_MS;
use cardiograph_core::display::JobDisplay;
use cardiograph_core::precision;
use cardiograph_core::rng::derive_seed;
use cardiograph_core::workload::{JobCommands, Logged, Measured, Workload};

use super::content::{content, memory};
use super::display::log_window_ns;
use super::engine::{engine_options, submits_itself};
use super::errors::tolerance;
use super::file_action;
use super::handling::{direct, file_handling, fills, sync_every, write_through};
use super::motion::{align_bytes, block_len, file_turn, motion, random_percent, strided};
use super::pace::{arrivals, flow, latency_max_ns, latency_target, think};
use super::process::{affinity, io_priority, io_scheduler, nice, placement, remark_simulated};
use super::rates::{batching, rates, steady_state, wanted_precision};
use super::reader::Reader;
use super::verify::{check_room, verify};
use super::{BLOCK_LEN_BYTES_MAX, Problem, ResolveContext};
use crate::options::{self, EngineDef};
use crate::value::ValueError;

/// Minimum window of a series in nanoseconds.
const WINDOW_NS_MIN: u64 = NS_PER_MS;

pub(super) fn workload(
    reader: &mut Reader<'_>,
    engine: String,
    index: usize,
    context: &ResolveContext<'_>,
    display: &JobDisplay,
) -> Option<Workload> {
    let facts = options::engine(&engine);
    let motion = motion(reader)?;
    let block_len = block_len(reader);
    let depth = reader.count("iodepth").max(1) as u32;
    let seed = seed(reader, index, context);
    let mut workload = Workload {
        name: reader.spec.name.clone(),
        engine_options: engine_options(reader, &engine),
        engine,
        read_percent: motion.read_percent,
        trims: motion.trims,
        order: motion.order,
        random_run: motion.random_run,
        random_percent: random_percent(reader),
        distribution: motion.distribution,
        access_zones: motion.access_zones.clone(),
        sequential_skip_bytes: motion.skip_bytes,
        align_bytes: align_bytes(reader, &block_len),
        file_turn: file_turn(reader),
        open_files: reader.count_if("openfiles").filter(|&files| files > 0),
        depth,
        batching: batching(reader, depth),
        direct: direct(reader),
        write_through: write_through(reader),
        sync_every: sync_every(reader),
        end_sync: reader.switch("end_fsync"),
        close_sync: reader.switch("fsync_on_close"),
        fills: fills(reader, &motion),
        memory: memory(reader),
        content: content(reader, &block_len, context.surroundings),
        verify: verify(reader, &motion, facts),
        tolerance: tolerance(reader),
        ramp_ns: reader.duration_ns("ramp_time").unwrap_or(0),
        rate: rates(reader),
        rate_cycle_ns: reader.duration_ns("rate_cycle").unwrap_or(1_000 * NS_PER_MS),
        arrivals: arrivals(reader),
        think: think(reader),
        latency_max_ns: latency_max_ns(reader),
        latency_target: latency_target(reader),
        offload: reader.word("io_submit_mode", &["inline", "offload"]) == "offload",
        flow: flow(reader),
        steady_state: steady_state(reader),
        precision: wanted_precision(reader),
        measured: measured(reader, facts),
        logged: logged(reader, display),
        files: file_handling(reader, &motion),
        record: reader.text("write_iolog"),
        affinity: affinity(reader),
        placement: placement(reader),
        nice: nice(reader),
        io_priority: io_priority(reader),
        io_scheduler: io_scheduler(reader, facts),
        uid: reader.count_if("uid").and_then(|number| u32::try_from(number).ok()),
        gid: reader.count_if("gid").and_then(|number| u32::try_from(number).ok()),
        commands: JobCommands { before: reader.text("exec_prerun"), after: reader.text("exec_postrun") },
        seed,
        window_ns: window_ns(display, context.window_ns),
        block_len,
        // Settings that depend on these, or on the files.
        ..Workload::default()
    };
    if workload.precision.is_some() {
        workload.window_ns = window_ns(display, precision::WINDOW_NS);
    }
    check_block_len(reader, &workload)?;
    workload.strided = strided(reader, workload.block_len_bytes_max());
    file_action::apply(reader, &mut workload, motion.is_mixed);
    check_room(reader, &workload);
    remark_simulated(reader, facts);
    Some(workload)
}

/// The seed of the job with this index.
fn seed(reader: &mut Reader<'_>, index: usize, context: &ResolveContext<'_>) -> u64 {
    let repeat = reader.switch("randrepeat");
    let written_seed = reader.count("randseed");
    // An explicit seed is used unchanged.
    let fixed = repeat || reader.find("randseed").is_some();
    derive_seed(if fixed { written_seed } else { written_seed ^ context.run_seed }, index as u64)
}

fn check_block_len(reader: &mut Reader<'_>, workload: &Workload) -> Option<()> {
    if workload.block_len_bytes_min() == 0 {
        reader.report("bs", Problem::BlockEmpty);
        return None;
    }
    if workload.block_len_bytes_max() > BLOCK_LEN_BYTES_MAX {
        let error = ValueError::OutOfRange { min: 1, max: BLOCK_LEN_BYTES_MAX };
        reader.report("bs", Problem::BadValue(error));
        return None;
    }
    Some(())
}

fn measured(reader: &mut Reader<'_>, engine: &EngineDef) -> Measured {
    if reader.switch("gtod_reduce") {
        return Measured { submission: false, completion: false, total: false };
    }
    Measured {
        submission: !reader.switch("disable_slat") && submits_itself(reader, engine),
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

/// A window that divides both, at most the default one.
fn window_ns(display: &JobDisplay, usual_ns: u64) -> u64 {
    let wanted_ns = common_window_ns(display.bandwidth_window_ns, display.iops_window_ns);
    common_window_ns(usual_ns, wanted_ns).max(WINDOW_NS_MIN.min(usual_ns))
}

/// The longest window that divides both.
fn common_window_ns(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
