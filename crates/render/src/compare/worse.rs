//! Regressions since a baseline, a sentence for each figure.

use cardiograph_core::quantity::Quantity;
use cardiograph_core::{Message, Parameter, message};
use cardiograph_judge::compare::{ComparedMetric, ComparedTest, Comparison, Favours, Judgement, Role};

use super::chosen::is_by_speed;
use crate::doc::comparison::{group_names, share};
use crate::doc::words::state;
use crate::doc::{Doc, Node};
use crate::method;

/// From this ratio on, a change is given as a factor.
const SEVERAL_TIMES: f64 = 2.0;
/// Below this share of the former value a percentage says little.
const SMALL_PART: f64 = 0.1;

/// Result of the search for regressions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Worse {
    /// Figures that are worse by at least the limit, and by more than chance: `Random read: read IOPS 12 %
    /// lower than in march`.
    pub worse: Vec<Message>,
    /// Figures that seem worse but are too uncertain.
    pub cannot_tell: Vec<Message>,
    /// Figures of the base that another group lacks.
    pub missing: Vec<Message>,
    /// Number of figures judged.
    pub judged: usize,
    /// Number of those that could not be decided, whatever they seem to be.
    pub undecided: usize,
}

impl Worse {
    /// The findings and their meaning for this `limit`.
    pub fn doc(&self, comparison: &Comparison, limit: f64) -> Doc {
        let base = group_names(&comparison.groups)[comparison.base].clone();
        let conclusion = match (self.worse.is_empty(), self.judged) {
            (false, _) => None,
            (true, 0) => Some(message!("comparison-worse.nothing-judged", base = base.as_str())),
            (true, judged) => Some(message!(
                "comparison-worse.none",
                figures = judged + self.undecided,
                limit = Parameter::share(limit),
                base = base.as_str(),
                undecided = self.undecided
            )),
        };
        let uncertain = |change: &Message| message!("comparison-worse.uncertain", change = change.clone());
        let uncertain = self.cannot_tell.iter().map(uncertain);
        let found = self.worse.iter().cloned().chain(uncertain).chain(self.missing.iter().cloned());
        Doc::untitled(found.chain(conclusion).map(Node::paragraph).collect())
    }
}

/// Figures worse than in the base by at least `limit` (a share: 0.1 is a tenth).
pub fn worse(comparison: &Comparison, limit: f64) -> Worse {
    let mut found = Worse { missing: missing(comparison), ..Worse::default() };
    for test in &comparison.tests {
        // With one block size, bandwidth and IOPS say the same: only the judged one counts.
        let judged = |metric: &&ComparedMetric| {
            metric.against.iter().flatten().any(|against| against.judgement != Judgement::NotJudged)
        };
        for metric in test.metrics.iter().filter(judged) {
            if metric.role != Role::Follows {
                found.add(comparison, test, metric, limit);
            }
        }
    }
    found
}

/// Tests that only the base has or that another group measured differently, and unfinished checkups.
fn missing(comparison: &Comparison) -> Vec<Message> {
    let alone = comparison.unpaired.iter().filter(|test| test.group == comparison.base);
    let tests = alone.map(|test| message!("comparison-missing.test", test = test.title.clone()));
    let partly = comparison.tests.iter().flat_map(|test| {
        let base = &test.sides[comparison.base];
        let groups = group_names(&comparison.groups).into_iter().zip(&test.sides);
        let others = groups.filter(move |(_, side)| base.is_some() && side.is_none());
        others
            .map(|(group, _)| message!("comparison-missing.test-of-group", group, test = test.title.clone()))
    });
    let differently = comparison.tests.iter().flat_map(|test| {
        let groups = group_names(&comparison.groups).into_iter().zip(&test.sides);
        let near = groups.filter(|(_, side)| side.as_ref().is_some_and(|side| side.is_near()));
        near.map(|(group, _)| message!("comparison-missing.differently", group, test = test.title.clone()))
    });
    let runs = comparison.others().flat_map(|group| &comparison.groups[group].runs);
    let unfinished = runs.filter_map(|run| {
        Some(message!("comparison-missing.end", run = run.id.as_str(), state = state(run.state)?))
    });
    tests.chain(partly).chain(differently).chain(unfinished).collect()
}

