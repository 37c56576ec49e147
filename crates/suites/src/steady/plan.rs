//! The steps of a steady-state test: purge, preconditioning, rounds.

use cardiograph_core::message::Parameter;
use cardiograph_core::report::{Step, StepResult, StepRole};
use cardiograph_core::{Direction, GIB, JobSpec, KIB, MIB, Message, NS_PER_S, message};

use super::{DEPTH, Form, JOBS, MAX, STEADY_SHORT, TEST};
use crate::budget::Budget;
use crate::instead::instead;
use crate::next_step::{step_of, step_of_jobs};
use crate::precondition::{self, PASSES, PRECONDITION};
use crate::setting::Settings;
use crate::suite::{Context, Options, Suite};
use crate::text::{self, whole_mib};
use crate::tries;

/// The file that stands for the drive.
const FILE: &str = "cardiograph-steady.tmp";
pub(super) const PURGE: &str = "purge";
pub(super) const ROUND: &str = "round";

/// Least number of bytes that the short form needs to write.
const BUDGET_BYTES_MIN: u64 = 384 * MIB;
/// Default write limit of the short form.
const BUDGET_BYTES_MAX: u64 = 16 * GIB;
/// The share of the capacity that the short form may write, as a divisor: 5 %.
const CAPACITY_DIVISOR: u64 = 20;

/// The measurements of each round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Test {
    /// Random I/O in several block lengths and mixes.
    Iops,
    /// Sequential I/O.
    Throughput,
    /// Random I/O, one at a time.
    Latency,
}

/// A measurement of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Point {
    pub block_bytes: u64,
    /// Percentage of reads.
    pub read_percent: u32,
}

impl Point {
    pub fn directions(self) -> impl Iterator<Item = Direction> {
        let reads = (self.read_percent > 0).then_some(Direction::Read);
        reads.into_iter().chain((self.read_percent < 100).then_some(Direction::Write))
    }

    /// Its percentages of reads and writes, in the standard's form: `65/35`.
    pub fn mix(self) -> Message {
        message!("table-steady.mix", reads = self.read_percent, writes = 100 - self.read_percent)
    }
}

/// The plan of a checkup.
#[derive(Debug)]
pub(super) struct Plan {
    form: &'static Form,
    pub test: Test,
    /// Length of the used part of the drive, from its start, in bytes.
    pub range_bytes: u64,
    pub points: Vec<Point>,
    pub rounds_max: u32,
    pub point_ns: u64,
    pub jobs: u32,
    pub depth: u32,
    /// Bytes after which a writing measurement ends; `None`: it ends by time only.
    pub point_bytes_max: Option<u64>,
    /// Whether the drive is emptied by TRIM first.
    pub purges: bool,
    direct: bool,
    pub notes: Vec<Message>,
    pub fits: bool,
}

impl Plan {
    pub fn from_context(form: &'static Form, context: &Context<'_>) -> Self {
        let (settings, drive) = (&context.options.settings, context.drive);
        let test = match settings.text(&TEST) {
            "throughput" => Test::Throughput,
            "latency" => Test::Latency,
            _ => Test::Iops,
        };
        let block_bytes_min =
            drive.leaves.iter().filter_map(|leaf| leaf.logical_block_bytes).max().unwrap_or(512);
        let mut points = form.points(test);
        points.retain(|point| point.block_bytes >= block_bytes_min);
        let one_at_a_time = test == Test::Latency;
        let count =
            |setting, alone| if one_at_a_time { alone } else { settings.count(setting).unwrap_or(1) as u32 };
        let mut plan = Self {
            form,
            test,
            range_bytes: 0,
            points,
            rounds_max: settings.count(form.rounds()).unwrap_or(1) as u32,
            point_ns: settings.time_ns(form.time()).unwrap_or(NS_PER_S),
            jobs: count(&JOBS, 1),
            depth: count(&DEPTH, 1),
            point_bytes_max: None,
            purges: false,
            direct: context.options.direct,
            notes: Vec::new(),
            fits: true,
        };
        if let Some(setting) =
            [&JOBS, &DEPTH].into_iter().find(|&setting| one_at_a_time && settings.is_given(setting))
        {
            plan.fits = false;
            let value = settings.text(setting);
            plan.notes.push(message!("note-steady.one-in-flight", setting = setting.name, value));
        } else if form.is_standard {
            plan.take_all(context)
        } else {
            plan.take_a_part(context)
        }
        if let Some(max_ns) = context.options.max_time_ns.filter(|_| plan.fits) {
            plan.notes.push(message!("note-steady.cut-off", limit = Parameter::DurationNs(max_ns)));
        }
        plan
    }

