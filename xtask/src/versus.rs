//! `cargo xtask versus`: compares speed and size with fio and with a bare loop.
//!
//! The machine is noisy, more so over minutes than over fractions of a second. So the parties take turns of
//! short slices, in one order and then in the other; the ratio is taken within each round, between neighbours
//! in time; and the result is the median of these ratios, shown with its 95 % interval. cardiograph is
//! measured as released, through its command line. Each tool's own figures are used: its I/Os and its
//! runtime, without the start of the process, which has a separate row.
//!
//! A target is judged only with at least [`SLICES_MIN`] slices. With fewer, the rows only show that they run.

mod answers;
mod bare_loop;
mod fio;
mod front_rows;
mod log_rows;
mod memory;
mod program;
mod ratio;
mod rows;
mod serve_rows;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use fio::Fio;
use program::Program;
use table::Line;

/// Minimum number of slices of each party to judge a target, and the default.
const SLICES_MIN: usize = 20;

const USAGE: &str = "\
Usage: cargo xtask versus [ROW...] [--slices N] [--program FILE] [--list]

Without ROW, all rows but those of the server are measured; serve stands for these. With fewer than 20 slices, no target is judged.";

/// A comparison.
struct Row {
    name: &'static str,
    what: &'static str,
    needs_fio: bool,
    measure: fn(&Setup) -> Result<Vec<Line>, String>,
}

const ROWS: &[Row] = &[
    Row {
        name: "null",
        what: "4 KiB random reads that do no I/O: time per I/O, at most 0.45 of fio's",
        needs_fio: true,
        measure: rows::null,
    },
    Row {
        name: "zipf",
        what: "the same by Zipf's law (zipf:1.1): time per I/O, at most 0.5 of fio's",
        needs_fio: true,
        measure: rows::zipf,
    },
    Row {
        name: "psync-shm",
        what: "4 KiB random reads of 512 MiB in /dev/shm: time per I/O, at most 1.08 of a bare loop's",
        needs_fio: false,
        measure: rows::psync_shm,
    },
    Row {
        name: "verify-shm",
        what: "256 MiB written with verify=crc32c in /dev/shm and verified: at least 1.5 times fio's throughput",
        needs_fio: true,
        measure: rows::verify_shm,
    },
    Row {
        name: "mmap-shm",
        what: "4 KiB random reads of 512 MiB in /dev/shm by mmap: time per I/O, at most 1.1 of a bare loop's",
        needs_fio: false,
        measure: rows::mmap_shm,
    },
    Row {
        name: "uring-disk",
        what: "io_uring, depth 32, 4 KiB random reads, O_DIRECT: at least 0.97 of fio's IOPS with at most 0.5 of its \
               user CPU time per I/O",
        needs_fio: true,
        measure: rows::uring_disk,
    },
    Row {
        name: "start",
        what: "a job that does one I/O, from start to exit: at most 0.04 of fio's time",
        needs_fio: true,
        measure: rows::start,
    },
    Row {
        name: "memory",
        what: "64 psync clones: memory of all processes without buffers, at most 16 MB",
        needs_fio: false,
        measure: rows::memory,
    },
    Row {
        name: "sections",
        what: "a job file of 200 null sections, from start to exit: ahead of fio",
        needs_fio: true,
        measure: front_rows::sections,
    },
    Row {
        name: "parse",
        what: "a job file of 10,000 sections, parsed but not run: ahead of fio",
        needs_fio: true,
        measure: front_rows::parse,
    },
    Row {
        name: "grouped",
        what: "64 psync jobs on one file in /dev/shm, reported as one: time per I/O, ahead of fio",
        needs_fio: true,
        measure: front_rows::grouped,
    },
    Row {
        name: "libaio-disk",
        what: "libaio, depth 32, 4 KiB random reads, O_DIRECT: at least 0.97 of fio's IOPS with at most 0.5 of its \
               user CPU time per I/O",
        needs_fio: true,
        measure: front_rows::libaio_disk,
    },
    Row {
        name: "layout",
        what: "the layout of 4 GiB: at least 0.95 of the disk's own sequential writing",
        needs_fio: true,
        measure: front_rows::layout,
    },
    Row {
        name: "lat-log",
        what: "a log of each I/O's latency, 4 KiB random reads in /dev/shm: added time per I/O, at most 0.5 of \
               fio's",
        needs_fio: true,
        measure: log_rows::lat_log,
    },
    Row {
        name: "answers",
        what: "random read and durable write, five runs each: bandwidth and p50 within 3 % of fio's, p99 within 10 %, \
               or inside the range of fio's own five",
        needs_fio: true,
        measure: answers::measure,
    },
];

/// The server under load: measured if they are asked for, since they take long.
const SERVE_ROWS: &[Row] = &[
    Row {
        name: "serve-senders",
        what: "Reports of quick from 50 senders: at least 20/s, 99 of 100 within a second, at most 150 MB",
        needs_fio: false,
        measure: serve_rows::senders,
    },
    Row {
        name: "serve-lists",
        what: "pages of 100,000 checkups of 10,000 drives: 99 of 100 within 100 ms",
        needs_fio: false,
        measure: serve_rows::lists,
    },
    Row {
        name: "serve-heads",
        what: "lists of 1,000,000 checkups of 10,000 drives in PostgreSQL, which take half an hour to save: 99 of 100 within 100 ms",
        needs_fio: false,
        measure: serve_rows::heads,
    },
    Row {
        name: "serve-live",
        what: "a checkup of the disk with 50 viewers: at least 0.95 of its IOPS without any, events within 200 ms",
        needs_fio: false,
        measure: serve_rows::live,
    },
    Row {
        name: "serve-idle",
        what: "a server that nobody uses: at most 40 MB and 0.1 % of a core",
        needs_fio: false,
        measure: serve_rows::idle,
    },
];

