//! Groups made of what runs have in common, and what drives cost.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::Group;
use crate::record::RunFigures;

/// What stands for a fact that is not known of a run.
const NOT_KNOWN: &str = "-";
/// The tag of a drive's price.
const PRICE_TAG: &str = "price";

/// What a drive costs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Price {
    /// How much.
    pub amount: f64,
    /// Of what, as it was noted: `JPY`, `$`.
    pub currency: String,
}

/// A fact or tag that no run has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no run tells '{name}'; they tell {}", known.join(", "))]
pub struct UnknownFact {
    /// As it was asked for.
    pub name: String,
    /// What there is.
    pub known: Vec<String>,
}

/// A group for each combination of values of the facts or tags `names`, in their order: numbers by size, the rest by letters.
///
/// # Errors
/// When no run has one of them.
pub fn group_by(runs: Vec<RunFigures>, names: &[String]) -> Result<Vec<Group>, UnknownFact> {
    let known: BTreeSet<&String> = runs.iter().flat_map(|run| run.facts.keys()).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(name)) {
        let known = known.into_iter().cloned().collect();
        return Err(UnknownFact { name: crate::text::shown(name), known });
    }
    let mut groups: BTreeMap<Vec<Value>, Vec<RunFigures>> = BTreeMap::new();
    for run in runs {
        let value = |name: &String| run.facts.get(name).map_or(NOT_KNOWN, String::as_str);
        let values = names.iter().map(|name| Value::of(value(name))).collect();
        groups.entry(values).or_default().push(run);
    }
    let name =
        |values: &[Value]| values.iter().map(|value| value.text.clone()).collect::<Vec<_>>().join(", ");
    Ok(groups.into_iter().map(|(values, runs)| Group { name: name(&values), runs }).collect())
}

/// A value that sorts as people sort: `4` before `16`, numbers before words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Value {
    is_word: bool,
    /// The number that it begins with, in billionths.
    billionths: i128,
    text: String,
}

impl Value {
    fn of(text: &str) -> Self {
        let number = leading_number(text).map(|(number, _)| number);
        let billionths = number.map_or(0, |number| (number * 1e9) as i128);
        Self { is_word: number.is_none(), billionths, text: text.to_string() }
    }
}

/// The number at the beginning of a text, and the rest.
fn leading_number(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
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
            .then(|| Self { amount, currency: currency.to_string() })
    }
}

/// What the drive of these runs costs, if all that tell it agree.
pub(super) fn price(runs: &[RunFigures]) -> Option<Price> {
    one(runs.iter().filter_map(|run| Price::parse(run.run.tags.get(PRICE_TAG)?)))
}

/// What it holds, likewise.
pub(super) fn capacity_bytes(runs: &[RunFigures]) -> Option<u64> {
    one(runs.iter().filter_map(|run| run.run.capacity_bytes))
}

fn one<T: PartialEq>(mut values: impl Iterator<Item = T>) -> Option<T> {
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
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
        ] {
            assert_eq!(Price::parse(text), Some(Price { amount, currency: currency.to_string() }), "{text}");
        }
        for text in ["", "cheap", "980", "12,50 EUR", "1,2345 EUR", "0 EUR", "1.2.3 EUR", "US 5 $", "5 EUR 3"]
        {
            assert_eq!(Price::parse(text), None, "{text}");
        }
    }

    #[test]
    fn values_sort_as_people_sort() {
        let mut values = ["WT", "16", "4", "-", "1.5", "WB"].map(Value::of);
        values.sort();
        assert_eq!(values.map(|value| value.text), ["1.5", "4", "16", "-", "WB", "WT"]);
    }
}
