//! sysbench's fileio test, of versions 0.4, 0.5 and 1.0.

use cardiograph_core::direction::Direction;
use cardiograph_core::method::{Durability, Method, Pattern};
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::text::shown;
use cardiograph_core::{GIB, KIB, MIB, NS_PER_MS, NS_PER_S};
use cardiograph_core::{Message, message};

use super::amount;
use super::figures::Figures;
use super::lines::{find_command, find_line, missing_note, numbered, title};
use super::{ImportProblem, ImportProblems, ImportedTest, Importer, Named, Problems, Reading, Tests};

pub(super) const IMPORTER: Importer = Importer {
    name: "sysbench",
    title: &message!("import-format.sysbench"),
    origin: "tools/sysbench-1.0.txt",
    recognise: |text, _| find_line(text, |line| mode(line.trim()).is_some()),
    reading: Reading::Whole(read),
};

/// Parses `Doing random r/w test`: the pattern, and whether existing data is overwritten.
fn mode(line: &str) -> Option<(Pattern, bool)> {
    Some(match line.strip_prefix("Doing ")?.strip_suffix(" test")? {
        "random r/w" => (Pattern::RandomReadWrite, false),
        "random read" => (Pattern::RandomRead, false),
        "random write" => (Pattern::RandomWrite, false),
        "sequential read" => (Pattern::Read, false),
        "sequential write (creation)" => (Pattern::Write, false),
        "sequential rewrite" => (Pattern::Write, true),
        _ => return None,
    })
}

/// A run being read.
#[derive(Default)]
struct Run {
    /// The line of the mode.
    line: u64,
    command: Option<String>,
    method: Method,
    ratio: Option<f64>,
    /// Reads, writes and flushes: total (0.4, 0.5) or per second (1.0).
    counts: Option<[f64; 3]>,
    per_second: [Option<f64>; 3],
    /// Bytes: total (0.4, 0.5) or per second (1.0).
    bytes: [Option<f64>; 2],
    bytes_per_second: [Option<f64>; 2],
    seconds: Option<f64>,
    events: Option<f64>,
    latencies: Vec<(Statistic, f64)>,
}

fn read(text: &str, _: &Named) -> Result<Vec<ImportedTest>, ImportProblems> {
    let (mut tests, mut problems) = (Tests::default(), Problems::default());
    let mut run = Run::default();
    let mut end = |run: Run, problems: &mut Problems| {
        if run.method.pattern.is_some() {
            tests.extend(problems.take(run.test()));
        }
    };
    for (number, line) in numbered(text) {
        let line = line.trim();
        let command = find_command(line, "sysbench", |word| word.contains("fileio"));
        if command.is_some()
            || (line.starts_with("sysbench ") && line.contains(':'))
            || line.starts_with("sysbench 1.")
        {
            // A new run starts with the command or the version, whichever is present.
            let has_begun = run.method.pattern.is_some();
            let before = if has_begun { Some(std::mem::take(&mut run)) } else { None };
            before.into_iter().for_each(|before| end(before, &mut problems));
            run.command = command.map(str::to_string).or(run.command);
        }
        if let Err(message) = run.line(line, number) {
            problems.add_at(number, message);
        }
    }
    end(run, &mut problems);
    problems.result(tests.0)
}

impl Run {
    fn line(&mut self, line: &str, number: u64) -> Result<(), Message> {
        if let Some(version) =
            line.strip_prefix("sysbench ").filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        {
            let version = version.split([' ', ':', '-']).next().unwrap_or("");
            self.method.tool_version = Some(shown(version));
        } else if let Some((pattern, rewrites)) = mode(line) {
            self.line = number;
            self.method.pattern = Some(pattern);
            if rewrites {
                self.method.others.insert("pass".to_string(), "rewrite".to_string());
            }
        } else if let Some(text) = line.strip_prefix("Number of threads: ") {
            self.method.jobs = Some(amount::whole(text)?);
        } else if let Some(text) = line.strip_prefix("Block size ") {
            self.method.block_bytes = Some(size(text)? as u64);
        } else if let Some(text) = line.strip_suffix(" total file size") {
            self.method.size_bytes = Some(size(text)? as u64);
        } else if let Some(text) = line.strip_prefix("Extra file open flags: ") {
            self.method.direct = match text {
                "0" | "(none)" => Some(false),
                words if words.contains("direct") => Some(true),
                _ => None,
            };
        } else if line.contains("Read/Write ratio for ") {
            let text = line.rsplit(": ").next().unwrap_or("");
            self.ratio = Some(amount::plain(text)?);
        } else if !self.durability(line) && !self.engine(line) {
            return self.figure(line);
        }
        Ok(())
    }

