//! The connection of a drive, and its maximum speed.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

mod mmc;
mod pcie;
mod sas;
mod sata;
mod usb;

pub use mmc::{MmcLink, MmcSource, MmcTiming};
pub use pcie::{PcieLane, PcieLink};
pub use sas::SasLink;
pub use sata::SataLink;
pub use usb::{UsbDriver, UsbLink};

/// The connection between a drive and its host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Link {
    /// The bus and its state.
    pub bus: Bus,
    /// Maximum in bytes per second: the rate of the wire without its encoding. Protocols take a further tenth or
    /// more. `None` if the rate is unknown.
    pub ceiling_bytes_per_s: Option<u64>,
}

/// A drive's bus.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Bus {
    /// PCI Express.
    Pcie(PcieLink),
    /// SATA.
    Sata(SataLink),
    /// SAS.
    Sas(SasLink),
    /// USB.
    Usb(UsbLink),
    /// The bus of SD cards and eMMC.
    Mmc(MmcLink),
    /// A network, for NVMe over Fabrics.
    Fabric {
        /// The transport, such as `tcp` or `rdma`.
        transport: String,
        /// The address of the other side.
        address: Option<String>,
    },
}

impl Link {
    /// A link with the maximum of its bus.
    pub fn new(bus: Bus) -> Self {
        let ceiling_bytes_per_s = match &bus {
            Bus::Pcie(link) => link.now.and_then(PcieLane::bytes_per_s),
            Bus::Sata(link) => link.mbit_per_s.map(sata::bytes_per_s),
            Bus::Sas(link) => link.bytes_per_s(),
            Bus::Usb(link) => link.bytes_per_s(),
            Bus::Mmc(link) => link.bytes_per_s(),
            Bus::Fabric { .. } => None,
        };
        Self { bus, ceiling_bytes_per_s }
    }

