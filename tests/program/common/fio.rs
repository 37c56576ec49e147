//! Running the program as fio, and reading what it and Debian's fio write.

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

use super::{Bench, Outcome, PROGRAM, run};
pub use cardiograph_testing::drives::PLAIN;

/// One line of a log with offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogLine {
    pub at_ms: u64,
    pub value: u64,
    /// 0 read, 1 write.
    pub direction: u64,
    pub len_bytes: u64,
    pub offset_bytes: u64,
}

/// With the default clock, Debian's fio compares the counters of all processors at each start, which takes longer than most of
/// these jobs.
pub const QUICK_CLOCK: &str = "--clocksource=clock_gettime";

/// The program run as `fio`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fio {
    /// The program under test.
    Ours,
    /// Debian's fio.
    Debian,
}

impl Fio {
    /// The program, and Debian's fio where it is installed; otherwise the comparison is noted as skipped.
    pub fn all(test: &str) -> Vec<Fio> {
        match debian_fio_version() {
            Some(_) => vec![Fio::Ours, Fio::Debian],
            None => {
                cardiograph_testing::skip(test, "its comparison needs Debian's fio");
                vec![Fio::Ours]
            }
        }
    }
}

impl Bench {
    /// The command that runs one of the two with these arguments.
    pub fn fio_by<'a>(&self, who: Fio, arguments: impl IntoIterator<Item = &'a str>) -> Command {
        let (program, first) = match who {
            Fio::Ours => (PROGRAM, "fio"),
            Fio::Debian => ("/usr/bin/fio", QUICK_CLOCK),
        };
        self.command(program, [first].into_iter().chain(arguments))
    }

    /// Runs the program as fio. `line` is its arguments, separated by spaces.
    pub fn fio(&self, line: &str) -> Outcome {
        run(self.fio_by(Fio::Ours, line.split_whitespace()))
    }

    /// Runs a job named `job` as fio, on the plain simulated drive unless the line names an engine. Returns the JSON.
    pub fn job(&self, line: &str) -> Value {
        let outcome = self.fio(&format!("--output-format=json {}", self.job_line(line))).exits_with(0);
        serde_json::from_str(&outcome.stdout).unwrap_or_else(|error| panic!("{error}: {}", outcome.stdout))
    }

    fn job_line(&self, line: &str) -> String {
        if line.contains("--ioengine=") {
            return format!("--name=job {line}");
        }
        self.file("plain.toml", PLAIN);
        format!("--name=job --ioengine=sim --sim_model=plain.toml {line}")
    }

    /// Runs a job on the plain simulated drive (or the engine that the line names). Returns the I/Os it did, in order of
    /// completion.
    pub fn ios(&self, line: &str) -> Vec<LogLine> {
        self.job(&format!("{line} --write_lat_log=ios --log_offset=1"));
        self.log("ios_lat.1.log")
    }

    /// The lines of a log written with `log_offset=1`.
    pub fn log(&self, name: &str) -> Vec<LogLine> {
        let text =
            std::fs::read_to_string(self.work().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        text.lines().map(log_line).collect()
    }

    /// Runs Debian's fio in this bench; `None` where it is not installed.
    pub fn debian_fio(&self, line: &str) -> Option<Outcome> {
        debian_fio_version()?;
        Some(run(self.fio_by(Fio::Debian, line.split_whitespace())))
    }
}

fn log_line(line: &str) -> LogLine {
    let fields: Vec<u64> =
        line.split(", ").map(|field| field.parse().unwrap_or_else(|_| panic!("{line}"))).collect();
    let [at_ms, value, direction, len_bytes, offset_bytes, _] = fields[..] else { panic!("{line}") };
    LogLine { at_ms, value, direction, len_bytes, offset_bytes }
}

/// The version of Debian's fio, where it is installed.
pub fn debian_fio_version() -> Option<&'static str> {
    static VERSION: OnceLock<Option<String>> = OnceLock::new();
    let ask = || {
        let fio = Path::new("/usr/bin/fio");
        let output = fio.exists().then(|| Command::new(fio).arg("--version").output().ok())??;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    VERSION.get_or_init(ask).as_deref()
}

/// Whether a case with a known result is also compared with Debian's fio: one in three, and all in full proofs, because it
/// takes longer to start than the program to end. Where it is not installed, that is noted.
pub fn is_compared(line: &str) -> bool {
    let is_asked =
        line.bytes().map(usize::from).sum::<usize>().is_multiple_of(cardiograph_testing::part_or_all(3, 1));
    if is_asked && debian_fio_version().is_none() {
        cardiograph_testing::skip(&format!("what fio does with {line}"), "fio is not installed");
        return false;
    }
    is_asked
}

/// The names of the jobs in fio's JSON, in order.
pub fn job_names(json: &Value) -> Vec<&str> {
    json["jobs"].as_array().unwrap().iter().map(|job| job["jobname"].as_str().unwrap()).collect()
}

/// The JSON in the output of Debian's fio, which may begin with remarks.
pub fn json_of(outcome: &Outcome) -> Value {
    let start =
        outcome.stdout.find('{').unwrap_or_else(|| panic!("no JSON: {} {}", outcome.stdout, outcome.stderr));
    serde_json::from_str(&outcome.stdout[start..]).unwrap()
}
