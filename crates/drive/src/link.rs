//! The connection of a drive, from its path in sysfs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use cardiograph_core::drive::{Bus, LeafKind, Link, Unknown};

use crate::block::BlockDevice;
use crate::system::System;

pub(crate) mod mmc;
mod pcie;
mod sas;
mod sata;
mod usb;

/// The link of the drive `device`, or why it could not be found. Both are `None` for drives without a link,
/// such as virtual disks, and if the kernel does not show it.
pub(crate) fn find(system: &System, device: &BlockDevice, kind: LeafKind) -> (Option<Link>, Option<Unknown>) {
    let bus = match kind {
        LeafKind::SdCard | LeafKind::Emmc => match mmc::read(system, device) {
            Ok(link) => Some(Bus::Mmc(link)),
            Err(unknown) => return (None, Some(unknown)),
        },
        LeafKind::Nvme => pcie::read(system, device),
        LeafKind::Sata => sata::read(system, device).map(Bus::Sata),
        LeafKind::Scsi => sas::read(system, device).map(Bus::Sas),
        LeafKind::Usb => usb::read(system, device).map(Bus::Usb),
        _ => None,
    };
    (bus.map(Link::new), None)
}

/// The directories from a device up to the machine's `devices`.
pub(crate) fn ancestors<'a>(system: &'a System, dir: &'a Path) -> impl Iterator<Item = &'a Path> {
    dir.ancestors().take_while(|dir| dir.starts_with(system.under_root("sys/devices")))
}

/// Whether the name of a file or directory has this prefix.
fn is_named(path: &Path, prefix: &str) -> bool {
    path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with(prefix))
}

/// The name of the target of a link such as `driver`.
pub(crate) fn link_name(link: PathBuf) -> Option<String> {
    let target = std::fs::read_link(link).ok()?;
    target.file_name().and_then(OsStr::to_str).map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    /// Nothing panics on any content of the kernel's files, and a maximum needs a rate.
    #[test]
    fn garbage_gives_no_rate() {
        let huge = [b'9'; 100_000];
        let garbage: [&[u8]; 8] =
            [b"", b"\n", b"\0\0\0", b"\xff\xfe", b"-1\n", b"999999999999999999999\n", b"<unknown>\n", &huge];
        let machines: [(&str, &str, LeafKind, &[&str]); 4] = [
            (
                "pci0000:00/0000:01:00.0/nvme/nvme0",
                "nvme0n1",
                LeafKind::Nvme,
                &["../../current_link_speed", "../../current_link_width", "../../max_link_speed"],
            ),
            (
                "pci0000:00/ata1/host0/target0:0:0/0:0:0:0/block",
                "sda",
                LeafKind::Sata,
                &["../../../../link1/ata_link/link1/sata_spd"],
            ),
            (
                "pci0000:00/usb2/2-1/2-1:1.0/host0/target0:0:0/0:0:0:0/block",
                "sda",
                LeafKind::Usb,
                &["../../../../../speed", "../../../../../idVendor", "../../../../../version"],
            ),
            (
                "platform/mmc_host/mmc0/mmc0:aaaa/block",
                "mmcblk0",
                LeafKind::SdCard,
                &["../../../../../../../kernel/debug/mmc0/ios", "../../../../../../../../dev/kmsg"],
            ),
        ];
        for (bus, name, kind, files) in machines {
            for content in garbage {
                let fixture = Fixture::new();
                fixture.disk(bus, name, "8:0", 8);
                for file in files {
                    fixture.file(&normal(&format!("sys/devices/{bus}/{file}")), content);
                }
                let system = fixture.system();
                let (link, _) = find(&system, &system.block_by_name(name).unwrap(), kind);
                let ceiling = link.and_then(|link| link.ceiling_bytes_per_s);
                assert_eq!(ceiling, None, "{name}: {:?}", &content[..content.len().min(8)]);
            }
        }
    }

    /// The path with `..` resolved.
    fn normal(path: &str) -> String {
        let mut parts: Vec<&str> = Vec::new();
        for part in path.split('/') {
            if part == ".." {
                parts.pop();
            } else {
                parts.push(part);
            }
        }
        parts.join("/")
    }
}
