//! The figures of one test in all groups.

use std::borrow::Cow;

use cardiograph_core::Doubt;
use cardiograph_core::direction::Direction;
use cardiograph_core::estimate::Estimate;
use cardiograph_core::imported::Figure;
use cardiograph_core::method::{Durability, Method, Pattern};
use cardiograph_core::quantity::{Better, Quantity, Statistic};
use cardiograph_core::stats::mean;
use cardiograph_core::text::unique;

use super::judgement::{Question, against};
use super::known::{RunValue, is_paced};
use super::latency::{JUDGED_PERCENTILES, latency_kind};
use super::pairing::{Member, Pair};
use super::{Against, Best, ComparedMetric, ComparedTest, GroupValue, Reason, Role, Side, distribution};
use crate::record::{TestFigures, tail};

/// Extremes are comparable between durations within this factor.
const ABOUT_AS_LONG: f64 = 1.1;

/// The highest judged percentile. Runs that each have too few samples above it may have enough together.
const TAIL: Statistic = Statistic::Percentile(99.9);

/// A group's runs of a test.
type Members<'g> = Vec<Member<'g>>;

/// A group's values of a figure.
struct GroupFigure {
    shown: GroupValue,
    /// The reliable values.
    runs: Vec<RunValue>,
    window_ns: Option<u64>,
}

/// A paired test with its figures, not yet judged.
pub(super) fn compared_test(pair: &Pair, base: usize, wanted: &[Quantity]) -> ComparedTest {
    let mut names = names(pair);
    names.retain(|(_, quantity)| wanted.is_empty() || wanted.contains(quantity));
    // A figure that would follow another is judged itself if the other was not requested.
    let role = |direction, quantity| match role(pair, direction, quantity) {
        Role::Follows if !wanted.is_empty() && !wanted.contains(&Quantity::Bandwidth) => Role::Judged,
        role => role,
    };
    let metrics = names
        .iter()
        .map(|&(direction, quantity)| metric(pair, base, (direction, quantity), role(direction, quantity)));
    let side = |members: &Members| {
        // If runs have several scales, report the one that differs most.
        let most_different = members.iter().rev().max_by_key(|member| member.differences.len())?;
        Some(Side {
            test: most_different.test.test.clone(),
            runs: members.len(),
            differences: most_different.differences.clone(),
        })
    };
    ComparedTest {
        test: pair.test.test.clone(),
        title: pair.test.title.clone(),
        method: pair.test.method.clone(),
        sides: pair.sides.iter().map(side).collect(),
        metrics: metrics.collect(),
        distributions: distribution::distributions(pair),
    }
}

/// All figures that some run has, ordered by direction and first appearance.
fn names(pair: &Pair) -> Vec<(Option<Direction>, Quantity)> {
    let figures = pair.sides.iter().flatten().flat_map(|member| &member.test.figures);
    let figures = figures.filter(|figure| !is_spread_of_one(figure));
    let tests = pair.sides.iter().flatten().map(|member| member.test);
    let latencies = tests.flat_map(|test| &test.latencies);
    let tails = latencies.map(|of| (Some(of.direction), Quantity::Latency(of.kind, TAIL)));
    let mut names = unique(figures.map(|figure| (figure.direction, figure.quantity)).chain(tails));
    names.sort_by_key(|&(direction, _)| direction.map_or(usize::MAX, Direction::index));
    names
}

/// Whether it is the standard deviation of a single value, and so undefined. An unknown count is accepted.
fn is_spread_of_one(figure: &Figure) -> bool {
    let is_deviation = matches!(
        figure.quantity,
        Quantity::Latency(_, Statistic::Stdev)
            | Quantity::WindowBandwidth(Statistic::Stdev)
            | Quantity::WindowIops(Statistic::Stdev)
    );
    is_deviation && figure.estimate.n == 1
}

