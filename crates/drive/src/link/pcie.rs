//! PCI Express, and NVMe over fabrics.

use std::path::Path;

use cardiograph_core::drive::{Bus, PcieLane, PcieLink};

use super::ancestors;
use crate::attribute;
use crate::block::BlockDevice;
use crate::system::System;

/// The link of an NVMe drive; of a multipath drive, that of the first path.
pub(super) fn read(system: &System, device: &BlockDevice) -> Option<Bus> {
    let paths = system.nvme_paths(device);
    let dir = paths.first().map_or(&device.dir, |path| &path.dir);
    let controller = dir.parent()?;
    let transport = attribute::text(&controller.join("transport"));
    if let Some(transport) = transport.filter(|transport| transport != "pcie") {
        let address = attribute::text(&controller.join("address"));
        return Some(Bus::Fabric { transport, address });
    }
    let function = ancestors(system, dir).find(|dir| dir.join("current_link_speed").exists())?;
    let link = PcieLink {
        now: lane(function, "current"),
        drive_max: lane(function, "max"),
        slot_max: function.parent().and_then(|port| lane(port, "max")),
    };
    (link != PcieLink::default()).then_some(Bus::Pcie(link))
}

/// Speed and width of a function, `current` or `max`. Functions without their own link report `Unknown` and 0
/// or 255.
fn lane(function: &Path, which: &str) -> Option<PcieLane> {
    let speed = attribute::text(&function.join(format!("{which}_link_speed")))?;
    let lanes = attribute::number(&function.join(format!("{which}_link_width")))?;
    let generation = match speed.split_whitespace().next()? {
        "2.5" => 1,
        "5" | "5.0" => 2,
        "8" | "8.0" => 3,
        "16" | "16.0" => 4,
        "32" | "32.0" => 5,
        "64" | "64.0" => 6,
        _ => return None,
    };
    // Links have up to 32 lanes (PCI Express Base Specification 5.0, 7.5.3.6).
    (1..=32).contains(&lanes).then_some(PcieLane { generation, lanes: lanes as u8 })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{LeafKind, Link};

    use super::*;
    use crate::fixture::{self, Fixture};

    fn link(fixture: &Fixture, name: &str) -> Option<Link> {
        let system = fixture.system();
        super::super::find(&system, &system.block_by_name(name).unwrap(), LeafKind::Nvme).0
    }

    #[test]
    fn drive_and_slot_report_their_maximum() {
        let lane = |generation, lanes| Some(PcieLane { generation, lanes });
        let link = link(&fixture::pi_nvme::machine(), "nvme0n1").unwrap();
        let expected = PcieLink { now: lane(2, 1), drive_max: lane(3, 4), slot_max: lane(2, 1) };
        assert_eq!(link.bus, Bus::Pcie(expected));
        assert_eq!((link.ceiling_bytes_per_s, link.is_reduced()), (Some(500_000_000), Some(false)));
    }

    #[test]
    fn speeds_of_all_kernel_versions_are_parsed() {
        let function = "pci0000:00/0000:00:01.0/0000:01:00.0";
        let cases = [
            ("2.5 GT/s PCIe", "4", Some((1, 4))),
            ("5 GT/s", "1", Some((2, 1))),
            ("8.0 GT/s PCIe", "4", Some((3, 4))),
            ("16.0 GT/s PCIe", "8", Some((4, 8))),
            ("32.0 GT/s PCIe", "16", Some((5, 16))),
            ("Unknown speed", "0", None),
            ("Unknown", "4", None),
            ("8.0 GT/s PCIe", "0", None),
            ("8.0 GT/s PCIe", "255", None),
        ];
        for (speed, width, expected) in cases {
            let fixture = Fixture::new();
            fixture.disk(&format!("{function}/nvme/nvme0"), "nvme0n1", "259:0", 8);
            fixture.file(&format!("sys/devices/{function}/current_link_speed"), format!("{speed}\n"));
            fixture.file(&format!("sys/devices/{function}/current_link_width"), format!("{width}\n"));
            let now = expected.map(|(generation, lanes)| PcieLane { generation, lanes });
            let bus = now.map(|_| Bus::Pcie(PcieLink { now, ..PcieLink::default() }));
            assert_eq!(link(&fixture, "nvme0n1").map(|link| link.bus), bus, "{speed} {width}");
        }
    }

    #[test]
    fn an_nvme_head_has_the_link_of_its_first_path() {
        let server = fixture::nvme_multipath();
        assert_eq!(link(&server, "nvme1n1"), None);
        server.file("sys/devices/pci0/current_link_speed", "8.0 GT/s PCIe\n");
        server.file("sys/devices/pci0/current_link_width", "2\n");
        assert_eq!(link(&server, "nvme1n1").unwrap().ceiling_bytes_per_s, Some(1_969_230_769));
        server.file("sys/devices/pci0/nvme/nvme1/transport", "tcp\n");
        server.file("sys/devices/pci0/nvme/nvme1/address", "traddr=192.168.2.1,trsvcid=4420\n");
        let fabric = Bus::Fabric {
            transport: "tcp".to_string(),
            address: Some("traddr=192.168.2.1,trsvcid=4420".to_string()),
        };
        let link = link(&server, "nvme1n1").unwrap();
        assert_eq!((link.bus, link.ceiling_bytes_per_s), (fabric, None));
    }
}
