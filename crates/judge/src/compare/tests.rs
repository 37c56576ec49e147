use std::collections::BTreeMap;

use cardiograph_core::imported::Figure;
use cardiograph_core::method::Pattern;
use cardiograph_core::quantity::{LatencyKind, Statistic};
use cardiograph_core::report::ReportState;
use cardiograph_core::rng::{Rng, derive_seed};
use cardiograph_core::stats::{autoregressive, mean};

use super::distribution::Crossing;
use super::*;
use crate::record::TestFigures;

mod unlike;

fn summary(id: &str) -> RunSummary {
    RunSummary {
        id: id.into(),
        started_unix_ms: 1,
        suite: "quick".into(),
        state: ReportState::Finished,
        path: "/mnt".into(),
        capacity_bytes: Some(64_000_000_000),
        steps: 1,
        ..RunSummary::default()
    }
}

fn run_of(tests: Vec<TestFigures>) -> RunFigures {
    RunFigures { run: summary("a"), facts: BTreeMap::new(), measurements: BTreeMap::new(), tests }
}

fn group(name: &str, runs: Vec<RunFigures>) -> Group {
    Group { name: name.to_string(), runs }
}

fn method(pattern: Pattern, block_bytes: u64) -> Method {
    Method {
        tool: "fio".to_string(),
        pattern: Some(pattern),
        block_bytes: Some(block_bytes),
        depth: Some(1),
        jobs: Some(1),
        direct: Some(true),
        ..Method::default()
    }
}

fn test(id: &str, method: Method, figures: Vec<Figure>) -> TestFigures {
    TestFigures { test: id.to_string(), title: Message::verbatim(id), method, figures, latencies: Vec::new() }
}

fn known(quantity: &str, value: f64, half_width: f64) -> Figure {
    let mut figure = Figure::bare(Some(Direction::Read), quantity.parse().unwrap(), value, 100);
    figure.estimate.n_effective = 100.0;
    figure.estimate.low = Some(value - half_width);
    figure.estimate.high = Some(value + half_width);
    figure
}

fn reads(figures: Vec<Figure>) -> TestFigures {
    test("random-read", method(Pattern::RandomRead, 4_096), figures)
}

/// One run each, with this value and half width.
fn single(base: (f64, f64), other: (f64, f64)) -> Comparison {
    let run = |(value, width)| {
        run_of(vec![reads(vec![known("bandwidth", value, width), known("iops", value, width)])])
    };
    compare(&[group("a", vec![run(base)]), group("b", vec![run(other)])], 0, &[])
}

fn only(comparison: &Comparison, name: &str) -> Against {
    let metric = comparison.tests[0].metric(Some(Direction::Read), name.parse().unwrap()).unwrap();
    metric.against[1].clone().unwrap()
}

#[test]
fn the_best_is_the_best_reliable_value() {
    use cardiograph_core::doubt::Doubt;
    for (quantity, doubtful, has_first, expected) in [
        ("iops", None, true, 2),
        ("iops", Some(2), true, 1),
        // The base has no value.
        ("iops", None, false, 2),
        ("latency_p99", None, true, 0),
    ] {
        let run = |place: usize, value: f64| {
            let mut figure = known(quantity, value, 1.0);
            figure.doubt = (doubtful == Some(place)).then_some(Doubt::PageCache);
            let is_left_out = place == 0 && !has_first;
            let other = known("bytes", 1.0, 0.0);
            run_of(vec![reads(if is_left_out { vec![other] } else { vec![figure, other] })])
        };
        let values = [100.0, 200.0, 300.0].into_iter().enumerate();
        let groups: Vec<Group> =
            values.map(|(at, value)| group(&at.to_string(), vec![run(at, value)])).collect();
        let comparison = compare(&groups, 0, &[]);
        let metric = comparison.tests[0].metric(Some(Direction::Read), quantity.parse().unwrap()).unwrap();
        let best = metric.best.as_ref().unwrap();
        let compared = (0..3).filter(|&at| at != expected && doubtful != Some(at) && (at > 0 || has_first));
        let found = (0..3).filter(|&at| best.against[at].is_some());
        assert_eq!((best.group, found.collect::<Vec<_>>()), (expected, compared.collect()), "{quantity}");
    }
}

