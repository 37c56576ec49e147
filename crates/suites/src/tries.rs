//! Tests that are repeated, each try as a separate step: `random-read`, `random-read-2` ...
//!
//! Tables show what their readers know, the mean or the best of the tries. Claims and verdicts rest on all tries: a claim is
//! kept if every try keeps it, and a purpose is judged by the worst (`measure::measure`).

use cardiograph_core::Estimate;
use cardiograph_core::claim::ClaimEvidence;
use cardiograph_core::metric::Unit;
use cardiograph_core::report::{StepOutcome, StepResult, TryOf};
use cardiograph_core::verdict::FindingOutcome;
use cardiograph_core::{Doubt, Message, message};
pub(crate) use cardiograph_judge::record::tries::{counted, find};

use crate::figure::{Figure, doubt_of, estimate};

/// Id of the `nth` try, from 0, of the test `id`.
pub(crate) fn id_of(id: &str, nth: u32) -> String {
    if nth == 0 { id.to_string() } else { format!("{id}-{}", nth + 1) }
}

/// Title of the `nth` try, from 0, of `tries`.
pub(crate) fn title_of(title: Message, nth: u32, tries: u32) -> Message {
    if tries == 1 { title } else { message!("step-try", test = title, nth = nth + 1, tries) }
}

/// The test that the tries belong to; `None` if there is only one try.
pub(crate) fn try_of(id: &str, title: Message, tries: u32, ends_early: bool) -> Option<TryOf> {
    (tries > 1).then(|| TryOf { test: id.to_string(), title, tries, ends_early })
}

/// The results of all steps that [`id_of`] numbers, in order. This includes rounds, each of which is a test.
pub(crate) fn numbered<'a>(done: &'a [StepResult], id: &str) -> Vec<&'a StepResult> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_it = |step: &&StepResult| {
        let rest = step.step.id.strip_prefix(id);
        rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix('-').is_some_and(is_number))
    };
    done.iter().filter(is_it).collect()
}

/// The values of all tries of a test, to be compared with a limit.
pub(crate) struct Tried {
    /// One figure of each try that ended as planned.
    pub values: Vec<f64>,
    /// The doubt about them, if any.
    pub doubt: Option<Doubt>,
}

impl Tried {
    /// Collects a figure of all tries of the test `id`.
    pub fn collect(done: &[StepResult], id: &str, figure: Figure) -> Self {
        // A claim rests on complete tries only.
        let steps = counted(done, id).into_iter().filter(|step| step.outcome == StepOutcome::Done);
        let steps: Vec<&StepResult> = steps.collect();
        let values: Vec<f64> =
            steps.iter().filter_map(|step| estimate(step, figure)).map(|found| found.value).collect();
        let doubt = steps.iter().find_map(|step| doubt_of(step, figure));
        Self { values, doubt }
    }

    /// The evidence for a limit that all tries must keep.
    pub fn evidence(&self, name: Message, unit: Unit, limit: f64) -> ClaimEvidence {
        let outcome = match (self.values.is_empty() || self.doubt.is_some(), self.kept(limit)) {
            (true, _) | (false, None) => FindingOutcome::NotJudged,
            (false, Some(true)) => FindingOutcome::Pass,
            (false, Some(false)) => FindingOutcome::Fail,
        };
        ClaimEvidence {
            name,
            unit,
            limit: Some(limit),
            more_is_better: true,
            measured: (!self.values.is_empty()).then(|| Estimate::mean(&self.values)),
            tries: self.values.clone(),
            outcome,
            doubt: self.doubt.clone(),
        }
    }

    /// Whether all tries keep the limit; `None` if only some do.
    fn kept(&self, limit: f64) -> Option<bool> {
        match self.values.iter().filter(|&&value| value >= limit).count() {
            0 => Some(false),
            all if all == self.values.len() => Some(true),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Direction;
    use cardiograph_core::method::OF_SEVERAL;
    use cardiograph_core::quantity::Quantity;
    use cardiograph_core::report::Report;
    use cardiograph_judge::record::RunFigures;

    use super::*;
    use crate::suite::{Options, Suite};
    use crate::testing::{BAD_CARD, GB, card, run_all, suite};

    /// A comparison sees each test once, however many tries it has, with the mean that the suites' tables show.
    #[test]
    fn tries_are_merged_into_one_test() {
        let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
        let suites: [(&dyn Suite, usize, &str); 3] = [
            (suite("kdiskmark"), 8, "mean of 5"),
            (&crate::sd_class::SdClass, 3, "mean of 3"),
            (&crate::rpdiags::RpDiags, 4, "mean of up to 3"),
        ];
        for (suite, count, expected) in suites {
            let mut report = Report::new("a", 1, "cardiograph", suite.name());
            report.steps = run_all(suite, &drive, &options, &BAD_CARD);
            let run = RunFigures::from_report(&report);
            assert_eq!(run.tests.len(), count, "{}", suite.name());
            for test in &run.tests {
                assert_eq!(test.method.others[OF_SEVERAL], expected, "{}", test.test);
                assert_ne!(test.title.id(), "step-try", "{}", test.title);
                let directions = [Direction::Read, Direction::Write];
                let figure = directions
                    .iter()
                    .find_map(|&direction| test.figure(Some(direction), Quantity::Bandwidth))
                    .unwrap();
                let bandwidth = Figure::Bandwidth(figure.direction.unwrap());
                let tries = find(&report.steps, &test.test);
                let values: Vec<f64> = tries
                    .iter()
                    .filter_map(|step| estimate(step, bandwidth))
                    .map(|found| found.value)
                    .collect();
                assert!(values.len() > 1, "{}", test.test);
                assert_eq!(figure.estimate.value, Estimate::mean(&values).value, "{}", test.test);
            }
        }
    }
}
