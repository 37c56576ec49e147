//! `cargo xtask prove`: runs what a release consists of, as people would.
//!
//! Each program does the same steps ([`steps`]) in a root directory that has nothing else in it, as a container has: as root and
//! as somebody else; programs of other processors under QEMU. Then it reads the stores that the others wrote. With `--roots`,
//! packages are installed, upgraded and removed in the last three Debians ([`roots`]). The installer is run from a web server,
//! and packages and image are looked at by the tools that they are for.

mod binfmt;
mod checked;
mod installer;
mod place;
mod roots;
mod steps;

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use place::{NOBODY, Place, ROOT};

use crate::dist::{self, TARGETS, Target};
use crate::workspace::{self, stdout_of};

const USAGE: &str = "Usage: cargo xtask prove [--from DIRECTORY] [--short] [--roots] [amd64|arm64|armhf]... (--short: the first step only)";

/// Set where mounts are seen by nobody else.
const OWN_MOUNTS: &str = "CARDIOGRAPH_OWN_MOUNTS";

#[derive(Debug, Default)]
struct Request {
    from: Option<PathBuf>,
    /// Only the first step.
    is_short: bool,
    has_roots: bool,
    targets: Vec<&'static Target>,
}

/// What is proved: the files of a release, and where to do it.
pub struct Release {
    pub from: PathBuf,
    pub work: PathBuf,
}

impl Release {
    /// The file with this name.
    pub fn file(&self, name: &str) -> PathBuf {
        self.from.join(name)
    }
}

/// Starts this program again where nothing that it mounts remains, even when it is killed.
fn with_own_mounts() -> Result<ExitCode, String> {
    let unshare = || Command::new("unshare");
    if let Err(reason) = stdout_of(unshare().args(["--mount", "mount", "--bind", "/", "/mnt"])) {
        println!("NOTHING WAS PROVED: it mounts into root directories, which only root can: {reason}");
        return Ok(ExitCode::from(workspace::NOT_RUN));
    }
    let program = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
    let mut again = unshare();
    again.arg("--mount").arg(program).args(std::env::args_os().skip(1)).env(OWN_MOUNTS, "1");
    Err(format!("unshare: {}", again.exec()))
}

/// Proves a release.
pub fn run(words: &[&str]) -> Result<ExitCode, String> {
    let request = arguments(words)?;
    if std::env::var_os(OWN_MOUNTS).is_none() {
        return with_own_mounts();
    }
    let release = Release {
        from: request.from.map_or_else(dist::default_directory, Ok)?,
        work: workspace::target_directory()?.join("prove"),
    };
    let targets = if request.targets.is_empty() { TARGETS.iter().collect() } else { request.targets };
    stdout_of(
        Command::new("sha256sum").args(["--check", "--quiet", "SHA256SUMS"]).current_dir(&release.from),
    )?;
    let mut proof = Proof::default();
    let mut registered = Vec::new();
    let mut places: Vec<(Place, &Target)> = Vec::new();
    for target in &targets {
        if target.triple != Target::here()?.triple {
            match binfmt::register(target) {
                Ok(entry) => registered.push(entry),
                Err(reason) => {
                    println!("NOT PROVED: {}: {reason}", target.debian);
                    continue;
                }
            }
        }
        for user in [ROOT, NOBODY] {
            let name = format!("{} {}", target.debian, user.name);
            let place = Place::empty(&release, target, user)?;
            proof.steps(&name, &place, request.is_short);
            if request.is_short {
                break;
            }
            places.push((place, target));
        }
    }
    for target in if request.is_short { &[][..] } else { &targets } {
        proof.add(target.debian, "package as Debian checks it", checked::lintian(&release, target));
        proof.add(target.debian, "image", checked::image(&release, target));
    }
    for (place, target) in &places {
        let read = places.iter().try_for_each(|(other, _)| steps::other_store(place, &other.store()));
        proof.add(&format!("{} {}", target.debian, place.user.name), "stores of all", read);
    }
    if !request.is_short {
        proof.add("this machine", "installer", installer::prove(&release));
    }
    if request.has_roots {
        roots::prove(&release, &mut proof)?;
    }
    drop(registered);
    println!("{} proved, {} failed", proof.passed, proof.failed);
    Ok(if proof.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What was tried.
#[derive(Default)]
pub struct Proof {
    passed: usize,
    failed: usize,
}

impl Proof {
    /// Notes and prints an outcome.
    pub fn add(&mut self, place: &str, what: &str, outcome: Result<(), String>) {
        match outcome {
            Ok(()) => {
                self.passed += 1;
                println!("ok      {place}: {what}");
            }
            Err(reason) => {
                self.failed += 1;
                println!("FAILED  {place}: {what}: {reason}");
            }
        }
    }

    /// Does all steps in a place, or only the first.
    pub fn steps(&mut self, name: &str, place: &Place, is_short: bool) {
        let steps = if is_short { &steps::STEPS[..1] } else { steps::STEPS };
        for (what, step) in steps {
            self.add(name, what, step(place));
        }
    }
}

fn arguments(words: &[&str]) -> Result<Request, String> {
    let mut request = Request::default();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        match word {
            "--from" => request.from = Some(Path::new(words.next().ok_or(USAGE)?).to_path_buf()),
            "--short" => request.is_short = true,
            "--roots" => request.has_roots = true,
            name => request.targets.push(Target::named(name).ok_or(USAGE)?),
        }
    }
    Ok(request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_chosen_by_name() {
        let request = arguments(&["--short", "arm64", "--from", "/x"]).unwrap();
        assert!(request.is_short && !request.has_roots && request.targets[0].debian == "arm64");
        for wrong in [&["mips"][..], &["--from"]] {
            assert!(arguments(wrong).is_err(), "{wrong:?}");
        }
    }
}
