//! Many requests at a time through a pair of rings that are shared with the kernel.
//!
//! The files and the whole arena are registered, so that the kernel neither looks a file up nor pins pages for each
//! request, and requests use the opcodes for a single buffer. That is what fio's `fixedbufs`, `registerfiles` and
//! `nonvectored` ask for; here it is so whether they are set or not. Requests are pushed in a batch and handed over in
//! one system call.
//!
//! Dropping a ring with requests in flight would leave the kernel writing into memory that was given back. `drop` asks
//! for their end and waits for it; if the kernel does not let go, the arena is leaked instead.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::Arc;

use io_uring::{IoUring, opcode, squeue, types};

use crate::buffers::Arena;
use crate::clock::Clock;
use crate::engine::{
    Completion, EngineContext, EngineEntry, IoEngine, IoOp, OpKind, Opened, Unavailable, hand_over,
};
use crate::engines::letting_go::let_go;
use crate::engines::trim::trim;

pub const ENTRY: EngineEntry = EngineEntry {
    name: "io_uring",
    summary: "many requests in flight through rings shared with the kernel",
    is_queueing: true,
    is_simulated: false,
    fallback: Some("psync"),
    probe,
    open,
};

/// User data of cancellations: no slot has this number.
const CANCEL: u64 = u64::MAX;

fn probe() -> Result<(), Unavailable> {
    let unavailable = |reason: String| Unavailable { reason };
    let ring = IoUring::new(2).map_err(|error| {
        unavailable(match error.raw_os_error() {
            Some(libc::ENOSYS) => "the kernel has no io_uring (it came with Linux 5.1)".to_string(),
            Some(libc::EPERM) => {
                "io_uring is forbidden here (kernel.io_uring_disabled, or a container's rules)".to_string()
            }
            _ => format!("io_uring_setup failed: {error}"),
        })
    })?;
    // Waiting with a time limit came with Linux 5.11. Without it a drive that stops answering could not be noticed.
    if !ring.params().is_feature_ext_arg() {
        return Err(unavailable("the kernel's io_uring is older than Linux 5.11".to_string()));
    }
    let mut supported = io_uring::Probe::new();
    ring.submitter()
        .register_probe(&mut supported)
        .map_err(|_| unavailable("the kernel's io_uring cannot say what it supports".to_string()))?;
    let needed = [opcode::Read::CODE, opcode::Write::CODE, opcode::ReadFixed::CODE, opcode::Fsync::CODE];
    match needed.iter().all(|&code| supported.is_supported(code)) {
        true => Ok(()),
        false => Err(unavailable("the kernel's io_uring lacks read, write or fsync".to_string())),
    }
}

fn open(context: &EngineContext) -> io::Result<Opened> {
    let force_async = context.count_option("force_async")?.unwrap_or(0);
    let ring = build_ring(context.depth)?;
    // The kernel holds the files from here on: the descriptors themselves are only needed for trims.
    let files = context.open_files()?;
    let descriptors: Vec<RawFd> = files.iter().map(AsRawFd::as_raw_fd).collect();
    ring.submitter().register_files(&descriptors)?;
    let may_trim = context.access.writes && context.targets.iter().any(|target| target.is_device());
    let (base, len) = context.buffers.whole();
    let iovec = libc::iovec { iov_base: base.cast(), iov_len: len };
    // SAFETY: the arena outlives the ring: `drop` below waits for the kernel, or leaks it.
    let registered = unsafe { ring.submitter().register_buffers(&[iovec]) };
    let buffers_not_registered = registered.as_ref().err().map(|error| match error.raw_os_error() {
        Some(libc::ENOMEM) => "more than the limit on locked memory (ulimit -l)".to_string(),
        _ => error.to_string(),
    });
    let engine = Uring {
        ring,
        devices: if may_trim { files } else { Vec::new() },
        buffers: context.buffers.clone(),
        fixed_buffers: registered.is_ok(),
        force_async,
        unforced: 0,
        clock: context.clock.clone(),
        in_flight: vec![false; context.depth as usize],
        in_flight_count: 0,
        trimmed: Vec::with_capacity(context.depth as usize),
    };
    Ok(Opened { engine: Box::new(engine), buffers_not_registered })
}

