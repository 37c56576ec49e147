//! A drive in a list of drives, and what changed around it.

use cardiograph_core::drive::Drive;
use cardiograph_core::metric::{Measured, Metric};
use cardiograph_core::report::Report;
use cardiograph_core::verdict::Verdict;
use cardiograph_core::{Doubt, Message, Parameter, message, units};
use cardiograph_judge::changes::{Change, Timeline};
use cardiograph_judge::events::{Event, PATH};
use serde::{Deserialize, Serialize};

use super::comparison::groups::{fact_label, fact_values};
use super::glance::{change, remarks};
use super::history::{HEADLINES, day, trend_words};
use super::report::verdicts::finding;
use super::terminal::curve::shape;
use super::{Bar, Item, Node, Paragraph, banner, words};
use crate::text::layout::Tone;

/// Figures of a drive in a list.
const FIGURES_MAX: usize = 4;
/// Earlier values that a figure is shown with.
const VALUES_MAX: usize = 12;

/// A drive in a list, at its newest checkup.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DriveCard {
    /// The answer and what matters most.
    pub answer: Vec<Paragraph>,
    /// The figures that people quote, each with its earlier values and trend.
    pub figures: Vec<Bar>,
    /// Whether the drive is simulated.
    pub is_simulated: bool,
}

/// The card of a drive. `timelines` are of checkups with the same suite, `changes` those of the newest one.
pub fn drive_card(report: &Report, timelines: &[Timeline], changes: &[Change]) -> DriveCard {
    let mut nodes = banner(report);
    let state = words::state(report.state).map(|state| Node::toned(Tone::Quiet, state));
    let changes: Vec<Message> = changes.iter().map(change).collect();
    let remarks = remarks(report, &changes).into_iter();
    let remarks = remarks.map(|Item { tone, text, .. }| Node::toned(tone.unwrap_or(Tone::Fair), text));
    nodes.extend(state.into_iter().chain(remarks));
    let known = HEADLINES.into_iter().filter_map(|metric| Some((metric, report.measurements.get(&metric)?)));
    let figures = known.take(FIGURES_MAX).map(|(metric, measured)| {
        let timeline = timelines.iter().find(|timeline| timeline.metric == metric);
        key_figure(metric, measured, timeline)
    });
    let answer = nodes.into_iter().filter_map(|node| match node {
        Node::Paragraph(paragraph) => Some(paragraph),
        _ => None,
    });
    DriveCard { answer: answer.collect(), figures: figures.collect(), is_simulated: report.drive.simulated }
}

fn key_figure(metric: Metric, measured: &Measured, timeline: Option<&Timeline>) -> Bar {
    let is_figure = !measured.doubt.as_ref().is_some_and(Doubt::withholds);
    let value = match is_figure {
        false => Message::verbatim(units::NO_FIGURE),
        true => Message::quantity(finding::in_unit(metric.unit(), measured.estimate.value)),
    };
    let doubt = measured.doubt.as_ref().map(Doubt::message);
    let over_time = timeline.filter(|timeline| timeline.values.len() > 1).map(|timeline| {
        let newest = &timeline.values[timeline.values.len().saturating_sub(VALUES_MAX)..];
        let values: Vec<f64> = newest.iter().map(|(_, value)| *value).collect();
        let shape = Message::verbatim(shape(&values));
        match timeline.trend.and_then(|_| trend_words(timeline)) {
            Some(trend) => message!("drive-figure", shape, trend),
            None => shape,
        }
    });
    let name = finding::metric(metric);
    Bar { name, value, is_figure, share: None, note: doubt.or(over_time) }
}

/// What changed around a drive, the newest first; a drive that is another one stands out.
pub fn drive_events(events: &[Event]) -> Vec<Item> {
    let item = |event: &Event| {
        let day = day(event.unix_ms).unwrap_or_default();
        Item {
            tone: event.is_swap().then_some(Tone::Fair),
            ..Item::new(Message::verbatim(day), vec![drive_event(event)])
        }
    };
    events.iter().rev().map(item).collect()
}

/// An event as a sentence.
pub fn drive_event(event: &Event) -> Message {
    let fact = match event.fact {
        PATH => message!("drive-event.path"),
        fact => fact_label(fact),
    };
    let value = |value: &String| Parameter::All(fact_values(event.fact, value));
    let (before, after) = (value(&event.before), value(&event.after));
    match event.is_swap() {
        true => message!("drive-event.swap", fact, before, after),
        false => message!("drive-event", fact, before, after),
    }
}

/// What a drive is, in a few words.
pub fn drive_words(drive: &Drive) -> Message {
    Message::joined(words::drive(drive))
}