#[test]
fn single_runs_are_compared_by_assumed_spread() {
    for (other, width, judgement, reason) in [
        (630.0, 5.0, Judgement::Better, None),
        (50.0, 5.0, Judgement::Worse, None),
        (101.0, 1.0, Judgement::NoDifference, None),
        // Significant within the runs, but not more than another run of the same drive may reverse.
        (106.0, 1.0, Judgement::CannotTell, Some(Reason::SingleRuns)),
        (150.0, 90.0, Judgement::CannotTell, Some(Reason::Wide)),
    ] {
        let against = only(&single((100.0, 1.0), (other, width)), "bandwidth");
        assert_eq!((against.judgement, against.reason), (judgement, reason), "{other}: {against:?}");
        assert_eq!(against.basis, Some(Basis::WithinRun));
        assert_eq!(against.ratio, Some(other / 100.0));
    }
}

#[test]
fn unknown_precision_is_reported_and_not_judged() {
    let run =
        |value| run_of(vec![reads(vec![Figure::bare(Some(Direction::Read), Quantity::Bandwidth, value, 0)])]);
    let found = compare(&[group("a", vec![run(22.7)]), group("b", vec![run(144.0)])], 0, &[]);
    let against = only(&found, "bandwidth");
    assert_eq!((against.judgement, against.reason), (Judgement::CannotTell, Some(Reason::NoInterval)));
    assert_eq!(against.favours, Some(Favours::Other));
    assert!((against.ratio.unwrap() - 6.34).abs() < 0.01);
    assert_eq!(found.judged_together, 0);
    // Several runs show their precision by their spread.
    let runs = |values: [f64; 3]| values.map(run).to_vec();
    let groups = [group("a", runs([22.0, 22.7, 23.0])), group("b", runs([144.0, 140.0, 147.0]))];
    let against = only(&compare(&groups, 0, &[]), "bandwidth");
    assert_eq!((against.judgement, against.basis), (Judgement::Better, Some(Basis::BetweenRuns)));
    // Swapped, it is worse by as much.
    let turned = compare(&groups, 1, &[]);
    let first = turned.tests[0].metrics[0].against[0].clone().unwrap();
    assert_eq!(first.judgement, Judgement::Worse);
    assert!((first.ratio.unwrap() * against.ratio.unwrap() - 1.0).abs() < 1e-12);
}

#[test]
fn equivalent_figures_are_judged_once() {
    let found = single((100.0, 1.0), (200.0, 1.0));
    assert_eq!(found.judged_together, 1);
    let iops = only(&found, "iops");
    assert_eq!(
        (iops.judgement, iops.p_corrected),
        (Judgement::Better, only(&found, "bandwidth").p_corrected)
    );
}

#[test]
fn a_figure_requested_alone_is_judged_itself() {
    let run = |value| run_of(vec![reads(vec![known("bandwidth", value, 1.0), known("iops", value, 1.0)])]);
    let groups = [group("a", vec![run(100.0)]), group("b", vec![run(200.0)])];
    let found = compare(&groups, 0, &[Quantity::Iops]);
    let [metric] = &found.tests[0].metrics[..] else { panic!("{found:?}") };
    assert_eq!((metric.quantity, metric.role, found.judged_together), (Quantity::Iops, Role::Judged, 1));
    assert!(compare(&groups, 0, &["runtime".parse().unwrap()]).tests[0].metrics.is_empty());
}

