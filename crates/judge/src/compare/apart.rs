//! Why tests with equal titles are not paired.

use std::collections::BTreeMap;

use cardiograph_core::method::{Difference, Likeness};
use cardiograph_core::words::app::app_part;
use cardiograph_core::{Message, message};
use serde::Serialize;

use super::{ComparedTest, Group, Unpaired};
use crate::record::TestFigures;

/// A test of another group with the same title, and why the two are not compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Namesake {
    /// Index of the other group.
    pub group: usize,
    /// Why they are not compared.
    pub apart: Apart,
}

/// Why two tests are not compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Apart {
    /// How one of them was measured is unknown.
    MethodUnknown,
    /// One is sequential, the other random, or one reads and the other writes.
    Pattern,
    /// They were measured too differently.
    Differences {
        /// The differences.
        differences: Vec<Difference>,
    },
    /// They have no figure in common.
    NoCommonFigure,
}

/// Finds the namesakes of unpaired tests.
pub(super) fn find_namesakes(unpaired: &mut [Unpaired], groups: &[Group]) {
    // Imports may have thousands of tests.
    let mut by_title: BTreeMap<String, Vec<(usize, &TestFigures)>> = BTreeMap::new();
    for (group, Group { runs, .. }) in groups.iter().enumerate() {
        for test in runs.iter().flat_map(|run| &run.tests) {
            by_title.entry(test.title.to_string()).or_default().push((group, test));
        }
    }
    for alone in unpaired {
        let Some(tests) = by_title.get(&alone.title.to_string()) else { continue };
        let own = tests.iter().find(|(group, test)| *group == alone.group && test.test == alone.test);
        let other = tests.iter().find(|(group, _)| *group != alone.group);
        alone.namesake = own.zip(other).and_then(|((_, own), (group, other))| {
            Some(Namesake { group: *group, apart: apart(own, other)? })
        });
    }
}

/// Names the parts of an application that has several: they share its title.
pub(super) fn name_parts(tests: &mut [ComparedTest], unpaired: &mut [Unpaired]) {
    let ids = tests.iter().map(|test| &test.test).chain(unpaired.iter().map(|alone| &alone.test));
    let ids: Vec<String> = ids.cloned().collect();
    let name = |id: &str, title: &mut Message| {
        let Some((step, part)) = id.split_once('/') else { return };
        let is_other =
            |other: &String| other != id && other.split_once('/').is_some_and(|(of, _)| of == step);
        if ids.iter().any(is_other) {
            *title = message!("test-part", test = title.clone(), part = app_part(part));
        }
    };
    tests.iter_mut().for_each(|test| name(&test.test, &mut test.title));
    unpaired.iter_mut().for_each(|alone| name(&alone.test, &mut alone.title));
}

fn apart(one: &TestFigures, other: &TestFigures) -> Option<Apart> {
    let (left, right) = (&one.method, &other.method);
    let has_common = one
        .figures
        .iter()
        .any(|figure| other.reported_or_derived(figure.direction, figure.quantity).is_some());
    match left.likeness(right) {
        _ if left.pattern.is_none() || right.pattern.is_none() => Some(Apart::MethodUnknown),
        _ if left.pattern != right.pattern => Some(Apart::Pattern),
        Likeness::Other => Some(Apart::Differences { differences: left.differences(right) }),
        // Otherwise it is paired with another test.
        Likeness::Same | Likeness::Near { .. } => (!has_common).then_some(Apart::NoCommonFigure),
    }
}
