//! Layout: content for files that will be read, and allocated space for files that will only be written.
//!
//! The engine itself writes the content, with direct I/O where the file system supports it and several large
//! writes in flight: as fast as the drive accepts it. Small files, and the partial last block of a large one,
//! are written with plain writes.

use std::cell::Cell;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use cardiograph_core::plan::FileUse;
use cardiograph_core::result::RunOutcome;
use cardiograph_core::rng::{Rng, derive_seed, hash_name};
use cardiograph_core::workload::{
    Batching, BlockLen, FileHandling, Measured, OrderAdvice, Preallocation, StopWhen,
};
use cardiograph_core::{MIB, Message, PerDirection, Plan, PlannedJob, Workload, message};
use rustix::fs::{Advice, FallocateFlags};
use rustix::io::Errno;

use super::PrepareRequest;
use super::error::{call_failed, failed, free_bytes, no_room, too_long, unreserved_bytes};
use super::resolved::{Found, ResolvedTarget};
use super::undo::Undo;
use crate::engines::find_engine;
use crate::error::RunError;
use crate::gate;
use crate::observer::{Event, Observer};
use crate::run::{RunRequest, run};
use crate::target::{Access, Identity, NamedFile, Target};

/// Length of one write of the engine, in bytes.
const BLOCK_LEN_BYTES: u64 = MIB;
/// Queue depth.
const DEPTH: u32 = 4;
/// Smaller files are written plainly: starting threads and rings would take longer.
const ENGINE_FROM_BYTES: u64 = 16 * MIB;
/// Alignment of direct writes: the largest logical block size of drives, and the page size of most machines.
const PAGE_LEN_BYTES: u64 = 4_096;
/// Length of a plain write, in bytes.
const PLAIN_LEN_BYTES: u64 = MIB / 4;

/// A file being extended.
struct Growing<'a> {
    request: &'a PrepareRequest<'a>,
    path: &'a Path,
    identity: Identity,
    file: File,
    /// Length before, in bytes.
    from_bytes: u64,
    /// Target length, in bytes.
    to_bytes: u64,
    /// Free space of the file system before, in bytes.
    free_bytes: u64,
    /// Bytes written for earlier files.
    done_before_bytes: u64,
    done_bytes: Cell<u64>,
}

/// Extends a file to the length and content that it needs. Returns false if it was stopped early.
/// `done_before_bytes` were written for earlier files.
pub(super) fn complete(
    request: &PrepareRequest<'_>,
    resolved: &mut ResolvedTarget<'_>,
    undo: &mut Undo,
    done_before_bytes: u64,
) -> Result<bool, Message> {
    let Found::File { identity, len_bytes: from_bytes, is_new } = resolved.found else { return Ok(true) };
    let content_end_bytes = resolved.need.content_end_bytes().max(from_bytes);
    let end_bytes = resolved.need.file_end_bytes().max(content_end_bytes);
    let path = resolved.path.clone();
    if !is_new {
        undo.continuing(path.clone(), identity, from_bytes);
    }
    let target = Target::named(NamedFile::found(path.clone(), identity), from_bytes, from_bytes);
    let opened = target.open(Access { writes: true, ..Access::default() });
    let opened = opened.map_err(|error| failed(message!("call.open"), &path, error))?;
    let growing = Growing {
        request,
        path: &path,
        identity,
        file: opened.into(),
        from_bytes,
        to_bytes: end_bytes,
        free_bytes: free_bytes(&path),
        done_before_bytes,
        done_bytes: Cell::new(0),
    };
    let preallocation =
        resolved.extender().map_or(Preallocation::None, |user| user.workload.files.preallocation);
    let has_room = growing.make_room(preallocation, end_bytes - content_end_bytes)?;
    if content_end_bytes > from_bytes && !growing.fill(content_end_bytes)? {
        return Ok(false);
    }
    if !has_room && preallocation == Preallocation::Posix && !growing.write_zeros(content_end_bytes)? {
        return Ok(false);
    }
    // Newly allocated space has no content yet, and fio does not sync it either.
    let is_synced = growing.done_bytes.get() > 0 && resolved.need.any(|files| files.create_fsync);
    growing.finish(is_synced, content_end_bytes)?;
    resolved.written_bytes = growing.done_bytes.get();
    resolved.content_end_bytes = content_end_bytes;
    let stat =
        rustix::fs::fstat(&growing.file).map_err(|errno| growing.error(message!("call.look-at"), errno))?;
    resolved.found = Found::File { identity, len_bytes: stat.st_size as u64, is_new };
    undo.keep(identity);
    Ok(true)
}

