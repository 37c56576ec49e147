//! Ids of steps that are named by other programs or users.

use std::collections::{BTreeMap, BTreeSet};

use crate::text::plain_line;

/// An id for each name, as required by [`super::validate`]: unique and without control characters. The second `a`
/// becomes `a-2`, unless an earlier one has that name. A step without a name becomes `unnamed`.
pub fn step_ids<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let id = |name: &str| {
        let name = if name.is_empty() { "unnamed".to_string() } else { plain_line(name) };
        let mut id = name.clone();
        while !taken.insert(id.clone()) {
            let count = counts.entry(name.clone()).or_insert(1);
            *count += 1;
            id = format!("{name}-{count}");
        }
        id
    };
    names.into_iter().map(id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::validate::validate;
    use crate::report::{Report, Step, StepOutcome, StepResult, Work};

    #[test]
    fn ids_are_valid_for_any_step_names() {
        let cases: [(&[&str], &[&str]); 5] = [
            (&["a", "b", "a", "a"], &["a", "b", "a-2", "a-3"]),
            (&["a", "a", "a-2", "a-2", "a"], &["a", "a-2", "a-2-2", "a-2-3", "a-3"]),
            (&["a\0b", "a\tb", "a\u{202e}b"], &["a\u{fffd}b", "a\u{fffd}b-2", "a\u{fffd}b-3"]),
            (&["", "unnamed", ""], &["unnamed", "unnamed-2", "unnamed-3"]),
            (&[], &[]),
        ];
        for (names, expected) in cases {
            let ids = step_ids(names.iter().copied());
            assert_eq!(ids, expected, "{names:?}");
            let step = |id: &String| {
                StepResult::new(
                    Step::measuring(id, crate::Message::default(), Work::Jobs(Vec::new())),
                    StepOutcome::Done,
                )
            };
            let steps = ids.iter().map(step).collect();
            validate(&Report { steps, ..Report::new("r", 0, "", "") }).unwrap();
        }
    }
}
