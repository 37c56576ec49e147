//! What the kernel reports about a block device: partitions, id for consent, and holders.
//!
//! Everything is read below a root, so that a directory tree can represent another machine.

use std::fs;
use std::io;
use std::path::Path;

use cardiograph_core::message;
use cardiograph_core::system_error::explained;

use super::attribute::text;
use super::serial::{is_shared, serial};
use super::{DeviceNumber, number_in};

/// The kernel's unit for partitions, in bytes, independent of the device's block size.
const SECTOR_LEN_BYTES: u64 = 512;

/// A block device, or a partition, in sysfs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    /// The kernel's name, such as `sda1`.
    pub name: String,
    pub number: DeviceNumber,
    /// Start on its disk, in bytes.
    pub start_bytes: u64,
    /// Length in bytes.
    pub len_bytes: u64,
    /// Devices built on it, such as `md0` or `dm-3 (vg-data)`.
    pub holders: Vec<String>,
}

/// A device to be written to, and everything that shares its blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DeviceFacts {
    /// The device itself.
    pub device: Part,
    /// Its partitions.
    pub partitions: Vec<Part>,
    /// The disk that it is a partition of.
    pub disk: Option<Part>,
    /// Model name reported by the drive.
    pub model: Option<String>,
    /// Id by which the user approves erasing it.
    pub id: String,
    /// Whether the kernel refuses writes.
    pub is_read_only: bool,
}

impl DeviceFacts {
    /// Looks up a device.
    ///
    /// # Errors
    /// When sysfs is missing or does not have the device, because its disk is then unknown.
    pub(crate) fn look_up(root: &Path, number: DeviceNumber) -> io::Result<Self> {
        let dir = fs::canonicalize(root.join(format!("sys/dev/block/{number}")))?;
        let disk_dir = match dir.join("partition").exists() {
            true => dir.parent().map(Path::to_path_buf),
            false => None,
        };
        let mut partitions = Vec::new();
        for entry in fs::read_dir(&dir)? {
            let path = entry?.path();
            if path.join("partition").exists() {
                partitions.push(Part::read(&path)?);
            }
        }
        partitions.sort_by_key(|part| part.start_bytes);
        let drive_dir = disk_dir.as_ref().unwrap_or(&dir);
        Ok(Self {
            device: Part::read(&dir)?,
            partitions,
            disk: disk_dir.as_deref().map(Part::read).transpose()?,
            model: text(drive_dir.join("device/model")).or_else(|| text(drive_dir.join("device/name"))),
            id: id(root, &dir, drive_dir, number)?,
            is_read_only: text(dir.join("ro")).is_some_and(|flag| flag != "0"),
        })
    }

    /// Everything that shares blocks with the device: itself, its partitions, its disk.
    pub(crate) fn related(&self) -> impl Iterator<Item = &Part> {
        std::iter::once(&self.device).chain(&self.partitions).chain(&self.disk)
    }
}

impl Part {
    fn read(dir: &Path) -> io::Result<Self> {
        let name = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let missing = || explained(io::ErrorKind::InvalidData, message!("device-incomplete", device = &name));
        let sectors = |attribute| text(dir.join(attribute))?.parse::<u64>().ok();
        let len_bytes = sectors("size").ok_or_else(&missing)?.saturating_mul(SECTOR_LEN_BYTES);
        Ok(Self {
            number: number_in(dir).ok_or_else(missing)?,
            start_bytes: sectors("start").unwrap_or(0).saturating_mul(SECTOR_LEN_BYTES),
            len_bytes,
            holders: holders(dir),
            name,
        })
    }
}

/// Devices built on this one, sorted by name.
fn holders(dir: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(dir.join("holders")) else { return Vec::new() };
    let describe = |entry: fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        match text(entry.path().join("dm/name")) {
            Some(given) => format!("{name} ({given})"),
            None => name,
        }
    };
    let mut holders: Vec<String> = entries.filter_map(|entry| entry.ok().map(describe)).collect();
    holders.sort();
    holders
}

