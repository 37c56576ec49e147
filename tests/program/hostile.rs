//! Reports, names and words that somebody made up to do harm: what does not make sense is refused with its place, and nothing
//! that is shown steers the terminal.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use cardiograph_core::json;
use cardiograph_core::rng::Rng;
use cardiograph_core::text::steers;
use cardiograph_testing::of_proof;
use serde_json::Value;

use crate::common::{Bench, Outcome, PROGRAM, run};

#[path = "../hostile/mutations.rs"]
mod mutations;
#[path = "../hostile/renderers.rs"]
mod renderers;

/// What steers, with letters on both sides of it: controls of a terminal, and what turns text around.
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

/// Shows it in every form, or refuses it with a message; whether it was shown.
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
fn the_seeds_make_sense() {
    for (name, seed) in seeds() {
        assert!(shown_or_refused(&seed), "{name}: {:?}", json::from_json(seed.to_string()).err());
    }
}

#[test]
fn whatever_is_changed_is_refused_or_shown() {
    let mut rng = Rng::new(19);
    for (name, seed) in seeds() {
        let mut shown = 0;
        // `cargo xtask fuzz report` does it until its time is over.
        let changes = of_proof(6, 200);
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
        // One of each list that is read stands for the rest of it, and one of all Reports for how it is shown.
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
                // Some alone, and below all of them at once.
                if known.insert(kind.clone()) && known.len().is_multiple_of(of_proof(61, 1)) {
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

/// What is wrong, and the words of the message.
#[test]
fn what_makes_no_sense_is_refused_with_its_place() {
    let (_, seed) = seeds().into_iter().find(|(name, _)| name == "quick-durable").unwrap();
    let worker = "/steps/0/result/workers/0";
    let cases = [
        (
            "/steps/0/figures/directions/0/total/percentiles/0/percentile",
            "-1",
            "percentile: -1 is not between 0 and 100",
        ),
        (
            "/steps/0/figures/directions/0/total/min_ns",
            "999999999999",
            "total.min_ns: 999999999999 is greater than mean_ns",
        ),
        (
            "/steps/0/result/duration_ns",
            "9223372036854775808",
            "steps[0].result.duration_ns: 9223372036854775808 is longer",
        ),
        (
            &format!("{worker}/series/duration_ns"),
            "9223372036854775807",
            "series.duration_ns: 9223372036854775807 is longer",
        ),
        (&format!("{worker}/series/duration_ns"), "1", "series.duration_ns: 1 ns make 0 windows"),
        (&format!("{worker}/series/window_ns"), "0", "series.window_ns: 0, but there are"),
        (
            &format!("{worker}/directions/write/completion/n"),
            "7",
            "completion.n: 7 values, but the buckets count",
        ),
        (&format!("{worker}/directions/write/completion/min_ns"), "1", "does not belong in bucket"),
        (
            &format!("{worker}/directions/write/completion/buckets"),
            "[[5, 403], [4, 1]]",
            "not increasing numbers",
        ),
        (&format!("{worker}/series/write/ios"), "[1]", "write.bytes: it has 12 windows, but ios has 1"),
        ("/steps/0/step/id", "\"\"", "steps[0].step.id: '' is not a step id"),
        ("/id", "\"../x\"", "id: '../x' is not an id"),
        ("/seed", "-1", "line 1, column"),
    ];
    let bench = Bench::new();
    for (place, value, words) in cases {
        let mut changed = seed.clone();
        *changed.pointer_mut(place).unwrap_or_else(|| panic!("{place}")) = mutations::number(value);
        bench.file("wrong.json", &changed.to_string());
        bench.run("show wrong.json").exits_with(2).complains(&["wrong.json: ", words]);
        bench.run("import wrong.json").exits_with(2).complains(&["wrong.json: ", words]);
    }
    let mut twice = seed.clone();
    let steps = twice["steps"].as_array_mut().unwrap();
    steps.push(steps[0].clone());
    bench.file("wrong.json", &twice.to_string());
    bench.run("show wrong.json").exits_with(2).complains(&["steps[1].step.id", "the id of an earlier step"]);
    assert!(bench.kept().is_empty());
}

/// Runs the program with words that are not split, and looks at what it says.
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
        "show @.json --csv",
        "show @.json --html @.html",
        "show content.json",
        "show @.json --html @/x",
        "import @",
        "import @.json",
        "import --as @ x",
        "import @/none",
        "compare @.json @",
        "compare @.json content.json",
        "compare --by @",
        "compare @.json @.json --metric @",
        "plot @.json --svg @.svg",
        "plot @.json --svg - --step @",
        "plot @ --svg -",
        "plot @.json --kind @ --svg -",
        "check --suite @ .",
        "check @",
        "check --simulate @",
        "check --simulate @.toml",
        "check --simulate sandisk-ultra-64 --max-time 1s --label @ --tag a=@",
        "check --set @=1 .",
        "check --require @ .",
        "check --json @/x .",
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
    // A name that is not even text.
    for command in ["show", "import", "drive", "check"] {
        let name = OsString::from_vec(b"\xff\x1b[31m\x9b".to_vec());
        assert_ne!(says_nothing_that_steers(&bench, &[command.into(), name]).status.code(), Some(0));
    }
}
