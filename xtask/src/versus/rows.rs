//! The rows about speed and size. Each runs the same job, with the same options, with cardiograph and its
//! peers.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cardiograph_core::result::RunResult;
use cardiograph_core::units::{self, BandwidthUnits};
use cardiograph_core::{Direction, stats};

use super::Setup;
use super::bare_loop::{BareLoop, Source};
use super::fio::JobFile;
use super::memory::peak_pss_bytes;
use super::program::shown;
use super::ratio::{Ratio, take_turns};
use super::table::Line;

/// A file system in memory.
pub const SHM: &str = "/dev/shm";
/// Makes fio run its jobs as threads of one process, as cardiograph always does.
const THREAD: &str = "thread";

/// The harness alone: no I/O.
pub fn null(setup: &Setup) -> Result<Vec<Line>, String> {
    nowhere(setup, &[], 0.45)
}

/// The same with blocks of unequal popularity.
pub fn zipf(setup: &Setup) -> Result<Vec<Line>, String> {
    nowhere(setup, &["random_distribution=zipf:1.1"], 0.5)
}

/// Random reads without I/O: the time per I/O, compared with fio's.
fn nowhere(setup: &Setup, more: &[&str], at_most: f64) -> Result<Vec<Line>, String> {
    let settings = ["ioengine=null", "rw=randread", "bs=4k", "size=1G", "time_based=1", "runtime=100ms"];
    let settings = [&settings[..], more].concat();
    let mut ours = setup.program.turns(&settings, &setup.disk)?;
    let fio = setup.fio()?;
    let mut theirs = fio.job(&[&settings[..], &[THREAD]].concat(), &JobFile::None);
    println!("  fio:  {}", shown(&theirs));
    let rounds = take_turns(
        setup.slices,
        [&mut || ns_per_io(&ours.turn()?), &mut || fio.run(&mut theirs)?.ns_per_io(Direction::Read)],
    )?;
    Ok(vec![time_line("time per I/O", "fio", &rounds, 0, 1).at_most(at_most)])
}

/// The system call for a cached page, and the overhead of the harness.
pub fn psync_shm(setup: &Setup) -> Result<Vec<Line>, String> {
    compare_with_loop(setup, "psync", 1.08, BareLoop::open)
}

/// A copy from a mapped page, and the overhead of the harness.
pub fn mmap_shm(setup: &Setup) -> Result<Vec<Line>, String> {
    compare_with_loop(setup, "mmap", 1.1, BareLoop::map)
}

/// Random reads of a cached file, compared with a bare loop over the same file, and fio.
fn compare_with_loop<S: Source>(
    setup: &Setup,
    engine: &str,
    ratio_max: f64,
    open: impl Fn(&Path, u64) -> Result<BareLoop<S>, String>,
) -> Result<Vec<Line>, String> {
    const LEN_BYTES: u64 = 512 << 20;
    const SLICE: Duration = Duration::from_millis(100);
    let ioengine = format!("ioengine={engine}");
    let settings = [&ioengine, "rw=randread", "bs=4k", "size=512M", "time_based=1", "runtime=100ms"];
    let mut ours = setup.program.turns(&settings, Path::new(SHM))?;
    // All read the same file, which cardiograph writes.
    ours.turn()?;
    let file = ours.file(LEN_BYTES)?;
    let mut bare = open(&file, LEN_BYTES)?;
    println!("  loop: 4 KiB by {engine} of {} (xtask/src/versus/bare_loop.rs)", file.display());
    let mut our_turn = || ns_per_io(&ours.turn()?);
    let Some(fio) = &setup.fio else {
        let rounds = take_turns(setup.slices, [&mut our_turn, &mut || bare.slice(SLICE)])?;
        return Ok(vec![time_line("time per I/O", "loop", &rounds, 0, 1).at_most(ratio_max)]);
    };
    let mut theirs = fio.job(&[&settings[..], &[THREAD]].concat(), &JobFile::Existing(&file));
    println!("  fio:  {}", shown(&theirs));
    let mut fio_turn = || fio.run(&mut theirs)?.ns_per_io(Direction::Read);
    // The loop is in the middle: it is the neighbour of both.
    let rounds = take_turns(setup.slices, [&mut our_turn, &mut || bare.slice(SLICE), &mut fio_turn])?;
    Ok(vec![
        time_line("time per I/O", "loop", &rounds, 0, 1).at_most(ratio_max),
        time_line("time per I/O", "fio", &rounds, 0, 2),
    ])
}

