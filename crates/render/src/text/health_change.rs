//! What the drives counted while they were measured.

use cardiograph_core::drive::Health;
use cardiograph_core::report::Report;
use cardiograph_core::units;

use super::layout::{Page, joined, pad_end, plain};

/// Columns of a drive's name.
const NAME_COLUMNS: usize = 16;

/// A line for each drive that was asked before and after.
pub(super) fn write(page: &mut Page, report: &Report) {
    let before = |name: &str| report.drive.leaves.iter().find(|leaf| leaf.name == name)?.health.as_ref();
    let lines: Vec<(String, String)> = report
        .health_after
        .iter()
        .filter_map(|after| Some((plain(&after.drive), words(before(&after.drive)?, &after.health)?)))
        .collect();
    if lines.is_empty() {
        return;
    }
    page.head("What the drives counted meanwhile");
    for (name, words) in lines {
        page.prose(&pad_end(&format!("  {name}"), NAME_COLUMNS), &words);
    }
}

/// `41 °C before, 58 °C after; 12 GB written; no error`. `None` when there is nothing that both answers tell.
fn words(before: &Health, after: &Health) -> Option<String> {
    let change = after.since(before);
    let heat = before.temperature_c.zip(after.temperature_c);
    let errors = [
        (change.media_errors, "not readable"),
        (change.reallocated_sectors, "sectors replaced"),
        (change.pending_sectors, "sectors pending"),
        (change.interface_errors, "transfers damaged by the link"),
        (change.unsafe_shutdowns, "losses of power"),
    ];
    let count = |count: u64, of: &str| (count > 0).then(|| format!("{} {of}", units::count(count)));
    let new = joined(errors.iter().map(|&(grown, of)| count(grown?, of)), ", ");
    let are_counted = errors.iter().any(|(grown, _)| grown.is_some());
    let parts = [
        heat.map(|(before, after)| format!("{before} °C before, {after} °C after")),
        change.above_warning_min.and_then(|minutes| count(minutes, "min above the limits")),
        change.throttled.and_then(|times| count(times, "times slowed down by heat")),
        change.written_bytes.map(|bytes| format!("{} written", units::bytes_si(bytes))),
        new.or(are_counted.then(|| "no error".to_string())),
    ];
    joined(parts, "; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_is_told() {
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
        assert_eq!(
            words(&before, &quiet).as_deref(),
            Some("41 °C before, 58 °C after; 12 GB written; no error")
        );
        let bad =
            Health { media_errors: Some(6), interface_errors: Some(1), throttled: Some(4), ..before.clone() };
        assert_eq!(
            words(&before, &bad).as_deref(),
            Some(
                "41 °C before, 41 °C after; 3 times slowed down by heat; 0 B written; 2 not readable, 1 transfers damaged by \
                 the link"
            )
        );
        assert_eq!(words(&before, &Health::default()), None);
    }
}
