//! Errors of the layers below as messages for people: what, where, why, what to do.

use std::io;
use std::path::Path;
use std::time::Duration;

use cardiograph_core::Workload;
use cardiograph_core::result::{IoFailure, Mismatch, RunOutcome, RunResult, Verified};
use cardiograph_core::units;
use cardiograph_core::verify::Checksum;
use cardiograph_core::workload::{Content, IoClass};
use cardiograph_engine::RunError;
use cardiograph_engine::error::Privilege;
use cardiograph_engine::sim::MODELS;
use cardiograph_engine::target::CreateError;
use cardiograph_suites::{OnDevice, SUITES, Settings};
use signal_hook::consts::{SIGABRT, SIGBUS, SIGKILL, SIGSEGV};

use crate::failure::Failure;

mod app;

pub use app::{app_failure, app_stays};

/// What FAT is called by statfs(2) (the kernel's `magic.h`: `MSDOS_SUPER_MAGIC`).
const FAT: u64 = 0x4d44;

/// Why a file at `path`, or in that directory, cannot be as long as it should be, and what to do.
pub fn too_long(path: &Path) -> &'static str {
    // The file itself may not be there.
    let places = [Some(path), path.parent()];
    let place = places.into_iter().flatten().find_map(|place| rustix::fs::statfs(place).ok());
    match place {
        Some(place) if place.f_type as u64 == FAT => {
            "its file system, vfat, holds no file of 4 GiB or more; make size smaller, spread it over several files (nrfiles), \
             or make another file system there (exfat, ext4)"
        }
        _ => {
            "that is over a limit on the length of files (ulimit -f, or the file system's own); make size smaller"
        }
    }
}

/// A path that cannot be used.
pub fn path_error(path: &Path, error: &io::Error) -> Failure {
    let shown = path.display();
    Failure::usage(match error.kind() {
        io::ErrorKind::NotFound => format!("{shown} does not exist; name a directory on the drive"),
        io::ErrorKind::PermissionDenied => {
            format!("no permission to look into {shown}; name a directory that you can write to")
        }
        _ => format!("{shown}: {error}"),
    })
}

/// Something other than a directory.
pub fn not_a_directory(path: &Path) -> Failure {
    Failure::usage(format!("{} is not a directory; name a directory on the drive", path.display()))
}

/// A device for a suite that works in files.
pub fn not_for_devices(path: &Path, suite: &str) -> Failure {
    let takes = SUITES.iter().filter(|suite| suite.traits(&Settings::default()).on_device != OnDevice::Never);
    let takes: Vec<&str> = takes.map(|suite| suite.name()).collect();
    Failure::usage(format!(
        "{} is a block device, and the suite {suite} writes to files only: mount a file system of it and name a directory \
         there; on devices there are: {}",
        path.display(),
        takes.join(", ")
    ))
}

/// A device that is shorter than what a step needs.
pub fn device_too_small(path: &Path, needed_bytes: u64, len_bytes: u64) -> Failure {
    Failure::usage(format!(
        "{} holds {}, and {} are needed: the drive says that it is larger than its device is; see the kernel's log (dmesg)",
        path.display(),
        units::bytes(len_bytes),
        units::bytes(needed_bytes)
    ))
}

/// What the kernel shows of a drive was not there in time.
pub fn silent_drive(name: Option<&Path>) -> Failure {
    let what = name.map_or("the drives of this machine".to_string(), |name| name.display().to_string());
    Failure::io(format!(
        "the kernel did not tell about {what} within five seconds: a drive does not answer; look into the kernel's log \
         (dmesg), and name one drive (cardiograph drive /dev/NAME) to leave the others alone"
    ))
}

/// A model that is neither shipped nor a file.
pub fn no_model(name: &str, error: &io::Error) -> Failure {
    let shipped: Vec<&str> = MODELS.iter().map(|(name, _)| *name).collect();
    Failure::usage(format!(
        "no simulated drive is called '{name}', and it cannot be read as a file ({error}); shipped are: {}",
        shipped.join(", ")
    ))
}

