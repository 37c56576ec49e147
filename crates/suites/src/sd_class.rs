//! `sd-class`: whether a card keeps the promises of its marks (C10, U3, V30, A1, A2).
//!
//! The standard's own tests work on the bare card: they write recording units into completely free allocation units, and
//! measure random access in a range that was written before. Through a file system, that can only be approximated:
//! sequential writes in recording units of 512 KiB to space that the file system considers free, and random 4 KiB I/O in a
//! sequentially written file of 256 MiB. So the result is an indication, not a certificate. Every try is shown: a mark is
//! kept if all tries keep it, and broken if none does. If each try is slower than the one before, the mark cannot be
//! judged: a cache of the card is filling up, and the speed after it is unknown. A cache larger than all tries together
//! hides that, which is reported.
//!
//! Sources: SD Physical Layer Simplified Specification 9.10, 4.13 (speed classes) and 4.16 (application performance
//! classes, which also require a sustained 10 MB/s).

use cardiograph_core::card::{Card, Mark, SdCard, SdQueueUse};
use cardiograph_core::claim::{Claim, ClaimEvidence, ClaimOutcome};
use cardiograph_core::drive::{Drive, LeafKind};
use cardiograph_core::message::Parameter;
use cardiograph_core::metric::{Measurements, Metric, Unit};
use cardiograph_core::report::{Step, StepResult, StepRole};
use cardiograph_core::table::{CellUnit, Table};
use cardiograph_core::verdict::FindingOutcome;
use cardiograph_core::{Direction, GIB, JobSpec, KIB, MIB, Message, NS_PER_S, message};

use crate::budget::Budget;
use crate::figure::Figure;
use crate::fixed::cut_off;
use crate::group::Group;
use crate::instead::instead;
use crate::measure::{Source, measure};
use crate::next_step::{NextStep, first_ahead_noted, step_of};
use crate::setting::Settings;
use crate::suite::{Context, Outline, Suite};
use crate::tabulate::{Over, column, over_tries, row};
use crate::text::{self, whole_mib};
use crate::title;
use crate::traits::SuiteTraits;
use crate::tries::{self, Tried};

const NAME: &str = "sd-class";
const RANGE_FILE: &str = "cardiograph-sd-range.tmp";
const FILL: &str = "fill";
const SEQUENTIAL: &str = "sequential-write";
const READ: &str = "random-read";
const WRITE: &str = "random-write";

/// Tries of each test.
const TRIES: u32 = 3;
/// Write limit of all steps together: enough for the sizes below.
const WRITE_BYTES_MAX: u64 = GIB;
/// The share of the capacity that may be written, as a divisor: 5 %.
const CAPACITY_DIVISOR: u64 = 20;
/// Total of all writes if nothing is reduced.
const WANTED_BYTES: u64 = RANGE_BYTES + TRIES as u64 * (SEQUENTIAL_BYTES + RANDOM_BYTES);
/// The range of the random tests, as in the standard's tests of application performance.
const RANGE_BYTES: u64 = 256 * MIB;
/// Bytes of a sequential try: four seconds at 30 MB/s.
const SEQUENTIAL_BYTES: u64 = 128 * MIB;
/// Bytes of a random write try: eight seconds at the 2,000 IOPS of A2.
const RANDOM_BYTES: u64 = 64 * MIB;
/// With less, nothing can be judged.
const BUDGET_BYTES_MIN: u64 = 64 * MIB;
/// Length of a random try, as in Raspberry Pi's own diagnostics.
const RANDOM_NS: u64 = 10 * NS_PER_S;
/// Time limit of a sequential try.
const SEQUENTIAL_NS: u64 = 30 * NS_PER_S;
/// The queue depth that the standard allows.
const DEPTH: u32 = 32;

/// The suite.
#[derive(Debug, Clone, Copy)]
pub struct SdClass;

/// The plan of a checkup.
struct Plan {
    range_bytes: u64,
    sequential_bytes: u64,
    random_bytes: u64,
    direct: bool,
    fits: bool,
    notes: Vec<Message>,
}

