//! The first glance: what was measured, a row for each test, and last the answer. Everything else is in
//! [`report`](super::report::report) and [`details`](super::details).

mod bars;
mod grades;

use cardiograph_core::drive::Host;
use cardiograph_core::metric::Metric;
use cardiograph_core::report::{Report, StepOutcome, StepResult, StepRole};
use cardiograph_core::text::unique;
use cardiograph_core::trust::{Warning, Weight};
use cardiograph_core::verdict::Finding;
use cardiograph_core::{Message, NS_PER_S, Parameter, message, units};
use cardiograph_judge::changes::Change;
use cardiograph_judge::record::{RunFigures, tries};

use super::report::verdicts::finding;
use super::report::{claims, counters, doubts, source, tables, title, unfinished, warnings};
use super::{Doc, HeaderFacts, Item, Node, Writes, history, words};
use crate::gathered::gathered;
use crate::text::layout::Tone;

pub use bars::{Bar, bars_of};
pub use grades::Grade;

/// Tests of a suite that are shown.
const TESTS_MAX: usize = 8;
/// Warnings and changes shown.
const REMARKS_MAX: usize = 2;

/// What the program adds to a checkup's answer.
#[derive(Debug, Clone, Default)]
pub struct Additions {
    /// Changes since earlier checkups of the drive.
    pub changes: Vec<Message>,
    /// The user's requirements, and whether they hold.
    pub requirements: Vec<Item>,
}

/// A change since earlier checkups of the drive, as a sentence.
pub fn change(change: &Change) -> Message {
    let metric = finding::metric(change.metric);
    let since = history::day(change.since_unix_ms).unwrap_or_default();
    let factor = change.factor();
    let (share, checkups) = (Parameter::share((factor - 1.0).abs()), change.checkups);
    match factor < 1.0 {
        true => message!("glance-change.lower", since, metric, share, checkups),
        false => message!("glance-change.higher", since, metric, share, checkups),
    }
}

/// The subject of the measurement and its cost, before anything is written.
pub fn announcement(report: &Report, facts: &HeaderFacts) -> Doc {
    let is_simulated = report.drive.simulated;
    let time = facts.time_ns_max.map(|ns| units::elapsed(ns.div_ceil(NS_PER_S).saturating_mul(NS_PER_S)));
    let time = time.map(|time| match is_simulated {
        true => message!("glance-at-most.virtual", time),
        false => message!("glance-at-most", time),
    });
    let suite = Message::verbatim(&report.suite);
    let run = [Some(suite), time, Some(will_write(facts.writes, is_simulated))].into_iter().flatten();
    Doc { title: Some(subject(report)), nodes: vec![Node::toned(Tone::Quiet, dotted(run))] }
}

fn will_write(writes: Writes, is_simulated: bool) -> Message {
    let bytes = |most: u64| Parameter::CapacityBytes(most);
    match writes {
        _ if is_simulated => message!("glance-writes.simulated"),
        Writes::ToTestFiles(0) | Writes::ToDevice(0) | Writes::ToNamed(Some(0)) => {
            message!("glance-writes.nothing")
        }
        Writes::ToTestFiles(most) => message!("glance-writes", most = bytes(most)),
        Writes::ToDevice(most) => message!("glance-writes.device", most = bytes(most)),
        Writes::AndBack(most) => message!("glance-writes.restored", most = bytes(most)),
        Writes::ToNamed(Some(most)) => message!("glance-writes.named", most = bytes(most)),
        Writes::ToNamed(None) => message!("glance-writes.unbounded"),
    }
}

/// A saved checkup.
pub fn glance(report: &Report, additions: &Additions) -> Doc {
    let head = [Some(Node::toned(Tone::Quiet, dotted(run(report)))), source::paragraph(report)];
    let (rows, left_out) = rows(report);
    let more = (left_out > 0).then(|| Node::toned(Tone::Quiet, message!("glance-more", tests = left_out)));
    let rows = Node::from_bars(rows).into_iter().chain(more);
    let nodes = alarm(report).into_iter().chain(head.into_iter().flatten()).chain(rows);
    Doc { title: Some(subject(report)), nodes: nodes.chain(answer(report, additions).nodes).collect() }
}

/// The answer of a checkup whose head and rows were shown before.
pub fn ending(report: &Report, additions: &Additions) -> Doc {
    let rest = answer(report, additions);
    Doc::untitled(alarm(report).into_iter().chain(rest.nodes).collect())
}

/// What a page says first: a fake or failing drive; else the answer in a sentence.
pub(crate) fn banner(report: &Report) -> Vec<Node> {
    let mut nodes = alarm(report).map_or_else(|| grades::nodes(report), |alarm| vec![alarm]);
    nodes.retain(|node| !matches!(node, Node::Grades(_)));
    nodes
}

