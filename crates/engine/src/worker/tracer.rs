//! Records all requests of a worker for later replay.

use super::{InFlight, Worker};
use crate::engine::Completion;
use crate::log::{LogPen, TraceRecord};

/// Numbers requests as they are issued, and logs them on completion.
#[derive(Debug)]
pub(super) struct Tracer {
    pen: LogPen,
    next_number: u64,
    /// The request number of each slot.
    numbers: Box<[u64]>,
}

impl Tracer {
    /// Numbers the request just issued from a slot.
    #[cold]
    pub fn issued(&mut self, slot: u32) {
        self.numbers[slot as usize] = self.next_number;
        self.next_number += 1;
    }

    /// Hands over the rest.
    pub fn finish(&mut self) {
        self.pen.finish();
    }
}

impl Worker {
    /// Makes the worker record its requests.
    pub fn trace(&mut self, pen: LogPen) {
        let numbers = vec![0; self.depth as usize].into_boxed_slice();
        self.tracer = Some(Box::new(Tracer { pen, next_number: 0, numbers }));
    }

    /// Records a completed request.
    #[cold]
    pub(super) fn trace_completion(&mut self, in_flight: &InFlight, completion: &Completion) {
        let Some(tracer) = &mut self.tracer else { return };
        let InFlight { op, started_at, .. } = *in_flight;
        tracer.pen.request(&TraceRecord {
            number: tracer.numbers[op.slot as usize],
            started_ns: self.clock.ns_between(self.begin_at, started_at),
            took_ns: self.clock.ns_between(started_at, completion.completed_at),
            action: op.kind,
            file: op.file,
            offset_bytes: op.offset_bytes,
            len_bytes: op.len_bytes,
        });
    }
}