    fn durability(&mut self, line: &str) -> bool {
        let durability = if line.starts_with("Calling fsync() after each write") {
            Durability::Fsync
        } else if line.starts_with("Periodic FSYNC enabled") {
            Durability::NowAndThen
        } else if line.starts_with("Calling fsync() at the end of test") {
            // Syncs both periodically and at the end count as periodic.
            self.method.durability.unwrap_or(Durability::AtEnd)
        } else {
            return false;
        };
        self.method.durability = Some(durability);
        true
    }

    fn engine(&mut self, line: &str) -> bool {
        let (engine, depth) = match line {
            "Using synchronous I/O mode" => ("sync", Some(1)),
            "Using asynchronous I/O mode" => ("libaio", None),
            "Using memory mapped I/O mode" | "Using fast mmap I/O mode" | "Using slow mmap I/O mode" => {
                ("mmap", Some(1))
            }
            _ => return false,
        };
        self.method.engine = Some(engine.to_string());
        self.method.depth = depth;
        true
    }

    fn figure(&mut self, line: &str) -> Result<(), Message> {
        if line.starts_with("Operations performed: ") {
            return self.operations(line);
        }
        if line.starts_with("Read ") && line.contains("Written ") {
            return self.transferred(line);
        }
        let Some((name, text)) = line.split_once(':') else { return Ok(()) };
        let text = text.trim();
        let number = amount::plain;
        match name {
            "reads/s" => self.per_second[0] = Some(number(text)?),
            "writes/s" => self.per_second[1] = Some(number(text)?),
            "fsyncs/s" => self.per_second[2] = Some(number(text)?),
            "read, MiB/s" => self.bytes_per_second[0] = Some(number(text)? * MIB as f64),
            "written, MiB/s" => self.bytes_per_second[1] = Some(number(text)? * MIB as f64),
            "total time" => {
                let seconds = text
                    .strip_suffix('s')
                    .ok_or_else(|| message!("import-sysbench.no-seconds", text = shown(text)))?;
                self.seconds = Some(number(seconds)?);
            }
            "total number of events" => self.events = Some(number(text)?),
            "min" | "avg" | "max" => {
                let statistic = match name {
                    "min" => Statistic::Min,
                    "avg" => Statistic::Mean,
                    _ => Statistic::Max,
                };
                self.latencies.push((statistic, number(text.trim_end_matches("ms"))? * NS_PER_MS as f64));
            }
            name if name.ends_with("percentile") => {
                let digits: String = name.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
                let percent: Option<f64> = digits.trim_start_matches('.').parse().ok();
                let percent = percent.filter(|percent| (0.0..=100.0).contains(percent));
                let percent =
                    percent.ok_or_else(|| message!("import-value.not-a-percentile", text = shown(name)))?;
                let ns = number(text.trim_end_matches("ms"))? * NS_PER_MS as f64;
                self.latencies.push((Statistic::Percentile(percent), ns));
            }
            _ => {}
        }
        Ok(())
    }

    /// Parses `Operations performed:  5998 Read, 4002 Write, 12800 Other = 22800 Total`; in 0.5 `5998 reads, 4002
    /// writes, ...`.
    fn operations(&mut self, line: &str) -> Result<(), Message> {
        let wrong = || message!("import-sysbench.no-operations", line = shown(line));
        let (_, counts) = line.split_once(':').ok_or_else(wrong)?;
        let numbers: Vec<f64> = counts
            .split(['=', ','])
            .filter_map(|part| amount::number(part.split_whitespace().next()?))
            .collect();
        let [reads, writes, others, ..] = numbers[..] else { return Err(wrong()) };
        self.counts = Some([reads, writes, others]);
        Ok(())
    }

