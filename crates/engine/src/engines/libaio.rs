//! Asynchronous I/O through the kernel's older interface (AIO), by direct system calls.
//!
//! Requests are submitted in one call per batch. That call blocks where the kernel cannot defer a request:
//! without O_DIRECT it reads and writes synchronously, and it waits when the file system must allocate space
//! or the drive's queue is full. That is a property of the interface, not of this engine.
//!
//! Since Linux 4.18 a sync is queued like any other request. Older kernels refuse that, so it is executed
//! synchronously once everything submitted before is complete.
//!
//! Dropping a context waits for everything in flight, however long that takes. `drop` cancels it and waits
//! for a limited time; if the kernel does not release it, context and arena are leaked.

use std::ffi::c_int;
use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::Arc;

use cardiograph_core::{Direction, Message, message, system_error};

use crate::buffers::Arena;
use crate::clock::Clock;
use crate::engine::{Completion, EngineContext, EngineEntry, IoEngine, IoOp, OpKind, Opened, hand_over};
use crate::engines::drain::drain_in_flight;
use crate::engines::syscalls;

mod kernel;

use kernel::{Context, ControlBlock, Event};

pub const ENTRY: EngineEntry = EngineEntry {
    probe,
    // No fallback: io_uring takes another path through the kernel, and psync has another queue depth.
    ..EngineEntry::new(open)
};

fn probe() -> Result<(), Message> {
    kernel::ask().map_err(|error| match error.raw_os_error() {
        Some(libc::ENOSYS) => message!("engine-probe.aio-missing"),
        Some(libc::EPERM | libc::EACCES) => message!("engine-probe.aio-forbidden"),
        _ => message!("engine-probe-aio-failed", error),
    })
}

fn open(context: &EngineContext) -> io::Result<Opened> {
    build(context).map(Opened::new)
}

fn build(context: &EngineContext) -> io::Result<Libaio> {
    let files = context.open_files()?;
    let depth = context.depth as usize;
    Ok(Libaio {
        kernel: ManuallyDrop::new(Context::new(context.depth).map_err(explained)?),
        files,
        buffers: context.buffers.clone(),
        clock: context.clock.clone(),
        blocks: vec![ControlBlock::default(); depth],
        batch: Vec::with_capacity(depth),
        events: vec![Event::default(); depth],
        finished: Vec::with_capacity(depth),
        in_flight: vec![false; depth],
        in_flight_count: 0,
        queues_syncs: true,
        transfer_flags: if context.switch_option("nowait")? { libc::RWF_NOWAIT } else { 0 },
        is_cached: !context.access.direct,
    })
}

/// Explains what to do when the machine has no AIO slots left.
fn explained(error: io::Error) -> io::Error {
    if error.raw_os_error() != Some(libc::EAGAIN) {
        return error;
    }
    let limit = std::fs::read_to_string("/proc/sys/fs/aio-max-nr").unwrap_or_default();
    system_error::explained(
        io::ErrorKind::QuotaExceeded,
        message!("engine-aio-limit", requests = limit.trim()),
    )
}

struct Libaio {
    kernel: ManuallyDrop<Context>,
    files: Vec<OwnedFd>,
    buffers: Arc<Arena>,
    clock: Clock,
    /// Indexed by slot.
    blocks: Vec<ControlBlock>,
    /// Requests about to be submitted.
    batch: Vec<*mut ControlBlock>,
    /// Buffer for the kernel's events.
    events: Vec<Event>,
    /// Completions outside the kernel's queue: refused requests and synchronous syncs.
    finished: Vec<Completion>,
    /// Indexed by slot.
    in_flight: Vec<bool>,
    in_flight_count: u32,
    /// Whether the kernel accepts syncs.
    queues_syncs: bool,
    /// Flags of each read and write (`nowait`).
    transfer_flags: c_int,
    /// Whether requests go through the page cache.
    is_cached: bool,
}

impl Libaio {
    fn is_synchronous(&self, op: &IoOp) -> bool {
        match op.kind {
            OpKind::Trim => true,
            OpKind::Fsync | OpKind::Fdatasync => !self.queues_syncs,
            OpKind::Read | OpKind::Write => false,
        }
    }

    fn block(&self, op: &IoOp) -> ControlBlock {
        assert!(op.len_bytes as usize <= self.buffers.slot_len_bytes(), "{op:?} is longer than its slot");
        let file = self.files[op.file as usize].as_raw_fd();
        let transfer = |opcode| {
            let memory = (self.buffers.slot(op.slot), op.len_bytes);
            ControlBlock::transfer(opcode, file, op.slot, memory, op.offset_bytes).flags(self.transfer_flags)
        };
        match op.kind {
            OpKind::Read => transfer(kernel::READ),
            OpKind::Write => transfer(kernel::WRITE),
            OpKind::Fsync => ControlBlock::sync(kernel::FSYNC, file, op.slot),
            OpKind::Fdatasync => ControlBlock::sync(kernel::FDATASYNC, file, op.slot),
            OpKind::Trim => unreachable!("trims are done in place"),
        }
    }

