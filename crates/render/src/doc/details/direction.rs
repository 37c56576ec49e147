//! The figures of each direction of a step.

use cardiograph_core::falloff::FallOff;
use cardiograph_core::figures::{DirectionFigures, StepFigures, WindowFigures};
use cardiograph_core::quantity::LatencyKind;
use cardiograph_core::report::StepResult;
use cardiograph_core::trust::Standing;
use cardiograph_core::{Direction, Estimate, Message, Parameter, message};
use cardiograph_judge::record::tests_of;

use super::latency;
use crate::doc::{Fact, Node};
use crate::method;

/// Facts and latencies of each direction, and of the step as a whole. Figures that are not the drive's are
/// withheld.
pub(super) fn nodes(step: &StepResult, figures: &StepFigures) -> Vec<Node> {
    let mut nodes = Vec::new();
    let tests = tests_of(step);
    for figures_of in &figures.directions {
        nodes.push(Node::Facts(facts(step, figures_of)));
        let direction = figures_of.direction;
        let mut latencies: Vec<latency::Column> = Vec::new();
        let mut push = |direction, name, kind, figures| {
            latencies.push(latency::Column { name, direction, kind, figures });
        };
        if !step.is_withheld(direction) {
            if let Some(submission) = &figures_of.submission {
                push(direction, message!("latency-kind.submission"), LatencyKind::Submission, submission);
                let completion = &figures_of.completion;
                push(direction, message!("latency-kind.completion"), LatencyKind::Completion, completion);
            }
            push(direction, message!("latency-kind.total"), LatencyKind::Total, &figures_of.total);
        }
        let is_sync_shown = direction == Direction::Write && !step.is_withheld(Direction::Sync);
        if let Some(sync) = figures.sync.as_ref().filter(|_| is_sync_shown) {
            push(Direction::Sync, method::direction(Direction::Sync), LatencyKind::Total, sync);
        }
        nodes.extend(latency::table(tests.first(), &latencies));
    }
    nodes.extend(Node::from_facts(step_facts(step, figures)));
    nodes
}

fn step_facts(step: &StepResult, figures: &StepFigures) -> Vec<Fact> {
    let cpu = figures.cpu_per_io.map(|cpu| {
        let [user, system] = [cpu.user_ns, cpu.system_ns].map(Parameter::latency_ns);
        Fact::new(message!("details-label.cpu"), message!("details-cpu", user, system))
    });
    if figures.directions.iter().any(|figures| step.is_withheld(figures.direction)) {
        return cpu.into_iter().collect();
    }
    let stall = Message::quantity(Parameter::latency_ns(figures.longest_stall_ns as f64));
    let found = figures.fall_off.as_ref().and_then(|search| search.found);
    let fall_off = found.map(|found| Fact::new(message!("details-label.fall-off"), fall_off(&found)));
    cpu.into_iter().chain([Fact::new(message!("details-label.stall"), stall)]).chain(fall_off).collect()
}

fn fall_off(found: &FallOff) -> Message {
    let [before, after] = [found.before_bytes_per_s, found.after_bytes_per_s].map(Parameter::bytes_per_s);
    message!(
        "details-fall-off",
        written = Parameter::CapacityBytes(found.after_bytes),
        before,
        after,
        // The search cannot distinguish smaller ones.
        p = format!("{:.4}", found.p_value.max(1e-4))
    )
}

fn facts(step: &StepResult, figures: &DirectionFigures) -> Vec<Fact> {
    let label = match figures.direction {
        Direction::Read => message!("details-label.reads"),
        Direction::Write => message!("details-label.writes"),
        Direction::Trim => message!("details-label.trims"),
        Direction::Sync => message!("details-label.syncs"),
    };
    let moved = message!(
        "details-moved",
        ios = figures.ios,
        bytes = Parameter::Bytes(figures.bytes),
        time = Parameter::latency_ns(figures.runtime_ns as f64)
    );
    let doubt = step.doubt(figures.direction).map(|doubt| match doubt.withholds() {
        true => Fact::new(message!("details-label.withheld"), doubt.message()),
        false => Fact::new(message!("details-label.doubtful"), doubt.message()),
    });
    let standing = step.standings.iter().find(|standing| standing.direction == figures.direction);
    let standing =
        standing.map(|standing| Fact::from_phrases(message!("details-label.known"), known(standing)));
    let short = Message::quantity(figures.short_ios.into());
    let short = (figures.short_ios > 0).then(|| Fact::new(message!("details-label.short"), short));
    let all = std::iter::once(Fact::new(label, moved)).chain(doubt);
    let all = all.chain(standing.flatten()).chain(short);
    if step.is_withheld(figures.direction) { all.collect() } else { all.chain(rates(figures)).collect() }
}

fn rates(figures: &DirectionFigures) -> Vec<Fact> {
    let (speed, rate) = (&figures.bandwidth_bytes_per_s, &figures.iops);
    let bandwidth =
        Fact::from_phrases(message!("details-label.bandwidth"), estimate(speed, Parameter::bytes_per_s));
    let rate = Fact::from_phrases(message!("details-label.rate"), estimate(rate, Parameter::iops));
    let windows = figures.windows.as_ref().map(windows);
    let predictability = figures.predictability.map(|times| {
        let times = message!("details-predictability", times = Parameter::times(times));
        Fact::new(message!("details-label.predictability"), times)
    });
    [bandwidth, rate, windows, predictability].into_iter().flatten().collect()
}

/// A value, and its interval, if any. One down to nothing says nothing.
pub(super) fn estimate(estimate: &Estimate, value: impl Fn(f64) -> Parameter) -> Vec<Message> {
    let interval = estimate.low.zip(estimate.high).filter(|&(low, _)| low > 0.0 || estimate.value == 0.0);
    let interval = interval.map(|(low, high)| message!("interval", low = value(low), high = value(high)));
    std::iter::once(Message::quantity(value(estimate.value))).chain(interval).collect()
}

fn windows(figures: &WindowFigures) -> Fact {
    let spread = &figures.bandwidth_bytes_per_s;
    let all = [spread.min, spread.max, spread.mean, spread.stdev];
    let [low, high, mean, deviation] = all.map(Parameter::bytes_per_s);
    let window = Parameter::DurationNs(figures.window_ns);
    let windows = message!("details-windows", windows = spread.n, window, low, high, mean, deviation);
    Fact::new(message!("details-label.windows"), windows)
}

/// The known properties of figures.
fn known(standing: &Standing) -> Vec<Message> {
    let word = |known: Option<bool>, yes: Message, no: Message| known.map(|is| if is { yes } else { no });
    let known = [
        word(standing.reached_device, message!("known-reached"), message!("known-reached.not")),
        word(standing.durable, message!("known-durable"), message!("known-durable.not")),
        word(standing.steady, message!("known-steady"), message!("known-steady.not")),
        word(standing.throttled, message!("known-throttled"), message!("known-throttled.not")),
        word(standing.link_limited, message!("known-link"), message!("known-link.not")),
        word(standing.harness_limited, message!("known-processors"), message!("known-processors.not")),
    ];
    let known: Vec<Message> = known.into_iter().flatten().collect();
    if known.is_empty() { vec![message!("known-nothing")] } else { known }
}
