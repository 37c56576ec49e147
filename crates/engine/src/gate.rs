//! The safety gate: nothing is written without a permit, and a permit is given for an opened descriptor, not for a name.
//!
//! Files are written to because this program made them, or because the job names them. A block device is written to when
//! the user gave it away by its id, and never while anything else uses any part of it.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;
use thiserror::Error;

use crate::device::facts::DeviceFacts;
use crate::device::{self, BlockDevice, DeviceNumber, DeviceUse, Signature, users};
use crate::target::{Access, Target, identity, identity_of};

/// Leave to write to some targets. Only [`permit`] makes one.
#[derive(Debug)]
pub struct WritePermit {
    ids: Vec<u64>,
}

impl WritePermit {
    /// Whether it covers the target.
    pub fn covers(&self, target: &Target) -> bool {
        self.ids.contains(&target.id())
    }
}

/// Why no permit was given.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Refused {
    /// The descriptor does not belong to the file that was made.
    #[error("the test file was replaced by something else")]
    NotOurs,
    /// Something other than a file, such as a block device.
    #[error("what is open is not a file")]
    NotAFile,
    /// The descriptor could not be examined.
    #[error("the test file could not be examined")]
    Unknown,
}

/// Gives leave to write to `targets`, after a look at each opened descriptor: a test file is a regular file, the very one
/// that this program made, and has at most one name; a file that a job names is a regular file, and the one that was
/// prepared; a device is held exclusively, which was seen to when it was taken. A device that is only read is not covered.
/// Simulated drives and targets without storage lose nothing.
///
/// # Errors
/// See [`Refused`]; then no target may be written to.
pub fn permit(targets: &[Arc<Target>]) -> Result<WritePermit, Refused> {
    let mut ids = Vec::with_capacity(targets.len());
    for target in targets {
        if let Some(file) = target.test_file() {
            let stat = rustix::fs::fstat(file.made_by()).map_err(|_| Refused::Unknown)?;
            if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
                return Err(Refused::NotAFile);
            }
            if identity_of(&stat) != file.identity || stat.st_nlink > 1 {
                return Err(Refused::NotOurs);
            }
        } else if let Some(expected) = target.named_file().and_then(|file| file.identity()) {
            // Opening refuses what is no regular file, or another.
            let opened = target.open(Access::default()).map_err(|_| Refused::Unknown)?;
            if identity(&opened).map_err(|_| Refused::Unknown)? != expected {
                return Err(Refused::NotOurs);
            }
        } else if target.block_device().is_some_and(|device| !device.is_exclusive()) {
            continue;
        }
        ids.push(target.id());
    }
    Ok(WritePermit { ids })
}

/// Which devices the user gave away, by their ids.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Consent {
    ids: Vec<String>,
}

impl Consent {
    /// Consent to the loss of what is on the devices with these ids.
    pub fn to(ids: impl IntoIterator<Item = String>) -> Self {
        Self { ids: ids.into_iter().map(|id| id.trim().to_string()).filter(|id| !id.is_empty()).collect() }
    }

    /// Whether the device with this id was given away.
    pub fn covers(&self, id: &str) -> bool {
        self.ids.iter().any(|given| given == id)
    }
}

/// What would be lost with a device, for the question whether to go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceContent {
    /// What the drive calls itself.
    pub model: Option<String>,
    /// The device itself and its partitions.
    pub parts: Vec<PartContent>,
}

/// A part of [`DeviceContent`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartContent {
    /// The kernel's name.
    pub name: String,
    /// Its length in bytes.
    pub len_bytes: u64,
    /// What lies on it.
    pub signatures: Vec<Signature>,
}

/// Why a device is not written to.
#[derive(Debug)]
pub enum DeviceRefused {
    /// It is in use, or belongs to something. Consent does not change that.
    InUse {
        /// All that was found.
        uses: Vec<DeviceUse>,
    },
    /// Nobody consented to the loss of what is on it.
    NeedsConsent {
        /// The id to consent to.
        id: String,
        /// What would be lost.
        content: Box<DeviceContent>,
    },
    /// The name means another device by now.
    Replaced,
    /// It could not be examined.
    Unexamined {
        /// What was tried.
        call: &'static str,
        /// What the system said.
        source: io::Error,
    },
}

