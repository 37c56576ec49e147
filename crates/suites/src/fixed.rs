//! A suite defined by data: a published test set, with its original sizes, times and order.
//!
//! Nothing is adapted to the drive, so that figures stay comparable with the published ones. A drive that is
//! too small is refused before anything is written, with the suite that fits.

mod data;

use std::sync::OnceLock;

use cardiograph_core::drive::{Leaf, LeafKind};
use cardiograph_core::message::Parameter;
use cardiograph_core::metric::Measurements;
use cardiograph_core::report::{Step, StepResult, Work};
use cardiograph_core::table::Table;
use cardiograph_core::{JobSpec, MIB, Message, NS_PER_S, message};
use cardiograph_jobs::value::parse_bytes;
use data::{Data, StepData};

use crate::budget::margin_bytes;
use crate::group::Group;
use crate::instead::instead;
use crate::measure::{Source, measure};
use crate::next_step::{NextStep, first_ahead};
use crate::precondition::{self, PASSES, PRECONDITION};
use crate::setting::{Setting, SettingKind, Settings};
use crate::suite::{Context, Outline, Suite, file_bytes};
use crate::text::whole_mib;
use crate::traits::SuiteTraits;
use crate::tries;

/// Bytes that are written before the first test.
const PRECONDITIONED: Setting =
    Setting::new("precondition", const { &message!("setting-fixed.precondition") }, SettingKind::Bytes, "");
/// The file that they are in.
const PRECONDITION_FILE: &str = "cardiograph-precondition.tmp";

/// Adds values that are not figures of a step to the tables.
pub(crate) type Finish = fn(&Context<'_>, Vec<Table>) -> Vec<Table>;

/// A suite as data.
#[derive(Debug)]
pub(crate) struct FixedSuite {
    name: &'static str,
    summary: Message,
    toml: &'static str,
    finish: Finish,
    data: OnceLock<Data<'static>>,
}

impl FixedSuite {
    /// The suite `name` that `toml` describes.
    pub(crate) const fn new(
        name: &'static str,
        summary: Message,
        toml: &'static str,
        finish: Finish,
    ) -> Self {
        Self { name, summary, toml, finish, data: OnceLock::new() }
    }

    fn data(&self) -> &Data<'static> {
        let read = || toml::from_str(self.toml).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        self.data.get_or_init(read)
    }

    fn step(&self, context: &Context<'_>, step: &StepData<'_>, nth: u32) -> Step {
        let (data, id) = (self.data(), tries::id_of(step.id, nth));
        let file = data.file_of(step);
        let naming = if file.copies == 1 { "filename" } else { "filename_format" };
        let job = JobSpec::for_step(self.name, &id).set(naming, file.name);
        let bypasses = step.option("direct") == Some("1");
        let direct = context.options.direct;
        let job = step.options().fold(job, |job, (option, value)| match (option, value) {
            ("direct", "1") => job.set(option, u8::from(direct)),
            _ => job.set(option, value),
        });
        let buffered = (bypasses && !direct).then(|| message!("note-fixed.buffered"));
        Step {
            id,
            title: tries::title_of(step.title(), nth, step.tries),
            role: step.role(),
            work: Work::Jobs(vec![job]),
            files: file.files(),
            write_bytes_max: write_bytes_max(context, step),
            time_ns_max: step.time_ns_max(),
            sizing: buffered.into_iter().collect(),
            try_of: tries::try_of(step.id, step.title(), step.tries, false),
        }
    }

    fn steps<'a>(&'a self, context: &'a Context<'_>) -> impl Iterator<Item = Step> + 'a {
        let steps = self.data().steps.iter();
        let steps = steps.flat_map(move |step| (0..step.tries).map(move |nth| self.step(context, step, nth)));
        self.precondition(context).into_iter().chain(steps)
    }

    /// The step that writes what the user wants to be written before.
    fn precondition(&self, context: &Context<'_>) -> Option<Step> {
        let bytes = whole_mib(context.options.settings.bytes(&PRECONDITIONED)?).max(MIB);
        let job = JobSpec::for_step(self.name, PRECONDITION).set("filename", PRECONDITION_FILE);
        let job = job.set("size", bytes).set("direct", u8::from(context.options.direct));
        Some(precondition::step(job, (PRECONDITION_FILE, bytes)))
    }

    /// Why the drive is too small, with a suggestion; `None` if it is large enough.
    fn misfit(&self, context: &Context<'_>, needed_bytes: u64) -> Option<Vec<Message>> {
        let mount = context.drive.mount.as_ref()?;
        let room_bytes = mount.available_bytes.saturating_sub(margin_bytes(mount.size_bytes));
        (room_bytes < needed_bytes).then(|| too_little_room(self.name, needed_bytes, room_bytes, context))
    }
}

