//! Results of a run so far, in case the connection is lost.

use std::time::{Duration, Instant};

use cardiograph_core::result::{RunOutcome, RunResult};
use cardiograph_engine::part::RunPart;
use cardiograph_engine::process;
use serde_json::value::RawValue;

use super::child::{Heard, Loss};
use crate::run::is_large;
use crate::sink::Began;

/// Maximum of unparsed data, in bytes: a caller that only waits for the end needs neither time nor memory for it.
const UNREAD_LEN_BYTES_MAX: usize = 256 << 10;

/// What was reported of a run.
#[derive(Debug, Default)]
pub(super) struct SoFar {
    /// Its jobs, with their results when last parsed.
    began: Began,
    unread: Vec<(Instant, Box<RawValue>)>,
    unread_len_bytes: usize,
    /// Whether parts were received since memory was released.
    is_release_due: bool,
    /// Whether an invalid part was received.
    is_broken: bool,
    /// Time of the last figures, and of the last latencies.
    reported_at: Option<Instant>,
    latency_at: Option<Instant>,
}

impl SoFar {
    /// Records a message.
    pub fn hear(&mut self, heard: Heard) {
        match heard {
            Heard::Began(began) => {
                *self = Self { began: *began, ..Self::default() };
                if is_large(&self.began.result) {
                    process::release_memory();
                }
            }
            Heard::Run(_) => {}
            // Until the next parts, in a second.
            Heard::Nothing if self.is_release_due => {
                self.is_release_due = false;
                process::release_memory();
            }
            Heard::Nothing => {}
            Heard::Part(part) => {
                self.unread_len_bytes += part.get().len();
                self.unread.push((Instant::now(), part));
                let is_much = self.unread_len_bytes > UNREAD_LEN_BYTES_MAX;
                self.is_release_due = !is_much;
                if is_much {
                    // Parsing uses other pages of the program than waiting.
                    process::release_memory();
                    self.read();
                    process::release_memory();
                }
            }
        }
    }

    /// Parses the reported parts. Returns whether all have latencies.
    fn read(&mut self) -> bool {
        let mut has_latency = false;
        let mut is_whole = true;
        self.unread_len_bytes = 0;
        for (at, part) in self.unread.drain(..) {
            // Parts are incremental: after an invalid one, later ones are useless.
            let part = serde_json::from_slice::<RunPart>(part.get().as_bytes()).ok();
            let Some(part) = part.filter(|_| !self.is_broken) else {
                self.is_broken = true;
                continue;
            };
            let is_last = part.is_last;
            is_whole &= part.workers.iter().all(|worker| worker.has_latency);
            part.add_to(&mut self.began.result);
            if is_last {
                self.reported_at = Some(at);
                has_latency = std::mem::replace(&mut is_whole, true);
                if has_latency {
                    self.latency_at = Some(at);
                }
            }
        }
        has_latency
    }

    /// The result so far, if the last report has latencies.
    pub fn snapshot(&mut self) -> Option<&RunResult> {
        self.read().then_some(&self.began.result)
    }

    /// Ends the run as lost: its jobs, whether they run in sequence, the result so far, and the age of its
    /// figures and latencies; `None` if nothing was reported.
    pub fn lost(mut self, loss: &Loss) -> (Began, Option<(Duration, Duration)>) {
        self.read();
        let outcome = if *loss == Loss::Hung { RunOutcome::Hung } else { RunOutcome::Failed };
        let result = &mut self.began.result;
        result.outcome = outcome;
        result.workers.iter_mut().for_each(|worker| worker.outcome = outcome);
        let ages = self.reported_at.map(|reported| {
            let latency = self.latency_at.unwrap_or(reported);
            (reported.elapsed(), latency.elapsed())
        });
        (self.began, ages)
    }
}