#[test]
fn doubtful_values_are_not_judged() {
    let mut doubted = known("bandwidth", 500.0, 1.0);
    doubted.doubt = Some(Doubt::Contradicted { share: 0.5 });
    let good = run_of(vec![reads(vec![known("bandwidth", 100.0, 1.0)])]);
    let bad = run_of(vec![reads(vec![doubted])]);
    let found = compare(&[group("a", vec![good.clone()]), group("b", vec![bad.clone()])], 0, &[]);
    let against = only(&found, "bandwidth");
    assert_eq!((against.judgement, against.reason), (Judgement::NotJudged, Some(Reason::Doubt)));
    assert_eq!((against.ratio, against.favours), (None, None), "withheld values have no ratio");
    // Compared with a reliable run it does not count.
    let found = compare(&[group("a", vec![good.clone()]), group("b", vec![bad, good])], 0, &[]);
    let value = found.tests[0].metrics[0].values[1].clone().unwrap();
    assert_eq!((value.runs, value.estimate.value, value.doubt), (1, 100.0, None));
}

#[test]
fn tests_are_paired_by_method() {
    let bandwidth = || vec![known("bandwidth", 100.0, 1.0)];
    let random = method(Pattern::RandomRead, 4_096);
    let left = run_of(vec![
        test("one", random.clone(), bandwidth()),
        test("two", Method { depth: Some(32), ..random.clone() }, bandwidth()),
        test("three", method(Pattern::Write, 1 << 20), bandwidth()),
        test("four", method(Pattern::Read, 1 << 20), bandwidth()),
    ]);
    let right = run_of(vec![
        // By its id, although another id has exactly the same method, because that one has its own match.
        test("two", Method { depth: Some(32), time_ns: Some(5), ..random.clone() }, bandwidth()),
        test("job-0", random.clone(), bandwidth()),
        test("three", method(Pattern::RandomWrite, 1 << 20), bandwidth()),
        test("job-3", Method { depth: Some(2), ..method(Pattern::Read, 1 << 20) }, bandwidth()),
    ]);
    let found = compare(&[group("a", vec![left]), group("b", vec![right])], 0, &[]);
    let pairs: Vec<(&str, &str)> = found
        .tests
        .iter()
        .map(|test| (test.test.as_str(), test.sides[1].as_ref().unwrap().test.as_str()))
        .collect();
    assert_eq!(pairs, [("one", "job-0"), ("two", "two"), ("four", "job-3")]);
    let near = found.tests[2].sides[1].as_ref().unwrap();
    assert!(near.is_near() && near.differences.len() == 1, "{near:?}");
    let against = found.tests[2].metrics[0].against[1].clone().unwrap();
    assert_eq!((against.judgement, against.reason), (Judgement::NotJudged, Some(Reason::Method)));
    assert!(against.ratio.is_some(), "it is shown");
    let alone: Vec<(usize, &str)> =
        found.unpaired.iter().map(|alone| (alone.group, alone.test.as_str())).collect();
    assert_eq!(alone, [(0, "three"), (1, "three")]);
}

/// As with imported outputs: each is a separate run. A similar test does not take the place of a later one,
/// and nothing is lost.
#[test]
fn runs_with_one_test_each_find_their_match() {
    let speed = |value| vec![known("bandwidth", value, 1.0)];
    let small = || test("small", method(Pattern::Write, 4_096), speed(1.0));
    let large = || test("large", method(Pattern::Write, 1 << 20), speed(2.0));
    let deeper = Method { depth: Some(2), ..method(Pattern::Write, 1 << 20) };
    let deeper = || test("deeper", deeper.clone(), speed(3.0));
    let single = |tests: Vec<TestFigures>| tests.into_iter().map(|test| run_of(vec![test])).collect();
    for (one, two, expected, alone) in [
        (vec![small(), large()], vec![large(), small()], vec![("small", false), ("large", false)], vec![]),
        // A test that neither has exactly is matched by a similar one.
        (vec![small(), large()], vec![small(), deeper()], vec![("small", false), ("large", true)], vec![]),
        (vec![large()], vec![deeper(), large()], vec![("large", false)], vec!["deeper"]),
        (vec![small(), large()], vec![deeper()], vec![("large", true)], vec!["small"]),
        // Dissimilar tests stay unpaired.
        (vec![small()], vec![large(), deeper()], vec![], vec!["small", "large", "deeper"]),
    ] {
        let found = compare(&[group("a", single(one)), group("b", single(two))], 0, &[]);
        let pairs: Vec<(&str, bool)> = found
            .tests
            .iter()
            .map(|test| (test.test.as_str(), test.sides[1].as_ref().unwrap().is_near()))
            .collect();
        assert_eq!(pairs, expected);
        let unpaired: Vec<&str> = found.unpaired.iter().map(|test| test.test.as_str()).collect();
        assert_eq!(unpaired, alone);
    }
}

