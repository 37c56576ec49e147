//! Layers between file system and drive that cost, or cache.

use cardiograph_core::drive::{Layer, LayerKind};

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.leaves()?;
    let seen: Vec<String> = evidence.drive.layers.iter().filter_map(effect).collect();
    Ok((!seen.is_empty()).then(|| {
        Warning::note(
            seen.join("; "),
            "the figures are those of the whole stack; compare them with the same stack only",
        )
    }))
}

fn effect(layer: &Layer) -> Option<String> {
    let effect = match layer.kind {
        LayerKind::Partition => return None,
        LayerKind::Crypt => "encrypts, which the processor pays for",
        LayerKind::Md => "spreads or copies blocks over several drives",
        LayerKind::Loop => "is a file that plays a device, under a file system of its own",
        LayerKind::Lvm => "is a logical volume",
        _ => "stands in between",
    };
    Some(format!("device {} {effect}", layer.name))
}

#[cfg(test)]
mod tests {
    use super::super::bench::Scene;
    use super::*;
    use crate::trust::Weight;

    #[test]
    fn all_but_partitions_are_named() {
        let layer = |kind, name| Layer::new(kind, name, &[]);
        let mut scene = Scene::of_kind(cardiograph_core::drive::LeafKind::Nvme);
        scene.drive.layers = vec![layer(LayerKind::Partition, "nvme0n1p3")];
        assert!(scene.is_absent(look));
        scene.drive.layers.insert(0, layer(LayerKind::Crypt, "dm-1"));
        let warning = scene.warning(look);
        assert!(
            warning.seen.starts_with("device dm-1 encrypts") && warning.weight == Weight::Note,
            "{warning:?}"
        );
    }
}
