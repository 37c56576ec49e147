//! Prices of drives, and figures per price.
//!
//! Prices are in the currency given. They are never converted: rates change, and it is unknown which applied.

use cardiograph_core::quantity::Quantity;
use serde::Serialize;

use super::by::leading_number;
use super::{ComparedGroup, ComparedMetric, ComparedTest};
use crate::record::RunFigures;

/// The tag for a drive's price.
pub const PRICE_TAG: &str = "price";
/// Bytes of what labels call a gigabyte.
const GB: f64 = 1e9;

/// Price of a drive.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Price {
    /// The amount.
    pub amount: f64,
    /// Currency as given, an upper-case code: `JPY`, `$`.
    pub currency: String,
}

impl Price {
    /// Parses `980JPY`, `12.50 EUR`, `1,980円` and `$15`. `None` for anything else, and for zero. A comma
    /// separates thousands; ambiguous ones, as in `12,50 EUR`, are rejected.
    pub fn parse(text: &str) -> Option<Self> {
        let parts_thousands =
            |rest: &str| rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()) == 3;
        if !text.split(',').skip(1).all(parts_thousands) {
            return None;
        }
        let text: String = text.chars().filter(|&c| c != ',').collect();
        let text = text.trim();
        let start = text.find(|c: char| c.is_ascii_digit())?;
        let (amount, behind) = leading_number(&text[start..])?;
        let (before, behind) = (text[..start].trim(), behind.trim());
        let currency = match (before, behind) {
            (currency, "") | ("", currency) => currency,
            _ => return None,
        };
        let is_name =
            !currency.is_empty() && currency.chars().all(|c| !c.is_ascii_digit() && !c.is_control());
        (amount > 0.0 && amount.is_finite() && is_name)
            .then(|| Self { amount, currency: shown_currency(currency) })
    }
}

/// A currency as given, an upper-case code.
fn shown_currency(noted: &str) -> String {
    let is_code = noted.len() == 3 && noted.chars().all(|c| c.is_ascii_alphabetic());
    if is_code { noted.to_ascii_uppercase() } else { noted.to_string() }
}

/// Price of the drive of these runs, if they agree.
pub(super) fn price(runs: &[RunFigures]) -> Option<Price> {
    one(runs.iter().filter_map(|run| Price::parse(run.run.tags.get(PRICE_TAG)?)))
}

/// Its capacity, likewise.
pub(super) fn capacity_bytes(runs: &[RunFigures]) -> Option<u64> {
    one(runs.iter().filter_map(|run| run.run.capacity_bytes))
}

/// Price per gigabyte (10^9 bytes).
pub(super) fn price_per_gb(price: &Price, capacity_bytes: u64) -> Option<f64> {
    (capacity_bytes > 0).then(|| price.amount * GB / capacity_bytes as f64)
}

fn one<T: PartialEq>(mut values: impl Iterator<Item = T>) -> Option<T> {
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

/// The most common currency of the groups, the first of several; `None` if no two share one.
pub(super) fn currency(groups: &[ComparedGroup]) -> Option<String> {
    let prices = || groups.iter().filter_map(|group| group.price.as_ref());
    let count = |currency: &str| prices().filter(|price| price.currency == currency).count();
    // max_by_key takes the last maximum, so the order is reversed.
    let all: Vec<&Price> = prices().collect();
    let most = all.into_iter().rev().max_by_key(|price| count(&price.currency))?;
    (count(&most.currency) > 1).then(|| most.currency.clone())
}

/// Adds each rate divided by the price in `currency`.
pub(super) fn per_price(tests: &mut [ComparedTest], groups: &[ComparedGroup], currency: &str) {
    for metric in tests.iter_mut().flat_map(|test| &mut test.metrics) {
        if matches!(metric.quantity, Quantity::Bandwidth | Quantity::Iops) {
            metric.per_price = values_per_price(metric, groups, currency);
        }
    }
}

fn values_per_price(metric: &ComparedMetric, groups: &[ComparedGroup], currency: &str) -> Vec<Option<f64>> {
    let per_price = |(value, group): (&Option<super::GroupValue>, &ComparedGroup)| {
        let price = group.price.as_ref().filter(|price| price.currency == currency)?;
        let value = value.as_ref().filter(|value| value.is_believed())?;
        Some(value.estimate.value / price.amount)
    };
    let values: Vec<Option<f64>> = metric.values.iter().zip(groups).map(per_price).collect();
    // A single value has nothing to compare with.
    if values.iter().flatten().count() > 1 { values } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_notations_of_prices_are_parsed() {
        for (text, amount, currency) in [
            ("980JPY", 980.0, "JPY"),
            ("12.50 EUR", 12.5, "EUR"),
            ("1,980円", 1_980.0, "円"),
            ("$15", 15.0, "$"),
            (" 15 $ ", 15.0, "$"),
            ("1,234,567.50 JPY", 1_234_567.5, "JPY"),
            ("12 eur", 12.0, "EUR"),
        ] {
            assert_eq!(Price::parse(text), Some(Price { amount, currency: currency.to_string() }), "{text}");
        }
        for text in ["", "cheap", "980", "12,50 EUR", "1,2345 EUR", "0 EUR", "1.2.3 EUR", "US 5 $", "5 EUR 3"]
        {
            assert_eq!(Price::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_currency_is_that_of_most_groups() {
        let group = |price: &str| ComparedGroup {
            name: price.to_string(),
            runs: Vec::new(),
            price: Price::parse(price),
            price_per_gb: None,
            capacity_bytes: None,
        };
        for (prices, expected) in [
            (&["980JPY", "12800JPY"][..], Some("JPY")),
            (&["$15", "980JPY", "1200JPY"], Some("JPY")),
            (&["980jpy", "$15", "1200JPY", "$20"], Some("JPY")),
            (&["980JPY", "$15"], None),
            (&["980JPY", "-"], None),
            (&["-", "-"], None),
        ] {
            let groups: Vec<ComparedGroup> = prices.iter().map(|price| group(price)).collect();
            assert_eq!(currency(&groups).as_deref(), expected, "{prices:?}");
        }
    }

    #[test]
    fn a_gigabyte_is_decimal() {
        let price = Price::parse("980JPY").unwrap();
        assert_eq!(price_per_gb(&price, 64_000_000_000), Some(15.3125));
        assert_eq!(price_per_gb(&price, 0), None);
    }
}