impl Worse {
    fn add(&mut self, comparison: &Comparison, test: &ComparedTest, metric: &ComparedMetric, limit: f64) {
        for (group, against) in metric.against.iter().enumerate() {
            let Some(against) = against else { continue };
            match against.judgement {
                Judgement::NotJudged => {}
                Judgement::CannotTell => self.undecided += 1,
                Judgement::Better | Judgement::Worse | Judgement::NoDifference => self.judged += 1,
            }
            let Some(ratio) = against.ratio.filter(|_| against.favours == Some(Favours::Base)) else {
                continue;
            };
            // The loss is the missing share if more is better, and the added share if less is better.
            let change = (ratio - 1.0).abs();
            if change < limit {
                continue;
            }
            let size = match ratio {
                SEVERAL_TIMES.. => Parameter::times(ratio),
                ..=SMALL_PART => Parameter::times(1.0 / ratio),
                _ => share(change),
            };
            let figure = quoted(test, metric, group);
            let figure = method::with_direction(figure.direction, figure.quantity);
            let base = group_names(&comparison.groups)[comparison.base].clone();
            let title = test.title.clone();
            let change = match ratio > 1.0 {
                true => message!("comparison-worse.higher", test = title, figure, size, base = base.as_str()),
                false => message!("comparison-worse.lower", test = title, figure, size, base = base.as_str()),
            };
            let change = match comparison.groups.len() {
                2 => change,
                _ => {
                    let group = group_names(&comparison.groups)[group].clone();
                    message!("comparison-worse.of-group", group, change)
                }
            };
            match against.judgement {
                Judgement::Worse => self.worse.push(change),
                Judgement::CannotTell => self.cannot_tell.push(change),
                Judgement::Better | Judgement::NoDifference | Judgement::NotJudged => {}
            }
        }
    }
}

/// The figure by which a test is quoted, in place of an equivalent one, if both sides have it.
fn quoted<'c>(test: &'c ComparedTest, metric: &'c ComparedMetric, group: usize) -> &'c ComparedMetric {
    let by_ios = metric.quantity == Quantity::Bandwidth && !is_by_speed(test);
    let is_same = |ios: &&ComparedMetric| ios.role == Role::Follows && ios.against[group].is_some();
    let ios = || test.metric(metric.direction, Quantity::Iops).filter(is_same);
    by_ios.then(ios).flatten().unwrap_or(metric)
}

#[cfg(test)]
mod tests {
    use super::super::samples::{card_and_ssd, random_reads, without_iops};
    use super::*;

    fn lower(figure: Quantity, size: f64, base: &str) -> Message {
        message!(
            "comparison-worse.lower",
            test = "Random read",
            figure = method::with_direction(Some(cardiograph_core::Direction::Read), figure),
            size = Parameter::share(size),
            base
        )
    }

    #[test]
    fn only_real_differences_count() {
        let found = worse(&random_reads(&[(3_786.0, 0.01), (3_300.0, 0.01)]), 0.1);
        assert_eq!(found.worse, [lower(Quantity::Iops, 0.13, "a")]);
        assert!(found.cannot_tell.is_empty());
        let small = worse(&random_reads(&[(3_786.0, 0.01), (3_300.0, 0.01)]), 0.2);
        assert_eq!((small.worse.len(), small.judged), (0, 1));
        let vague = worse(&random_reads(&[(3_786.0, 0.4), (2_900.0, 0.4)]), 0.1);
        assert_eq!((vague.worse.len(), vague.cannot_tell.len(), vague.judged, vague.undecided), (0, 1, 0, 1));
        let better = worse(&random_reads(&[(3_300.0, 0.01), (3_786.0, 0.01)]), 0.1);
        assert_eq!((better.worse.len(), better.cannot_tell.len()), (0, 0));
    }

    #[test]
    fn a_group_that_is_not_judged_does_not_count() {
        let mut comparison = random_reads(&[(3_786.0, 0.01), (3_300.0, 0.01), (3_200.0, 0.01)]);
        assert_eq!(worse(&comparison, 0.1).judged, 2);
        let metric =
            comparison.tests[0].metrics.iter_mut().find(|metric| metric.against[2].is_some()).unwrap();
        metric.against[2].as_mut().unwrap().judgement = Judgement::NotJudged;
        let found = worse(&comparison, 0.1);
        assert_eq!((found.judged, found.worse.len()), (1, 1), "{found:?}");
    }

    #[test]
    fn the_figure_that_was_judged_is_named() {
        for (mut comparison, expected) in
            [(card_and_ssd(), Quantity::Iops), (without_iops(), Quantity::Bandwidth)]
        {
            let metrics = comparison.tests[0].metrics.iter_mut();
            let judged = metrics.filter(|metric| metric.quantity == Quantity::Bandwidth);
            for against in judged.flat_map(|metric| metric.against.iter_mut().flatten()) {
                (against.ratio, against.favours) = (Some(0.53), Some(Favours::Base));
                against.judgement = Judgement::Worse;
            }
            assert_eq!(worse(&comparison, 0.1).worse, [lower(expected, 0.47, "microsd")]);
        }
    }

    #[test]
    fn figures_without_intervals_are_uncertain() {
        let comparison = card_and_ssd();
        let found = worse(&comparison, 0.1);
        assert!(found.worse.is_empty(), "{found:?}");
        let mean = message!("figure.of-sync", statistic = message!("statistic.mean"));
        let is_mean = |change: &&Message| change.parameter("figure") == Some(&Parameter::from(mean.clone()));
        assert_eq!(found.cannot_tell.iter().filter(is_mean).count(), 1, "{found:?}");
        let doc = found.doc(&comparison, 0.1);
        assert_eq!(
            doc.nodes.last(),
            Some(&Node::paragraph(message!("comparison-worse.nothing-judged", base = "microsd")))
        );
    }
}
