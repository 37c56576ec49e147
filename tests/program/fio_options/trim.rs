//! Trims on devices, compared with Debian's fio.

use std::os::unix::fs::{FileExt, MetadataExt};

use cardiograph_testing::skip;

use super::ask::{job, number, refuses};
use super::disk::{Io, ios_of};
use crate::common::fio::{Fio, debian_fio_version};
use crate::common::loop_device::LoopDevice;
use crate::common::{Bench, Outcome, run};

/// A device filled with one byte; `None`, with the test skipped, where there is none.
fn full_device(bench: &Bench) -> Option<LoopDevice> {
    let device = LoopDevice::new(bench);
    if device.is_none() {
        skip("trims on devices", "no loop devices");
    }
    let device = device?;
    refill(&device);
    Some(device)
}

/// Fills the backing file, and makes sure that the device shows it.
fn refill(device: &LoopDevice) {
    let whole = std::fs::OpenOptions::new().write(true).open(&device.path).unwrap();
    whole.write_all_at(&vec![0xa5; 8 << 20], 0).unwrap();
    whole.sync_all().unwrap();
}

/// Runs a job on the device with one of the two programs.
fn trims(bench: &Bench, device: &LoopDevice, fio: Fio, line: &str) -> Outcome {
    let line = format!("--name=job --filename={} {line}", device.path);
    let mut command = bench.fio_by(fio, line.split_whitespace());
    command.env("CARDIOGRAPH_ALLOW_ERASE", device.id(bench));
    run(command)
}

fn ios(bench: &Bench, device: &LoopDevice, fio: Fio, line: &str) -> Vec<Io> {
    let line = format!("{line} --write_lat_log=ios --log_offset=1");
    trims(bench, device, fio, &line).exits_with(0);
    ios_of(&bench.log("ios_lat.1.log"))
}

/// Bytes of the device that are not zero, by MiB.
fn nonzero_bytes(device: &LoopDevice) -> Vec<usize> {
    let content = std::fs::read(&device.path).unwrap();
    content.chunks(1 << 20).map(|mib| mib.iter().filter(|&&byte| byte != 0).count()).collect()
}

#[test]
fn every_engine_gives_blocks_back_to_the_device() {
    let bench = Bench::new();
    let Some(device) = full_device(&bench) else { return };
    let used_bytes = || device.backing.metadata().unwrap().blocks() * 512;
    assert!(used_bytes() >= 8 << 20);
    for (engine, depth) in [("psync", 1), ("sync", 1), ("libaio", 8), ("io_uring", 8)] {
        refill(&device);
        let line =
            format!("--ioengine={engine} --iodepth={depth} --rw=randtrim --bs=64k --offset=1M --size=2M");
        let outcome = trims(&bench, &device, Fio::Ours, &line).exits_with(0);
        outcome.says(&["rw=randtrim,", "trim: IOPS=", "total=0,0,32,0", "TRIM: bw="]);
        let full = 1 << 20;
        assert_eq!(nonzero_bytes(&device), [full, 0, 0, full, full, full, full, full], "{engine}");
        // Its file system may need a block or two to remember the hole.
        assert!((6 << 20..7 << 20).contains(&used_bytes()), "{engine}: the backing file has a hole");
    }
}

#[test]
fn trimmed_blocks_that_are_written_have_content() {
    let bench = Bench::new();
    let Some(device) = full_device(&bench) else { return };
    for (engine, depth) in [("psync", 1), ("libaio", 16), ("io_uring", 16)] {
        refill(&device);
        let line = format!(
            "--ioengine={engine} --iodepth={depth} --direct=1 --rw=randtrimwrite --bs=16k --size=8M --verify=crc32c"
        );
        let outcome = trims(&bench, &device, Fio::Ours, &line).exits_with(0);
        outcome.says(&["total=512,512,512,0"]);
        let content = std::fs::read(&device.path).unwrap();
        assert_eq!(content.iter().filter(|&&byte| byte == 0xa5).count() >> 16, 0, "{engine}: all is new");
        assert!(content.chunks(4_096).all(|block| block.iter().any(|&byte| byte != 0)), "{engine}");
    }
}

#[test]
fn trims_come_as_in_debians_fio() {
    let bench = Bench::new();
    let Some(device) = full_device(&bench) else { return };
    if debian_fio_version().is_none() {
        return skip("trims compared with fio's", "fio is not installed");
    }
    for line in [
        "--rw=trim --bs=4k --size=32k",
        "--rw=trim:1m --bs=1m --size=8m",
        "--rw=trim --bs=4k,8k,16k --size=128k --loops=2",
        "--rw=trim --size=64k --number_ios=3",
        "--rw=trim --bs=4k --size=32k --fsync=2 --end_fsync=1 --verify=crc32c",
        "--rw=trimwrite --bs=4k --size=32k",
        "--rw=trimwrite:1m --bs=1m --size=8m",
        "--rw=trimwrite --size=64k --number_ios=3",
        "--rw=trimwrite --size=64k --io_size=24k",
        "--rw=trimwrite --size=16k --loops=2",
        "--rw=trimwrite --size=32k --offset=64k --bs=8k",
    ] {
        let [ours, fios] = [Fio::Ours, Fio::Debian].map(|fio| ios(&bench, &device, fio, line));
        assert_eq!(ours, fios, "{line}");
    }
}

#[test]
fn lengths_and_speeds_of_trims_are_their_own() {
    let bench = Bench::new();
    let pairs = bench.ios("--rw=randtrimwrite --bsrange=4k-4k,8k-8k,16k-64k --size=4M");
    assert!(pairs.iter().all(|io| io.len_bytes % 16_384 == 0), "a write has its trim's length");
    let moved: u64 = pairs.iter().filter(|io| io.direction == 1).map(|io| io.len_bytes).sum();
    assert_eq!(moved, 4 << 20, "size is what is written");
    let limited = job(&bench, "--rw=trim --size=4M --rate_iops=1000,2000,100 --runtime=1");
    assert_eq!(number(&limited["trim"]["total_ios"]), 100);
    let limited = job(&bench, "--rw=trimwrite --size=4M --rate_iops=1000,50,100 --runtime=1");
    assert_eq!(number(&limited["write"]["total_ios"]), 50, "the slower of the two");
    assert!(number(&limited["trim"]["total_ios"]).abs_diff(50) <= 1);
}

#[test]
fn targets_that_cannot_be_trimmed_are_refused() {
    refuses("--ioengine=psync --rw=trim --size=4k", &["@jobs-problem.trims-file", "rw=trim", "job.0.0"]);
    assert_eq!(Bench::new().entries(), [] as [&str; 0]);
    refuses("--rw=trimwrite --size=4k --readonly", &["@fio-readonly"]);
    let bench = Bench::new();
    let Some(device) = full_device(&bench) else { return };
    let outcome = trims(&bench, &device, Fio::Ours, "--rw=trim --bs=1000 --size=64k").exits_with(1);
    outcome.complains(&["@prepare-misaligned.trim", "512B", "1000B"]);
}
