//! Settings as the option table reads them.

use cardiograph_core::spec::{JobSpec, Setting};

use crate::options;

/// What a job's settings say, by the names that the option table has.
pub trait Settings {
    /// The value that counts of the option `name`, under whichever of its names it was written.
    fn last(&self, name: &str) -> Option<&str>;
}

impl Settings for JobSpec {
    fn last(&self, name: &str) -> Option<&str> {
        let is_it = |setting: &&Setting| options::find(&setting.option).is_some_and(|def| def.name == name);
        self.settings.iter().rev().find(is_it).map(|setting| setting.value.as_str())
    }
}
