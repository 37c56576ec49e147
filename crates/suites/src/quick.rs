//! `quick`: the performance of a drive in about a minute, each step sized by the ones before it.

use cardiograph_core::message::Parameter;
use cardiograph_core::metric::{Measurements, Metric};
use cardiograph_core::report::{Step, StepResult, StepRole, TestFile};
use cardiograph_core::{Direction, JobSpec, KIB, MIB, Message, NS_PER_S, message};

use crate::budget::fills_files;
use crate::measure::{Source, measure};
use crate::next_step::{NextStep, step_of, went_well};
use crate::setting::Settings;
use crate::suite::{Context, Outline, OutlineStep, Suite, file_bytes};
use crate::text::{self, whole_mib};
use crate::title;
use crate::traits::SuiteTraits;

mod plan;

pub(crate) use plan::{BUDGET_BYTES_MIN, least};
use plan::{FILL_BYTES_MAX, Plan};

const NAME: &str = "quick";

/// The file of the fill, the reads and the random writes.
const READ_FILE: &str = "cardiograph-read.tmp";
/// The file of the durable writes.
const DURABLE_FILE: &str = "cardiograph-durable.tmp";
/// The file of the sustained write.
const SUSTAINED_FILE: &str = "cardiograph-sustained.tmp";

/// A smaller region may fit into the drive's own cache.
const REGION_BYTES_WANTED: u64 = 16 * MIB;
/// Queue depth while filling. Four blocks of 1 MiB keep a fast drive busy, and stay below the usual limit of 8 MiB of locked
/// memory for unprivileged users, so that they can be registered.
const FILL_DEPTH: u32 = 4;
/// Queue depth of the deep random read.
const DEEP: u32 = 32;
/// Enough I/Os for ten samples above the 99th percentile, if that matters.
const P99_IOS: u64 = 1_280;
/// Size of the sustained write, as a multiple of the bytes that filling would write in the same time.
const SUSTAINED_HEADROOM: u64 = 2;

/// The default checkup.
#[derive(Debug, Clone, Copy)]
pub struct Quick;

/// The steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Fill,
    SequentialRead,
    RandomRead,
    RandomReadDeep,
    RandomWrite,
    DurableWrite,
    SustainedWrite,
}

/// All steps in order.
const ORDER: [Kind; 7] = [
    Kind::Fill,
    Kind::SequentialRead,
    Kind::RandomRead,
    Kind::RandomReadDeep,
    Kind::RandomWrite,
    Kind::DurableWrite,
    Kind::SustainedWrite,
];

/// The measuring steps, most important first: when time is short the last ones are skipped.
const PRIORITY: [Kind; 6] = [
    Kind::RandomWrite,
    Kind::DurableWrite,
    Kind::RandomRead,
    Kind::SequentialRead,
    Kind::SustainedWrite,
    Kind::RandomReadDeep,
];

impl Kind {
    const fn id(self) -> &'static str {
        match self {
            Kind::Fill => "fill",
            Kind::SequentialRead => "sequential-read",
            Kind::RandomRead => "random-read",
            Kind::RandomReadDeep => "random-read-deep",
            Kind::RandomWrite => "random-write",
            Kind::DurableWrite => "durable-write",
            Kind::SustainedWrite => "sustained-write",
        }
    }

    fn title(self) -> Message {
        let random = |rw, depth| title::with_depth(title::for_io(rw, 4 * KIB, 100), depth);
        match self {
            Kind::Fill => title::fill(),
            Kind::SequentialRead => title::for_io("read", MIB, 100),
            Kind::RandomRead => random("randread", 1),
            Kind::RandomReadDeep => random("randread", DEEP),
            Kind::RandomWrite => random("randwrite", 1),
            Kind::DurableWrite => message!("step-durable", block = Parameter::BlockBytes(4 * KIB)),
            Kind::SustainedWrite => message!("step-sustained", block = Parameter::BlockBytes(MIB)),
        }
    }

    const fn wanted_ns(self) -> u64 {
        match self {
            Kind::SequentialRead | Kind::RandomReadDeep => 6 * NS_PER_S,
            Kind::Fill | Kind::RandomRead | Kind::RandomWrite | Kind::DurableWrite => 8 * NS_PER_S,
            Kind::SustainedWrite => 20 * NS_PER_S,
        }
    }

    /// Whether its figure is a rate, so that a precision can end it. Sustained writing looks for the end of a cache instead,
    /// which depends on bytes.
    const fn is_rate(self) -> bool {
        !matches!(self, Kind::Fill | Kind::SustainedWrite)
    }

    /// Whether a percentile of its latencies is a metric, too.
    const fn has_percentile(self) -> bool {
        matches!(self, Kind::RandomRead | Kind::RandomWrite | Kind::DurableWrite)
    }

    /// Whether it needs the filled file.
    const fn needs_fill(self) -> bool {
        matches!(self, Kind::SequentialRead | Kind::RandomRead | Kind::RandomReadDeep | Kind::RandomWrite)
    }
}

