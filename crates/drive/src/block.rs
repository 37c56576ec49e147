//! Block devices in sysfs, found by name, number or path in `/dev`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::attribute;
use crate::system::System;
use cardiograph_core::drive::DeviceNumber;

/// The kernel counts sizes and traffic of every block device in units of this many bytes, whatever its block
/// size (Documentation/ABI/stable/sysfs-block).
pub(crate) const SECTOR_LEN_BYTES: u64 = 512;

/// A block device known to sysfs.
#[derive(Debug, Clone)]
pub(crate) struct BlockDevice {
    /// The kernel's name. A `/` in it is written `!`, as in sysfs.
    pub name: String,
    /// Its directory, without symbolic links, so that its parents are the buses that it is attached to.
    pub dir: PathBuf,
}

impl BlockDevice {
    /// Follows a sysfs link to a device.
    fn from_link(link: &Path) -> Option<Self> {
        let dir = fs::canonicalize(link).ok()?;
        let name = dir.file_name()?.to_str()?.to_string();
        // Only block devices have these. Their number would not do: hidden paths of NVMe have none.
        let is_block = dir.join("stat").exists() || dir.join("size").exists();
        is_block.then_some(Self { name, dir })
    }

    /// A text attribute.
    pub fn text(&self, attribute: &str) -> Option<String> {
        attribute::text(&self.dir.join(attribute))
    }

    /// A number attribute.
    pub fn number(&self, attribute: &str) -> Option<u64> {
        attribute::number(&self.dir.join(attribute))
    }

    /// Whether it has an attribute or a directory of that name.
    pub fn has(&self, attribute: &str) -> bool {
        self.dir.join(attribute).exists()
    }

    /// Whether it is a partition. Its path shows that even if it disappears meanwhile: it is in the directory
    /// of its disk, and its name is the disk's with a number appended.
    pub fn is_partition(&self) -> bool {
        let above = self.dir.parent().and_then(Path::file_name).and_then(|name| name.to_str());
        let rest = above.and_then(|above| self.name.strip_prefix(above));
        let number = rest.map(|rest| rest.strip_prefix('p').unwrap_or(rest));
        number.is_some_and(attribute::is_number) || self.has("partition")
    }

    /// Capacity in bytes. A drive without a medium reports 0, which means unknown.
    pub fn capacity_bytes(&self) -> Option<u64> {
        self.sectors_bytes("size").filter(|&bytes| bytes > 0)
    }

    /// An attribute in sectors, converted to bytes.
    pub fn sectors_bytes(&self, attribute: &str) -> Option<u64> {
        self.number(attribute)?.checked_mul(SECTOR_LEN_BYTES)
    }

    /// The device that contains it: the directory above.
    pub fn parent(&self) -> Option<Self> {
        Self::from_link(self.dir.parent()?)
    }

    /// The devices that it is built on, sorted by name.
    pub fn slaves(&self) -> Vec<Self> {
        let mut links = entries(&self.dir.join("slaves"));
        links.sort();
        links.iter().filter_map(|link| Self::from_link(link)).collect()
    }
}

impl System {
    /// The device with a name. `None` if there is none, or the name is not a single path component.
    pub(crate) fn block_by_name(&self, name: &str) -> Option<BlockDevice> {
        if name.is_empty() || name.starts_with('.') || name.contains('/') {
            return None;
        }
        ["sys/class/block", "sys/block"]
            .iter()
            .find_map(|dir| BlockDevice::from_link(&self.under_root(dir).join(name)))
    }

    /// The device with a number.
    pub(crate) fn block_by_number(&self, number: DeviceNumber) -> Option<BlockDevice> {
        let name = format!("{}:{}", number.major, number.minor);
        BlockDevice::from_link(&self.under_root("sys/dev/block").join(name))
    }

