//! Equivalent fio commands.

use cardiograph_core::message;
use cardiograph_core::report::Report;

use crate::doc::Node;

/// All of them, in the order of the steps.
pub(super) fn section(report: &Report) -> Option<Node> {
    let commands: Vec<String> = report.steps.iter().flat_map(|step| step.fio_commands.clone()).collect();
    let nodes = (!commands.is_empty()).then_some(Node::Commands(commands));
    Node::section("commands", message!("commands-heading"), nodes.into_iter().collect())
}
