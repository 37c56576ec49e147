//! All workers of a Plan on one thread, in simulated time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cardiograph_core::message;
use cardiograph_core::result::RunResult;

use super::RunRequest;
use super::course::Course;
use super::silence::Silence;
use super::{errand, look};
use crate::error::RunError;
use crate::log::{Basket, LogWay};
use crate::observer::Event;
use crate::sim::SimDrive;
use crate::worker::{Wait, Worker, WorkerEnd};

/// The time that the drive of all jobs keeps.
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
                return Err(RunError::bad_plan(job, message!("plan-two-simulated-drives", job = job)));
            }
        }
    }
    // A Plan without jobs takes no time.
    Ok(found.map(|drive| drive.time()).unwrap_or_default())
}

pub(super) fn run(course: Course<'_>, time: Arc<AtomicU64>) -> Result<RunResult, RunError> {
    let clock = course.clock.clone();
    let mark = clock.mark();
    let start = clock.now();
    let mut driver = Driver {
        workers: (0..course.request.plan.workers()).map(|_| None).collect(),
        wake: BinaryHeap::new(),
        wake_at: vec![None; course.request.plan.workers()],
        basket: course.request.helpers.logs.map(|_| Basket::default()),
        silence: Silence::new(course.request.plan.workers()),
        course,
    };
    let first = driver.course.start_first();
    driver.build(&first)?;
    driver.course.begin(start);
    driver.release(&first, start)?;
    let mut now = start;
    let tick_ticks = clock.ticks(driver.course.request.control.tick_ns());
    let mut next_tick = start + tick_ticks;
    while let Some(at) = driver.next_at(next_tick) {
        now = now.max(at);
        time.store(now, Ordering::Relaxed);
        if now >= next_tick {
            driver.course.tick(now);
            look::offer(&driver.course, now);
            next_tick = now + tick_ticks;
            // A worker may look again and again for another one that hangs.
            if driver.silence.all_are_hanging(&driver.course, now, false) {
                break;
            }
        }
        driver.turn(now)?;
    }
    if driver.course.working > 0 {
        // Some request is never answered. Real time would pass until its worker is given up.
        now = driver.silence.longest_from(&driver.course, now).max(now);
        time.store(now, Ordering::Relaxed);
    }
    // What a hanging worker still holds is logged, too.
    driver.workers.clear();
    driver.deliver();
    driver.course.tell(Event::Ended);
    Ok(driver.course.result(now, &mark))
}

struct Driver<'a> {
    course: Course<'a>,
    /// By number; `None` where it has not been started or has ended.
    workers: Vec<Option<Worker>>,
    /// Earliest first; at one time in the order of workers, so that a seed gives one order of events.
    wake: BinaryHeap<Reverse<(u64, usize)>>,
    /// When each worker is woken. What else is in `wake` was overtaken by something.
    wake_at: Vec<Option<u64>>,
    basket: Option<Basket>,
    silence: Silence,
}

impl Driver<'_> {
    /// When something happens next: a worker wakes, a job starts, a sample or an event of progress is due. `None` when
    /// nothing will happen any more of itself.
    fn next_at(&mut self, next_tick: u64) -> Option<u64> {
        while let Some(&Reverse((at, worker))) = self.wake.peek()
            && self.wake_at[worker] != Some(at)
        {
            self.wake.pop();
        }
        let wakes_at = self.wake.peek().map(|Reverse((at, _))| *at);
        let next = [wakes_at, self.course.next_due_at()].into_iter().flatten().min()?;
        let sample_at = self.course.next_sample_at().unwrap_or(u64::MAX);
        Some(next.min(sample_at).min(next_tick))
    }

    /// Does what is due now: first what the coordinator does, then one worker's step.
    fn turn(&mut self, now: u64) -> Result<(), RunError> {
        if self.course.request.control.is_stopping() && self.course.stopped_at.is_none() {
            self.course.stop(now);
            let all: Vec<usize> = (0..self.workers.len()).collect();
            self.rouse(&all, now);
        }
        let settled = self.course.sample(now);
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
        let due = self.course.start_due(now);
        self.build(&due)?;
        self.release(&due, now)
    }

    fn build(&mut self, workers: &[usize]) -> Result<(), RunError> {
        let way = self.basket.clone().map(LogWay::Basket);
        for &worker in workers {
            let Some(blueprint) = self.course.blueprint(worker).cloned() else { continue };
            let built = blueprint.build(&self.course.clock, way.as_ref())?;
            built.note.into_iter().for_each(|note| self.course.note(note));
            self.workers[worker] = Some(built.worker);
        }
        Ok(())
    }

    /// Lets workers begin. Their commands take no simulated time.
    fn release(&mut self, workers: &[usize], now: u64) -> Result<(), RunError> {
        for &index in workers {
            let Some(blueprint) = self.course.blueprint(index).cloned() else { continue };
            if let Err(reason) = errand::before(&blueprint) {
                self.ended(index, blueprint.end_by_command(reason, now), now)?;
                continue;
            }
            if let Some(worker) = &mut self.workers[index] {
                let begin_at = now.saturating_add(self.course.clock.ticks(blueprint.late_ns));
                worker.release(begin_at);
                self.silence.begin(index, begin_at);
                self.wake(index, begin_at);
            }
        }
        // A speed that is to settle is looked at from the moment on at which the first of them counts.
        self.course.sample(now);
        Ok(())
    }

    fn wake(&mut self, worker: usize, at: u64) {
        self.wake_at[worker] = Some(at);
        self.wake.push(Reverse((at, worker)));
    }

    /// Wakes workers, so that they see a wish to end.
    fn rouse(&mut self, workers: &[usize], now: u64) {
        for &worker in workers {
            // One that waits for nothing hangs or has not begun: neither can see it.
            if self.wake_at[worker].is_some() {
                self.wake(worker, now);
            }
        }
    }

    fn step(&mut self, index: usize, now: u64) -> Result<(), RunError> {
        let Some(worker) = &mut self.workers[index] else { return Ok(()) };
        let wait = worker.step().map_err(|source| match self.course.blueprint(index) {
            Some(blueprint) => blueprint.broke(index, source),
            None => RunError::WorkerLost { worker: index },
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
                if let Some(note) =
                    self.course.blueprint(index).and_then(|blueprint| errand::after(blueprint))
                {
                    self.course.note(note);
                }
                self.ended(index, end, now)?;
            }
        }
        self.deliver();
        Ok(())
    }

    /// Notes that a worker has ended, and lets begin what waited for it.
    fn ended(&mut self, index: usize, end: WorkerEnd, now: u64) -> Result<(), RunError> {
        self.workers[index] = None;
        self.deliver();
        let told = self.course.ended(index, end);
        self.rouse(&told, now);
        self.start_due(now)
    }

    /// Hands over what was logged.
    fn deliver(&self) {
        if let (Some(basket), Some(sink)) = (&self.basket, self.course.request.helpers.logs) {
            basket.deliver(sink);
        }
    }
}
