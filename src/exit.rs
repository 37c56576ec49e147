//! Exit codes, and the error that ends a command.

pub use cardiograph_checkup::failure::{DONE, Failure, IO_FAILED, SIGNAL_BASE, USAGE};

/// A `--require` is not met.
pub const REQUIREMENT_NOT_MET: u8 = 1;
/// A `--require` or a `--fail-if-worse` cannot be judged.
pub const NOT_JUDGED: u8 = 4;
/// A `--fail-if-worse` found something.
pub const WORSE: u8 = 5;
