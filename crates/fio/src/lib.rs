//! fio's own languages: its command line and its job files in, and the jobs as fio prints them.
//!
//! Reading order: [`invocation`] (what comes out) → [`cmdline`] (words) → [`jobfile`] (lines) → [`syntax`] (what is
//! wrong with them) → [`showcmd`] (a job file as a command line) → [`fio_command`] (a job for fio) → [`diagnostics`] (what is
//! wrong with a job) → [`tools`] (dd, hdparm and iozone: their arguments and outputs). Nothing here opens a file.
#![forbid(unsafe_code)]

mod arithmetic;
mod collector;
mod expand;
mod names;
pub mod nearest;
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

/// A section or a job whose name begins so sets options for the jobs after it.
const GLOBAL: &str = "global";
