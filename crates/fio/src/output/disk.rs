//! The kernel's disk counters.

/// The kernel's counters of one disk during the run.
#[derive(Debug, Clone, PartialEq)]
pub struct DiskEntry {
    /// Its kernel name.
    pub name: String,
    /// Its counters.
    pub figures: DiskFigures,
    /// Counters of its member disks, for an md or device mapper disk.
    pub members: Vec<DiskFigures>,
}

/// Counters of a disk.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DiskFigures {
    /// Completed reads.
    pub read_ios: u64,
    /// Completed writes.
    pub write_ios: u64,
    /// Sectors of 512 bytes read.
    pub read_sectors: u64,
    /// Sectors of 512 bytes written.
    pub write_sectors: u64,
    /// Reads merged into others.
    pub read_merges: u64,
    /// Writes merged into others.
    pub write_merges: u64,
    /// Time of all reads, in milliseconds.
    pub read_ms: u64,
    /// Time of all writes, in milliseconds.
    pub write_ms: u64,
    /// Time of all I/Os, weighted by the number in flight, in milliseconds.
    pub queue_ms: u64,
    /// Share of time with I/O in flight, in percent.
    pub util_percent: f64,
}

impl DiskEntry {
    /// The mean of the members' counters, and the utilisation of the busiest; `None` without members.
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
