//! One request at a time: a copy from or to the mapped file.
//!
//! The kernel does its work for such a copy in page faults: a page that is present needs no system call. A
//! page that cannot be read is an error of its request and does not end the program (see `faults`).
//!
//! The kernel ignores O_DIRECT and O_SYNC for a mapping. With `direct=1` each request drops its pages when it
//! is done, a write after making it durable, so that the next one reaches the drive again; a durable write
//! uses msync and fsync. Requests beyond the file's length at opening use pread and pwrite.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use cardiograph_core::workload::WriteThrough;
use rustix::mm::Advice;

use crate::buffers::Arena;
use crate::engine::{EngineContext, EngineEntry, IoOp, OpKind, Opened};
use crate::engines::synchronous::Synchronous;
use crate::engines::syscalls;
use crate::target::Target;

mod faults;
pub mod mapping;

use mapping::{CopyError, MapOptions, Mapping, WINDOW_LEN_BYTES_MAX};

pub const ENTRY: EngineEntry = EngineEntry::new(open);

fn open(context: &EngineContext) -> io::Result<Opened> {
    let access = context.access;
    let advice = access.advice.map(|advice| match advice {
        rustix::fs::Advice::Random => Advice::Random,
        _ => Advice::Sequential,
    });
    let huge_pages = context.count_option("thp")?.is_some_and(|thp| thp > 0);
    let way =
        MapOptions { writes: access.writes, advice, huge_pages, window_len_bytes_max: WINDOW_LEN_BYTES_MAX };
    let map = |(target, fd): (&Arc<Target>, OwnedFd)| {
        let len_bytes = target.len_bytes();
        if target.is_file() && access.writes && rustix::fs::fstat(&fd)?.st_size < len_bytes as i64 {
            // A mapped file cannot be written to past its end.
            rustix::fs::ftruncate(&fd, len_bytes)?;
        }
        Mapping::new(fd, len_bytes, way)
    };
    let mappings = context.targets.iter().zip(context.open_files()?).map(map).collect::<io::Result<_>>()?;
    let after = After { is_forgotten: access.direct, write_through: access.write_through };
    let mut mmap = Mmap {
        mappings,
        buffers: context.buffers.clone(),
        writes: access.writes,
        after: (access.direct || access.write_through != WriteThrough::None).then_some(after),
    };
    Ok(Opened::new(Synchronous::new(move |op: &IoOp| mmap.execute(op), &context.clock)))
}

struct Mmap {
    mappings: Vec<Mapping<OwnedFd>>,
    buffers: Arc<Arena>,
    writes: bool,
    after: Option<After>,
}

/// What to do with pages after a copy.
struct After {
    /// Whether to drop them.
    is_forgotten: bool,
    /// The durability that a write requires.
    write_through: WriteThrough,
}

impl After {
    /// Returns 0 or a negative error number.
    #[cold]
    fn finish(&self, mapping: &Mapping<OwnedFd>, op: &IoOp) -> i32 {
        let part = (op.offset_bytes, op.len_bytes as usize);
        if op.kind == OpKind::Write {
            let synced = match self.write_through {
                WriteThrough::All => syscalls::sync(mapping.file(), OpKind::Fsync),
                _ => mapping.sync(part.0, part.1).map_or_else(|errno| -errno.raw_os_error(), |()| 0),
            };
            if synced < 0 {
                return synced;
            }
        }
        if self.is_forgotten {
            mapping.forget(part.0, part.1);
        }
        0
    }
}

impl Mmap {
    /// Handles a request that failed in the mapping.
    #[cold]
    fn otherwise(&mut self, op: &IoOp, error: CopyError) -> i32 {
        let file = self.mappings[op.file as usize].file();
        // SAFETY: the slot belongs to this engine until the request is reaped.
        let bytes = unsafe { self.buffers.slot_bytes(op.slot, op.len_bytes as usize) };
        let moved = match (error, op.kind) {
            (CopyError::Fault, _) => return -libc::EIO,
            (CopyError::Unmapped(errno), _) => return -errno,
            (CopyError::Outside, OpKind::Write) => rustix::io::pwrite(file, bytes, op.offset_bytes),
            (CopyError::Outside, _) => rustix::io::pread(file, bytes, op.offset_bytes),
        };
        moved.map_or_else(|errno| -errno.raw_os_error(), |len| len as i32)
    }

    #[inline(always)]
    fn execute(&mut self, op: &IoOp) -> i32 {
        let mapping = &mut self.mappings[op.file as usize];
        // SAFETY: the slot belongs to this engine until the request is reaped.
        let bytes = unsafe { self.buffers.slot_bytes(op.slot, op.len_bytes as usize) };
        let copied = match op.kind {
            OpKind::Read => mapping.read(op.offset_bytes, bytes),
            OpKind::Write if !self.writes => return -libc::EBADF,
            OpKind::Write => mapping.write(op.offset_bytes, bytes),
            // Like msync, but also for parts that are no longer mapped.
            _ => return syscalls::execute(mapping.file(), op),
        };
        match (copied, &self.after) {
            (Ok(()), None) => op.len_bytes as i32,
            (Ok(()), Some(after)) => match after.finish(mapping, op) {
                0 => op.len_bytes as i32,
                errno => errno,
            },
            (Err(error), _) => self.otherwise(op, error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::target::{Access, Naming};

    #[test]
    fn a_missing_page_fails_only_its_request() {
        let directory = cardiograph_testing::disk_dir();
        let target = Target::create_file(directory.path(), 64 << 10, Naming::Automatic).unwrap();
        let context = EngineContext {
            targets: vec![target.clone()],
            access: Access { writes: true, ..Access::default() },
            depth: 1,
            buffers: Arena::new(1, 4_096).unwrap(),
            clock: Clock::machine(),
            options: Vec::new(),
        };
        let mut engine = open(&context).unwrap().engine;
        let mut result = |kind, block: u64| {
            let op = IoOp { slot: 0, file: 0, kind, offset_bytes: block * 4_096, len_bytes: 4_096 };
            let mut done = Vec::new();
            engine.submit(&[op]).unwrap();
            engine.reap(1, 1, None, &mut done).unwrap();
            done[0].result
        };
        assert_eq!(result(OpKind::Write, 15), 4_096);
        rustix::fs::ftruncate(target.open(context.access).unwrap(), 32 << 10).unwrap();
        for kind in [OpKind::Read, OpKind::Write, OpKind::Read] {
            assert_eq!(result(kind, 15), -libc::EIO);
            assert_eq!(result(kind, 3), 4_096, "what is there can be used");
        }
    }
}
