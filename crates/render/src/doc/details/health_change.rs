//! Changes of the drives' own counters during the measurement.

use cardiograph_core::drive::Health;
use cardiograph_core::report::Report;
use cardiograph_core::{Message, Parameter, message};

use crate::doc::{Fact, Node};

/// An entry for each drive that was queried before and after.
pub(super) fn section(report: &Report) -> Option<Node> {
    let before = |name: &str| report.drive.leaves.iter().find(|leaf| leaf.name == name)?.health.as_ref();
    let facts = report.health_after.iter().filter_map(|after| {
        Fact::from_phrases(Message::verbatim(&after.drive), changes(before(&after.drive)?, &after.health))
    });
    Node::facts("health-change", message!("health-change-heading"), facts.collect())
}

/// The changes; none if both answers have nothing in common.
fn changes(before: &Health, after: &Health) -> Vec<Message> {
    let change = after.since(before);
    let celsius = |celsius: i32| Parameter::number(celsius.into());
    let heat = before.temperature_c.zip(after.temperature_c).map(|(before, after)| {
        message!("health-change.temperature", before = celsius(before), after = celsius(after))
    });
    let grown = |count: Option<u64>| count.filter(|&count| count > 0);
    let errors = [
        grown(change.media_errors).map(|count| message!("health-change.unreadable", count)),
        grown(change.reallocated_sectors).map(|count| message!("health-change.replaced", count)),
        grown(change.pending_sectors).map(|count| message!("health-change.pending", count)),
        grown(change.interface_errors).map(|count| message!("health-change.link", count)),
        grown(change.unsafe_shutdowns).map(|count| message!("health-change.cuts", count)),
    ];
    let counts = [
        change.media_errors,
        change.reallocated_sectors,
        change.pending_sectors,
        change.interface_errors,
        change.unsafe_shutdowns,
    ];
    let is_quiet = errors.iter().all(Option::is_none) && counts.iter().any(Option::is_some);
    let others = [
        heat,
        grown(change.above_warning_min).map(|count| message!("health-change.hot", minutes = count)),
        grown(change.throttled).map(|count| message!("health-change.throttled", times = count)),
        change
            .written_bytes
            .map(|bytes| message!("health-change.written", bytes = Parameter::CapacityBytes(bytes))),
    ];
    let none = is_quiet.then(|| message!("health-change.none"));
    others.into_iter().chain(errors).flatten().chain(none).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_listed() {
        let before = Health {
            temperature_c: Some(41),
            written_bytes: Some(1_000_000_000_000),
            media_errors: Some(4),
            interface_errors: Some(0),
            throttled: Some(1),
            ..Health::default()
        };
        let quiet =
            Health { temperature_c: Some(58), written_bytes: Some(1_012_000_000_000), ..before.clone() };
        let celsius = |celsius| Parameter::number(celsius);
        let heat =
            |after| message!("health-change.temperature", before = celsius(41.0), after = celsius(after));
        let written = |bytes| message!("health-change.written", bytes = Parameter::CapacityBytes(bytes));
        let none = message!("health-change.none");
        assert_eq!(changes(&before, &quiet), [heat(58.0), written(12_000_000_000), none]);
        let bad =
            Health { media_errors: Some(6), interface_errors: Some(1), throttled: Some(4), ..before.clone() };
        let expected = [
            heat(41.0),
            message!("health-change.throttled", times = 3u64),
            written(0),
            message!("health-change.unreadable", count = 2u64),
            message!("health-change.link", count = 1u64),
        ];
        assert_eq!(changes(&before, &bad), expected);
        assert_eq!(changes(&before, &Health::default()), []);
    }
}
