//! A disk that another machine serves.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// What is known of a disk in a cloud or in a virtual machine. Its figures are those of a plan, a network and neighbours
/// as much as of a drive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VirtualDisk {
    /// Provider; `None` if unknown.
    pub provider: Option<Provider>,
    /// Its name there, as `Elastic Block Store`, or of the program that shows it.
    pub product: String,
    /// The volume's own name there, as `vol-0a1b2c3d`.
    pub volume: Option<String>,
    /// Whether it is local to the host, and not on a network; `None` if unknown. Local disks are often lost
    /// with the machine.
    pub is_local: Option<bool>,
}

/// Providers of virtual disks: clouds, then hypervisors that anybody may run.
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
    /// A cloud that runs OpenStack.
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