fn metric(
    pair: &Pair,
    base: usize,
    (direction, quantity): (Option<Direction>, Quantity),
    role: Role,
) -> ComparedMetric {
    let figures: Vec<Option<GroupFigure>> =
        pair.sides.iter().map(|members| group_figure(members, direction, quantity)).collect();
    let better = better(&pair.test.method, quantity);
    let compare = |base: usize, group: usize| {
        let (mine, theirs) = (figures[base].as_ref()?, figures[group].as_ref()?);
        (group != base).then(|| {
            let not_judged = not_judged(pair, [(base, mine), (group, theirs)], role, (direction, quantity));
            // If it is not the drive's, or was measured differently or for longer, more is not better.
            let better = match not_judged {
                Some(Reason::Doubt | Reason::Method | Reason::Durations) => Better::Neither,
                _ => better,
            };
            // Unreliable values are still shown, with their ratio.
            let runs = |figure: &GroupFigure| match figure.runs.is_empty() {
                true => vec![RunValue { value: figure.shown.estimate.value, within: None }],
                false => figure.runs.clone(),
            };
            let mut found = against(&runs(mine), &runs(theirs), Question { quantity, better, not_judged });
            if not_judged == Some(Reason::FewSamples) {
                set_interval(&mut found, &mine.shown.estimate, &theirs.shown.estimate);
            }
            let is_withheld = [mine, theirs].iter().any(|figure| figure.shown.is_withheld());
            // No ratio for withheld values.
            if is_withheld { Against { ratio: None, ..found } } else { found }
        })
    };
    let groups = 0..figures.len();
    let reliable = |group: usize| {
        let shown = &figures[group].as_ref()?.shown;
        let is_similar = pair.sides[group].iter().any(Member::is_similar);
        (shown.is_believed() && !is_similar).then_some((shown.estimate.value, group))
    };
    let all = groups.clone().filter_map(reliable);
    let best = match better {
        Better::More => all.max_by(|one, next| one.0.total_cmp(&next.0)),
        Better::Less => all.min_by(|one, next| one.0.total_cmp(&next.0)),
        Better::Neither => None,
    };
    let best = best.map(|(_, best)| {
        let compared = |group| reliable(group).and_then(|_| compare(best, group));
        Best { group: best, against: groups.clone().map(compared).collect() }
    });
    let against = groups.map(|group| compare(base, group)).collect();
    let lengths = unique(figures.iter().flatten().map(|figure| figure.window_ns));
    let window_ns = if let [length] = lengths[..] { length } else { None };
    let values = figures.into_iter().map(|figure| figure.map(|figure| figure.shown)).collect();
    ComparedMetric { direction, quantity, window_ns, role, values, against, best, per_price: Vec::new() }
}

fn group_figure<'g>(
    members: &Members<'g>,
    direction: Option<Direction>,
    quantity: Quantity,
) -> Option<GroupFigure> {
    let figure = |member: &Member<'g>| {
        let figure = member.test.reported_or_derived(direction, quantity);
        Some((member.test, figure.filter(|figure| !is_spread_of_one(figure))?))
    };
    let all: Vec<(&TestFigures, Cow<Figure>)> = members.iter().filter_map(figure).collect();
    if let Some(shown) = few_together(members, &all, direction, quantity) {
        return Some(GroupFigure { shown, runs: Vec::new(), window_ns: None });
    }
    let (_, first) = all.first()?;
    let window_ns = first.window_ns;
    if all.iter().any(|(_, figure)| figure.window_ns != window_ns) {
        return None;
    }
    let believed: Vec<&(&TestFigures, Cow<Figure>)> =
        all.iter().filter(|(_, figure)| figure.is_believed()).collect();
    let runs: Vec<RunValue> = believed.iter().map(|(test, figure)| RunValue::new(test, figure)).collect();
    let shown = match &believed[..] {
        [] => GroupValue { estimate: first.estimate, runs: all.len(), doubt: first.doubt.clone() },
        [(_, figure)] => GroupValue { estimate: figure.estimate, runs: 1, doubt: figure.doubt.clone() },
        several => {
            let values: Vec<f64> = several.iter().map(|(_, figure)| figure.estimate.value).collect();
            let doubt = several.iter().find_map(|(_, figure)| figure.doubt.clone());
            GroupValue { estimate: Estimate::mean(&values), runs: values.len(), doubt }
        }
    };
    Some(GroupFigure { shown, runs, window_ns })
}

