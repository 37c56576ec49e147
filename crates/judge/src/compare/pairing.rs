//! Pairing of tests.

use cardiograph_core::method::{Difference, Likeness, Method, Pattern};
use cardiograph_core::{Message, Parameter};

use super::{Group, Unpaired};
use crate::changes::are_alike;
use crate::record::TestFigures;

/// A test with the runs of each group that have it.
pub(super) struct Pair<'g> {
    pub test: &'g TestFigures,
    /// For each group, its runs' tests.
    pub sides: Vec<Vec<Member<'g>>>,
}

impl Pair<'_> {
    /// The tests of each group, unpaired.
    pub fn separated(&self) -> impl Iterator<Item = Unpaired> {
        let unpaired = |(group, side): (usize, &Vec<Member>)| {
            let test = side.first()?.test;
            Some(Unpaired { group, test: test.test.clone(), title: test.title.clone(), namesake: None })
        };
        self.sides.iter().enumerate().filter_map(unpaired)
    }
}

/// What identifies a test for pairing.
#[derive(Debug, Clone, Copy)]
pub struct TestKind<'t> {
    /// Its id within the checkup.
    pub id: &'t str,
    /// Its title.
    pub title: &'t Message,
    /// How it was measured.
    pub method: &'t Method,
}

impl<'t> From<&'t TestFigures> for TestKind<'t> {
    fn from(test: &'t TestFigures) -> Self {
        Self { id: &test.test, title: &test.title, method: &test.method }
    }
}

/// A run's test, compared with the one it was paired with.
#[derive(Clone)]
pub(super) struct Member<'g> {
    pub test: &'g TestFigures,
    pub differences: Vec<Difference>,
}

impl Member<'_> {
    /// Whether it was measured differently. Another scale does not count: a suite adapts it to the drive.
    pub fn is_similar(&self) -> bool {
        !Difference::are_of_scale(&self.differences)
    }
}

/// Similarity class of two tests: lower is more similar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Same,
    /// Only the amount of work differs, as a suite adapts it to a drive.
    Scale,
    Similar,
}

/// Tests that at least two groups have, in the order of the base, and those that only one has. `Other`
/// methods are never paired. Tests with the same method are paired first, over all runs; only then are
/// missing ones filled with similar tests. So a similar test never takes the place of an exact one that comes
/// later, as in groups whose runs have a single test each.
pub(super) fn pair(groups: &[Group], base: usize) -> (Vec<Pair<'_>>, Vec<Unpaired>) {
    let order = std::iter::once(base).chain((0..groups.len()).filter(|&group| group != base));
    let mut pairs: Vec<Pair> = Vec::new();
    for group in order {
        for run in &groups[group].runs {
            let known: Vec<TestKind> = pairs.iter().map(|pair| pair.test.into()).collect();
            let tests: Vec<TestKind> = run.tests.iter().map(TestKind::from).collect();
            let places = assign(&tests, &known, |known, test| {
                differences(known, test).filter(|differences| class(differences) != Class::Similar)
            });
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
    let mut pairs = with_similar(pairs);
    pairs.iter_mut().flat_map(|pair| &mut pair.sides).for_each(keep_exact_matches);
    let is_paired = |pair: &Pair| pair.sides.iter().filter(|side| !side.is_empty()).count() > 1;
    let (paired, alone): (Vec<Pair>, Vec<Pair>) = pairs.into_iter().partition(is_paired);
    let unpaired = alone.iter().flat_map(Pair::separated).collect();
    (paired, unpaired)
}

/// For each test of each run an index, equal for tests that belong together. Indexes count from 0 in order of
/// appearance; two tests of one run never share one. Tests with a similar or unknown method belong together
/// only if they have the same id.
pub fn assign_indexes<'t>(runs: &[Vec<TestKind<'t>>]) -> Vec<Vec<usize>> {
    let mut known: Vec<TestKind<'t>> = Vec::new();
    let is_same = |known: TestKind<'_>, test: TestKind<'_>| {
        let has_its_id = known.id == test.id;
        let is_unknown = known.method.pattern.is_none() || test.method.pattern.is_none();
        match differences(known, test)
            .filter(|found| !is_unknown && (has_its_id || class(found) != Class::Similar))
        {
            None if has_its_id && is_unknown => Some(Vec::new()),
            found => found,
        }
    };
    let mut all = Vec::with_capacity(runs.len());
    for tests in runs {
        let found = assign(tests, &known, is_same);
        let place = |(&test, found): (&TestKind<'t>, Option<(usize, _)>)| {
            found.map(|(place, _)| place).unwrap_or_else(|| {
                known.push(test);
                known.len() - 1
            })
        };
        all.push(tests.iter().zip(found).map(place).collect());
    }
    all
}

