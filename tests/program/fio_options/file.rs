//! Files, their names and lengths, and how they are created.

use std::collections::BTreeMap;

use cardiograph_testing::{LoopMount, skip};

use super::ask::{job, number, refuses};
use super::disk::{JobResult, fill, run_job, run_job_after};
use super::engine::{calls, named};
use crate::common::{Bench, has_message};

const K: u64 = 1_024;

/// Runs a job in a bench with a file `x` of 100 KiB.
#[track_caller]
fn run_job_on_100k(line: &str) -> JobResult {
    run_job_after(&format!("--filename=x {line}"), |bench| fill(bench, "x", 100))
}

/// Checks that a job with pread and pwrite is refused with a message that has all `words`, and leaves nothing.
#[track_caller]
pub fn refuses_on_disk(line: &str, words: &[&str]) {
    let bench = Bench::new();
    bench.fio(&format!("--name=job --ioengine=psync {line}")).exits_with(1).complains(words);
    assert!(bench.entries().is_empty(), "{:?}", bench.entries());
}

/// The first offsets of a job's clones, in KiB.
#[track_caller]
fn begins(deed: &JobResult) -> Vec<u64> {
    let mut begins: Vec<u64> = deed.ios.iter().map(|clone| clone[0].2 / K).collect();
    begins.sort_unstable();
    begins
}

#[test]
fn fio_option_filename() {
    assert_eq!(run_job("--rw=write --size=8k --filename=a").files(), [("a", 8 * K)]);
    let two = run_job("--rw=write --size=16k --filename=a:b");
    assert_eq!(two.files(), [("a", 8 * K), ("b", 8 * K)]);
    assert_eq!(two.blocks(), [0, 0, 1, 1]);
    assert_eq!(run_job(r"--rw=write --size=4k --filename=a\:b").files(), [("a:b", 4 * K)]);
    // All clones use it.
    let shared = run_job("--rw=write --size=8k --filename=a --numjobs=2");
    assert_eq!((shared.files(), shared.ios.len()), (vec![("a", 8 * K)], 2));
    // An existing file is used unchanged.
    assert_eq!(run_job_on_100k("--rw=read").blocks(), (0..25).collect::<Vec<_>>());
    refuses_on_disk("--rw=read --filename=/proc", &["/proc ", "@jobs-problem-of-job.not-a-file"]);
}

#[test]
fn fio_option_directory() {
    let directories = |bench: &Bench| {
        ["x", "y"].iter().for_each(|name| std::fs::create_dir(bench.work().join(name)).unwrap());
    };
    let in_directories = |line: &str| run_job_after(&format!("--rw=write --size=4k {line}"), directories);
    let names = |deed: &JobResult| deed.files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&in_directories("--directory=x")), ["x/job.0.0"]);
    // Clones have separate files; a named file is shared.
    let clones = in_directories("--directory=x:y --numjobs=3");
    assert_eq!(names(&clones), ["x/job.0.0", "x/job.2.0", "y/job.1.0"]);
    assert_eq!(names(&in_directories("--directory=x:y --numjobs=3 --filename=n")), ["x/n"]);
    assert_eq!(names(&in_directories("--directory=y/ --filename=a:b --size=8k")), ["y/a", "y/b"]);
}

#[test]
fn fio_option_filename_format() {
    let line = "--rw=write --size=8k --nrfiles=2 --numjobs=2";
    let names = |format: &str| {
        run_job(&format!("{line} --filename_format={format}")).files.into_keys().collect::<Vec<_>>()
    };
    assert_eq!(names("$jobname.$jobnum.$filenum"), ["job.0.0", "job.0.1", "job.1.0", "job.1.1"]);
    assert_eq!(names("f-$filenum-$jobnum"), ["f-0-0", "f-0-1", "f-1-0", "f-1-1"]);
    // Without a server there are no clients to distinguish.
    assert_eq!(names("f-$clientuid-$filenum-$jobnum"), ["f--0-0", "f--0-1", "f--1-0", "f--1-1"]);
    // Without the clone's number clones share files.
    let shared = Bench::new();
    shared.job(&format!("--ioengine=psync {line} --filename_format=$jobname.$filenum"));
    assert_eq!(shared.entries(), ["job.0", "job.1"]);
}