/// A percentile of all runs together, if some of them alone have too few samples above it.
fn few_together(
    members: &Members,
    all: &[(&TestFigures, Cow<Figure>)],
    direction: Option<Direction>,
    quantity: Quantity,
) -> Option<GroupValue> {
    let Quantity::Latency(kind, Statistic::Percentile(percent)) = quantity else { return None };
    if all.len() == members.len()
        && !all.iter().any(|(_, figure)| matches!(figure.doubt, Some(Doubt::FewSamples { .. })))
    {
        return None;
    }
    let tests: Vec<&TestFigures> = members.iter().map(|member| member.test).collect();
    let (estimate, above) = tail::pooled(&tests, direction, kind, percent)?;
    Some(GroupValue { estimate, runs: members.len(), doubt: Some(Doubt::FewSamples { above }) })
}

fn not_judged(
    pair: &Pair,
    both: [(usize, &GroupFigure); 2],
    role: Role,
    (direction, quantity): (Option<Direction>, Quantity),
) -> Option<Reason> {
    let is_extreme = match quantity {
        Quantity::LongestStall | Quantity::Latency(_, Statistic::Max) => true,
        Quantity::WindowBandwidth(of) | Quantity::WindowIops(of) => {
            matches!(of, Statistic::Min | Statistic::Max)
        }
        _ => false,
    };
    let [(_, mine), (_, theirs)] = both;
    let is_similar = |group: usize| pair.sides[group].iter().any(Member::is_similar);
    if quantity.is_of_windows() && (mine.window_ns.is_none() || mine.window_ns != theirs.window_ns) {
        Some(Reason::Windows)
    } else if both.iter().any(|(_, figure)| !figure.shown.is_believed() && !figure.shown.is_light()) {
        Some(Reason::Doubt)
    } else if both.iter().any(|&(group, _)| is_similar(group)) {
        Some(Reason::Method)
    } else if both.iter().any(|(_, figure)| figure.shown.is_light()) {
        Some(Reason::FewSamples)
    } else if is_extreme && !took_about_as_long(both.map(|(group, _)| &pair.sides[group]), direction) {
        Some(Reason::Durations)
    } else if matches!(role, Role::Stability | Role::Informational) {
        Some(Reason::Kind)
    } else {
        None
    }
}

/// The interval of the ratio of two values, from theirs: as far as both may be from each other.
fn set_interval(against: &mut Against, base: &Estimate, other: &Estimate) {
    let end = |other: Option<f64>, base: Option<f64>| Some(other? / base.filter(|&base| base > 0.0)?);
    (against.low, against.high) = (end(other.low, base.high), end(other.high, base.low));
    if against.low < Some(1.0) && against.high > Some(1.0) {
        against.reason = Some(Reason::Wide);
    }
}

/// Whether the runs of two groups took about as long, if known: measured duration, else planned duration or
/// amount of work.
fn took_about_as_long(sides: [&Members; 2], direction: Option<Direction>) -> bool {
    let mean_of = |members: &Members, value: &dyn Fn(&TestFigures) -> Option<f64>| {
        let values: Vec<f64> = members.iter().filter_map(|member| value(member.test)).collect();
        (!values.is_empty()).then(|| mean(&values))
    };
    let duration = |test: &TestFigures| {
        let is_it = |figure: &&Figure| {
            figure.quantity == Quantity::Runtime
                && direction.is_none_or(|direction| figure.direction == Some(direction.counted_with()))
        };
        let took = test.figures.iter().filter(is_it).map(|figure| figure.estimate.value);
        took.max_by(f64::total_cmp).or(test.method.time_ns.map(|time_ns| time_ns as f64))
    };
    let size = |test: &TestFigures| test.method.size_bytes.map(|bytes| bytes as f64);
    let means = |value: &dyn Fn(&TestFigures) -> Option<f64>| {
        let [one, two] = sides.map(|members| mean_of(members, value));
        one.zip(two)
    };
    let is_alike = |(one, two): (f64, f64)| one.max(two) <= one.min(two) * ABOUT_AS_LONG;
    means(&duration).or_else(|| means(&size)).is_none_or(is_alike)
}

