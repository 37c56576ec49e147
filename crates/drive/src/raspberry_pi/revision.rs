//! Revision codes
//! (<https://www.raspberrypi.com/documentation/computers/raspberry-pi.html#raspberry-pi-revision-codes>).

use cardiograph_core::MIB;
use cardiograph_core::drive::Board;

/// Flag of new codes, which consist of fields; old ones are sequential numbers.
const IS_NEW: u32 = 1 << 23;
/// Warranty bit of old codes.
const OLD_WARRANTY: u32 = 1 << 24;
/// Types by number in new codes; empty names are unknown.
const MODELS: [&str; 27] = [
    "A", "B", "A+", "B+", "2B", "Alpha", "CM1", "", "3B", "Zero", "CM3", "", "Zero W", "3B+", "3A+", "",
    "CM3+", "4B", "Zero 2 W", "400", "CM4", "CM4S", "", "5", "CM5", "500", "CM5 Lite",
];
const PROCESSORS: [&str; 5] = ["BCM2835", "BCM2836", "BCM2837", "BCM2711", "BCM2712"];
const MAKERS: [&str; 6] = ["Sony UK", "Egoman", "Embest", "Sony Japan", "Embest", "Stadium"];
/// The largest documented memory is 16 GiB: 256 MiB doubled this many times.
const MEMORY_MAX: u32 = 6;

/// Old codes: model, revision, memory in MiB (0 for either of two), manufacturer. All have the first
/// processor type.
const OLD: [(u32, &str, &str, u64, &str); 17] = [
    (0x02, "B", "1.0", 256, "Egoman"),
    (0x03, "B", "1.0", 256, "Egoman"),
    (0x04, "B", "2.0", 256, "Sony UK"),
    (0x05, "B", "2.0", 256, "Qisda"),
    (0x06, "B", "2.0", 256, "Egoman"),
    (0x07, "A", "2.0", 256, "Egoman"),
    (0x08, "A", "2.0", 256, "Sony UK"),
    (0x09, "A", "2.0", 256, "Qisda"),
    (0x0d, "B", "2.0", 512, "Egoman"),
    (0x0e, "B", "2.0", 512, "Sony UK"),
    (0x0f, "B", "2.0", 512, "Egoman"),
    (0x10, "B+", "1.2", 512, "Sony UK"),
    (0x11, "CM1", "1.0", 512, "Sony UK"),
    (0x12, "A+", "1.1", 256, "Sony UK"),
    (0x13, "B+", "1.2", 512, "Embest"),
    (0x14, "CM1", "1.0", 512, "Embest"),
    (0x15, "A+", "1.1", 0, "Embest"),
];

/// Decodes a code; `None` if it has an unknown field.
pub(super) fn decode(code: u32) -> Option<Board> {
    if code & IS_NEW == 0 {
        let number = code & !OLD_WARRANTY;
        let (_, model, revision, mib, maker) = OLD.iter().find(|(old, ..)| *old == number)?;
        return Some(Board {
            model: model.to_string(),
            revision: revision.to_string(),
            memory_bytes: (*mib > 0).then_some(mib * MIB),
            processor: PROCESSORS[0].to_string(),
            maker: maker.to_string(),
        });
    }
    let field = |shift: u32, bits: u32| code >> shift & ((1 << bits) - 1);
    let named = |names: &[&str], index: u32| {
        names.get(index as usize).filter(|name| !name.is_empty()).map(|name| name.to_string())
    };
    let memory = field(20, 3);
    (memory <= MEMORY_MAX).then_some(Board {
        model: named(&MODELS, field(4, 8))?,
        revision: format!("1.{}", field(0, 4)),
        memory_bytes: Some((256 * MIB) << memory),
        processor: named(&PROCESSORS, field(12, 4))?,
        maker: named(&MAKERS, field(16, 4))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_decoded_as_on_their_boards() {
        // With the board's name where known: from
        // https://github.com/AndrewFromMelbourne/raspberry_pi_revision/issues/8 (c03115),
        // https://github.com/adafruit/Adafruit_Python_PlatformDetect/pull/241 (d03141) and /issues/195
        // (c03131), https://github.com/juj/fbcp-ili9341/issues/202 (b03140), the others from the
        // documentation's table.
        let cases = [
            (0xc0_3115, "4B", "1.5", Some(4_096), "BCM2711", "Sony UK"),
            (0xd0_3141, "CM4", "1.1", Some(8_192), "BCM2711", "Sony UK"),
            (0xc0_3131, "400", "1.1", Some(4_096), "BCM2711", "Sony UK"),
            (0xb0_3140, "CM4", "1.0", Some(2_048), "BCM2711", "Sony UK"),
            (0xd0_4170, "5", "1.0", Some(8_192), "BCM2712", "Sony UK"),
            (0xb0_41a0, "CM5 Lite", "1.0", Some(2_048), "BCM2712", "Sony UK"),
            (0xa0_20d4, "3B+", "1.4", Some(1_024), "BCM2837", "Sony UK"),
            (0x90_20e1, "3A+", "1.1", Some(512), "BCM2837", "Sony UK"),
            (0xa2_1041, "2B", "1.1", Some(1_024), "BCM2836", "Embest"),
            // The highest bits allow or forbid overclocking and void warranties.
            (0x82c0_3115, "4B", "1.5", Some(4_096), "BCM2711", "Sony UK"),
            (0x0002, "B", "1.0", Some(256), "BCM2835", "Egoman"),
            (0x0100_000d, "B", "2.0", Some(512), "BCM2835", "Egoman"),
            (0x0015, "A+", "1.1", None, "BCM2835", "Embest"),
        ];
        for (code, model, revision, mib, processor, maker) in cases {
            let expected = Board {
                model: model.to_string(),
                revision: revision.to_string(),
                memory_bytes: mib.map(|mib: u64| mib * MIB),
                processor: processor.to_string(),
                maker: maker.to_string(),
            };
            assert_eq!(decode(code), Some(expected), "{code:x}");
        }
    }

    #[test]
    fn unknown_fields_are_not_guessed() {
        for code in [0, 1, 0x16, u32::MAX, 0xf0_3111, 0xc0_5111, 0xc6_3111, 0xc0_3ff1, 0xc0_3071] {
            assert_eq!(decode(code), None, "{code:x}");
        }
    }
}