#[test]
fn fio_option_size() {
    for (line, blocks, len_bytes) in [
        ("--size=16k", 4, 16 * K),
        ("--size=16384", 4, 16 * K),
        ("--size=4k", 1, 4 * K),
        // The rest is in the file, and too short for an I/O.
        ("--size=10k", 2, 10 * K),
        ("--size=16k --loops=2", 8, 16 * K),
    ] {
        for rw in ["read", "write"] {
            let deed = run_job(&format!("--rw={rw} {line}"));
            assert_eq!(
                (deed.blocks().len(), deed.files()),
                (blocks, vec![("job.0.0", len_bytes)]),
                "{rw} {line}"
            );
        }
    }
    // A longer file is not truncated, a shorter one is extended.
    assert_eq!(run_job_on_100k("--rw=write --size=16k").files(), [("x", 100 * K)]);
    assert_eq!(run_job_on_100k("--rw=read --size=120k").files(), [("x", 120 * K)]);
    // A share of the existing length, in whole blocks.
    assert_eq!(run_job_on_100k("--rw=read --size=50%").blocks().len(), 12);
    assert_eq!(run_job_on_100k("--rw=read --size=100%").blocks().len(), 25);
    assert_eq!(run_job_on_100k("--rw=read --size=1%").exit, 1);
    refuses("--rw=read", &["size"]);
    refuses("--rw=read --size=-1", &["size=-1"]);
    refuses("--rw=read --size=1k", &["size=1k", "4 KiB"]);
}

#[test]
fn fio_option_io_size() {
    for (line, expected) in [
        ("--io_size=8k", vec![0, 1]),
        ("--io_limit=8k", vec![0, 1]),
        // Whole blocks, until the amount is reached.
        ("--io_size=9k", vec![0, 1, 2]),
        ("--io_size=24k", vec![0, 1, 2, 3, 0, 1]),
        ("--io_size=50%", vec![0, 1]),
        ("--io_size=8k --loops=3", vec![0, 1, 2, 3, 0, 1]),
        ("--io_size=0", vec![0, 1, 2, 3]),
    ] {
        let deed = run_job(&format!("--rw=write --size=16k {line}"));
        assert_eq!((deed.blocks(), deed.files()), (expected, vec![("job.0.0", 16 * K)]), "{line}");
    }
    // A random pass starts over after all blocks.
    let ios = Bench::new().ios("--rw=randread --size=64k --io_size=160k");
    let mut counts = BTreeMap::<u64, u64>::new();
    ios.iter().for_each(|io| *counts.entry(io.offset_bytes).or_default() += 1);
    assert_eq!((ios.len(), counts.len()), (40, 16));
    assert!(counts.values().all(|n| (2..=3).contains(n)), "{counts:?}");
}

