//! The answer, and a line for each test: its speed, and exceptions.

use cardiograph_core::direction::Direction;
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::{Message, message};
use cardiograph_judge::compare::{ComparedMetric, ComparedTest, Favours, Role};

use super::figures::Line;
use super::remarks::size;
use super::{Sheet, test_name};
use crate::compare::ratio::{is_about_the_same, larger};
use crate::compare::{best, chosen};
use crate::doc::Node;
use crate::method;

/// Below this ratio of the spreads of two drives' speeds, neither is called steadier.
const STEADIER_TIMES: f64 = 2.0;
/// Below this standard deviation of its windows, as a share of the mean, a drive is steady: if both are,
/// neither is called steadier.
const UNSTEADY_SHARE: f64 = 0.1;

/// A figure by which a test is quoted.
struct Main<'c> {
    name: Message,
    test: &'c ComparedTest,
    metric: &'c ComparedMetric,
}

/// The figures by which the tests are quoted.
pub(super) struct Summary<'c>(Vec<Main<'c>>);

impl<'c> Summary<'c> {
    pub(super) fn new(sheet: &Sheet<'c>) -> Self {
        let main_figures = |test: &'c ComparedTest| {
            let all = chosen::main_figures(test);
            let is_alone = all.len() == 1;
            let main = move |metric: &'c ComparedMetric| {
                let name = test_name(test, metric.direction, is_alone);
                Main { name, test, metric }
            };
            all.into_iter().map(main)
        };
        Self(sheet.comparison.tests.iter().flat_map(main_figures).collect())
    }

    /// The answer; `None` if no two groups have a figure in common.
    pub(super) fn answer(&self, sheet: &Sheet<'_>) -> Option<Node> {
        let answer = match sheet.other() {
            Some(other) => compare_two(sheet, &self.0, other),
            None => compare_several(sheet, &self.0),
        };
        (!answer.is_empty()).then(|| Node::paragraph(answer))
    }

    /// A line for each test, and its exceptions.
    pub(super) fn table(&self, sheet: &mut Sheet<'_>) -> Option<Node> {
        let lines = self.0.iter().flat_map(|main| lines(sheet, main)).collect();
        let table = sheet.table(message!("comparison-heading.test"), lines).map(Node::Table);
        Node::section("summary", message!("comparison-heading.summary"), table.into_iter().collect())
    }

    /// Whether it has a line for this figure.
    pub(super) fn has(&self, metric: &ComparedMetric) -> bool {
        self.0.iter().any(|main| std::ptr::eq(main.metric, metric))
    }
}

/// The number of tests in which each of two groups is faster, and which is steadier.
fn compare_two(sheet: &Sheet<'_>, all: &[Main<'_>], other: usize) -> Vec<Message> {
    let sides = [(sheet.comparison.base, Favours::Base), (other, Favours::Other)];
    let against = |main: &Main| main.metric.against[other].clone();
    let faster = |side: Favours| -> Vec<(f64, &Main)> {
        let with_ratio = |main| Some((larger(against(main)?.ratio?), main));
        let is_faster = |main: &&Main| {
            against(main).is_some_and(|against| against.favours == Some(side) && !is_about_the_same(&against))
        };
        let mut found: Vec<(f64, &Main)> = all.iter().filter(is_faster).filter_map(with_ratio).collect();
        found.sort_by(|(one, _), (next, _)| one.total_cmp(next));
        found
    };
    let mut leads: Vec<(usize, Vec<(f64, &Main)>)> =
        sides.map(|(group, side)| (group, faster(side))).into_iter().collect();
    leads.sort_by_key(|(_, found)| std::cmp::Reverse(found.len()));
    let sentence = |(group, found): &(usize, Vec<(f64, &Main)>)| {
        let group = &sheet.names[*group];
        match &found[..] {
            [] => None,
            [(ratio, main)] => Some(message!(
                "comparison-answer.faster-once",
                group = group,
                all = all.len(),
                size = size(*ratio),
                test = main.name.clone()
            )),
            [(least, least_of), .., (most, most_of)] => Some(message!(
                "comparison-answer.faster",
                group = group,
                tests = found.len(),
                all = all.len(),
                least = size(*least),
                least_test = least_of.name.clone(),
                most = size(*most),
                most_test = most_of.name.clone()
            )),
        }
    };
    let similar = all.iter().filter(|main| against(main).as_ref().is_some_and(is_about_the_same)).count();
    let similar =
        (similar > 0).then(|| message!("comparison-answer.similar", tests = similar, all = all.len()));
    let steadier = all.iter().filter_map(|main| steadier(sheet, main, other));
    leads.iter().filter_map(sentence).chain(similar).chain(steadier).collect()
}

