//! Programs from the registry of crates, at fixed versions, built below the target directory. Nothing is installed.

use std::path::PathBuf;
use std::process::Stdio;

use crate::workspace;

/// The directory with the program of a package, `name@version`, which is built with these features unless it is there.
///
/// # Errors
/// The reason why it cannot be had.
pub fn have(package: &str, features: &str) -> Result<PathBuf, String> {
    let directory = workspace::target_directory()?.join("programs");
    let root = directory.join(package);
    let programs = root.join("bin");
    if programs.is_dir() {
        return Ok(programs);
    }
    println!("building {package}");
    let mut install = workspace::cargo();
    install.args(["install", "--quiet", "--locked", "--no-track", "--features", features, package]);
    install.arg("--target-dir").arg(directory.join("build")).arg("--root").arg(&root);
    // They run for seconds: building them sooner is what counts, but not without optimising.
    install.env("CARGO_PROFILE_RELEASE_LTO", "off").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    let status = install.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1").stdin(Stdio::null()).status();
    match status.map_err(|error| format!("cargo cannot be started: {error}"))?.success() {
        true => Ok(programs),
        false => Err(format!("{package} could not be built from the registry of crates")),
    }
}