/// Too little space for test files.
pub fn too_little_space(path: &Path, len_bytes: u64, available_bytes: u64, margin_bytes: u64) -> Failure {
    Failure::usage(format!(
        "{} has {} free; the checkup needs {} for test files and leaves {} free: make room, or name another \
         directory on the drive",
        path.display(),
        units::bytes(available_bytes),
        units::bytes(len_bytes),
        units::bytes(margin_bytes)
    ))
}

/// A file system that makes no room for a file before it is written.
pub fn no_room_beforehand(path: &Path) -> Failure {
    Failure::usage(format!(
        "the file system of {} makes no room for a file before it is written, so that a sample would not reach all of the \
         drive; --set proof=full writes all of it",
        path.display()
    ))
}

/// What is done about parts that an interrupted checkup left.
pub fn parts_stay(files: u64, len_bytes: u64) -> String {
    format!(
        "{files} file{} with what was written ({}) stay{}: the same command goes on behind them, and --set leftovers=remove \
         removes them.",
        if files == 1 { "" } else { "s" },
        units::bytes(len_bytes),
        if files == 1 { "s" } else { "" }
    )
}

/// What is done about parts of a device that an interrupted checkup filled.
pub fn parts_stay_on_device(len_bytes: u64) -> String {
    format!("{} of the device stay filled: the same command goes on behind them.", units::bytes(len_bytes))
}

/// A test file that could not be made.
pub fn create_error(error: &CreateError) -> Failure {
    Failure::usage(match error {
        CreateError::Missing { path } => return path_error(path, &io::ErrorKind::NotFound.into()),
        CreateError::NotADirectory { path } => return not_a_directory(path),
        CreateError::Device { path } => {
            format!("{} is a device; mount it and name a directory there", path.display())
        }
        CreateError::NotPermitted { path } => format!(
            "no permission to make a file in {}; name a directory that you can write to",
            path.display()
        ),
        CreateError::ReadOnly { path } => format!(
            "{} lies on a file system that is mounted read-only; mount it read-write, or name another directory",
            path.display()
        ),
        CreateError::NoSpace { path, len_bytes } => format!(
            "{} has no room for a test file of {}; make room, or name another directory on the drive",
            path.display(),
            units::bytes(*len_bytes)
        ),
        CreateError::TooLong { path, len_bytes } => {
            format!(
                "no test file of {} can be made in {}: {}",
                units::bytes(*len_bytes),
                path.display(),
                too_long(path)
            )
        }
        CreateError::Other { call, path, source } => {
            format!("no test file can be made in {}: {call}: {source}", path.display())
        }
    })
}

/// A run that could not begin.
pub fn run_error(error: &RunError) -> Failure {
    Failure::usage(match error {
        RunError::DirectRefused { .. } => {
            "the file system refuses direct I/O (O_DIRECT), so that its cache would be \
             measured and not the drive; --buffered measures it all the same"
                .to_string()
        }
        RunError::NoSuchEngine { name } => {
            let names: Vec<&str> = cardiograph_engine::ENGINES.iter().map(|entry| entry.name).collect();
            format!("no engine is called '{name}'; there are: {}", names.join(", "))
        }
        RunError::Buffers { job, len_bytes, source } => format!(
            "{} of buffers for '{job}' cannot be had ({source}); use smaller blocks or fewer in flight",
            units::bytes(*len_bytes)
        ),
        // Filling ends when its time is over, and what comes next reads only that far: so a write was cut short.
        RunError::ReadsUnwritten { job, .. } => format!(
            "'{job}' would read what was never written: filling the test file, a write moved fewer bytes than it was \
             given"
        ),
        RunError::NoCommands { job } => format!(
            "job '{job}' has exec_prerun or exec_postrun, and commands are run by `cardiograph fio` and `cardiograph run` \
             only: leave them out"
        ),
        RunError::SeatRefused { job, privilege, source } => seat_refused(job, *privilege, source),
        other => other.to_string(),
    })
}

