//! Real applications on a drive: what is to be run.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An application that a step runs, as data. What it writes at most and how long it takes stand in its
/// [`Step`](crate::report::Step).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AppSpec {
    /// The load, as `sqlite-wal`.
    pub load: String,
    /// Its parameters by name, as `cameras`. What is not there is as the load has it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, u64>,
}

impl AppSpec {
    /// A load as it is.
    pub fn new(load: &str) -> Self {
        Self { load: load.to_string(), parameters: BTreeMap::new() }
    }

    /// The same with another parameter.
    #[must_use]
    pub fn set(mut self, name: &str, value: u64) -> Self {
        self.parameters.insert(name.to_string(), value);
        self
    }

    /// A parameter.
    pub fn parameter(&self, name: &str) -> Option<u64> {
        self.parameters.get(name).copied()
    }
}
