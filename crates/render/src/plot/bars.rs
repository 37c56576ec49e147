//! The figure of each test as a bar, with its interval, for several Reports side by side.

use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::{Direction, Estimate, Message, Parameter, message};
use cardiograph_judge::compare::{TestKind, assign_indexes};
use cardiograph_judge::record::{RunFigures, TestFigures};

use super::canvas::Anchor;
use super::letters::{LEADING, SIZE, room};
use super::sheet::{EDGE, Entry, Sample, Sheet};
use super::subject::{Panel, Subject, direction_name};
use crate::doc::report::doubts;
use crate::doc::words;
use crate::gathered::gathered;
use crate::lang::Lang;
use crate::method::LONG_IO_BYTES;
use crate::text;

/// Height of a bar, and distance from the top of one to the next.
const BAR: f64 = 12.0;
const BAR_STEP: f64 = 17.0;

/// The parts of the picture: each has one quantity, in one unit.
const PARTS: [(Quantity, Message); 3] = [
    (Quantity::Bandwidth, message!("picture-bars.bandwidth")),
    (Quantity::Iops, message!("picture-bars.iops")),
    (SYNC_LATENCY, message!("picture-bars.sync")),
];
const SYNC_LATENCY: Quantity = Quantity::Latency(LatencyKind::Total, Statistic::Percentile(99.0));

/// Whether a quantity represents a direction of a test: long I/Os are quoted by bandwidth, short ones by
/// their rate.
fn is_quoted_by(quantity: Quantity, test: &TestFigures, direction: Direction) -> bool {
    let value = |quantity| Some(test.figure(Some(direction), quantity)?.estimate.value);
    let by_rates = value(Quantity::Bandwidth).zip(value(Quantity::Iops));
    let len_bytes =
        test.method.block_bytes.map(|bytes| bytes as f64).or(by_rates.map(|(speed, rate)| speed / rate));
    let is_short = len_bytes.is_some_and(|bytes| bytes < LONG_IO_BYTES as f64);
    let is_quoted = match quantity {
        _ if direction == Direction::Sync => quantity == SYNC_LATENCY,
        Quantity::Bandwidth => !is_short || value(Quantity::Iops).is_none(),
        Quantity::Iops => is_short || value(Quantity::Bandwidth).is_none(),
        _ => false,
    };
    is_quoted && value(quantity).is_some()
}

/// The bars of a test.
struct Group {
    title: String,
    bars: Vec<Bar>,
}

struct Bar {
    /// Index of the Report in the picture.
    index: usize,
    /// The figure; `None` if it is withheld.
    estimate: Option<Estimate>,
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
    let mut is_drawn = false;
    for (quantity, head) in PARTS {
        let groups = groups(quantity, &runs, lang);
        if !groups.is_empty() {
            is_drawn = true;
            sheet.head(&lang.text(&head));
            sheet.describe_phrase(head);
            draw_part(sheet, quantity, &groups, subjects);
        }
    }
    if is_drawn && subjects.len() > 1 {
        let entry = |(at, subject): (usize, &Subject<'_>)| Entry {
            sample: Sample::Patch(format!("f{at}")),
            text: subject.name.clone(),
        };
        sheet.legend(&subjects.iter().enumerate().map(entry).collect::<Vec<_>>());
    }
    if is_drawn {
        sheet.note(&lang.text(&message!("picture-interval")));
        for (subject, tests) in subjects.iter().zip(&runs) {
            for reason in doubts::notes(tests) {
                let remark = if subjects.len() > 1 { subject.says(reason) } else { reason };
                sheet.note(&lang.text(&remark));
                sheet.describe_phrase(remark);
            }
        }
    }
    is_drawn
}

