//! The kernel's counters, where they differ from the requested I/O.

use cardiograph_core::counters::{CounterCheck, CounterOutcome};
use cardiograph_core::report::{Report, StepRole};
use cardiograph_core::series::Spread;
use cardiograph_core::{Direction, Message, Parameter, message};

use crate::doc::{Item, Node};

/// Maximum number of steps with write amplification that are named individually.
const AMPLIFIED_ALONE_MAX: usize = 3;

/// A sentence for each figure that the kernel's counters contradict or qualify.
pub(super) fn nodes(report: &Report) -> Vec<Node> {
    let measuring = report.steps.iter().filter(|step| step.step.role == StepRole::Measure);
    let checks = measuring.flat_map(|step| step.counter_checks.iter().map(move |check| (step, check)));
    let differing: Vec<_> = checks.filter(|(_, check)| check.outcome != CounterOutcome::Agrees).collect();
    let is_amplified = |check: &CounterCheck| check.outcome == CounterOutcome::Amplified;
    let shares: Vec<f64> =
        differing.iter().filter(|(_, check)| is_amplified(check)).map(|(_, check)| check.share).collect();
    let many = Spread::from_values(&shares).filter(|_| shares.len() > AMPLIFIED_ALONE_MAX);
    let summary = many.as_ref().map(|spread| {
        let (low, high) = (Parameter::times(spread.min), Parameter::times(spread.max));
        Item::new(
            message!("counted-steps", steps = shares.len()),
            vec![message!("counted-amplified", low, high)],
        )
    });
    let alone = differing.into_iter().filter(|(_, check)| many.is_none() || !is_amplified(check));
    let alone =
        alone.filter_map(|(step, check)| Some(Item::new(step.step.title.clone(), vec![sentence(check)?])));
    Node::from_items(summary.into_iter().chain(alone).collect())
}

/// The test whose writes cost the drive most, in a line.
pub(crate) fn brief(report: &Report) -> Option<Message> {
    let checks =
        report.steps.iter().flat_map(|step| step.counter_checks.iter().map(move |check| (step, check)));
    let amplified = checks.filter(|(_, check)| check.outcome == CounterOutcome::Amplified);
    let (step, check) = amplified.max_by(|a, b| a.1.share.total_cmp(&b.1.share))?;
    let test = step.step.test_title().clone();
    Some(message!("counted-brief", test, times = Parameter::times(check.share)))
}

fn sentence(check: &CounterCheck) -> Option<Message> {
    let asked = Parameter::Bytes(check.asked_bytes);
    let counted = Parameter::Bytes(check.counted_bytes);
    let times = Parameter::times(check.share);
    Some(match (check.outcome, check.direction) {
        (CounterOutcome::Agrees, _) => return None,
        (CounterOutcome::Contradicts, Direction::Read) => message!("counted.less-read", counted, asked),
        (CounterOutcome::Contradicts, _) => message!("counted.less-written", counted, asked),
        (CounterOutcome::OtherLoad, _) => message!("counted.more-read", times, counted, asked),
        (CounterOutcome::Amplified, _) => message!("counted.more-written", times, counted, asked),
    })
}
