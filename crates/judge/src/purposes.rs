//! What figures mean for a purpose: the judgement, whatever the limits are ([`crate::rules`]).

use cardiograph_core::metric::{Measured, Measurements, Metric};
use cardiograph_core::verdict::{Finding, FindingOutcome, Guards, Level};
use cardiograph_core::{Estimate, Verdict};

use crate::purpose::{Purpose, Rule};
use crate::rules::PURPOSES;

/// The verdict for each of [`PURPOSES`], in their order.
pub fn judge(measurements: &Measurements) -> Vec<Verdict> {
    PURPOSES.iter().map(|purpose| purpose.judge(measurements)).collect()
}

/// The same, without those about which too little is known.
pub fn judge_known(measurements: &Measurements) -> Vec<Verdict> {
    let mut verdicts = judge(measurements);
    verdicts.retain(|verdict| verdict.level != Level::CannotBeJudged);
    verdicts
}

/// Why purposes are not among the verdicts, and what judges them, in a sentence; `None` where all are there.
pub fn left_out(verdicts: &[Verdict], measurements: &Measurements) -> Option<String> {
    let left_out: Vec<&Purpose> =
        PURPOSES.iter().filter(|of| verdicts.iter().all(|verdict| verdict.purpose != of.id)).collect();
    let rests_on = |metric: Metric| {
        let evidence = PURPOSES.iter().flat_map(|purpose| purpose.rules).flat_map(|rule| rule.evidence);
        evidence.into_iter().any(|evidence| evidence.metric() == metric)
    };
    let is_fact = |metric: Metric| matches!(metric, Metric::Capacity | Metric::LifeLeft);
    let mut figures =
        measurements.iter().filter(|&(&metric, _)| rests_on(metric) && !is_fact(metric)).peekable();
    let sentence = match figures.peek() {
        _ if left_out.is_empty() => return None,
        None if measurements.contains_key(&Metric::LifeLeft) => {
            "Only capacity and rated life are judged here: --suite quick measures the rest.".to_string()
        }
        None => "Only the capacity is judged here: --suite quick measures what purposes ask for.".to_string(),
        Some(_) => {
            let subject = if verdicts.is_empty() { "Purposes" } else { "The other purposes" };
            let is_of_apps = |purpose: &&Purpose| {
                let mut required = purpose.rules.iter().filter(|rule| rule.required);
                required.any(|rule| is_of_apps(rule.evidence[0].metric()))
            };
            let (apps, quick): (Vec<&Purpose>, Vec<&Purpose>) = left_out.into_iter().partition(is_of_apps);
            let apps: Vec<&str> = apps.iter().map(|purpose| purpose.id).collect();
            match (quick.is_empty(), apps.join(", ")) {
                (false, none) if none.is_empty() => format!("{subject} need figures of --suite quick."),
                (false, some) => {
                    format!("{subject} need figures of --suite quick, {some} those of --suite apps.")
                }
                (true, some) => format!("Only {some} is not judged here: --suite apps does that."),
            }
        }
    };
    let is_doubted = figures.any(|(_, measured)| measured.doubt.is_some());
    Some(if is_doubted { format!("{sentence} A figure in doubt judges nothing.") } else { sentence })
}

/// Whether the suite `apps` measures it, and `quick` does not.
const fn is_of_apps(metric: Metric) -> bool {
    matches!(
        metric,
        Metric::Cameras | Metric::CamerasAtLeast | Metric::SqliteCommits | Metric::CommitPauseMax
    )
}

impl Purpose {
    /// The verdict.
    pub fn judge(&self, measurements: &Measurements) -> Verdict {
        let findings: Vec<_> = self.rules.iter().map(|rule| rule.find(measurements)).collect();
        Verdict {
            purpose: self.id.to_string(),
            title: self.title.to_string(),
            level: level(&findings),
            findings,
        }
    }
}

/// The level that follows from findings. A failure decides even if other figures are missing. A figure that is there but
/// cannot be believed is missing, and the level that it guards is not given away although the rule would do without it.
fn level(findings: &[Finding]) -> Level {
    let guarding = |guards| findings.iter().filter(move |finding| finding.guards == guards);
    let failed = |guards| guarding(guards).any(|finding| finding.outcome == FindingOutcome::Fail);
    let open = |guards| {
        guarding(guards).any(|finding| {
            let is_needed = finding.required || finding.measured.is_some();
            finding.outcome == FindingOutcome::NotJudged && is_needed
        })
    };
    if failed(Guards::Enough) {
        Level::NotEnough
    } else if open(Guards::Enough) {
        Level::CannotBeJudged
    } else if failed(Guards::Comfortable) || open(Guards::Comfortable) {
        Level::Enough
    } else {
        Level::Comfortable
    }
}