/// Takes a block device for writing: opens it exclusively, makes sure that it is the one that was named and that nobody
/// uses or owns any part of it, and that the user gave it away. What is returned holds it for as long as it lives.
///
/// The lists of mounts, swap and holders are read when the exclusive descriptor is open: from then on nobody can begin
/// to use it. Nothing is opened for writing before there is consent.
///
/// # Errors
/// See [`DeviceRefused`].
pub(crate) fn hold_device(
    root: &Path,
    path: &Path,
    number: DeviceNumber,
    consent: &Consent,
) -> Result<BlockDevice, DeviceRefused> {
    let unexamined = |call: &'static str| move |source| DeviceRefused::Unexamined { call, source };
    let facts = DeviceFacts::look_up(root, number).map_err(unexamined("looking it up in sysfs"))?;
    let flags = OFlags::RDONLY | OFlags::EXCL | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let descriptor = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(descriptor) => descriptor,
        // A refusal that consent or privileges cannot lift is told before one that they can.
        Err(errno) => {
            let mut uses = users::find(root, &facts).unwrap_or_default();
            if errno == Errno::BUSY && uses.iter().all(|used| *used == DeviceUse::ReadOnly) {
                uses.insert(0, DeviceUse::HeldOpen);
            }
            return Err(match uses.is_empty() {
                true => unexamined("open")(errno.into()),
                false => DeviceRefused::InUse { uses },
            });
        }
    };
    if device::number_of(&descriptor).map_err(unexamined("fstat"))? != Some(number) {
        return Err(DeviceRefused::Replaced);
    }
    let mut uses = users::find(root, &facts).map_err(unexamined("reading the list of mounts"))?;
    let descriptor = File::from(descriptor);
    let content = content(root, &facts, &descriptor).map_err(unexamined("reading it"))?;
    for part in &content.parts {
        let members = part.signatures.iter().filter(|signature| signature.is_member);
        uses.extend(members.map(|&of| DeviceUse::Member { part: part.name.clone(), of }));
    }
    if !uses.is_empty() {
        return Err(DeviceRefused::InUse { uses });
    }
    if !consent.covers(&facts.id) {
        return Err(DeviceRefused::NeedsConsent { id: facts.id, content: Box::new(content) });
    }
    let device = BlockDevice::exclusive(path.to_path_buf(), number, descriptor.into());
    // Leave to write is tried now: it would be missed too late in the middle of a run.
    device.open(Access { writes: true, ..Access::default() }).map_err(unexamined("open for writing"))?;
    Ok(device)
}

/// What lies on a device and its partitions, and on the disk that it is part of.
fn content(root: &Path, facts: &DeviceFacts, device: &File) -> io::Result<DeviceContent> {
    let part_content = |file: &File, part: &device::facts::Part, start_bytes| {
        let signatures = device::find_signatures(file, start_bytes, part.len_bytes)?;
        io::Result::Ok(PartContent { name: part.name.clone(), len_bytes: part.len_bytes, signatures })
    };
    let mut parts = vec![part_content(device, &facts.device, 0)?];
    for partition in &facts.partitions {
        parts.push(part_content(device, partition, partition.start_bytes)?);
    }
    if let Some(disk) = &facts.disk {
        match device::open_by_name(root, disk) {
            Ok(whole) => {
                let mut disk = part_content(&whole, disk, 0)?;
                // Its other partitions are not touched: only what makes all of it a member counts.
                disk.signatures.retain(|signature| signature.is_member);
                parts.push(disk);
            }
            // A container may have been given the partition alone.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(DeviceContent { model: facts.model.clone(), parts })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Naming;

    #[test]
    fn a_permit_covers_what_it_was_given_for() {
        let directory = tempfile::tempdir().unwrap();
        let file = Target::create_file(directory.path(), 4_096, Naming::Automatic).unwrap();
        let (null, other) = (Target::without_storage(4_096), Target::without_storage(4_096));
        let permit = permit(&[file.clone(), null.clone()]).unwrap();
        assert!(permit.covers(&file) && permit.covers(&null));
        assert!(!permit.covers(&other));
    }

    #[test]
    fn a_file_that_someone_else_linked_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let file = Target::create_file(directory.path(), 4_096, Naming::Named).unwrap();
        let name = std::fs::read_dir(directory.path()).unwrap().next().unwrap().unwrap().path();
        std::fs::hard_link(name, directory.path().join("another")).unwrap();
        assert_eq!(permit(&[file]).unwrap_err(), Refused::NotOurs);
    }
}
