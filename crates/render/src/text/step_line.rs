//! A finished step in one line.

use cardiograph_core::app::{AppPart, AppResult, CamerasOutcome, Operation};
use cardiograph_core::figures::StepFigures;
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::report::{Step, StepOutcome, StepResult, StepRole};
use cardiograph_core::{Direction, Doubt, Message, Parameter, message};
use cardiograph_judge::record::{TestFigures, tests_of};

use super::layout::{cut, pad_end, pad_start, width};
use super::title::title_within;
use crate::doc::details::apps;
use crate::doc::report::figures::{cell, direction_name, directions, rate};
use crate::doc::{Cell, words};
use crate::lang::Lang;
use crate::method;

const TITLE_COLUMNS: usize = 38;
/// Columns of a rate.
const FIGURE_COLUMNS: usize = 14;
const LATENCY_COLUMNS: usize = 7;

/// A finished step in one line of `columns`, without a final newline:
/// `Random read 4K QD1    3,786 IOPS  p50  263 µs  p99  379 µs`. A title that would push the figures out of
/// their columns gets a separate line above them. If the line is too narrow for both, the figures follow in a
/// second one.
pub fn step_line(step: &StepResult, lang: Lang, columns: usize) -> String {
    let (title, outcome) = (lang.text(&step.step.title), outcome(step, lang));
    let on_one_line =
        |title: &str| format!("{} {outcome}", pad_end(title, TITLE_COLUMNS)).trim_end().to_string();
    let fits = width(&on_one_line("")) <= columns;
    match width(&title) <= TITLE_COLUMNS {
        true if fits => on_one_line(&title),
        false if fits => format!("{}\n{}", cut(&title, columns), on_one_line("")),
        _ => {
            let parts: Vec<&str> =
                outcome.split("  ").map(str::trim).filter(|part| !part.is_empty()).collect();
            format!(
                "{}\n  {}",
                title_within(&title, columns),
                cut(&parts.join("  "), columns.saturating_sub(2))
            )
        }
    }
}

fn outcome(step: &StepResult, lang: Lang) -> String {
    let word = match &step.outcome {
        StepOutcome::Done => match (&step.figures, &step.app, &step.imported) {
            (Some(figures), ..) if step.step.role == StepRole::Prepare => return prepared(figures, lang),
            (Some(_), ..) | (.., Some(_)) => return measured(step, lang),
            (None, Some(app), _) => return application(step, app, lang),
            (None, None, None) => message!("step-line.done"),
        },
        StepOutcome::Interrupted => message!("step-line.interrupted"),
        // The report gives the reason, where there is room for it.
        StepOutcome::Failed { .. } => message!("step-line.failed"),
        StepOutcome::Hung => message!("step-line.hung"),
    };
    lang.text(&word)
}

/// Why figures are withheld, in a few words.
fn withheld<'d>(mut doubts: impl Iterator<Item = &'d Doubt>) -> Option<Message> {
    let why = match doubts.find(|doubt| doubt.withholds())? {
        Doubt::Contradicted { share } => {
            message!("step-line-why.contradicted", share = Parameter::share(*share))
        }
        Doubt::Paused { paused_ns, .. } => {
            message!("step-line-why.paused", time = words::seconds(*paused_ns))
        }
        Doubt::AboveLink => message!("step-line-why.above-link"),
        other => other.message(),
    };
    Some(message!("step-line.withheld", why = why))
}

/// Preparation is described by its size and time: its speed is not the drive's.
fn prepared(figures: &StepFigures, lang: Lang) -> String {
    let bytes = figures.directions.iter().map(|direction| direction.bytes).fold(0, u64::saturating_add);
    let runtime_ns = figures.directions.iter().map(|direction| direction.runtime_ns).max().unwrap_or(0);
    let time = message!("step-line.prepared", time = Parameter::latency_ns(runtime_ns as f64));
    format!("{}  {}", pad_start(&lang.value(&Parameter::Bytes(bytes)), FIGURE_COLUMNS), lang.text(&time))
}

