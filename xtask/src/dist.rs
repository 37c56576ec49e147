//! `cargo xtask dist`: makes what a release consists of, from nothing but the package registries.
//!
//! Programs are static: one file for all systems with that processor. They are linked by Zig, which has musl for every
//! target, through cargo-zigbuild; both come from the Python package index and are unpacked below the target directory, as is
//! Debian's compiler if the toolchain has no library for the target ([`cross`]). Nothing is installed.

mod archive;
mod sums;
mod tools;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tools::Tools;

use crate::{cross, workspace};

const USAGE: &str = "Usage: cargo xtask dist [--to DIRECTORY] [amd64|arm64|armhf]...";
/// Exit code if the tools cannot be had: the usual one for what is skipped.
const NOT_RUN: u8 = 77;

/// A processor that releases are made for.
#[derive(Debug)]
pub struct Target {
    /// Debian's name.
    pub debian: &'static str,
    /// The compiler's name.
    pub triple: &'static str,
}

const TARGETS: [Target; 3] = [
    Target { debian: "amd64", triple: "x86_64-unknown-linux-musl" },
    Target { debian: "arm64", triple: "aarch64-unknown-linux-musl" },
    // Hard float: any Pi since the second.
    Target { debian: "armhf", triple: "armv7-unknown-linux-musleabihf" },
];

/// Makes the release.
pub fn run(words: &[&str]) -> Result<ExitCode, String> {
    let (to, targets) = arguments(words)?;
    let directory = workspace::target_directory()?.join("dist");
    let to = to.unwrap_or_else(|| directory.join(env!("CARGO_PKG_VERSION")));
    std::fs::create_dir_all(&to).map_err(|error| format!("{}: {error}", to.display()))?;
    let tools = match Tools::have(&directory) {
        Ok(tools) => tools,
        Err(reason) => {
            println!("NO RELEASE WAS MADE: {reason}");
            return Ok(ExitCode::from(NOT_RUN));
        }
    };
    let here = TARGETS.iter().find(|target| target.triple.starts_with(std::env::consts::ARCH));
    let here = here.ok_or("releases are made on a processor that they are for")?;
    let host = build(here, &tools, &directory)?;
    let mut made = Vec::new();
    for target in targets {
        println!("{}", target.triple);
        let program = build(target, &tools, &directory)?;
        made.push(archive::write(target, &program, &host, &to)?);
    }
    made.push(sums::write(&to)?);
    made.iter().for_each(|path| println!("{}", path.display()));
    Ok(ExitCode::SUCCESS)
}

fn arguments(words: &[&str]) -> Result<(Option<PathBuf>, Vec<&'static Target>), String> {
    let (mut to, mut targets) = (None, Vec::new());
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        match word {
            "--to" => to = Some(PathBuf::from(words.next().ok_or(USAGE)?)),
            name => targets.push(TARGETS.iter().find(|target| target.debian == name).ok_or(USAGE)?),
        }
    }
    if targets.is_empty() {
        targets.extend(&TARGETS);
    }
    Ok((to, targets))
}

/// Builds the program for a target. Returns its path.
fn build(target: &Target, tools: &Tools, directory: &Path) -> Result<PathBuf, String> {
    let mut build = workspace::cargo();
    build.args(["zigbuild", "--release", "--locked", "--target", target.triple]);
    build.arg("--target-dir").arg(directory.join("build"));
    // Zig brings the C library, and the compiler shall not look for another.
    let flags = format!("CARGO_TARGET_{}_RUSTFLAGS", target.triple.to_uppercase().replace('-', "_"));
    build.env(flags, "-Clink-self-contained=no").env("PATH", tools.path());
    cross::provide_library(&mut build, target.triple)?;
    workspace::build_with(build)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_chosen_by_name() {
        let names = |words: &[&str]| {
            arguments(words)
                .map(|(_, targets)| targets.iter().map(|target| target.debian).collect::<Vec<_>>())
        };
        assert_eq!(names(&[]).unwrap(), ["amd64", "arm64", "armhf"]);
        assert_eq!(names(&["arm64", "--to", "/x"]).unwrap(), ["arm64"]);
        assert_eq!(arguments(&["--to", "/x"]).unwrap().0, Some(PathBuf::from("/x")));
        for wrong in [&["mips"][..], &["--to"], &["x86_64-unknown-linux-musl"]] {
            assert!(arguments(wrong).is_err(), "{wrong:?}");
        }
    }
}