/// A ring in the cheapest mode that the kernel has: one submitter, completions run when that thread enters the kernel.
fn build_ring(depth: u32) -> io::Result<IoUring> {
    let entries = depth.next_power_of_two();
    let modes: [fn(&mut io_uring::Builder); 3] = [
        |builder| {
            builder.setup_single_issuer().setup_coop_taskrun().setup_taskrun_flag();
        },
        |builder| {
            builder.setup_coop_taskrun();
        },
        |_| {},
    ];
    let mut last_error = io::Error::from(io::ErrorKind::Unsupported);
    for mode in modes {
        let mut builder = IoUring::builder();
        builder.dontfork();
        mode(&mut builder);
        match builder.build(entries) {
            Ok(ring) => return Ok(ring),
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) => last_error = error,
            Err(error) => return Err(error),
        }
    }
    Err(last_error)
}

struct Uring {
    ring: IoUring,
    /// What trims go to; empty where there can be none.
    devices: Vec<OwnedFd>,
    buffers: Arc<Arena>,
    fixed_buffers: bool,
    /// Of so many requests one goes to the kernel's own threads without a try in the caller's; 0 is none.
    force_async: u64,
    /// Requests since the last of those.
    unforced: u64,
    clock: Clock,
    /// By slot.
    in_flight: Vec<bool>,
    in_flight_count: u32,
    /// Trims that have not been reaped yet.
    trimmed: Vec<Completion>,
}

impl Uring {
    fn entry(&self, op: &IoOp) -> squeue::Entry {
        let file = types::Fixed(op.file);
        let buffer = self.buffers.slot(op.slot);
        assert!(op.len_bytes as usize <= self.buffers.slot_len_bytes(), "{op:?} is longer than its slot");
        let (len, offset) = (op.len_bytes, op.offset_bytes);
        let entry = match (op.kind, self.fixed_buffers) {
            (OpKind::Read, true) => opcode::ReadFixed::new(file, buffer, len, 0).offset(offset).build(),
            (OpKind::Read, false) => opcode::Read::new(file, buffer, len).offset(offset).build(),
            (OpKind::Write, true) => opcode::WriteFixed::new(file, buffer, len, 0).offset(offset).build(),
            (OpKind::Write, false) => opcode::Write::new(file, buffer, len).offset(offset).build(),
            (OpKind::Fsync, _) => opcode::Fsync::new(file).build(),
            (OpKind::Trim, _) => unreachable!("trims are done in place"),
            (OpKind::Fdatasync, _) => opcode::Fsync::new(file).flags(types::FsyncFlags::DATASYNC).build(),
        };
        entry.user_data(u64::from(op.slot))
    }

