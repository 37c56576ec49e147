//! The parsers' view of the machine: files, environment, size, and what a name refers to.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::Path;

use cardiograph_core::replay::{Recording, RecordingProblem, ReplayRules};
use cardiograph_core::system_error::{cause, explained};
use cardiograph_core::{JobSpec, Message, Plan, message};
use cardiograph_files::input;
use cardiograph_fio::diagnostics;
use cardiograph_fio::invocation::{Loader, MachineFacts};
use cardiograph_fio::jobfile::FILE_LEN_BYTES_MAX;
use cardiograph_jobs::resolve::{FileFacts, ResolveContext, Resolved, Surroundings, resolve_all};
use cardiograph_jobs::value::PATTERN_LEN_BYTES_MAX;

use crate::failure::Failure;
use crate::job_io::recordings;

/// Program and version, as Reports and passports have them.
pub const PROGRAM: &str = concat!("cardiograph ", env!("CARGO_PKG_VERSION"));

/// The resolved jobs.
///
/// # Errors
/// All errors in them.
pub fn resolved(jobs: &[JobSpec], context: &ResolveContext<'_>) -> Result<Plan, Failure> {
    resolved_all(jobs, context).map(|resolved| resolved.plan)
}

/// The same, with their display.
///
/// # Errors
/// All errors in them.
pub fn resolved_all(jobs: &[JobSpec], context: &ResolveContext<'_>) -> Result<Resolved, Failure> {
    resolve_all(jobs, context).map_err(|found| Failure::usage_lines(found.iter().map(diagnostics::message)))
}

/// A new random seed.
pub fn fresh_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// The running machine.
#[derive(Debug, Default)]
pub struct Machine {
    /// Whether jobs are only checked for errors. Then special files count as regular ones: scripts use
    /// `/dev/null` to ask whether an engine is available.
    pub opens_nothing: bool,
}

impl Loader for Machine {
    fn load(&mut self, path: &str) -> Result<Vec<u8>, Message> {
        let file = input::open(Path::new(path));
        let read = file.and_then(|file| {
            input::read_limited(file, FILE_LEN_BYTES_MAX as u64, message!("input-kind.job-files"))
        });
        read.map_err(|error| cause(&error))
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn machine(&self) -> MachineFacts {
        let memory = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let memory_kib: Option<u64> = memory
            .lines()
            .find_map(|line| line.strip_prefix("MemTotal:"))
            .and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        MachineFacts {
            page_len_bytes: rustix::param::page_size() as u64,
            memory_mib: memory_kib.unwrap_or(0) / 1_024,
            cpus: std::thread::available_parallelism().map_or(1, |count| count.get() as u64),
        }
    }
}

impl Surroundings for Machine {
    fn file(&self, path: &str) -> FileFacts {
        match cardiograph_engine::files::facts(Path::new(path)) {
            FileFacts::Other { .. } if self.opens_nothing => FileFacts::File { len_bytes: 0 },
            facts => facts,
        }
    }

    fn is_directory(&self, path: &str) -> bool {
        Path::new(path).is_dir()
    }

    fn pattern_file(&self, path: &str) -> Result<Vec<u8>, Message> {
        let read = || {
            // Anything but a regular file might block on open.
            if !std::fs::metadata(path)?.is_file() {
                return Err(explained(io::ErrorKind::Other, message!("jobs-pattern.not-a-file")));
            }
            input::read_limited(
                input::open(Path::new(path))?,
                PATTERN_LEN_BYTES_MAX as u64,
                message!("input-kind.patterns"),
            )
        };
        read().map_err(|error| cause(&error))
    }

    fn recording(&self, path: &str, rules: &ReplayRules) -> Result<Recording, RecordingProblem> {
        recordings::scan(path, rules)
    }
}
