//! A link that runs below what both ends can do.

use cardiograph_core::drive::{Bus, Link};

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.of_leaves("neither side tells what it can do", |leaf| {
        let link = leaf.link.as_ref()?;
        let ceiling = link.ceiling_bytes_per_s.map(|bytes| format!(", at most {} MB/s", bytes / 1_000_000));
        let seen = || format!("drive {}: {}{}", leaf.name, how(link), ceiling.unwrap_or_default());
        Some(link.is_reduced()?.then(|| Warning::caution(seen(), remedy(link))))
    })
}

fn how(link: &Link) -> String {
    match &link.bus {
        Bus::Pcie(pcie) => match (pcie.now, pcie.drive_max) {
            (Some(now), Some(max)) => format!(
                "PCIe {}.0 with {} lanes, and the drive can do {}.0 with {}",
                now.generation, now.lanes, max.generation, max.lanes
            ),
            _ => "PCIe below what it can do".to_string(),
        },
        Bus::Sata(_) => "SATA below what both sides can do".to_string(),
        Bus::Usb(_) => "USB below what the device can do".to_string(),
        Bus::Sas(_) | Bus::Mmc(_) | Bus::Fabric { .. } => "a link below what it can do".to_string(),
    }
}

fn remedy(link: &Link) -> &'static str {
    match &link.bus {
        Bus::Pcie(_) => {
            "try another slot, look for a loose contact, and for settings of power saving (ASPM) or of the firmware"
        }
        Bus::Usb(_) => {
            "try another cable and socket: a USB 3 drive needs a blue or SS socket and a cable with all wires"
        }
        _ => "try another cable and socket",
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Leaf, LeafKind, PcieLane, PcieLink, UsbLink};

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn a_drive_in_a_slow_slot_is_told() {
        let lane = |generation, lanes| Some(PcieLane { generation, lanes });
        let nvme = |now| {
            let bus = Bus::Pcie(PcieLink { now, drive_max: lane(4, 4), slot_max: lane(4, 4) });
            Scene::of(Leaf { name: "nvme0n1".to_string(), link: Some(Link::new(bus)), ..Leaf::default() })
        };
        assert!(
            nvme(lane(3, 2))
                .warning(look)
                .seen
                .contains("PCIe 3.0 with 2 lanes, and the drive can do 4.0 with 4")
        );
        assert!(nvme(lane(4, 4)).is_absent(look));
        let version = Some("2.10".to_string());
        let bus = Bus::Usb(UsbLink { mbit_per_s: Some(480), version, ..UsbLink::default() });
        let usb = Scene::of(Leaf { link: Some(Link::new(bus)), ..Leaf::default() });
        assert!(usb.warning(look).meaning.contains("cable"));
        assert!(Scene::of_kind(LeafKind::Sata).is_not_seen(look));
    }
}
