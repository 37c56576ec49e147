//! The target of a checkup: a directory on a real drive, a whole block device, or a simulated drive.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cardiograph_core::card::{Card, SdCard, SdQueueUse, SdStatus};
use cardiograph_core::drive::{
    Conditions, DeviceCounters, Drive, DriveHealth, Fact, Leaf, LeafKind, Unknown, Why,
};
use cardiograph_core::{JobSpec, NS_PER_S, Origin, Parameter, Plan, message};
use cardiograph_drive::{IdentifyError, System};
use cardiograph_engine::fill_files::{self, FillSet, Found, Unwanted};
use cardiograph_engine::sim::{DriveKind, DriveModel, Marks, SimDrive, SimFile};
use cardiograph_engine::target::Naming;
use cardiograph_engine::{Control, Target, device, leftovers};
use cardiograph_files::input;
use cardiograph_jobs::resolve::ResolveContext;
use cardiograph_suites::{Part, margin_bytes};
use rustix::fs::{Access, access};
use rustix::io::Errno;

use crate::cleaned::Cleaned;
use crate::consent::Stake;
use crate::deadline::with_timeout;
use crate::failure::Failure;
use crate::journals::Journals;
use crate::machine::{Machine, fresh_seed, resolved};
use crate::messages;
use crate::runner::{Caller, Opened, TargetKind};
use crate::sink::Event;
use crate::targets;
use crate::thermometer::Thermometer;

/// Maximum length of a simulated drive's description, in bytes: shipped ones have 4 KiB.
pub const MODEL_LEN_BYTES_MAX: u64 = 1 << 20;

/// A directory on a drive, a device, or a simulated drive.
#[derive(Debug)]
pub enum CheckupTarget {
    /// A directory.
    Directory {
        /// Its canonical path.
        path: PathBuf,
        /// The machine.
        system: System,
    },
    /// A block device, held exclusively: all of it is the test file.
    Device {
        /// Its path.
        path: PathBuf,
        /// It.
        target: Arc<Target>,
        /// Journals of checkups on it; `None` if it could not be recognised again.
        journals: Option<Box<Journals>>,
        /// The machine.
        system: System,
    },
    /// A simulated drive.
    Simulated(Arc<SimDrive>),
}

impl CheckupTarget {
    /// A writable directory.
    pub fn directory(path: &Path) -> Result<Self, Failure> {
        let canonical = std::fs::canonicalize(path).map_err(|error| messages::path_error(path, &error))?;
        let metadata = std::fs::metadata(&canonical).map_err(|error| messages::path_error(path, &error))?;
        if !metadata.is_dir() {
            return Err(Failure::usage(message!("checkup-target-not-a-directory", path)));
        }
        Ok(CheckupTarget::Directory { path: canonical, system: System::local() })
    }

    /// A block device. Writing to it requires its id among `consents`. Remarks for the report go to the
    /// `caller`.
    pub fn device(
        path: &Path,
        writes: Option<Stake>,
        consents: &[String],
        caller: Caller<'_>,
    ) -> Result<Self, Failure> {
        let rw = if writes.is_some() { "write" } else { "read" };
        let name = path.display().to_string().replace(':', "\\:");
        let job = JobSpec::new("check", Origin::CommandLine { word: 2 }).set("rw", rw).set("filename", name);
        let machine = Machine::default();
        let context = ResolveContext { surroundings: &machine, ..ResolveContext::new(1, NS_PER_S) };
        let plan = resolved(&[job], &context)?;
        let (stake, control) = (writes.unwrap_or(Stake::Lost), Control::default());
        let ready = targets::prepare(consents, &plan, stake, &control, false, caller)?;
        let target = ready.targets[0].clone();
        let journals = Journals::open(&target).map(Box::new);
        ready.notes.into_iter().for_each(|note| caller.sink.event(Event::Note(note)));
        Ok(CheckupTarget::Device { path: path.to_path_buf(), target, journals, system: System::local() })
    }

