//! Imports the output of other programs as Reports.
//!
//! An importer is a file and a line in [`IMPORTERS`]. It recognises its format by the beginning of a text, and parses
//! the text into [`ImportedTest`]s; [`reports`] groups these into one Report per drive. An importer reads only what the
//! source states: a missing percentile stays absent, an unknown unit is an [`ImportProblem`] with its line, and any
//! problem rejects the whole text. Reading order: [`Importer`] → [`ImportedTest`] (its results) → `problem` (its
//! errors) → [`reports`] → [`shelf`] (published results). Nothing here opens a file.
#![forbid(unsafe_code)]

use std::io::{BufRead, Read};

use cardiograph_core::imported::{Figure, Imported};
use cardiograph_core::method::Method;
use cardiograph_core::metric::Unit;
use cardiograph_core::nearest::is_same;
use cardiograph_core::report::StepOutcome;
use cardiograph_core::report::validate::{self, Problem};
use cardiograph_core::text::shown;
use cardiograph_core::{Message, Parameter, message};
use cardiograph_jobs::options;
use serde::Serialize;

mod agreement;
#[cfg(test)]
mod all_formats;
pub(crate) mod amount;
mod assemble;
mod bonnie;
pub(crate) mod command;
mod dd;
mod diskmark;
mod figures;
mod fio;
mod hdparm;
mod ioping;
mod iozone;
mod lines;
mod moment;
mod own_rate;
mod pasted;
mod pibench;
mod possible;
mod problem;
pub mod shelf;
mod sysbench;
pub mod table;
#[cfg(test)]
mod testing;
mod text;
mod yabs;

pub use assemble::reports;
pub use problem::{ImportProblem, ImportProblems, Problems};

/// All importers. The first one that recognises a text reads it, so a stricter format precedes one that would match its
/// texts, too.
pub const IMPORTERS: &[Importer] = &[
    fio::json::IMPORTER,
    fio::normal::IMPORTER,
    fio::terse::IMPORTER,
    fio::batch::IMPORTER,
    fio::log::IMPORTER,
    fio::log::IMPORTER_OF_IOS,
    fio::log::IMPORTER_OF_WINDOWS,
    hdparm::IMPORTER,
    dd::IMPORTER,
    iozone::IMPORTER,
    ioping::IMPORTER,
    bonnie::IMPORTER,
    sysbench::IMPORTER,
    diskmark::CRYSTAL,
    diskmark::KDISKMARK,
    yabs::IMPORTER,
    pibench::IMPORTER,
];

/// Length of the beginning of a text that is used for detection, in bytes.
pub const HEAD_LEN_BYTES: usize = 256 << 10;

/// Maximum length in bytes of a text that is read at once: more than fio's JSON of hundreds of jobs with all histogram
/// buckets. Logs are read line by line, without a limit.
pub const TEXT_LEN_BYTES_MAX: u64 = 32 << 20;
/// Maximum number of lines in a text that is read at once.
pub const LINES_MAX: usize = 2_000_000;
/// Maximum number of tests in one text: fio itself allows 4,096 jobs.
pub const TESTS_MAX: usize = 10_000;

/// Reads one format.
#[derive(Debug, Clone, Copy)]
pub struct Importer {
    /// Its name, as in `--as`: lower case with hyphens, starting with the program, such as `fio-json`.
    pub name: &'static str,
    /// Description of the format: a phrase.
    pub title: &'static Message,
    /// A real output in this format, in `fixtures/`.
    pub origin: &'static str,
    /// Finds a line (from 1) that shows that a text, given in full or as its beginning, contains this format; file
    /// names may decide, too. `None` if there is none. The check is cheap: a text that it wrongly accepts is rejected
    /// with problems, not misread.
    pub recognise: fn(text: &str, named: &Named) -> Option<u64>,
    /// Reader of the text.
    pub reading: Reading,
}

/// How a text is read. Any problem rejects the text.
#[derive(Debug, Clone, Copy)]
pub enum Reading {
    /// At once: final output of programs, and copied text.
    Whole(fn(text: &str, named: &Named) -> Result<Vec<ImportedTest>, ImportProblems>),
    /// Line by line, in bounded memory: logs.
    Streamed(fn(lines: &mut dyn BufRead, named: &Named) -> Result<Vec<ImportedTest>, ImportProblems>),
}

/// Source of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named<'a> {
    /// The file as named by the user, or an address; `-` for standard input.
    pub place: &'a str,
}

