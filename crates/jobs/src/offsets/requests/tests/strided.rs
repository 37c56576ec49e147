//! Sequences in zones.

use cardiograph_core::workload::{Distribution, StridedZones};

use super::*;

fn strided(used_kib: u64, zone_kib: u64, skip_kib: u64) -> Option<StridedZones> {
    let (used_bytes, zone_len_bytes, skip_bytes) = (used_kib * KIB, zone_kib * KIB, skip_kib * KIB);
    Some(StridedZones { used_bytes, zone_len_bytes, skip_bytes })
}

#[test]
fn zones_are_used_in_turn() {
    let blocks = |strided, region_kib: u64, n: usize| {
        let workload = Workload { strided, ..workload(Order::Sequential, 0, fixed(4 * KIB)) };
        let offsets = offsets(&draw(&workload, &[file(KIB, region_kib * KIB)], n));
        offsets.iter().map(|offset| (offset - KIB) / (4 * KIB)).collect::<Vec<_>>()
    };
    assert_eq!(blocks(strided(8, 16, 0), 64, 10), [0, 1, 4, 5, 8, 9, 12, 13, 0, 1]);
    assert_eq!(blocks(strided(8, 16, 8), 64, 8), [0, 1, 6, 7, 12, 13, 0, 1]);
    // More than the zone's length: it is covered again.
    assert_eq!(blocks(strided(24, 16, 0), 32, 13), [0, 1, 2, 3, 0, 1, 4, 5, 6, 7, 4, 5, 0]);
    // A zone used for its set length; a zone truncated by the end; one too short for an I/O.
    assert_eq!(blocks(strided(5, 16, 0), 32, 5), [0, 1, 4, 5, 0]);
    assert_eq!(blocks(strided(16, 16, 0), 26, 7), [0, 1, 2, 3, 4, 5, 0]);
    assert_eq!(blocks(strided(16, 16, 0), 18, 5), [0, 1, 2, 3, 0]);
    assert_eq!(blocks(strided(8, 64, 0), 32, 3), [0, 1, 0]);
}

#[test]
fn a_zone_at_random_has_each_block_once_and_its_own_distribution() {
    let job = |strided, order| Workload { strided, ..workload(order, 50, fixed(4 * KIB)) };
    let region = [file(0, 256 * KIB)];
    let drawn = offsets(&draw(&job(strided(64, 64, 0), Order::RandomUnique), &region, 128));
    for (visit, zone) in drawn.chunks(16).enumerate() {
        let mut sorted = zone.to_vec();
        sorted.sort_unstable();
        let first = visit as u64 % 4 * 16;
        assert_eq!(sorted, (first..first + 16).map(|block| block * 4 * KIB).collect::<Vec<_>>());
        assert_ne!(zone, sorted);
    }
    assert_ne!(drawn[..64], drawn[64..], "the next visit has another order");
    // Half of a zone: no block twice in a visit, and in the end all of them.
    let half = offsets(&draw(&job(strided(32, 64, 0), Order::RandomUnique), &region, 3_200));
    assert!(half.chunks(8).all(|visit| visit.iter().collect::<HashSet<_>>().len() == 8));
    assert_eq!(half.iter().collect::<HashSet<_>>().len(), 64);
    let zipf = Workload {
        distribution: Distribution::Zipf { theta: 1.2, center: Some(0.0) },
        ..job(strided(64, 64, 64), Order::RandomRepeating)
    };
    let drawn = offsets(&draw(&zipf, &region, 3_200));
    for (visit, zone) in drawn.chunks(16).enumerate() {
        let first = visit as u64 % 2 * 32;
        assert!(zone.iter().all(|offset| (first..first + 16).contains(&(offset / (4 * KIB)))), "{zone:?}");
    }
    assert!(drawn.iter().filter(|&&offset| offset == 0 || offset == 128 * KIB).count() > 3_200 / 4);
    // Runs and varied lengths stay in the zone, too.
    for order in [Order::Sequential, Order::RandomRepeating] {
        let runs = Workload {
            random_run: if order == Order::Sequential { 1 } else { 3 },
            strided: strided(64, 64, 0),
            ..workload(order, 50, range())
        };
        for request in draw(&runs, &[file(0, 250 * KIB)], 2_000) {
            let (begin, end) = (request.offset_bytes, request.offset_bytes + request.len_bytes - 1);
            assert_eq!(begin / (64 * KIB), end / (64 * KIB), "{request:?}");
            assert!(end < 250 * KIB);
        }
    }
    assert_eq!(Requests::pass_len_bytes(&zipf, &region), 0);
    assert_eq!(Requests::pass_len_bytes(&job(strided(64, 64, 0), Order::Sequential), &region), 0);
}