/// The rates of a test, and its latencies if it has a single direction.
fn measured(step: &StepResult, lang: Lang) -> String {
    let tests = tests_of(step);
    let Some(test) = tests.first() else { return lang.text(&message!("step-line.no-io")) };
    if let Some(withheld) = withheld(test.doubts().into_iter()) {
        return lang.text(&withheld);
    }
    let rates =
        directions(test).into_iter().map(|direction| (direction, rate(test, direction).text(None, lang)));
    let rates: Vec<(Option<Direction>, String)> = rates.filter(|(_, rate)| !rate.is_empty()).collect();
    match rates.as_slice() {
        [] if step.imported.is_some() => lang.text(&message!("step-line.no-rate")),
        [] => lang.text(&message!("step-line.no-io")),
        [(direction, rate)] => {
            let latencies = latencies(test, *direction, lang);
            format!("{}  {latencies}", pad_start(rate, FIGURE_COLUMNS)).trim_end().to_string()
        }
        many => {
            let rates = many
                .iter()
                .map(|(direction, rate)| format!("{} {rate}", lang.text(&direction_name(*direction))));
            lang.phrases(&rates.map(Message::verbatim).collect::<Vec<_>>())
        }
    }
}

fn latencies(test: &TestFigures, direction: Option<Direction>, lang: Lang) -> String {
    let latency = |percentile: f64, direction: Option<Direction>| {
        let kind = method::latency_kind(&test.figures, direction);
        let cell = cell(test, direction, Quantity::Latency(kind, Statistic::Percentile(percentile)));
        let text = cell.text(None, lang);
        (cell != Cell::Empty).then(|| format!("p{percentile} {}", pad_start(&text, LATENCY_COLUMNS)))
    };
    let sync = Some(Direction::Sync);
    match directions(test).contains(&sync) {
        // In place of the other steps' p50 stands the direction of this p99.
        true => latency(99.0, sync).map(|p99| format!("       fsync {p99}")).unwrap_or_default(),
        false => {
            let both = [latency(50.0, direction), latency(99.0, direction)];
            both.into_iter().flatten().collect::<Vec<_>>().join("  ")
        }
    }
}

/// The result of an application: `240 commits/s  longest pause 380 ms`.
fn application(step: &StepResult, app: &AppResult, lang: Lang) -> String {
    let doubts = app.parts.iter().filter_map(|part| step.doubt(part.direction));
    if let Some(withheld) = withheld(doubts) {
        return lang.text(&withheld);
    }
    let rate = |part: &AppPart| {
        let (operations, bytes) = (part.operations_per_s().value, part.bandwidth_bytes_per_s().value);
        lang.text(&apps::rate(part.operation, operations, bytes))
    };
    let parts: Vec<&AppPart> = app.parts.iter().filter(|part| part.operations > 0).collect();
    match parts.as_slice() {
        [] => lang.text(&message!("step-line.nothing")),
        [one] => {
            let end = lang.text(&recording_outcome(&step.step, one));
            format!("{}  {end}", pad_start(&rate(one), FIGURE_COLUMNS))
        }
        many => {
            let rates =
                many.iter().map(|part| format!("{} {}", lang.text(&words::app_part(&part.id)), rate(part)));
            lang.phrases(&rates.map(Message::verbatim).collect::<Vec<_>>())
        }
    }
}

/// Whether a recording kept up.
fn recording_outcome(step: &Step, part: &AppPart) -> Message {
    match (part.operation, step.cameras(part)) {
        (Operation::Second, Some(CamerasOutcome::Late)) => message!("step-line.late"),
        (Operation::Second, Some(CamerasOutcome::Behind { share })) => {
            let percent = Parameter::share((share * 100.0).floor() / 100.0);
            message!("step-line.behind", share = percent)
        }
        (Operation::Second, _) => {
            message!("step-line.latest", time = Parameter::latency_ns(part.latency.max_ns() as f64))
        }
        _ => message!("step-line.pause", time = Parameter::latency_ns(part.longest_pause_ns as f64)),
    }
}