impl<'a> Named<'a> {
    /// The file's own name, without directories.
    pub fn file_name(&self) -> &'a str {
        self.place.rsplit('/').next().unwrap_or(self.place)
    }
}

/// One test of a source.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedTest {
    /// Its id in the source, such as a job's name. [`reports`] derives the ids of steps from it.
    pub id: String,
    /// Title in one line.
    pub title: Message,
    /// The command line of the test, if known.
    pub command: Option<String>,
    /// Its Method. Tool and version become the Report's source.
    pub method: Method,
    /// Its figures.
    pub imported: Imported,
    /// Its outcome.
    pub outcome: StepOutcome,
    /// The drive and its environment. Each subject gets a separate Report.
    pub subject: Subject,
    /// Start in milliseconds since 1970-01-01 UTC; `None` if unknown.
    pub started_unix_ms: Option<u64>,
    /// First line of the test, from 1; `None` if lines are meaningless.
    pub line: Option<u64>,
    /// First line of the program run that the test is part of: equal for tests of one run. `None` if unknown.
    pub output_line: Option<u64>,
    /// Notes for readers. Notes common to several tests appear once in the Report.
    pub notes: Vec<Message>,
}

impl ImportedTest {
    /// A completed test without figures or context.
    pub fn new(id: impl Into<String>, title: Message, method: Method) -> Self {
        Self {
            id: id.into(),
            title,
            command: None,
            method,
            imported: Imported::default(),
            outcome: StepOutcome::Done,
            subject: Subject::default(),
            started_unix_ms: None,
            line: None,
            output_line: None,
            notes: Vec::new(),
        }
    }
}

/// The tests of a text, up to one more than the limit.
#[derive(Debug, Default)]
struct Tests(Vec<ImportedTest>);

impl Tests {
    fn push(&mut self, test: ImportedTest) {
        self.extend([test]);
    }

    fn extend(&mut self, tests: impl IntoIterator<Item = ImportedTest>) {
        let room = TESTS_MAX + 1 - self.0.len();
        self.0.extend(tests.into_iter().take(room));
    }

    /// Adds the tests of an output that starts in `line`, or the problem with it.
    fn add_output(
        &mut self,
        line: u64,
        read: Result<impl IntoIterator<Item = ImportedTest>, Message>,
        problems: &mut Problems,
    ) {
        match read {
            Ok(tests) => self.extend(tests.into_iter().map(|test| ImportedTest {
                line: Some(line),
                output_line: Some(test.output_line.unwrap_or(line)),
                ..test
            })),
            Err(message) => problems.add_at(line, message),
        }
    }

    /// Whether the limit is exceeded.
    fn are_too_many(&self) -> bool {
        self.0.len() > TESTS_MAX
    }
}

/// The drive and its environment, as far as known.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    /// The kernel's name of the drive, such as `mmcblk0`; several are joined by `+`.
    pub device: Option<String>,
    /// Name of the drive in the source: its model, or the heading of its figures.
    pub model: Option<String>,
    /// Host name.
    pub host: Option<String>,
    /// The test file or directory.
    pub path: Option<String>,
    /// Author of the publication.
    pub author: Option<String>,
    /// Date as written in the source: `2013`, `2025-11-05`.
    pub date: Option<String>,
}

/// Finds the importer of this name.
pub fn find(name: &str) -> Option<&'static Importer> {
    IMPORTERS.iter().find(|importer| is_same(name, importer.name))
}

/// Detects the format of a text from its first [`HEAD_LEN_BYTES`] or fewer, in any encoding that [`Importer::read`]
/// accepts.
pub fn detect(head: &[u8], named: &Named) -> Option<&'static Importer> {
    let head = pasted::plain(text::decode(&head[..head.len().min(HEAD_LEN_BYTES)]));
    IMPORTERS.iter().find(|importer| (importer.recognise)(&head, named).is_some())
}

impl Importer {
    /// Reads all of `source`. Text is UTF-8, or UTF-16 with a byte order mark as Windows writes it; invalid bytes
    /// become replacement characters.
    ///
    /// # Errors
    /// All problems of the text. A text without results is an error, too.
    pub fn read(&self, source: &mut dyn BufRead, named: &Named) -> Result<Vec<ImportedTest>, ImportProblems> {
        self.read_with(source, named, false).map(|mut all| all.remove(0).1)
    }

