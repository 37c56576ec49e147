//! The scenes: what is made of the machine's disks, what is asked there, and what is expected.
//!
//! A script is run by busybox's shell. `$nvme`, `$virtio`, `$sata`, `$stick`, `$uas`, `$member_a` and `$member_b` are
//! the disks of `machine.rs`; the memory card is `/dev/mmcblk0`, with a partition. The file system under test is
//! mounted at `/mnt`; a file there that was not there before a probe was left behind.

mod drives;
mod faults;
mod file_systems;
mod passports;
mod stacks;

use super::expect::{Expect, Want};

/// What stands under the file system.
const PASSPORT: &str = "cardiograph drive /mnt --json -";
/// A checkup that keeps nothing, with its Report on standard output.
const CHECK: &str = "cardiograph check /mnt --max-time 12s --no-keep --json -";
/// The file was written and read. How far a checkup comes in its time is up to how fast this machine is.
const MEASURED: Expect = Expect::Json("/steps/1/outcome/kind", Want::Is("done"));
/// There is a verdict for each purpose.
const JUDGED: Expect = Expect::Json("/verdicts", Want::AtLeast(6.0));

/// A state of the machine, with what is asked in it.
#[derive(Debug)]
pub struct Scene {
    /// The word that names it.
    pub name: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// The script that makes it; ends with 0.
    pub set_up: &'static str,
    /// What is asked.
    pub probes: &'static [Probe],
    /// The script that takes it back.
    pub tear_down: &'static str,
}

/// A question.
#[derive(Debug)]
pub struct Probe {
    /// The word that names it in its scene.
    pub name: &'static str,
    /// The script that asks.
    pub script: &'static str,
    /// The exit code that is expected.
    pub exit: i32,
    /// What is expected of the answer.
    pub expect: &'static [Expect],
}

/// All scenes, in the order in which they are run.
pub fn all() -> impl Iterator<Item = &'static Scene> {
    [passports::SCENES, drives::SCENES, file_systems::SCENES, stacks::SCENES, faults::SCENES]
        .into_iter()
        .flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_words_of_their_own_and_each_probe_expects_something() {
        let mut names = BTreeSet::new();
        for scene in all() {
            assert!(names.insert(scene.name.to_string()), "{} is there twice", scene.name);
            assert!(!scene.probes.is_empty(), "{}", scene.name);
            for probe in scene.probes {
                let name = format!("{}/{}", scene.name, probe.name);
                assert!(probe.exit != 0 || !probe.expect.is_empty(), "{name} expects nothing");
                assert!(names.insert(name.clone()), "{name} is there twice");
                assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "-/".contains(c)), "{name}");
            }
        }
    }
}
