//! The answer, and a line for each test: its speed, and exceptions.

use cardiograph_core::direction::Direction;
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::{Message, Parameter, message};
use cardiograph_judge::by_method::limits_of;
use cardiograph_judge::compare::{
    Against, ComparedMetric, ComparedTest, Favours, GroupValue, Judgement, Role,
};
use cardiograph_judge::standing::STEADY_DEVIATION;

use super::remarks::share;
use super::{Sheet, figures, test_name};
use crate::compare::ratio::{ABOUT_THE_SAME, is_about_the_same, is_shown, larger};
use crate::compare::{best, chosen};
use crate::doc::dots::mark;
use crate::doc::{Cell, Column, Dot, Dots, Node, Row, Table};
use crate::gathered::gathered;
use crate::method;

/// The fact of a RAID controller's write policy, and the end of those that write into its cache.
const WRITE_POLICY: &str = "raid_write_policy";
const WRITE_BACK: &str = "write back";
/// If there is no room, the dots are dropped first, then the ratio.
const DOTS_RANK: u8 = 2;
const RATIO_RANK: u8 = 1;

/// Below this ratio of the spreads of two drives' speeds, neither is called steadier.
const STEADIER_TIMES: f64 = 2.0;
/// Fewer windows of one run say little of how much a drive's speed varies.
const STEADIER_WINDOWS_MIN: u64 = 10;

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

    /// The answer, and what it rests on; `None` if no two groups have a figure in common.
    pub(super) fn answer(&self, sheet: &Sheet<'_>) -> Option<Node> {
        let mut answer = match sheet.other() {
            Some(other) => compare_two(sheet, &self.0, other),
            None => compare_several(sheet, &self.0),
        };
        if answer.is_empty() {
            return None;
        }
        answer.extend(controllers(sheet, &self.0));
        answer.extend(evidence(&self.0));
        Some(Node::paragraph(answer))
    }

    /// A row for each test, with a line of dots unless all figures are shown, and exceptions below.
    pub(super) fn table(&self, sheet: &mut Sheet<'_>) -> Vec<Node> {
        let rows: Vec<Row> = self.0.iter().flat_map(|main| rows(sheet, main)).collect();
        if rows.is_empty() {
            return Vec::new();
        }
        let groups = sheet.names.len();
        let column = |(group, name): (usize, &String)| {
            let mark = mark(group, groups).to_string();
            Column::figures(message!("comparison-heading.marked", mark, group = name), 0)
        };
        let mut columns: Vec<Column> = sheet.names.iter().enumerate().map(column).collect();
        if !sheet.extent.is_full {
            let dots = Column::figures(Message::default(), DOTS_RANK);
            columns.push(Column { legend: legend(&rows), ..dots });
        }
        if sheet.other().is_some() {
            columns.push(Column::figures(message!("comparison-heading.ratio"), RATIO_RANK));
        }
        let names = Some(Message::default());
        vec![Node::Table(Table { caption: None, names, columns, rows, notes: Vec::new() })]
    }
}

/// What the lines of dots show; nothing if there are none.
fn legend(rows: &[Row]) -> Vec<Message> {
    let mut all: Vec<&Dots> = Vec::new();
    for cell in rows.iter().flat_map(|row| &row.cells) {
        all.extend(if let Cell::Dots(dots) = cell { Some(dots) } else { None });
    }
    let has_intervals =
        all.iter().flat_map(|dots| dots.points.iter().flatten()).any(|dot| dot.low < dot.high);
    let has_limits = all.iter().any(|dots| !dots.limits.is_empty());
    let parts = [
        (!all.is_empty()).then(|| message!("comparison-note.scales")),
        has_intervals.then(|| message!("comparison-note.intervals")),
        has_limits.then(|| message!("comparison-note.limits")),
    ];
    parts.into_iter().flatten().collect()
}

