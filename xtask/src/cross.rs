//! `cargo xtask cross`: checks that everything compiles for 64-bit and 32-bit ARM.
//!
//! If the toolchain has the standard library of a target, it is used. Otherwise, on Debian, the compiler and
//! the library's source come from Debian's packages: they are downloaded and unpacked below the target
//! directory without installing anything, and cargo builds the library with `-Zbuild-std`, which that
//! compiler must be set to allow. If neither is possible, the check is reported as not run.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::debian::Debian;
use crate::workspace::{self, stdout_of};

/// 64-bit ARM; 32-bit ARM, which has no io_uring.
const TARGETS: [&str; 2] = ["aarch64-unknown-linux-gnu", "armv7-unknown-linux-gnueabihf"];
/// cargo's arguments.
const CHECK: [&str; 3] = ["check", "--workspace", "--locked"];
/// Packages without a version in their names.
const PACKAGES: [&str; 3] = ["rustc-web", "libstd-rust-web-dev", "rust-web-src"];

/// Checks all targets: those of one compiler at once, so that none waits for another's last crate.
pub fn run() -> Result<ExitCode, String> {
    let directory = workspace::target_directory()?.join("cross");
    let (own, lacking) = TARGETS.into_iter().partition::<Vec<_>, _>(|target| has_library(target));
    let mut missed = Vec::new();
    for targets in [own, lacking].into_iter().filter(|targets| !targets.is_empty()) {
        println!("checking {}", targets.join(" and "));
        let mut check = workspace::cargo();
        check.args(CHECK).arg("--target-dir").arg(directory.join("build"));
        check.args(targets.iter().flat_map(|target| ["--target", target]));
        // SQLite's C code would need a C compiler for the target. Nothing is linked, so its declarations
        // suffice: the first variable selects an installed library, and the second its location.
        check.env("LIBSQLITE3_SYS_USE_PKG_CONFIG", "1").env("SQLITE3_LIB_DIR", "/nonexistent");
        // The same for ring's C code: its objects are not looked at.
        check.env("TARGET_CC", "true").env("TARGET_AR", "true");
        if let Err(reason) = provide_library(&mut check, targets[0]) {
            missed.extend(targets.iter().map(|target| format!("NOT CHECKED: {target}: {reason}")));
            continue;
        }
        let status = check.status().map_err(|error| format!("cargo cannot be started: {error}"))?;
        if !status.success() {
            return Err(format!("the check for {} failed", targets.join(" or ")));
        }
    }
    missed.iter().for_each(|line| println!("{line}"));
    println!("{} of {} targets checked", TARGETS.len() - missed.len(), TARGETS.len());
    Ok(ExitCode::SUCCESS)
}

/// Lets a cargo command build for `target`, with a standard library from Debian if necessary.
///
/// # Errors
/// Why the library is not available.
pub fn provide_library(cargo: &mut Command, target: &str) -> Result<(), String> {
    if has_library(target) {
        return Ok(());
    }
    let toolchain = Toolchain::from_debian(&workspace::target_directory()?.join("cross"));
    let lacking =
        |reason| format!("the toolchain has no library for it, and Debian's is not available: {reason}");
    toolchain.map_err(lacking)?.lend(cargo, "std,panic_abort,panic_unwind");
    Ok(())
}

/// Lets a cargo command build tests together with their standard library.
///
/// # Errors
/// The reason why that cannot be had.
pub fn build_library(cargo: &mut Command) -> Result<(), String> {
    let toolchain = Toolchain::from_debian(&workspace::target_directory()?.join("cross"))?;
    toolchain.lend(cargo, "std,panic_abort,panic_unwind,test");
    Ok(())
}

/// Where the source of a library is that cargo builds.
pub fn sources(target_directory: &Path) -> PathBuf {
    target_directory.join("cross/debian/usr/lib/rustlib/src/rust/library")
}

/// Whether the toolchain in use has the standard library of `target`.
fn has_library(target: &str) -> bool {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let Ok(path) = stdout_of(rustc.args(["--print", "target-libdir", "--target", target])) else {
        return false;
    };
    std::fs::read_dir(path.trim()).is_ok_and(|mut entries| {
        entries
            .any(|entry| entry.is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with("libstd-")))
    })
}

/// Debian's compiler with the source of its standard library, unpacked.
struct Toolchain {
    rustc: PathBuf,
    libraries: PathBuf,
}

impl Toolchain {
    /// Downloads and unpacks it into `directory`, unless it exists.
    ///
    /// # Errors
    /// The reason why it cannot be had.
    fn from_debian(directory: &Path) -> Result<Self, String> {
        let root = directory.join("debian");
        if !root.is_dir() {
            Debian::default().unpack(&package_names()?, directory, &root)?;
        }
        let libraries = root.join(format!("usr/lib/{}-linux-gnu", std::env::consts::ARCH));
        let toolchain = Self { rustc: root.join("usr/bin/rustc"), libraries };
        let mut rustc = Command::new(&toolchain.rustc);
        let version = stdout_of(rustc.arg("--version").env("LD_LIBRARY_PATH", &toolchain.libraries))?;
        let needed = env!("CARGO_PKG_RUST_VERSION");
        match minor_version(&version).zip(minor_version(needed)) {
            Some((found, needed)) if found >= needed => Ok(toolchain),
            _ => Err(format!("Debian's compiler is {}, and {needed} is needed", version.trim())),
        }
    }

    /// Makes a cargo command use it and build these libraries.
    fn lend(&self, cargo: &mut Command, libraries: &str) {
        cargo.arg(format!("-Zbuild-std={libraries}"));
        cargo.env("RUSTC", &self.rustc).env("LD_LIBRARY_PATH", &self.libraries).env("RUSTC_BOOTSTRAP", "1");
    }
}

/// The packages, including those with a version in their names.
fn package_names() -> Result<Vec<String>, String> {
    let mut names: Vec<String> = PACKAGES.map(str::to_string).to_vec();
    let debian = Debian::default();
    let library = debian.dependency(PACKAGES[1], "libstd-rust-web-")?;
    names.push(debian.dependency(&library, "libllvm")?);
    names.push(library);
    Ok(names)
}

/// The minor version in `1.95` or `rustc 1.95.0 (...)`.
fn minor_version(text: &str) -> Option<u32> {
    let version = text.split_whitespace().find(|word| word.starts_with("1."))?;
    version.split('.').nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        assert_eq!(minor_version("rustc 1.96.0 (x 2026-05-01) (built from a source tarball)"), Some(96));
        assert_eq!(minor_version("1.95"), Some(95));
        assert_eq!(minor_version("rustc"), None);
        assert!(minor_version(env!("CARGO_PKG_RUST_VERSION")).is_some());
    }

    #[test]
    fn the_library_exists_for_this_machine_but_not_for_an_unknown_target() {
        let host = stdout_of(Command::new("rustc").arg("-vV")).unwrap();
        let host = host.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
        assert!(has_library(host));
        assert!(!has_library("no-such-target"));
    }
}
