//! Who serves a disk that is none of this machine.

use cardiograph_core::drive::{Leaf, Provider};

use super::Rows;
use crate::text::layout::plain;

/// Who serves it, and from where.
pub(super) fn rows(leaf: &Leaf, rows: &mut Rows) {
    let Some(disk) = &leaf.virtual_disk else { return };
    let provider = disk.provider.map(|provider| format!("{}: ", name(provider)));
    let volume = disk.volume.as_deref().map(|volume| format!(" {}", plain(volume)));
    let place = match disk.is_local {
        Some(true) => ", in the machine that serves it",
        Some(false) => ", over a network",
        None => "",
    };
    let product = plain(&disk.product);
    rows.row(
        "Served by",
        &format!("{}{product}{}{place}", provider.unwrap_or_default(), volume.unwrap_or_default()),
    );
}

fn name(provider: Provider) -> &'static str {
    match provider {
        Provider::Amazon => "Amazon",
        Provider::Google => "Google Cloud",
        Provider::Azure => "Azure",
        Provider::Oracle => "Oracle Cloud",
        Provider::Alibaba => "Alibaba Cloud",
        Provider::DigitalOcean => "DigitalOcean",
        Provider::Hetzner => "Hetzner",
        Provider::Linode => "Linode",
        Provider::Scaleway => "Scaleway",
        Provider::Vultr => "Vultr",
        Provider::OpenStack => "OpenStack",
        Provider::Qemu => "QEMU",
        Provider::Vmware => "VMware",
        Provider::VirtualBox => "VirtualBox",
        Provider::HyperV => "Hyper-V",
        Provider::Xen => "Xen",
    }
}
