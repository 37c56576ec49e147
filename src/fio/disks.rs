//! The kernel's counters of the disks that a run uses: fio's `disk_util`.

use std::time::Instant;

use cardiograph_drive::{DiskStats, System};
use cardiograph_fio::output::run::{DiskEntry, DiskFigures};

/// Disks, with their counters when the run began.
pub struct Disks {
    system: System,
    /// Device number and counters of each disk.
    began: Vec<((u32, u32), DiskStats)>,
    since: Instant,
}

impl Disks {
    /// Reads the counters of devices by number, skipping those without, such as memory.
    pub fn begin(devices: &[(u32, u32)]) -> Self {
        let system = System::local();
        let mut began: Vec<((u32, u32), DiskStats)> = Vec::new();
        for &number in devices {
            if let Some(stats) = system.disk_stats(number.0, number.1)
                && !began.iter().any(|(_, known)| known.name == stats.name)
            {
                began.push((number, stats));
            }
        }
        Self { system, began, since: Instant::now() }
    }

    /// Counts since then.
    pub fn entries(&self) -> Vec<DiskEntry> {
        let elapsed_ms = self.since.elapsed().as_secs_f64() * 1e3;
        let now = self
            .began
            .iter()
            .filter_map(|((major, minor), began)| Some(self.system.disk_stats(*major, *minor)?.since(began)));
        let entry = |stats: DiskStats| DiskEntry {
            figures: figures(&stats, elapsed_ms),
            members: stats.members.iter().map(|member| figures(member, elapsed_ms)).collect(),
            name: stats.name,
        };
        now.map(entry).collect()
    }
}

fn figures(stats: &DiskStats, elapsed_ms: f64) -> DiskFigures {
    let util_percent = if elapsed_ms > 0.0 { stats.busy_ms as f64 * 100.0 / elapsed_ms } else { 0.0 };
    DiskFigures {
        read_ios: stats.read_ios,
        write_ios: stats.write_ios,
        read_sectors: stats.read_sectors,
        write_sectors: stats.write_sectors,
        read_merges: stats.read_merges,
        write_merges: stats.write_merges,
        read_ms: stats.read_ms,
        write_ms: stats.write_ms,
        queue_ms: stats.queue_ms,
        // The kernel's coarser ticks can exceed the elapsed time.
        util_percent: util_percent.min(100.0),
    }
}
