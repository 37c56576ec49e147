//! Decoded registers of SD cards and eMMC.
//!
//! Sources: SD Specifications Part 1, Physical Layer Simplified Specification 9.10 (CID 5.2, CSD 5.3, SCR 5.6, SD
//! Status 4.10.2); JESD84-B51 (eMMC).

mod mark;

use serde::{Deserialize, Serialize};

use crate::{JsonSchema, Message};

pub use mark::{ApplicationClass, Mark};

/// A card's registers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Card {
    /// Of an SD card.
    Sd(SdCard),
    /// Of an eMMC.
    Emmc(Emmc),
}

/// A card's identity: its CID register.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CardIdentity {
    /// Manufacturer id. Assigned by SD-3C and JEDEC; users collect lists, none is published.
    pub maker_id: u8,
    /// Brands seen on cards with this id, and with this application id where it matters.
    pub makers: Vec<String>,
    /// Whether the lists disagree on this id.
    pub maker_is_disputed: bool,
    /// Application id: two letters for SD, such as `SD`; a hexadecimal number for eMMC.
    pub application_id: String,
    /// Product name: five letters for SD, six for eMMC.
    pub product: String,
    /// Product revision, such as `8.0`.
    pub revision: String,
    /// Serial number.
    pub serial: u32,
    /// Manufacturing month; `None` if invalid.
    pub made: Option<Month>,
    /// Whether the register's checksum is correct; `None` if the host removed it.
    pub checksum_is_right: Option<bool>,
}

/// A month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Month {
    /// The year.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
}

/// An SD card.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SdCard {
    /// Identity.
    pub identity: CardIdentity,
    /// CSD register; `None` if unreadable.
    pub data: Option<SdData>,
    /// SCR register; `None` if unreadable.
    pub configuration: Option<SdConfiguration>,
    /// SD status; `None` if unreadable, as on kernels before 4.17.
    pub status: Option<SdStatus>,
    /// Extension registers; `None` if the kernel does not show them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<SdFeatures>,
    /// Whether the kernel uses its command queue; `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue_use: Option<SdQueueUse>,
    /// Signs of a counterfeit, most serious first. None of them is proof.
    pub hints: Vec<CounterfeitHint>,
}

/// A sign that a card may be a counterfeit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CounterfeitHint {
    /// 1: occasionally seen on genuine cards; 2: seldom; 3: hardly ever.
    pub weight: u8,
    /// The finding: a sentence.
    pub text: Message,
}

/// Kinds of SD cards by capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SdKind {
    /// Standard capacity, up to 2 GB.
    Sdsc,
    /// High capacity, up to 32 GB.
    Sdhc,
    /// Extended capacity, up to 2 TB.
    Sdxc,
    /// Ultra capacity, up to 128 TB.
    Sduc,
}

/// A card's CSD register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SdData {
    /// The kind.
    pub kind: SdKind,
    /// Claimed capacity in bytes.
    pub capacity_bytes: u64,
    /// Whether it is permanently write-protected.
    pub is_write_protected: bool,
    /// Whether it is temporarily write-protected.
    pub is_write_protected_for_now: bool,
    /// Whether it is marked as a copy.
    pub is_copy: bool,
}

/// A card's SCR register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SdConfiguration {
    /// Version of the specification, such as `6.x`; `None` if unassigned.
    pub version: Option<String>,
    /// Whether it supports four data lines.
    pub has_four_lines: bool,
    /// Whether erased blocks read as ones.
    pub erases_to_ones: bool,
    /// Whether it supports a block count before a transfer (CMD23).
    pub counts_blocks: bool,
    /// Whether its extension registers, which describe command queue and cache, can be read (CMD48 and 49).
    pub has_extensions: bool,
}

/// A card's SD status: the ratings on its label, and details.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SdStatus {
    /// Data lines in use.
    pub lines: Option<u8>,
    /// Speed class: 0, 2, 4, 6 or 10, in MB/s.
    pub speed_class: Option<u8>,
    /// UHS speed grade: 0, 1 or 3.
    pub uhs_grade: Option<u8>,
    /// Video speed class: 0, 6, 10, 30, 60 or 90, in MB/s.
    pub video_class: Option<u8>,
    /// Application performance class: 0, 1 or 2.
    pub application_class: Option<u8>,
    /// Allocation unit in bytes: the speed classes apply to writes of whole units. `None` if undefined.
    pub allocation_unit_bytes: Option<u64>,
    /// Allocation unit in UHS modes.
    pub uhs_allocation_unit_bytes: Option<u64>,
    /// Allocation unit for the video speed class.
    pub video_allocation_unit_bytes: Option<u64>,
    /// Number of allocation units to which the erase timeout applies.
    pub erase_units: u16,
    /// Erase timeout in seconds; `None` if not reported.
    pub erase_timeout_s: Option<u8>,
    /// Depth of its command queue; 0 if none.
    pub queue_depth: u8,
    /// Whether it has a write cache that the host may enable.
    pub has_cache: bool,
    /// Whether it supports host-initiated maintenance.
    pub has_host_maintenance: bool,
    /// Whether it supports self maintenance.
    pub has_card_maintenance: bool,
    /// Whether it supports discard.
    pub can_discard: bool,
    /// Whether it supports a full user area erase.
    pub can_erase_all: bool,
    /// Whether it is a regular read/write card.
    pub is_plain: bool,
}

/// Performance features of a card, as reported by the kernel from the register for them (Performance Enhancement
/// Function, Physical Layer 5.8.2), and as far as the kernel relies on them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SdFeatures {
    /// A command queue.
    pub has_queue: bool,
    /// A write cache.
    pub has_cache: bool,
    /// Host-initiated maintenance.
    pub has_host_maintenance: bool,
    /// Self maintenance.
    pub has_card_maintenance: bool,
}

/// How the kernel sends commands to an SD card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum SdQueueUse {
    /// Into the card's own queue.
    On {
        /// Queue depth; `None` if the kernel does not report it.
        depth: Option<u8>,
        /// Times that the kernel had to empty it after an error since the card was detected.
        recoveries: u32,
    },
    /// One at a time, prepared by the host in advance: the card's own queue is not used.
    HostOnly,
    /// One at a time.
    Off,
}

/// An eMMC.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Emmc {
    /// Identity.
    pub identity: CardIdentity,
    /// Version of the standard, such as `5.1`; `None` if unassigned.
    pub version: Option<String>,
    /// How it is mounted.
    pub package: Option<EmmcPackage>,
    /// Share of its rated life used, for both kinds of memory, each as minimum and maximum percent; `None` if
    /// not reported. Above 100 % is `(100, 100)` with `is_worn_out`.
    pub life_used_percent: [Option<(u8, u8)>; 2],
    /// Whether it is beyond its rated life.
    pub is_worn_out: bool,
    /// Use of its spare blocks; `None` if not reported.
    pub spare: Option<SpareBlocks>,
    /// Whether the kernel uses its command queue.
    pub command_queue_is_on: Option<bool>,
}

/// How an eMMC is mounted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EmmcPackage {
    /// A removable card.
    Removable,
    /// Soldered.
    Soldered,
    /// Soldered below another chip.
    PackageOnPackage,
}

/// Use of an eMMC's spare blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpareBlocks {
    /// Less than 80 % used.
    Normal,
    /// 80 %.
    Warning,
    /// 90 %.
    Urgent,
}
