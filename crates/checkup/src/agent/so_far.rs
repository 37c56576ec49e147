//! What a run has come to so far, for the case that nothing more is heard of it.

use std::time::{Duration, Instant};

use cardiograph_core::result::{RunOutcome, RunResult};

use super::child::{Heard, Loss};
use crate::sink::Began;

/// What was told of a run.
#[derive(Debug, Default)]
pub(super) struct SoFar {
    /// Its jobs, and what they have come to.
    pub began: Began,
    /// When its figures were told, and when its latencies were.
    told_at: Option<Instant>,
    latency_at: Option<Instant>,
}

impl SoFar {
    /// Takes in what is told. Returns whether that has latencies.
    pub fn hear(&mut self, heard: Heard) -> bool {
        match heard {
            Heard::Began(began) => *self = Self { began, ..Self::default() },
            Heard::Run(_) => {}
            Heard::Part(part) => {
                let has_latency = part.workers.iter().all(|worker| worker.has_latency);
                self.told_at = Some(Instant::now());
                if has_latency {
                    self.latency_at = self.told_at;
                }
                part.add_to(&mut self.began.result);
                return has_latency;
            }
        }
        false
    }

    /// Whether anything was told of it.
    pub fn is_known(&self) -> bool {
        self.told_at.is_some()
    }

    /// How old its figures are, and how old its latencies.
    pub fn ages(&self) -> Option<(Duration, Duration)> {
        self.told_at.zip(self.latency_at).map(|(told, latency)| (told.elapsed(), latency.elapsed()))
    }

    /// Its result, ended by a loss.
    pub fn result(self, loss: &Loss) -> RunResult {
        let mut result = self.began.result;
        let outcome = if *loss == Loss::Hung { RunOutcome::Hung } else { RunOutcome::Failed };
        result.outcome = outcome;
        result.workers.iter_mut().for_each(|worker| worker.outcome = outcome);
        result
    }
}
