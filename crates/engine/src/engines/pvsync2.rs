//! One request at a time: preadv2 and pwritev2, which have flags for each request, fsync, fdatasync.
//!
//! With `hipri` a share of the requests asks the drive whether they are complete instead of waiting for its interrupt;
//! with `nowait` a request that would have to wait fails with EAGAIN, which is an error as any other is.

use std::io::{self, IoSlice, IoSliceMut};

use cardiograph_core::rng::Rng;
use cardiograph_core::{Message, message};
use rustix::io::ReadWriteFlags;

use crate::engine::{EngineContext, EngineEntry, IoOp, OpKind, Opened};
use crate::engines::at_once::AtOnce;
use crate::engines::in_place;

pub const ENTRY: EngineEntry = EngineEntry {
    probe,
    // Flags of requests are what it is for: nothing takes its place in silence.
    ..EngineEntry::new(open)
};

/// Which requests are drawn: the same ones in each run.
const SEED: u64 = 0x70_7673_796e_6332;

/// Asks with a descriptor that there is not: a kernel with the call says that, and nothing is moved.
fn probe() -> Result<(), Message> {
    const NONE: libc::c_long = 0;
    // SAFETY: no buffer is named.
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
        // SAFETY: the slot belongs to this engine until the request was reaped.
        let bytes = unsafe { buffers.slot_bytes(op.slot, op.len_bytes as usize) };
        match op.kind {
            OpKind::Read => in_place::transfer(|| {
                rustix::io::preadv2(file, &mut [IoSliceMut::new(bytes)], offset_bytes, flags)
            }),
            OpKind::Write => {
                in_place::transfer(|| rustix::io::pwritev2(file, &[IoSlice::new(bytes)], offset_bytes, flags))
            }
            _ => in_place::execute(file, op),
        }
    };
    Ok(Opened::new(AtOnce::new(execute, &context.clock)))
}
