//! Errors of lower layers as Messages for people: what, where, why, what to do.

use std::io;
use std::path::Path;
use std::time::Duration;

use cardiograph_core::nearest::suggestion;
use cardiograph_core::result::{IoFailure, RunOutcome, RunResult, Verified};
use cardiograph_core::verify::Checksum;
use cardiograph_core::workload::Content;
use cardiograph_core::{Message, Parameter, Workload, message};
use cardiograph_engine::RunError;
use cardiograph_engine::sim::MODELS;
use cardiograph_suites::{OnDevice, SUITES, Settings};
use rustix::io::Errno;
use signal_hook::consts::{SIGABRT, SIGBUS, SIGKILL, SIGSEGV};

use crate::failure::Failure;

mod app;

pub use app::{app_directory_remains, app_failure};

/// An error with what to do about it.
const ADVISED: &str = "with-advice";

/// A path that cannot be used.
pub fn path_error(path: &Path, error: &io::Error) -> Failure {
    Failure::usage(match error.kind() {
        io::ErrorKind::NotFound => message!("checkup-target-missing", path),
        io::ErrorKind::PermissionDenied => message!("checkup-target-not-permitted", path),
        _ => message!("checkup-target-unusable", path, error),
    })
}

/// A device for a suite that works in files.
pub fn not_for_devices(path: &Path, suite: &str) -> Failure {
    let takes = SUITES.iter().filter(|suite| suite.traits(&Settings::default()).on_device != OnDevice::Never);
    let suites = Parameter::all(takes.map(|suite| suite.name()));
    Failure::usage(message!("checkup-target-is-a-device", path, suite, suites))
}

/// A device that is shorter than a step needs.
pub fn device_too_small(path: &Path, needed_bytes: u64, len_bytes: u64) -> Failure {
    let (length, needed) = (Parameter::Bytes(len_bytes), Parameter::Bytes(needed_bytes));
    Failure::usage(message!("checkup-target-too-small", path, length, needed))
}

/// Sysfs did not respond within the time limit.
pub fn silent_drive(name: Option<&Path>) -> Failure {
    Failure::io(match name {
        Some(path) => message!("drives-silent.named", path),
        None => message!("drives-silent"),
    })
}

/// A model that is neither shipped nor a file.
pub fn no_model(name: &str, error: &io::Error) -> Failure {
    let models: Vec<&str> = MODELS.iter().map(|(name, _)| *name).collect();
    let hint = suggestion(name, &models);
    Failure::usage(message!("checkup-target-no-model", model = name, error, hint))
}

/// Too little space for test files.
pub fn too_little_space(path: &Path, len_bytes: u64, available_bytes: u64, margin_bytes: u64) -> Failure {
    Failure::usage(message!(
        "checkup-target-no-room",
        path,
        available = Parameter::Bytes(available_bytes),
        needed = Parameter::Bytes(len_bytes),
        margin = Parameter::Bytes(margin_bytes)
    ))
}

/// A run that could not begin.
pub fn run_error(error: &RunError) -> Failure {
    Failure::usage(error.message())
}

/// What to do about an error number, if anything.
fn advice(errno: i32) -> Option<Message> {
    Some(match Errno::from_raw_os_error(errno) {
        Errno::IO => message!("advice.failing"),
        Errno::NOSPC => message!("advice.full"),
        Errno::FBIG => message!("advice.file-limit"),
        Errno::NODEV | Errno::NXIO => message!("advice.gone"),
        Errno::ROFS => message!("advice.read-only"),
        _ => return None,
    })
}

/// An error with what to do about it, if anything.
pub(crate) fn with_advice(error: Message, advice: Option<Message>) -> Message {
    match advice {
        Some(advice) => message!("with-advice", error, advice),
        None => error,
    }
}

/// The same by error number.
pub fn advised(error: Message, errno: i32) -> Message {
    with_advice(error, advice(errno))
}

/// Message for an I/O that failed because its drive disappeared, whatever the error.
pub fn gone(error: Message) -> Message {
    let bare = match error.parameter("error") {
        Some(Parameter::Message(bare)) if error.id() == ADVISED => (**bare).clone(),
        _ => error,
    };
    with_advice(bare, Some(message!("advice.gone")))
}

