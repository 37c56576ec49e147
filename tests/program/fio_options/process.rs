//! CPUs and priorities of a job's threads, as the kernel reports them.

use std::path::{Path, PathBuf};
use std::process::Command;

use cardiograph_testing::{LoopMount, skip};

use super::ask::{refuses, simulated};
use crate::common::fio::{Fio, is_compared};
use crate::common::{Bench, run};

/// A thread of a running program.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Thread {
    path: PathBuf,
    is_first: bool,
    cpus: String,
    nice: i64,
}

fn threads(process: u32) -> Vec<Thread> {
    let Ok(tasks) = std::fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let paths = tasks.filter_map(|task| Some(task.ok()?.path()));
    paths.filter_map(|path| thread(&path, process)).collect()
}

/// The kernel's status of a thread; `None` if it has just ended, or if it only watches for pauses or listens.
fn thread(path: &Path, process: u32) -> Option<Thread> {
    let status = std::fs::read_to_string(path.join("status")).ok()?;
    if ["heartbeat", "listener"].iter().any(|name| status.starts_with(&format!("Name:\t{name}\n"))) {
        return None;
    }
    let cpus = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?.trim().to_string();
    let stat = std::fs::read_to_string(path.join("stat")).ok()?;
    // After the name, which may have any characters: the state is field 3, niceness field 19.
    let nice = stat.rsplit_once(") ")?.1.split(' ').nth(16)?.parse().ok()?;
    Some(Thread { path: path.to_path_buf(), is_first: path.ends_with(process.to_string()), cpus, nice })
}

/// Runs a job until its threads meet a condition.
fn waits_for(options: &str, what: &str, is_so: impl Fn(&[Thread]) -> bool) -> Vec<Thread> {
    let bench = Bench::new();
    let line = "fio --name=job --ioengine=null --rw=read --bs=4k --size=1M --time_based --runtime=60 --rate_iops=100";
    let mut running = bench.start(&format!("{line} {options}"));
    let process = running.io_id();
    let mut found = Vec::new();
    running.wait_until(
        || {
            found = threads(process);
            is_so(&found)
        },
        what,
    );
    found
}

/// How many threads may run on these CPUs and no others.
fn count_on_cpus(threads: &[Thread], cpus: &str) -> usize {
    threads.iter().filter(|thread| !thread.is_first && thread.cpus == cpus).count()
}

/// Whether this machine lets programs run on CPUs 0 and 1.
fn has_two_cpus() -> bool {
    let own = thread(Path::new("/proc/thread-self"), 0).map(|thread| thread.cpus).unwrap_or_default();
    let is_enough = own.starts_with("0-") || own.starts_with("0,1");
    if !is_enough {
        skip("CPUs of a job's threads", "there are no CPUs 0 and 1 to choose from");
    }
    is_enough
}

#[test]
fn fio_option_cpus_allowed() {
    if !has_two_cpus() {
        return;
    }
    let found = waits_for("--cpus_allowed=1 --numjobs=3", "three run on CPU 1", |threads| {
        count_on_cpus(threads, "1") == 3
    });
    assert!(
        found.iter().all(|thread| !thread.is_first || thread.cpus != "1"),
        "the program itself is free: {found:?}"
    );
    waits_for("--cpus_allowed=0,1 --numjobs=2", "two run on both", |threads| {
        count_on_cpus(threads, "0-1") == 2
    });
    waits_for("--cpus_allowed=0-0", "one runs on CPU 0", |threads| count_on_cpus(threads, "0") == 1);
    // Without the option nothing changes.
    let plain = waits_for("", "it runs", |threads| threads.len() > 1);
    assert!(plain.iter().all(|thread| thread.cpus == plain[0].cpus), "{plain:?}");
    refuses("--rw=read --size=4k --cpus_allowed=one", &["cpus_allowed=one"]);
    refuses("--rw=read --size=4k --cpus_allowed=2-1", &["cpus_allowed=2-1"]);
}

#[test]
fn a_missing_cpu_is_reported() {
    let outcome = Bench::new().fio("--name=job --ioengine=null --rw=read --size=4k --cpus_allowed=8000");
    outcome.exits_with(1).complains(&["@fio-no-cpu", "'job'", "8000"]);
}

#[test]
fn fio_option_cpumask() {
    if !has_two_cpus() {
        return;
    }
    for (mask, cpus) in [("1", "0"), ("2", "1"), ("3", "0-1"), ("0x2", "1")] {
        waits_for(&format!("--cpumask={mask}"), cpus, |threads| count_on_cpus(threads, cpus) == 1);
    }
}

