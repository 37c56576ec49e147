//! Properties of every job file, command line, pattern, register, output, store and Report, however broken.
#![forbid(unsafe_code)]

mod checks;
mod import;
mod ingest;
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

/// Parses, resolves and formats a job file.
///
/// # Panics
/// If a check fails.
pub fn job_file(content: &[u8]) {
    let mut machine = Machine { written: Some(content) };
    checks::all(&[OsStr::new(machine::WRITTEN)], &mut machine);
}

/// Parses, loads and writes a pattern.
///
/// # Panics
/// If a check fails.
pub fn pattern(text: &[u8]) {
    let Ok(text) = std::str::from_utf8(text) else { return };
    [PatternKind::Buffer, PatternKind::Verify].into_iter().for_each(|kind| checks::pattern(text, kind));
}

/// Parses, resolves and formats a command line with one word per line.
///
/// # Panics
/// If a check fails.
pub fn command_line(lines: &[u8]) {
    let words: Vec<&OsStr> = lines.split(|byte| *byte == b'\n').map(OsStr::from_bytes).collect();
    checks::all(&words, &mut Machine { written: None });
}

/// Parses a recording by several rules.
///
/// # Panics
/// If a check fails.
pub fn recording(content: &[u8]) {
    iolog::reads(content);
}

/// Takes the body of a sender's request: reads it, packed or not, and saves its Report.
///
/// # Panics
/// If a check fails.
pub fn ingest(body: &[u8]) {
    ingest::takes(body);
}

/// Decodes the byte stream of an Agent's socket in either direction, in pieces of any length.
///
/// # Panics
/// If a check fails.
pub fn wire(bytes: &[u8]) {
    wire::reads(bytes);
}

/// Decodes and shows the attributes of a card in these lines.
///
/// # Panics
/// If a check fails.
pub fn card_registers(lines: &[u8]) {
    registers::decodes(&String::from_utf8_lossy(lines));
}

/// Lists, shows, compares, writes and repairs a store changed in this way.
///
/// # Panics
/// If a check fails.
pub fn store(content: &[u8]) {
    store::survives(content);
}

/// Shows a Report in every format.
///
/// # Panics
/// If a check fails.
pub fn report(content: &[u8]) {
    report::shows(content);
}

/// Changes something in JSON; `None` if it is not JSON.
pub fn mutated_report(content: &[u8], seed: u32) -> Option<Vec<u8>> {
    report::mutated(content, seed)
}
