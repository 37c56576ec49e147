//! Tolerated errors.

use std::collections::BTreeMap;

use cardiograph_core::result::{IoFailure, ToleratedErrors, Verified};
use cardiograph_core::workload::{ErrorKind, Tolerance};

use super::{InFlight, Phase, Worker};
use crate::engine::OpKind;
use crate::log::{FailureRecord, LogPen};

/// Errors that a worker tolerated.
#[derive(Debug)]
pub(super) struct Tolerated {
    wanted: Tolerance,
    seen: ToleratedErrors,
    /// Writes that failed: the content at their offsets is unknown.
    lost_writes: Numbers,
    /// Log of errors, if any.
    pen: Option<LogPen>,
}

impl Tolerated {
    /// No errors yet; `None` if any error ends the job.
    pub fn new(wanted: &Tolerance) -> Option<Box<Self>> {
        wanted.is_any().then(|| {
            let (seen, lost_writes) = (ToleratedErrors::default(), Numbers::default());
            Box::new(Self { wanted: wanted.clone(), seen, lost_writes, pen: None })
        })
    }

    /// Counts an error. Returns whether the worker continues.
    fn count(&mut self, failure: &IoFailure) -> bool {
        let kind = ErrorKind::classify(failure.direction, failure.errno);
        // If errors of this kind are tolerated, the one that ends the worker is counted, too, as in fio.
        if self.wanted.tolerated(kind).is_some() {
            self.seen.count(*failure, 1);
        }
        self.wanted.holds(kind, failure.errno)
    }

    /// Whether bad blocks do not end the worker.
    pub fn holds_mismatches(&self) -> bool {
        self.wanted.holds(ErrorKind::Check, libc::EILSEQ)
    }

    /// Whether the write with this number failed.
    pub fn has_lost(&self, number: u64) -> bool {
        self.lost_writes.contains(number)
    }

    /// All errors, including those of verification.
    pub fn errors(&self, verified: Option<&Verified>) -> ToleratedErrors {
        let mut errors = self.seen.clone();
        if self.wanted.tolerated(ErrorKind::Check).is_some()
            && let Some(verified) = verified
            && let Some(first) = &verified.first
        {
            let (offset_bytes, len_bytes) = (first.offset_bytes, first.len_bytes);
            errors.count(super::complete::mismatch(offset_bytes, len_bytes), verified.bad_blocks);
        }
        errors
    }
}

impl Worker {
    /// Logs each tolerated error.
    pub fn log_errors(&mut self, pen: LogPen) {
        if let Some(tolerated) = &mut self.found.tolerated {
            tolerated.pen = Some(pen);
        }
    }

    /// Continues after a failed request, if tolerated.
    pub(super) fn tolerates(&mut self, failure: &IoFailure, in_flight: &InFlight, completed_at: u64) -> bool {
        let Some(tolerated) = &mut self.found.tolerated else { return false };
        if !tolerated.count(failure) {
            return false;
        }
        let InFlight { op, started_at, .. } = *in_flight;
        if op.kind == OpKind::Write
            && let Some(&number) = self.checking.numbers.get(op.slot as usize)
        {
            tolerated.lost_writes.insert(number);
        }
        if let Some(pen) = &mut tolerated.pen {
            pen.failure(FailureRecord { file: op.file, failure: *failure });
        }
        if started_at < self.count_from
            || matches!(self.phase, Phase::Closing | Phase::Turning | Phase::Settling)
        {
            self.complete_uncounted(completed_at);
        } else {
            self.writer.failed(failure.direction, completed_at);
        }
        true
    }
}

/// A set of integers, stored as ranges: failures tend to come in groups.
#[derive(Debug, Default)]
struct Numbers {
    /// Ends of ranges by their starts.
    runs: BTreeMap<u64, u64>,
}

impl Numbers {
    fn insert(&mut self, number: u64) {
        if self.contains(number) {
            return;
        }
        let before = self.runs.range(..number).next_back().filter(|&(_, &end)| end == number);
        let begin = before.map_or(number, |(&begin, _)| begin);
        let end = self.runs.remove(&(number + 1)).unwrap_or(number + 1);
        self.runs.insert(begin, end);
    }

    fn contains(&self, number: u64) -> bool {
        self.runs.range(..=number).next_back().is_some_and(|(_, &end)| number < end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_numbers_form_one_range() {
        let mut numbers = Numbers::default();
        for number in [5, 3, 4, 9, 5, 0] {
            numbers.insert(number);
        }
        assert_eq!(numbers.runs, BTreeMap::from([(0, 1), (3, 6), (9, 10)]));
        let held: Vec<u64> = (0..12).filter(|&number| numbers.contains(number)).collect();
        assert_eq!(held, [0, 3, 4, 5, 9]);
    }
}