impl Plan {
    fn from_context(context: &Context<'_>) -> Self {
        let budget = Budget::within(context.drive, CAPACITY_DIVISOR, WRITE_BYTES_MAX);
        // The files of all tries may exist at once.
        let bytes = budget.write_bytes.min(budget.file_bytes).min(WANTED_BYTES);
        let share = |wanted: u64| {
            whole_mib((u128::from(wanted) * u128::from(bytes) / u128::from(WANTED_BYTES)) as u64)
        };
        let mut notes = budget.reasons;
        let fits = bytes >= BUDGET_BYTES_MIN;
        if !fits {
            let least = Parameter::Bytes(BUDGET_BYTES_MIN);
            notes.push(message!("note-sd-class.too-little", least));
            notes.extend(instead(context));
        } else if bytes < WANTED_BYTES {
            let (range, wanted) = (Parameter::Bytes(share(RANGE_BYTES)), Parameter::Bytes(RANGE_BYTES));
            notes.push(message!("note-sd-class.smaller-range", range, wanted));
        }
        let is_card = context.drive.leaves.iter().any(|leaf| leaf.kind == LeafKind::SdCard);
        if fits && !is_card && !context.drive.simulated {
            notes.push(message!("note-sd-class.no-registers"));
        }
        notes.extend(context.options.max_time_ns.filter(|_| fits).map(cut_off));
        Self {
            range_bytes: share(RANGE_BYTES),
            sequential_bytes: share(SEQUENTIAL_BYTES),
            random_bytes: share(RANDOM_BYTES),
            direct: context.options.direct,
            fits,
            notes,
        }
    }

    /// All steps in order; none if the drive is too small.
    fn steps(&self) -> Vec<Step> {
        if !self.fits {
            return Vec::new();
        }
        let each =
            |make: fn(&Self, u32) -> Step| (0..TRIES).map(move |nth| make(self, nth)).collect::<Vec<_>>();
        let mut steps = each(Self::sequential);
        steps.push(self.fill());
        steps.extend(each(Self::read));
        steps.extend(each(Self::write));
        steps
    }

    fn sequential(&self, nth: u32) -> Step {
        // Unused space: a separate file for each try.
        let file = format!("cardiograph-sd-{}.tmp", nth + 1);
        let job = self.job(SEQUENTIAL, nth, &file, self.sequential_bytes, "512k", "write");
        let job = job.set("ioengine", "psync").set("runtime", text::option_time(SEQUENTIAL_NS));
        let test = (SEQUENTIAL, title::for_io("write", 512 * KIB, 0));
        self.step(nth, test, job, (&file, self.sequential_bytes), self.sequential_bytes, SEQUENTIAL_NS)
    }

    fn fill(&self) -> Step {
        let job = self.job(FILL, 0, RANGE_FILE, self.range_bytes, "1m", "write");
        let job = job.set("ioengine", "io_uring").set("iodepth", 4).set("end_fsync", 1);
        let step =
            self.step(0, (FILL, title::fill()), job, (RANGE_FILE, self.range_bytes), self.range_bytes, 0);
        Step { title: title::fill(), role: StepRole::Prepare, time_ns_max: None, try_of: None, ..step }
    }

    fn read(&self, nth: u32) -> Step {
        let job = self.job(READ, nth, RANGE_FILE, self.range_bytes, "4k", "randread").set("time_based", 1);
        self.random(nth, (READ, "randread"), job, 0)
    }

    fn write(&self, nth: u32) -> Step {
        let job = self.job(WRITE, nth, RANGE_FILE, self.range_bytes, "4k", "randwrite");
        let job = job.set("io_size", text::option_bytes(self.random_bytes));
        self.random(nth, (WRITE, "randwrite"), job, self.random_bytes)
    }

    fn random(&self, nth: u32, (id, rw): (&str, &str), job: JobSpec, write_bytes_max: u64) -> Step {
        let test = (id, title::with_depth(title::for_io(rw, 4 * KIB, 100), DEPTH));
        let job = job.set("ioengine", "io_uring").set("iodepth", DEPTH).set("randrepeat", 0);
        let job = job.set("runtime", text::option_time(RANDOM_NS));
        self.step(nth, test, job, (RANGE_FILE, self.range_bytes), write_bytes_max, RANDOM_NS)
    }

    fn job(&self, id: &str, nth: u32, file: &str, size: u64, bs: &str, rw: &str) -> JobSpec {
        JobSpec::for_step(NAME, &tries::id_of(id, nth))
            .set("filename", file)
            .set("size", text::option_bytes(size))
            .set("bs", bs)
            .set("rw", rw)
            .set("direct", u8::from(self.direct))
            .set("refill_buffers", 1)
    }

