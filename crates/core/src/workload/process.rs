//! What the threads of a job are to the system.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// On which processors the workers of a job run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Affinity {
    /// Processor numbers, ascending.
    pub cpus: Vec<u32>,
    /// Whether each worker gets one of them, in turn; otherwise all workers share all of them.
    pub is_split: bool,
}

/// A class of I/O priorities, with the kernel's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IoClass {
    /// Served before all others.
    Realtime = 1,
    /// What everybody has.
    BestEffort = 2,
    /// Served when nobody else wants anything.
    Idle = 3,
}

/// The priority of a job's I/O among that of others. Schedulers of drives heed it; not all drives have one that does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IoPriority {
    /// The class.
    pub class: IoClass,
    /// Its place in the class, from 0 (the highest) to 7.
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
    /// All that the machine has.
    All,
    /// Some.
    Listed {
        /// Their numbers, ascending.
        nodes: Vec<u32>,
    },
}

/// Which NUMA nodes a worker's memory comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum MemoryPolicy {
    /// As the system does it.
    Default,
    /// From the node that the worker runs on.
    Local,
    /// From one node as long as that has any.
    Prefer {
        /// Its number.
        node: u32,
    },
    /// From these nodes only.
    Bind {
        /// The nodes.
        nodes: Nodes,
    },
    /// From these nodes in turn.
    Interleave {
        /// The nodes.
        nodes: Nodes,
    },
}

/// Where the workers of a job are in a machine with several NUMA nodes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Placement {
    /// Nodes on whose processors they run; `None` leaves it to the system.
    pub cpu_nodes: Option<Nodes>,
    /// Where their memory comes from; `None` leaves it as it is.
    pub memory: Option<MemoryPolicy>,
}

impl Placement {
    /// Nodes that are asked for by number, for processors and for memory, with the option's name.
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

    /// Whether anything is asked for.
    pub const fn is_free(&self) -> bool {
        self.cpu_nodes.is_none() && self.memory.is_none()
    }
}

/// Commands that run before and after each clone of a job. They are not part of the measurement.
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
