//! `durability`: the cost of durable writes, by size and by method.
//!
//! Databases, logs and package managers wait for them. The methods differ: `fsync` also commits the file's timestamps and
//! so the journal, `fdatasync` only the metadata needed to read the data, `O_DSYNC` does that in the same call and lets the
//! kernel mark the write itself as durable (FUA) if the drive supports it. `RWF_DSYNC` of `pwritev2` sets the same flag for
//! one call, so it is not a separate method. Blocks are overwritten in place, so that no space has to be allocated and the
//! difference is the drive's. Writes that are not made durable are measured for comparison.
//!
//! Only a power cut shows whether a drive really stores flushed data. But a flush that returns before the medium can have
//! stored anything was not a real one, and the properties of media give a minimum time for it.

use cardiograph_core::claim::{Claim, ClaimEvidence, ClaimOutcome};
use cardiograph_core::drive::{Drive, Leaf, LeafKind};
use cardiograph_core::message::Parameter;
use cardiograph_core::metric::{Measurements, Metric, Unit};
use cardiograph_core::report::{Step, StepOutcome, StepResult, StepRole};
use cardiograph_core::table::{Cell, CellUnit, Table};
use cardiograph_core::verdict::FindingOutcome;
use cardiograph_core::{Direction, Doubt, Estimate, GIB, JobSpec, MIB, Message, NS_PER_S, message};

use crate::budget::Budget;
use crate::figure::{Figure, estimate};
use crate::instead::instead;
use crate::measure::{Source, measure};
use crate::next_step::{NextStep, first_ahead_noted, step_of};
use crate::schedule::{STEP_NS_MIN, divide};
use crate::suite::{Context, Outline, Suite};
use crate::tabulate::{column, figure, row};
use crate::text::{self, whole_mib};
use crate::title;

const NAME: &str = "durability";
const FILE: &str = "cardiograph-durability.tmp";
const FILL: &str = "fill";
/// Id of the claim.
const FLUSH: &str = "flush";
/// Largest test file. A cache of that size makes no difference, because each write waits for its own flush.
const FILE_BYTES_MAX: u64 = 64 * MIB;
/// Smallest test file: two writes of the largest size.
const FILE_BYTES_MIN: u64 = 2 * MIB;
/// Enough for that file and 1 MiB for each point.
const WRITE_BYTES_MIN: u64 = 24 * MIB;
/// Length of a step, if its bytes do not end it earlier.
const STEP_NS: u64 = 3 * NS_PER_S;
/// The most that all steps together write.
const WRITE_BYTES_MAX: u64 = 2 * GIB;

/// The lengths of the writes.
const SIZES: [(&str, u64); 4] = [("4k", 4 << 10), ("16k", 16 << 10), ("64k", 64 << 10), ("1m", 1 << 20)];

/// How a write is made durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    /// Not at all.
    None,
    Fdatasync,
    Fsync,
    Dsync,
    Sync,
}

const METHODS: [Method; 5] = [Method::None, Method::Fdatasync, Method::Fsync, Method::Dsync, Method::Sync];
/// The methods that make a write durable.
const DURABLE: [Method; 4] = [Method::Fdatasync, Method::Fsync, Method::Dsync, Method::Sync];
/// A median has ten samples above it and as many below.
const MEDIAN_SAMPLES_MIN: u64 = 20;

impl Method {
    const fn id(self) -> &'static str {
        match self {
            Method::None => "none",
            Method::Fdatasync => "fdatasync",
            Method::Fsync => "fsync",
            Method::Dsync => "o_dsync",
            Method::Sync => "o_sync",
        }
    }

    /// Its name as manual pages write it.
    const fn name(self) -> &'static str {
        match self {
            Method::Dsync => "O_DSYNC",
            Method::Sync => "O_SYNC",
            call => call.id(),
        }
    }

    /// The option of fio for it.
    const fn option(self) -> Option<(&'static str, &'static str)> {
        match self {
            Method::None => None,
            Method::Fdatasync => Some(("fdatasync", "1")),
            Method::Fsync => Some(("fsync", "1")),
            Method::Dsync => Some(("sync", "dsync")),
            Method::Sync => Some(("sync", "sync")),
        }
    }

    /// The call that waits for the medium: a sync, or the write itself.
    const fn waits(self) -> Direction {
        match self {
            Method::Fdatasync | Method::Fsync => Direction::Sync,
            Method::None | Method::Dsync | Method::Sync => Direction::Write,
        }
    }
}

/// One cell of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Point {
    size: (&'static str, u64),
    method: Method,
}

impl Point {
    fn all() -> impl Iterator<Item = Point> {
        SIZES.into_iter().flat_map(|size| METHODS.into_iter().map(move |method| Point { size, method }))
    }

