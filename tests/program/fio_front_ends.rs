//! Programs and scripts that call fio: their command lines are accepted, and the output has everything they read, as with
//! Debian's fio.

use std::collections::BTreeSet;
use std::path::Path;

use cardiograph_testing::part_or_all;
use serde_json::Value;

use crate::common::Bench;
use crate::common::fio::Fio;
use crate::common::fio_shell::{FioRun, recorded};
use crate::common::fio_text::{same_shape, shape, without_samples, without_sectors};

const INVOCATIONS: &str = include_str!("front_ends/invocations.txt");
const TYPICAL: &str = include_str!("front_ends/typical.txt");

/// How a front end calls fio, and what it reads from the output.
#[derive(Debug, Default)]
struct FrontEnd<'t> {
    name: &'t str,
    files: Vec<&'t str>,
    /// Replacements that shorten the test: old and new.
    scale: Vec<(&'t str, &'t str)>,
    is_timed: bool,
    commands: Vec<&'t str>,
    lines: Vec<&'t str>,
    /// Paths in the JSON, and their values.
    values: Vec<(&'t str, &'t str)>,
}

impl<'t> FrontEnd<'t> {
    fn all(text: &'t str) -> Vec<Self> {
        text.split("\n## ").skip(1).map(Self::read).collect()
    }

