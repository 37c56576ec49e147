//! The emulated machine: its disks, and the run of QEMU.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::arch::Arch;

const MEMORY_MIB: u32 = 1_024;
const GIB: u64 = 1 << 30;
/// Polling interval of the guest.
const POLL: Duration = Duration::from_millis(200);

/// A disk of the machine: a sparse image.
struct Disk {
    /// Its variable in scripts, which holds the path of its device.
    name: &'static str,
    size_gib: u64,
    /// The serial number or model by which the guest finds it; empty for the card, which has a fixed name.
    mark: &'static str,
    /// QEMU's `-device`, without the drive.
    device: &'static [&'static str],
}

const DISKS: &[Disk] = &[
    Disk { name: "card", size_gib: 8, mark: "", device: &["sdhci-pci", "sd-card"] },
    Disk { name: "nvme", size_gib: 8, mark: "rig-nvme", device: &["nvme,serial=rig-nvme"] },
    Disk { name: "virtio", size_gib: 8, mark: "rig-virtio", device: &["virtio-blk-pci,serial=rig-virtio"] },
    Disk {
        name: "member_a",
        size_gib: 2,
        mark: "rig-member-a",
        device: &["virtio-blk-pci,serial=rig-member-a"],
    },
    Disk {
        name: "member_b",
        size_gib: 2,
        mark: "rig-member-b",
        device: &["virtio-blk-pci,serial=rig-member-b"],
    },
    Disk {
        name: "sata",
        size_gib: 4,
        mark: "rig-sata",
        device: &[
            "ich9-ahci,id=sata",
            "ide-hd,bus=sata.0,model=rig-sata,serial=rig-s1,ver=1.2.3.45,rotation_rate=7200",
        ],
    },
    Disk {
        name: "stick",
        size_gib: 4,
        mark: "QEMU HARDDISK",
        device: &["qemu-xhci,id=usb", "usb-storage,bus=usb.0,serial=rig-stick,removable=on"],
    },
    Disk {
        name: "uas",
        size_gib: 4,
        mark: "rig-uas",
        device: &["usb-uas,bus=usb.0,id=uas", "scsi-hd,bus=uas.0,vendor=RIG,product=rig-uas,serial=rig-u1"],
    },
];

/// The marks by which the guest finds the disks, each in a line with the name.
pub fn marks() -> String {
    let marked = DISKS.iter().filter(|disk| !disk.mark.is_empty());
    marked.map(|disk| format!("{} {}\n", disk.name, disk.mark)).collect()
}

/// A machine ready to start.
pub struct Machine<'a> {
    /// The architecture.
    pub arch: &'static Arch,
    /// The kernel.
    pub kernel: &'a Path,
    /// Its initramfs.
    pub archive: &'a Path,
    /// The directory of disk images and the guest's outputs.
    pub directory: &'a Path,
}

