//! Asynchronous I/O through a pair of rings shared with the kernel.
//!
//! The files and the whole arena are registered, so that the kernel neither looks up a file nor pins pages
//! for each request, and requests use the single-buffer opcodes. This is what fio's `fixedbufs`,
//! `registerfiles` and `nonvectored` select; here they are always on. Requests are pushed in a batch and
//! submitted in one system call.
//!
//! With `hipri` the ring polls the drive for completions instead of waiting for its interrupts. The kernel
//! does that only for reads and writes past the page cache, so a sync is executed synchronously; and it polls
//! inside the call, so the thread does not sleep. With `sqthread_poll` a kernel thread looks for new
//! requests, and submitting needs no system call while it is awake.
//!
//! Dropping a ring with requests in flight would leave the kernel writing into freed memory. `drop` cancels
//! them and waits; if the kernel does not release them, the arena is leaked.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::Arc;

use cardiograph_core::system_error::cause;
use cardiograph_core::system_error::explained;
use cardiograph_core::{Message, message};
use io_uring::{IoUring, opcode, squeue, types};

use crate::buffers::Arena;
use crate::clock::Clock;
use crate::engine::{Completion, EngineContext, EngineEntry, IoEngine, IoOp, OpKind, Opened, hand_over};
use crate::engines::drain::drain_in_flight;
use crate::engines::syscalls;

mod ring;

use ring::RingOptions;

pub const ENTRY: EngineEntry = EngineEntry {
    // Containers forbid io_uring, and allow libaio: with direct I/O, that has the same queue depth.
    fallbacks: &["libaio", "psync"],
    probe,
    ..EngineEntry::new(open)
};

/// User data of cancellations: no slot has this number.
const CANCEL: u64 = u64::MAX;
/// Length of the read that tests whether a drive supports polling, in bytes: a sector of any drive.
const TRIAL_LEN_BYTES: usize = 4_096;

fn probe() -> Result<(), Message> {
    let ring = IoUring::new(2).map_err(|error| match error.raw_os_error() {
        Some(libc::ENOSYS) => message!("engine-probe.io-uring-missing"),
        Some(libc::EPERM) => message!("engine-probe.io-uring-forbidden"),
        _ => message!("engine-probe-io-uring-failed", error),
    })?;
    // Waiting with a timeout was added in Linux 5.11. Without it an unresponsive drive would go unnoticed.
    if !ring.params().is_feature_ext_arg() {
        return Err(message!("engine-probe.io-uring-old"));
    }
    let mut supported = io_uring::Probe::new();
    ring.submitter().register_probe(&mut supported).map_err(|_| message!("engine-probe.io-uring-mute"))?;
    let needed = [opcode::Read::CODE, opcode::Write::CODE, opcode::ReadFixed::CODE, opcode::Fsync::CODE];
    match needed.iter().all(|&code| supported.is_supported(code)) {
        true => Ok(()),
        false => Err(message!("engine-probe.io-uring-lacks")),
    }
}

fn open(context: &EngineContext) -> io::Result<Opened> {
    let (mut engine, buffers_not_registered) = build(context)?;
    if engine.polls_drive {
        engine.try_polling()?;
    }
    Ok(Opened { engine: Box::new(engine), buffers_not_registered })
}

/// The engine, and why the arena could not be registered.
fn build(context: &EngineContext) -> io::Result<(Uring, Option<Message>)> {
    let force_async = context.count_option("force_async")?.unwrap_or(0);
    let options = RingOptions::from_context(context)?;
    let ring = ring::build(context.depth, options).map_err(|error| options.explain(error))?;
    // The kernel now holds the files: the descriptors are needed only for synchronous requests.
    let files = context.open_files()?;
    let descriptors: Vec<RawFd> = files.iter().map(AsRawFd::as_raw_fd).collect();
    ring.submitter().register_files(&descriptors)?;
    let may_trim = context.access.writes && context.targets.iter().any(|target| target.is_device());
    let (base, len) = context.buffers.whole();
    let iovec = libc::iovec { iov_base: base.cast(), iov_len: len };
    // SAFETY: the arena outlives the ring: `drop` below waits for the kernel, or leaks it.
    let registered = unsafe { ring.submitter().register_buffers(&[iovec]) };
    let buffers_not_registered = registered.as_ref().err().map(|error| match error.raw_os_error() {
        Some(libc::ENOMEM) => message!("engine-locked-memory"),
        _ => cause(error),
    });
    let engine = Uring {
        ring,
        files: if options.polls_drive || may_trim { files } else { Vec::new() },
        buffers: context.buffers.clone(),
        fixed_buffers: registered.is_ok(),
        transfer_flags: if context.switch_option("nowait")? { libc::RWF_NOWAIT } else { 0 },
        force_async,
        unforced: 0,
        polls_drive: options.polls_drive,
        clock: context.clock.clone(),
        finished: Vec::with_capacity(context.depth as usize),
        in_flight: vec![false; context.depth as usize],
        in_flight_count: 0,
    };
    Ok((engine, buffers_not_registered))
}

