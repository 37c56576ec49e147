//! Drives given by device name, and all drives of the machine.

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use cardiograph_core::drive::{DeviceNumber, Drive, Fact, Leaf, LeafKind, Unknown, Why};

use crate::attribute;
use crate::block::BlockDevice;
use crate::content;
use crate::error::IdentifyError;
use crate::mountinfo::{self, MountEntry};
use crate::stack;
use crate::system::System;

/// Name prefixes of devices that are not drives: loop devices, memory, volumes, and read-only or tiny media.
const NO_DRIVES: [&str; 7] = ["loop", "ram", "zram", "dm-", "md", "sr", "fd"];

/// Time limit for all drives together. Querying their health takes up to 3 s more, and the total must stay
/// within 5 s.
const PATIENCE: Duration = Duration::from_millis(1_800);

impl System {
    /// The drive for a user's argument: a path on a file system, a device path (`/dev/sda`), or a kernel name
    /// (`sda`).
    ///
    /// # Errors
    /// As [`System::identify`].
    pub fn identify_named(&self, name: &Path) -> Result<Drive, IdentifyError> {
        let device = match fs::metadata(name) {
            Ok(found) if found.file_type().is_block_device() => self.block_by_number(DeviceNumber {
                major: rustix::fs::major(found.rdev()),
                minor: rustix::fs::minor(found.rdev()),
            }),
            Ok(_) => None,
            // A container may have no device files, but sysfs can still be read.
            Err(_) => {
                name.to_str().and_then(|name| self.block_by_name(name).or_else(|| self.block_by_path(name)))
            }
        };
        match device {
            Some(device) => Ok(self.device(&device, &self.mounts(), &name.to_string_lossy())),
            None => self.identify(name),
        }
    }

    /// All drives of the machine, sorted by name, without partitions, volumes and loop devices.
    pub fn drives(&self) -> Vec<Drive> {
        let mounts = self.mounts();
        let is_drive = |device: &BlockDevice| {
            !NO_DRIVES.iter().any(|prefix| device.name.starts_with(prefix))
                && !device.is_partition()
                && !is_hardware_part(&device.name)
                && device.number("hidden") != Some(1)
                && device.capacity_bytes().is_some()
        };
        let mut devices: Vec<BlockDevice> = self.block_devices().filter(is_drive).collect();
        devices.sort_by(|a, b| natural(&a.name).cmp(&natural(&b.name)));
        let mut drives = self.inquire_all(&devices, &mounts);
        drives.retain(|drive| drive.leaves.iter().any(|leaf| leaf.kind != LeafKind::Memory));
        drives
    }

    /// Describes all devices in parallel, so that one that hangs does not delay the others. Of one that
    /// exceeds the time limit only the name is known.
    fn inquire_all(&self, devices: &[BlockDevice], mounts: &[MountEntry]) -> Vec<Drive> {
        let deadline = Instant::now() + PATIENCE;
        let look = |device: &BlockDevice| {
            let (system, device, mounts) = (self.clone(), device.clone(), mounts.to_vec());
            content::in_background(move || system.device(&device, &mounts, &path_of(&device)))
        };
        let answers: Vec<_> = devices.iter().map(look).collect();
        let answer = |(device, answer): (&BlockDevice, std::io::Result<mpsc::Receiver<Drive>>)| {
            let left = deadline.saturating_duration_since(Instant::now());
            answer.ok().and_then(|answer| answer.recv_timeout(left).ok()).unwrap_or_else(|| silent(device))
        };
        devices.iter().zip(answers).map(answer).collect()
    }

    fn device(&self, device: &BlockDevice, mounts: &[MountEntry], path: &str) -> Drive {
        let mut drive = stack::below(self, mounts, device, path);
        let stands_on = |mount: &&MountEntry| {
            let below = stack::leaf_names(self, mounts, mount);
            below.iter().any(|name| drive.leaves.iter().any(|leaf| leaf.name == *name))
        };
        let mut mounted_at: Vec<String> = mounts
            .iter()
            .filter(|mount| mount.overlay_upper().is_none())
            .filter(stands_on)
            .map(|mount| mount.mount_point.to_string_lossy().into_owned())
            .collect();
        mounted_at.dedup();
        drive.mounted_at = mounted_at;
        drive
    }

