//! The actions of the processes, and the invariants.
//!
//! A story has rounds. In each, several processes use the store at once, with or without faults; then all of
//! them end, and a process without faults checks the state. Everything acknowledged must be there; unfinished
//! work may be; nothing else may have changed.

mod own_files;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cardiograph_core::Report;
use cardiograph_core::rng::{Rng, derive_seed};
use cardiograph_files::FileSystem;
use cardiograph_store::{Query, SqliteStore, Store, StoreError};
use cardiograph_testing::reports;

use crate::SimulatedFiles;
use crate::disk::{Disk, ROOT};

use crate::vfs;
use crate::world::{Faults, World};

/// Path of the store.
pub const STORE: &str = "/data/drives.db";
/// Maximum number of steps of a measuring process.
const STEPS_MAX: u64 = 5;

/// State of a checkup according to its processes.
#[derive(Debug, Clone)]
struct Kept {
    /// The checkup with all its possible steps.
    whole: Arc<Report>,
    /// Acknowledged steps; `None` if not even the Report was.
    steps: Option<usize>,
    /// Maximum number of steps.
    steps_max: usize,
    /// Whether it may be gone.
    may_be_gone: bool,
    /// Whether it must be gone.
    is_gone: bool,
}

/// What a repair must find of a checkup.
#[derive(Debug, Clone, Copy)]
struct Readable {
    /// Number of its steps.
    steps: usize,
    /// Whether they were saved after the damage. SQLite may have put them where it is: then the repair names what is lost.
    is_later: bool,
}

/// Everything acknowledged to the processes of a story.
#[derive(Debug, Default)]
struct Acknowledged {
    seed: u64,
    kept: BTreeMap<String, Kept>,
    /// Whether the file is damaged and not yet repaired.
    is_damaged: bool,
    /// What a repair must find of each checkup.
    readable: BTreeMap<String, Readable>,
    made: u64,
    /// Whether this round has no faults, so that every call must succeed.
    is_calm: bool,
    /// For each of the user's outputs: the acknowledged version, and the last one begun.
    outputs: BTreeMap<usize, (u64, u64)>,
    /// Saved ranges of a device by the seed of their journal: how many are durable, and whether it may be
    /// gone.
    journals: BTreeMap<u64, (usize, bool)>,
}

/// A story: its disk, and its expected state.
struct Story {
    seed: u64,
    disk: Disk,
    acknowledged: Arc<Mutex<Acknowledged>>,
    rng: Rng,
    subject: Subject,
}

/// The program under test: the real one, or one with a planted bug.
#[derive(Debug, Clone, Copy)]
pub struct Subject {
    /// Repairs a store; returns whether it succeeded.
    pub repair: fn(&SqliteStore) -> bool,
    /// Whether the drive reports syncs as done without doing them.
    pub drive_lies: bool,
}

/// The real program.
pub const PROGRAM: Subject = Subject { repair, drive_lies: false };

fn repair(store: &SqliteStore) -> bool {
    store.repair().inspect_err(|error| eprintln!("the repair failed: {error}")).is_ok()
}

/// An earlier repair: it renamed the file before its replacement existed.
pub fn repair_by_renaming_first(store: &SqliteStore) -> bool {
    let Ok(found) = store.find(&Query::default()) else { return false };
    let reports: Vec<Report> = found.iter().filter_map(|run| store.load(&run.id).ok()).collect();
    let rename = || -> std::io::Result<()> {
        let directory = SimulatedFiles.directory(Path::new("/data"))?;
        let _ = directory.rename(OsStr::new("drives.db-wal"), OsStr::new("aside-wal"));
        directory.rename(OsStr::new("drives.db"), OsStr::new("aside"))?;
        directory.sync()
    };
    rename().is_ok() && self::store().save_all(&reports).is_ok()
}

