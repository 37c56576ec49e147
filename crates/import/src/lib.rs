//! What other programs print, as Reports.
//!
//! An importer is a file and a line in [`IMPORTERS`]. It recognises its format by the beginning of a text, and reads a text
//! into [`ImportedTest`]s; [`reports`] puts these together, a Report for each drive. An importer takes what the source tells
//! and nothing else: a percentile that is not there stays absent, a unit that is not known is an [`ImportProblem`] with its
//! line, and with one problem nothing of the text is imported.
//!
//! Reading order: [`Importer`] → [`ImportedTest`] (what it gives) → `problem` (what it refuses) → [`reports`] → [`shelf`] (what
//! others published). Nothing here opens a file.
#![forbid(unsafe_code)]

use std::io::{BufRead, Read};

use cardiograph_core::imported::{Figure, Imported};
use cardiograph_core::method::Method;
use cardiograph_core::metric::Unit;
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

/// All importers. The first that recognises a text reads it, so that a format whose texts could be taken for another's stands
/// before that.
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
];

/// So much of a text is looked at to see what it is, in bytes.
pub const HEAD_LEN_BYTES: usize = 256 << 10;

/// Longest text that is read as a whole, in bytes: fio's JSON of hundreds of jobs with all buckets of their histograms is not
/// longer. Logs are read line by line, whatever their length.
pub const TEXT_LEN_BYTES_MAX: u64 = 32 << 20;
/// A text that is read as a whole has so many lines at most.
pub const LINES_MAX: usize = 2_000_000;
/// So many tests are read from one text at most: fio itself has 4,096 jobs.
pub const TESTS_MAX: usize = 10_000;

/// Reads one format.
#[derive(Debug, Clone, Copy)]
pub struct Importer {
    /// Its name, as `--as` takes it: lower case with hyphens, the program first, as `fio-json`.
    pub name: &'static str,
    /// What it is: a phrase.
    pub title: &'static Message,
    /// The line, from 1, by which a text or its beginning (the end of a line may be missing) is seen to have something of this
    /// format, also by its name; `None` where it has not. It is a cheap look, and a text for which it is wrong is refused with
    /// problems, not misread.
    pub recognise: fn(text: &str, named: &Named) -> Option<u64>,
    /// Reads it.
    pub reading: Reading,
}

/// How a text is read. With a problem nothing comes out of it.
#[derive(Debug, Clone, Copy)]
pub enum Reading {
    /// At once: what a program prints at its end, and what people copy.
    Whole(fn(text: &str, named: &Named) -> Result<Vec<ImportedTest>, ImportProblems>),
    /// Line by line, in bounded memory: logs.
    Streamed(fn(lines: &mut dyn BufRead, named: &Named) -> Result<Vec<ImportedTest>, ImportProblems>),
}

/// Where a text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named<'a> {
    /// The file, as the user named it, or an address; `-` for standard input.
    pub place: &'a str,
}

impl<'a> Named<'a> {
    /// The last part of the place: the file's own name.
    pub fn file_name(&self) -> &'a str {
        self.place.rsplit('/').next().unwrap_or(self.place)
    }
}

/// What a source tells of one test.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedTest {
    /// Its id within the Report, as the source has it: a job's name. [`reports`] makes ids of steps of it.
    pub id: String,
    /// What it is, in a line.
    pub title: String,
    /// The command line that made it, where the source shows it.
    pub command: Option<String>,
    /// How it was done. Its tool and version become the Report's source.
    pub method: Method,
    /// Its figures.
    pub imported: Imported,
    /// How it ended.
    pub outcome: StepOutcome,
    /// What was measured, and where. Tests of different subjects become Reports of their own.
    pub subject: Subject,
    /// When it began, in milliseconds since 1970-01-01 UTC; `None` where the source does not tell.
    pub started_unix_ms: Option<u64>,
    /// The line at which it begins, from 1; `None` where lines mean nothing.
    pub line: Option<u64>,
    /// The line at which begins what one run of the program printed: tests with the same were measured by the same run. `None`
    /// where it cannot be told which were.
    pub output_line: Option<u64>,
    /// What a reader should know. A note that several tests have stands once in the Report.
    pub notes: Vec<Message>,
}

