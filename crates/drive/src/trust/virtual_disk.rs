//! Disks of virtual machines and clouds.

use cardiograph_core::drive::LeafKind;
use cardiograph_core::trust::{TrapOutcome, Weight};

use super::{Evidence, Trap};

pub(super) const TRAP: Trap =
    Trap { name: "virtual_disk", title: "a disk that a host or a cloud provides", look };

fn look(evidence: &Evidence<'_>) -> TrapOutcome {
    if evidence.drive.leaves.is_empty() {
        return TrapOutcome::not_seen("no drive can be seen under the path");
    }
    let Some(leaf) = evidence.leaf_of_kind(LeafKind::Virtual) else { return TrapOutcome::Absent };
    TrapOutcome::present(
        Weight::Caution,
        format!("disk {} is one of a virtual machine", leaf.name),
        "the host's caches, limits, bursts and other guests stand between: figures change with the hour, and are the volume's, \
         not a drive's; measure for long, and again at other times",
    )
}

#[cfg(test)]
mod tests {
    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn virtual_disks_are_named() {
        assert!(
            Scene::of_kind(LeafKind::Virtual)
                .warning(&TRAP)
                .seen
                .contains("disk sda is one of a virtual machine")
        );
        assert!(Scene::of_kind(LeafKind::Nvme).is_absent(&TRAP));
    }
}
