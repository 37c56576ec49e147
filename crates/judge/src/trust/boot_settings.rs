//! A Raspberry Pi whose boot files change the buses of drives.

use cardiograph_core::drive::{BootEffect, BootSetting};
use cardiograph_core::drive::{Bus, LeafKind};
use cardiograph_core::{Message, message};

use super::{Evidence, Found, Warning};

/// The generation for which the port of a Raspberry Pi 5 is certified (Raspberry Pi documentation, "PCIe Gen 3.0").
const PCIE_GENERATION_CERTIFIED: u64 = 2;

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let Some(pi) = evidence.raspberry_pi()? else { return Ok(None) };
    let seen: Vec<Message> = pi.settings.iter().filter_map(|setting| concern(evidence, setting)).collect();
    Ok((!seen.is_empty()).then(|| Warning::note(seen, message!("trap-boot-settings.meaning"))))
}

fn concern(evidence: &Evidence<'_>, setting: &BootSetting) -> Option<Message> {
    let is_pcie = evidence.drive.leaves.iter().any(|leaf| {
        leaf.kind == LeafKind::Nvme || leaf.link.as_ref().is_some_and(|link| matches!(link.bus, Bus::Pcie(_)))
    });
    let (file, line) = (&setting.file, setting.line);
    match setting.effect {
        BootEffect::SdOverclockMhz(mhz) if evidence.leaf_of_kind(LeafKind::SdCard).is_some() => {
            Some(message!("trap-boot-settings.card", mhz, file, line))
        }
        BootEffect::PcieGeneration(generation) if is_pcie && generation > PCIE_GENERATION_CERTIFIED => {
            Some(message!("trap-boot-settings.pcie", generation, file, line))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::RaspberryPi;

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn settings_of_this_drive_are_reported() {
        let scene = |kind, effect| {
            let mut scene = Scene::with_kind(kind);
            scene.host.kernel = Some("Linux 6.12".to_string());
            let setting = BootSetting {
                effect,
                file: "/boot/firmware/config.txt".to_string(),
                line: 7,
                condition: None,
            };
            scene.host.raspberry_pi = Some(RaspberryPi { settings: vec![setting], ..RaspberryPi::default() });
            scene
        };
        let overclocked = scene(LeafKind::SdCard, BootEffect::SdOverclockMhz(100)).warning(look);
        let file = "/boot/firmware/config.txt";
        let expected = message!("trap-boot-settings.card", mhz = 100_u32, file, line = 7_u32);
        assert_eq!(overclocked.seen, [expected]);
        let uncertified = scene(LeafKind::Nvme, BootEffect::PcieGeneration(3)).warning(look);
        let expected = message!("trap-boot-settings.pcie", generation = 3_u32, file, line = 7_u32);
        assert_eq!(uncertified.seen, [expected]);
        assert!(scene(LeafKind::Nvme, BootEffect::PcieGeneration(2)).is_absent(look));
        assert!(scene(LeafKind::Nvme, BootEffect::SdOverclockMhz(100)).is_absent(look));
        assert!(Scene::default().is_not_seen(look));
    }
}