    fn id(self) -> String {
        format!("{}-{}", self.method.id(), self.size.0)
    }

    fn title(self) -> Message {
        let block = Parameter::BlockBytes(self.size.1);
        match self.method {
            Method::None => message!("step-durability.none", block),
            Method::Dsync | Method::Sync => {
                message!("step-durability.open", block, option = self.method.name())
            }
            Method::Fdatasync | Method::Fsync => {
                message!("step-durability.sync", block, call = self.method.id())
            }
        }
    }
}

/// The suite.
#[derive(Debug, Clone, Copy)]
pub struct Durability;

/// The plan of a checkup.
struct Plan {
    file_bytes: u64,
    /// Write limit of each point.
    point_bytes: u64,
    point_ns: u64,
    direct: bool,
    notes: Vec<Message>,
}

impl Plan {
    fn from_context(context: &Context<'_>) -> Self {
        let budget = Budget::for_drive(context.drive);
        let all_bytes = budget.write_bytes.min(WRITE_BYTES_MAX);
        let points = Point::all().count() as u64;
        let file_bytes = whole_mib((all_bytes / 8).min(FILE_BYTES_MAX).min(budget.file_bytes));
        let point_bytes = whole_mib(all_bytes.saturating_sub(file_bytes) / points);
        let wanted = vec![STEP_NS; points as usize];
        let point_ns = match context.options.max_time_ns {
            Some(max_ns) => divide(&wanted, max_ns).into_iter().min().unwrap_or(0),
            None => STEP_NS,
        };
        let mut notes = budget.reasons;
        if file_bytes < FILE_BYTES_MIN || point_bytes < MIB {
            let needed = Parameter::Bytes(WRITE_BYTES_MIN);
            notes.push(message!("note-durability.too-little", steps = points, needed));
            notes.extend(instead(context));
        } else if context.options.max_time_ns.is_some_and(|max_ns| max_ns < points * STEP_NS_MIN) {
            let least = Parameter::DurationNs(points * STEP_NS_MIN);
            notes.push(message!("note-durability.cut-off", steps = points, least));
        }
        Self { file_bytes, point_bytes, point_ns, direct: context.options.direct, notes }
    }

    fn fits(&self) -> bool {
        self.file_bytes >= FILE_BYTES_MIN && self.point_bytes >= MIB
    }

    /// All steps in order; none if the drive is too small.
    fn steps(&self) -> Vec<Step> {
        if !self.fits() {
            return Vec::new();
        }
        std::iter::once(self.fill()).chain(Point::all().map(|point| self.point(point))).collect()
    }

    fn fill(&self) -> Step {
        let job = self.job(FILL, "1m").set("end_fsync", 1);
        let step = step_of(job, title::fill(), (FILE, self.file_bytes), self.file_bytes);
        Step { role: StepRole::Prepare, ..step }
    }

    fn point(&self, point: Point) -> Step {
        let id = point.id();
        let mut job = self
            .job(&id, point.size.0)
            .set("io_size", text::option_bytes(self.point_bytes))
            .set("runtime", text::option_time(self.point_ns));
        if let Some((option, value)) = point.method.option() {
            job = job.set(option, value);
        }
        let step = step_of(job, point.title(), (FILE, self.file_bytes), self.point_bytes);
        Step { time_ns_max: Some(self.point_ns), ..step }
    }

    fn job(&self, id: &str, bs: &str) -> JobSpec {
        JobSpec::for_step(NAME, id)
            .set("filename", FILE)
            .set("size", text::option_bytes(self.file_bytes))
            .set("bs", bs)
            .set("rw", "write")
            .set("ioengine", "psync")
            .set("direct", u8::from(self.direct))
            .set("refill_buffers", 1)
    }
}

impl Suite for Durability {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> Message {
        message!("suite-durability")
    }

    fn outline(&self, context: &Context<'_>) -> Outline {
        let plan = Plan::from_context(context);
        Outline::from_steps(context, plan.steps(), None, plan.notes)
    }

    fn next(&self, context: &Context<'_>, done: &[StepResult]) -> Option<NextStep> {
        let plan = Plan::from_context(context);
        first_ahead_noted(plan.steps(), plan.notes, done)
    }

    fn measure(&self, context: &Context<'_>, done: &[StepResult]) -> Measurements {
        measure(context, done, SOURCES)
    }

    fn claim_ids(&self) -> Vec<String> {
        vec![FLUSH.to_string()]
    }

    fn claims(&self, context: &Context<'_>, done: &[StepResult]) -> Vec<Claim> {
        flush_claim(context, done).into_iter().collect()
    }

