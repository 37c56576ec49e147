//! Malicious Reports, names and arguments: nonsense is refused with its place, and nothing that is shown controls the
//! terminal.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use cardiograph_core::json;
use cardiograph_core::rng::Rng;
use cardiograph_core::text::steers;
use cardiograph_testing::part_or_all;
use serde_json::Value;

use crate::common::{Bench, Outcome, PROGRAM, run};

#[path = "../hostile/mutations.rs"]
mod mutations;
#[path = "../hostile/renderers.rs"]
mod renderers;

/// Control characters of terminals, and characters that change the direction of text, between letters.
const NASTY: &str = "a\u{1b}[31mb\u{1b}]0;x\u{7}c\u{9b}1m\u{7f}\u{85}d\u{202e}e\u{2066}f\u{200e}\u{200f}g";

/// The Reports that are mutated, each with its name.
fn seeds() -> Vec<(String, Value)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/report");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).unwrap();
        (file.file_stem().unwrap().to_string_lossy().into_owned(), serde_json::from_str(&text).unwrap())
    };
    files.into_iter().map(read).collect()
}

#[track_caller]
fn is_plain(form: &str, text: &str) {
    // The lines of a CSV end as RFC 4180 says.
    let found = text.replace("\r\n", "\n").chars().find(|&c| steers(c));
    assert!(found.is_none(), "{form}: {found:?} in {}", text.escape_debug());
}

/// Shows it in every form, or refuses it with a message. Returns whether it was shown.
fn shown_or_refused(value: &Value) -> bool {
    match json::from_json(value.to_string()) {
        Err(error) => {
            is_plain("error", &cardiograph_catalogue::english(&error.message()));
            false
        }
        Ok(report) => {
            let mut other = report.clone();
            other.id.push('2');
            other.suite.push('2');
            for (form, text) in renderers::one(&report).into_iter().chain(renderers::two(&report, &other)) {
                is_plain(form, &text);
            }
            true
        }
    }
}

#[test]
fn the_seeds_are_valid() {
    for (name, seed) in seeds() {
        assert!(shown_or_refused(&seed), "{name}: {:?}", json::from_json(seed.to_string()).err());
    }
}

#[test]
fn mutated_reports_are_refused_or_shown() {
    let mut rng = Rng::new(19);
    for (name, seed) in seeds() {
        let mut shown = 0;
        // `cargo xtask fuzz report` does the same for a given time.
        let changes = part_or_all(6, 200);
        for _ in 0..changes {
            let mut changed = seed.clone();
            mutations::mutate(&mut changed, &mut rng);
            shown += u32::from(shown_or_refused(&changed));
        }
        assert!((1..changes).contains(&shown), "{name}: of {changes} mutations {shown} are shown");
    }
}

/// Each text of a Report in turn, and all of them at once.
#[test]
fn no_text_of_a_report_steers_a_terminal() {
    let put = |report: &mut Value, place: &str| match report.pointer_mut(place).unwrap() {
        Value::String(text) => *text = NASTY.to_string(),
        Value::Object(fields) => drop(fields.insert(NASTY.to_string(), NASTY.into())),
        _ => {}
    };
    let mut known = BTreeSet::new();
    for (name, seed) in seeds() {
        let mut all = seed.clone();
        // One entry of each list stands for the rest when reading, and one Report for all when showing.
        let mut read = BTreeSet::new();
        for pointer in mutations::pointers(&seed) {
            if !matches!(seed.pointer(&pointer), Some(Value::String(_) | Value::Object(_))) {
                continue;
            }
            let kind: Vec<&str> =
                pointer.split('/').filter(|part| !part.bytes().all(|b| b.is_ascii_digit())).collect();
            let kind = kind.join("/");
            if !read.contains(&kind) {
                let mut changed = seed.clone();
                put(&mut changed, &pointer);
                let Ok(_) = json::from_json(changed.to_string()) else { continue };
                // Some alone; below, all at once.
                if known.insert(kind.clone()) && known.len().is_multiple_of(part_or_all(61, 1)) {
                    assert!(shown_or_refused(&changed), "{name} {pointer}");
                }
                read.insert(kind);
            }
            put(&mut all, &pointer);
        }
        assert!(shown_or_refused(&all), "{name}");
    }
    assert!(known.len() > 100, "{known:?}");
}