/// The rows of the tests below the banner: none of a fake or failing drive.
pub(crate) fn banner_rows(report: &Report) -> Vec<Bar> {
    if alarm(report).is_some() { Vec::new() } else { rows(report).0 }
}

/// The time that a checkup took, and what it wrote.
pub fn effort(report: &Report) -> Option<Message> {
    let known: Vec<Message> = took(report).into_iter().chain(written(report)).collect();
    (!known.is_empty()).then(|| dotted(known))
}

/// Claims, changes, warnings, and what the drive is good for.
fn answer(report: &Report, additions: &Additions) -> Doc {
    let claims = Node::from_items(claims::short(report));
    let remarks = Node::from_items(remarks(report, &additions.changes));
    let mut nodes = tables::glance(report);
    nodes.extend(claims.into_iter().chain(remarks).chain(unfinished::short(report)));
    nodes.extend(match alarm(report) {
        // A drive that is a fake or failing is good for nothing.
        Some(_) => Vec::new(),
        None => grades::nodes(report),
    });
    nodes.extend(Node::from_items(additions.requirements.clone()));
    Doc::untitled(nodes)
}

/// The drive, the machine, and where on it.
fn subject(report: &Report) -> Message {
    let drive = title::title(report);
    if report.source.is_some() || report.drive.simulated {
        return drive;
    }
    let Host { model, name, .. } = &report.host;
    let machine = model.as_ref().or(name.as_ref()).map(Message::verbatim);
    let place = match &report.drive.mount {
        Some(mount) => message!("glance-place", path = &mount.mount_point, kind = &mount.fs_type),
        None => Message::verbatim(&report.drive.path),
    };
    dotted(std::iter::once(drive).chain(machine).chain([place]))
}

/// The suite, its time, what it wrote, when it ran, and the user's tags.
fn run(report: &Report) -> Vec<Message> {
    let started = history::when(report.started_unix_ms).map(Message::verbatim);
    let first = [words::state(report.state), took(report), written(report), started];
    let suite = Message::verbatim(&report.suite);
    std::iter::once(suite).chain(first.into_iter().flatten()).chain(title::tags(report)).collect()
}

fn took(report: &Report) -> Option<Message> {
    let took_ns = report.steps.iter().map(StepResult::duration_ns).fold(0, u64::saturating_add);
    let time = Parameter::DurationNs(took_ns / NS_PER_S * NS_PER_S);
    (took_ns >= NS_PER_S).then(|| match report.drive.simulated {
        true => message!("glance-took.virtual", time),
        false => message!("glance-took", time),
    })
}

fn written(report: &Report) -> Option<Message> {
    let bytes = report.steps.iter().map(StepResult::written_bytes).fold(0, u64::saturating_add);
    (bytes > 0).then(|| message!("glance-written", bytes = Parameter::CapacityBytes(bytes)))
}

/// Phrases on one line.
fn dotted(phrases: impl IntoIterator<Item = Message>) -> Message {
    let all = phrases.into_iter().reduce(|head, tail| message!("list-dot", head, tail));
    all.unwrap_or_default()
}

/// The rows of the tests, each with all its tries, and how many more there are. Of many, those that decide and some of each kind
/// are shown.
fn rows(report: &Report) -> (Vec<Bar>, usize) {
    let counts = report.steps.iter().filter(|step| tries::counts(&report.steps, step));
    let measured = counts.filter(|step| step.step.role == StepRole::Measure);
    let tests: Vec<(&str, Vec<&StepResult>)> = gathered(measured.map(|step| (step.step.test_id(), step)));
    let decides = |tries: &[&StepResult]| {
        report.measurements.values().any(|measured| tries.iter().any(|step| measured.step == step.step.id))
    };
    let kinds =
        gathered(tests.iter().map(|(id, tries)| (kind(tries[0].step.test_title()), (*id, decides(tries)))));
    // Those that decide, then the first of each kind, then the second.
    let ranked = kinds.iter().flat_map(|(_, ids)| ids.iter().enumerate());
    let mut ranked: Vec<_> = ranked.map(|(nth, (id, decides))| (!decides, nth, *id)).collect();
    ranked.sort_by_key(|&(rank, nth, _)| (rank, nth));
    ranked.truncate(TESTS_MAX);
    let is_shown = |id: &str| ranked.iter().any(|(.., shown)| *shown == id);
    let bars = tests.iter().filter(|(id, _)| is_shown(id)).flat_map(|(_, tries)| bars::bars_of_tries(tries));
    (bars.collect(), tests.len() - ranked.len())
}

/// A title without its sizes and numbers.
fn kind(title: &Message) -> (&str, Vec<&Parameter>) {
    let is_word = |parameter: &&Parameter| matches!(parameter, Parameter::Message(_) | Parameter::Name(_));
    (title.id(), title.parameters().map(|(_, parameter)| parameter).filter(is_word).collect())
}

