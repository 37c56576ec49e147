//! Facts in which groups differ.

use std::collections::BTreeSet;

use super::{FactDifference, Group};

/// Facts known for at least two groups that are not the same in all of them.
pub(super) fn differences(groups: &[Group]) -> Vec<FactDifference> {
    let names: BTreeSet<&String> =
        groups.iter().flat_map(|group| &group.runs).flat_map(|run| run.facts.keys()).collect();
    let difference = |name: &String| {
        let values: Vec<Vec<String>> = groups.iter().map(|group| values(group, name)).collect();
        let known: Vec<&Vec<String>> = values.iter().filter(|values| !values.is_empty()).collect();
        let differ = known.iter().any(|&values| values != known[0]);
        differ.then(|| FactDifference { name: name.clone(), values })
    };
    names.into_iter().filter_map(difference).collect()
}

/// Known values of a group's runs, each once.
fn values(group: &Group, name: &str) -> Vec<String> {
    let values: BTreeSet<&String> = group.runs.iter().filter_map(|run| run.facts.get(name)).collect();
    values.into_iter().cloned().collect()
}
