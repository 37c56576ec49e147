//! Speeds per price.

use cardiograph_core::quantity::Quantity;
use cardiograph_judge::compare::{ComparedMetric, Comparison, GroupValue};

/// Of how many units of a currency figures are given, the first that reads well.
const SCALES: [f64; 3] = [1.0, 1e3, 1e6];
/// No larger than so many of the cheapest drives cost.
const DRIVES_MAX: f64 = 20.0;
/// The least that reads well of what is counted in bytes per second.
const READABLE_BYTES_PER_S: f64 = 1e6;

/// What `scale` units of the currency buy of each group.
pub(crate) fn amounts(metric: &ComparedMetric, scale: f64) -> impl Iterator<Item = Option<f64>> {
    metric.per_price.iter().map(move |value| value.map(|value| value * scale))
}

/// By what each group's value is multiplied: one divided by its price; `None` of what is not known per price.
pub(crate) fn factors(metric: &ComparedMetric) -> Vec<Option<f64>> {
    let factor = |(per_price, value): (&Option<f64>, &Option<GroupValue>)| {
        let factor = (*per_price)? / value.as_ref()?.estimate.value;
        (factor.is_finite() && factor > 0.0).then_some(factor)
    };
    metric.per_price.iter().zip(&metric.values).map(factor).collect()
}

/// Of how many units of the currency a quantity is given in all tests: the first of [`SCALES`] of which the smallest figure is 1 IOPS
/// or 1 MB/s or more. `None` where none is known per price.
pub(crate) fn scale(comparison: &Comparison, quantity: Quantity) -> Option<f64> {
    let metrics = comparison.tests.iter().flat_map(|test| &test.metrics);
    let of_it = metrics.filter(|metric| metric.quantity == quantity).flat_map(|metric| &metric.per_price);
    let least = of_it.flatten().copied().filter(|&value| value > 0.0).min_by(f64::total_cmp)?;
    let unit = if quantity == Quantity::Bandwidth { READABLE_BYTES_PER_S } else { 1.0 };
    let currency = comparison.price_currency.as_ref()?;
    let prices = comparison.groups.iter().filter_map(|group| group.price.as_ref());
    let prices = prices.filter(|price| price.currency == *currency).map(|price| price.amount);
    let most = prices.min_by(f64::total_cmp)? * DRIVES_MAX;
    let fits: Vec<f64> = SCALES.into_iter().filter(|&scale| scale == SCALES[0] || scale <= most).collect();
    fits.iter().copied().find(|scale| least / unit * scale >= 1.0).or(fits.last().copied())
}

#[cfg(test)]
mod tests {
    use super::super::samples::priced;
    use super::*;

    #[test]
    fn figures_are_given_for_as_much_money_as_reads_well() {
        for (prices, iops, expected) in [
            (["980JPY", "12800JPY"], [3_786.0, 5_275.0], Some(1e3)),
            (["15USD", "90USD"], [3_786.0, 5_275.0], Some(1.0)),
            // So slow that not even the price of many drives makes it 1.
            (["15USD", "90USD"], [3.0, 5.0], Some(1.0)),
            (["150000IDR", "900000IDR"], [3_786.0, 5_275.0], Some(1e3)),
            // Currencies are not converted.
            (["980JPY", "90USD"], [3_786.0, 5_275.0], None),
        ] {
            assert_eq!(scale(&priced(prices, iops), Quantity::Iops), expected, "{prices:?}");
        }
    }
}
