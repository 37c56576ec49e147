//! What is shown of a test: its figures in rows.

use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::units;
use cardiograph_judge::compare::{ComparedMetric, ComparedTest, FactDifference, GroupValue, Role};

use super::notes::Notes;
use super::price;
use super::row::Row;
use super::words::{figure_name, ratio, remark, short_remark, shown};
use crate::method::is_quoted_by_speed;
use crate::text::layout::plain;

/// The rows of a test.
pub(crate) struct Rows {
    /// How fast it is.
    pub speed: Vec<Row>,
    /// How steady.
    pub stability: Vec<Row>,
}

/// The rows of a test: in `full` all that people quote, else what they look at first.
pub(crate) fn rows(test: &ComparedTest, full: bool, notes: &mut Notes) -> Rows {
    let mut rows = Rows { speed: Vec::new(), stability: Vec::new() };
    let is_told = |metric: &&ComparedMetric| metric.values.iter().flatten().count() > 1;
    // Of those that groups have in common: one that only a single group tells stands for nothing.
    let has = |direction, quantity| {
        let mut told = test.metrics.iter().filter(is_told);
        told.any(|metric| (metric.direction, metric.quantity) == (direction, quantity))
    };
    let is_large = is_quoted_by_speed(&test.method);
    for metric in test.metrics.iter().filter(is_told) {
        let has_both = has(metric.direction, Quantity::Bandwidth) && has(metric.direction, Quantity::Iops);
        let is_first = match metric.quantity {
            Quantity::Bandwidth => !has_both || is_large,
            Quantity::Iops => !has_both || !is_large,
            Quantity::Latency(..) if metric.role == Role::Stability => false,
            Quantity::WindowBandwidth(_) | Quantity::WindowIops(_) => is_large,
            // What was done in the same time is what it did per second.
            Quantity::Bytes => false,
            _ => true,
        };
        let counts = match metric.role {
            Role::Judged | Role::Follows | Role::Stability => true,
            // How long it took where the work was given; how much was done where the time was.
            Role::Told => {
                let is_amount = matches!(metric.quantity, Quantity::Bytes | Quantity::Runtime);
                (is_amount || is_middle(metric.quantity) && full && is_of_latencies(test, metric))
                    && metric.against.iter().flatten().any(|against| against.favours.is_some())
            }
        };
        if !counts || !(full || is_first) {
            continue;
        }
        let of_role = if metric.role == Role::Stability { &mut rows.stability } else { &mut rows.speed };
        of_role.push(row(metric, notes));
        // Per price a speed is told as it is quoted.
        if is_first {
            rows.speed.extend(price::row(metric, notes));
        }
    }
    rows
}

fn is_middle(quantity: Quantity) -> bool {
    matches!(quantity, Quantity::Latency(_, Statistic::Percentile(50.0)))
}

/// Whether a latency is of the kind that stands for the others.
fn is_of_latencies(test: &ComparedTest, metric: &ComparedMetric) -> bool {
    let Quantity::Latency(kind, _) = metric.quantity else { return false };
    test.distributions.iter().any(|of| of.direction == metric.direction && of.kind == kind)
}

pub(super) fn row(metric: &ComparedMetric, notes: &mut Notes) -> Row {
    let (comparison, lang) = (notes.comparison, notes.lang);
    let (mut remarks, mut short_remarks, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for group in 0..comparison.groups.len() {
        let remark = remark(comparison, metric, group, lang);
        let mark = if remark.is_some() { notes.mark(metric, group) } else { String::new() };
        let marked = |told: String| format!("{told}{mark}");
        let mut bracketed = |told: String| match &metric.against[group] {
            Some(against) => notes.remark(told, against),
            None => told,
        };
        remarks.push(marked(bracketed(remark.unwrap_or_default())));
        short_remarks.push(marked(bracketed(short_remark(metric, group))));
        ratios.push(marked(ratio(metric, group, lang)));
    }
    Row {
        name: figure_name(metric, lang),
        remarks,
        short_remarks,
        ratios,
        best: vec![false; comparison.groups.len()],
        values: metric.values.iter().map(|value| shown(metric.quantity, value.as_ref())).collect(),
        reaches: metric.values.iter().map(|value| reach(value.as_ref())).collect(),
        judgements: metric.against.iter().map(|against| against.as_ref().map(|one| one.judgement)).collect(),
    }
}

/// Half the width of the interval, the wider side, as a share of the value.
fn reach(value: Option<&GroupValue>) -> String {
    let reach = value.and_then(|value| {
        let of = value.estimate;
        let (low, high) = (of.low?, of.high?);
        let half = (high - of.value).max(of.value - low);
        (of.value > 0.0 && half > 0.0).then(|| half / of.value)
    });
    reach.map_or(String::new(), |share| format!("±{}", super::words::share(share)))
}

/// A fact in words: its name, and each group's value.
pub(crate) fn fact(fact: &FactDifference) -> (String, Vec<String>) {
    let number = |value: &str| value.parse::<u64>().ok();
    let (name, worded): (&str, fn(u64) -> String) = match fact.name.as_str() {
        "capacity_bytes" => ("capacity", units::bytes_si),
        "link_bytes_per_s" => ("link", |bytes| units::bandwidth_si(bytes as f64)),
        name => (name.strip_suffix("_bytes").unwrap_or(name), units::bytes),
    };
    let is_number = name != fact.name;
    // Several drives' values stand in one text.
    let of_run = |value: &String| match is_number {
        true => {
            value.split(", ").map(|one| number(one).map_or(plain(one), worded)).collect::<Vec<_>>().join(", ")
        }
        false => plain(value),
    };
    let of_group = |values: &Vec<String>| match values.as_slice() {
        [] => units::NO_FIGURE.to_string(),
        _ => values.iter().map(of_run).collect::<Vec<_>>().join(" / "),
    };
    (plain(name).replace('_', " "), fact.values.iter().map(of_group).collect())
}

#[cfg(test)]
mod tests {
    use super::super::samples::{card_and_ssd, without_iops};
    use super::*;
    use crate::lang::Lang;

    #[test]
    fn what_one_group_alone_tells_stands_for_nothing() {
        for (of, expected) in [(card_and_ssd(), "read IOPS"), (without_iops(), "read bandwidth")] {
            let names = |full| {
                let rows = rows(&of.tests[0], full, &mut Notes::new(&of, Lang::En));
                rows.speed.into_iter().map(|row| row.name).collect::<Vec<_>>()
            };
            assert_eq!(names(false)[0], expected);
            assert!(names(true).iter().any(|name| name == expected));
        }
    }

    #[test]
    fn facts_are_told_in_the_units_that_people_use() {
        let of = |name: &str, values: &[&[&str]]| {
            let texts = |of_group: &&[&str]| of_group.iter().map(|value| value.to_string()).collect();
            let (name, values) =
                fact(&FactDifference { name: name.to_string(), values: values.iter().map(texts).collect() });
            format!("{name}: {}", values.join(" | "))
        };
        let capacity = of("capacity_bytes", &[&["64000000000"], &["960000000000"]]);
        assert_eq!(capacity, "capacity: 64 GB | 960 GB");
        let link = of("link_bytes_per_s", &[&["500000000, 600000000", "600000000"], &[]]);
        assert_eq!(link, "link: 500 MB/s, 600 MB/s / 600 MB/s | -");
        assert_eq!(of("raid_level", &[&["1, 2"], &["10"]]), "raid level: 1, 2 | 10");
    }
}