/// Resources used by the steps so far, and their findings.
#[derive(Debug, Clone, Copy, Default)]
struct Progress {
    /// Bytes that were written.
    written_bytes: u64,
    /// Bytes that the test files occupy.
    file_bytes: u64,
    /// The result of filling; `None` before it.
    filled: Option<Filled>,
}

/// The result of filling.
#[derive(Debug, Clone, Copy)]
struct Filled {
    /// Bytes from the start of the file that hold data, in whole mebibytes.
    region_bytes: u64,
    /// The write speed, in bytes per second.
    bytes_per_s: f64,
}

impl Progress {
    fn from_steps(done: &[StepResult]) -> Self {
        let mut progress = Self::default();
        let mut files: Vec<&TestFile> = Vec::new();
        for step in done {
            for file in &step.step.files {
                if !files.iter().any(|known| known.name == file.name) {
                    files.push(file);
                    progress.file_bytes += file.len_bytes;
                }
            }
            let issued = step.result.as_ref().map(|result| result.issued_bytes(Direction::Write));
            progress.written_bytes += issued.unwrap_or(step.step.write_bytes_max);
            if step.step.id == Kind::Fill.id() {
                let written = step.result.as_ref().map(|result| result.merged(|_| true).write);
                let written = written.unwrap_or_default();
                let region_bytes = whole_mib(written.bytes);
                progress.filled = Some(Filled { region_bytes, bytes_per_s: written.bandwidth_bytes_per_s() });
            }
        }
        progress
    }

    /// The progress before `kind` with which its step is largest: most space in files, and fewest writes.
    fn largest_before(plan: &Plan, kind: Kind) -> Self {
        let fill_bytes = if plan.has(Kind::Fill) { plan.fill_bytes() } else { 0 };
        let filled = Filled { region_bytes: fill_bytes, bytes_per_s: f64::INFINITY };
        let durable_bytes = if plan.has(Kind::DurableWrite) { plan.durable_bytes() } else { 0 };
        let file_bytes = match kind {
            Kind::Fill => 0,
            Kind::SustainedWrite => fill_bytes + durable_bytes,
            _ => fill_bytes,
        };
        Self { written_bytes: 0, file_bytes, filled: (kind != Kind::Fill).then_some(filled) }
    }
}

/// Builds one step from the plan and the progress.
struct Builder<'a> {
    plan: &'a Plan,
    progress: Progress,
    kind: Kind,
    time_ns: u64,
}

