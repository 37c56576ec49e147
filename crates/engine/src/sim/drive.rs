//! A simulated drive: what it answers, what it stores, and what the kernel would have counted.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard};

use cardiograph_core::drive::DeviceCounters;
use cardiograph_core::{Direction, MIB};

use super::content::{Alteration, Content};
use super::faults::{Fault, FaultKind, FaultPlan};
use super::mechanism::Mechanism;
use super::model::DriveModel;
use crate::engine::OpKind;

pub use super::content::CONTENT_BLOCK_BYTES;

/// Files begin at multiples of this, in bytes.
const FILE_ALIGN_BYTES: u64 = MIB;
/// What a drive moves at least, in bytes.
const SECTOR_BYTES: u32 = 512;

/// A request to a simulated drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimRequest {
    /// What to do.
    pub kind: OpKind,
    /// Where, in bytes from the start of the drive; not looked at for a flush.
    pub position_bytes: u64,
    /// How long, in bytes; 0 for a flush.
    pub len_bytes: u32,
}

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Served {
    /// When it is complete, in nanoseconds of the drive's time.
    pub completed_at_ns: u64,
    /// Bytes moved, or a negative error number.
    pub result: i32,
}

/// A simulated drive. The same model, seed, faults and requests give the same answers, on every machine.
#[derive(Debug)]
pub struct SimDrive {
    model: DriveModel,
    time_ns: Arc<AtomicU64>,
    state: Mutex<State>,
    content: Mutex<Content>,
    /// Start and end of the files that exist, in rising order.
    files: Mutex<Vec<(u64, u64)>>,
}

#[derive(Debug)]
struct State {
    mechanism: Mechanism,
    faults: FaultPlan,
    /// The fault that the drive does not come back from.
    ended_by: Option<FaultKind>,
    counters: DeviceCounters,
}

/// Locks even when another thread panicked while it held the lock: each call leaves a state that the next can use.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl SimDrive {
    /// A drive with the faults that its model has, if any. All that is random about it follows from `seed`.
    pub fn new(model: DriveModel, seed: u64) -> Arc<Self> {
        Self::with_faults(model, seed, Vec::new())
    }

    /// A drive with further faults; they come before those of its model.
    pub fn with_faults(model: DriveModel, seed: u64, mut faults: Vec<Fault>) -> Arc<Self> {
        faults.extend_from_slice(&model.faults);
        let state = State {
            mechanism: Mechanism::new(&model, seed),
            faults: FaultPlan::new(faults),
            ended_by: None,
            counters: DeviceCounters::default(),
        };
        Arc::new(Self {
            time_ns: Arc::new(AtomicU64::new(0)),
            state: Mutex::new(state),
            content: Mutex::new(Content::new(&model)),
            files: Mutex::new(Vec::new()),
            model,
        })
    }

    /// What it is made of.
    pub fn model(&self) -> &DriveModel {
        &self.model
    }

    /// The drive's time in nanoseconds. A run moves it on; it stays between runs, and time that passes there without
    /// requests is quiet time, in which a cache empties and heat goes.
    pub fn time(&self) -> Arc<AtomicU64> {
        self.time_ns.clone()
    }

    /// A file behind those that exist, at a multiple of 1 MiB; `None` when the claimed capacity has no room for it. Its
    /// space is free again when it is dropped; what is stored there stays until it is overwritten.
    pub fn create_file(self: &Arc<Self>, len_bytes: u64) -> Option<SimFile> {
        let mut files = lock(&self.files);
        let base_bytes = files.last().map_or(0, |&(_, end)| end.next_multiple_of(FILE_ALIGN_BYTES));
        let end_bytes = base_bytes.checked_add(len_bytes).filter(|&end| end <= self.model.capacity_bytes)?;
        files.push((base_bytes, end_bytes));
        Some(SimFile { drive: self.clone(), base_bytes, len_bytes })
    }

    /// Answers a request that comes at `now_ns`, which must not be before that of an earlier call. `None` when the
    /// drive never will.
    pub fn serve(&self, now_ns: u64, request: &SimRequest) -> Option<Served> {
        let state = &mut *lock(&self.state);
        let refused = |error: i32| {
            Some(Served { completed_at_ns: now_ns.saturating_add(self.model.bus.command_ns), result: -error })
        };
        let fault = state.ended_by.or_else(|| state.faults.next(now_ns, request));
        match fault {
            Some(FaultKind::Hang) => {
                state.ended_by = fault;
                return None;
            }
            Some(FaultKind::Disappear) => {
                state.ended_by = fault;
                return refused(libc::ENODEV);
            }
            _ => {}
        }
        let end_bytes = request.position_bytes.saturating_add(u64::from(request.len_bytes));
        let direction = request.kind.direction();
        if direction != Direction::Sync && end_bytes > self.model.capacity_bytes {
            return refused(libc::EIO);
        }
        let stall_ns = if let Some(FaultKind::Stall { ns }) = fault { ns } else { 0 };
        let is_journaled = direction == Direction::Sync && state.mechanism.is_dirty();
        let completed_at_ns = state.mechanism.complete_ns(&self.model, now_ns, request, stall_ns);
        let result = outcome(direction, request.len_bytes, fault);
        if let Ok(moved_bytes) = u32::try_from(result) {
            count(&mut state.counters, &self.model, direction, moved_bytes, is_journaled);
            self.note_content(request.position_bytes, moved_bytes, direction, fault);
        }
        Some(Served { completed_at_ns, result })
    }

    /// Tells the content what a request does to it besides what is stored and loaded.
    fn note_content(&self, position_bytes: u64, moved_bytes: u32, direction: Direction, fault: Option<FaultKind>) {
        let moved_bytes = u64::from(moved_bytes);
        let alteration = match fault {
            Some(FaultKind::Corrupt) => Some(Alteration::Flip),
            Some(FaultKind::Misdirect { by_bytes }) => Some(Alteration::Move(by_bytes)),
            _ => None,
        };
        match (direction, alteration) {
            (Direction::Write, _) => lock(&self.content).begin_write(position_bytes, moved_bytes, alteration),
            (Direction::Read, Some(Alteration::Flip)) => lock(&self.content).decay(position_bytes, moved_bytes),
            _ => {}
        }
    }

    /// Stores the stamp of the block of [`CONTENT_BLOCK_BYTES`] that a position lies in, after the write was served: where
    /// the drive really puts it, and as what.
    pub fn store_content(&self, position_bytes: u64, stamp: u128) {
        lock(&self.content).store(position_bytes, stamp);
    }

    /// The stamp that the drive has for the block that a position lies in: 0 where nothing was written, and where a fake
    /// has nothing to write to.
    pub fn load_content(&self, position_bytes: u64) -> u128 {
        lock(&self.content).load(position_bytes)
    }

    /// What the kernel would have counted since the drive was made: requests in the pieces that its bus takes, and the
    /// journal's writes with the flushes that caused them.
    pub fn counters(&self) -> DeviceCounters {
        lock(&self.state).counters
    }
}

