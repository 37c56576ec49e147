//! Groups made of what runs have in common.

use std::collections::{BTreeMap, BTreeSet};

use cardiograph_core::text::{shown, unique};

use super::Group;
use crate::record::RunFigures;

/// What stands for a fact that is not known of a run.
const NOT_KNOWN: &str = "-";

/// A fact or tag that no run has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no run tells '{name}'; they tell {}", known.join(", "))]
pub struct UnknownFact {
    /// As it was asked for.
    pub name: String,
    /// What there is.
    pub known: Vec<String>,
}

/// The name by which runs are grouped by what the user calls their drives.
const LABEL: &str = "label";

/// A group for each combination of values of the facts or tags `names` or of the label, in their order: numbers by size, the rest by
/// letters.
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
            run.facts.get(name).map(String::as_str).or_else(|| label(name)).unwrap_or(NOT_KNOWN)
        };
        let values = unique.iter().map(|&name| Value::of(value(name))).collect();
        groups.entry(values).or_default().push(run);
    }
    let name =
        |values: &[Value]| values.iter().map(|value| value.text.clone()).collect::<Vec<_>>().join(", ");
    Ok(groups.into_iter().map(|(values, runs)| Group { name: name(&values), runs }).collect())
}

/// A value that sorts as people sort: `4` before `16`, numbers before words, and what is not known last.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Value {
    is_not_known: bool,
    is_word: bool,
    /// The number that it begins with, in billionths.
    billionths: i128,
    text: String,
}

impl Value {
    fn of(text: &str) -> Self {
        let number = leading_number(text).map(|(number, _)| number);
        let billionths = number.map_or(0, |number| (number * 1e9) as i128);
        Self {
            is_not_known: text == NOT_KNOWN,
            is_word: number.is_none(),
            billionths,
            text: text.to_string(),
        }
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
    fn values_sort_as_people_sort() {
        let mut values = ["WT", "16", "4", "-", "1.5", "WB"].map(Value::of);
        values.sort();
        assert_eq!(values.map(|value| value.text), ["1.5", "4", "16", "WB", "WT", "-"]);
    }
}
