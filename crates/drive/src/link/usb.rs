//! USB: the device nearest to a drive, its driver, and the hub above it.

use std::ffi::OsStr;
use std::path::Path;

use cardiograph_core::drive::{UsbDriver, UsbLink};

use super::{ancestors, is_named, link_name};
use crate::attribute;
use crate::block::{self, BlockDevice};
use crate::system::System;

/// The link of a USB drive. `None` for others.
pub(super) fn read(system: &System, device: &BlockDevice) -> Option<UsbLink> {
    // An interface is in the directory of its device and named after it: `2-1:1.0` in `2-1`. The hubs above
    // must not be used instead when the device has just been unplugged.
    let is_interface = |dir: &&Path| {
        let name = |dir: &Path| dir.file_name().and_then(OsStr::to_str).map(str::to_string);
        let (interface, device) = (name(dir), dir.parent().and_then(name));
        interface.zip(device).is_some_and(|(interface, device)| {
            interface.strip_prefix(&device).is_some_and(|rest| rest.starts_with(':'))
        })
    };
    ancestors(system, &device.dir).filter(is_interface).find_map(|interface| {
        let bridge = interface.parent().filter(|bridge| bridge.join("idVendor").exists())?;
        Some(describe(system, bridge, interface))
    })
}

fn describe(system: &System, bridge: &Path, interface: &Path) -> UsbLink {
    let text = |name: &str| attribute::text(&bridge.join(name));
    let (vendor_id, product_id) = (text("idVendor"), text("idProduct"));
    UsbLink {
        mbit_per_s: speed(bridge),
        socket_mbit_per_s: bridge.parent().and_then(speed),
        version: text("version"),
        driver: link_name(interface.join("driver")).map(|name| match name.as_str() {
            "uas" => UsbDriver::Uas,
            "usb-storage" => UsbDriver::UsbStorage,
            _ => UsbDriver::Other(name),
        }),
        units: units(interface),
        serial: text("serial"),
        quirks: quirks(system, vendor_id.as_deref(), product_id.as_deref()),
        vendor_id,
        product_id,
        vendor: text("manufacturer"),
        product: text("product"),
    }
}

/// Number of drives behind an interface, by the SCSI addresses `host:channel:target:unit` that the kernel
/// assigned. `None` if there are none, as for a card with its own protocol.
fn units(interface: &Path) -> Option<u32> {
    let below = |dir: &Path, prefix: &'static str| {
        block::entries(dir).into_iter().filter(move |dir| is_named(dir, prefix))
    };
    let hosts = below(interface, "host");
    let targets = hosts.flat_map(|host| below(&host, "target"));
    let units = targets.flat_map(|target| block::entries(&target)).filter(|unit| unit.join("block").exists());
    u32::try_from(units.count()).ok().filter(|&count| count > 0)
}

/// Speed of a device or hub, in Mbit/s, without the fraction of `1.5`.
fn speed(dir: &Path) -> Option<u32> {
    let speed = attribute::text(&dir.join("speed"))?;
    speed.split('.').next()?.parse().ok().filter(|&mbit_per_s| (1..=80_000).contains(&mbit_per_s))
}

