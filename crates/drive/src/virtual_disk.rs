//! Cloud and virtual machine disks, identified by names of disk and machine.
//!
//! Sources: AWS, "Amazon EBS volumes and NVMe"; Google Cloud, "About local SSD disks" and "Persistent disk
//! device names"; Microsoft, "FAQ for remote NVMe disks"; cloud-init's `ds-identify` for the names of the
//! machines.

use cardiograph_core::drive::{Leaf, LeafKind, Provider, VirtualDisk};

use crate::attribute;
use crate::system::System;

/// Asset tag of all Azure machines, and of no other Hyper-V.
const AZURE_TAG: &str = "7783-7084-3265-9085-8269-3286-77";

/// Names reported by a disk and its machine.
struct Names<'a> {
    kind: LeafKind,
    name: &'a str,
    vendor: &'a str,
    model: &'a str,
    serial: Option<&'a str>,
    machine: Option<Provider>,
}

/// Describes a virtual disk; `None` for drives.
pub(crate) fn describe(system: &System, leaf: &Leaf) -> Option<VirtualDisk> {
    let names = Names {
        kind: leaf.kind,
        name: &leaf.name,
        vendor: leaf.vendor.as_deref().unwrap_or_default(),
        model: leaf.model.as_deref().unwrap_or_default(),
        serial: leaf.serial.as_deref(),
        machine: machine(system),
    };
    names.match_cloud().or_else(|| names.match_program())
}

/// The machine's provider, from its firmware (DMI), or unknown without it.
fn machine(system: &System) -> Option<Provider> {
    let dmi = |name: &str| {
        attribute::text(&system.under_root(format!("sys/class/dmi/id/{name}"))).unwrap_or_default()
    };
    let (vendor, product, tag) = (dmi("sys_vendor"), dmi("product_name"), dmi("chassis_asset_tag"));
    let is_old_amazon = dmi("bios_version").contains("amazon");
    Some(match vendor.as_str() {
        _ if tag == AZURE_TAG => Provider::Azure,
        _ if tag == "OracleCloud.com" => Provider::Oracle,
        "Amazon EC2" => Provider::Amazon,
        "Xen" if is_old_amazon => Provider::Amazon,
        "Google" => Provider::Google,
        "Alibaba Cloud" => Provider::Alibaba,
        "DigitalOcean" => Provider::DigitalOcean,
        "Hetzner" => Provider::Hetzner,
        "Linode" | "Akamai" => Provider::Linode,
        "Scaleway" => Provider::Scaleway,
        "Vultr" => Provider::Vultr,
        "OpenStack Foundation" => Provider::OpenStack,
        _ if product.starts_with("OpenStack ") => Provider::OpenStack,
        "QEMU" => Provider::Qemu,
        "VMware, Inc." => Provider::Vmware,
        "innotek GmbH" => Provider::VirtualBox,
        "Microsoft Corporation" if product == "Virtual Machine" => Provider::HyperV,
        "Xen" => Provider::Xen,
        _ => return None,
    })
}

