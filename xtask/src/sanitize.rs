//! `cargo xtask sanitize`: runs the tests of the crates with `unsafe` or threads under AddressSanitizer,
//! which also finds leaks, and ThreadSanitizer.
//!
//! AddressSanitizer comes with the nightly toolchain. ThreadSanitizer reports everything protected by a lock
//! of an uninstrumented standard library as a data race, in our code and in the library's, so suppressions
//! cannot be limited to the library. Therefore Debian's compiler also builds the library (see `cross.rs`),
//! which is linked with the runtime and the linker of nightly. Remaining reports are in
//! `sanitize/thread.supp`, with the reason.
//!
//! Both only see memory accesses of the C library. `rustix_use_libc` makes rustix call it: otherwise memory
//! that one thread unmaps and another maps again would be a data race, and buffers of system calls would not
//! be checked.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::workspace::{self, stdout_of};
use crate::{cross, fuzz};

const USAGE: &str = "Usage: cargo xtask sanitize [address|thread]... [--lib]";
/// SQLite's C code is not instrumented, and core has neither `unsafe` nor threads.
const PACKAGES: [&str; 4] =
    ["cardiograph-engine", "cardiograph-drive", "cardiograph-apps", "cardiograph-files"];

/// Tests that are meaningless under ThreadSanitizer, with the reason.
const SKIPPED: [(&str, &str); 1] = [(
    "conformance::queue::signals_cause_no_errors",
    "signals arrive so often in such a slow program that io_uring gives up starting its threads: ECANCELED",
)];

#[derive(Debug, PartialEq, Eq)]
struct Sanitizer {
    name: &'static str,
    /// Suffix of its runtime's file name.
    runtime: &'static str,
}

const ADDRESS: Sanitizer = Sanitizer { name: "address", runtime: "_rt.asan.a" };
const THREAD: Sanitizer = Sanitizer { name: "thread", runtime: "_rt.tsan.a" };
const SANITIZERS: [&Sanitizer; 2] = [&ADDRESS, &THREAD];

/// Runs the tests under both sanitizers, or the named ones; with `--lib` only unit tests.
pub fn run(words: &[&str]) -> Result<ExitCode, String> {
    let (wanted, tests) = arguments(words)?;
    let triple = fuzz::host()?;
    let (mut has_failed, mut is_lacking) = (false, false);
    for sanitizer in wanted {
        let cargo = match sanitizer.cargo(&triple) {
            Ok(cargo) => cargo,
            Err(reason) => {
                println!("NOT RUN: {}: {reason}", sanitizer.name);
                is_lacking = true;
                continue;
            }
        };
        has_failed |= !sanitizer.test(cargo, tests)?;
    }
    Ok(match (has_failed, is_lacking) {
        (true, _) => ExitCode::FAILURE,
        (false, true) => ExitCode::from(workspace::NOT_RUN),
        (false, false) => ExitCode::SUCCESS,
    })
}

/// The sanitizers, and cargo's selection of tests.
fn arguments(words: &[&str]) -> Result<(Vec<&'static Sanitizer>, &'static str), String> {
    let (mut wanted, mut tests) = (Vec::new(), "--tests");
    for word in words {
        match SANITIZERS.iter().find(|sanitizer| sanitizer.name == *word) {
            Some(sanitizer) => wanted.push(*sanitizer),
            None if *word == "--lib" => tests = "--lib",
            None => return Err(USAGE.to_string()),
        }
    }
    Ok((if wanted.is_empty() { SANITIZERS.to_vec() } else { wanted }, tests))
}

impl Sanitizer {
    /// A `cargo test` that builds for this sanitizer.
    ///
    /// # Errors
    /// Why it is not available.
    fn cargo(&self, triple: &str) -> Result<Command, String> {
        let sysroot =
            stdout_of(Command::new("rustup").args(["run", "nightly", "rustc", "--print", "sysroot"]))?;
        let sysroot = Path::new(sysroot.trim());
        let libraries = sysroot.join("lib/rustlib").join(triple);
        let runtime = file_ending_with(&libraries.join("lib"), self.runtime)
            .ok_or_else(|| format!("nightly has no *{} for {triple}", self.runtime))?;
        let mut cargo = workspace::cargo();
        cargo.arg("test").args(["--locked", "--no-fail-fast", "--target", triple]);
        let mut flags = vec![format!("-Zsanitizer={}", self.name), "--cfg=rustix_use_libc".to_string()];
        if *self == ADDRESS {
            cargo.args(["--profile", "sanitize"]).env("RUSTC", sysroot.join("bin/rustc"));
        } else {
            cross::build_library(&mut cargo)?;
            // The engine posixaio refuses to run: the C library starts threads unknown to ThreadSanitizer.
            flags.push("--cfg=thread_sanitizer".to_string());
            // Debian's compiler has no runtime, and Debian's linker cannot link nightly's.
            flags.push("-Zexternal-clangrt".to_string());
            flags.push(format!("-Clink-arg=-B{}", libraries.join("bin/gcc-ld").display()));
            flags.push("-Clink-arg=-fuse-ld=lld".to_string());
            let runtime = runtime.display();
            let whole = format!("--whole-archive,{runtime},--no-whole-archive,--no-as-needed,-lm");
            flags.push(format!("-Clink-arg=-Wl,{whole}"));
        }
        cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f")).env_remove("RUSTFLAGS");
        Ok(cargo)
    }

    /// Builds and runs the tests, and lists skipped ones. Returns whether all passed without findings.
    ///
    /// # Errors
    /// When cargo cannot be started.
    fn test(&self, mut cargo: Command, tests: &str) -> Result<bool, String> {
        println!("tests under the {} sanitizer", self.name);
        cargo.arg("--target-dir").arg(workspace::target_directory()?.join("sanitize").join(self.name));
        cargo.args(PACKAGES.iter().flat_map(|package| ["--package", package])).arg(tests);
        // The defaults of the test profile.
        cargo
            .env("CARGO_PROFILE_TEST_DEBUG_ASSERTIONS", "true")
            .env("CARGO_PROFILE_TEST_OVERFLOW_CHECKS", "true");
        cargo.env("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1");
        let suppressions = workspace::root().join("xtask/src/sanitize/thread.supp");
        cargo.env(
            "TSAN_OPTIONS",
            format!("second_deadlock_stack=1:suppressions='{}'", suppressions.display()),
        );
        cargo.env("CARGO_INCREMENTAL", "0");
        if *self == THREAD {
            cargo.args(["--", "--exact"]).args(SKIPPED.iter().flat_map(|(test, _)| ["--skip", test]));
            SKIPPED.iter().for_each(|(test, reason)| println!("not run: {test}: {reason}"));
        }
        let failed = |error: std::io::Error| format!("cargo cannot be started: {error}");
        let mut tests = cargo.spawn().map_err(failed)?;
        let list = cardiograph_testing::skip_list_of(tests.id());
        let has_passed = tests.wait().map_err(failed)?.success();
        cardiograph_testing::show_skipped(&list);
        println!("{}: {}", self.name, if has_passed { "nothing found" } else { "FAILED" });
        Ok(has_passed)
    }
}

fn file_ending_with(directory: &Path, end: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(directory).ok()?;
    let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.find(|path| path.to_string_lossy().ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_select_sanitizers_and_tests() {
        assert_eq!(arguments(&[]), Ok((vec![&ADDRESS, &THREAD], "--tests")));
        assert_eq!(arguments(&["thread", "--lib"]), Ok((vec![&THREAD], "--lib")));
        assert_eq!(arguments(&["memory"]), Err(USAGE.to_string()));
    }
}
