//! The safety gate: nothing is written without a permit, and a permit is given for an opened descriptor, not for a name.
//!
//! Files are written to because this program made them, or because the job names them. A block device is written to when
//! the user gave it away by its id, and never while anything else uses any part of it.

use std::sync::Arc;

use cardiograph_core::{Message, message};
use rustix::fs::FileType;

use crate::device::Signature;
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

/// The descriptor does not belong to the file that was made.
pub(crate) const NOT_OURS: Message = message!("target-replaced.test-file");
/// The descriptor could not be examined.
const UNKNOWN: Message = message!("target-unknown");

/// Gives leave to write to `targets`, after a look at each opened descriptor: a test file is a regular file, the very one
/// that this program made, and has at most one name; a file that a job names is a regular file, and the one that was
/// prepared; a device is held exclusively, which was seen to when it was taken. A device that is only read is not covered.
/// Simulated drives and targets without storage lose nothing.
///
/// # Errors
/// Why not; then no target may be written to.
pub fn permit(targets: &[Arc<Target>]) -> Result<WritePermit, Message> {
    let mut ids = Vec::with_capacity(targets.len());
    for target in targets {
        if let Some(file) = target.test_file() {
            let stat = rustix::fs::fstat(file.made_by()).map_err(|_| UNKNOWN)?;
            if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
                return Err(message!("target-not-a-file"));
            }
            if identity_of(&stat) != file.identity || stat.st_nlink > 1 {
                return Err(NOT_OURS);
            }
        } else if let Some(expected) = target.named_file().and_then(|file| file.identity()) {
            // Opening refuses what is no regular file, or another.
            let opened = target.open(Access::default()).map_err(|_| UNKNOWN)?;
            if identity(&opened).map_err(|_| UNKNOWN)? != expected {
                return Err(NOT_OURS);
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
        assert_eq!(permit(&[file]).unwrap_err(), NOT_OURS);
    }
}
