//! ioping's statistics, human-readable and raw (`-B`, `-p`).
//!
//! ioping pauses between requests by default; its speed excludes the pauses.

use cardiograph_core::direction::Direction;
use cardiograph_core::method::{Durability, Method, Pattern};
use cardiograph_core::metric::Unit;
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::text::shown;
use cardiograph_core::{Message, message};
use cardiograph_jobs::value::parse_bytes;

use super::amount::{self, with_unit};
use super::figures::Figures;
use super::lines::{find_command, find_line, missing_note, numbered, title};
use super::{ImportProblems, ImportedTest, Importer, Named, Problems, Reading, Subject, Tests, command};

pub(super) const IMPORTER: Importer = Importer {
    name: "ioping",
    title: &message!("import-format.ioping"),
    origin: "tools/ioping.txt",
    recognise: |text, _| {
        let is_ioping =
            |line: &str| line.ends_with(" ioping statistics ---") || ioping_command(line).is_some();
        find_line(text, |line| is_ioping(line.trim()))
    },
    reading: Reading::Whole(read),
};

/// Statistics in ioping's order.
const STATISTICS: [Statistic; 4] = [Statistic::Min, Statistic::Mean, Statistic::Max, Statistic::Stdev];
/// Number of columns in a raw line.
const RAW_COLUMNS: usize = 10;

fn ioping_command(line: &str) -> Option<&str> {
    find_command(line, "ioping", |word| word.starts_with('-') || word.starts_with('/') || word == ".")
}

fn read(text: &str, _: &Named) -> Result<Vec<ImportedTest>, ImportProblems> {
    let (mut tests, mut problems) = (Tests::default(), Problems::default());
    let mut command_line: Option<String> = None;
    let mut lines = numbered(text).peekable();
    let mut prints_raw = false;
    // First raw line of a run, which prints one per period.
    let mut raw_from: Option<u64> = None;
    while let Some((number, line)) = lines.next() {
        let line = line.trim();
        if let Some(found) = ioping_command(line) {
            let settings = Settings::parse(found);
            prints_raw = ['B', 'p', 'P'].into_iter().any(|letter| settings.has(letter));
            command_line = Some(found.to_string());
            raw_from = None;
            continue;
        }
        let summary = if let Some(target) =
            line.strip_prefix("--- ").and_then(|l| l.strip_suffix(" ioping statistics ---"))
        {
            let mut block = Vec::new();
            while let Some((_, line)) = lines.next_if(|(_, line)| is_statistics(line.trim())) {
                block.push(line.trim());
            }
            parse_statistics(&block).map(|summary| Some((summary, target)))
        } else if prints_raw && is_raw(line) {
            parse_raw(line).map(|summary| Some((summary, "")))
        } else {
            Ok(None)
        };
        let read = summary.map(|summary| {
            summary.map(|(summary, target)| ImportedTest {
                output_line: target.is_empty().then(|| *raw_from.get_or_insert(number)),
                ..test(summary, target, command_line.as_deref())
            })
        });
        tests.add_output(number, read, &mut problems);
    }
    problems.result(tests.0)
}

fn is_statistics(line: &str) -> bool {
    ["requests completed", "requests in", "generated ", "min/avg/max/mdev"]
        .iter()
        .any(|words| line.contains(words))
}

/// ioping's figures in base units.
struct Summary {
    direction: Option<Direction>,
    n: f64,
    bytes: Option<f64>,
    /// I/Os and bytes per second.
    rates: Option<[f64; 2]>,
    /// In the order of [`STATISTICS`].
    latency_ns: Option<[f64; 4]>,
}

