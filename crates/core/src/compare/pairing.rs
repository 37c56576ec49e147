//! Which tests belong together.

use super::{Group, Unpaired};
use crate::method::{Aspect, Difference, Likeness, Pattern};
use crate::record::{RunFigures, TestFigures};

/// A test with the runs of each group that have it.
pub(super) struct Pair<'g> {
    pub test: &'g TestFigures,
    /// For each group, its runs' tests.
    pub sides: Vec<Vec<Member<'g>>>,
}

/// A run's test, beside the one that it was paired with.
#[derive(Clone)]
pub(super) struct Member<'g> {
    pub test: &'g TestFigures,
    pub differences: Vec<Difference>,
}

/// How much alike two tests are: the less, the better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Same,
    /// Only as much more or less was done as a suite fits to a drive.
    Scale,
    Near,
}

/// The tests that at least two groups have, in the order of the base, and those that only one has. `Other` methods are never
/// paired. A test is paired with the one of its id if that was measured in the same way, else with any that was, else with a near
/// one, by its id first.
pub(super) fn pair(groups: &[Group], base: usize) -> (Vec<Pair<'_>>, Vec<Unpaired>) {
    let order = std::iter::once(base).chain((0..groups.len()).filter(|&group| group != base));
    let mut pairs: Vec<Pair> = Vec::new();
    for group in order {
        for run in &groups[group].runs {
            let places = assign(run, &pairs);
            for (test, place) in run.tests.iter().zip(places) {
                let member = |differences| Member { test, differences };
                match place {
                    Some((place, differences)) => pairs[place].sides[group].push(member(differences)),
                    None => {
                        let mut sides = vec![Vec::new(); groups.len()];
                        sides[group].push(member(Vec::new()));
                        pairs.push(Pair { test, sides });
                    }
                }
            }
        }
    }
    pairs.iter_mut().flat_map(|pair| &mut pair.sides).for_each(keep_the_most_alike);
    let is_paired = |pair: &Pair| pair.sides.iter().filter(|side| !side.is_empty()).count() > 1;
    let (paired, alone): (Vec<Pair>, Vec<Pair>) = pairs.into_iter().partition(is_paired);
    let unpaired = |pair: &Pair| {
        let group = pair.sides.iter().position(|side| !side.is_empty())?;
        Some(Unpaired { group, test: pair.test.test.clone(), title: pair.test.title.clone() })
    };
    let unpaired = alone.iter().filter_map(unpaired).collect();
    (paired, unpaired)
}

/// For each test of a run, the place among `pairs` that is its own, with the differences; no place is given twice.
fn assign(run: &RunFigures, pairs: &[Pair]) -> Vec<Option<(usize, Vec<Difference>)>> {
    let mut candidates = Vec::new();
    for (index, test) in run.tests.iter().enumerate() {
        for (place, pair) in pairs.iter().enumerate() {
            if let Some(differences) = differences(pair.test, test) {
                let has_other_id = pair.test.test != test.test;
                candidates.push((
                    class(&differences),
                    has_other_id,
                    differences.len(),
                    index,
                    place,
                    differences,
                ));
            }
        }
    }
    // What is the same comes before what is near; then the id, then how little differs, then the order in which they ran.
    candidates.sort_by_key(|&(class, other_id, count, index, place, _)| {
        (class == Class::Near, other_id, class, count, index, place)
    });
    let mut places = vec![None; run.tests.len()];
    let mut is_taken = vec![false; pairs.len()];
    for (_, _, _, index, place, differences) in candidates {
        if places[index].is_none() && !is_taken[place] {
            is_taken[place] = true;
            places[index] = Some((place, differences));
        }
    }
    places
}

/// In what two tests differ; `None` when they do something else.
fn differences(left: &TestFigures, right: &TestFigures) -> Option<Vec<Difference>> {
    // Parts of one application have one method between them.
    let is_application = left.method.pattern == Some(Pattern::Application);
    let part = |test: &TestFigures| test.test.split_once('/').map(|(_, part)| part.to_string());
    let load = |test: &TestFigures| test.method.others.get("load").cloned();
    if is_application && (part(left) != part(right) || load(left) != load(right)) {
        return None;
    }
    match left.method.likeness(&right.method) {
        Likeness::Same => Some(Vec::new()),
        Likeness::Near { differences } => Some(differences),
        Likeness::Other => None,
    }
}

fn class(differences: &[Difference]) -> Class {
    if differences.is_empty() {
        Class::Same
    } else if is_of_scale(differences) {
        Class::Scale
    } else {
        Class::Near
    }
}

/// Whether differences are only in how much was done, or for how long.
pub(super) fn is_of_scale(differences: &[Difference]) -> bool {
    differences.iter().all(|difference| matches!(difference.aspect, Aspect::Size | Aspect::Time))
}

/// Runs of one group that are less alike than others of it are left out.
fn keep_the_most_alike(side: &mut Vec<Member>) {
    let best = side.iter().map(|member| class(&member.differences)).min();
    side.retain(|member| Some(class(&member.differences)) == best);
}
