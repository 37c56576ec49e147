//! A simulated drive: responses, content, and the kernel's counters for it.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard};

use cardiograph_core::drive::DeviceCounters;
use cardiograph_core::{Direction, MIB};

use super::content::{Alteration, Content};
use super::faults::{Fault, FaultKind, FaultPlan};
use super::mechanism::Mechanism;
use super::model::DriveModel;
use super::request::SimRequest;

/// Files begin at multiples of this, in bytes.
const FILE_ALIGN_BYTES: u64 = MIB;
/// Minimum transfer, in bytes.
const SECTOR_BYTES: u32 = 512;

/// The result of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Served {
    /// Completion time, in nanoseconds of the drive's time.
    pub completed_at_ns: u64,
    /// Bytes moved, or a negative error number.
    pub result: i32,
}

/// A simulated drive. The same model, seed, faults and requests give the same results, on every machine.
#[derive(Debug)]
pub struct SimDrive {
    model: DriveModel,
    time_ns: Arc<AtomicU64>,
    state: Mutex<State>,
    content: Mutex<Content>,
    /// Start and end of the existing files, in ascending order.
    files: Mutex<Vec<(u64, u64)>>,
}

#[derive(Debug)]
struct State {
    mechanism: Mechanism,
    faults: FaultPlan,
    /// The fault that the drive does not recover from.
    ended_by: Option<FaultKind>,
    counters: DeviceCounters,
}