impl Suite for FixedSuite {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> Message {
        self.summary.clone()
    }

    fn settings(&self) -> &'static [Setting] {
        const { &[PRECONDITIONED] }
    }

    fn remarks(&self) -> Vec<Message> {
        vec![message!("list-suites-preconditioning", state = self.data().preconditioning.message())]
    }

    fn traits(&self, settings: &Settings) -> SuiteTraits {
        SuiteTraits {
            group: Group::Published,
            says_notes_first: settings.is_given(&PRECONDITIONED),
            judges_all_purposes: self.data().judges_all_purposes,
            ..SuiteTraits::default()
        }
    }

    fn outline(&self, context: &Context<'_>) -> Outline {
        let mut steps: Vec<Step> = self.steps(context).collect();
        let file_bytes_max = file_bytes(&steps);
        let mut notes = vec![message!("note-fixed.free-space", bytes = Parameter::Bytes(file_bytes_max))];
        let state = self.data().preconditioning.message();
        notes.push(match self.precondition(context) {
            Some(step) => {
                let bytes = Parameter::Bytes(step.files[0].len_bytes);
                message!("note-fixed.preconditioned", bytes, passes = PASSES, state)
            }
            None => message!("note-fixed.preconditioning", state),
        });
        notes.extend(context.options.max_time_ns.map(cut_off));
        if let Some(misfit) = self.misfit(context, file_bytes_max) {
            notes = misfit;
            steps.clear();
        }
        let times: Option<Vec<u64>> = steps.iter().map(|step| step.time_ns_max).collect();
        Outline::from_steps(context, steps, times.map(|times| times.iter().sum()), notes)
    }

    fn next(&self, context: &Context<'_>, done: &[StepResult]) -> Option<NextStep> {
        first_ahead(self.steps(context), done)
    }

    fn measure(&self, context: &Context<'_>, done: &[StepResult]) -> Measurements {
        let steps = self.data().steps.iter();
        let sources: Vec<Source<'_>> = steps.map(|step| (step.id, &step.metrics[..])).collect();
        measure(context, done, &sources)
    }

    fn tables(&self, context: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
        let data = self.data();
        (self.finish)(context, data.tables.iter().map(|table| data.table(table, done)).collect())
    }
}

/// The note that a suite needs more space than there is, with a suggestion.
pub(crate) fn too_little_room(
    suite: &str,
    needed_bytes: u64,
    room_bytes: u64,
    context: &Context<'_>,
) -> Vec<Message> {
    let misfit = message!(
        "note-fixed.too-little-room",
        suite,
        needed = Parameter::Bytes(needed_bytes),
        usable = Parameter::Bytes(room_bytes)
    );
    std::iter::once(misfit).chain(instead(context)).collect()
}

/// The note that a time limit does not shorten the steps.
pub(crate) fn cut_off(max_time_ns: u64) -> Message {
    message!("note-fixed.cut-off", limit = Parameter::DurationNs(max_time_ns))
}

/// The most bytes that one try writes.
fn write_bytes_max(context: &Context<'_>, step: &StepData<'_>) -> u64 {
    if step.only_reads() {
        return 0;
    }
    if step.until_time {
        let bytes_per_s = link_bytes_per_s(context).min(step.bytes_per_s_max.unwrap_or(u64::MAX));
        return bytes_per_s.saturating_mul(step.time_ns_max().unwrap_or(0) / NS_PER_S);
    }
    let count = |option| step.option(option).and_then(|value| value.parse().ok()).unwrap_or(1);
    let size_bytes = step.option("size").and_then(|size| parse_bytes(size).ok()).unwrap_or(0);
    size_bytes * count("numjobs") * count("loops")
}

