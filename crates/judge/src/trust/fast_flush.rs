//! Writes that are durable sooner than flash can store them.

use cardiograph_core::drive::LeafKind;

use super::{Evidence, Found, Warning};

/// The least time in which flash stores a page, in nanoseconds. Fast single-level flash takes some 100 µs for one (Samsung
/// Z-NAND, Kioxia XL-FLASH, as their makers say), usual flash 200 µs to some milliseconds.
const FLASH_STORES_NS_MIN: u64 = 100_000;

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    if evidence.drive.simulated {
        return Err("the drive is simulated");
    }
    let medians =
        evidence.measured().filter_map(|step| step.figures.as_ref()?.sync.as_ref()?.percentile_ns(50.0));
    let median_ns = medians.min().ok_or("no write was made durable while it was measured")?;
    let meaning = match evidence.leaf_of_kind(LeafKind::Virtual) {
        Some(_) => {
            "memory answers: the host's cache, or capacitors in its drives; whether data outlive a loss of power is the host's \
             secret, and the figures are the host's"
        }
        None => {
            "either the drive has capacitors for a loss of power, or flushes are ignored; only pulling the plug can tell"
        }
    };
    Ok((median_ns < FLASH_STORES_NS_MIN).then(|| {
        Warning::caution(
            format!(
                "a flush took {} µs in the median, and flash needs {} µs to store a page",
                median_ns / 1_000,
                FLASH_STORES_NS_MIN / 1_000
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
            Scene::of_kind(kind).measured(step)
        };
        assert!(scene(LeafKind::Nvme, 50_000).warning(look).meaning.contains("capacitors"));
        assert!(scene(LeafKind::Virtual, 50_000).warning(look).meaning.contains("host's cache"));
        assert!(scene(LeafKind::Nvme, 800_000).is_absent(look));
        assert!(Scene::of_kind(LeafKind::Nvme).measured(step(&[], Direction::Write, 1e6)).is_not_seen(look));
        let mut simulated = scene(LeafKind::Simulated, 50_000);
        simulated.drive.simulated = true;
        assert!(simulated.is_not_seen(look));
    }
}