    fn enter(&mut self) -> io::Result<()> {
        loop {
            match self.ring.submit() {
                Ok(_) => return Ok(()),
                Err(error) if error.raw_os_error() == Some(libc::EINTR) => {}
                // The kernel wants completions taken before it takes more; what was pushed stays in the ring.
                Err(error) if matches!(error.raw_os_error(), Some(libc::EBUSY | libc::EAGAIN)) => {
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn wait(&mut self, min: u32, until: Option<u64>) -> io::Result<()> {
        let timeout_ns = until.map(|until| self.clock.ns_between(self.clock.now(), until));
        let entered = match timeout_ns {
            None => self.ring.submit_and_wait(min as usize),
            Some(ns) => {
                let time = types::Timespec::new().sec(ns / 1_000_000_000).nsec((ns % 1_000_000_000) as u32);
                let arguments = types::SubmitArgs::new().timespec(&time);
                self.ring.submitter().submit_with_args(min as usize, &arguments)
            }
        };
        match entered {
            Ok(_) => Ok(()),
            Err(error) => match error.raw_os_error() {
                Some(libc::EINTR | libc::ETIME | libc::EBUSY | libc::EAGAIN) => Ok(()),
                _ => Err(error),
            },
        }
    }

    /// Trims while the caller waits. What was pushed before is handed over first.
    #[cold]
    fn trim(&mut self, op: &IoOp) -> io::Result<()> {
        self.enter()?;
        let result = self.devices.get(op.file as usize).map_or(-libc::ENOTTY, |device| trim(device, op));
        self.trimmed.push(Completion { slot: op.slot, result, completed_at: self.clock.now() });
        Ok(())
    }

    /// Takes what is there, at most `max`. Returns how many.
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

impl IoEngine for Uring {
    fn submit(&mut self, ops: &[IoOp]) -> io::Result<usize> {
        let mut taken = 0;
        for op in ops {
            if op.kind == OpKind::Trim {
                self.trim(op)?;
                taken += 1;
                continue;
            }
            let is_forced = self.unforced + 1 == self.force_async;
            let entry = self.entry(op);
            let entry = if is_forced { entry.flags(squeue::Flags::ASYNC) } else { entry };
            // SAFETY: file and buffer of the entry live as long as the ring (see the top of this file), and the slot
            // belongs to this engine until it was reaped.
            if unsafe { self.ring.submission().push(&entry) }.is_err() {
                break;
            }
            self.in_flight[op.slot as usize] = true;
            self.unforced = if is_forced { 0 } else { self.unforced + 1 };
            self.in_flight_count += 1;
            taken += 1;
        }
        if taken > 0 {
            self.enter()?;
        }
        Ok(taken)
    }

    fn reap(&mut self, min: u32, max: u32, until: Option<u64>, done: &mut Vec<Completion>) -> io::Result<()> {
        let mut taken = 0;
        if !self.trimmed.is_empty() {
            let before = done.len();
            hand_over(&mut self.trimmed, max, done);
            taken = (done.len() - before) as u32;
        }
        taken += self.drain(max - taken, done);
        let min = min.min(max).min(taken + self.in_flight_count);
        if taken < min {
            self.wait(min - taken, until)?;
            self.drain(max - taken, done);
        }
        Ok(())
    }

    fn cancel(&mut self) -> io::Result<()> {
        for slot in 0..self.in_flight.len() {
            if self.in_flight[slot] {
                let entry = opcode::AsyncCancel::new(slot as u64).build().user_data(CANCEL);
                // SAFETY: a cancellation refers to no memory. A full ring is handed over and tried once more.
                if unsafe { self.ring.submission().push(&entry) }.is_err() {
                    self.enter()?;
                    // SAFETY: as above.
                    let _ = unsafe { self.ring.submission().push(&entry) };
                }
            }
        }
        self.enter()
    }
}

impl Drop for Uring {
    fn drop(&mut self) {
        let clock = self.clock.clone();
        if !let_go(self, &clock, |engine| engine.in_flight_count) {
            std::mem::forget(self.buffers.clone());
        } else {
            // The kernel takes a ring apart some time after it was closed. Until then its files would be open, so that a
            // file system could not be unmounted, nor a device be opened by those who want it for themselves; and its
            // memory would count towards the limit on locked memory of the next job.
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

    /// Whether the kernel has made threads for requests of the calling thread.
    fn has_kernel_threads() -> bool {
        let name = format!("iou-wrk-{}", rustix::thread::gettid().as_raw_nonzero());
        let tasks = std::fs::read_dir("/proc/self/task").unwrap();
        // A thread may end while it is looked at.
        tasks.flatten().any(|task| {
            std::fs::read_to_string(task.path().join("comm")).is_ok_and(|comm| comm.trim() == name)
        })
    }

    /// Which of seven reads of cached blocks, one after the other, first needed a thread of the kernel's.
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
        // The kernel keeps its threads by the thread that asked: this one is new.
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

    #[test]
    fn force_async_is_heeded() {
        if let Err(unavailable) = probe() {
            return cardiograph_testing::skip("force_async", &unavailable.reason);
        }
        let found: Vec<_> = [None, Some("0"), Some("1"), Some("4")].into_iter().map(first_forced).collect();
        assert_eq!(found, [None, None, Some(1), Some(4)]);
    }
}
