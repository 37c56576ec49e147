//! Engines that create, look up and remove files, and files that a job removes after each loop.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;

use serde_json::Value;

use super::ask::{job, number};
use super::disk::{fill, run_job, run_job_after};
use super::engine::{calls, calls_however_it_ends};
use crate::common::fio::{Fio, is_compared, json_of};
use crate::common::{Bench, Outcome, has_message, run};

const K: u64 = 1_024;

/// The results of a job on whole files.
#[derive(Debug, PartialEq, Eq)]
pub struct FileJob {
    pub exit: i32,
    pub error: u64,
    /// I/Os, their bytes, and the number of latencies, of reads and of writes.
    pub read: (u64, u64, u64),
    pub written: (u64, u64, u64),
    /// The files it left, with their lengths in bytes.
    files: BTreeMap<String, u64>,
}

impl FileJob {
    fn run(fio: Fio, line: &str, prepare: &impl Fn(&Bench)) -> Self {
        let bench = Bench::new();
        prepare(&bench);
        let line = format!("--name=job --output-format=json {line}");
        let outcome: Outcome = run(bench.fio_by(fio, line.split_whitespace()));
        let job = json_of(&outcome)["jobs"][0].take();
        let figures = |direction: &str| {
            let found: &Value = &job[direction];
            (number(&found["total_ios"]), number(&found["io_bytes"]), number(&found["clat_ns"]["N"]))
        };
        let len_bytes = |name: &String| std::fs::metadata(bench.work().join(name)).unwrap().len();
        Self {
            exit: outcome.status.code().unwrap(),
            error: number(&job["error"]),
            read: figures("read"),
            written: figures("write"),
            files: bench.entries().into_iter().map(|name| (name.clone(), len_bytes(&name))).collect(),
        }
    }

    pub fn files(&self) -> Vec<(&str, u64)> {
        self.files.iter().map(|(name, &len_bytes)| (name.as_str(), len_bytes)).collect()
    }
}

/// Runs a job in a bench set up by `prepare`. For some jobs, checks that Debian's fio does the same.
#[track_caller]
pub fn run_file_job_after(line: &str, prepare: impl Fn(&Bench)) -> FileJob {
    let ours = FileJob::run(Fio::Ours, line, &prepare);
    if is_compared(line) {
        assert_eq!(ours, FileJob::run(Fio::Debian, line, &prepare), "not as Debian's fio: {line}");
    }
    ours
}

#[track_caller]
pub fn run_file_job(line: &str) -> FileJob {
    run_file_job_after(line, |_| {})
}

/// Checks that a job is refused with a message that has all `words`, and that nothing was done.
#[track_caller]
pub fn refuses_files(line: &str, words: &[&str]) {
    let bench = Bench::new();
    bench.fio(&format!("--name=job {line}")).exits_with(1).complains(words);
    assert!(bench.entries().is_empty(), "{line}: {:?}", bench.entries());
}

/// Common to all three engines: options with the same effect, and options that none of them supports.
#[track_caller]
fn is_like_fio(engine: &str) {
    let line = format!("--ioengine={engine} --nrfiles=5 --filesize=4k");
    let once = run_file_job(&line);
    assert_eq!((once.exit, once.read, once.written), (0, (5, 20 * K, 5), (0, 0, 0)), "{engine}");
    assert_eq!(run_file_job(&format!("{line} --rw=randwrite")).written, (5, 20 * K, 5));
    for (options, ios) in [
        ("--number_ios=3", 3),
        ("--openfiles=2", 5),
        ("--file_service_type=random", 5),
        ("--direct=1 --iodepth=8", 5),
        ("--unlink=1", 5),
        ("--rate_iops=500", 5),
    ] {
        assert_eq!(run_file_job(&format!("{line} {options}")).read.0, ios, "{engine} {options}");
    }
    // An I/O is a file, whatever its length; it counts as one bs.
    let longer = job(&Bench::new(), &format!("--ioengine={engine} --nrfiles=3 --filesize=16k --bs=4k"));
    assert_eq!((number(&longer["read"]["total_ios"]), number(&longer["read"]["io_bytes"])), (3, 12 * K));
    let bench = Bench::new();
    let clones = job(&bench, &format!("{line} --numjobs=3 --group_reporting=1"));
    assert_eq!(number(&clones["read"]["total_ios"]), 15);
    refuses_data(&line);
    for (options, words) in [
        ("--rw=randrw", &["rw=randrw", "@jobs-refused.one-direction"][..]),
        ("--rw=trim", &["rw=trim", "@jobs-refused.one-direction"]),
        ("--pre_read=1", &["pre_read=1", "@jobs-refused.no-blocks"]),
        ("--bsrange=1k-4k", &["bsrange=1k-4k", "@jobs-refused.one-length"]),
        ("--filename=/proc", &["/proc ", "@jobs-problem-of-job.not-a-file"]),
    ] {
        refuses_files(&format!("{line} {options}"), words);
    }
}