/// The steadier of two groups in a test, with the slowest and fastest windows of both.
fn steadier(sheet: &Sheet<'_>, main: &Main<'_>, other: usize) -> Option<Message> {
    let figure = |quantity, group: usize| {
        let metric = main.test.metric(main.metric.direction, quantity)?;
        let value = metric.values[group].as_ref().filter(|_| metric.is_of_equal_windows());
        Some(value.filter(|value| value.is_believed())?.estimate.value)
    };
    let window = |statistic, group| figure(Quantity::WindowBandwidth(statistic), group);
    // As a share of the speed: a drive three times as fast may vary three times as much.
    let spread = |group| Some(window(Statistic::Stdev, group)? / figure(Quantity::Bandwidth, group)?);
    let base = sheet.comparison.base;
    let (base_spread, other_spread) = (spread(base)?, spread(other)?);
    let (steady, unsteady) = if base_spread < other_spread { (base, other) } else { (other, base) };
    let (less, more) = (base_spread.min(other_spread), base_spread.max(other_spread));
    if more < UNSTEADY_SHARE || more < STEADIER_TIMES * less {
        return None;
    }
    let speed = |statistic, group| Some(method::value(Quantity::Bandwidth, window(statistic, group)?));
    Some(message!(
        "comparison-answer.steadier",
        test = main.name.clone(),
        group = &sheet.names[steady],
        low = speed(Statistic::Min, steady)?,
        high = speed(Statistic::Max, steady)?,
        other = &sheet.names[unsteady],
        other_low = speed(Statistic::Min, unsteady)?,
        other_high = speed(Statistic::Max, unsteady)?
    ))
}

/// The number of tests in which each of several groups is fastest.
fn compare_several(sheet: &Sheet<'_>, all: &[Main<'_>]) -> Vec<Message> {
    let best: Vec<Vec<bool>> =
        all.iter().map(|main| best::best_values(main.test, main.metric, sheet.comparison.base)).collect();
    let count_fastest = |(group, name): (usize, &String)| {
        let tests = best.iter().filter(|best| best[group]).count();
        (tests, message!("comparison-answer.fastest", group = name, tests = tests, all = all.len()))
    };
    let mut found: Vec<(usize, Message)> =
        sheet.names.iter().enumerate().map(count_fastest).filter(|(tests, _)| *tests > 0).collect();
    found.sort_by_key(|(tests, _)| std::cmp::Reverse(*tests));
    found.into_iter().map(|(_, sentence)| sentence).collect()
}

fn lines(sheet: &mut Sheet<'_>, main: &Main<'_>) -> Vec<Line> {
    let first = Line { name: main.name.clone(), ..sheet.line(main.metric) };
    let exceptions = sheet.other().map(|other| exceptions(sheet, main, other)).unwrap_or_default();
    std::iter::once(first).chain(exceptions).collect()
}

/// Figures in which the faster group is worse: its slowest I/Os, and its variation of speed.
fn exceptions(sheet: &mut Sheet<'_>, main: &Main<'_>, group: usize) -> Vec<Line> {
    let direction = main.metric.direction;
    let against = main.metric.against[group].as_ref();
    let favours = against.and_then(|against| against.favours);
    let is_close = against.is_some_and(is_about_the_same);
    let is_same_direction = |other: &&ComparedMetric| {
        let is_sync = other.direction == Some(Direction::Sync) && direction == Some(Direction::Write);
        is_sync || other.direction == direction
    };
    let counts = |quantity| match quantity {
        Quantity::Latency(_, Statistic::Percentile(percent)) => percent >= 99.0,
        // If syncs decide, the mean says more than the rate.
        Quantity::Latency(_, Statistic::Mean) => is_close,
        Quantity::WindowBandwidth(Statistic::Stdev) => true,
        _ => false,
    };
    let exception = |other: &ComparedMetric| {
        let against = other.against[group].as_ref()?;
        let is_other_way = against.favours.is_some() && (is_close || against.favours != favours);
        let is_shown = is_other_way && other.role != Role::Informational && !is_about_the_same(against);
        is_shown.then(|| Line { depth: 1, ..sheet.line(other) })
    };
    main.test
        .metrics
        .iter()
        .filter(is_same_direction)
        .filter(|other| counts(other.quantity))
        .filter_map(exception)
        .collect()
}