    fn read(text: &'t str) -> Self {
        let mut lines = text.lines();
        let mut found = Self { name: lines.next().unwrap(), ..Self::default() };
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with("# ")) {
            let pair = |separator: &str| line[2..].split_once(separator).unwrap_or_else(|| panic!("{line}"));
            match line.split(' ').next().unwrap() {
                "file" => found.files.push(&line[5..]),
                "scale" => found.scale.push(line[6..].split_once(" -> ").unwrap_or_else(|| panic!("{line}"))),
                "timed" => found.is_timed = true,
                "$" => found.commands.push(&line[2..]),
                ">" => found.lines.push(&line[2..]),
                "@" => found.values.push(pair(" = ")),
                _ => panic!("{line}"),
            }
        }
        found
    }

    fn scaled(&self, text: &str) -> String {
        self.scale.iter().fold(text.to_string(), |text, (old, new)| text.replace(old, new))
    }

    /// Runs it and checks that the output has everything it reads.
    fn run(&self, fio: Fio) -> Vec<FioRun> {
        let bench = Bench::new();
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/front_ends");
        for file in &self.files {
            bench.file(file, &self.scaled(&std::fs::read_to_string(directory.join(file)).unwrap()));
        }
        let (outcome, runs) = recorded(&bench, fio, &self.scaled(&self.commands.join("\n")));
        let said = format!("{} with {fio:?}\n{}\n{}", self.name, outcome.stdout, outcome.stderr);
        assert!(outcome.status.success() && !outcome.stderr.contains("panicked"), "{said}");
        if !self.lines.is_empty() {
            let lines: Vec<&str> = outcome.stdout.lines().collect();
            assert_eq!(lines.len(), self.lines.len(), "{said}");
            let mut pairs = lines.iter().zip(&self.lines);
            assert!(pairs.all(|(line, pattern)| fits(pattern, line)), "expected {:?}\n{said}", self.lines);
        }
        if !self.values.is_empty() {
            let json = json(&outcome.stdout);
            for (path, pattern) in &self.values {
                let found = written(json_value(&json, path));
                assert!(fits(pattern, &found), "{path} is {found}, not {pattern}\n{said}");
            }
        }
        for run in &runs {
            check_arithmetic(run);
        }
        runs
    }

    /// Runs it with the program and with Debian's fio, and compares the outputs.
    fn compare(&self) {
        let whose = Fio::all(&format!("fio_front_ends: {}", self.name));
        let runs: Vec<Vec<FioRun>> = whose.into_iter().map(|fio| self.run(fio)).collect();
        let [ours, debian] = &runs[..] else { return };
        assert_eq!(ours.len(), debian.len(), "{}", self.name);
        for (ours, debian) in ours.iter().zip(debian) {
            assert_eq!(ours.status, debian.status, "{}: {}", self.name, ours.stdout);
            self.compare_outputs(&ours.stdout, &debian.stdout);
        }
    }

    fn compare_outputs(&self, ours: &str, debian: &str) {
        let kind = |text: &str| match text.chars().next() {
            Some('{') => "JSON",
            Some('2'..='5') => "fields",
            _ if text.contains("Run status group") => "text",
            _ => "other",
        };
        let parts = |text: &str| -> (String, String) {
            let (fields, rest): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.contains(';'));
            (fields.join("\n"), rest.join("\n"))
        };
        match kind(ours) {
            "JSON" => self.compare_json(&json(ours), &json(debian)),
            "fields" => {
                let ((ours, our_rest), (debian, debian_rest)) = (parts(ours), parts(debian));
                self.compare_fields(&ours, &debian);
                if our_rest.starts_with('{') {
                    self.compare_json(&json(&our_rest), &json(&debian_rest));
                }
            }
            "text" => {
                let bare = |text: &str| without_sectors(&without_samples(&shape(text)));
                same_shape(&bare(ours), &bare(debian), self.name);
            }
            _ => assert_eq!(ours.is_empty(), debian.is_empty(), "{}: {ours}", self.name),
        }
    }

    fn compare_json(&self, ours: &Value, debian: &Value) {
        let (our_keys, debian_keys) = (keys(ours), keys(debian));
        // Only Debian's fio needs a clock.
        let clock = ["/global options", "/global options/clocksource"];
        let missing: Vec<_> =
            debian_keys.difference(&our_keys).filter(|key| !clock.contains(&key.as_str())).collect();
        assert!(missing.is_empty(), "{}: {missing:?} are missing", self.name);
        let added: Vec<_> = our_keys.difference(&debian_keys).filter(|key| !is_known_addition(key)).collect();
        assert!(added.is_empty(), "{}: {added:?} are not fio's", self.name);
        for (ours, debian) in jobs(ours).iter().zip(jobs(debian)) {
            for key in ["jobname", "groupid", "error", "desc"] {
                assert_eq!(ours[key], debian[key], "{}: {key}", self.name);
            }
            for key in ["io_bytes", "total_ios", "short_ios", "drop_ios"] {
                // Each I/O of a mix is drawn; the total is not.
                let sum = |job: &Value| {
                    DIRECTIONS.iter().map(|direction| job[direction][key].as_u64().unwrap()).sum::<u64>()
                };
                assert!(self.is_timed || sum(ours) == sum(debian), "{}: {key} {ours} {debian}", self.name);
            }
            let options = |job: &Value| job["job options"].clone();
            for (name, value) in options(debian).as_object().into_iter().flatten() {
                assert_eq!(&options(ours)[name], value, "{}: {name}", self.name);
            }
        }
    }

    fn compare_fields(&self, ours: &str, debian: &str) {
        let rows = |text: &str| -> Vec<Vec<String>> {
            text.lines().map(|line| line.split(';').map(str::to_string).collect()).collect()
        };
        let (ours, debian) = (rows(ours), rows(debian));
        let counts = |rows: &[Vec<String>]| rows.iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(counts(&ours), counts(&debian), "{}", self.name);
        for (ours, debian) in ours.iter().zip(&debian) {
            let same: &[usize] = match ours[0].as_str() {
                // A description is on a separate line in version 2.
                "" => &[1],
                // Version, job, group, error; fio's version is not printed.
                "2" => &[0, 1, 2, 3],
                _ => &[0, 2, 3, 4],
            };
            for &field in same {
                assert_eq!(ours[field], debian[field], "{}, field {}", self.name, field + 1);
            }
            for (index, (ours, debian)) in ours.iter().zip(debian).enumerate() {
                let labels = |text: &str| text.split_once("%=").map(|(label, _)| label.to_string());
                assert_eq!(labels(ours), labels(debian), "{}, field {}", self.name, index + 1);
            }
        }
    }
}

const DIRECTIONS: [&str; 3] = ["read", "write", "trim"];

/// JSON from its first line, which is a brace. Debian's fio also writes remarks to standard output, and announces a job
/// given before `--output-format`.
fn json(text: &str) -> Value {
    let start = if text.starts_with("{\n") { Some(0) } else { text.find("\n{\n") };
    let start = start.unwrap_or_else(|| panic!("no JSON: {text}"));
    serde_json::from_str(&text[start..]).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn jobs(json: &Value) -> &[Value] {
    json["jobs"].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The value at `jobs.0.read.bw`. A dot within a name follows a backslash.
fn json_value<'j>(json: &'j Value, path: &str) -> &'j Value {
    let path = path.replace("\\.", "\u{1}");
    path.split('.').fold(json, |value, name| match name.parse::<usize>() {
        Ok(index) if value.is_array() => value.get(index).unwrap_or(&Value::Null),
        _ => &value[name.replace('\u{1}', ".")],
    })
}

