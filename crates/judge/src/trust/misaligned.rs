//! Data that begins between two units of the drive.

use cardiograph_core::drive::UnitSource;

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let known = &evidence.drive.alignments;
    known.first().ok_or("it is not known where the data begins")?;
    let off = known.iter().find(|alignment| !alignment.is_aligned);
    Ok(off.map(|off| {
        let (weight, unit): (fn(_, _) -> _, _) = match off.unit_source {
            UnitSource::AllocationUnit => (Warning::caution, "the card's allocation unit"),
            UnitSource::PreferredErase => (Warning::caution, "what is erased at once"),
            UnitSource::OptimalIo => (Warning::caution, "the unit that the drive asks for"),
            UnitSource::Stripe => (Warning::caution, "the set's stripe"),
            UnitSource::Convention => (Warning::note, "the customary unit"),
        };
        weight(
            format!(
                "device {} begins on {} at {} KiB, which is no multiple of {unit}, {} KiB",
                off.device,
                off.on,
                off.start_bytes / 1_024,
                off.unit_bytes / 1_024
            ),
            "writes of whole units touch one unit more than they must; a partition that begins at a multiple avoids that",
        )
    }))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Alignment, LeafKind};

    use super::super::bench::Scene;
    use super::*;
    use crate::trust::Weight;

    #[test]
    fn a_partition_at_63_sectors_is_told() {
        let scene = |start_bytes, unit| {
            let mut scene = Scene::of_kind(LeafKind::SdCard);
            scene.drive.alignments = vec![Alignment::new("mmcblk0p2", "mmcblk0", start_bytes, unit)];
            scene
        };
        let warning = scene(63 * 512, (4 << 20, UnitSource::AllocationUnit)).warning(look);
        assert!(warning.seen.contains("at 31 KiB") && warning.weight == Weight::Caution, "{warning:?}");
        assert_eq!(scene(512, (1 << 20, UnitSource::Convention)).warning(look).weight, Weight::Note);
        assert!(scene(4 << 20, (4 << 20, UnitSource::AllocationUnit)).is_absent(look));
        assert!(Scene::of_kind(LeafKind::SdCard).is_not_seen(look));
    }
}
