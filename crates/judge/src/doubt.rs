//! Why a figure of a step is not the drive's.
//!
//! One rule for all that show, judge, compare and keep figures: what is withheld in one place is not believed in another.

use cardiograph_core::counters::CounterOutcome;
use cardiograph_core::direction::Direction;
use cardiograph_core::drive::Drive;
use cardiograph_core::pause;
use cardiograph_core::report::{StepOutcome, StepResult};

/// What answered in a drive's place, or may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// The file system lives in memory.
    FileSystem,
    /// The page cache, which a simulated drive does not have in front of it: the figure is not what such a test gives.
    NoCache,
    /// The page cache.
    Cache,
}

impl Memory {
    /// The reason, as it stands beside a figure.
    pub const fn reason(self) -> &'static str {
        match self {
            Memory::FileSystem => "the file system lives in memory, not on a drive",
            Memory::NoCache => "a simulated drive has no page cache in front of it",
            Memory::Cache => "buffered: the page cache may have answered for the drive",
        }
    }
}

/// Whether memory may have answered for the drive in a direction of a step. What goes through the page cache is believed where it
/// was made durable within the step, or where the kernel counted it on the drives and nobody `asked_buffered` of what passes the
/// cache by otherwise.
pub fn memory(
    step: &StepResult,
    drive: &Drive,
    direction: Direction,
    asked_buffered: bool,
) -> Option<Memory> {
    if drive.mount.as_ref().is_some_and(|mount| mount.is_memory) {
        return Some(Memory::FileSystem);
    }
    if step.jobs.iter().all(|job| job.workload.direct) {
        return None;
    }
    if drive.simulated {
        return Some(Memory::NoCache);
    }
    let is_flushed =
        direction.counted_with() == Direction::Write && step.jobs.iter().all(|job| job.workload.is_flushed());
    let is_counted = !asked_buffered
        && step.counter_checks.iter().any(|check| {
            check.direction == direction.counted_with() && check.outcome != CounterOutcome::Contradicts
        });
    (!is_flushed && !is_counted).then_some(Memory::Cache)
}

/// Why figures of a direction of a step are not the drive's, if so: all for which they are withheld where they are shown.
pub fn of(step: &StepResult, drive: &Drive, direction: Direction) -> Option<String> {
    let reason = if step.contradiction(direction).is_some() {
        "the kernel counted fewer bytes than were asked for"
    } else if step.is_above_link(direction) {
        "it is more than the link to the drive carries"
    } else {
        return cut_short(step)
            .or_else(|| paused(step))
            .or_else(|| memory(step, drive, direction, false).map(|memory| memory.reason().to_string()));
    };
    Some(reason.to_string())
}

/// Why figures of a step are not the drive's, whatever their direction: it did not come to its end.
pub fn cut_short(step: &StepResult) -> Option<String> {
    (step.outcome != StepOutcome::Done).then(|| "the step was cut short".to_string())
}

/// Why figures of a step are not the drive's, whatever their direction: the program did not run all the time. I/Os in flight
/// last as long as the pause, and the step's time passes without I/O.
pub fn paused(step: &StepResult) -> Option<String> {
    let pauses = step.pauses();
    let of = step.result.as_ref().map_or(0, |result| result.duration_ns);
    let of = if of > 0 { format!(" of {}", pause::seconds(of)) } else { String::new() };
    (!pauses.is_empty())
        .then(|| format!("the program did not run for {}{of}", pause::seconds(pause::total_ns(pauses))))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::counters::CounterCheck;
    use cardiograph_core::report::{Step, Work};
    use cardiograph_core::spec::JobSpec;
    use cardiograph_jobs::method::ran_jobs;

    use super::*;

    fn step(settings: &[(&str, &str)], counted: Option<CounterOutcome>) -> StepResult {
        let job = JobSpec::of_step("s", "one");
        let job = settings.iter().fold(job, |job, (option, value)| job.set(option, value));
        let step = Step::measuring("one", "One", Work::Jobs(vec![job]));
        let check = |outcome| CounterCheck {
            direction: Direction::Write,
            asked_bytes: 100,
            counted_bytes: 100,
            share: 1.0,
            outcome,
        };
        StepResult {
            jobs: ran_jobs(step.jobs()),
            counter_checks: counted.into_iter().map(check).collect(),
            ..StepResult::new(step, StepOutcome::Done)
        }
    }

    #[test]
    fn memory_answers_for_what_neither_passed_it_by_nor_came_through() {
        use CounterOutcome::{Agrees, Contradicts};
        const DIRECT: &[(&str, &str)] = &[("direct", "1")];
        const CACHED: &[(&str, &str)] = &[("direct", "0")];
        const FLUSHED: &[(&str, &str)] = &[("fsync", "1")];
        let (real, simulated) = (Drive::default(), Drive { simulated: true, ..Drive::default() });
        let (read, write, sync) = (Direction::Read, Direction::Write, Direction::Sync);
        for (settings, counted, drive, direction, asked_buffered, expected) in [
            (DIRECT, None, &real, write, false, None),
            (DIRECT, None, &simulated, read, false, None),
            (CACHED, None, &real, write, false, Some(Memory::Cache)),
            (CACHED, None, &simulated, write, false, Some(Memory::NoCache)),
            (FLUSHED, None, &simulated, write, false, Some(Memory::NoCache)),
            (FLUSHED, None, &real, write, false, None),
            (FLUSHED, None, &real, sync, false, None),
            (FLUSHED, None, &real, read, false, Some(Memory::Cache)),
            (CACHED, Some(Agrees), &real, write, false, None),
            (CACHED, Some(Agrees), &real, write, true, Some(Memory::Cache)),
            (CACHED, Some(Agrees), &real, read, false, Some(Memory::Cache)),
            (CACHED, Some(Contradicts), &real, write, false, Some(Memory::Cache)),
        ] {
            let step = step(settings, counted);
            let found = memory(&step, drive, direction, asked_buffered);
            assert_eq!(found, expected, "{settings:?} {counted:?} {direction:?} {asked_buffered}");
            if !asked_buffered && counted != Some(Contradicts) {
                let reason = expected.map(|memory| memory.reason().to_string());
                assert_eq!(of(&step, drive, direction), reason, "{settings:?}");
            }
        }
    }

    #[test]
    fn what_is_withheld_is_in_doubt() {
        let contradicted = step(&[("direct", "1")], Some(CounterOutcome::Contradicts));
        let cut = StepResult { outcome: StepOutcome::Interrupted, ..step(&[("direct", "1")], None) };
        for (step, is_withheld) in [(contradicted, true), (cut, false)] {
            assert_eq!(step.is_withheld(Direction::Sync), is_withheld);
            assert!(of(&step, &Drive::default(), Direction::Sync).is_some());
        }
    }
}
