//! Verdicts on purposes, independent of the actual limits ([`crate::purpose::PURPOSES`]).

use cardiograph_core::metric::{Measured, Measurements, Metric};
use cardiograph_core::verdict::{Finding, FindingOutcome, Guards, Level};
use cardiograph_core::{Estimate, Message, Parameter, Verdict, message};

use crate::purpose::{PURPOSES, Purpose, Rule};

/// The verdict for each of the purposes, in order.
pub fn judge(purposes: &[Purpose], measurements: &Measurements) -> Vec<Verdict> {
    purposes.iter().map(|purpose| purpose.judge(measurements)).collect()
}

/// The same, without those with too little data.
pub fn judge_known(purposes: &[Purpose], measurements: &Measurements) -> Vec<Verdict> {
    let mut verdicts = judge(purposes, measurements);
    verdicts.retain(|verdict| verdict.level != Level::CannotBeJudged);
    verdicts
}

/// What the most demanding of the shipped purposes asks of a figure of which more is better; `None` if none asks for it.
pub fn most_asked(metric: Metric) -> Option<f64> {
    limits(metric).into_iter().filter(|_| metric.more_is_better()).max_by(f64::total_cmp)
}

/// What the shipped purposes ask of a figure.
pub fn limits(metric: Metric) -> Vec<f64> {
    // SD's class A2 asks for reads that are queued.
    let metric = if metric == Metric::RandomReadDeepIops { Metric::RandomReadIops } else { metric };
    let rules = PURPOSES.iter().flat_map(|purpose| &purpose.rules);
    let asking = rules.filter(|rule| rule.evidence.iter().any(|evidence| evidence.metric() == metric));
    asking.map(|rule| rule.limit).collect()
}

/// Why purposes have no verdict, and what would judge them, in sentences; empty if all have one.
pub fn left_out(purposes: &[Purpose], verdicts: &[Verdict], measurements: &Measurements) -> Vec<Message> {
    let left_out: Vec<&Purpose> = purposes
        .iter()
        .filter(|purpose| verdicts.iter().all(|verdict| verdict.purpose != purpose.id))
        .collect();
    if left_out.is_empty() {
        return Vec::new();
    }
    let rests_on = |metric: Metric| {
        let evidence = purposes.iter().flat_map(|purpose| &purpose.rules).flat_map(|rule| &rule.evidence);
        evidence.into_iter().any(|evidence| evidence.metric() == metric)
    };
    let is_fact = |metric: Metric| matches!(metric, Metric::Capacity | Metric::LifeLeft);
    let mut figures =
        measurements.iter().filter(|&(&metric, _)| rests_on(metric) && !is_fact(metric)).peekable();
    let why = match figures.peek() {
        None if measurements.contains_key(&Metric::LifeLeft) => message!("not-judged.only-capacity-and-life"),
        None => message!("not-judged.only-capacity"),
        Some(_) => suites_for(left_out),
    };
    let is_doubted = figures.any(|(_, measured)| measured.doubt.is_some());
    [Some(why), is_doubted.then(|| message!("not-judged.doubt"))].into_iter().flatten().collect()
}

/// The sentence that names the suites that judge purposes.
fn suites_for(purposes: Vec<&Purpose>) -> Message {
    let needs_apps = |purpose: &&Purpose| {
        let mut required = purpose.rules.iter().filter(|rule| rule.required);
        required.any(|rule| is_from_apps(rule.evidence[0].metric()))
    };
    let (apps, quick): (Vec<&Purpose>, Vec<&Purpose>) = purposes.into_iter().partition(needs_apps);
    let ids = Parameter::all(apps.iter().map(|purpose| purpose.id.as_str()));
    match (quick.is_empty(), apps.is_empty()) {
        (false, true) => message!("not-judged.quick"),
        (false, false) => message!("not-judged.quick-and-apps", purposes = ids),
        (true, _) => message!("not-judged.apps", purposes = ids),
    }
}

/// Whether the suite `apps` measures it, and `quick` does not.
const fn is_from_apps(metric: Metric) -> bool {
    matches!(
        metric,
        Metric::Cameras
            | Metric::CamerasAtLeast
            | Metric::SqliteCommits
            | Metric::CommitPauseMax
            | Metric::RecordingMissed
            | Metric::RecordingStallMax
    )
}