#[test]
fn parts_of_an_application_are_not_paired_with_each_other() {
    let app = Method {
        pattern: Some(Pattern::Application),
        others: BTreeMap::from([("load".to_string(), "sqlite".to_string())]),
        ..Method::default()
    };
    let run = |parts: &[&str]| {
        let test = |part: &&str| test(part, app.clone(), vec![known("iops", 100.0, 1.0)]);
        run_of(parts.iter().map(test).collect())
    };
    let found = compare(
        &[group("a", vec![run(&["db/commit", "db/read"])]), group("b", vec![run(&["x/read"])])],
        0,
        &[],
    );
    assert_eq!(found.tests.len(), 1);
    assert_eq!(found.tests[0].test, "db/read");
    assert_eq!(found.unpaired[0].test, "db/commit");
    // They share a title.
    assert_eq!([&found.tests[0].title, &found.unpaired[0].title].map(Message::id), ["test-part"; 2]);
}

#[test]
fn spreads_are_compared_only_over_windows_of_one_length() {
    let deviation = |value, window_ns| {
        let quantity = "window_bandwidth_stdev".parse().unwrap();
        let figure = Figure { window_ns, ..Figure::bare(Some(Direction::Read), quantity, value, 60) };
        run_of(vec![reads(vec![figure])])
    };
    let compared = |one, two| {
        let groups = [group("a", vec![deviation(1.2, one)]), group("b", vec![deviation(112.8, two)])];
        let found = compare(&groups, 0, &[]);
        let metric = &found.tests[0].metrics[0];
        assert_eq!(
            (metric.window_ns, metric.is_of_equal_windows()),
            (one.filter(|_| one == two), one.is_some() && one == two)
        );
        only(&found, "window_bandwidth_stdev")
    };
    let same = compared(Some(500_000_000), Some(500_000_000));
    assert_eq!((same.judgement, same.reason), (Judgement::NotJudged, Some(Reason::Kind)));
    assert!((same.ratio.unwrap() - 94.0).abs() < 1e-9);
    assert_eq!(same.favours, Some(Favours::Base), "less deviation is better");
    for (one, two) in [(Some(500_000_000), Some(1_000_000_000)), (None, None), (Some(500_000_000), None)] {
        let other = compared(one, two);
        assert_eq!((other.ratio, other.favours, other.reason), (None, None, Some(Reason::Windows)));
    }
}

/// Fsync latencies of seed 000 in µs: of a card, and of an SSD.
const FSYNC: [(f64, f64, f64); 6] = [
    (50.0, 3_720.0, 5_211.0),
    (70.0, 4_817.0, 5_342.0),
    (90.0, 5_538.0, 5_473.0),
    (95.0, 6_521.0, 5_538.0),
    (99.0, 7_570.0, 5_735.0),
    (99.9, 28_967.0, 11_076.0),
];

