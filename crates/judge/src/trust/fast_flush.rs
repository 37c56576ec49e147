//! Writes that are durable sooner than flash can store them.

use cardiograph_core::drive::LeafKind;
use cardiograph_core::{Parameter, message};

use super::{Evidence, Found, Warning};

/// Minimum time for flash to program a page, in nanoseconds. Fast single-level flash takes some 100 µs
/// (Samsung Z-NAND, Kioxia XL-FLASH, according to their vendors), usual flash 200 µs to some milliseconds.
const FLASH_STORES_NS_MIN: u64 = 100_000;

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    if evidence.drive.simulated {
        return Err(message!("trap-fast-flush.simulated"));
    }
    let medians =
        evidence.measured().filter_map(|step| step.figures.as_ref()?.sync.as_ref()?.percentile_ns(50.0));
    let median_ns = medians.min().ok_or_else(|| message!("trap-fast-flush.unknown"))?;
    let meaning = match evidence.leaf_of_kind(LeafKind::Virtual) {
        Some(_) => message!("trap-fast-flush.meaning-host"),
        None => message!("trap-fast-flush.meaning"),
    };
    Ok((median_ns < FLASH_STORES_NS_MIN).then(|| {
        Warning::caution(
            message!(
                "trap-fast-flush.seen",
                median = Parameter::DurationNs(median_ns),
                least = Parameter::DurationNs(FLASH_STORES_NS_MIN)
            ),
            meaning,
        )
    }))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Direction;

    use super::super::bench::{Scene, latency, step};
    use super::*;

    #[test]
    fn flash_cannot_store_in_50_us() {
        let scene = |kind, p50_ns| {
            let mut step = step(&[("fsync", "1")], Direction::Write, 1e6);
            step.figures.as_mut().unwrap().sync = Some(latency(p50_ns));
            Scene::with_kind(kind).measured(step)
        };
        let warning = scene(LeafKind::Nvme, 50_000).warning(look);
        let (median, least) = (Parameter::DurationNs(50_000), Parameter::DurationNs(100_000));
        assert_eq!(warning.seen, [message!("trap-fast-flush.seen", median, least)]);
        assert_eq!(warning.meaning, [message!("trap-fast-flush.meaning")]);
        let guest = scene(LeafKind::Virtual, 50_000).warning(look);
        assert_eq!(guest.meaning, [message!("trap-fast-flush.meaning-host")]);
        assert!(scene(LeafKind::Nvme, 800_000).is_absent(look));
        assert!(
            Scene::with_kind(LeafKind::Nvme).measured(step(&[], Direction::Write, 1e6)).is_not_seen(look)
        );
        let mut simulated = scene(LeafKind::Simulated, 50_000);
        simulated.drive.simulated = true;
        assert!(simulated.is_not_seen(look));
    }
}
