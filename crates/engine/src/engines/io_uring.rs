//! Many requests at a time through a pair of rings that are shared with the kernel.
//!
//! The file and the whole arena are registered, so that the kernel neither looks the file up nor pins pages for each
//! request. Requests are pushed in a batch and handed over in one system call.
//!
//! Dropping a ring with requests in flight would leave the kernel writing into memory that was given back. `drop` asks
//! for their end and waits for it; if the kernel does not let go, the arena is leaked instead.

use std::io;
use std::os::fd::AsRawFd;
use std::sync::Arc;

use io_uring::{IoUring, opcode, squeue, types};

use crate::buffers::Arena;
use crate::clock::Clock;
use crate::engine::{Completion, EngineContext, EngineEntry, IoEngine, IoOp, OpKind, Opened, Unavailable};
use crate::target::Target;

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
    let ring = build_ring(context.depth)?;
    let fd = context.target.fd(context.direct)?.as_raw_fd();
    ring.submitter().register_files(&[fd])?;
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
        _target: context.target.clone(),
        buffers: context.buffers.clone(),
        fixed_buffers: registered.is_ok(),
        clock: context.clock.clone(),
        in_flight: vec![false; context.depth as usize],
        in_flight_count: 0,
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
    /// Keeps the registered descriptor open.
    _target: Arc<Target>,
    buffers: Arc<Arena>,
    fixed_buffers: bool,
    clock: Clock,
    /// By slot.
    in_flight: Vec<bool>,
    in_flight_count: u32,
}

impl Uring {
    fn entry(&self, op: &IoOp) -> squeue::Entry {
        let file = types::Fixed(0);
        let buffer = self.buffers.slot(op.slot);
        let (len, offset) = (op.len_bytes, op.offset_bytes);
        let entry = match (op.kind, self.fixed_buffers) {
            (OpKind::Read, true) => opcode::ReadFixed::new(file, buffer, len, 0).offset(offset).build(),
            (OpKind::Read, false) => opcode::Read::new(file, buffer, len).offset(offset).build(),
            (OpKind::Write, true) => opcode::WriteFixed::new(file, buffer, len, 0).offset(offset).build(),
            (OpKind::Write, false) => opcode::Write::new(file, buffer, len).offset(offset).build(),
            (OpKind::Fsync, _) => opcode::Fsync::new(file).build(),
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

    fn drain(&mut self, done: &mut Vec<Completion>) {
        let mut completions = self.ring.completion();
        if completions.is_empty() {
            return;
        }
        let completed_at = self.clock.now();
        for entry in &mut completions {
            if entry.user_data() == CANCEL {
                continue;
            }
            let slot = entry.user_data() as u32;
            self.in_flight[slot as usize] = false;
            self.in_flight_count -= 1;
            done.push(Completion { slot, result: entry.result(), completed_at });
        }
    }
}

impl IoEngine for Uring {
    fn submit(&mut self, ops: &[IoOp]) -> io::Result<usize> {
        let mut taken = 0;
        for op in ops {
            let entry = self.entry(op);
            // SAFETY: file and buffer of the entry live as long as the ring (see the top of this file), and the slot
            // belongs to this engine until it was reaped.
            if unsafe { self.ring.submission().push(&entry) }.is_err() {
                break;
            }
            self.in_flight[op.slot as usize] = true;
            taken += 1;
        }
        self.in_flight_count += taken as u32;
        if taken > 0 {
            self.enter()?;
        }
        Ok(taken)
    }

    fn reap(&mut self, min: u32, until: Option<u64>, done: &mut Vec<Completion>) -> io::Result<()> {
        let before = done.len();
        self.drain(done);
        let min = min.min(self.in_flight_count + (done.len() - before) as u32);
        let reaped = (done.len() - before) as u32;
        if reaped < min {
            self.wait(min - reaped, until)?;
            self.drain(done);
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
        if self.in_flight_count == 0 {
            return;
        }
        let mut done = Vec::new();
        let deadline = self.clock.now() + self.clock.ticks(5_000_000_000);
        let _ = self.cancel();
        while self.in_flight_count > 0 && self.clock.now() < deadline {
            if self.reap(1, Some(deadline), &mut done).is_err() {
                break;
            }
        }
        if self.in_flight_count > 0 {
            std::mem::forget(self.buffers.clone());
        }
    }
}
