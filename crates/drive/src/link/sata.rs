//! SATA links in libata's sysfs.

use std::ffi::OsStr;
use std::path::Path;

use cardiograph_core::drive::SataLink;

use super::ancestors;
use crate::attribute;
use crate::block::BlockDevice;
use crate::system::System;

/// The link of a SATA drive.
pub(super) fn read(system: &System, device: &BlockDevice) -> Option<SataLink> {
    let named = |dir: &&Path, prefix: &str| {
        let name = dir.file_name().and_then(OsStr::to_str);
        name.and_then(|name| name.strip_prefix(prefix)).is_some_and(attribute::is_number)
    };
    let port = ancestors(system, &device.dir).find(|dir| named(dir, "ata"))?;
    let number = port.file_name()?.to_str()?.strip_prefix("ata")?;
    // Behind a port multiplier each drive has its own link, numbered as the SCSI channel.
    let channel = ancestors(system, &device.dir)
        .find_map(|dir| dir.file_name()?.to_str()?.strip_prefix("target")?.split(':').nth(1));
    let multiplied = channel.map(|channel| format!("link{number}.{channel}"));
    let link = multiplied
        .into_iter()
        .chain([format!("link{number}")])
        .map(|name| port.join(&name).join("ata_link").join(&name))
        .find(|dir| dir.join("sata_spd").exists())?;
    let speed = |name: &str| attribute::text(&link.join(name)).and_then(|text| mbit_per_s(&text));
    Some(SataLink {
        mbit_per_s: speed("sata_spd"),
        // The second is lowered after errors, the first is not.
        host_mbit_per_s_max: speed("hw_sata_spd_limit").or_else(|| speed("sata_spd_limit")),
        drive_mbit_per_s_max: None,
    })
}

/// Parses `6.0 Gbps`; `<unknown>` means no link or no limit.
fn mbit_per_s(text: &str) -> Option<u32> {
    match text.strip_suffix(" Gbps")? {
        "1.5" => Some(1_500),
        "3.0" => Some(3_000),
        "6.0" => Some(6_000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Bus, LeafKind};

    use super::*;
    use crate::fixture::Fixture;

    #[test]
    fn the_link_of_the_port_is_read() {
        let port = "pci0000:00/0000:00:17.0/ata3";
        let disk = |channel: u32| format!("{port}/host2/target2:{channel}:0/2:{channel}:0:0/block");
        let cases = [
            // (channel, link, now, hardware limit, current limit, expected)
            (0, "link3", "6.0 Gbps", "6.0 Gbps", "6.0 Gbps", (Some(6_000), Some(6_000))),
            (0, "link3", "3.0 Gbps", "6.0 Gbps", "3.0 Gbps", (Some(3_000), Some(6_000))),
            (0, "link3", "6.0 Gbps", "<unknown>", "6.0 Gbps", (Some(6_000), Some(6_000))),
            (0, "link3", "6.0 Gbps", "<unknown>", "<unknown>", (Some(6_000), None)),
            (0, "link3", "<unknown>", "<unknown>", "<unknown>", (None, None)),
            (2, "link3.2", "3.0 Gbps", "3.0 Gbps", "3.0 Gbps", (Some(3_000), Some(3_000))),
            (2, "link3", "1.5 Gbps", "3.0 Gbps", "3.0 Gbps", (Some(1_500), Some(3_000))),
        ];
        for (channel, name, now, hardware, limit, (mbit_per_s, host_mbit_per_s_max)) in cases {
            let fixture = Fixture::new();
            fixture.disk(&disk(channel), "sda", "8:0", 8);
            let dir = format!("sys/devices/{port}/{name}/ata_link/{name}");
            for (file, value) in
                [("sata_spd", now), ("hw_sata_spd_limit", hardware), ("sata_spd_limit", limit)]
            {
                fixture.file(&format!("{dir}/{file}"), format!("{value}\n"));
            }
            let system = fixture.system();
            let device = system.block_by_name("sda").unwrap();
            let link = super::super::find(&system, &device, LeafKind::Sata).0.unwrap();
            let expected = SataLink { mbit_per_s, host_mbit_per_s_max, drive_mbit_per_s_max: None };
            assert_eq!(link.bus, Bus::Sata(expected), "{name} {now} {hardware} {limit}");
        }
    }

    #[test]
    fn kernels_without_these_files_report_nothing() {
        let fixture = Fixture::new();
        fixture.disk("pci0/ata1/host0/target0:0:0/0:0:0:0/block", "sda", "8:0", 8);
        let system = fixture.system();
        assert_eq!(read(&system, &system.block_by_name("sda").unwrap()), None);
    }
}
