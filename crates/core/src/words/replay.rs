//! A recording compared with its replay.

use crate::replay::Recorded;
use crate::{Latency, Message, Parameter, PerDirection, message};

/// Durations of the recording and of its replay, and their latencies if recorded: phrases.
///
/// The total latencies of the replay are `here`, its length is `replayed_ns`.
pub fn replay(recorded: &Recorded, replayed_ns: u64, here: &PerDirection<Latency>) -> Vec<Message> {
    let replayed = Parameter::DurationNs(replayed_ns);
    let mut facts = vec![match recorded.duration_ns {
        0 => message!("replay-time", replayed),
        ns => message!("replay-time.recorded", recorded = Parameter::DurationNs(ns), replayed),
    }];
    for (direction, of) in recorded.directions.iter() {
        let (there, here) = (&of.latency, &here[direction]);
        if there.n() > 0 && here.n() > 0 {
            let mean = |of: &Latency| Parameter::latency_ns(of.mean_ns());
            let (recorded, replayed) = (mean(there), mean(here));
            let direction = direction.message();
            let of = direction.clone();
            facts.push(message!("replay-mean", direction = of, recorded, replayed));
            if let Some((recorded, replayed)) = p99(there).zip(p99(here)) {
                let fact = message!("replay-p99", direction, recorded, replayed);
                facts.push(fact);
            }
        }
    }
    facts
}

/// The percentile, if it has ten I/Os above it.
fn p99(latency: &Latency) -> Option<Parameter> {
    let ns = latency.percentile_ns(99.0).filter(|_| latency.samples_above(99.0) >= 10)?;
    Some(Parameter::latency_ns(ns as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recording_and_replay_are_compared() {
        let mut recorded = Recorded { duration_ns: 2_000_000_000, ..Recorded::default() };
        let mut here = PerDirection::<Latency>::default();
        (0..2_000).for_each(|_| recorded.directions.read.latency.record(100_000));
        (0..2_000).for_each(|_| here.read.record(200_000));
        recorded.directions.write.latency.record(1_000_000);
        here.write.record(500_000);
        here.sync.record(1);
        let facts = replay(&recorded, 3_000_000_000, &here);
        let (recorded_ns, replayed) =
            (Parameter::DurationNs(2_000_000_000), Parameter::DurationNs(3_000_000_000));
        let time = message!("replay-time.recorded", recorded = recorded_ns, replayed = replayed.clone());
        assert_eq!(facts[0], time);
        // A single write has no percentile.
        let ids: Vec<&str> = facts.iter().map(Message::id).collect();
        assert_eq!(ids, ["replay-time.recorded", "replay-mean", "replay-p99", "replay-mean"]);
        let ms = |of: f64| Some(Parameter::latency_ns(of * 1e6));
        assert_eq!(facts[3].parameter("recorded"), ms(1.0).as_ref());
        assert_eq!(facts[3].parameter("replayed"), ms(0.5).as_ref());
        assert_eq!(replay(&Recorded::default(), 3_000_000_000, &here), [message!("replay-time", replayed)]);
    }
}
