//! The connection of a drive.

use cardiograph_core::drive::{Bus, Leaf, MmcLink, MmcTiming, PcieLane, UsbDriver, UsbLink};
use cardiograph_core::{Message, Parameter, message};

use crate::doc::Fact;

/// The bus, its ceiling, and what limits it.
pub(super) fn facts(leaf: &Leaf) -> Vec<Fact> {
    let Some(link) = &leaf.link else { return Vec::new() };
    let ceiling = link
        .ceiling_bytes_per_s
        .map(|rate| message!("link-ceiling", rate = Parameter::bytes_per_s(rate as f64)));
    let bus = Fact::from_phrases(message!("link-label.bus"), bus(&link.bus).into_iter().chain(ceiling));
    let bridge = match &link.bus {
        Bus::Usb(link) | Bus::Mmc(MmcLink { reader: Some(link), .. }) => usb_facts(link).into(),
        Bus::Pcie(_) | Bus::Sata(_) | Bus::Sas(_) | Bus::Mmc(_) | Bus::Fabric { .. } => Vec::new(),
    };
    let is_reduced = link.is_reduced() == Some(true);
    let speed = is_reduced.then(|| Fact::new(message!("link-label.speed"), message!("link-reduced")));
    let limit = Fact::from_phrases(message!("link-label.limit"), limits(&link.bus));
    bus.into_iter().chain(limit).chain(bridge.into_iter().flatten()).chain(speed).collect()
}

fn bus(bus: &Bus) -> Vec<Message> {
    let named = |name: &str, mbit_per_s: Option<u32>| {
        std::iter::once(Message::verbatim(name)).chain(mbit_per_s.map(rate)).collect::<Vec<_>>()
    };
    match bus {
        Bus::Pcie(link) => vec![link.now.map_or_else(|| Message::verbatim("PCIe"), lane)],
        Bus::Sata(link) => named("SATA", link.mbit_per_s),
        Bus::Sas(link) => {
            let lanes = link.mbit_per_s.filter(|_| link.lanes > 1);
            let lanes = lanes.map(|_| message!("link-lanes", lanes = link.lanes));
            named("SAS", link.mbit_per_s).into_iter().chain(lanes).collect()
        }
        Bus::Usb(link) => named("USB", link.mbit_per_s),
        Bus::Mmc(link) => mmc(link),
        Bus::Fabric { transport, address } => {
            let fabric = message!("link-fabric", transport);
            std::iter::once(fabric).chain(address.as_ref().map(Message::verbatim)).collect()
        }
    }
}

fn rate(mbit_per_s: u32) -> Message {
    match mbit_per_s {
        ..1_000 => message!("link-rate.mbit", rate = mbit_per_s),
        _ => message!("link-rate.gbit", rate = Parameter::number(f64::from(mbit_per_s) / 1_000.0)),
    }
}

fn lane(lane: PcieLane) -> Message {
    let [generation, lanes] = [lane.generation, lane.lanes].map(u32::from);
    message!("link-pcie", generation, lanes)
}

/// The maximum speeds of the two sides, if they differ from the current one.
fn limits(bus: &Bus) -> Vec<Message> {
    let drive_limit = |speed: Message| message!("link-limit.drive", speed);
    let sides = match bus {
        Bus::Pcie(link) => {
            let beyond = |max: Option<PcieLane>| max.filter(|max| link.now != Some(*max)).map(lane);
            let slot = beyond(link.slot_max).map(|speed| message!("link-limit.slot", speed));
            [beyond(link.drive_max).map(drive_limit), slot]
        }
        Bus::Sata(link) => {
            let beyond = |max: Option<u32>| max.filter(|max| link.mbit_per_s != Some(*max)).map(rate);
            let host = beyond(link.host_mbit_per_s_max).map(|speed| message!("link-limit.host", speed));
            [host, beyond(link.drive_mbit_per_s_max).map(drive_limit)]
        }
        Bus::Sas(link) => {
            let max = link.host_mbit_per_s_max.filter(|max| link.mbit_per_s != Some(*max)).map(rate);
            [max.map(|speed| message!("link-limit.controller", speed)), None]
        }
        Bus::Usb(_) | Bus::Mmc(_) | Bus::Fabric { .. } => [None, None],
    };
    sides.into_iter().flatten().collect()
}

/// The USB bridge and its driver.
fn usb_facts(link: &UsbLink) -> [Option<Fact>; 4] {
    let names = [&link.vendor, &link.product].into_iter().flatten().cloned();
    let ids = link.vendor_id.as_deref().zip(link.product_id.as_deref());
    let ids = ids.map(|(vendor, product)| format!("({vendor}:{product})"));
    let bridge = names.chain(ids).collect::<Vec<_>>().join(" ");
    let bridge = Some(bridge).filter(|bridge| !bridge.is_empty()).map(Message::verbatim);
    let units = link.units.filter(|&units| units > 1);
    let quirks = link.quirks.as_ref().map(|quirks| match quirks.contains('u') {
        true => message!("link-quirks-uas", quirks),
        false => Message::verbatim(quirks),
    });
    [
        Fact::from_phrases(message!("link-label.bridge"), bridge),
        Fact::from_phrases(
            message!("link-label.slots"),
            units.map(|units| message!("link-slots", slots = units)),
        ),
        Fact::from_phrases(message!("link-label.driver"), link.driver.as_ref().map(driver)),
        Fact::from_phrases(message!("link-label.quirks"), quirks),
    ]
}

fn driver(driver: &UsbDriver) -> Message {
    match driver {
        UsbDriver::Uas => message!("link-driver.uas"),
        UsbDriver::UsbStorage => message!("link-driver.usb-storage"),
        UsbDriver::Other(name) => Message::verbatim(name),
    }
}

fn mmc(link: &MmcLink) -> Vec<Message> {
    let timing = link.timing.map_or(message!("link-mmc"), |mmc_timing| Message::verbatim(timing(mmc_timing)));
    let lines = link.lines.map(|lines| message!("link-data-lines", lines = u32::from(lines)));
    let clock = link.clock_hz.map(|hz| message!("link-clock", mhz = Parameter::number(hz as f64 / 1e6)));
    [Some(timing), lines, clock].into_iter().flatten().collect()
}

/// Names in the standards.
fn timing(timing: MmcTiming) -> &'static str {
    match timing {
        MmcTiming::Legacy => "Default Speed",
        MmcTiming::MmcHighSpeed | MmcTiming::SdHighSpeed => "High Speed",
        MmcTiming::Sdr12 => "UHS-I SDR12",
        MmcTiming::Sdr25 => "UHS-I SDR25",
        MmcTiming::Sdr50 => "UHS-I SDR50",
        MmcTiming::Sdr104 => "UHS-I SDR104",
        MmcTiming::Ddr50 => "UHS-I DDR50",
        MmcTiming::Ddr52 => "DDR52",
        MmcTiming::Hs200 => "HS200",
        MmcTiming::Hs400 => "HS400",
        MmcTiming::Hs400EnhancedStrobe => "HS400 Enhanced Strobe",
        MmcTiming::UhsII => "UHS-II",
        MmcTiming::SdExpress => "SD Express",
    }
}
