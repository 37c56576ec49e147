//! A drive's health, as it reports it.

use cardiograph_core::drive::{Health, HealthSource, Leaf};
use cardiograph_core::{Message, Parameter, message};

use crate::doc::Fact;

/// The drive's own counters.
pub(super) fn facts(leaf: &Leaf) -> Vec<Fact> {
    let Some(health) = &leaf.health else { return Vec::new() };
    let amount = |bytes: u64| Message::quantity(Parameter::CapacityBytes(bytes));
    let written = health.written_bytes.map(amount);
    let written_from = attribute(health.written_from.as_ref()).filter(|_| written.is_some());
    let facts = [
        Fact::from_phrases(message!("health-label.health"), judgement(health)),
        Fact::from_phrases(message!("health-label.temperature"), temperature(health)),
        Fact::from_phrases(message!("health-label.wear"), wear(health)),
        Fact::from_phrases(message!("health-label.spare"), spare(health)),
        Fact::from_phrases(message!("health-label.written"), written.into_iter().chain(written_from)),
        Fact::from_phrases(message!("health-label.read"), health.read_bytes.map(amount)),
        Fact::from_phrases(message!("health-label.powered"), powered(health)),
        Fact::from_phrases(message!("health-label.errors"), errors(health)),
    ];
    facts.into_iter().flatten().collect()
}

fn judgement(health: &Health) -> Vec<Message> {
    let verdict = match (health.passed, health.critical_warning.unwrap_or(0)) {
        (Some(false), _) => message!("health-judgement.failing"),
        (_, 1..) => message!("health-judgement.warning"),
        (Some(true), 0) => message!("health-judgement.passed"),
        (None, 0) => return Vec::new(),
    };
    let source = match &health.source {
        HealthSource::Kernel => None,
        HealthSource::Program { name, version: None } => Some(name.clone()),
        HealthSource::Program { name, version: Some(version) } => Some(format!("{name} {version}")),
    };
    let source = source.map(|program| message!("health-judgement.source", program));
    std::iter::once(verdict).chain(source).collect()
}

fn temperature(health: &Health) -> Vec<Message> {
    let celsius = |celsius: i32| Parameter::number(celsius.into());
    let Some(now) = health.temperature_c else { return Vec::new() };
    let above = health.hot_min().filter(|&minutes| minutes > 0);
    let parts = [
        Some(message!("temperature-celsius", celsius = celsius(now))),
        health
            .temperature_warning_c
            .map(|limit| message!("health-temperature.warning", celsius = celsius(limit))),
        health
            .temperature_critical_c
            .map(|limit| message!("health-temperature.critical", celsius = celsius(limit))),
        above.map(|minutes| message!("health-temperature.above", minutes)),
    ];
    parts.into_iter().flatten().collect()
}

fn percent(percent: impl Into<f64>) -> Parameter {
    Parameter::share(percent.into() / 100.0)
}

fn wear(health: &Health) -> Vec<Message> {
    let Some(used) = health.used_percent else { return Vec::new() };
    let used = message!("health-wear", used = percent(used));
    std::iter::once(used).chain(attribute(health.used_from.as_ref())).collect()
}

fn spare(health: &Health) -> Vec<Message> {
    let Some(left) = health.spare_percent else { return Vec::new() };
    let limit = health.spare_limit_percent;
    let limit = limit.map(|limit| message!("health-spare.limit", limit = percent(limit)));
    std::iter::once(message!("health-spare.left", left = percent(left))).chain(limit).collect()
}

fn powered(health: &Health) -> Vec<Message> {
    let parts = [
        health.power_on_h.map(|hours| message!("health-powered.hours", hours)),
        health.power_cycles.map(|times| message!("health-powered.cycles", times)),
        health.unsafe_shutdowns.map(|times| message!("health-powered.cuts", times)),
    ];
    parts.into_iter().flatten().collect()
}

fn errors(health: &Health) -> Vec<Message> {
    let counts = [
        health.media_errors.map(|errors| message!("health-errors.media", errors)),
        health.reallocated_sectors.map(|sectors| message!("health-errors.reallocated", sectors)),
        health.pending_sectors.map(|sectors| message!("health-errors.pending", sectors)),
        health.interface_errors.map(|errors| message!("health-errors.link", errors)),
    ];
    counts.into_iter().flatten().collect()
}

/// The attribute behind a figure, if no standard defines it.
fn attribute(name: Option<&String>) -> Option<Message> {
    name.map(|name| message!("health-attribute", attribute = name))
}