    /// Opens the same target again; `None` for a device, which is held exclusively.
    pub fn reopen(&self) -> Option<Self> {
        match self {
            CheckupTarget::Directory { path, system } => {
                Some(CheckupTarget::Directory { path: path.clone(), system: system.clone() })
            }
            CheckupTarget::Device { .. } => None,
            CheckupTarget::Simulated(drive) => Some(CheckupTarget::Simulated(drive.clone())),
        }
    }

    /// The directory; `None` for other targets.
    fn as_directory(&self) -> Option<&Path> {
        match self {
            CheckupTarget::Directory { path, .. } => Some(path),
            CheckupTarget::Device { .. } | CheckupTarget::Simulated(_) => None,
        }
    }

    /// The simulated drive; `None` for other targets.
    fn as_simulated(&self) -> Option<&SimDrive> {
        match self {
            CheckupTarget::Simulated(drive) => Some(drive),
            CheckupTarget::Directory { .. } | CheckupTarget::Device { .. } => None,
        }
    }

    /// The machine; `None` for a simulated drive.
    fn system(&self) -> Option<&System> {
        match self {
            CheckupTarget::Directory { system, .. } | CheckupTarget::Device { system, .. } => Some(system),
            CheckupTarget::Simulated(_) => None,
        }
    }

    /// A simulated drive: a shipped model's name, or a TOML file.
    pub fn simulated(model: &str, seed: u64) -> Result<Self, Failure> {
        let model = match DriveModel::named(model) {
            Some(model) => model,
            None => {
                let read = input::open(Path::new(model))
                    .and_then(|file| {
                        input::read_limited(file, MODEL_LEN_BYTES_MAX, message!("input-kind.models"))
                    })
                    .and_then(|bytes| {
                        String::from_utf8(bytes).map_err(|_| io::ErrorKind::InvalidData.into())
                    });
                let text = read.map_err(|error| messages::no_model(model, &error))?;
                DriveModel::from_toml(&text).map_err(|error| {
                    Failure::usage(message!("checkup-target-bad-model", model, error = error.message()))
                })?
            }
        };
        Ok(CheckupTarget::Simulated(SimDrive::new(model, seed)))
    }

    /// Whether time and drive are simulated.
    pub fn is_simulated(&self) -> bool {
        self.as_simulated().is_some()
    }

    /// The stack under the target.
    pub fn identify(&self) -> Result<Drive, Failure> {
        match self {
            CheckupTarget::Directory { path, system } => {
                system.identify(path).map(with_ids).map_err(|error| unidentified(&error))
            }
            CheckupTarget::Device { path, target, system, .. } => {
                let drive = system.identify_named(path).map_err(|error| unidentified(&error))?;
                // A partition or a loop device is smaller than the drive below it.
                Ok(with_ids(Drive { capacity_bytes: Some(target.len_bytes()), ..drive }))
            }
            CheckupTarget::Simulated(drive) => {
                let model = drive.model();
                let leaf = Leaf {
                    name: "sim0".to_string(),
                    kind: LeafKind::Simulated,
                    model: Some(model.title.clone()),
                    capacity_bytes: Some(model.capacity_bytes),
                    simulates: Some(simulated_kind(model.kind)),
                    card: model.marks.as_ref().map(simulated_card),
                    ..Leaf::default()
                };
                Ok(Drive {
                    path: model.name.clone(),
                    leaves: vec![leaf],
                    capacity_bytes: Some(model.capacity_bytes),
                    simulated: true,
                    ..Drive::default()
                })
            }
        }
    }

    /// Description for a checkup.
    ///
    /// # Errors
    /// When its drive cannot be identified.
    pub fn opened(&self) -> Result<Opened, Failure> {
        Ok(Opened {
            drive: self.identify()?,
            host: self.system().map(System::host).unwrap_or_default(),
            environment: self.system().map(System::environment).unwrap_or_default(),
            kind: match self {
                CheckupTarget::Directory { .. } => TargetKind::Directory,
                CheckupTarget::Device { journals, .. } => {
                    TargetKind::Device { has_journals: journals.is_some() }
                }
                CheckupTarget::Simulated(_) => TargetKind::Simulated,
            },
            model: self.as_simulated().map(|drive| Box::new(drive.model().clone())),
        })
    }

