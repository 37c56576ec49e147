//! A link below the maximum of both ends.

use cardiograph_core::drive::{Bus, Link, PcieLink};
use cardiograph_core::{Message, Parameter, message};

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.check_leaves(message!("trap-reduced-link.unknown"), |leaf| {
        let link = leaf.link.as_ref()?;
        let carried = link.ceiling_bytes_per_s.map(|bytes_per_s| {
            message!("trap-reduced-link.carried", carried = Parameter::bytes_per_s(bytes_per_s as f64))
        });
        let seen: Vec<Message> = std::iter::once(below(&leaf.name, link)).chain(carried).collect();
        Some(link.is_reduced()?.then(|| Warning::caution(seen, remedy(link))))
    })
}

fn below(drive: &str, link: &Link) -> Message {
    match &link.bus {
        Bus::Pcie(PcieLink { now: Some(now), drive_max: Some(max), .. }) => message!(
            "trap-reduced-link.pcie",
            drive,
            generation = now.generation,
            lanes = now.lanes,
            generation_max = max.generation,
            lanes_max = max.lanes
        ),
        Bus::Pcie(_) => message!("trap-reduced-link.pcie-below", drive),
        Bus::Sata(_) => message!("trap-reduced-link.sata", drive),
        Bus::Usb(_) => message!("trap-reduced-link.usb", drive),
        Bus::Sas(_) | Bus::Mmc(_) | Bus::Fabric { .. } => message!("trap-reduced-link.other", drive),
    }
}

const fn remedy(link: &Link) -> Message {
    match &link.bus {
        Bus::Pcie(_) => message!("trap-reduced-link.meaning-pcie"),
        Bus::Usb(_) => message!("trap-reduced-link.meaning-usb"),
        _ => message!("trap-reduced-link.meaning"),
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Leaf, LeafKind, PcieLane, UsbLink};

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn a_drive_in_a_slow_slot_is_reported() {
        let lane = |generation, lanes| Some(PcieLane { generation, lanes });
        let nvme = |now| {
            let bus = Bus::Pcie(PcieLink { now, drive_max: lane(4, 4), slot_max: lane(4, 4) });
            Scene::from_leaf(Leaf {
                name: "nvme0n1".to_string(),
                link: Some(Link::new(bus)),
                ..Leaf::default()
            })
        };
        let reduced = nvme(lane(3, 2)).warning(look);
        let seen = message!(
            "trap-reduced-link.pcie",
            drive = "nvme0n1",
            generation = 3_u32,
            lanes = 2_u32,
            generation_max = 4_u32,
            lanes_max = 4_u32
        );
        assert_eq!(reduced.seen[0], seen);
        assert!(nvme(lane(4, 4)).is_absent(look));
        let version = Some("2.10".to_string());
        let bus = Bus::Usb(UsbLink { mbit_per_s: Some(480), version, ..UsbLink::default() });
        let usb = Scene::from_leaf(Leaf { link: Some(Link::new(bus)), ..Leaf::default() });
        assert_eq!(usb.warning(look).meaning, [message!("trap-reduced-link.meaning-usb")]);
        assert!(Scene::with_kind(LeafKind::Sata).is_not_seen(look));
    }
}
