//! SAS, from the ports shown by the kernel.

use std::path::Path;

use cardiograph_core::drive::SasLink;

use super::{ancestors, is_named};
use crate::attribute;
use crate::block::{self, BlockDevice};
use crate::system::System;

/// The link of a drive on SAS, or of a SATA drive on a SAS controller. `None` if the controller hides its
/// ports, as RAID controllers do.
pub(super) fn read(system: &System, device: &BlockDevice) -> Option<SasLink> {
    let end = ancestors(system, &device.dir).find(|dir| is_named(dir, "end_device-"))?;
    // The lanes of a port belong to the controller or expander above; the port has links to them.
    let port = end.parent().filter(|dir| is_named(dir, "port-"))?;
    let mut lanes: Vec<Lane> = block::entries(port).iter().filter_map(|link| lane(link)).collect();
    lanes.retain(|lane| lane.now.is_some());
    // A port runs its lanes at one rate; if they differ, the lowest is one that all reach.
    let slowest = lanes.iter().min_by_key(|lane| lane.now)?;
    Some(SasLink {
        mbit_per_s: slowest.now,
        host_mbit_per_s_max: slowest.max,
        lanes: lanes.len().try_into().ok()?,
    })
}

/// Rates of a lane, in Mbit/s.
struct Lane {
    now: Option<u32>,
    max: Option<u32>,
}

fn lane(link: &Path) -> Option<Lane> {
    let name = link.file_name().filter(|_| is_named(link, "phy-"))?;
    let dir = link.join("sas_phy").join(name);
    let rate = |attribute: &str| mbit_per_s(&attribute::text(&dir.join(attribute))?);
    // The second can be lowered by configuration, the first cannot.
    let max = rate("maximum_linkrate_hw").or_else(|| rate("maximum_linkrate"));
    Some(Lane { now: rate("negotiated_linkrate"), max })
}

/// Parses `12.0 Gbit`. Lanes without a link have words: `Unknown`, `Phy disabled`.
fn mbit_per_s(text: &str) -> Option<u32> {
    match text.strip_suffix(" Gbit")? {
        "1.5" => Some(1_500),
        "3.0" => Some(3_000),
        "6.0" => Some(6_000),
        "12.0" => Some(12_000),
        "22.5" => Some(22_500),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Bus, LeafKind};

    use super::*;
    use crate::fixture::Fixture;

    /// Paths as in <https://lore.kernel.org/linux-scsi/> (a message by Chen Xiang on hisi_sas has the path of
    /// a disk and that of an expander's lane), rates as written by `drivers/scsi/scsi_transport_sas.c`.
    const HOST: &str = "pci0000:74/0000:74:02.0/host0";

    fn lane(fixture: &Fixture, port: &str, above: &str, phy: &str, rates: (&str, &str)) {
        let dir = format!("sys/devices/{above}/{phy}/sas_phy/{phy}");
        fixture.file(&format!("{dir}/negotiated_linkrate"), format!("{}\n", rates.0));
        fixture.file(&format!("{dir}/maximum_linkrate_hw"), format!("{}\n", rates.1));
        fixture.link(&format!("sys/devices/{port}/{phy}"), format!("../{phy}"));
    }

    fn link(fixture: &Fixture) -> Option<Bus> {
        let system = fixture.system();
        let device = system.block_by_name("sda").unwrap();
        super::super::find(&system, &device, LeafKind::Scsi).0.map(|link| link.bus)
    }

    #[test]
    fn a_drive_on_a_controller_or_behind_an_expander_has_a_link() {
        let expander = format!("{HOST}/port-0:0/expander-0:0");
        let cases = [(HOST.to_string(), "0:1", "phy-0:1"), (expander, "0:0:10", "phy-0:0:10")];
        for (above, number, phy) in cases {
            let port = format!("{above}/port-{number}");
            let fixture = Fixture::new();
            fixture.disk(&format!("{port}/end_device-{number}/target0:0:0/0:0:0:0/block"), "sda", "8:0", 8);
            // A port without lanes, and lanes without a link, have no rate.
            assert_eq!(link(&fixture), None);
            lane(&fixture, &port, &above, phy, ("Unknown", "12.0 Gbit"));
            assert_eq!(link(&fixture), None);
            lane(&fixture, &port, &above, phy, ("6.0 Gbit", "12.0 Gbit"));
            let one = SasLink { mbit_per_s: Some(6_000), host_mbit_per_s_max: Some(12_000), lanes: 1 };
            assert_eq!(link(&fixture), Some(Bus::Sas(one)), "{phy}");
            lane(&fixture, &port, &above, &format!("{phy}1"), ("6.0 Gbit", "12.0 Gbit"));
            lane(&fixture, &port, &above, &format!("{phy}2"), ("Phy disabled", "12.0 Gbit"));
            assert_eq!(link(&fixture), Some(Bus::Sas(SasLink { lanes: 2, ..one })), "{phy}");
        }
    }

    #[test]
    fn a_volume_of_a_controller_has_no_port() {
        let fixture = Fixture::new();
        fixture.disk(&format!("{HOST}/target0:2:0/0:2:0:0/block"), "sda", "8:0", 8);
        assert_eq!(link(&fixture), None);
    }

    #[test]
    fn rates_are_parsed_from_the_kernels_words() {
        for (text, rate) in [
            ("1.5 Gbit", Some(1_500)),
            ("12.0 Gbit", Some(12_000)),
            ("22.5 Gbit", Some(22_500)),
            ("Unknown", None),
            ("Phy disabled", None),
            ("Link Rate failed", None),
            ("9.9 Gbit", None),
            ("6.0 Gbps", None),
            ("", None),
        ] {
            assert_eq!(mbit_per_s(text), rate, "{text}");
        }
    }
}