/// Statistics of a story.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Number of calls.
    pub calls: u64,
    /// Acknowledged checkups.
    pub checkups: u64,
    /// Rounds with a power cut.
    pub cuts: u64,
    /// Rounds that damaged the file.
    pub damaged: u64,
    /// Hash of all calls in order.
    pub trace: u64,
}

/// Plays the story of a seed.
///
/// # Panics
/// When an invariant is violated, with the seed.
pub fn play(seed: u64, subject: Subject) -> Outcome {
    vfs::register();
    let mut disk = Disk::new();
    let data = disk.create_directory(ROOT, "data".as_ref(), 0o700).expect("the disk is empty");
    let drive = disk.create_directory(data, "drive".as_ref(), 0o700).expect("the directory is empty");
    for name in own_files::USERS {
        disk.create_directory(drive, name.as_ref(), 0o700).expect("nothing is called so");
    }
    [drive, data, ROOT].into_iter().for_each(|directory| disk.sync(directory));
    disk.ignores_syncs = subject.drive_lies;
    let acknowledged = Arc::new(Mutex::new(Acknowledged { seed, ..Acknowledged::default() }));
    let mut story = Story { seed, disk, acknowledged, rng: Rng::new(seed), subject };
    let mut outcome = Outcome::default();
    for _ in 0..2 + story.rng.below(4) {
        story.round(&mut outcome);
    }
    story.repair_store(&mut outcome);
    story.look(&mut outcome);
    outcome.checkups =
        lock(&story.acknowledged).kept.values().filter(|kept| kept.steps.is_some()).count() as u64;
    outcome
}

impl Story {
    fn round(&mut self, outcome: &mut Outcome) {
        let count = 1 + self.rng.below(3);
        let processes = (0..count).map(|slot| self.process(slot as usize)).collect();
        let faults = self.faults();
        {
            let mut acknowledged = lock(&self.acknowledged);
            acknowledged.is_calm = faults == Faults::default() && !acknowledged.is_damaged;
        }
        self.run(processes, faults, outcome);
        if !lock(&self.acknowledged).is_damaged {
            self.look(outcome);
            if self.rng.below(6) == 0 {
                self.damage(outcome);
            }
        } else if self.rng.below(2) == 0 {
            self.repair_store(outcome);
            self.look(outcome);
        }
    }

    fn run(&mut self, processes: Vec<Process>, faults: Faults, outcome: &mut Outcome) {
        let seed = self.rng.next_u64();
        let disk = std::mem::take(&mut self.disk);
        let (disk, stats) = World::new(disk, seed, faults).run(processes);
        self.disk = disk;
        self.disk.room_bytes = usize::MAX;
        outcome.calls += stats.calls;
        outcome.cuts += u64::from(stats.was_cut);
        outcome.trace = derive_seed(outcome.trace ^ stats.trace, stats.calls);
    }

    /// Faults of a round.
    fn faults(&mut self) -> Faults {
        let mut moment = || {
            let most = 1 << (3 + self.rng.below(10));
            1 + self.rng.below(most)
        };
        let [first, second, third] = [moment(), moment(), moment()];
        match self.rng.below(8) {
            0 => Faults::default(),
            1 | 2 => Faults { kills_at: vec![first], ..Faults::default() },
            3 => Faults {
                kills_at: vec![first, second],
                cuts_at: Some(first.max(second) + third),
                ..Faults::default()
            },
            4 => Faults { fails_at: vec![first, second, third], ..Faults::default() },
            5 => Faults { full_from: Some((first, second as usize * 16)), ..Faults::default() },
            _ => Faults { cuts_at: Some(first), ..Faults::default() },
        }
    }

