//! All workers of a Plan on one thread, in simulated time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use cardiograph_core::NS_PER_S;
use cardiograph_core::result::{EngineNote, RunResult};

use super::meter::Meter;
use super::{Blueprint, RunRequest, run_result, tell};
use crate::clock::Clock;
use crate::error::RunError;
use crate::observer::Event;
use crate::schedule::Schedule;
use crate::sim::SimDrive;
use crate::worker::{Wait, Worker, WorkerEnd};

/// How often the observer is told, in simulated nanoseconds.
const TICK_NS: u64 = NS_PER_S;

pub(super) fn run(
    request: &RunRequest<'_>,
    blueprints: Vec<Blueprint>,
    notes: Vec<EngineNote>,
) -> Result<RunResult, RunError> {
    let time = the_drive(request, &blueprints)?.time();
    let clock = Clock::simulated(time.clone());
    let mark = clock.mark();
    let workers: Vec<Worker> = blueprints
        .iter()
        .map(|blueprint| Ok(blueprint.build(&clock)?.worker))
        .collect::<Result<_, RunError>>()?;
    let start = clock.now();
    tell(request, Event::Started);
    let mut drive = Driver {
        request,
        blueprints: &blueprints,
        ends: workers.iter().map(|_| None).collect(),
        workers,
        schedule: Schedule::new(request.plan),
        wake: BinaryHeap::new(),
        wake_at: vec![None; blueprints.len()],
        is_stopping: false,
    };
    drive.release(start);
    let mut now = start;
    let mut meter = Meter::default();
    meter.begin(start);
    let mut next_tick = start + TICK_NS;
    while let Some((at, index)) = drive.next() {
        now = now.max(at);
        time.store(now, Ordering::Relaxed);
        if now >= next_tick {
            let recorders = blueprints.iter().map(|blueprint| &*blueprint.recorder);
            tell(request, Event::Progress(meter.read(recorders, &clock, start, now)));
            next_tick = now + TICK_NS;
        }
        drive.heed_control(now);
        drive.step(index, now)?;
    }
    if drive.ends.iter().any(Option::is_none) {
        // Some request is never answered. Real time would pass until its worker is given up.
        now += request.control.silence_ns_max;
        time.store(now, Ordering::Relaxed);
    }
    tell(request, Event::Ended);
    let ends = drive.ends;
    let results = blueprints
        .iter()
        .zip(ends)
        .map(|(blueprint, end)| blueprint.result(&clock, start, now, end))
        .collect();
    Ok(run_result(results, &clock, &mark, notes))
}

struct Driver<'a> {
    request: &'a RunRequest<'a>,
    blueprints: &'a [Blueprint],
    workers: Vec<Worker>,
    ends: Vec<Option<WorkerEnd>>,
    schedule: Schedule,
    /// Earliest first; at one time in the order of workers, so that a seed gives one order of events.
    wake: BinaryHeap<Reverse<(u64, usize)>>,
    /// When each worker is woken. What else is in `wake` was overtaken by something.
    wake_at: Vec<Option<u64>>,
    is_stopping: bool,
}

/// The drive that all jobs use.
fn the_drive<'a>(
    request: &RunRequest<'_>,
    blueprints: &'a [Blueprint],
) -> Result<&'a Arc<SimDrive>, RunError> {
    let job =
        |index: usize| request.plan.jobs.get(index).map(|job| job.workload.name.clone()).unwrap_or_default();
    let mut found: Option<&Arc<SimDrive>> = None;
    for blueprint in blueprints {
        let Some(file) = blueprint.target.simulated_file() else {
            return Err(RunError::WrongTarget { engine: "sim".to_string(), job: job(blueprint.job) });
        };
        if !Arc::ptr_eq(found.get_or_insert(file.drive()), file.drive()) {
            return Err(RunError::SeveralDrives { job: job(blueprint.job) });
        }
    }
    found.ok_or_else(|| RunError::WrongTarget { engine: "sim".to_string(), job: job(0) })
}

impl Driver<'_> {
    /// The worker that is woken next, and when.
    fn next(&mut self) -> Option<(u64, usize)> {
        loop {
            let Reverse((at, index)) = self.wake.pop()?;
            if self.wake_at[index] == Some(at) {
                self.wake_at[index] = None;
                return Some((at, index));
            }
        }
    }

    fn wake(&mut self, index: usize, at: u64) {
        self.wake_at[index] = Some(at);
        self.wake.push(Reverse((at, index)));
    }

    /// Wakes the released workers of some jobs that have not ended, so that they see a wish to end.
    fn rouse(&mut self, now: u64, is_meant: impl Fn(&Blueprint) -> bool) {
        for index in 0..self.workers.len() {
            // A worker that waits for nothing hangs or is not yet released: neither can see it.
            if is_meant(&self.blueprints[index]) && self.wake_at[index].is_some() {
                self.wake(index, now);
            }
        }
    }

    fn heed_control(&mut self, now: u64) {
        if self.request.control.is_stopping() && !self.is_stopping {
            self.is_stopping = true;
            self.blueprints.iter().for_each(|blueprint| blueprint.stop.ask());
            self.rouse(now, |_| true);
        }
    }

    fn release(&mut self, now: u64) {
        for (job, delay_ns) in self.schedule.release() {
            for index in 0..self.workers.len() {
                if self.blueprints[index].job == job {
                    self.workers[index].release(now + delay_ns);
                    self.wake(index, now);
                }
            }
        }
    }

    fn step(&mut self, index: usize, now: u64) -> Result<(), RunError> {
        let blueprint = &self.blueprints[index];
        let wait = self.workers[index].step().map_err(|source| blueprint.broke(index, source))?;
        match wait {
            Wait::Ready => self.wake(index, now),
            Wait::Until(at) => self.wake(index, at),
            Wait::Completion => {
                // Without a next completion the worker is never woken: it hangs.
                if let Some(at) = self.workers[index].next_completion_at() {
                    self.wake(index, at);
                }
            }
            Wait::Ended => {
                let (job, clone) = (blueprint.job, blueprint.clone);
                self.ends[index] = Some(self.workers[index].end());
                tell(self.request, Event::WorkerEnded { job, clone });
                for ending in self.schedule.worker_ended(job) {
                    self.blueprints.iter().filter(|b| b.job == ending).for_each(|b| b.stop.end_as_planned());
                    self.rouse(now, |blueprint| blueprint.job == ending);
                }
                self.release(now);
            }
        }
        Ok(())
    }
}
