//! Data that is not aligned to the drive's units.

use cardiograph_core::drive::UnitSource;
use cardiograph_core::{Message, Parameter, message};

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let known = &evidence.drive.alignments;
    known.first().ok_or_else(|| message!("trap-misaligned.unknown"))?;
    let off = known.iter().find(|alignment| !alignment.is_aligned);
    Ok(off.map(|off| {
        let (weight, unit): (fn(Message, Message) -> Warning, _) = match off.unit_source {
            UnitSource::AllocationUnit => (Warning::caution, message!("trap-misaligned.allocation-unit")),
            UnitSource::PreferredErase => (Warning::caution, message!("trap-misaligned.erase")),
            UnitSource::OptimalIo => (Warning::caution, message!("trap-misaligned.optimal")),
            UnitSource::Stripe => (Warning::caution, message!("trap-misaligned.stripe")),
            UnitSource::Convention => (Warning::note, message!("trap-misaligned.convention")),
        };
        let seen = message!(
            "trap-misaligned.seen",
            device = &off.device,
            on = &off.on,
            start = Parameter::Bytes(off.start_bytes),
            unit,
            length = Parameter::Bytes(off.unit_bytes)
        );
        weight(seen, message!("trap-misaligned.meaning"))
    }))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Alignment, LeafKind};

    use super::super::bench::Scene;
    use super::*;
    use crate::trust::Weight;

    #[test]
    fn a_partition_at_63_sectors_is_reported() {
        let scene = |start_bytes, unit| {
            let mut scene = Scene::with_kind(LeafKind::SdCard);
            scene.drive.alignments = vec![Alignment::new("mmcblk0p2", "mmcblk0", start_bytes, unit)];
            scene
        };
        let warning = scene(63 * 512, (4 << 20, UnitSource::AllocationUnit)).warning(look);
        assert_eq!(warning.weight, Weight::Caution);
        let seen = message!(
            "trap-misaligned.seen",
            device = "mmcblk0p2",
            on = "mmcblk0",
            start = Parameter::Bytes(63 * 512),
            unit = message!("trap-misaligned.allocation-unit"),
            length = Parameter::Bytes(4 << 20)
        );
        assert_eq!(warning.seen, [seen]);
        assert_eq!(scene(512, (1 << 20, UnitSource::Convention)).warning(look).weight, Weight::Note);
        assert!(scene(4 << 20, (4 << 20, UnitSource::AllocationUnit)).is_absent(look));
        assert!(Scene::with_kind(LeafKind::SdCard).is_not_seen(look));
    }
}
