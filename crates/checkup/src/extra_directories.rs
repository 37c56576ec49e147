//! Directories besides the place of a checkup, in which some of its steps measure.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cardiograph_core::drive::Drive;
use cardiograph_core::report::Step;

use crate::cleaned::Cleaned;
use crate::failure::Failure;
use crate::place::{Place, refuse_memory};

/// Extra directories, and the drives under them.
#[derive(Debug, Default)]
pub struct ExtraDirectories {
    /// By path components: `/mnt/b/` equals `/mnt/b`.
    places: BTreeMap<PathBuf, (Place, Drive)>,
}

impl ExtraDirectories {
    /// Adds a directory, and checks that files of `file_bytes` can be created there; in a dry run nothing is
    /// touched.
    ///
    /// # Errors
    /// When they cannot.
    pub fn add(&mut self, path: &str, file_bytes: u64, is_dry: bool) -> Result<(), Failure> {
        let place = Place::directory(Path::new(path))?;
        let drive = place.identify()?;
        refuse_memory(&drive)?;
        place.check_space(file_bytes)?;
        if !is_dry {
            place.clean();
            place.probe()?;
        }
        self.places.insert(PathBuf::from(path), (place, drive));
        Ok(())
    }

    /// Where a step measures, if not in the place of the checkup: its files' names begin with the directory.
    pub fn of(&self, step: &Step) -> Option<(&Place, &Drive)> {
        let directory = Path::new(&step.files.first()?.name).parent()?;
        self.places.get(directory).map(|(place, drive)| (place, drive))
    }

    /// Removes leftovers of ended runs in the extra directories.
    pub fn clean(&self) -> Vec<Cleaned> {
        self.places.values().map(|(place, _)| place.clean()).collect()
    }
}
