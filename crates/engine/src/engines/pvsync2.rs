//! One request at a time: preadv2 and pwritev2, with flags per request, fsync, fdatasync.
//!
//! With `hipri` a share of the requests polls the drive for completion instead of waiting for its interrupt;
//! with `nowait` a request that would block fails with EAGAIN, which is handled like other errors.

use std::io::{self, IoSlice, IoSliceMut};

use cardiograph_core::rng::Rng;
use cardiograph_core::{Message, message};
use rustix::io::ReadWriteFlags;

use crate::engine::{EngineContext, EngineEntry, IoOp, OpKind, Opened};
use crate::engines::synchronous::Synchronous;
use crate::engines::syscalls;

pub const ENTRY: EngineEntry = EngineEntry {
    probe,
    // No fallback: the per-request flags are the point of this engine.
    ..EngineEntry::new(open)
};

/// Seed for choosing polled requests: the same ones in each run.
const SEED: u64 = 0x70_7673_796e_6332;

/// Calls it with an invalid descriptor: a kernel with the call reports that, and moves no data.
fn probe() -> Result<(), Message> {
    const NONE: libc::c_long = 0;
    // SAFETY: no buffer is passed.
    let result = unsafe { libc::syscall(libc::SYS_preadv2, NONE - 1, NONE, NONE, NONE, NONE, NONE) };
    match io::Error::last_os_error().raw_os_error() {
        Some(libc::ENOSYS) if result < 0 => Err(message!("engine-probe.no-preadv2")),
        _ => Ok(()),
    }
}

fn open(context: &EngineContext) -> io::Result<Opened> {
    let flag = |name: &str, flag| -> io::Result<ReadWriteFlags> {
        Ok(if context.switch_option(name)? { flag } else { ReadWriteFlags::empty() })
    };
    let (always, polled) = (flag("nowait", ReadWriteFlags::NOWAIT)?, flag("hipri", ReadWriteFlags::HIPRI)?);
    let percent = context.count_option("hipri_percentage")?.unwrap_or(100);
    let (files, buffers, mut rng) = (context.open_files()?, context.buffers.clone(), Rng::new(SEED));
    let execute = move |op: &IoOp| {
        let file = &files[op.file as usize];
        let is_polled = !polled.is_empty() && (percent >= 100 || rng.below(100) < percent);
        let flags = if is_polled { always | polled } else { always };
        let offset_bytes = op.offset_bytes;
        // SAFETY: the slot belongs to this engine until the request is reaped.
        let bytes = unsafe { buffers.slot_bytes(op.slot, op.len_bytes as usize) };
        match op.kind {
            OpKind::Read => syscalls::transfer(|| {
                rustix::io::preadv2(file, &mut [IoSliceMut::new(bytes)], offset_bytes, flags)
            }),
            OpKind::Write => {
                syscalls::transfer(|| rustix::io::pwritev2(file, &[IoSlice::new(bytes)], offset_bytes, flags))
            }
            _ => syscalls::execute(file, op),
        }
    };
    Ok(Opened::new(Synchronous::new(execute, &context.clock)))
}
