//! Whether differences are more than chance.

use cardiograph_core::quantity::{Better, Quantity, Statistic};
use cardiograph_core::stats::{holm, mean, student_t_tails};

use super::known::{Error, RatioError, RunValue, ratio_error};
use super::{Against, Basis, ComparedMetric, ComparedTest, Favours, Judgement, Reason, Role};

/// Probability that a comparison of equal drives finds any difference.
const ALARM: f64 = 0.05;
/// A ratio whose interval ends within this factor of 1 is too small for a user to notice.
pub(super) const ALIKE: f64 = 1.2;

/// How to compare a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question {
    pub quantity: Quantity,
    pub better: Better,
    /// Why it is not judged, if so.
    pub not_judged: Option<Reason>,
}

/// Weight of a figure among all that are judged together. Rates come first; tail latencies are several nearly
/// equivalent figures, and less precise.
const fn weight(quantity: Quantity) -> f64 {
    match quantity {
        Quantity::Latency(_, Statistic::Percentile(_)) => 1.0,
        _ => 8.0,
    }
}

/// A group's values compared with the base's, before judging.
pub(super) fn against(base: &[RunValue], other: &[RunValue], question: Question) -> Against {
    let value = |runs: &[RunValue]| mean(&runs.iter().map(|run| run.value).collect::<Vec<_>>());
    let (mine, theirs) = (value(base), value(other));
    let mut against = Against { reason: question.not_judged, ..Against::default() };
    if question.not_judged == Some(Reason::Windows) {
        return against;
    }
    against.favours = favours(mine, theirs, question.better);
    let ratio = theirs / mine;
    if mine <= 0.0 || theirs <= 0.0 || !ratio.is_finite() {
        against.reason = against.reason.or(Some(Reason::Zero));
        return against;
    }
    against.ratio = Some(ratio);
    if question.not_judged == Some(Reason::Kind) {
        let found = ratio_error(base, other, question.quantity);
        // Several runs on both sides may vary so much that chance alone explains a ratio that is not judged.
        if let Some(found) = found.filter(|found| found.basis == Basis::BetweenRuns) {
            with_error(&mut against, ratio, &found);
            let is_lost = against.low < Some(1.0) && against.high > Some(1.0);
            (against.judgement, against.reason) = match is_lost {
                true => (Judgement::CannotTell, Some(Reason::Wide)),
                false => (Judgement::NotJudged, question.not_judged),
            };
            (against.basis, against.p) = (None, None);
        }
    }
    if question.not_judged.is_some() {
        return against;
    }
    against.judgement = Judgement::CannotTell;
    match ratio_error(base, other, question.quantity) {
        None => against.reason = Some(Reason::NoInterval),
        Some(found) => with_error(&mut against, ratio, &found),
    }
    against
}

fn favours(base: f64, other: f64, better: Better) -> Option<Favours> {
    let more = match better {
        _ if base == other => return None,
        Better::Neither => return None,
        Better::More => other > base,
        Better::Less => other < base,
    };
    Some(if more { Favours::Other } else { Favours::Base })
}

/// Interval and probability of the ratio. `reason` applies if no difference is found.
fn with_error(against: &mut Against, ratio: f64, found: &RatioError) {
    let error = found.error;
    let reach = error.reach();
    let distance = libm::log(ratio);
    against.basis = Some(found.basis);
    against.low = Some(libm::exp(distance - reach));
    against.high = Some(libm::exp(distance + reach));
    against.p =
        Some(if distance == 0.0 { 1.0 } else { student_t_tails(distance / error.share, error.freedom) });
    let exceeds = |limit: Error| libm::fabs(distance) > limit.reach();
    let is_between = found.within_runs.is_some_and(exceeds);
    against.reason = Some(if is_between { Reason::SingleRuns } else { Reason::Wide });
}

/// Judges everything that has a probability, and lets dependent figures follow: comparisons with the base together, those with the
/// best value by row, so that other rows do not decide which values are marked. Returns the number of the former.
pub(super) fn judge_all(tests: &mut [ComparedTest]) -> usize {
    let with_base = judged_metrics(tests).flat_map(|metric| {
        let weight = weight(metric.quantity);
        metric.against.iter_mut().flatten().map(move |against| (weight, against))
    });
    let count = judge_together(with_base);
    for best in judged_metrics(tests).filter_map(|metric| metric.best.as_mut()) {
        judge_together(best.against.iter_mut().flatten().map(|against| (1.0, against)));
    }
    tests.iter_mut().for_each(follow);
    count
}

fn judged_metrics(tests: &mut [ComparedTest]) -> impl Iterator<Item = &mut ComparedMetric> {
    let metrics = tests.iter_mut().flat_map(|test| &mut test.metrics);
    metrics.filter(|metric| metric.role == Role::Judged)
}

/// Judges comparisons, each with its weight. Returns their number.
fn judge_together<'a>(compared: impl Iterator<Item = (f64, &'a mut Against)>) -> usize {
    let judged = compared.filter_map(|(weight, against)| Some(((against.p?, weight), against)));
    let (weighted, judged): (Vec<(f64, f64)>, Vec<&mut Against>) = judged.unzip();
    judged.into_iter().zip(holm(&weighted)).for_each(|(against, p)| judge(against, p));
    weighted.len()
}

fn judge(against: &mut Against, p_corrected: f64) {
    against.p_corrected = Some(p_corrected);
    let is_negligible = |low: f64, high: f64| low > 1.0 / ALIKE && high < ALIKE;
    let (judgement, reason) = match against.favours {
        Some(Favours::Other) if p_corrected < ALARM => (Judgement::Better, None),
        Some(Favours::Base) if p_corrected < ALARM => (Judgement::Worse, None),
        _ if against.reason == Some(Reason::SingleRuns) => (Judgement::CannotTell, against.reason),
        _ if against.low.zip(against.high).is_some_and(|(low, high)| is_negligible(low, high)) => {
            (Judgement::NoDifference, None)
        }
        _ => (Judgement::CannotTell, against.reason),
    };
    (against.judgement, against.reason) = (judgement, reason);
}

/// I/Os per second of one block size get the judgement of the bandwidth, and their mean latency the inverse.
fn follow(test: &mut ComparedTest) {
    let leader = |test: &ComparedTest, direction| test.metric(direction, Quantity::Bandwidth).cloned();
    for index in 0..test.metrics.len() {
        if test.metrics[index].role != Role::Follows {
            continue;
        }
        let Some(leader) = leader(test, test.metrics[index].direction) else { continue };
        test.metrics[index].best = leader.best;
        let is_other_way = test.metrics[index].quantity.better() == Better::Less;
        for (against, led) in test.metrics[index].against.iter_mut().zip(leader.against) {
            if let (Some(against), Some(led)) = (against, led) {
                let ends =
                    if is_other_way { (inverse(led.high), inverse(led.low)) } else { (led.low, led.high) };
                *against = Against { ratio: against.ratio, low: ends.0, high: ends.1, ..led };
            }
        }
    }
}

fn inverse(end: Option<f64>) -> Option<f64> {
    end.map(|end| 1.0 / end)
}