/// Locks even if another thread panicked while holding the lock, because each call leaves a usable state.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl SimDrive {
    /// A drive with its model's faults, if any. All randomness derives from `seed`.
    pub fn new(model: DriveModel, seed: u64) -> Arc<Self> {
        Self::with_faults(model, seed, Vec::new())
    }

    /// A drive with additional faults, which take precedence over its model's.
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

    /// Its model.
    pub fn model(&self) -> &DriveModel {
        &self.model
    }

    /// The drive's time in nanoseconds. A run advances it; it persists between runs, and time without
    /// requests is idle time, when a cache empties and the drive cools.
    pub fn time(&self) -> Arc<AtomicU64> {
        self.time_ns.clone()
    }

    /// Creates a file after the existing ones, at a multiple of 1 MiB; `None` when it does not fit into the
    /// claimed capacity. Its space is freed on drop; its content stays until it is overwritten.
    pub fn create_file(self: &Arc<Self>, len_bytes: u64) -> Option<SimFile> {
        let mut files = lock(&self.files);
        let base_bytes = files.last().map_or(0, |&(_, end)| end.next_multiple_of(FILE_ALIGN_BYTES));
        let end_bytes = base_bytes.checked_add(len_bytes).filter(|&end| end <= self.model.capacity_bytes)?;
        files.push((base_bytes, end_bytes));
        Some(SimFile { drive: self.clone(), base_bytes, len_bytes })
    }

    /// Serves a request that arrives at `now_ns`, which must not be before that of an earlier call. `None` if
    /// the drive never responds.
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
        let is_journaled = direction == Direction::Sync && state.mechanism.is_dirty;
        let completed_at_ns = state.mechanism.complete_ns(&self.model, now_ns, request, stall_ns);
        let result = outcome(direction, request.len_bytes, fault);
        if let Ok(moved_bytes) = u32::try_from(result) {
            count(&mut state.counters, &self.model, direction, moved_bytes, is_journaled);
            self.note_content(request.position_bytes, moved_bytes, direction, fault);
        }
        Some(Served { completed_at_ns, result })
    }

    /// Updates the content for a request, except for storing and loading data.
    fn note_content(
        &self,
        position_bytes: u64,
        moved_bytes: u32,
        direction: Direction,
        fault: Option<FaultKind>,
    ) {
        let (end_bytes, moved_bytes) = (position_bytes + u64::from(moved_bytes), u64::from(moved_bytes));
        let content = || lock(&self.content);
        let alteration = match fault {
            Some(FaultKind::Corrupt) => Some(Alteration::Flip),
            Some(FaultKind::BitFlip { bit }) => Some(Alteration::FlipBit(bit)),
            Some(FaultKind::Misdirect { by_bytes }) => Some(Alteration::Move(by_bytes)),
            Some(FaultKind::LostWrite | FaultKind::TornWrite) => Some(Alteration::Lose),
            _ => None,
        };
        // The first half of a torn write arrives, in whole sectors.
        let sectors = moved_bytes / u64::from(SECTOR_BYTES);
        let is_torn = fault == Some(FaultKind::TornWrite);
        let arrived_bytes = if is_torn { sectors.div_ceil(2) * u64::from(SECTOR_BYTES) } else { 0 };
        match (direction, alteration) {
            (Direction::Write, _) => {
                let altered =
                    alteration.map(|alteration| (position_bytes + arrived_bytes, end_bytes, alteration));
                content().begin_write(position_bytes, moved_bytes, altered);
            }
            (Direction::Read, Some(alteration @ (Alteration::Flip | Alteration::FlipBit(_)))) => {
                content().decay(position_bytes, moved_bytes, alteration);
            }
            (Direction::Trim, _) => lock(&self.content).forget(position_bytes, moved_bytes),
            _ => {}
        }
    }

    /// Stores the stamp of the [`CONTENT_BLOCK_BYTES`](super::CONTENT_BLOCK_BYTES) block at a position, after
    /// the write was served: at its real location, corrupted as required.
    pub fn store_content(&self, position_bytes: u64, stamp: u128) {
        lock(&self.content).store(position_bytes, stamp);
    }

    /// Stores the stamps of all blocks of a write.
    pub fn store_stamps(&self, position_bytes: u64, bytes: &[u8]) {
        lock(&self.content).store_stamps(position_bytes, bytes);
    }

    /// The stamp stored for the block at a position: 0 if nothing was written, or a fake has no location for
    /// it.
    pub fn load_content(&self, position_bytes: u64) -> u128 {
        lock(&self.content).load(position_bytes)
    }

    /// Stores all bytes of a write, after it was served: at their real location, corrupted as required.
    pub fn store_bytes(&self, position_bytes: u64, bytes: &[u8]) {
        lock(&self.content).store_bytes(position_bytes, bytes);
    }

    /// Loads all bytes of a range. Blocks stored only by stamp are otherwise zero.
    pub fn load_bytes(&self, position_bytes: u64, bytes: &mut [u8]) {
        lock(&self.content).load_bytes(position_bytes, bytes);
    }

    /// The counts that the kernel would have since the drive was created: requests in the pieces that its bus
    /// transfers, and the journal's writes with the flushes that caused them.
    pub fn counters(&self) -> DeviceCounters {
        lock(&self.state).counters
    }
}

