//! `rpdiags`: the card test of Raspberry Pi's own diagnostics.
//!
//! It fills a file, then writes sequentially, and writes and reads 4 KiB blocks at random for at most ten seconds each, and
//! compares the results with the requirements of class A1: 10,000 KiB/s, 500 and 1,500 IOPS. It tries up to three times and
//! accepts a single passing try. So does its table here; but every try is shown, and differing tries are explained.
//! Until July 2024, the file had 64 MiB and the queue depth was 4 (`--set version=1`); since then, 256 MiB and 32.

use cardiograph_core::claim::{Claim, ClaimOutcome};
use cardiograph_core::metric::{Measurements, Metric, Unit};
use cardiograph_core::report::{Step, StepOutcome, StepResult, StepRole};
use cardiograph_core::table::{CellUnit, Table};
use cardiograph_core::{Direction, JobSpec, KIB, MIB, Message, NS_PER_S, message};
use cardiograph_jobs::value::parse_bytes;

use crate::budget::margin_bytes;
use crate::figure::{Figure, estimate};
use crate::fixed::{cut_off, too_little_room};
use crate::group::Group;
use crate::measure::{Source, measure};
use crate::next_step::{NextStep, step_of, went_well};
use crate::setting::{Setting, SettingKind, Settings};
use crate::suite::{Context, Outline, Suite};
use crate::tabulate::{NOT_RUN, absent, column, figure_of, row};
use crate::text;
use crate::title;
use crate::traits::SuiteTraits;
use crate::tries::{self, Tried};

const NAME: &str = "rpdiags";
const FILE: &str = "cardiograph-rpdiags.tmp";
const TRIES: u32 = 3;
/// Time limit of random tests.
const RANDOM_NS: u64 = 10 * NS_PER_S;

const VERSION: Setting = Setting::new(
    "version",
    const { &message!("setting-rpdiags.version") },
    SettingKind::Choice(&["1", "2"]),
    "2",
);

/// The suite.
#[derive(Debug, Clone, Copy)]
pub struct RpDiags;

/// One test of a try.
struct Test {
    id: &'static str,
    rw: &'static str,
    /// Its block size in the two versions; empty if a version does not have the test.
    bs: [&'static str; 2],
    /// Its required speed, in bytes per second, or in I/Os per second for a random test.
    limit: Option<f64>,
}

const fn test(id: &'static str, rw: &'static str, bs: [&'static str; 2], limit: Option<f64>) -> Test {
    Test { id, rw, bs, limit }
}

const TESTS: [Test; 5] = [
    test("prepare-file", "write", ["512k", "512k"], None),
    test("seq-write", "write", ["512k", "4M"], Some(10_000.0 * KIB as f64)),
    test("seq-read", "read", ["", "4M"], None),
    test("rand-4k-write", "randwrite", ["4k", "4k"], Some(500.0)),
    test("rand-4k-read", "randread", ["4k", "4k"], Some(1_500.0)),
];

impl Test {
    fn is_random(&self) -> bool {
        self.rw.starts_with("rand")
    }

    fn direction(&self) -> Direction {
        if self.rw.ends_with("read") { Direction::Read } else { Direction::Write }
    }

    /// The figure to compare, and its unit.
    fn figure(&self) -> (Figure, Unit) {
        match self.is_random() {
            true => (Figure::Iops(self.direction()), Unit::IosPerSecond),
            false => (Figure::Bandwidth(self.direction()), Unit::BytesPerSecond),
        }
    }

    /// Its name in the claim.
    fn name(&self) -> Message {
        match (self.is_random(), self.direction()) {
            (true, Direction::Read) => message!("claim-evidence.random-read"),
            (true, _) => message!("claim-evidence.random-write"),
            (false, Direction::Read) => message!("claim-evidence.sequential-read"),
            (false, _) => message!("claim-evidence.sequential-write"),
        }
    }
}

/// The differences between the versions.
struct Version {
    index: usize,
    file_bytes: u64,
    depth: u32,
}

impl Version {
    fn from_context(context: &Context<'_>) -> Self {
        match context.options.settings.text(&VERSION) {
            "1" => Self { index: 0, file_bytes: 64 * MIB, depth: 4 },
            _ => Self { index: 1, file_bytes: 256 * MIB, depth: 32 },
        }
    }

    fn tests(&self) -> impl Iterator<Item = &'static Test> + use<> {
        let index = self.index;
        TESTS.iter().filter(move |test| !test.bs[index].is_empty())
    }

    fn step(&self, context: &Context<'_>, test: &Test, nth: u32) -> Step {
        let id = tries::id_of(test.id, nth);
        let job = JobSpec::for_step(NAME, &id)
            .set("ioengine", "libaio")
            .set("iodepth", self.depth)
            .set("size", text::option_bytes(self.file_bytes))
            .set("direct", u8::from(context.options.direct))
            .set("end_fsync", 1)
            .set("filename", FILE)
            .set("rw", test.rw)
            .set("bs", test.bs[self.index]);
        let job = if test.is_random() { job.set("runtime", text::option_time(RANDOM_NS)) } else { job };
        let write_bytes_max = match test.direction() {
            Direction::Write => self.file_bytes,
            _ => 0,
        };
        let title = self.title(test);
        Step {
            role: if test.id == "prepare-file" { StepRole::Prepare } else { StepRole::Measure },
            time_ns_max: test.is_random().then_some(RANDOM_NS),
            // No tries follow one that passed.
            try_of: tries::try_of(test.id, title.clone(), TRIES, true),
            ..step_of(job, tries::title_of(title, nth, TRIES), (FILE, self.file_bytes), write_bytes_max)
        }
    }

    fn title(&self, test: &Test) -> Message {
        if test.id == "prepare-file" {
            return title::fill();
        }
        let block_bytes = parse_bytes(test.bs[self.index]).unwrap_or(MIB);
        title::with_depth(title::for_io(test.rw, block_bytes, 100), self.depth)
    }

    fn steps(&self, context: &Context<'_>) -> Vec<Step> {
        (0..TRIES)
            .flat_map(|nth| self.tests().map(move |test| (test, nth)))
            .map(|(test, nth)| self.step(context, test, nth))
            .collect()
    }
}

/// The number of complete tries, and whether the last of them passed.
struct Progress {
    complete: u32,
    passed: bool,
}

impl Progress {
    fn from_steps(version: &Version, done: &[StepResult]) -> Self {
        let per_try = version.tests().count();
        let complete = done.len() / per_try;
        let passed = complete > 0 && passes(&done[(complete - 1) * per_try..complete * per_try]);
        Self { complete: complete as u32, passed }
    }
}

/// Whether the steps of one try reach all limits.
fn passes(steps: &[StepResult]) -> bool {
    let reaches = |step: &StepResult| {
        let test = TESTS.iter().find(|test| step.step.test_id() == test.id);
        let limit = test.and_then(|test| Some((test.figure().0, test.limit?)));
        limit.is_none_or(|(figure, least)| estimate(step, figure).is_some_and(|found| found.value >= least))
    };
    steps.iter().all(|step| step.outcome == StepOutcome::Done && reaches(step))
}

impl Suite for RpDiags {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> Message {
        message!("suite-rpdiags")
    }