#[test]
fn fio_option_filesize() {
    for (line, files, ios) in [
        ("--filesize=16k", 1, 4),
        ("--filesize=16k --nrfiles=3", 3, 12),
        // With a size, no more than that is transferred.
        ("--filesize=16k --nrfiles=2 --size=16k", 2, 4),
        ("--filesize=16k --size=12k", 1, 3),
        ("--filesize=16k --size=64k", 1, 4),
        ("--filesize=16k --size=6k", 1, 2),
        ("--filesize=16k --size=12k --loops=2", 1, 6),
    ] {
        let deed = run_job(&format!("--rw=read {line}"));
        assert_eq!((deed.files.len(), deed.blocks().len()), (files, ios), "{line}");
        assert!(deed.files.values().all(|&len_bytes| len_bytes == 16 * K), "{line}: {:?}", deed.files);
    }
    // It is the length of the file, not of the region.
    let part = run_job("--rw=read --filesize=32k --offset=20k");
    assert_eq!((part.blocks(), part.files()), (vec![5, 6, 7], vec![("job.0.0", 32 * K)]));
    // Each file draws its own length from a range.
    let bench = Bench::new();
    job(&bench, "--ioengine=psync --rw=read --filesize=8k-256k --nrfiles=20 --number_ios=1");
    let lens: Vec<u64> = bench
        .entries()
        .iter()
        .filter(|name| name.starts_with("job."))
        .map(|name| std::fs::metadata(bench.work().join(name)).unwrap().len())
        .collect();
    assert!(lens.len() == 20 && lens.iter().all(|len| (8 * K..=256 * K).contains(len)), "{lens:?}");
    assert!(lens.iter().max().unwrap() - lens.iter().min().unwrap() > 100 * K, "{lens:?}");
    refuses("--rw=read --filesize=16k --size=2k", &["size=2k", "4 KiB"]);
}

#[test]
fn fio_option_offset() {
    for option in ["offset", "fileoffset"] {
        let deed = run_job(&format!("--rw=write --size=12k --{option}=8k"));
        assert_eq!((deed.blocks(), deed.files()), (vec![2, 3, 4], vec![("job.0.0", 20 * K)]));
    }
    assert_eq!(run_job_on_100k("--rw=read --offset=88k").blocks(), [22, 23, 24]);
    // Bytes are used as written; shares are rounded up to whole blocks.
    let odd = run_job_on_100k("--rw=read --offset=5k --size=8k");
    assert_eq!(odd.ios[0].iter().map(|io| io.2).collect::<Vec<_>>(), [5 * K, 9 * K]);
    assert_eq!(run_job_on_100k("--rw=read --offset=20% --size=8k").blocks(), [5, 6]);
    assert_eq!(run_job_on_100k("--rw=read --offset=21% --size=8k").blocks(), [6, 7]);
    assert_eq!(
        run_job_on_100k("--rw=read --offset=80% --io_size=1M --number_ios=7").blocks(),
        [20, 21, 22, 23, 24, 20, 21]
    );
    // Random I/Os stay behind it too.
    let ios = Bench::new().ios("--rw=randread --size=256k --offset=64k");
    let mut blocks: Vec<u64> = ios.iter().map(|io| io.offset_bytes / 4_096).collect();
    blocks.sort_unstable();
    assert_eq!(blocks, (16..80).collect::<Vec<_>>());
}

#[test]
fn fio_option_offset_increment() {
    let clones = |line: &str| begins(&run_job_on_100k(&format!("--rw=read --size=4k --numjobs=3 {line}")));
    assert_eq!(clones(""), [0, 0, 0]);
    assert_eq!(clones("--offset_increment=12k"), [0, 12, 24]);
    assert_eq!(clones("--offset=8k --offset_increment=12k"), [8, 20, 32]);
    // Shares are rounded up to whole blocks.
    assert_eq!(clones("--offset_increment=20%"), [0, 20, 40]);
    assert_eq!(clones("--offset_increment=10%"), [0, 12, 20]);
    assert_eq!(clones("--offset=7% --offset_increment=10k"), [8, 20, 28]);
    let written = run_job("--rw=write --size=8k --filename=a --numjobs=3 --offset_increment=8k");
    assert_eq!(written.files(), [("a", 24 * K)]);
}

#[test]
fn fio_option_offset_align() {
    let begins = |line: &str| begins(&run_job_on_100k(&format!("--rw=read --size=4k {line}")));
    assert_eq!(begins("--offset=30%"), [32]);
    assert_eq!(begins("--offset=30% --offset_align=16k"), [32]);
    assert_eq!(begins("--offset=33% --offset_align=16k"), [48]);
    assert_eq!(begins("--offset=33% --offset_align=1k"), [33]);
    assert_eq!(begins("--offset_increment=10% --numjobs=3 --offset_align=8k"), [0, 16, 24]);
    // Bytes are used as written.
    assert_eq!(begins("--offset=30k --offset_align=16k"), [30]);
}

