//! Every suite on a good card, a poor one, a fake and one that fails: what it says of the drive, and the figure that decides.
//!
//! The answers stand in `suite_verdicts.txt`. They follow from the models: the good card (`sandisk-ultra-64`) reads 90 MB/s,
//! writes 32 MB/s and answers 3,800 random reads and 170 durable writes a second; the poor one (`bad-card`, 16 GB) writes in
//! sequence as a camera needs it, but a small block a second at random; the fake (`fake-card`) says 512 GB and holds 16,
//! behind a fast front. Purposes that a suite's figures do not bear on are not judged; what a purpose falls short of comes
//! first. `UPDATE_GOLDEN=1` writes the file anew: read what changed.

use cardiograph_core::report::{ReportState, StepOutcome};
use cardiograph_suites::SUITES;
use cardiograph_testing::of_proof;

use crate::common::{Bench, has_message, model_text};

const MODELS: [&str; 3] = ["sandisk-ultra-64", "bad-card", "fake-card"];

/// What makes a suite shorter that would take long even in simulated time: the last job of `iot-sd` takes the poor card 58 hours.
const SHORTER: [(&str, &str); 4] = [
    ("iot-sd", "--max-time 4h"),
    ("sweep", "--set mix=randread,write --set depth=1 --set bs=4k,1M"),
    ("steady", "--set test=latency --set time=10s"),
    ("steady-short", "--set test=latency --set time=1s --set max=400M"),
];
/// All of the drive is written several times: a thousandth of it is enough.
const WHOLE_DRIVE: &str = "steady";

fn line(suite: &str, model: &str) -> String {
    let more = SHORTER.iter().find(|(name, _)| *name == suite).map_or("", |(_, more)| more);
    format!("check --suite {suite} --simulate {model} {more}")
}

/// The lines below a heading that are indented as little as lines below a heading can be.
fn section<'a>(text: &'a str, heading: &str) -> impl Iterator<Item = &'a str> {
    let lines = text.lines().skip_while(move |line| !line.starts_with(heading)).skip(1);
    // In columns: sentences of their own may follow.
    let lines = lines.take_while(|line| !line.is_empty()).filter_map(|line| line.strip_prefix("  "));
    lines.filter(|line| !line.starts_with(' ') && line.contains("  "))
}

/// Each claim and each verdict as a reader sees them, up to the figures: `os not enough (random read)`.
fn answers(text: &str) -> Vec<String> {
    const LEVELS: [&str; 4] = ["not enough", "enough", "comfortable", "cannot be judged"];
    let claims = section(text, "Claims checked").map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.join(" ").split([':', '(']).next().unwrap_or_default().trim().to_string()
    });
    let verdicts = section(text, "What it is good for").map(|line| {
        let mut columns = line.split("  ").map(str::trim).filter(|column| !column.is_empty());
        let purpose = columns.next().unwrap_or_default();
        // Where there is room, what the purpose is stands between.
        let level = columns.by_ref().find(|column| LEVELS.contains(column)).unwrap_or("?");
        let figure = columns.next().unwrap_or_default();
        // `fsync p99` is a name.
        let end = figure
            .match_indices(' ')
            .find(|(at, _)| figure[at + 1..].starts_with(|c: char| c.is_ascii_digit()));
        let name = end.map_or(figure, |(at, _)| &figure[..at]);
        match name.trim_end_matches(" is missing") {
            "" => format!("{purpose} {level}"),
            name => format!("{purpose} {level} ({name})"),
        }
    });
    claims.chain(verdicts).collect()
}

/// A model with a thousandth of its capacity.
fn small(bench: &Bench, model: &str) -> String {
    let shorter = |line: &str| match line.split_once("capacity_bytes = ") {
        Some((name, bytes)) => {
            let bytes: u64 = bytes.replace('_', "").parse().unwrap();
            format!("{name}capacity_bytes = {}", (bytes / 1_000).next_multiple_of(1 << 20))
        }
        None => line.to_string(),
    };
    let lines: Vec<String> = model_text(model).lines().map(shorter).collect();
    let name = format!("{model}.toml");
    bench.file(&name, &lines.join("\n"));
    name
}

/// What a suite says of a model, headed by both.
fn said_of(bench: &Bench, suite: &str, model: &str) -> String {
    let drive = if suite == WHOLE_DRIVE { small(bench, model) } else { model.to_string() };
    let outcome = bench.run(&format!("{} --no-keep", line(suite, &drive))).exits_with(0);
    let is_cut_off = has_message(&outcome.stdout, "unfinished-heading");
    assert_eq!(is_cut_off, suite == "iot-sd" && model == "bad-card", "{suite} {model}");
    let answers: String = answers(&outcome.stdout).iter().map(|line| format!("  {line}\n")).collect();
    format!("{suite} {model}\n{answers}")
}

#[test]
fn each_suite_says_what_the_drive_is() {
    let bench = Bench::new();
    let updates = std::env::var_os("UPDATE_GOLDEN").is_some();
    // Each suite with one of the models.
    let left_out =
        |suite: usize, model: usize| !updates && of_proof(!(suite + model).is_multiple_of(3), false);
    // A thread for each model: they take long, and nothing else of this program is left to run beside them.
    let of_models: Vec<Vec<String>> = std::thread::scope(|scope| {
        let say = |model: usize| {
            let suites = SUITES.iter().enumerate().filter(|&(suite, _)| !left_out(suite, model));
            suites.map(|(_, suite)| said_of(&bench, suite.name(), MODELS[model])).collect()
        };
        let threads: Vec<_> = (0..MODELS.len()).map(|model| scope.spawn(move || say(model))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/suite_verdicts.txt");
    if updates {
        let in_order =
            (0..SUITES.len()).flat_map(|suite| of_models.iter().map(move |said| said[suite].as_str()));
        std::fs::write(path, in_order.collect::<String>()).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap();
    let sections: Vec<String> = expected.lines().fold(Vec::new(), |mut sections, line| {
        match sections.last_mut() {
            Some(section) if line.starts_with(' ') => *section += &format!("{line}\n"),
            _ => sections.push(format!("{line}\n")),
        }
        sections
    });
    assert_eq!(sections.len(), SUITES.len() * MODELS.len());
    for found in of_models.iter().flatten() {
        let heading = found.lines().next().unwrap();
        let expected = sections.iter().find(|section| section.lines().next() == Some(heading));
        assert_eq!(Some(found), expected, "{heading}");
    }
}

#[test]
fn each_suite_ends_with_a_message_where_the_drive_fails() {
    let bench = Bench::new();
    let fault = "[[faults]]\nkind = 'eio'\non = 'write'\nnth = 20\n";
    bench.file("failing.toml", &format!("{}\n{fault}", model_text("sandisk-ultra-64")));
    for suite in SUITES {
        let outcome = bench.run(&format!("{} --no-keep --json -", line(suite.name(), "failing.toml")));
        let outcome = outcome.exits_with(3);
        outcome.complains(&["Input/output error"]);
        let report = outcome.report();
        assert_eq!(report.state, ReportState::Failed, "{}", suite.name());
        let last = report.steps.last().unwrap();
        assert!(matches!(last.outcome, StepOutcome::Failed { .. }), "{}", suite.name());
    }
}
