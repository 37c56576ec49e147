use cardiograph_core::Estimate;
use cardiograph_core::drive::Drive;
use cardiograph_core::imported::{Figure, Imported};
use cardiograph_core::report::{Step, StepResult, Work};
use cardiograph_core::verdict::{FindingOutcome, Level};
use cardiograph_core::{Doubt, GIB, Message, Parameter, message};

use super::*;

fn method(pattern: Pattern, block_bytes: u64, depth: u64) -> Method {
    Method {
        tool: "fio".to_string(),
        pattern: Some(pattern),
        block_bytes: Some(block_bytes),
        depth: Some(depth),
        jobs: Some(1),
        direct: Some(true),
        ..Method::default()
    }
}

/// A test with every figure that any metric uses, each with another value.
fn test(method: Method, seconds: u64) -> TestFigures {
    const P99: Quantity = Quantity::Latency(LatencyKind::Completion, Statistic::Percentile(99.0));
    const P999: Quantity = Quantity::Latency(LatencyKind::Total, Statistic::Percentile(99.9));
    let all = [Quantity::Bandwidth, Quantity::Iops, P99, P999];
    let names =
        Direction::ALL.into_iter().flat_map(|direction| all.map(|quantity| (Some(direction), quantity)));
    let names = names.chain([(None, Quantity::LongestStall)]);
    let mut figures: Vec<Figure> = names
        .zip(1..)
        .map(|((direction, quantity), value)| Figure::bare(direction, quantity, f64::from(value), 1))
        .collect();
    let runtime = (seconds * NS_PER_S) as f64;
    figures.push(Figure::bare(Some(Direction::Write), Quantity::Runtime, runtime, 1));
    TestFigures {
        test: "a".to_string(),
        title: Message::verbatim("A"),
        method,
        figures,
        latencies: Vec::new(),
    }
}

fn metrics(method: Method, seconds: u64) -> Vec<Metric> {
    measure(&[test(method, seconds)]).into_keys().collect()
}

#[test]
fn metrics_follow_from_methods() {
    const LARGE: u64 = 1_024 * KIB;
    const SMALL: u64 = 4 * KIB;
    let durable = |pattern| Method { durability: Some(Durability::Fsync), ..method(pattern, SMALL, 1) };
    let none: &[Metric] = &[];
    let cases: Vec<(Method, u64, &[Metric])> = vec![
        (method(Pattern::Read, LARGE, 1), 8, &[Metric::SequentialRead]),
        (method(Pattern::Read, 128 * KIB, 8), 8, &[Metric::SequentialRead]),
        (method(Pattern::Read, SMALL, 1), 8, none),
        (method(Pattern::Write, LARGE, 1), 8, &[Metric::SequentialWrite]),
        (method(Pattern::Write, LARGE, 2), 120, &[Metric::SustainedWrite, Metric::WriteStallMax]),
        (
            method(Pattern::ReadWrite, LARGE, 1),
            8,
            &[Metric::MixedSequentialRead, Metric::MixedSequentialWrite],
        ),
        (Method { read_percent: Some(90), ..method(Pattern::ReadWrite, LARGE, 1) }, 8, none),
        (method(Pattern::RandomRead, SMALL, 1), 8, &[Metric::RandomReadIops, Metric::RandomReadP99]),
        (method(Pattern::RandomRead, SMALL, 32), 8, &[Metric::RandomReadDeepIops]),
        (Method { jobs: Some(4), ..method(Pattern::RandomRead, SMALL, 8) }, 8, &[Metric::RandomReadDeepIops]),
        (Method { jobs: Some(4), ..method(Pattern::RandomRead, SMALL, 1) }, 8, none),
        (method(Pattern::RandomRead, 16 * KIB, 1), 8, none),
        (method(Pattern::RandomWrite, SMALL, 1), 8, &[Metric::RandomWriteIops, Metric::RandomWriteP99]),
        (durable(Pattern::Write), 30, &[Metric::DurableWriteIops, Metric::SyncP99, Metric::SyncP999]),
        (durable(Pattern::RandomWrite), 30, &[Metric::DurableWriteIops, Metric::SyncP99, Metric::SyncP999]),
        // One of several writes waits: neither the cost of a durable write nor that of a plain one.
        (
            Method { durability: Some(Durability::NowAndThen), ..method(Pattern::RandomWrite, SMALL, 1) },
            30,
            none,
        ),
        (Method { durability: Some(Durability::NowAndThen), ..method(Pattern::Write, LARGE, 1) }, 8, none),
        (Method { depth: None, ..method(Pattern::RandomRead, SMALL, 1) }, 8, none),
        (Method { jobs: None, ..method(Pattern::Read, LARGE, 1) }, 8, none),
        (Method { block_bytes: None, ..method(Pattern::Read, LARGE, 1) }, 8, none),
        (Method { tool: CLAIM.to_string(), ..method(Pattern::Read, LARGE, 1) }, 8, none),
    ];
    for (method, seconds, expected) in cases {
        let found: Vec<Metric> = metrics(method.clone(), seconds);
        assert_eq!(found, expected, "{method:?}, {seconds} s");
    }
}