    /// The process with index `slot` in its round.
    fn process(&mut self, slot: usize) -> Process {
        let acknowledged = self.acknowledged.clone();
        let seed = self.rng.next_u64();
        let (is_damaged, repair) = (lock(&acknowledged).is_damaged, self.subject.repair);
        match self.rng.below(if is_damaged { 18 } else { 15 }) {
            0..4 => Box::new(move || checkup(&acknowledged, seed)),
            4 | 5 => Box::new(move || import(&acknowledged, seed)),
            6 => Box::new(move || remove(&acknowledged, seed)),
            7 | 8 => Box::new(move || read(&acknowledged)),
            9 | 10 => Box::new(move || own_files::export(&acknowledged, slot)),
            11 | 12 => Box::new(move || own_files::overwrite_device(&acknowledged, seed)),
            13 | 14 => Box::new(move || own_files::work(&acknowledged)),
            _ => Box::new(move || _ = repair(&store())),
        }
    }

    /// Checks the state with a fault-free process.
    fn look(&mut self, outcome: &mut Outcome) {
        let (acknowledged, seed) = (self.acknowledged.clone(), self.seed);
        let looks = move || {
            look(&lock(&acknowledged), seed);
            own_files::look(&acknowledged, seed);
        };
        self.run(vec![Box::new(looks)], Faults::default(), outcome);
    }

    /// Flips a bit of the store on the disk.
    fn damage(&mut self, outcome: &mut Outcome) {
        let Ok(file) = self.disk.walk(Path::new(STORE)) else { return };
        let bits = self.disk.bytes(file).map_or(0, <[u8]>::len) as u64 * 8;
        let bit = if bits > 0 { self.rng.below(bits) as usize } else { 0 };
        // A file with a foreign header belongs to another program, and is not repaired.
        if bits > 0 && !(68 * 8..72 * 8).contains(&bit) {
            let before = self.disk.clone();
            self.disk.flip_bit(file, bit);
            lock(&self.acknowledged).is_damaged = true;
            // Try on a copy how much a repair can read.
            let copy = self.disk.clone();
            let (acknowledged, seed) = (self.acknowledged.clone(), self.seed);
            let tries = move || {
                // Nobody can tell it from the store of a later version, which is not repaired.
                if matches!(store().find(&Query::default()), Err(StoreError::TooNew { .. })) {
                    lock(&acknowledged).is_damaged = false;
                    return;
                }
                assert!(repair(&store()), "seed {seed}: the store could not be repaired");
                let there = load_reports(&lock(&acknowledged), seed);
                let steps = |report: Report| Readable { steps: report.steps.len(), is_later: false };
                lock(&acknowledged).readable =
                    there.into_iter().map(|(id, report)| (id, steps(report))).collect();
            };
            self.run(vec![Box::new(tries)], Faults::default(), outcome);
            let is_damaged = lock(&self.acknowledged).is_damaged;
            outcome.damaged += u64::from(is_damaged);
            self.disk = if is_damaged { copy } else { before };
        }
    }

    /// Repairs the store without faults. The readable content is expected from now on, and must include
    /// everything that a fault-free repair could read.
    fn repair_store(&mut self, outcome: &mut Outcome) {
        if !lock(&self.acknowledged).is_damaged {
            return;
        }
        let (acknowledged, repair, seed) = (self.acknowledged.clone(), self.subject.repair, self.seed);
        let mended = move || {
            assert!(repair(&store()), "seed {seed}: the store could not be repaired");
            lock(&acknowledged).expect_current_content(seed);
        };
        self.run(vec![Box::new(mended)], Faults::default(), outcome);
    }
}

type Process = Box<dyn FnOnce() + Send>;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether an operation succeeded, which it must without faults.
fn has_succeeded<T, E: std::fmt::Display>(
    acknowledged: &Mutex<Acknowledged>,
    what: &str,
    done: Result<T, E>,
) -> bool {
    if let Err(error) = &done {
        let acknowledged = lock(acknowledged);
        assert!(!acknowledged.is_calm, "seed {}: nothing goes wrong, and {what}: {error}", acknowledged.seed);
    }
    done.is_ok()
}

