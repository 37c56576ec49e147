//! What the registers of SD cards and eMMC say of them.
//!
//! Sources: SD Specifications Part 1, Physical Layer Simplified Specification 9.10 (CID 5.2, CSD 5.3, SCR 5.6, SD Status
//! 4.10.2); JESD84-B51 (eMMC).

mod mark;

use serde::{Deserialize, Serialize};

use crate::{JsonSchema, Message};

pub use mark::{ApplicationClass, Mark};

/// What the registers of a card say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Card {
    /// An SD card's.
    Sd(SdCard),
    /// An eMMC's.
    Emmc(Emmc),
}

/// Identity of a card: its CID register.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CardIdentity {
    /// The maker's id. SD-3C and JEDEC assign them; lists of them are collected by users, not published.
    pub maker_id: u8,
    /// Brands under which cards with this id, and this application id where it matters, have been seen.
    pub makers: Vec<String>,
    /// Whether the lists disagree about the id.
    pub maker_is_disputed: bool,
    /// The application id: for SD two letters, as `SD`; for eMMC a number in hex.
    pub application_id: String,
    /// The product's name: five letters for SD, six for eMMC.
    pub product: String,
    /// The product's revision, as `8.0`.
    pub revision: String,
    /// The serial number.
    pub serial: u32,
    /// Manufacturing month; `None` if invalid.
    pub made: Option<Month>,
    /// Whether the register's checksum is right; `None` where the host has taken it away.
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
    /// Its identity.
    pub identity: CardIdentity,
    /// What its CSD register says; `None` when that cannot be read.
    pub data: Option<SdData>,
    /// What its SCR register says; `None` when that cannot be read.
    pub configuration: Option<SdConfiguration>,
    /// What its SD status says; `None` when that cannot be read, as on kernels before 4.17.
    pub status: Option<SdStatus>,
    /// What the kernel found in its extension registers; `None` where it does not show that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<SdFeatures>,
    /// Whether the kernel uses its command queue; `None` where that cannot be seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue_use: Option<SdQueueUse>,
    /// Signs that it may be a counterfeit, the heaviest first. None of them proves it.
    pub hints: Vec<CounterfeitHint>,
}

/// A sign that a card may be a counterfeit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CounterfeitHint {
    /// 1: seen on genuine cards now and then; 2: seldom; 3: hardly ever.
    pub weight: u8,
    /// What was seen: a sentence.
    pub text: Message,
}

/// Kinds of SD cards by their capacity.
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

/// What a card's CSD register says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SdData {
    /// The kind.
    pub kind: SdKind,
    /// What it claims to hold, in bytes.
    pub capacity_bytes: u64,
    /// Whether it refuses writes for ever.
    pub is_write_protected: bool,
    /// Whether it is temporarily write-protected.
    pub is_write_protected_for_now: bool,
    /// Whether it says that its content is a copy.
    pub is_copy: bool,
}

/// What a card's SCR register says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SdConfiguration {
    /// Version of the specification that it follows, as `6.x`; `None` for one that is not assigned.
    pub version: Option<String>,
    /// Whether it can use four data lines.
    pub has_four_lines: bool,
    /// Whether erased blocks read as ones.
    pub erases_to_ones: bool,
    /// Whether it accepts the number of blocks before a transfer (CMD23).
    pub counts_blocks: bool,
    /// Whether its extension registers can be read (CMD48 and 49): command queue and cache are found there.
    pub has_extensions: bool,
}

/// What a card's SD status says: the marks on its label, and what they rest on.
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
    /// The allocation unit, in bytes: the card's speed classes hold for writes of whole ones. `None` where it is not
    /// defined.
    pub allocation_unit_bytes: Option<u64>,
    /// The same in UHS modes.
    pub uhs_allocation_unit_bytes: Option<u64>,
    /// The same for the video speed class.
    pub video_allocation_unit_bytes: Option<u64>,
    /// Allocation units that are erased at once within the time that is given.
    pub erase_units: u16,
    /// Maximum duration of that, in seconds; `None` if not reported.
    pub erase_timeout_s: Option<u8>,
    /// Depth of its command queue; 0 when it has none.
    pub queue_depth: u8,
    /// Whether it has a cache for writes that the host may switch on.
    pub has_cache: bool,
    /// Whether it supports host-initiated maintenance.
    pub has_host_maintenance: bool,
    /// Whether it tidies up by itself.
    pub has_card_maintenance: bool,
    /// Whether it can forget blocks without erasing them.
    pub can_discard: bool,
    /// Whether it can erase the whole user area at once.
    pub can_erase_all: bool,
    /// Whether it is of the plain type, to be read and written.
    pub is_plain: bool,
}

/// What a card offers beyond storing, as the kernel found it in the register for that (Performance Enhancement Function,
/// Physical Layer 5.8.2), and as far as it trusts the card with it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SdFeatures {
    /// A command queue.
    pub has_queue: bool,
    /// A cache for writes.
    pub has_cache: bool,
    /// Host-initiated maintenance.
    pub has_host_maintenance: bool,
    /// Tidying up by itself.
    pub has_card_maintenance: bool,
}

/// How the kernel puts commands to an SD card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum SdQueueUse {
    /// Into the card's own queue.
    On {
        /// Queue depth; `None` if the kernel does not report it.
        depth: Option<u8>,
        /// Times that the kernel had to empty it since the card was found, after an error.
        recoveries: u32,
    },
    /// One at a time, prepared by the host beforehand: the card's own queue is not used.
    HostOnly,
    /// One at a time.
    Off,
}

/// An eMMC.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Emmc {
    /// Its identity.
    pub identity: CardIdentity,
    /// Version of the standard that it follows, as `5.1`; `None` for one that is not assigned.
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
    /// A card that can be taken out.
    Removable,
    /// Soldered.
    Soldered,
    /// Soldered below another chip.
    PackageOnPackage,
}

/// How far the spare blocks of an eMMC are used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SpareBlocks {
    /// Less than 80 % of them.
    Normal,
    /// 80 %.
    Warning,
    /// 90 %.
    Urgent,
}
