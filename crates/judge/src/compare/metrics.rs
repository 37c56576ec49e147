//! The figures of one test in all groups.

use std::borrow::Cow;

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
use super::{Against, ComparedMetric, ComparedTest, GroupValue, Reason, Role, Side, distribution};
use crate::record::TestFigures;

/// Lengths of time up to this factor have maxima that can be set beside each other.
const ABOUT_AS_LONG: f64 = 1.1;

/// A group's runs of a test.
type Members<'g> = Vec<Member<'g>>;

/// What runs of a group tell of a figure.
struct Told {
    shown: GroupValue,
    /// Of those that can be believed.
    runs: Vec<RunValue>,
    window_ns: Option<u64>,
}

/// A paired test with its figures, not yet judged.
pub(super) fn compared_test(pair: &Pair, base: usize, wanted: &[Quantity]) -> ComparedTest {
    let mut names = names(pair);
    names.retain(|(_, quantity)| wanted.is_empty() || wanted.contains(quantity));
    // What would follow another figure is judged itself where that one is not asked for.
    let role = |direction, quantity| match role(pair, direction, quantity) {
        Role::Follows if !wanted.is_empty() && !wanted.contains(&Quantity::Bandwidth) => Role::Judged,
        role => role,
    };
    let metrics = names
        .iter()
        .map(|&(direction, quantity)| metric(pair, base, (direction, quantity), role(direction, quantity)));
    let side = |members: &Members| {
        // Of runs of several scales the one that differs most is told.
        let told = members.iter().rev().max_by_key(|member| member.differences.len())?;
        Some(Side {
            test: told.test.test.clone(),
            runs: members.len(),
            differences: told.differences.clone(),
        })
    };
    ComparedTest {
        test: pair.test.test.clone(),
        title: pair.test.title.clone(),
        method: pair.test.method.clone(),
        sides: pair.sides.iter().map(side).collect(),
        metrics: metrics.collect(),
        distributions: distribution::of(pair),
    }
}

/// All figures that some run has, in the order of directions and then of their first appearance.
fn names(pair: &Pair) -> Vec<(Option<Direction>, Quantity)> {
    let figures = pair.sides.iter().flatten().flat_map(|member| &member.test.figures);
    let figures = figures.filter(|figure| !is_spread_of_one(figure));
    let mut names = unique(figures.map(|figure| (figure.direction, figure.quantity)));
    names.sort_by_key(|&(direction, _)| direction.map_or(usize::MAX, Direction::index));
    names
}

/// Whether it is the deviation of a single value, which is none. Where nothing tells of how many it is, it is as good as told.
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
    let told: Vec<Option<Told>> =
        pair.sides.iter().map(|members| told(members, direction, quantity)).collect();
    let beside = |group: usize| {
        let (mine, theirs) = (told[base].as_ref()?, told[group].as_ref()?);
        (group != base).then(|| {
            let not_judged = not_judged(pair, [(base, mine), (group, theirs)], role, (direction, quantity));
            // Of what is not the drive's, or was measured in another way or for longer, more says nothing of the drives.
            let better = match not_judged {
                Some(Reason::Doubt | Reason::Method | Reason::Durations) => Better::Neither,
                _ => better(&pair.test.method, quantity),
            };
            // What cannot be believed is still told; its ratio is the same arithmetic.
            let runs = |told: &Told| match told.runs.is_empty() {
                true => vec![RunValue { value: told.shown.estimate.value, within: None }],
                false => told.runs.clone(),
            };
            let found = against(&runs(mine), &runs(theirs), Question { quantity, better, not_judged });
            let is_withheld = [mine, theirs].iter().any(|told| told.shown.is_withheld());
            // Of what is not shown no ratio is.
            if is_withheld { Against { ratio: None, ..found } } else { found }
        })
    };
    let against = (0..told.len()).map(beside).collect();
    let window_ns = told.iter().flatten().find_map(|told| told.window_ns);
    let values = told.into_iter().map(|told| told.map(|told| told.shown)).collect();
    ComparedMetric { direction, quantity, window_ns, role, values, against, per_price: Vec::new() }
}

fn told<'g>(members: &Members<'g>, direction: Option<Direction>, quantity: Quantity) -> Option<Told> {
    let figure = |member: &Member<'g>| {
        let figure = member.test.told_or_made(direction, quantity);
        Some((member.test, figure.filter(|figure| !is_spread_of_one(figure))?))
    };
    let all: Vec<(&TestFigures, Cow<Figure>)> = members.iter().filter_map(figure).collect();
    let (_, first) = all.first()?;
    let window_ns = first.window_ns;
    if all.iter().any(|(_, figure)| figure.window_ns != window_ns) {
        return None;
    }
    let believed: Vec<&(&TestFigures, Cow<Figure>)> =
        all.iter().filter(|(_, figure)| figure.is_believed()).collect();
    let runs: Vec<RunValue> = believed.iter().map(|(test, figure)| RunValue::of(test, figure)).collect();
    let shown = match &believed[..] {
        [] => GroupValue { estimate: first.estimate, runs: all.len(), doubt: first.doubt.clone() },
        [(_, figure)] => GroupValue { estimate: figure.estimate, runs: 1, doubt: figure.doubt.clone() },
        several => {
            let values: Vec<f64> = several.iter().map(|(_, figure)| figure.estimate.value).collect();
            let doubt = several.iter().find_map(|(_, figure)| figure.doubt.clone());
            GroupValue { estimate: Estimate::mean(&values), runs: values.len(), doubt }
        }
    };
    Some(Told { shown, runs, window_ns })
}

