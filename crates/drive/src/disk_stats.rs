//! The kernel's counters of the disk that holds a file, and of its member disks: the figures of iostat.
//!
//! The fields of `stat` are described in Documentation/block/stat.rst.

use crate::block::BlockDevice;
use crate::system::System;
use cardiograph_core::drive::DeviceNumber;

/// Counters of a disk since it appeared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DiskStats {
    /// The kernel's name of the disk.
    pub name: String,
    /// Completed reads.
    pub read_ios: u64,
    /// Merged reads.
    pub read_merges: u64,
    /// Sectors read, of 512 bytes.
    pub read_sectors: u64,
    /// Time of all reads, in milliseconds.
    pub read_ms: u64,
    /// Completed writes.
    pub write_ios: u64,
    /// Merged writes.
    pub write_merges: u64,
    /// Sectors written, of 512 bytes.
    pub write_sectors: u64,
    /// Time of all writes, in milliseconds.
    pub write_ms: u64,
    /// Time with any I/O in flight, in milliseconds.
    pub busy_ms: u64,
    /// Total time of all I/Os, weighted by the number in flight, in milliseconds.
    pub queue_ms: u64,
    /// Completed flushes; 0 before Linux 5.5, which introduced the counter.
    pub flush_ios: u64,
    /// The same for its member disks.
    pub members: Vec<DiskStats>,
}

impl DiskStats {
    /// The difference to `earlier`.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let member = |now: &Self| {
            let before = earlier.members.iter().find(|before| before.name == now.name);
            before.map_or_else(|| now.clone(), |before| now.since(before))
        };
        // The kernel's counters wrap.
        Self {
            name: self.name.clone(),
            read_ios: self.read_ios.wrapping_sub(earlier.read_ios),
            read_merges: self.read_merges.wrapping_sub(earlier.read_merges),
            read_sectors: self.read_sectors.wrapping_sub(earlier.read_sectors),
            read_ms: self.read_ms.wrapping_sub(earlier.read_ms),
            write_ios: self.write_ios.wrapping_sub(earlier.write_ios),
            write_merges: self.write_merges.wrapping_sub(earlier.write_merges),
            write_sectors: self.write_sectors.wrapping_sub(earlier.write_sectors),
            write_ms: self.write_ms.wrapping_sub(earlier.write_ms),
            busy_ms: self.busy_ms.wrapping_sub(earlier.busy_ms),
            queue_ms: self.queue_ms.wrapping_sub(earlier.queue_ms),
            flush_ios: self.flush_ios.wrapping_sub(earlier.flush_ios),
            members: self.members.iter().map(member).collect(),
        }
    }
}

impl System {
    /// Counters of the disk with this device number, or of a partition's disk. `None` for file systems
    /// without a block device.
    pub fn disk_stats(&self, major: u32, minor: u32) -> Option<DiskStats> {
        let device = self.block_by_number(DeviceNumber { major, minor })?;
        let disk = if device.has("partition") { device.parent()? } else { device };
        read(&disk)
    }
}

fn read(disk: &BlockDevice) -> Option<DiskStats> {
    let mut stats = parse(&disk.text("stat")?)?;
    stats.name = disk.name.clone();
    stats.members = disk.slaves().iter().filter_map(read).collect();
    Some(stats)
}

/// Parses a `stat` file, which has neither name nor members. `None` if it is invalid.
pub(crate) fn parse(stat: &str) -> Option<DiskStats> {
    let fields: Vec<u64> = stat.split_whitespace().map(|field| field.parse().ok()).collect::<Option<_>>()?;
    // 11 fields originally, 15 with discards, 17 with flushes.
    let at = |index: usize| fields.get(index).copied();
    Some(DiskStats {
        read_ios: at(0)?,
        read_merges: at(1)?,
        read_sectors: at(2)?,
        read_ms: at(3)?,
        write_ios: at(4)?,
        write_merges: at(5)?,
        write_sectors: at(6)?,
        write_ms: at(7)?,
        busy_ms: at(9)?,
        queue_ms: at(10)?,
        flush_ios: at(15).unwrap_or(0),
        ..DiskStats::default()
    })
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    #[test]
    fn a_partition_is_counted_at_its_disk() {
        let fixture = Fixture::new();
        fixture.disk("pci0/ata1/host0/block", "sda", "8:0", 2_048);
        fixture.file("sys/devices/pci0/ata1/host0/block/sda/stat", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n");
        fixture.partition("pci0/ata1/host0/block/sda", "sda1", 1, "8:1", 1_024);
        let system = fixture.system();
        let stats = system.disk_stats(8, 1).unwrap();
        assert_eq!(stats, system.disk_stats(8, 0).unwrap());
        assert_eq!(
            (stats.name.as_str(), stats.read_ios, stats.read_merges, stats.read_sectors),
            ("sda", 1, 2, 3)
        );
        assert_eq!((stats.read_ms, stats.write_ios, stats.write_merges, stats.write_sectors), (4, 5, 6, 7));
        assert_eq!((stats.write_ms, stats.busy_ms, stats.queue_ms), (8, 10, 11));
        assert_eq!(system.disk_stats(0, 21), None);
        fixture.file("sys/devices/pci0/ata1/host0/block/sda/stat", "3 2 3 4 5 6 7 8 9 10 11\n");
        let since = system.disk_stats(8, 0).unwrap().since(&stats);
        assert_eq!((since.read_ios, since.write_ios), (2, 0));
    }

    #[test]
    fn a_set_is_counted_with_its_members() {
        let fixture = crate::fixture::raid();
        let stat = |path: &str, reads: u64| {
            fixture.file(&format!("{path}/stat"), format!("{reads} 0 0 0 0 0 0 0 0 0 0\n"))
        };
        stat("sys/devices/virtual/block/md0", 30);
        stat("sys/devices/pci0/ata1/host0/block/sda/sda1", 10);
        stat("sys/devices/pci0/ata2/host1/block/sdb/sdb1", 20);
        let stats = fixture.system().disk_stats(9, 0).unwrap();
        assert_eq!((stats.name.as_str(), stats.read_ios), ("md0", 30));
        assert_eq!(stats.members.iter().map(|member| member.read_ios).collect::<Vec<_>>(), [10, 20]);
    }
}
