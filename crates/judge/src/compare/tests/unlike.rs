//! Differences in what each side reports or in duration, and sides that are too similar.

use super::*;

/// One program reports bytes, the other I/Os per second.
#[test]
fn one_rate_is_derived_from_the_other() {
    const BYTES: f64 = 4_096.0;
    let run = |block_bytes, names: &[&str], iops: f64| {
        let figure = |name: &&str| {
            let value = if *name == "iops" { iops } else { iops * BYTES };
            known(name, value, value / 100.0)
        };
        let method = Method { block_bytes, ..method(Pattern::RandomRead, 4_096) };
        run_of(vec![test("random-read", method, names.iter().map(figure).collect())])
    };
    let some = Some(4_096);
    for (block_bytes, one, two, expected_names, judged) in [
        (some, &["bandwidth"][..], &["iops"][..], &["bandwidth", "iops"][..], 1),
        (some, &["bandwidth"], &["bandwidth", "iops"], &["bandwidth", "iops"], 1),
        (some, &["iops"], &["iops"], &["iops"], 1),
        (None, &["bandwidth"], &["bandwidth", "iops"], &["bandwidth"], 1),
        (None, &["bandwidth"], &["iops"], &[], 0),
    ] {
        let groups = [("a", one, 100.0), ("b", two, 300.0)]
            .map(|(name, names, iops)| group(name, vec![run(block_bytes, names, iops)]));
        let found = compare(&groups, 0, &[]);
        assert_eq!(found.judged_together, judged, "{one:?} {two:?}");
        let metrics = found.tests.iter().flat_map(|test| &test.metrics);
        let common: Vec<&ComparedMetric> = metrics.filter(|metric| metric.against[1].is_some()).collect();
        let names: Vec<String> = common.iter().map(|metric| metric.quantity.name()).collect();
        assert_eq!(names, expected_names, "{one:?} {two:?}");
        for metric in common {
            let against = metric.against[1].as_ref().unwrap();
            assert!((against.ratio.unwrap() - 3.0).abs() < 1e-9);
            assert_eq!(against.judgement, Judgement::Better, "{one:?} {two:?} {}", metric.quantity);
        }
        // Tests without a common figure are not lost.
        let alone: Vec<usize> = found.unpaired.iter().map(|alone| alone.group).collect();
        assert_eq!(alone, if expected_names.is_empty() { vec![0, 1] } else { vec![] });
    }
}

#[test]
fn an_extreme_is_compared_only_over_similar_durations() {
    let stall = |runtime: Option<f64>, time_ns, size_bytes, direction: Option<Direction>, name: &str| {
        let method = Method { time_ns, size_bytes, ..method(Pattern::RandomRead, 4_096) };
        let mut figures = vec![Figure::bare(direction, name.parse().unwrap(), runtime.unwrap_or(7.0), 1)];
        figures[0].window_ns = name.starts_with("window").then_some(500_000_000);
        let took = runtime.map(|value| Figure::bare(Some(Direction::Read), Quantity::Runtime, value, 1));
        figures.extend(took);
        vec![run_of(vec![test("random-read", method, figures)])]
    };
    // Measured and planned duration, and planned amount.
    for (one, two, is_alike) in [
        ((Some(30e9), None, None), (Some(8e9), None, None), false),
        ((Some(30e9), None, None), (Some(29e9), None, None), true),
        // The measured duration takes precedence over the plan.
        ((Some(30e9), Some(30), None), (Some(29e9), Some(8), None), true),
        ((None, Some(30), None), (None, Some(8), None), false),
        ((Some(8.0), None, None), (None, Some(8), None), true),
        ((None, None, Some(2_000)), (None, None, Some(1_000)), false),
        ((None, None, Some(1_050)), (None, None, Some(1_000)), true),
        ((Some(8.0), None, None), (None, None, None), true),
    ] {
        let names = ["latency_max", "window_bandwidth_min", "window_iops_max"];
        let of_reads = names.map(|name| (Some(Direction::Read), name));
        for (direction, name) in of_reads.into_iter().chain([(None, "longest_stall")]) {
            let run = |(runtime, time_ns, size_bytes)| stall(runtime, time_ns, size_bytes, direction, name);
            let found = compare(&[group("a", run(one)), group("b", run(two))], 0, &[]);
            let metric = found.tests[0].metric(direction, name.parse().unwrap()).unwrap();
            let against = metric.against[1].clone().unwrap();
            let is_compared = against.reason != Some(Reason::Durations);
            assert_eq!(is_compared, is_alike, "{one:?} {two:?} {name}");
            assert!(is_alike || against.favours.is_none());
            assert_eq!(against.judgement, Judgement::NotJudged);
        }
    }
}

