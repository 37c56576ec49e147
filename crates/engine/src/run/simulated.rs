//! All workers of a Plan on one thread, in simulated time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cardiograph_core::message;
use cardiograph_core::result::RunResult;

use super::RunRequest;
use super::run_state::RunState;
use super::silence::Silence;
use super::{hooks, look};
use crate::error::RunError;
use crate::log::{Basket, LogRoute};
use crate::observer::Event;
use crate::sim::SimDrive;
use crate::worker::{Wait, Worker, WorkerEnd};

/// The clock of the simulated drive of all jobs.
pub(super) fn the_time(request: &RunRequest<'_>) -> Result<Arc<AtomicU64>, RunError> {
    let mut found: Option<&Arc<SimDrive>> = None;
    for job in &request.plan.jobs {
        for file in job.files() {
            let Some(simulated) = request.targets[file.target].simulated_file() else {
                let (engine, job) = (job.workload.engine.clone(), job.workload.name.clone());
                return Err(RunError::WrongTarget { engine, job });
            };
            if !Arc::ptr_eq(found.get_or_insert(simulated.drive()), simulated.drive()) {
                let job = &job.workload.name;
                return Err(RunError::Failed(message!("plan-two-simulated-drives", job)));
            }
        }
    }
    // A Plan without jobs takes no time.
    Ok(found.map(|drive| drive.time()).unwrap_or_default())
}

pub(super) fn run(state: RunState<'_>, time: Arc<AtomicU64>) -> Result<RunResult, RunError> {
    let clock = state.clock.clone();
    let mark = clock.mark();
    let start = clock.now();
    let mut driver = Driver {
        workers: (0..state.request.plan.workers()).map(|_| None).collect(),
        wake: BinaryHeap::new(),
        wake_at: vec![None; state.request.plan.workers()],
        basket: state.request.helpers.logs.map(|_| Basket::default()),
        silence: Silence::new(state.request.plan.workers()),
        state,
    };
    let first = driver.state.start_first();
    driver.build(&first)?;
    driver.state.emit(Event::Started);
    driver.state.begin(start);
    driver.release(&first, start)?;
    let mut now = start;
    let tick_ticks = clock.ticks(driver.state.request.control.tick_ns());
    let mut next_tick = start + tick_ticks;
    while let Some(at) = driver.next_at(next_tick) {
        now = now.max(at);
        time.store(now, Ordering::Relaxed);
        if now >= next_tick {
            driver.state.tick(now);
            look::offer(&driver.state, now);
            next_tick = now + tick_ticks;
            // A worker may poll forever for one that hangs.
            if driver.silence.all_are_hanging(&driver.state, now, false) {
                break;
            }
        }
        driver.turn(now)?;
    }
    if driver.state.working > 0 {
        // Some request never completes. In real time its worker would now be given up.
        now = driver.silence.longest_from(&driver.state, now).max(now);
        time.store(now, Ordering::Relaxed);
    }
    // Also log records that a hanging worker still holds.
    driver.workers.clear();
    driver.deliver();
    driver.state.emit(Event::Ended);
    Ok(driver.state.result(now, &mark))
}

struct Driver<'a> {
    state: RunState<'a>,
    /// Indexed by worker; `None` if not started or ended.
    workers: Vec<Option<Box<Worker>>>,
    /// Earliest first; ties in the order of workers, so that a seed determines the order of events.
    wake: BinaryHeap<Reverse<(u64, usize)>>,
    /// When each worker wakes. Other entries in `wake` are obsolete.
    wake_at: Vec<Option<u64>>,
    basket: Option<Basket>,
    silence: Silence,
}