impl ImportedTest {
    /// A test that went as planned, and of which nothing else is known yet.
    pub fn new(id: impl Into<String>, title: impl Into<String>, method: Method) -> Self {
        Self {
            id: id.into(),
            title: title.into(),
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

/// The tests of a text. No more are kept than it takes to see that there are too many.
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

    /// Takes in what the output in a line gave, or what is wrong with it.
    fn of_line(
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
            Err(message) => problems.at(line, message),
        }
    }

    /// Whether there are too many.
    fn are_too_many(&self) -> bool {
        self.0.len() > TESTS_MAX
    }
}

/// What was measured and where, as far as a source tells.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    /// The kernel's name of the drive, as `mmcblk0`; several are joined by `+`.
    pub device: Option<String>,
    /// What the source calls the drive: its model, or the heading above its figures.
    pub model: Option<String>,
    /// What the machine is called.
    pub host: Option<String>,
    /// The file or directory that was used.
    pub path: Option<String>,
    /// Who published it.
    pub author: Option<String>,
    /// When, as the source writes it: `2013`, `2025-11-05`.
    pub date: Option<String>,
}

/// The importer of this name.
pub fn find(name: &str) -> Option<&'static Importer> {
    IMPORTERS.iter().find(|importer| importer.name == name)
}

/// The importer that recognises a text by its first [`HEAD_LEN_BYTES`] or fewer, in any encoding that [`Importer::read`] takes.
pub fn detect(head: &[u8], named: &Named) -> Option<&'static Importer> {
    let head = text::decoded(&head[..head.len().min(HEAD_LEN_BYTES)]);
    IMPORTERS.iter().find(|importer| (importer.recognise)(&head, named).is_some())
}

impl Importer {
    /// Reads all of `source`. A text is UTF-8, or UTF-16 with its mark at the beginning, as Windows writes it; bytes that are
    /// neither are read as signs that nothing asks for.
    ///
    /// # Errors
    /// All that is wrong with it. A text without a result of this format is wrong, too.
    pub fn read(&self, source: &mut dyn BufRead, named: &Named) -> Result<Vec<ImportedTest>, ImportProblems> {
        let tests = match self.reading {
            Reading::Whole(read) => {
                let text = whole(source, TEXT_LEN_BYTES_MAX)?;
                let mut tests = read(&text, named)?;
                if let Some(test) = tests.first_mut() {
                    test.notes.extend(self.left_out(&text, named));
                }
                tests
            }
            Reading::Streamed(read) => read(source, named)?,
        };
        checked(tests, self.title)
    }

    /// A note on results of another format in a text. fio writes one run in several formats if it is asked to.
    fn left_out(&self, text: &str, named: &Named) -> Option<Message> {
        let are_of_fio = |other: &Importer| [self, other].iter().all(|one| one.name.starts_with("fio-"));
        let mut others = IMPORTERS.iter().filter(|other| other.name != self.name && !are_of_fio(other));
        others.find_map(|other| {
            let Reading::Whole(read) = other.reading else { return None };
            let line = (other.recognise)(text, named)?;
            let has_results = read(text, named).is_ok_and(|tests| !tests.is_empty());
            has_results.then(|| message!("import-text.left-out", format = other.title.clone(), line = line))
        })
    }
}

/// What a Report will have of a test whose numbers are not made here.
#[derive(Serialize)]
struct Kept<'a> {
    method: &'a Method,
    figures: &'a [Figure],
}

impl Kept<'_> {
    /// What no Report may have, as a count or a length of very many digits.
    fn problem(&self) -> Option<Message> {
        let json = serde_json::to_vec(self).expect("a test is JSON");
        let problem = validate::values(&json).err();
        problem.map(|Problem { place, problem }| {
            message!("import-text.not-storable", place = place, reason = problem)
        })
    }
}