    fn settings(&self) -> &'static [Setting] {
        &[VERSION]
    }

    fn traits(&self, _: &Settings) -> SuiteTraits {
        SuiteTraits { group: Group::Published, ..SuiteTraits::default() }
    }

    fn outline(&self, context: &Context<'_>) -> Outline {
        let version = Version::from_context(context);
        let mount = context.drive.mount.as_ref();
        let room = mount.map(|mount| mount.available_bytes.saturating_sub(margin_bytes(mount.size_bytes)));
        if let Some(room) = room.filter(|&room| room < version.file_bytes) {
            let notes = too_little_room(NAME, version.file_bytes, room, context);
            return Outline::from_steps(context, Vec::new(), None, notes);
        }
        let mut notes = vec![message!("note-rpdiags.tries", tries = TRIES)];
        notes.extend(context.options.max_time_ns.map(cut_off));
        Outline::from_steps(context, version.steps(context), None, notes)
    }

    fn next(&self, context: &Context<'_>, done: &[StepResult]) -> Option<NextStep> {
        let version = Version::from_context(context);
        if !went_well(done) || self.outline(context).steps.is_empty() {
            return None;
        }
        let is_between_tries = done.len().is_multiple_of(version.tests().count());
        let progress = Progress::from_steps(&version, done);
        if is_between_tries && (progress.passed || progress.complete >= TRIES) {
            return None;
        }
        version.steps(context).into_iter().nth(done.len()).map(NextStep::from)
    }

    fn measure(&self, context: &Context<'_>, done: &[StepResult]) -> Measurements {
        measure(context, done, SOURCES)
    }

    fn claim_ids(&self) -> Vec<String> {
        vec![NAME.to_string()]
    }

    fn claims(&self, context: &Context<'_>, done: &[StepResult]) -> Vec<Claim> {
        let version = Version::from_context(context);
        let progress = Progress::from_steps(&version, done);
        let evidence = TESTS.iter().filter_map(|test| {
            let (figure, unit) = test.figure();
            Some(Tried::collect(done, test.id, figure).evidence(test.name(), unit, test.limit?))
        });
        let evidence: Vec<_> = evidence.collect();
        let doubt = evidence.iter().find_map(|evidence| evidence.doubt.clone());
        let (outcome, reason) = match (&doubt, progress.passed, progress.complete) {
            (Some(doubt), ..) => {
                (ClaimOutcome::CannotBeJudged, message!("claim-doubt", doubt = doubt.message()))
            }
            (None, true, 1) => (ClaimOutcome::Kept, message!("claim-rpdiags.pass")),
            (None, true, nth) => (ClaimOutcome::CannotBeJudged, message!("claim-rpdiags.late-pass", nth)),
            (None, false, TRIES) => (ClaimOutcome::Broken, message!("claim-rpdiags.fail")),
            (None, false, _) => (ClaimOutcome::CannotBeJudged, message!("claim-rpdiags.incomplete")),
        };
        vec![Claim {
            id: NAME.to_string(),
            statement: message!("claim-rpdiags"),
            said_by: None,
            outcome,
            reasons: vec![reason],
            evidence,
        }]
    }

