//! Disks of virtual machines and clouds.

use cardiograph_core::drive::{Leaf, LeafKind};

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let is_virtual = |leaf: &&Leaf| leaf.virtual_disk.is_some() || leaf.kind == LeafKind::Virtual;
    let Some(leaf) = evidence.leaves()?.iter().find(is_virtual) else { return Ok(None) };
    let named = leaf.virtual_disk.as_ref().map(|disk| format!(", {}", disk.product));
    let is_local = leaf.virtual_disk.as_ref().and_then(|disk| disk.is_local);
    Ok(Some(Warning::caution(
        format!("disk {} is one of a virtual machine{}", leaf.name, named.unwrap_or_default()),
        match is_local {
            Some(false) => {
                "a network, limits, credits for bursts and neighbours stand between, and a volume made from a snapshot is slow \
                 when a block is first read: measure for long, and again at other hours"
            }
            _ => {
                "the host's caches, limits, bursts and other guests stand between: figures change with the hour, and are the \
                 volume's, not a drive's; measure for long, and again at other hours"
            }
        },
    )))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Provider, VirtualDisk};

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn virtual_disks_are_named() {
        assert!(
            Scene::of_kind(LeafKind::Virtual)
                .warning(look)
                .seen
                .contains("disk sda is one of a virtual machine")
        );
        assert!(Scene::of_kind(LeafKind::Nvme).is_absent(look));
        let disk = VirtualDisk {
            provider: Some(Provider::Amazon),
            product: "Elastic Block Store".to_string(),
            volume: None,
            is_local: Some(false),
        };
        let cloud = Leaf { kind: LeafKind::Nvme, virtual_disk: Some(disk), ..Leaf::default() };
        let warning = Scene::of(cloud).warning(look);
        assert!(
            warning.seen.ends_with("Elastic Block Store") && warning.meaning.contains("snapshot"),
            "{warning:?}"
        );
    }
}
