//! The bus of SD cards and eMMC.

use serde::{Deserialize, Serialize};

use super::UsbLink;
use crate::JsonSchema;

/// A link to a card or an eMMC.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MmcLink {
    /// The negotiated mode.
    pub timing: Option<MmcTiming>,
    /// Clock in Hz: the actual one if the host reports it, otherwise the requested one.
    pub clock_hz: Option<u64>,
    /// Data lines in use.
    pub lines: Option<u8>,
    /// Source of the mode.
    pub source: Option<MmcSource>,
    /// The USB reader that holds the card, if it uses the card's own protocol.
    pub reader: Option<UsbLink>,
}

/// Source of the bus mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MmcSource {
    /// The host's own settings, in debugfs.
    Settings,
    /// The kernel log of the card's detection.
    KernelLog,
}

/// Bus modes, by their names in Linux.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MmcTiming {
    /// The initial mode: Default Speed.
    Legacy,
    /// High Speed of eMMC.
    MmcHighSpeed,
    /// High Speed of SD.
    SdHighSpeed,
    /// UHS-I SDR12.
    Sdr12,
    /// UHS-I SDR25.
    Sdr25,
    /// UHS-I SDR50.
    Sdr50,
    /// UHS-I SDR104.
    Sdr104,
    /// UHS-I DDR50.
    Ddr50,
    /// eMMC DDR52.
    Ddr52,
    /// eMMC HS200.
    Hs200,
    /// eMMC HS400.
    Hs400,
    /// eMMC HS400 with enhanced strobe.
    Hs400EnhancedStrobe,
    /// UHS-II, at its full or half speed.
    UhsII,
    /// SD Express.
    SdExpress,
}

impl MmcTiming {
    /// The maximum of a mode, in bytes per second: for SD the bus speeds of Physical Layer Simplified
    /// Specification 9.10, table 3-2, for eMMC clock by eight lines of JESD84-B51, table 4. SD Express runs
    /// as PCI Express, which its mode does not show.
    pub fn bytes_per_s_max(self) -> Option<u64> {
        Some(match self {
            Self::Legacy => 12_500_000,
            Self::MmcHighSpeed => 52_000_000,
            Self::SdHighSpeed | Self::Sdr25 => 25_000_000,
            Self::Sdr12 => 12_500_000,
            Self::Sdr50 | Self::Ddr50 => 50_000_000,
            Self::Sdr104 => 104_000_000,
            Self::Ddr52 => 104_000_000,
            Self::Hs200 => 200_000_000,
            Self::Hs400 | Self::Hs400EnhancedStrobe => 400_000_000,
            Self::UhsII => 312_000_000,
            Self::SdExpress => return None,
        })
    }

    /// Bits per line and clock cycle; `None` for modes with another kind of lines.
    fn bits_per_cycle(self) -> Option<u64> {
        match self {
            Self::Ddr50 | Self::Ddr52 | Self::Hs400 | Self::Hs400EnhancedStrobe => Some(2),
            Self::UhsII | Self::SdExpress => None,
            _ => Some(1),
        }
    }
}

impl MmcLink {
    /// Maximum in bytes per second: from clock and lines if known, since both are often below the mode's maximum and,
    /// if a user set them so, above. Limited by the reader's own link.
    pub(super) fn bytes_per_s(&self) -> Option<u64> {
        let timing = self.timing?;
        let running = match (self.clock_hz, self.lines, timing.bits_per_cycle()) {
            (Some(clock_hz @ 1..), Some(lines @ 1..), Some(bits)) => {
                Some(clock_hz.saturating_mul(u64::from(lines) * bits) / 8)
            }
            _ => timing.bytes_per_s_max(),
        };
        let reader = self.reader.as_ref().and_then(UsbLink::bytes_per_s);
        match (running, reader) {
            (Some(card), Some(reader)) => Some(card.min(reader)),
            (one, other) => one.or(other),
        }
    }
}