#[test]
fn the_worst_reliable_value_counts() {
    let measured = |value, doubt: Option<Doubt>| Measured {
        estimate: Estimate::exact(value),
        step: String::new(),
        doubt,
    };
    let kept = |all: &[Measured], metric| {
        let mut kept = Kept::default();
        all.iter().for_each(|one| kept.add(metric, one.clone()));
        kept.0[&metric].estimate.value
    };
    let three = [measured(3.0, None), measured(2.0, None), measured(4.0, None)];
    assert_eq!(kept(&three, Metric::RandomReadIops), 2.0);
    assert_eq!(kept(&three, Metric::SyncP99), 4.0);
    let doubted =
        [measured(1.0, Some(Doubt::PageCache)), measured(2.0, None), measured(0.5, Some(Doubt::PageCache))];
    assert_eq!(kept(&doubted, Metric::RandomReadIops), 2.0);
}

fn imported(tests: &[(Method, u64)], outcome: &StepOutcome) -> Report {
    let step = |(method, seconds): &(Method, u64)| StepResult {
        imported: Some(Imported { figures: test(method.clone(), *seconds).figures, ..Imported::default() }),
        ..StepResult::new(
            Step::measuring("a", cardiograph_core::Message::verbatim("A"), Work::Imported(method.clone())),
            outcome.clone(),
        )
    };
    let steps = tests.iter().map(step).collect();
    Report { steps, ..Report::new("20261123-000000-a", 0, "cardiograph 1", "imported") }
}

#[test]
fn an_imported_report_is_judged_as_far_as_known() {
    let read = (method(Pattern::RandomRead, 4 * KIB, 1), 8);
    let mut report = imported(std::slice::from_ref(&read), &StepOutcome::Done);
    judge_imported(&mut report);
    // Two reads per second are too few for any purpose that needs them, and irrelevant for the others.
    assert!(report.verdicts.iter().any(|verdict| verdict.purpose == "db-heavy"));
    assert!(report.verdicts.iter().all(|verdict| verdict.level == Level::NotEnough), "{:?}", report.verdicts);
    assert!(report.verdicts.iter().all(|verdict| verdict.purpose != "sensors"));
    let purposes = Parameter::all(["cameras", "recording"]);
    assert_eq!(report.not_judged, [message!("not-judged.quick-and-apps", purposes)]);

    let failed = StepOutcome::Failed { message: cardiograph_core::Message::verbatim("EIO") };
    let mut failed = imported(&[read], &failed);
    judge_imported(&mut failed);
    assert_eq!((failed.verdicts.len(), failed.measurements.len()), (0, 0));
}

#[test]
fn a_known_capacity_is_judged() {
    let mut report = imported(&[], &StepOutcome::Done);
    report.drive = Drive { capacity_bytes: Some(GIB), ..Drive::default() };
    judge_imported(&mut report);
    let nas = report.verdicts.iter().find(|verdict| verdict.purpose == "nas").unwrap();
    let failed = nas.findings.iter().find(|finding| finding.outcome == FindingOutcome::Fail).unwrap();
    assert_eq!((nas.level, failed.metric), (Level::NotEnough, Metric::Capacity));
}