/// Each wrong value is refused with its place and the problem.
#[test]
fn nonsensical_values_are_refused_with_their_place() {
    let (_, seed) = seeds().into_iter().find(|(name, _)| name == "quick-durable").unwrap();
    let worker = "/steps/0/result/workers/0";
    let cases = [
        (
            "/steps/0/figures/directions/0/total/percentiles/0/percentile",
            "-1",
            "percentile: -1 ",
            "@report-value.range",
        ),
        (
            "/steps/0/figures/directions/0/total/min_ns",
            "999999999999",
            "total.min_ns: 999999999999 ",
            "@report-value.greater",
        ),
        (
            "/steps/0/result/duration_ns",
            "9223372036854775808",
            "steps[0].result.duration_ns: 9223372036854775808 ",
            "@report-value.time",
        ),
        (
            &format!("{worker}/series/duration_ns"),
            "9223372036854775807",
            "series.duration_ns: 9223372036854775807 ",
            "@report-value.time",
        ),
        (&format!("{worker}/series/duration_ns"), "1", "series.duration_ns: 1 ", "@report-value.duration"),
        (&format!("{worker}/series/window_ns"), "0", "series.window_ns: ", "@report-value.no-window"),
        (
            &format!("{worker}/directions/write/completion/n"),
            "7",
            "completion.n: 7 ",
            "@report-value.bucket-sum",
        ),
        (
            &format!("{worker}/directions/write/completion/min_ns"),
            "1",
            "completion",
            "@report-value.other-bucket",
        ),
        (
            &format!("{worker}/directions/write/completion/buckets"),
            "[[5, 403], [4, 1]]",
            "completion.buckets",
            "@report-value.buckets",
        ),
        (&format!("{worker}/series/write/ios"), "[1]", "write.bytes: ", "@report-value.columns"),
        ("/steps/0/step/id", "\"\"", "steps[0].step.id: '' ", "@report-value.step-id"),
        ("/id", "\"../x\"", "id: '../x' ", "@report-value.id"),
        ("/seed", "-1", "1, ", "@report-malformed"),
    ];
    let bench = Bench::new();
    for (pointer, value, place, problem) in cases {
        let mut changed = seed.clone();
        *changed.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = mutations::number(value);
        bench.file("wrong.json", &changed.to_string());
        bench.run("show wrong.json").exits_with(2).complains(&["wrong.json: ", place, problem]);
        bench.run("import wrong.json").exits_with(2).complains(&["wrong.json: ", place, problem]);
    }
    let mut twice = seed.clone();
    let steps = twice["steps"].as_array_mut().unwrap();
    steps.push(steps[0].clone());
    bench.file("wrong.json", &twice.to_string());
    bench.run("show wrong.json").exits_with(2).complains(&["steps[1].step.id", "@report-value.repeated-id"]);
    assert!(bench.saved().is_empty());
}

/// Runs the program with arguments that are not split, and checks its output.
fn says_nothing_that_steers(bench: &Bench, words: &[OsString]) -> Outcome {
    let outcome = run(bench.command(PROGRAM, words));
    is_plain(&format!("{words:?} on standard output"), &outcome.stdout);
    is_plain(&format!("{words:?} on standard error"), &outcome.stderr);
    assert!(!outcome.stderr.contains("panicked"), "{words:?}: {}", outcome.stderr);
    outcome
}

#[test]
fn no_name_and_no_error_steers_a_terminal() {
    let bench = Bench::new();
    let (_, seed) = seeds().remove(0);
    bench.file(NASTY, "rubbish");
    bench.file(&format!("{NASTY}.json"), &seed.to_string());
    bench.file(&format!("{NASTY}.fio"), &format!("[{NASTY}]\nsize=4k\nfilename={NASTY}\n{NASTY}=1\n"));
    bench.file(&format!("{NASTY}.toml"), &format!("{NASTY} = 1\n"));
    bench.file("content.json", &format!("{{\"report_version\": 1, \"{NASTY}\": \"{NASTY}\"}}"));
    let lines = [
        "@",
        "--@",
        "history --drive @ --suite @",
        "history --json --label @",
        "history --since @",
        "--store @ history",
        "--store @/x history",
        "--store @.json history",
        "show @",
        "show @.json",
        "show @.json --fio json",
        "show @.json --export-csv -",
        "show @.json --export-html @.html",
        "show content.json",
        "show @.json --export-html @/x",
        "import @",
        "import @.json",
        "import --as @ x",
        "import @/none",
        "compare @.json @",
        "compare @.json content.json",
        "compare --by @",
        "compare @.json @.json --metric @",
        "plot @.json --export-svg @.svg",
        "plot @.json --export-svg - --step @",
        "plot @ --export-svg -",
        "plot @.json --kind @ --export-svg -",
        "check --suite @ .",
        "check @",
        "check --simulate @",
        "check --simulate @.toml",
        "check --simulate sandisk-ultra-64 --max-time 1s --label @ --tag a=@",
        "check --set @=1 .",
        "check --require @ .",
        "check --export-json @/x .",
        "drive @",
        "job @",
        "run @.fio",
        "run --rw @ .",
        "shelf @",
        "suites @",
        "fio @",
        "fio @.fio",
        "fio --@",
        "fio --name=@ --rw=@",
        "fio --name=x --output=@/x --ioengine=null --size=4k",
        "fio --showcmd @.fio",
        "hdparm -t @",
        "hdparm --@",
        "dd if=@ of=/dev/null",
        "dd @",
        "iozone -f @/x -s 4k",
        "iozone @",
        "completions @",
        "man @/x",
        "history",
        "history --json",
        "show @last",
    ];
    for line in lines {
        let words: Vec<OsString> = line.split(' ').map(|word| word.replace('@', NASTY).into()).collect();
        says_nothing_that_steers(&bench, &words);
    }
    // A name that is not UTF-8.
    for command in ["show", "import", "drive", "check"] {
        let name = OsString::from_vec(b"\xff\x1b[31m\x9b".to_vec());
        assert_ne!(says_nothing_that_steers(&bench, &[command.into(), name]).status.code(), Some(0));
    }
}