fn role(pair: &Pair, direction: Option<Direction>, quantity: Quantity) -> Role {
    match quantity {
        Quantity::Bandwidth => Role::Judged,
        Quantity::Iops if has_bytes_of_one_length(pair, direction, Quantity::Bandwidth) => Role::Follows,
        Quantity::Iops => Role::Judged,
        Quantity::Latency(kind, statistic) if Some(kind) == latency_kind(pair, direction) => {
            match statistic {
                Statistic::Mean if follows_rate(pair, direction) => Role::Follows,
                Statistic::Mean => Role::Judged,
                Statistic::Percentile(percent) if JUDGED_PERCENTILES.contains(&percent) => Role::Judged,
                Statistic::Max | Statistic::Stdev => Role::Stability,
                Statistic::Min | Statistic::Percentile(_) => Role::Informational,
            }
        }
        Quantity::WindowIops(statistic)
            if has_bytes_of_one_length(pair, direction, Quantity::WindowBandwidth(statistic)) =>
        {
            Role::Informational
        }
        Quantity::WindowBandwidth(Statistic::Mean) | Quantity::WindowIops(Statistic::Mean) => {
            Role::Informational
        }
        Quantity::WindowBandwidth(_) | Quantity::WindowIops(_) | Quantity::LongestStall => Role::Stability,
        Quantity::Latency(..) | Quantity::Bytes | Quantity::Ios | Quantity::Runtime => Role::Informational,
    }
}

/// Whether I/Os per second are equivalent to bandwidth: if that is reported, and all I/Os have one block
/// size.
fn has_bytes_of_one_length(pair: &Pair, direction: Option<Direction>, bytes: Quantity) -> bool {
    let has_length = |member: &Member| {
        member.test.reported_or_derived(direction, bytes).is_some()
            && member.test.method.block_bytes.is_some()
    };
    is_reported(pair, direction, bytes) && pair.sides.iter().flatten().all(has_length)
}

/// Whether some run has a figure.
fn is_reported(pair: &Pair, direction: Option<Direction>, quantity: Quantity) -> bool {
    pair.sides.iter().flatten().any(|member| member.test.figure(direction, quantity).is_some())
}

/// Whether a mean latency is determined by queue depth and rate: if all I/Os are of one kind, and nothing
/// else takes time between them.
fn follows_rate(pair: &Pair, direction: Option<Direction>) -> bool {
    let rate = Quantity::Bandwidth;
    let follows = |member: &Member| {
        let method = &member.test.method;
        let is_alone =
            method.pattern.is_some_and(|pattern| !pattern.is_mixed() && pattern != Pattern::Application);
        let is_never_synced = method.durability.is_none_or(|when| when == Durability::Never);
        let has_rate = member.test.reported_or_derived(direction, rate).is_some();
        is_alone && is_never_synced && !is_paced(method) && has_rate
    };
    is_reported(pair, direction, rate) && pair.sides.iter().flatten().all(follows)
}

/// Which direction is better for a quantity in a test: shorter for a fixed amount of work, more for a fixed
/// time.
fn better(method: &Method, quantity: Quantity) -> Better {
    match quantity {
        Quantity::Runtime if method.time_ns.is_none() && method.size_bytes.is_some() => Better::Less,
        Quantity::Bytes | Quantity::Ios if method.time_ns.is_some() => Better::More,
        _ => quantity.better(),
    }
}