/// Parses `9 requests completed in 1.94 ms, 36 KiB read, 4.64 k iops, 18.1 MiB/s` and `min/avg/max/mdev = 198.3 us /
/// ...`. One of them may be missing.
fn parse_statistics(block: &[&str]) -> Result<Summary, Message> {
    let done = block.iter().find(|line| line.contains("requests completed in"));
    let times = block.iter().find_map(|line| line.strip_prefix("min/avg/max/mdev = "));
    let latency_ns = times.map(parse_times).transpose()?;
    let Some(done) = done else {
        latency_ns.ok_or(message!("import-ioping.completed-missing"))?;
        return Ok(Summary { direction: None, n: 0.0, bytes: None, rates: None, latency_ns });
    };
    let parts: Vec<&str> = done.split(", ").collect();
    let [completed, moved @ .., iops, speed] = &parts[..] else {
        return Err(message!("import-ioping.no-rate", text = shown(done)));
    };
    let (bytes, direction) = match moved {
        [moved] => match moved.rsplit_once(' ') {
            Some((size, "read")) => (Some(with_unit(size, Unit::Bytes)?), Some(Direction::Read)),
            Some((size, "written")) => (Some(with_unit(size, Unit::Bytes)?), Some(Direction::Write)),
            _ => return Err(message!("import-ioping.no-direction", text = shown(moved))),
        },
        _ => (None, None),
    };
    let count = completed.split(" requests").next().unwrap_or("");
    Ok(Summary {
        direction,
        n: amount::in_units(count, &[("", 1.0), ("k", 1e3), ("M", 1e6)])?,
        bytes,
        rates: Some([with_unit(iops, Unit::IosPerSecond)?, with_unit(speed, Unit::BytesPerSecond)?]),
        latency_ns,
    })
}

fn parse_times(times: &str) -> Result<[f64; 4], Message> {
    let values: Vec<&str> = times.split(" / ").collect();
    let [_, _, _, _] = values[..] else {
        return Err(message!("import-ioping.not-four-times", text = shown(times)));
    };
    let mut latency_ns = [0.0; 4];
    for (ns, value) in latency_ns.iter_mut().zip(values) {
        *ns = with_unit(value, Unit::Nanoseconds)?;
    }
    Ok(latency_ns)
}

fn is_raw(line: &str) -> bool {
    let columns = line.split_whitespace().count();
    columns >= 8 && line.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ')
}

/// Parses a raw line: requests, their time, requests and bytes per second, latency minimum, mean, maximum and
/// deviation, all times in nanoseconds; then requests and time including warmup and pauses.
fn parse_raw(line: &str) -> Result<Summary, Message> {
    let numbers: Option<Vec<f64>> = line.split_whitespace().map(amount::number).collect();
    let numbers = numbers.filter(|numbers| numbers.len() == RAW_COLUMNS);
    let [n, busy, iops, bytes_per_s, min, mean, max, stdev, ..] = numbers.as_deref().unwrap_or_default()
    else {
        return Err(message!("import-ioping.raw-columns", count = RAW_COLUMNS));
    };
    // Old versions had microseconds here.
    let computed_iops = n * 1e9 / busy;
    if (computed_iops - iops).abs() > 1.0 + 0.01 * iops || (mean * n - busy).abs() > n + 0.01 * busy {
        return Err(message!("import-ioping.raw-contradiction"));
    }
    Ok(Summary {
        direction: None,
        n: *n,
        bytes: None,
        rates: Some([computed_iops, *bytes_per_s]),
        latency_ns: Some([*min, *mean, *max, *stdev]),
    })
}