/// A figure that is better than its limit by less than this factor has to be known to grant anything.
const HARDLY_BETTER: f64 = 1.25;

impl Rule {
    /// Compares the first figure that settles the rule with its limit.
    fn find(&self, measurements: &Measurements) -> Finding {
        let mut open = None;
        for &evidence in self.evidence {
            let metric = evidence.metric();
            let Some(Measured { estimate, doubt, .. }) = measurements.get(&metric) else { continue };
            let passes = self.is_kept_by(metric, estimate.value);
            let why = match doubt {
                Some(doubt) => doubt.reason(),
                None if !evidence.settles(passes) => unsettled(metric, passes).to_string(),
                None if passes && self.is_vague(*estimate) => {
                    "its 95 % interval is wider than the figure itself; measured for longer it is known"
                        .to_string()
                }
                None => {
                    let outcome = if passes { FindingOutcome::Pass } else { FindingOutcome::Fail };
                    return self.finding(metric, Some(*estimate), outcome, None);
                }
            };
            open.get_or_insert((metric, Some(*estimate), why));
        }
        let (metric, measured, why) = open.unwrap_or_else(|| {
            let metric = self.evidence[0].metric();
            (metric, None, missing(metric, measurements).to_string())
        });
        self.finding(metric, measured, FindingOutcome::NotJudged, Some(why))
    }

    /// Whether an estimate is known so badly that it grants nothing: it is hardly better than the limit, and its interval
    /// holds that and reaches further to each side than the value is large.
    fn is_vague(&self, estimate: Estimate) -> bool {
        let width = estimate.high.zip(estimate.low).map_or(0.0, |(high, low)| high - low);
        let factor = estimate.value.max(self.limit) / estimate.value.min(self.limit);
        factor < HARDLY_BETTER && estimate.contains(self.limit) && width > 2.0 * estimate.value.abs()
    }

    fn is_kept_by(&self, metric: Metric, value: f64) -> bool {
        if metric.more_is_better() { value >= self.limit } else { value <= self.limit }
    }

    fn finding(
        &self,
        metric: Metric,
        measured: Option<Estimate>,
        outcome: FindingOutcome,
        doubt: Option<String>,
    ) -> Finding {
        // An exact figure that meets the limit exactly is not in doubt: another run gives the same.
        let is_close = |estimate: Estimate| estimate.contains(self.limit) && estimate.low != estimate.high;
        Finding {
            metric,
            measured,
            limit: self.limit,
            guards: self.guards,
            required: self.required,
            outcome,
            close: outcome != FindingOutcome::NotJudged && measured.is_some_and(is_close),
            source: self.source.to_string(),
            doubt,
        }
    }
}

/// Why a figure that was measured under other conditions does not settle a rule, and what would.
const fn unsettled(metric: Metric, passes: bool) -> &'static str {
    match (metric, passes) {
        (Metric::CamerasAtLeast, _) => {
            "more were not tried, as the time for it or what may be written ended; --suite apps --set load=cameras has more of \
             both"
        }
        (_, true) => {
            "measured only under easier conditions, where keeping the limit proves nothing; the suite quick measures it alone"
        }
        (_, false) => {
            "measured only under harder conditions, where missing the limit proves nothing; the suite quick measures it alone"
        }
    }
}

/// Why there is no figure, and what would give it.
fn missing(metric: Metric, measurements: &Measurements) -> &'static str {
    // A percentile comes from the step that gives the rate, which is known although the percentile is withheld.
    let rate = match metric {
        Metric::RandomReadP99 => Some(Metric::RandomReadIops),
        Metric::RandomWriteP99 => Some(Metric::RandomWriteIops),
        Metric::SyncP99 | Metric::SyncP999 => Some(Metric::DurableWriteIops),
        _ => None,
    };
    match metric {
        Metric::LifeLeft => "not known: the drive does not tell",
        Metric::Capacity => "not known: neither the drive nor a file system says it",
        _ if rate.is_some_and(|rate| measurements.contains_key(&rate)) => {
            "too few samples above it; a longer run has more (no --max-time, or --suite article)"
        }
        _ if is_of_apps(metric) => "not measured; the suite apps measures it when it runs to its end",
        _ => "not measured; the suite quick measures it when it runs to its end",
    }
}

#[cfg(test)]
mod tests;
