//! Settings as seen by the option table.

use cardiograph_core::spec::{JobSpec, Setting};

use crate::options;

/// A job's settings, by the names in the option table.
pub trait Settings {
    /// The effective value of the option `name`, under any of its names.
    fn last(&self, name: &str) -> Option<&str>;
}

impl Settings for JobSpec {
    fn last(&self, name: &str) -> Option<&str> {
        let is_it = |setting: &&Setting| options::find(&setting.option).is_some_and(|def| def.name == name);
        self.settings.iter().rev().find(is_it).map(|setting| setting.value.as_str())
    }
}
