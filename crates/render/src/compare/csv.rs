//! A Comparison as a table for other programs, in base units: a line for each figure of each group, or, for
//! figures requested by name, a line for each test and a column for each group.

use cardiograph_core::text::word_of;
use cardiograph_judge::compare::{Against, ComparedMetric, ComparedTest, Comparison};

use super::{all_metrics, best, shown};
use crate::csv::line;
use crate::lang::Lang;

/// The columns before those of the groups, for figures requested by name.
const ASKED_COLUMNS: &str = "test,title,direction,quantity,unit,window_ns";

/// The columns after those, for all figures. Bandwidths are in bytes per second, times in nanoseconds;
/// `ratio` is the group's value divided by the base's, `per_price` by its price in `currency`.
const COLUMNS: &str = "group,is_base,runs,value,low,high,doubt,ratio,ratio_low,ratio_high,judgement,reason,p,p_corrected,\
                       per_price,currency";

/// The table, with a header line (RFC 4180, lines end with a line feed).
pub fn table(comparison: &Comparison) -> String {
    if !comparison.wanted.is_empty() {
        return asked(comparison);
    }
    let lines = all_rows(comparison).map(|cells| line(cells.into_iter()));
    std::iter::once(format!("{ASKED_COLUMNS},{COLUMNS}\n")).chain(lines).collect()
}

/// A line for each figure of each group of pairs, each with its pair's name.
pub fn pairs(pairs: &[(String, Comparison)]) -> String {
    let lines = pairs.iter().flat_map(|(name, comparison)| {
        all_rows(comparison).map(move |cells| line(std::iter::once(name.clone()).chain(cells)))
    });
    std::iter::once(format!("pair,{ASKED_COLUMNS},{COLUMNS}\n")).chain(lines).collect()
}

/// The cells of each figure of each group.
fn all_rows(comparison: &Comparison) -> impl Iterator<Item = Vec<String>> {
    let metrics =
        comparison.tests.iter().flat_map(|test| test.metrics.iter().map(move |metric| (test, metric)));
    metrics.flat_map(move |(test, metric)| {
        (0..comparison.groups.len()).filter_map(move |group| row(comparison, test, metric, group))
    })
}

/// A line for each test and direction: each group's value, its ratio to the base's, the groups with the best
/// value or one about the same, and each group's value per price.
fn asked(comparison: &Comparison) -> String {
    let names: Vec<&str> = comparison.groups.iter().map(|group| group.name.as_str()).collect();
    let others: Vec<usize> = comparison.others().collect();
    let ratios = others.iter().map(|&group| format!("{} / {}", names[group], names[comparison.base]));
    let per_price: Vec<String> = match &comparison.price_currency {
        Some(currency) => names.iter().map(|name| format!("{name} per {currency}")).collect(),
        None => Vec::new(),
    };
    let head = ASKED_COLUMNS.split(',').chain(names.iter().copied()).map(str::to_string).chain(ratios);
    let mut text = line(head.chain(["best".to_string()]).chain(per_price.clone()));
    for &quantity in &comparison.wanted {
        for (test, metric) in all_metrics(comparison, quantity) {
            let values =
                metric.values.iter().map(|value| number(value.as_ref().map(|value| value.estimate.value)));
            let ratio =
                |&group: &usize| number(metric.against[group].as_ref().and_then(|against| against.ratio));
            let best = best::best_values(metric);
            let best = names.iter().zip(best).filter(|&(_, is_best)| is_best).map(|(name, _)| *name);
            let best = best.collect::<Vec<_>>().join("; ");
            let cells = metric_cells(test, metric).into_iter().chain(values).chain(others.iter().map(ratio));
            let groups = 0..per_price.len();
            let prices = groups.map(|group| number(metric.per_price.get(group).copied().flatten()));
            text.push_str(&line(cells.chain([best]).chain(prices)));
        }
    }
    text
}

/// A line for each group, with a column for each figure shown.
pub fn rows(comparison: &Comparison) -> String {
    let all = shown(comparison);
    let heading = |(test, metric): &(&ComparedTest, &ComparedMetric)| {
        let [_, title, direction, quantity, unit, _] = metric_cells(test, metric);
        format!("{title} {direction} {quantity} ({unit})")
    };
    let mut text = line(std::iter::once("group".to_string()).chain(all.iter().map(heading)));
    for (group, compared) in comparison.groups.iter().enumerate() {
        let value = |(_, metric): &(&ComparedTest, &ComparedMetric)| {
            let value = metric.values[group].as_ref().filter(|value| !value.is_withheld());
            number(value.map(|value| value.estimate.value))
        };
        text.push_str(&line(std::iter::once(compared.name.clone()).chain(all.iter().map(value))));
    }
    text
}

