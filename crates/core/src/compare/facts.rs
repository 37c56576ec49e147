//! In which facts groups differ.

use std::collections::BTreeSet;

use super::{FactDifference, Group};

/// The facts that are known of at least two groups and are not the same in all of them.
pub(super) fn differences(groups: &[Group]) -> Vec<FactDifference> {
    let names: BTreeSet<&String> =
        groups.iter().flat_map(|group| &group.runs).flat_map(|run| run.facts.keys()).collect();
    let difference = |name: &String| {
        let values: Vec<Option<String>> = groups.iter().map(|group| value(group, name)).collect();
        let mut known: Vec<&String> = values.iter().flatten().collect();
        let count = known.len();
        known.sort();
        known.dedup();
        (count > 1 && known.len() > 1).then(|| FactDifference { name: name.clone(), values })
    };
    names.into_iter().filter_map(difference).collect()
}

fn value(group: &Group, name: &str) -> Option<String> {
    let values: BTreeSet<&String> = group.runs.iter().filter_map(|run| run.facts.get(name)).collect();
    let values: Vec<&str> = values.into_iter().map(String::as_str).collect();
    (!values.is_empty()).then(|| values.join(" / "))
}
