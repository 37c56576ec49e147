//! Speeds divided by prices.

use cardiograph_core::quantity::Quantity;
use cardiograph_judge::compare::{ComparedMetric, Comparison, GroupValue};

/// Numbers of currency units per which figures are given; the first readable one is used.
const SCALES: [f64; 3] = [1.0, 1e3, 1e6];
/// The largest useful number of currency units, in prices of the cheapest drive.
const DRIVES_MAX: f64 = 20.0;
/// The smallest readable bandwidth.
const READABLE_BYTES_PER_S: f64 = 1e6;

/// Each group's value per `scale` units of the currency.
pub(crate) fn amounts(metric: &ComparedMetric, scale: f64) -> impl Iterator<Item = Option<f64>> {
    metric.per_price.iter().map(move |value| value.map(|value| value * scale))
}

/// The factor for each group's value: one divided by its price; `None` if unknown.
pub(crate) fn factors(metric: &ComparedMetric) -> Vec<Option<f64>> {
    let factor = |(per_price, value): (&Option<f64>, &Option<GroupValue>)| {
        let factor = (*per_price)? / value.as_ref()?.estimate.value;
        (factor.is_finite() && factor > 0.0).then_some(factor)
    };
    metric.per_price.iter().zip(&metric.values).map(factor).collect()
}

/// The number of currency units per which a quantity is given in all tests: the first of [`SCALES`] for which
/// the smallest figure is at least 1 IOPS or 1 MB/s. `None` if no price is known.
pub(crate) fn scale(comparison: &Comparison, quantity: Quantity) -> Option<f64> {
    let metrics = comparison.tests.iter().flat_map(|test| &test.metrics);
    let per_price = metrics.filter(|metric| metric.quantity == quantity).flat_map(|metric| &metric.per_price);
    let least = per_price.flatten().copied().filter(|&value| value > 0.0).min_by(f64::total_cmp)?;
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
    fn the_price_scale_keeps_figures_readable() {
        for (prices, iops, expected) in [
            (["980JPY", "12800JPY"], [3_786.0, 5_275.0], Some(1e3)),
            (["15USD", "90USD"], [3_786.0, 5_275.0], Some(1.0)),
            // Too slow: not even the price of many drives makes it 1.
            (["15USD", "90USD"], [3.0, 5.0], Some(1.0)),
            (["150000IDR", "900000IDR"], [3_786.0, 5_275.0], Some(1e3)),
            // Currencies are not converted.
            (["980JPY", "90USD"], [3_786.0, 5_275.0], None),
        ] {
            assert_eq!(scale(&priced(prices, iops), Quantity::Iops), expected, "{prices:?}");
        }
    }
}
