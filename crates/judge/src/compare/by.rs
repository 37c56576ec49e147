//! Groups of runs that have facts, tags or labels in common.

use std::collections::{BTreeMap, BTreeSet};

use cardiograph_core::text::{shown, unique};

use super::Group;
use crate::record::RunFigures;

/// Value of a fact or tag that a run lacks.
const UNKNOWN: &str = "-";

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
/// alphabetically.
///
/// # Errors
/// When no run has one of them.
pub fn group_by(runs: Vec<RunFigures>, names: &[String]) -> Result<Vec<Group>, UnknownFact> {
    let facts = runs.iter().flat_map(|run| run.facts.keys()).map(String::as_str);
    let label = runs.iter().any(|run| run.run.label.is_some()).then_some(LABEL);
    let known: BTreeSet<&str> = facts.chain(label).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(name.as_str())) {
        let known = known.into_iter().map(str::to_string).collect();
        return Err(UnknownFact { name: shown(name), known });
    }
    let unique = unique(names.iter());
    let mut groups: BTreeMap<Vec<Value>, Vec<RunFigures>> = BTreeMap::new();
    for run in runs {
        let label = |name: &String| run.run.label.as_deref().filter(|_| name == LABEL);
        let value = |name: &String| {
            run.facts.get(name).map(String::as_str).or_else(|| label(name)).unwrap_or(UNKNOWN)
        };
        let values = unique.iter().map(|&name| Value::parse(value(name))).collect();
        groups.entry(values).or_default().push(run);
    }
    let name =
        |values: &[Value]| values.iter().map(|value| value.text.clone()).collect::<Vec<_>>().join(", ");
    Ok(groups.into_iter().map(|(values, runs)| Group { name: name(&values), runs }).collect())
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
