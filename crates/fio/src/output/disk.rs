//! What the kernel counted on disks.

/// What the kernel counted on one disk during the run.
#[derive(Debug, Clone, PartialEq)]
pub struct DiskEntry {
    /// Its kernel name.
    pub name: String,
    /// What was counted on it.
    pub figures: DiskFigures,
    /// What was counted on the disks that it is made of, for a disk of md or the device mapper.
    pub members: Vec<DiskFigures>,
}

/// Counters of a disk.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DiskFigures {
    /// Reads that completed.
    pub read_ios: u64,
    /// Writes that completed.
    pub write_ios: u64,
    /// Sectors of 512 bytes that were read.
    pub read_sectors: u64,
    /// Sectors of 512 bytes that were written.
    pub write_sectors: u64,
    /// Reads that were merged into others.
    pub read_merges: u64,
    /// Writes that were merged into others.
    pub write_merges: u64,
    /// Time of all reads, in milliseconds.
    pub read_ms: u64,
    /// Time of all writes, in milliseconds.
    pub write_ms: u64,
    /// Time of all I/Os, weighted by how many were in flight, in milliseconds.
    pub queue_ms: u64,
    /// Share of the time in which an I/O was in flight, in percent.
    pub util_percent: f64,
}

impl DiskEntry {
    /// The mean over the members of what was counted, and the utilisation of the busiest; `None` without members.
    pub(super) fn aggregate(&self) -> Option<DiskFigures> {
        let n = self.members.len() as u64;
        let mean = |counter: fn(&DiskFigures) -> u64| {
            self.members.iter().map(counter).sum::<u64>().checked_div(n).unwrap_or(0)
        };
        (n > 0).then(|| DiskFigures {
            read_ios: mean(|member| member.read_ios),
            write_ios: mean(|member| member.write_ios),
            read_sectors: mean(|member| member.read_sectors),
            write_sectors: mean(|member| member.write_sectors),
            read_merges: mean(|member| member.read_merges),
            write_merges: mean(|member| member.write_merges),
            read_ms: mean(|member| member.read_ms),
            write_ms: mean(|member| member.write_ms),
            queue_ms: mean(|member| member.queue_ms),
            util_percent: self.members.iter().map(|member| member.util_percent).fold(0.0, f64::max),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_a_disk_are_averaged_but_the_busiest_counts() {
        let member =
            |read_ios, util_percent| DiskFigures { read_ios, util_percent, ..DiskFigures::default() };
        let name = "md0".to_string();
        let figures = DiskFigures::default();
        let mut disk = DiskEntry { name, figures, members: vec![member(3, 50.0), member(4, 99.0)] };
        assert_eq!(disk.aggregate(), Some(member(3, 99.0)));
        disk.members.clear();
        assert_eq!(disk.aggregate(), None);
    }
}