/// The number of tests in which each of two groups is faster, and which is steadier.
fn compare_two(sheet: &Sheet<'_>, all: &[Main<'_>], other: usize) -> Vec<Message> {
    let sides = [(sheet.comparison.base, Favours::Base), (other, Favours::Other)];
    let against = |main: &Main| main.metric.against[other].clone();
    let faster = |side: Favours| -> Vec<(f64, &Main)> {
        let with_ratio = |main| Some((larger(against(main)?.ratio?), main));
        let is_faster = |main: &&Main| {
            against(main).is_some_and(|against| against.favours == Some(side) && is_shown(&against))
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
                group,
                all = all.len(),
                size = Parameter::times(*ratio),
                test = main.name.clone()
            )),
            [(least, least_of), .., (most, most_of)] => Some(message!(
                "comparison-answer.faster",
                group,
                tests = found.len(),
                all = all.len(),
                least = Parameter::times(*least),
                least_test = least_of.name.clone(),
                most = Parameter::times(*most),
                most_test = most_of.name.clone()
            )),
        }
    };
    let count = |is_it: fn(&Against) -> bool| {
        all.iter().filter(|main| against(main).as_ref().is_some_and(is_it)).count()
    };
    let unclear = count(|against| against.unclear().is_some());
    let similar = count(|against| is_about_the_same(against) && against.unclear().is_none());
    let similar =
        (similar > 0).then(|| message!("comparison-answer.similar", tests = similar, all = all.len()));
    let unclear =
        (unclear > 0).then(|| message!("comparison-answer.unclear", tests = unclear, all = all.len()));
    let steadier: Vec<(usize, Message)> =
        all.iter().filter_map(|main| steadier(sheet, main, other)).collect();
    // Two drives, each with its own strength: the faster in most tests, and the one that is always steadier.
    let (fast, tests) = leads.first().map_or((other, 0), |(group, found)| (*group, found.len()));
    let is_contrast =
        tests * 2 > all.len() && !steadier.is_empty() && steadier.iter().all(|(steady, _)| *steady != fast);
    let contrast = is_contrast.then(|| {
        let steady = sheet.comparison.base + other - fast;
        message!("comparison-answer.contrast", fast = &sheet.names[fast], steady = &sheet.names[steady])
    });
    let steadier = steadier.into_iter().map(|(_, sentence)| sentence);
    leads.iter().filter_map(sentence).chain(similar).chain(unclear).chain(steadier).chain(contrast).collect()
}

/// Groups whose controller's cache takes the writes, if they are faster at these than one without.
fn controllers(sheet: &Sheet<'_>, all: &[Main<'_>]) -> Vec<Message> {
    let facts = &sheet.comparison.facts;
    let Some(policies) = facts.iter().find(|fact| fact.name == WRITE_POLICY) else { return Vec::new() };
    let caches = |group: usize| {
        let values = &policies.values[group];
        !values.is_empty() && values.iter().all(|value| value.ends_with(WRITE_BACK))
    };
    let writes = || all.iter().filter(|main| main.metric.direction == Some(Direction::Write));
    let gains = |group: usize| {
        writes().any(|main| {
            let value = |group: usize| main.metric.values[group].as_ref().map(|value| value.estimate.value);
            let others = (0..sheet.names.len()).filter(|&other| !caches(other)).filter_map(value);
            value(group).is_some_and(|mine| others.into_iter().any(|other| mine > other * ABOUT_THE_SAME))
        })
    };
    let sentence = |group: usize| {
        let policy = policies.values[group].join(", ");
        message!("comparison-answer.controller", group = &sheet.names[group], policy)
    };
    (0..sheet.names.len()).filter(|&group| caches(group) && gains(group)).map(sentence).collect()
}