    fn tables(&self, context: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
        let version = Version::from_context(context);
        let tests: Vec<&Test> = version.tests().filter(|test| test.id != "prepare-file").collect();
        let column_of = |test: &&Test| match test.is_random() {
            true => column(Message::verbatim(test.id), CellUnit::PerSecond),
            false => column(Message::verbatim(test.id), CellUnit::KibibytesPerSecond),
        };
        let tries_done = done.len().div_ceil(version.tests().count()) as u32;
        let cell = |test: &Test, nth: u32| {
            let id = tries::id_of(test.id, nth);
            match done.iter().find(|step| step.step.id == id) {
                Some(step) => figure_of(step, test.figure().0),
                None => absent(NOT_RUN),
            }
        };
        let name = |nth: u32| message!("table-rpdiags.run", nth = nth + 1);
        let rows =
            (0..tries_done).map(|nth| row(name(nth), tests.iter().map(|test| cell(test, nth)).collect()));
        vec![Table {
            title: message!("table-published.diagnostics"),
            columns: tests.iter().map(column_of).collect(),
            rows: rows.collect(),
            notes: vec![message!("table-rpdiags.wanted")],
            ..Table::default()
        }]
    }
}

const SOURCES: &[Source] = &[
    ("seq-write", &[Metric::SequentialWrite]),
    ("seq-read", &[Metric::SequentialRead]),
    ("rand-4k-read", &[Metric::RandomReadDeepIops]),
];

#[cfg(test)]
mod tests {
    use cardiograph_jobs::settings::Settings as _;

    use super::*;
    use crate::suite::Options;
    use crate::testing::{BAD_CARD, GB, Model, SLOW_CARD, card, run_all, with_context};

    fn checked(model: &Model) -> (Vec<StepResult>, Claim, Vec<Table>) {
        let (drive, options) = (card(32 * GB, 30 * GB), Options::default());
        let done = run_all(&RpDiags, &drive, &options, model);
        let (mut claims, tables) = with_context(&drive, &options, |context| {
            (RpDiags.claims(context, &done), RpDiags.tables(context, &done))
        });
        (done, claims.remove(0), tables)
    }

    #[test]
    fn a_passing_try_ends_the_suite() {
        let (done, claim, tables) = checked(&SLOW_CARD);
        assert_eq!((done.len(), claim.outcome), (5, ClaimOutcome::Kept));
        assert_eq!((tables[0].rows.len(), tables[0].columns.len()), (1, 4));
    }

    #[test]
    fn all_three_failing_tries_are_shown() {
        let (done, claim, tables) = checked(&BAD_CARD);
        assert_eq!((done.len(), claim.outcome, tables[0].rows.len()), (15, ClaimOutcome::Broken, 3));
        assert_eq!(claim.evidence[0].tries.len(), 3);
    }

    #[test]
    fn a_pass_after_a_failure_cannot_be_judged() {
        let (drive, options) = (card(32 * GB, 30 * GB), Options::default());
        let mut done = run_all(&RpDiags, &drive, &options, &BAD_CARD);
        done.truncate(5);
        let better = run_all(&RpDiags, &drive, &options, &SLOW_CARD);
        with_context(&drive, &options, |context| {
            for mut step in better {
                let ahead = RpDiags.next(context, &done).expect("a second try").step;
                step.step = ahead;
                done.push(step);
            }
            assert_eq!(RpDiags.next(context, &done), None);
            let claim = RpDiags.claims(context, &done).remove(0);
            assert_eq!(claim.outcome, ClaimOutcome::CannotBeJudged);
            assert_eq!(claim.reasons, [message!("claim-rpdiags.late-pass", nth = 2_u32)]);
        });
    }

    #[test]
    fn the_older_version_has_fewer_and_smaller_tests() {
        let drive = card(32 * GB, 30 * GB);
        let given = [("version".to_string(), "1".to_string())];
        let settings = crate::Settings::parse(NAME, RpDiags.settings(), &given).unwrap();
        let options = Options { settings, ..Options::default() };
        let done = run_all(&RpDiags, &drive, &options, &SLOW_CARD);
        let ids: Vec<&str> = done.iter().map(|step| step.step.id.as_str()).collect();
        assert_eq!(ids, ["prepare-file", "seq-write", "rand-4k-write", "rand-4k-read"]);
        assert_eq!(done[1].step.jobs()[0].last("bs"), Some("512k"));
        let small = card(GB / 10, GB / 20);
        let outline = with_context(&small, &Options::default(), |context| RpDiags.outline(context));
        assert!(
            outline.steps.is_empty() && outline.notes[0].id() == "note-fixed.too-little-room",
            "{:?}",
            outline.notes
        );
    }
}