/// Blocks with checksums, written and then verified: the total time.
pub fn verify_shm(setup: &Setup) -> Result<Vec<Line>, String> {
    const LEN_BYTES: u64 = 256 << 20;
    let settings = ["ioengine=psync", "rw=write", "bs=4k", "size=256M", "verify=crc32c"];
    let fio = setup.fio()?;
    let mut ours = setup.program.turns(&settings, Path::new(SHM))?;
    // Both write to the same file, whose memory stays allocated.
    ours.turn()?;
    let file = ours.file(LEN_BYTES)?;
    // fio would leave its state in the working directory.
    let quietly = [THREAD, "verify_state_save=0"];
    let mut theirs = fio.job(&[&settings[..], &quietly].concat(), &JobFile::Existing(&file));
    println!("  fio:  {}", shown(&theirs));
    let mut our_turn = || {
        let merged = ours.turn()?.merged(|_| true);
        let runtime_ns = merged.write.runtime_ns + merged.read.runtime_ns;
        let bytes = merged.write.bytes.min(merged.read.bytes);
        if bytes == LEN_BYTES {
            Ok(bytes as f64 * 1e9 / runtime_ns as f64)
        } else {
            Err("not all blocks were verified".into())
        }
    };
    let mut fio_turn = || {
        let result = fio.run(&mut theirs)?;
        let seconds = |direction| Ok::<_, String>(LEN_BYTES as f64 / result.bytes_per_s(direction)?);
        Ok(LEN_BYTES as f64 / (seconds(Direction::Write)? + seconds(Direction::Read)?))
    };
    let rounds: Vec<[f64; 2]> = take_turns(setup.slices, [&mut our_turn, &mut fio_turn])?;
    let show = |bytes_per_s: f64| BandwidthUnits::Decimal.bandwidth(bytes_per_s);
    Ok(vec![line("write and check", "fio", &rounds, (0, 1), show).at_least(1.5)])
}

/// Many requests in flight on a disk.
///
/// Kernels that sample CPU time at each timer tick (4 ms at 250 Hz) are too imprecise for 100 ms, so a slice
/// lasts 1 s here.
pub fn uring_disk(setup: &Setup) -> Result<Vec<Line>, String> {
    const LEN_BYTES: u64 = 1 << 30;
    let settings = [
        "ioengine=io_uring",
        "iodepth=32",
        "direct=1",
        "rw=randread",
        "bs=4k",
        "size=1G",
        "time_based=1",
        "runtime=1s",
    ];
    let fio = setup.fio()?;
    let mut ours = setup.program.turns(&settings, &setup.disk)?;
    ours.turn()?;
    let file = ours.file(LEN_BYTES)?;
    let mut theirs = fio.job(&[&settings[..], &[THREAD]].concat(), &JobFile::Existing(&file));
    println!("  fio:  {}", shown(&theirs));
    let mut our_turn = || {
        let result = ours.turn()?;
        Ok([1e9 / ns_per_io(&result)?, user_ns_per_io(&result)?])
    };
    let mut fio_turn = || {
        let result = fio.run(&mut theirs)?;
        Ok([1e9 / result.ns_per_io(Direction::Read)?, result.user_ns_per_io(Direction::Read)?])
    };
    let rounds: Vec<[[f64; 2]; 2]> = take_turns(setup.slices, [&mut our_turn, &mut fio_turn])?;
    let column = |figure: usize| rounds.iter().map(|[ours, theirs]| [ours[figure], theirs[figure]]).collect();
    let (iops, user): (Vec<[f64; 2]>, Vec<[f64; 2]>) = (column(0), column(1));
    Ok(vec![
        line("IOPS", "fio", &iops, (0, 1), units::iops).at_least(0.97),
        line("user CPU per I/O", "fio", &user, (0, 1), units::duration_f64).at_most(0.5),
    ])
}

/// A whole process for one I/O: it creates a file, writes 4 KiB, and removes the file.
pub fn start(setup: &Setup) -> Result<Vec<Line>, String> {
    let settings = ["ioengine=psync", "rw=write", "bs=4k", "size=4k"];
    let directory = Path::new(SHM);
    let mut ours = setup.program.job(&settings, directory);
    let mut theirs = setup.fio()?.job(&[&settings[..], &[THREAD]].concat(), &JobFile::CreatedIn(directory));
    println!("  ours: {}\n  fio:  {}", shown(&ours), shown(&theirs));
    let rounds =
        take_turns(setup.slices, [&mut || lifetime_ns(&mut ours), &mut || lifetime_ns(&mut theirs)])?;
    Ok(vec![time_line("start to exit", "fio", &rounds, 0, 1).at_most(0.04)])
}

