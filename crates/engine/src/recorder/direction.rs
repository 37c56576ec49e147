//! Figures of one direction.

use cardiograph_core::result::DirectionResult;

use super::RecorderShape;
use super::latency::{Count, LatencyRecorder};

/// Counts and latencies of one direction.
#[derive(Debug, Default)]
pub(super) struct DirectionRecorder {
    pub ios: Count,
    pub bytes: Count,
    pub short_ios: Count,
    pub issued_bytes: Count,
    pub runtime_ns: Count,
    pub submission: Option<LatencyRecorder>,
    pub completion: Option<LatencyRecorder>,
    pub total: Option<LatencyRecorder>,
    pub intended: Option<LatencyRecorder>,
}

impl DirectionRecorder {
    /// A recorder for the measured latencies; an unused direction has none.
    pub fn new(is_used: bool, shape: &RecorderShape) -> Self {
        let latency = |is_wanted: bool| (is_used && is_wanted).then(LatencyRecorder::new);
        let measured = shape.measured;
        Self {
            submission: latency(measured.submission && shape.is_queueing),
            completion: latency(measured.completion),
            // A synchronous engine has one latency: the total is recorded only if no other is wanted.
            total: latency(measured.total && (shape.is_queueing || !measured.completion)),
            intended: latency(shape.has_rate),
            ..Self::default()
        }
    }

    /// Resets all counters except issued I/Os: the kernel has counted those, too.
    pub fn start_over(&self) {
        for count in [&self.ios, &self.bytes, &self.short_ios, &self.runtime_ns] {
            count.set(0);
        }
        let latencies = [&self.submission, &self.completion, &self.total, &self.intended];
        latencies.into_iter().flatten().for_each(LatencyRecorder::start_over);
    }

    pub fn snapshot(&self) -> DirectionResult {
        let read = |latency: &Option<LatencyRecorder>| latency.as_ref().map(LatencyRecorder::snapshot);
        DirectionResult {
            submission: read(&self.submission),
            completion: read(&self.completion).unwrap_or_default(),
            total: read(&self.total),
            intended: read(&self.intended),
            ..self.figures()
        }
    }

    /// Counts and times without latencies.
    pub fn figures(&self) -> DirectionResult {
        DirectionResult {
            ios: self.ios.get(),
            bytes: self.bytes.get(),
            short_ios: self.short_ios.get(),
            issued_bytes: self.issued_bytes.get(),
            runtime_ns: self.runtime_ns.get(),
            ..DirectionResult::default()
        }
    }
}
