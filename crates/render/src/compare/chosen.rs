//! The figures of a test that are shown.

use cardiograph_core::app::Operation;
use cardiograph_core::direction::Direction;
use cardiograph_core::method::Pattern;
use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_judge::compare::{ComparedMetric, ComparedTest, Role};

use crate::method::is_quoted_by_speed;

/// A figure that is shown.
pub(crate) struct Chosen<'c> {
    pub metric: &'c ComparedMetric,
    /// Whether people look at it first.
    pub is_first: bool,
}

/// What an application's users count instead of bytes; `None` for other tests.
pub(crate) fn counted(test: &ComparedTest) -> Option<Operation> {
    let (_, part) = test.test.split_once('/')?;
    let is_application = test.method.pattern == Some(Pattern::Application);
    Operation::of_part(part).filter(|counted| is_application && *counted != Operation::Second)
}

/// Whether a test is quoted by its speed.
pub(crate) fn is_by_speed(test: &ComparedTest) -> bool {
    counted(test).is_none() && is_quoted_by_speed(&test.method)
}

/// The figures of a test that several groups have and people quote.
pub(crate) fn figures(test: &ComparedTest) -> Vec<Chosen<'_>> {
    let is_shared = |metric: &&ComparedMetric| metric.values.iter().flatten().count() > 1;
    // A quantity that only one group has does not replace another.
    let has = |direction, quantity| {
        let mut shared = test.metrics.iter().filter(is_shared);
        shared.any(|metric| (metric.direction, metric.quantity) == (direction, quantity))
    };
    let is_large = is_by_speed(test);
    let chosen = |metric| {
        let &ComparedMetric { direction, quantity, role, .. } = metric;
        let has_both = has(direction, Quantity::Bandwidth) && has(direction, Quantity::Iops);
        let is_first = match quantity {
            Quantity::Bandwidth => !has_both || is_large,
            Quantity::Iops => !has_both || !is_large,
            Quantity::Latency(..) if role == Role::Stability => false,
            Quantity::WindowBandwidth(_) | Quantity::WindowIops(_) => is_large,
            // In equal time, the amount follows from the rate.
            Quantity::Bytes => false,
            _ => true,
        };
        let counts = match role {
            Role::Judged | Role::Follows | Role::Stability => true,
            // The runtime if the amount was fixed; the amount if the time was.
            Role::Informational => {
                let is_amount = matches!(quantity, Quantity::Bytes | Quantity::Runtime);
                (is_amount || is_middle(quantity) && is_main_latency(test, metric))
                    && metric.against.iter().flatten().any(|against| against.favours.is_some())
            }
        };
        counts.then_some(Chosen { metric, is_first })
    };
    test.metrics.iter().filter(is_shared).filter_map(chosen).collect()
}

fn is_middle(quantity: Quantity) -> bool {
    matches!(quantity, Quantity::Latency(_, Statistic::Percentile(50.0)))
}

/// Whether a latency is of the kind that represents the others.
fn is_main_latency(test: &ComparedTest, metric: &ComparedMetric) -> bool {
    let Quantity::Latency(kind, _) = metric.quantity else { return false };
    test.distributions.iter().any(|latency| latency.direction == metric.direction && latency.kind == kind)
}

/// The figure by which each direction of a test is quoted.
pub(crate) fn main_figures(test: &ComparedTest) -> Vec<&ComparedMetric> {
    let by = match is_by_speed(test) {
        true => [Quantity::Bandwidth, Quantity::Iops],
        false => [Quantity::Iops, Quantity::Bandwidth],
    };
    let main_figure = |&direction: &Direction| {
        let mut found = by.into_iter().filter_map(|quantity| test.metric(Some(direction), quantity));
        found.find(|metric| metric.values.iter().flatten().count() > 1)
    };
    Direction::DATA.iter().filter_map(main_figure).collect()
}

#[cfg(test)]
mod tests {
    use super::super::samples::{card_and_ssd, without_iops};
    use super::*;

    #[test]
    fn applications_are_quoted_by_what_their_users_count() {
        let mut test = card_and_ssd().tests.remove(2);
        for (id, pattern, expected) in [
            ("sqlite-wal/commits", Pattern::Application, Quantity::Iops),
            ("cameras-1/record", Pattern::Application, Quantity::Bandwidth),
            ("a/commits", Pattern::Write, Quantity::Bandwidth),
            ("sustained", Pattern::Write, Quantity::Bandwidth),
        ] {
            (test.test, test.method.pattern) = (id.to_string(), Some(pattern));
            assert_eq!(main_figures(&test)[0].quantity, expected, "{id}");
        }
    }

    #[test]
    fn a_figure_of_a_single_group_does_not_replace_others() {
        for (comparison, expected) in
            [(card_and_ssd(), Quantity::Iops), (without_iops(), Quantity::Bandwidth)]
        {
            let all = figures(&comparison.tests[0]);
            let first = all.iter().find(|chosen| chosen.is_first).map(|chosen| chosen.metric.quantity);
            assert_eq!(first, Some(expected));
        }
    }
}