fn test(summary: Summary, target: &str, command_line: Option<&str>) -> ImportedTest {
    let settings = command_line.map(Settings::parse);
    let mixed = settings.as_ref().is_some_and(|settings| settings.has('G'));
    let known =
        settings.as_ref().map(|settings| if settings.has('W') { Direction::Write } else { Direction::Read });
    let direction = summary.direction.or(known).filter(|_| !mixed);
    let mut method = settings.as_ref().map_or_else(
        || Method { tool: "ioping".to_string(), depth: Some(1), jobs: Some(1), ..Method::default() },
        |settings| settings.method(direction),
    );
    let whole = |bytes: f64| (bytes.fract() == 0.0 && bytes > 0.0).then_some(bytes as u64);
    method.block_bytes = method.block_bytes.or_else(|| whole(summary.bytes? / summary.n));
    let mut figures = Figures::default();
    let n = summary.n as u64;
    for (quantity, rate) in
        [Quantity::Iops, Quantity::Bandwidth].into_iter().zip(summary.rates.into_iter().flatten())
    {
        figures.add(direction, quantity, rate, n);
    }
    for (statistic, ns) in STATISTICS.into_iter().zip(summary.latency_ns.into_iter().flatten()) {
        figures.add_latency(direction, statistic, ns, n);
    }
    let mut notes = vec![message!("import-ioping.requests-only")];
    let missing = [
        summary.rates.is_none().then_some(message!("import-part.rates")),
        summary.latency_ns.is_none().then_some(message!("import-part.latencies")),
    ];
    notes.extend(missing_note(missing));
    if settings.is_none() {
        notes.push(message!("import-ioping.no-command"));
    }
    // `. (ext4 /dev/vda 252.0 GiB)`
    let (path, mount) = target.split_once(" (").unwrap_or((target, ""));
    let device = mount.split(' ').find_map(|word| word.strip_prefix("/dev/"));
    let subject = Subject {
        device: device.map(str::to_string),
        path: (!path.is_empty()).then(|| path.to_string()),
        ..Subject::default()
    };
    let id = direction.map_or("mixed", Direction::name);
    ImportedTest {
        command: command_line.map(str::to_string),
        imported: figures.into_imported(),
        subject,
        notes,
        ..ImportedTest::new(id, title(&method), method)
    }
}

/// The options of a command line.
struct Settings(Vec<(char, String)>);

impl Settings {
    fn parse(line: &str) -> Self {
        const LONG: [(&str, char); 11] = [
            ("async", 'A'),
            ("cached", 'C'),
            ("direct", 'D'),
            ("read-write", 'G'),
            ("linear", 'L'),
            ("write", 'W'),
            ("sync", 'Y'),
            ("dsync", 'y'),
            ("rapid", 'R'),
            ("size", 's'),
            ("interval", 'i'),
        ];
        let short = |word: &String| {
            let long = word.trim_start_matches('-');
            let (name, value) = long.split_once('=').unwrap_or((long, ""));
            let letter = LONG.iter().find(|(known, _)| *known == name && word.starts_with('-'));
            letter.map_or(word.clone(), |(_, letter)| format!("-{letter}{value}"))
        };
        let words: Vec<String> = command::words(line).iter().skip(1).map(short).collect();
        let found = command::short_options(&words, "abceisSowlrtTpP");
        Self(found.into_iter().map(|(letter, value)| (letter, value.to_string())).collect())
    }

    fn value(&self, letter: char) -> Option<&str> {
        self.0.iter().rfind(|(known, _)| *known == letter).map(|(_, value)| value.as_str())
    }

    fn has(&self, letter: char) -> bool {
        self.value(letter).is_some()
    }

    fn method(&self, direction: Option<Direction>) -> Method {
        let linear = self.has('L');
        let pattern = match (direction, linear) {
            (Some(Direction::Write), true) => Pattern::Write,
            (Some(Direction::Write), false) => Pattern::RandomWrite,
            (Some(_), true) => Pattern::Read,
            (Some(_), false) => Pattern::RandomRead,
            (None, true) => Pattern::ReadWrite,
            (None, false) => Pattern::RandomReadWrite,
        };
        let durability = match () {
            () if self.has('Y') || self.has('y') => Durability::Dsync,
            () if self.has('C') => Durability::Never,
            // ioping flushes after each write, unless it is to use the cache.
            () => Durability::Fdatasync,
        };
        let default_block = if linear { 256 << 10 } else { 4 << 10 };
        let mut method = Method {
            tool: "ioping".to_string(),
            pattern: Some(pattern),
            read_percent: pattern.is_mixed().then_some(50),
            block_bytes: self.value('s').map_or(Some(default_block), |size| parse_bytes(size).ok()),
            depth: Some(1),
            jobs: Some(1),
            direct: Some(self.has('D')),
            durability: pattern.writes().then_some(durability),
            ..Method::default()
        };
        let pause = match self.value('i') {
            Some(interval) => Some(interval),
            None if self.has('R') => None,
            None => Some("1s"),
        };
        // Pauses change what the drive is asked to do.
        if let Some(pause) = pause.filter(|pause| amount::number(pause) != Some(0.0)) {
            method.others.insert("pause".to_string(), shown(pause));
        }
        if pattern.writes() && durability == Durability::Fdatasync {
            method.others.insert("latency".to_string(), "of write and fdatasync together".to_string());
        }
        method
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check_importer, figures_by_name, problems_of};
    use super::*;