    /// Parses `Read 93.719Mb  Written 62.531Mb  Total transferred 156.25Mb  (7.2126Mb/sec)`.
    fn transferred(&mut self, line: &str) -> Result<(), Message> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["Read", read, "Written", written, ..] = words[..] else {
            return Err(message!("import-sysbench.no-transfer", line = shown(line)));
        };
        self.bytes = [Some(size(read)?), Some(size(written)?)];
        Ok(())
    }

    fn test(self) -> Result<ImportedTest, ImportProblem> {
        let line = self.line;
        let wrong = |what: Message| ImportProblem::at_line(line, what);
        let seconds = self.seconds.filter(|seconds| *seconds > 0.0);
        let per_second = |amount: Option<f64>| Some(amount? / seconds?);
        let counts = self.counts.map_or(self.per_second, |counts| counts.map(Some));
        let rates = self.counts.map_or(self.per_second, |counts| counts.map(|count| per_second(Some(count))));
        let bandwidth = |at: usize| per_second(self.bytes[at]).or(self.bytes_per_second[at]);
        let is_used = |at: usize| counts[at].map(|count| count > 0.0);
        let mut method = Method { tool: "sysbench".to_string(), ..self.method };
        let pattern = method.pattern.unwrap_or(Pattern::Read);
        method.durability = method.durability.or(Some(Durability::Never)).filter(|_| pattern.writes());
        method.read_percent = self
            .ratio
            .filter(|_| pattern.is_mixed())
            .map(|ratio| (100.0 * ratio / (1.0 + ratio)).round() as u32);
        let mut figures = Figures::default();
        for (at, direction) in [Direction::Read, Direction::Write].into_iter().enumerate() {
            let both = [(Quantity::Iops, rates[at]), (Quantity::Bandwidth, bandwidth(at))];
            for (quantity, value) in both.into_iter().filter(|_| is_used(at) == Some(true)) {
                value.into_iter().for_each(|value| figures.add(Some(direction), quantity, value, 0));
            }
        }
        let has_rates = !figures.0.is_empty();
        // Latencies are of all events: of reads only if there was nothing else.
        let direction = match [0, 1, 2].map(is_used) {
            [Some(true), Some(false), Some(false)] => Some(Direction::Read),
            [Some(false), Some(true), Some(false)] => Some(Direction::Write),
            _ => None,
        };
        for (statistic, ns) in &self.latencies {
            figures.add_latency(direction, *statistic, *ns, self.events.unwrap_or(0.0) as u64);
        }
        let is_empty = figures.0.is_empty();
        seconds
            .into_iter()
            .for_each(|seconds| figures.add(None, Quantity::Runtime, seconds * NS_PER_S as f64, 0));
        if is_empty {
            return Err(wrong(message!("import-sysbench.figures-missing")));
        }
        let missing = missing_note([
            (!has_rates).then(|| message!("import-part.rates")),
            self.latencies.is_empty().then(|| message!("import-part.latencies")),
            seconds.is_none().then(|| message!("import-part.time")),
        ]);
        Ok(ImportedTest {
            command: self.command,
            notes: missing.into_iter().collect(),
            imported: figures.into_imported(),
            line: Some(line),
            output_line: Some(line),
            ..ImportedTest::new("fileio", title(&method), method)
        })
    }
}

