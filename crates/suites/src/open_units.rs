//! `open-units`: the number of files that can be written at once before the drive has to copy data.
//!
//! Cards, sticks and chips keep only some of their allocation units open ([`cardiograph_judge::open_units`]). Simultaneous
//! camera recordings, logs next to a database, or several downloads each write to a separate unit, and with one too many,
//! each small write may cost the drive a whole unit. A test that writes one file does not show this.
//!
//! Files take turns, one write of 64 KiB each, as many at a time as units shall be open. Before the written region, each file
//! has an unused region of the length of a unit: wherever the file system has put the files, no two of them write to the
//! same unit. The idea is from flashbench's test of open erase blocks, which needs a bare device.

mod tables;
#[cfg(test)]
mod tests;

use cardiograph_core::card::Card;
use cardiograph_core::drive::{Drive, UnitSource};
use cardiograph_core::message::Parameter;
use cardiograph_core::metric::Measurements;
use cardiograph_core::report::{Step, StepOutcome, StepResult, StepRole, TestFile, Work};
use cardiograph_core::table::Table;
use cardiograph_core::{GIB, JobSpec, KIB, MIB, Message, NS_PER_MS, NS_PER_S, message};
use cardiograph_judge::open_units::{OpenUnits, Trial, search};

use crate::budget::Budget;
use crate::instead::instead;
use crate::measure::measure;
use crate::next_step::{NextStep, went_well};
use crate::schedule::STEP_NS_MIN;
use crate::setting::{Setting, SettingKind, Settings};
use crate::suite::{Context, Outline, Suite};
use crate::text::{self, whole_mib};
use crate::traits::SuiteTraits;
use crate::tries;

const NAME: &str = "open-units";
const FILL: &str = "fill";

const UNIT: Setting = Setting::new(
    "unit",
    const { &message!("setting-open-units.unit") },
    SettingKind::MibIn { least_bytes: MIB, most_bytes: UNIT_BYTES_MAX },
    "",
);
const MOST: Setting = Setting::new(
    "most",
    const { &message!("setting-open-units.most") },
    SettingKind::CountIn { least: 2, most: MOST_MAX },
    "16",
);

/// Length of a write.
const BLOCK_BYTES: u64 = 64 * KIB;
/// The unit that most current cards report; some report more.
const UNIT_BYTES_ASSUMED: u64 = 4 * MIB;
/// No standard has larger units: a card can report up to 64 MiB, and up to 512 MiB for video.
const UNIT_BYTES_MAX: u64 = GIB;
/// Nobody writes more files at once, and they would need much space.
const MOST_MAX: u64 = 64;
/// Least number of units in a run, so that a few do not decide.
const RUN_UNITS_MIN: u32 = 8;
/// The share of the capacity that may be written, as a divisor: 5 %.
const CAPACITY_DIVISOR: u64 = 20;
/// Write limit of all steps together.
const WRITE_BYTES_MAX: u64 = GIB;
/// Time limit of a run, for slow drives.
const RUN_NS: u64 = 10 * NS_PER_S;

/// The suite.
#[derive(Debug, Clone, Copy)]
pub struct FindOpenUnits;

/// The origin of the length of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UnitOrigin {
    User,
    Card,
    Kernel,
    Assumed,
}

impl UnitOrigin {
    /// The length with its origin, in words.
    fn describe(self, unit_bytes: u64) -> Message {
        let unit = Parameter::Bytes(unit_bytes);
        match self {
            UnitOrigin::User => message!("table-open-units.unit-asked", unit),
            UnitOrigin::Card => message!("table-open-units.unit-of-card", unit),
            UnitOrigin::Kernel => message!("table-open-units.unit-of-kernel", unit),
            UnitOrigin::Assumed => message!("table-open-units.unit-assumed", unit),
        }
    }
}

/// The plan of a checkup.
#[derive(Debug)]
struct Plan {
    unit_bytes: u64,
    origin: UnitOrigin,
    /// Bytes of each unit that are written, from its start.
    region_bytes: u64,
    /// The most units to try; 0 if not even two fit.
    most: u32,
    run_ns: u64,
    direct: bool,
    notes: Vec<Message>,
}

