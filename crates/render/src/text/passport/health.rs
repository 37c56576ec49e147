//! How a drive says it is.

use cardiograph_core::drive::{Health, HealthSource, Leaf};
use cardiograph_core::units;

use super::Rows;
use crate::text::layout::{joined, plain};

/// What the drive counts of its own life.
pub(super) fn rows(leaf: &Leaf, rows: &mut Rows) {
    let Some(health) = &leaf.health else { return };
    rows.row_of("Health", judgement(health));
    rows.row_of("Temperature", temperature(health));
    rows.row_of("Wear", wear(health));
    rows.row_of("Spare blocks", spare(health));
    let in_life = |bytes: u64| format!("{} in its life", units::bytes_si(bytes));
    let written = health.written_bytes.map(in_life);
    rows.row_of("Written", written.map(|told| told + &attribute(health.written_from.as_deref())));
    rows.row_of("Read", health.read_bytes.map(in_life));
    rows.row_of("Was on", was_on(health));
    rows.row_of("Errors", errors(health));
}

fn judgement(health: &Health) -> Option<String> {
    let verdict = match (health.passed, health.critical_warning.unwrap_or(0)) {
        (Some(false), _) => "it judges itself to be failing",
        (_, 1..) => "it warns of itself",
        (Some(true), 0) => "it judges itself to be fit",
        (None, 0) => return None,
    };
    let source = match &health.source {
        HealthSource::Kernel => String::new(),
        HealthSource::Program { name, version } => {
            let version = version.as_deref().map(|version| format!(" {}", plain(version)));
            format!(" ({}{})", plain(name), version.unwrap_or_default())
        }
    };
    Some(format!("{verdict}{source}"))
}

fn temperature(health: &Health) -> Option<String> {
    let limit = |word: &str, limit: Option<i32>| limit.map(|limit| format!("{word} {limit} °C"));
    let limits = [
        limit("warns at", health.temperature_warning_c),
        limit("critical at", health.temperature_critical_c),
    ];
    let now = health.temperature_c?;
    let limits = joined(limits, ", ").map(|limits| format!(" ({limits})")).unwrap_or_default();
    let above = health.hot_min().filter(|&minutes| minutes > 0).map(units::count);
    let above = above.map(|minutes| format!("; {minutes} min above the limits in its life"));
    Some(format!("{now} °C{limits}{}", above.unwrap_or_default()))
}

fn wear(health: &Health) -> Option<String> {
    let used = health.used_percent?;
    Some(format!("{used} % of its rated life used{}", attribute(health.used_from.as_deref())))
}

fn spare(health: &Health) -> Option<String> {
    let limit = health.spare_limit_percent.map(|limit| format!(" (it warns below {limit} %)"));
    Some(format!("{} % left{}", health.spare_percent?, limit.unwrap_or_default()))
}

fn was_on(health: &Health) -> Option<String> {
    let hours = health.power_on_h.map(|hours| format!("{} h", units::count(hours)));
    let cycles = health.power_cycles.map(|cycles| format!("switched on {}", times(cycles)));
    let unsafe_ones = health.unsafe_shutdowns.map(|cuts| format!("lost power {}", times(cuts)));
    joined([hours, cycles, unsafe_ones], ", ")
}

fn times(count: u64) -> String {
    if count == 1 { "once".to_string() } else { format!("{} times", units::count(count)) }
}

fn errors(health: &Health) -> Option<String> {
    let count =
        |count: Option<u64>, words: &str| count.map(|count| format!("{} {words}", units::count(count)));
    let counts = [
        count(health.media_errors, "not readable"),
        count(health.reallocated_sectors, "sectors replaced"),
        count(health.pending_sectors, "sectors pending"),
        count(health.interface_errors, "transfers damaged by the link"),
    ];
    joined(counts, ", ")
}

/// The attribute that a figure rests on, where no standard defines it.
fn attribute(name: Option<&str>) -> String {
    name.map(|name| format!(" (attribute {})", plain(name))).unwrap_or_default()
}
