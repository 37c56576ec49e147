//! One request at a time: preadv2 and pwritev2, which have flags for each request, fsync, fdatasync.
//!
//! With `hipri` a share of the requests asks the drive whether they are complete instead of waiting for its interrupt;
//! with `nowait` a request that would have to wait fails with EAGAIN, which is an error as any other is.

use std::io::{self, IoSlice, IoSliceMut};
use std::os::fd::OwnedFd;
use std::sync::Arc;

use cardiograph_core::rng::Rng;
use rustix::io::ReadWriteFlags;

use crate::buffers::Arena;
use crate::engine::{EngineContext, EngineEntry, IoOp, OpKind, Opened};
use crate::engines::at_once::{AtOnce, Execute};
use crate::engines::in_place;

pub const ENTRY: EngineEntry = EngineEntry {
    probe,
    // Flags of requests are what it is for: nothing takes its place in silence.
    ..EngineEntry::new(open)
};

/// Which requests are drawn: the same ones in each run.
const SEED: u64 = 0x70_7673_796e_6332;

/// Asks with a descriptor that there is not: a kernel with the call says that, and nothing is moved.
fn probe() -> Result<(), String> {
    const NONE: libc::c_long = 0;
    // SAFETY: no buffer is named.
    let result = unsafe { libc::syscall(libc::SYS_preadv2, NONE - 1, NONE, NONE, NONE, NONE, NONE) };
    match io::Error::last_os_error().raw_os_error() {
        Some(libc::ENOSYS) if result < 0 => {
            Err("the kernel has no preadv2 (it came with Linux 4.6)".to_string())
        }
        _ => Ok(()),
    }
}

fn open(context: &EngineContext) -> io::Result<Opened> {
    let flag = |name: &str, flag| -> io::Result<ReadWriteFlags> {
        Ok(if context.switch_option(name)? { flag } else { ReadWriteFlags::empty() })
    };
    let polled = flag("hipri", ReadWriteFlags::HIPRI)?;
    let polled_percent = context.count_option("hipri_percentage")?.unwrap_or(100);
    let pvsync2 = Pvsync2 {
        files: context.open_files()?,
        buffers: context.buffers.clone(),
        always: flag("nowait", ReadWriteFlags::NOWAIT)?
            | if polled_percent >= 100 { polled } else { ReadWriteFlags::empty() },
        drawn: (!polled.is_empty() && (1..100).contains(&polled_percent)).then(|| Share {
            flags: polled,
            percent: polled_percent,
            rng: Rng::new(SEED),
        }),
    };
    Ok(Opened::new(AtOnce::new(pvsync2, &context.clock)))
}

struct Pvsync2 {
    files: Vec<OwnedFd>,
    buffers: Arc<Arena>,
    /// Flags of each request.
    always: ReadWriteFlags,
    /// Flags of some.
    drawn: Option<Share>,
}

/// Flags that a share of the requests has.
struct Share {
    flags: ReadWriteFlags,
    percent: u64,
    rng: Rng,
}

impl Share {
    fn draw(&mut self) -> ReadWriteFlags {
        if self.rng.below(100) < self.percent { self.flags } else { ReadWriteFlags::empty() }
    }
}

impl Execute for Pvsync2 {
    #[inline(always)]
    fn execute(&mut self, op: &IoOp) -> i32 {
        let file = &self.files[op.file as usize];
        let flags = self.drawn.as_mut().map_or(self.always, |share| self.always | share.draw());
        let offset_bytes = op.offset_bytes;
        // SAFETY: the slot belongs to this engine until the request was reaped.
        let bytes = unsafe { self.buffers.slot_bytes(op.slot, op.len_bytes as usize) };
        match op.kind {
            OpKind::Read => in_place::transfer(|| {
                rustix::io::preadv2(file, &mut [IoSliceMut::new(bytes)], offset_bytes, flags)
            }),
            OpKind::Write => {
                in_place::transfer(|| rustix::io::pwritev2(file, &[IoSlice::new(bytes)], offset_bytes, flags))
            }
            _ => in_place::execute(file, op),
        }
    }
}
