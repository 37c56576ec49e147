//! Asynchronous I/O through the C library (`aio_read` and related).
//!
//! The GNU C library executes requests on a number of threads that it chooses, and those of one file
//! sequentially: the queue depth here is not the queue depth at the drive. Programs that use this interface
//! get the same.
//!
//! The library may access a control block until `aio_return` is called for it: blocks lie in memory that does
//! not move, and `drop` waits for everything in flight, or leaks blocks, memory and files if the library does
//! not release them.

use std::ffi::c_int;
use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr;
use std::sync::Arc;

use cardiograph_core::{Message, message};

use crate::buffers::Arena;
use crate::clock::Clock;
use crate::engine::{Completion, EngineContext, EngineEntry, IoEngine, IoOp, OpKind, Opened, hand_over};
use crate::engines::drain::drain_in_flight;
use crate::engines::syscalls;

pub const ENTRY: EngineEntry = EngineEntry { probe, ..EngineEntry::new(open) };

/// Fails only in builds for ThreadSanitizer, which crashes in threads that the C library starts without its
/// knowledge.
fn probe() -> Result<(), Message> {
    if cfg!(thread_sanitizer) {
        return Err(message!("engine-probe.thread-sanitizer"));
    }
    Ok(())
}

fn open(context: &EngineContext) -> io::Result<Opened> {
    let depth = context.depth as usize;
    // SAFETY: a control block is plain data, and all zeros is a valid value.
    let block: libc::aiocb = unsafe { std::mem::zeroed() };
    Ok(Opened::new(PosixAio {
        held: ManuallyDrop::new(Held {
            files: context.open_files()?,
            blocks: vec![block; depth].into_boxed_slice(),
        }),
        buffers: context.buffers.clone(),
        clock: context.clock.clone(),
        in_flight: Vec::with_capacity(depth),
        waited_for: Vec::with_capacity(depth),
        finished: Vec::with_capacity(depth),
    }))
}

/// Memory that the library may use while requests are in flight.
struct Held {
    files: Vec<OwnedFd>,
    /// Indexed by slot.
    blocks: Box<[libc::aiocb]>,
}

struct PosixAio {
    held: ManuallyDrop<Held>,
    buffers: Arc<Arena>,
    clock: Clock,
    /// Slots, the longest in flight first.
    in_flight: Vec<u32>,
    /// Control blocks of the requests in flight, for the call that waits.
    waited_for: Vec<*const libc::aiocb>,
    /// Requests that the library refused.
    finished: Vec<Completion>,
}

impl PosixAio {
    fn block(&mut self, slot: u32) -> *mut libc::aiocb {
        &raw mut self.held.blocks[slot as usize]
    }

    /// Hands a request to the library.
    fn start(&mut self, op: &IoOp) -> io::Result<()> {
        assert!(op.len_bytes as usize <= self.buffers.slot_len_bytes(), "{op:?} is longer than its slot");
        let file = self.held.files[op.file as usize].as_raw_fd();
        let buffer = self.buffers.slot(op.slot);
        let block = self.block(op.slot);
        // SAFETY: the slot's request is not in flight, so nobody else accesses its block. From here on the
        // block, the slot and the file stay unchanged until `aio_return` is called (see the top of this
        // file).
        let result = unsafe {
            *block = std::mem::zeroed();
            (*block).aio_fildes = file;
            (*block).aio_buf = buffer.cast();
            (*block).aio_nbytes = op.len_bytes as usize;
            // An offset beyond any file becomes negative and is refused.
            (*block).aio_offset = op.offset_bytes as libc::off_t;
            (*block).aio_sigevent.sigev_notify = libc::SIGEV_NONE;
            match op.kind {
                OpKind::Read => libc::aio_read(block),
                OpKind::Write => libc::aio_write(block),
                OpKind::Fsync => libc::aio_fsync(libc::O_SYNC, block),
                _ => libc::aio_fsync(libc::O_DSYNC, block),
            }
        };
        if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }

    /// Result of a request; `None` while it is in flight. Must not be called again once it has returned a
    /// result.
    fn outcome(&mut self, slot: u32) -> Option<i32> {
        let block = self.block(slot);
        // SAFETY: the block belongs to a request in flight.
        match unsafe { libc::aio_error(block) } {
            libc::EINPROGRESS => None,
            // SAFETY: as above; the request has ended.
            0 => Some(unsafe { libc::aio_return(block) } as i32),
            errno => {
                // SAFETY: as above. The library then forgets the request.
                unsafe { libc::aio_return(block) };
                Some(-errno)
            }
        }
    }

