//! An engine with targets to use, and iteration over all engines.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use cardiograph_core::workload::FileAction;
use cardiograph_core::{Direction, FileUse, Plan, PlannedJob, Workload};
use cardiograph_engine::buffers::Arena;
use cardiograph_engine::engine::OpKind;
use cardiograph_engine::files::{PrepareRequest, prepare};
use cardiograph_engine::observer::Silent;
use cardiograph_engine::sim::{DriveModel, SimDrive};
use cardiograph_engine::target::Naming;
use cardiograph_engine::{
    Access, Clock, Completion, Consent, Control, ENGINES, EngineContext, EngineEntry, IoEngine, IoOp, Target,
};

pub const BLOCK: usize = 4_096;
pub const BLOCK_RESULT: i32 = BLOCK as i32;
/// Length of each file.
pub const FILE_BLOCKS: u64 = 256;

/// Options of a test.
#[derive(Debug, Clone, Copy)]
pub struct Setup {
    pub access: Access,
    pub depth: u32,
    pub files: usize,
    pub file_len_bytes: u64,
    pub slot_len_bytes: usize,
}

impl Setup {
    pub fn new(direct: bool, depth: u32) -> Self {
        Self {
            access: Access { direct, writes: true, checks_content: true, ..Access::default() },
            depth,
            files: 1,
            file_len_bytes: FILE_BLOCKS * BLOCK as u64,
            slot_len_bytes: 2 * BLOCK,
        }
    }
}

/// An engine, and the memory that it shares with the test.
pub struct Bench {
    pub engine: Box<dyn IoEngine>,
    pub buffers: Arc<Arena>,
    pub clock: Clock,
    pub depth: u32,
    /// Whether it stores written data.
    pub has_content: bool,
    /// Whether it does its I/O through the kernel.
    pub is_real: bool,
    drive: Option<Arc<SimDrive>>,
}

impl Bench {
    pub fn new(entry: &EngineEntry, setup: Setup, directory: &Path) -> Self {
        let len_bytes = setup.file_len_bytes;
        let drive =
            entry.is_simulated.then(|| SimDrive::new(DriveModel::named("sandisk-ultra-64").unwrap(), 1));
        let make = |_| match (&drive, entry.does_io) {
            (Some(drive), _) => Target::simulated(drive.create_file(len_bytes).unwrap()),
            (None, false) => Target::without_storage(len_bytes),
            (None, _) if entry.file_action.is_some() => named_file(entry, setup, directory),
            _ => Target::create_file(directory, len_bytes, Naming::Automatic).unwrap(),
        };
        let targets = (0..setup.files).map(make).collect();
        Self::over(entry, setup, targets, drive)
    }

    /// An engine over existing targets.
    pub fn over(
        entry: &EngineEntry,
        setup: Setup,
        targets: Vec<Arc<Target>>,
        drive: Option<Arc<SimDrive>>,
    ) -> Self {
        let clock = drive.as_ref().map_or_else(Clock::machine, |drive| Clock::simulated(drive.time()));
        let buffers = Arena::new(setup.depth as usize, setup.slot_len_bytes).unwrap();
        let context = EngineContext {
            targets,
            access: setup.access,
            depth: setup.depth,
            buffers: buffers.clone(),
            clock: clock.clone(),
            options: Vec::new(),
        };
        Self {
            engine: (entry.open)(&context).unwrap().engine,
            buffers,
            clock,
            depth: setup.depth,
            has_content: entry.does_io && entry.file_action.is_none(),
            is_real: entry.moves_data(),
            drive,
        }
    }

    pub fn fill(&self, slot: u32, byte: u8) {
        // SAFETY: nothing is in flight for this slot.
        unsafe { self.buffers.slot_bytes(slot, BLOCK) }.fill(byte);
    }

    pub fn first_bytes(&self, slot: u32) -> [u8; 16] {
        // SAFETY: nothing is in flight for this slot.
        *unsafe { self.buffers.slot_bytes(slot, BLOCK) }.first_chunk().unwrap()
    }

    /// Submits and reaps everything, in batches that the engine accepts.
    pub fn run(&mut self, ops: &[IoOp]) -> Vec<Completion> {
        let mut left = ops;
        let mut done = Vec::new();
        while done.len() < ops.len() {
            let taken = self.engine.submit(left).unwrap();
            left = &left[taken..];
            self.reap_some(&mut done);
        }
        done
    }

    /// Submits one and returns its result.
    pub fn result(&mut self, op: IoOp) -> i32 {
        self.run(&[op])[0].result
    }

