//! Jobs as written, with each setting as text and its origin.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// Where a setting was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Origin {
    /// A step of a suite.
    Suite {
        /// The suite's name.
        suite: String,
        /// The step's id.
        step: String,
    },
    /// A command-line argument.
    CommandLine {
        /// Position of the argument, from 1.
        word: u32,
    },
    /// A place in a file.
    File {
        /// The file as given.
        path: String,
        /// Line, from 1.
        line: u32,
        /// Column in characters, from 1.
        column: u32,
    },
}

/// One option of a job, as written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Setting {
    /// Name of the option, or one of its aliases.
    pub option: String,
    /// Its value as text.
    pub value: String,
    /// Where it was written.
    pub origin: Origin,
}

/// A job as written: a fio section, a command line, or a suite's step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobSpec {
    /// The job's name.
    pub name: String,
    /// Name of the section, if `name` gave the job another: unnamed files are called after the section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Start of the job.
    pub origin: Origin,
    /// Its settings in the order written. A later one overrides an earlier one.
    pub settings: Vec<Setting>,
}

impl JobSpec {
    /// A job without settings.
    pub fn new(name: impl Into<String>, origin: Origin) -> Self {
        Self { name: name.into(), section: None, origin, settings: Vec::new() }
    }

    /// The job of a suite's step, named after it.
    pub fn for_step(suite: &str, step: &str) -> Self {
        Self::new(step, Origin::Suite { suite: suite.to_string(), step: step.to_string() })
    }

    /// Adds a setting at the job's own position.
    #[must_use]
    pub fn set(mut self, option: &str, value: impl ToString) -> Self {
        let origin = self.origin.clone();
        self.settings.push(Setting { option: option.to_string(), value: value.to_string(), origin });
        self
    }
}