/// A place in the machine that the system does not give.
fn seat_refused(job: &str, privilege: Privilege, source: &io::Error) -> String {
    let source = without_number(source);
    match privilege {
        Privilege::Nodes => format!(
            "job '{job}' cannot have the NUMA nodes that it names ({source}): name nodes that are there and have processors \
             and memory, or leave numa_cpu_nodes and numa_mem_policy out"
        ),
        Privilege::IoPriority { class: IoClass::Realtime, level } => format!(
            "job '{job}' cannot have prioclass=1, prio={level} ({source}): realtime needs root (CAP_SYS_ADMIN); use \
             prioclass=2, or run it as root"
        ),
        Privilege::User(id) => not_run_as(job, ["uid", "CAP_SETUID", "user"], id, &source),
        Privilege::Group(id) => not_run_as(job, ["gid", "CAP_SETGID", "group"], id, &source),
        Privilege::IoPriority { class, level } => format!(
            "job '{job}' cannot have prioclass={}, prio={level} ({source}): leave prio and prioclass out",
            class as u8
        ),
    }
}

fn not_run_as(job: &str, [option, capability, whom]: [&str; 3], id: u32, source: &str) -> String {
    format!(
        "job '{job}' cannot run with {option}={id} ({source}): only root ({capability}) can change the {whom}; run it as root, or \
         leave {option} out"
    )
}

/// The system's words for an error, without its number.
pub fn without_number(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_string()
}

/// The system's words for an error number.
pub fn strerror(errno: i32) -> String {
    without_number(&io::Error::from_raw_os_error(errno))
}

/// What to do about an error number, behind its words; empty where there is nothing to say.
pub fn advice(errno: i32) -> &'static str {
    match rustix::io::Errno::from_raw_os_error(errno) {
        rustix::io::Errno::IO => "; the drive, its cable or its reader is failing: save what is on it",
        rustix::io::Errno::NOSPC => "; the file system is full: make room",
        rustix::io::Errno::FBIG => "; a limit on the length of files was reached (ulimit -f)",
        rustix::io::Errno::NODEV | rustix::io::Errno::NXIO => "; the drive has gone away",
        rustix::io::Errno::ROFS => "; the file system was made read-only, as the kernel does after errors",
        _ => "",
    }
}

/// The message of an I/O that failed because its drive has gone away, whatever the error was called.
pub fn gone(message: &str) -> String {
    let failing = advice(rustix::io::Errno::IO.raw_os_error());
    let message = message.strip_suffix(failing).unwrap_or(message);
    let gone = advice(rustix::io::Errno::NODEV.raw_os_error());
    if message.ends_with(gone) { message.to_string() } else { format!("{message}{gone}") }
}

/// An I/O that failed.
pub fn io_failure(failure: &IoFailure) -> String {
    let cause = io::Error::from_raw_os_error(failure.errno);
    let advice = match rustix::io::Errno::from_raw_os_error(failure.errno) {
        rustix::io::Errno::INVAL => "; the drive or its file system refuses this block size with direct I/O",
        _ => advice(failure.errno),
    };
    let what = failure.direction.name();
    match failure.len_bytes {
        0 => format!("{what} failed: {cause}{advice}"),
        len_bytes => format!(
            "{what} of {} at {} of the test file failed: {cause}{advice}",
            units::bytes(len_bytes),
            units::bytes(failure.offset_bytes)
        ),
    }
}

/// Blocks that were read back and are not what was written.
pub fn verify_failure(verified: &Verified) -> String {
    let first = verified.first.as_ref().map(|first| {
        let Mismatch { target, offset_bytes, len_bytes, kind, expected, found } = first;
        let kind = kind.name();
        format!(
            ", the first in {target} at {offset_bytes}, {len_bytes} bytes: {kind}: expected {expected}; found {found}"
        )
    });
    format!("verify: {} bad of {} blocks{}", verified.bad_blocks, verified.blocks, first.unwrap_or_default())
}

/// What checks of a pattern cannot tell, where that is all that is checked.
pub fn untold_by_pattern(workload: &Workload) -> Option<&'static str> {
    let verify = workload.verify.as_ref()?;
    let Content::Pattern { pattern } = &workload.content else { return None };
    (verify.checksum == Checksum::Pattern).then_some(if pattern.has_offsets() {
        "verify=pattern: all writes to a block are equal, so that one that was lost over an earlier one stays unnoticed; \
         pattern_hdr or a checksum tells each write"
    } else {
        "verify=pattern: without %o all blocks are equal, so that a write that was lost over an equal block or went to \
         another one stays unnoticed; pattern_hdr or a checksum tells each write"
    })
}

