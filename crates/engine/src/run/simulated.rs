//! All workers of a Plan on one thread, in simulated time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::Ordering;

use cardiograph_core::NS_PER_S;
use cardiograph_core::result::{EngineNote, RunResult};

use super::meter::Meter;
use super::{Blueprint, RunRequest, run_result, tell};
use crate::clock::Clock;
use crate::error::RunError;
use crate::observer::Event;
use crate::schedule::Schedule;
use crate::worker::{Wait, Worker, WorkerEnd};

/// How often the observer is told, in simulated nanoseconds.
const TICK_NS: u64 = NS_PER_S;

pub(super) fn run(
    request: &RunRequest<'_>,
    blueprints: Vec<Blueprint>,
    notes: Vec<EngineNote>,
) -> Result<RunResult, RunError> {
    let first = blueprints.first().and_then(|blueprint| blueprint.target.simulated_file());
    let Some(time) = first.map(|file| file.drive().time()) else {
        let job = request.plan.jobs.first().map(|job| job.workload.name.clone()).unwrap_or_default();
        return Err(RunError::WrongTarget { engine: "sim".to_string(), job });
    };
    let clock = Clock::simulated(time.clone());
    let mark = clock.mark();
    let workers: Vec<Worker> =
        blueprints.iter().map(|blueprint| Ok(blueprint.build(&clock)?.worker)).collect::<Result<_, RunError>>()?;
    let start = clock.now();
    tell(request, Event::Started);
    let mut drive = Driver {
        request,
        blueprints: &blueprints,
        ends: workers.iter().map(|_| None).collect(),
        workers,
        schedule: Schedule::new(request.plan),
        // Earliest first; at one time in the order of workers, so that a seed gives one order of events.
        wake: BinaryHeap::new(),
    };
    drive.release(start);
    let mut now = start;
    let mut meter = Meter::default();
    meter.begin(start);
    let mut next_tick = start + TICK_NS;
    while let Some(Reverse((at, index))) = drive.wake.pop() {
        now = now.max(at);
        time.store(now, Ordering::Relaxed);
        if now >= next_tick {
            let recorders = blueprints.iter().map(|blueprint| &*blueprint.recorder);
            tell(request, Event::Progress(meter.read(recorders, &clock, start, now)));
            next_tick = now + TICK_NS;
        }
        if request.control.is_stopping() {
            blueprints.iter().for_each(|blueprint| blueprint.stop.ask());
        }
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
    wake: BinaryHeap<Reverse<(u64, usize)>>,
}

impl Driver<'_> {
    fn release(&mut self, now: u64) {
        for (job, delay_ns) in self.schedule.release() {
            for (index, blueprint) in self.blueprints.iter().enumerate() {
                if blueprint.job == job {
                    self.workers[index].release(now + delay_ns);
                    self.wake.push(Reverse((now, index)));
                }
            }
        }
    }

    fn step(&mut self, index: usize, now: u64) -> Result<(), RunError> {
        let blueprint = &self.blueprints[index];
        let wait = self.workers[index].step().map_err(|source| blueprint.open_error(source))?;
        match wait {
            Wait::Ready => self.wake.push(Reverse((now, index))),
            Wait::Until(at) => self.wake.push(Reverse((at, index))),
            Wait::Completion => {
                // Without a next completion the worker is never woken: it hangs.
                if let Some(at) = self.workers[index].next_completion_at() {
                    self.wake.push(Reverse((at, index)));
                }
            }
            Wait::Ended => {
                let (job, clone) = (blueprint.job, blueprint.clone);
                self.ends[index] = Some(self.workers[index].end());
                tell(self.request, Event::WorkerEnded { job, clone });
                for ending in self.schedule.worker_ended(job) {
                    self.blueprints.iter().filter(|b| b.job == ending).for_each(|b| b.stop.end_as_planned());
                }
                self.release(now);
            }
        }
        Ok(())
    }
}
