//! The kernel's I/O counters of a drive (`stat` in sysfs, described in Documentation/block/stat.rst).

use cardiograph_core::drive::{DeviceCounters, Drive};

use crate::attribute;
use crate::block::{BlockDevice, SECTOR_LEN_BYTES};
use crate::disk_stats;
use crate::system::System;

impl System {
    /// Sum of the kernel's counters of a stack's drives since they appeared. `None` without drives, or if one
    /// of them cannot be read: a partial sum would look like a cache.
    pub fn counters(&self, drive: &Drive) -> Option<DeviceCounters> {
        let mut sum: Option<DeviceCounters> = None;
        for leaf in &drive.leaves {
            let device = self.block_by_name(&leaf.name)?;
            for device in self.counted_devices(device) {
                let counters = counted(&device.text("stat")?)?;
                sum = Some(sum.unwrap_or_default().plus(&counters));
            }
        }
        sum
    }

    /// The devices whose counters represent the drive: normally the drive itself, but for an NVMe drive with
    /// several paths (`nvme1n1`) its paths (`nvme1c0n1`, ...). Older kernels count nothing at the head, but
    /// all count at the paths.
    fn counted_devices(&self, device: BlockDevice) -> Vec<BlockDevice> {
        let paths = self.nvme_paths(&device);
        if paths.is_empty() { vec![device] } else { paths }
    }

    /// The paths of a multipath NVMe drive, sorted by name; none for other drives.
    pub(crate) fn nvme_paths(&self, device: &BlockDevice) -> Vec<BlockDevice> {
        let Some((subsystem, namespace)) = nvme_head(&device.name) else { return Vec::new() };
        let is_path = |name: &str| {
            let between = name.strip_prefix("nvme").and_then(|rest| rest.strip_prefix(subsystem));
            let controller =
                between.and_then(|rest| rest.strip_prefix('c')?.strip_suffix(namespace)?.strip_suffix('n'));
            controller.is_some_and(attribute::is_number)
        };
        let mut paths: Vec<BlockDevice> = self.block_devices().filter(|other| is_path(&other.name)).collect();
        paths.sort_by(|one, other| one.name.cmp(&other.name));
        paths
    }
}

/// The two numbers of `nvme1n1`.
fn nvme_head(name: &str) -> Option<(&str, &str)> {
    let (subsystem, namespace) = name.strip_prefix("nvme")?.split_once('n')?;
    (attribute::is_number(subsystem) && attribute::is_number(namespace)).then_some((subsystem, namespace))
}

/// Parses a `stat` file. `None` if it is invalid.
fn counted(stat: &str) -> Option<DeviceCounters> {
    let stats = disk_stats::parse(stat)?;
    Some(DeviceCounters {
        read_ios: stats.read_ios,
        read_bytes: stats.read_sectors.checked_mul(SECTOR_LEN_BYTES)?,
        write_ios: stats.write_ios,
        write_bytes: stats.write_sectors.checked_mul(SECTOR_LEN_BYTES)?,
        flush_ios: stats.flush_ios,
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::fixture;
    use crate::system::Space;

    #[test]
    fn all_forms_of_the_file_are_parsed() {
        // Every field has a unique value, so that mixed-up fields are noticed.
        let counters = |flush_ios| DeviceCounters {
            read_ios: 1,
            read_bytes: 3 * 512,
            write_ios: 5,
            write_bytes: 7 * 512,
            flush_ios,
        };
        let cases = [
            ("  1  2  3  4  5  6  7  8  9 10 11\n", Some(counters(0))),
            ("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15", Some(counters(0))),
            ("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", Some(counters(16))),
            ("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18", Some(counters(16))),
            ("1 2 3 4 5 6 7 8 9 10", None),
            ("1 2 3 4 5 6 7 8 9 10 x", None),
            ("1 2 18446744073709551615 4 5 6 7 8 9 10 11", None),
            ("", None),
        ];
        for (stat, expected) in cases {
            assert_eq!(counted(stat), expected, "{stat}");
        }
    }

    fn counters(fixture: &fixture::Fixture, path: &str) -> Option<DeviceCounters> {
        let system = fixture.system();
        system.counters(&system.identify_mounted(Path::new(path), Space::default()).unwrap())
    }

    #[test]
    fn a_sets_counters_are_the_sum_of_its_drives() {
        let fixture = fixture::raid();
        let (sda, sdb) = ("sys/devices/pci0/ata1/host0/block/sda", "sys/devices/pci0/ata2/host1/block/sdb");
        fixture.file(&format!("{sda}/stat"), "10 0 100 0 20 0 200 0 0 0 0 0 0 0 0 3 0\n");
        fixture.file(&format!("{sdb}/stat"), "1 0 8 0 2 0 16 0 0 0 0 0 0 0 0 4 0\n");
        // Counters of the partition and the set themselves must not be added.
        fixture.file(&format!("{sda}/sda1/stat"), "9 9 9 9 9 9 9 9 9 9 9\n");
        fixture.file("sys/devices/virtual/block/md0/stat", "9 9 9 9 9 9 9 9 9 9 9\n");
        let expected = DeviceCounters {
            read_ios: 11,
            read_bytes: 108 * 512,
            write_ios: 22,
            write_bytes: 216 * 512,
            flush_ios: 7,
        };
        assert_eq!(counters(&fixture, "/srv/data"), Some(expected));
        fixture.file(&format!("{sdb}/stat"), "garbage\n");
        assert_eq!(counters(&fixture, "/srv/data"), None);
        fixture.remove(&format!("{sdb}/stat"));
        assert_eq!(counters(&fixture, "/srv/data"), None);
    }

    #[test]
    fn without_drives_there_are_no_counters() {
        assert_eq!(counters(&fixture::container_host(), "/dev/shm"), None);
        assert_eq!(fixture::raspberry_pi().system().counters(&Drive::default()), None);
    }

    #[test]
    fn an_nvme_head_is_counted_at_its_paths() {
        let fixture = fixture::nvme_multipath();
        let total = counters(&fixture, "/").unwrap();
        assert_eq!((total.read_ios, total.read_bytes), (30, 240 * 512));
        // Paths of a namespace or a subsystem with a similar number do not belong to it.
        for (name, number) in [
            ("nvme1c0n11", "259:7"),
            ("nvme11c0n1", "259:8"),
            ("nvme1c0n2", "259:9"),
            ("nvme1cxn1", "259:10"),
        ] {
            fixture.disk("pci0/nvme/nvme1", name, number, 8);
            fixture.file(&format!("sys/devices/pci0/nvme/nvme1/{name}/stat"), "5 5 5 5 5 5 5 5 5 5 5\n");
        }
        assert_eq!(counters(&fixture, "/"), Some(total));
        // Without paths the head itself counts.
        let fixture = fixture::encrypted();
        let nvme = "sys/devices/pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n1/stat";
        fixture.file(nvme, "7 0 14 0 0 0 0 0 0 0 0\n");
        assert_eq!(counters(&fixture, "/").unwrap().read_ios, 7);
    }
}
