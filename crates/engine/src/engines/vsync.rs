//! Requests in batches: readv and writev at the file's position, with adjacent requests of a batch merged
//! into one call.
//!
//! A batch is everything submitted since the last one was executed, and is executed when the caller waits for
//! it. So the queue depth is at most `iodepth_batch`, which is 1 by default.

use std::collections::VecDeque;
use std::io::{self, IoSlice, IoSliceMut};
use std::sync::Arc;

use crate::buffers::Arena;
use crate::clock::Clock;
use crate::engine::{Completion, EngineContext, EngineEntry, IoEngine, IoOp, OpKind, Opened, hand_over};
use crate::engines::positioned::PositionedFile;
use crate::engines::syscalls;

pub const ENTRY: EngineEntry = EngineEntry::new(open);

/// Maximum number of buffers per call on Linux (UIO_MAXIOV).
const BUFFERS_MAX: usize = 1_024;
/// Maximum number of bytes per call: Linux moves no more than 2 GiB less a page.
const CALL_LEN_BYTES_MAX: u64 = 1 << 30;

fn open(context: &EngineContext) -> io::Result<Opened> {
    let depth = context.depth as usize;
    Ok(Opened::new(Vsync {
        files: context.open_files()?.into_iter().map(PositionedFile::new).collect(),
        buffers: context.buffers.clone(),
        clock: context.clock.clone(),
        queued: VecDeque::with_capacity(depth),
        reads: Vec::with_capacity(depth.min(BUFFERS_MAX)),
        writes: Vec::with_capacity(depth.min(BUFFERS_MAX)),
        finished: Vec::with_capacity(depth),
    }))
}

struct Vsync {
    files: Vec<PositionedFile>,
    buffers: Arc<Arena>,
    clock: Clock,
    /// Submitted and not yet executed, in order.
    queued: VecDeque<IoOp>,
    /// Lists of buffers, empty between calls.
    reads: Vec<IoSliceMut<'static>>,
    writes: Vec<IoSlice<'static>>,
    finished: Vec<Completion>,
}

impl Vsync {
    /// Number of requests at the front of the queue that one call can execute.
    fn neighbours(&self) -> usize {
        let Some(first) = self.queued.front() else { return 0 };
        if !is_transfer(first) {
            return 1;
        }
        let mut end_bytes = first.offset_bytes;
        let mut len_bytes = 0;
        let is_next = |op: &&IoOp| {
            len_bytes += u64::from(op.len_bytes);
            let follows = op.offset_bytes == end_bytes && len_bytes <= CALL_LEN_BYTES_MAX;
            end_bytes = end_bytes.saturating_add(u64::from(op.len_bytes));
            follows && (op.kind, op.file) == (first.kind, first.file)
        };
        self.queued.iter().take(BUFFERS_MAX).take_while(is_next).count().max(1)
    }

    /// Executes the requests at the front of the queue in one call, and completes those that it covered.
    fn execute(&mut self) {
        let count = self.neighbours();
        let Some(&first) = self.queued.front() else { return };
        let mut result = self.call(&first, count);
        if result.is_err() && count > 1 {
            // Retry the first alone to find the bad one.
            result = self.call(&first, 1);
        }
        let completed_at = self.clock.now();
        let mut finish = |slot, result| self.finished.push(Completion { slot, result, completed_at });
        let mut moved_bytes = match result {
            Ok(bytes) => bytes,
            Err(errno) => {
                self.queued.pop_front();
                return finish(first.slot, -errno);
            }
        };
        // After a short transfer, requests without any data stay queued and get their own error.
        let mut is_first = true;
        while let Some(op) = self.queued.front().filter(|_| is_first || moved_bytes > 0) {
            let bytes = moved_bytes.min(op.len_bytes as usize);
            finish(op.slot, bytes as i32);
            moved_bytes -= bytes;
            is_first = false;
            self.queued.pop_front();
        }
    }

    /// One call for `count` requests starting with `first`. Returns bytes moved, or an error number.
    fn call(&mut self, first: &IoOp, count: usize) -> Result<usize, i32> {
        let Self { files, buffers, queued, reads, writes, .. } = self;
        let file = &mut files[first.file as usize];
        if !is_transfer(first) {
            return match syscalls::execute(&file.fd, first) {
                result @ ..0 => Err(-result),
                result => Ok(result as usize),
            };
        }
        for op in queued.iter().take(count) {
            assert!(op.len_bytes as usize <= buffers.slot_len_bytes(), "{op:?} is longer than its slot");
            // SAFETY: slots belong to this engine until their requests are reaped, and none occurs twice; the
            // lists are emptied before this function returns.
            let bytes: &'static mut [u8] =
                unsafe { std::slice::from_raw_parts_mut(buffers.slot(op.slot), op.len_bytes as usize) };
            match first.kind {
                OpKind::Read => reads.push(IoSliceMut::new(bytes)),
                _ => writes.push(IoSlice::new(bytes)),
            }
        }
        let moved = file.transfer_at(first.offset_bytes, |fd| match first.kind {
            OpKind::Read => rustix::io::readv(fd, reads),
            _ => rustix::io::writev(fd, writes),
        });
        reads.clear();
        writes.clear();
        moved.map_err(|errno| errno.raw_os_error())
    }
}