    /// Queries the drives' health. Takes up to a few seconds.
    pub fn inquire(&self, drive: &mut Drive) {
        let Some(system) = self.system() else { return };
        let (system, mut leaves) = (system.clone(), drive.leaves.clone());
        let asked = with_timeout(move || {
            system.inquire(&mut leaves);
            leaves
        });
        match asked {
            Some(leaves) => drive.leaves = leaves,
            None => drive.leaves.iter_mut().for_each(|leaf| {
                leaf.unknown.push(Unknown { fact: Fact::Health, why: Why::DriveTimedOut });
            }),
        }
    }

    /// Health of the drives that reported it before, queried again. None for simulated drives.
    pub fn health(&self, drive: &Drive) -> Vec<DriveHealth> {
        let leaves = drive.leaves.iter().filter(|leaf| leaf.health.is_some()).cloned().collect();
        let mut again = Drive { leaves, ..Drive::default() };
        if again.leaves.is_empty() {
            return Vec::new();
        }
        again.leaves.iter_mut().for_each(|leaf| leaf.health = None);
        self.inquire(&mut again);
        let healths = again.leaves.into_iter();
        healths.filter_map(|leaf| Some(DriveHealth { drive: leaf.name, health: leaf.health? })).collect()
    }

    /// The kernel's counters of the drives, or the simulator's.
    pub fn counters(&self, drive: &Drive) -> Option<DeviceCounters> {
        match self {
            CheckupTarget::Directory { system, .. } | CheckupTarget::Device { system, .. } => {
                system.counters(drive)
            }
            CheckupTarget::Simulated(drive) => Some(drive.counters()),
        }
    }

    /// Current temperature and voltage; `None` if unknown, and for simulated drives. Some drives are queried
    /// for their temperature, and one that hangs does not respond.
    pub fn conditions(&self, drive: &Drive) -> Option<Conditions> {
        let (system, drive) = (self.system()?.clone(), drive.clone());
        with_timeout(move || system.conditions(&drive)).flatten()
    }

    /// Starts to read the drives' temperature; `None` if none can be read while they work.
    pub fn thermometer(&self, drive: &Drive) -> Option<Thermometer> {
        Thermometer::start(self.system()?, drive)
    }

    /// Simulated time in nanoseconds; `None` in real time.
    pub fn simulated_now_ns(&self) -> Option<u64> {
        Some(self.as_simulated()?.time().load(std::sync::atomic::Ordering::Relaxed))
    }

    /// Seed of the written data. On a real drive it differs for each call, even if `--seed` repeats the
    /// offsets: a deduplicating drive would otherwise know the data already.
    pub fn content_seed(&self, seed: u64) -> u64 {
        if self.is_simulated() { seed } else { seed ^ fresh_seed() }
    }

    /// Adapts a Plan to the target: on a simulated drive every engine becomes the simulator's.
    pub fn adapt(&self, plan: &mut Plan) {
        if self.is_simulated() {
            for job in &mut plan.jobs {
                // Synchronous engines stay at QD1.
                let entry = cardiograph_engine::find_engine(&job.workload.engine);
                if let Some(entry) = entry {
                    job.workload.depth = entry.depth_of(&job.workload);
                }
                job.workload.engine = "sim".to_string();
            }
        }
    }

    /// Refuses a checkup whose test files would leave less than the margin.
    pub fn check_space(&self, len_bytes: u64) -> Result<(), Failure> {
        match self {
            CheckupTarget::Directory { path, .. } => check_space(path, len_bytes, 1),
            CheckupTarget::Device { path, target, .. } if target.len_bytes() < len_bytes => {
                Err(messages::device_too_small(path, len_bytes, target.len_bytes()))
            }
            CheckupTarget::Device { .. } | CheckupTarget::Simulated(_) => Ok(()),
        }
    }

    /// Creates a test file.
    pub fn create_file(&self, len_bytes: u64) -> Result<Arc<Target>, Failure> {
        match self {
            CheckupTarget::Directory { path, .. } => {
                check_room(path, len_bytes)?;
                Target::create_file(path, len_bytes, Naming::Automatic).map_err(Failure::usage)
            }
            CheckupTarget::Device { target, .. } => {
                self.check_space(len_bytes)?;
                Ok(target.clone())
            }
            CheckupTarget::Simulated(drive) => simulated_file(drive, len_bytes).map(Target::simulated),
        }
    }