impl Builder<'_> {
    /// The step; `None` if no space or budget is left for it.
    fn build(&self) -> Option<Step> {
        match self.kind {
            Kind::Fill => Some(self.fill()),
            Kind::SequentialRead => self.read("1M", "read", "psync", 1),
            Kind::RandomRead => self.read("4k", "randread", "psync", 1),
            Kind::RandomReadDeep => self.read("4k", "randread", "io_uring", DEEP),
            Kind::RandomWrite => self.random_write(),
            Kind::DurableWrite => self.durable_write(),
            Kind::SustainedWrite => self.sustained_write(),
        }
    }

    fn fill(&self) -> Step {
        let bytes = self.plan.fill_bytes();
        let job = self.job(READ_FILE, bytes, "1M", "write", "io_uring", FILL_DEPTH).set("end_fsync", 1);
        let shared =
            (bytes < FILL_BYTES_MAX).then(|| message!("note-quick.file", bytes = Parameter::Bytes(bytes)));
        self.step(job, (READ_FILE, bytes), bytes, shared)
    }

    fn read(&self, bs: &str, rw: &str, engine: &str, depth: u32) -> Option<Step> {
        let region_bytes = self.region_bytes()?;
        let job = self.job(READ_FILE, region_bytes, bs, rw, engine, depth).set("time_based", 1);
        let job = if rw == "read" { job } else { job.set("randrepeat", 0) };
        Some(self.step(job, (READ_FILE, self.plan.fill_bytes()), 0, self.region_note()))
    }

    fn random_write(&self) -> Option<Step> {
        let region_bytes = self.region_bytes()?;
        let bytes = self.affordable_bytes(self.plan.random_write_bytes())?;
        let job = self.job(READ_FILE, region_bytes, "4k", "randwrite", "psync", 1);
        let job = job.set("randrepeat", 0).set("io_size", text::option_bytes(bytes)).set("refill_buffers", 1);
        Some(self.step(job, (READ_FILE, self.plan.fill_bytes()), bytes, self.region_note()))
    }

    fn durable_write(&self) -> Option<Step> {
        let bytes = self.affordable_bytes(self.plan.durable_bytes())?.min(self.file_bytes_left()?);
        let job = self.job(DURABLE_FILE, bytes, "4k", "write", "psync", 1).set("fsync", 1);
        let job = job.set("refill_buffers", 1);
        Some(self.step(job, (DURABLE_FILE, bytes), bytes, None))
    }

    fn sustained_write(&self) -> Option<Step> {
        let file_bytes_max = whole_mib(self.plan.budget.file_len_bytes_max);
        let rest_bytes = self.affordable_bytes(u64::MAX)?.min(self.file_bytes_left()?).min(file_bytes_max);
        let by_speed_bytes = self.progress.filled.map(|filled| self.headroom_bytes(filled.bytes_per_s));
        let bytes = rest_bytes.min(by_speed_bytes.unwrap_or(u64::MAX));
        let job = self.job(SUSTAINED_FILE, bytes, "1M", "write", "psync", 1);
        Some(self.step(job, (SUSTAINED_FILE, bytes), bytes, None))
    }

    /// The job, with the options that all steps have.
    fn job(&self, file: &str, size: u64, bs: &str, rw: &str, engine: &str, depth: u32) -> JobSpec {
        let job = JobSpec::for_step(NAME, self.kind.id())
            .set("filename", file)
            .set("size", text::option_bytes(size))
            .set("bs", bs)
            .set("rw", rw)
            .set("ioengine", engine)
            .set("iodepth", depth)
            .set("direct", u8::from(self.plan.direct))
            .set("runtime", text::option_time(self.time_ns));
        let Some(precision) = self.plan.precision.filter(|_| self.kind.is_rate()) else { return job };
        let job = job.set("precision", text::option_percent(precision));
        if self.kind.has_percentile() { job.set("precision_ios", P99_IOS) } else { job }
    }

    fn step(
        &self,
        job: JobSpec,
        file: (&str, u64),
        write_bytes_max: u64,
        sizing: impl IntoIterator<Item = Message>,
    ) -> Step {
        Step {
            role: if self.kind == Kind::Fill { StepRole::Prepare } else { StepRole::Measure },
            time_ns_max: Some(self.time_ns),
            sizing: sizing.into_iter().collect(),
            ..step_of(job, self.kind.title(), file, write_bytes_max)
        }
    }

    /// Length of the region with data; `None` if less than a mebibyte.
    fn region_bytes(&self) -> Option<u64> {
        self.progress.filled.map(|filled| filled.region_bytes).filter(|&bytes| bytes > 0)
    }

    /// `wanted_bytes`, limited to the remaining budget in whole mebibytes; `None` if nothing is left.
    fn affordable_bytes(&self, wanted_bytes: u64) -> Option<u64> {
        let left_bytes = self.plan.budget.write_bytes.saturating_sub(self.progress.written_bytes);
        Some(wanted_bytes.min(whole_mib(left_bytes))).filter(|&bytes| bytes > 0)
    }

    /// Remaining space for files, in whole mebibytes; `None` if nothing is left.
    fn file_bytes_left(&self) -> Option<u64> {
        let left_bytes = self.plan.budget.file_bytes.saturating_sub(self.progress.file_bytes);
        Some(whole_mib(left_bytes)).filter(|&bytes| bytes > 0)
    }

    /// Bytes for writing at a multiple of this speed for the whole step, in whole mebibytes.
    fn headroom_bytes(&self, bytes_per_s: f64) -> u64 {
        let bytes = bytes_per_s * SUSTAINED_HEADROOM as f64 * self.time_ns as f64 / NS_PER_S as f64;
        whole_mib(bytes as u64).max(REGION_BYTES_WANTED)
    }

    /// The note that the region is small enough for a cache.
    fn region_note(&self) -> Option<Message> {
        let region_bytes = self.region_bytes().filter(|&bytes| bytes < REGION_BYTES_WANTED)?;
        Some(message!("note-quick.small-region", bytes = Parameter::Bytes(region_bytes)))
    }
}

