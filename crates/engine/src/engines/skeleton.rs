//! A template for a new engine. It compiles, passes the tests below, and does I/O to a buffer in memory.
//!
//! 1. Copy this file to `engines/NAME.rs`, and add a line for NAME to the table of engines
//!    (`crates/jobs/src/options/engine_names.rs`): what it does, and how it differs from most engines.
//!    Resolver, help, documentation and the conformance suite follow from that.
//! 2. Replace the parts marked "Yours".

use std::io;
use std::sync::Arc;

use cardiograph_core::{Message, message};

use crate::buffers::Arena;
use crate::clock::Clock;
use crate::engine::{Completion, EngineContext, EngineEntry, IoEngine, IoOp, OpKind, Opened, hand_over};

pub const ENTRY: EngineEntry = EngineEntry {
    // Optional. The engines to use instead if `probe` fails, the best first; the result then has a note.
    fallbacks: &["psync"],
    // Optional. Whether it is available on this machine.
    probe,
    // Required. Opens it.
    ..EngineEntry::new(open)
};

/// Optional. Asks the kernel whether the engine works here, rather than relying on the platform's name. Must
/// be cheap: it is also called to list engines. The reason is shown to the user.
fn probe() -> Result<(), Message> {
    if cfg!(target_endian = "little") { Ok(()) } else { Err(message!("engine-probe.big-endian")) }
}

/// Required. Opens the engine on its worker's thread. All allocation happens here: later calls must not
/// allocate.
fn open(context: &EngineContext) -> io::Result<Opened> {
    Ok(Opened::new(Skeleton {
        // Yours: usually `context.open_files()?`, and your own options with `context.count_option("NAME")?`.
        memories: context
            .targets
            .iter()
            .map(|target| memory(target.len_bytes()))
            .collect::<Result<_, _>>()?,
        buffers: context.buffers.clone(),
        clock: context.clock.clone(),
        done: Vec::with_capacity(context.depth as usize),
    }))
}

fn memory(len_bytes: u64) -> io::Result<Vec<u8>> {
    Ok(vec![0; usize::try_from(len_bytes).map_err(|_| io::ErrorKind::OutOfMemory)?])
}

struct Skeleton {
    /// One per target, indexed by `IoOp::file`.
    memories: Vec<Vec<u8>>,
    buffers: Arc<Arena>,
    clock: Clock,
    done: Vec<Completion>,
}

impl Skeleton {
    /// Trims a buffer by zeroing it.
    fn forget(&mut self, op: &IoOp) -> i32 {
        let range = op.offset_bytes as usize..op.offset_bytes as usize + op.len_bytes as usize;
        match self.memories[op.file as usize].get_mut(range) {
            Some(stored) => {
                stored.fill(0);
                stored.len() as i32
            }
            None => -libc::EINVAL,
        }
    }
}

impl IoEngine for Skeleton {
    /// Required. Returns how many requests it accepted, in order. A failing request is accepted, too, and
    /// completes with a negative error number.
    fn submit(&mut self, ops: &[IoOp]) -> io::Result<usize> {
        for op in ops {
            // Required. Trims are synchronous; all engines for files share the function `trim(&file, op)`.
            if op.kind == OpKind::Trim {
                let result = self.forget(op);
                self.done.push(Completion { slot: op.slot, result, completed_at: self.clock.now() });
                continue;
            }
            let range = op.offset_bytes as usize..op.offset_bytes as usize + op.len_bytes as usize;
            // SAFETY: between `submit` and `reap` the slot belongs to the engine.
            let slot = unsafe { self.buffers.slot_bytes(op.slot, op.len_bytes as usize) };
            // Yours: the system calls.
            let result = match (op.kind, self.memories[op.file as usize].get_mut(range)) {
                (OpKind::Fsync | OpKind::Fdatasync | OpKind::Trim, _) => 0,
                (_, None) => -libc::EINVAL,
                (OpKind::Read, Some(stored)) => {
                    slot.copy_from_slice(stored);
                    slot.len() as i32
                }
                (OpKind::Write, Some(stored)) => {
                    stored.copy_from_slice(slot);
                    slot.len() as i32
                }
            };
            // The engine stamps completions itself, as close to the end of the request as possible.
            self.done.push(Completion { slot: op.slot, result, completed_at: self.clock.now() });
        }
        Ok(ops.len())
    }

    /// Required. A queueing engine waits here for `min` completions until the clock reaches `until`. Never
    /// append more than `max`.
    fn reap(&mut self, _: u32, max: u32, _: Option<u64>, done: &mut Vec<Completion>) -> io::Result<()> {
        hand_over(&mut self.done, max, done);
        Ok(())
    }

    /// Required. A queueing engine cancels what is in flight; all of it is still reaped.
    fn cancel(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::{Access, Target};

    /// The test that `docs/fio.md` links to: fio_engine_NAME, here or in `tests/program/fio_options/`.
    #[test]
    fn fio_engine_skeleton() {
        (ENTRY.probe)().unwrap();
        let buffers = Arena::new(1, 4_096).unwrap();
        let context = EngineContext {
            targets: vec![Target::without_storage(8_192), Target::without_storage(4_096)],
            access: Access::default(),
            depth: 1,
            buffers: buffers.clone(),
            clock: Clock::machine(),
            options: Vec::new(),
        };
        let mut engine = (ENTRY.open)(&context).unwrap().engine;
        let mut exchange = |file, kind, offset_bytes, byte| {
            // SAFETY: nothing is in flight.
            unsafe { buffers.slot_bytes(0, 4_096) }.fill(byte);
            let mut done = Vec::new();
            engine.submit(&[IoOp { slot: 0, file, kind, offset_bytes, len_bytes: 4_096 }]).unwrap();
            engine.reap(1, 1, None, &mut done).unwrap();
            // SAFETY: nothing is in flight.
            (done[0].result, unsafe { buffers.slot_bytes(0, 1) }[0])
        };
        assert_eq!(exchange(0, OpKind::Write, 4_096, 7), (4_096, 7));
        assert_eq!(exchange(0, OpKind::Read, 4_096, 0), (4_096, 7));
        assert_eq!(exchange(1, OpKind::Read, 0, 9), (4_096, 0));
        assert_eq!(exchange(1, OpKind::Read, 4_096, 0), (-libc::EINVAL, 0));
        assert_eq!(exchange(0, OpKind::Trim, 4_096, 5), (4_096, 5), "a trim leaves its slot alone");
        assert_eq!(exchange(0, OpKind::Read, 4_096, 9), (4_096, 0));
        assert_eq!(exchange(0, OpKind::Trim, 8_192, 0).0, -libc::EINVAL);
    }
}