    fn step(
        &self,
        nth: u32,
        (id, title): (&str, Message),
        job: JobSpec,
        file: (&str, u64),
        write_bytes_max: u64,
        time_ns: u64,
    ) -> Step {
        Step {
            time_ns_max: Some(time_ns),
            try_of: tries::try_of(id, title.clone(), TRIES, false),
            ..step_of(job, tries::title_of(title, nth, TRIES), file, write_bytes_max)
        }
    }
}

impl Suite for SdClass {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> Message {
        message!("suite-sd-class")
    }

    fn traits(&self, _: &Settings) -> SuiteTraits {
        SuiteTraits { group: Group::Standard, ..SuiteTraits::default() }
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
        Mark::ALL.into_iter().map(claim_id).collect()
    }

    fn claims(&self, context: &Context<'_>, done: &[StepResult]) -> Vec<Claim> {
        let tests = Tests::from_steps(done);
        let card = card(context.drive);
        let claimed: Vec<Mark> =
            card.and_then(|card| card.status).map(|status| status.marks()).unwrap_or_default();
        let (marks, said_by) = match claimed.is_empty() {
            true => (ALL_MARKS.to_vec(), None),
            false => (claimed, Some(message!("claim-said-by.sd-status"))),
        };
        marks.into_iter().map(|mark| tests.claim(mark, said_by.clone(), context.drive)).collect()
    }

    fn tables(&self, _: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
        let kinds = [
            (message!("table-sd-class.sequential-write"), SEQUENTIAL, Figure::Bandwidth(Direction::Write)),
            (message!("table-sd-class.random-read"), READ, Figure::Bandwidth(Direction::Read)),
            (message!("table-sd-class.random-write"), WRITE, Figure::Bandwidth(Direction::Write)),
        ];
        let rows = kinds.map(|(name, id, bandwidth)| {
            let counted = tries::counted(done, id);
            let direction = if id == READ { Direction::Read } else { Direction::Write };
            let cell = |figure| over_tries(&counted, figure, Over::Mean);
            row(name, vec![cell(bandwidth), cell(Figure::Iops(direction))])
        });
        let table = Table {
            title: message!("table-sd-class.title"),
            columns: vec![
                column(message!("table-figure.bandwidth"), CellUnit::MegabytesPerSecond),
                column(Message::verbatim("IOPS"), CellUnit::PerSecond),
            ],
            rows: rows.to_vec(),
            ..Table::default()
        };
        if done.iter().any(|step| step.step.role == StepRole::Measure) { vec![table] } else { Vec::new() }
    }
}

/// Id of the claim that a card keeps the promise of a mark.
fn claim_id(mark: Mark) -> String {
    mark.label().to_lowercase()
}

/// Marks to judge if the card does not report its own.
const ALL_MARKS: [Mark; 7] = [
    Mark::Speed { class: 10 },
    Mark::Uhs { grade: 3 },
    Mark::Video { class: 30 },
    Mark::Video { class: 60 },
    Mark::Video { class: 90 },
    Mark::Application { class: 1 },
    Mark::Application { class: 2 },
];

fn card(drive: &Drive) -> Option<&SdCard> {
    drive.leaves.iter().find_map(|leaf| match &leaf.card {
        Some(Card::Sd(card)) => Some(card),
        _ => None,
    })
}

/// Whether tries become slower: the last is the slowest, by more than a fifth of the first.
fn is_falling(tries: &[f64]) -> bool {
    match tries {
        [first, .., last] => *last < 0.8 * first && tries.iter().all(|speed| speed >= last),
        _ => false,
    }
}

/// The tries of each kind of test.
struct Tests {
    /// Total bytes of the sequential tries.
    sequential_bytes: u64,
    sequential: Tried,
    read: Tried,
    write: Tried,
}

