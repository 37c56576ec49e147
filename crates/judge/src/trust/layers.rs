//! Layers between file system and drive that have overhead, or cache.

use cardiograph_core::drive::{Layer, LayerKind};
use cardiograph_core::{Message, message};

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.leaves()?;
    let seen: Vec<Message> = evidence.drive.layers.iter().filter_map(effect).collect();
    Ok((!seen.is_empty()).then(|| Warning::note(seen, message!("trap-layers.meaning"))))
}

fn effect(layer: &Layer) -> Option<Message> {
    let device = &layer.name;
    Some(match layer.kind {
        LayerKind::Partition => return None,
        LayerKind::Crypt => message!("trap-layers.crypt", device),
        LayerKind::Md => message!("trap-layers.md", device),
        LayerKind::Loop => message!("trap-layers.loop", device),
        LayerKind::Lvm => message!("trap-layers.lvm", device),
        _ => message!("trap-layers.other", device),
    })
}

#[cfg(test)]
mod tests {
    use super::super::bench::Scene;
    use super::*;
    use crate::trust::Weight;

    #[test]
    fn all_layers_except_partitions_are_named() {
        let layer = |kind, name| Layer::new(kind, name, &[]);
        let mut scene = Scene::with_kind(cardiograph_core::drive::LeafKind::Nvme);
        scene.drive.layers = vec![layer(LayerKind::Partition, "nvme0n1p3")];
        assert!(scene.is_absent(look));
        scene.drive.layers.insert(0, layer(LayerKind::Crypt, "dm-1"));
        let warning = scene.warning(look);
        assert_eq!(warning.weight, Weight::Note);
        assert_eq!(warning.seen, [message!("trap-layers.crypt", device = "dm-1")]);
    }
}
