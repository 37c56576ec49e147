//! What engines have in common that execute a request in the call that takes it.

use std::io;

use crate::clock::Clock;
use crate::engine::{Completion, IoEngine, IoOp};

/// Executes a request while the caller waits. Most engines are a closure that returns bytes moved or a negative error
/// number; only what has something to tidy up behind the moment at which a request was complete is a type of its own.
///
/// Closures are called in one place, so that the compiler inlines them: kernels that guard against speculation leave the
/// processor without its prediction of where functions return to, and one return less saves 12 ns.
pub trait ExecuteTimed {
    /// Does it. Returns bytes moved or a negative error number, and when it was complete.
    fn execute_timed(&mut self, op: &IoOp, clock: &Clock) -> (i32, u64);
}

impl<F: FnMut(&IoOp) -> i32> ExecuteTimed for F {
    #[inline]
    fn execute_timed(&mut self, op: &IoOp, clock: &Clock) -> (i32, u64) {
        let result = self(op);
        (result, clock.now())
    }
}

/// An engine of something that executes. It takes one request, and is full until that was reaped.
pub struct AtOnce<E> {
    executor: E,
    clock: Clock,
    /// What has not been reaped yet.
    done: Option<Completion>,
}

impl<E> AtOnce<E> {
    /// An engine whose completions are stamped by `clock`.
    pub fn new(executor: E, clock: &Clock) -> Self {
        Self { executor, clock: clock.clone(), done: None }
    }
}

impl<E: ExecuteTimed> IoEngine for AtOnce<E> {
    fn submit(&mut self, ops: &[IoOp]) -> io::Result<usize> {
        let (Some(op), None) = (ops.first(), self.done) else { return Ok(0) };
        let (result, completed_at) = self.executor.execute_timed(op, &self.clock);
        self.done = Some(Completion { slot: op.slot, result, completed_at });
        Ok(1)
    }

    fn reap(&mut self, _: u32, max: u32, _: Option<u64>, done: &mut Vec<Completion>) -> io::Result<()> {
        if max > 0
            && let Some(completion) = self.done.take()
        {
            done.push(completion);
        }
        Ok(())
    }

    fn cancel(&mut self) -> io::Result<()> {
        Ok(())
    }
}
