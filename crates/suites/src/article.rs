//! `article`: four experiments with fixed sizes, times and order.
//!
//! They are those of a comparison of a microSD card with an SSD on a Raspberry Pi 5 that was published with all of its
//! fio output, so that a drive can be set beside the two. Nothing is adapted to the drive.

use cardiograph_core::drive::{Leaf, LeafKind};
use cardiograph_core::metric::{Measurements, Metric};
use cardiograph_core::report::{Step, StepOutcome, StepResult, StepRole, TestFile};
use cardiograph_core::{Direction, GIB, JobSpec, KIB, MIB, NS_PER_S, Origin};

use crate::budget::fills_files;
use crate::measure::{Figure, Source, measure};
use crate::suite::{Context, Outline, OutlineStep, Suite, file_bytes};
use crate::text;

const NAME: &str = "article";

/// The fixed checkup.
#[derive(Debug, Clone, Copy)]
pub struct Article;

/// One step as data.
struct Row {
    id: &'static str,
    title: &'static str,
    role: StepRole,
    file: TestFileRow,
    /// The options behind the file's name, in the order in which the article gives them.
    options: &'static [(&'static str, &'static str)],
    writes: Writes,
    time_ns_max: Option<u64>,
}

struct TestFileRow {
    name: &'static str,
    len_bytes: u64,
}

/// What bounds the bytes that a step writes.
enum Writes {
    /// It writes none.
    Nothing,
    /// It writes at most its file, once.
    FileOnce,
    /// It starts over at the file's end until its time is up, so what the drive takes in that time is the bound.
    UntilTime {
        /// What a job of this kind can reach on any drive, in bytes per second.
        bytes_per_s_max: u64,
    },
}

const SDTEST: TestFileRow = TestFileRow { name: "cardiograph-sdtest.tmp", len_bytes: 200 * MIB };
const LATP: TestFileRow = TestFileRow { name: "cardiograph-latp.tmp", len_bytes: GIB };
const FSYNC: TestFileRow = TestFileRow { name: "cardiograph-fsync.tmp", len_bytes: 256 * MIB };
const SUSTAIN: TestFileRow = TestFileRow { name: "cardiograph-sustain.tmp", len_bytes: 3 * GIB };

/// A write and its flush are two trips through the kernel to the drive: no drive answers both within 4 µs.
const DURABLE_WRITES_PER_S_MAX: u64 = 250_000;

const ROWS: [Row; 6] = [
    Row {
        id: "layout-sdtest",
        title: "Fill the file of the mixed test",
        role: StepRole::Prepare,
        file: SDTEST,
        options: LAYOUT_SDTEST,
        writes: Writes::FileOnce,
        time_ns_max: None,
    },
    Row {
        id: "sdtest",
        title: "Sequential read and write, 1 MiB",
        role: StepRole::Measure,
        file: SDTEST,
        options: &[("size", "200M"), ("bs", "1M"), ("rw", "readwrite"), ("direct", "1"), ("numjobs", "1")],
        writes: Writes::FileOnce,
        time_ns_max: None,
    },
    Row {
        id: "layout-latp",
        title: "Fill the file of the random read",
        role: StepRole::Prepare,
        file: LATP,
        options: LAYOUT_LATP,
        writes: Writes::FileOnce,
        time_ns_max: None,
    },
    Row {
        id: "latp",
        title: "Random read, 4 KiB, one at a time",
        role: StepRole::Measure,
        file: LATP,
        options: &[
            ("size", "1G"),
            ("bs", "4k"),
            ("rw", "randread"),
            ("iodepth", "1"),
            ("direct", "1"),
            ("time_based", "1"),
            ("runtime", "30"),
            ("lat_percentiles", "1"),
            ("percentile_list", "95:99:99.9"),
        ],
        writes: Writes::Nothing,
        time_ns_max: Some(30 * NS_PER_S),
    },
    Row {
        id: "fsync",
        title: "Durable write, 4 KiB, fsync after each",
        role: StepRole::Measure,
        file: FSYNC,
        options: &[
            ("size", "256M"),
            ("bs", "4k"),
            ("rw", "write"),
            ("direct", "1"),
            ("iodepth", "1"),
            ("fsync", "1"),
            ("runtime", "30"),
            ("time_based", "1"),
        ],
        writes: Writes::UntilTime { bytes_per_s_max: DURABLE_WRITES_PER_S_MAX * 4 * KIB },
        time_ns_max: Some(30 * NS_PER_S),
    },
    Row {
        id: "sustain",
        title: "Sustained write, 1 MiB",
        role: StepRole::Measure,
        file: SUSTAIN,
        options: &[
            ("size", "3G"),
            ("bs", "1M"),
            ("rw", "write"),
            ("direct", "1"),
            ("time_based", "1"),
            ("runtime", "120"),
            ("iodepth", "2"),
        ],
        writes: Writes::UntilTime { bytes_per_s_max: u64::MAX },
        time_ns_max: Some(120 * NS_PER_S),
    },
];

const LAYOUT_SDTEST: &[(&str, &str)] = &layout("200M");
const LAYOUT_LATP: &[(&str, &str)] = &layout("1G");