#[test]
fn fio_option_number_ios() {
    for (line, expected) in [
        ("--number_ios=1", vec![0]),
        ("--number_ios=3", vec![0, 1, 2]),
        ("--number_ios=0", vec![0, 1, 2, 3]),
        // The region ends first.
        ("--number_ios=10", vec![0, 1, 2, 3]),
        ("--number_ios=6 --io_size=1M", vec![0, 1, 2, 3, 0, 1]),
        // Each loop has this many.
        ("--number_ios=4 --loops=2", vec![0, 1, 2, 3, 0, 1, 2, 3]),
        ("--number_ios=10 --loops=2", vec![0, 1, 2, 3, 0, 1, 2, 3]),
    ] {
        assert_eq!(run_job(&format!("--rw=read --size=16k {line}")).blocks(), expected, "{line}");
    }
    let both = job(&Bench::new(), "--rw=rw --size=1M --number_ios=100");
    assert_eq!((&both["read"]["total_ios"], &both["write"]["total_ios"]), (&50.into(), &50.into()));
    // A time-based job starts over after them.
    let timed = job(&Bench::new(), "--rw=read --size=1M --number_ios=100 --time_based --runtime=1");
    assert_eq!(timed["read"]["total_ios"], 10_000);
    // Syncs do not count.
    let synced = job(&Bench::new(), "--rw=write --size=1M --number_ios=10 --fsync=1");
    assert_eq!(synced["write"]["total_ios"], 10);
}

#[test]
fn fio_option_nrfiles() {
    for (option, expected) in [
        ("", vec![("job.0.0", 48 * K)]),
        ("--nrfiles=2", vec![("job.0.0", 24 * K), ("job.0.1", 24 * K)]),
        ("--nr_files=3", vec![("job.0.0", 16 * K), ("job.0.1", 16 * K), ("job.0.2", 16 * K)]),
    ] {
        for rw in ["read", "write"] {
            let deed = run_job(&format!("--rw={rw} --size=48k {option}"));
            assert_eq!((deed.files(), deed.blocks().len()), (expected.clone(), 12), "{rw} {option}");
        }
    }
    // Equal parts, of which whole blocks are used.
    let parts = run_job("--rw=write --size=40k --nrfiles=3");
    assert_eq!((parts.blocks(), parts.files["job.0.1"]), (vec![0, 0, 0, 1, 1, 1, 2, 2, 2], 13_653));
    // The number of names decides.
    assert_eq!(
        run_job("--rw=write --size=8k --nrfiles=3 --filename=a:b").files(),
        [("a", 4 * K), ("b", 4 * K)]
    );
    refuses("--rw=read --size=8k --nrfiles=4", &["size=8k", "4 KiB"]);
}

#[test]
fn fio_option_openfiles() {
    let blocks = |option: &str| run_job(&format!("--rw=read --size=64k --nrfiles=4 {option}")).blocks();
    let all = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3];
    assert_eq!(blocks(""), all);
    assert_eq!(blocks("--openfiles=4"), all);
    assert_eq!(blocks("--openfiles=0"), all);
    assert_eq!(blocks("--openfiles=1"), [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]);
    assert_eq!(blocks("--openfiles=2"), [0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 1, 1, 2, 2, 3, 3]);
    // The fourth is opened when the first is finished.
    assert_eq!(blocks("--openfiles=3"), [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0, 1, 2, 3]);
}

