//! The rows for use in place of fio: the same command line and the same JSON for both.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use cardiograph_core::Direction;
use cardiograph_core::units::{self, BandwidthUnits};

use super::Setup;
use super::fio::FioResult;
use super::program::shown;
use super::ratio::take_turns;
use super::rows::{SHM, lifetime_ns, line, time_line};
use super::table::Line;
use crate::workspace::stdout_of;

/// Sections of the executed job file.
const SECTIONS_RUN: usize = 200;
/// Sections of the job file that is only parsed.
const SECTIONS_READ: usize = 10_000;

/// A job file of many jobs that do almost nothing, from start to exit.
pub fn sections(setup: &Setup) -> Result<Vec<Line>, String> {
    let file = job_file(setup, "sections.fio", SECTIONS_RUN, "ioengine=null\nsize=1M\nbs=4k\nthread\n")?;
    let mut parties = Parties::new(setup, [file.display().to_string()])?;
    let rounds = take_turns(
        setup.slices,
        [&mut || lifetime_ns(&mut parties.ours), &mut || lifetime_ns(&mut parties.theirs)],
    )?;
    Ok(vec![time_line("200 sections", "fio", &rounds, 0, 1).at_most(0.95)])
}

/// A long job file that is parsed but not run.
pub fn parse(setup: &Setup) -> Result<Vec<Line>, String> {
    let globals = "ioengine=null\nsize=1M\nbs=4k\nrw=randread\niodepth=4\n";
    let file = job_file(setup, "parse.fio", SECTIONS_READ, globals)?;
    let mut parties = Parties::new(setup, ["--parse-only".to_string(), file.display().to_string()])?;
    let rounds = take_turns(
        setup.slices,
        [&mut || lifetime_ns(&mut parties.ours), &mut || lifetime_ns(&mut parties.theirs)],
    )?;
    Ok(vec![time_line("10,000 sections", "fio", &rounds, 0, 1).at_most(0.95)])
}

/// 64 jobs that share a file and are reported as one, as on a server. fio's are threads, too: as processes
/// each would have its own scheduling group, and on a busy machine 64 of them starve all others.
pub fn grouped(setup: &Setup) -> Result<Vec<Line>, String> {
    let file = Path::new(SHM).join("cardiograph-versus-grouped");
    let words = [
        "--name=grouped",
        "--ioengine=psync",
        "--rw=randread",
        "--bs=4k",
        "--size=256M",
        "--numjobs=64",
        "--group_reporting",
        "--thread",
        "--time_based",
        "--runtime=500ms",
        "--output-format=json",
    ];
    let words = words.map(str::to_string).into_iter().chain([format!("--filename={}", file.display())]);
    let mut parties = Parties::new(setup, words)?;
    let ns_per_io = |command: &mut Command| result(command)?.ns_per_io(Direction::Read);
    let rounds = take_turns(
        setup.slices,
        [&mut || ns_per_io(&mut parties.ours), &mut || ns_per_io(&mut parties.theirs)],
    );
    // Both leave the file behind.
    let _ = std::fs::remove_file(&file);
    Ok(vec![time_line("time per I/O", "fio", &rounds?, 0, 1).at_most(0.95)])
}

/// Many requests in flight through the engine named by most job files.
pub fn libaio_disk(setup: &Setup) -> Result<Vec<Line>, String> {
    let file = setup.disk.join("libaio-disk");
    let words = [
        "--name=libaio",
        "--ioengine=libaio",
        "--iodepth=32",
        "--direct=1",
        "--rw=randread",
        "--bs=4k",
        "--size=1G",
        "--time_based",
        "--runtime=1s",
        "--thread",
        "--output-format=json",
    ];
    let words = words.map(str::to_string).into_iter().chain([format!("--filename={}", file.display())]);
    let mut parties = Parties::new(setup, words)?;
    let figures = |command: &mut Command| {
        let result = result(command)?;
        Ok([1e9 / result.ns_per_io(Direction::Read)?, result.user_ns_per_io(Direction::Read)?])
    };
    let rounds: Result<Vec<[[f64; 2]; 2]>, String> =
        take_turns(setup.slices, [&mut || figures(&mut parties.ours), &mut || figures(&mut parties.theirs)]);
    let _ = std::fs::remove_file(&file);
    let rounds = rounds?;
    let column = |figure: usize| rounds.iter().map(|[ours, theirs]| [ours[figure], theirs[figure]]).collect();
    let (iops, user): (Vec<[f64; 2]>, Vec<[f64; 2]>) = (column(0), column(1));
    Ok(vec![
        line("IOPS", "fio", &iops, (0, 1), units::iops).at_least(0.97),
        line("user CPU per I/O", "fio", &user, (0, 1), units::duration_f64).at_most(0.5),
    ])
}