impl Names<'_> {
    fn match_cloud(&self) -> Option<VirtualDisk> {
        let disk = |provider, product: &str, volume: Option<String>, is_local| {
            let product = product.to_string();
            Some(VirtualDisk { provider: Some(provider), product, volume, is_local: Some(is_local) })
        };
        let serial = || self.serial.map(str::to_string);
        match (self.vendor, self.model) {
            (_, "Amazon Elastic Block Store") => {
                disk(Provider::Amazon, "Elastic Block Store", self.ebs_volume(), false)
            }
            (_, "Amazon EC2 NVMe Instance Storage") => disk(Provider::Amazon, "Instance Store", None, true),
            (_, "nvme_card-pd") | ("Google", "PersistentDisk") => {
                disk(Provider::Google, "Persistent Disk", None, false)
            }
            (_, "nvme_card") | ("Google", "EphemeralDisk") => disk(Provider::Google, "Local SSD", None, true),
            (_, "MSFT NVMe Accelerator v1.0") => disk(Provider::Azure, "Managed Disk", None, false),
            (_, model) if model.starts_with("Microsoft NVMe Direct Disk") => {
                disk(Provider::Azure, "Local NVMe Disk", None, true)
            }
            ("ORACLE", "BlockVolume") => disk(Provider::Oracle, "Block Volume", None, false),
            (_, "Alibaba Cloud Elastic Block Storage") => {
                disk(Provider::Alibaba, "Elastic Block Storage", serial(), false)
            }
            ("DO", "Volume") => disk(Provider::DigitalOcean, "Volume", serial(), false),
            ("HC", "Volume") => disk(Provider::Hetzner, "Volume", serial(), false),
            ("Linode", "Volume") => disk(Provider::Linode, "Block Storage", serial(), false),
            ("SCW", "b_ssd") => disk(Provider::Scaleway, "Block Storage", serial(), false),
            _ => None,
        }
    }

    /// Disks that name only the hypervisor: the machine shows the provider.
    fn match_program(&self) -> Option<VirtualDisk> {
        let is = |prefix: &str| self.name.starts_with(prefix);
        let (provider, product) = match (self.vendor, self.model) {
            ("Msft" | "MSFT", "Virtual Disk") => (Some(Provider::HyperV), "Virtual Disk"),
            (_, "QEMU HARDDISK") | ("QEMU", _) => (Some(Provider::Qemu), "QEMU"),
            (_, "QEMU NVMe Ctrl") => (Some(Provider::Qemu), "QEMU NVMe"),
            ("VBOX", _) | (_, "VBOX HARDDISK" | "ORCL-VBOX-NVME-VER12") => {
                (Some(Provider::VirtualBox), "VirtualBox")
            }
            ("VMware" | "VMware,", _) => (Some(Provider::Vmware), "VMware"),
            (_, model) if model.starts_with("VMware Virtual") => (Some(Provider::Vmware), "VMware"),
            _ if is("xvd") => (Some(Provider::Xen), "Xen"),
            _ if is("vd") => (None, "virtio"),
            _ if self.kind == LeafKind::Virtual => (None, "Virtual Disk"),
            _ => return None,
        };
        Some(VirtualDisk {
            provider: self.machine.or(provider),
            product: product.to_string(),
            volume: self.serial.filter(|_| is("vd")).map(str::to_string),
            is_local: None,
        })
    }

    /// Amazon's volume id, which is the serial number with a dash inserted.
    fn ebs_volume(&self) -> Option<String> {
        let digits = self.serial?.strip_prefix("vol")?.trim_start_matches('-');
        let is_hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hex.then(|| format!("vol-{digits}"))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::fixture::{self, Fixture};
    use crate::system::Space;

    fn on(machine: &[(&str, &str)], disk: (LeafKind, &str, &str, &str, &str)) -> Option<VirtualDisk> {
        let fixture = Fixture::new();
        for (name, value) in machine {
            fixture.file(&format!("sys/class/dmi/id/{name}"), format!("{value}\n"));
        }
        let some = |text: &str| Some(text.to_string()).filter(|text| !text.is_empty());
        let (kind, name, vendor, model, serial) = disk;
        let leaf = Leaf {
            name: name.to_string(),
            kind,
            vendor: some(vendor),
            model: some(model),
            serial: some(serial),
            ..Leaf::default()
        };
        describe(&fixture.system(), &leaf)
    }

    #[test]
    fn a_cloud_volume_is_not_a_drive() {
        let drive = fixture::ebs_volume::machine()
            .system()
            .identify_mounted(Path::new("/"), Space::default())
            .unwrap();
        let [leaf] = drive.leaves.as_slice() else { panic!("{drive:?}") };
        assert_eq!((leaf.kind, leaf.firmware.as_deref()), (LeafKind::Nvme, Some("1.0")));
        assert_eq!(leaf.capacity_bytes, Some(128 << 30));
        let volume = leaf.virtual_disk.as_ref().unwrap();
        assert_eq!(
            (volume.provider, volume.volume.as_deref()),
            (Some(Provider::Amazon), Some("vol-05ce9829d6b2d3a21"))
        );
    }

    #[test]
    fn cloud_disks_identify_themselves() {
        use LeafKind::{Nvme, Scsi, Virtual};
        let cases = [
            // libopenstorage/openstorage#578.
            (
                (Nvme, "nvme0n1", "", "Amazon Elastic Block Store", "vol05ce9829d6b2d3a21"),
                (Provider::Amazon, "Elastic Block Store", Some("vol-05ce9829d6b2d3a21"), false),
            ),
            (
                (Nvme, "nvme0n1", "", "Amazon Elastic Block Store", "evil\u{fffd}"),
                (Provider::Amazon, "Elastic Block Store", None, false),
            ),
            (
                (Nvme, "nvme1n1", "", "Amazon EC2 NVMe Instance Storage", "AWS1A2B3C"),
                (Provider::Amazon, "Instance Store", None, true),
            ),
            ((Nvme, "nvme0n1", "", "nvme_card-pd", ""), (Provider::Google, "Persistent Disk", None, false)),
            ((Nvme, "nvme0n1", "", "nvme_card", ""), (Provider::Google, "Local SSD", None, true)),
            (
                (Virtual, "sda", "Google", "PersistentDisk", ""),
                (Provider::Google, "Persistent Disk", None, false),
            ),
            (
                (Nvme, "nvme0n1", "", "MSFT NVMe Accelerator v1.0", ""),
                (Provider::Azure, "Managed Disk", None, false),
            ),
            (
                (Nvme, "nvme0n1", "", "Microsoft NVMe Direct Disk v2", ""),
                (Provider::Azure, "Local NVMe Disk", None, true),
            ),
            (
                (Scsi, "sdb", "HC", "Volume", "12345678"),
                (Provider::Hetzner, "Volume", Some("12345678"), false),
            ),
            ((Virtual, "sda", "DO", "Volume", "db"), (Provider::DigitalOcean, "Volume", Some("db"), false)),
        ];
        for (disk, (provider, product, volume, is_local)) in cases {
            let expected = VirtualDisk {
                provider: Some(provider),
                product: product.to_string(),
                volume: volume.map(str::to_string),
                is_local: Some(is_local),
            };
            assert_eq!(on(&[], disk), Some(expected), "{disk:?}");
        }
    }

    #[test]
    fn the_machine_identifies_the_provider_of_a_nameless_disk() {
        use LeafKind::Virtual;
        let vda = (Virtual, "vda", "", "", "3a5f7c1e-0b7d-4c1d-9");
        let sda = (Virtual, "sda", "QEMU", "QEMU HARDDISK", "");
        let hyper_v = (Virtual, "sda", "Msft", "Virtual Disk", "");
        let cases: [(&[(&str, &str)], _, _, &str); 10] = [
            (&[], vda, None, "virtio"),
            (&[("sys_vendor", "QEMU")], vda, Some(Provider::Qemu), "virtio"),
            (&[("sys_vendor", "OpenStack Foundation")], vda, Some(Provider::OpenStack), "virtio"),
            (&[("sys_vendor", "DigitalOcean")], vda, Some(Provider::DigitalOcean), "virtio"),
            (&[], sda, Some(Provider::Qemu), "QEMU"),
            (&[("sys_vendor", "Hetzner")], sda, Some(Provider::Hetzner), "QEMU"),
            (&[], hyper_v, Some(Provider::HyperV), "Virtual Disk"),
            (&[("chassis_asset_tag", AZURE_TAG)], hyper_v, Some(Provider::Azure), "Virtual Disk"),
            (
                &[("sys_vendor", "Xen"), ("bios_version", "4.11.amazon")],
                (Virtual, "xvda", "", "", ""),
                Some(Provider::Amazon),
                "Xen",
            ),
            (&[("sys_vendor", "\u{1b}[2J")], vda, None, "virtio"),
        ];
        for (machine, disk, provider, product) in cases {
            let found = on(machine, disk).unwrap();
            assert_eq!((found.provider, found.product.as_str()), (provider, product), "{machine:?}");
            assert_eq!(found.is_local, None);
            assert_eq!(found.volume.as_deref(), (disk.1 == "vda").then_some("3a5f7c1e-0b7d-4c1d-9"));
        }
    }

    #[test]
    fn drives_are_not_virtual() {
        for disk in [
            (LeafKind::Nvme, "nvme0n1", "", "Samsung SSD 980 PRO 500GB", "S5GYNX0R1"),
            (LeafKind::Sata, "sda", "", "CT500MX500SSD1", ""),
            (LeafKind::Usb, "sda", "JMicron", "Generic", ""),
            (LeafKind::SdCard, "mmcblk0", "", "SD64G", ""),
            (LeafKind::Scsi, "sdb", "Volume", "HC", ""),
        ] {
            assert_eq!(on(&[("sys_vendor", "QEMU")], disk), None, "{disk:?}");
        }
    }
}