impl Plan {
    fn from_context(context: &Context<'_>) -> Self {
        let (settings, drive) = (&context.options.settings, context.drive);
        let (unit_bytes, origin) = match (settings.bytes(&UNIT), unit_of(drive)) {
            (Some(bytes), _) => (bytes, UnitOrigin::User),
            (None, (bytes, origin)) => (bytes.clamp(MIB, UNIT_BYTES_MAX).next_multiple_of(MIB), origin),
        };
        let wanted = settings.count(&MOST).unwrap_or(MOST_MAX) as u32;
        let budget = Budget::within(drive, CAPACITY_DIVISOR, WRITE_BYTES_MAX);
        let half_bytes = drive.capacity_bytes.map_or(u64::MAX, |bytes| bytes / 2);
        let region = |most: u32| {
            let bytes = whole_mib((budget.write_bytes / regions_max(most)).min(unit_bytes));
            let room = u64::from(most).saturating_mul(unit_bytes.saturating_add(bytes));
            (bytes > 0 && room <= budget.file_bytes.min(half_bytes)).then_some((most, bytes))
        };
        let halves = std::iter::successors(Some(wanted), |most| Some(most / 2)).take_while(|&most| most > 1);
        let (most, region_bytes) = halves.into_iter().find_map(region).unwrap_or((0, 0));
        let mut notes = vec![message!("note-open-units.unit", unit = origin.describe(unit_bytes))];
        let longest_bytes = region_bytes * regions_max(most);
        match longest_bytes < budget.write_bytes && most > 0 {
            true => notes
                .push(message!("note-open-units.writes", bytes = Parameter::CapacityBytes(longest_bytes))),
            false => notes.extend(budget.reasons),
        }
        if most == 0 {
            notes.push(message!("note-open-units.too-little"));
            notes.extend(instead(context));
        } else if most < wanted {
            notes.push(message!("note-open-units.fewer", most, wanted));
        }
        if most > 0 && region_bytes < unit_bytes {
            notes.push(message!("note-open-units.part", bytes = Parameter::Bytes(region_bytes)));
        }
        Self {
            unit_bytes,
            origin,
            region_bytes,
            most,
            run_ns: run_ns(most, context.options.max_time_ns),
            direct: context.options.direct,
            notes,
        }
    }

    /// The step that fills the files, and the runs of the longest search.
    fn longest(&self) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        if self.most > 0 {
            steps.push(self.fill());
            let counts = longest_search(self.most);
            let nth = |at: usize| counts[..at].iter().filter(|&&before| before == counts[at]).count();
            steps.extend((0..counts.len()).map(|at| self.run(counts[at], nth(at) as u32)));
        }
        steps
    }

    fn fill(&self) -> Step {
        let job = self
            .job(FILL, self.most, "1m")
            .set("file_service_type", "sequential")
            .set("ioengine", "io_uring")
            .set("iodepth", 4)
            .set("end_fsync", 1);
        let title = message!("step-open-units.fill", units = self.most);
        self.step(title, StepRole::Prepare, job, self.most, None)
    }

    /// The `nth` run, from 0, with a number of units in turn.
    fn run(&self, units: u32, nth: u32) -> Step {
        let files = run_files(units, self.most);
        let job = self
            .job(&tries::id_of(&format!("units-{units}"), nth), files, &text::option_bytes(BLOCK_BYTES))
            .set("file_service_type", "roundrobin")
            .set("openfiles", units)
            .set("ioengine", "psync")
            .set("runtime", text::option_time(self.run_ns));
        let block = Parameter::BlockBytes(BLOCK_BYTES);
        let title = message!("step-open-units.run", units, block);
        let title = if nth > 0 { message!("step-again", test = title, nth = nth + 1) } else { title };
        self.step(title, StepRole::Measure, job, files, Some(self.run_ns))
    }

    fn job(&self, id: &str, files: u32, bs: &str) -> JobSpec {
        let names: Vec<String> = (0..files).map(file_name).collect();
        JobSpec::for_step(NAME, id)
            .set("filename", names.join(":"))
            .set("filesize", text::option_bytes(self.unit_bytes + self.region_bytes))
            .set("offset", text::option_bytes(self.unit_bytes))
            .set("bs", bs)
            .set("rw", "write")
            .set("direct", u8::from(self.direct))
            .set("refill_buffers", 1)
    }

    fn step(
        &self,
        title: Message,
        role: StepRole,
        job: JobSpec,
        files: u32,
        time_ns_max: Option<u64>,
    ) -> Step {
        let len_bytes = self.unit_bytes + self.region_bytes;
        Step {
            id: job.name.clone(),
            title,
            role,
            work: Work::Jobs(vec![job]),
            files: (0..files).map(|nth| TestFile { name: file_name(nth), len_bytes }).collect(),
            write_bytes_max: u64::from(files) * self.region_bytes,
            time_ns_max,
            ..Step::default()
        }
    }

    /// The result so far. It is unknown if one of the runs is doubtful.
    fn found(&self, done: &[StepResult]) -> OpenUnits {
        let trials: Option<Vec<Trial>> = complete_runs(done).map(Trial::from_step).collect();
        trials.map_or(OpenUnits::Foreign, |trials| search(&trials, self.most))
    }
}

/// The runs that ended as planned.
fn complete_runs(done: &[StepResult]) -> impl Iterator<Item = &StepResult> {
    done.iter().filter(|step| step.step.role == StepRole::Measure && step.outcome == StepOutcome::Done)
}