impl Machine<'_> {
    /// Path of the guest's report.
    pub fn report(&self) -> PathBuf {
        self.directory.join("report.txt")
    }

    /// Path of the console's output.
    pub fn console(&self) -> PathBuf {
        self.directory.join("console.txt")
    }

    /// Starts it, and waits until it has powered off. After `time_max` it is killed.
    ///
    /// # Errors
    /// When it cannot be started, ends with an error, or does not end.
    pub fn run(&self, time_max: Duration) -> Result<(), String> {
        let images = self.make_images()?;
        let child = self.command(&images).stdin(Stdio::null()).spawn();
        let outcome = child
            .map_err(|error| format!("{} cannot be started: {error}", self.arch.emulator))
            .and_then(|child| wait(child, time_max));
        for image in images {
            // The next run does not need the images.
            let _ = std::fs::remove_file(image);
        }
        outcome
    }

    fn make_images(&self) -> Result<Vec<PathBuf>, String> {
        let mut images = Vec::new();
        for disk in DISKS {
            let path = self.directory.join(format!("{}.img", disk.name));
            let size_bytes = disk.size_gib * GIB;
            let made = File::create(&path).and_then(|file| {
                file.set_len(size_bytes)?;
                if disk.mark.is_empty() { write_partition(&file, size_bytes) } else { Ok(()) }
            });
            made.map_err(|error| format!("{}: {error}", path.display()))?;
            images.push(path);
        }
        Ok(images)
    }

    fn command(&self, images: &[PathBuf]) -> Command {
        let mut command = Command::new(self.arch.emulator);
        command.args(self.arch.machine);
        command.args(["-smp", "2", "-m", &MEMORY_MIB.to_string()]);
        command.args(["-nodefaults", "-display", "none", "-no-reboot"]);
        command.arg("-kernel").arg(self.kernel).arg("-initrd").arg(self.archive);
        command.args(["-append", &format!("console={} quiet panic=-1 rdinit=/init", self.arch.console)]);
        command.arg("-serial").arg(with_path("file:", &self.console()));
        command.args(["-device", "virtio-serial-pci", "-device", "virtserialport,chardev=report,name=rig"]);
        command.arg("-chardev").arg(with_path("file,id=report,path=", &self.report()));
        for (disk, image) in DISKS.iter().zip(images) {
            // Images need not survive a crash of this machine, so they are not flushed.
            let options = format!("if=none,id={},format=raw,cache=unsafe,discard=unmap,file=", disk.name);
            command.arg("-drive").arg(with_path(&options, image));
            let (last, controllers) = disk.device.split_last().expect("a disk has a device");
            controllers.iter().for_each(|controller| {
                command.args(["-device", controller]);
            });
            command.args(["-device", &format!("{last},drive={}", disk.name)]);
        }
        command
    }
}

/// QEMU escapes a comma in a value by doubling it.
fn with_path(before: &str, path: &Path) -> String {
    format!("{before}{}", path.display().to_string().replace(',', ",,"))
}

/// Waits for the end, and kills the machine after `time_max`.
fn wait(mut child: Child, time_max: Duration) -> Result<(), String> {
    let start = Instant::now();
    let ended = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Ok(status),
            Err(error) => break Err(error.to_string()),
            Ok(None) if start.elapsed() >= time_max => {
                break Err(format!("the guest has not powered off after {} s", time_max.as_secs()));
            }
            Ok(None) => thread::sleep(POLL),
        }
    };
    match ended {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("QEMU failed ({status})")),
        Err(reason) => {
            let _ = child.kill();
            let _ = child.wait();
            Err(reason)
        }
    }
}

/// Writes a partition table with one partition as on new cards: from 4 MiB on, for FAT.
fn write_partition(disk: &File, size_bytes: u64) -> io::Result<()> {
    const START: u64 = 8_192;
    let sectors = size_bytes / 512 - START;
    let mut entry = [0; 16];
    // FAT32 with LBA; the CHS fields are unused.
    entry[4] = 0x0c;
    entry[8..12].copy_from_slice(&(START as u32).to_le_bytes());
    entry[12..].copy_from_slice(&u32::try_from(sectors).map_err(io::Error::other)?.to_le_bytes());
    disk.write_all_at(&entry, 446)?;
    disk.write_all_at(&[0x55, 0xaa], 510)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_does_not_end_is_killed_and_failures_are_reported() {
        let sleeper = Command::new("sleep").arg("600").spawn().unwrap();
        let id = sleeper.id();
        let reason = wait(sleeper, Duration::ZERO).unwrap_err();
        assert!(reason.contains("has not powered off after 0 s"), "{reason}");
        assert!(!Path::new(&format!("/proc/{id}")).exists());
        let reason = wait(Command::new("false").spawn().unwrap(), Duration::from_secs(60)).unwrap_err();
        assert!(reason.contains("QEMU failed"), "{reason}");
        wait(Command::new("true").spawn().unwrap(), Duration::from_secs(60)).unwrap();
    }

    #[test]
    fn each_disk_except_the_card_has_a_unique_mark() {
        let text = marks();
        assert_eq!(text.lines().count(), DISKS.len() - 1);
        for disk in DISKS.iter().filter(|disk| !disk.mark.is_empty()) {
            let same = DISKS.iter().filter(|other| other.mark == disk.mark);
            assert_eq!(same.count(), 1, "{}", disk.mark);
        }
    }

    #[test]
    fn paths_with_commas() {
        assert_eq!(with_path("file:", Path::new("/a,b")), "file:/a,,b");
    }
}