/// Checks that an engine that moves no data refuses options about data.
#[track_caller]
pub fn refuses_data(line: &str) {
    for (options, words) in [
        ("--rw=write --verify=crc32c", &["verify=crc32c", "@jobs-refused.no-content"][..]),
        ("--rw=write --fsync=4", &["fsync=4", "@jobs-refused.no-sync"]),
        ("--rw=write --end_fsync=1", &["end_fsync=1", "@jobs-refused.no-sync"]),
        ("--write_iolog=log", &["write_iolog=log", "@jobs-refused.no-blocks"]),
        ("--filename=/dev/null", &["/dev/null"]),
    ] {
        refuses_files(&format!("{line} {options}"), words);
    }
}

#[test]
fn fio_engine_filecreate() {
    is_like_fio("filecreate");
    let five = "--ioengine=filecreate --nrfiles=5";
    // Nothing is laid out, and no length is needed.
    let made = run_file_job(&format!("{five} --filename_format=f.$filenum"));
    assert_eq!(made.files(), [("f.0", 0), ("f.1", 0), ("f.2", 0), ("f.3", 0), ("f.4", 0)]);
    assert_eq!(run_file_job(&format!("{five} --number_ios=3")).files().len(), 3);
    assert_eq!(run_file_job(&format!("{five} --loops=3")).read, (15, 60 * K, 15));
    // New files in each loop.
    let repeated = run_file_job(&format!("{five} --loops=3 --unlink_each_loop=1"));
    assert_eq!((repeated.read.0, repeated.files().len()), (15, 5));
    // An existing file is opened, and its content stays.
    let bench = Bench::new();
    fill(&bench, "x", 4);
    let outcome = bench.fio("--name=job --ioengine=filecreate --filename=x:y --filesize=4k").exits_with(0);
    outcome.notes(&["@prepare-note-made-before", "1", "2"]);
    assert_eq!(std::fs::read(bench.work().join("x")).unwrap(), vec![0xa5; 4_096]);
    assert_eq!(bench.entries(), ["x", "y"]);
    // Each file is created by one call, and closed.
    let bench = Bench::new();
    let Some(calls) = calls(&bench, "open,openat", &format!("{five} --filename_format=new-$filenum")) else {
        return;
    };
    let opens: Vec<&String> = calls.iter().filter(|call| call.contains("new-")).collect();
    assert_eq!(opens.len(), 5, "{opens:?}");
    assert!(opens.iter().all(|call| call.contains("O_CREAT|O_EXCL")), "{opens:?}");
}

