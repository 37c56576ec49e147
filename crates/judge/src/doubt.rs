//! Doubts: why a figure may not be the drive's.
//!
//! They are decided once, when a step is done or read, and stored with it, so that all outputs agree.

use cardiograph_core::counters::{CounterCheck, CounterOutcome};
use cardiograph_core::direction::Direction;
use cardiograph_core::doubt::{Doubt, StepDoubt};
use cardiograph_core::drive::Drive;
use cardiograph_core::method::{CLAIM, Durability, Method};
use cardiograph_core::pause;
use cardiograph_core::report::{StepResult, Work};
use cardiograph_core::result::EngineNote;

/// Sets the doubts of a step on a drive, the most important first; for another program's test, those of its
/// figures. If a user `asked_buffered` for a whole checkup, the kernel's counters are no evidence: the cache
/// writes back later.
pub fn settle(step: &mut StepResult, drive: &Drive, asked_buffered: bool) {
    let mut doubts: Vec<StepDoubt> = Vec::new();
    let mut add = |direction, doubt: Option<Doubt>| {
        doubts.extend(doubt.map(|doubt| StepDoubt { direction, doubt }));
    };
    let directions = directions(step);
    for &direction in &directions {
        let share = contradiction(step, direction).map(|check| check.share);
        add(Some(direction), share.map(|share| Doubt::Contradicted { share }));
        add(Some(direction), is_above_link(step, direction).then_some(Doubt::AboveLink));
    }
    add(None, paused(step));
    let (interrupted, broken) = match step.outcome.doubt() {
        Some(Doubt::Interrupted) => (Some(Doubt::Interrupted), None),
        other => (None, other),
    };
    add(None, broken);
    for &direction in &directions {
        add(Some(direction), memory(step, drive, direction, asked_buffered));
    }
    add(None, one_at_a_time(step));
    add(None, interrupted);
    step.doubts = doubts;
    settle_imported(step);
}

/// Why the page cache may have answered in a test with this method, if so. Data made durable within the test
/// went to the drive.
fn method_doubt(method: &Method, direction: Option<Direction>) -> Option<Doubt> {
    let is_flushed = method.durability.is_some_and(|durability| durability != Durability::Never);
    match method.direct {
        Some(true) => None,
        _ if is_flushed && direction != Some(Direction::Read) => None,
        Some(false) => Some(Doubt::PageCache),
        None => Some(Doubt::CacheUnknown),
    }
}

/// Doubts about another program's test follow from how it ended and from its method, unless the source states
/// its own. A claim was not measured.
fn settle_imported(step: &mut StepResult) {
    let (Some(imported), Work::Imported(method)) = (&mut step.imported, &step.step.work) else { return };
    let step_doubt = step.doubts.first().map(|first| &first.doubt);
    for figure in imported.figures.iter_mut().filter(|figure| figure.doubt.is_none()) {
        let by_method = || if method.tool == CLAIM { None } else { method_doubt(method, figure.direction) };
        figure.doubt = step_doubt.cloned().or_else(by_method);
    }
}