/// What a request is answered with: bytes moved, or a negative error number.
fn outcome(direction: Direction, len_bytes: u32, fault: Option<FaultKind>) -> i32 {
    let is_write = direction == Direction::Write;
    let moved_bytes = match fault {
        Some(FaultKind::Eio) => return -libc::EIO,
        Some(FaultKind::NoSpace) if is_write => return -libc::ENOSPC,
        Some(FaultKind::ShortTransfer) if len_bytes > SECTOR_BYTES => {
            (len_bytes / 2 / SECTOR_BYTES * SECTOR_BYTES).max(SECTOR_BYTES)
        }
        _ => len_bytes,
    };
    i32::try_from(moved_bytes).unwrap_or(i32::MAX)
}

fn count(
    counters: &mut DeviceCounters,
    model: &DriveModel,
    direction: Direction,
    moved_bytes: u32,
    is_journaled: bool,
) {
    let bytes = u64::from(moved_bytes);
    let ios = bytes.div_ceil(model.bus.transfer_len_bytes_max).max(1);
    match direction {
        Direction::Read | Direction::Trim => {
            counters.read_ios += ios;
            counters.read_bytes += bytes;
        }
        Direction::Write => {
            counters.write_ios += ios;
            counters.write_bytes += bytes;
        }
        Direction::Sync => {
            counters.flush_ios += 1;
            if is_journaled {
                counters.write_ios += model.flush.journal_ios;
                counters.write_bytes += model.flush.journal_bytes;
            }
        }
    }
}

/// A file on a simulated drive: a region that is nobody else's until it is dropped.
#[derive(Debug)]
pub struct SimFile {
    drive: Arc<SimDrive>,
    base_bytes: u64,
    len_bytes: u64,
}

impl SimFile {
    /// The drive that it is on.
    pub fn drive(&self) -> &Arc<SimDrive> {
        &self.drive
    }

    /// Where on the drive it begins, in bytes.
    pub fn base_bytes(&self) -> u64 {
        self.base_bytes
    }

    /// How long it is, in bytes.
    pub fn len_bytes(&self) -> u64 {
        self.len_bytes
    }
}

impl Drop for SimFile {
    fn drop(&mut self) {
        let region = (self.base_bytes, self.base_bytes + self.len_bytes);
        let mut files = lock(&self.drive.files);
        if let Some(at) = files.iter().position(|&file| file == region) {
            files.remove(at);
        }
    }
}
