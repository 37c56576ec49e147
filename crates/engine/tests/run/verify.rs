//! A simulated drive's corruption is detected and classified, without false positives.

use std::collections::BTreeMap;

use cardiograph_core::result::{MismatchKind, RunOutcome, Verified};
use cardiograph_core::{Direction, Parameter, message};
use cardiograph_engine::sim::{DriveModel, Fault, FaultKind, SimDrive};
use cardiograph_testing::drives::PLAIN;

use super::bench::{fill, plain_drive, run_one, simulated};

/// Verification result of a job that writes and verifies on a drive with faults.
fn checked(options: &str, mib: u64, faults: Vec<Fault>) -> Verified {
    let target = simulated(&plain_drive(8, faults), mib);
    if options.contains("rw=randrw") {
        fill(&target, "sim", 1);
    }
    let result = run_one(&format!("ioengine=sim {options}"), &target);
    let verified = result.workers[0].verified.clone().unwrap();
    let expected = if verified.bad_blocks > 0 { RunOutcome::Failed } else { RunOutcome::Completed };
    assert_eq!(result.outcome, expected, "{options}: {verified:?}");
    verified
}

#[test]
fn every_kind_of_write_fault_is_found_and_named() {
    use MismatchKind::{Damaged, Flipped, Misdirected, Stale, Torn, Unwritten};
    let write = |kind| vec![Fault::new(kind).on(Direction::Write).nth(300)];
    let block = |bit: u64| FaultKind::BitFlip { bit };
    // 256 blocks, written once, where a lost write leaves nothing; or twice, where it leaves an earlier one.
    for (loops, kind, expected) in [
        (1, FaultKind::LostWrite, &[][..]),
        (2, FaultKind::LostWrite, &[(Stale, 1)]),
        (2, FaultKind::TornWrite, &[(Torn, 1)]),
        (2, block(0), &[(Flipped, 1)]),
        (2, block(170), &[(Flipped, 1)]),
        (2, block(350), &[(Flipped, 1)]),
        (2, block(5_000), &[(Flipped, 1)]),
        (2, block(32_767), &[(Flipped, 1)]),
        (2, FaultKind::Corrupt, &[(Damaged, 1)]),
        // The block is missing where it belongs, and overwrites another that was written earlier.
        (2, FaultKind::Misdirect { by_bytes: 64 << 10 }, &[(Stale, 1), (Misdirected, 1)]),
    ] {
        for (order, checksum) in [("write", "crc32c"), ("randwrite", "md5"), ("randwrite", "sha3-256")] {
            let options = format!("rw={order} bs=4k size=1M loops={loops} verify={checksum}");
            let verified = checked(&options, 1, write(kind));
            let found: BTreeMap<MismatchKind, u64> = verified.kinds.clone();
            // Each offset is verified for each write to it.
            assert_eq!(verified.blocks, 256 * loops);
            let names: Vec<MismatchKind> = found.keys().copied().collect();
            let wanted: Vec<MismatchKind> = expected.iter().map(|&(kind, _)| kind).collect();
            if matches!(kind, FaultKind::Misdirect { .. }) {
                // Whether the overwritten block is written again before the end depends on the order.
                assert!(names.contains(&Stale), "{options}: {verified:?}");
                assert!(names.iter().all(|name| wanted.contains(name)), "{options}: {verified:?}");
            } else {
                assert_eq!(names, wanted, "{options} {kind:?}: {verified:?}");
            }
        }
    }
    let lost = vec![Fault::new(FaultKind::LostWrite).on(Direction::Write).nth(30)];
    let verified = checked("rw=write bs=4k size=1M verify=crc32c", 1, lost);
    assert_eq!(verified.first.map(|first| (first.kind, first.offset_bytes)), Some((Unwritten, 29 * 4_096)));
    let decayed = vec![Fault::new(block(4_096)).on(Direction::Read).nth(7)];
    let verified = checked("rw=write bs=4k size=1M verify=xxhash", 1, decayed);
    assert_eq!(verified.first.map(|first| (first.kind, first.offset_bytes)), Some((Flipped, 6 * 4_096)));
}

