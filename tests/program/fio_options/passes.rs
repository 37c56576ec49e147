//! Jobs with several passes over their files, by the kernel's counters rather than the program's.

use serde_json::Value;

use super::ask::number;
use super::disk::{fill, run_job_after};
use crate::common::fio::{Fio, json_of};
use crate::common::{Bench, run};

const SIZE: u64 = 1 << 20;

/// Bytes read from and written to the drive for a job, as the kernel counts them for a shell and its children.
fn counted(bench: &Bench, fio: Fio, line: &str) -> (u64, u64) {
    let job = bench.fio_by(fio, ["--name=job", "--thread", "--ioengine=psync", "--bs=4k", "--size=1m"]);
    let mut words = vec!["-c", r#""$@" > job.out || exit 1; cat /proc/$$/io"#, "sh"];
    words.push(job.get_program().to_str().unwrap());
    words.extend(job.get_args().map(|word| word.to_str().unwrap()));
    words.extend(line.split_whitespace());
    let outcome = run(bench.command("/bin/sh", words)).exits_with(0);
    let counter = |name: &str| -> u64 {
        let line = outcome.stdout.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap().trim().parse().unwrap()
    };
    (counter("read_bytes:"), counter("write_bytes:"))
}

#[test]
fn each_pass_reads_and_writes_the_drive() {
    /// How many times a job's size is read or written.
    enum Times {
        Read(u64),
        Written(u64),
    }
    use Times::{Read, Written};
    let cases = [
        ("--rw=read", Read(1)),
        ("--rw=read --loops=3", Read(3)),
        ("--rw=randread --loops=3", Read(3)),
        ("--rw=randread --loops=3 --direct=1", Read(3)),
        ("--rw=randread --io_size=2m", Read(2)),
        ("--rw=randread --loops=2 --nrfiles=2", Read(2)),
        ("--rw=randread --loops=2 --filename=shared --numjobs=2 --offset_increment=1m", Read(4)),
        ("--rw=randread --loops=3 --pre_read=1 --invalidate=1", Read(0)),
        ("--rw=randread --loops=3 --pre_read=1 --invalidate=0", Read(0)),
        ("--rw=write --loops=3 --end_fsync=1", Written(3)),
        ("--rw=randwrite --loops=3 --fsync_on_close=1", Written(3)),
        ("--rw=write --io_size=2m --end_fsync=1", Written(2)),
    ];
    for fio in Fio::all("each_pass_reads_and_writes_the_drive") {
        let bench = Bench::new();
        // The files exist, and are on the drive, before counting.
        for files in ["--nrfiles=2", "", "--filename=shared --size=2m"] {
            counted(&bench, fio, &format!("--rw=write --end_fsync=1 {files}"));
        }
        if counted(&bench, fio, "--rw=read").0 == 0 {
            cardiograph_testing::skip("each_pass_reads_and_writes_the_drive", "files here lie in memory");
            return;
        }
        for (line, expected) in &cases {
            let (read_bytes, written_bytes) = counted(&bench, fio, line);
            let (bytes, expected) = match expected {
                Read(times) => (read_bytes, times),
                Written(times) => (written_bytes, times),
            };
            // File systems read some metadata, too.
            assert_eq!((bytes + SIZE / 4) / SIZE, *expected, "{fio:?} {line}: {bytes} B");
        }
    }
}

#[test]
fn passes_by_time_read_the_drive_each_time() {
    for fio in Fio::all("passes_by_time_read_the_drive_each_time") {
        let bench = Bench::new();
        counted(&bench, fio, "--rw=write --end_fsync=1");
        let line = "--rw=randread --time_based --runtime=300ms --output-format=json";
        let (read_bytes, _) = counted(&bench, fio, line);
        if read_bytes == 0 {
            cardiograph_testing::skip("passes_by_time_read_the_drive_each_time", "files here lie in memory");
            return;
        }
        let text = std::fs::read_to_string(bench.work().join("job.out")).unwrap();
        let result: Value = serde_json::from_str(&text[text.find('{').unwrap()..]).unwrap();
        let ios_bytes = result["jobs"][0]["read"]["io_bytes"].as_u64().unwrap();
        assert!(read_bytes >= ios_bytes, "{fio:?}: {read_bytes} B of {ios_bytes} B from the drive");
        // Where blocks may repeat, passes do not end.
        for option in ["--norandommap", "--invalidate=0", "--random_distribution=zipf"] {
            let (read_bytes, _) = counted(&bench, fio, &format!("{line} {option}"));
            assert!(read_bytes <= SIZE + SIZE / 4, "{fio:?} {option}: {read_bytes} B read");
        }
    }
}

#[test]
fn sequential_passes_are_those_of_fio() {
    // In existing files of 64 KiB.
    let cases: &[(&str, &[u64])] = &[
        // The last block that begins in the region is whole if the file is longer.
        ("--rw=read --size=18k", &[0, 1, 2, 3, 4]),
        ("--rw=write --size=18k", &[0, 1, 2, 3, 4]),
        ("--rw=read --size=18k --loops=2", &[0, 1, 2, 3, 4, 0, 1, 2, 3]),
        ("--rw=read --size=18k --io_size=24k", &[0, 1, 2, 3, 4, 0]),
        ("--rw=read --size=6k --offset=56k", &[14, 15]),
        // Skipping ends with an I/O at the end, and begins again before.
        ("--rw=read:8k --size=64k", &[0, 3, 6, 9, 12, 15]),
        ("--rw=read:8k --size=64k --loops=2", &[0, 3, 6, 9, 12, 15, 0, 3, 6, 9, 12, 15]),
        ("--rw=read:4k --size=64k", &[0, 2, 4, 6, 8, 10, 12, 14, 0, 2, 4, 6, 8, 10, 12, 14]),
        ("--rw=read:12k --size=16k", &[0]),
        ("--rw=read:8k --size=16k", &[0, 3]),
        ("--rw=write:8k --size=16k --io_size=24k", &[0, 3, 0, 3, 0, 3]),
        // Data is verified after a pass.
        (
            "--rw=write --size=16k --io_size=32k --verify=crc32c --verify_state_save=0 --filename=new",
            &[0, 1, 2, 3, 0, 1, 2, 3],
        ),
        (
            "--rw=write --size=8k --io_size=40k --loops=2 --verify=crc32c --verify_state_save=0 --filename=new",
            &[0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1],
        ),
        ("--rw=read:-4k --size=16k --filename=new", &[0, 0, 0, 0]),
    ];
    for (line, blocks) in cases {
        let line =
            if line.contains("filename") { line.to_string() } else { format!("{line} --filename=there") };
        let deed = run_job_after(&line, |bench| fill(bench, "there", 64));
        assert_eq!((deed.exit, &deed.blocks()[..]), (0, *blocks), "{line}");
    }
}

#[test]
fn syncs_are_as_many_as_those_of_fio() {
    let cases = [
        ("--rw=write --size=64k --nrfiles=4 --fsync=4", 3),
        ("--rw=randwrite --size=64k --nrfiles=4 --fsync=2", 7),
        ("--rw=write --size=64k --fsync=5", 3),
        ("--rw=write --size=64k --nrfiles=2 --fdatasync=3", 5),
        // Syncs at the end are not I/Os.
        ("--rw=write --size=64k --nrfiles=4 --end_fsync=1 --loops=2", 0),
    ];
    for fio in Fio::all("syncs_are_as_many_as_those_of_fio") {
        for (line, syncs) in cases {
            // Debian's fio counts fdatasync separately.
            if fio == Fio::Debian && line.contains("fdatasync") {
                continue;
            }
            let bench = Bench::new();
            let words = format!("--name=job --thread --ioengine=psync --bs=4k --output-format=json {line}");
            let outcome = run(bench.fio_by(fio, words.split_whitespace())).exits_with(0);
            assert_eq!(number(&json_of(&outcome)["jobs"][0]["sync"]["total_ios"]), syncs, "{fio:?} {line}");
        }
    }
}
