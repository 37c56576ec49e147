//! The scenes: setups of the machine's disks, probes, and expectations.
//!
//! Scripts run in busybox's shell. `$nvme`, `$virtio`, `$sata`, `$stick`, `$uas`, `$member_a` and `$member_b`
//! are the disks of `machine.rs`; the memory card is `/dev/mmcblk0`, with a partition. The file system under
//! test is mounted at `/mnt`; new files there count as left behind by the probe.

mod drives;
mod faults;
mod file_systems;
mod passports;
mod stacks;

use super::expect::{Expect, Want};

/// The stack under the file system.
const PASSPORT: &str = "cardiograph drive /mnt --json";
/// A checkup that saves nothing, with its Report on standard output.
const CHECK: &str = "cardiograph check /mnt --max-time 12s --no-keep --json";
/// The file was written and read. Further progress depends on the speed of this machine.
const MEASURED: Expect = Expect::Json("/steps/1/outcome/kind", Want::Is("done"));
/// There is a verdict for each purpose.
const JUDGED: Expect = Expect::Json("/verdicts", Want::AtLeast(6.0));

/// A state of the machine, with probes.
#[derive(Debug)]
pub struct Scene {
    /// Its name.
    pub name: &'static str,
    /// A short description.
    pub title: &'static str,
    /// The script that sets it up; exits with 0.
    pub set_up: &'static str,
    /// Its probes.
    pub probes: &'static [Probe],
    /// The script that undoes it.
    pub tear_down: &'static str,
}

/// A probe.
#[derive(Debug)]
pub struct Probe {
    /// Its name, unique in the scene.
    pub name: &'static str,
    /// Its script.
    pub script: &'static str,
    /// The expected exit code.
    pub exit: i32,
    /// The expectations of its output.
    pub expect: &'static [Expect],
}

/// All scenes, in the order of execution.
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
    fn names_are_unique_and_each_probe_has_an_expectation() {
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