/// What was read of a format, if there is anything, and nothing that could not be kept.
fn checked(tests: Vec<ImportedTest>, title: &Message) -> Result<Vec<ImportedTest>, ImportProblems> {
    if tests.is_empty() {
        return Err(ImportProblem::of_all(message!("import-text.nothing", format = title.clone())).into());
    }
    if tests.len() > TESTS_MAX {
        return Err(ImportProblem::of_all(message!("import-text.too-many-tests", max = TESTS_MAX)).into());
    }
    // A number with many digits is larger than any figure.
    let is_finite =
        |test: &ImportedTest| test.imported.figures.iter().all(|one| one.estimate.value.is_finite());
    if let Some(test) = tests.iter().find(|test| !is_finite(test)) {
        let problem = ImportProblem::of_all(message!("import-text.figure-too-large"));
        return Err(ImportProblem { line: test.line, ..problem }.into());
    }
    for test in &tests {
        let figures = &test.imported.figures;
        // fio's engine `null` reaches no drive, and moves what it is told to.
        let is_possible = test.method.engine.as_deref().is_some_and(|name| !options::engine(name).does_io);
        let impossible = || possible::problem(figures).filter(|_| !is_possible);
        let kept = || Kept { method: &test.method, figures }.problem();
        if let Some(message) = impossible().or_else(|| agreement::contradiction(test)).or_else(kept) {
            return Err(ImportProblem { line: test.line, ..ImportProblem::of_all(message) }.into());
        }
    }
    Ok(tests)
}

/// All of a text that is not too long to be read at once.
fn whole(source: &mut dyn BufRead, len_bytes_max: u64) -> Result<String, ImportProblems> {
    let mut bytes = Vec::new();
    let read = source.take(len_bytes_max + 1).read_to_end(&mut bytes);
    read.map_err(|error| ImportProblem::of_all(message!("import-text.unreadable", reason = &error)))?;
    if bytes.len() as u64 > len_bytes_max {
        let max = Parameter::Bytes(len_bytes_max);
        return Err(ImportProblem::of_all(message!("import-text.too-long", max = max)).into());
    }
    if bytes.iter().filter(|&&byte| byte == b'\n').count() > LINES_MAX {
        return Err(ImportProblem::of_all(message!("import-text.too-many-lines", max = LINES_MAX)).into());
    }
    Ok(text::decoded(&bytes).into_owned())
}

/// What a drive holds, in bytes, as it is sold: `480GB`, `1 TB`, `447 GiB`.
///
/// # Errors
/// When it is not a size, or has no unit.
pub fn capacity_bytes(text: &str) -> Result<u64, Message> {
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
    fn capacities_are_read_as_they_are_sold() {
        for (text, bytes) in [("480GB", 480_000_000_000), ("1 TB", 1_000_000_000_000), ("2 GiB", 2 << 30)] {
            assert_eq!(capacity_bytes(text), Ok(bytes));
        }
        for text in ["", "480", "big", "-1 GB", "0 GB", "5 MB/s", "9999999999 TB"] {
            assert_eq!(capacity_bytes(text), Err(message!("import-value.not-a-size", text = text)));
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
    fn what_is_no_result_is_recognised_by_nobody() {
        let named = Named { place: "notes.txt" };
        for text in ["", "\n", "hello\n", "{}", "a;b;c\n", "1, 2, 3\n", "\0\0\0", "\u{feff}"] {
            assert!(detect(text.as_bytes(), &named).is_none(), "{text:?}");
        }
        assert!(detect(&[0xff, 0xfe, 0xff, 0xd8], &named).is_none());
    }

    #[test]
    fn every_importer_takes_what_nobody_would_write() {
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
    fn a_place_ends_in_its_name() {
        assert_eq!(Named { place: "/a/b_lat.1.log" }.file_name(), "b_lat.1.log");
        assert_eq!(Named { place: "-" }.file_name(), "-");
    }
}