    /// Submits until the engine accepts no more; a synchronous one then holds completions. Returns how many
    /// it accepted.
    pub fn submit_all(&mut self, ops: &[IoOp]) -> usize {
        let mut taken = 0;
        while taken < ops.len() {
            match self.engine.submit(&ops[taken..]).unwrap() {
                0 => break,
                more => taken += more,
            }
        }
        taken
    }

    pub fn reap_some(&mut self, done: &mut Vec<Completion>) {
        self.let_time_pass();
        let until = self.clock.now() + self.clock.ticks(5_000_000_000);
        self.engine.reap(1, u32::MAX, Some(until), done).unwrap();
    }

    /// Waits; simulated time, where drives are slower, advances a thousand times as far.
    pub fn pause(&self, duration: Duration) {
        match &self.drive {
            Some(drive) => {
                drive.time().fetch_add(duration.as_micros() as u64 * 1_000_000, Ordering::Relaxed);
            }
            None => std::thread::sleep(duration),
        }
    }

    /// Advances simulated time to the next completion, unless that is in the past.
    pub fn let_time_pass(&self) {
        if let (Some(drive), Some(at)) = (&self.drive, self.engine.next_completion_at()) {
            drive.time().fetch_max(at, Ordering::Relaxed);
        }
    }
}

/// A request for a block of the first file.
pub fn op(slot: u32, kind: OpKind, block: u64) -> IoOp {
    let len_bytes = if kind.direction() == Direction::Sync { 0 } else { BLOCK as u32 };
    IoOp { slot, file: 0, kind, offset_bytes: block * BLOCK as u64, len_bytes }
}

/// A request of one kind for each slot, each for a different block.
pub fn one_each(depth: u32, kind: OpKind) -> Vec<IoOp> {
    (0..depth).map(|slot| op(slot, kind, u64::from(slot))).collect()
}

/// Available engines; the others are noted as skipped.
pub fn available() -> impl Iterator<Item = &'static EngineEntry> {
    ENGINES.iter().filter(|entry| match (entry.probe)() {
        Ok(()) => true,
        Err(unavailable) => {
            cardiograph_testing::skip(&format!("conformance of {}", entry.name), &unavailable.to_string());
            false
        }
    })
}

/// Engines that do I/O through the kernel.
pub fn real() -> impl Iterator<Item = &'static EngineEntry> {
    available().filter(|entry| entry.moves_data())
}

/// A named file in `directory`, prepared for an engine that handles whole files.
pub fn named_file(entry: &EngineEntry, setup: Setup, directory: &Path) -> Arc<Target> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let path = directory.join(format!("file-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
    let workload =
        Workload { engine: entry.name.to_string(), file_action: entry.file_action, ..Workload::default() };
    let file = FileUse { target: 0, offset_bytes: 0, region_len_bytes: setup.file_len_bytes };
    let job = PlannedJob { workload, clones: vec![vec![file]], ..PlannedJob::default() };
    let plan = Plan { targets: vec![path.to_string_lossy().into_owned()], jobs: vec![job] };
    let request = PrepareRequest {
        plan: &plan,
        consent: &Consent::default(),
        control: &Control::default(),
        observer: &Silent,
        seed: 1,
        root: Path::new("/"),
        of_tool: false,
    };
    prepare(&request).unwrap().targets.remove(0)
}

/// Runs `check` over each available engine, buffered and direct, at depth 1 and 8, on `files` files.
pub fn for_all_files(files: usize, check: impl Fn(&str, &mut Bench)) {
    let directory = cardiograph_testing::disk_dir();
    let mut checked = 0;
    // Files cannot be created or removed twice, and only writes set lengths: these engines have separate
    // tests.
    let is_special = |action: FileAction| {
        matches!(action, FileAction::Delete | FileAction::Truncate) || action.is_for_directories()
    };
    for entry in available().filter(|entry| !entry.file_action.is_some_and(is_special)) {
        for (direct, depth) in [(false, 1), (true, 1), (false, 8), (true, 8)] {
            let setup = Setup { files, ..Setup::new(direct, depth) };
            let mut bench = Bench::new(entry, setup, directory.path());
            check(&format!("{} direct={direct} depth={depth}", entry.name), &mut bench);
            checked += 1;
        }
    }
    assert!(checked >= 4 * 4, "psync, sync, null and sim are always there");
}

/// Like [`for_all_files`], with one file.
pub fn for_all(check: impl Fn(&str, &mut Bench)) {
    for_all_files(1, check);
}
