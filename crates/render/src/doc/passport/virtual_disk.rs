//! The provider of a virtual disk.

use cardiograph_core::drive::{Leaf, Provider};
use cardiograph_core::{Message, message};

use crate::doc::Fact;

/// Its provider and location.
pub(super) fn fact(leaf: &Leaf) -> Option<Fact> {
    let disk = leaf.virtual_disk.as_ref()?;
    let provider = disk.provider.map(name).filter(|name| !disk.product.starts_with(name));
    let place = disk.is_local.map(|is_local| match is_local {
        true => message!("virtual-disk.local"),
        false => message!("virtual-disk.remote"),
    });
    let names = [provider, Some(&disk.product), disk.volume.as_deref()].into_iter().flatten();
    Fact::from_phrases(message!("drive-label.served-by"), names.map(Message::verbatim).chain(place))
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
