//! The installed fio.

use std::path::Path;
use std::process::Command;

use cardiograph_core::Direction;
use cardiograph_core::NS_PER_MS;
use serde_json::Value;

use crate::workspace::stdout_of;

/// The program.
pub struct Fio {
    /// Its version string, such as `fio-3.33`.
    pub version: String,
}

/// The file of a fio job.
pub enum JobFile<'a> {
    /// Created in a directory, and removed afterwards.
    CreatedIn(&'a Path),
    /// An existing file.
    Existing(&'a Path),
    /// No file.
    None,
}

impl Fio {
    /// fio, if it is installed.
    pub fn find() -> Option<Self> {
        let version = stdout_of(Command::new("fio").arg("--version")).ok()?;
        Some(Self { version: version.trim().to_string() })
    }

    /// The command of a job with these settings, with all of fio's default measurements.
    pub fn job(&self, settings: &[&str], file: &JobFile) -> Command {
        let mut command = Command::new("fio");
        command.args(["--name=versus", "--output-format=json"]);
        command.args(settings.iter().map(|setting| format!("--{setting}")));
        match file {
            JobFile::CreatedIn(path) => {
                command.arg(format!("--directory={}", path.display())).arg("--unlink=1");
            }
            JobFile::Existing(path) => {
                command.arg(format!("--filename={}", path.display()));
            }
            JobFile::None => {}
        }
        command
    }

    /// Runs a job once.
    pub fn run(&self, command: &mut Command) -> Result<FioResult, String> {
        FioResult::parse(&stdout_of(command)?)
    }
}

/// The results of fio's first job.
#[derive(Debug)]
pub struct FioResult {
    job: Value,
}

impl FioResult {
    /// Reads fio's JSON, possibly after remarks.
    pub fn parse(text: &str) -> Result<Self, String> {
        let start = text.find('{').ok_or("fio wrote no JSON")?;
        let all: Value = serde_json::from_str(&text[start..])
            .map_err(|error| format!("fio's JSON cannot be read: {error}"))?;
        let job = all["jobs"][0].clone();
        match job["error"].as_i64() {
            Some(0) => Ok(Self { job }),
            Some(errno) => Err(format!("fio's job failed with error {errno}")),
            None => Err("fio's JSON has no job".to_string()),
        }
    }

    fn number(&self, path: &[&str]) -> Result<f64, String> {
        let value = path.iter().fold(&self.job, |value, key| &value[*key]);
        value.as_f64().ok_or_else(|| format!("fio's JSON has no number at {}", path.join(".")))
    }

    fn direction(&self, direction: Direction, key: &str) -> Result<f64, String> {
        self.number(&[direction.name(), key])
    }

    /// Time per I/O in nanoseconds.
    ///
    /// fio reports the runtime in whole milliseconds, rounded down. A timed slice ends with the first
    /// completion after its time, so it is hardly longer than reported, and 100 ms are precise to better than
    /// 1 %.
    pub fn ns_per_io(&self, direction: Direction) -> Result<f64, String> {
        let runtime_ns = self.direction(direction, "runtime")? * NS_PER_MS as f64;
        Ok(runtime_ns / self.direction(direction, "total_ios")?.max(1.0))
    }

    /// User CPU time per I/O in nanoseconds. fio reports it in percent of the job's runtime.
    pub fn user_ns_per_io(&self, direction: Direction) -> Result<f64, String> {
        let job_runtime_ns = self.number(&["job_runtime"])? * NS_PER_MS as f64;
        let user_ns = self.number(&["usr_cpu"])? / 100.0 * job_runtime_ns;
        Ok(user_ns / self.direction(direction, "total_ios")?.max(1.0))
    }

    /// Bytes per second.
    pub fn bytes_per_s(&self, direction: Direction) -> Result<f64, String> {
        self.direction(direction, "bw_bytes")
    }

    /// A percentile (0 to 100) of completion latency in nanoseconds; for syncs, of their latency.
    pub fn percentile_ns(&self, direction: Direction, percentile: f64) -> Result<f64, String> {
        let kind = if direction == Direction::Sync { "lat_ns" } else { "clat_ns" };
        self.number(&[direction.name(), kind, "percentile", &format!("{percentile:.6}")])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::versus::program::shown;

    const OUTPUT: &str = r#"note: both iodepth >= 1 and synchronous I/O engine are selected
{"fio version": "fio-3.33", "jobs": [{"error": 0, "job_runtime": 100, "usr_cpu": 66.0,
  "read": {"total_ios": 444857, "runtime": 100, "bw_bytes": 18000000, "clat_ns": {"percentile": {"50.000000": 24, "99.900000": 44}}},
  "sync": {"lat_ns": {"percentile": {"99.000000": 321536}}}}]}"#;

    #[test]
    fn figures_are_read() {
        let result = FioResult::parse(OUTPUT).unwrap();
        assert!((result.ns_per_io(Direction::Read).unwrap() - 224.791).abs() < 0.001);
        assert!((result.user_ns_per_io(Direction::Read).unwrap() - 148.362).abs() < 0.001);
        assert_eq!(result.bytes_per_s(Direction::Read), Ok(18e6));
        assert_eq!(result.percentile_ns(Direction::Read, 99.9), Ok(44.0));
        assert_eq!(result.percentile_ns(Direction::Sync, 99.0), Ok(321_536.0));
        assert!(result.bytes_per_s(Direction::Write).unwrap_err().contains("write.bw_bytes"));
    }

    #[test]
    fn failures_are_noticed() {
        assert!(FioResult::parse("fio: bad option").unwrap_err().contains("no JSON"));
        assert!(FioResult::parse("{\"jobs\": []}").unwrap_err().contains("no job"));
        let failed = OUTPUT.replace("\"error\": 0", "\"error\": 28");
        assert!(FioResult::parse(&failed).unwrap_err().contains("error 28"));
    }

    #[test]
    fn the_same_settings_make_the_same_job() {
        let fio = Fio { version: String::new() };
        let line = |file: &JobFile| shown(&fio.job(&["rw=read", "bs=4k"], file));
        let common = "fio --name=versus --output-format=json --rw=read --bs=4k";
        assert_eq!(line(&JobFile::None), common);
        assert_eq!(line(&JobFile::CreatedIn(Path::new("/x"))), format!("{common} --directory=/x --unlink=1"));
        assert_eq!(line(&JobFile::Existing(Path::new("/x/f"))), format!("{common} --filename=/x/f"));
    }
}
