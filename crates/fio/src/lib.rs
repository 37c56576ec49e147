//! fio's languages: parses its command line and job files, and prints jobs as fio does.
//!
//! Reading order: [`invocation`] (the result) → [`cmdline`] (arguments) → [`jobfile`] (lines) → [`syntax`] (their
//! errors) → [`showcmd`] (a job file as a command line) → [`fio_command`] (a job for fio) → [`diagnostics`] (problems
//! of a job) → [`tools`] (dd, hdparm and iozone: arguments and output). Nothing here opens a file.
#![forbid(unsafe_code)]

mod arithmetic;
mod collector;
mod expand;
mod names;
#[cfg(test)]
mod oracle;
mod program;
#[cfg(test)]
mod real_commands;
#[cfg(test)]
mod testing;

pub mod cmdline;
pub mod diagnostics;
pub mod fio_command;
pub mod invocation;
pub mod iolog;
pub mod jobfile;
pub mod origin;
pub mod output;
pub mod showcmd;
pub mod syntax;
pub mod tools;
pub mod verify_state;

pub use cmdline::parse;
pub use program::program_options;

/// Sections and jobs whose names begin with this set options for the jobs after them.
const GLOBAL: &str = "global";
