//! What has changed in a run since it was looked at before.

use cardiograph_core::result::RunOutcome;

use super::course::{Course, Station};
use crate::observer::SoFar;
use crate::part::{RunPart, Told, WorkerPart};

/// Workers of a part: all of thousands at once would take as much memory as they do.
const WORKERS_MAX: usize = 8;

/// Offers the observer a look at a course at `now` (ticks).
pub(super) fn offer(course: &Course<'_>, now: u64) {
    course.request.observer.look(course.age_ns(now), &Look { course, now });
}

/// A look at a course.
struct Look<'a> {
    course: &'a Course<'a>,
    /// When, in ticks.
    now: u64,
}

impl SoFar for Look<'_> {
    fn tell(&self, told: &mut Told, has_latency: bool, tell: &mut dyn FnMut(RunPart)) {
        let Self { course, now } = *self;
        let part = |workers: Vec<WorkerPart>, is_last: bool| RunPart {
            is_last,
            workers,
            notes: course.notes.clone(),
            clock: course.clock.info(&course.clock.mark()),
            pauses: course.pauses.clone(),
            steady: course.steady(),
        };
        let mut workers = Vec::new();
        for (worker, station) in course.stations.iter().enumerate() {
            match station {
                Station::NotBegun => {}
                Station::Done(_) if told.has_ended(worker) => {}
                Station::Done(result) => workers.push(told.part(worker, *result.clone(), (true, true))),
                Station::Working(blueprint) => {
                    let end = blueprint.end_so_far(RunOutcome::Completed, now);
                    let result = match has_latency {
                        true => blueprint.result(&course.clock, course.start, end),
                        false => blueprint.figures(&course.clock, course.start, end),
                    };
                    workers.push(told.part(worker, result, (has_latency, false)));
                }
            }
            if workers.len() >= WORKERS_MAX {
                tell(part(std::mem::take(&mut workers), false));
            }
        }
        tell(part(workers, true));
    }
}