    fn tables(&self, context: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
        if !done.iter().any(|step| step.step.role == StepRole::Measure) {
            return Vec::new();
        }
        let table = |title: Message, unit: CellUnit, heads: &[(Method, Message)], cell: &CellOf<'_>| Table {
            title,
            heading: message!("table-heading.block"),
            columns: heads.iter().map(|(_, heading)| column(heading.clone(), unit)).collect(),
            rows: SIZES
                .iter()
                .map(|&size| {
                    let points = heads.iter().map(|&(method, _)| Point { size, method });
                    let name = message!("table-block", block = Parameter::BlockBytes(size.1));
                    row(name, points.map(cell).collect())
                })
                .collect(),
            ..Table::default()
        };
        let name = |method: Method| match method {
            Method::None => message!("table-durability.none"),
            _ => Message::verbatim(method.name()),
        };
        let named = |methods: &[Method]| -> Vec<(Method, Message)> {
            methods.iter().map(|&method| (method, name(method))).collect()
        };
        let calls = DURABLE.map(|method| match method.waits() {
            Direction::Write => (method, message!("table-durability.write", option = method.name())),
            _ => (method, name(method)),
        });
        let rate = |point: Point| figure(done, &point.id(), Figure::Iops(Direction::Write));
        let whole = |point: Point| whole_cell(done, point);
        let tail = |point: Point| figure(done, &point.id(), Figure::Percentile(point.method.waits(), 99.0));
        let mut tables = vec![
            table(message!("table-durability.rate"), CellUnit::PerSecond, &named(&METHODS), &rate),
            table(message!("table-durability.mean"), CellUnit::Milliseconds, &named(&DURABLE), &whole),
        ];
        tables[1].notes = dsync_notes(context);
        let mut calls = table(message!("table-durability.tail"), CellUnit::Milliseconds, &calls, &tail);
        let is_figure = |cell: &Cell| matches!(cell, Cell::Figure { .. });
        if calls.rows.iter().flat_map(|row| &row.cells).any(is_figure) {
            calls.notes.push(message!("table-durability.calls"));
            tables.push(calls);
        } else {
            tables[1].notes.push(message!("table-durability.no-tail"));
        }
        tables
    }
}

/// Makes the cell of a point.
type CellOf<'a> = dyn Fn(Point) -> Cell + 'a;

/// The mean time until a write is durable, including the sync.
fn whole_cell(done: &[StepResult], point: Point) -> Cell {
    let write = figure(done, &point.id(), Figure::MeanLatency(Direction::Write));
    if point.method.waits() == Direction::Write {
        return write;
    }
    let sync = figure(done, &point.id(), Figure::MeanLatency(Direction::Sync));
    match (write, sync) {
        (Cell::Figure { estimate: write, step, doubt }, Cell::Figure { estimate: sync, .. }) => {
            let estimate = Estimate::bare(write.value + sync.value, write.n.min(sync.n));
            Cell::Figure { estimate, step, doubt }
        }
        (Cell::Figure { .. }, absent) => absent,
        (absent, _) => absent,
    }
}

/// How `O_DSYNC` works on the drive, as far as the kernel shows.
///
/// The block layer sends neither flush nor FUA to a drive whose cache is `write through`, and turns FUA into
/// a write and a flush if the drive does not support it. File systems request it themselves: ext4 and XFS do
/// for direct writes in place.
fn dsync_notes(context: &Context<'_>) -> Vec<Message> {
    let drive = context.drive;
    if drive.simulated {
        return vec![message!("note-dsync.simulated")];
    }
    let leaves = || drive.leaves.iter();
    let is_known = !drive.leaves.is_empty() && leaves().all(|leaf| leaf.write_cache.is_some());
    let caches = |leaf: &&Leaf| leaf.write_cache.as_deref() != Some("write through");
    let fua = |leaf: &Leaf| leaf.queue.as_ref().and_then(|queue| queue.fua);
    let fs_type = drive.mount.as_ref().map_or("", |mount| mount.fs_type.as_str());
    let effect = if is_known && !leaves().any(|leaf| caches(&leaf)) {
        message!("note-dsync.write-through")
    } else if !context.options.direct {
        message!("note-dsync.page-cache")
    } else if leaves().filter(caches).any(|leaf| fua(leaf) == Some(false)) {
        message!("note-dsync.no-fua")
    } else if !is_known || leaves().filter(caches).any(|leaf| fua(leaf).is_none()) {
        message!("note-dsync.unknown")
    } else if ["ext4", "xfs"].contains(&fs_type) {
        message!("note-dsync.fua")
    } else if fs_type.is_empty() {
        message!("note-dsync.unknown-file-system")
    } else {
        message!("note-dsync.other-file-system", file_system = fs_type)
    };
    vec![effect, message!("note-dsync.same")]
}

/// The minimum time in which a medium can store anything.
struct Medium {
    least_ns: f64,
    /// The statement that a flush was faster.
    too_fast: Message,
}

