//! Runs on real files: content on the drive before a run, and data read back.

use std::collections::HashSet;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::Arc;

use cardiograph_core::result::{EngineNote, RunOutcome};
use cardiograph_engine::target::Naming;
use cardiograph_engine::{Access, ENGINES, RunError, Target, find_engine, find_substitute};
use cardiograph_testing::skip;

use super::bench::*;

const BLOCK: usize = 4_096;
const MIB: u64 = 1 << 20;
/// Rounding error of converting nanoseconds to ticks and back.
const JUST_NS: u64 = 1_000;

/// An extent of a file as reported by the file system.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
struct Extent {
    logical: u64,
    physical: u64,
    len_bytes: u64,
    reserved: [u64; 2],
    flags: u32,
    reserved_too: [u32; 3],
}

/// The argument of `FS_IOC_FIEMAP`.
#[repr(C)]
struct ExtentMap {
    start: u64,
    len_bytes: u64,
    flags: u32,
    mapped: u32,
    room: u32,
    reserved: u32,
    extents: [Extent; 512],
}

const FS_IOC_FIEMAP: libc::c_ulong = 0xc020_660b;
const FLAG_SYNC: u32 = 1;
const EXTENT_UNWRITTEN: u32 = 0x800;

/// Whether each extent of the file is written, and the bytes that extents cover. `None` if the file system
/// does not report it.
fn extents(fd: &OwnedFd) -> Option<(Vec<bool>, u64)> {
    let mut map = Box::new(ExtentMap {
        start: 0,
        len_bytes: u64::MAX,
        flags: FLAG_SYNC,
        mapped: 0,
        room: 512,
        reserved: 0,
        extents: [Extent::default(); 512],
    });
    // SAFETY: the descriptor is open, and the argument has room for the stated number of extents.
    let result = unsafe { libc::ioctl(fd.as_raw_fd(), FS_IOC_FIEMAP as _, std::ptr::from_mut(&mut *map)) };
    if result != 0 {
        return None;
    }
    assert!(map.mapped < 512, "too many pieces to look at");
    let extents = &map.extents[..map.mapped as usize];
    let written = extents.iter().map(|extent| extent.flags & EXTENT_UNWRITTEN == 0).collect();
    Some((written, extents.iter().map(|extent| extent.len_bytes).sum()))
}

/// The real engines available on this machine.
fn real_engines() -> impl Iterator<Item = &'static str> {
    let real = ENGINES.iter().filter(|entry| entry.moves_data());
    real.filter(|entry| (entry.probe)().is_ok()).map(|entry| entry.name)
}

fn file(directory: &tempfile::TempDir, mib: u64) -> Arc<Target> {
    Target::create_file(directory.path(), mib * MIB, Naming::Automatic).unwrap()
}

fn open(target: &Target) -> OwnedFd {
    target.open(Access::default()).unwrap()
}

/// All blocks of the file, as read from it.
fn blocks(target: &Target) -> Vec<Vec<u8>> {
    let mut bytes = vec![0; target.len_bytes() as usize];
    let read = rustix::io::pread(open(target), &mut bytes, 0).unwrap();
    assert_eq!(read, bytes.len());
    bytes.chunks(BLOCK).map(<[u8]>::to_vec).collect()
}

#[test]
fn blocks_were_written_before_they_are_read() {
    let directory = cardiograph_testing::disk_dir();
    for name in real_engines() {
        let target = file(&directory, 32);
        let fd = &open(&target);
        let has_extents = extents(fd).is_some();
        match extents(fd) {
            Some((written, covered)) => {
                assert!(written.iter().all(|is| !is), "preallocated, and nothing more: {written:?}");
                assert_eq!(covered, 32 * MIB);
            }
            None => {
                skip("extents of test files", "the file system of the build directory does not report them")
            }
        }
        let result = fill(&target, name, 1);
        assert_eq!((result.outcome, target.filled_bytes()), (RunOutcome::Completed, 32 * MIB));
        if has_extents {
            let (written, covered) = extents(fd).unwrap();
            assert!(written.iter().all(|is| *is), "{name}: {written:?}");
            assert_eq!(covered, 32 * MIB, "{name}: no holes");
        }
        let blocks = blocks(&target);
        assert_eq!(blocks.len(), 8_192);
        assert!(blocks.iter().all(|block| block.iter().any(|byte| *byte != 0)), "{name}: no zeros");
        let sectors: HashSet<&[u8]> = blocks.iter().flat_map(|block| block.chunks(512)).collect();
        assert_eq!(sectors.len(), 65_536, "{name}: no two are equal");
    }
}