/// fio lays out a file before it reads it; here that is a step of its own, in large blocks at depth.
const fn layout(size: &'static str) -> [(&'static str, &'static str); 7] {
    [
        ("size", size),
        ("bs", "1M"),
        ("rw", "write"),
        ("ioengine", "io_uring"),
        ("iodepth", "4"),
        ("direct", "1"),
        ("end_fsync", "1"),
    ]
}

impl Row {
    fn step(&self, context: &Context<'_>) -> Step {
        let origin = Origin::Suite { suite: NAME.to_string(), step: self.id.to_string() };
        let job = JobSpec::new(self.id, origin).set("filename", self.file.name);
        let direct = context.options.direct;
        let job = self.options.iter().fold(job, |job, &(option, value)| match option {
            "direct" => job.set(option, u8::from(direct)),
            _ => job.set(option, value),
        });
        let buffered =
            (!direct).then(|| "Buffered, as asked: the article bypassed the page cache.".to_string());
        Step {
            id: self.id.to_string(),
            title: self.title.to_string(),
            role: self.role,
            jobs: vec![job],
            files: vec![TestFile { name: self.file.name.to_string(), len_bytes: self.file.len_bytes }],
            write_bytes_max: self.write_bytes_max(context),
            time_ns_max: self.time_ns_max,
            sizing: buffered.into_iter().collect(),
        }
    }

    /// The bytes that the step writes at most.
    fn write_bytes_max(&self, context: &Context<'_>) -> u64 {
        match self.writes {
            Writes::Nothing => 0,
            Writes::FileOnce => self.file.len_bytes,
            Writes::UntilTime { bytes_per_s_max } => {
                let bytes_per_s = link_bytes_per_s(context).min(bytes_per_s_max);
                bytes_per_s.saturating_mul(self.time_ns_max.unwrap_or(0) / NS_PER_S)
            }
        }
    }
}

/// What the links to the drives carry together, in bytes per second: no more can be written.
fn link_bytes_per_s(context: &Context<'_>) -> u64 {
    const MB: u64 = 1_000_000;
    // The fastest mode that is in use for each kind: UHS-II, HS400, USB4, SATA 3, PCIe 5 x4. Where the kind says nothing
    // about the link the fastest of all is assumed.
    let link = |leaf: &Leaf| match leaf.kind {
        LeafKind::SdCard => 312 * MB,
        LeafKind::Emmc => 400 * MB,
        LeafKind::Sata => 600 * MB,
        LeafKind::Usb => 5_000 * MB,
        _ => 16_000 * MB,
    };
    let sum = context.drive.leaves.iter().map(link).sum();
    if sum == 0 { 16_000 * MB } else { sum }
}

impl Suite for Article {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "The four fixed experiments of a published microSD and SSD comparison, in about four minutes."
    }

    fn outline(&self, context: &Context<'_>) -> Outline {
        let steps: Vec<Step> = ROWS.iter().map(|row| row.step(context)).collect();
        let file_bytes_max = file_bytes(&steps);
        let mut notes = vec![format!("Needs {} of free space.", text::size(file_bytes_max))];
        if let Some(max_time_ns) = context.options.max_time_ns {
            let limit = text::seconds(max_time_ns);
            notes.push(format!("Its steps are fixed: what does not fit into {limit} is cut off."));
        }
        let mut write_bytes_max =
            steps.iter().fold(0, |sum: u64, step| sum.saturating_add(step.write_bytes_max));
        if let Some(fs_type) = fills_files(context.drive) {
            write_bytes_max = write_bytes_max.saturating_add(file_bytes_max);
            let zeros = text::size(file_bytes_max);
            notes.push(format!("{fs_type} fills new files with zeros: {zeros} more are written."));
        }
        Outline {
            write_bytes_max,
            file_bytes_max,
            time_ns_max: None,
            steps: steps.into_iter().map(OutlineStep::from).collect(),
            notes,
        }
    }

    fn next(&self, context: &Context<'_>, done: &[StepResult]) -> Option<Step> {
        if done.iter().any(|step| step.outcome != StepOutcome::Done) {
            return None;
        }
        let row = ROWS.iter().find(|row| done.iter().all(|step| step.step.id != row.id));
        row.map(|row| row.step(context))
    }

    fn measure(&self, context: &Context<'_>, done: &[StepResult]) -> Measurements {
        measure(context, done, SOURCES)
    }
}

const SOURCES: &[Source] = &[
    Source::new("sdtest", Figure::Bandwidth(Direction::Read), Metric::MixedSequentialRead),
    Source::new("sdtest", Figure::Bandwidth(Direction::Write), Metric::MixedSequentialWrite),
    Source::new("latp", Figure::Iops(Direction::Read), Metric::RandomReadIops),
    Source::new("latp", Figure::Percentile(Direction::Read, 99.0), Metric::RandomReadP99),
    Source::new("fsync", Figure::Iops(Direction::Write), Metric::DurableWriteIops),
    Source::new("fsync", Figure::Percentile(Direction::Sync, 99.0), Metric::SyncP99),
    Source::new("fsync", Figure::Percentile(Direction::Sync, 99.9), Metric::SyncP999),
    Source::new("sustain", Figure::Bandwidth(Direction::Write), Metric::SustainedWrite),
    Source::new("sustain", Figure::LongestStall(Direction::Write), Metric::WriteStallMax),
];

#[cfg(test)]
mod tests;
