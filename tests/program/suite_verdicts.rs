//! Every suite on a good card, a poor one, a fake and one that fails: its verdicts, and the deciding figures.
//!
//! The expected verdicts are in `suite_verdicts.txt`. They follow from the models: the good card (`sandisk-ultra-64`) reads
//! 90 MB/s, writes 32 MB/s and does 3,800 random reads and 170 durable writes per second; the poor one (`bad-card`, 16 GB) is
//! fast enough at sequential writes for a camera, but does one small random write per second; the fake (`fake-card`) claims
//! 512 GB and holds 16, with a fast front. Purposes without figures are not judged; the figures that fall short come first.
//! `UPDATE_GOLDEN=1` updates the file: look at the difference.

use cardiograph_core::report::{ReportState, StepOutcome};
use cardiograph_render::lang::Lang;
use cardiograph_suites::SUITES;
use cardiograph_testing::part_or_all;

use crate::common::{Bench, has_message, model_text};

const MODELS: [&str; 3] = ["sandisk-ultra-64", "bad-card", "fake-card"];

/// Settings that shorten suites which take long even in simulated time: the last job of `iot-sd` takes the poor card 58 hours.
const SHORTER: [(&str, &str); 4] = [
    ("iot-sd", "--max-time 4h"),
    ("sweep", "--set mix=randread,write --set depth=1 --set bs=4k,1M"),
    ("steady", "--set test=latency --set time=10s"),
    ("steady-short", "--set test=latency --set time=1s --set max=400M"),
];
/// A suite that writes the whole drive several times: a thousandth of it is enough.
const WHOLE_DRIVE: &str = "steady";

fn line(suite: &str, model: &str) -> String {
    let more = SHORTER.iter().find(|(name, _)| *name == suite).map_or("", |(_, more)| more);
    format!("check --suite {suite} --simulate {model} {more}")
}

/// The lines directly below a heading, with the smallest indentation.
fn section<'a>(text: &'a str, heading: &str) -> impl Iterator<Item = &'a str> {
    let lines = text.lines().skip_while(move |line| !line.starts_with(heading)).skip(1);
    // Only lines in columns: separate sentences may follow.
    let lines = lines.take_while(|line| !line.is_empty()).filter_map(|line| line.strip_prefix("  "));
    lines.filter(|line| !line.starts_with(' ') && line.contains("  "))
}

/// Each claim and each verdict as a reader sees them, up to the figures: `os not enough (random read)`.
fn answers(text: &str) -> Vec<String> {
    let english = |id: &str| Lang::EN.text_of(id).unwrap();
    let levels = ["level.not-enough", "level.enough", "level.good", "level.cannot-be-judged"].map(english);
    let (claims_heading, verdicts_heading) = (english("claims-heading"), english("verdicts-heading"));
    // The details of a checkup without notes follow directly.
    let outcomes =
        ["kept", "yes", "broken", "no", "unknown"].map(|name| english(&format!("claim-outcome.{name}")));
    let has_outcome = |line: &&str| outcomes.iter().any(|outcome| line.starts_with(outcome.as_str()));
    let claims = section(text, &claims_heading).take_while(has_outcome).map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.join(" ").split([':', '(']).next().unwrap_or_default().trim().to_string()
    });
    let has_level = |line: &&str| levels.iter().any(|level| line.contains(level.as_str()));
    let verdicts = section(text, &verdicts_heading).take_while(has_level).map(|line| {
        let mut columns = line.split("  ").map(str::trim).filter(|column| !column.is_empty());
        let purpose = columns.next().unwrap_or_default();
        // Where there is room, the description of the purpose is in between.
        let level = columns.by_ref().find(|column| levels.iter().any(|level| level == column)).unwrap_or("?");
        let figure = columns.next().unwrap_or_default();
        // `fsync p99` is a name.
        let end = figure
            .match_indices(' ')
            .find(|(at, _)| figure[at + 1..].starts_with(|c: char| c.is_ascii_digit()));
        let name = end.map_or(figure, |(at, _)| &figure[..at]);
        match name.trim_end_matches(" unknown") {
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

/// The verdicts of a suite on a model, headed by both.
fn suite_answers(bench: &Bench, suite: &str, model: &str) -> String {
    let drive = if suite == WHOLE_DRIVE { small(bench, model) } else { model.to_string() };
    let outcome = bench.run(&format!("{} --no-keep --verbose", line(suite, &drive))).exits_with(0);
    let is_cut_off = has_message(&outcome.stdout, "unfinished-heading");
    assert_eq!(is_cut_off, suite == "iot-sd" && model == "bad-card", "{suite} {model}");
    let answers: String = answers(&outcome.stdout).iter().map(|line| format!("  {line}\n")).collect();
    format!("{suite} {model}\n{answers}")
}

#[test]
fn each_suite_judges_the_drive_as_expected() {
    let bench = Bench::new();
    let updates = std::env::var_os("UPDATE_GOLDEN").is_some();
    // Each suite with one of the models.
    let left_out =
        |suite: usize, model: usize| !updates && part_or_all(!(suite + model).is_multiple_of(3), false);
    // A thread for each model: they take long, and no other test of this program runs at the same time.
    let of_models: Vec<Vec<String>> = std::thread::scope(|scope| {
        let say = |model: usize| {
            let suites = SUITES.iter().enumerate().filter(|&(suite, _)| !left_out(suite, model));
            suites.map(|(_, suite)| suite_answers(&bench, suite.name(), MODELS[model])).collect()
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
        let outcome = bench.run(&format!("{} --no-keep --json", line(suite.name(), "failing.toml")));
        let outcome = outcome.exits_with(3);
        outcome.complains(&["Input/output error"]);
        let report = outcome.report();
        assert_eq!(report.state, ReportState::Failed, "{}", suite.name());
        let last = report.steps.last().unwrap();
        assert!(matches!(last.outcome, StepOutcome::Failed { .. }), "{}", suite.name());
    }
}