    /// Reads all of `source`, and the results of other formats in it, as on a page with outputs of several programs.
    ///
    /// # Errors
    /// As [`Importer::read`]. Other formats whose results have problems are left out, with a note on the first test.
    pub fn read_page(
        &'static self,
        source: &mut dyn BufRead,
        named: &Named,
    ) -> Result<Vec<(&'static Importer, Vec<ImportedTest>)>, ImportProblems> {
        self.read_with(source, named, true)
    }

    fn read_with<'s>(
        &'s self,
        source: &mut dyn BufRead,
        named: &Named,
        with_others: bool,
    ) -> Result<Vec<(&'s Importer, Vec<ImportedTest>)>, ImportProblems> {
        if let Reading::Streamed(read) = self.reading {
            return Ok(vec![(self, checked(read(source, named)?, self.title)?)]);
        }
        let text = pasted::plain(read_whole(source, TEXT_LEN_BYTES_MAX)?.into());
        let mut all = vec![(self, self.read_text(&text, named)?)];
        // fio may print one run in several formats.
        let are_of_fio = |other: &Importer| [self, other].iter().all(|one| one.name.starts_with("fio-"));
        for other in IMPORTERS.iter().filter(|other| other.name != self.name && !are_of_fio(other)) {
            if matches!(other.reading, Reading::Streamed(_))
                || self.name == pibench::IMPORTER.name && pibench::RUNS.contains(&other.name)
            {
                continue;
            }
            let Some(line) = (other.recognise)(&text, named) else { continue };
            match other.read_text(&text, named) {
                Ok(tests) if with_others => all.push((other, tests)),
                Err(problems) if problems.is_nothing() => {}
                _ => all[0].1[0].notes.push(message!(
                    "import-text.left-out",
                    format = other.title.clone(),
                    line
                )),
            }
        }
        Ok(all)
    }

    /// The tests of a text, which may end within a line.
    fn read_text(&self, text: &str, named: &Named) -> Result<Vec<ImportedTest>, ImportProblems> {
        let Reading::Whole(read) = self.reading else { return Ok(Vec::new()) };
        let tests = |text: &str| checked(read(text, named)?, self.title);
        let problems = match tests(text) {
            Err(problems) if !problems.is_nothing() => problems,
            result => return result,
        };
        // A line that was cut off may have half a number, which contradicts others.
        let Some(complete) = text.rfind('\n').filter(|at| at + 1 < text.len()) else { return Err(problems) };
        let Ok(mut tests) = tests(&text[..=complete]) else { return Err(problems) };
        let line = text[..=complete].matches('\n').count() + 1;
        tests[0].notes.push(message!(
            "import-text.cut-off",
            line,
            problem = problems.problems[0].message.clone()
        ));
        Ok(tests)
    }
}

/// The part of a Report that consists of imported numbers.
#[derive(Serialize)]
struct Stored<'a> {
    method: &'a Method,
    figures: &'a [Figure],
}

impl Stored<'_> {
    /// The problem with a value that a Report cannot store, such as a count with too many digits.
    fn problem(&self) -> Option<Message> {
        let json = serde_json::to_vec(self).expect("a test is JSON");
        let problem = validate::values(&json).err();
        problem
            .map(|Problem { place, problem }| message!("import-text.not-storable", place, reason = problem))
    }
}

/// The tests of a text, if there are any and all are valid.
fn checked(tests: Vec<ImportedTest>, title: &Message) -> Result<Vec<ImportedTest>, ImportProblems> {
    if tests.is_empty() {
        return Err(ImportProblem::whole_text(message!("import-text.nothing", format = title.clone())).into());
    }
    if tests.len() > TESTS_MAX {
        return Err(ImportProblem::whole_text(message!("import-text.too-many-tests", max = TESTS_MAX)).into());
    }
    // A number with too many digits becomes infinite.
    let is_finite =
        |test: &ImportedTest| test.imported.figures.iter().all(|one| one.estimate.value.is_finite());
    if let Some(test) = tests.iter().find(|test| !is_finite(test)) {
        let problem = ImportProblem::whole_text(message!("import-text.figure-too-large"));
        return Err(ImportProblem { line: test.line, ..problem }.into());
    }
    for test in &tests {
        let figures = &test.imported.figures;
        // fio's engine `null` does no I/O, so any figure is possible.
        let skips_limits = test.method.engine.as_deref().is_some_and(|name| !options::engine(name).does_io);
        let impossible = || possible::problem(figures).filter(|_| !skips_limits);
        let not_storable = || Stored { method: &test.method, figures }.problem();
        if let Some(message) = impossible().or_else(|| agreement::contradiction(test)).or_else(not_storable) {
            return Err(ImportProblem { line: test.line, ..ImportProblem::whole_text(message) }.into());
        }
    }
    Ok(tests)
}