/// Quirk flags for a device's ids in the kernel's list, such as `152d:0578:u`.
fn quirks(system: &System, vendor_id: Option<&str>, product_id: Option<&str>) -> Option<String> {
    let list = attribute::text(&system.under_root("sys/module/usb_storage/parameters/quirks"))?;
    let id = |text: &str| u16::from_str_radix(text.trim(), 16).ok();
    let ids = (id(vendor_id?)?, id(product_id?)?);
    list.split(',').find_map(|entry| {
        let mut parts = entry.splitn(3, ':');
        let entry_ids = (id(parts.next()?)?, id(parts.next()?)?);
        (entry_ids == ids).then(|| parts.next()).flatten().map(str::to_string)
    })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Bus, LeafKind, Link};

    use super::*;
    use crate::fixture::{self, Fixture};

    fn link(fixture: &Fixture, name: &str) -> Link {
        let system = fixture.system();
        super::super::find(&system, &system.block_by_name(name).unwrap(), LeafKind::Usb).0.unwrap()
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_string())
    }

    #[test]
    fn the_bridge_and_its_driver_are_named() {
        let pi = fixture::pi_usb_ssd::machine();
        let expected = UsbLink {
            mbit_per_s: Some(5_000),
            socket_mbit_per_s: Some(5_000),
            version: some("3.00"),
            driver: Some(UsbDriver::UsbStorage),
            vendor_id: some("152d"),
            product_id: some("0578"),
            vendor: some("JMicron"),
            product: some("JMS579"),
            units: Some(1),
            serial: some("191951815235"),
            quirks: None,
        };
        let found = link(&pi, "sda");
        assert_eq!(found.bus, Bus::Usb(expected));
        assert_eq!((found.ceiling_bytes_per_s, found.is_reduced()), (Some(500_000_000), Some(false)));
        let list = "sys/module/usb_storage/parameters/quirks";
        for (quirks, letters) in [
            ("152d:0578:u\n", some("u")),
            ("152D:578:u,0bc2:331a:u\n", some("u")),
            ("0bc2:331a:u,152d:0578:uf\n", some("uf")),
            ("0bc2:331a:u\n", None),
            ("152d:0578\n", None),
            ("\n", None),
        ] {
            pi.file(list, quirks);
            let Bus::Usb(bridge) = link(&pi, "sda").bus else { panic!("USB") };
            assert_eq!(bridge.quirks, letters, "{quirks}");
        }
    }

    #[test]
    fn a_drive_behind_a_hub_is_limited_by_the_hub() {
        let pi = fixture::pi_usb_ssd::machine();
        let hub = format!("sys/devices/{}", fixture::pi_usb_ssd::HUB);
        let drive = format!("{}/1-1.2/1-1.2:1.0/host1/target1:0:0/1:0:0:0/block", fixture::pi_usb_ssd::HUB);
        pi.disk(&drive, "sdb", "8:16", 8);
        for (file, value) in [("idVendor", "174c"), ("speed", "480"), ("version", " 2.10")] {
            pi.file(&format!("{hub}/1-1.2/{file}"), format!("{value}\n"));
        }
        pi.link(&format!("{hub}/1-1.2/1-1.2:1.0/driver"), "../../../../../bus/usb/drivers/uas");
        let found = link(&pi, "sdb");
        assert_eq!((found.ceiling_bytes_per_s, found.is_reduced()), (Some(60_000_000), Some(true)));
        let Bus::Usb(bridge) = found.bus else { panic!("USB") };
        assert_eq!((bridge.driver, bridge.socket_mbit_per_s), (Some(UsbDriver::Uas), Some(480)));
    }

    #[test]
    fn the_slots_of_a_reader_are_counted() {
        let pi = fixture::pi_usb_ssd::machine();
        let bridge = format!("{}/2-1:1.0/host0/target0:0:0", fixture::pi_usb_ssd::BRIDGE);
        for (unit, name) in [(1, "sdb"), (2, "sdc"), (3, "sdd")] {
            pi.disk(&format!("{bridge}/0:0:0:{unit}/block"), name, &format!("8:{}", unit * 16), 0);
        }
        // An enclosure's processor is not a drive.
        pi.file(&format!("sys/devices/{bridge}/0:0:0:4/type"), "13\n");
        let Bus::Usb(reader) = link(&pi, "sda").bus else { panic!("USB") };
        assert_eq!(reader.units, Some(4));
    }

    #[test]
    fn an_unplugged_drive_reports_nothing() {
        let pi = fixture::pi_usb_ssd::machine();
        let system = pi.system();
        let device = system.block_by_name("sda").unwrap();
        pi.remove(&format!("sys/devices/{}", fixture::pi_usb_ssd::BRIDGE));
        assert_eq!(super::super::find(&system, &device, LeafKind::Usb), (None, None));
    }
}