    /// Fills the control blocks of requests, up to the first that must be executed synchronously.
    fn prepare(&mut self, ops: &[IoOp]) {
        self.batch.clear();
        for op in ops {
            if self.is_synchronous(op) {
                break;
            }
            let filled = self.block(op);
            let block = &mut self.blocks[op.slot as usize];
            *block = filled;
            self.batch.push(block);
        }
    }

    /// Submits the prepared requests. Returns how many the kernel accepted.
    fn hand_to_kernel(&mut self, ops: &[IoOp]) -> Result<usize, c_int> {
        // SAFETY: the blocks were just written and are in a vector that never grows; slots belong to this
        // engine until they are reaped; arena and files live until `drop` has waited, or are leaked.
        let taken = unsafe { self.kernel.submit(&self.batch) }?;
        for op in &ops[..taken] {
            self.in_flight[op.slot as usize] = true;
        }
        self.in_flight_count += taken as u32;
        Ok(taken)
    }

    fn finish(&mut self, op: &IoOp, result: i32) {
        self.finished.push(Completion { slot: op.slot, result, completed_at: self.clock.now() });
    }

    /// Takes at most `max` available completions without a system call. Returns how many.
    fn drain(&mut self, max: u32, done: &mut Vec<Completion>) -> u32 {
        let Self { kernel, clock, in_flight, .. } = self;
        let mut completed_at = None;
        let taken = kernel.take(max, |event| {
            let completed_at = *completed_at.get_or_insert_with(|| clock.now());
            done.push(completion(event, in_flight, completed_at));
        });
        self.in_flight_count -= taken;
        taken
    }

    /// Waits for `min` completions until the clock reaches `until`, and takes at most `max`. Neither exceeds
    /// what is in flight.
    fn wait(&mut self, min: u32, max: u32, until: Option<u64>, done: &mut Vec<Completion>) -> io::Result<()> {
        let timeout_ns = until.map(|until| self.clock.ns_between(self.clock.now(), until));
        let taken = match self.kernel.wait(min, &mut self.events[..max as usize], timeout_ns) {
            Ok(taken) => taken,
            Err(libc::EINTR) => return Ok(()),
            Err(errno) => return Err(io::Error::from_raw_os_error(errno)),
        };
        let completed_at = self.clock.now();
        let events = &self.events[..taken];
        done.extend(events.iter().map(|event| completion(event, &mut self.in_flight, completed_at)));
        self.in_flight_count -= taken as u32;
        Ok(())
    }
}

fn completion(event: &Event, in_flight: &mut [bool], completed_at: u64) -> Completion {
    in_flight[event.data as usize] = false;
    Completion { slot: event.data as u32, result: event.result as i32, completed_at }
}

impl IoEngine for Libaio {
    fn submit(&mut self, ops: &[IoOp]) -> io::Result<usize> {
        let mut taken = 0;
        while let [first, ..] = &ops[taken..] {
            if self.is_synchronous(first) {
                // A sync covers completed writes; a trim covers other blocks than those in flight.
                if first.kind != OpKind::Trim && self.in_flight_count > 0 {
                    break;
                }
                let result = syscalls::execute(&self.files[first.file as usize], first);
                self.finish(first, result);
                taken += 1;
                continue;
            }
            self.prepare(&ops[taken..]);
            match self.hand_to_kernel(&ops[taken..]) {
                Ok(0) => break,
                // After a partial submit, the next iteration gets the error.
                Ok(more) => taken += more,
                Err(libc::EAGAIN) if self.in_flight_count > 0 => break,
                Err(libc::EINVAL) if self.queues_syncs && first.kind.direction() == Direction::Sync => {
                    self.queues_syncs = false;
                }
                Err(errno) => {
                    self.finish(first, -errno);
                    taken += 1;
                }
            }
        }
        Ok(taken)
    }

    fn reap(&mut self, min: u32, max: u32, until: Option<u64>, done: &mut Vec<Completion>) -> io::Result<()> {
        let before = done.len();
        if !self.finished.is_empty() {
            hand_over(&mut self.finished, max, done);
        }
        let mut taken = (done.len() - before) as u32;
        taken += self.drain(max - taken, done);
        let min = min.min(max).min(taken + self.in_flight_count);
        if taken < min || !self.kernel.has_ring() {
            let max = (max - taken).min(self.in_flight_count);
            self.wait(min.saturating_sub(taken), max, until, done)?;
        }
        Ok(())
    }

    fn cancel(&mut self) -> io::Result<()> {
        for (block, _) in self.blocks.iter_mut().zip(&self.in_flight).filter(|(_, in_flight)| **in_flight) {
            self.kernel.cancel(block);
        }
        Ok(())
    }