struct Uring {
    ring: IoUring,
    /// Descriptors for synchronous trims and syncs; otherwise empty.
    files: Vec<OwnedFd>,
    buffers: Arc<Arena>,
    fixed_buffers: bool,
    /// Flags of each read and write (`nowait`).
    transfer_flags: i32,
    /// Every n-th request goes straight to the kernel's worker threads; 0 disables this.
    force_async: u64,
    /// Requests since the last one sent to a worker thread.
    unforced: u64,
    /// Whether the drive is polled for completions.
    polls_drive: bool,
    clock: Clock,
    /// Completions of synchronous requests.
    finished: Vec<Completion>,
    /// Indexed by slot.
    in_flight: Vec<bool>,
    in_flight_count: u32,
}

impl Uring {
    fn entry(&self, op: &IoOp) -> squeue::Entry {
        let file = types::Fixed(op.file);
        let buffer = self.buffers.slot(op.slot);
        assert!(op.len_bytes as usize <= self.buffers.slot_len_bytes(), "{op:?} is longer than its slot");
        let (len, offset) = (op.len_bytes, op.offset_bytes);
        let flags = self.transfer_flags;
        let entry = match (op.kind, self.fixed_buffers) {
            (OpKind::Read, true) => {
                opcode::ReadFixed::new(file, buffer, len, 0).offset(offset).rw_flags(flags).build()
            }
            (OpKind::Read, false) => {
                opcode::Read::new(file, buffer, len).offset(offset).rw_flags(flags).build()
            }
            (OpKind::Write, true) => {
                opcode::WriteFixed::new(file, buffer, len, 0).offset(offset).rw_flags(flags).build()
            }
            (OpKind::Write, false) => {
                opcode::Write::new(file, buffer, len).offset(offset).rw_flags(flags).build()
            }
            (OpKind::Fsync, _) => opcode::Fsync::new(file).build(),
            (OpKind::Trim, _) => unreachable!("trims are done in place"),
            (OpKind::Fdatasync, _) => opcode::Fsync::new(file).flags(types::FsyncFlags::DATASYNC).build(),
        };
        entry.user_data(u64::from(op.slot))
    }

    /// Reads a block to find out whether the drive can be polled: if it cannot, the kernel only reports an
    /// unsupported operation.
    fn try_polling(&mut self) -> io::Result<()> {
        let len_bytes = self.buffers.slot_len_bytes().min(TRIAL_LEN_BYTES) as u32;
        let trial = IoOp { slot: 0, file: 0, kind: OpKind::Read, offset_bytes: 0, len_bytes };
        self.submit(&[trial])?;
        let mut done = Vec::new();
        while done.is_empty() {
            self.reap(1, 1, Some(self.clock.now() + self.clock.ticks(1_000_000_000)), &mut done)?;
        }
        match done[0].result {
            result if result == -libc::EOPNOTSUPP => {
                Err(explained(io::ErrorKind::Other, message!("engine-cannot-poll")))
            }
            // Other failures will surface in the job.
            _ => Ok(()),
        }
    }

    /// Polls the drive until `min` requests are complete or the clock reaches `until`; at least once.
    #[cold]
    fn poll_drive(&mut self, min: u32, until: Option<u64>) -> io::Result<()> {
        loop {
            entered(self.ring.submit_and_wait(0))?;
            let is_late = until.is_some_and(|until| self.clock.now() >= until);
            if self.ring.completion().len() >= min as usize || is_late {
                return Ok(());
            }
        }
    }

    fn wait(&mut self, min: u32, until: Option<u64>) -> io::Result<()> {
        if self.polls_drive {
            return self.poll_drive(min, until);
        }
        let timeout_ns = until.map(|until| self.clock.ns_between(self.clock.now(), until));
        let waited = match timeout_ns {
            None => self.ring.submit_and_wait(min as usize),
            Some(ns) => {
                let time = types::Timespec::new().sec(ns / 1_000_000_000).nsec((ns % 1_000_000_000) as u32);
                let arguments = types::SubmitArgs::new().timespec(&time);
                self.ring.submitter().submit_with_args(min as usize, &arguments)
            }
        };
        entered(waited)
    }

