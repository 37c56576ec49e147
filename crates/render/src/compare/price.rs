//! Speeds per price, in words.

use cardiograph_core::MIB;
use cardiograph_core::quantity::Quantity;
use cardiograph_core::units;
use cardiograph_judge::compare::{ComparedMetric, Comparison, GroupValue};

use super::notes::Notes;
use super::row::Row;
use super::words::{ABOUT_THE_SAME, figure_name, larger, name, ratio_words, sized};
use crate::lang::Lang;
use crate::method;
use crate::text::layout;

/// Of how many units of a currency figures are told, the first that reads well.
const SCALES: [f64; 3] = [1.0, 1e3, 1e6];
/// No larger than so many of the cheapest drives cost.
const DRIVES_MAX: f64 = 20.0;

/// The row of a speed per price; `None` where fewer than two groups have one.
pub(super) fn row(metric: &ComparedMetric, notes: &mut Notes) -> Option<Row> {
    row_of(metric, scale(notes.comparison, metric.quantity)?, notes)
}

/// The same of `scale` units of the currency. What is not known to be more than chance is marked as the speed itself is.
pub(super) fn row_of(metric: &ComparedMetric, scale: f64, notes: &mut Notes) -> Option<Row> {
    let (comparison, lang) = (notes.comparison, notes.lang);
    let (base, values) = (comparison.base, &metric.per_price);
    if values.is_empty() {
        return None;
    }
    let ratio = |group: usize| {
        let ratio = values[group]? / values[base]?;
        (group != base && ratio.is_finite() && ratio > 0.0).then_some(ratio)
    };
    let is_same = |ratio: f64| larger(ratio) < ABOUT_THE_SAME;
    let remark = |(group, ratio): (usize, f64)| match is_same(ratio) {
        true => lang.pick("about the same", "ほぼ同等").to_string(),
        false => {
            let more = if ratio > 1.0 { group } else { base };
            let name = name(&comparison.groups[more]);
            sized(larger(ratio), &name, lang.pick("as much", "多い"), lang)
        }
    };
    let groups = 0..comparison.groups.len();
    let mark = |group: usize| ratio(group).map_or(String::new(), |_| notes.mark(metric, group));
    let marks: Vec<String> = groups.clone().map(mark).collect();
    let of_ratios = |words: &dyn Fn((usize, f64)) -> String| -> Vec<String> {
        let marked = |group: usize| Some(words((group, ratio(group)?)) + &marks[group]);
        groups.clone().map(|group| marked(group).unwrap_or_default()).collect()
    };
    let ratios = of_ratios(&|(_, ratio)| ratio_words(ratio, is_same(ratio), lang));
    let value = |value: Option<f64>| match value {
        Some(value) => lang.value(&method::value(metric.quantity, value)),
        None => units::NO_FIGURE.to_string(),
    };
    Some(Row {
        name: per(comparison, &figure_name(metric, lang), scale, lang),
        values: amounts(metric, scale).map(value).collect(),
        reaches: vec![String::new(); groups.len()],
        remarks: of_ratios(&remark),
        short_remarks: ratios.clone(),
        ratios,
        judgements: vec![None; groups.len()],
        best: vec![false; groups.len()],
    })
}

/// What `scale` units of the currency buy of each group.
pub(super) fn amounts(metric: &ComparedMetric, scale: f64) -> impl Iterator<Item = Option<f64>> {
    metric.per_price.iter().map(move |value| value.map(|value| value * scale))
}

/// By what each group's value is multiplied: one divided by its price; `None` of what is not told per price.
pub(super) fn factors(metric: &ComparedMetric) -> Vec<Option<f64>> {
    let factor = |(per_price, value): (&Option<f64>, &Option<GroupValue>)| {
        let factor = (*per_price)? / value.as_ref()?.estimate.value;
        (factor.is_finite() && factor > 0.0).then_some(factor)
    };
    metric.per_price.iter().zip(&metric.values).map(factor).collect()
}

