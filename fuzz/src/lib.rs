//! What must hold for every job file and every command line, however broken.
#![forbid(unsafe_code)]

mod checks;
mod machine;
mod shell;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use machine::Machine;

/// The job file of this content, read, resolved and shown.
///
/// # Panics
/// When something does not hold.
pub fn job_file(content: &[u8]) {
    let mut machine = Machine { written: Some(content) };
    checks::all(&[OsStr::new(machine::WRITTEN)], &mut machine);
}

/// The command line whose words stand in these lines, read, resolved and shown.
///
/// # Panics
/// When something does not hold.
pub fn command_line(lines: &[u8]) {
    let words: Vec<&OsStr> = lines.split(|byte| *byte == b'\n').map(OsStr::from_bytes).collect();
    checks::all(&words, &mut Machine { written: None });
}