/// Readers would wonder why a title is on both sides.
#[test]
fn equal_titles_say_why_they_are_apart() {
    let of = |depth, pattern, names: &[&str]| {
        let method = Method { depth, pattern, ..method(Pattern::RandomRead, 4_096) };
        let figures = names.iter().map(|name| known(name, 100.0, 1.0)).collect();
        vec![run_of(vec![test("4k", method, figures)])]
    };
    let read = Some(Pattern::RandomRead);
    let usual = || of(Some(1), read, &["bandwidth"]);
    for (other, expected) in [
        (usual(), None),
        (of(Some(1), None, &["bandwidth"]), Some(Apart::MethodUnknown)),
        (of(Some(1), Some(Pattern::Read), &["bandwidth"]), Some(Apart::Pattern)),
        (of(Some(1), read, &["latency_p99"]), Some(Apart::NoCommonFigure)),
    ] {
        let found = compare(&[group("a", usual()), group("b", other)], 0, &[]);
        let namesakes: Vec<_> = found.unpaired.into_iter().map(|alone| alone.namesake.unwrap()).collect();
        let expected = expected.map(|apart| [1, 0].map(|group| Namesake { group, apart: apart.clone() }));
        assert_eq!(namesakes, expected.map(Vec::from).unwrap_or_default());
    }
    let deep = compare(&[group("a", usual()), group("b", of(Some(64), read, &["bandwidth"]))], 0, &[]);
    let Some(Namesake { apart: Apart::Differences { differences }, .. }) = &deep.unpaired[0].namesake else {
        panic!("{deep:?}")
    };
    assert_eq!(differences.len(), 1);
}

/// As documented: where values are about the same, neither is shorter.
#[test]
fn similar_values_are_not_a_crossing() {
    let crossings = |there: f64, back: f64| {
        let figure = |at: f64, value| {
            let quantity = Quantity::Latency(LatencyKind::Total, Statistic::Percentile(at));
            Figure::bare(Some(Direction::Read), quantity, value, 5_000)
        };
        let one = vec![figure(50.0, 200.0), figure(99.0, 200.0), figure(99.9, 200.0)];
        let two = vec![figure(50.0, 100.0), figure(99.0, 200.0 * there), figure(99.9, 200.0 / back)];
        compare_runs(&[one], &[two]).tests[0].distributions[0].crossings.len()
    };
    for (there, back, expected) in [(1.09, 1.3, 0), (1.11, 1.09, 1), (1.11, 1.11, 2), (0.5, 1.3, 0)] {
        assert_eq!(crossings(there, back), expected, "{there} {back}");
    }
    // A tie continues a clear lead, and does not start one.
    let last_below = |p80: f64, p90: f64| {
        let figure = |at: f64, value| {
            let quantity = Quantity::Latency(LatencyKind::Total, Statistic::Percentile(at));
            Figure::bare(Some(Direction::Read), quantity, value, 5_000)
        };
        let figures = |values: [f64; 4]| {
            [50.0, 80.0, 90.0, 99.0].into_iter().zip(values).map(|(at, value)| figure(at, value)).collect()
        };
        let found =
            compare_runs(&[figures([200.0; 4])], &[figures([100.0, 200.0 * p80, 200.0 * p90, 300.0])]);
        let [crossing] = found.tests[0].distributions[0].crossings[..] else { panic!("{found:?}") };
        (crossing.from_percent, crossing.to_percent)
    };
    assert_eq!(last_below(0.95, 1.05), (80.0, 99.0));
    assert_eq!(last_below(0.99, 1.15), (50.0, 90.0));
    // Known to be about equal, with a significant difference: judged, that is not a difference.
    let known_at = |p50, p99| vec![known("latency_p50", p50, 0.1), known("latency_p99", p99, 0.1)];
    let spread = |p50: f64, p99: f64| [-0.01, 0.0, 0.01].map(|by| known_at(p50 + by, p99 + by));
    let crossings_at = |p99| {
        compare_runs(&spread(100.0, 100.0), &spread(50.0, p99)).tests[0].distributions[0].crossings.len()
    };
    assert_eq!([115.0, 130.0].map(crossings_at), [0, 1]);
}
