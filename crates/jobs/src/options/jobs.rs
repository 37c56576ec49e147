//! Jobs, their clones, and when they begin and end.

use super::OptionDef;
use super::kind::{COUNT, MICROSECONDS, OptionKind};
use super::row::{hint, refused, works};

pub(super) const ROWS: &[OptionDef] = &[
    works!("name").display().help("Name of the job, in reports and in the names of its files."),
    works!("description").display().help("A text about the job, which the report repeats."),
    works!("numjobs")
        .kind(OptionKind::Count { min: 1, max: 4_096 })
        .default("1")
        .help("Clones of the job that run at once."),
    hint("thread", "clones always are threads")
        .kind(OptionKind::Flag)
        .help("Run clones as threads, not as processes."),
    hint("threads", "fio takes it and does nothing with it, either; numjobs is the number of clones")
        .kind(COUNT)
        .help("Has no effect. Scripts write it where thread is meant."),
    works!("stonewall")
        .aliases(&["wait_for_previous"])
        .kind(OptionKind::Flag)
        .help("Begin when all jobs written before have ended, in a new group."),
    works!("wait_for").help("Begin when the job of this name has ended."),
    works!("new_group").kind(OptionKind::Flag).display().help("Begin a new group of the report."),
    works!("exitall").kind(OptionKind::Flag).help("When this job ends, end others with it."),
    works!("exit_what")
        .kind(OptionKind::Word(&["group", "stonewall", "all"]))
        .default("group")
        .help("Which jobs exitall ends: those of the group, all that run now, or all."),
    works!("exitall_on_error").kind(OptionKind::Flag).help("When this job fails, end others with it."),
    works!("loops").kind(COUNT).default("1").help("How often the job's bytes are moved."),
    works!("exec_prerun")
        .help("Run this command before each clone of the job; what it writes is in JOB.prerun.txt."),
    works!("exec_postrun")
        .help("Run this command after each clone of the job; what it writes is in JOB.postrun.txt."),
    works!("flow")
        .kind(OptionKind::Count { min: 0, max: 1_000 })
        .default("0")
        .help("This job's weight against other jobs of its flow."),
    works!("flow_id").kind(COUNT).default("0").help("Which flow the job belongs to."),
    works!("flow_sleep")
        .kind(MICROSECONDS)
        .default("0")
        .help("How long a job pauses that is ahead of its flow."),
    hint("flow_watermark", "it has no effect in fio either, which has dropped it")
        .kind(COUNT)
        .help("A former limit of the imbalance of flows."),
    refused(
        "profile",
        "fio's built-in profiles are workloads of their own; `cardiograph check` has its own suites",
    )
    .help("Run one of fio's built-in benchmarks."),
];