impl Growing<'_> {
    /// Allocates space in the requested way. Returns whether it did; the layout will not write
    /// `without_content_bytes` of it.
    fn make_room(&self, preallocation: Preallocation, without_content_bytes: u64) -> Result<bool, Message> {
        let needed_bytes = self.to_bytes.saturating_sub(self.from_bytes);
        let written_bytes = needed_bytes.saturating_sub(without_content_bytes);
        // Fail before hours of writing rather than after.
        if unreserved_bytes(self.path).is_some_and(|free_bytes| written_bytes > free_bytes) {
            return Err(self.unwritten(Errno::NOSPC));
        }
        let flags = match preallocation {
            Preallocation::None => return Ok(false),
            Preallocation::Truncate => {
                let cut = rustix::fs::ftruncate(&self.file, self.to_bytes);
                return cut.map(|()| false).map_err(|errno| self.error(message!("call.set-length"), errno));
            }
            Preallocation::Keep => FallocateFlags::KEEP_SIZE,
            Preallocation::Native | Preallocation::Posix => FallocateFlags::empty(),
        };
        if needed_bytes == 0 {
            return Ok(true);
        }
        loop {
            return match rustix::fs::fallocate(&self.file, flags, self.from_bytes, needed_bytes) {
                Ok(()) => Ok(true),
                Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(false),
                Err(Errno::INTR) => continue,
                Err(errno) => Err(self.error(message!("call.make-room"), errno)),
            };
        }
    }

    /// Writes fresh content up to `end_bytes`. Returns whether it finished.
    fn fill(&self, end_bytes: u64) -> Result<bool, Message> {
        let seed = derive_seed(self.request.seed, hash_name(&self.path.to_string_lossy()));
        let head_end_bytes = self.from_bytes.next_multiple_of(PAGE_LEN_BYTES).min(end_bytes);
        let whole_bytes = end_bytes - head_end_bytes;
        let whole_bytes = whole_bytes - whole_bytes % BLOCK_LEN_BYTES;
        let by_engine_bytes = if whole_bytes < ENGINE_FROM_BYTES { 0 } else { whole_bytes };
        let by_engine_end_bytes = head_end_bytes + by_engine_bytes;
        let mut rng = Rng::new(seed);
        let mut random = |bytes: &mut [u8]| {
            bytes.chunks_mut(8).for_each(|chunk| {
                let word = rng.next_u64().to_le_bytes();
                chunk.copy_from_slice(&word[..chunk.len()]);
            });
        };
        Ok(self.write(self.from_bytes, head_end_bytes, &mut random)?
            && (by_engine_bytes == 0 || self.write_by_engine(head_end_bytes, by_engine_bytes, seed)?)
            && self.write(by_engine_end_bytes, end_bytes, &mut random)?)
    }

    /// Writes zeros from `start_bytes` to the end: allocates space where the file system has no call for it.
    fn write_zeros(&self, start_bytes: u64) -> Result<bool, Message> {
        self.write(start_bytes, self.to_bytes, &mut |_| {})
    }

    /// Writes pieces filled by `content` with plain writes. Returns whether it finished.
    fn write(
        &self,
        start_bytes: u64,
        end_bytes: u64,
        content: &mut dyn FnMut(&mut [u8]),
    ) -> Result<bool, Message> {
        let mut bytes = vec![0; PLAIN_LEN_BYTES.min(end_bytes - start_bytes) as usize];
        let mut at = start_bytes;
        while at < end_bytes {
            if self.request.control.is_stopping() {
                return Ok(false);
            }
            let piece = (end_bytes - at).min(PLAIN_LEN_BYTES) as usize;
            content(&mut bytes[..piece]);
            self.file
                .write_all_at(&bytes[..piece], at)
                .map_err(|error| self.unwritten(Errno::from_io_error(&error).unwrap_or(Errno::NOSPC)))?;
            at += piece as u64;
            self.count(piece as u64);
        }
        Ok(true)
    }

    /// Writes `len_bytes` in large blocks through an engine. Returns whether it finished.
    fn write_by_engine(&self, offset_bytes: u64, len_bytes: u64, seed: u64) -> Result<bool, Message> {
        let file = NamedFile::found(self.path.to_path_buf(), self.identity);
        let target = Target::named(file, offset_bytes + len_bytes, offset_bytes);
        let direct = target.open(Access { direct: true, writes: true, ..Access::default() }).is_ok();
        let targets = [target];
        let permit = gate::permit(&targets)?;
        let done_before_bytes = self.done_bytes.get();
        let layout_error =
            |error: RunError| message!("prepare-layout", path = self.path, error = error.message());
        let result = run(&RunRequest::new(
            &fill_plan(direct, offset_bytes, len_bytes),
            &targets,
            Some(&permit),
            seed,
            self.request.control,
            &Watch(self),
        ))
        .map_err(layout_error)?;
        let failure = result.failure().map(|failure| Errno::from_raw_os_error(failure.errno));
        match (result.outcome, failure) {
            (_, Some(errno)) => Err(self.unwritten(errno)),
            (RunOutcome::Completed, None) => {
                let written = result.merged(|_| true).write;
                // A full disk cut the write short.
                if written.bytes != len_bytes || written.short_ios > 0 {
                    return Err(self.unwritten(Errno::NOSPC));
                }
                self.done_bytes.set(done_before_bytes + len_bytes);
                Ok(true)
            }
            (RunOutcome::Stopped, None) => Ok(false),
            (RunOutcome::Failed | RunOutcome::Hung, None) => Err(self.unwritten(Errno::IO)),
        }
    }

    /// Flushes what was written, if requested, and drops it from the cache, so that reads reach the drive.
    fn finish(&self, sync: bool, content_end_bytes: u64) -> Result<(), Message> {
        if sync {
            rustix::fs::fsync(&self.file).map_err(|errno| self.error(message!("call.sync"), errno))?;
        }
        if content_end_bytes > self.from_bytes {
            let _ = rustix::fs::fadvise(&self.file, 0, None, Advice::DontNeed);
        }
        Ok(())
    }

    fn count(&self, bytes: u64) {
        self.done_bytes.set(self.done_bytes.get() + bytes);
        self.request.observer.progress(self.done_before_bytes + self.done_bytes.get());
    }

    fn unwritten(&self, errno: Errno) -> Message {
        self.error(message!("call.write"), errno)
    }

    fn error(&self, call: Message, errno: Errno) -> Message {
        let needed_bytes = self.to_bytes.saturating_sub(self.from_bytes);
        match errno {
            Errno::NOSPC | Errno::DQUOT => no_room(self.path, needed_bytes, self.free_bytes),
            Errno::FBIG => too_long(self.path, self.to_bytes),
            errno => call_failed(call, self.path, errno),
        }
    }
}

