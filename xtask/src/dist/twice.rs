//! Makes a release in two directories, and compares the bytes.

use std::fs;
use std::process::{Command, ExitCode};

use super::{Target, VERSION};
use crate::workspace::{self, stdout_of};

/// Makes it here and in a clone of what is committed. Says which files differ.
pub fn run(targets: &[&Target]) -> Result<ExitCode, String> {
    let mut git = Command::new("git");
    let changed = stdout_of(git.args(["status", "--porcelain"]).current_dir(workspace::root()))?;
    if !changed.is_empty() {
        return Err(format!("a release is made of what is committed; these are not:\n{changed}"));
    }
    let work = workspace::target_directory()?.join("dist/twice");
    let io = |error: std::io::Error| format!("{}: {error}", work.display());
    workspace::empty_directory(&work)?;
    // A name of another length, too.
    let clone = work.join("another-directory");
    stdout_of(Command::new("git").args(["clone", "--quiet"]).arg(workspace::root()).arg(&clone))?;
    let mut sums = Vec::new();
    for (directory, to) in [(workspace::root(), work.join("here")), (clone.as_path(), work.join("there"))] {
        let mut dist = workspace::cargo();
        dist.current_dir(directory).args(["xtask", "dist", "--to"]).arg(&to);
        dist.args(targets.iter().map(|target| target.debian)).env_remove("CARGO_TARGET_DIR");
        let status = dist.status().map_err(|error| format!("cargo cannot be started: {error}"))?;
        match status.code() {
            Some(0) => {}
            Some(code) => return Ok(ExitCode::from(code as u8)),
            None => return Err(format!("cargo xtask dist was killed in {}", directory.display())),
        }
        sums.push(fs::read_to_string(to.join("SHA256SUMS")).map_err(io)?);
    }
    let differing: Vec<&str> = sums[0].lines().filter(|line| !sums[1].contains(line)).collect();
    println!("{} files of {VERSION} made twice, {} differ", sums[0].lines().count(), differing.len());
    differing.iter().for_each(|line| println!("{line}"));
    Ok(if differing.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
