//! What drives cost, and figures per price.
//!
//! Prices are in the currency in which they were noted. They are never converted: rates change, and nobody says which counted.

use cardiograph_core::quantity::Quantity;
use serde::Serialize;

use super::by::leading_number;
use super::{ComparedGroup, ComparedMetric, ComparedTest};
use crate::record::RunFigures;

/// The tag of a drive's price.
pub const PRICE_TAG: &str = "price";
/// Bytes of what labels call a gigabyte.
const GB: f64 = 1e9;

/// What a drive costs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Price {
    /// How much.
    pub amount: f64,
    /// Of what, as it was noted, a code in capitals: `JPY`, `$`.
    pub currency: String,
}

impl Price {
    /// Reads `980JPY`, `12.50 EUR`, `1,980円` and `$15`. `None` of anything else, and of what costs nothing. A comma parts
    /// thousands; what is not known to be one, as in `12,50 EUR`, is not guessed at.
    pub fn parse(text: &str) -> Option<Self> {
        let parts_thousands =
            |behind: &str| behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len()) == 3;
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

/// A currency as it was noted, a code in capitals.
fn shown_currency(noted: &str) -> String {
    let is_code = noted.len() == 3 && noted.chars().all(|c| c.is_ascii_alphabetic());
    if is_code { noted.to_ascii_uppercase() } else { noted.to_string() }
}

/// What the drive of these runs costs, if all that tell it agree.
pub(super) fn price(runs: &[RunFigures]) -> Option<Price> {
    one(runs.iter().filter_map(|run| Price::parse(run.run.tags.get(PRICE_TAG)?)))
}

/// What it holds, likewise.
pub(super) fn capacity_bytes(runs: &[RunFigures]) -> Option<u64> {
    one(runs.iter().filter_map(|run| run.run.capacity_bytes))
}

/// What a gigabyte (10^9 bytes) of a drive costs.
pub(super) fn price_per_gb(price: &Price, capacity_bytes: u64) -> Option<f64> {
    (capacity_bytes > 0).then(|| price.amount * GB / capacity_bytes as f64)
}

fn one<T: PartialEq>(mut values: impl Iterator<Item = T>) -> Option<T> {
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

/// The currency in which most groups have their price, the first of several; `None` where no two have one in common.
pub(super) fn currency(groups: &[ComparedGroup]) -> Option<String> {
    let prices = || groups.iter().filter_map(|group| group.price.as_ref());
    let count = |currency: &str| prices().filter(|price| price.currency == currency).count();
    // The last of the largest is taken, so the first comes last.
    let all: Vec<&Price> = prices().collect();
    let most = all.into_iter().rev().max_by_key(|price| count(&price.currency))?;
    (count(&most.currency) > 1).then(|| most.currency.clone())
}

/// Notes of each speed what a unit of `currency` buys of it.
pub(super) fn per_price(tests: &mut [ComparedTest], groups: &[ComparedGroup], currency: &str) {
    for metric in tests.iter_mut().flat_map(|test| &mut test.metrics) {
        if matches!(metric.quantity, Quantity::Bandwidth | Quantity::Iops) {
            metric.per_price = of_metric(metric, groups, currency);
        }
    }
}

fn of_metric(metric: &ComparedMetric, groups: &[ComparedGroup], currency: &str) -> Vec<Option<f64>> {
    let of_group = |(value, group): (&Option<super::GroupValue>, &ComparedGroup)| {
        let price = group.price.as_ref().filter(|price| price.currency == currency)?;
        let value = value.as_ref().filter(|value| value.is_believed())?;
        Some(value.estimate.value / price.amount)
    };
    let values: Vec<Option<f64>> = metric.values.iter().zip(groups).map(of_group).collect();
    // One alone is beside nothing.
    if values.iter().flatten().count() > 1 { values } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_read_as_people_note_them() {
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
    fn a_gigabyte_is_one_of_a_label() {
        let price = Price::parse("980JPY").unwrap();
        assert_eq!(price_per_gb(&price, 64_000_000_000), Some(15.3125));
        assert_eq!(price_per_gb(&price, 0), None);
    }
}