    /// Takes at most `max` completed requests.
    fn drain(&mut self, max: u32, done: &mut Vec<Completion>) {
        let mut left = max;
        let mut kept = 0;
        for index in 0..self.in_flight.len() {
            let slot = self.in_flight[index];
            let outcome = if left > 0 { self.outcome(slot) } else { None };
            match outcome {
                Some(result) => {
                    done.push(Completion { slot, result, completed_at: self.clock.now() });
                    left -= 1;
                }
                None => {
                    self.in_flight[kept] = slot;
                    kept += 1;
                }
            }
        }
        self.in_flight.truncate(kept);
    }

    /// Waits until one of the requests in flight completes, a signal arrives, or the clock reaches `until`.
    fn wait(&mut self, until: Option<u64>) -> io::Result<()> {
        self.waited_for.clear();
        let blocks = &self.held.blocks;
        self.waited_for.extend(self.in_flight.iter().map(|&slot| &raw const blocks[slot as usize]));
        let timeout_ns = until.map(|until| self.clock.ns_between(self.clock.now(), until));
        let timeout = timeout_ns.map(|ns| {
            // SAFETY: a time is plain data, with padding on some machines.
            let mut time: libc::timespec = unsafe { std::mem::zeroed() };
            // On some machines it has 32 bits.
            time.tv_sec = (ns / 1_000_000_000).min(i32::MAX as u64) as _;
            time.tv_nsec = (ns % 1_000_000_000) as _;
            time
        });
        let timeout = timeout.as_ref().map_or(ptr::null(), ptr::from_ref);
        let count = self.waited_for.len() as c_int;
        // SAFETY: the blocks belong to requests in flight, and the library only reads the time.
        let result = unsafe { libc::aio_suspend(self.waited_for.as_ptr(), count, timeout) };
        let error = io::Error::last_os_error();
        match error.raw_os_error() {
            _ if result == 0 => Ok(()),
            Some(libc::EAGAIN | libc::EINTR) => Ok(()),
            _ => Err(error),
        }
    }
}

impl IoEngine for PosixAio {
    fn submit(&mut self, ops: &[IoOp]) -> io::Result<usize> {
        for (taken, op) in ops.iter().enumerate() {
            if op.kind == OpKind::Trim {
                let result = syscalls::execute(&self.held.files[op.file as usize], op);
                self.finished.push(Completion { slot: op.slot, result, completed_at: self.clock.now() });
                continue;
            }
            let Err(error) = self.start(op) else {
                self.in_flight.push(op.slot);
                continue;
            };
            let errno = error.raw_os_error().unwrap_or(libc::EIO);
            // The library is temporarily out of memory or threads.
            if errno == libc::EAGAIN && !self.in_flight.is_empty() {
                return Ok(taken);
            }
            self.finished.push(Completion { slot: op.slot, result: -errno, completed_at: self.clock.now() });
        }
        Ok(ops.len())
    }

    fn reap(&mut self, min: u32, max: u32, until: Option<u64>, done: &mut Vec<Completion>) -> io::Result<()> {
        let before = done.len();
        let room = |done: &Vec<Completion>| max - (done.len() - before) as u32;
        hand_over(&mut self.finished, max, done);
        self.drain(room(done), done);
        while (done.len() - before) < min.min(max) as usize && !self.in_flight.is_empty() {
            let had = done.len();
            self.wait(until)?;
            self.drain(room(done), done);
            // Timeout or signal: the caller decides.
            if done.len() == had {
                break;
            }
        }
        Ok(())
    }

    fn cancel(&mut self) -> io::Result<()> {
        for index in 0..self.in_flight.len() {
            let slot = self.in_flight[index];
            let block = self.block(slot);
            // SAFETY: the block belongs to a request in flight. Whether the library could cancel it shows
            // when it is reaped.
            unsafe { libc::aio_cancel((*block).aio_fildes, block) };
        }
        Ok(())
    }
}

impl Drop for PosixAio {
    fn drop(&mut self) {
        let clock = self.clock.clone();
        if drain_in_flight(self, &clock, |engine| engine.in_flight.len() as u32) {
            // SAFETY: it is not used again.
            unsafe { ManuallyDrop::drop(&mut self.held) };
        } else {
            std::mem::forget(self.buffers.clone());
        }
    }
}
