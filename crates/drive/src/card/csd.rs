//! CSD register of an SD card.

use cardiograph_core::card::{SdData, SdKind};

use super::register::Register;

/// Reads it (Physical Layer 5.3). `None` for a reserved structure version.
pub(super) fn parse_sd(text: &str) -> Option<SdData> {
    let csd = Register::<16>::parse(text)?;
    let capacity_bytes = match csd.bits(127, 126) {
        0 => {
            let blocks = (csd.bits(73, 62) + 1) << (csd.bits(49, 47) + 2);
            blocks << csd.bits(83, 80)
        }
        1 => (csd.bits(69, 48) + 1) * (512 << 10),
        2 => (csd.bits(75, 48) + 1) * (512 << 10),
        _ => return None,
    };
    let kind = match csd.bits(127, 126) {
        0 => SdKind::Sdsc,
        // Beyond 32 GB a card is extended (5.3.3: C_SIZE above 0xFFFF).
        1 if csd.bits(69, 48) <= 0xffff => SdKind::Sdhc,
        1 => SdKind::Sdxc,
        _ => SdKind::Sduc,
    };
    Some(SdData {
        kind,
        capacity_bytes,
        is_write_protected: csd.bit(13),
        is_write_protected_for_now: csd.bit(12),
        is_copy: csd.bit(14),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capacities_match_those_of_the_cards() {
        // Sources as in `cid`; the first two from the verification notes of libmaple's SD library.
        for (csd, kind, capacity_bytes) in [
            ("002600325f5983ae7efbcfff924040d6", SdKind::Sdsc, 988_282_880),
            ("400e00325b5900001d8a7f800a4040b8", SdKind::Sdhc, 3_965_190_144),
            // The kernel counted 31,116,288 sectors on it.
            ("400e00325b59000076b27f800a404013", SdKind::Sdhc, 31_116_288 * 512),
            ("400e0032db79000ee5b77f800a404000", SdKind::Sdxc, 511_868_665_856),
        ] {
            let data = parse_sd(csd).unwrap();
            assert_eq!((data.kind, data.capacity_bytes), (kind, capacity_bytes), "{csd}");
            assert!(!data.is_write_protected && !data.is_write_protected_for_now, "{csd}");
        }
    }

    #[test]
    fn write_protection_is_detected() {
        let protected = |last: &str| parse_sd(&format!("400e00325b59000076b27f800a40{last}")).unwrap();
        assert!(protected("6013").is_write_protected);
        assert!(protected("5013").is_write_protected_for_now);
        assert_eq!(parse_sd("c00e00325b59000076b27f800a404013"), None);
        assert_eq!(parse_sd("nothing"), None);
    }
}
