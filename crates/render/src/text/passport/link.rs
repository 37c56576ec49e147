//! What a drive is connected with.

use cardiograph_core::drive::{Bus, Leaf, MmcLink, MmcTiming, PcieLane, UsbDriver, UsbLink};
use cardiograph_core::units;

use super::Rows;
use crate::text::layout::{joined, plain};

/// The bus, its ceiling, and what stands in the way of more.
pub(super) fn rows(leaf: &Leaf, rows: &mut Rows) {
    let Some(link) = &leaf.link else { return };
    let ceiling = link
        .ceiling_bytes_per_s
        .map(|rate| format!(", at most {}", units::bandwidth_si(rate as f64)))
        .unwrap_or_default();
    rows.row("Bus", &format!("{}{ceiling}", bus(&link.bus)));
    match &link.bus {
        Bus::Pcie(link) => rows.row_of(
            "Bus limit",
            limit(link.now, &[("drive", link.drive_max), ("slot", link.slot_max)], lane),
        ),
        Bus::Sata(link) => {
            let sides = [("host", link.host_mbit_per_s_max), ("drive", link.drive_mbit_per_s_max)];
            rows.row_of("Bus limit", limit(link.mbit_per_s, &sides, bits));
        }
        Bus::Sas(link) => {
            let sides = [("controller or expander", link.host_mbit_per_s_max)];
            rows.row_of("Bus limit", limit(link.mbit_per_s, &sides, bits));
        }
        Bus::Usb(link) => of_usb(link, rows),
        Bus::Mmc(MmcLink { reader: Some(reader), .. }) => of_usb(reader, rows),
        Bus::Mmc(_) | Bus::Fabric { .. } => {}
    }
    if link.is_reduced() == Some(true) {
        rows.row("Bus speed", "lower than it could be: it bounds every figure");
    }
}

fn bus(bus: &Bus) -> String {
    let named = |name: &str, rate: Option<u32>| match rate {
        Some(rate) => format!("{name}, {}", bits(rate)),
        None => name.to_string(),
    };
    match bus {
        Bus::Pcie(link) => link.now.map_or_else(|| "PCIe".to_string(), lane),
        Bus::Sata(link) => named("SATA", link.mbit_per_s),
        Bus::Sas(link) => {
            let lanes = link.mbit_per_s.filter(|_| link.lanes > 1).map(|_| format!(", {} lanes", link.lanes));
            named("SAS", link.mbit_per_s) + &lanes.unwrap_or_default()
        }
        Bus::Usb(link) => named("USB", link.mbit_per_s),
        Bus::Mmc(link) => mmc(link),
        Bus::Fabric { transport, address } => {
            let address = address.as_deref().map(|address| format!(", {}", plain(address)));
            format!("NVMe over {}{}", plain(transport), address.unwrap_or_default())
        }
    }
}

/// A rate in Mbit/s or Gbit/s.
fn bits(mbit_per_s: u32) -> String {
    units::bit_rate(u64::from(mbit_per_s) * 1_000_000)
}

fn lane(lane: PcieLane) -> String {
    let lanes = if lane.lanes == 1 { "lane" } else { "lanes" };
    format!("PCIe {}.0, {} {lanes}", lane.generation, lane.lanes)
}

/// What the two sides can do, where that is not what they do now.
fn limit<R: Copy + PartialEq>(
    now: Option<R>,
    sides: &[(&str, Option<R>)],
    words: fn(R) -> String,
) -> Option<String> {
    let side = |&(name, max): &(&str, Option<R>)| {
        let max = max.filter(|max| now != Some(*max))?;
        Some(format!("the {name} can do {}", words(max)))
    };
    joined(sides.iter().map(side), "; ")
}

/// The bridge, and how it is spoken to.
fn of_usb(link: &UsbLink, rows: &mut Rows) {
    let names = [&link.vendor, &link.product].into_iter().flatten().map(|name| plain(name));
    let ids = link.vendor_id.as_deref().zip(link.product_id.as_deref());
    let ids = ids.map(|(vendor, product)| format!("({}:{})", plain(vendor), plain(product)));
    rows.row_of("Bridge", joined([names.chain(ids)], " "));
    let units = link.units.filter(|&units| units > 1);
    rows.row_of("Slots", units.map(|units| format!("{units} drives or slots behind one bridge")));
    rows.row_of("Driver", link.driver.as_ref().map(driver));
    if let Some(quirks) = &link.quirks {
        let uas = if quirks.contains('u') { ", of which u forbids uas" } else { "" };
        rows.row("Quirks", &format!("the kernel was told {}{uas}", plain(quirks)));
    }
}

fn driver(driver: &UsbDriver) -> String {
    match driver {
        UsbDriver::Uas => "uas: many commands at a time".to_string(),
        UsbDriver::UsbStorage => "usb-storage: one command at a time".to_string(),
        UsbDriver::Other(name) => plain(name),
    }
}

fn mmc(link: &MmcLink) -> String {
    let lines = link.lines.map(|lines| format!(", {lines} {}", if lines == 1 { "line" } else { "lines" }));
    let clock = link.clock_hz.map(|hz| format!(" at {} MHz", units::number(hz as f64 / 1e6)));
    let timing = link.timing.map_or("SD or eMMC", timing);
    format!("{timing}{}{}", lines.unwrap_or_default(), clock.unwrap_or_default())
}

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
        MmcTiming::Hs400EnhancedStrobe => "HS400 with enhanced strobe",
        MmcTiming::UhsII => "UHS-II",
        MmcTiming::SdExpress => "SD Express",
    }
}
