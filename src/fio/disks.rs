//! What the kernel counted on the disks that a run uses: fio's `disk_util`.

use std::collections::BTreeSet;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;
use std::time::Instant;

use cardiograph_core::plan::{Plan, PlannedJob};
use cardiograph_drive::{DiskStats, System};
use cardiograph_fio::output::run::{DiskEntry, DiskFigures};
use cardiograph_jobs::options;

/// The disks under some paths, and what was counted on them when the run began.
pub struct Disks {
    system: System,
    /// Device number and counters of each disk.
    began: Vec<((u32, u32), DiskStats)>,
    since: Instant,
}

impl Disks {
    /// Looks up the disks of a plan's files, each once; that of the directory where a job makes the file. Paths that are on none, as in memory,
    /// are left out.
    pub fn of(plan: &Plan) -> Self {
        let system = System::local();
        let with_files = plan.jobs.iter().filter(|job| options::engine(&job.workload.engine).is_on_files());
        let targets: BTreeSet<usize> =
            with_files.flat_map(PlannedJob::files).map(|file| file.target).collect();
        let mut began: Vec<((u32, u32), DiskStats)> = Vec::new();
        for path in targets.into_iter().map(|target| &plan.targets[target]) {
            let Ok(found) = std::fs::metadata(path).or_else(|_| directory_of(path).metadata()) else {
                continue;
            };
            let raw = if found.file_type().is_block_device() { found.rdev() } else { found.dev() };
            let number = (rustix::fs::major(raw), rustix::fs::minor(raw));
            if let Some(stats) = system.disk_stats(number.0, number.1)
                && !began.iter().any(|(_, known)| known.name == stats.name)
            {
                began.push((number, stats));
            }
        }
        Self { system, began, since: Instant::now() }
    }

    /// What was counted since.
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

/// The directory that a file lies in, or would.
pub fn directory_of(path: &str) -> &Path {
    let parent = Path::new(path).parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
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
        // The kernel counts in ticks of its own.
        util_percent: util_percent.min(100.0),
    }
}
