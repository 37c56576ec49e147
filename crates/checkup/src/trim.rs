//! Trims the free space of a file system, so that the drive knows its unused blocks.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use cardiograph_core::{Parameter, message};
use cardiograph_drive::System;

use crate::failure::Failure;

/// Length of the trial trim.
const PROBE_BYTES: &str = "1048576";

/// Checks that the free space of the file system at `path` can be trimmed, on a small part of it.
///
/// # Errors
/// When it cannot: no fstrim, no root, or no support by drive or file system.
pub fn probe(path: &Path) -> Result<(), Failure> {
    fstrim(path, &["--offset", "0", "--length", PROBE_BYTES])
}

/// As [`probe`], but trims nothing: only asks whether root runs an installed fstrim.
///
/// # Errors
/// When it does not.
pub fn look(_: &Path) -> Result<(), Failure> {
    if System::local().program("fstrim").is_none() {
        return Err(Failure::usage(message!("trim-not-installed")));
    }
    let said = Parameter::from(&std::io::Error::from(rustix::io::Errno::PERM));
    let is_root = rustix::process::geteuid().is_root();
    if is_root { Ok(()) } else { Err(Failure::usage(message!("trim-failed.as-user", said))) }
}

/// Trims all free space of the file system at `path`.
///
/// # Errors
/// As [`probe`].
pub fn free_space(path: &Path) -> Result<(), Failure> {
    // Deleted blocks can be trimmed once the deletion has reached the file system's journal.
    if let Ok(directory) = std::fs::File::open(path) {
        let _ = rustix::fs::syncfs(&directory);
    }
    fstrim(path, &[])
}

fn fstrim(path: &Path, arguments: &[&str]) -> Result<(), Failure> {
    let program = System::local().program("fstrim");
    let program = program.ok_or_else(|| Failure::usage(message!("trim-not-installed")))?;
    let mut command = Command::new(program);
    command.args(arguments).arg("--").arg(path).stdin(Stdio::null());
    // A new process group: ending the checkup at the terminal must not make the trim fail.
    let run = command.process_group(0).output();
    let output = run.map_err(|error| Failure::usage(message!("trim-not-started", error)))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = match said.lines().next() {
        Some(line) => Parameter::from(line.trim_start_matches("fstrim: ")),
        None => message!("trim-silent").into(),
    };
    Err(Failure::usage(match rustix::process::geteuid().is_root() {
        true => message!("trim-failed", said),
        false => message!("trim-failed.as-user", said),
    }))
}