#[test]
fn fio_engine_filestat() {
    is_like_fio("filestat");
    let line = "--ioengine=filestat --nrfiles=3 --filename_format=f.$filenum";
    let made = run_file_job(&format!("{line} --filesize=16k --bs=16k"));
    assert_eq!(made.files(), [("f.0", 16 * K), ("f.1", 16 * K), ("f.2", 16 * K)]);
    assert_eq!(run_file_job(&format!("{line} --filesize=4k --loops=4")).read, (12, 48 * K, 12));
    refuses_files(line, &["size"]);
    // Files that are only looked up are not created, and must exist in the next loop.
    refuses_files(&format!("{line} --size=12k --create_on_open=1"), &["create_on_open"]);
    refuses_files(&format!("{line} --size=12k --loops=2 --unlink_each_loop=1"), &["unlink_each_loop=1"]);
    let looked_up = job(&Bench::new(), &format!("{line} --filesize=4k --time_based --runtime=100ms"));
    assert!(number(&looked_up["read"]["total_ios"]) > 3);
}

#[test]
fn fio_engine_filedelete() {
    is_like_fio("filedelete");
    let line = "--ioengine=filedelete --nrfiles=3 --filename_format=f.$filenum --filesize=4k";
    assert!(run_file_job(line).files().is_empty());
    assert_eq!(run_file_job(&format!("{line} --number_ios=2")).files(), [("f.2", 4 * K)]);
    // Existing files too, and the target of a link; other files stay.
    let removed = run_file_job_after("--ioengine=filedelete --filename=x --size=4k", |bench| {
        ["x", "y"].iter().for_each(|name| fill(bench, name, 4));
    });
    assert_eq!(removed.files(), [("y", 4 * K)]);
    // A file can be removed once.
    let again = run_file_job(&format!("{line} --loops=2"));
    assert_eq!((again.exit, again.error, again.read), (1, 2, (3, 12 * K, 3)));
    let bench = Bench::new();
    let outcome = bench.fio(&format!("--name=job {line} --loops=2")).exits_with(1);
    outcome.complains(&["@fio-job-error.delete", "error=No such file or directory"]);
    // A later job creates them again, and another removes them.
    let bench = Bench::new();
    let sections = "[global]\nnrfiles=2\nfilesize=4k\nfilename_format=f.$filenum\nstonewall\n\
        [first]\nioengine=filedelete\n[second]\nioengine=filecreate\n[third]\nioengine=filedelete\n";
    bench.file("three.fio", sections);
    let json = json_of(&bench.fio("--output-format=json three.fio").exits_with(0));
    let ios: Vec<u64> = (0..3).map(|job| number(&json["jobs"][job]["read"]["total_ios"])).collect();
    assert_eq!((ios, bench.entries()), (vec![2, 2, 2], vec!["three.fio".to_string()]));
}

/// Common to the engines for directories, which Debian's fio lacks.
#[track_caller]
fn check_directory_engine(engine: &str, left: usize) -> Vec<String> {
    let bench = Bench::new();
    let line = format!("--ioengine={engine} --nrfiles=3 --filename_format=d.$filenum");
    let done = job(&bench, &line);
    assert_eq!((&done["error"], number(&done["read"]["total_ios"])), (&0.into(), 3), "{engine}");
    assert_eq!(number(&job(&Bench::new(), &format!("{line} --rw=write"))["write"]["total_ios"]), 3);
    assert!(bench.entries().iter().all(|name| bench.work().join(name).is_dir()));
    assert_eq!(bench.entries().len(), left, "{engine}");
    let removed = Bench::new();
    job(&removed, &format!("{line} --unlink=1"));
    assert!(removed.entries().is_empty(), "{engine}: {:?}", removed.entries());
    // A file is not taken for a directory, and stays; a directory is not taken for a file.
    let bench = Bench::new();
    fill(&bench, "x", 4);
    let outcome = bench.fio(&format!("--name=job --ioengine={engine} --filename=x")).exits_with(1);
    outcome.complains(&["x ", "@jobs-file-kind.file"]);
    assert_eq!(std::fs::read(bench.work().join("x")).unwrap(), vec![0xa5; 4_096]);
    let both = format!("--name=a --filename=y --ioengine={engine} --name=b --filename=y --size=4k");
    bench.fio(&both).exits_with(1).complains(&["y", "@jobs-file-kind.directory"]);
    assert_eq!(bench.entries(), ["x"]);
    refuses_files(&format!("{line} --rw=randrw"), &["rw=randrw", "@jobs-refused.one-direction"]);
    refuses_files(&format!("{line} --rw=write --fsync=1"), &["fsync=1", "@jobs-refused.no-sync"]);
    let text = bench.fio(&format!("--name=job {line} --loops=2"));
    text.stderr.lines().map(str::to_string).collect()
}