/// What the answer rests on: the number of runs, and what a single one says of its own rate.
fn evidence(all: &[Main<'_>]) -> Vec<Message> {
    let values = || all.iter().flat_map(|main| main.metric.values.iter().flatten());
    let (least, most) =
        values().fold((usize::MAX, 0), |(least, most), value| (least.min(value.runs), most.max(value.runs)));
    if least > 1 {
        let runs = if least == most {
            Message::quantity(least.into())
        } else {
            message!("comparison-basis.runs", least, most)
        };
        return vec![message!("comparison-basis.between-runs", runs)];
    }
    if most > 1 {
        return vec![message!("comparison-basis.one-side", groups = all[0].metric.values.len())];
    }
    let shares = values()
        .map(|value| &value.estimate)
        .map(|estimate| estimate.half_width_share().filter(|_| !estimate.is_vague()));
    let shares = shares.collect::<Option<Vec<f64>>>().unwrap_or_default();
    let end = |order: fn(f64, f64) -> f64| shares.iter().copied().reduce(order).map(share);
    let known = end(f64::min).zip(end(f64::max));
    let known = known.map(|(best, worst)| message!("comparison-basis.known", best, worst));
    std::iter::once(message!("comparison-basis.within-run")).chain(known).collect()
}

/// The steadier of two groups in a test, with the slowest and fastest windows of both.
fn steadier(sheet: &Sheet<'_>, main: &Main<'_>, other: usize) -> Option<(usize, Message)> {
    if main.metric.quantity != Quantity::Bandwidth {
        return None;
    }
    let figure = |quantity, group: usize| {
        let metric = main.test.metric(main.metric.direction, quantity)?;
        let value = metric.values[group].as_ref().filter(|_| metric.is_of_equal_windows());
        let value = value.filter(|value| value.is_believed())?;
        let is_known =
            value.runs > 1 || !quantity.is_of_windows() || value.estimate.n >= STEADIER_WINDOWS_MIN;
        is_known.then_some(value.estimate.value)
    };
    let window = |statistic, group| figure(Quantity::WindowBandwidth(statistic), group);
    // As a share of the speed: a drive three times as fast may vary three times as much.
    let spread = |group| Some(window(Statistic::Stdev, group)? / figure(Quantity::Bandwidth, group)?);
    let base = sheet.comparison.base;
    let (base_spread, other_spread) = (spread(base)?, spread(other)?);
    let (steady, unsteady) = if base_spread < other_spread { (base, other) } else { (other, base) };
    let (less, more) = (base_spread.min(other_spread), base_spread.max(other_spread));
    // If both are steady, neither is steadier.
    if more < STEADY_DEVIATION || more < STEADIER_TIMES * less {
        return None;
    }
    let speed = |statistic, group| Some(method::value(Quantity::Bandwidth, window(statistic, group)?));
    let sentence = message!(
        "comparison-answer.steadier",
        runs = main.metric.values.iter().flatten().map(|value| value.runs).max().unwrap_or(1),
        test = main.name.clone(),
        group = &sheet.names[steady],
        low = speed(Statistic::Min, steady)?,
        high = speed(Statistic::Max, steady)?,
        other = &sheet.names[unsteady],
        other_low = speed(Statistic::Min, unsteady)?,
        other_high = speed(Statistic::Max, unsteady)?
    );
    Some((steady, sentence))
}

/// The number of tests in which each of several groups is fastest, or about as fast as the one that is so in most.
fn compare_several(sheet: &Sheet<'_>, all: &[Main<'_>]) -> Vec<Message> {
    let best: Vec<Vec<bool>> = all.iter().map(|main| best::best_values(main.metric)).collect();
    let tests_of = |group: usize| best.iter().map(|best| best[group]).collect::<Vec<bool>>();
    // Drives that are alike share a sentence.
    let mut alike: Vec<(Vec<bool>, Vec<&String>)> =
        gathered(sheet.names.iter().enumerate().map(|(group, name)| (tests_of(group), name)));
    let count = |tests: &[bool]| tests.iter().filter(|is_best| **is_best).count();
    alike.retain(|(tests, _)| count(tests) > 0);
    alike.sort_by_key(|(tests, _)| std::cmp::Reverse(count(tests)));
    let Some((leads, _)) = alike.first() else { return Vec::new() };
    let sentence = |(tests, names): &(Vec<bool>, Vec<&String>)| {
        let (groups, group) = (names.len(), Parameter::all(names.iter().copied()));
        let is_behind = tests != leads && tests.iter().zip(leads).all(|(is_best, leads)| is_best <= leads);
        match is_behind {
            true => message!("comparison-answer.as-fast", group, tests = count(tests)),
            false => {
                message!("comparison-answer.fastest", groups, group, tests = count(tests), all = all.len())
            }
        }
    };
    alike.iter().map(sentence).collect()
}

/// The row of a test, and below it what qualifies it.
fn rows(sheet: &mut Sheet<'_>, main: &Main<'_>) -> Vec<Row> {
    let best = match sheet.other() {
        None => best::best_values(main.metric),
        Some(_) => Vec::new(),
    };
    let first = row(sheet, main, (main.name.clone(), main.metric, &best));
    let qualified = sheet.other().map(|other| qualifying(main, other)).unwrap_or_default();
    let below = qualified.into_iter().flat_map(|metric| {
        let name = method::with_direction(metric.direction, metric.quantity);
        let rows = row(sheet, main, (name, metric, &[]));
        rows.into_iter().map(|row| Row { depth: row.depth + 1, ..row }).collect::<Vec<_>>()
    });
    let below: Vec<Row> = below.collect();
    let is_near = main.test.sides.iter().flatten().any(|side| side.is_near());
    let differences = sheet.differences(main.test).filter(|_| is_near);
    let cells = || vec![Cell::Empty; first[0].cells.len()];
    let differences = differences.map(|name| Row { name, depth: 1, cells: cells() });
    let differences: Vec<Row> = differences.into_iter().collect();
    first.into_iter().chain(differences).chain(below).collect()
}