/// The cells of [`ASKED_COLUMNS`].
fn metric_cells(test: &ComparedTest, metric: &ComparedMetric) -> [String; 6] {
    [
        test.test.clone(),
        cardiograph_catalogue::english(&test.title),
        metric.direction.map_or("", |direction| direction.name()).to_string(),
        metric.quantity.name(),
        word_of(&metric.quantity.unit()),
        metric.window_ns.map_or(String::new(), |ns| ns.to_string()),
    ]
}

fn number(number: Option<f64>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}

/// Tiny values get an exponent instead of a long row of zeros.
fn probability(p: Option<f64>) -> String {
    p.map_or(String::new(), |p| if p > 0.0 && p < 1e-3 { format!("{p:.3e}") } else { p.to_string() })
}

fn row(
    comparison: &Comparison,
    test: &ComparedTest,
    metric: &ComparedMetric,
    group: usize,
) -> Option<Vec<String>> {
    let value = metric.values[group].as_ref()?;
    let against = metric.against[group].as_ref();
    let per_price = metric.per_price.get(group).copied().flatten();
    let ratio_cell = |field: fn(&Against) -> Option<f64>| number(against.and_then(field));
    let is_withheld = value.is_withheld();
    let shown = |value: Option<f64>| number(value.filter(|_| !is_withheld));
    let group_cells = [
        comparison.groups[group].name.clone(),
        (group == comparison.base).to_string(),
        value.runs.to_string(),
        shown(Some(value.estimate.value)),
        shown(value.estimate.low),
        shown(value.estimate.high),
        value.doubt.as_ref().map(|doubt| Lang::EN.text(&doubt.message())).unwrap_or_default(),
        ratio_cell(|against| against.ratio),
        ratio_cell(|against| against.low),
        ratio_cell(|against| against.high),
        against.map_or(String::new(), |against| word_of(&against.judgement)),
        against.and_then(|against| against.reason).map_or(String::new(), |reason| word_of(&reason)),
        probability(against.and_then(|against| against.p)),
        probability(against.and_then(|against| against.p_corrected)),
        number(per_price),
        comparison.price_currency.clone().filter(|_| per_price.is_some()).unwrap_or_default(),
    ];
    Some(metric_cells(test, metric).into_iter().chain(group_cells).collect())
}

#[cfg(test)]
mod tests {
    use super::super::samples::{card_and_ssd, controller_settings};
    use super::*;

    #[test]
    fn every_line_has_every_column() {
        let text = table(&card_and_ssd());
        let mut lines = text.lines();
        let head = format!("{ASKED_COLUMNS},{COLUMNS}");
        assert_eq!(lines.next(), Some(head.as_str()));
        let read = "random-read,Random read,read,iops,ios_per_second,,ssd,false,1,5275,";
        assert!(lines.clone().any(|line| line.starts_with(read)), "{text}");
        assert!(lines.all(|line| line.split(',').count() == 22), "{text}");
    }

    #[test]
    fn pairs_have_the_lines_of_each_in_base_units() {
        let text = pairs(&[("SD64G".to_string(), card_and_ssd())]);
        let table = table(&card_and_ssd());
        let (head, lines) = table.split_once('\n').unwrap();
        let expected = format!(
            "pair,{head}\n{}",
            lines.lines().map(|line| format!("SD64G,{line}\n")).collect::<String>()
        );
        assert_eq!(text, expected);
    }

    #[test]
    fn requested_figures_have_a_column_for_each_group() {
        let text = table(&controller_settings());
        let mut lines = text.lines();
        let head = "test,title,direction,quantity,unit,window_ns,none,WB,WT,WB / none,WT / none,best";
        assert_eq!(lines.next(), Some(head));
        let read =
            "seqread,\"4k, sequential read\",read,iops,ios_per_second,,150940,94863,95328,0.62848151583";
        assert!(lines.next().is_some_and(|line| line.starts_with(read) && line.ends_with(",none")), "{text}");
    }
}