#[test]
fn a_write_only_file_is_not_filled_first() {
    let directory = cardiograph_testing::disk_dir();
    let target = file(&directory, 8);
    let Some((written, _)) = extents(&open(&target)) else {
        return skip("extents of test files", "the file system of the build directory does not report them");
    };
    assert!(written.iter().all(|is| !is));
    run_one("rw=write bs=1M size=8M io_size=4M direct=1", &target);
    let (written, covered) = extents(&open(&target)).unwrap();
    assert_eq!(covered, 8 * MIB);
    assert!(written.iter().any(|is| *is) && written.iter().any(|is| !is), "half of it: {written:?}");
    assert_eq!(target.filled_bytes(), 4 * MIB);
    let error = try_run(&[job("job", "rw=read bs=4k size=8M direct=1")], std::slice::from_ref(&target), 7)
        .unwrap_err();
    assert!(matches!(error, RunError::ReadsUnwritten { filled_bytes: 4_194_304, .. }), "{error}");
    run_one("rw=randread bs=4k size=4M direct=1", &target);
}

#[test]
fn random_writes_make_a_file_readable_if_they_cover_it() {
    let directory = cardiograph_testing::disk_dir();
    let target = file(&directory, 4);
    run_one("rw=randwrite bs=4k size=4M io_size=3M direct=1", &target);
    assert_eq!(target.filled_bytes(), 0);
    run_one("rw=randwrite bs=4k size=4M direct=1", &target);
    assert_eq!(target.filled_bytes(), 4 * MIB);
    let target = file(&directory, 4);
    // Once filled it stays so, whatever overwrites it.
    fill(&target, "psync", 1);
    run_one("rw=randwrite bs=4k size=4M io_size=1M direct=1", &target);
    assert_eq!(target.filled_bytes(), 4 * MIB);
    run_one("rw=read bs=1M size=4M direct=1", &target);
}

#[test]
fn content_differs_between_runs() {
    let directory = cardiograph_testing::disk_dir();
    let contents = [1, 1, 2].map(|seed| {
        let target = file(&directory, 4);
        fill(&target, "psync", seed);
        blocks(&target)
    });
    let [first, same, other] = contents.map(|blocks| blocks.into_iter().collect::<HashSet<_>>());
    assert!(first == same, "a seed gives its content again");
    assert_eq!(first.intersection(&other).count(), 0);
    let target = file(&directory, 4);
    fill(&target, "psync", 1);
    let before: HashSet<_> = blocks(&target).into_iter().collect();
    let over = [job("over", "rw=randwrite bs=4k size=4M direct=1")];
    try_run(&over, std::slice::from_ref(&target), 3).unwrap();
    let after: HashSet<_> = blocks(&target).into_iter().collect();
    assert_eq!((after.len(), before.intersection(&after).count()), (1_024, 0), "each block is fresh data");
}

#[test]
fn a_real_run_accounts_for_all_its_ios() {
    let directory = cardiograph_testing::disk_dir();
    for name in real_engines() {
        for direct in [0, 1] {
            let target = file(&directory, 16);
            fill(&target, name, 1);
            let options = format!(
                "rw=randrw bs=4k size=16M io_size=8M ioengine={name} iodepth=8 direct={direct} numjobs=2 fsync=512"
            );
            let result = run_one(&options, &target);
            assert_eq!(result.outcome, RunOutcome::Completed, "{name}");
            let all = result.merged(|_| true);
            assert_eq!(all.read.ios + all.write.ios, 4_096, "{name}");
            assert_eq!(all.read.bytes + all.write.bytes, 16 * MIB, "{name}");
            assert_eq!(
                all.sync.ios,
                result.workers.iter().map(|w| (w.directions.write.ios - 1) / 512).sum::<u64>()
            );
            for worker in &result.workers {
                let rows = &worker.series.rows;
                assert_eq!(rows.read.iter().map(|row| row.ios).sum::<u64>(), worker.directions.read.ios);
                assert_eq!(
                    rows.write.iter().map(|row| row.bytes).sum::<u64>(),
                    worker.directions.write.bytes
                );
                assert!(worker.end_ns <= result.duration_ns && worker.cpu.is_some());
                assert!(worker.phases.open_ns > 0, "{name}");
                assert_eq!((worker.engine.as_str(), worker.outcome), (name, RunOutcome::Completed));
            }
        }
    }
}

