//! Directories beside the place of a checkup, in which some of its steps measure.

use std::collections::BTreeMap;
use std::path::Path;

use cardiograph_core::drive::Drive;
use cardiograph_core::report::Step;

use crate::check::refuse_memory;
use crate::exit::Failure;
use crate::place::Place;

/// Other directories, and what stands under them.
#[derive(Debug, Default)]
pub struct Elsewhere {
    places: BTreeMap<String, (Place, Drive)>,
}

impl Elsewhere {
    /// Looks at a directory, and makes sure that files of `file_bytes` can be made there.
    ///
    /// # Errors
    /// Where they cannot.
    pub fn add(&mut self, path: &str, file_bytes: u64) -> Result<(), Failure> {
        let place = Place::directory(Path::new(path))?;
        let drive = place.identify()?;
        refuse_memory(&drive)?;
        place.remove_leftovers();
        place.check_space(file_bytes)?;
        place.probe()?;
        self.places.insert(path.to_string(), (place, drive));
        Ok(())
    }

    /// Where a step measures, when that is not the place of the checkup: its files' names begin with the directory.
    pub fn of(&self, step: &Step) -> Option<(&Place, &Drive)> {
        let directory = Path::new(&step.files.first()?.name).parent()?;
        self.places.get(directory.to_str()?).map(|(place, drive)| (place, drive))
    }
}