/// A fake or failing drive, in one loud line.
pub(super) fn alarm(report: &Report) -> Option<Node> {
    let is_fake = |finding: &&Finding| finding.metric == Metric::RealCapacity;
    let fake = report.verdicts.iter().flat_map(|verdict| &verdict.findings).find(is_fake);
    let capacity = |bytes: f64| Parameter::CapacityBytes(bytes.max(0.0) as u64);
    let fake = fake.and_then(|finding| {
        let real = finding.measured?.value;
        Some(message!("glance-fake", claimed = capacity(finding.limit), real = capacity(real)))
    });
    let failing = || Some(message!("glance-failing", seen = failing(report)?.seen.first()?.clone()));
    Some(Node::toned(Tone::Bad, fake.or_else(failing)?))
}

/// What shows that the drive is failing.
fn failing(report: &Report) -> Option<&Warning> {
    report.traps.iter().find(|check| check.trap == "failing")?.outcome.warning()
}

/// All notes of the run; then what matters most of doubts, changes, the cost of a time limit, and warnings. The loud line has
/// that of a failing drive.
pub(super) fn remarks(report: &Report, changes: &[Message]) -> Vec<Item> {
    let item = |(tone, text)| Item { tone: Some(tone), ..Item::new(message!("glance-mark"), text) };
    let is_weighty = |warning: &&Warning| warning.weight != Weight::Note;
    let loud = failing(report);
    let is_loud = |warning: &&Warning| loud.is_some_and(|loud| std::ptr::eq(loud, *warning));
    let traps = warnings::present(&report.traps).into_iter().filter(is_weighty);
    let traps = traps.filter(|warning| !is_loud(warning));
    let traps = traps.map(|warning| (warnings::word(warning.weight).1, warning.seen.clone()));
    let spoiling = traps.clone().filter(|(tone, _)| *tone == Tone::Bad);
    let others = traps.filter(|(tone, _)| *tone != Tone::Bad);
    let changes = changes.iter().map(|change| (Tone::Fair, vec![change.clone()]));
    let sizing = report.steps.iter().flat_map(|step| &step.step.sizing);
    let cut = sizing.filter(|note| CUT_BY_TIME.contains(&note.id()));
    let cut = cut.take(1).map(|note| (Tone::Fair, vec![note.clone()]));
    let counted = counters::brief(report).map(|sentence| (Tone::Fair, vec![sentence]));
    // What did not end is said below.
    let mut tests = RunFigures::from_report(report).tests;
    tests.retain(|test| {
        !report.steps.iter().any(|step| step.step.id == test.test && step.outcome != StepOutcome::Done)
    });
    let doubts = doubts::notes(&tests).into_iter();
    let doubts = doubts.map(|doubt| (Tone::Bad, vec![doubt]));
    let all = spoiling.chain(doubts).chain(changes).chain(cut).chain(others).chain(counted);
    let notes = unique(report.notes.iter().cloned()).into_iter().map(|note| (Tone::Fair, vec![note]));
    notes.chain(all.take(REMARKS_MAX)).map(item).collect()
}

/// Remarks of suites on what a time limit left out.
const CUT_BY_TIME: [&str; 3] = ["note-time.too-short", "note-time.left-out", "note-time.shorter"];

#[cfg(test)]
mod tests {
    use cardiograph_core::report::TryOf;

    use super::*;
    use crate::samples;

    #[test]
    fn rows_are_of_each_kind_of_test_and_tries_are_one_row() {
        // Tests of each kind, their tries, the rows of each kind, and how many tests have none.
        for (kinds, tries, expected, left_out) in
            [(&[7_u32][..], 3, &[7][..], 0), (&[12, 2], 1, &[6, 2], 6), (&[1, 30, 1], 5, &[1, 6, 1], 24)]
        {
            let mut report = samples::card();
            report.measurements.clear();
            let measured = report.steps.iter().find(|step| step.step.role == StepRole::Measure);
            let (sample, names) = (measured.unwrap().clone(), ["reads", "writes", "mix"]);
            let all =
                kinds.iter().zip(names).flat_map(|(&count, name)| (0..count).map(move |nth| (name, nth)));
            let tried = all.flat_map(|of| (1..=tries).map(move |nth| (of, nth)));
            let steps = tried.map(|((name, depth), nth)| {
                let mut step = sample.clone();
                let title = message!("step-depth", test = name, depth);
                let test = format!("{name}-{depth}");
                (step.step.id, step.step.title) = (format!("{test}-{nth}"), title.clone());
                step.step.try_of = (tries > 1).then_some(TryOf { test, title, tries, ends_early: false });
                step
            });
            report.steps = steps.collect();
            let (bars, more) = rows(&report);
            let of = |name| bars.iter().filter(|bar| format!("{:?}", bar.name).contains(name)).count();
            let shown: Vec<usize> = names.iter().take(kinds.len()).map(|name| of(*name)).collect();
            assert_eq!((&shown[..], more), (expected, left_out), "{kinds:?}");
        }
    }
}
