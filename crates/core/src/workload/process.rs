//! Process attributes of a job's threads.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// Processors for the workers of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Affinity {
    /// Processor numbers, ascending.
    pub cpus: Vec<u32>,
    /// Whether each worker gets one of them, in turn; otherwise all workers share them.
    pub is_split: bool,
}

/// A class of I/O priorities, with the kernel's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IoClass {
    /// Served before all others.
    Realtime = 1,
    /// The normal class.
    BestEffort = 2,
    /// Served when the drive is otherwise idle.
    Idle = 3,
}

/// I/O priority of a job. Drive schedulers respect it; not all drives have one that does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IoPriority {
    /// The class.
    pub class: IoClass,
    /// Level in the class, from 0 (highest) to 7.
    pub level: u8,
}

impl IoPriority {
    /// The kernel's number for it: the class in the upper three bits of sixteen, the level in the lower thirteen.
    pub const fn kernel_value(self) -> u16 {
        ((self.class as u16) << 13) | self.level as u16
    }
}

/// NUMA nodes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Nodes {
    /// All nodes of the machine.
    All,
    /// Some nodes.
    Listed {
        /// Their numbers, ascending.
        nodes: Vec<u32>,
    },
}

/// NUMA nodes of a worker's memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum MemoryPolicy {
    /// The system's default.
    Default,
    /// The node that the worker runs on.
    Local,
    /// One node, as long as it has free memory.
    Prefer {
        /// Its number.
        node: u32,
    },
    /// Only these nodes.
    Bind {
        /// The nodes.
        nodes: Nodes,
    },
    /// These nodes in turn.
    Interleave {
        /// The nodes.
        nodes: Nodes,
    },
}

/// NUMA placement of a job's workers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Placement {
    /// Nodes whose processors they run on; `None` leaves it to the system.
    pub cpu_nodes: Option<Nodes>,
    /// Nodes of their memory; `None` leaves it unchanged.
    pub memory: Option<MemoryPolicy>,
}

impl Placement {
    /// Explicitly requested nodes, for processors and for memory, with the option's name.
    pub fn wanted(&self) -> impl Iterator<Item = (&'static str, u32)> {
        let listed = |nodes: &Nodes| match nodes {
            Nodes::All => Vec::new(),
            Nodes::Listed { nodes } => nodes.clone(),
        };
        let of_memory = match &self.memory {
            Some(MemoryPolicy::Prefer { node }) => vec![*node],
            Some(MemoryPolicy::Bind { nodes } | MemoryPolicy::Interleave { nodes }) => listed(nodes),
            Some(MemoryPolicy::Default | MemoryPolicy::Local) | None => Vec::new(),
        };
        let of_cpus = self.cpu_nodes.as_ref().map(listed).unwrap_or_default();
        let named = |name: &'static str, nodes: Vec<u32>| nodes.into_iter().map(move |node| (name, node));
        named("numa_cpu_nodes", of_cpus).chain(named("numa_mem_policy", of_memory))
    }

    /// Whether anything is requested.
    pub const fn is_free(&self) -> bool {
        self.cpu_nodes.is_none() && self.memory.is_none()
    }
}

/// Commands to run before and after each clone of a job, outside the measurement.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobCommands {
    /// Before its first I/O.
    pub before: Option<String>,
    /// After its end.
    pub after: Option<String>,
}

impl JobCommands {
    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.before.is_none() && self.after.is_none()
    }
}
