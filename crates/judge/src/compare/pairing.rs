//! Which tests belong together.

use cardiograph_core::method::{Difference, Likeness, Pattern};

use super::{Group, Unpaired};
use crate::record::{RunFigures, TestFigures};

/// A test with the runs of each group that have it.
pub(super) struct Pair<'g> {
    pub test: &'g TestFigures,
    /// For each group, its runs' tests.
    pub sides: Vec<Vec<Member<'g>>>,
}

impl Pair<'_> {
    /// What each group has of it, by itself.
    pub fn parted(&self) -> impl Iterator<Item = Unpaired> {
        let of_group = |(group, side): (usize, &Vec<Member>)| {
            let test = side.first()?.test;
            Some(Unpaired { group, test: test.test.clone(), title: test.title.clone() })
        };
        self.sides.iter().enumerate().filter_map(of_group)
    }
}

/// A run's test, beside the one that it was paired with.
#[derive(Clone)]
pub(super) struct Member<'g> {
    pub test: &'g TestFigures,
    pub differences: Vec<Difference>,
}

impl Member<'_> {
    /// Whether it was measured in another way. Another scale is none: what a suite fits to a drive is measured on all of them.
    pub fn is_near(&self) -> bool {
        !Difference::are_of_scale(&self.differences)
    }
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
/// paired. What was measured in the same way is brought together first, over all runs: only what is then missing in a group is
/// looked for among what was measured in a near way. So a near test never takes the place of one that is still to come, as in
/// groups whose runs have a test each.
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
    let mut pairs = with_near(pairs);
    pairs.iter_mut().flat_map(|pair| &mut pair.sides).for_each(keep_the_most_alike);
    let is_paired = |pair: &Pair| pair.sides.iter().filter(|side| !side.is_empty()).count() > 1;
    let (paired, alone): (Vec<Pair>, Vec<Pair>) = pairs.into_iter().partition(is_paired);
    let unpaired = alone.iter().flat_map(Pair::parted).collect();
    (paired, unpaired)
}

/// For each test of a run, the place among `pairs` of what was measured in the same way, with the differences in scale; no place is
/// given twice.
fn assign(run: &RunFigures, pairs: &[Pair]) -> Vec<Option<(usize, Vec<Difference>)>> {
    let mut candidates = Vec::new();
    for (index, test) in run.tests.iter().enumerate() {
        for (place, pair) in pairs.iter().enumerate() {
            let Some(differences) = differences(pair.test, test) else { continue };
            let class = class(&differences);
            if class != Class::Near {
                let has_other_id = pair.test.test != test.test;
                candidates.push((has_other_id, class, differences.len(), index, place, differences));
            }
        }
    }
    // The id comes first, then how little differs, then the order in which they ran.
    candidates
        .sort_by_key(|&(other_id, class, count, index, place, _)| (other_id, class, count, index, place));
    let mut places = vec![None; run.tests.len()];
    let mut is_taken = vec![false; pairs.len()];
    for (.., index, place, differences) in candidates {
        if places[index].is_none() && !is_taken[place] {
            is_taken[place] = true;
            places[index] = Some((place, differences));
        }
    }
    places
}

/// Brings pairs together that have no group in common and were measured in a near way: by their id first, then by how little
/// differs.
fn with_near(mut pairs: Vec<Pair<'_>>) -> Vec<Pair<'_>> {
    let mut candidates = Vec::new();
    for into in 0..pairs.len() {
        for from in into + 1..pairs.len() {
            if let Some(differences) = differences(pairs[into].test, pairs[from].test) {
                let has_other_id = pairs[into].test.test != pairs[from].test.test;
                candidates.push((has_other_id, differences.len(), into, from, differences));
            }
        }
    }
    candidates.sort_by_key(|&(other_id, count, into, from, _)| (other_id, count, into, from));
    let is_gone = |pair: &Pair| pair.sides.iter().all(Vec::is_empty);
    let has_both = |(mine, theirs): (&Vec<Member>, &Vec<Member>)| !mine.is_empty() && !theirs.is_empty();
    for (.., into, from, near) in candidates {
        let (one, other) = (&pairs[into], &pairs[from]);
        if is_gone(one) || is_gone(other) || one.sides.iter().zip(&other.sides).any(has_both) {
            continue;
        }
        let test = one.test;
        let moved: Vec<Vec<Member>> = pairs[from].sides.iter_mut().map(std::mem::take).collect();
        for (side, members) in pairs[into].sides.iter_mut().zip(moved) {
            side.extend(members.into_iter().map(|member| Member {
                differences: differences(test, member.test).unwrap_or_else(|| near.clone()),
                ..member
            }));
        }
    }
    pairs.retain(|pair| !is_gone(pair));
    pairs
}

/// In what two tests differ; `None` when they do something else.
fn differences(left: &TestFigures, right: &TestFigures) -> Option<Vec<Difference>> {
    // Parts of one application have one method between them.
    let is_application = left.method.pattern == Some(Pattern::Application);
    fn part(test: &TestFigures) -> Option<&str> {
        test.test.split_once('/').map(|(_, part)| part)
    }
    fn load(test: &TestFigures) -> Option<&String> {
        test.method.others.get("load")
    }
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
    } else if Difference::are_of_scale(differences) {
        Class::Scale
    } else {
        Class::Near
    }
}

/// Runs of one group that measured in another way are left out where others of it measured in the same.
fn keep_the_most_alike(side: &mut Vec<Member>) {
    if !side.iter().all(Member::is_near) {
        side.retain(|member| !member.is_near());
    }
}