fn file_name(nth: u32) -> String {
    format!("cardiograph-unit-{}.tmp", nth + 1)
}

/// The allocation unit of the first drive that reports one.
fn unit_of(drive: &Drive) -> (u64, UnitOrigin) {
    let in_status = drive.leaves.iter().find_map(|leaf| match &leaf.card {
        Some(Card::Sd(card)) => {
            let status = card.status.as_ref()?;
            // In UHS modes, a card has larger units, which are multiples of the plain one.
            [status.allocation_unit_bytes, status.uhs_allocation_unit_bytes].into_iter().flatten().max()
        }
        _ => None,
    });
    let preferred = || {
        let is_reported = |source| matches!(source, UnitSource::AllocationUnit | UnitSource::PreferredErase);
        let alignment = drive.alignments.iter().find(|alignment| is_reported(alignment.unit_source))?;
        Some(alignment.unit_bytes)
    };
    match (in_status, preferred()) {
        (Some(bytes), _) if bytes > 0 => (bytes, UnitOrigin::Card),
        (_, Some(bytes)) if bytes > 0 => (bytes, UnitOrigin::Kernel),
        _ => (UNIT_BYTES_ASSUMED, UnitOrigin::Assumed),
    }
}

/// Number of files in a run with a number of units in turn: complete groups, so that the same number take turns to the end.
fn run_files(units: u32, most: u32) -> u32 {
    let groups = RUN_UNITS_MIN.div_ceil(units).min(most / units).max(1);
    groups * units
}

/// The numbers of units in the longest search: the largest number is too many, and each number in between seems to be at
/// first.
fn longest_search(most: u32) -> Vec<u32> {
    let mut trials: Vec<Trial> = Vec::new();
    while let OpenUnits::Try { units, .. } = search(&trials, most) {
        let tried = |units: u32| trials.iter().filter(|trial| trial.units == units).count();
        let is_slow = units == most || (tried(most) > 0 && units > 1 && tried(units) == 0);
        trials.push(Trial { units, bytes_per_s: if is_slow { 1.0 } else { 10.0 } });
    }
    trials.iter().map(|trial| trial.units).collect()
}

/// Written regions of the longest search, including the fill.
fn regions_max(most: u32) -> u64 {
    let runs = longest_search(most).into_iter().map(|units| u64::from(run_files(units, most)));
    runs.sum::<u64>() + u64::from(most)
}

/// Time limit of a run, so that all runs together take at most `max_time_ns`.
fn run_ns(most: u32, max_time_ns: Option<u64>) -> u64 {
    let runs = longest_search(most).len().max(1) as u64;
    let ns = max_time_ns.map_or(RUN_NS, |max_ns| (max_ns / runs).clamp(STEP_NS_MIN, RUN_NS));
    ns - ns % NS_PER_MS
}

impl Suite for FindOpenUnits {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> Message {
        message!("suite-open-units")
    }

    fn settings(&self) -> &'static [Setting] {
        const { &[UNIT, MOST] }
    }

    fn traits(&self, _: &Settings) -> SuiteTraits {
        SuiteTraits {
            // A run takes some tenths of a second on a fast drive, and its first round is ignored.
            window_ns: 10 * NS_PER_MS,
            says_notes_first: true,
            ..SuiteTraits::default()
        }
    }

    fn outline(&self, context: &Context<'_>) -> Outline {
        let plan = Plan::from_context(context);
        Outline::from_steps(context, plan.longest(), None, plan.notes)
    }

    fn next(&self, context: &Context<'_>, done: &[StepResult]) -> Option<NextStep> {
        let plan = Plan::from_context(context);
        if plan.most == 0 || !went_well(done) {
            return None;
        }
        if done.is_empty() {
            let sizing = plan.notes.clone();
            return Some(Step { sizing, ..plan.fill() }.into());
        }
        let OpenUnits::Try { units, .. } = plan.found(done) else { return None };
        let nth = tries::numbered(done, &format!("units-{units}")).len() as u32;
        let step = plan.run(units, nth);
        // On a drive with jumping speed, the search would not end.
        let sum_bytes =
            |steps: &mut dyn Iterator<Item = &Step>| -> u64 { steps.map(|step| step.write_bytes_max).sum() };
        let written_bytes = sum_bytes(&mut done.iter().map(|result| &result.step));
        let may_write = sum_bytes(&mut plan.longest().iter());
        (written_bytes + step.write_bytes_max <= may_write).then(|| step.into())
    }

    fn measure(&self, context: &Context<'_>, done: &[StepResult]) -> Measurements {
        measure(context, done, &[])
    }

    fn tables(&self, context: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
        tables::all(&Plan::from_context(context), done)
    }
}
