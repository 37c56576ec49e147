//! Requests that succeed.

use cardiograph_engine::IoOp;
use cardiograph_engine::engine::OpKind;

use super::bench::{BLOCK, BLOCK_RESULT, FILE_BLOCKS, for_all, one_each, op};

#[test]
fn every_request_completes_once_with_its_slot() {
    for_all(|name, bench| {
        for round in 0..3 {
            let ops: Vec<IoOp> =
                (0..bench.depth).map(|slot| op(slot, OpKind::Write, u64::from(slot) + round)).collect();
            let before = bench.clock.now();
            let mut done = bench.run(&ops);
            let after = bench.clock.now();
            done.sort_by_key(|completion| completion.slot);
            let slots: Vec<u32> = done.iter().map(|completion| completion.slot).collect();
            assert_eq!(slots, (0..bench.depth).collect::<Vec<_>>(), "{name}");
            for completion in done {
                assert_eq!(completion.result, BLOCK_RESULT, "{name}");
                assert!((before..=after).contains(&completion.completed_at), "{name}");
            }
        }
    });
}

#[test]
fn written_data_is_read_back() {
    for_all(|name, bench| {
        if !bench.has_content {
            return;
        }
        for slot in 0..bench.depth {
            bench.fill(slot, slot as u8 + 1);
        }
        let writes: Vec<IoOp> =
            (0..bench.depth).map(|slot| op(slot, OpKind::Write, u64::from(slot) * 3)).collect();
        bench.run(&writes);
        bench.run(&[op(0, OpKind::Fsync, 0)]);
        for slot in 0..bench.depth {
            bench.fill(slot, 0xff);
        }
        // The last block first: the order must not matter.
        let last = bench.depth - 1;
        let reads: Vec<IoOp> =
            (0..bench.depth).map(|slot| op(slot, OpKind::Read, u64::from(last - slot) * 3)).collect();
        bench.run(&reads);
        for slot in 0..bench.depth {
            assert_eq!(bench.first_bytes(slot), [(last - slot) as u8 + 1; 16], "{name}");
        }
    });
}

/// An engine that moves a position must keep track of it: one forward, the same block twice, and back.
#[test]
fn each_block_is_found_regardless_of_the_previous_one() {
    for_all(|name, bench| {
        if !bench.has_content {
            return;
        }
        let walk = [0, 1, 2, 2, 1, 7, 8, 0, 0, 3];
        for (step, &block) in walk.iter().enumerate() {
            bench.fill(0, block as u8 + 10);
            assert_eq!(bench.result(op(0, OpKind::Write, block)), BLOCK_RESULT, "{name}");
            if step % 3 == 0 {
                bench.run(&[op(0, OpKind::Fdatasync, 0)]);
            }
            let other = walk[..=step][step / 2];
            bench.fill(0, 0xff);
            assert_eq!(bench.result(op(0, OpKind::Read, other)), BLOCK_RESULT, "{name}");
            assert_eq!(bench.first_bytes(0), [other as u8 + 10; 16], "{name}: step {step}");
        }
    });
}

#[test]
fn the_last_block_can_be_used() {
    for_all(|name, bench| {
        for kind in [OpKind::Write, OpKind::Read] {
            assert_eq!(bench.result(op(0, kind, FILE_BLOCKS - 1)), BLOCK_RESULT, "{name}");
        }
    });
}

#[test]
fn a_transfer_stops_at_the_end_of_the_file() {
    for_all(|name, bench| {
        if !bench.is_real {
            return;
        }
        let over_the_end = IoOp { len_bytes: 2 * BLOCK as u32, ..op(0, OpKind::Read, FILE_BLOCKS - 1) };
        assert_eq!(bench.result(over_the_end), BLOCK_RESULT, "{name}");
        assert_eq!(bench.result(op(0, OpKind::Read, FILE_BLOCKS)), 0, "{name}");
        // The next transfer must not be affected.
        bench.fill(0, 5);
        assert_eq!(bench.result(op(0, OpKind::Write, FILE_BLOCKS - 1)), BLOCK_RESULT, "{name}");
        bench.fill(0, 0xff);
        assert_eq!(bench.result(over_the_end), BLOCK_RESULT, "{name}");
        assert_eq!(bench.first_bytes(0), [5; 16], "{name}");
        // The rest of the transfer, had it been complete.
        bench.fill(0, 6);
        assert_eq!(bench.result(op(0, OpKind::Write, FILE_BLOCKS + 1)), BLOCK_RESULT, "{name}");
        bench.fill(0, 0xff);
        assert_eq!(bench.result(op(0, OpKind::Read, FILE_BLOCKS + 1)), BLOCK_RESULT, "{name}");
        assert_eq!(bench.first_bytes(0), [6; 16], "{name}");
    });
}

#[test]
fn syncs_move_no_bytes() {
    for_all(|name, bench| {
        for kind in [OpKind::Fsync, OpKind::Fdatasync] {
            assert_eq!(bench.result(op(0, kind, 0)), 0, "{name}");
        }
    });
}

#[test]
fn a_sync_among_writes_completes_once() {
    for_all(|name, bench| {
        let mut ops = one_each(bench.depth, OpKind::Write);
        let middle = ops.len() / 2;
        ops[middle] = op(ops[middle].slot, OpKind::Fsync, 0);
        let done = bench.run(&ops);
        let mut results: Vec<(u32, i32)> =
            done.iter().map(|completion| (completion.slot, completion.result)).collect();
        results.sort_unstable();
        let expected: Vec<(u32, i32)> = ops.iter().map(|op| (op.slot, op.len_bytes as i32)).collect();
        assert_eq!(results, expected, "{name}");
    });
}