    /// The standard's range: all of the drive.
    fn take_all(&mut self, context: &Context<'_>) {
        let drive = context.drive;
        if drive.mount.is_some() {
            self.fits = false;
            let short = Options { settings: Settings::NONE, ..context.options.clone() };
            let short = STEADY_SHORT.outline(&Context { options: &short, ..*context });
            let fits = match short.steps.is_empty() {
                true => instead(context),
                false => vec![message!("note-steady.short-fits")],
            };
            let bare = message!("note-steady.bare-drive", suite = self.form.name);
            self.notes = std::iter::once(bare).chain(fits).collect();
            return;
        }
        let capacity_bytes = drive.capacity_bytes.unwrap_or(0);
        self.range_bytes = whole_mib(capacity_bytes);
        self.purges = !drive.simulated && drive.leaves.iter().all(|leaf| leaf.discards == Some(true));
        let writing = self.points.iter().filter(|point| point.read_percent < 100).count() as u64;
        self.notes.push(message!(
            "note-steady.writes-all",
            passes = PASSES,
            bytes = Parameter::CapacityBytes(PASSES * self.range_bytes),
            time = Parameter::DurationNs(writing * self.point_ns)
        ));
    }

    /// The short form's range, from the write limit.
    fn take_a_part(&mut self, context: &Context<'_>) {
        let asked = context.options.settings.bytes(&MAX);
        let (divisor, most) = asked.map_or((CAPACITY_DIVISOR, BUDGET_BYTES_MAX), |bytes| (1, bytes));
        let budget = Budget::within(context.drive, divisor, most);
        // Two thirds of the bytes are for writing the range twice, one third is for the rounds.
        let bytes = budget.write_bytes;
        self.range_bytes = whole_mib((bytes / 3).min(budget.file_bytes).min(budget.file_len_bytes_max));
        let writing = self.points.iter().filter(|point| point.read_percent < 100).count() as u64;
        let each = bytes / 3 / (u64::from(self.rounds_max) * writing.max(1)) / u64::from(self.jobs);
        self.point_bytes_max = Some(each / MIB * MIB).filter(|&bytes| bytes > 0);
        self.fits = bytes >= BUDGET_BYTES_MIN && self.point_bytes_max.is_some() && self.range_bytes > 0;
        self.notes.extend(budget.reasons.clone());
        if self.fits {
            self.notes.push(message!(
                "note-steady.range",
                range = Parameter::Bytes(self.range_bytes),
                bytes = Parameter::Bytes(each / MIB * MIB * u64::from(self.jobs))
            ));
            self.notes.push(message!("note-steady.not-the-standard"));
        } else {
            self.notes.extend(self.too_little(context, &budget));
        }
    }

    /// Why the write limit is too small, with a suggestion.
    fn too_little(&self, context: &Context<'_>, budget: &Budget) -> Vec<Message> {
        let writing = self.points.iter().filter(|point| point.read_percent < 100).count() as u64;
        // A third of the bytes is for the rounds, and each job of a writing measurement needs 1 MiB.
        let rounds_bytes = u64::from(self.rounds_max) * writing.max(1) * u64::from(self.jobs) * MIB;
        let needed = Parameter::Bytes((3 * rounds_bytes).max(BUDGET_BYTES_MIN));
        let why = message!("note-steady.too-little", rounds = self.rounds_max, needed);
        [why, budget.more()].into_iter().chain(instead(context)).collect()
    }

