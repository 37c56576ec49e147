//! SCR register of an SD card.

use cardiograph_core::card::SdConfiguration;

use super::register::Register;

/// Reads it (Physical Layer 5.6).
pub(super) fn parse_sd(text: &str) -> Option<SdConfiguration> {
    let scr = Register::<8>::parse(text)?;
    // Later versions of the specification use other bits.
    let version = match (scr.bits(59, 56), scr.bit(47), scr.bit(42), scr.bits(41, 38)) {
        (0, ..) => Some("1.0"),
        (1, ..) => Some("1.10"),
        (2, false, ..) => Some("2.00"),
        (2, true, false, 0) => Some("3.0x"),
        (2, true, true, 0) => Some("4.xx"),
        (2, true, _, 1) => Some("5.xx"),
        (2, true, _, 2) => Some("6.xx"),
        (2, true, _, 3) => Some("7.xx"),
        (2, true, _, 4) => Some("8.xx"),
        (2, true, _, 5) => Some("9.xx"),
        _ => None,
    };
    Some(SdConfiguration {
        version: version.map(str::to_string),
        has_four_lines: scr.bit(50),
        erases_to_ones: scr.bit(55),
        counts_blocks: scr.bit(33),
        has_extensions: scr.bit(34),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_decoded_from_their_bits() {
        // Sources as in `cid`.
        for (scr, version, counts_blocks, has_extensions) in [
            ("0125000000000000", Some("1.10"), false, false),
            ("0225000000000000", Some("2.00"), false, false),
            ("0235800100000000", Some("3.0x"), false, false),
            ("0235800201000000", Some("3.0x"), true, false),
            ("0235844300000000", Some("5.xx"), true, false),
            ("0245848700000000", Some("6.xx"), true, true),
            ("0245858700000000", None, true, true),
        ] {
            let configuration = parse_sd(scr).unwrap();
            assert_eq!(configuration.version.as_deref(), version, "{scr}");
            assert_eq!(
                (configuration.counts_blocks, configuration.has_extensions),
                (counts_blocks, has_extensions),
                "{scr}"
            );
            assert!(configuration.has_four_lines && !configuration.erases_to_ones, "{scr}");
        }
        assert_eq!(parse_sd("02"), None);
    }
}