/// The store, as each process opens it.
fn store() -> SqliteStore {
    SqliteStore::new(STORE).on(Arc::new(SimulatedFiles), vfs::NAME)
}

impl Acknowledged {
    /// A new checkup, not yet acknowledged.
    fn new_checkup(&mut self, rng: &mut Rng) -> Arc<Report> {
        self.made += 1;
        let steps = 1 + rng.below(STEPS_MAX) as usize;
        let whole = Arc::new(reports::finished(&format!("r{:03}", self.made), self.made, steps));
        let kept =
            Kept { whole: whole.clone(), steps: None, steps_max: 0, may_be_gone: true, is_gone: false };
        self.kept.insert(whole.id.clone(), kept);
        whole
    }

    fn kept_mut(&mut self, report: &Report) -> &mut Kept {
        self.kept.get_mut(&report.id).expect("it was made here")
    }
}

/// Measures: saves the Report after each step.
fn checkup(acknowledged: &Mutex<Acknowledged>, seed: u64) {
    let whole = lock(acknowledged).new_checkup(&mut Rng::new(seed));
    let store = store();
    for steps in 0..=whole.steps.len() {
        let report = Report { steps: whole.steps[..steps].to_vec(), ..(*whole).clone() };
        lock(acknowledged).kept_mut(&whole).steps_max = steps;
        if has_succeeded(acknowledged, "a checkup is not kept", store.save(&report)) {
            lock(acknowledged).acknowledge(&whole, steps);
        }
    }
}

/// Saves several at once.
fn import(acknowledged: &Mutex<Acknowledged>, seed: u64) {
    let mut rng = Rng::new(seed);
    let reports: Vec<Report> = {
        let mut acknowledged = lock(acknowledged);
        let some = (0..1 + rng.below(4)).map(|_| acknowledged.new_checkup(&mut rng)).collect::<Vec<_>>();
        some.iter().for_each(|report| acknowledged.kept_mut(report).steps_max = report.steps.len());
        some.iter().map(|report| (**report).clone()).collect()
    };
    if has_succeeded(acknowledged, "an import is not kept", store().save_all(&reports)) {
        let mut acknowledged = lock(acknowledged);
        reports.iter().for_each(|report| acknowledged.acknowledge(report, report.steps.len()));
    }
}

/// Removes a finished checkup, which nobody writes any more.
fn remove(acknowledged: &Mutex<Acknowledged>, seed: u64) {
    let chosen = {
        let mut acknowledged = lock(acknowledged);
        let finished = acknowledged.kept.values().filter(|kept| kept.steps == Some(kept.whole.steps.len()));
        let ids: Vec<String> = finished.map(|kept| kept.whole.id.clone()).collect();
        let Some(id) = ids.get(Rng::new(seed).below(ids.len() as u64) as usize).cloned() else { return };
        acknowledged.kept.get_mut(&id).expect("it is there").may_be_gone = true;
        id
    };
    let removed = store().remove(&[&chosen]);
    // Another may have removed it meanwhile.
    if matches!(removed, Err(StoreError::NotFound { .. })) {
        return;
    }
    if has_succeeded(acknowledged, "a checkup is not removed", removed) {
        lock(acknowledged).kept.get_mut(&chosen).expect("it is there").is_gone = true;
    }
}

/// Reads while others write. A read may be stale or fail; it is never wrong.
fn read(acknowledged: &Mutex<Acknowledged>) {
    let store = store();
    let found = store.find(&Query::default());
    let runs: Vec<_> = found.iter().flatten().map(|run| run.id.clone()).collect();
    if !has_succeeded(acknowledged, "checkups are not listed", found) {
        return;
    }
    for id in runs {
        if let Ok(report) = store.load(&id) {
            let acknowledged = lock(acknowledged);
            assert_measured(&report, &acknowledged.kept[id.as_str()], acknowledged.is_damaged, 0);
        }
    }
}