fn all_rows() -> impl Iterator<Item = &'static Row> {
    ROWS.iter().chain(SERVE_ROWS)
}

/// The common setup of the rows.
struct Setup {
    slices: usize,
    program: Program,
    fio: Option<Fio>,
    /// A directory on the disk of the build.
    disk: PathBuf,
}

impl Setup {
    /// fio, or an error for a row that needs it.
    fn fio(&self) -> Result<&Fio, String> {
        self.fio.as_ref().ok_or_else(|| "fio is not installed".to_string())
    }
}

/// The parsed arguments.
#[derive(Debug, PartialEq, Eq)]
struct Request {
    rows: Vec<String>,
    slices: usize,
    program: Option<PathBuf>,
    list: bool,
}

/// Measures and prints the table. The exit code says whether all targets are met.
pub fn run(arguments: &[&str]) -> Result<ExitCode, String> {
    let request = parse(arguments)?;
    if request.list {
        all_rows().for_each(|row| println!("{:<11} {}", row.name, row.what));
        return Ok(ExitCode::SUCCESS);
    }
    let program = request.program.map_or_else(Program::build, |path| Ok(Program::at(path)))?;
    let disk = program.scratch_directory()?;
    let setup = Setup { slices: request.slices, program, fio: Fio::find(), disk };
    let version = setup.fio.as_ref().map_or("not installed", |fio| fio.version.as_str());
    println!("fio: {version}; {} slices of each, in turns", setup.slices);
    let lines = measure(&setup, &request.rows);
    // Every party removes its own files; ignore a failure to remove the empty directory.
    let _ = std::fs::remove_dir(&setup.disk);
    let mut lines = lines?;
    if setup.slices < SLICES_MIN {
        println!("\nfewer than {SLICES_MIN} slices: no target is judged");
        lines.iter_mut().for_each(|line| line.met = None);
    }
    print!("\n{}", table::render(&lines));
    let missed = lines.iter().any(|line| line.met == Some(false));
    Ok(if missed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn measure(setup: &Setup, names: &[String]) -> Result<Vec<Line>, String> {
    let mut lines = Vec::new();
    let is_asked = |row: &&Row| names.iter().any(|name| name == row.name);
    let by_default: &[Row] = if names.is_empty() { ROWS } else { &[] };
    for row in by_default.iter().chain(all_rows().filter(is_asked)) {
        println!("\n{}: {}", row.name, row.what);
        if row.needs_fio && setup.fio.is_none() {
            println!("  skipped: fio is not installed");
            continue;
        }
        let measured = (row.measure)(setup).map_err(|error| format!("{}: {error}", row.name))?;
        lines.extend(measured.into_iter().map(|line| Line { row: row.name, ..line }));
    }
    Ok(lines)
}

fn parse(arguments: &[&str]) -> Result<Request, String> {
    let mut request = Request { rows: Vec::new(), slices: SLICES_MIN, program: None, list: false };
    let mut arguments = arguments.iter();
    while let Some(&argument) = arguments.next() {
        match argument {
            "--list" => request.list = true,
            "--slices" => {
                let count = arguments.next().and_then(|count| count.parse().ok()).filter(|&count| count > 0);
                request.slices =
                    count.ok_or_else(|| format!("--slices needs a number above 0\n\n{USAGE}"))?;
            }
            "--program" => {
                request.program = Some(PathBuf::from(arguments.next().ok_or("--program needs a file")?));
            }
            "serve" => request.rows.extend(SERVE_ROWS.iter().map(|row| row.name.to_string())),
            name if all_rows().any(|row| row.name == name) => request.rows.push(name.to_string()),
            other => {
                let names: Vec<&str> = all_rows().map(|row| row.name).collect();
                return Err(format!("unknown row '{other}'; choose from: {}\n\n{USAGE}", names.join(", ")));
            }
        }
    }
    Ok(request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments() {
        let all = Request { rows: Vec::new(), slices: SLICES_MIN, program: None, list: false };
        assert_eq!(parse(&[]), Ok(all));
        let some =
            Request { rows: vec!["null".into(), "start".into()], slices: 2, program: None, list: true };
        assert_eq!(parse(&["null", "--slices", "2", "start", "--list"]), Ok(some));
        for wrong in [&["--slices"][..], &["--slices", "0"], &["--slices", "x"]] {
            assert!(parse(wrong).unwrap_err().contains("number above 0"), "{wrong:?}");
        }
        assert!(parse(&["nul"]).unwrap_err().contains("unknown row 'nul'; choose from: null, zipf"));
    }

    #[test]
    fn row_names_are_unique() {
        let mut names: Vec<&str> = all_rows().map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ROWS.len() + SERVE_ROWS.len());
    }
}
