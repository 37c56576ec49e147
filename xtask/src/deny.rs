//! `cargo xtask deny`: checks licences, duplicates and sources of all crates by `deny.toml`, with cargo-deny.

use std::process::{Command, ExitCode};

use crate::{registry, workspace};

const TOOL: &str = "cargo-deny@0.20.2";

/// Checks them.
pub fn run() -> Result<ExitCode, String> {
    let tool = match registry::have(TOOL, "") {
        Ok(programs) => programs.join("cargo-deny"),
        Err(reason) => {
            println!("NOT CHECKED: {reason}");
            return Ok(ExitCode::from(workspace::NOT_RUN));
        }
    };
    let mut deny = Command::new(tool);
    deny.current_dir(workspace::root());
    // Not advisories: their list changes without us. A release manager asks for it: cargo deny check advisories.
    deny.args(["--workspace", "--locked", "check", "licenses", "bans", "sources"]);
    let status = deny.status().map_err(|error| format!("cargo-deny cannot be started: {error}"))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
