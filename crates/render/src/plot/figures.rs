//! The figure by which each test is quoted, for several Reports side by side.

use cardiograph_core::app::{AppPart, Operation};
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::{Direction, Doubt, Message, message};
use cardiograph_judge::compare::{TestKind, assign_indexes};
use cardiograph_judge::record::{RunFigures, TestFigures};
use cardiograph_judge::{by_method, purposes};

use super::dots::{Dot, DotPlot, draw_plots, draw_rows};
use super::sheet::Sheet;
use super::subject::{Panel, Subject, direction_name};
use crate::doc::report::doubts;
use crate::doc::words;
use crate::gathered::gathered;
use crate::method::{self, LONG_IO_BYTES};

/// The quantities by which tests are quoted.
const QUOTED: [Quantity; 3] = [Quantity::Bandwidth, Quantity::Iops, SYNC_LATENCY];
const SYNC_LATENCY: Quantity = Quantity::Latency(LatencyKind::Total, Statistic::Percentile(99.0));

/// Whether a quantity represents a direction of a test: long I/Os are quoted by bandwidth, short ones by
/// their rate, and applications by what their users count.
fn is_quoted_by(
    quantity: Quantity,
    test: &TestFigures,
    direction: Direction,
    operation: Option<Operation>,
) -> bool {
    let value = |quantity| Some(test.figure(Some(direction), quantity)?.estimate.value);
    let by_rates = value(Quantity::Bandwidth).zip(value(Quantity::Iops));
    let len_bytes =
        test.method.block_bytes.map(|bytes| bytes as f64).or(by_rates.map(|(speed, rate)| speed / rate));
    let is_short = match operation {
        Some(operation) => operation != Operation::Second,
        None => len_bytes.is_some_and(|bytes| bytes < LONG_IO_BYTES as f64),
    };
    let is_quoted = match quantity {
        _ if direction == Direction::Sync => quantity == SYNC_LATENCY,
        Quantity::Bandwidth => !is_short || value(Quantity::Iops).is_none(),
        Quantity::Iops => is_short || value(Quantity::Bandwidth).is_none(),
        _ => false,
    };
    is_quoted && value(quantity).is_some()
}

/// Draws the figures of the steps of `panels`. Returns whether there are any.
pub(super) fn draw(sheet: &mut Sheet, subjects: &[Subject<'_>], panels: &[Panel<'_>]) -> bool {
    let lang = sheet.view.lang;
    let run = |(index, subject): (usize, &Subject<'_>)| {
        let chosen = panels.iter().flat_map(|panel| &panel.members).filter(|member| member.index == index);
        let chosen: Vec<&str> = chosen.map(|member| member.step.step.id.as_str()).collect();
        let is_chosen =
            |test: &TestFigures| test.test.split('/').next().is_some_and(|id| chosen.contains(&id));
        RunFigures::from_report(subject.report).tests.into_iter().filter(is_chosen).collect()
    };
    let runs: Vec<Vec<TestFigures>> = subjects.iter().enumerate().map(run).collect();
    let plots = plots(subjects, &runs);
    match subjects {
        [_] => draw_rows(sheet, &plots),
        _ => draw_plots(sheet, &plots),
    }
    for (subject, tests) in subjects.iter().zip(&runs) {
        for reason in doubts::notes(tests) {
            let remark = if subjects.len() > 1 { subject.says(reason) } else { reason };
            sheet.note(&lang.text(&remark));
            sheet.describe_phrase(remark);
        }
    }
    !plots.is_empty()
}

/// A plot for each figure by which a test is quoted, in the order of the tests.
fn plots(subjects: &[Subject<'_>], runs: &[Vec<TestFigures>]) -> Vec<DotPlot> {
    let kinds: Vec<Vec<TestKind>> =
        runs.iter().map(|tests| tests.iter().map(TestKind::from).collect()).collect();
    let mut dots = Vec::new();
    for ((index, tests), kinds) in runs.iter().enumerate().zip(assign_indexes(&kinds)) {
        for (test, kind) in tests.iter().zip(kinds) {
            let operation = operation(&subjects[index], test);
            for (direction, quantity) in
                Direction::ALL.into_iter().flat_map(|one| QUOTED.map(|quantity| (one, quantity)))
            {
                let figure = test.figure(Some(direction), quantity);
                let is_quoted = is_quoted_by(quantity, test, direction, operation);
                let Some(figure) = figure.filter(|_| is_quoted) else { continue };
                let estimate = (!figure.is_withheld()).then_some(figure.estimate);
                let is_light = matches!(figure.doubt, Some(Doubt::FewSamples { .. }));
                let dot = Dot { name: subjects[index].name.clone(), series: index, estimate, is_light };
                let counted = operation.filter(|_| quantity == Quantity::Iops);
                dots.push(((kind, direction, quantity.name()), (test, quantity, counted, dot)));
            }
        }
    }
    let mut all = gathered(dots);
    all.sort_by_key(|((kind, ..), _)| *kind);
    let plot = |((_, direction, _), members): ((usize, Direction, String), Vec<_>)| {
        let (test, quantity, operation, _): &(&TestFigures, Quantity, Option<Operation>, Dot) = &members[0];
        let has = |at: usize| members.iter().any(|(.., dot)| dot.series == at);
        let lacking = subjects.iter().enumerate().filter(|(at, _)| !has(*at));
        DotPlot {
            title: title(test, direction, *quantity),
            quantity: *quantity,
            operation: *operation,
            limits: limits(test, direction, *quantity),
            lacking: lacking.map(|(_, subject)| subject.name.clone()).collect(),
            dots: members.into_iter().map(|(.., dot)| dot).collect(),
        }
    };
    all.into_iter().map(plot).collect()
}

/// What the users of a test's application count.
fn operation(subject: &Subject<'_>, test: &TestFigures) -> Option<Operation> {
    let (step, part) = test.test.split_once('/')?;
    let step = subject.report.steps.iter().find(|known| known.step.id == step)?;
    step.app.as_ref()?.part(part).map(|part: &AppPart| part.operation)
}

/// What purposes ask of a figure.
fn limits(test: &TestFigures, direction: Direction, quantity: Quantity) -> Vec<f64> {
    let is_it = |metric: &_| by_method::figure_of(*metric) == Some((direction, quantity));
    by_method::metrics_of(test).filter(is_it).flat_map(purposes::limits).collect()
}

/// The title of a plot, with the direction unless the title implies it.
fn title(test: &TestFigures, direction: Direction, quantity: Quantity) -> Message {
    let title = words::test(test);
    let is_mixed = test.method.pattern.is_none_or(|pattern| pattern.is_mixed());
    match direction {
        Direction::Sync => {
            message!(
                "picture-line",
                name = title,
                direction = method::with_direction(Some(direction), quantity)
            )
        }
        _ if is_mixed && !test.test.contains('/') => {
            message!("picture-line", name = title, direction = direction_name(direction))
        }
        _ => title,
    }
}
