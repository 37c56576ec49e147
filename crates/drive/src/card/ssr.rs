//! Status register of an SD card: its class marks and the values behind them.

use cardiograph_core::card::SdStatus;

use super::register::Register;

/// Reads it (Physical Layer 4.10.2). Reserved values are `None`.
pub(super) fn parse_sd(text: &str) -> Option<SdStatus> {
    let ssr = Register::<64>::parse(text)?;
    let one_of = |value: u64, known: &[u8]| u8::try_from(value).ok().filter(|value| known.contains(value));
    let erase_timeout_s = ssr.bits(407, 402) as u8;
    let erase_units = ssr.bits(423, 408) as u16;
    Some(SdStatus {
        lines: match ssr.bits(511, 510) {
            0 => Some(1),
            2 => Some(4),
            _ => None,
        },
        speed_class: [0, 2, 4, 6, 10].get(ssr.bits(447, 440) as usize).copied(),
        uhs_grade: one_of(ssr.bits(399, 396), &[0, 1, 3]),
        video_class: one_of(ssr.bits(391, 384), &[0, 6, 10, 30, 60, 90]),
        application_class: one_of(ssr.bits(339, 336), &[0, 1, 2]),
        allocation_unit_bytes: allocation_unit_bytes(ssr.bits(431, 428)),
        // In UHS modes units are at least a megabyte.
        uhs_allocation_unit_bytes: allocation_unit_bytes(ssr.bits(395, 392))
            .filter(|&bytes| bytes >= 1 << 20),
        video_allocation_unit_bytes: Some(ssr.bits(377, 368) << 20).filter(|&bytes| bytes > 0),
        erase_units,
        erase_timeout_s: (erase_timeout_s > 0 && erase_units > 0).then_some(erase_timeout_s),
        // 1 is a depth of two.
        queue_depth: match ssr.bits(335, 331) as u8 {
            0 => 0,
            depth => depth + 1,
        },
        has_cache: ssr.bit(330),
        has_host_maintenance: ssr.bit(329),
        has_card_maintenance: ssr.bit(328),
        can_discard: ssr.bit(313),
        can_erase_all: ssr.bit(312),
        is_plain: ssr.bits(495, 480) == 0,
    })
}

/// The allocation unit of a code, in bytes: table 4-45. The first nine double from 16 KiB.
fn allocation_unit_bytes(code: u64) -> Option<u64> {
    const MIB: u64 = 1 << 20;
    match code {
        1..=9 => Some((16 << 10) << (code - 1)),
        0xa => Some(8 * MIB),
        0xb => Some(12 * MIB),
        0xc => Some(16 * MIB),
        0xd => Some(24 * MIB),
        0xe => Some(32 * MIB),
        0xf => Some(64 * MIB),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A status of zeros, except for these bytes at these offsets.
    fn status(bytes: &[(usize, u8)]) -> SdStatus {
        let mut all = [0u8; 64];
        bytes.iter().for_each(|&(at, byte)| all[at] = byte);
        let text: String = all.iter().map(|byte| format!("{byte:02x}")).collect();
        parse_sd(&text).unwrap()
    }

    #[test]
    fn real_cards_have_the_marks_on_their_labels() {
        // SanDisk SC16G, sold as "Ultra A1": class 10, A1, and in a later month U1. Sources as in `cid`; the
        // kernel showed 4 MiB as the preferred erase size.
        let rest = "00000000000001000000000000000000000000000000000000000000000000000000000000000000000000000000000000";
        for (ssr, uhs_grade) in [
            (format!("0000000004000000040090000f050a{rest}"), 0),
            (format!("0000000004000000040090000f051a{rest}"), 1),
        ] {
            let status = parse_sd(&ssr).unwrap();
            assert_eq!((status.speed_class, status.uhs_grade), (Some(10), Some(uhs_grade)));
            assert_eq!((status.video_class, status.application_class), (Some(0), Some(1)));
            assert_eq!(status.allocation_unit_bytes, Some(4 << 20));
            assert_eq!(status.uhs_allocation_unit_bytes, Some(8 << 20));
            assert_eq!((status.erase_units, status.erase_timeout_s), (15, Some(1)));
            assert!(status.is_plain && status.queue_depth == 0 && !status.has_cache);
        }
    }

    #[test]
    fn a_card_with_all_marks() {
        // Class 10, U3, V30 with units of 8 MiB, A2 with a queue of 32 and a cache.
        let bytes =
            [(0, 0x80), (8, 4), (10, 0xf0), (14, 0x3a), (15, 30), (17, 8), (21, 2), (22, 0xfd), (24, 2)];
        let status = status(&bytes);
        let labels: Vec<String> = status.marks().into_iter().map(|mark| mark.label()).collect();
        assert_eq!(labels, ["C10", "U3", "V30", "A2"]);
        assert_eq!((status.lines, status.allocation_unit_bytes), (Some(4), Some(64 << 20)));
        assert_eq!(status.video_allocation_unit_bytes, Some(8 << 20));
        assert_eq!((status.queue_depth, status.has_cache), (32, true));
        assert!(!status.has_host_maintenance && status.has_card_maintenance);
        assert!(status.can_discard && !status.can_erase_all);
    }

    #[test]
    fn unassigned_values_are_not_guessed() {
        let status =
            status(&[(2, 1), (8, 5), (10, 0x00), (14, 0x25), (15, 31), (21, 7), (22, 8), (13, 0xfc)]);
        assert_eq!((status.speed_class, status.uhs_grade, status.video_class), (None, None, None));
        assert_eq!((status.application_class, status.allocation_unit_bytes), (None, None));
        // 256 KiB is not a unit of a UHS mode.
        assert_eq!(status.uhs_allocation_unit_bytes, None);
        assert_eq!((status.queue_depth, status.erase_timeout_s, status.is_plain), (2, None, false));
        assert_eq!(parse_sd("00"), None);
    }
}