#[test]
fn fio_option_cpus_allowed_policy() {
    if !has_two_cpus() {
        return;
    }
    let jobs = "--cpus_allowed=0-1 --numjobs=4";
    for policy in ["", "--cpus_allowed_policy=shared"] {
        waits_for(&format!("{jobs} {policy}"), "all run on both", |threads| {
            count_on_cpus(threads, "0-1") == 4
        });
    }
    waits_for(&format!("{jobs} --cpus_allowed_policy=split"), "two run on each", |threads| {
        (count_on_cpus(threads, "0"), count_on_cpus(threads, "1")) == (2, 2)
    });
    refuses("--rw=read --size=4k --cpus_allowed_policy=fair", &["cpus_allowed_policy=fair"]);
}

#[test]
fn fio_option_nice() {
    let own = thread(Path::new("/proc/thread-self"), 0).unwrap().nice;
    let nice = own.max(0) + 3;
    let is_so = |threads: &[Thread]| threads.iter().filter(|thread| thread.nice == nice).count() == 2;
    let found = waits_for(&format!("--nice={nice} --numjobs=2"), "two are nice", is_so);
    assert!(found.iter().all(|thread| !thread.is_first || thread.nice == own), "{found:?}");
    let plain = waits_for("", "it runs", |threads| threads.len() > 1);
    assert!(plain.iter().all(|thread| thread.nice == own), "{plain:?}");
    refuses("--rw=read --size=4k --nice=20", &["nice=20"]);
    refuses("--rw=read --size=4k --nice=-21", &["nice=-21"]);
}

/// The I/O priorities of the threads except the first, in ionice's words; `None` if unknown.
fn priorities(threads: &[Thread]) -> Option<Vec<String>> {
    let workers = threads.iter().filter(|thread| !thread.is_first);
    let found = workers.map(|thread| {
        let number = thread.path.file_name()?;
        let output = Command::new("ionice").arg("-p").arg(number).output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_string())
    });
    found.collect()
}

/// Checks the I/O priority of a running job's threads, and in its log.
fn has_priority(options: &str, words: &str, column: &str, is_high: &str) {
    let is_so = |threads: &[Thread]| {
        let found = priorities(threads);
        found.is_none_or(|found| found.iter().filter(|found| *found == words).count() == 2)
    };
    let found = waits_for(&format!("{options} --numjobs=2"), words, is_so);
    if priorities(&found).is_none() {
        skip("I/O priority of a job's threads", "there is no ionice to ask");
    }
    let bench = Bench::new();
    let line = format!("--ioengine=null --rw=read --size=4k --write_lat_log=p {options}");
    for (log_prio, column) in [("1", column), ("0", is_high)] {
        bench.job(&format!("{line} --log_prio={log_prio}"));
        let log = std::fs::read_to_string(bench.work().join("p_lat.1.log")).unwrap();
        assert!(log.ends_with(&format!(", 0, 4096, {column}\n")), "{options}: {log}");
    }
}

#[test]
fn fio_option_prio() {
    has_priority("--prio=5", "best-effort: prio 5", "0x4005", "0");
    has_priority("--prio=0 --prioclass=2", "best-effort: prio 0", "0x4000", "0");
    refuses("--rw=read --size=4k --prio=8", &["prio=8", "@jobs-value.out-of-range", "7"]);
}

#[test]
fn fio_option_prioclass() {
    has_priority("--prioclass=3", "idle", "0x6000", "0");
    has_priority("--prioclass=0 --prio=1", "best-effort: prio 1", "0x4001", "0");
    refuses("--rw=read --size=4k --prioclass=4", &["prioclass=4", "@jobs-value.out-of-range", "3"]);
    let line = "--name=job --ioengine=null --rw=read --size=4k --write_lat_log=p --log_prio=1 --prioclass=1 --prio=2";
    let bench = Bench::new();
    let outcome = bench.fio(line);
    if outcome.status.success() {
        has_priority("--prioclass=1 --prio=2", "realtime: prio 2", "0x2002", "1");
    } else {
        // Realtime priority needs privileges.
        outcome.exits_with(1).complains(&["@run-seat-refused-realtime", "'job'"]);
    }
}

/// Whether the kernel reports NUMA nodes here, including node 0.
fn has_node_0() -> bool {
    let is_there = Path::new("/sys/devices/system/node/node0").exists();
    if !is_there {
        skip("NUMA nodes of a job's threads", "the kernel knows none here");
    }
    is_there
}

