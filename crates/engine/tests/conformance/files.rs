//! Tests with several files.

use std::process::Command;
use std::time::Duration;

use cardiograph_engine::IoOp;
use cardiograph_engine::engine::OpKind;
use cardiograph_testing::LoopMount;

use super::bench::{BLOCK_RESULT, Bench, Setup, for_all_files, one_each, op, real};

const FILES: u32 = 3;

fn on(file: u32, op: IoOp) -> IoOp {
    IoOp { file, ..op }
}

#[test]
fn each_file_keeps_its_own_content() {
    for_all_files(FILES as usize, |name, bench| {
        if !bench.has_content {
            return;
        }
        // The same blocks of each file in turn, so that no file is used twice in a row.
        for block in [4, 5, 0] {
            for file in 0..FILES {
                bench.fill(0, (file * 10) as u8 + block as u8);
                assert_eq!(bench.result(on(file, op(0, OpKind::Write, block))), BLOCK_RESULT, "{name}");
            }
        }
        for file in (0..FILES).rev() {
            assert_eq!(bench.result(on(file, op(0, OpKind::Fsync, 0))), 0, "{name}");
        }
        for block in [0, 4, 5] {
            for file in [2, 0, 1] {
                bench.fill(0, 0xff);
                assert_eq!(bench.result(on(file, op(0, OpKind::Read, block))), BLOCK_RESULT, "{name}");
                let expected = (file * 10) as u8 + block as u8;
                assert_eq!(bench.first_bytes(0), [expected; 16], "{name}: file {file}, block {block}");
            }
        }
    });
}

#[test]
fn a_batch_may_use_several_files() {
    for_all_files(FILES as usize, |name, bench| {
        if !bench.has_content {
            return;
        }
        let requests = |kind| -> Vec<IoOp> {
            (0..bench.depth).map(|slot| on(slot % FILES, op(slot, kind, 9 + u64::from(slot)))).collect()
        };
        let (writes, reads) = (requests(OpKind::Write), requests(OpKind::Read));
        for slot in 0..bench.depth {
            bench.fill(slot, slot as u8 + 1);
        }
        bench.run(&writes);
        for slot in 0..bench.depth {
            bench.fill(slot, 0xff);
        }
        let done = bench.run(&reads);
        assert!(done.iter().all(|completion| completion.result == BLOCK_RESULT), "{name}");
        for slot in 0..bench.depth {
            assert_eq!(bench.first_bytes(slot), [slot as u8 + 1; 16], "{name}");
        }
    });
}

#[test]
fn a_dropped_engine_keeps_no_file_open() {
    let mount = match LoopMount::new(&["mkfs.ext4", "-q"], 16 << 20, "") {
        Ok(mount) => mount,
        Err(reason) => return cardiograph_testing::skip("engines let go of files", &reason),
    };
    for entry in real() {
        let mut refused = Vec::new();
        for _ in 0..10 {
            let mut bench = Bench::new(entry, Setup { files: 2, ..Setup::new(true, 8) }, mount.path());
            bench.run(&one_each(8, OpKind::Write));
            drop(bench);
            // The file system can become read-only only when nothing is open for writing. A program that
            // another test is starting has all files of this process open for a moment: that is rare, and not
            // the engine's fault.
            if let Err(reason) = mount.remount("ro") {
                refused.push(reason);
                let is_let_go = (0..250).any(|_| {
                    std::thread::sleep(Duration::from_millis(20));
                    mount.remount("ro").is_ok()
                });
                assert!(is_let_go, "{}: {refused:?}", entry.name);
            }
            mount.remount("rw").unwrap();
        }
        assert!(refused.len() <= 3, "{}: {refused:?}", entry.name);
    }
    cardiograph_testing::run_when_free(Command::new("umount").arg(mount.path())).unwrap();
}
