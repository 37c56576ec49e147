//! CPUs and priorities of a job's threads, as the kernel tells them.

use std::path::Path;

use cardiograph_testing::skip;

use super::ask::refuses;
use crate::common::Bench;

/// A thread of a running program.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Thread {
    is_first: bool,
    cpus: String,
    nice: i64,
}

fn threads(process: u32) -> Vec<Thread> {
    let Ok(tasks) = std::fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let paths = tasks.filter_map(|task| Some(task.ok()?.path()));
    paths.filter_map(|path| thread(&path, process)).collect()
}

/// What the kernel tells of a thread; `None` when it has just ended.
fn thread(path: &Path, process: u32) -> Option<Thread> {
    let status = std::fs::read_to_string(path.join("status")).ok()?;
    let cpus = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?.trim().to_string();
    let stat = std::fs::read_to_string(path.join("stat")).ok()?;
    // Behind the name, which may hold anything: the state is the third field, niceness the nineteenth.
    let nice = stat.rsplit_once(") ")?.1.split(' ').nth(16)?.parse().ok()?;
    Some(Thread { is_first: path.ends_with(process.to_string()), cpus, nice })
}

/// Runs a job until threads of it are as they should be.
fn waits_for(options: &str, what: &str, is_so: impl Fn(&[Thread]) -> bool) -> Vec<Thread> {
    let bench = Bench::new();
    let line = "fio --name=job --ioengine=null --rw=read --bs=4k --size=1M --time_based --runtime=60 --rate_iops=100";
    let mut running = bench.start(&format!("{line} {options}"));
    let process = running.id();
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
fn on(threads: &[Thread], cpus: &str) -> usize {
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
    let found =
        waits_for("--cpus_allowed=1 --numjobs=3", "three run on CPU 1", |threads| on(threads, "1") == 3);
    assert!(
        found.iter().all(|thread| !thread.is_first || thread.cpus != "1"),
        "the program itself is free: {found:?}"
    );
    waits_for("--cpus_allowed=0,1 --numjobs=2", "two run on both", |threads| on(threads, "0-1") == 2);
    waits_for("--cpus_allowed=0-0", "one runs on CPU 0", |threads| on(threads, "0") == 1);
    // Without it nothing is changed.
    let plain = waits_for("", "it runs", |threads| threads.len() > 1);
    assert!(plain.iter().all(|thread| thread.cpus == plain[0].cpus), "{plain:?}");
    refuses("--rw=read --size=4k --cpus_allowed=one", &["cpus_allowed=one"]);
    refuses("--rw=read --size=4k --cpus_allowed=2-1", &["cpus_allowed=2-1"]);
}

#[test]
fn a_cpu_that_is_not_there_is_told() {
    let outcome = Bench::new().fio("--name=job --ioengine=null --rw=read --size=4k --cpus_allowed=8000");
    outcome.exits_with(1).complains(&["'job'", "there is no CPU 8000 here"]);
}

#[test]
fn fio_option_cpumask() {
    if !has_two_cpus() {
        return;
    }
    for (mask, cpus) in [("1", "0"), ("2", "1"), ("3", "0-1"), ("0x2", "1")] {
        waits_for(&format!("--cpumask={mask}"), cpus, |threads| on(threads, cpus) == 1);
    }
}

#[test]
fn fio_option_cpus_allowed_policy() {
    if !has_two_cpus() {
        return;
    }
    let jobs = "--cpus_allowed=0-1 --numjobs=4";
    for policy in ["", "--cpus_allowed_policy=shared"] {
        waits_for(&format!("{jobs} {policy}"), "all run on both", |threads| on(threads, "0-1") == 4);
    }
    waits_for(&format!("{jobs} --cpus_allowed_policy=split"), "two run on each", |threads| {
        (on(threads, "0"), on(threads, "1")) == (2, 2)
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
