//! Directories besides the target of a checkup, in which some of its steps measure.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cardiograph_core::drive::Drive;
use cardiograph_core::report::Step;

use crate::checkup_target::{CheckupTarget, refuse_memory};
use crate::cleaned::Cleaned;
use crate::failure::Failure;

/// Extra directories, and the drives under them.
#[derive(Debug, Default)]
pub struct ExtraDirectories {
    /// By path components: `/mnt/b/` equals `/mnt/b`.
    directories: BTreeMap<PathBuf, (CheckupTarget, Drive)>,
}

impl ExtraDirectories {
    /// Adds a directory, and checks that files of `file_bytes` can be created there; in a dry run nothing is
    /// touched.
    ///
    /// # Errors
    /// When they cannot.
    pub fn add(&mut self, path: &str, file_bytes: u64, is_dry: bool) -> Result<(), Failure> {
        let target = CheckupTarget::directory(Path::new(path))?;
        let drive = target.identify()?;
        refuse_memory(&drive)?;
        target.check_space(file_bytes)?;
        if !is_dry {
            target.clean();
        }
        target.probe(is_dry)?;
        self.directories.insert(PathBuf::from(path), (target, drive));
        Ok(())
    }

    /// The extra directory in which a step measures, if any: its files' names begin with the directory.
    pub fn find(&self, step: &Step) -> Option<(&CheckupTarget, &Drive)> {
        let directory = Path::new(&step.files.first()?.name).parent()?;
        self.directories.get(directory).map(|(target, drive)| (target, drive))
    }

    /// Removes leftovers of ended runs in the extra directories.
    pub fn clean(&self) -> Vec<Cleaned> {
        self.directories.values().map(|(target, _)| target.clean()).collect()
    }
}
