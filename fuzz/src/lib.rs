//! What must hold for every job file, every command line, every pattern, every register, every output, every store and every
//! Report, however broken.
#![forbid(unsafe_code)]

mod checks;
mod import;
mod iolog;
mod machine;
mod registers;
mod report;
mod shell;
mod store;
mod wire;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use cardiograph_jobs::value::PatternKind;
pub use import::Parser;
use machine::Machine;

/// The job file of this content, read, resolved and shown.
///
/// # Panics
/// When something does not hold.
pub fn job_file(content: &[u8]) {
    let mut machine = Machine { written: Some(content) };
    checks::all(&[OsStr::new(machine::WRITTEN)], &mut machine);
}

/// The pattern that this text is, read, loaded and written.
///
/// # Panics
/// When something does not hold.
pub fn pattern(text: &[u8]) {
    let Ok(text) = std::str::from_utf8(text) else { return };
    [PatternKind::Buffer, PatternKind::Verify].into_iter().for_each(|kind| checks::pattern(text, kind));
}

/// The command line whose words stand in these lines, read, resolved and shown.
///
/// # Panics
/// When something does not hold.
pub fn command_line(lines: &[u8]) {
    let words: Vec<&OsStr> = lines.split(|byte| *byte == b'\n').map(OsStr::from_bytes).collect();
    checks::all(&words, &mut Machine { written: None });
}

/// The recording of this content, read by several rules.
///
/// # Panics
/// When something does not hold.
pub fn recording(content: &[u8]) {
    iolog::reads(content);
}

/// What comes out of the socket of an Agent or goes into it, in pieces of any length.
///
/// # Panics
/// When something does not hold.
pub fn wire(bytes: &[u8]) {
    wire::reads(bytes);
}

/// The attributes of a card that these lines are, decoded and shown.
///
/// # Panics
/// When something does not hold.
pub fn card_registers(lines: &[u8]) {
    registers::decodes(&String::from_utf8_lossy(lines));
}

/// The store that somebody changed so, listed, shown, compared, written to and repaired.
///
/// # Panics
/// When something does not hold.
pub fn store(content: &[u8]) {
    store::survives(content);
}

/// The Report that this JSON is, shown in every form.
///
/// # Panics
/// When something does not hold.
pub fn report(content: &[u8]) {
    report::shows(content);
}

/// JSON with something in it changed; `None` where it is not JSON.
pub fn mutated_report(content: &[u8], seed: u32) -> Option<Vec<u8>> {
    report::mutated(content, seed)
}
