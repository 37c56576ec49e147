//! CPUs, priorities, memory and users.

use super::OptionDef;
use super::kind::{COUNT, OptionKind};
use super::row::{hint, refused, works};
use crate::value::MEMORY_POLICIES;

const CGROUP: &str =
    "control groups are made outside; start the program with `systemd-run --scope -p IOWeight=...`";
/// The largest number of a user or a group: the next one means none.
const ID_MAX: u64 = u32::MAX as u64 - 1;

pub(super) const ROWS: &[OptionDef] = &[
    works!("cpus_allowed").kind(OptionKind::CpuList).help("CPUs that the job's threads run on."),
    works!("cpumask").kind(COUNT).help("The same as a mask of bits."),
    works!("cpus_allowed_policy")
        .kind(OptionKind::Word(&["shared", "split"]))
        .default("shared")
        .help("Whether clones share these CPUs or get one each."),
    works!("nice")
        .kind(OptionKind::SignedCount { min: -20, max: 19 })
        .default("0")
        .help("Niceness of the job's threads."),
    works!("prio")
        .kind(OptionKind::Count { min: 0, max: 7 })
        .help("Place of the job's I/O in its class of priorities; 0 is the highest."),
    works!("prioclass")
        .kind(OptionKind::Count { min: 0, max: 3 })
        .help("Class of that priority: 1 realtime, 2 best effort (as is 0), 3 idle."),
    refused(
        "priohint",
        "hints of priorities need Linux 6.5 and a drive with command duration limits; use prio",
    )
    .kind(OptionKind::Count { min: 0, max: 1_023 })
    .default("0")
    .help("Hint of that priority."),
    works!("ioscheduler")
        .help("I/O scheduler of the drive while the jobs run; it is restored after any end. Needs root."),
    works!("numa_cpu_nodes").kind(OptionKind::NodeList).help("NUMA nodes whose CPUs the job runs on."),
    works!("numa_mem_policy")
        .kind(OptionKind::WordWithArguments(MEMORY_POLICIES))
        .help("NUMA nodes that the job's memory comes from."),
    refused("lockmem", "a job does not squeeze the page cache; use `systemd-run --scope -p MemoryMax=...`")
        .kind(OptionKind::Bytes)
        .default("0")
        .help("Take so much memory away from the page cache."),
    works!("uid")
        .kind(OptionKind::Count { min: 0, max: ID_MAX })
        .help("Number of the user that the job runs as; needs root."),
    works!("gid")
        .kind(OptionKind::Count { min: 0, max: ID_MAX })
        .help("Number of the group that the job runs as; needs root."),
    refused("cgroup", CGROUP).help("Control group of the job."),
    refused("cgroup_weight", CGROUP)
        .kind(OptionKind::Count { min: 100, max: 1_000 })
        .help("Weight of that group."),
    refused("cgroup_nodelete", CGROUP).kind(OptionKind::Switch).default("0").help("Leave that group behind."),
    hint("comm", "the workers are threads with names of their own").help("Name of the job's processes."),
];
