//! iozone's table (`-a`, or single lengths with `-s` and `-r`): a row for each file and record length; and the
//! throughput of several processes (`-t`, or `-l` and `-u`): [`throughput`].

mod throughput;

use cardiograph_core::KIB;
use cardiograph_core::direction::Direction;
use cardiograph_core::method::{Durability, Method, Pattern};
use cardiograph_core::quantity::Quantity;
use cardiograph_core::text::shown;
use cardiograph_core::{Message, message};
use throughput::Detail;

use super::figures::Figures;
use super::lines::{find_command, find_line, numbered, part_title};
use super::moment::Moment;
use super::{
    ImportProblems, ImportedTest, Importer, Named, Problems, Reading, Subject, Tests, amount, command,
};

pub(super) const IMPORTER: Importer = Importer {
    name: "iozone",
    title: &message!("import-format.iozone"),
    origin: "tools/iozone.txt",
    recognise: |text, _| find_line(text, |line| is_heading(line) || throughput::is_pass(line)),
    reading: Reading::Whole(read),
};

/// A column: its name, its pattern, and the number of iozone's test (`-i`).
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
/// The first line of the output.
const BANNER: &str = "Iozone: Performance Test";
/// Columns that are described by their pattern. Others name themselves in the method.
const PLAIN: [&str; 4] = ["write", "read", "random-read", "random-write"];
/// Start of the columns after both lengths, in the known layouts: columns of nine and of eight characters.
const COLUMNS_FROM: usize = 24;
const WIDTHS: [usize; 2] = [9, 8];

fn is_heading(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next().is_some_and(|word| word.eq_ignore_ascii_case("kB")) && words.next() == Some("reclen")
}

/// The context of a table.
#[derive(Default)]
struct Run {
    version: Option<String>,
    command: Option<String>,
    began: Option<Moment>,
    /// The tests selected by `-i`; `None` without a command line, or if not understood.
    selected: Option<Vec<u32>>,
    /// The file given by `-f`.
    path: Option<String>,
    /// Whether settings were printed at all. Otherwise a missing setting means nothing.
    has_settings: bool,
    fsync: bool,
    direct: bool,
    sync: bool,
    close: bool,
    /// Unit of the figures; `None` until printed.
    unit: Option<Unit>,
    in_table: bool,
    /// File length per process and record length in bytes, for several processes.
    lengths_bytes: Option<(u64, u64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    KibPerSecond,
    OpsPerSecond,
}

/// The result of a pass.
struct Pass {
    name: &'static str,
    pattern: Pattern,
    /// Number of processes or threads, if printed.
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
                problems.add_at(number, message!("import-iozone.unit-missing"));
                run.unit = Some(Unit::KibPerSecond);
            }
        } else if run.in_table && is_row(line) {
            tests.add_output(number, run.row(line), &mut problems);
        } else if let Some(pass) = throughput::pass(line) {
            let test = pass.map(|pass| Some(run.test(&pass, run.lengths_bytes)));
            tests.add_output(number, test, &mut problems);
        } else if let Some(Detail { name, words }) = throughput::detail(line) {
            let others = tests.0.last_mut().map(|test| &mut test.imported.others);
            others.and_then(|others| others.insert(name.to_string(), words));
        } else if let Some(lengths_bytes) = throughput::lengths_bytes(line) {
            run.lengths_bytes = Some(lengths_bytes);
        } else if let Err(message) = run.read_setting(line.trim()) {
            problems.add_at(number, message);
        }
    }
    problems.result(tests.0)
}

fn command_line(line: &str) -> Option<&str> {
    find_command(line, "iozone", |word| word.starts_with('-'))
}

fn is_row(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_plain = line.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ' || byte == b'\t');
    is_plain && words.next().is_some() && words.next().is_some()
}

impl Run {
    fn read_setting(&mut self, line: &str) -> Result<(), Message> {
        if line.starts_with(BANNER) {
            let command = self.command.take();
            *self = Self { has_settings: command.is_some(), command, ..Self::default() };
            self.read_options();
        } else if let Some(version) = line.strip_prefix("Version $Revision: ") {
            self.version = Some(shown(version.trim_end_matches('$').trim()));
        } else if let Some(date) = line.strip_prefix("Run began: ") {
            self.began = Moment::parse(date);
        } else if let Some(words) = line.strip_prefix("Command line used: ") {
            let words = words.trim_start_matches("./");
            self.command = Some(words.to_string());
            self.has_settings = true;
            self.read_options();
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
            self.read_options();
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

    /// Reads the options of the command line that the method depends on.
    fn read_options(&mut self) {
        let Some(command) = self.command.as_deref() else { return };
        let words = command::words(command);
        let mut selected = Vec::new();
        for (letter, value) in command::short_options(&words, "srifntgyqluFbJjSLHkPUXY") {
            match letter {
                'e' => self.fsync = true,
                'I' => self.direct = true,
                'o' => self.sync = true,
                'c' => self.close = true,
                'f' => self.path = Some(value.to_string()),
                'i' => selected.push(value.parse().ok()),
                _ => {}
            }
        }
        // All tests by default; `None` if not understood.
        self.selected =
            if selected.is_empty() { Some((0..8).collect()) } else { selected.into_iter().collect() };
    }

    /// The columns of a row's figures, by the selected tests or else by position.
    fn columns(&self, line: &str, count: usize) -> Result<Vec<usize>, Message> {
        if let Some(selected) = &self.selected {
            let columns: Vec<usize> =
                (0..COLUMNS.len()).filter(|&at| selected.contains(&COLUMNS[at].2)).collect();
            if columns.len() == count {
                return Ok(columns);
            }
        }
        let ends: Vec<usize> = ends_of_words(line).skip(2).collect();
        let by_position = |width: usize| {
            let column = |end: &usize| {
                let behind = end.checked_sub(COLUMNS_FROM)?;
                let at = (behind / width).checked_sub(1)?;
                (behind % width == 0 && at < COLUMNS.len()).then_some(at)
            };
            ends.iter().map(column).collect::<Option<Vec<usize>>>()
        };
        let found = WIDTHS.into_iter().find_map(by_position).filter(|columns| columns.len() == count);
        found.ok_or_else(|| message!("import-iozone.columns-unknown", count))
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
        // 0 marks skipped passes (`-+n`).
        let some = columns.into_iter().zip(figures).filter(|(_, figure)| **figure > 0.0);
        let unit = self.unit.unwrap_or(Unit::KibPerSecond);
        let pass = |column: usize, figure: f64| {
            let (name, pattern, _) = COLUMNS[column];
            Pass { name, pattern, jobs: None, figure, unit }
        };
        Ok(some.map(|(column, figure)| self.test(&pass(column, *figure), Some(row))).collect())
    }

    /// Makes the test of a pass; lengths are of file and record, in bytes.
    fn test(&self, pass: &Pass, lengths_bytes: Option<(u64, u64)>) -> ImportedTest {
        let &Pass { name, pattern, jobs, figure, unit } = pass;
        let written = if pattern.writes() { Direction::Write } else { Direction::Read };
        // Mixed passes have one figure for both directions.
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
            imported: figures.into_imported(),
            subject: Subject { path: self.path.clone(), ..Subject::default() },
            ..ImportedTest::new(format!("{name}{length}{times}"), title, method)
        }
    }
}

/// Ends of a line's words, in characters from its start.
fn ends_of_words(line: &str) -> impl Iterator<Item = usize> {
    line.split_whitespace().map(move |word| word.as_ptr() as usize - line.as_ptr() as usize + word.len())
}

#[cfg(test)]
mod tests;
