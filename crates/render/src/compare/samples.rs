//! Comparisons for tests.

use std::collections::BTreeMap;

use cardiograph_core::Direction;
use cardiograph_core::Estimate;
use cardiograph_core::Message;
use cardiograph_core::imported::Figure;
use cardiograph_core::message;
use cardiograph_core::method::{Durability, Method, Pattern};
use cardiograph_core::metric::Metric;
use cardiograph_core::quantity::Quantity;
use cardiograph_core::report::ReportState;
use cardiograph_core::summary::RunSummary;
use cardiograph_core::verdict::{Finding, FindingOutcome, Guards, Level, Verdict};
use cardiograph_judge::compare::{ComparedPurpose, Comparison, Group, compare};
use cardiograph_judge::record::{RunFigures, TestFigures};

fn run(model: &str, facts: &[(&str, &str)], tests: Vec<TestFigures>) -> RunFigures {
    let pairs = facts.iter().map(|(name, value)| (name.to_string(), value.to_string()));
    let facts: BTreeMap<String, String> = pairs.collect();
    let run = RunSummary {
        id: "20261122-a".into(),
        started_unix_ms: 1_795_369_444_000,
        suite: "article".into(),
        state: ReportState::Finished,
        path: "/mnt".into(),
        models: model.into(),
        capacity_bytes: Some(64_000_000_000),
        steps: 3,
        ..RunSummary::default()
    };
    RunFigures { run, facts, measurements: BTreeMap::new(), tests }
}

fn method(pattern: Pattern, block_bytes: u64, durability: Option<Durability>) -> Method {
    Method {
        tool: "fio".to_string(),
        pattern: Some(pattern),
        block_bytes: Some(block_bytes),
        depth: Some(1),
        jobs: Some(1),
        direct: Some(true),
        durability,
        time_ns: Some(30_000_000_000),
        ..Method::default()
    }
}

fn test(id: &str, title: &str, method: Method, figures: Vec<Figure>) -> TestFigures {
    TestFigures {
        test: id.to_string(),
        title: Message::verbatim(title),
        method,
        figures,
        latencies: Vec::new(),
    }
}

fn bare(direction: Direction, name: &str, value: f64) -> Figure {
    let mut figure = Figure::bare(Some(direction), name.parse().unwrap(), value, 60);
    figure.window_ns = name.starts_with("window").then_some(500_000_000);
    figure
}

fn drive(model: &str, facts: &[(&str, &str)], values: [f64; 16]) -> RunFigures {
    const KIB: f64 = 1_024.0;
    const US: f64 = 1_000.0;
    let [iops, mean, p95, p99, p999, rest @ ..] = values;
    let [write_iops, sync_mean, sync_50, sync_95, sync_99, sync_999, sustained, moved, min, max, deviation] =
        rest;
    let read = |name, value| bare(Direction::Read, name, value);
    let write = |name, value| bare(Direction::Write, name, value);
    let sync = |name, value| bare(Direction::Sync, name, value);
    let random = vec![
        read("bandwidth", iops * 4.0 * KIB),
        read("iops", iops),
        read("completion_mean", mean * US),
        read("completion_p95", p95 * US),
        read("completion_p99", p99 * US),
        read("completion_p99.9", p999 * US),
    ];
    let durable = vec![
        write("bandwidth", write_iops * 4.0 * KIB),
        write("iops", write_iops),
        sync("latency_mean", sync_mean * US),
        sync("latency_p50", sync_50 * US),
        sync("latency_p95", sync_95 * US),
        sync("latency_p99", sync_99 * US),
        sync("latency_p99.9", sync_999 * US),
    ];
    let long = vec![
        write("bandwidth", sustained * KIB * KIB),
        write("iops", sustained),
        write("bytes", moved * KIB * KIB),
        write("window_bandwidth_min", min * KIB * KIB),
        write("window_bandwidth_max", max * KIB * KIB),
        write("window_bandwidth_stdev", deviation * KIB * KIB),
    ];
    let never = Some(Durability::Never);
    let tests = vec![
        test("random-read", "Random read", method(Pattern::RandomRead, 4_096, None), random),
        test("fsync", "Durable write", method(Pattern::Write, 4_096, Some(Durability::Fsync)), durable),
        test("sustained", "Sustained write", method(Pattern::Write, 1 << 20, never), long),
    ];
    run(model, facts, tests)
}