#[test]
fn fio_engine_dircreate() {
    let again = check_directory_engine("dircreate", 3);
    assert!(
        again
            .iter()
            .any(|line| has_message(line, "fio-job-error.create-directory")
                && line.contains("error=File exists")),
        "{again:?}"
    );
    let repeated = "--ioengine=dircreate --nrfiles=3 --loops=3 --unlink_each_loop=1";
    assert_eq!(number(&job(&Bench::new(), repeated)["read"]["total_ios"]), 9);
}

#[test]
fn fio_engine_dirstat() {
    assert_eq!(check_directory_engine("dirstat", 3), [""; 0]);
    let bench = Bench::new();
    std::fs::create_dir(bench.work().join("mine")).unwrap();
    fill(&bench, "mine/file", 4);
    let line = "--ioengine=dirstat --filename=mine --stat_type=statx --time_based --runtime=50ms";
    assert!(number(&job(&bench, line)["read"]["total_ios"]) > 3);
    assert!(bench.work().join("mine/file").exists());
}

#[test]
fn fio_engine_dirdelete() {
    let again = check_directory_engine("dirdelete", 0);
    assert!(
        again
            .iter()
            .any(|line| has_message(line, "fio-job-error.delete-directory")
                && line.contains("error=No such file")),
        "{again:?}"
    );
    let bench = Bench::new();
    std::fs::create_dir(bench.work().join("mine")).unwrap();
    fill(&bench, "mine/file", 4);
    let outcome = bench.fio("--name=job --ioengine=dirdelete --filename=mine").exits_with(1);
    outcome.complains(&["@fio-job-error.delete-directory", "error=Directory not empty"]);
    assert!(bench.work().join("mine/file").exists());
}

#[test]
fn fio_option_stat_type() {
    let line = "--ioengine=filestat --nrfiles=3 --filename_format=stat-me-$filenum --filesize=4k --loops=100";
    let calls_of = |options: &str, call: &str, word: &str| {
        let bench = Bench::new();
        let (calls, outcome) =
            calls_however_it_ends(&bench, "stat,lstat,newfstatat,statx", &format!("{line} {options}"))?;
        outcome.exits_with(0);
        let is_meant =
            |line: &&String| line.contains("stat-me-") && line.contains(call) && line.contains(word);
        Some(calls.iter().filter(is_meant).count())
    };
    // Apart from the I/Os, preparation looks at the files a few times.
    let expected = 300..320;
    let Some(plain) = calls_of("", "stat", ", 0)") else { return };
    assert!(expected.contains(&plain), "{plain}");
    assert!(expected.contains(&calls_of("--stat_type=stat", "stat", ", 0)").unwrap()));
    let lstat = calls_of("--stat_type=lstat", "stat", "AT_SYMLINK_NOFOLLOW").unwrap();
    assert!(expected.contains(&lstat), "{lstat}");
    let statx = calls_of("--stat_type=statx", "statx(", "").unwrap();
    assert!(expected.contains(&statx), "{statx}");
    refuses_files(&format!("{line} --stat_type=fstat"), &["stat_type=fstat", "statx"]);
    refuses_files("--ioengine=psync --size=4k --stat_type=stat", &["stat_type", "filestat"]);
}