/// A value as in the table; for an object, its number of keys.
fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(object) => object.len().to_string(),
        other => other.to_string(),
    }
}

/// Whether a line has the form of a pattern: `+` is a figure above zero with its unit, `#` any figure.
fn fits(pattern: &str, line: &str) -> bool {
    let mut rest = line;
    for each in pattern.chars() {
        rest = match each {
            '+' | '#' => {
                let after =
                    rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == 'e' || c == '-');
                let Ok(value) = rest[..rest.len() - after.len()].parse::<f64>() else { return false };
                if !value.is_finite() || value < 0.0 || (each == '+' && value == 0.0) {
                    return false;
                }
                let after = after.trim_start_matches(|c: char| c.is_ascii_alphabetic());
                after.strip_prefix("/s").unwrap_or(after)
            }
            _ => match rest.strip_prefix(each) {
                Some(after) => after,
                None => return false,
            },
        };
    }
    rest.is_empty()
}

#[test]
fn patterns_distinguish_figures_from_words() {
    for (pattern, line, expected) in [
        ("a;+;#", "a;12;0", true),
        ("a;+;#", "a;0;0", false),
        ("a;+;#", "b;1;0", false),
        ("a;+;#", "a;1;0;2", false),
        ("IOPS=+,", "IOPS=12.3k,", true),
        ("BW=+ x", "BW=48.2MiB/s x", true),
        ("+", "null", false),
        ("+", "-3", false),
        ("#", "0.000001", true),
    ] {
        assert_eq!(fits(pattern, line), expected, "{pattern} {line}");
    }
}

