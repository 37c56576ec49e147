//! A recording compared with its replay.

use crate::replay::Recorded;
use crate::units;
use crate::{Latency, PerDirection};

/// One line: how long the recorded I/O took there and here, and its latencies where they were recorded.
///
/// The total latencies of the replay are `here`, its length is `replayed_ns`.
pub fn replay(recorded: &Recorded, replayed_ns: u64, here: &PerDirection<Latency>) -> String {
    let mut parts = match recorded.duration_ns {
        0 => vec![format!("replayed in {}", units::duration(replayed_ns))],
        ns => {
            vec![format!("recorded in {}, replayed in {}", units::duration(ns), units::duration(replayed_ns))]
        }
    };
    for (direction, of) in recorded.directions.iter() {
        let (there, here) = (&of.latency, &here[direction]);
        if there.n() > 0 && here.n() > 0 {
            parts.push(format!("{} recorded {}, here {}", direction.name(), latency(there), latency(here)));
        }
    }
    parts.join("; ")
}

/// The mean, and the percentile that has ten I/Os above it.
fn latency(latency: &Latency) -> String {
    let mean = units::duration_f64(latency.mean_ns());
    match latency.percentile_ns(99.0).filter(|_| latency.samples_above(99.0) >= 10) {
        Some(ns) => format!("{mean} mean, {} p99", units::duration(ns)),
        None => format!("{mean} mean"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_runs_stand_side_by_side() {
        let mut recorded = Recorded { duration_ns: 2_000_000_000, ..Recorded::default() };
        let mut here = PerDirection::<Latency>::default();
        (0..2_000).for_each(|_| recorded.directions.read.latency.record(100_000));
        (0..2_000).for_each(|_| here.read.record(200_000));
        recorded.directions.write.latency.record(1_000_000);
        here.write.record(500_000);
        here.sync.record(1);
        let line = replay(&recorded, 3_000_000_000, &here);
        let parts: Vec<&str> = line.split("; ").collect();
        assert_eq!(parts.len(), 3, "{line}");
        assert_eq!(
            parts[0],
            format!(
                "recorded in {}, replayed in {}",
                units::duration(2_000_000_000),
                units::duration(3_000_000_000)
            )
        );
        assert!(parts[1].starts_with("read recorded 100 µs mean, 10"), "{line}");
        assert!(parts[1].contains(" p99, here 200 µs mean, 20"), "{line}");
        // One write has no percentile.
        assert_eq!(parts[2], "write recorded 1.00 ms mean, here 500 µs mean");
        let untimed = replay(&Recorded::default(), 3_000_000_000, &here);
        assert_eq!(untimed, format!("replayed in {}", units::duration(3_000_000_000)));
    }
}