#[test]
fn fio_option_file_service_type() {
    let blocks = |word: &str| {
        let option = if word.is_empty() { String::new() } else { format!("--file_service_type={word}") };
        run_job(&format!("--rw=read --size=32k --nrfiles=2 {option}")).blocks()
    };
    assert_eq!(blocks(""), [0, 0, 1, 1, 2, 2, 3, 3]);
    assert_eq!(blocks("roundrobin"), [0, 0, 1, 1, 2, 2, 3, 3]);
    assert_eq!(blocks("roundrobin:2"), [0, 1, 0, 1, 2, 3, 2, 3]);
    assert_eq!(blocks("sequential"), [0, 1, 2, 3, 0, 1, 2, 3]);
    // In random order each file is still completed, but not in turn.
    let random = |line: &str| -> Vec<u64> {
        let ios = Bench::new().ios(&format!("--rw=read --size=512k --nrfiles=2 --file_service_type={line}"));
        ios.iter().map(|io| io.offset_bytes / 4_096).collect()
    };
    let drawn = random("random");
    let mut sorted = drawn.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..128).map(|io| io / 2).collect::<Vec<_>>());
    assert_ne!(drawn, sorted);
    // This many consecutive I/Os go to one file.
    let rows = random("random:8");
    assert!(rows.chunks(8).all(|row| row.windows(2).all(|pair| pair[1] == pair[0] + 1)), "{rows:?}");
    // With an uneven distribution nearly all I/Os go to the first file, which starts over at its end.
    assert_eq!(
        Bench::new()
            .ios("--rw=read --size=32k --nrfiles=2 --file_service_type=zipf:90")
            .iter()
            .map(|io| io.offset_bytes / 4_096)
            .collect::<Vec<_>>(),
        [0, 1, 2, 3, 0, 1, 2, 3]
    );
}

/// The system calls of a job on 16 KiB with pread and pwrite.
fn calls_of(names: &str, line: &str) -> Option<Vec<String>> {
    calls(&Bench::new(), names, &format!("--ioengine=psync --size=16k {line}"))
}

#[test]
fn fio_option_create_fsync() {
    for (options, syncs) in [("", 1), ("--create_fsync=1", 1), ("--create_fsync=0", 0)] {
        let Some(calls) = calls_of("fsync", &format!("--rw=read {options}")) else { return };
        assert_eq!(named(&calls, "fsync").len(), syncs, "{options}");
    }
    // Where nothing was written, nothing is synced.
    assert_eq!(named(&calls_of("fsync", "--rw=write").unwrap(), "fsync").len(), 0);
    // Each file by itself.
    assert_eq!(named(&calls_of("fsync", "--rw=read --nrfiles=3").unwrap(), "fsync").len(), 3);
}

#[test]
fn fio_option_create_on_open() {
    // Space is allocated before all jobs, or not at all: then the file grows with the writes.
    let line = "--rw=write --size=16k --number_ios=1";
    assert_eq!(run_job(line).files(), [("job.0.0", 16 * K)]);
    assert_eq!(run_job(&format!("{line} --create_on_open=0")).files(), [("job.0.0", 16 * K)]);
    assert_eq!(run_job(&format!("{line} --create_on_open=1")).files(), [("job.0.0", 4 * K)]);
    // A file created only then has nothing to read.
    refuses_on_disk("--rw=read --size=16k --create_on_open=1", &["create_on_open", "16 KiB"]);
}

#[test]
fn fio_option_create_only() {
    for rw in ["read", "write", "randrw"] {
        let deed = run_job(&format!("--rw={rw} --size=16k --numjobs=2 --create_only=1"));
        assert_eq!(deed.exit, 0);
        assert_eq!(
            (deed.ios.len(), deed.files()),
            (0, vec![("job.0.0", 16 * K), ("job.1.0", 16 * K)]),
            "{rw}"
        );
    }
    assert_eq!(run_job("--rw=read --size=16k --create_only=0").blocks(), [0, 1, 2, 3]);
    // The next run finds the files it laid out.
    let bench = Bench::new();
    let line = "--name=job --ioengine=psync --rw=read --size=16k --filename=x";
    bench.fio(&format!("{line} --create_only=1")).exits_with(0);
    let content = std::fs::read(bench.work().join("x")).unwrap();
    assert!(content.iter().filter(|&&byte| byte == 0).count() < 200);
    bench.fio(&format!("{line} --allow_file_create=0")).exits_with(0).says(&["issued rwts: total=4,0,0,0"]);
    assert_eq!(std::fs::read(bench.work().join("x")).unwrap(), content);
}

