//! Incremental results for the observer.

use cardiograph_core::result::RunOutcome;

use super::run_state::{RunState, Station};
use crate::observer::SoFar;
use crate::part::{Reported, RunPart, WorkerPart};

/// Workers per part. A part with thousands at once would use as much memory as they do.
const WORKERS_MAX: usize = 8;

/// Offers the observer the state of a run at `now` (ticks).
pub(super) fn offer(state: &RunState<'_>, now: u64) {
    state.request.observer.look(state.age_ns(now), &Look { state, now });
}

/// The state of a run at a moment.
struct Look<'a> {
    state: &'a RunState<'a>,
    /// The moment, in ticks.
    now: u64,
}

impl SoFar for Look<'_> {
    fn report_changes(&self, reported: &mut Reported, has_latency: bool, emit: &mut dyn FnMut(RunPart)) {
        let Self { state, now } = *self;
        let part = |workers: Vec<WorkerPart>, is_last: bool| RunPart {
            is_last,
            workers,
            notes: state.notes.clone(),
            clock: state.clock.info(&state.clock.mark()),
            pauses: state.pauses.clone(),
            steady: state.steady(),
        };
        let mut workers = Vec::new();
        for (worker, station) in state.stations.iter().enumerate() {
            match station {
                Station::NotBegun => {}
                Station::Done(_) if reported.has_ended(worker) => {}
                Station::Done(result) => workers.push(reported.part(worker, *result.clone(), (true, true))),
                Station::Working(blueprint) => {
                    let end = blueprint.end_so_far(RunOutcome::Completed, now);
                    let result = match has_latency {
                        true => blueprint.result(&state.clock, state.start, end),
                        false => blueprint.figures(&state.clock, state.start, end),
                    };
                    workers.push(reported.part(worker, result, (has_latency, false)));
                }
            }
            if workers.len() >= WORKERS_MAX {
                emit(part(std::mem::take(&mut workers), false));
            }
        }
        emit(part(workers, true));
    }
}