/// For each test of a run the index of a `known` one that it matches, with the differences; each index is
/// used once. The same id comes first, then similarity, then run order.
fn assign(
    tests: &[TestKind<'_>],
    known: &[TestKind<'_>],
    in_common: impl Fn(TestKind<'_>, TestKind<'_>) -> Option<Vec<Difference>>,
) -> Vec<Option<(usize, Vec<Difference>)>> {
    let mut candidates = Vec::new();
    for (index, &test) in tests.iter().enumerate() {
        for (place, &known) in known.iter().enumerate() {
            let Some(differences) = in_common(known, test) else { continue };
            let has_other_id = known.id != test.id;
            candidates.push((
                has_other_id,
                class(&differences),
                differences.len(),
                index,
                place,
                differences,
            ));
        }
    }
    candidates
        .sort_by_key(|&(other_id, class, count, index, place, _)| (other_id, class, count, index, place));
    let mut places = vec![None; tests.len()];
    let mut is_taken = vec![false; known.len()];
    for (.., index, place, differences) in candidates {
        if places[index].is_none() && !is_taken[place] {
            is_taken[place] = true;
            places[index] = Some((place, differences));
        }
    }
    places
}

/// Merges pairs that have no group in common and a similar method: by id first, then by similarity.
fn with_similar(mut pairs: Vec<Pair<'_>>) -> Vec<Pair<'_>> {
    let mut candidates = Vec::new();
    for into in 0..pairs.len() {
        for from in into + 1..pairs.len() {
            if let Some(differences) = differences(pairs[into].test.into(), pairs[from].test.into()) {
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
                differences: differences(test.into(), member.test.into()).unwrap_or_else(|| near.clone()),
                ..member
            }));
        }
    }
    pairs.retain(|pair| !is_gone(pair));
    pairs
}

/// Differences between two tests; `None` if they do something else.
fn differences(left: TestKind<'_>, right: TestKind<'_>) -> Option<Vec<Difference>> {
    // Parts of one application share one method.
    let is_application = left.method.pattern == Some(Pattern::Application);
    let part = |test: TestKind<'_>| test.id.split_once('/').map(|(_, part)| part.to_string());
    let load = |test: TestKind<'_>| test.method.others.get("load").cloned();
    let cameras = |test: TestKind<'_>| test.method.others.get("cameras")?.parse().ok();
    let is_as_many = || cameras(left).zip(cameras(right)).is_none_or(|(one, other)| are_alike(one, other));
    if is_application && !(part(left) == part(right) && load(left) == load(right) && is_as_many()) {
        return None;
    }
    // The title of one would be untrue for the other.
    let is_titled_alike = match (amount(left.title), amount(right.title)) {
        (Some(one), Some(other)) => left.title.id() == right.title.id() && are_alike(one, other),
        (one, other) => one == other,
    };
    if !is_titled_alike {
        return None;
    }
    match left.method.likeness(right.method) {
        Likeness::Same => Some(Vec::new()),
        Likeness::Near { differences } => Some(differences),
        Likeness::Other => None,
    }
}

/// The amount that a title states, in bytes, such as `Continue writing from 299 MB`: fitted to the drive.
fn amount(title: &Message) -> Option<u64> {
    title.parameters().find_map(|(_, parameter)| match parameter {
        Parameter::CapacityBytes(bytes) => Some(*bytes),
        _ => None,
    })
}

fn class(differences: &[Difference]) -> Class {
    if differences.is_empty() {
        Class::Same
    } else if Difference::are_of_scale(differences) {
        Class::Scale
    } else {
        Class::Similar
    }
}

/// Drops runs of one group that were measured differently, if others of it match exactly.
fn keep_exact_matches(side: &mut Vec<Member>) {
    if !side.iter().all(Member::is_similar) {
        side.retain(|member| !member.is_similar());
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::message;

    use super::*;

    type Tests = Vec<(&'static str, Method)>;

    static UNTITLED: std::sync::LazyLock<Message> = std::sync::LazyLock::new(Message::default);

    #[test]
    fn steps_fitted_to_the_drive_are_paired_if_one_title_is_true_of_both() {
        let first = |bytes| message!("step-cliff.first", bytes = Parameter::CapacityBytes(bytes));
        let next = |from| message!("step-cliff.next", from = Parameter::CapacityBytes(from));
        let plain = || message!("step-write", block = Parameter::BlockBytes(1 << 20));
        let writes = Method { pattern: Some(Pattern::Write), ..Method::default() };
        let recording = |cameras: &str| Method {
            pattern: Some(Pattern::Application),
            others: std::iter::once(("cameras".to_string(), cameras.to_string())).collect(),
            ..Method::default()
        };
        for (one, other, are_paired) in [
            ((first(300), &writes), (first(300), &writes), true),
            ((first(300), &writes), (first(400), &writes), true),
            ((first(300), &writes), (first(2_400), &writes), false),
            ((first(300), &writes), (next(300), &writes), false),
            ((first(300), &writes), (plain(), &writes), false),
            ((plain(), &writes), (plain(), &writes), true),
            ((plain(), &recording("24")), (plain(), &recording("28")), true),
            ((plain(), &recording("24")), (plain(), &recording("169")), false),
        ] {
            let kinds = [&one, &other].map(|(title, method)| vec![TestKind { id: "a", title, method }]);
            let found = assign_indexes(&kinds);
            assert_eq!(found[0] == found[1], are_paired, "{one:?} {other:?}");
        }
    }

    #[test]
    fn tests_with_the_same_method_belong_together() {
        let method = |pattern, depth, time_ns| Method {
            tool: "fio".to_string(),
            pattern: Some(pattern),
            block_bytes: Some(4_096),
            depth: Some(depth),
            time_ns: Some(time_ns),
            ..Method::default()
        };
        let read = || method(Pattern::RandomRead, 1, 30);
        let write = || method(Pattern::RandomWrite, 1, 30);
        let unknown = Method::default;
        let cases: Vec<(Tests, Tests, Vec<usize>)> = vec![
            (vec![("a", read()), ("b", write())], vec![("b", write()), ("a", read())], vec![1, 0]),
            // Named differently, or with a suite's duration.
            (vec![("a", read()), ("b", write())], vec![("x", write()), ("y", read())], vec![1, 0]),
            (vec![("a", read())], vec![("x", method(Pattern::RandomRead, 1, 8))], vec![0]),
            // Same name, something else.
            (vec![("a", read())], vec![("a", write())], vec![1]),
            (vec![("a", read()), ("b", write())], vec![("a", write()), ("b", read())], vec![1, 0]),
            // Similar methods match by name only.
            (vec![("a", read())], vec![("a", method(Pattern::RandomRead, 2, 30))], vec![0]),
            (vec![("a", read())], vec![("x", method(Pattern::RandomRead, 2, 30))], vec![1]),
            // Without a method only the name counts.
            (vec![("a", unknown())], vec![("a", unknown()), ("x", unknown())], vec![0, 1]),
            // Tries of one test are separate.
            (vec![("a", read()), ("a-2", read())], vec![("a-2", read()), ("a", read())], vec![1, 0]),
            (vec![("a", read())], vec![("a-2", read()), ("a", read())], vec![1, 0]),
        ];
        for (one, two, expected) in cases {
            fn kinds(all: &Tests) -> Vec<TestKind<'_>> {
                all.iter().map(|(id, method)| TestKind { id, title: &UNTITLED, method }).collect()
            }
            let found = assign_indexes(&[kinds(&one), kinds(&two)]);
            let names: Vec<_> = two.iter().map(|(id, method)| (id, method.pattern)).collect();
            assert_eq!(found[0], (0..one.len()).collect::<Vec<_>>());
            assert_eq!(found[1], expected, "{names:?}");
        }
    }
}
