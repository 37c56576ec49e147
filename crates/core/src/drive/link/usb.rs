//! USB.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// A USB link and the device at its end: a USB drive, a bridge, or a card reader.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UsbLink {
    /// Speed in Mbit/s: 1.5 (as 1), 12, 480, 5000, 10000 or 20000.
    pub mbit_per_s: Option<u32>,
    /// Speed of the hub or host at the other end of the cable.
    pub socket_mbit_per_s: Option<u32>,
    /// USB version reported by the device, such as `3.20`. A USB 3 device reports `2.10` over USB 2 wires (USB 3.2,
    /// 9.6.1).
    pub version: Option<String>,
    /// Its driver.
    pub driver: Option<UsbDriver>,
    /// Vendor id of the bridge, in hex, such as `152d`.
    pub vendor_id: Option<String>,
    /// Product id of the bridge, in hex, such as `0578`.
    pub product_id: Option<String>,
    /// Vendor name of the bridge.
    pub vendor: Option<String>,
    /// Product name of the bridge.
    pub product: Option<String>,
    /// Number of drives that it provides (logical units): slots of a reader, bays of a case.
    pub units: Option<u32>,
    /// Serial number of the bridge, as reported: cheap ones share theirs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serial: Option<String>,
    /// Quirks configured for this bridge: flags of `usb-storage.quirks`; `u` disables UAS.
    pub quirks: Option<String>,
}

impl UsbLink {
    /// Name of a bridge with its ids; `None` if neither is known.
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

/// Kernel drivers for USB drives.
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
    /// Whether it runs below the device's ability: over USB 2 wires although it supports USB 3, or at USB 1 full
    /// speed although it supports USB 2. For faster devices the version only shows `at least USB 3`.
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

    /// Maximum in bytes per second. Up to 480 Mbit/s all bits are content except for occasional stuffing; 5 Gbit/s
    /// uses 8b/10b, one lane of 10 Gbit/s uses 128b/132b, and two of them are 20 Gbit/s (USB 3.2, 6.3).
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
