//! Results of the shipped models beyond the article's figures.

use std::sync::Arc;

use cardiograph_core::workload::Order;
use cardiograph_core::{MIB, NS_PER_S};
use cardiograph_jobs::offsets::BlockOrder;

use super::drive::SimDrive;
use super::model::DriveModel;
use super::workbench::{Done, drive_at_depth, request};
use crate::engine::OpKind;

fn new_drive(model: &str, seed: u64) -> Arc<SimDrive> {
    SimDrive::new(DriveModel::named(model).unwrap(), seed)
}

/// Runs I/O of `len_bytes` in a file of `file_mib`, at a queue depth, for some seconds.
fn run(
    drive: &Arc<SimDrive>,
    kind: OpKind,
    order: Order,
    len_bytes: u64,
    file_mib: u64,
    depth: usize,
    s: u64,
) -> Vec<Done> {
    let file = drive.create_file(file_mib * MIB).unwrap();
    let count = file_mib * MIB / len_bytes;
    let (mut in_order, mut at_random) = ((0..count).cycle(), BlockOrder::new(count, 3));
    let mut next_block = || match order {
        Order::Sequential => in_order.next().unwrap(),
        _ => at_random.next_block(),
    };
    let next = |now_ns| {
        (now_ns < s * NS_PER_S)
            .then(|| request(kind, file.base_bytes() + next_block() * len_bytes, len_bytes as u32))
    };
    drive_at_depth(drive, depth, next)
}

fn iops(done: &[Done]) -> f64 {
    done.len() as f64 * 1e9 / done.last().unwrap().completed_at_ns as f64
}

fn bytes_per_s(done: &[Done]) -> f64 {
    iops(done) * f64::from(done[0].len_bytes)
}

#[track_caller]
fn assert_near(found: f64, expected: f64, share: f64) {
    assert!(
        (found / expected - 1.0).abs() <= share,
        "{found} where {expected} ± {} % is wanted",
        share * 100.0
    );
}

/// A published test of sixteen cards has 1.52 to 1.61 MB/s of random 4 KiB writes for a SanDisk Ultra.
#[test]
fn random_writes_on_the_card_match_a_published_test() {
    for seed in 0..5 {
        let done =
            run(&new_drive("sandisk-ultra-64", seed), OpKind::Write, Order::RandomUnique, 4_096, 256, 1, 10);
        assert_near(bytes_per_s(&done), 1.57e6, 0.05);
    }
}

#[test]
fn queue_depth_helps_the_ssd_but_not_the_card() {
    let at_depth = |model, depth| {
        iops(&run(&new_drive(model, 1), OpKind::Read, Order::RandomUnique, 4_096, 256, depth, 5))
    };
    assert_near(at_depth("sandisk-ultra-64", 32) / at_depth("sandisk-ultra-64", 1), 1.0, 0.05);
    assert_near(at_depth("kioxia-sata-960", 4) / at_depth("kioxia-sata-960", 1), 4.0, 0.1);
    assert_near(at_depth("kioxia-sata-960", 32) / at_depth("kioxia-sata-960", 1), 8.0, 0.1);
}

#[test]
fn random_writes_on_the_ssd_have_the_expected_speed() {
    let at_depth = |depth| {
        iops(&run(&new_drive("kioxia-sata-960", 1), OpKind::Write, Order::RandomUnique, 4_096, 256, depth, 5))
    };
    assert_near(at_depth(1), 6_600.0, 0.1);
    assert!(at_depth(8) > 5.0 * at_depth(1));
}

/// A published test of a BUFFALO card of 16 GB: 13,289 and 4,985 kB/s sequential, 598 reads and 1 write of 4
/// KiB at random, 15,438 and 726 kB/s with 512 KiB.
#[test]
fn the_bad_card_matches_a_published_test() {
    for seed in 0..3 {
        let run =
            |kind, order, len_bytes, s| run(&new_drive("bad-card", seed), kind, order, len_bytes, 100, 1, s);
        assert_near(bytes_per_s(&run(OpKind::Read, Order::Sequential, MIB, 20)), 13.289e6, 0.05);
        assert_near(bytes_per_s(&run(OpKind::Write, Order::Sequential, MIB, 60)), 4.985e6, 0.05);
        assert_near(iops(&run(OpKind::Read, Order::RandomUnique, 4_096, 20)), 598.0, 0.05);
        assert_near(bytes_per_s(&run(OpKind::Read, Order::RandomUnique, MIB / 2, 20)), 15.438e6, 0.2);
        assert_near(bytes_per_s(&run(OpKind::Write, Order::RandomUnique, MIB / 2, 120)), 0.726e6, 0.2);
        let random_writes = iops(&run(OpKind::Write, Order::RandomUnique, 4_096, 120));
        assert!((0.9..1.4).contains(&random_writes), "{random_writes}");
    }
}

#[test]
fn the_fake_becomes_slow_when_its_cache_is_full() {
    let drive = new_drive("fake-card", 1);
    let done = run(&drive, OpKind::Write, Order::Sequential, MIB, 512, 1, 60);
    let cache_mib = (drive.model().cache.unwrap().len_bytes / MIB) as usize;
    let (fast, slow) = (iops(&done[..cache_mib]), {
        let after = &done[cache_mib..];
        after.len() as f64 * 1e9 / (after.last().unwrap().completed_at_ns - after[0].issued_at_ns) as f64
    });
    assert!(fast > 18.0 && slow < 10.0 && fast > 2.5 * slow, "{fast} and {slow} MiB/s");
}

#[test]
fn no_seed_gives_an_implausible_drive() {
    for (name, _) in super::MODELS {
        for seed in 0..20 {
            let done = run(&new_drive(name, seed), OpKind::Read, Order::RandomUnique, 4_096, 64, 1, 1);
            assert_near(
                iops(&done),
                iops(&run(&new_drive(name, 77), OpKind::Read, Order::RandomUnique, 4_096, 64, 1, 1)),
                0.12,
            );
        }
    }
}