#[test]
fn one_window_has_no_deviation() {
    let compared = |counts: [u64; 2]| {
        let run = |n| {
            let mut figure =
                Figure::bare(Some(Direction::Read), "window_bandwidth_stdev".parse().unwrap(), 0.5, n);
            figure.window_ns = Some(500_000_000);
            run_of(vec![reads(vec![figure, known("bandwidth", 100.0, 1.0)])])
        };
        let [one, other] = counts.map(run);
        compare(&[group("a", vec![one]), group("b", vec![other])], 0, &[])
    };
    let has_spread = |counts| {
        let metrics = compared(counts).tests.remove(0).metrics;
        let deviation = Quantity::WindowBandwidth(Statistic::Stdev);
        let metric = metrics.into_iter().find(|metric| metric.quantity == deviation)?;
        Some(metric.values.iter().map(Option::is_some).collect::<Vec<_>>())
    };
    assert_eq!(has_spread([60, 2]), Some(vec![true, true]));
    assert_eq!(has_spread([60, 1]), Some(vec![true, false]));
    assert_eq!(has_spread([1, 1]), None);
    // The number of values is not always known.
    assert_eq!(has_spread([60, 0]), Some(vec![true, true]));
}

#[test]
fn crossings_show_where_the_faster_group_changes() {
    let run = |value: fn((f64, f64, f64)) -> f64| {
        let figure = |row: (f64, f64, f64)| {
            let quantity = Quantity::Latency(LatencyKind::Total, Statistic::Percentile(row.0));
            Figure::bare(Some(Direction::Sync), quantity, value(row) * 1_000.0, 5_000)
        };
        run_of(vec![test("fsync", method(Pattern::Write, 4_096), FSYNC.into_iter().map(figure).collect())])
    };
    let groups = [group("card", vec![run(|row| row.1)]), group("ssd", vec![run(|row| row.2)])];
    let found = compare(&groups, 0, &[]);
    let distribution = &found.tests[0].distributions[0];
    assert_eq!(distribution.points.len(), 6);
    // At p90 both are about the same: no information.
    let crossing = Crossing { faster_below: 0, faster_above: 1, from_percent: 70.0, to_percent: 95.0 };
    assert_eq!(distribution.crossings, [crossing]);
}

#[test]
fn differing_facts_are_named() {
    let with = |pairs: &[(&str, &str)]| {
        let mut run = run_of(Vec::new());
        run.facts = pairs.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        run
    };
    let card = with(&[("kernel", "6.12"), ("bus", "MMC"), ("arch", "aarch64"), ("governor", "ondemand")]);
    let again = with(&[("kernel", "6.6"), ("bus", "MMC"), ("arch", "aarch64")]);
    let ssd = with(&[("kernel", "6.12"), ("bus", "USB"), ("arch", "aarch64")]);
    let found = compare(&[group("card", vec![card.clone(), again]), group("ssd", vec![ssd.clone()])], 0, &[]);
    let expected = |name: &str, values: [&[&str]; 2]| FactDifference {
        name: name.to_string(),
        values: values.map(|group| group.iter().map(|value| value.to_string()).collect()).to_vec(),
    };
    assert_eq!(
        found.facts,
        [expected("bus", [&["MMC"], &["USB"]]), expected("kernel", [&["6.12", "6.6"], &["6.12"]])],
        "the governor is known for one group only"
    );
    // The same runs grouped by a fact that differs.
    let groups = by::group_by(vec![card.clone(), ssd, card], &["bus".to_string()]).unwrap();
    let names: Vec<(&str, usize)> =
        groups.iter().map(|group| (group.name.as_str(), group.runs.len())).collect();
    assert_eq!(names, [("MMC", 2), ("USB", 1)]);
    let mut runs = groups[0].runs.clone();
    runs.iter_mut().for_each(|run| {
        run.facts.insert("capacity_bytes".into(), "64000000000".into());
    });
    let by_capacity = by::group_by(runs, &["capacity".to_string()]).unwrap();
    assert_eq!((by_capacity.len(), by_capacity[0].name.as_str()), (1, "64 GB"));
    let unknown = by::group_by(groups[0].runs.clone(), &["raid".to_string()]).unwrap_err();
    assert_eq!(
        (unknown.name.as_str(), &unknown.known[..2]),
        ("raid", &["arch".to_string(), "bus".to_string()][..])
    );
}