#[test]
fn fio_option_numa_cpu_nodes() {
    if !has_node_0() {
        return;
    }
    let cpus = std::fs::read_to_string("/sys/devices/system/node/node0/cpulist").unwrap();
    waits_for("--numa_cpu_nodes=0 --numjobs=2", "two run on node 0", |threads| {
        count_on_cpus(threads, cpus.trim()) == 2
    });
    refuses("--rw=read --size=4k --numa_cpu_nodes=one", &["numa_cpu_nodes=one", "@jobs-example.nodes"]);
    refuses("--rw=read --size=4k --numa_cpu_nodes=1023", &["@fio-no-node", "1023", "numa_cpu_nodes"]);
    refuses(
        "--rw=read --size=4k --numa_cpu_nodes=0 --cpumask=1",
        &["numa_cpu_nodes=0", "@jobs-problem.contradicts", "\'cpumask\'"],
    );
}

#[test]
fn fio_option_numa_mem_policy() {
    if !has_node_0() || !Path::new("/proc/self/numa_maps").exists() {
        return;
    }
    // The number of threads, not counting the first, with this memory policy.
    let by = |threads: &[Thread], policy: &str| {
        let has = |thread: &&Thread| {
            let maps = std::fs::read_to_string(thread.path.join("numa_maps")).unwrap_or_default();
            !thread.is_first && maps.lines().any(|line| line.split(' ').nth(1) == Some(policy))
        };
        threads.iter().filter(has).count()
    };
    for (written, policy) in
        [("bind:0", "bind:0"), ("prefer:0", "prefer:0"), ("interleave:0", "interleave:0")]
    {
        let is_so = |threads: &[Thread]| by(threads, policy) == 2;
        waits_for(&format!("--numa_mem_policy={written} --numjobs=2"), policy, is_so);
    }
    waits_for("--numa_mem_policy=local", "local", |threads| by(threads, "local") == 1);
    waits_for("--numa_mem_policy=default", "default", |threads| by(threads, "default") == 1);
    for (policy, words) in [
        ("fair:0", "@jobs-value.unknown-word"),
        ("bind", "@jobs-value.nodes-missing"),
        ("prefer:0,1", "@jobs-value.not-one-node"),
        ("local:0", "@jobs-value.argument-unwanted"),
        ("bind:1023", "@fio-no-node"),
    ] {
        refuses(&format!("--rw=read --size=4k --numa_mem_policy={policy}"), &["numa_mem_policy", words]);
    }
}

#[test]
fn options_without_effect_on_a_simulated_drive_are_noted() {
    for option in ["nice=3", "prio=3", "prioclass=2", "cpus_allowed=0", "cpumask=1"] {
        let outcome =
            simulated(&Bench::new(), &format!("--rw=read --bs=4k --size=4k --{option}")).exits_with(0);
        let (name, _) = option.split_once('=').unwrap();
        outcome.notes(&[name, "@jobs-remark.no-threads"]);
    }
}

/// The numbers in a line of a thread's status, such as `Uid:`: real, effective, saved, and for files.
fn ids(thread: &Thread, line: &str) -> Vec<u32> {
    let status = std::fs::read_to_string(thread.path.join("status")).unwrap_or_default();
    let found = status.lines().find_map(|text| text.strip_prefix(line));
    found.unwrap_or_default().split_whitespace().map(|id| id.parse().unwrap()).collect()
}

/// Checks that an option sets these ids for the job's threads only.
fn has_ids(option: &str, line: &str) {
    const NOBODY: u32 = 65_534;
    refuses(&format!("--rw=read --size=4k {option}=-1"), &[option.trim_start_matches('-')]);
    refuses(&format!("--rw=read --size=4k {option}=4294967295"), &[option.trim_start_matches('-')]);
    if !rustix::process::geteuid().is_root() {
        let bench = Bench::new();
        let outcome = bench.fio(&format!("--name=job --ioengine=null --size=4k {option}=0")).exits_with(1);
        let (refusal, option) = match option {
            "--uid" => ("@run-seat-refused-user", "uid=0"),
            _ => ("@run-seat-refused-group", "gid=0"),
        };
        outcome.complains(&[refusal, option]);
        return skip(&format!("{option} of a job's threads"), "only root can change its user");
    }
    let is_nobody = |thread: &&Thread| ids(thread, line) == [NOBODY; 4];
    let found = waits_for(&format!("{option}=65534 --numjobs=2"), option, |threads| {
        threads.iter().filter(is_nobody).count() >= 2
    });
    let first = found.iter().find(|thread| thread.is_first).unwrap();
    assert_ne!(ids(first, line), [NOBODY; 4], "only the job's threads change");
}

