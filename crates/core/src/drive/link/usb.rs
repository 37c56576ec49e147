//! USB.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// A USB link and the device at its end: a USB drive, a bridge, or a card reader.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UsbLink {
    /// What it runs at, in Mbit/s: 1.5 (as 1), 12, 480, 5000, 10000 or 20000.
    pub mbit_per_s: Option<u32>,
    /// What the hub or host at the other end of the cable runs at.
    pub socket_mbit_per_s: Option<u32>,
    /// The version of USB that the device says it follows, as `3.20`. One that knows USB 3 says `2.10` over the wires of
    /// USB 2 (USB 3.2, 9.6.1).
    pub version: Option<String>,
    /// The driver that speaks to it.
    pub driver: Option<UsbDriver>,
    /// Id of the maker of the bridge, in hex, as `152d`.
    pub vendor_id: Option<String>,
    /// Id of the bridge, in hex, as `0578`.
    pub product_id: Option<String>,
    /// Vendor name of the bridge.
    pub vendor: Option<String>,
    /// What the bridge calls itself.
    pub product: Option<String>,
    /// Drives that it shows side by side (logical units): the slots of a reader, the bays of a case.
    pub units: Option<u32>,
    /// The serial number that the bridge has, or says it has: cheap ones share theirs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serial: Option<String>,
    /// Quirks configured for this bridge: flags of `usb-storage.quirks`, of which `u` disables UAS.
    pub quirks: Option<String>,
}

impl UsbLink {
    /// What a bridge calls itself, with its ids; `None` where neither is known.
    pub fn bridge_name(&self) -> Option<String> {
        let id = self.vendor_id.as_ref().zip(self.product_id.as_ref());
        let id = id.map(|(vendor, product)| format!("{vendor}:{product}"));
        match (&self.product, id) {
            (Some(product), Some(id)) => Some(format!("{product} ({id})")),
            (Some(product), None) => Some(product.clone()),
            (None, id) => id,
        }
    }
}

/// Drivers of the kernel for drives behind USB.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UsbDriver {
    /// USB Attached SCSI: many commands at a time.
    Uas,
    /// The older protocol: one command at a time.
    UsbStorage,
    /// Another.
    Other(String),
}

impl UsbLink {
    /// Whether it runs below what the device can do: over the wires of USB 2 although it knows USB 3, or at the full speed
    /// of USB 1 although it knows USB 2. The version says no more than `at least USB 3` of the faster ones.
    pub(super) fn is_reduced(&self) -> Option<bool> {
        let (now, version) = (self.mbit_per_s?, self.version.as_deref()?);
        let (major, minor) = version.trim().split_once('.')?;
        let version = major.parse::<u32>().ok()? * 100 + minor.parse::<u32>().ok()?;
        match (version, now) {
            (210.., ..=480) => Some(true),
            (200.., ..=12) => Some(true),
            (300.., 5_000) if self.socket_mbit_per_s.is_some_and(|socket| socket > now) => None,
            _ => Some(false),
        }
    }

    /// What cannot be exceeded, in bytes per second. Up to 480 Mbit/s all bits are content but for a stuffed one now and
    /// then; 5 Gbit/s has 8b/10b, so has one lane of 10 Gbit/s 128b/132b, and two of them are 20 Gbit/s (USB 3.2, 6.3).
    pub(super) fn bytes_per_s(&self) -> Option<u64> {
        let bits_per_s = u64::from(self.mbit_per_s?) * 1_000_000;
        let content_per_s = match self.mbit_per_s? {
            ..=480 => bits_per_s,
            481..=5_000 => bits_per_s * 8 / 10,
            _ => bits_per_s * 128 / 132,
        };
        (content_per_s > 0).then_some(content_per_s / 8)
    }
}