/// Directions with figures, each with the direction whose bytes it is counted in.
fn directions(step: &StepResult) -> Vec<Direction> {
    let job_directions = step.figures.iter().flat_map(|figures| {
        let sync = figures.sync.as_ref().map(|_| Direction::Sync);
        figures.directions.iter().map(|each| each.direction).chain(sync)
    });
    let app_directions = step.app.iter().flat_map(|app| &app.parts).map(|part| part.direction);
    let mut all: Vec<Direction> = job_directions.chain(app_directions).map(Direction::counted_with).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The kernel's counters that contradict the figures of a direction.
fn contradiction(step: &StepResult, direction: Direction) -> Option<&CounterCheck> {
    let counted_with = direction.counted_with();
    let mut checks = step.counter_checks.iter();
    checks.find(|check| check.direction == counted_with && check.outcome == CounterOutcome::Contradicts)
}

/// Whether the figures of a direction exceed the link's rate.
fn is_above_link(step: &StepResult, direction: Direction) -> bool {
    let known_with = direction.counted_with();
    let mut standings = step.standings.iter();
    contradiction(step, direction).is_none()
        && standings.any(|standing| standing.direction == known_with && standing.is_contradicted())
}

fn paused(step: &StepResult) -> Option<Doubt> {
    let pauses = step.pauses();
    let of_ns = step.result.as_ref().map_or(0, |result| result.duration_ns);
    (!pauses.is_empty()).then(|| Doubt::Paused { paused_ns: pause::total_ns(pauses), of_ns })
}

/// Whether memory may have answered instead of the drive in a direction of a step. Buffered I/O is trusted if
/// it was made durable within the step, or if the kernel counted it on the drives and nobody `asked_buffered`
/// for tests that normally bypass the cache.
fn memory(step: &StepResult, drive: &Drive, direction: Direction, asked_buffered: bool) -> Option<Doubt> {
    let direction = direction.counted_with();
    if drive.mount.as_ref().is_some_and(|mount| mount.is_memory) {
        return Some(Doubt::MemoryFileSystem);
    }
    if step.jobs.iter().all(|job| job.workload.direct) {
        return None;
    }
    if drive.simulated {
        return Some(Doubt::NoPageCache);
    }
    let is_flushed = direction == Direction::Write && step.jobs.iter().all(|job| job.workload.is_flushed());
    let is_counted = !asked_buffered
        && step
            .counter_checks
            .iter()
            .any(|check| check.direction == direction && check.outcome != CounterOutcome::Contradicts);
    (!is_flushed && !is_counted).then_some(Doubt::PageCache)
}

/// Sequential I/O is hardly slower at QD1: only random I/O is not what was requested.
fn one_at_a_time(step: &StepResult) -> Option<Doubt> {
    let is_random = step.jobs.iter().any(|job| job.workload.depth > 1 && job.workload.order.is_random());
    step.result.iter().filter(|_| is_random).flat_map(|result| &result.notes).find_map(|note| match note {
        EngineNote::DepthCapped { depth, .. } => Some(Doubt::OneAtATime { asked: *depth }),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::app::{AppPart, AppResult, Operation};
    use cardiograph_core::counters::CounterCheck;
    use cardiograph_core::histogram::Latency;
    use cardiograph_core::report::{Step, StepOutcome};
    use cardiograph_core::series::Series;
    use cardiograph_core::spec::JobSpec;
    use cardiograph_jobs::method::ran_jobs;

    use super::*;

    fn step(settings: &[(&str, &str)], counted: Option<CounterOutcome>) -> StepResult {
        let job = JobSpec::for_step("s", "one");
        let job = settings.iter().fold(job, |job, (option, value)| job.set(option, value));
        let step = Step::measuring("one", cardiograph_core::Message::verbatim("One"), Work::Jobs(vec![job]));
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
    fn buffered_io_is_doubted_unless_it_reached_the_drive() {
        use CounterOutcome::{Agrees, Contradicts};
        const DIRECT: &[(&str, &str)] = &[("direct", "1")];
        const CACHED: &[(&str, &str)] = &[("direct", "0")];
        const FLUSHED: &[(&str, &str)] = &[("fsync", "1")];
        let (real, simulated) = (Drive::default(), Drive { simulated: true, ..Drive::default() });
        let (read, write, sync) = (Direction::Read, Direction::Write, Direction::Sync);
        for (settings, counted, drive, direction, asked_buffered, expected) in [
            (DIRECT, None, &real, write, false, None),
            (DIRECT, None, &simulated, read, false, None),
            (CACHED, None, &real, write, false, Some(Doubt::PageCache)),
            (CACHED, None, &simulated, write, false, Some(Doubt::NoPageCache)),
            (FLUSHED, None, &simulated, write, false, Some(Doubt::NoPageCache)),
            (FLUSHED, None, &real, write, false, None),
            (FLUSHED, None, &real, sync, false, None),
            (FLUSHED, None, &real, read, false, Some(Doubt::PageCache)),
            (CACHED, Some(Agrees), &real, write, false, None),
            (CACHED, Some(Agrees), &real, write, true, Some(Doubt::PageCache)),
            (CACHED, Some(Agrees), &real, read, false, Some(Doubt::PageCache)),
            (CACHED, Some(Contradicts), &real, write, false, Some(Doubt::PageCache)),
        ] {
            let step = step(settings, counted);
            let found = memory(&step, drive, direction, asked_buffered);
            assert_eq!(found, expected, "{settings:?} {counted:?} {direction:?} {asked_buffered}");
        }
    }

    #[test]
    fn withheld_figures_are_in_doubt() {
        let contradicted = step(&[("direct", "1")], Some(CounterOutcome::Contradicts));
        let cut = StepResult { outcome: StepOutcome::Interrupted, ..step(&[("direct", "1")], None) };
        for (mut step, is_withheld) in [(contradicted, true), (cut, false)] {
            step.app = Some(written());
            settle(&mut step, &Drive::default(), false);
            assert_eq!(step.is_withheld(Direction::Sync), is_withheld);
            assert!(step.doubt(Direction::Sync).is_some());
        }
    }

    /// Writes of an application.
    fn written() -> AppResult {
        let part = AppPart {
            id: "w".to_string(),
            operation: Operation::File,
            direction: Direction::Write,
            operations: 1,
            late: 0,
            bytes: 100,
            duration_ns: 1,
            latency: Latency::default(),
            longest_pause_ns: 1,
            series: Series::default(),
        };
        AppResult { library: None, parts: vec![part], pauses: Vec::new() }
    }

    #[test]
    fn all_doubts_are_kept_and_the_most_important_is_shown() {
        use CounterOutcome::Contradicts;
        let mut both = step(&[("direct", "0")], Some(Contradicts));
        (both.outcome, both.app) = (StepOutcome::Interrupted, Some(written()));
        settle(&mut both, &Drive::default(), false);
        let all: Vec<Doubt> = both.doubts.iter().map(|entry| entry.doubt.clone()).collect();
        assert_eq!(all, [Doubt::Contradicted { share: 1.0 }, Doubt::PageCache, Doubt::Interrupted]);
        assert_eq!(both.doubt(Direction::Write), Some(&all[0]));
        assert_eq!(both.doubt(Direction::Read), Some(&Doubt::Interrupted), "the others are of writes");
        settle(&mut both, &Drive::default(), false);
        assert_eq!(both.doubts.len(), 3, "repeating it changes nothing");
    }

    #[test]
    fn an_incomplete_source_is_in_doubt() {
        use Direction::{Read, Write};
        let found = |direct, durability, direction| {
            method_doubt(&Method { direct, durability, ..Method::default() }, Some(direction))
        };
        let flushed = Some(Durability::AtEnd);
        assert_eq!(found(Some(true), None, Write), None);
        assert_eq!(found(Some(false), None, Write), Some(Doubt::PageCache));
        assert_eq!(found(Some(false), Some(Durability::Never), Write), Some(Doubt::PageCache));
        assert_eq!(found(None, None, Read), Some(Doubt::CacheUnknown));
        assert_eq!(found(Some(false), flushed, Write), None);
        assert_eq!(found(Some(false), flushed, Read), Some(Doubt::PageCache));
    }
}
