//! What the kernel counted, where it differs from what was asked.

use cardiograph_core::Direction;
use cardiograph_core::counters::{CounterCheck, CounterOutcome};
use cardiograph_core::report::{Report, StepRole};
use cardiograph_core::series::Spread;
use cardiograph_core::units;

use super::words;

/// Steps whose writes came to more than was asked get a sentence each, unless there are more of them.
const AMPLIFIED_ALONE_MAX: usize = 3;

/// A sentence for each figure that the kernel's count puts in another light.
pub(super) fn sentences(report: &Report) -> Vec<String> {
    let measuring = report.steps.iter().filter(|step| step.step.role == StepRole::Measure);
    let checks = measuring.flat_map(|step| step.counter_checks.iter().map(move |check| (step, check)));
    let telling: Vec<_> = checks.filter(|(_, check)| check.outcome != CounterOutcome::Agrees).collect();
    let amplified = telling.iter().filter(|(_, check)| is_amplified(check));
    let shares: Vec<f64> = amplified.map(|(_, check)| check.share).collect();
    let many = Spread::of(&shares).filter(|_| shares.len() > AMPLIFIED_ALONE_MAX);
    let of_many = many.as_ref().map(|spread| {
        let range = units::range(&units::times(spread.min), &units::times(spread.max));
        format!(
            "In {} steps the drive wrote {range} what was asked: journal and metadata, or another program.",
            shares.len()
        )
    });
    let alone = telling.into_iter().filter(|(_, check)| many.is_none() || !is_amplified(check));
    let alone = alone.filter_map(|(step, check)| {
        Some(format!("{}: {}", words::short_title(&step.step), sentence(check)?))
    });
    of_many.into_iter().chain(alone).collect()
}

fn is_amplified(check: &CounterCheck) -> bool {
    check.outcome == CounterOutcome::Amplified
}

fn sentence(check: &CounterCheck) -> Option<String> {
    let (asked, counted) = (units::bytes(check.asked_bytes), units::bytes(check.counted_bytes));
    let times = units::times(check.share);
    match check.outcome {
        CounterOutcome::Agrees => None,
        CounterOutcome::Contradicts => {
            let moved = if check.direction == Direction::Read { "read" } else { "written" };
            let cause = "a cache, a hole or compression answered in the drive's place";
            Some(format!("only {counted} of {asked} were {moved}: {cause}, and the figures are withheld."))
        }
        CounterOutcome::OtherLoad => Some(format!(
            "the drive read {times} what was asked ({counted} for {asked}): another program was reading, and the \
             figures may be too low."
        )),
        CounterOutcome::Amplified => Some(format!(
            "the drive wrote {times} what was asked ({counted} for {asked}): journal and metadata, or another program."
        )),
    }
}