    /// Creates a part of the set with this seed, or opens it where an interrupted checkup left it.
    pub fn part(&self, seed: u64, part: Part, len_bytes: u64) -> Result<Arc<Target>, Failure> {
        let Some(path) = self.as_directory() else { return self.create_file(len_bytes) };
        let set = FillSet { seed, part_bytes: part.part_bytes };
        let target = match part.is_there {
            true => Target::open_part(path, set, part.number),
            false => {
                check_room(path, len_bytes)?;
                Target::create_part(path, set, part.number, len_bytes)
            }
        };
        target.map_err(Failure::usage)
    }

    /// Creates a test file with preallocated space.
    pub fn create_file_with_room(&self, len_bytes: u64) -> Result<Arc<Target>, Failure> {
        let target = self.create_file(len_bytes)?;
        match (self.as_directory(), target.room_bytes()) {
            (Some(path), Ok(room_bytes)) if room_bytes < len_bytes => {
                Err(Failure::usage(message!("checkup-target-no-room-beforehand", path)))
            }
            _ => Ok(target),
        }
    }

    /// Resumable leftovers here, longest first.
    pub fn parts_found(&self) -> Vec<Found> {
        let mut found = match self {
            CheckupTarget::Directory { path, .. } => cardiograph_files::system()
                .directory(path)
                .map_or_else(|_| Vec::new(), |open| fill_files::find(&*open)),
            CheckupTarget::Device { target, journals: Some(journals), .. } => journals.parts_found(target),
            CheckupTarget::Device { .. } | CheckupTarget::Simulated(_) => Vec::new(),
        };
        found.sort_by_key(|found| std::cmp::Reverse(found.len_bytes));
        found
    }

    /// Removes everything that [`parts_found`](Self::parts_found) finds. Returns the result, and the freed
    /// space in bytes.
    pub fn remove_parts(&self) -> (Cleaned, u64) {
        let Some(path) = self.as_directory() else { return Default::default() };
        let mut len_bytes = 0;
        let cleaned = Cleaned::clean_up(path, |directory| {
            let (cleaned, removed_bytes) = fill_files::remove(directory, Unwanted::All)?;
            len_bytes = removed_bytes;
            Ok(cleaned)
        });
        (cleaned, len_bytes)
    }

    /// The device with its journals; `None` for other targets.
    pub fn journals(&self) -> Option<(&Journals, &Arc<Target>)> {
        match self {
            CheckupTarget::Device { target, journals, .. } => Some((journals.as_deref()?, target)),
            CheckupTarget::Directory { .. } | CheckupTarget::Simulated(_) => None,
        }
    }

    /// Removes the parts of a set, or their records for a device.
    pub fn remove_set(&self, set: FillSet) {
        if let Some(path) = self.as_directory() {
            // What remains is reported at the end, with everything else.
            Cleaned::clean_up(path, |open| Ok(fill_files::remove(open, Unwanted::Set(set))?.0));
        }
        if let Some((journals, target)) = self.journals() {
            journals.forget_parts(target, Some(set));
        }
    }

    /// Removes leftovers of ended runs that cannot be resumed: test files, test directories and incomplete
    /// parts.
    pub fn clean(&self) -> Cleaned {
        let Some(path) = self.as_directory() else { return Cleaned::default() };
        Cleaned::clean_up(path, |open| {
            let mut all = leftovers::remove(open)?;
            for more in [
                cardiograph_apps::scratch::remove_leftovers(open)?,
                fill_files::remove(open, Unwanted::Unfinished)?.0,
            ] {
                all.removed.extend(more.removed);
                all.stays.extend(more.stays);
            }
            Ok(all)
        })
    }

    /// Trims free space of the file system, by `trim`.
    pub fn trim(&self, trim: impl FnOnce(&Path) -> Result<(), Failure>) -> Result<(), Failure> {
        trim(self.as_directory().ok_or_else(|| Failure::usage(message!("checkup-target-no-trim")))?)
    }

