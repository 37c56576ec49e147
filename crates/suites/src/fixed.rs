//! A suite whose steps are data: a published test set, with the sizes, times and order that it was published with.
//!
//! Nothing is adapted to the drive, or the figures could not be set beside the published ones. So a drive that is too
//! small for it is told so before anything is written, with the suite that fits.

use cardiograph_core::drive::{Leaf, LeafKind};
use cardiograph_core::metric::Measurements;
use cardiograph_core::report::{Step, StepResult, StepRole, TestFile, Work};
use cardiograph_core::table::Table;
use cardiograph_core::{Direction, JobSpec, NS_PER_S};
use cardiograph_jobs::value::parse_bytes;

use crate::budget::margin_bytes;
use crate::group::Group;
use crate::instead::instead;
use crate::measure::{Source, measure};
use crate::next_step::{NextStep, first_ahead};
use crate::setting::Settings;
use crate::suite::{Context, Outline, Suite, file_bytes};
use crate::traits::SuiteTraits;
use crate::{text, tries};

/// A suite as data.
#[derive(Debug)]
pub struct FixedSuite {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// What it does, in a sentence.
    pub(crate) summary: &'static str,
    /// The original, as a sentence about a figure speaks of it: `the article`.
    pub(crate) original: &'static str,
    /// Its steps in their order.
    pub(crate) rows: &'static [Row],
    /// Which figures feed which metric.
    pub(crate) sources: &'static [Source],
    /// The tables that readers of the original know.
    pub(crate) tables: fn(&Context<'_>, &[StepResult]) -> Vec<Table>,
    /// Whether all purposes are judged, or only those about which it says enough.
    pub(crate) judges_all_purposes: bool,
}

/// One step as data.
#[derive(Debug)]
pub(crate) struct Row {
    pub id: &'static str,
    pub title: &'static str,
    pub role: StepRole,
    pub file: FileRow,
    /// How often it is run, each time as a step of its own. The second has the id `ID-2`.
    pub tries: u32,
    /// The options behind the file's name, in the order in which the original gives them: `rw=read bs=4k`. How long it takes
    /// at most follows from `startdelay` and `runtime`, in seconds; one without `runtime` takes as long as it takes.
    pub options: &'static str,
    /// Of what starts over at the file's end until its time is up: what a job of this kind can reach on any drive, in bytes
    /// per second. What else writes does so once to each of its files in each of its loops.
    pub until_time_bytes_per_s_max: Option<u64>,
}

impl Row {
    /// Fills files before they are read: its figures are not shown.
    pub const fn prepare(
        id: &'static str,
        title: &'static str,
        file: FileRow,
        options: &'static str,
    ) -> Self {
        Self { role: StepRole::Prepare, ..Self::measure(id, title, file, options) }
    }

    /// Measures once.
    pub const fn measure(
        id: &'static str,
        title: &'static str,
        file: FileRow,
        options: &'static str,
    ) -> Self {
        let role = StepRole::Measure;
        Self { id, title, role, file, tries: 1, options, until_time_bytes_per_s_max: None }
    }

    /// The same, which writes until its time is up.
    pub const fn until_time(self, bytes_per_s_max: u64) -> Self {
        Self { until_time_bytes_per_s_max: Some(bytes_per_s_max), ..self }
    }

    /// The same, several times.
    pub const fn tried(self, tries: u32) -> Self {
        Self { tries, ..self }
    }

    /// The value of an option.
    fn option(&self, name: &str) -> Option<&'static str> {
        options(self.options).find(|&(option, _)| option == name).map(|(_, value)| value)
    }

    /// Whether it reads and writes nothing.
    pub fn only_reads(&self) -> bool {
        let rw = self.option("rw").or(self.option("readwrite"));
        rw.is_some_and(|rw| rw == "read" || rw == "randread")
    }

    /// The direction of one that does not read and write at once.
    pub fn direction(&self) -> Direction {
        if self.only_reads() { Direction::Read } else { Direction::Write }
    }

    fn time_ns_max(&self) -> Option<u64> {
        let seconds = |option| self.option(option).and_then(|value| value.parse::<u64>().ok());
        Some((seconds("runtime")? + seconds("startdelay").unwrap_or(0)) * NS_PER_S)
    }
}

