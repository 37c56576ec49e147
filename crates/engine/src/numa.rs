//! NUMA nodes of the machine.

use std::path::Path;

use cardiograph_core::workload::Nodes;
use cardiograph_jobs::value::{parse_cpu_list, parse_nodes};

/// Sysfs directory of the nodes.
const NODES: &str = "/sys/devices/system/node";

/// Numbers of the online nodes; empty if the kernel has no NUMA support.
pub fn online() -> Vec<u32> {
    online_in(Path::new(NODES))
}

/// Processors of a node; none for a node with memory only.
pub fn cpus_of(node: u32) -> Vec<u32> {
    cpus_in(Path::new(NODES), node)
}

/// Resolves a node selection to numbers on this machine.
pub(crate) fn numbers(nodes: &Nodes) -> Vec<u32> {
    match nodes {
        Nodes::All => online(),
        Nodes::Listed { nodes } => nodes.clone(),
    }
}

fn online_in(root: &Path) -> Vec<u32> {
    match std::fs::read_to_string(root.join("online")).map(|text| parse_nodes(text.trim())) {
        Ok(Ok(Nodes::Listed { nodes })) => nodes,
        _ => Vec::new(),
    }
}

fn cpus_in(root: &Path, node: u32) -> Vec<u32> {
    let list = std::fs::read_to_string(root.join(format!("node{node}/cpulist"))).unwrap_or_default();
    parse_cpu_list(list.trim()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_and_their_processors_are_read() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path();
        assert_eq!((online_in(root), cpus_in(root, 0)), (vec![], vec![]));
        std::fs::write(root.join("online"), "0,2-3\n").unwrap();
        for (node, cpus) in [(0, "0-3,8\n"), (2, "\n")] {
            std::fs::create_dir(root.join(format!("node{node}"))).unwrap();
            std::fs::write(root.join(format!("node{node}/cpulist")), cpus).unwrap();
        }
        assert_eq!(online_in(root), [0, 2, 3]);
        assert_eq!(cpus_in(root, 0), [0, 1, 2, 3, 8]);
        assert!(cpus_in(root, 2).is_empty() && cpus_in(root, 3).is_empty());
    }

    #[test]
    fn a_list_of_nodes_is_used_unchanged() {
        assert_eq!(numbers(&Nodes::Listed { nodes: vec![7] }), [7]);
        assert_eq!(numbers(&Nodes::All), online());
    }
}
