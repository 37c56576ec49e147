//! The identity of a card: its CID register.

use cardiograph_core::card::{CardIdentity, EmmcPackage, Month};

use super::maker::{self, Bus};
use super::register::{Register, crc7};
use crate::attribute;

type Cid = Register<16>;

/// Reads the CID of an SD card (Physical Layer 5.2).
pub(super) fn parse_sd(text: &str) -> Option<CardIdentity> {
    let cid = Cid::parse(text)?;
    let bytes = cid.bytes();
    let application_id = [bytes[1], bytes[2]];
    let made = Month { year: 2_000 + cid.bits(19, 12) as u16, month: cid.bits(11, 8) as u8 };
    let identity = CardIdentity {
        application_id: letters(&application_id),
        product: letters(&bytes[3..8]),
        revision: format!("{}.{}", cid.bits(63, 60), cid.bits(59, 56)),
        serial: cid.bits(55, 24) as u32,
        made: (1..=12).contains(&made.month).then_some(made),
        ..common(&cid, Bus::Sd, u16::from_be_bytes(application_id))
    };
    Some(identity)
}

/// Reads the CID of an eMMC, and its package (JESD84-B51 7.2). `revision` is that of its extended CSD, which
/// determines the range of years.
pub(super) fn parse_emmc(text: &str, revision: Option<u64>) -> Option<(CardIdentity, Option<EmmcPackage>)> {
    let cid = Cid::parse(text)?;
    let package = match cid.bits(113, 112) {
        0 => Some(EmmcPackage::Removable),
        1 => Some(EmmcPackage::Soldered),
        2 => Some(EmmcPackage::PackageOnPackage),
        _ => None,
    };
    let application_id = cid.bits(111, 104) as u16;
    let month = cid.bits(15, 12) as u8;
    // Four bits count from 1997. From version 4.41 on the years before 2010 are reused for those from 2013
    // on.
    let year = 1_997 + cid.bits(11, 8) as u16;
    let is_late = revision.is_some_and(|revision| revision >= 5);
    let year = if is_late && year < 2_010 { year + 16 } else { year };
    let identity = CardIdentity {
        application_id: format!("0x{application_id:02x}"),
        product: letters(&cid.bytes()[3..9]),
        revision: format!("{}.{}", cid.bits(55, 52), cid.bits(51, 48)),
        serial: cid.bits(47, 16) as u32,
        made: (1..=12).contains(&month).then_some(Month { year, month }),
        ..common(&cid, Bus::Emmc, application_id)
    };
    Some((identity, package))
}

/// Fields at the same position in both.
fn common(cid: &Cid, bus: Bus, application_id: u16) -> CardIdentity {
    let bytes = cid.bytes();
    let maker_id = bytes[0];
    let known = maker::find(bus, maker_id, application_id);
    CardIdentity {
        maker_id,
        makers: known.iter().flat_map(|known| known.brands).map(|brand| brand.to_string()).collect(),
        maker_is_disputed: known.is_some_and(|known| known.is_disputed),
        // Many hosts omit the last byte, and the kernel sets it to zero. Some omit the end bit.
        checksum_is_right: (bytes[15] != 0).then(|| bytes[15] >> 1 == crc7(&bytes[..15])),
        ..CardIdentity::default()
    }
}

/// Text from a card, without characters other than printable ASCII.
fn letters(bytes: &[u8]) -> String {
    let ascii: Vec<u8> = bytes.iter().copied().filter(u8::is_ascii).collect();
    attribute::clean(&ascii).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sd_cards_are_decoded_as_by_the_kernel() {
        // Each with the kernel's decoding. Sources: PC Engines' list of tested media, a coreboot developer's
        // notes on the BeagleBone, armbian/build#246, hakandundar34coding/system-monitoring-center#45.
        for (cid, maker_id, application_id, product, revision, serial, made, checksum) in [
            ("0353445343313647806cb1100a011a00", 3, "SD", "SC16G", "8.0", 0x6cb1_100a, (2017, 10), None),
            (
                "035344534331364780ecf4c851011b85",
                3,
                "SD",
                "SC16G",
                "8.0",
                0xecf4_c851,
                (2017, 11),
                Some(true),
            ),
            (
                "275048534431364730da89b82900fb61",
                0x27,
                "PH",
                "SD16G",
                "3.0",
                0xda89_b829,
                (2015, 11),
                Some(true),
            ),
            ("035344534e35313280fff7b17b015700", 3, "SD", "SN512", "8.0", 0xfff7_b17b, (2021, 7), None),
        ] {
            let identity = parse_sd(cid).unwrap();
            assert_eq!((identity.maker_id, identity.application_id.as_str()), (maker_id, application_id));
            assert_eq!((identity.product.as_str(), identity.revision.as_str()), (product, revision));
            let (year, month) = made;
            assert_eq!((identity.serial, identity.made), (serial, Some(Month { year, month })), "{cid}");
            assert_eq!(identity.checksum_is_right, checksum, "{cid}");
        }
    }

    #[test]
    fn emmcs_are_decoded_as_by_the_kernel() {
        // From armbian/build#246; kernel 3.10 showed 05/1997, later ones know the revision.
        let cid = "1501004d384731474303dc0db061506f";
        for (revision, year) in [(None, 1997), (Some(4), 1997), (Some(6), 2013)] {
            let (identity, package) = parse_emmc(cid, revision).unwrap();
            assert_eq!((identity.maker_id, identity.application_id.as_str()), (0x15, "0x00"));
            assert_eq!((identity.product.as_str(), identity.serial), ("M8G1GC", 0xdc0d_b061));
            assert_eq!(identity.made, Some(Month { year, month: 5 }));
            assert_eq!((package, identity.checksum_is_right), (Some(EmmcPackage::Soldered), Some(true)));
            assert_eq!(identity.makers, ["Samsung"]);
        }
    }

    #[test]
    fn a_wrong_checksum_and_an_invalid_month_are_detected() {
        let identity = parse_sd("035344534331364780ecf4c851011b87").unwrap();
        assert_eq!(identity.checksum_is_right, Some(false));
        let identity = parse_sd("ff0102\u{7f}".repeat(4).as_str());
        assert_eq!(identity, None);
        let identity = parse_sd("00ff1b07ff00ff00000000000000f000").unwrap();
        assert_eq!(
            (identity.made, identity.product.as_str(), identity.application_id.as_str()),
            (None, "", "")
        );
    }
}