/// Parses a size: `16KiB`; `16Kb` and `3Gb` of old versions mean the same.
fn size(text: &str) -> Result<f64, Message> {
    const UNITS: [(&str, u64); 11] = [
        ("", 1),
        ("B", 1),
        ("b", 1),
        ("KiB", KIB),
        ("Kb", KIB),
        ("MiB", MIB),
        ("Mb", MIB),
        ("GiB", GIB),
        ("Gb", GIB),
        ("TiB", 1_024 * GIB),
        ("Tb", 1_024 * GIB),
    ];
    amount::in_units(text, &UNITS.map(|(unit, factor)| (unit, factor as f64)))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_importer, figures_by_name, problems_of};
    use super::*;

    const TEXT: &str = include_str!("fixtures/tools/sysbench-1.0.txt");
    const OLD: &str = include_str!("fixtures/tools/sysbench-0.4.txt");
    const BETWEEN: &str = include_str!("fixtures/tools/sysbench-0.5.txt");

    #[test]
    fn reads_version_1_0() {
        let found = figures_by_name(&IMPORTER, TEXT);
        for (name, value) in [
            ("- fileio read.iops", 20_635.03),
            ("- fileio write.bandwidth", 214.95 * MIB as f64),
            ("- fileio latency_p95", 0.01e6),
            ("- fileio-2 write.iops", 282_534.36),
            ("- fileio-3 read.latency_max", 5.43e6),
            ("- fileio-4 latency_mean", 2.27e6),
            ("- fileio-4 runtime", 2.001_3e9),
        ] {
            assert!((found[name] / value - 1.0).abs() < 1e-9, "{name}: {}", found[name]);
        }
        let tests = check_importer(&IMPORTER, TEXT);
        let methods: Vec<&Method> = tests.iter().map(|test| &test.method).collect();
        let [mixed, sequential, direct, synced] = &methods[..] else { panic!("{methods:#?}") };
        assert_eq!((mixed.pattern, mixed.read_percent), (Some(Pattern::RandomReadWrite), Some(60)));
        assert_eq!((mixed.durability, mixed.block_bytes), (Some(Durability::NowAndThen), Some(16 << 10)));
        assert_eq!((sequential.jobs, sequential.durability), (Some(2), Some(Durability::AtEnd)));
        assert_eq!((direct.direct, direct.durability, direct.size_bytes), (Some(true), None, Some(64 << 20)));
        assert_eq!(
            (synced.durability, synced.tool_version.as_deref()),
            (Some(Durability::Fsync), Some("1.0.20"))
        );
        assert!(tests[2].command.as_deref().is_some_and(|line| line.starts_with("sysbench fileio")));
    }

    #[test]
    fn reads_version_0_4() {
        let found = figures_by_name(&IMPORTER, OLD);
        for (name, value) in [
            ("- fileio read.iops", 5_998.0 / 21.663_6),
            ("- fileio read.bandwidth", 93.719 * MIB as f64 / 21.663_6),
            ("- fileio latency_p95", 5.07e6),
        ] {
            assert!((found[name] / value - 1.0).abs() < 1e-9, "{name}: {}", found[name]);
        }
    }

    #[test]
    fn reads_version_0_5() {
        let found = figures_by_name(&IMPORTER, BETWEEN);
        for (name, value) in [
            ("- fileio read.iops", 480.0),
            ("- fileio write.bandwidth", 5.0 * MIB as f64),
            ("- fileio latency_p95", 4.12e6),
            ("- fileio-2 write.iops", 300.0),
            ("- fileio-2 runtime", 0.5e9),
        ] {
            assert!((found[name] / value - 1.0).abs() < 1e-9, "{name}: {}", found[name]);
        }
        assert!(!found.contains_key("- fileio-2 read.iops"));
        let version = check_importer(&IMPORTER, BETWEEN)[1].method.tool_version.clone();
        assert_eq!(version.as_deref(), Some("0.5"));
    }

    #[test]
    fn errors_name_their_line() {
        for (from, to, expected) in [
            (
                "reads/s:                      20635.03",
                "reads/s: many",
                "import-value.not-a-number(text=many)",
            ),
            (
                "read, MiB/s:                  322.42",
                "read, MiB/s: 3224.2",
                "import-figure.not-ios(block=Bytes(16384)",
            ),
            ("Block size 16KiB", "Block size 16 pages", "unit=pages"),
            ("95th percentile", "999th percentile", "import-value.not-a-percentile(text=999th percentile)"),
        ] {
            let problems = problems_of(&IMPORTER, &TEXT.replacen(from, to, 1));
            assert!(problems.starts_with("line ") && problems.contains(expected), "{problems}");
        }
        // Percentiles can be disabled.
        let off = OLD.replace("         approx.  95 percentile:               5.07ms\n", "");
        assert!(!figures_by_name(&IMPORTER, &off).contains_key("- fileio latency_p95"));
    }
}