/// Reads a text up to a limit.
fn read_whole(source: &mut dyn BufRead, len_bytes_max: u64) -> Result<String, ImportProblems> {
    let mut bytes = Vec::new();
    let read = source.take(len_bytes_max + 1).read_to_end(&mut bytes);
    read.map_err(|error| ImportProblem::whole_text(message!("import-text.unreadable", reason = &error)))?;
    if bytes.len() as u64 > len_bytes_max {
        let max = Parameter::Bytes(len_bytes_max);
        return Err(ImportProblem::whole_text(message!("import-text.too-long", max)).into());
    }
    if bytes.iter().filter(|&&byte| byte == b'\n').count() > LINES_MAX {
        return Err(ImportProblem::whole_text(message!("import-text.too-many-lines", max = LINES_MAX)).into());
    }
    Ok(text::decode(&bytes).into_owned())
}

/// Parses the capacity of a drive as sold, in bytes: `480GB`, `1 TB`, `447 GiB`.
///
/// # Errors
/// If it is not a size, or has no unit.
pub fn parse_capacity(text: &str) -> Result<u64, Message> {
    let amount = amount::Amount::parse(text);
    let bytes = amount.and_then(|amount| match amount::unit(amount.unit)? {
        (Unit::Bytes, factor) => amount.number().map(|number| number * factor),
        _ => None,
    });
    let bytes = bytes.filter(|bytes| (1.0..9e18).contains(bytes));
    bytes.map(|bytes| bytes as u64).ok_or_else(|| message!("import-value.not-a-size", text = shown(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capacities_are_parsed() {
        for (text, bytes) in [("480GB", 480_000_000_000), ("1 TB", 1_000_000_000_000), ("2 GiB", 2 << 30)] {
            assert_eq!(parse_capacity(text), Ok(bytes));
        }
        for text in ["", "480", "big", "-1 GB", "0 GB", "5 MB/s", "9999999999 TB"] {
            assert_eq!(parse_capacity(text), Err(message!("import-value.not-a-size", text)));
        }
    }

    #[test]
    fn names_are_unique_and_plain() {
        for (at, importer) in IMPORTERS.iter().enumerate() {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(importer.name.chars().all(plain), "{}", importer.name);
            assert!(IMPORTERS[..at].iter().all(|other| other.name != importer.name), "{}", importer.name);
        }
    }

    #[test]
    fn each_importer_reads_a_real_output() {
        for importer in IMPORTERS {
            let path = format!("{}/src/fixtures/{}", env!("CARGO_MANIFEST_DIR"), importer.origin);
            let text = std::fs::read(&path).unwrap_or_else(|why| panic!("{path}: {why}"));
            let named = Named { place: importer.origin };
            assert!(importer.read(&mut text.as_slice(), &named).is_ok(), "{}", importer.name);
        }
    }

    #[test]
    fn other_texts_are_not_recognised() {
        let named = Named { place: "notes.txt" };
        for text in ["", "\n", "hello\n", "{}", "a;b;c\n", "1, 2, 3\n", "\0\0\0", "\u{feff}"] {
            assert!(detect(text.as_bytes(), &named).is_none(), "{text:?}");
        }
        assert!(detect(&[0xff, 0xfe, 0xff, 0xd8], &named).is_none());
    }

    #[test]
    fn importers_survive_hostile_texts() {
        let long = "9".repeat(100_000);
        let texts = ["", "\0", "nan;inf;-1;1e999", long.as_str(), "{\"jobs\": [[[[", "\r\n\r\n", "-,-,-\n"];
        for importer in IMPORTERS {
            for text in texts {
                let named = Named { place: "x.log" };
                assert!(
                    importer.read(&mut text.as_bytes(), &named).is_err(),
                    "{}: {text:.20?}",
                    importer.name
                );
            }
        }
    }

    #[test]
    fn file_names_are_the_last_part_of_a_path() {
        assert_eq!(Named { place: "/a/b_lat.1.log" }.file_name(), "b_lat.1.log");
        assert_eq!(Named { place: "-" }.file_name(), "-");
    }
}
