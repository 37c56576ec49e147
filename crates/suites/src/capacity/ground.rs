//! The tested range: the free space of a file system, or all of a device or a simulated drive.

use cardiograph_core::message::Parameter;
use cardiograph_core::{MIB, Message, message};

use super::SIZE;
use crate::budget::margin_bytes;
use crate::instead::instead;
use crate::suite::Context;
use crate::text;

/// File systems that fill preallocated space with zeros, or cannot preallocate.
const WITHOUT_ROOM: [&str; 10] =
    ["vfat", "msdos", "exfat", "ntfs", "ntfs3", "hfs", "hfsplus", "ext2", "ext3", "fuseblk"];
/// Testing less proves nothing about a drive.
const TESTED_BYTES_MIN: u64 = 16 * MIB;

/// The tested range of a drive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ground {
    /// The capacity that the drive claims, in bytes.
    pub claimed_bytes: u64,
    /// Bytes to test, a multiple of 1 MiB, including the parts of an interrupted checkup.
    pub tested_bytes: u64,
    /// Whether space can be preallocated without writing.
    pub makes_room: bool,
    /// The file system's type, for messages; empty on a device and on a simulated drive.
    pub fs_type: String,
    /// Whether it is a whole device, including its contents.
    pub is_device: bool,
}

impl Ground {
    /// The tested range of the target.
    ///
    /// # Errors
    /// Why nothing can be tested, with a suggestion.
    pub fn from_context(context: &Context<'_>) -> Result<Self, Vec<Message>> {
        let (drive, mount) = (context.drive, context.drive.mount.as_ref());
        if !context.options.direct {
            return Err(vec![message!("note-capacity.buffered")]);
        }
        let claimed_bytes = drive.capacity_bytes.or(mount.map(|mount| mount.size_bytes));
        let claimed_bytes = claimed_bytes.ok_or_else(|| vec![message!("note-capacity.claim-unknown")])?;
        let kept_bytes = context.options.kept.as_ref().map_or(0, |kept| kept.len_bytes);
        let free_bytes = match mount {
            Some(mount) => {
                let margin_bytes = margin_bytes(mount.size_bytes);
                mount.available_bytes.saturating_sub(margin_bytes).saturating_add(kept_bytes)
            }
            None => claimed_bytes,
        };
        let asked_bytes = context.options.settings.bytes(&SIZE);
        let tested_bytes = free_bytes.min(asked_bytes.unwrap_or(u64::MAX)) / MIB * MIB;
        let is_device = mount.is_none() && !drive.simulated;
        if tested_bytes < TESTED_BYTES_MIN {
            if let Some(asked_bytes) = asked_bytes.filter(|&bytes| bytes < TESTED_BYTES_MIN) {
                let size = text::option_bytes(asked_bytes);
                let least = Parameter::Bytes(TESTED_BYTES_MIN);
                return Err(vec![message!("note-capacity.size", size, least)]);
            }
            let (needed, usable) = (Parameter::Bytes(TESTED_BYTES_MIN), Parameter::Bytes(tested_bytes));
            if is_device {
                return Err(vec![message!("note-capacity.small-device", needed, usable)]);
            }
            let small = message!("note-capacity.little-space", needed, usable);
            return Err(std::iter::once(small).chain(instead(context)).collect());
        }
        let fs_type = mount.map(|mount| mount.fs_type.clone()).unwrap_or_default();
        let makes_room = !WITHOUT_ROOM.contains(&fs_type.as_str());
        Ok(Self { claimed_bytes, tested_bytes, makes_room, fs_type, is_device })
    }

    /// Bytes that are not tested: those of other files, and those that stay free.
    pub fn untested_bytes(&self) -> u64 {
        self.claimed_bytes.saturating_sub(self.tested_bytes)
    }

    /// The tested share of the claimed capacity.
    pub fn share(&self) -> f64 {
        self.tested_bytes as f64 / self.claimed_bytes.max(1) as f64
    }
}