/// Names and values of fio's options, which are parted by blanks.
fn options(line: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    line.split_whitespace().map(|option| option.split_once('=').unwrap_or((option, "")))
}

/// A test file as data, or one for each clone of the job.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileRow {
    /// Its name. Where each clone has its own, `$jobnum` in it stands for the clone's number, from 0.
    pub name: &'static str,
    /// How long each is.
    pub len_bytes: u64,
    /// How many there are.
    pub copies: u32,
}

impl FileRow {
    fn files(self) -> Vec<TestFile> {
        let name = |clone: u32| self.name.replace("$jobnum", &clone.to_string());
        (0..self.copies).map(|clone| TestFile { name: name(clone), len_bytes: self.len_bytes }).collect()
    }
}

/// Fills a file of a size before it is read. fio lays out a file by itself; here that is a step of its own, in large
/// blocks at depth.
macro_rules! layout {
    ($size:literal) => {
        concat!("size=", $size, " bs=1M rw=write ioengine=io_uring iodepth=4 direct=1 end_fsync=1")
    };
}
pub(crate) use layout;

impl Row {
    fn step(&self, suite: &FixedSuite, context: &Context<'_>, nth: u32) -> Step {
        let id = tries::id_of(self.id, nth);
        let naming = if self.file.copies == 1 { "filename" } else { "filename_format" };
        let job = JobSpec::of_step(suite.name, &id).set(naming, self.file.name);
        let bypasses = self.option("direct") == Some("1");
        let direct = context.options.direct;
        let job = options(self.options).fold(job, |job, (option, value)| match (option, value) {
            ("direct", "1") => job.set(option, u8::from(direct)),
            _ => job.set(option, value),
        });
        let buffered = (bypasses && !direct)
            .then(|| format!("Buffered, as asked: {} bypassed the page cache.", suite.original));
        Step {
            id,
            title: tries::title_of(self.title, nth, self.tries),
            role: self.role,
            work: Work::Jobs(vec![job]),
            files: self.file.files(),
            write_bytes_max: self.write_bytes_max(context),
            time_ns_max: self.time_ns_max(),
            sizing: buffered.into_iter().collect(),
            try_of: tries::try_of(self.id, self.title, self.tries, false),
        }
    }

