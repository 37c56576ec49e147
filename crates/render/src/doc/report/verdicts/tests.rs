use cardiograph_core::Estimate;
use cardiograph_core::metric::Metric;

use super::*;
use crate::lang::Lang;
use crate::text::layout::width;

use Guards::{Enough, Good};
use Metric::{DurableWriteIops as Durable, RandomReadIops as Read, RandomWriteIops as Write};

/// A finding that asks for 100 of a rate, with the given rate.
fn finding(metric: Metric, guards: Guards, measured: Option<f64>) -> Finding {
    Finding {
        metric,
        measured: measured.map(Estimate::exact),
        limit: 100.0,
        guards,
        required: true,
        outcome: match measured {
            None => FindingOutcome::NotJudged,
            Some(value) if value >= 100.0 => FindingOutcome::Pass,
            Some(_) => FindingOutcome::Fail,
        },
        close: false,
        source: source(),
        doubt: measured.is_none().then(few),
    }
}

fn source() -> Message {
    Message::verbatim("A source.")
}

fn few() -> Message {
    Message::verbatim("too few samples")
}

/// The figure that decides, and the reasons.
fn shown(level: Level, findings: Vec<Finding>) -> (Message, Vec<Message>) {
    let verdict = Verdict { purpose: "os".into(), title: message!("purpose-os"), level, findings };
    let item = item(&verdict);
    assert_eq!(item.label, super::level(level));
    let [figure] = &item.text[..] else { panic!("{item:?}") };
    (figure.clone(), item.more)
}

fn finding_phrase(metric: Metric, iops: f64, asked: Message) -> Message {
    message!("finding", metric = finding::metric(metric), value = Parameter::iops(iops), asked)
}

fn hundred() -> Parameter {
    Parameter::number(100.0)
}

fn enough() -> Message {
    message!("finding-asked.enough-from", limit = hundred())
}

fn good() -> Message {
    message!("finding-asked.good-from", limit = hundred())
}

fn metrics(all: &[Metric]) -> Parameter {
    Parameter::all(all.iter().map(|&finding_phrase| finding::metric(finding_phrase)))
}

#[test]
fn the_figure_furthest_from_its_limit_decides_and_the_others_are_named() {
    let findings = vec![
        finding(Read, Enough, Some(90.0)),
        finding(Write, Enough, Some(2.0)),
        finding(Write, Good, Some(2.0)),
        finding(Durable, Enough, None),
    ];
    let also = message!("verdict-also.missed", metrics = metrics(&[Read]));
    assert_eq!(
        shown(Level::NotEnough, findings),
        (finding_phrase(Write, 2.0, enough()), vec![source(), also])
    );
}

#[test]
fn missed_limits_of_good_are_named() {
    let findings = vec![
        finding(Read, Enough, Some(500.0)),
        finding(Write, Good, Some(50.0)),
        finding(Durable, Good, None),
    ];
    let also = message!("verdict-also.open", metrics = metrics(&[Durable]));
    assert_eq!(shown(Level::Enough, findings), (finding_phrase(Write, 50.0, good()), vec![source(), also]));
}

#[test]
fn findings_for_enough_come_before_open_ones_for_good() {
    let findings = vec![
        finding(Read, Enough, Some(500.0)),
        finding(Durable, Enough, Some(120.0)),
        finding(Write, Good, None),
    ];
    let also = message!("verdict-also.open-good", metrics = metrics(&[Write]));
    let expected = (finding_phrase(Durable, 120.0, enough()), vec![source(), also, why(&few())]);
    assert_eq!(shown(Level::Enough, findings), expected);
}

#[test]
fn unjudged_figures_are_named_with_and_without_a_verdict() {
    let not_judged = vec![message!("not-judged.only-capacity")];
    let why = Node::toned(Tone::Quiet, not_judged.clone());
    let mut report = Report { not_judged, ..crate::samples::card() };
    assert_eq!(nodes(&report)[1..], *std::slice::from_ref(&why));
    report.verdicts.clear();
    assert_eq!(nodes(&report), [why]);
    report.not_judged.clear();
    assert_eq!(section(&report), None);
}

#[test]
fn titles_and_sources_fit_on_their_lines_in_every_language() {
    for lang in Lang::ALL {
        for purpose in cardiograph_judge::purpose::PURPOSES.iter() {
            let title = lang.text(&purpose.title);
            assert!(width(&title) <= 45, "{title}");
            for rule in &purpose.rules {
                let source = lang.text(&rule.source);
                assert!(source.ends_with(['.', '。']) && width(&source) > 30, "{source}");
                assert!(width(&source) <= 76, "not one line below a verdict: {source}");
            }
        }
    }
}

#[test]
fn a_fake_drive_is_shown_with_its_claimed_capacity() {
    let lies = Finding { metric: Metric::RealCapacity, limit: 512e9, ..finding(Read, Enough, Some(16e9)) };
    let lies = Finding { outcome: FindingOutcome::Fail, ..lies };
    let capacity = Parameter::CapacityBytes;
    let asked = message!("finding-asked.claimed", limit = capacity(512_000_000_000));
    let metric = message!("metric.real-capacity");
    let figure = message!("finding", metric, value = capacity(16_000_000_000), asked);
    assert_eq!(shown(Level::NotEnough, vec![lies]), (figure, vec![source()]));
}

#[test]
fn a_missing_figure_comes_with_its_reason() {
    let counted = Message::verbatim("the kernel counted less");
    let doubtful = Finding {
        doubt: Some(counted.clone()),
        outcome: FindingOutcome::NotJudged,
        required: false,
        ..finding(Write, Enough, Some(500.0))
    };
    let needless = Finding { required: false, ..finding(Read, Enough, None) };
    let shown_open = |findings| shown(Level::CannotBeJudged, findings);
    let doubted = message!("finding.doubtful", metric = message!("metric.random-write"));
    assert_eq!(shown_open(vec![needless.clone(), doubtful]), (doubted, vec![why(&counted)]));
    let missing = message!("finding.missing", metric = message!("metric.durable-write"));
    assert_eq!(shown_open(vec![needless, finding(Durable, Enough, None)]), (missing, vec![why(&few())]));
}

#[test]
fn only_close_figures_show_their_interval() {
    let close = |guards, value: f64| Finding {
        close: true,
        measured: Some(Estimate { low: Some(60.0), high: Some(140.0), ..Estimate::exact(value) }),
        ..finding(Durable, guards, Some(value))
    };
    let (low, high) = (Parameter::iops(60.0), Parameter::iops(140.0));
    let good_by = vec![finding(Read, Good, Some(400.0)), finding(Write, Enough, Some(101.0))];
    let read = finding_phrase(Read, 400.0, good());
    assert_eq!(shown(Level::Good, good_by.clone()), (read, vec![]));
    let with_close = [good_by, vec![close(Good, 110.0)]].concat();
    let interval = message!("finding-close", low = low.clone(), high = high.clone());
    let durable = finding_phrase(Durable, 110.0, good());
    assert_eq!(shown(Level::Good, with_close), (durable, vec![interval]));
    let findings = vec![finding(Read, Good, Some(50.0)), close(Enough, 110.0)];
    let metric = message!("metric.durable-write");
    let call = message!("finding-close.of", metric, asked = enough(), low, high);
    assert_eq!(shown(Level::Enough, findings), (finding_phrase(Read, 50.0, good()), vec![source(), call]));
}