/// A checkup of a drive of this speed: four tests with autocorrelated windows, and runs with a spread of 2 %,
/// half of it common to all tests.
fn drawn(seed: u64, speed: f64) -> RunFigures {
    const SPREAD: f64 = 0.02 * std::f64::consts::FRAC_1_SQRT_2;
    let mut rng = Rng::new(seed);
    let common = rng.normal();
    let one = |rng: &mut Rng, pattern| {
        let level = speed * (1.0 + SPREAD * (common + rng.normal())) * 1_000.0;
        let windows: Vec<f64> =
            autoregressive(rng, 60, 0.6).iter().map(|x| level * (1.0 + 0.05 * x)).collect();
        let rate = mean(&windows);
        let n = (rate * 6.0) as u64;
        let latency_ns = 1e9 / rate;
        let mut figures = vec![known("bandwidth", rate, 0.0), known("latency_mean", latency_ns, 0.0)];
        figures[0].estimate = Estimate::rate(rate, &windows);
        figures[1].estimate = Estimate::bare(latency_ns, n);
        figures.push(known("latency_stdev", latency_ns, 0.0));
        figures[2].estimate = Estimate::bare(latency_ns, n);
        for percent in [50.0, 95.0, 99.0, 99.9] {
            // The percentile of exponential latencies, and the error of that (the delta method).
            let rest: f64 = 1.0 - percent / 100.0;
            let multiple = -libm::log(rest);
            let error = libm::sqrt((1.0 - rest) / rest / n as f64) / multiple;
            let value = latency_ns * multiple * (1.0 + error * rng.normal());
            figures.push(known(&format!("latency_p{percent}"), value, 1.96 * error * value));
        }
        test(&format!("{pattern:?}"), method(pattern, 4_096), figures)
    };
    let patterns = [Pattern::Read, Pattern::Write, Pattern::RandomRead, Pattern::RandomWrite];
    run_of(patterns.map(|pattern| one(&mut rng, pattern)).to_vec())
}

/// Share of pairs with a difference in any figure, for drives with this speed ratio, with `runs` runs each.
fn found_share(runs: u64, speed: f64, pairs: u64) -> f64 {
    let is_found = |pair: &u64| {
        let side_runs = |side: u64, speed: f64| {
            let seed = |run| derive_seed(derive_seed(77 + side, *pair), run);
            group("", (0..runs).map(|run| drawn(seed(run), speed)).collect())
        };
        let comparison = compare(&[side_runs(0, 1.0), side_runs(1, speed)], 0, &[]);
        let mut against = comparison
            .tests
            .iter()
            .flat_map(|test| &test.metrics)
            .filter_map(|metric| metric.against[1].as_ref());
        against.any(|against| matches!(against.judgement, Judgement::Better | Judgement::Worse))
    };
    (0..pairs).filter(is_found).count() as f64 / pairs as f64
}

#[test]
fn differences_are_found_between_different_drives_only() {
    // 200 pairs: 5 % have a standard error of 1.5 %. `cargo xtask calibrate` looks at more.
    let cases = [
        (1, 1.0, 200, 0.0..=0.09),
        (2, 1.0, 200, 0.0..=0.09),
        (5, 1.0, 200, 0.0..=0.09),
        (5, 1.05, 100, 0.8..=1.0),
        (1, 1.3, 50, 0.95..=1.0),
    ];
    std::thread::scope(|scope| {
        for (runs, factor, pairs, expected) in cases {
            scope.spawn(move || {
                let found = found_share(runs, factor, pairs);
                assert!(expected.contains(&found), "{runs} runs each, {factor} apart: {found}");
            });
        }
    });
}