/// What a figure per price is: `IOPS per 1,000 JPY`.
pub(super) fn per(comparison: &Comparison, figure: &str, scale: f64, lang: Lang) -> String {
    let currency = layout::plain(comparison.price_currency.as_deref().unwrap_or_default());
    let is_code = currency.chars().all(char::is_alphabetic);
    let amount = units::count(scale as u64);
    match lang {
        Lang::En if scale == 1.0 && is_code => format!("{figure} per {currency}"),
        Lang::En => format!("{figure} per {amount} {currency}"),
        Lang::Ja => format!("{figure}({amount} {currency} あたり)"),
    }
}

/// Of how many units of the currency a quantity is told in all tests: the first of [`SCALES`] of which the smallest figure is 1 IOPS
/// or 1 MiB/s or more. `None` where none is told per price.
pub(super) fn scale(comparison: &Comparison, quantity: Quantity) -> Option<f64> {
    let metrics = comparison.tests.iter().flat_map(|test| &test.metrics);
    let of_it = metrics.filter(|metric| metric.quantity == quantity).flat_map(|metric| &metric.per_price);
    let least = of_it.flatten().copied().filter(|&value| value > 0.0).min_by(f64::total_cmp)?;
    let unit = if quantity == Quantity::Bandwidth { MIB as f64 } else { 1.0 };
    let currency = comparison.price_currency.as_ref()?;
    let prices = comparison.groups.iter().filter_map(|group| group.price.as_ref());
    let prices = prices.filter(|price| price.currency == *currency).map(|price| price.amount);
    let most = prices.min_by(f64::total_cmp)? * DRIVES_MAX;
    let fits: Vec<f64> = SCALES.into_iter().filter(|&scale| scale == SCALES[0] || scale <= most).collect();
    fits.iter().copied().find(|scale| least / unit * scale >= 1.0).or(fits.last().copied())
}

#[cfg(test)]
mod tests {
    use super::super::cost::{not_converted, of_group};
    use super::super::samples::priced;
    use super::*;

    #[test]
    fn figures_are_told_of_as_much_money_as_reads_well() {
        for (prices, iops, expected) in [
            (["980JPY", "12800JPY"], [3_786.0, 5_275.0], "Random read IOPS per 1,000 JPY"),
            (["15USD", "90USD"], [3_786.0, 5_275.0], "Random read IOPS per USD"),
            (["$15", "$90"], [3_786.0, 5_275.0], "Random read IOPS per 1 $"),
            // So slow that not even the price of many drives makes it 1.
            (["15USD", "90USD"], [3.0, 5.0], "Random read IOPS per USD"),
            (["150000IDR", "900000IDR"], [3_786.0, 5_275.0], "Random read IOPS per 1,000 IDR"),
        ] {
            let of = priced(prices, iops);
            let told = per(&of, "Random read IOPS", scale(&of, Quantity::Iops).unwrap(), Lang::En);
            assert_eq!(told, expected, "{prices:?}");
        }
    }

    #[test]
    fn a_speed_is_divided_by_the_price() {
        let of = priced(["980JPY", "12800JPY"], [3_786.0, 5_275.0]);
        let metric = &of.tests[0].metrics[0];
        let row = |lang| row(metric, &mut Notes::new(&of, lang));
        let told = row(Lang::En).unwrap();
        assert_eq!(told.name, "read IOPS per 1,000 JPY");
        assert_eq!(told.values, ["3,863 IOPS", "412 IOPS"]);
        assert_eq!(told.remarks, ["", "a 9.4 times as much [a]"]);
        let japanese = row(Lang::Ja).unwrap();
        assert_eq!(
            (&*japanese.name, &*japanese.remarks[1]),
            ("リードIOPS(1,000 JPY あたり)", "aが約9.4倍 多い [a]")
        );
        assert_eq!(of_group(&of.groups[0], Lang::En), ["980 JPY", "15.3 JPY per GB"]);
        assert_eq!(not_converted(&of, Lang::En), None);
    }

    #[test]
    fn currencies_are_not_converted() {
        let of = priced(["980JPY", "90USD"], [3_786.0, 5_275.0]);
        assert!(row(&of.tests[0].metrics[0], &mut Notes::new(&of, Lang::En)).is_none());
        let told = not_converted(&of, Lang::En).unwrap();
        assert_eq!(told, "Prices are in JPY, USD and are not converted: no figures per price are told.");
    }
}