    const TEXT: &str = include_str!("fixtures/tools/ioping.txt");

    #[test]
    fn reads_all_formats() {
        let found = figures_by_name(&IMPORTER, TEXT);
        for (name, value) in [
            ("vda:. read read.latency_mean", 215.4e3),
            ("vda:. read read.latency_stdev", 9.27e3),
            ("vda:. read read.iops", 4_640.0),
            ("vda:. write write.latency_max", 34.0e6),
            ("vda:. write write.bandwidth", 3.02 * 1_048_576.0),
            ("- read read.latency_mean", 248_436.0),
            ("- read read.bandwidth", 16_487_172.0),
        ] {
            assert!((found[name] / value - 1.0).abs() < 1e-9, "{name}: {}", found[name]);
        }
        let tests = check_importer(&IMPORTER, TEXT);
        let methods: Vec<&Method> = tests.iter().map(|test| &test.method).collect();
        let [slow, write, rapid, raw, .., linear] = &methods[..] else { panic!("{methods:#?}") };
        assert_eq!((slow.pattern, slow.direct), (Some(Pattern::RandomRead), Some(false)));
        assert_eq!(slow.others["pause"], "0.02");
        assert_eq!((write.block_bytes, write.durability), (Some(16 << 10), Some(Durability::Fdatasync)));
        assert!(rapid.others.is_empty() && raw.others.is_empty());
        assert_eq!((linear.pattern, linear.block_bytes), (Some(Pattern::Read), Some(256 << 10)));
        assert_eq!(tests[0].imported.figures[0].estimate.n, 9);
    }

    #[test]
    fn without_the_command_line_the_pattern_is_unknown() {
        let from = TEXT.find("--- ").unwrap();
        let end = TEXT[from..].find("$ ").unwrap() + from;
        let test = check_importer(&IMPORTER, &TEXT[from..end]).remove(0);
        assert_eq!((test.method.pattern, test.method.block_bytes), (None, Some(4_096)));
        assert_eq!(test.imported.figures[0].direction, Some(Direction::Read));
        assert!(test.notes.iter().any(|note| *note == message!("import-ioping.no-command")));
    }

    #[test]
    fn errors_name_their_line() {
        for (text, expected) in [
            ("--- a ioping statistics ---\n", "line 1: import-ioping.completed-missing"),
            (
                "$ ioping -c 2 .\n4 KiB <<< . (ext4 /dev/vda): request=1 time=131.0 us\n",
                "import-text.nothing(",
            ),
            (
                "--- a ioping statistics ---\n9 requests completed in 9 ms, 2506 iops, 9.8 mb/s\nmin/avg/max/mdev = 1 us / 1 us / 1 us / 1 us\n",
                "=9.8 mb/s",
            ),
            (
                "$ ioping -B .\n100 26694 3746 15344548 133 267 1923 228 101 28000\n",
                "import-ioping.raw-contradiction",
            ),
            (
                "$ ioping -B .\n100 26694 3746 15344548 133 267 1923 228\n",
                "import-ioping.raw-columns(count=10)",
            ),
        ] {
            let problems = problems_of(&IMPORTER, text);
            assert!(problems.contains(expected), "{text}: {problems}");
        }
    }
}
