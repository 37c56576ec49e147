//! Groups of runs that have facts, tags or labels in common.

use std::collections::{BTreeMap, BTreeSet};

use cardiograph_core::nearest::is_same;
use cardiograph_core::text::{shown, unique};
use cardiograph_core::units;

use super::Group;
use crate::record::RunFigures;

/// Value of a fact or tag that a run lacks.
const UNKNOWN: &str = "-";

/// Values that say nothing without the name of their tag.
const BARE: [&str; 7] = [UNKNOWN, "yes", "no", "true", "false", "on", "off"];

/// A fact or tag that no run has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownFact {
    /// The requested name.
    pub name: String,
    /// Known names.
    pub known: Vec<String>,
}

/// Name for grouping by the user's labels.
const LABEL: &str = "label";

/// A group for each combination of values of `names` (facts, tags or the label), sorted: numbers by size, other values
/// alphabetically. A name may lack the unit of a fact: `capacity` for `capacity_bytes`.
///
/// # Errors
/// When no run has one of them.
pub fn group_by(runs: Vec<RunFigures>, names: &[String]) -> Result<Vec<Group>, UnknownFact> {
    let facts = runs.iter().flat_map(|run| run.facts.keys()).map(String::as_str);
    let label = runs.iter().any(|run| run.run.label.is_some()).then_some(LABEL);
    let known: BTreeSet<&str> = facts.chain(label).collect();
    let find = |name: &String| {
        let is_named = |key: &&str| is_same(name, key) || is_same(name, without_unit(key));
        known.get(name.as_str()).copied().or_else(|| known.iter().copied().find(is_named)).ok_or_else(|| {
            let known = known.iter().map(|key| without_unit(key).to_string()).collect();
            UnknownFact { name: shown(name), known }
        })
    };
    let keys = names.iter().map(find).collect::<Result<Vec<&str>, _>>()?;
    let keys: Vec<String> = unique(keys.into_iter()).into_iter().map(str::to_string).collect();
    let mut groups: BTreeMap<Vec<Value>, Vec<RunFigures>> = BTreeMap::new();
    for run in runs {
        let label = |key: &String| run.run.label.as_deref().filter(|_| key == LABEL);
        let value = |key: &String| {
            let text = run.facts.get(key).map(String::as_str).or_else(|| label(key)).unwrap_or(UNKNOWN);
            Value { text: with_unit(key, text), ..Value::parse(text) }
        };
        let values = keys.iter().map(value).collect();
        groups.entry(values).or_default().push(run);
    }
    let name =
        |values: &[Value]| values.iter().map(|value| value.text.clone()).collect::<Vec<_>>().join(", ");
    Ok(groups.into_iter().map(|(values, runs)| Group { name: name(&values), runs }).collect())
}

/// A fact's key without its unit, as users write it: `capacity` for `capacity_bytes`.
fn without_unit(key: &str) -> &str {
    ["_bytes_per_s", "_bytes"].iter().find_map(|unit| key.strip_suffix(unit)).unwrap_or(key)
}

/// A fact's value for display: `64 GB` for a capacity of 64000000000, `overclock=no` where the value alone says nothing.
fn with_unit(key: &str, value: &str) -> String {
    match value.parse() {
        Ok(bytes) if key == "capacity_bytes" => units::bytes_si(bytes),
        _ if BARE.iter().any(|bare| is_same(bare, value)) => format!("{key}={value}"),
        _ => value.to_string(),
    }
}

/// A value in natural sort order: `4` before `16`, numbers before words, unknown values last.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Value {
    is_unknown: bool,
    is_word: bool,
    /// Leading number, in billionths.
    billionths: i128,
    text: String,
}

impl Value {
    fn parse(text: &str) -> Self {
        let number = leading_number(text).map(|(number, _)| number);
        let billionths = number.map_or(0, |number| (number * 1e9) as i128);
        Self { is_unknown: text == UNKNOWN, is_word: number.is_none(), billionths, text: text.to_string() }
    }
}

/// The number at the beginning of a text, and the rest.
pub(super) fn leading_number(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_sort_naturally() {
        let mut values = ["WT", "16", "4", "-", "1.5", "WB"].map(Value::parse);
        values.sort();
        assert_eq!(values.map(|value| value.text), ["1.5", "4", "16", "WB", "WT", "-"]);
    }
}