/// Figures of a card and an SSD as in seed 000: without intervals.
pub(crate) fn card_and_ssd() -> Comparison {
    let card = [
        3_786.0, 263.03, 375.0, 379.0, 383.0, 166.0, 4_152.8, 3_720.0, 6_521.0, 7_570.0, 28_967.0, 31.3,
        3_756.0, 28.0, 36.0, 1.22,
    ];
    let ssd = [
        5_275.0, 188.53, 192.0, 196.0, 198.0, 178.0, 5_232.38, 5_211.0, 5_538.0, 5_735.0, 11_076.0, 198.0,
        23_757.0, 6.0, 324.0, 112.8,
    ];
    let facts = [("bus", "MMC"), ("capacity_bytes", "64000000000"), ("file_system", "ext4")];
    let others = [("bus", "USB"), ("capacity_bytes", "960000000000"), ("file_system", "ext4")];
    let group = |name: &str, run| Group { name: name.to_string(), runs: vec![run] };
    let groups =
        [group("microsd", drive("SD64G", &facts, card)), group("ssd", drive("KIOXIA 960GB", &others, ssd))];
    compare(&groups, 0, &[])
}

/// Groups `a`, `b` and so on, each from a random read's IOPS and half the width of its interval as a share.
pub(crate) fn random_reads(values: &[(f64, f64)]) -> Comparison {
    let group = |(place, &(value, share)): (usize, &(f64, f64))| {
        let mut figure = bare(Direction::Read, "iops", value);
        figure.estimate.n_effective = 60.0;
        figure.estimate.low = Some(value * (1.0 - share));
        figure.estimate.high = Some(value * (1.0 + share));
        let tests =
            vec![test("random-read", "Random read", method(Pattern::RandomRead, 4_096, None), vec![figure])];
        let name = char::from(b'a' + place as u8).to_string();
        Group { name, runs: vec![run("SD64G", &[], tests)] }
    };
    let groups: Vec<Group> = values.iter().enumerate().map(group).collect();
    compare(&groups, 0, &[])
}

/// A purpose judged by IOPS of random reads, with the level and IOPS of each group; 4,000 are the limit for
/// good or enough.
fn purpose(id: &str, title: Message, groups: &[Option<(Level, f64)>]) -> ComparedPurpose {
    let verdict = |&(level, iops): &(Level, f64)| Verdict {
        purpose: id.to_string(),
        title: title.clone(),
        level,
        findings: vec![Finding {
            metric: Metric::RandomReadIops,
            measured: Some(Estimate::exact(iops)),
            limit: 4_000.0,
            guards: if level == Level::NotEnough { Guards::Enough } else { Guards::Good },
            required: true,
            outcome: if iops < 4_000.0 { FindingOutcome::Fail } else { FindingOutcome::Pass },
            close: false,
            source: Message::verbatim("A source."),
            doubt: None,
        }],
    };
    let verdicts = groups.iter().map(|group| group.as_ref().map(verdict)).collect();
    ComparedPurpose { purpose: id.to_string(), title, verdicts }
}

/// Only purposes, for a card and an SSD or for four groups.
pub(crate) fn judged(groups: usize) -> Comparison {
    use Level::{Enough, Good, NotEnough};
    let (mut comparison, levels) = match groups {
        2 => (card_and_ssd(), [Some((Enough, 3_786.0)), Some((Good, 5_275.0)), None, None]),
        _ => {
            let levels = [Some((Enough, 900.0)), Some((Good, 4_100.0)), None, Some((Enough, 1_000.0))];
            (random_reads(&[(100.0, 0.01); 4]), levels)
        }
    };
    let shifted = [Some((NotEnough, 3_786.0)), levels[1], levels[2], levels[3]];
    (comparison.tests, comparison.unpaired, comparison.facts) = (Vec::new(), Vec::new(), Vec::new());
    comparison.purposes = vec![
        purpose("os", message!("purpose-os"), &levels[..groups]),
        purpose("containers", message!("purpose-containers"), &shifted[..groups]),
    ];
    comparison
}