impl Purpose {
    /// The verdict.
    pub fn judge(&self, measurements: &Measurements) -> Verdict {
        let findings: Vec<_> = self.rules.iter().map(|rule| rule.find(measurements)).collect();
        Verdict { purpose: self.id.to_string(), title: self.title.clone(), level: level(&findings), findings }
    }
}

/// The level that follows from findings. A failure decides even if other figures are missing. A figure that
/// is present but unreliable counts as missing, and blocks its level even if the rule is optional.
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
    } else if failed(Guards::Good) || open(Guards::Good) {
        Level::Enough
    } else {
        Level::Good
    }
}

/// A figure whose interval says nothing passes only if it is better than the limit by this factor.
const CLEARLY_BETTER: f64 = 3.0;

impl Rule {
    /// Compares the first figure that decides the rule with its limit.
    fn find(&self, measurements: &Measurements) -> Finding {
        let mut open = None;
        for &evidence in &self.evidence {
            let metric = evidence.metric();
            let Some(Measured { estimate, doubt, .. }) = measurements.get(&metric) else { continue };
            let passes = self.is_kept_by(metric, estimate.value);
            let why = match doubt {
                Some(doubt) => doubt.message(),
                None if !evidence.settles(passes) => unsettled(metric, passes),
                None if passes && self.is_vague(*estimate) => message!("finding-vague"),
                None => {
                    let outcome = if passes { FindingOutcome::Pass } else { FindingOutcome::Fail };
                    return self.finding(metric, Some(*estimate), outcome, None);
                }
            };
            open.get_or_insert((metric, Some(*estimate), why));
        }
        let (metric, measured, why) = open.unwrap_or_else(|| {
            let metric = self.evidence[0].metric();
            (metric, None, missing(metric, measurements))
        });
        self.finding(metric, measured, FindingOutcome::NotJudged, Some(why))
    }

    /// Whether an estimate is too imprecise to pass.
    fn is_vague(&self, estimate: Estimate) -> bool {
        let factor = estimate.value.max(self.limit) / estimate.value.min(self.limit);
        factor < CLEARLY_BETTER && estimate.contains(self.limit) && estimate.is_vague()
    }

    fn is_kept_by(&self, metric: Metric, value: f64) -> bool {
        if metric.more_is_better() { value >= self.limit } else { value <= self.limit }
    }

    fn finding(
        &self,
        metric: Metric,
        measured: Option<Estimate>,
        outcome: FindingOutcome,
        doubt: Option<Message>,
    ) -> Finding {
        // An exact figure that meets the limit exactly is certain: another run gives the same.
        let is_close = |estimate: Estimate| {
            // An interval down to nothing says nothing.
            estimate.contains(self.limit) && estimate.low != estimate.high && estimate.low > Some(0.0)
        };
        Finding {
            metric,
            measured,
            limit: self.limit,
            guards: self.guards,
            required: self.required,
            outcome,
            close: outcome != FindingOutcome::NotJudged && measured.is_some_and(is_close),
            source: self.source.clone(),
            doubt,
        }
    }
}

/// Why a figure measured under other conditions does not decide a rule, and what would.
const fn unsettled(metric: Metric, passes: bool) -> Message {
    match (metric, passes) {
        (Metric::CamerasAtLeast, _) => message!("finding-unsettled.cameras"),
        (_, true) => message!("finding-unsettled.easier"),
        (_, false) => message!("finding-unsettled.harder"),
    }
}

/// Why a figure is missing, and what would give it.
fn missing(metric: Metric, measurements: &Measurements) -> Message {
    // A percentile comes from the step with the rate, which is known although the percentile is withheld.
    let rate = match metric {
        Metric::RandomReadP99 => Some(Metric::RandomReadIops),
        Metric::RandomWriteP99 => Some(Metric::RandomWriteIops),
        Metric::SyncP99 | Metric::SyncP999 => Some(Metric::DurableWriteIops),
        _ => None,
    };
    match metric {
        Metric::LifeLeft => message!("finding-missing.life"),
        Metric::Capacity => message!("finding-missing.capacity"),
        _ if rate.is_some_and(|rate| measurements.contains_key(&rate)) => {
            message!("finding-missing.samples")
        }
        Metric::RecordingMissed | Metric::RecordingStallMax => message!("finding-missing.recording"),
        Metric::SustainedWrite => message!("finding-missing.sustained"),
        _ if is_from_apps(metric) => message!("finding-missing.apps"),
        _ => message!("finding-missing.quick"),
    }
}

#[cfg(test)]
mod tests;
