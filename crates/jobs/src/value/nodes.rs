//! NUMA nodes and memory policies.

use cardiograph_core::message;
use cardiograph_core::workload::{MemoryPolicy, Nodes};

use super::{ValueError, parse_cpu_list, split_word};

/// The words of `numa_mem_policy`.
pub const MEMORY_POLICIES: &[&str] = &["default", "prefer", "bind", "interleave", "local"];
/// The highest node that a kernel can be built for.
pub const NODE_MAX: u64 = 1_023;

/// Parses `0`, `0,2-3` or `all`.
///
/// # Errors
/// For any other text.
pub fn parse_nodes(text: &str) -> Result<Nodes, ValueError> {
    if text.trim() == "all" {
        return Ok(Nodes::All);
    }
    let nodes = parse_cpu_list(text)?;
    match nodes.last() {
        Some(&last) if u64::from(last) > NODE_MAX => Err(ValueError::OutOfRange { min: 0, max: NODE_MAX }),
        _ => Ok(Nodes::Listed { nodes }),
    }
}

/// Parses `default`, `local`, `prefer:1`, `bind:0,2` or `interleave:all`.
///
/// # Errors
/// If the word is unknown, its nodes are missing, or it takes none.
pub fn parse_memory_policy(text: &str) -> Result<MemoryPolicy, ValueError> {
    let (word, nodes) = split_word(text.trim(), MEMORY_POLICIES)?;
    let given = nodes.filter(|nodes| !nodes.trim().is_empty());
    let wanted = || given.ok_or(ValueError::Said(message!("jobs-value.nodes-missing"))).and_then(parse_nodes);
    match word {
        "default" | "local" if nodes.is_some() => Err(message!("jobs-value.argument-unwanted").into()),
        "default" => Ok(MemoryPolicy::Default),
        "local" => Ok(MemoryPolicy::Local),
        "bind" => Ok(MemoryPolicy::Bind { nodes: wanted()? }),
        "interleave" => Ok(MemoryPolicy::Interleave { nodes: wanted()? }),
        _ => match wanted()? {
            Nodes::Listed { nodes } if nodes.len() == 1 => Ok(MemoryPolicy::Prefer { node: nodes[0] }),
            _ => Err(message!("jobs-value.not-one-node").into()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(nodes: &[u32]) -> Nodes {
        Nodes::Listed { nodes: nodes.to_vec() }
    }

    #[test]
    fn nodes_are_numbers_or_all() {
        assert_eq!(parse_nodes("all"), Ok(Nodes::All));
        assert_eq!(parse_nodes("1,0,4-6"), Ok(listed(&[0, 1, 4, 5, 6])));
        assert_eq!(parse_nodes("1023"), Ok(listed(&[1_023])));
        for text in ["", "x", "1024", "2-1", "-1", "!0", "+0", "0,"] {
            assert!(parse_nodes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn policies_have_their_nodes() {
        let cases = [
            ("default", Ok(MemoryPolicy::Default)),
            ("local", Ok(MemoryPolicy::Local)),
            ("prefer:1", Ok(MemoryPolicy::Prefer { node: 1 })),
            ("bind:0,2", Ok(MemoryPolicy::Bind { nodes: listed(&[0, 2]) })),
            ("interleave:all", Ok(MemoryPolicy::Interleave { nodes: Nodes::All })),
            ("prefer", Err(message!("jobs-value.nodes-missing").into())),
            ("bind", Err(message!("jobs-value.nodes-missing").into())),
            ("interleave:", Err(message!("jobs-value.nodes-missing").into())),
            ("prefer:0,1", Err(message!("jobs-value.not-one-node").into())),
            ("prefer:all", Err(message!("jobs-value.not-one-node").into())),
            ("local:0", Err(message!("jobs-value.argument-unwanted").into())),
            ("default:0", Err(message!("jobs-value.argument-unwanted").into())),
            ("fair:0", Err(ValueError::UnknownWord { allowed: MEMORY_POLICIES.to_vec() })),
            ("bind:x", Err(ValueError::NotANumber)),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_memory_policy(text), expected, "{text}");
        }
    }
}