impl Driver<'_> {
    /// When the next event is due: a worker wakes, a job starts, a sample or a progress event is due. `None`
    /// if nothing more will happen.
    fn next_at(&mut self, next_tick: u64) -> Option<u64> {
        while let Some(&Reverse((at, worker))) = self.wake.peek()
            && self.wake_at[worker] != Some(at)
        {
            self.wake.pop();
        }
        let wakes_at = self.wake.peek().map(|Reverse((at, _))| *at);
        let next = [wakes_at, self.state.next_due_at()].into_iter().flatten().min()?;
        let sample_at = self.state.next_sample_at().unwrap_or(u64::MAX);
        Some(next.min(sample_at).min(next_tick))
    }

    /// Handles everything due now: first the coordinator's work, then one worker's step.
    fn turn(&mut self, now: u64) -> Result<(), RunError> {
        if self.state.request.control.is_stopping() && self.state.stopped_at.is_none() {
            self.state.stop(now);
            let all: Vec<usize> = (0..self.workers.len()).collect();
            self.rouse(&all, now);
        }
        let settled = self.state.sample(now);
        self.rouse(&settled, now);
        self.start_due(now)?;
        if let Some(&Reverse((at, worker))) = self.wake.peek()
            && at <= now
        {
            self.wake.pop();
            if self.wake_at[worker] == Some(at) {
                self.wake_at[worker] = None;
                self.step(worker, now)?;
            }
        }
        Ok(())
    }

    fn start_due(&mut self, now: u64) -> Result<(), RunError> {
        let due = self.state.start_due(now);
        self.build(&due)?;
        self.release(&due, now)
    }

    fn build(&mut self, workers: &[usize]) -> Result<(), RunError> {
        let route = self.basket.clone().map(LogRoute::Basket);
        for &worker in workers {
            let Some(blueprint) = self.state.blueprint(worker).cloned() else { continue };
            let built = blueprint.build(&self.state.clock, route.as_ref())?;
            built.note.into_iter().for_each(|note| self.state.note(note));
            self.workers[worker] = Some(built.worker);
        }
        Ok(())
    }

    /// Lets workers begin. Their commands take no simulated time.
    fn release(&mut self, workers: &[usize], now: u64) -> Result<(), RunError> {
        for &index in workers {
            let Some(blueprint) = self.state.blueprint(index).cloned() else { continue };
            if let Err(reason) = hooks::before(&blueprint) {
                self.ended(index, blueprint.end_by_command(reason, now), now)?;
                continue;
            }
            if let Some(worker) = &mut self.workers[index] {
                let begin_at = now.saturating_add(self.state.clock.ticks(blueprint.late_ns));
                worker.release(begin_at);
                self.silence.begin(index, begin_at);
                self.wake(index, begin_at);
            }
        }
        // Rates are sampled for steadiness from when the first worker counts.
        self.state.sample(now);
        Ok(())
    }

    fn wake(&mut self, worker: usize, at: u64) {
        self.wake_at[worker] = Some(at);
        self.wake.push(Reverse((at, worker)));
    }

    /// Wakes workers, so that they notice a stop request.
    fn rouse(&mut self, workers: &[usize], now: u64) {
        for &worker in workers {
            // A worker without a wake-up time hangs or has not begun, so it cannot notice.
            if self.wake_at[worker].is_some() {
                self.wake(worker, now);
            }
        }
    }

    fn step(&mut self, index: usize, now: u64) -> Result<(), RunError> {
        let Some(worker) = &mut self.workers[index] else { return Ok(()) };
        let wait = worker.step().map_err(|source| match self.state.blueprint(index) {
            Some(blueprint) => blueprint.broke(index, source),
            None => RunError::lost(index),
        })?;
        let next_completion_at = worker.next_completion_at();
        match wait {
            Wait::Ready => self.wake(index, now),
            Wait::Until(at) => self.wake(index, at),
            Wait::CompletionOr(at) => self.wake(index, next_completion_at.unwrap_or(at).min(at)),
            Wait::Completion => {
                // Without a next completion the worker is never woken: it hangs.
                if let Some(at) = next_completion_at {
                    self.wake(index, at);
                }
            }
            Wait::Ended => {
                let end = worker.end();
                self.workers[index] = None;
                if let Some(note) = self.state.blueprint(index).and_then(|blueprint| hooks::after(blueprint))
                {
                    self.state.note(note);
                }
                self.ended(index, end, now)?;
            }
        }
        self.deliver();
        Ok(())
    }

    /// Handles the end of a worker, and starts the jobs that waited for it.
    fn ended(&mut self, index: usize, end: WorkerEnd, now: u64) -> Result<(), RunError> {
        self.workers[index] = None;
        self.deliver();
        let to_wake = self.state.ended(index, end);
        self.rouse(&to_wake, now);
        self.start_due(now)
    }

    /// Passes on the logs.
    fn deliver(&self) {
        if let (Some(basket), Some(sink)) = (&self.basket, self.state.request.helpers.logs) {
            basket.deliver(sink);
        }
    }
}