    /// The mounts; none if they cannot be read.
    fn mounts(&self) -> Vec<MountEntry> {
        let list = attribute::list(&self.under_root("proc/self/mountinfo")).unwrap_or_default();
        mountinfo::parse(&list)
    }
}

fn path_of(device: &BlockDevice) -> String {
    format!("/dev/{}", device.name)
}

/// A drive that did not respond.
fn silent(device: &BlockDevice) -> Drive {
    let leaf = Leaf {
        name: device.name.clone(),
        unknown: vec![Unknown { fact: Fact::Identity, why: Why::DriveTimedOut }],
        ..Leaf::default()
    };
    Drive { path: path_of(device), leaves: vec![leaf], ..Drive::default() }
}

/// eMMC has additional devices for booting or keys: `mmcblk0boot0`, `mmcblk0rpmb`.
fn is_hardware_part(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("mmcblk") else { return false };
    !rest.trim_start_matches(|c: char| c.is_ascii_digit()).is_empty()
}

/// Sorts `sdb` before `sdaa`, and `nvme2n1` before `nvme10n1`.
fn natural(name: &str) -> (usize, &str) {
    (name.len(), name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, Fixture};

    fn names(fixture: &Fixture) -> Vec<String> {
        fixture.system().drives().into_iter().map(|drive| drive.path).collect()
    }

    #[test]
    fn only_drives_are_listed() {
        assert_eq!(names(&fixture::raspberry_pi()), ["/dev/sda", "/dev/mmcblk0"]);
        assert_eq!(names(&fixture::raid()), ["/dev/sda", "/dev/sdb"]);
        assert_eq!(names(&fixture::encrypted()), ["/dev/nvme0n1"]);
        assert_eq!(names(&fixture::nvme_multipath()), ["/dev/nvme1n1"]);
        assert_eq!(names(&fixture::container_host()), ["/dev/vda"]);
        let board = fixture::emmc();
        board.disk(
            "platform/fe310000.mmc/mmc_host/mmc1/mmc1:0001/block/mmcblk1",
            "mmcblk1boot0",
            "179:8",
            8_192,
        );
        assert_eq!(names(&board), ["/dev/mmcblk1"]);
        // A reader without a card.
        board.disk("pci0/usb1/1-1/host0/block", "sda", "8:0", 0);
        assert_eq!(names(&board), ["/dev/mmcblk1"]);
        assert_eq!(names(&Fixture::new()), <[&str; 0]>::default());
    }

    #[test]
    fn a_hanging_drive_delays_no_others() {
        let fixture = fixture::raspberry_pi();
        // Opening a pipe waits for its other end.
        let pipe = fixture.root().join("dev/sda1");
        let _ = fs::remove_file(&pipe);
        fs::create_dir_all(pipe.parent().unwrap()).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        let began = Instant::now();
        let drives = fixture.system().drives();
        assert!(began.elapsed() < Duration::from_secs(5));
        let names: Vec<&str> = drives.iter().map(|drive| drive.path.as_str()).collect();
        assert_eq!(names, ["/dev/sda", "/dev/mmcblk0"]);
        assert!(drives[1].leaves[0].capacity_bytes.is_some(), "the others are known");
    }

    #[test]
    fn an_unresponsive_drive_keeps_its_name() {
        let fixture = fixture::raspberry_pi();
        let system = fixture.system();
        let device = system.block_by_name("sda").unwrap();
        let drive = silent(&device);
        assert_eq!((drive.path.as_str(), drive.leaves[0].name.as_str()), ("/dev/sda", "sda"));
        assert_eq!(drive.leaves[0].unknown[0].fact, Fact::Identity);
    }

    #[test]
    fn mount_points_of_drives_are_listed() {
        let pi = fixture::raspberry_pi().system().drives();
        assert_eq!(pi[0].mounted_at, ["/mnt/ssd"]);
        assert_eq!(pi[1].mounted_at, ["/", "/boot/firmware"]);
        // Through a set of two, and through encryption on a volume.
        assert!(fixture::raid().system().drives().iter().all(|drive| drive.mounted_at == ["/srv"]));
        assert_eq!(fixture::encrypted().system().drives()[0].mounted_at, ["/"]);
        // Only an overlay's changes go to the drive, which has its own mount.
        assert_eq!(fixture::container_host().system().drives()[0].mounted_at, ["/"]);
    }

    #[test]
    fn kernel_names_identify_drives_too() {
        let fixture = fixture::encrypted();
        let system = fixture.system();
        for (name, leaf, layers) in
            [("nvme0n1", "nvme0n1", 0), ("nvme0n1p3", "nvme0n1", 1), ("/dev/mapper/certs_enc", "nvme0n1", 3)]
        {
            let drive = system.identify_named(Path::new(name)).unwrap();
            assert_eq!((drive.path.as_str(), drive.leaves[0].name.as_str()), (name, leaf));
            assert_eq!(
                (drive.layers.len(), drive.mounted_at.as_slice()),
                (layers, ["/".to_string()].as_slice())
            );
        }
        let missing = system.identify_named(Path::new("nvme7n1")).unwrap_err();
        assert_eq!(missing.0, cardiograph_core::message!("drive-path-missing", path = "nvme7n1"));
    }

    #[test]
    fn names_are_sorted_naturally() {
        let mut names = ["nvme10n1", "nvme2n1", "sdaa", "sdb", "sda"];
        names.sort_by_key(|name| natural(name));
        assert_eq!(names, ["sda", "sdb", "sdaa", "nvme2n1", "nvme10n1"]);
    }

    /// Machines, and the directory that contains all drives of each.
    fn machines() -> Vec<(Fixture, &'static str)> {
        vec![
            (fixture::raspberry_pi(), "sys/devices/platform"),
            (fixture::pi_usb_ssd::machine(), "sys/devices/platform"),
            (fixture::raid(), "sys/devices/pci0"),
            (fixture::encrypted(), "sys/devices/pci0000:00"),
            (fixture::mega_raid::machine(), "sys/devices/pci0000:3a"),
            (fixture::nvme_multipath(), "sys/devices/virtual"),
        ]
    }

    #[test]
    fn a_drive_unplugged_during_the_read_reports_nothing_wrong() {
        for (fixture, dir) in machines() {
            let system = fixture.system();
            let whole = system.drives();
            assert!(!whole.is_empty(), "{dir}");
            let devices: Vec<BlockDevice> = system.block_devices().collect();
            fixture.remove(dir);
            for device in devices {
                let bare = system.device(&device, &[], &device.name);
                for leaf in &bare.leaves {
                    let identity = (&leaf.model, &leaf.serial, &leaf.firmware, leaf.capacity_bytes);
                    assert!(
                        identity == (&None, &None, &None, None)
                            || !device.dir.starts_with(fixture.root().join(dir))
                    );
                    assert!(leaf.health.is_none() && leaf.card.is_none());
                }
            }
            assert!(system.drives().is_empty(), "{dir}");
        }
    }

    /// Runs a function on drop.
    struct Ends<F: Fn()>(F);

    impl<F: Fn()> Drop for Ends<F> {
        fn drop(&mut self) {
            (self.0)();
        }
    }

    #[test]
    fn drives_that_come_and_go_are_never_mixed_up() {
        for (fixture, dir) in machines() {
            let system = fixture.system();
            let whole = system.drives();
            let (here, gone) = (fixture.root().join(dir), fixture.root().join("gone"));
            let is_over = std::sync::atomic::AtomicBool::new(false);
            let end = || is_over.store(true, std::sync::atomic::Ordering::Relaxed);
            std::thread::scope(|scope| {
                // On drop, because the other thread would run forever if an assertion failed.
                let _end = Ends(end);
                scope.spawn(|| {
                    while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                        fs::rename(&here, &gone).unwrap();
                        fs::rename(&gone, &here).unwrap();
                    }
                });
                for _ in 0..40 {
                    for leaf in system.drives().iter().flat_map(|drive| &drive.leaves) {
                        let known = whole
                            .iter()
                            .flat_map(|drive| &drive.leaves)
                            .find(|known| known.name == leaf.name);
                        let known = known.unwrap_or_else(|| panic!("{leaf:?} in {dir}"));
                        let is_of = |found: &Option<String>, known: &Option<String>| {
                            found.is_none() || found == known
                        };
                        assert!(is_of(&leaf.model, &known.model), "{leaf:?}");
                        assert!(
                            is_of(&leaf.serial, &known.serial) || known.kind == LeafKind::Usb,
                            "{leaf:?}"
                        );
                        assert!(is_of(&leaf.firmware, &known.firmware), "{leaf:?}");
                        assert!(leaf.capacity_bytes.is_none() || leaf.capacity_bytes == known.capacity_bytes);
                    }
                }
            });
        }
    }
}
