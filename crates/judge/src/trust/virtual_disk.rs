//! Disks of virtual machines and clouds.

use cardiograph_core::drive::{Leaf, LeafKind};
use cardiograph_core::message;

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let is_virtual = |leaf: &&Leaf| leaf.virtual_disk.is_some() || leaf.kind == LeafKind::Virtual;
    let Some(leaf) = evidence.leaves()?.iter().find(is_virtual) else { return Ok(None) };
    let seen = match &leaf.virtual_disk {
        Some(disk) => message!("trap-virtual-disk.product", drive = &leaf.name, product = &disk.product),
        None => message!("trap-virtual-disk.seen", drive = &leaf.name),
    };
    let meaning = match leaf.virtual_disk.as_ref().and_then(|disk| disk.is_local) {
        Some(false) => message!("trap-virtual-disk.meaning-network"),
        _ => message!("trap-virtual-disk.meaning"),
    };
    Ok(Some(Warning::caution(seen, meaning)))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Provider, VirtualDisk};

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn virtual_disks_are_named() {
        let guest = Scene::with_kind(LeafKind::Virtual).warning(look);
        assert_eq!(guest.seen, [message!("trap-virtual-disk.seen", drive = "sda")]);
        assert!(Scene::with_kind(LeafKind::Nvme).is_absent(look));
        let disk = VirtualDisk {
            provider: Some(Provider::Amazon),
            product: "Elastic Block Store".to_string(),
            volume: None,
            is_local: Some(false),
        };
        let cloud = Leaf { kind: LeafKind::Nvme, virtual_disk: Some(disk), ..Leaf::default() };
        let warning = Scene::from_leaf(cloud).warning(look);
        let seen = message!("trap-virtual-disk.product", drive = "sda", product = "Elastic Block Store");
        assert_eq!(warning.seen, [seen]);
        assert_eq!(warning.meaning, [message!("trap-virtual-disk.meaning-network")]);
    }
}