#[test]
fn fio_option_allow_file_create() {
    for rw in ["read", "write"] {
        let deed = run_job(&format!("--rw={rw} --size=16k --allow_file_create=0"));
        assert_eq!((deed.exit, deed.files().len()), (1, 0), "{rw}");
        assert_eq!(run_job(&format!("--rw={rw} --size=16k --allow_file_create=1")).exit, 0);
    }
    // An existing file need not be created.
    assert_eq!(run_job_on_100k("--rw=write --size=16k --allow_file_create=0").blocks(), [0, 1, 2, 3]);
    let words = ["allow_file_create=0", "job.0.0", "@jobs-problem-of-job.file-missing"];
    refuses_on_disk("--rw=read --size=4k --allow_file_create=0", &words);
}

#[test]
fn fio_option_allow_mounted_write() {
    let mount = match LoopMount::new(&["mkfs.ext4", "-q"], 8 << 20, "") {
        Ok(mount) => mount,
        Err(reason) => return skip("allow_mounted_write on a mounted device", &reason),
    };
    std::fs::write(mount.path().join("kept"), "what was there").unwrap();
    let mounts = std::fs::read_to_string("/proc/mounts").unwrap();
    let is_mount = |line: &&str| line.split(' ').nth(1) == mount.path().to_str();
    let device = mounts.lines().find(is_mount).and_then(|line| line.split(' ').next()).unwrap();
    let refused = |options: &str| {
        let bench = Bench::new();
        let line = format!("--name=job --ioengine=psync --rw=write --size=64k --filename={device} {options}");
        bench.fio(&line).exits_with(1).stderr
    };
    // The file system is never overwritten; those who set the option read that it does not help.
    let refusal = refused("");
    assert!(
        has_message(&refusal, "device-use-mounted") && !refusal.contains("allow_mounted_write"),
        "{refusal}"
    );
    let refusal = refused("--allow_mounted_write=1");
    for id in ["device-use-mounted", "prepare-device-in-use.mounted-write"] {
        assert!(has_message(&refusal, id), "{id}: {refusal}");
    }
    assert_eq!(std::fs::read_to_string(mount.path().join("kept")).unwrap(), "what was there");
}

#[test]
fn fio_option_pre_read() {
    // One 4 KiB I/O; before it, the whole file was read.
    let read_bytes = |options: &str| {
        let calls = calls_of("pread64", &format!("--rw=read --number_ios=1 {options}"))?;
        let results = named(&calls, "pread64").into_iter().filter_map(|call| call.rsplit_once("= "));
        let lens: Vec<u64> = results.filter_map(|(_, len)| len.trim().parse().ok()).collect();
        // The loader of libraries reads a few hundred bytes by the same call.
        Some(lens.into_iter().filter(|len| len % 4_096 == 0).sum::<u64>())
    };
    let Some(plain) = read_bytes("") else { return };
    assert_eq!(plain, 4 * K);
    assert_eq!(read_bytes("--pre_read=0").unwrap(), 4 * K);
    assert_eq!(read_bytes("--pre_read=1").unwrap(), 20 * K);
    // pre_read data is not dropped, whatever invalidate says: only the layout drops its own.
    let calls = calls_of("fadvise64", "--rw=read --pre_read=1 --invalidate=1").unwrap();
    assert_eq!(calls.iter().filter(|call| call.contains("POSIX_FADV_DONTNEED")).count(), 1);
}

