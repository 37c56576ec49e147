//! Requests that fail: each completes with its own error, and the engine continues.

use cardiograph_engine::engine::OpKind;
use cardiograph_engine::target::Naming;
use cardiograph_engine::{Access, Completion, IoOp, Target};
use cardiograph_testing::LoopMount;

use super::bench::{BLOCK, BLOCK_RESULT, Bench, Setup, for_all, one_each, op, real};

/// A write beyond the end of any file system.
fn far(slot: u32) -> IoOp {
    IoOp { offset_bytes: 1 << 62, ..op(slot, OpKind::Write, 0) }
}

#[test]
fn a_failed_request_is_a_completion() {
    for_all(|name, bench| {
        if !bench.is_real {
            return;
        }
        let result = bench.result(far(0));
        assert!([-libc::EFBIG, -libc::EINVAL].contains(&result), "{name}: {result}");
        assert_eq!(bench.result(op(0, OpKind::Write, 0)), BLOCK_RESULT, "{name} goes on");
    });
}

#[test]
fn a_bad_request_does_not_affect_others_in_its_batch() {
    for_all(|name, bench| {
        if !bench.is_real || bench.depth < 8 {
            return;
        }
        for bad_slots in [vec![0], vec![3], vec![7], vec![2, 3, 6], (0..8).collect()] {
            let mut ops = one_each(bench.depth, OpKind::Write);
            bad_slots.iter().for_each(|&slot| ops[slot as usize] = far(slot));
            let done = bench.run(&ops);
            let is_right = |completion: &Completion| {
                bad_slots.contains(&completion.slot) == (completion.result < 0)
                    && completion.result.min(BLOCK_RESULT) == completion.result
            };
            assert_eq!(done.len(), ops.len(), "{name}");
            assert!(done.iter().all(is_right), "{name}: {bad_slots:?} gave {done:?}");
        }
    });
}

#[test]
fn writing_to_a_read_only_file_is_refused() {
    let directory = cardiograph_testing::disk_dir();
    for entry in real() {
        for (direct, depth) in [(false, 1), (true, 8)] {
            let mut setup = Setup::new(direct, depth);
            setup.access = Access { writes: false, ..setup.access };
            let mut bench = Bench::new(entry, setup, directory.path());
            let name = entry.name;
            for _ in 0..3 {
                assert_eq!(bench.result(op(0, OpKind::Write, 0)), -libc::EBADF, "{name}");
                assert_eq!(bench.result(op(0, OpKind::Read, 0)), BLOCK_RESULT, "{name}");
            }
        }
    }
}

#[test]
fn a_full_file_system_is_reported() {
    const LEN_BYTES: u64 = 4 << 20;
    for entry in real() {
        for direct in [false, true] {
            let mount = match LoopMount::new(&["mkfs.ext4", "-q", "-O", "^has_journal"], LEN_BYTES, "") {
                Ok(mount) => mount,
                Err(reason) => return cardiograph_testing::skip("engines on a full file system", &reason),
            };
            let file_len_bytes = 64 << 10;
            let target = Target::create_file(mount.path(), file_len_bytes, Naming::Automatic).unwrap();
            let mut bench = Bench::over(entry, Setup::new(direct, 8), vec![target], None);
            let results: Vec<i32> = (file_len_bytes / BLOCK as u64..LEN_BYTES / BLOCK as u64)
                .map(|block| bench.result(op(0, OpKind::Write, block)))
                .collect();
            let written = results.iter().take_while(|&&result| result == BLOCK_RESULT).count();
            assert!(written > 100, "{}: only {written} blocks were written", entry.name);
            assert_eq!(results.get(written), Some(&-libc::ENOSPC), "{} direct={direct}", entry.name);
            assert_eq!(bench.result(op(0, OpKind::Write, 0)), BLOCK_RESULT, "{} goes on", entry.name);
        }
    }
}

#[test]
fn misaligned_direct_io_completes_or_is_refused() {
    let directory = cardiograph_testing::disk_dir();
    for entry in real() {
        let mut bench = Bench::new(entry, Setup::new(true, 8), directory.path());
        for (offset_bytes, len_bytes) in [(1, BLOCK as u32), (0, 100), (512, 511)] {
            let result = bench.result(IoOp { offset_bytes, len_bytes, ..op(0, OpKind::Read, 0) });
            assert!([-libc::EINVAL, len_bytes as i32].contains(&result), "{}: {result}", entry.name);
        }
        assert_eq!(bench.result(op(0, OpKind::Read, 1)), BLOCK_RESULT, "{} goes on", entry.name);
    }
}