#[test]
fn fio_option_unlink_each_loop() {
    let three = "--rw=write --size=16k --nrfiles=2 --loops=3";
    let kept = run_job(three);
    let removed = run_job(&format!("{three} --unlink_each_loop=1"));
    assert_eq!(removed.files(), [("job.0.0", 8 * K), ("job.0.1", 8 * K)]);
    assert_eq!(removed, kept, "the same I/Os are done");
    // A second link shows whether the file is still the same.
    let linked = |options: &str| {
        let bench = Bench::new();
        fill(&bench, "x", 16);
        std::fs::hard_link(bench.work().join("x"), bench.work().join("y")).unwrap();
        let line = format!("--name=job --filename=x --size=16k --bs=4k {options}");
        bench.fio(&line).exits_with(0);
        let inode = |name| std::fs::metadata(bench.work().join(name)).ok().map(|found| found.ino());
        (inode("x").is_some(), inode("x") == inode("y"))
    };
    for engine in ["psync", "io_uring", "libaio", "mmap", "posixaio"] {
        let with =
            |options: &str| linked(&format!("--ioengine={engine} --iodepth=4 --rw=randwrite {options}"));
        assert_eq!(with("--loops=2"), (true, true), "{engine}");
        assert_eq!(with("--loops=2 --unlink_each_loop=1"), (true, false), "{engine}");
        assert_eq!(
            with("--loops=2 --unlink_each_loop=1 --io_submit_mode=offload"),
            (true, false),
            "{engine}"
        );
    }
    // There is only one loop.
    assert_eq!(linked("--rw=write --unlink_each_loop=1"), (true, true));
    assert_eq!(linked("--rw=read --unlink_each_loop=1"), (true, true));
    // A time-based job is one loop, and removes its files at the end.
    assert_eq!(linked("--rw=write --unlink_each_loop=1 --time_based --runtime=50ms"), (false, false));
    // Syncs and further loops use the new files.
    let line =
        "--rw=write --size=16k --loops=3 --unlink_each_loop=1 --fsync=2 --end_fsync=1 --ioengine=psync";
    assert_eq!(number(&job(&Bench::new(), line)["write"]["total_ios"]), 12);
    // Removed files cannot be read, and other jobs must not use them.
    refuses_files(
        "--rw=read --size=8k --loops=2 --unlink_each_loop=1",
        &["unlink_each_loop=1", "only write"],
    );
    refuses_files("--rw=randrw --size=8k --loops=2 --unlink_each_loop=1", &["unlink_each_loop=1"]);
    // Each loop is verified before its files are removed.
    let checked =
        run_job("--rw=write --verify=md5 --size=8k --loops=2 --unlink_each_loop=1 --verify_state_save=0");
    assert_eq!(checked.blocks(), [0, 1].repeat(4));
    let shared = "--rw=write --filename=x --size=8k --loops=2 --unlink_each_loop=1 --numjobs=2";
    refuses_files(shared, &["unlink_each_loop removes x", "stonewall"]);
    // Nothing is removed from a simulated drive.
    let simulated = job(&Bench::new(), "--rw=randrw --size=8k --loops=2 --unlink_each_loop=1");
    assert_eq!(number(&simulated["read"]["total_ios"]) + number(&simulated["write"]["total_ios"]), 4);
    let there = run_job_after("--filename=x --rw=write --size=8k --loops=2 --unlink_each_loop=1", |bench| {
        fill(bench, "x", 100);
    });
    assert_eq!(there.files(), [("x", 8 * K)], "the longer part is gone, too");
}

#[test]
fn notes_on_many_files_are_merged() {
    for (files, notes) in [(3, 3), (4, 1), (200, 1)] {
        let bench = Bench::new();
        let line = format!("--name=job --nrfiles={files} --filesize=4k --ioengine");
        bench.fio(&format!("{line}=filecreate")).exits_with(0);
        let outcome = bench.fio(&format!("{line}=filestat")).exits_with(0);
        outcome.notes(&[]);
        let is_note = |line: &&str| has_message(line, "prepare-note-continued");
        assert_eq!(outcome.stdout.lines().filter(is_note).count(), notes, "{}", outcome.stdout);
        assert_eq!(has_message(&outcome.stdout, "prepare-note-others"), notes == 1);
    }
}
