//! A line for each test: how fast, and what speaks against it.

use cardiograph_core::Direction;
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_judge::compare::{ComparedMetric, ComparedTest, Comparison, Favours, Judgement, Role};

use super::Notes;
use super::words::{figure_name, is_about_the_same, name, remark, shown, size, times};
use crate::lang::Lang;
use crate::method::is_quoted_by_speed;

/// From this ratio on it is told in whole times.
const SEVERAL_TIMES: f64 = 2.0;

/// Test, figure, each group's value, and what is to be said.
pub(super) fn rows(notes: &mut Notes) -> Vec<Vec<String>> {
    notes.comparison.tests.iter().flat_map(|test| of_test(test, notes)).collect()
}

fn of_test(test: &ComparedTest, notes: &mut Notes) -> Vec<Vec<String>> {
    let (comparison, lang) = (notes.comparison, notes.lang);
    let row = |metric: &ComparedMetric| {
        let values = metric.values.iter().map(|value| shown(metric.quantity, value.as_ref()));
        let mut remarks: Vec<String> = Vec::new();
        for (group, of) in comparison.groups.iter().enumerate() {
            let Some(about) = about(comparison, metric, group, lang) else { continue };
            let mut told = vec![about + &notes.mark(metric, group)];
            told.extend(but(test, metric, group, notes));
            let told = told.join(lang.pick("; ", "。"));
            // Of two groups there is one remark.
            let needs_name = comparison.groups.len() > 2 && !told.starts_with(&name(of));
            remarks.push(if needs_name { format!("{}: {told}", name(of)) } else { told });
        }
        let first = [crate::text::layout::said(&test.title, lang), figure_name(metric, lang)];
        first.into_iter().chain(values).chain([remarks.join(lang.pick("; ", "。"))]).collect()
    };
    Direction::DATA.iter().filter_map(|&direction| main_figure(test, direction)).map(row).collect()
}

/// What a direction of a test is quoted by.
fn main_figure(test: &ComparedTest, direction: Direction) -> Option<&ComparedMetric> {
    let by = match is_quoted_by_speed(&test.method) {
        true => [Quantity::Bandwidth, Quantity::Iops],
        false => [Quantity::Iops, Quantity::Bandwidth],
    };
    let mut found = by.into_iter().filter_map(|quantity| test.metric(Some(direction), quantity));
    found.find(|metric| metric.values.iter().flatten().count() > 1)
}

/// The ratio in whole times, where it is several.
fn about(comparison: &Comparison, metric: &ComparedMetric, group: usize, lang: Lang) -> Option<String> {
    let against = metric.against[group].as_ref()?;
    let size = size(against).unwrap_or(1.0);
    let better = match against.favours {
        Some(Favours::Base) => comparison.base,
        _ => group,
    };
    let is_claim = against.favours.is_some() && against.judgement != Judgement::NoDifference;
    if size < SEVERAL_TIMES || !is_claim {
        return remark(comparison, metric, group, lang);
    }
    let (name, whole) = (name(&comparison.groups[better]), times(size.round()).replace(".0", ""));
    Some(match lang {
        Lang::En => format!("{name} about {whole} times faster"),
        Lang::Ja => format!("{name}が約{whole}倍 高速"),
    })
}

/// What the one that is faster does worse: the slowest of its I/Os, and how its speed changes.
fn but(test: &ComparedTest, metric: &ComparedMetric, group: usize, notes: &mut Notes) -> Vec<String> {
    let (comparison, lang) = (notes.comparison, notes.lang);
    let favours = metric.against[group].as_ref().and_then(|against| against.favours);
    let is_close = metric.against[group].as_ref().is_some_and(is_about_the_same);
    let is_of = |other: &&ComparedMetric| {
        let is_sync = other.direction == Some(Direction::Sync) && metric.direction == Some(Direction::Write);
        is_sync || other.direction == metric.direction
    };
    let counts = |quantity| match quantity {
        Quantity::Latency(_, Statistic::Percentile(percent)) => percent >= 99.0,
        // Where syncs decide, a mean says what a rate does not.
        Quantity::Latency(_, Statistic::Mean) => is_close,
        Quantity::WindowBandwidth(Statistic::Stdev) => true,
        _ => false,
    };
    let told = test.metrics.iter().filter(is_of).filter(|other| counts(other.quantity)).filter_map(|other| {
        let against = other.against[group].as_ref()?;
        let is_other_way = against.favours.is_some() && (is_close || against.favours != favours);
        let is_main = other.role != Role::Informational;
        let is_told = is_other_way && is_main && !is_about_the_same(against);
        let said = remark(comparison, other, group, lang).filter(|_| is_told)?;
        let said = notes.remark(said, against);
        let mark = notes.mark(other, group);
        Some(format!("{}{}{said}{mark}", figure_name(other, lang), lang.pick(": ", ":")))
    });
    told.collect()
}