#[test]
fn time_limits_and_ramps_work_in_real_time() {
    let target = Target::without_storage(16 * MIB);
    let options =
        "rw=randread bs=4k size=16M ioengine=null runtime=300ms time_based=1 ramp_time=200ms numjobs=2";
    let result = run_one(options, &target);
    assert_eq!(result.outcome, RunOutcome::Completed);
    for worker in &result.workers {
        let read = &worker.directions.read;
        assert!(worker.start_ns + JUST_NS >= 200_000_000 && worker.end_ns >= worker.start_ns);
        assert!(worker.end_ns - worker.start_ns < 5_000_000_000, "it ends soon after its time");
        assert!(read.bytes > 0 && read.issued_bytes > read.bytes, "the ramp's are not in it");
    }
}

#[test]
fn many_clones_run_at_once() {
    let directory = cardiograph_testing::disk_dir();
    let target = file(&directory, 4);
    fill(&target, "psync", 1);
    let bare = Target::without_storage(4 * MIB);
    for (name, target) in [("psync", target), ("null", bare)] {
        let options = format!("rw=randread bs=4k size=4M io_size=256k ioengine={name} numjobs=64");
        let result = run_one(&options, &target);
        assert_eq!((result.workers.len(), result.merged(|_| true).read.ios), (64, 64 * 64), "{name}");
        assert!(result.workers.iter().all(|worker| worker.outcome == RunOutcome::Completed));
    }
}

#[test]
fn real_jobs_start_and_end_each_other() {
    let target = Target::without_storage(MIB);
    let each = "rw=read bs=4k size=1M ioengine=null filename=f time_based=1";
    let jobs = [
        job("first", &format!("{each} runtime=100ms numjobs=2")),
        job("second", &format!("{each} runtime=60 stonewall=1")),
        job("third", &format!("{each} runtime=100ms startdelay=300ms exitall=1")),
    ];
    let result = try_run(&jobs, &[target], 7).unwrap();
    assert_eq!(result.outcome, RunOutcome::Completed);
    let ended = workers(&result, 0).iter().map(|worker| worker.end_ns).max().unwrap();
    let (second, third) = (workers(&result, 1)[0], workers(&result, 2)[0]);
    assert!(second.start_ns >= ended, "{} after {ended}", second.start_ns);
    assert!(third.start_ns + JUST_NS >= 300_000_000);
    assert!(second.end_ns < 30_000_000_000, "the third took it along");
}

#[test]
fn deviations_of_engines_are_noted() {
    let target = Target::without_storage(MIB);
    let result = run_one("rw=read bs=4k size=1M ioengine=null iodepth=8", &target);
    let entry = find_engine("null").unwrap();
    let capped = EngineNote::DepthCapped { engine: "null".to_string(), depth: 8 };
    assert_eq!(result.notes.contains(&capped), !entry.is_queueing);

    let directory = cardiograph_testing::disk_dir();
    let target = file(&directory, 1);
    let result = run_one("rw=write bs=4k size=1M ioengine=psync iodepth=8 numjobs=3", &target);
    assert_eq!(result.notes, [EngineNote::DepthCapped { engine: "psync".to_string(), depth: 8 }]);

    let result = run_one("rw=write bs=4k size=1M ioengine=io_uring iodepth=8 direct=1", &target);
    let asked = find_engine("io_uring").unwrap();
    let used = if (asked.probe)().is_ok() { asked } else { find_substitute(asked).unwrap() };
    let fell_back = result.notes.iter().any(
        |note| matches!(note, EngineNote::FellBack { from, to, .. } if from == asked.name && to == used.name),
    );
    assert_eq!(fell_back, used.name != asked.name);
    assert_eq!(result.workers[0].engine, used.name);
}

#[test]
fn a_named_file_gives_the_same_results_as_a_nameless_one() {
    let directory = cardiograph_testing::disk_dir();
    let target = Target::create_file(directory.path(), 4 * MIB, Naming::Named).unwrap();
    fill(&target, "io_uring", 1);
    let result = run_one("rw=randrw bs=4k size=4M direct=1", &target);
    assert_eq!((result.outcome, result.workers[0].failure), (RunOutcome::Completed, None));
    drop(target);
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}
