//! Metrics from the results of steps.

use cardiograph_core::Estimate;
use cardiograph_core::metric::{Measured, Measurements, Metric};
use cardiograph_core::report::StepResult;
use cardiograph_judge::by_method;
use cardiograph_judge::record::tries;

use crate::figure::over;
use crate::suite::Context;

/// A step, and the metrics that it feeds.
pub(crate) type Source<'a> = (&'a str, &'a [Metric]);

/// Bytes that may still be written in the drives' rated lives, limited by the worst; `None` unless all report it.
fn life_left_bytes(context: &Context<'_>) -> Option<f64> {
    let leaves = &context.drive.leaves;
    let left: Option<Vec<f64>> =
        leaves.iter().map(|leaf| leaf.health.as_ref().and_then(|health| health.life_left_bytes())).collect();
    let least = left?.into_iter().reduce(f64::min)?;
    Some(least * leaves.len() as f64)
}

/// The metrics from `done`, and the capacity. Of a test with several tries, the worst counts. A percentile with too few
/// samples above it gives no metric.
pub(crate) fn measure(context: &Context<'_>, done: &[StepResult], sources: &[Source<'_>]) -> Measurements {
    let mut measurements = Measurements::new();
    measurements.extend(by_method::capacity(context.drive).map(|capacity| (Metric::Capacity, capacity)));
    if let Some(bytes) = life_left_bytes(context) {
        let estimate = Estimate::bare(bytes, 1);
        measurements.insert(Metric::LifeLeft, Measured { estimate, step: String::new(), doubt: None });
    }
    let fed = sources.iter().flat_map(|&(step, metrics)| metrics.iter().map(move |&metric| (step, metric)));
    measurements.extend(fed.filter_map(|(step, metric)| Some((metric, worst_of_tries(done, step, metric)?))));
    measurements
}

/// The worst value of a figure over all tries that count, with the interval of that try. A mean would hide a slow try of a
/// drive whose cache held only the first one, and its interval says little with few tries; a purpose needs the speed each
/// time. If one of the tries lacks the figure, it is unknown; a doubt about one try is a doubt about the result.
fn worst_of_tries(done: &[StepResult], step: &str, metric: Metric) -> Option<Measured> {
    debug_assert!(by_method::figure_of(metric).is_some(), "{metric:?} is not a figure of a step");
    let (direction, quantity) = by_method::figure_of(metric)?;
    let all = tries::counted(done, step);
    let estimates = all.iter().map(|step| Some((*step, over(step, &[direction], quantity)?)));
    let estimates: Vec<(&StepResult, Estimate)> = estimates.collect::<Option<_>>()?;
    let (step, estimate) = tries::worst(&estimates, metric.more_is_better())?;
    let doubt = all.iter().find_map(|step| step.doubt(direction)).cloned();
    Some(Measured { estimate, step: step.step.id.clone(), doubt })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::report::StepOutcome;
    use cardiograph_jobs::method::ran_jobs;

    use cardiograph_core::Doubt;

    use super::*;
    use crate::suite::Options;
    use crate::testing::{GB, Model, SLOW_CARD, card, run_all, settle, with_context};

    /// Results of one suite on drives with these write speeds, combined as the tries of one checkup.
    fn tried(speeds: [u64; 3]) -> Vec<StepResult> {
        let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
        let runs = speeds.map(|write_mib_per_s| {
            let model = Model { write_mib_per_s, random_write_iops: 50 * write_mib_per_s, ..SLOW_CARD };
            run_all(&crate::sd_class::SdClass, &drive, &options, &model)
        });
        let [first, second, third] = runs;
        let steps_of_try = |id: &str| match id.rsplit_once('-').map(|(_, nth)| nth) {
            Some("2") => &second,
            Some("3") => &third,
            _ => &first,
        };
        let pick = |at: usize| steps_of_try(&first[at].step.id)[at].clone();
        (0..first.len()).map(pick).collect()
    }

    const SPEED: &[Source] = &[("sequential-write", &[Metric::SequentialWrite])];

    fn kept_speed(done: &[StepResult]) -> Option<Measured> {
        let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
        with_context(&drive, &options, |context| {
            measure(context, done, SPEED).remove(&Metric::SequentialWrite)
        })
    }

    fn mib_per_s(measured: &Measured) -> u64 {
        libm::round(measured.estimate.value / cardiograph_core::MIB as f64) as u64
    }

    #[test]
    fn the_slowest_try_counts() {
        for (speeds, worst, step) in [
            ([24, 12, 8], 8, "sequential-write-3"),
            ([8, 24, 12], 8, "sequential-write"),
            ([24, 8, 12], 8, "sequential-write-2"),
        ] {
            let measured = kept_speed(&tried(speeds)).expect("a figure");
            assert_eq!((mib_per_s(&measured), measured.step.as_str()), (worst, step));
            assert_eq!(measured.doubt, None);
        }
    }

    #[test]
    fn the_try_with_the_longest_latency_counts() {
        let (drive, options) = (card(64 * GB, 60 * GB), Options::default());
        let sources: [Source; 1] = [("random-write", &[Metric::RandomWriteP99])];
        let done = tried([24, 8, 12]);
        let measured = with_context(&drive, &options, |context| measure(context, &done, &sources));
        assert_eq!(measured[&Metric::RandomWriteP99].step, "random-write-2");
    }

    #[test]
    fn incomplete_tries_are_left_out_or_cast_doubt() {
        let mut done = tried([24, 12, 8]);
        done[2].outcome = StepOutcome::Interrupted;
        settle(&mut done, &card(64 * GB, 60 * GB), &Options::default());
        let measured = kept_speed(&done).expect("a figure");
        assert_eq!((mib_per_s(&measured), measured.doubt), (12, None), "two tries ended as planned");
        let alone = kept_speed(&done[2..3]).expect("a figure");
        assert_eq!(alone.doubt, Some(Doubt::Interrupted));
        let mut done = tried([24, 12, 8]);
        done[1].result = None;
        assert_eq!(kept_speed(&done), None);
        let mut done = tried([24, 12, 8]);
        let buffered = done[0].step.jobs()[0].clone().set("direct", 0).set("ioengine", "psync");
        done[0].jobs = ran_jobs(&[buffered]);
        settle(&mut done, &card(64 * GB, 60 * GB), &Options::default());
        let doubted = kept_speed(&done).expect("a figure");
        assert_eq!((mib_per_s(&doubted), doubted.doubt.is_some()), (8, true));
    }
}