/// Memory of the processes of 64 clones during a run. fio runs them as processes, its default.
pub fn memory(setup: &Setup) -> Result<Vec<Line>, String> {
    const CLONES: u64 = 64;
    const BLOCK_LEN_BYTES: u64 = 4_096;
    const LEN_BYTES: u64 = 64 << 20;
    const LIMIT_BYTES: u64 = 16_000_000;
    let settings =
        ["ioengine=psync", "numjobs=64", "rw=randread", "bs=4k", "size=64M", "time_based=1", "runtime=2s"];
    let without_buffers = |bytes: u64| bytes.saturating_sub(CLONES * BLOCK_LEN_BYTES);
    let mut ours = setup.program.turns(&settings, &setup.disk)?;
    // The first turn follows the layout, which releases its large buffers.
    ours.turn()?;
    let file = ours.file(LEN_BYTES)?;
    let (result, our_bytes) = peak_pss_bytes(ours.pid(), || ours.turn());
    result?;
    let our_bytes = without_buffers(our_bytes);
    let mut line = Line {
        figure: "64 clones",
        ours: units::bytes_si(our_bytes),
        target: format!("≤ {}", units::bytes_si(LIMIT_BYTES)),
        met: Some(our_bytes <= LIMIT_BYTES),
        ..Line::default()
    };
    if let Some(fio) = &setup.fio {
        let mut theirs = fio.job(&settings, &JobFile::Existing(&file));
        println!("  fio:  {}", shown(&theirs));
        let cannot = |error: std::io::Error| format!("fio: {error}");
        let mut child = theirs.stdout(Stdio::null()).spawn().map_err(cannot)?;
        let (status, their_bytes) = peak_pss_bytes(child.id(), || child.wait());
        if !status.map_err(cannot)?.success() {
            return Err("fio failed".to_string());
        }
        let their_bytes = without_buffers(their_bytes);
        line.theirs = format!("fio {}", units::bytes_si(their_bytes));
        line.ratio = Some(Ratio::from_pairs([(our_bytes as f64, their_bytes as f64)].into_iter()));
    }
    Ok(vec![line])
}

/// Time from before the process is created until it has been reaped, in nanoseconds.
pub fn lifetime_ns(command: &mut Command) -> Result<f64, String> {
    let start = Instant::now();
    let status = command.stdout(Stdio::null()).status();
    let elapsed = start.elapsed();
    match status {
        Ok(status) if status.success() => Ok(elapsed.as_nanos() as f64),
        Ok(status) => Err(format!("{}: {status}", shown(command))),
        Err(error) => Err(format!("{}: {error}", shown(command))),
    }
}

/// Time per I/O of all reads of a run, in nanoseconds.
fn ns_per_io(result: &RunResult) -> Result<f64, String> {
    let iops = result.merged(|_| true).read.iops();
    if iops > 0.0 { Ok(1e9 / iops) } else { Err("cardiograph read nothing".to_string()) }
}

/// User CPU time per read, in nanoseconds.
fn user_ns_per_io(result: &RunResult) -> Result<f64, String> {
    let cpu = result.cpu().ok_or("cardiograph does not know its CPU time")?;
    Ok(cpu.user_ns as f64 / result.merged(|_| true).read.ios.max(1) as f64)
}

/// A line about times in nanoseconds; `ours` and `theirs` are indexes of parties in each round.
pub fn time_line<const N: usize>(
    figure: &'static str,
    peer: &str,
    rounds: &[[f64; N]],
    ours: usize,
    theirs: usize,
) -> Line {
    line(figure, peer, rounds, (ours, theirs), units::duration_f64)
}

/// A line about any figure.
pub fn line<const N: usize>(
    figure: &'static str,
    peer: &str,
    rounds: &[[f64; N]],
    (ours, theirs): (usize, usize),
    show: impl Fn(f64) -> String,
) -> Line {
    let median = |party: usize| stats::median(&rounds.iter().map(|round| round[party]).collect::<Vec<_>>());
    Line {
        figure,
        ours: show(median(ours)),
        theirs: format!("{peer} {}", show(median(theirs))),
        ratio: Some(Ratio::from_pairs(rounds.iter().map(|round| (round[ours], round[theirs])))),
        ..Line::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_medians_and_the_ratio_of_pairs() {
        let rounds = [[1_000.0, 2_000.0, 9.0], [2_000.0, 8_000.0, 9.0], [6_000.0, 6_000.0, 9.0]];
        let line = time_line("time per I/O", "fio", &rounds, 0, 1);
        assert_eq!((line.ours.as_str(), line.theirs.as_str()), ("2.00 µs", "fio 6.00 µs"));
        assert_eq!(line.ratio.map(|ratio| ratio.median), Some(0.5));
        assert_eq!((line.target.as_str(), line.met), ("", None));
    }

    #[test]
    fn the_lifetime_of_a_process() {
        let ns = lifetime_ns(Command::new("sleep").arg("0.02")).unwrap();
        assert!((2e7..5e9).contains(&ns), "{ns}");
        assert!(lifetime_ns(&mut Command::new("false")).unwrap_err().contains("false"));
    }
}