    /// The steps before the first round.
    pub fn beforehand(&self) -> Vec<Step> {
        let purge = self.purges.then(|| {
            let job = self.job(PURGE).set("rw", "trim").set("bs", "64M").set("ioengine", "psync");
            let step = step_of(job, message!("step-steady.purge"), (FILE, self.range_bytes), 0);
            Step { role: StepRole::Prepare, ..step }
        });
        let precondition = precondition::step(self.job(PRECONDITION), (FILE, self.range_bytes));
        purge.into_iter().chain([precondition]).collect()
    }

    /// The `nth` round, from 0.
    pub fn round(&self, nth: u32) -> Step {
        let id = tries::id_of(ROUND, nth);
        let jobs: Vec<JobSpec> = self.points.iter().map(|&point| self.measurement(&id, point)).collect();
        let writing = self.points.iter().filter(|point| point.read_percent < 100).count() as u64;
        let write_bytes_max = match self.point_bytes_max {
            Some(bytes) => writing * bytes * u64::from(self.jobs),
            // The bandwidth of the fastest links.
            None => writing.saturating_mul(16_000_000_000).saturating_mul(self.point_ns / NS_PER_S),
        };
        let time_ns = self.point_ns * self.points.len() as u64;
        let title = message!("step-steady.round", nth = nth + 1);
        let step = step_of_jobs(&id, title, jobs, (FILE, self.range_bytes), write_bytes_max);
        Step { time_ns_max: Some(time_ns), ..step }
    }

    fn measurement(&self, round: &str, point: Point) -> JobSpec {
        let is_random = self.test != Test::Throughput;
        let rw = match (point.read_percent, is_random) {
            (100, true) => "randread",
            (0, true) => "randwrite",
            (_, true) => "randrw",
            (100, false) => "read",
            (0, false) => "write",
            (_, false) => "rw",
        };
        let name = format!("{round}-{}-{}", point.read_percent, text::option_bytes(point.block_bytes));
        let job = self.job(&name).set("rw", rw).set("bs", text::option_bytes(point.block_bytes));
        let job = if rw == "randrw" { job.set("rwmixread", point.read_percent) } else { job };
        let job = match self.depth {
            1 => job.set("ioengine", "psync"),
            depth => job.set("ioengine", "io_uring").set("iodepth", depth),
        };
        let job = if self.jobs > 1 { job.set("numjobs", self.jobs).set("group_reporting", 1) } else { job };
        let job = match self.point_bytes_max.filter(|_| point.read_percent < 100) {
            // In a mix, reads count, too, so that it never writes more.
            Some(bytes) => job.set("io_size", text::option_bytes(bytes)),
            None => job.set("time_based", 1),
        };
        let job = if is_random { job.set("norandommap", 1).set("randrepeat", 0) } else { job };
        job.set("runtime", text::option_time(self.point_ns)).set("refill_buffers", 1).set("stonewall", 1)
    }

    fn job(&self, name: &str) -> JobSpec {
        JobSpec::for_step(self.form.name, name)
            .set("filename", FILE)
            .set("size", text::option_bytes(self.range_bytes))
            .set("direct", u8::from(self.direct))
    }

    /// The completed rounds, in order.
    pub fn rounds<'a>(&self, done: &'a [StepResult]) -> Vec<&'a StepResult> {
        tries::numbered(done, ROUND)
    }
}

/// Block lengths of the standard's IOPS test, in bytes.
pub(super) const BLOCKS: [u64; 8] =
    [1_024 * KIB, 128 * KIB, 64 * KIB, 32 * KIB, 16 * KIB, 8 * KIB, 4 * KIB, KIB / 2];