/// Exit statuses of a job on a file of root with this mode, with this program and Debian's fio.
fn on_file_of_root(mode: u32, options: &str) -> Option<i32> {
    use std::os::unix::fs::PermissionsExt;
    let status = |who| {
        let bench = Bench::new();
        let open_to_all = std::fs::Permissions::from_mode(0o777);
        std::fs::set_permissions(bench.work(), open_to_all).unwrap();
        super::disk::fill(&bench, "x", 8);
        std::fs::set_permissions(bench.work().join("x"), std::fs::Permissions::from_mode(mode)).unwrap();
        let line = format!("--name=job --filename=x --size=8k --bs=4k --ioengine=psync {options}");
        let outcome = run(bench.fio_by(who, line.split_whitespace()));
        let says_why =
            outcome.stderr.contains("Permission denied") || outcome.stdout.contains("Permission denied");
        assert_eq!(says_why, !outcome.status.success(), "{}", outcome.stderr);
        outcome.status.code()
    };
    let ours = status(Fio::Ours);
    if is_compared(options) {
        assert_eq!(ours, status(Fio::Debian), "{options}");
    }
    ours
}

#[test]
fn fio_option_uid() {
    has_ids("--uid", "Uid:");
    if rustix::process::geteuid().is_root() {
        assert_eq!(on_file_of_root(0o644, "--rw=read --uid=65534"), Some(0));
        assert_eq!(on_file_of_root(0o644, "--rw=write --uid=65534"), Some(1));
        assert_eq!(on_file_of_root(0o666, "--rw=write --uid=65534 --gid=65534"), Some(0));
        assert_eq!(on_file_of_root(0o600, "--rw=write --uid=0"), Some(0));
    }
}

#[test]
fn fio_option_gid() {
    has_ids("--gid", "Gid:");
    if rustix::process::geteuid().is_root() {
        assert_eq!(on_file_of_root(0o600, "--rw=write --gid=65534"), Some(0));
    }
}

#[test]
fn fio_option_ioscheduler() {
    use std::os::unix::fs::MetadataExt;
    refuses(
        "--rw=read --size=4k --ioscheduler=none --ioengine=null",
        &["ioscheduler=none", "@jobs-refused.no-drive"],
    );
    let mount = match LoopMount::new(&["mkfs.ext4", "-q"], 16 << 20, "") {
        Ok(mount) => mount,
        Err(reason) => return skip("the I/O scheduler of a drive", &reason),
    };
    let number = std::fs::metadata(mount.path()).unwrap().dev();
    let (major, minor) = (rustix::fs::major(number), rustix::fs::minor(number));
    let path = format!("/sys/dev/block/{major}:{minor}/queue/scheduler");
    let text = || std::fs::read_to_string(&path).unwrap();
    let before = text();
    let Some(other) = before.split_whitespace().find(|word| !word.starts_with('[')) else {
        return skip("the I/O scheduler of a drive", "the kernel has only one");
    };
    let line = format!("--filename={}/x --size=1M --bs=4k --rw=write", mount.path().display());
    let is_set = || text().contains(&format!("[{other}]"));
    // While a job runs, and after each kind of end.
    for ending in ["job", "failure", "kill"] {
        let bench = Bench::new();
        let more = format!("--name=job {line} --ioscheduler={other}");
        match ending {
            "job" => {
                let command = format!("cat {path} > seen");
                let words = ["--exec_prerun", &command];
                let words = more.split_whitespace().chain(words);
                assert!(run(bench.fio_by(Fio::Ours, words)).status.success());
                let seen = std::fs::read_to_string(bench.work().join("seen")).unwrap();
                assert!(seen.contains(&format!("[{other}]")), "{seen}");
            }
            "failure" => drop(bench.fio(&format!("{more} --exec_prerun=false")).exits_with(1)),
            _ => {
                let mut running =
                    bench.start(&format!("fio {more} --time_based --runtime=60 --rate_iops=100"));
                running.wait_until(is_set, "the scheduler is set");
                running.signal("KILL");
            }
        }
        cardiograph_testing::soon(|| (text() == before).then_some(()));
    }
    let bench = Bench::new();
    let outcome = bench.fio(&format!("--name=job {line} --ioscheduler=nosuch")).exits_with(1);
    outcome.complains(&["@scheduler-unknown", "'nosuch'", "none"]);
    let two = format!("{line} --ioscheduler={other} --name=b {line} --ioscheduler=none");
    if other != "none" {
        bench.fio(&format!("--name=a {two}")).exits_with(1).complains(&["@scheduler-conflict"]);
    }
    assert_eq!(text(), before);
    if is_compared(&line) {
        bench.debian_fio(&format!("--name=job {line} --ioscheduler=nosuch")).unwrap().exits_with(1);
    }
}