/// The slowest medium under the path; `None` if one of the drives may have any.
fn medium(drive: &Drive) -> Option<Medium> {
    let leaf_medium = |leaf: &Leaf| match leaf.simulates.unwrap_or(leaf.kind) {
        LeafKind::Virtual | LeafKind::Memory | LeafKind::Simulated | LeafKind::Unknown => None,
        LeafKind::SdCard | LeafKind::Emmc => {
            Some(Medium { least_ns: 100e3, too_fast: message!("claim-flush.too-fast-flash") })
        }
        _ if leaf.rotational == Some(true) => {
            Some(Medium { least_ns: 2e6, too_fast: message!("claim-flush.too-fast-disk") })
        }
        _ => None,
    };
    let media: Option<Vec<Medium>> = drive.leaves.iter().map(leaf_medium).collect();
    media?.into_iter().max_by(|a, b| a.least_ns.total_cmp(&b.least_ns))
}

/// Whether a flush seems to reach the medium.
fn flush_claim(context: &Context<'_>, done: &[StepResult]) -> Option<Claim> {
    let step = |method: Method| {
        let id = Point { size: SIZES[0], method }.id();
        done.iter().find(|step| step.step.id == id)
    };
    let (bare, synced) = (step(Method::None)?, step(Method::Fdatasync)?);
    let doubted = |doubt: Doubt| message!("claim-doubt", doubt = doubt.message());
    let doubt_of = |step: &StepResult| step.doubt(Direction::Write).cloned();
    // Writes that are not made durable may stay in a cache; they only have to be complete.
    let unfinished = (bare.outcome != StepOutcome::Done).then(|| doubt_of(bare)).flatten();
    let doubt = unfinished.or_else(|| doubt_of(synced));
    let medians = (
        estimate(bare, Figure::Percentile(Direction::Write, 50.0)),
        estimate(synced, Figure::Percentile(Direction::Sync, 50.0)),
    );
    let medium = medium(context.drive);
    let (Some(write), Some(flush)) = medians else {
        let n = |step, direction| estimate(step, Figure::MeanLatency(direction)).map_or(0, |mean| mean.n);
        let few = message!(
            "claim-flush.too-few",
            writes = n(bare, Direction::Write),
            flushes = n(synced, Direction::Sync),
            needed = MEDIAN_SAMPLES_MIN
        );
        return Some(claim(ClaimOutcome::CannotBeJudged, doubt.map_or(few, doubted), medians, medium));
    };
    let is_free = flush.value < write.value / 10.0;
    let caches = context.drive.leaves.iter().any(|leaf| leaf.write_cache.as_deref() == Some("write back"));
    if let Some(doubt) = doubt {
        return Some(claim(ClaimOutcome::CannotBeJudged, doubted(doubt), medians, medium));
    }
    let (outcome, reason) = match &medium {
        Some(medium) if flush.value + write.value < medium.least_ns => {
            (ClaimOutcome::Broken, medium.too_fast.clone())
        }
        Some(_) => (ClaimOutcome::Kept, message!("claim-flush.plausible")),
        None if is_free && caches => (ClaimOutcome::CannotBeJudged, message!("claim-flush.free")),
        None => (ClaimOutcome::CannotBeJudged, message!("claim-flush.hidden")),
    };
    Some(claim(outcome, reason, medians, medium))
}

/// The claim with the medians of a write and of its flush.
fn claim(
    outcome: ClaimOutcome,
    reason: Message,
    (write, flush): (Option<Estimate>, Option<Estimate>),
    medium: Option<Medium>,
) -> Claim {
    Claim {
        id: FLUSH.to_string(),
        statement: message!("claim-flush"),
        said_by: Some(message!("claim-said-by.every-drive")),
        outcome,
        reasons: vec![reason],
        evidence: vec![
            evidence(message!("claim-evidence.write-median"), write, None),
            evidence(message!("claim-evidence.flush-median"), flush, medium),
        ],
    }
}

fn evidence(name: Message, measured: Option<Estimate>, medium: Option<Medium>) -> ClaimEvidence {
    let limit = medium.map(|medium| medium.least_ns);
    let outcome = match (limit, measured) {
        (None, _) | (_, None) => FindingOutcome::NotJudged,
        (Some(limit), Some(measured)) if measured.value < limit => FindingOutcome::Fail,
        (Some(_), Some(_)) => FindingOutcome::Pass,
    };
    ClaimEvidence {
        name,
        unit: Unit::Nanoseconds,
        limit,
        more_is_better: true,
        measured,
        tries: Vec::new(),
        outcome,
        doubt: None,
    }
}

const SOURCES: &[Source] = &[("fsync-4k", &[Metric::DurableWriteIops, Metric::SyncP99, Metric::SyncP999])];

#[cfg(test)]
mod tests;