/// The total bandwidth of the links to the drives, in bytes per second, as an upper bound of the writes.
fn link_bytes_per_s(context: &Context<'_>) -> u64 {
    const MB: u64 = 1_000_000;
    // The fastest mode in use for each kind: UHS-II, HS400, USB4, SATA 3, PCIe 5 x4. The fastest of all is assumed if the
    // kind does not determine the link.
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

#[cfg(test)]
mod tests {
    use cardiograph_core::GIB;
    use cardiograph_jobs::settings::Settings as _;

    use super::*;
    use crate::suite::Options;
    use crate::testing::{FAST_SSD, GB, card, run_all, with_context};

    static SUITE: FixedSuite = FixedSuite::new(
        "sample",
        message!("suite-quick"),
        r#"
            preconditioning = "new"
            files = [{ name = "cardiograph-test.tmp", size = "64M" }]
            steps = [
                { id = "write", options = "size=64M bs=1M rw=write direct=1", tries = 3 },
                { id = "read", options = "size=64M bs=1M rw=read direct=0" },
            ]
        "#,
        |_, tables| tables,
    );

    #[test]
    fn each_try_is_a_separate_step() {
        let done = run_all(&SUITE, &card(64 * GB, 60 * GB), &Options::default(), &FAST_SSD);
        let ids: Vec<&str> = done.iter().map(|step| step.step.id.as_str()).collect();
        assert_eq!(ids, ["write", "write-2", "write-3", "read"]);
        let block = Parameter::BlockBytes(MIB);
        let write = message!("step-write", block = block.clone());
        assert_eq!(done[1].step.title, message!("step-try", test = write, nth = 2_u32, tries = 3_u32));
        assert_eq!(done[3].step.title, message!("step-read", block));
        assert_eq!(tries::find(&done, "write").len(), 3);
        assert_eq!(tries::find(&done, "read").len(), 1);
        assert!(tries::find(&done, "wri").is_empty());
    }

    #[test]
    fn a_drive_is_written_to_before_if_wanted() {
        let settings =
            Settings::parse("sample", SUITE.settings(), &[("precondition".to_string(), "1000M".to_string())])
                .unwrap();
        let options = Options { settings, ..Options::default() };
        let drive = card(64 * GB, 60 * GB);
        let done = run_all(&SUITE, &drive, &options, &FAST_SSD);
        let first = &done[0];
        assert_eq!(
            (first.step.id.as_str(), first.step.role),
            (PRECONDITION, cardiograph_core::report::StepRole::Prepare)
        );
        let written = first.result.as_ref().unwrap().merged(|_| true).write.bytes;
        assert_eq!((written, first.step.write_bytes_max), (2_000 * MIB, 2_000 * MIB));
        let outline = with_context(&drive, &options, |context| SUITE.outline(context));
        assert_eq!((outline.write_bytes_max, outline.file_bytes_max), (2_192 * MIB, 1_064 * MIB));
        let note = |outline: &Outline, id: &str| outline.notes.iter().any(|note| note.id() == id);
        assert!(note(&outline, "note-fixed.preconditioned"), "{:?}", outline.notes);
        let usual = with_context(&drive, &Options::default(), |context| SUITE.outline(context));
        assert!(note(&usual, "note-fixed.preconditioning"), "{:?}", usual.notes);
        assert!(!SUITE.remarks().is_empty());
    }

    #[test]
    fn buffered_steps_of_the_original_stay_buffered() {
        let buffered = Options { direct: false, ..Options::default() };
        let done = run_all(&SUITE, &card(64 * GB, 60 * GB), &buffered, &FAST_SSD);
        assert_eq!(done[0].step.sizing, [message!("note-fixed.buffered")]);
        assert!(done[3].step.sizing.is_empty());
        let direct = |step: &StepResult| step.step.jobs()[0].last("direct").map(str::to_string);
        assert!(done.iter().all(|step| direct(step).as_deref() == Some("0")));
    }

    #[test]
    fn a_drive_that_is_too_small_is_refused_with_a_suggestion() {
        let options = Options::default();
        let outline = |available_bytes| {
            with_context(&card(GIB, available_bytes), &options, |context| SUITE.outline(context))
        };
        let fits = outline(200 * MIB);
        assert_eq!((fits.steps.len(), fits.write_bytes_max, fits.file_bytes_max), (4, 192 * MIB, 64 * MIB));
        let misfit = outline(100 * MIB);
        assert!(misfit.steps.is_empty());
        let room = message!(
            "note-fixed.too-little-room",
            suite = "sample",
            needed = Parameter::Bytes(64 * MIB),
            usable = Parameter::Bytes(36 * MIB)
        );
        assert_eq!(misfit.notes, [room, message!("note-instead.quick")]);
    }
}