    /// Executes a trim or a sync synchronously, after submitting the requests pushed before it.
    #[cold]
    fn execute_synchronously(&mut self, op: &IoOp) -> io::Result<()> {
        entered(self.ring.submit())?;
        let file = self.files.get(op.file as usize);
        let result = file.map_or(-libc::ENOTTY, |file| syscalls::execute(file, op));
        self.finished.push(Completion { slot: op.slot, result, completed_at: self.clock.now() });
        Ok(())
    }

    /// Takes at most `max` available completions. Returns how many.
    fn drain(&mut self, max: u32, done: &mut Vec<Completion>) -> u32 {
        let mut completions = self.ring.completion();
        if completions.is_empty() {
            return 0;
        }
        let completed_at = self.clock.now();
        let mut taken = 0;
        while taken < max {
            let Some(entry) = completions.next() else { break };
            if entry.user_data() == CANCEL {
                continue;
            }
            let slot = entry.user_data() as u32;
            self.in_flight[slot as usize] = false;
            self.in_flight_count -= 1;
            done.push(Completion { slot, result: entry.result(), completed_at });
            taken += 1;
        }
        taken
    }
}

/// Result of entering the kernel. A signal or a deadline ends the call early, and the kernel may require
/// completions to be taken before it accepts more: requests already pushed stay in the ring until the next
/// call.
fn entered(result: io::Result<usize>) -> io::Result<()> {
    match result {
        Err(error) => match error.raw_os_error() {
            Some(libc::EINTR | libc::ETIME | libc::EBUSY | libc::EAGAIN) => Ok(()),
            _ => Err(error),
        },
        Ok(_) => Ok(()),
    }
}