#[test]
fn windows_are_judged_once_if_all_ios_have_one_length() {
    let role = |block_bytes| {
        let method = Method { block_bytes, ..method(Pattern::RandomRead, 4_096) };
        let windows = |value| {
            let figures = ["window_bandwidth_min", "window_iops_min"].map(|name| known(name, value, 1.0));
            run_of(vec![test("a", method.clone(), figures.to_vec())])
        };
        let found = compare(&[group("a", vec![windows(100.0)]), group("b", vec![windows(50.0)])], 0, &[]);
        let role_of =
            |name: &str| found.tests[0].metric(Some(Direction::Read), name.parse().unwrap()).unwrap().role;
        (role_of("window_bandwidth_min"), role_of("window_iops_min"))
    };
    assert_eq!(role(Some(4_096)), (Role::Stability, Role::Informational));
    assert_eq!(role(None), (Role::Stability, Role::Stability));
}

/// Groups of runs with one test of these figures.
fn compare_runs(a: &[Vec<Figure>], b: &[Vec<Figure>]) -> Comparison {
    let group = |name: &str, runs: &[Vec<Figure>]| {
        group(name, runs.iter().map(|figures| run_of(vec![reads(figures.clone())])).collect())
    };
    compare(&[group("a", a), group("b", b)], 0, &[])
}

#[test]
fn groups_swap_ranks_only_by_significant_differences() {
    let runs = |p50: [f64; 3], p99: f64| {
        p50.map(|p50| vec![known("latency_p50", p50, 0.1), known("latency_p99", p99 + p50 / 100.0, 0.1)])
    };
    let crossings = |a: [f64; 3], b: [f64; 3]| {
        compare_runs(&runs(a, 1_000.0), &runs(b, 2_000.0)).tests[0].distributions[0].crossings.clone()
    };
    assert_eq!(crossings([80.0, 100.0, 120.0], [75.0, 95.0, 115.0]), []);
    let expected = Crossing { faster_below: 1, faster_above: 0, from_percent: 50.0, to_percent: 99.0 };
    assert_eq!(crossings([99.0, 100.0, 101.0], [79.0, 80.0, 81.0]), [expected]);
}

#[test]
fn unjudged_differences_are_dropped_if_runs_vary_too_much() {
    let one = |value| Figure { window_ns: Some(500_000_000), ..known("window_bandwidth_min", value, 0.1) };
    let least = |values: [f64; 3]| values.map(|value| vec![one(value)]);
    let found = |a: [f64; 3], b: [f64; 3]| {
        let mut found = compare_runs(&least(a), &least(b));
        for against in found.tests[0].metrics[0].against.iter().flatten() {
            assert!(against.p.is_none(), "it is not judged together with others");
        }
        found.tests.remove(0).metrics.remove(0).against.remove(1).unwrap()
    };
    let wild = found([1.0, 5.0, 30.0], [8.0, 20.0, 60.0]);
    assert_eq!((wild.judgement, wild.reason), (Judgement::CannotTell, Some(Reason::Wide)));
    let plain = found([10.0, 10.1, 10.2], [30.0, 30.1, 30.2]);
    assert_eq!((plain.judgement, plain.reason), (Judgement::NotJudged, Some(Reason::Kind)));
}

#[test]
fn all_runs_of_a_group_count_whatever_their_scale() {
    let with = |size_bytes, value| {
        let method = Method { size_bytes: Some(size_bytes), ..method(Pattern::RandomRead, 4_096) };
        run_of(vec![test("random-read", method, vec![known("bandwidth", value, 1.0)])])
    };
    let base = group("a", vec![with(1 << 30, 100.0)]);
    let other = group("b", vec![with(1 << 34, 300.0), with(1 << 30, 100.0)]);
    let found = compare(&[base, other], 0, &[]);
    let side = found.tests[0].sides[1].as_ref().unwrap();
    assert_eq!((side.runs, side.is_near()), (2, false));
    assert_eq!(found.tests[0].metrics[0].values[1].as_ref().unwrap().estimate.value, 200.0);
    assert!(!side.differences.is_empty(), "the other scale is reported");
}
