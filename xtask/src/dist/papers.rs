//! What comes with a program on paper: the licences of its libraries, and the list of them.

use std::fs;
use std::process::Command;

use super::tools::Tools;
use super::{Release, TARGETS, Target};
use crate::workspace::{self, stdout_of};

/// The texts of all licences under which parts of the program are, each with its parts. One text for all processors: it takes a
/// minute, and differs by a crate or two.
pub fn licences(tools: &Tools) -> Result<String, String> {
    let packaging = workspace::root().join("packaging");
    // It reads crates for all systems, and asks nobody.
    stdout_of(workspace::cargo().args(["fetch", "--quiet", "--locked"]))?;
    let mut about = workspace::cargo();
    about.args(["about", "generate", "--frozen", "--fail"]);
    about.args(TARGETS.iter().flat_map(|target| ["--target", target.triple]));
    about.arg("--config").arg(packaging.join("about.toml")).arg(packaging.join("about.hbs"));
    stdout_of(about.env("PATH", tools.path()))
}

/// The list of parts in CycloneDX's form (a software bill of materials). The tool writes beside the manifests, so it does in a
/// copy of them.
pub fn parts(release: &Release, target: &Target) -> Result<String, String> {
    let copy = release.work.join("manifests");
    let io = |error: std::io::Error| format!("{}: {error}", copy.display());
    workspace::empty_directory(&copy)?;
    let mut files = Command::new("git");
    let files = stdout_of(files.args(["ls-files"]).current_dir(workspace::root()))?;
    let is_source =
        |file: &&str| file.ends_with(".rs") || file.ends_with("Cargo.toml") || *file == "Cargo.lock";
    for file in files.lines().filter(is_source) {
        let to = copy.join(file);
        to.parent().map_or(Ok(()), fs::create_dir_all).map_err(io)?;
        fs::copy(workspace::root().join(file), &to).map_err(io)?;
    }
    let mut tool = workspace::cargo();
    tool.args(["cyclonedx", "--format", "json", "--describe", "crate", "--target", target.triple]);
    tool.args(["--spec-version", "1.5"]).current_dir(&copy);
    stdout_of(tool.env("PATH", release.tools.path()).env("SOURCE_DATE_EPOCH", release.unix_s.to_string()))?;
    let found = copy.join("cardiograph.cdx.json");
    let text = fs::read_to_string(&found).map_err(|error| format!("{}: {error}", found.display()))?;
    // Names of crates have their directories in them.
    Ok(text.replace(&copy.display().to_string(), ""))
}
