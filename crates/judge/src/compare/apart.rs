//! Why tests with equal titles are not paired.

use cardiograph_core::method::{Difference, Likeness};
use serde::Serialize;

use super::{Group, Unpaired};
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
    for alone in unpaired {
        let tests =
            |group: &'_ Group| group.runs.iter().flat_map(|run| &run.tests).cloned().collect::<Vec<_>>();
        let own = tests(&groups[alone.group]).into_iter().find(|test| test.test == alone.test);
        let others = groups.iter().enumerate().filter(|(group, _)| *group != alone.group);
        let mut others = others.flat_map(|(group, of)| tests(of).into_iter().map(move |test| (group, test)));
        let other = others.find(|(_, test)| test.title == alone.title);
        alone.namesake = own
            .zip(other)
            .and_then(|(own, (group, other))| Some(Namesake { group, apart: apart(&own, &other)? }));
    }
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