    /// Checks in advance that a test file can be created; in a dry run without creating one.
    pub fn probe(&self, is_dry: bool) -> Result<(), Failure> {
        let Some(path) = self.as_directory() else { return Ok(()) };
        if is_dry {
            let tried = access(path, Access::WRITE_OK | Access::EXEC_OK);
            return tried.map_err(|errno| {
                Failure::usage(match errno {
                    Errno::ROFS => message!("create-read-only", path),
                    _ => message!("create-not-permitted", path),
                })
            });
        }
        let made = Target::create_file(path, 4_096, Naming::Automatic);
        made.map(drop).map_err(Failure::usage)
    }
}

/// Adds the drives' consent ids, by which Reports are found.
pub fn with_ids(mut drive: Drive) -> Drive {
    drive.leaves.iter_mut().for_each(|leaf| leaf.id = device::consent_id(&leaf.name));
    drive
}

/// The stack under a path is unknown.
fn unidentified(error: &IdentifyError) -> Failure {
    Failure::usage(message!("checkup-target-unidentified", error = error.0.clone()))
}

/// Creates a file on a simulated drive.
pub(crate) fn simulated_file(drive: &Arc<SimDrive>, len_bytes: u64) -> Result<SimFile, Failure> {
    drive.create_file(len_bytes).ok_or_else(|| {
        let (path, length) = (&drive.model().name, Parameter::Bytes(len_bytes));
        Failure::usage(message!("create-no-room", path, length))
    })
}

fn simulated_kind(kind: DriveKind) -> LeafKind {
    match kind {
        DriveKind::SdCard => LeafKind::SdCard,
        DriveKind::UsbStick => LeafKind::Usb,
        DriveKind::Ssd | DriveKind::HardDisk => LeafKind::Sata,
        DriveKind::Nvme => LeafKind::Nvme,
    }
}

/// The registers of a simulated card, matching its label.
fn simulated_card(marks: &Marks) -> Card {
    let status = SdStatus {
        speed_class: Some(marks.speed_class),
        uhs_grade: Some(marks.uhs_grade),
        video_class: Some(marks.video_class),
        application_class: Some(marks.application_class),
        ..SdStatus::default()
    };
    // No host controller limits it, so the model's queue is in use.
    let queue_use = Some(SdQueueUse::On { depth: None, recoveries: 0 });
    Card::Sd(SdCard { status: Some(status), queue_use, ..SdCard::default() })
}

/// Refuses data written during a checkup that would leave less than half of the margin; other processes may
/// use up the other half.
pub(crate) fn check_room(directory: &Path, len_bytes: u64) -> Result<(), Failure> {
    check_space(directory, len_bytes, 2)
}

/// Refuses test files that would leave less than the margin, divided.
fn check_space(path: &Path, len_bytes: u64, margin_divisor: u64) -> Result<(), Failure> {
    // A file system that does not report its space will refuse by itself.
    let Ok(space) = rustix::fs::statvfs(path) else { return Ok(()) };
    let available_bytes = space.f_bavail.saturating_mul(space.f_frsize);
    let size_bytes = space.f_blocks.saturating_mul(space.f_frsize);
    let margin_bytes = margin_bytes(size_bytes) / margin_divisor;
    if available_bytes < len_bytes.saturating_add(margin_bytes) {
        return Err(messages::too_little_space(path, len_bytes, available_bytes, margin_bytes));
    }
    Ok(())
}

/// Refuses targets in memory.
///
/// # Errors
/// For a target in memory.
pub fn refuse_memory(drive: &Drive) -> Result<(), Failure> {
    let is_memory = drive.mount.as_ref().is_some_and(|mount| mount.is_memory)
        || drive.leaves.iter().any(|leaf| leaf.kind == LeafKind::Memory);
    if is_memory {
        let kind = drive.mount.as_ref().map_or("memory", |mount| mount.fs_type.as_str());
        return Err(Failure::usage(message!("checkup-target-memory", path = &drive.path, kind)));
    }
    Ok(())
}