    // Of several requests in one call, the kernel passes a read to the drive only when the call sleeps,
    // through a kernel worker thread: on a busy machine each of them waits milliseconds for that.
    fn is_serial(&self) -> bool {
        self.is_cached
    }
}

impl Drop for Libaio {
    fn drop(&mut self) {
        let clock = self.clock.clone();
        if !drain_in_flight(self, &clock, |engine| engine.in_flight_count) {
            std::mem::forget(self.buffers.clone());
        } else {
            // SAFETY: it is not used again.
            unsafe { ManuallyDrop::drop(&mut self.kernel) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::{Access, Naming, Target};

    const BLOCK: u32 = 4_096;

    /// An engine of depth 4 on a file; `None` where AIO is unavailable.
    fn libaio(directory: &std::path::Path) -> Option<Libaio> {
        if let Err(unavailable) = probe() {
            cardiograph_testing::skip("libaio", &unavailable.to_string());
            return None;
        }
        let target = Target::create_file(directory, 1 << 20, Naming::Automatic).unwrap();
        let context = EngineContext {
            targets: vec![target],
            access: Access { direct: true, writes: true, ..Access::default() },
            depth: 4,
            buffers: Arena::new(4, BLOCK as usize).unwrap(),
            clock: Clock::machine(),
            options: Vec::new(),
        };
        Some(build(&context).unwrap())
    }

    fn op(slot: u32, kind: OpKind) -> IoOp {
        let len_bytes = if kind == OpKind::Write { BLOCK } else { 0 };
        IoOp { slot, file: 0, kind, offset_bytes: u64::from(slot * len_bytes), len_bytes }
    }

    fn reap_all(engine: &mut Libaio, count: usize) -> Vec<(u32, i32)> {
        let mut done = Vec::new();
        while done.len() < count {
            engine.reap(1, u32::MAX, None, &mut done).unwrap();
        }
        let mut results: Vec<_> =
            done.iter().map(|completion| (completion.slot, completion.result)).collect();
        results.sort_unstable();
        results
    }

    /// Simulates a kernel that refuses to queue syncs.
    #[test]
    fn a_synchronous_sync_waits_for_earlier_requests() {
        let directory = cardiograph_testing::disk_dir();
        let Some(mut engine) = libaio(directory.path()) else { return };
        engine.queues_syncs = false;
        let ops = [op(0, OpKind::Write), op(1, OpKind::Write), op(2, OpKind::Fsync), op(3, OpKind::Write)];
        assert_eq!(engine.submit(&ops).unwrap(), 2, "the sync is not done before the writes are");
        assert_eq!(engine.submit(&ops[2..]).unwrap(), 0);
        assert_eq!(reap_all(&mut engine, 2), [(0, 4_096), (1, 4_096)]);
        assert_eq!(engine.submit(&ops[2..]).unwrap(), 2);
        assert_eq!(reap_all(&mut engine, 2), [(2, 0), (3, 4_096)]);
        assert_eq!(engine.submit(&[op(1, OpKind::Fdatasync)]).unwrap(), 1);
        assert_eq!(engine.in_flight_count, 0);
        assert_eq!(reap_all(&mut engine, 1), [(1, 0)]);
    }

    #[test]
    fn without_a_ring_completions_come_from_system_calls() {
        let directory = cardiograph_testing::disk_dir();
        let Some(mut engine) = libaio(directory.path()) else { return };
        engine.kernel.forget_ring();
        let ops: Vec<IoOp> = (0..4).map(|slot| op(slot, OpKind::Write)).collect();
        for max in [u32::MAX, 3, 1] {
            assert_eq!(engine.submit(&ops).unwrap(), 4);
            let mut done = Vec::new();
            while done.len() < 4 {
                let before = done.len();
                // Without a minimum, available completions are still returned.
                engine.reap(0, max, None, &mut done).unwrap();
                assert!(done.len() - before <= max as usize);
            }
            assert_eq!(engine.in_flight_count, 0);
        }
    }

    #[test]
    fn the_error_for_exhausted_aio_slots_says_what_to_do() {
        let limit = std::fs::read_to_string("/proc/sys/fs/aio-max-nr").unwrap_or_default();
        let Ok(limit) = limit.trim().parse::<u32>() else { return };
        let Some(error) = Context::new(limit.saturating_add(1)).err() else { return };
        if error.raw_os_error() != Some(libc::ENOSYS) {
            let reason = message!("engine-aio-limit", requests = limit.to_string());
            assert_eq!(
                cardiograph_core::Parameter::from(&explained(error)),
                cardiograph_core::Parameter::from(reason)
            );
        }
        let other = explained(io::Error::from_raw_os_error(libc::EINVAL));
        assert_eq!(other.raw_os_error(), Some(libc::EINVAL));
    }
}