/// All keys in the JSON, except for classes of latency, which depend on the drive's speed.
fn keys(json: &Value) -> BTreeSet<String> {
    fn add(value: &Value, path: &str, keys: &mut BTreeSet<String>) {
        match value {
            Value::Object(object) => {
                for (name, value) in object {
                    let name = if path.ends_with("/bins") { "#" } else { name };
                    let path = format!("{path}/{name}");
                    add(value, &path, keys);
                    keys.insert(path);
                }
            }
            Value::Array(values) => {
                values
                    .iter()
                    .enumerate()
                    .for_each(|(index, value)| add(value, &format!("{path}/{index}"), keys));
            }
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    add(json, "", &mut found);
    found
}

/// Keys that fio 3.33 does not have: those of later versions, switches given by their bare names, which it leaves out of
/// the options, the latency target of a job that only lays out, and the program's own key.
fn is_known_addition(key: &str) -> bool {
    let later = [
        "/job_start",
        "_sectors",
        "/latency_depth",
        "/latency_target",
        "/latency_percentile",
        "/latency_window",
    ];
    key.contains("/cardiograph") || key.contains(" options/") || later.iter().any(|end| key.ends_with(end))
}

/// Speed is bytes divided by time in each of fio's outputs.
fn check_arithmetic(run: &FioRun) {
    let is_close = |found: f64, expected: f64| (found - expected).abs() <= 1.0 + expected * 0.002;
    let fields = run.stdout.lines().filter(|line| line.starts_with("3;"));
    for line in fields {
        let fields: Vec<&str> = line.split(';').collect();
        for first in [5, 46] {
            let number = |offset: usize| fields[first + offset].parse::<u64>().unwrap() as f64;
            let (io_kib, bandwidth, iops, runtime_ms) = (number(0), number(1), number(2), number(3));
            assert_eq!(io_kib > 0.0, bandwidth > 0.0 && iops > 0.0 && runtime_ms > 0.0, "{line}");
            assert!(runtime_ms == 0.0 || is_close(bandwidth, io_kib * 1000.0 / runtime_ms), "{line}");
        }
    }
    if !run.stdout.contains("{\n") {
        return;
    }
    for job in jobs(&json(&run.stdout)) {
        for direction in DIRECTIONS {
            let figures = &job[direction];
            let number = |key: &str| figures[key].as_f64().unwrap_or_else(|| panic!("{key} of {figures}"));
            let runtime_ms = number("runtime");
            assert_eq!(number("io_bytes") > 0.0, runtime_ms > 0.0, "{figures}");
            if runtime_ms > 0.0 {
                assert!(is_close(number("bw_bytes"), number("io_bytes") * 1000.0 / runtime_ms), "{figures}");
                assert!(is_close(number("iops"), number("total_ios") * 1000.0 / runtime_ms), "{figures}");
                assert!(is_close(number("bw"), number("bw_bytes") / 1024.0), "{figures}");
            }
            let n = json_value(figures, "clat_ns.N").as_u64().unwrap();
            if let Some(bins) = figures["clat_ns"]["bins"].as_object() {
                assert_eq!(bins.values().filter_map(Value::as_u64).sum::<u64>(), n, "{figures}");
            }
        }
    }
}

fn compare(front_ends: &[&str]) {
    let all = FrontEnd::all(INVOCATIONS);
    for name in front_ends {
        all.iter().find(|each| each.name == *name).unwrap_or_else(|| panic!("no {name}")).compare();
    }
}

/// Every front end of the table has a test.
#[test]
fn no_front_end_is_left_out() {
    let source = include_str!("fio_front_ends.rs");
    for front_end in FrontEnd::all(INVOCATIONS) {
        assert!(source.contains(&format!("\"{}\"", front_end.name)), "{}", front_end.name);
    }
}

#[test]
fn raspberry_pi_agnostics() {
    compare(&["Raspberry Pi agnostics"]);
}

#[test]
fn pi_benchmarks() {
    compare(&["PiBenchmarks"]);
}

#[test]
fn yabs() {
    compare(&["yabs"]);
}

#[test]
fn kdiskmark() {
    compare(&["KDiskMark", "KDiskMark, preparation", "KDiskMark, two threads of zeros"]);
}

#[test]
fn phoronix() {
    let probe = Bench::new().fio("--name=probe --ioengine=io_uring --rw=write --bs=4k --size=4k");
    if !probe.stderr.is_empty() {
        return cardiograph_testing::skip("fio_front_ends: Phoronix", "io_uring is not there");
    }
    compare(&["Phoronix"]);
}

#[test]
fn dramble() {
    compare(&["dramble"]);
}

#[test]
fn ezfio() {
    compare(&["ezfio, what it asks first", "ezfio", "ezfio, which checks what it reads"]);
}

#[test]
fn sss_pts() {
    compare(&["SSS-PTS"]);
}

#[test]
fn bench_fio() {
    compare(&["bench-fio", "bench-fio, its logs"]);
}

#[test]
fn ceph_cbt() {
    compare(&["Ceph CBT"]);
}

#[test]
fn typical_command_lines_print_the_same_lines_fields_and_keys() {
    // They are similar.
    for front_end in FrontEnd::all(TYPICAL).into_iter().step_by(part_or_all(2, 1)) {
        front_end.compare();
    }
}

#[test]
fn nothing_is_laid_out_where_only_reading_is_allowed() {
    let bench = Bench::new();
    let outcome = bench.fio("--name=a --filename=missing --rw=read --size=1M --readonly").exits_with(1);
    outcome.complains(&["@fio-readonly-layout", "job 'a'", "missing"]);
    bench.file("short", "too short");
    let outcome = bench.fio("--name=a --filename=short --rw=read --size=1M --readonly").exits_with(1);
    outcome.complains(&["@fio-readonly-layout", "short"]);
    assert_eq!(bench.entries(), ["short"]);
}

#[test]
fn a_mix_is_announced_as_one_whatever_its_shares() {
    let bench = Bench::new();
    for share in [0, 30, 100] {
        let line = format!("--name=a --ioengine=null --size=64k --rw=randrw --rwmixwrite={share}");
        bench.fio(&line).exits_with(0).says(&["a: (g=0): rw=randrw, bs="]);
    }
}

#[test]
fn notes_are_in_the_json() {
    let line = "--name=a --rw=write --bs=4k --size=64k --iodepth=4 --output-format=json";
    let outcome = Bench::new().fio(line).exits_with(0);
    assert!(outcome.stdout.starts_with("{\n") && outcome.stdout.ends_with("\n}\n"), "{}", outcome.stdout);
    assert_eq!(json(&outcome.stdout)["jobs"][0]["error"], 0);
    outcome.notes(&["@engine-note-depth-capped", "psync"]);
}
