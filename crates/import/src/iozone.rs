//! iozone's table (`-a`, or single lengths with `-s` and `-r`): a row for each length of file and record; and what several
//! processes do at once (`-t`, or `-l` and `-u`): [`throughput`].

mod throughput;

use cardiograph_core::KIB;
use cardiograph_core::direction::Direction;
use cardiograph_core::method::{Durability, Method, Pattern};
use cardiograph_core::quantity::Quantity;
use cardiograph_core::text::shown;
use cardiograph_core::{Message, message};
use throughput::Aside;

use super::figures::Figures;
use super::lines::{command_of, line_of, numbered, part_title};
use super::moment::Moment;
use super::{
    ImportProblems, ImportedTest, Importer, Named, Problems, Reading, Subject, Tests, amount, command,
};

/// The importer.
pub(super) const IMPORTER: Importer = Importer {
    name: "iozone",
    title: &message!("import-format.iozone"),
    recognise: |text, _| line_of(text, |line| is_heading(line) || throughput::is_pass(line)),
    reading: Reading::Whole(read),
};

/// A column: what it is called here, what is done, and the number of iozone's test (`-i`) that it belongs to.
const COLUMNS: [(&str, Pattern, u32); 13] = [
    ("write", Pattern::Write, 0),
    ("rewrite", Pattern::Write, 0),
    ("read", Pattern::Read, 1),
    ("reread", Pattern::Read, 1),
    ("random-read", Pattern::RandomRead, 2),
    ("random-write", Pattern::RandomWrite, 2),
    ("backward-read", Pattern::Read, 3),
    ("record-rewrite", Pattern::Write, 4),
    ("stride-read", Pattern::Read, 5),
    ("fwrite", Pattern::Write, 6),
    ("refwrite", Pattern::Write, 6),
    ("fread", Pattern::Read, 7),
    ("refread", Pattern::Read, 7),
];
/// How its output begins.
const BANNER: &str = "Iozone: Performance Test";
/// Columns of which the pattern alone says what they are. Others have it in their method that they are something else.
const PLAIN: [&str; 4] = ["write", "read", "random-read", "random-write"];
/// Where the columns begin behind both lengths, in the layouts that there were: columns of nine and of eight signs.
const COLUMNS_FROM: usize = 24;
const WIDTHS: [usize; 2] = [9, 8];

fn is_heading(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next().is_some_and(|word| word.eq_ignore_ascii_case("kB")) && words.next() == Some("reclen")
}