/// The result of a request: bytes moved, or a negative error number.
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
        // The kernel counts trims separately.
        Direction::Trim => {}
        Direction::Read => {
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

/// A file on a simulated drive: an exclusive region until it is dropped.
#[derive(Debug)]
pub struct SimFile {
    drive: Arc<SimDrive>,
    base_bytes: u64,
    len_bytes: u64,
}

impl SimFile {
    /// The drive that holds it.
    pub fn drive(&self) -> &Arc<SimDrive> {
        &self.drive
    }

    /// Start on the drive, in bytes.
    pub fn base_bytes(&self) -> u64 {
        self.base_bytes
    }

    /// Length in bytes.
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

#[cfg(test)]
mod tests {
    use cardiograph_core::OpKind;

    use super::super::model::{Beyond, Fake};
    use super::super::whole_blocks::CONTENT_BLOCK_BYTES;
    use super::super::workbench::{drive_at_depth, plain, request};
    use super::*;

    const BLOCK: u64 = CONTENT_BLOCK_BYTES as u64;
    const LEN: u32 = CONTENT_BLOCK_BYTES as u32;

    fn faulty(fault: Fault) -> Arc<SimDrive> {
        SimDrive::with_faults(plain(|_| {}), 1, vec![fault])
    }

    /// Serves a request now, and advances the time to its completion.
    fn ask(drive: &SimDrive, kind: OpKind, position_bytes: u64, len_bytes: u32) -> Option<Served> {
        let now = drive.time().load(std::sync::atomic::Ordering::Relaxed);
        let served = drive.serve(now, &request(kind, position_bytes, len_bytes))?;
        drive.time().store(served.completed_at_ns, std::sync::atomic::Ordering::Relaxed);
        Some(served)
    }

    fn result(drive: &SimDrive, kind: OpKind, position_bytes: u64, len_bytes: u32) -> Option<i32> {
        ask(drive, kind, position_bytes, len_bytes).map(|served| served.result)
    }

    /// Serves and stores the write of a block, as the engine does.
    fn write(drive: &SimDrive, position_bytes: u64, stamp: u128) {
        assert_eq!(result(drive, OpKind::Write, position_bytes, LEN), Some(LEN as i32));
        drive.store_content(position_bytes, stamp);
    }

    fn read(drive: &SimDrive, position_bytes: u64) -> u128 {
        assert_eq!(result(drive, OpKind::Read, position_bytes, LEN), Some(LEN as i32));
        drive.load_content(position_bytes)
    }

    #[test]
    fn a_trim_discards_whole_blocks() {
        let drive = SimDrive::new(plain(|_| {}), 1);
        for block in 0..4 {
            assert_eq!(result(&drive, OpKind::Write, block * 4_096, LEN), Some(LEN as i32));
            drive.store_content(block * 4_096, 7);
        }
        let before = drive.counters();
        assert_eq!(result(&drive, OpKind::Trim, 4_096 + 512, 2 * LEN), Some(2 * LEN as i32));
        let stamps: Vec<u128> = (0..4).map(|block| drive.load_content(block * 4_096)).collect();
        assert_eq!(stamps, [7, 7, 0, 7]);
        assert_eq!(drive.counters(), before, "it moves no data");
        assert_eq!(result(&drive, OpKind::Trim, drive.model().capacity_bytes, LEN), Some(-libc::EIO));
    }

    #[test]
    fn written_content_is_returned_and_the_rest_is_zero() {
        let drive = faulty(Fault::new(FaultKind::Eio).nth(u64::MAX));
        let end = drive.model().capacity_bytes;
        let positions = [0, BLOCK, 255 * BLOCK, 256 * BLOCK, 511 * MIB, 512 * MIB, end - BLOCK];
        for (stamp, &position) in (1..).zip(&positions) {
            write(&drive, position, stamp);
        }
        for (stamp, &position) in (1..).zip(&positions) {
            assert_eq!(read(&drive, position), stamp);
        }
        assert_eq!(read(&drive, 2 * BLOCK), 0);
    }

    fn fake(beyond: Beyond) -> Arc<SimDrive> {
        let fake = Fake { real_capacity_bytes: 16 * MIB, beyond, front_bytes: 0, decoded_bytes: 0 };
        SimDrive::new(plain(|model| model.fake = Some(fake)), 1)
    }

    #[test]
    fn a_fake_that_wraps_overwrites_its_start() {
        let drive = fake(Beyond::Wrap);
        write(&drive, 0, 7);
        write(&drive, 16 * MIB - BLOCK, 8);
        assert_eq!((read(&drive, 0), read(&drive, 16 * MIB - BLOCK)), (7, 8));
        write(&drive, 16 * MIB, 9);
        assert_eq!((read(&drive, 0), read(&drive, 16 * MIB), read(&drive, 48 * MIB)), (9, 9, 9));
        let shipped = SimDrive::new(DriveModel::named("fake-card").unwrap(), 1);
        write(&shipped, 0, 7);
        write(&shipped, shipped.model().real_capacity_bytes(), 9);
        assert_eq!(read(&shipped, 0), 9);
    }

    #[test]
    fn a_fake_in_limbo_loses_writes() {
        let drive = fake(Beyond::Limbo);
        write(&drive, 0, 7);
        write(&drive, 16 * MIB, 9);
        assert_eq!((read(&drive, 0), read(&drive, 16 * MIB)), (7, 0));
    }

    #[test]
    fn files_are_consecutive_and_end_at_the_claimed_capacity() {
        let drive = fake(Beyond::Wrap);
        let first = drive.create_file(MIB + 1).unwrap();
        let second = drive.create_file(600 * MIB).unwrap();
        assert_eq!((first.base_bytes(), first.len_bytes()), (0, MIB + 1));
        assert_eq!(second.base_bytes(), 2 * MIB);
        assert!(drive.create_file(422 * MIB + 1).is_none());
        let third = drive.create_file(422 * MIB).unwrap();
        assert!(drive.create_file(1).is_none());
        drop((second, third));
        assert_eq!(drive.create_file(5).unwrap().base_bytes(), 2 * MIB);
        assert!(drive.create_file(u64::MAX).is_none());
    }

    #[test]
    fn requests_beyond_the_claimed_capacity_fail() {
        let drive = faulty(Fault::new(FaultKind::Eio).nth(u64::MAX));
        let end = drive.model().capacity_bytes;
        assert_eq!(result(&drive, OpKind::Read, end - 512, 512), Some(512));
        assert_eq!(result(&drive, OpKind::Read, end - 512, 1_024), Some(-libc::EIO));
        assert_eq!(result(&drive, OpKind::Write, u64::MAX, 512), Some(-libc::EIO));
        assert_eq!(drive.load_content(u64::MAX), 0);
    }

    #[test]
    fn a_failed_request_moves_nothing() {
        for (kind, error) in [(FaultKind::Eio, libc::EIO), (FaultKind::NoSpace, libc::ENOSPC)] {
            let drive = faulty(Fault::new(kind).on(Direction::Write).nth(2));
            let results = [0; 3].map(|_| result(&drive, OpKind::Write, 0, LEN));
            assert_eq!(results, [Some(LEN as i32), Some(-error), Some(LEN as i32)]);
            assert_eq!(drive.counters().write_bytes, 2 * BLOCK);
        }
        let drive = faulty(Fault::new(FaultKind::Eio).on(Direction::Sync));
        assert_eq!(result(&drive, OpKind::Fsync, 0, 0), Some(-libc::EIO));
        let drive = faulty(Fault::new(FaultKind::NoSpace));
        assert_eq!(result(&drive, OpKind::Read, 0, LEN), Some(LEN as i32));
    }

    #[test]
    fn a_bad_spot_fails_every_time() {
        let drive = faulty(Fault::new(FaultKind::Eio).on(Direction::Read).within(MIB, MIB + 512));
        for _ in 0..2 {
            assert_eq!(result(&drive, OpKind::Read, MIB, LEN), Some(-libc::EIO));
            assert_eq!(result(&drive, OpKind::Read, MIB + 512, LEN), Some(LEN as i32));
        }
    }

    #[test]
    fn short_transfers_move_half_in_whole_sectors() {
        let drive = faulty(Fault::new(FaultKind::ShortTransfer));
        for (asked, moved) in [(4_096, 2_048), (1_536, 512), (1_024, 512), (512, 512), (MIB as u32, 524_288)]
        {
            assert_eq!(result(&drive, OpKind::Read, 0, asked), Some(moved), "{asked}");
        }
        assert_eq!(result(&drive, OpKind::Fsync, 0, 0), Some(0));
        assert_eq!(drive.counters().read_bytes, 2_048 + 3 * 512 + 524_288);
    }

    #[test]
    fn a_stall_delays_all_later_requests_and_ends() {
        let drive = faulty(Fault::new(FaultKind::Stall { ns: 5_000_000_000 }).nth(2));
        let serve = |now| drive.serve(now, &request(OpKind::Read, 0, LEN)).unwrap().completed_at_ns - now;
        assert_eq!(serve(0), 100_000);
        assert!(serve(200_000) >= 5_000_000_000);
        assert!((4_900_000_000..5_000_000_000).contains(&serve(1_000_000)), "it waits for the same stall");
        assert!(serve(6_000_000_000) < 200_000);
    }

    #[test]
    fn corruption_is_silent() {
        let drive = faulty(Fault::new(FaultKind::Corrupt).on(Direction::Write).nth(1));
        write(&drive, 0, 7);
        write(&drive, BLOCK, 8);
        assert_eq!((read(&drive, 0), read(&drive, BLOCK)), (!7, 8));
        write(&drive, 0, 9);
        assert_eq!(read(&drive, 0), 9);
        let decaying = faulty(Fault::new(FaultKind::Corrupt).on(Direction::Read).nth(2));
        write(&decaying, 0, 7);
        assert_eq!([0; 3].map(|_| read(&decaying, 0)), [7, !7, !7]);
    }

    #[test]
    fn a_misdirected_write_is_stored_only_at_the_wrong_place() {
        let drive = faulty(Fault::new(FaultKind::Misdirect { by_bytes: MIB }).on(Direction::Write).nth(3));
        write(&drive, 0, 1);
        write(&drive, MIB, 2);
        write(&drive, 0, 3);
        assert_eq!((read(&drive, 0), read(&drive, MIB)), (1, 3));
        let far = Fault::new(FaultKind::Misdirect { by_bytes: u64::MAX - (BLOCK - 1) });
        write(&faulty(far), BLOCK, 1);
    }

    #[test]
    fn all_bytes_are_kept_at_their_real_location() {
        let drive = faulty(Fault::new(FaultKind::Eio).nth(u64::MAX));
        let load = |position, len| {
            let mut bytes = vec![9; len];
            drive.load_bytes(position, &mut bytes);
            bytes
        };
        let bytes: Vec<u8> = (0..10_000u32).map(|i| (i % 251) as u8).collect();
        drive.store_bytes(3_584, &bytes);
        assert_eq!(load(3_584, 10_000), bytes);
        assert_eq!(load(0, 3_584), vec![0; 3_584]);
        assert_eq!(drive.load_content(BLOCK).to_le_bytes(), bytes[512..528]);
        // A stamp stored alone replaces the previous content.
        drive.store_content(BLOCK, 7);
        assert_eq!(load(BLOCK, 32), [[7].as_slice(), &[0; 31]].concat());
        let wrapped = fake(Beyond::Wrap);
        wrapped.store_bytes(16 * MIB + 512, &[5; 512]);
        let mut bytes = [0; 512];
        wrapped.load_bytes(512, &mut bytes);
        assert_eq!(bytes, [5; 512]);
    }

    #[test]
    fn each_write_fault_corrupts_in_its_way() {
        let of = |kind, write: u8| -> Vec<u8> {
            let drive = faulty(Fault::new(kind).on(Direction::Write).nth(2));
            for byte in [1, write] {
                assert_eq!(result(&drive, OpKind::Write, 0, LEN), Some(LEN as i32));
                drive.store_bytes(0, &[byte; CONTENT_BLOCK_BYTES]);
            }
            let mut bytes = vec![0; CONTENT_BLOCK_BYTES];
            drive.load_bytes(0, &mut bytes);
            bytes
        };
        assert_eq!(of(FaultKind::LostWrite, 2), [1; 4_096]);
        assert_eq!(of(FaultKind::TornWrite, 2), [[2; 2_048], [1; 2_048]].concat());
        assert_eq!(of(FaultKind::Corrupt, 2), [!2; 4_096]);
        assert_eq!(of(FaultKind::Misdirect { by_bytes: MIB }, 2), [1; 4_096]);
        let mut flipped = [2; 4_096];
        flipped[700] = 2 ^ 8;
        assert_eq!(of(FaultKind::BitFlip { bit: 700 * 8 + 3 }, 2), flipped);
        // Stored data decays as it is read.
        let drive = faulty(Fault::new(FaultKind::BitFlip { bit: 9 }).on(Direction::Read).nth(1));
        drive.store_bytes(0, &[2; 4_096]);
        assert_eq!(result(&drive, OpKind::Read, 0, LEN), Some(LEN as i32));
        let mut bytes = [0; 3];
        drive.load_bytes(0, &mut bytes);
        assert_eq!(bytes, [2, 0, 2]);
    }

    #[test]
    fn a_drive_that_disappears_does_not_return() {
        let drive = faulty(Fault::new(FaultKind::Disappear).from_ns(1_000_000));
        assert_eq!(result(&drive, OpKind::Read, 0, LEN), Some(LEN as i32));
        let refused = Some(Served { completed_at_ns: 1_010_000, result: -libc::ENODEV });
        assert_eq!(drive.serve(1_000_000, &request(OpKind::Write, 0, LEN)), refused);
        assert_eq!(drive.serve(1_000_000, &request(OpKind::Fsync, 0, 0)), refused);
    }

    #[test]
    fn a_drive_that_hangs_never_responds_again() {
        let drive = faulty(Fault::new(FaultKind::Hang).on(Direction::Write).nth(2));
        assert_eq!([0; 2].map(|_| result(&drive, OpKind::Write, 0, LEN)), [Some(LEN as i32), None]);
        assert_eq!(result(&drive, OpKind::Read, 0, LEN), None);
    }

    #[test]
    fn faults_of_the_model_occur() {
        let eio = Fault::new(FaultKind::Eio).nth(1);
        let drive = SimDrive::new(plain(|model| model.faults = vec![eio]), 1);
        assert_eq!([0; 2].map(|_| result(&drive, OpKind::Read, 0, 512)), [Some(-libc::EIO), Some(512)]);
    }

    #[test]
    fn long_requests_count_as_several_transfers() {
        let drive = faulty(Fault::new(FaultKind::Eio).nth(u64::MAX));
        result(&drive, OpKind::Read, 0, MIB as u32);
        result(&drive, OpKind::Write, 0, 524_289);
        let counted = drive.counters();
        assert_eq!((counted.read_ios, counted.read_bytes), (2, MIB));
        assert_eq!((counted.write_ios, counted.write_bytes), (2, 524_289));
    }

    #[test]
    fn the_largest_drive_uses_little_memory_and_no_time_overflows() {
        let drive = SimDrive::new(
            plain(|model| {
                model.capacity_bytes = 1 << 50;
                model.write.full[0].mean_ns = 3_600_000_000_000;
                model.cache = Some(super::super::model::Cache {
                    len_bytes: 1,
                    slow_factor: 10_000.0,
                    refill_bytes_per_s: 0,
                });
            }),
            1,
        );
        write(&drive, (1 << 50) - BLOCK, 7);
        assert_eq!(read(&drive, (1 << 50) - BLOCK), 7);
        let slow = request(OpKind::Write, 0, u32::MAX - 511);
        assert_eq!([0; 3].map(|_| drive.serve(u64::MAX - 5, &slow).unwrap().completed_at_ns), [u64::MAX; 3]);
        assert_eq!(drive.serve(u64::MAX, &request(OpKind::Fsync, 0, 0)).unwrap().completed_at_ns, u64::MAX);
    }

    #[test]
    fn equal_seeds_give_equal_results_and_others_do_not() {
        for (name, _) in super::super::MODELS {
            let answers = |seed| {
                let drive = SimDrive::new(DriveModel::named(name).unwrap(), seed);
                let mut numbers = 0..500u64;
                drive_at_depth(&drive, 4, |_| {
                    let i = numbers.next()?;
                    let position = i * 7_919 % 10_000 * BLOCK;
                    let kind = [OpKind::Read, OpKind::Write, OpKind::Fsync][(i % 3) as usize];
                    Some(request(kind, position, if kind == OpKind::Fsync { 0 } else { LEN }))
                })
            };
            assert_eq!(answers(1), answers(1), "{name}");
            assert_ne!(answers(1), answers(2), "{name}");
        }
    }
}
