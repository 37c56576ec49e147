//! A disk provided by another machine.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// A disk of a cloud or virtual machine. Its figures depend on a plan, a network and other tenants as much as on a
/// drive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VirtualDisk {
    /// Provider; `None` if unknown.
    pub provider: Option<Provider>,
    /// The provider's name for the kind of disk, such as `Elastic Block Store`, or the name of the program that
    /// provides it.
    pub product: String,
    /// The volume's id, such as `vol-0a1b2c3d`.
    pub volume: Option<String>,
    /// Whether it is local to the host, not on a network; `None` if unknown. Local disks are often lost with the
    /// machine.
    pub is_local: Option<bool>,
}

/// Providers of virtual disks: clouds, then hypervisors that anybody can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Provider {
    /// Amazon Web Services.
    Amazon,
    /// Google Cloud.
    Google,
    /// Microsoft Azure.
    Azure,
    /// Oracle Cloud.
    Oracle,
    /// Alibaba Cloud.
    Alibaba,
    /// DigitalOcean.
    DigitalOcean,
    /// Hetzner Cloud.
    Hetzner,
    /// Linode.
    Linode,
    /// Scaleway.
    Scaleway,
    /// Vultr.
    Vultr,
    /// A cloud with OpenStack.
    OpenStack,
    /// QEMU, with or without KVM.
    Qemu,
    /// VMware.
    Vmware,
    /// VirtualBox.
    VirtualBox,
    /// Hyper-V.
    HyperV,
    /// Xen.
    Xen,
}