/// What iozone says before its table.
#[derive(Default)]
struct Run {
    version: Option<String>,
    command: Option<String>,
    began: Option<Moment>,
    /// The tests that it asks for (`-i`); `None` where there is no command, or they are not understood.
    asked: Option<Vec<u32>>,
    /// The file that it names (`-f`).
    path: Option<String>,
    /// Whether it has told its settings at all: without them nothing is known from their absence.
    has_settings: bool,
    fsync: bool,
    direct: bool,
    sync: bool,
    close: bool,
    /// What it counts in; `None` until it says so.
    unit: Option<Unit>,
    in_table: bool,
    /// Lengths of the file of each process and of its records, in bytes, where several work at once.
    lengths_bytes: Option<(u64, u64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    KibPerSecond,
    OpsPerSecond,
}

/// What was done once.
struct Pass {
    name: &'static str,
    pattern: Pattern,
    /// How many processes or threads did it at once, where iozone counts them.
    jobs: Option<u64>,
    figure: f64,
    unit: Unit,
}

fn read(text: &str, _: &Named) -> Result<Vec<ImportedTest>, ImportProblems> {
    let (mut tests, mut problems) = (Tests::default(), Problems::default());
    let mut run = Run::default();
    for (number, line) in numbered(text) {
        if is_heading(line) {
            run.in_table = true;
            if run.unit.is_none() {
                problems.at(number, message!("import-iozone.unit-missing"));
                run.unit = Some(Unit::KibPerSecond);
            }
        } else if run.in_table && is_row(line) {
            tests.of_line(number, run.row(line), &mut problems);
        } else if let Some(pass) = throughput::pass(line) {
            let test = pass.map(|pass| Some(run.test(&pass, run.lengths_bytes)));
            tests.of_line(number, test, &mut problems);
        } else if let Some(Aside { name, words }) = throughput::aside(line) {
            let others = tests.0.last_mut().map(|test| &mut test.imported.others);
            others.and_then(|others| others.insert(name.to_string(), words));
        } else if let Some(lengths_bytes) = throughput::lengths_bytes(line) {
            run.lengths_bytes = Some(lengths_bytes);
        } else if let Err(message) = run.said(line.trim()) {
            problems.at(number, message);
        }
    }
    problems.or(tests.0)
}

fn command_line(line: &str) -> Option<&str> {
    command_of(line, "iozone", |word| word.starts_with('-'))
}

fn is_row(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_plain = line.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ' || byte == b'\t');
    is_plain && words.next().is_some() && words.next().is_some()
}

impl Run {
    fn said(&mut self, line: &str) -> Result<(), Message> {
        if line.starts_with(BANNER) {
            let command = self.command.take();
            *self = Self { has_settings: command.is_some(), command, ..Self::default() };
            self.letters();
        } else if let Some(version) = line.strip_prefix("Version $Revision: ") {
            self.version = Some(shown(version.trim_end_matches('$').trim()));
        } else if let Some(date) = line.strip_prefix("Run began: ") {
            self.began = Moment::of(date);
        } else if let Some(words) = line.strip_prefix("Command line used: ") {
            let words = words.trim_start_matches("./");
            self.command = Some(words.to_string());
            self.has_settings = true;
            self.letters();
        } else if let Some(unit) = line.strip_prefix("Output is in ") {
            self.unit = Some(match unit.trim().to_lowercase().as_str() {
                "kbytes/sec" => Unit::KibPerSecond,
                "operations per second" | "ops/sec" | "operations per second." => Unit::OpsPerSecond,
                _ => {
                    return Err(message!("import-iozone.unit-unsupported", unit = shown(unit)));
                }
            });
        } else if let Some(words) = command_line(line) {
            let command = Some(words.to_string());
            *self = Self { command, has_settings: true, ..Self::default() };
            self.letters();
        } else {
            match line {
                "Include fsync in write timing" => self.fsync = true,
                "O_DIRECT feature enabled" => self.direct = true,
                "SYNC Mode." => self.sync = true,
                "Include close in write timing" => self.close = true,
                _ => {}
            }
        }
        Ok(())
    }

    /// The settings of the command line, of those that the table depends on.
    fn letters(&mut self) {
        let Some(command) = self.command.as_deref() else { return };
        let words = command::words(command);
        let mut asked = Vec::new();
        for (letter, value) in command::letters(&words, "srifntgyqluFbJjSLHkPUXY") {
            match letter {
                'e' => self.fsync = true,
                'I' => self.direct = true,
                'o' => self.sync = true,
                'c' => self.close = true,
                'f' => self.path = Some(value.to_string()),
                'i' => asked.push(value.parse().ok()),
                _ => {}
            }
        }
        // All of them if it says nothing of that; none where it is not understood.
        self.asked = if asked.is_empty() { Some((0..8).collect()) } else { asked.into_iter().collect() };
    }

    /// The columns of a row's figures: by what was asked for, or else by where they stand.
    fn columns(&self, line: &str, count: usize) -> Result<Vec<usize>, Message> {
        if let Some(asked) = &self.asked {
            let columns: Vec<usize> =
                (0..COLUMNS.len()).filter(|&at| asked.contains(&COLUMNS[at].2)).collect();
            if columns.len() == count {
                return Ok(columns);
            }
        }
        let ends: Vec<usize> = ends_of_words(line).skip(2).collect();
        let at_ends = |width: usize| {
            let column = |end: &usize| {
                let behind = end.checked_sub(COLUMNS_FROM)?;
                let at = (behind / width).checked_sub(1)?;
                (behind % width == 0 && at < COLUMNS.len()).then_some(at)
            };
            ends.iter().map(column).collect::<Option<Vec<usize>>>()
        };
        let found = WIDTHS.into_iter().find_map(at_ends).filter(|columns| columns.len() == count);
        found.ok_or_else(|| message!("import-iozone.columns-unknown", count = count))
    }

