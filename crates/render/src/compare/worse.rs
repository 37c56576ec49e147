//! What became worse since a baseline, a line for each figure.

use cardiograph_core::quantity::Quantity;
use cardiograph_judge::compare::{ComparedMetric, ComparedTest, Comparison, Favours, Judgement, Role};

use super::words::{CompareWords, compared_words, figure_name, name, share, times};
use crate::lang::Lang;
use crate::method::is_quoted_by_speed;
use crate::text::layout;

/// What was looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worse {
    /// Figures that are worse by as much as was asked for, and by more than chance: `Random read: read IOPS: 12 % slower than in
    /// march`.
    pub worse: Vec<String>,
    /// Those that look so, and too little is known.
    pub cannot_tell: Vec<String>,
    /// What was measured of the base and is not told of another group, each in a sentence.
    pub missing: Vec<String>,
    /// How many figures were judged at all.
    pub judged: usize,
}

/// What became worse than in the base by `limit` (a share: 0.1 is a tenth) or more.
pub fn worse(comparison: &Comparison, limit: f64) -> Worse {
    let mut found =
        Worse { worse: Vec::new(), cannot_tell: Vec::new(), missing: missing(comparison), judged: 0 };
    for test in &comparison.tests {
        // I/Os per second of one block length are told once, as what is judged.
        let judged = |metric: &&ComparedMetric| {
            metric.against.iter().flatten().any(|against| against.judgement != Judgement::NotJudged)
        };
        for metric in test.metrics.iter().filter(judged) {
            if metric.role == Role::Follows {
                continue;
            }
            found.add(comparison, test, metric, limit);
        }
    }
    found
}

/// Tests that only the base has, and checkups that did not come to their end.
fn missing(comparison: &Comparison) -> Vec<String> {
    let alone = comparison.unpaired.iter().filter(|test| test.group == comparison.base);
    let tests = alone.map(|test| format!("not measured again: {}", layout::said(&test.title, Lang::En)));
    let partly = comparison.tests.iter().flat_map(|test| {
        let base = &test.sides[comparison.base];
        let groups = comparison.groups.iter().zip(&test.sides);
        let others = groups.filter(move |(_, side)| base.is_some() && side.is_none());
        others.map(|(group, _)| {
            format!("not measured of {}: {}", name(group), layout::said(&test.title, Lang::En))
        })
    });
    let runs = comparison.others().flat_map(|group| &comparison.groups[group].runs);
    let unfinished = runs.filter_map(|run| {
        let state = crate::text::words::state(run.state)?;
        Some(format!("{}: {state}", run.id))
    });
    tests.chain(partly).chain(unfinished).collect()
}

impl Worse {
    fn add(&mut self, comparison: &Comparison, test: &ComparedTest, metric: &ComparedMetric, limit: f64) {
        for (group, against) in metric.against.iter().enumerate() {
            let Some(against) = against else { continue };
            let is_judged = !matches!(against.judgement, Judgement::CannotTell | Judgement::NotJudged);
            self.judged += usize::from(is_judged);
            let Some(ratio) = against.ratio.filter(|_| against.favours == Some(Favours::Base)) else {
                continue;
            };
            // Of what is better large, as much is lost as is missing; of what is better small, as much as came on top.
            let change = (ratio - 1.0).abs();
            if change < limit {
                continue;
            }
            let CompareWords { worse, much, .. } = compared_words(metric.quantity);
            let size = match ratio {
                2.0.. => format!("{} times as {much} as in", times(ratio)),
                // Of what fell to a small part, a percentage says little.
                ..=0.1 => format!("{} times {worse} than in", times(1.0 / ratio)),
                _ => format!("{} {worse} than in", share(change)),
            };
            let title = layout::said(&test.title, Lang::En);
            let figure = figure_name(quoted(test, metric, group), Lang::En);
            let line = format!("{title}: {figure}: {size} {}", name(&comparison.groups[comparison.base]));
            let line = match comparison.groups.len() {
                2 => line,
                _ => format!("{}: {line}", name(&comparison.groups[group])),
            };
            match against.judgement {
                Judgement::Worse => self.worse.push(line),
                Judgement::CannotTell => self.cannot_tell.push(line),
                Judgement::Better | Judgement::NoDifference | Judgement::NotJudged => {}
            }
        }
    }
}

/// The figure that a reader knows a test by, in place of the one that says the same, where both sides have it.
fn quoted<'c>(test: &'c ComparedTest, metric: &'c ComparedMetric, group: usize) -> &'c ComparedMetric {
    let by_ios = metric.quantity == Quantity::Bandwidth && !is_quoted_by_speed(&test.method);
    let is_same = |ios: &&ComparedMetric| ios.role == Role::Follows && ios.against[group].is_some();
    let ios = || test.metric(metric.direction, Quantity::Iops).filter(is_same);
    by_ios.then(ios).flatten().unwrap_or(metric)
}

#[cfg(test)]
mod tests {
    use super::super::samples::{card_and_ssd, runs_of, without_iops};
    use super::*;

    #[test]
    fn only_real_differences_count() {
        // The sample's SSD is the base here: its read speed is known to be higher, that of its fsyncs is not.
        let found = worse(&runs_of(&[(3_786.0, 0.01), (3_300.0, 0.01)]), 0.1);
        assert_eq!(found.worse, ["Random read: read IOPS: 13 % slower than in a"]);
        assert!(found.cannot_tell.is_empty());
        let small = worse(&runs_of(&[(3_786.0, 0.01), (3_300.0, 0.01)]), 0.2);
        assert_eq!((small.worse.len(), small.judged), (0, 1));
        let vague = worse(&runs_of(&[(3_786.0, 0.4), (2_900.0, 0.4)]), 0.1);
        assert_eq!((vague.worse.len(), vague.cannot_tell.len(), vague.judged), (0, 1, 0));
        let better = worse(&runs_of(&[(3_300.0, 0.01), (3_786.0, 0.01)]), 0.1);
        assert_eq!((better.worse.len(), better.cannot_tell.len()), (0, 0));
    }

    #[test]
    fn a_group_that_is_not_judged_does_not_count() {
        let mut of = runs_of(&[(3_786.0, 0.01), (3_300.0, 0.01), (3_200.0, 0.01)]);
        assert_eq!(worse(&of, 0.1).judged, 2);
        let metric = of.tests[0].metrics.iter_mut().find(|metric| metric.against[2].is_some()).unwrap();
        metric.against[2].as_mut().unwrap().judgement = Judgement::NotJudged;
        let found = worse(&of, 0.1);
        assert_eq!((found.judged, found.worse.len()), (1, 1), "{found:?}");
    }

    #[test]
    fn the_figure_that_was_judged_is_named() {
        for (mut of, expected) in [(card_and_ssd(), "read IOPS"), (without_iops(), "read bandwidth")] {
            let metrics = of.tests[0].metrics.iter_mut();
            let judged = metrics.filter(|metric| metric.quantity == Quantity::Bandwidth);
            for against in judged.flat_map(|metric| metric.against.iter_mut().flatten()) {
                (against.ratio, against.favours) = (Some(0.53), Some(Favours::Base));
                against.judgement = Judgement::Worse;
            }
            assert_eq!(
                worse(&of, 0.1).worse,
                [format!("Random read: {expected}: 47 % slower than in microsd")]
            );
        }
    }

    #[test]
    fn what_nothing_is_known_of_is_said() {
        let found = worse(&card_and_ssd(), 0.1);
        assert!(found.worse.is_empty(), "{found:?}");
        assert!(found.cannot_tell.iter().any(|line| line.contains("fsync mean: 26 % longer")), "{found:?}");
    }
}