/// Id by which the user approves erasing a device: the drive's serial number, or device number and length
/// where it has none. A part of the drive has its own name appended.
fn id(root: &Path, dir: &Path, drive_dir: &Path, number: DeviceNumber) -> io::Result<String> {
    let device = Part::read(dir)?;
    let serial = serial(drive_dir).filter(|serial| !is_shared(root, drive_dir, serial));
    let Some(serial) = serial else { return Ok(format!("{number}-{}", device.len_bytes)) };
    let mut id = serial;
    if let Some(namespace) = text(drive_dir.join("nsid")).filter(|nsid| nsid != "1") {
        id.push_str(&format!("-ns{namespace}"));
    }
    // eMMC has further devices with the serial number of the first, such as `mmcblk0boot0`.
    let drive = drive_dir.file_name().unwrap_or_default().to_string_lossy();
    let hardware_part =
        drive.strip_prefix("mmcblk").map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    if let Some(part) = hardware_part.filter(|part| !part.is_empty()) {
        id.push_str(&format!("-{part}"));
    }
    if let Some(partition) = text(dir.join("partition")) {
        id.push_str(&format!("-part{partition}"));
    }
    Ok(id)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// A sysfs tree with one disk; each file is given by path and content.
    fn tree(disk: &str, files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("sys/block").join(disk);
        for (path, content) in files {
            let path = dir.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, content).unwrap();
        }
        let by_number = root.path().join("sys/dev/block");
        fs::create_dir_all(&by_number).unwrap();
        let link =
            |number: &str, to: PathBuf| std::os::unix::fs::symlink(to, by_number.join(number)).unwrap();
        link("8:0", dir.clone());
        let partitions = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path());
        for partition in partitions.filter(|path| path.join("partition").exists()) {
            link(fs::read_to_string(partition.join("dev")).unwrap().trim(), partition.clone());
        }
        root
    }

    const DISK: [(&str, &str); 2] = [("dev", "8:0\n"), ("size", "4096\n")];

    fn id_of(disk: &str, files: &[(&str, &str)]) -> String {
        let root = tree(disk, &[&DISK, files].concat());
        DeviceFacts::look_up(root.path(), DeviceNumber { major: 8, minor: 0 }).unwrap().id
    }

    #[test]
    fn ids_identify_only_one_device() {
        assert_eq!(id_of("loop0", &[]), "8:0-2097152");
        assert_eq!(id_of("mmcblk0", &[("device/serial", "0x8a4c1f22\n")]), "0x8a4c1f22");
        assert_eq!(id_of("mmcblk0boot1", &[("device/serial", "0x8a4c1f22\n")]), "0x8a4c1f22-boot1");
        assert_eq!(id_of("nvme0n1", &[("device/serial", "S4EWNX0R 104\n"), ("nsid", "1\n")]), "S4EWNX0R_104");
        assert_eq!(id_of("nvme0n2", &[("device/serial", "S4EWNX0R\n"), ("nsid", "2\n")]), "S4EWNX0R-ns2");
        assert_eq!(id_of("vda", &[("serial", "disk-1")]), "disk-1");
        assert_eq!(id_of("sda", &[("device/vpd_pg80", "\0\u{80}\0\u{4}")]), "8:0-2097152", "cut off");
        assert_eq!(id_of("sda", &[("device/wwid", "naa.5002538e\n")]), "naa.5002538e");
        assert_eq!(id_of("sda", &[("wwid", "it's \"x\";"), ("device/wwid", " \n")]), "it_s__x__");
        // Serial numbers that many drives share.
        assert_eq!(id_of("sda", &[("device/serial", "0x00000000\n")]), "8:0-2097152");
        assert_eq!(id_of("sda", &[("device/serial", "0000 0000\n")]), "8:0-2097152");
    }

    #[test]
    fn scsi_serial_numbers_come_from_a_vpd_page() {
        let root = tree("sda", &[&DISK[..], &[("device/model", "Portable SSD T5 \n")]].concat());
        let page = root.path().join("sys/block/sda/device/vpd_pg80");
        fs::write(page, b"\0\x80\0\x08S46WNS0 and what follows").unwrap();
        let facts = DeviceFacts::look_up(root.path(), DeviceNumber { major: 8, minor: 0 }).unwrap();
        assert_eq!((facts.id.as_str(), facts.model.as_deref()), ("S46WNS0", Some("Portable SSD T5")));
    }

    #[test]
    fn partitions_are_related_to_their_disk() {
        let files = [
            ("serial", "A1"),
            ("ro", "0\n"),
            ("sda2/partition", "2\n"),
            ("sda2/dev", "8:2\n"),
            ("sda2/start", "2048\n"),
            ("sda2/size", "1024\n"),
            ("sda2/ro", "1\n"),
            ("sda2/holders/md0/size", "1"),
            ("sda1/partition", "1\n"),
            ("sda1/dev", "8:1\n"),
            ("sda1/start", "64\n"),
            ("sda1/size", "1024\n"),
            ("queue/logical_block_size", "512"),
        ];
        let root = tree("sda", &[&DISK[..], &files].concat());
        let look_up = |minor| DeviceFacts::look_up(root.path(), DeviceNumber { major: 8, minor });
        let disk = look_up(0).unwrap();
        let names = |facts: &DeviceFacts| facts.related().map(|part| part.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&disk), ["sda", "sda1", "sda2"]);
        assert_eq!((disk.id.as_str(), disk.is_read_only), ("A1", false));
        assert_eq!((disk.partitions[1].start_bytes, disk.partitions[1].len_bytes), (1 << 20, 1 << 19));
        assert_eq!(disk.partitions[1].holders, ["md0"]);
        let partition = look_up(2).unwrap();
        assert_eq!(names(&partition), ["sda2", "sda"], "its neighbour is another's");
        assert_eq!((partition.id.as_str(), partition.is_read_only), ("A1-part2", true));
        assert!(look_up(3).is_err());
        fs::remove_file(root.path().join("sys/block/sda/sda1/size")).unwrap();
        assert!(look_up(0).is_err(), "what is not known whole is not known");
    }
}
