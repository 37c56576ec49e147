//! CPUs, priorities, memory and users.

use super::row::rows;
use crate::value::MEMORY_POLICIES;
use cardiograph_core::{Message, message};

const CGROUP: &Message = &message!("jobs-option.cgroup");
/// Largest user or group id: the next one means none.
const ID_MAX: u64 = u32::MAX as u64 - 1;

rows! {
    "CPUs, priorities and users";
    works "cpus_allowed": CpuList, "", "CPUs that the job's threads run on.";
    works "cpumask": COUNT, "", "The same as a mask of bits.";
    works "cpus_allowed_policy": Word(&["shared", "split"]), "shared",
        "Whether clones share these CPUs or get one each.";
    works "nice": SignedCount { min: -20, max: 19 }, "0", "Niceness of the job's threads.";
    works "prio": Count { min: 0, max: 7 }, "",
        "Priority of the job's I/O within its class; 0 is the highest.";
    works "prioclass": Count { min: 0, max: 3 }, "",
        "Class of that priority: 1 realtime, 2 best effort (as is 0), 3 idle.";
    refused(&message!("jobs-option.priohint")) "priohint":
        Count { min: 0, max: 1_023 }, "0", "Hint of that priority.";
    works "ioscheduler": Text, "",
        "I/O scheduler of the drive while the jobs run; always restored afterwards. Needs root.";
    works "numa_cpu_nodes": NodeList, "", "NUMA nodes whose CPUs the job runs on.";
    works "numa_mem_policy": WordWithArguments(MEMORY_POLICIES), "",
        "NUMA nodes that the job's memory comes from.";
    refused(&message!("jobs-option.lockmem")) "lockmem":
        Bytes, "0", "Take so much memory away from the page cache.";
    works "uid": Count { min: 0, max: ID_MAX }, "", "ID of the user that the job runs as; needs root.";
    works "gid": Count { min: 0, max: ID_MAX }, "", "ID of the group that the job runs as; needs root.";
    refused(CGROUP) "cgroup": Text, "", "Control group of the job.";
    refused(CGROUP) "cgroup_weight": Count { min: 100, max: 1_000 }, "", "Weight of that group.";
    refused(CGROUP) "cgroup_nodelete": Switch, "0", "Leave that group behind.";
    hint(&message!("jobs-hint.comm")) "comm": Text, "", "Name of the job's processes.";
}