/// The layout of a large file, from start to exit, compared with the disk's sequential writing: fio's, in
/// blocks of 1 MiB at QD4 with O_DIRECT, to a new file of the same length. Writing to the same file again,
/// which needs no allocation, is shown for information: no layout can reach that.
pub fn layout(setup: &Setup) -> Result<Vec<Line>, String> {
    const LEN_BYTES: u64 = 4 << 30;
    let (ours, theirs) = (setup.disk.join("layout-ours"), setup.disk.join("layout-written"));
    let words = ["--name=layout", "--rw=read", "--size=4G", "--create_only=1", "--output-format=json"];
    let mut lay_out = setup.program.fio(words);
    lay_out.arg(format!("--filename={}", ours.display()));
    let mut write = Command::new("fio");
    write.args(["--name=write", "--rw=write", "--bs=1M", "--size=4G", "--direct=1", "--ioengine=io_uring"]);
    write.args(["--iodepth=4", "--thread", "--output-format=json"]);
    write.arg(format!("--filename={}", theirs.display()));
    setup.fio()?;
    println!("  ours: {}\n  fio:  {}", shown(&lay_out), shown(&write));
    let mut our_turn = || {
        // An existing file would be reused.
        let _ = std::fs::remove_file(&ours);
        Ok([LEN_BYTES as f64 * 1e9 / lifetime_ns(&mut lay_out)?; 2])
    };
    let mut their_turn = || {
        let _ = std::fs::remove_file(&theirs);
        let new = result(&mut write)?.bytes_per_s(Direction::Write)?;
        Ok([new, result(&mut write)?.bytes_per_s(Direction::Write)?])
    };
    // Each slice writes gigabytes: a few are enough.
    let rounds = take_turns(setup.slices.min(9), [&mut our_turn, &mut their_turn]);
    [&ours, &theirs].into_iter().for_each(|file| drop(std::fs::remove_file(file)));
    let rounds: Vec<[[f64; 2]; 2]> = rounds?;
    let column = |figure: usize| -> Vec<[f64; 2]> {
        rounds.iter().map(|[ours, theirs]| [ours[figure], theirs[figure]]).collect()
    };
    Ok(vec![
        line("4 GiB, a new file", "disk", &column(0), (0, 1), |value| {
            BandwidthUnits::Decimal.bandwidth(value)
        })
        .at_least(0.95),
        line("4 GiB, room there", "disk", &column(1), (0, 1), |value| {
            BandwidthUnits::Decimal.bandwidth(value)
        }),
    ])
}

/// The same command line, for both.
struct Parties {
    ours: Command,
    theirs: Command,
}

impl Parties {
    fn new(setup: &Setup, words: impl IntoIterator<Item = String>) -> Result<Self, String> {
        setup.fio()?;
        let words: Vec<String> = words.into_iter().collect();
        let ours = setup.program.fio(&words);
        let mut theirs = Command::new("fio");
        theirs.args(&words);
        println!("  ours: {}\n  fio:  {}", shown(&ours), shown(&theirs));
        Ok(Self { ours, theirs })
    }
}

fn result(command: &mut Command) -> Result<FioResult, String> {
    FioResult::parse(&stdout_of(command)?)
}

/// Writes a job file of many sections with the same options.
fn job_file(setup: &Setup, name: &str, sections: usize, globals: &str) -> Result<PathBuf, String> {
    let mut text = format!("[global]\n{globals}");
    for section in 0..sections {
        // Writing to a String cannot fail.
        let _ = write!(text, "[job{section}]\nbs=8k\n");
    }
    let path = setup.disk.join(name);
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}
