//! `check --precision`: steps that end when their rates are precise enough, in simulated time.

use cardiograph_core::report::StepOutcome;
use cardiograph_core::result::{PrecisionEnd, PrecisionOutcome};
use cardiograph_core::verdict::{Finding, FindingOutcome, Level, Verdict};
use cardiograph_core::{NS_PER_S, Report};
use cardiograph_testing::part_or_all;

use crate::common::{Bench, has_message, levels, simulate, simulated, step, time_ns};

/// The steps of `quick` that can end by precision.
const RATES: [&str; 5] =
    ["sequential-read", "random-read", "random-read-deep", "random-write", "durable-write"];

fn outcome(report: &Report, id: &str) -> PrecisionOutcome {
    let [outcome] = step(report, id).result.as_ref().unwrap().precision[..] else { panic!("{id}") };
    outcome
}

/// The level of each purpose, and which of its findings decide something.
fn judged(report: &Report) -> Vec<(Level, Vec<bool>)> {
    let decides = |finding: &Finding| finding.outcome != FindingOutcome::NotJudged;
    let of = |verdict: &Verdict| (verdict.level, verdict.findings.iter().map(decides).collect());
    report.verdicts.iter().map(of).collect()
}

#[test]
fn a_third_of_the_articles_time_gives_the_same_verdicts() {
    for model in ["sandisk-ultra-64", "kioxia-sata-960"] {
        for seed in 1..=part_or_all(1, 3) {
            let seeded = |more: &str| simulated(model, &format!("{more} --seed {seed}"));
            let article = seeded("--suite article");
            let quick = seeded("--precision 3%");
            assert!(
                time_ns(&quick) * 3 <= time_ns(&article),
                "{model}: {} of {}",
                time_ns(&quick),
                time_ns(&article)
            );
            let (short, long) = (judged(&quick), judged(&seeded("")));
            // An interval may be wide enough to decide nothing in one of the two only.
            let both = short.iter().zip(&long).filter(|(short, long)| short.1 == long.1);
            let both: Vec<_> =
                both.inspect(|(short, long)| assert_eq!(short, long, "{model} {seed}")).collect();
            assert!(both.len() + 2 > long.len(), "{model} {seed}: {short:?}, without haste {long:?}");
            let together = levels(&quick).into_iter().zip(levels(&article));
            for (quick, article) in together.filter(|(quick, _)| *quick != Level::CannotBeJudged) {
                assert_eq!(quick, article, "{model}: as the article");
            }
            for id in RATES {
                let outcome = outcome(&quick, id);
                assert_eq!(outcome.end, PrecisionEnd::Attained, "{model} {id}: {outcome:?}");
                assert!(outcome.half_width.unwrap() <= 0.03, "{model} {id}: {outcome:?}");
            }
            for id in ["fill", "sustained-write"] {
                assert!(step(&quick, id).result.as_ref().unwrap().precision.is_empty(), "{id}");
            }
        }
    }
}

#[test]
fn more_precision_takes_more_time() {
    let time = |precision: &str| time_ns(&simulated("sandisk-ultra-64", &format!("--precision {precision}")));
    assert!(time("0.3%") > time("5%"));
}

#[test]
fn the_time_limit_applies_and_the_precision_reached_is_printed() {
    let options = "--precision 0.05% --max-time 30s";
    let hurried = simulated("sandisk-ultra-64", options);
    assert!(time_ns(&hurried) <= 30 * NS_PER_S, "{}", time_ns(&hurried));
    assert!(hurried.steps.iter().all(|step| step.outcome == StepOutcome::Done));
    assert_ne!(outcome(&hurried, "random-write").end, PrecisionEnd::Attained);
    let text = Bench::new()
        .run(&format!("check --simulate sandisk-ultra-64 --no-keep --verbose {options}"))
        .exits_with(0)
        .stdout;
    assert!(has_message(&text, "precision-heading") && text.contains("0.05 %"), "{text}");
    let ended = ["precision-end.not-narrow", "precision-end.not-settled", "precision-end.too-short"];
    assert!(has_message(&text, "step-random-write"), "{text}");
    assert!(ended.iter().any(|end| has_message(&text, end)), "{text}");
}

#[test]
fn unused_time_goes_to_the_next_step() {
    // Reads are precise at once; their unused time goes to the writes, which are not.
    let report = simulated("sandisk-ultra-64", "--precision 0.8% --max-time 100s");
    let longest_ns = RATES.map(|id| step(&report, id).step.time_ns_max.unwrap()).into_iter().max();
    assert!(longest_ns > Some(20 * NS_PER_S), "{longest_ns:?}");
    assert!(time_ns(&report) <= 100 * NS_PER_S);
}

#[test]
fn a_suite_of_fixed_steps_refuses_it_before_anything_is_done() {
    let outcome = simulate("sandisk-ultra-64", "--suite article --precision 2%").exits_with(2);
    outcome.complains(&["@suite-no-precision", "article", "quick"]);
    simulate("sandisk-ultra-64", "--precision 0").exits_with(2).complains(&["@errors-value-precision"]);
    simulate("sandisk-ultra-64", "--precision fast").exits_with(2).complains(&["@errors-value-precision"]);
}

#[test]
fn a_dry_run_says_how_long_it_may_take() {
    let line = "check --simulate sandisk-ultra-64 --precision 2% --dry-run";
    let text = Bench::new().run(line).exits_with(0).stdout;
    assert!(
        has_message(&text, "note-quick.precision") && text.contains("2 %") && text.contains("60 s"),
        "{text}"
    );
    assert!(!text.contains("--precision"), "the command lines are fio's: {text}");
}