#[test]
fn fio_option_invalidate() {
    // An existing file is not laid out: its cache is dropped before the first I/O.
    let drops = |options: &str| {
        let bench = Bench::new();
        fill(&bench, "x", 16);
        let line = format!("--ioengine=psync --filename=x {options}");
        let calls = calls(&bench, "fadvise64,pread64,pwrite64", &line)?;
        let is_drop = |call: &&String| call.contains("POSIX_FADV_DONTNEED");
        let before_io = calls.iter().take_while(|call| !call.contains(", 4096, "));
        assert_eq!(before_io.filter(is_drop).count(), calls.iter().filter(is_drop).count());
        Some(calls.iter().filter(is_drop).count())
    };
    let Some(read) = drops("--rw=read") else { return };
    assert_eq!(read, 1);
    for (options, expected) in
        [("--rw=write", 1), ("--rw=read --invalidate=1", 1), ("--rw=read --invalidate=0", 0)]
    {
        assert_eq!(drops(options).unwrap(), expected, "{options}");
    }
}

#[test]
fn fio_option_fill_device() {
    let Ok(mount) = LoopMount::new(&["mkfs.ext4", "-q", "-m", "0"], 24 << 20, "") else {
        return skip("filling a file system", "no loop mounts");
    };
    let bench = Bench::new();
    let name = mount.path().join("x");
    let fill = |line: &str| {
        let _ = std::fs::remove_file(&name);
        let line = format!("--ioengine=psync --bs=64k --filename={} {line}", name.display());
        job(&bench, &line)
    };
    // With or without a size: both end without an error when there is no space left.
    for line in [
        "--rw=write --fill_device=1",
        "--rw=write --fill_fs=1 --size=1g",
        "--rw=randwrite --fill_device=1 --size=1g",
    ] {
        let found = fill(line);
        assert!(mount.free_bytes() < 64 << 10, "{line}: {} bytes are free", mount.free_bytes());
        let written = number(&found["write"]["io_bytes"]);
        assert!((15 << 20..24 << 20).contains(&written) && found["error"] == 0, "{line}: {written}");
    }
    // An earlier end counts, too.
    for (line, expected) in
        [("--size=1m", 1 << 20), ("--size=1g --io_size=2m", 2 << 20), ("--number_ios=5", 5 << 16)]
    {
        let found = fill(&format!("--rw=write --fill_device=1 {line}"));
        assert_eq!(number(&found["write"]["io_bytes"]), expected, "{line}");
        assert_eq!(name.metadata().unwrap().len(), expected, "{line}");
    }
    // Its data is synced but not read back: it is unknown which of it was written.
    let synced = fill("--rw=write --fill_device=1 --end_fsync=1 --verify=crc32c");
    assert_eq!((number(&synced["read"]["total_ios"]), &synced["error"]), (0, &serde_json::json!(0)));
    let _ = std::fs::remove_file(&name);
    let line = format!(
        "--name=job --ioengine=psync --rw=write --bs=64k --fallocate=none --filename={} --size=1g",
        name.display()
    );
    bench.fio(&line).exits_with(1).complains(&["No space left"]);
    refuses("--ioengine=psync --rw=randwrite --fill_device=1", &["size"]);
}

#[test]
fn fio_option_unlink() {
    for rw in ["read", "write"] {
        let line = format!("--rw={rw} --size=16k --nrfiles=2 --numjobs=2");
        assert_eq!(run_job(&line).files().len(), 4);
        assert_eq!(run_job(&format!("{line} --unlink=0")).files().len(), 4);
        let removed = run_job(&format!("{line} --unlink=1"));
        assert_eq!((removed.files().len(), removed.ios.len()), (0, 2), "{rw}");
    }
    // Existing files too.
    assert!(run_job_on_100k("--rw=read --unlink=1").files().is_empty());
}