fn assert_measured(report: &Report, kept: &Kept, is_damaged: bool, seed: u64) {
    let id = &report.id;
    if is_damaged {
        // Missing parts of a damaged file are mentioned in a note; existing ones are right.
        let is_known = |step| kept.whole.steps.contains(step);
        assert!(report.steps.iter().all(is_known), "seed {seed}: {id} has another step");
        return;
    }
    let steps = report.steps.len();
    assert!(steps <= kept.steps_max, "seed {seed}: {id} has {steps} steps of {}", kept.steps_max);
    let is_same = report.steps == kept.whole.steps[..steps] && report.notes == kept.whole.notes;
    assert!(is_same, "seed {seed}: {id} is another");
}

/// Checks that everything acknowledged is there, and nothing else has changed.
fn look(acknowledged: &Acknowledged, seed: u64) {
    if acknowledged.is_damaged {
        return;
    }
    let store = store();
    let found = store.find(&Query::default()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let ids: Vec<&str> = found.iter().map(|run| run.id.as_str()).collect();
    for (id, kept) in &acknowledged.kept {
        let is_there = ids.contains(&id.as_str());
        assert!(!(is_there && kept.is_gone), "seed {seed}: {id} was removed and is there");
        assert!(is_there || kept.may_be_gone, "seed {seed}: {id} is lost");
    }
    for id in &ids {
        let report = store.load(id).unwrap_or_else(|error| panic!("seed {seed}: {id}: {error}"));
        let kept = acknowledged.kept.get(*id).unwrap_or_else(|| panic!("seed {seed}: nobody made {id}"));
        assert_measured(&report, kept, false, seed);
        let (steps, acknowledged) = (report.steps.len(), kept.steps.unwrap_or(0));
        assert!(steps >= acknowledged, "seed {seed}: {id} has {steps} of {acknowledged} steps");
    }
    store.figures(&ids).unwrap_or_else(|error| panic!("seed {seed}: figures: {error}"));
    assert!(store.remarks().is_empty(), "seed {seed}: a store that is whole says {:?}", store.remarks());
}

impl Acknowledged {
    /// After a repair: expects the current content from now on, which must include everything readable
    /// before.
    fn expect_current_content(&mut self, seed: u64) {
        let mut there = load_reports(self, seed);
        for (id, &Readable { steps, is_later }) in &self.readable {
            let named = |report: &Report| if is_later { steps_named_lost(report) } else { 0 };
            let found = there.get(id).map(|report| report.steps.len() + named(report));
            let is_all = found.is_some_and(|found| found >= steps) || self.kept[id].may_be_gone;
            assert!(is_all, "seed {seed}: {id} has {found:?} of {steps} steps after a repair");
        }
        for (id, kept) in &mut self.kept {
            match there.remove(id) {
                Some(report) => {
                    kept.steps = Some(report.steps.len());
                    kept.steps_max = report.steps.len();
                    kept.whole = Arc::new(report);
                }
                None => kept.may_be_gone = true,
            }
        }
        self.is_damaged = false;
        self.readable.clear();
    }

    fn acknowledge(&mut self, report: &Report, steps: usize) {
        let kept = self.kept_mut(report);
        (kept.steps, kept.may_be_gone) = (Some(steps), false);
        if self.is_damaged {
            self.readable.insert(report.id.clone(), Readable { steps, is_later: true });
        }
    }
}

/// Steps that a repair has noted as lost.
fn steps_named_lost(report: &Report) -> usize {
    report.notes.iter().filter(|note| note.id() == "store-step-lost").count()
}

/// All Reports that can be loaded.
fn load_reports(acknowledged: &Acknowledged, seed: u64) -> BTreeMap<String, Report> {
    let store = store();
    let found = store.find(&Query::default()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let load = |id: &str| {
        let report = store.load(id).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_measured(&report, &acknowledged.kept[id], true, seed);
        (report.id.clone(), report)
    };
    found.iter().map(|run| load(&run.id)).collect()
}