fn is_transfer(op: &IoOp) -> bool {
    matches!(op.kind, OpKind::Read | OpKind::Write)
}

impl IoEngine for Vsync {
    fn submit(&mut self, ops: &[IoOp]) -> io::Result<usize> {
        self.queued.extend(ops);
        Ok(ops.len())
    }

    fn reap(&mut self, min: u32, max: u32, _: Option<u64>, done: &mut Vec<Completion>) -> io::Result<()> {
        // Executed even without a minimum, because nothing else would do it.
        let min = min.clamp(1, max.max(1)) as usize;
        while self.finished.len() < min && !self.queued.is_empty() {
            self.execute();
        }
        hand_over(&mut self.finished, max, done);
        Ok(())
    }

    fn cancel(&mut self) -> io::Result<()> {
        let completed_at = self.clock.now();
        let cancelled = self.queued.drain(..);
        self.finished.extend(cancelled.map(|op| Completion {
            slot: op.slot,
            result: -libc::ECANCELED,
            completed_at,
        }));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::{Access, Naming, Target};

    const BLOCK: u32 = 4_096;
    const FILE_BLOCKS: u64 = 8;

    fn vsync(directory: &std::path::Path) -> Vsync {
        let target =
            Target::create_file(directory, FILE_BLOCKS * u64::from(BLOCK), Naming::Automatic).unwrap();
        let access = Access { writes: true, ..Access::default() };
        Vsync {
            files: vec![PositionedFile::new(target.open(access).unwrap())],
            buffers: Arena::new(8, BLOCK as usize).unwrap(),
            clock: Clock::machine(),
            queued: VecDeque::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            finished: Vec::new(),
        }
    }

    fn op(slot: u32, kind: OpKind, block: u64) -> IoOp {
        let len_bytes = if matches!(kind, OpKind::Read | OpKind::Write) { BLOCK } else { 0 };
        IoOp { slot, file: 0, kind, offset_bytes: block * u64::from(BLOCK), len_bytes }
    }

    #[test]
    fn adjacent_requests_are_merged_into_one_call() {
        use OpKind::{Fsync, Read, Write};
        let directory = cardiograph_testing::disk_dir();
        for (requests, calls) in [
            (vec![(Write, 0), (Write, 1), (Write, 2)], vec![3]),
            (vec![(Write, 0), (Write, 2), (Write, 3), (Write, 1)], vec![1, 2, 1]),
            (vec![(Read, 4), (Write, 5), (Write, 6), (Read, 7)], vec![1, 2, 1]),
            (vec![(Write, 1), (Fsync, 0), (Fsync, 0), (Write, 2)], vec![1, 1, 1, 1]),
            (vec![(Read, 1), (Read, 1), (Read, 2)], vec![1, 2]),
        ] {
            let mut engine = vsync(directory.path());
            let ops: Vec<IoOp> =
                (0..).zip(&requests).map(|(slot, &(kind, block))| op(slot, kind, block)).collect();
            engine.submit(&ops).unwrap();
            let mut found = Vec::new();
            while !engine.queued.is_empty() {
                let before = engine.finished.len();
                assert_eq!(engine.neighbours(), calls[found.len()], "{requests:?}");
                engine.execute();
                found.push(engine.finished.len() - before);
            }
            assert_eq!(found, calls, "{requests:?}");
            let results: Vec<i32> = engine.finished.iter().map(|completion| completion.result).collect();
            // The data read was never written, but its space was allocated.
            let expected: Vec<i32> = ops.iter().map(|op| op.len_bytes as i32).collect();
            assert_eq!(results, expected, "{requests:?}");
        }
    }

    #[test]
    fn requests_that_moved_no_data_are_retried() {
        let directory = cardiograph_testing::disk_dir();
        let mut engine = vsync(directory.path());
        let end = FILE_BLOCKS - 2;
        let ops: Vec<IoOp> = (0..4).map(|slot| op(slot, OpKind::Read, end + u64::from(slot))).collect();
        engine.submit(&ops).unwrap();
        let mut done = Vec::new();
        engine.reap(4, u32::MAX, None, &mut done).unwrap();
        let results: Vec<i32> = done.iter().map(|completion| completion.result).collect();
        assert_eq!(results, [4_096, 4_096, 0, 0]);
    }
}