    /// The bytes that one try writes at most.
    fn write_bytes_max(&self, context: &Context<'_>) -> u64 {
        if self.only_reads() {
            return 0;
        }
        let count = |option| self.option(option).and_then(|value| value.parse().ok()).unwrap_or(1);
        match self.until_time_bytes_per_s_max {
            None => {
                let size_bytes = self.option("size").and_then(|size| parse_bytes(size).ok()).unwrap_or(0);
                size_bytes * count("numjobs") * count("loops")
            }
            Some(bytes_per_s_max) => {
                let bytes_per_s = link_bytes_per_s(context).min(bytes_per_s_max);
                bytes_per_s.saturating_mul(self.time_ns_max().unwrap_or(0) / NS_PER_S)
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

impl FixedSuite {
    fn steps<'a>(&'a self, context: &'a Context<'_>) -> impl Iterator<Item = Step> + 'a {
        self.rows.iter().flat_map(move |row| (0..row.tries).map(move |nth| row.step(self, context, nth)))
    }

    /// Why the drive is too small, and what fits, in sentences.
    fn misfit(&self, context: &Context<'_>, needed_bytes: u64) -> Option<String> {
        let mount = context.drive.mount.as_ref()?;
        let room_bytes = mount.available_bytes.saturating_sub(margin_bytes(mount.size_bytes));
        (room_bytes < needed_bytes).then(|| {
            format!(
                "The suite {} needs {} of free space, and {} can be used here: make room. {}",
                self.name,
                text::size(needed_bytes),
                text::size(room_bytes),
                instead(context)
            )
        })
    }
}

impl Suite for FixedSuite {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        self.summary
    }

    fn traits(&self, _: &Settings) -> SuiteTraits {
        SuiteTraits {
            group: Group::Published,
            judges_all_purposes: self.judges_all_purposes,
            ..SuiteTraits::default()
        }
    }

    fn outline(&self, context: &Context<'_>) -> Outline {
        let mut steps: Vec<Step> = self.steps(context).collect();
        let file_bytes_max = file_bytes(&steps);
        let mut notes = vec![format!("Needs {} of free space.", text::size(file_bytes_max))];
        if let Some(max_time_ns) = context.options.max_time_ns {
            let limit = text::seconds(max_time_ns);
            notes.push(format!("Its steps are fixed: what does not fit into {limit} is cut off."));
        }
        if let Some(misfit) = self.misfit(context, file_bytes_max) {
            notes = vec![misfit];
            steps.clear();
        }
        let times: Option<Vec<u64>> = steps.iter().map(|step| step.time_ns_max).collect();
        Outline::of_steps(context, steps, times.map(|times| times.iter().sum()), notes)
    }

    fn next(&self, context: &Context<'_>, done: &[StepResult]) -> Option<NextStep> {
        first_ahead(self.steps(context), done)
    }

    fn measure(&self, context: &Context<'_>, done: &[StepResult]) -> Measurements {
        measure(context, done, self.sources)
    }

    fn tables(&self, context: &Context<'_>, done: &[StepResult]) -> Vec<Table> {
        (self.tables)(context, done)
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::{GIB, MIB};
    use cardiograph_jobs::settings::Settings as _;

    use super::*;
    use crate::suite::Options;
    use crate::testing::{FAST_SSD, GB, card, run_all, with_context};

    const FILE: FileRow = FileRow { name: "cardiograph-test.tmp", len_bytes: 64 * MIB, copies: 1 };
    const SUITE: FixedSuite = FixedSuite {
        name: "sample",
        summary: "A sample.",
        original: "the sample",
        rows: &[
            Row::measure("write", "Write", FILE, "size=64M bs=1M rw=write direct=1").tried(3),
            Row::measure("read", "Read", FILE, "size=64M bs=1M rw=read direct=0"),
        ],
        sources: &[],
        tables: |_, _| Vec::new(),
        judges_all_purposes: false,
    };

    #[test]
    fn each_try_is_a_step_of_its_own() {
        let done = run_all(&SUITE, &card(64 * GB, 60 * GB), &Options::default(), &FAST_SSD);
        let ids: Vec<&str> = done.iter().map(|step| step.step.id.as_str()).collect();
        assert_eq!(ids, ["write", "write-2", "write-3", "read"]);
        assert_eq!(done[1].step.title, "Write, try 2 of 3");
        assert_eq!(done[3].step.title, "Read");
        assert_eq!(tries::of(&done, "write").len(), 3);
        assert_eq!(tries::of(&done, "read").len(), 1);
        assert!(tries::of(&done, "wri").is_empty());
    }

    #[test]
    fn what_the_original_did_through_the_cache_stays_so() {
        let buffered = Options { direct: false, ..Options::default() };
        let done = run_all(&SUITE, &card(64 * GB, 60 * GB), &buffered, &FAST_SSD);
        assert_eq!(done[0].step.sizing, ["Buffered, as asked: the sample bypassed the page cache."]);
        assert!(done[3].step.sizing.is_empty());
        let direct = |step: &StepResult| step.step.jobs()[0].last("direct").map(str::to_string);
        assert!(done.iter().all(|step| direct(step).as_deref() == Some("0")));
    }

    #[test]
    fn a_drive_that_is_too_small_is_told_so_with_what_fits() {
        let options = Options::default();
        let outline = |available_bytes| {
            with_context(&card(GIB, available_bytes), &options, |context| SUITE.outline(context))
        };
        let fits = outline(200 * MIB);
        assert_eq!((fits.steps.len(), fits.write_bytes_max, fits.file_bytes_max), (4, 192 * MIB, 64 * MIB));
        let misfit = outline(100 * MIB);
        assert!(misfit.steps.is_empty());
        let expected = "The suite sample needs 64 MiB of free space, and 36 MiB can be used here: make room. --suite quick fits.";
        assert_eq!(misfit.notes, [expected]);
    }
}