/// Reports the progress of an engine's writes.
struct Watch<'a>(&'a Growing<'a>);

impl Observer for Watch<'_> {
    fn event(&self, event: &Event) {
        if let Event::Progress(progress) = event {
            self.0.count(progress.write_bytes);
        }
    }
}

/// A Plan with one job that writes a region once, sequentially.
fn fill_plan(direct: bool, offset_bytes: u64, len_bytes: u64) -> Plan {
    let is_queueing = direct && find_engine("io_uring").is_some_and(|entry| (entry.probe)().is_ok());
    // Cached writes are copies: a deeper queue gains nothing.
    let (engine, depth) = if is_queueing { ("io_uring", DEPTH) } else { ("psync", 1) };
    let workload = Workload {
        name: "layout".to_string(),
        engine: engine.to_string(),
        read_percent: 0,
        block_len: PerDirection::from_fn(|_| BlockLen::Fixed { len_bytes: BLOCK_LEN_BYTES }),
        align_bytes: PerDirection::from_fn(|_| BLOCK_LEN_BYTES),
        depth,
        batching: Batching::free(depth),
        direct,
        stop: StopWhen { bytes: Some(len_bytes), time_ns: None, ios: None },
        measured: Measured { submission: false, completion: false, total: false },
        files: FileHandling { invalidate: false, advice: OrderAdvice::None, ..FileHandling::default() },
        ..Workload::default()
    };
    let file = FileUse { target: 0, offset_bytes, region_len_bytes: len_bytes };
    let job = PlannedJob { workload, clones: vec![vec![file]], ..PlannedJob::default() };
    Plan { targets: vec!["layout".to_string()], jobs: vec![job] }
}