impl IoEngine for Uring {
    fn submit(&mut self, ops: &[IoOp]) -> io::Result<usize> {
        let mut taken = 0;
        for op in ops {
            let is_synchronous = match op.kind {
                OpKind::Read | OpKind::Write => false,
                OpKind::Trim => true,
                OpKind::Fsync | OpKind::Fdatasync => self.polls_drive,
            };
            if is_synchronous {
                self.execute_synchronously(op)?;
                taken += 1;
                continue;
            }
            let is_forced = self.unforced + 1 == self.force_async;
            let entry = self.entry(op);
            let entry = if is_forced { entry.flags(squeue::Flags::ASYNC) } else { entry };
            // SAFETY: the entry's file and buffer live as long as the ring (see the top of this file), and
            // the slot belongs to this engine until it is reaped.
            if unsafe { self.ring.submission().push(&entry) }.is_err() {
                break;
            }
            self.in_flight[op.slot as usize] = true;
            self.unforced = if is_forced { 0 } else { self.unforced + 1 };
            self.in_flight_count += 1;
            taken += 1;
        }
        if taken > 0 {
            entered(self.ring.submit())?;
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
        // Polled completions do not arrive unless the drive is polled.
        if taken < min || (self.polls_drive && taken < max && self.in_flight_count > 0) {
            self.wait(min.saturating_sub(taken), until)?;
            self.drain(max - taken, done);
        }
        Ok(())
    }

    fn cancel(&mut self) -> io::Result<()> {
        for slot in 0..self.in_flight.len() {
            if self.in_flight[slot] {
                let entry = opcode::AsyncCancel::new(slot as u64).build().user_data(CANCEL);
                // SAFETY: a cancellation refers to no memory. If the ring is full, submit it and retry once.
                if unsafe { self.ring.submission().push(&entry) }.is_err() {
                    entered(self.ring.submit())?;
                    // SAFETY: as above.
                    let _ = unsafe { self.ring.submission().push(&entry) };
                }
            }
        }
        entered(self.ring.submit())
    }
}

impl Drop for Uring {
    fn drop(&mut self) {
        let clock = self.clock.clone();
        if !drain_in_flight(self, &clock, |engine| engine.in_flight_count) {
            std::mem::forget(self.buffers.clone());
        } else {
            // The kernel tears down a ring some time after it is closed. Until then its open files would
            // prevent unmounting a file system or opening a device exclusively, and its memory would count
            // towards the next job's limit on locked memory.
            let _ = self.ring.submitter().unregister_files();
            if self.fixed_buffers {
                let _ = self.ring.submitter().unregister_buffers();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::target::{Access, Naming, Target};

    /// Whether the kernel has created worker threads for the calling thread.
    fn has_kernel_threads() -> bool {
        let name = format!("iou-wrk-{}", rustix::thread::gettid().as_raw_nonzero());
        let tasks = std::fs::read_dir("/proc/self/task").unwrap();
        // A thread may end during this look-up.
        tasks.flatten().any(|task| {
            std::fs::read_to_string(task.path().join("comm")).is_ok_and(|comm| comm.trim() == name)
        })
    }

    /// Which of seven sequential reads of cached blocks first needed a kernel thread.
    fn first_forced(force_async: Option<&str>) -> Option<usize> {
        let directory = cardiograph_testing::disk_dir();
        let target = Target::create_file(directory.path(), 8_192, Naming::Automatic).unwrap();
        let mut file =
            std::fs::File::from(target.open(Access { writes: true, ..Access::default() }).unwrap());
        file.write_all(&[1; 8_192]).unwrap();
        let context = EngineContext {
            targets: vec![target],
            access: Access::default(),
            depth: 2,
            buffers: Arena::new(2, 4_096).unwrap(),
            clock: Clock::machine(),
            options: force_async
                .map(|value| ("force_async".to_string(), value.to_string()))
                .into_iter()
                .collect(),
        };
        // Kernel worker threads belong to the submitting thread: use a new one.
        std::thread::spawn(move || {
            let mut engine = open(&context).unwrap().engine;
            (1..=7).find(|_| {
                let op = IoOp { slot: 0, file: 0, kind: OpKind::Read, offset_bytes: 4_096, len_bytes: 4_096 };
                let mut done = Vec::new();
                assert_eq!(engine.submit(&[op]).unwrap(), 1);
                engine.reap(1, 1, None, &mut done).unwrap();
                assert_eq!(done[0].result, 4_096);
                has_kernel_threads()
            })
        })
        .join()
        .unwrap()
    }

    /// The kernel queues no syncs in such a ring, and completes nothing in it unless it is polled.
    #[test]
    fn a_polled_ring_completes_every_kind_of_request() {
        if let Err(unavailable) = probe() {
            return cardiograph_testing::skip("hipri", &unavailable.to_string());
        }
        let directory = cardiograph_testing::disk_dir();
        let target = Target::create_file(directory.path(), 16_384, Naming::Automatic).unwrap();
        let context = EngineContext {
            targets: vec![target],
            access: Access { direct: true, writes: true, ..Access::default() },
            depth: 4,
            buffers: Arena::new(4, 4_096).unwrap(),
            clock: Clock::machine(),
            options: vec![("hipri".to_string(), String::new())],
        };
        let (mut engine, _) = build(&context).unwrap();
        for kinds in [
            [OpKind::Write, OpKind::Fsync, OpKind::Write, OpKind::Fdatasync],
            [OpKind::Fsync, OpKind::Fdatasync, OpKind::Fsync, OpKind::Write],
        ] {
            let op = |(slot, &kind): (u32, &OpKind)| {
                let len_bytes = if kind == OpKind::Write { 4_096 } else { 0 };
                IoOp { slot, file: 0, kind, offset_bytes: u64::from(slot * len_bytes), len_bytes }
            };
            let ops: Vec<IoOp> = (0..).zip(&kinds).map(op).collect();
            assert_eq!(engine.submit(&ops).unwrap(), 4);
            let mut done = Vec::new();
            while done.len() < 4 {
                let before = done.len();
                engine.reap(0, 3, None, &mut done).unwrap();
                assert!(done.len() - before <= 3);
            }
            done.sort_by_key(|completion| completion.slot);
            let results: Vec<i32> = done.iter().map(|completion| completion.result).collect();
            if results.contains(&-libc::EOPNOTSUPP) {
                return cardiograph_testing::skip("hipri", "the drive cannot be asked for completions");
            }
            let expected: Vec<i32> = ops.iter().map(|op| op.len_bytes as i32).collect();
            assert_eq!(results, expected);
        }
        assert_eq!(engine.in_flight_count, 0);
    }

    #[test]
    fn force_async_is_honoured() {
        if let Err(unavailable) = probe() {
            return cardiograph_testing::skip("force_async", &unavailable.to_string());
        }
        let found: Vec<_> = [None, Some("0"), Some("1"), Some("4")].into_iter().map(first_forced).collect();
        assert_eq!(found, [None, None, Some(1), Some(4)]);
    }
}