    /// The device with a path in `/dev`: by the device's name, as a device mapper volume, or through a link.
    pub(crate) fn block_by_path(&self, path: &str) -> Option<BlockDevice> {
        let name = path.strip_prefix("/dev/")?;
        if let Some(device) = self.block_by_name(&name.replace('/', "!")) {
            return Some(device);
        }
        if let Some(volume) = name.strip_prefix("mapper/")
            && let Some(device) =
                self.block_devices().find(|device| device.text("dm/name").as_deref() == Some(volume))
        {
            return Some(device);
        }
        let target = fs::canonicalize(self.under_root(path)).ok()?;
        self.block_by_name(target.file_name()?.to_str()?)
    }

    /// All block devices.
    pub(crate) fn block_devices(&self) -> impl Iterator<Item = BlockDevice> {
        entries(&self.under_root("sys/class/block"))
            .into_iter()
            .filter_map(|link| BlockDevice::from_link(&link))
    }

    /// All devices of the btrfs file system that `device` belongs to, if any. The mount list names only one
    /// of them.
    pub(crate) fn btrfs_members(&self, device: &BlockDevice) -> Vec<BlockDevice> {
        for file_system in entries(&self.under_root("sys/fs/btrfs")) {
            let mut links = entries(&file_system.join("devices"));
            links.sort();
            let members: Vec<BlockDevice> =
                links.iter().filter_map(|link| BlockDevice::from_link(link)).collect();
            if members.iter().any(|member| member.name == device.name) {
                return members;
            }
        }
        Vec::new()
    }
}

/// The paths in a directory; none if it cannot be read.
pub(crate) fn entries(dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    #[test]
    fn a_device_is_found_by_name_number_and_path() {
        let fixture = Fixture::new();
        fixture.disk("virtual/block", "dm-0", "253:0", 2_048);
        fixture.file("sys/devices/virtual/block/dm-0/dm/name", "vg-data\n");
        fixture.disk("pci0000:00/0000:00:02.0/cciss0/block", "cciss!c0d0", "104:0", 2_048);
        fixture.link("dev/disk/by-uuid/1234", "../../cciss!c0d0");
        fixture.file("dev/cciss!c0d0", "");
        let system = fixture.system();
        let name = |device: Option<BlockDevice>| device.map(|device| device.name);
        assert_eq!(name(system.block_by_name("dm-0")).as_deref(), Some("dm-0"));
        assert_eq!(
            name(system.block_by_number(DeviceNumber { major: 253, minor: 0 })).as_deref(),
            Some("dm-0")
        );
        assert_eq!(name(system.block_by_number(DeviceNumber { major: 253, minor: 1 })), None);
        let cases = [
            ("/dev/dm-0", Some("dm-0")),
            ("/dev/mapper/vg-data", Some("dm-0")),
            ("/dev/mapper/vg-other", None),
            ("/dev/cciss/c0d0", Some("cciss!c0d0")),
            ("/dev/disk/by-uuid/1234", Some("cciss!c0d0")),
            ("/dev/root", None),
            ("/dev/", None),
            ("/dev/../sys", None),
            ("tank/data", None),
        ];
        for (path, device) in cases {
            assert_eq!(name(system.block_by_path(path)).as_deref(), device, "{path}");
        }
        fixture.file("sys/class/block/stray/dev", "8:8\n");
        for bad in ["", ".", "..", "../block/dm-0", "dm-1", "stray"] {
            assert_eq!(name(system.block_by_name(bad)), None, "{bad}");
        }
    }

    #[test]
    fn sizes_are_in_sectors_of_512_bytes_and_zero_is_unknown() {
        let fixture = Fixture::new();
        for (size, bytes) in [
            ("3000000000\n", Some(1_536_000_000_000)),
            ("0\n", None),
            ("36028797018963968", None),
            ("x", None),
        ] {
            fixture.disk("virtual/block", "sda", "8:0", 0);
            fixture.file("sys/devices/virtual/block/sda/size", size);
            fixture.file("sys/devices/virtual/block/sda/queue/logical_block_size", "4096\n");
            assert_eq!(fixture.system().block_by_name("sda").unwrap().capacity_bytes(), bytes, "{size}");
        }
    }
}
