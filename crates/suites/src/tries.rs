//! Steps that are done several times over, each time as a step of its own: `random-read`, `random-read-2` ...
//!
//! A table shows what its readers know, be it the mean or the best of the tries. A claim and a verdict rest on all of them:
//! a claim is kept when each try keeps it, and a purpose is judged by the worst (`measure::measure`).

use cardiograph_core::Estimate;
use cardiograph_core::claim::ClaimEvidence;
use cardiograph_core::metric::Unit;
use cardiograph_core::report::{StepOutcome, StepResult, TryOf};
use cardiograph_core::verdict::FindingOutcome;
use cardiograph_core::{Doubt, Message, message};
pub(crate) use cardiograph_judge::record::tries::{counted, of};

use crate::figure::{Figure, doubt_of, estimate};

/// Id of a try, from 0, of the step `id`.
pub(crate) fn id_of(id: &str, nth: u32) -> String {
    if nth == 0 { id.to_string() } else { format!("{id}-{}", nth + 1) }
}

/// Title of a try, from 0, of so many.
pub(crate) fn title_of(title: Message, nth: u32, tries: u32) -> Message {
    if tries == 1 { title } else { message!("step-try", test = title, nth = nth + 1, tries = tries) }
}

/// The test of which steps are so many tries; `None` where there is only one.
pub(crate) fn try_of(id: &str, title: Message, tries: u32, ends_early: bool) -> Option<TryOf> {
    (tries > 1).then(|| TryOf { test: id.to_string(), title, tries, ends_early })
}

/// The results of all steps that [`id_of`] numbers, in their order: rounds, too, of which each is a test.
pub(crate) fn numbered<'a>(done: &'a [StepResult], id: &str) -> Vec<&'a StepResult> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_it = |step: &&StepResult| {
        let rest = step.step.id.strip_prefix(id);
        rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix('-').is_some_and(is_number))
    };
    done.iter().filter(is_it).collect()
}

/// What the tries of a test gave, to be set against a limit.
pub(crate) struct Tried {
    /// One figure of each try that ended as planned, in its unit.
    pub values: Vec<f64>,
    /// Why they are not the drive's, if so.
    pub doubt: Option<Doubt>,
}

impl Tried {
    /// The figure of all tries of the step `id`.
    pub fn of(done: &[StepResult], id: &str, figure: Figure) -> Self {
        // A claim rests on whole tries alone.
        let steps = counted(done, id).into_iter().filter(|step| step.outcome == StepOutcome::Done);
        let steps: Vec<&StepResult> = steps.collect();
        let values: Vec<f64> =
            steps.iter().filter_map(|step| estimate(step, figure)).map(|of| of.value).collect();
        let doubt = steps.iter().find_map(|step| doubt_of(step, figure));
        Self { values, doubt }
    }

    /// What they say about a limit that all of them must keep.
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

    /// Whether all tries keep the limit; `None` when some do and some do not.
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

    /// What is compared of a checkup: each test once, whatever its tries, and the mean that the suites' tables show.
    #[test]
    fn tries_of_a_suite_are_one_test_of_its_checkup() {
        let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
        let suites: [(&dyn Suite, usize, &str); 3] = [
            (suite("kdiskmark"), 8, "mean of 5"),
            (&crate::sd_class::SdClass, 3, "mean of 3"),
            (&crate::rpdiags::RpDiags, 4, "mean of up to 3"),
        ];
        for (suite, count, expected) in suites {
            let mut report = Report::new("a", 1, "cardiograph", suite.name());
            report.steps = run_all(suite, &drive, &options, &BAD_CARD);
            let run = RunFigures::of(&report);
            assert_eq!(run.tests.len(), count, "{}", suite.name());
            for test in &run.tests {
                assert_eq!(test.method.others[OF_SEVERAL], expected, "{}", test.test);
                assert_ne!(test.title.id(), "step-try", "{}", test.title);
                let directions = [Direction::Read, Direction::Write];
                let figure =
                    directions.iter().find_map(|&of| test.figure(Some(of), Quantity::Bandwidth)).unwrap();
                let bandwidth = Figure::Bandwidth(figure.direction.unwrap());
                let tries = of(&report.steps, &test.test);
                let values: Vec<f64> =
                    tries.iter().filter_map(|step| estimate(step, bandwidth)).map(|of| of.value).collect();
                assert!(values.len() > 1, "{}", test.test);
                assert_eq!(figure.estimate.value, Estimate::mean(&values).value, "{}", test.test);
            }
        }
    }
}