/// How many threads of a run are held by the kernel.
pub fn held_threads(result: &RunResult) -> usize {
    result.workers.iter().filter(|worker| worker.outcome == RunOutcome::Hung).count()
}

/// A drive that stopped answering. `threads` are held by the kernel; `fate` is what becomes of the figures: kept, or shown.
pub fn hung(threads: usize, fate: &str, is_simulated: bool) -> String {
    let message = format!("the drive stopped answering. What was measured until then is {fate}");
    if is_simulated {
        return message;
    }
    let threads = match threads {
        1 => "a thread".to_string(),
        count => format!("{count} threads"),
    };
    format!(
        "{message}. The kernel still holds {threads} of the process that did the I/O: it removes its test files and ends when \
         the drive answers or is unplugged"
    )
}

/// What a job names and cannot be opened.
pub fn unreadable(path: &str, error: &io::Error) -> Failure {
    let reason = without_number(error);
    let advice = match error.kind() {
        io::ErrorKind::PermissionDenied => "become root, or a member of the group that it belongs to",
        _ => "name another",
    };
    Failure::usage(format!("{path} cannot be opened: {reason}; {advice}"))
}

/// A drive that stopped answering before or after the measurement.
pub fn silent() -> String {
    "the drive stopped answering. The kernel holds the process that asked it: it ends when the drive answers or is unplugged"
        .to_string()
}

/// What a process of ours that did the I/O died of, by its signal.
pub fn agent_killed(signal: i32) -> String {
    let (name, why) = match signal {
        SIGBUS => ("SIGBUS", ": a file that was mapped was cut short, or its drive failed"),
        SIGKILL => ("SIGKILL", ": by somebody, or by the kernel as memory ran out (see its log, dmesg)"),
        SIGABRT => ("SIGABRT", ": it gave itself up, as where memory ran out"),
        SIGSEGV => ("SIGSEGV", ": an error in this program; please report it"),
        _ => ("", ""),
    };
    let name = if name.is_empty() { format!("signal {signal}") } else { name.to_string() };
    format!("the process that did the I/O was killed by {name}{why}")
}

/// A process of ours that ended where it should not.
pub fn agent_left(code: i32) -> String {
    format!(
        "the process that did the I/O ended by itself with status {code}: an error in this program; please report it"
    )
}

/// A panic in the process that did the I/O.
pub fn agent_panicked(message: &str) -> String {
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("the process that did the I/O failed: an error in this program; please report it ({message})")
}

/// A process that should do the I/O and says something else than expected.
pub fn agent_nonsense(what: &str) -> String {
    format!("the process that did the I/O sent {what}: it was ended")
}

/// How a step ended whose process died, and how old what is known of it was then: its figures and its latencies.
pub fn died(how: &str, ages: Option<(Duration, Duration)>) -> String {
    let seconds = |age: Duration| format!("{:.1} s", age.as_secs_f64());
    match ages {
        None => how.to_string(),
        Some((figures, latencies)) => format!(
            "{how}. Its figures are those of {} before, its percentiles those of {} before",
            seconds(figures),
            seconds(latencies)
        ),
    }
}

/// What keeps what was on a device, where it could not be put back.
pub fn kept_in(path: &Path) -> String {
    format!(
        "what was overwritten is kept in {}, and the next check --suite capacity of the device puts it back",
        path.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drive_that_has_gone_is_not_called_a_failing_one() {
        let failed = |errno: rustix::io::Errno| {
            io_failure(&IoFailure {
                direction: cardiograph_core::Direction::Write,
                offset_bytes: 0,
                len_bytes: 4_096,
                errno: errno.raw_os_error(),
            })
        };
        for errno in [rustix::io::Errno::IO, rustix::io::Errno::NODEV] {
            let message = gone(&failed(errno));
            assert!(message.starts_with("write of 4 KiB at 0 B of the test file failed: "), "{message}");
            assert_eq!(message.matches("; the drive").count(), 1, "{message}");
            assert!(message.ends_with("; the drive has gone away"), "{message}");
        }
    }
}