/// The note on an incomplete fill, for the step after it.
fn fill_note(plan: &Plan, filled: Filled) -> Option<Message> {
    if filled.region_bytes == 0 {
        Some(message!("note-quick.nothing-filled"))
    } else if filled.region_bytes < plan.fill_bytes() {
        let (filled, planned) = (Parameter::Bytes(filled.region_bytes), Parameter::Bytes(plan.fill_bytes()));
        Some(message!("note-quick.partly-filled", filled, planned))
    } else {
        None
    }
}

impl Suite for Quick {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> Message {
        message!("suite-quick")
    }

    fn traits(&self, _: &Settings) -> SuiteTraits {
        SuiteTraits { judges_all_purposes: true, ends_by_precision: true, ..SuiteTraits::default() }
    }

    fn outline(&self, context: &Context<'_>) -> Outline {
        let mut plan = Plan::from_context(context);
        plan.allow_precision(context.options.max_time_ns);
        let largest = |&(kind, time_ns): &(Kind, u64)| {
            let progress = Progress::largest_before(&plan, kind);
            Builder { plan: &plan, progress, kind, time_ns }.build()
        };
        let steps: Vec<Step> = plan.steps.iter().filter_map(largest).collect();
        let sum_bytes: u64 = steps.iter().map(|step| step.write_bytes_max).sum();
        let sum_ns: Option<u64> = steps.iter().map(|step| step.time_ns_max).sum();
        let file_bytes_max = file_bytes(&steps).min(plan.budget.file_bytes);
        let zeros_bytes = fills_files(context.drive).map_or(0, |_| file_bytes_max);
        Outline {
            write_bytes_max: sum_bytes.min(plan.budget.write_bytes) + zeros_bytes,
            file_bytes_max,
            // Steps that end by precision share the remaining time.
            time_ns_max: sum_ns.map(|sum_ns| sum_ns.min(context.options.max_time_ns.unwrap_or(u64::MAX))),
            steps: steps.into_iter().map(OutlineStep::from).collect(),
            notes: plan.notes,
            needs: Vec::new(),
        }
    }

    fn next(&self, context: &Context<'_>, done: &[StepResult]) -> Option<NextStep> {
        if !went_well(done) {
            return None;
        }
        let mut plan = Plan::from_context(context);
        match context.options.max_time_ns {
            Some(max_time_ns) => plan.keep_to(max_time_ns, done),
            None => plan.allow_precision(None),
        }
        let progress = Progress::from_steps(done);
        let ahead = plan.steps.iter().filter(|(kind, _)| done.iter().all(|step| step.step.id != kind.id()));
        // Skip steps that cannot be done: without a filled region, some writes are still possible.
        let mut steps =
            ahead.filter_map(|&(kind, time_ns)| Builder { plan: &plan, progress, kind, time_ns }.build());
        let mut step = steps.next()?;
        if done.is_empty() {
            step.sizing.splice(0..0, plan.notes.iter().cloned());
        }
        if done.last().is_some_and(|step| step.step.id == Kind::Fill.id()) {
            step.sizing.extend(progress.filled.and_then(|filled| fill_note(&plan, filled)));
        }
        Some(step.into())
    }

    fn measure(&self, context: &Context<'_>, done: &[StepResult]) -> Measurements {
        measure(context, done, SOURCES)
    }
}

const SOURCES: &[Source] = &[
    (Kind::SequentialRead.id(), &[Metric::SequentialRead]),
    (Kind::RandomRead.id(), &[Metric::RandomReadIops, Metric::RandomReadP99]),
    (Kind::RandomReadDeep.id(), &[Metric::RandomReadDeepIops]),
    (Kind::RandomWrite.id(), &[Metric::RandomWriteIops, Metric::RandomWriteP99]),
    (Kind::DurableWrite.id(), &[Metric::DurableWriteIops, Metric::SyncP99, Metric::SyncP999]),
    // Seconds of writing may end before a fast cache is full: they can reject a purpose, and approve none.
    (Kind::SustainedWrite.id(), &[Metric::SequentialWrite, Metric::WriteStallMax]),
];

#[cfg(test)]
mod tests;