/// The row of a figure: values, dots, and the ratio with the mark of the better one. A difference that is not shown is said
/// below.
fn row(
    sheet: &mut Sheet<'_>,
    main: &Main<'_>,
    (name, metric, best): (Message, &ComparedMetric, &[bool]),
) -> Vec<Row> {
    sheet.notes.has_best |= best.contains(&true);
    let mut cells = figures::cells(main.test, metric);
    for (group, cell) in cells.iter_mut().enumerate() {
        let Cell::Value(value) = &*cell else { continue };
        let is_best = best.get(group) == Some(&true);
        *cell = figures::shown(value, is_best, sheet.ratio(metric, group));
    }
    if !sheet.extent.is_full {
        cells.push(dots(sheet, main, metric).map_or(Cell::Empty, Cell::Dots));
    }
    let mut below = None;
    if let Some(other) = sheet.other() {
        let against = metric.against[other].as_ref();
        let unclear = against.filter(|against| against.unclear().is_some());
        below = unclear.and_then(|_| sheet.remark(metric, other));
        let ratio =
            against.filter(|_| unclear.is_none()).and_then(|against| marked_ratio(sheet, against, other));
        cells.push(ratio.map_or(Cell::Empty, |ratio| Cell::Text(sheet.noted(metric, other, ratio))));
    }
    let below = below.map(|name| Row { name, depth: 1, cells: vec![Cell::Empty; cells.len()] });
    std::iter::once(Row::new(name, cells)).chain(below).collect()
}

/// A figure's values on a line, with the limits of purposes.
fn dots(sheet: &Sheet<'_>, main: &Main<'_>, metric: &ComparedMetric) -> Option<Dots> {
    let dot = |value: &Option<GroupValue>| {
        let estimate = value.as_ref().filter(|value| !value.is_withheld())?.estimate;
        let at = estimate.value;
        Some(Dot { at, low: estimate.low.unwrap_or(at), high: estimate.high.unwrap_or(at) })
    };
    let limits = limits_of(&sheet.comparison.purposes, &main.test.method, metric.direction, metric.quantity);
    Dots::new(&metric.values.iter().map(dot).collect::<Vec<_>>(), &limits)
}

/// The mark of the better of two values, and by how many times it is better.
pub(super) fn marked_ratio(sheet: &Sheet<'_>, against: &Against, other: usize) -> Option<Message> {
    if is_about_the_same(against) {
        return Some(message!("comparison-remark.similar"));
    }
    let ratio = Message::quantity(Parameter::times(larger(against.ratio?)));
    let better = match against.favours {
        Some(Favours::Base) => sheet.comparison.base,
        Some(Favours::Other) => other,
        None => return Some(ratio),
    };
    let mark = mark(better, sheet.names.len()).to_string();
    Some(message!("comparison-value.marked", mark, ratio))
}

/// Figures that qualify a test's row: the slowest syncs, and those in which the faster group is worse.
fn qualifying<'c>(main: &Main<'c>, group: usize) -> Vec<&'c ComparedMetric> {
    let is_write = main.metric.direction == Some(Direction::Write);
    let against = |metric: &ComparedMetric| metric.against[group].clone();
    let favours = against(main.metric).and_then(|against| against.favours);
    let is_close = against(main.metric).as_ref().is_some_and(is_about_the_same);
    let counts = |metric: &&ComparedMetric| match metric.quantity {
        Quantity::Latency(_, Statistic::Percentile(percent)) => percent >= 95.0,
        // Syncs decide at a durable write: the mean says more than the rate.
        Quantity::Latency(_, Statistic::Mean) => is_close || metric.direction == Some(Direction::Sync),
        _ => false,
    };
    let is_of = |metric: &&ComparedMetric| {
        metric.direction == main.metric.direction || is_write && metric.direction == Some(Direction::Sync)
    };
    let with_both = |metric: &&ComparedMetric| {
        metric.values.iter().flatten().count() > 1 && metric.role != Role::Informational
    };
    let all: Vec<&ComparedMetric> =
        main.test.metrics.iter().filter(is_of).filter(counts).filter(with_both).collect();
    let percent = |metric: &ComparedMetric| match metric.quantity {
        Quantity::Latency(_, Statistic::Percentile(percent)) => percent,
        _ => 0.0,
    };
    let of_syncs = || all.iter().filter(|metric| metric.direction == Some(Direction::Sync));
    let slowest = of_syncs().map(|metric| percent(metric)).reduce(f64::max);
    // The slowest may be known too badly to decide: then the next one that does.
    let is_decided = |metric: &&&ComparedMetric| {
        let is_clear = |against: Against| against.judgement != Judgement::CannotTell && is_shown(&against);
        percent(metric) > 0.0 && against(metric).is_some_and(is_clear)
    };
    let decided = of_syncs().filter(is_decided).map(|metric| percent(metric)).reduce(f64::max);
    let is_said = |metric: &&&ComparedMetric| {
        let percent = percent(metric);
        let is_sync = metric.direction == Some(Direction::Sync);
        let is_slowest = is_sync && (Some(percent) == slowest || Some(percent) == decided);
        let is_tail = percent == 0.0 || percent >= 99.0;
        let is_other_way = is_tail
            && against(metric).is_some_and(|against| {
                against.favours.is_some() && (is_close || against.favours != favours) && is_shown(&against)
            });
        is_slowest || is_other_way
    };
    all.iter().filter(is_said).copied().collect()
}