/// The name of a metric, for the middle of a sentence.
pub fn metric_name(metric: Metric) -> Message {
    finding::metric(metric)
}

/// The limits of purposes next to a value: the highest below it, and the lowest above it, each with its purpose.
pub fn limits_around(report: &Report, metric: Metric, value: f64) -> Vec<(f64, Message)> {
    let of_verdict = |verdict: &Verdict| {
        let own = verdict.findings.iter().filter(|finding| finding.metric == metric);
        own.map(|finding| (finding.limit, verdict.title.clone())).collect::<Vec<_>>()
    };
    let (mut below, mut above): (Vec<_>, Vec<_>) =
        report.verdicts.iter().flat_map(of_verdict).partition(|(limit, _)| *limit <= value);
    below.sort_by(|a, b| b.0.total_cmp(&a.0));
    above.sort_by(|a, b| a.0.total_cmp(&b.0));
    below.into_iter().take(1).chain(above.into_iter().take(1)).collect()
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Estimate;
    use cardiograph_judge::changes::timelines;
    use cardiograph_judge::record::RunFigures;

    use super::*;
    use crate::lang::Lang;
    use crate::samples;

    #[test]
    fn a_card_has_the_answer_and_the_figures_that_people_quote() {
        let mut report = samples::card();
        for metric in [Metric::RandomReadIops, Metric::SequentialRead] {
            let measured = Measured { estimate: Estimate::exact(100.0), step: String::new(), doubt: None };
            report.measurements.insert(metric, measured);
        }
        let mut earlier = RunFigures::from_report(&report);
        earlier.run.started_unix_ms = report.started_unix_ms - 86_400_000;
        let runs = [earlier, RunFigures::from_report(&report)];
        let card = drive_card(&report, &timelines(&runs), &[]);
        assert_eq!([Node::Paragraph(card.answer[0].clone())], banner(&report)[..1]);
        let kept = serde_json::to_string(&card).unwrap();
        assert_eq!(serde_json::from_str::<DriveCard>(&kept).unwrap(), card);
        let figures = card.figures;
        assert!((2..=FIGURES_MAX).contains(&figures.len()));
        let note = |figure: &Bar| Lang::EN.text(figure.note.as_ref().unwrap());
        assert!(figures.iter().all(|figure| figure.is_figure && note(figure) == "██"), "{figures:?}");

        let metric = HEADLINES.into_iter().find(|metric| report.measurements.contains_key(metric)).unwrap();
        report.measurements.get_mut(&metric).unwrap().doubt = Some(Doubt::AboveLink);
        let figures = drive_card(&report, &[], &[]).figures;
        let withheld = &figures[0];
        assert!(!withheld.is_figure && withheld.note == Some(Doubt::AboveLink.message()));
        assert!(figures[1..].iter().all(|figure| figure.note.is_none()));
    }

    #[test]
    fn limits_are_those_next_to_a_value() {
        let report = samples::card();
        let findings = report.verdicts.iter().flat_map(|verdict| &verdict.findings);
        let mut limits: Vec<f64> = findings
            .filter(|finding| finding.metric == Metric::RandomReadIops)
            .map(|finding| finding.limit)
            .collect();
        limits.sort_by(f64::total_cmp);
        limits.dedup();
        let around = |value| {
            let all = limits_around(&report, Metric::RandomReadIops, value);
            all.into_iter().map(|(limit, _)| limit).collect::<Vec<_>>()
        };
        assert!(limits.len() > 2);
        assert_eq!(around(0.0), limits[..1]);
        assert_eq!(around(limits[1]), limits[1..3]);
        assert_eq!(around(f64::MAX), limits[limits.len() - 1..]);
    }

    #[test]
    fn events_have_their_fact_and_its_values() {
        let event = |fact, before: &str, after: &str| Event {
            unix_ms: 1_795_369_444_000,
            checkup: "a".to_string(),
            fact,
            before: before.to_string(),
            after: after.to_string(),
        };
        let events = [event("kernel", "6.1", "6.12"), event("capacity_bytes", "64000000000", "128000000000")];
        let items = drive_events(&events);
        assert_eq!(items[0].tone, Some(Tone::Fair), "the newest is first, and a swap stands out");
        assert_eq!(items[0].text[0].id(), "drive-event.swap");
        assert_eq!(items[1].text[0].id(), "drive-event");
        assert!(Lang::EN.text(&items[0].text[0]).contains("64 GB") && items[1].tone.is_none());
        assert_eq!(Lang::EN.text(&items[1].label), "2026-11-22");
    }
}