    /// Whether the link runs below the maximum of both sides or, if only one side is known, below that. `None` if
    /// neither is known.
    pub fn is_reduced(&self) -> Option<bool> {
        match &self.bus {
            Bus::Pcie(link) => link.is_reduced(),
            Bus::Sata(link) => link.is_reduced(),
            Bus::Usb(link) => link.is_reduced(),
            // The SAS drive's own maximum is unknown.
            Bus::Sas(_) | Bus::Mmc(_) | Bus::Fabric { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_maximum_is_the_rate_without_its_encoding() {
        let pcie = |generation, lanes| {
            let now = Some(PcieLane { generation, lanes });
            Bus::Pcie(PcieLink { now, ..PcieLink::default() })
        };
        let sata = |rate| Bus::Sata(SataLink { mbit_per_s: Some(rate), ..SataLink::default() });
        let sas = |rate, lanes| Bus::Sas(SasLink { mbit_per_s: Some(rate), lanes, ..SasLink::default() });
        let usb = |rate| Bus::Usb(UsbLink { mbit_per_s: Some(rate), ..UsbLink::default() });
        let mmc = |timing, clock_hz, lines| {
            Bus::Mmc(MmcLink { timing: Some(timing), clock_hz, lines, ..MmcLink::default() })
        };
        let cases = [
            (pcie(1, 1), 250_000_000),
            (pcie(2, 1), 500_000_000),
            (pcie(3, 4), 3_938_461_538),
            (pcie(4, 4), 7_876_923_076),
            (pcie(5, 4), 15_753_846_153),
            (sata(1_500), 150_000_000),
            (sata(6_000), 600_000_000),
            (sas(6_000, 1), 600_000_000),
            (sas(12_000, 1), 1_200_000_000),
            (sas(12_000, 2), 2_400_000_000),
            (sas(22_500, 1), 2_400_000_000),
            (usb(12), 1_500_000),
            (usb(480), 60_000_000),
            (usb(5_000), 500_000_000),
            (usb(10_000), 1_212_121_212),
            (usb(20_000), 2_424_242_424),
            (mmc(MmcTiming::SdHighSpeed, None, None), 25_000_000),
            (mmc(MmcTiming::SdHighSpeed, Some(50_000_000), Some(4)), 25_000_000),
            // The Raspberry Pi's overclocked slot.
            (mmc(MmcTiming::SdHighSpeed, Some(100_000_000), Some(4)), 50_000_000),
            (mmc(MmcTiming::Ddr50, Some(50_000_000), Some(4)), 50_000_000),
            (mmc(MmcTiming::Sdr104, Some(200_000_000), Some(4)), 100_000_000),
            (mmc(MmcTiming::Sdr104, None, None), 104_000_000),
            (mmc(MmcTiming::Hs200, Some(187_500_000), Some(8)), 187_500_000),
            (mmc(MmcTiming::Hs400, Some(200_000_000), Some(8)), 400_000_000),
            // A card that is currently powered off has no clock.
            (mmc(MmcTiming::Sdr104, Some(0), Some(4)), 104_000_000),
        ];
        for (bus, bytes_per_s) in cases {
            assert_eq!(Link::new(bus.clone()).ceiling_bytes_per_s, Some(bytes_per_s), "{bus:?}");
        }
        for bus in [pcie(0, 4), pcie(7, 4), pcie(3, 0), Bus::Usb(UsbLink::default())] {
            assert_eq!(Link::new(bus.clone()).ceiling_bytes_per_s, None, "{bus:?}");
        }
        let huge = mmc(MmcTiming::Hs400, Some(u64::MAX), Some(u8::MAX));
        assert_eq!(Link::new(huge).ceiling_bytes_per_s, Some(u64::MAX / 8));
    }

    #[test]
    fn a_link_below_the_maximum_of_both_sides_is_reduced() {
        let lane = |generation, lanes| Some(PcieLane { generation, lanes });
        let pcie = |now, drive_max, slot_max| Link::new(Bus::Pcie(PcieLink { now, drive_max, slot_max }));
        let cases = [
            (pcie(lane(4, 4), lane(4, 4), lane(4, 4)), Some(false)),
            (pcie(lane(3, 4), lane(4, 4), lane(4, 4)), Some(true)),
            (pcie(lane(4, 2), lane(4, 4), lane(5, 16)), Some(true)),
            // The slot of a Raspberry Pi 5 has one lane: the link is at its maximum.
            (pcie(lane(2, 1), lane(3, 4), lane(2, 1)), Some(false)),
            (pcie(lane(2, 1), lane(3, 4), None), Some(true)),
            (pcie(lane(2, 1), None, None), None),
            (pcie(None, lane(3, 4), None), None),
        ];
        for (link, reduced) in cases {
            assert_eq!(link.is_reduced(), reduced, "{link:?}");
        }
        let sata = |now, host, drive| {
            let link = SataLink { mbit_per_s: now, host_mbit_per_s_max: host, drive_mbit_per_s_max: drive };
            Link::new(Bus::Sata(link)).is_reduced()
        };
        assert_eq!(sata(Some(3_000), Some(6_000), Some(6_000)), Some(true));
        assert_eq!(sata(Some(3_000), Some(3_000), Some(6_000)), Some(false));
        assert_eq!(sata(Some(3_000), None, Some(6_000)), Some(true));
        assert_eq!(sata(Some(6_000), None, None), None);
        let usb = |now, socket, version: &str| {
            let version = Some(version.to_string());
            let link = UsbLink { mbit_per_s: now, socket_mbit_per_s: socket, version, ..UsbLink::default() };
            Link::new(Bus::Usb(link)).is_reduced()
        };
        assert_eq!(usb(Some(5_000), Some(5_000), "3.20"), Some(false));
        assert_eq!(usb(Some(5_000), Some(10_000), "3.20"), None);
        // A USB 3 drive reports 2.10 over USB 2 wires.
        assert_eq!(usb(Some(480), Some(480), "2.10"), Some(true));
        assert_eq!(usb(Some(480), Some(480), "2.00"), Some(false));
        assert_eq!(usb(Some(12), Some(480), "2.00"), Some(true));
        assert_eq!(usb(Some(12), Some(12), "1.10"), Some(false));
        assert_eq!(usb(None, Some(480), "2.00"), None);
    }
}
