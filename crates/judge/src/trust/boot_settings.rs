//! A Raspberry Pi whose boot files change the buses of drives.

use cardiograph_core::drive::{BootEffect, BootSetting};
use cardiograph_core::drive::{Bus, LeafKind};

use super::{Evidence, Found, Warning};

/// The generation for which the port of a Raspberry Pi 5 is certified (Raspberry Pi documentation, "PCIe Gen 3.0").
const PCIE_GENERATION_CERTIFIED: u64 = 2;

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let Some(pi) = evidence.raspberry_pi()? else { return Ok(None) };
    let seen: Vec<String> = pi.settings.iter().filter_map(|setting| concerns(evidence, setting)).collect();
    Ok((!seen.is_empty()).then(|| {
        Warning::note(
            seen.join("; "),
            "the figures are not those of a board as it is sold; errors and wrong data are more likely, and the kernel's log shows them",
        )
    }))
}

fn concerns(evidence: &Evidence<'_>, setting: &BootSetting) -> Option<String> {
    let is_pcie = evidence.drive.leaves.iter().any(|leaf| {
        leaf.kind == LeafKind::Nvme || leaf.link.as_ref().is_some_and(|link| matches!(link.bus, Bus::Pcie(_)))
    });
    let what = match setting.effect {
        BootEffect::SdOverclockMhz(mhz) if evidence.leaf_of_kind(LeafKind::SdCard).is_some() => {
            format!("the card's bus is set to {mhz} MHz in place of 50")
        }
        BootEffect::PcieGeneration(generation) if is_pcie && generation > PCIE_GENERATION_CERTIFIED => {
            format!("PCIe is set to generation {generation}, for which the board is not certified")
        }
        _ => return None,
    };
    Some(format!("{what} ({}, line {})", setting.file, setting.line))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::RaspberryPi;

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn what_concerns_this_drive_is_told() {
        let scene = |kind, effect| {
            let mut scene = Scene::of_kind(kind);
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
        assert!(
            overclocked.seen.contains("100 MHz") && overclocked.seen.contains("config.txt, line 7"),
            "{overclocked:?}"
        );
        assert!(
            scene(LeafKind::Nvme, BootEffect::PcieGeneration(3)).warning(look).seen.contains("generation 3")
        );
        assert!(scene(LeafKind::Nvme, BootEffect::PcieGeneration(2)).is_absent(look));
        assert!(scene(LeafKind::Nvme, BootEffect::SdOverclockMhz(100)).is_absent(look));
        assert!(Scene::default().is_not_seen(look));
    }
}