/// An I/O that failed.
pub fn io_failure(failure: &IoFailure) -> Message {
    let &IoFailure { direction, offset_bytes, len_bytes, errno } = failure;
    let (direction, error) = (direction.message(), Parameter::OsError(errno));
    let failed = match len_bytes {
        0 => message!("io-failed", direction, error),
        _ => message!(
            "io-failed-at",
            direction,
            length = Parameter::Bytes(len_bytes),
            offset = Parameter::Bytes(offset_bytes),
            error
        ),
    };
    match Errno::from_raw_os_error(errno) {
        Errno::INVAL => with_advice(failed, Some(message!("advice.block-size"))),
        _ => advised(failed, errno),
    }
}

/// Blocks read back with wrong content.
pub fn verify_failure(verified: &Verified) -> Message {
    let (bad, blocks) = (verified.bad_blocks, verified.blocks);
    let Some(first) = &verified.first else { return message!("verify-failed", bad, blocks) };
    message!(
        "verify-failed-first",
        bad,
        blocks,
        target = &first.target,
        offset = first.offset_bytes.to_string(),
        length = first.len_bytes.to_string(),
        kind = first.kind.name(),
        expected = first.expected.clone(),
        found = first.found.clone()
    )
}

/// What verification of a pattern cannot detect, if that is all that is verified.
pub fn undetected_by_pattern(workload: &Workload) -> Option<Message> {
    let verify = workload.verify.as_ref()?;
    let Content::Pattern { pattern } = &workload.content else { return None };
    (verify.checksum == Checksum::Pattern).then(|| match pattern.has_offsets() {
        true => message!("verify-pattern.offsets"),
        false => message!("verify-pattern.equal"),
    })
}

/// Number of stuck threads of a run.
pub fn held_threads(result: &RunResult) -> usize {
    result.workers.iter().filter(|worker| worker.outcome == RunOutcome::Hung).count()
}

/// What happens to the figures of a run that could not end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// They are in the store.
    Saved,
    /// They are printed.
    Shown,
}

/// A drive that stopped responding. `threads` are stuck in the kernel.
pub fn hung(threads: usize, fate: Fate, is_simulated: bool) -> Message {
    match (is_simulated, fate) {
        (true, Fate::Saved) => message!("drive-hung.saved"),
        (true, Fate::Shown) => message!("drive-hung.shown"),
        (false, Fate::Saved) => message!("drive-hung-held.saved", threads),
        (false, Fate::Shown) => message!("drive-hung-held.shown", threads),
    }
}

/// A file of a job that cannot be opened.
pub fn unreadable(path: &str, error: &io::Error) -> Failure {
    Failure::usage(match error.kind() {
        io::ErrorKind::PermissionDenied => message!("job-file-not-opened.not-permitted", path, error),
        _ => message!("job-file-not-opened", path, error),
    })
}

/// A drive that stopped responding before or after the measurement.
pub fn silent() -> Message {
    message!("drive-silent")
}

/// The signal that killed an Agent.
pub fn agent_killed(signal: i32) -> Message {
    match signal {
        SIGBUS => message!("agent-killed.bus"),
        SIGKILL => message!("agent-killed.kill"),
        SIGABRT => message!("agent-killed.abort"),
        SIGSEGV => message!("agent-killed.segmentation"),
        _ => message!("agent-killed", signal = signal.to_string()),
    }
}

/// A panic in the Agent.
pub fn agent_panicked(said: &str) -> Message {
    message!("agent-panicked", said = said.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// End of a step whose Agent died, and the age of its last figures and latencies.
pub fn died(how: Message, ages: Option<(Duration, Duration)>) -> Message {
    let age = |age: Duration| {
        // In tenths of a second.
        let tenths = u64::try_from(age.as_millis()).unwrap_or(u64::MAX).saturating_add(50) / 100;
        Parameter::DurationNs(tenths.saturating_mul(100_000_000))
    };
    match ages {
        None => how,
        Some((figures, latencies)) => {
            message!("agent-died-after", how, figures = age(figures), latencies = age(latencies))
        }
    }
}

/// The file with a device's original data that could not be restored.
pub fn kept_in(path: &Path) -> Message {
    message!("originals-kept", path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disappeared_drive_is_not_called_a_failing_one() {
        let direction = cardiograph_core::Direction::Write;
        for errno in [Errno::IO, Errno::NODEV] {
            let errno = errno.raw_os_error();
            let failure = IoFailure { direction, offset_bytes: 0, len_bytes: 4_096, errno };
            let failed = message!(
                "io-failed-at",
                direction = direction.message(),
                length = Parameter::Bytes(4_096),
                offset = Parameter::Bytes(0),
                error = Parameter::OsError(errno)
            );
            let expected = message!("with-advice", error = failed, advice = message!("advice.gone"));
            assert_eq!(gone(io_failure(&failure)), expected);
        }
    }
}