    fn row(&self, line: &str) -> Result<Vec<ImportedTest>, Message> {
        let numbers: Option<Vec<f64>> = line.split_whitespace().map(amount::number).collect();
        let numbers =
            numbers.ok_or_else(|| message!("import-iozone.not-numbers", line = shown(line.trim())))?;
        let (lengths, figures) = numbers.split_at(2);
        let len_bytes = |kib: f64| (kib * KIB as f64) as u64;
        let row = (len_bytes(lengths[0]), len_bytes(lengths[1]));
        if row.1 == 0 || row.1 > row.0 {
            return Err(message!("import-iozone.record-too-long"));
        }
        if figures.is_empty() {
            return Err(message!("import-iozone.no-figure"));
        }
        let columns = self.columns(line, figures.len())?;
        // 0 stands for what was left out (`-+n`).
        let some = columns.into_iter().zip(figures).filter(|(_, figure)| **figure > 0.0);
        let unit = self.unit.unwrap_or(Unit::KibPerSecond);
        let pass = |column: usize, figure: f64| {
            let (name, pattern, _) = COLUMNS[column];
            Pass { name, pattern, jobs: None, figure, unit }
        };
        Ok(some.map(|(column, figure)| self.test(&pass(column, *figure), Some(row))).collect())
    }

    /// A pass as a test; the lengths are of the file and of a record, in bytes.
    fn test(&self, pass: &Pass, lengths_bytes: Option<(u64, u64)>) -> ImportedTest {
        let &Pass { name, pattern, jobs, figure, unit } = pass;
        let written = if pattern.writes() { Direction::Write } else { Direction::Read };
        // A mixture is one figure for both.
        let direction = (!pattern.is_mixed()).then_some(written);
        let durability = match () {
            () if self.sync => Durability::Dsync,
            () if self.fsync => Durability::AtEnd,
            () => Durability::Never,
        };
        let mut method = Method {
            tool: "iozone".to_string(),
            tool_version: self.version.clone(),
            pattern: Some(pattern),
            block_bytes: lengths_bytes.map(|(_, record)| record),
            depth: Some(1),
            jobs: Some(jobs.unwrap_or(1)),
            direct: self.has_settings.then_some(self.direct),
            durability: (pattern.writes() && self.has_settings).then_some(durability),
            size_bytes: lengths_bytes.map(|(file, _)| file),
            ..Method::default()
        };
        if !PLAIN.contains(&name) {
            method.others.insert("pass".to_string(), name.replace('-', " "));
        }
        if self.close && pattern.writes() {
            method.others.insert("close".to_string(), "counted".to_string());
        }
        let mut figures = Figures::default();
        match unit {
            Unit::OpsPerSecond => figures.add(direction, Quantity::Iops, figure, 0),
            Unit::KibPerSecond => figures.add(direction, Quantity::Bandwidth, figure * KIB as f64, 0),
        }
        let title = part_title(&method, name);
        let length = lengths_bytes.map_or(String::new(), |(_, record)| format!("-{}k", record / KIB));
        let times = jobs.map_or(String::new(), |jobs| format!("-x{jobs}"));
        ImportedTest {
            command: self.command.clone(),
            started_unix_ms: self.began.map(|began| began.unix_ms),
            notes: self.began.map(|began| began.note("iozone")).into_iter().collect(),
            imported: figures.imported(),
            subject: Subject { path: self.path.clone(), ..Subject::default() },
            ..ImportedTest::new(format!("{name}{length}{times}"), title, method)
        }
    }
}

/// Where the words of a line end, in signs from its beginning.
fn ends_of_words(line: &str) -> impl Iterator<Item = usize> {
    line.split_whitespace().map(move |word| word.as_ptr() as usize - line.as_ptr() as usize + word.len())
}

#[cfg(test)]
mod tests;
