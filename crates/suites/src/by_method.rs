//! Suites measure the same from their own steps as `cardiograph_judge::by_method` does from the methods of those steps.

use cardiograph_core::Report;
use cardiograph_core::metric::Metric;
use cardiograph_core::report::StepRole;
use cardiograph_core::verdict::Level;
use cardiograph_judge::by_method::{compare_purposes, measure};
use cardiograph_judge::compare::Group;
use cardiograph_judge::record::{RunFigures, tests_of};

use crate::suite::{Options, Suite};
use crate::testing::{FAST_SSD, GB, SLOW_CARD, card, run_all, suite, with_context};

#[test]
fn suites_and_methods_give_the_same_metrics() {
    let drive = card(64 * GB, 60 * GB);
    let options = Options::default();
    let suites: [(&dyn Suite, usize); 3] =
        [(suite("article"), 8), (&crate::Quick, 8), (suite("geerling-2024"), 1)];
    for (suite, at_least) in suites {
        let done = run_all(suite, &drive, &options, &SLOW_CARD);
        let by_name = with_context(&drive, &options, |context| suite.measure(context, &done));
        let measuring = done.iter().filter(|step| step.step.role == StepRole::Measure);
        let by_method = measure(&measuring.flat_map(tests_of).collect::<Vec<_>>());
        let in_both: Vec<Metric> =
            by_name.keys().copied().filter(|metric| by_method.contains_key(metric)).collect();
        assert!(in_both.len() >= at_least, "{}: {in_both:?}", suite.name());
        for metric in in_both {
            let (named, found) = (&by_name[&metric], &by_method[&metric]);
            assert_eq!(found.step, named.step, "{}, {metric:?}", suite.name());
            let ratio = found.estimate.value / named.estimate.value;
            assert!((ratio - 1.0).abs() < 1e-9, "{}, {metric:?}: {ratio}", suite.name());
        }
    }
}

#[test]
fn groups_are_compared_for_each_purpose() {
    let group = |name: &str, model| {
        let drive = card(64 * GB, 60 * GB);
        let options = Options::default();
        let done = run_all(suite("article"), &drive, &options, model);
        let mut report = Report::new("20261123-000000-a", 0, "cardiograph 1", "article");
        report.measurements =
            with_context(&drive, &options, |context| suite("article").measure(context, &done));
        Group { name: name.to_string(), runs: vec![RunFigures::from_report(&report)] }
    };
    let purposes = compare_purposes(
        &[group("card", &SLOW_CARD), group("ssd", &FAST_SSD)],
        &cardiograph_judge::purpose::PURPOSES,
    );
    let sensors = purposes.iter().find(|row| row.purpose == "sensors").unwrap();
    assert!(sensors.verdicts.iter().flatten().all(|verdict| verdict.level >= Level::Enough));
    let heavy = purposes.iter().find(|row| row.purpose == "db-heavy").unwrap();
    let levels: Vec<Level> = heavy.verdicts.iter().flatten().map(|verdict| verdict.level).collect();
    assert_eq!(levels.len(), 2);
    assert!(levels[0] < levels[1], "{levels:?}");
    assert!(purposes.iter().all(|row| row.purpose != "cameras"), "nobody recorded");
    assert!(compare_purposes(&[], &cardiograph_judge::purpose::PURPOSES).is_empty());
}
