//! The safety gate: nothing is written without a permit, and a permit is granted for an opened descriptor,
//! not for a name.
//!
//! Files may be written to because this program created them, or because the job names them. A block device
//! may be written to when the user approved erasing it by its id, and never while anything else uses any part
//! of it.

use std::sync::Arc;

use cardiograph_core::{Message, message};
use rustix::fs::FileType;

use crate::target::{Access, Target, identity, identity_of};

/// Permit to write to some targets. Only [`permit`] creates one.
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

/// The descriptor is not that of the created file.
pub(crate) const NOT_OURS: Message = message!("target-replaced.test-file");
/// The descriptor could not be examined.
const UNKNOWN: Message = message!("target-unknown");

/// Permits writing to `targets`, after checking each opened descriptor: a test file must be the regular file
/// created by this program, with at most one name; a file named by a job must be the regular file that was
/// prepared; a device must be held exclusively, which was checked when it was taken. A read-only device is
/// not covered. Simulated drives and targets without storage have nothing to lose.
///
/// # Errors
/// The reason for refusing; no target may then be written to.
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
            // Opening fails unless it is the same regular file.
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

/// Devices that the user approved for erasing, by id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Consent {
    ids: Vec<String>,
}

impl Consent {
    /// Approves erasing the devices with these ids.
    pub fn to(ids: impl IntoIterator<Item = String>) -> Self {
        Self { ids: ids.into_iter().map(|id| id.trim().to_string()).filter(|id| !id.is_empty()).collect() }
    }

    /// Whether erasing the device with this id was approved.
    pub fn covers(&self, id: &str) -> bool {
        self.ids.iter().any(|given| given == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Naming;

    #[test]
    fn a_permit_covers_only_its_targets() {
        let directory = tempfile::tempdir().unwrap();
        let file = Target::create_file(directory.path(), 4_096, Naming::Automatic).unwrap();
        let (null, other) = (Target::without_storage(4_096), Target::without_storage(4_096));
        let permit = permit(&[file.clone(), null.clone()]).unwrap();
        assert!(permit.covers(&file) && permit.covers(&null));
        assert!(!permit.covers(&other));
    }

    #[test]
    fn a_file_with_a_second_link_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let file = Target::create_file(directory.path(), 4_096, Naming::Named).unwrap();
        let name = std::fs::read_dir(directory.path()).unwrap().next().unwrap().unwrap().path();
        std::fs::hard_link(name, directory.path().join("another")).unwrap();
        assert_eq!(permit(&[file]).unwrap_err(), NOT_OURS);
    }
}