fn not_judged(
    pair: &Pair,
    both: [(usize, &Told); 2],
    role: Role,
    (direction, quantity): (Option<Direction>, Quantity),
) -> Option<Reason> {
    let is_maximum = matches!(quantity, Quantity::LongestStall | Quantity::Latency(_, Statistic::Max));
    let is_of_windows = matches!(quantity, Quantity::WindowBandwidth(_) | Quantity::WindowIops(_));
    let [(_, mine), (_, theirs)] = both;
    let is_near = |group: usize| pair.sides[group].iter().any(Member::is_near);
    if is_of_windows && (mine.window_ns.is_none() || mine.window_ns != theirs.window_ns) {
        Some(Reason::Windows)
    } else if both.iter().any(|(_, told)| !told.shown.is_believed()) {
        Some(Reason::Doubt)
    } else if both.iter().any(|&(group, _)| is_near(group)) {
        Some(Reason::Method)
    } else if is_maximum && !took_about_as_long(both.map(|(group, _)| &pair.sides[group]), direction) {
        Some(Reason::Durations)
    } else if matches!(role, Role::Stability | Role::Told) {
        Some(Reason::Kind)
    } else {
        None
    }
}

/// Whether the runs of two groups went on for about as long, as far as that is told: by how long they took, else by how long they
/// were to take or how much they were to do.
fn took_about_as_long(sides: [&Members; 2], direction: Option<Direction>) -> bool {
    let mean_of = |members: &Members, of: &dyn Fn(&TestFigures) -> Option<f64>| {
        let values: Vec<f64> = members.iter().filter_map(|member| of(member.test)).collect();
        (!values.is_empty()).then(|| mean(&values))
    };
    let duration = |test: &TestFigures| {
        let is_it = |figure: &&Figure| {
            figure.quantity == Quantity::Runtime
                && direction.is_none_or(|of| figure.direction == Some(of.counted_with()))
        };
        let took = test.figures.iter().filter(is_it).map(|figure| figure.estimate.value);
        took.max_by(f64::total_cmp).or(test.method.time_ns.map(|time_ns| time_ns as f64))
    };
    let size = |test: &TestFigures| test.method.size_bytes.map(|bytes| bytes as f64);
    let of_both = |of: &dyn Fn(&TestFigures) -> Option<f64>| {
        let [one, two] = sides.map(|members| mean_of(members, of));
        one.zip(two)
    };
    let is_alike = |(one, two): (f64, f64)| one.max(two) <= one.min(two) * ABOUT_AS_LONG;
    of_both(&duration).or_else(|| of_both(&size)).is_none_or(is_alike)
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
                Statistic::Min | Statistic::Percentile(_) => Role::Told,
            }
        }
        Quantity::WindowIops(statistic)
            if has_bytes_of_one_length(pair, direction, Quantity::WindowBandwidth(statistic)) =>
        {
            Role::Told
        }
        Quantity::WindowBandwidth(Statistic::Mean) | Quantity::WindowIops(Statistic::Mean) => Role::Told,
        Quantity::WindowBandwidth(_) | Quantity::WindowIops(_) | Quantity::LongestStall => Role::Stability,
        Quantity::Latency(..) | Quantity::Bytes | Quantity::Ios | Quantity::Runtime => Role::Told,
    }
}

/// Whether I/Os per second say the same as bytes per second: where these are told, and all I/Os have one length.
fn has_bytes_of_one_length(pair: &Pair, direction: Option<Direction>, bytes: Quantity) -> bool {
    let has_length = |member: &Member| {
        member.test.told_or_made(direction, bytes).is_some() && member.test.method.block_bytes.is_some()
    };
    is_told(pair, direction, bytes) && pair.sides.iter().flatten().all(has_length)
}

/// Whether some run tells a figure.
fn is_told(pair: &Pair, direction: Option<Direction>, quantity: Quantity) -> bool {
    pair.sides.iter().flatten().any(|member| member.test.figure(direction, quantity).is_some())
}

/// Whether a mean latency is the number of I/Os in flight divided by their rate, and so tells nothing that the rate does not:
/// where all I/Os are of one kind, and nothing else takes time between them.
fn follows_rate(pair: &Pair, direction: Option<Direction>) -> bool {
    let rate = Quantity::Bandwidth;
    let follows = |member: &Member| {
        let method = &member.test.method;
        let is_alone =
            method.pattern.is_some_and(|pattern| !pattern.is_mixed() && pattern != Pattern::Application);
        let is_never_synced = method.durability.is_none_or(|when| when == Durability::Never);
        let has_rate = member.test.told_or_made(direction, rate).is_some();
        is_alone && is_never_synced && !is_paced(method) && has_rate
    };
    is_told(pair, direction, rate) && pair.sides.iter().flatten().all(follows)
}

/// Which way a quantity is better in a test: how long it took counts where the work was given, how much was done where the
/// time was.
fn better(method: &Method, quantity: Quantity) -> Better {
    match quantity {
        Quantity::Runtime if method.time_ns.is_none() && method.size_bytes.is_some() => Better::Less,
        Quantity::Bytes | Quantity::Ios if method.time_ns.is_some() => Better::More,
        _ => quantity.better(),
    }
}
