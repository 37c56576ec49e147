//! Which latencies of a test are judged.

use cardiograph_core::direction::Direction;
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};

use super::pairing::{Member, Pair};

/// Judged percentiles: those that a user notices. The median follows the mean.
pub(super) const JUDGED_PERCENTILES: [f64; 3] = [95.0, 99.0, 99.9];

/// The kind of latency to use: total, unless more groups have percentiles of completion latency.
pub(super) fn latency_kind(pair: &Pair, direction: Option<Direction>) -> Option<LatencyKind> {
    let has = |members: &[Member<'_>], wanted: LatencyKind, is_it: fn(Statistic) -> bool| {
        let mut figures = members.iter().flat_map(|member| &member.test.figures);
        figures.any(|figure| {
            let is_wanted =
                matches!(figure.quantity, Quantity::Latency(kind, statistic) if kind == wanted && is_it(statistic));
            is_wanted && figure.direction == direction
        })
    };
    let weight = |kind: LatencyKind| {
        let groups = |is_it: fn(Statistic) -> bool| {
            pair.sides.iter().filter(|members| has(members, kind, is_it)).count()
        };
        (groups(|statistic| matches!(statistic, Statistic::Percentile(_))), groups(|_| true))
    };
    let kinds = [LatencyKind::Submission, LatencyKind::Completion, LatencyKind::Total];
    let best = kinds.into_iter().max_by_key(|&kind| weight(kind))?;
    (weight(best) != (0, 0)).then_some(best)
}
