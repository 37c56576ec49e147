//! What a server did so far, for `/metrics`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Mutex, PoisonError};

use axum::http::StatusCode;

/// Counters since the start.
#[derive(Debug, Default)]
pub struct Counts {
    /// Answers, by status.
    pub by_status: Mutex<BTreeMap<u16, u64>>,
    /// Reports that were sent and kept: new ones, or with changes.
    pub accepted: AtomicU64,
    /// Questions that the store could not answer.
    pub store_errors: AtomicU64,
    /// Streams of events that are open now.
    pub streams: AtomicUsize,
}

impl Counts {
    /// A request was answered.
    pub fn answered(&self, status: StatusCode) {
        let mut answers = self.by_status.lock().unwrap_or_else(PoisonError::into_inner);
        *answers.entry(status.as_u16()).or_default() += 1;
    }

    /// The number of all answers.
    pub fn answers(&self) -> u64 {
        self.by_status.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }
}
