//! The safety gate: nothing is written without a permit, and a permit is given for an opened descriptor, not for a name.

use std::sync::Arc;

use rustix::fs::FileType;
use thiserror::Error;

use crate::target::Target;

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

/// Gives leave to write to `targets`, after a look at each opened descriptor: a regular file, the very one that this
/// program made, and with at most one name. Simulated drives and targets without storage lose nothing.
///
/// # Errors
/// See [`Refused`]; then no target may be written to.
pub fn permit(targets: &[Arc<Target>]) -> Result<WritePermit, Refused> {
    for target in targets {
        let Some(file) = target.test_file() else { continue };
        let stat = rustix::fs::fstat(file.made_by()).map_err(|_| Refused::Unknown)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(Refused::NotAFile);
        }
        if (stat.st_dev as u64, stat.st_ino as u64) != file.identity || stat.st_nlink > 1 {
            return Err(Refused::NotOurs);
        }
    }
    Ok(WritePermit { ids: targets.iter().map(|target| target.id()).collect() })
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