impl Tests {
    fn from_steps(done: &[StepResult]) -> Self {
        let tried = |id, figure| Tried::collect(done, id, figure);
        let written = tries::find(done, SEQUENTIAL).into_iter().filter_map(|step| step.result.as_ref());
        Self {
            sequential_bytes: written.map(|run| run.merged(|_| true)[Direction::Write].bytes).sum(),
            sequential: tried(SEQUENTIAL, Figure::Bandwidth(Direction::Write)),
            read: tried(READ, Figure::Iops(Direction::Read)),
            write: tried(WRITE, Figure::Iops(Direction::Write)),
        }
    }

    fn claim(&self, mark: Mark, said_by: Option<Message>, drive: &Drive) -> Claim {
        let sequential_min = mark.sequential_write_bytes_per_s_min() as f64;
        let mut evidence = vec![self.sequential.evidence(
            message!("claim-evidence.sequential-write"),
            Unit::BytesPerSecond,
            sequential_min,
        )];
        let write = Parameter::bytes_per_s(sequential_min);
        let mut statement = message!("claim-mark.speed", mark = mark.label(), write = write.clone());
        let application = mark.application_class();
        if let Some(class) = application {
            let (reads, writes) = (class.read_iops_min as f64, class.write_iops_min as f64);
            statement = message!(
                "claim-mark.application",
                mark = mark.label(),
                reads = Parameter::iops(reads),
                writes = Parameter::iops(writes),
                write
            );
            evidence.push(self.read.evidence(
                message!("claim-evidence.random-read"),
                Unit::IosPerSecond,
                reads,
            ));
            evidence.push(self.write.evidence(
                message!("claim-evidence.random-write"),
                Unit::IosPerSecond,
                writes,
            ));
        }
        let needs_queue = application.is_some_and(|class| class.needs_queue_and_cache);
        let (mut outcome, mut reasons) =
            outcome(&evidence, needs_queue.then(|| queue_doubt(drive)).flatten());
        if outcome == ClaimOutcome::Kept {
            let written = Parameter::Bytes(self.sequential_bytes);
            if is_falling(&evidence[0].tries) {
                outcome = ClaimOutcome::CannotBeJudged;
                reasons = vec![message!("claim-class.slowing", written)];
            } else {
                reasons.push(message!("claim-class.unseen-cliff", written));
            }
        }
        Claim { id: claim_id(mark), statement, said_by, outcome, reasons, evidence }
    }
}

/// Why a class that needs the card's queue cannot be judged, if the host does not use the queue.
fn queue_doubt(drive: &Drive) -> Option<Message> {
    match card(drive).and_then(|card| card.queue_use) {
        Some(SdQueueUse::On { recoveries: 0, .. }) => None,
        Some(SdQueueUse::On { .. }) => Some(message!("claim-queue.fails")),
        Some(SdQueueUse::HostOnly | SdQueueUse::Off) => Some(message!("claim-queue.unused")),
        None => Some(message!("claim-queue.unknown")),
    }
}

/// The outcome and its reasons. Without the queue that the class needs, missing a limit is not the card's fault.
fn outcome(evidence: &[ClaimEvidence], queue_doubt: Option<Message>) -> (ClaimOutcome, Vec<Message>) {
    const INDICATION: Message = message!("claim-class.indication");
    let any = |outcome| evidence.iter().any(|entry| entry.outcome == outcome);
    let random_missed = evidence.iter().skip(1).any(|entry| entry.outcome != FindingOutcome::Pass);
    let sequential_missed = evidence.first().is_some_and(|entry| entry.outcome == FindingOutcome::Fail);
    match queue_doubt {
        Some(doubt) if random_missed && !sequential_missed => (ClaimOutcome::CannotBeJudged, vec![doubt]),
        _ if any(FindingOutcome::Fail) => (ClaimOutcome::Broken, vec![INDICATION]),
        _ if any(FindingOutcome::NotJudged) => {
            let is_split = evidence.iter().any(|entry| {
                entry.doubt.is_none() && entry.tries.len() > 1 && entry.outcome == FindingOutcome::NotJudged
            });
            let why = match is_split {
                true => message!("claim-class.split"),
                false => message!("claim-class.incomplete"),
            };
            (ClaimOutcome::CannotBeJudged, vec![why])
        }
        _ => (ClaimOutcome::Kept, vec![INDICATION]),
    }
}

const SOURCES: &[Source] = &[(SEQUENTIAL, &[Metric::SequentialWrite]), (READ, &[Metric::RandomReadDeepIops])];

#[cfg(test)]
mod tests;