#[test]
fn a_misdirected_write_is_reported_where_it_was_stored() {
    let faults =
        vec![Fault::new(FaultKind::Misdirect { by_bytes: (1 << 20) - 4_096 }).on(Direction::Write).nth(101)];
    let verified = checked("rw=write bs=4k size=1M verify=crc32c", 2, faults);
    assert_eq!(verified.kinds, BTreeMap::from([(MismatchKind::Unwritten, 1)]));
    // It overwrites a block that was written earlier.
    let back = plain_drive(8, Vec::new()).model().capacity_bytes - (8 << 10);
    let faults = vec![Fault::new(FaultKind::Misdirect { by_bytes: back }).on(Direction::Write).nth(101)];
    let verified = checked("rw=write bs=4k size=1M verify=crc32c", 1, faults);
    let expected = [(MismatchKind::Misdirected, 1), (MismatchKind::Unwritten, 1)];
    assert_eq!(verified.kinds, BTreeMap::from(expected));
    let first = verified.first.unwrap();
    assert_eq!((first.kind, first.offset_bytes), (MismatchKind::Misdirected, 98 * 4_096));
    assert_eq!(
        first.found.to_string(),
        "verify-block.of-write(offset=409600, write=verify-write(number=100))"
    );
}

#[test]
fn a_lost_write_is_found_among_overlapping_writes_in_flight() {
    // Each offset is written many times; writes in flight together may complete in either order, others not.
    let faults = vec![Fault::new(FaultKind::LostWrite).on(Direction::Write).nth(4_047).times(50)];
    let options = "rw=randwrite norandommap=1 bs=4k size=1M io_size=16M iodepth=8 verify=crc32c";
    let verified = checked(options, 1, faults);
    assert_eq!(verified.kinds, BTreeMap::from([(MismatchKind::Stale, verified.bad_blocks)]), "{verified:?}");
    // Each of the last 50 of 4,096 writes is lost. Few went to an offset of another of the last, or one whose
    // previous write is so recent that the two could have been in flight together.
    assert!((35..=50).contains(&verified.bad_blocks), "{verified:?}");
}

#[test]
fn a_million_intact_blocks_raise_no_alarm() {
    // A block per 512 bytes; reads and writes that overlap completely and partly, 32 in flight.
    for (options, writes_min) in [
        ("rw=randwrite bs=4k io_size=512M", 1 << 20),
        ("rw=randrw rwmixread=30 bsrange=512-8k blockalign=512 io_size=120M verify_backlog=1000", 15_000),
    ] {
        let line = format!("{options} size=8M norandommap=1 iodepth=32 verify=crc32c verify_interval=512");
        let verified = checked(&line, 8, Vec::new());
        assert_eq!((verified.bad_blocks, &verified.first), (0, &None));
        assert!(verified.blocks >= writes_min, "{} blocks", verified.blocks);
    }
}

#[test]
fn clones_that_write_to_the_same_offsets_raise_no_alarm() {
    let target = simulated(&plain_drive(8, Vec::new()), 1);
    let options = "ioengine=sim rw=randwrite norandommap=1 bs=4k size=1M numjobs=4 iodepth=4 verify=md5";
    let result = run_one(options, &target);
    assert_eq!(result.outcome, RunOutcome::Completed);
    for worker in &result.workers {
        let verified = worker.verified.as_ref().unwrap();
        assert_eq!((verified.blocks, &verified.first), (256, &None));
    }
}

#[test]
fn checks_between_writes_end_a_job_early() {
    let faults = vec![Fault::new(FaultKind::LostWrite).on(Direction::Write).nth(20)];
    let target = simulated(&plain_drive(8, faults), 1);
    let options =
        "ioengine=sim rw=write bs=4k size=1M verify=crc32c verify_backlog=16 verify_fatal=1 iodepth=4";
    let result = run_one(options, &target);
    assert_eq!(result.outcome, RunOutcome::Failed);
    let merged = result.merged(|_| true);
    assert_eq!(merged.write.ios, 32);
    assert!((20..=24).contains(&merged.read.ios), "{}", merged.read.ios);
}

#[test]
fn too_much_content_is_refused() {
    let large = PLAIN.replace("capacity_bytes = 4_294_967_296", "capacity_bytes = 8_589_934_592");
    let target = simulated(&SimDrive::new(DriveModel::from_toml(&large).unwrap(), 1), 4_097);
    let job = super::bench::job("job", "ioengine=sim rw=write bs=1M size=4097M verify=crc32c");
    let refused = super::bench::try_run(&[job], &[target], 7).unwrap_err();
    let (most, length) = (Parameter::Bytes(4 << 30), Parameter::Bytes(4_097 << 20));
    let reason = message!("engine-simulated-too-long", most, length);
    assert_eq!(refused.message(), message!("run-engine-not-opened", engine = "sim", error = reason));
}