/// The card and the SSD, without the SSD's random read IOPS.
pub(crate) fn without_iops() -> Comparison {
    let mut comparison = card_and_ssd();
    let iops =
        comparison.tests[0].metrics.iter_mut().find(|metric| metric.quantity == Quantity::Iops).unwrap();
    (iops.values[1], iops.against[1]) = (None, None);
    comparison
}

/// Two groups, one measured at QD2 and the other at QD1.
pub(crate) fn measured_differently() -> Comparison {
    let group = |name: &str, depth: u64, iops: f64| {
        let method = Method { depth: Some(depth), ..method(Pattern::RandomRead, 4_096, None) };
        let read = test("random-read", "Random read", method, vec![bare(Direction::Read, "iops", iops)]);
        Group { name: name.to_string(), runs: vec![run("SD64G", &[], vec![read])] }
    };
    compare(&[group("a", 2, 1_000.0), group("b", 1, 200.0)], 0, &[])
}

/// Groups by their RAID policy: WB holds a card and an SSD, WT the card.
pub(crate) fn several_drives() -> Comparison {
    let group = |policy: &str, drives: &[(&str, f64)]| {
        let run = |&(model, iops): &(&str, f64)| {
            let figures = vec![bare(Direction::Read, "iops", iops)];
            let read = test("random-read", "Random read", method(Pattern::RandomRead, 4_096, None), figures);
            run(model, &[("raid", policy)], vec![read])
        };
        Group { name: policy.to_string(), runs: drives.iter().map(run).collect() }
    };
    let card = ("SD64G", 3_786.0);
    compare(&[group("WB", &[card, ("SA400", 42_000.0)]), group("WT", &[card])], 0, &[Quantity::Iops])
}

/// IOPS of a pair of SSDs without a RAID controller and with one in two policies, as published in 2012; the
/// only requested figure.
pub(crate) fn controller_settings() -> Comparison {
    const TESTS: [(&str, &str, Pattern, Direction, [f64; 3]); 4] = [
        ("seqread", "4k, sequential read", Pattern::Read, Direction::Read, [150_940.0, 94_863.0, 95_328.0]),
        (
            "seqwrite",
            "4k, sequential write",
            Pattern::Write,
            Direction::Write,
            [61_183.0, 32_078.0, 32_653.0],
        ),
        (
            "randread",
            "4k, random read",
            Pattern::RandomRead,
            Direction::Read,
            [147_180.0, 61_493.0, 89_614.0],
        ),
        (
            "randwrite",
            "4k, random write",
            Pattern::RandomWrite,
            Direction::Write,
            [58_688.0, 31_380.0, 31_818.0],
        ),
    ];
    let group = |(place, name): (usize, &&str)| {
        let figures = TESTS.map(|(id, title, pattern, direction, values)| {
            test(id, title, method(pattern, 4_096, None), vec![bare(direction, "iops", values[place])])
        });
        Group { name: name.to_string(), runs: vec![run("VERTEX 3", &[("raid", name)], figures.to_vec())] }
    };
    let groups: Vec<Group> = ["none", "WB", "WT"].iter().enumerate().map(group).collect();
    compare(&groups, 0, &[Quantity::Iops])
}

/// Drives `a` and `b` with the prices in their tags and the IOPS of a random read.
pub(crate) fn priced(prices: [&str; 2], iops: [f64; 2]) -> Comparison {
    let group = |place: usize| {
        let figures = vec![bare(Direction::Read, "iops", iops[place])];
        let tests =
            vec![test("random-read", "Random read", method(Pattern::RandomRead, 4_096, None), figures)];
        let mut run = run("SD64G", &[], tests);
        run.run.tags = [("price", prices[place])].into_iter().collect();
        Group { name: ["a", "b"][place].to_string(), runs: vec![run] }
    };
    compare(&[group(0), group(1)], 0, &[])
}
