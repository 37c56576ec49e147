//! Runs on prepared targets.

use std::fs;
use std::os::unix::fs::FileExt;

use cardiograph_core::Plan;
use cardiograph_core::result::{RunOutcome, RunResult};
use cardiograph_engine::files::Prepared;
use cardiograph_engine::observer::Silent;
use cardiograph_engine::{Control, ENGINES, EngineEntry, RunError, RunRequest, run};
use cardiograph_testing::disk_dir;

use super::bench::*;
use super::devices::LoopDevice;

fn run_prepared(plan: &Plan, prepared: &Prepared) -> Result<RunResult, RunError> {
    run(&RunRequest::new(plan, &prepared.targets, prepared.permit.as_ref(), 5, &Control::default(), &Silent))
}

fn bytes_done(result: &RunResult) -> (u64, u64) {
    assert_eq!((result.outcome, result.failure()), (RunOutcome::Completed, None));
    let merged = result.merged(|_| true);
    (merged.read.bytes, merged.write.bytes)
}

#[test]
fn files_are_read_and_written_by_all_engines() {
    let directory = disk_dir();
    let moves_data = |entry: &&EngineEntry| !entry.is_simulated && entry.file_action.is_none();
    let real = ENGINES.iter().filter(moves_data).filter(|entry| (entry.probe)().is_ok());
    for (entry, direct) in real.flat_map(|entry| [(entry, 0), (entry, 1)]) {
        let options = format!("ioengine={} direct={direct} bs=4k size=1M iodepth=4", entry.name);
        let file = |name: &str| format!("filename={}", directory.path().join(name).display());
        let jobs = [
            job("read", &format!("{} rw=randread {options}", file("read"))),
            job("write", &format!("{} rw=write fallocate=keep stonewall=1 {options}", file("written"))),
            job("late", &format!("{} rw=write create_on_open=1 stonewall=1 {options}", file("late"))),
        ];
        let plan = plan(&jobs);
        let prepared = prepare_watched(&plan, &[], &Watch::default()).unwrap();
        assert_eq!(bytes_done(&run_prepared(&plan, &prepared).unwrap()), (MIB, 2 * MIB), "{}", entry.name);
        if entry.does_io {
            for name in ["written", "late"] {
                let path = directory.path().join(name);
                assert_eq!(fs::metadata(&path).unwrap().len(), MIB, "{name} by {}", entry.name);
                fs::remove_file(path).unwrap();
            }
        }
    }
}

#[test]
fn only_approved_devices_are_written_to() {
    let Some(device) = LoopDevice::or_skip("a run on a block device") else { return };
    let plan_of = |rw: &str| plan_on(&device.path, &format!("rw={rw} bs=4k offset=1M size=1M direct=1"));
    let read = plan_of("read");
    let for_reading = prepare_watched(&read, &[], &Watch::default()).unwrap();
    assert_eq!(bytes_done(&run_prepared(&read, &for_reading).unwrap()), (MIB, 0));
    // A target prepared for reading is not written to, whatever runs on it.
    let write = plan_of("write");
    let refused = run_prepared(&write, &for_reading).unwrap_err();
    assert!(matches!(refused, RunError::NotPermitted { .. }), "{refused:?}");
    drop(for_reading);

    let prepared = prepare_watched(&write, &[&device.id()], &Watch::default()).unwrap();
    assert_eq!(bytes_done(&run_prepared(&write, &prepared).unwrap()), (0, MIB));
    let is_zero = |offset_bytes: u64, len_bytes: u64| {
        let mut bytes = vec![0; len_bytes as usize];
        device.image().read_exact_at(&mut bytes, offset_bytes).unwrap();
        bytes.iter().all(|&byte| byte == 0)
    };
    assert!(is_zero(0, MIB) && !is_zero(MIB, 512) && !is_zero(2 * MIB - 512, 512) && is_zero(2 * MIB, MIB));
}

#[test]
fn layouts_reach_the_drive() {
    let directory = disk_dir();
    let path = directory.path().join("laid-out");
    let plan = plan_on(&path, "rw=read size=20M bs=64k");
    let prepared = prepare_watched(&plan, &[], &Watch::default()).unwrap();
    assert_eq!(cached_pages(&path), [0; 0], "reads of it reach the drive");
    assert_eq!(bytes_done(&run_prepared(&plan, &prepared).unwrap()), (20 * MIB, 0));
}
