//! What a run has come to so far, for the case that nothing more is heard of it.

use std::time::{Duration, Instant};

use cardiograph_core::result::{RunOutcome, RunResult};
use cardiograph_engine::part::RunPart;
use cardiograph_engine::process;
use serde_json::value::RawValue;

use super::child::{Heard, Loss};
use crate::sink::Began;

/// So much is kept unread, in bytes: who only waits for the end of a run needs neither time nor memory for it.
const UNREAD_LEN_BYTES_MAX: usize = 1 << 20;

/// What was told of a run.
#[derive(Debug, Default)]
pub(super) struct SoFar {
    /// Its jobs, and what they had come to when it was read last.
    began: Began,
    unread: Vec<(Instant, Box<RawValue>)>,
    unread_len_bytes: usize,
    /// Whether a part made no sense.
    is_broken: bool,
    /// When its figures were told, and when its latencies were.
    told_at: Option<Instant>,
    latency_at: Option<Instant>,
}

impl SoFar {
    /// Takes in what is told.
    pub fn hear(&mut self, heard: Heard) {
        match heard {
            Heard::Began(began) => *self = Self { began, ..Self::default() },
            Heard::Run(_) | Heard::Nothing => {}
            Heard::Part(part) => {
                let is_first = self.told_at.is_none() && self.unread.is_empty();
                self.unread_len_bytes += part.get().len();
                self.unread.push((Instant::now(), part));
                if self.unread_len_bytes > UNREAD_LEN_BYTES_MAX {
                    self.read();
                    process::release_memory();
                } else if is_first {
                    process::release_memory();
                }
            }
        }
    }

    /// Reads what was told. Returns whether all of it has latencies.
    fn read(&mut self) -> bool {
        let mut has_latency = false;
        let mut is_whole = true;
        self.unread_len_bytes = 0;
        for (at, part) in self.unread.drain(..) {
            // A part is what came since the one before: without one that makes no sense, those after it make none.
            let part = serde_json::from_slice::<RunPart>(part.get().as_bytes()).ok();
            let Some(part) = part.filter(|_| !self.is_broken) else {
                self.is_broken = true;
                continue;
            };
            let is_last = part.is_last;
            is_whole &= part.workers.iter().all(|worker| worker.has_latency);
            part.add_to(&mut self.began.result);
            if is_last {
                self.told_at = Some(at);
                has_latency = std::mem::replace(&mut is_whole, true);
                if has_latency {
                    self.latency_at = Some(at);
                }
            }
        }
        has_latency
    }

    /// The result so far, where the last that was told of it has latencies.
    pub fn snapshot(&mut self) -> Option<&RunResult> {
        self.read().then_some(&self.began.result)
    }

    /// The end of the run by a loss: its jobs with whether they run in turn, its result so far, and how old the figures of that are,
    /// and the latencies; `None` where nothing was told.
    pub fn lost(mut self, loss: &Loss) -> (Began, Option<(Duration, Duration)>) {
        self.read();
        let outcome = if *loss == Loss::Hung { RunOutcome::Hung } else { RunOutcome::Failed };
        let result = &mut self.began.result;
        result.outcome = outcome;
        result.workers.iter_mut().for_each(|worker| worker.outcome = outcome);
        let ages = self.told_at.map(|told| {
            let latency = self.latency_at.unwrap_or(told);
            (told.elapsed(), latency.elapsed())
        });
        (self.began, ages)
    }
}