fn groups(quantity: Quantity, runs: &[Vec<TestFigures>], lang: Lang) -> Vec<Group> {
    let kinds: Vec<Vec<TestKind>> =
        runs.iter().map(|tests| tests.iter().map(TestKind::from).collect()).collect();
    let indexes = assign_indexes(&kinds);
    let mut bars = Vec::new();
    for (index, (tests, kind_indexes)) in runs.iter().zip(indexes).enumerate() {
        for (test, kind) in tests.iter().zip(kind_indexes) {
            for direction in Direction::ALL.into_iter().filter(|&one| is_quoted_by(quantity, test, one)) {
                let Some(figure) = test.figure(Some(direction), quantity) else { continue };
                let is_withheld = figure.is_withheld();
                let bar = Bar { index, estimate: (!is_withheld).then_some(figure.estimate) };
                bars.push(((kind, direction), (test, bar)));
            }
        }
    }
    let group = |((_, direction), bars): (_, Vec<(&TestFigures, Bar)>)| Group {
        title: title(bars[0].0, direction, lang),
        bars: bars.into_iter().map(|(_, bar)| bar).collect(),
    };
    gathered(bars).into_iter().map(group).collect()
}

/// The title of a group, with the direction unless the title implies it.
fn title(test: &TestFigures, direction: Direction, lang: Lang) -> String {
    let title = text::plain(&lang.text(&words::test(test)));
    let is_mixed = test.method.pattern.is_none_or(|pattern| pattern.is_mixed());
    match is_mixed && direction != Direction::Sync {
        true => lang.text(&message!("picture-line", name = title, direction = direction_name(direction))),
        false => title,
    }
}

fn draw_part(sheet: &mut Sheet, quantity: Quantity, groups: &[Group], subjects: &[Subject<'_>]) {
    let lang = sheet.view.lang;
    let bars = || groups.iter().flat_map(|group| &group.bars).filter_map(|bar| bar.estimate);
    let highest = bars().map(|estimate| estimate.high.unwrap_or(estimate.value)).fold(0.0, f64::max);
    let words = |estimate: Option<Estimate>| match estimate {
        Some(estimate) => lang.value(&shown(quantity, estimate.value)),
        None => lang.text(&message!("picture-withheld")),
    };
    let widest = bars().map(|estimate| room(&words(Some(estimate)))).fold(0.0, f64::max);
    let long = (sheet.width() - 2.0 * EDGE - widest - 10.0).max(40.0);
    let x = |value: f64| EDGE + if highest > 0.0 { value / highest * long } else { 0.0 };
    for group in groups {
        sheet.note(&group.title);
        for bar in &group.bars {
            let top = sheet.strip(BAR_STEP) + 2.0;
            let baseline = top + SIZE * 0.86;
            let end = bar.estimate.map_or(EDGE, |estimate| x(estimate.high.unwrap_or(estimate.value)));
            if let Some(estimate) = bar.estimate {
                sheet.canvas.rect(&format!("f{}", bar.index), (EDGE, top), (x(estimate.value) - EDGE, BAR));
                if let Some((low, high)) = estimate.low.zip(estimate.high).filter(|(low, high)| low < high) {
                    whisker(sheet, (x(low), x(high)), top + BAR / 2.0);
                }
            }
            sheet.canvas.text("", Anchor::Start, (end + 6.0, baseline), &words(bar.estimate));
            let phrase = message!("picture-of", name = &group.title, said = words(bar.estimate));
            sheet.describe_phrase(if subjects.len() > 1 { subjects[bar.index].says(phrase) } else { phrase });
        }
        sheet.strip(LEADING / 4.0);
    }
}

fn shown(quantity: Quantity, value: f64) -> Parameter {
    match quantity {
        Quantity::Bandwidth => Parameter::bytes_per_s(value),
        Quantity::Iops => Parameter::iops(value),
        _ => Parameter::latency_ns(value),
    }
}

fn whisker(sheet: &mut Sheet, (from, to): (f64, f64), middle: f64) {
    sheet.canvas.line("whisker", (from, middle), (to, middle));
    for x in [from, to] {
        sheet.canvas.line("whisker", (x, middle - 3.0), (x, middle + 3.0));
    }
}
