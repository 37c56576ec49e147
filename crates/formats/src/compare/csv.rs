//! A Comparison as a table for other programs: a line for each figure of each group, in base units.

use cardiograph_core::compare::{ComparedMetric, ComparedTest, Comparison};
use serde::Serialize;

use crate::csv::quoted;

/// The columns. Bandwidths are in bytes per second, times in nanoseconds; `ratio` is the group's value divided by the base's.
const COLUMNS: [&str; 20] = [
    "test",
    "title",
    "direction",
    "quantity",
    "unit",
    "window_ns",
    "group",
    "is_base",
    "runs",
    "value",
    "low",
    "high",
    "doubt",
    "ratio",
    "ratio_low",
    "ratio_high",
    "judgement",
    "reason",
    "p",
    "p_corrected",
];

/// The table, with a head (RFC 4180, lines end with a line feed).
pub fn table(comparison: &Comparison) -> String {
    let mut text = line(COLUMNS.map(str::to_string).into_iter());
    for test in &comparison.tests {
        for metric in &test.metrics {
            for group in 0..comparison.groups.len() {
                text.extend(row(comparison, test, metric, group));
            }
        }
    }
    text
}

fn row(
    comparison: &Comparison,
    test: &ComparedTest,
    metric: &ComparedMetric,
    group: usize,
) -> Option<String> {
    let value = metric.values[group].as_ref()?;
    let against = metric.against[group].as_ref();
    let number = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
    let of_ratio = |of: fn(&cardiograph_core::compare::Against) -> Option<f64>| number(against.and_then(of));
    Some(line(
        [
            test.test.clone(),
            test.title.clone(),
            metric.direction.map_or("", |direction| direction.name()).to_string(),
            metric.quantity.name(),
            word(metric.quantity.unit()),
            metric.window_ns.map_or(String::new(), |ns| ns.to_string()),
            comparison.groups[group].name.clone(),
            (group == comparison.base).to_string(),
            value.runs.to_string(),
            value.estimate.value.to_string(),
            number(value.estimate.low),
            number(value.estimate.high),
            value.doubt.clone().unwrap_or_default(),
            of_ratio(|against| against.ratio),
            of_ratio(|against| against.low),
            of_ratio(|against| against.high),
            against.map_or(String::new(), |against| word(against.judgement)),
            against.and_then(|against| against.reason).map_or(String::new(), word),
            of_ratio(|against| against.p),
            of_ratio(|against| against.p_corrected),
        ]
        .into_iter(),
    ))
}

/// The word that JSON has for a value without fields.
fn word(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

fn line(fields: impl Iterator<Item = String>) -> String {
    fields.map(|field| quoted(&field)).collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::super::samples::card_and_ssd;
    use super::*;

    #[test]
    fn every_line_has_every_column() {
        let text = table(&card_and_ssd());
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some(COLUMNS.join(",").as_str()));
        let read = "random-read,Random read,read,iops,ios_per_second,,ssd,false,1,5275,";
        assert!(lines.clone().any(|line| line.starts_with(read)), "{text}");
        assert!(lines.all(|line| line.split(',').count() == COLUMNS.len()), "{text}");
    }
}
