//! Signs that a card may be a counterfeit. They prove nothing; only the capacity test does.

use cardiograph_core::card::{CardIdentity, CounterfeitHint};
use cardiograph_core::{Message, message};

/// A sign, and its weight: 1 occasionally occurs on genuine cards, 3 hardly ever.
struct Sign {
    weight: u8,
    text: Message,
    fits: fn(&CardIdentity) -> bool,
}

/// Unassigned manufacturer ids found on counterfeits, some with one application id only. Source: sbc-bench's
/// list.
const NO_MAKERS: &[(u8, Option<&str>)] =
    &[(0x00, None), (0xdf, None), (0xff, None), (0xfe, Some("4V")), (0x25, None)];

const SIGNS: &[Sign] = &[
    Sign {
        weight: 3,
        text: message!("counterfeit.maker-of-counterfeits"),
        fits: |card| {
            let same = |&(id, application_id): &(u8, Option<&str>)| {
                id == card.maker_id && application_id.is_none_or(|other| other == card.application_id)
            };
            NO_MAKERS.iter().any(same)
        },
    },
    Sign { weight: 3, text: message!("counterfeit.no-serial"), fits: |card| card.serial == 0 },
    Sign {
        weight: 2,
        text: message!("counterfeit.small-serial"),
        fits: |card| (1..=0xffff).contains(&card.serial),
    },
    Sign {
        weight: 2,
        text: message!("counterfeit.controller-name"),
        fits: |card| matches!(card.product.as_str(), "SMI" | "ASTC" | "AS"),
    },
    Sign {
        weight: 2,
        text: message!("counterfeit.no-name"),
        // Genuine Samsung cards have this name.
        fits: |card| matches!(card.product.as_str(), "" | "00000") && card.maker_id != 0x1b,
    },
    Sign {
        weight: 1,
        text: message!("counterfeit.not-kingston"),
        fits: |card| card.application_id == "42" && !card.makers.iter().any(|brand| brand == "Kingston"),
    },
    Sign { weight: 1, text: message!("counterfeit.unknown-maker"), fits: |card| card.makers.is_empty() },
    Sign { weight: 1, text: message!("counterfeit.disputed-maker"), fits: |card| card.maker_is_disputed },
    Sign { weight: 1, text: message!("counterfeit.no-month"), fits: |card| card.made.is_none() },
    Sign {
        weight: 2,
        text: message!("counterfeit.wrong-checksum"),
        fits: |card| card.checksum_is_right == Some(false),
    },
];

/// Signs in an SD card's identity, by descending weight.
pub(super) fn check_sd(identity: &CardIdentity) -> Vec<CounterfeitHint> {
    let fitting = SIGNS.iter().filter(|sign| (sign.fits)(identity));
    let mut hints: Vec<CounterfeitHint> =
        fitting.map(|sign| CounterfeitHint { weight: sign.weight, text: sign.text.clone() }).collect();
    hints.sort_by_key(|hint| std::cmp::Reverse(hint.weight));
    hints
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::cid;

    fn signs(cid: &str) -> Vec<(u8, String)> {
        let hints = check_sd(&cid::parse_sd(cid).unwrap());
        hints.into_iter().map(|hint| (hint.weight, hint.text.to_string())).collect()
    }

    #[test]
    fn genuine_cards_have_no_signs() {
        for cid in [
            "0353445343313647806cb1100a011a00",
            "035344534331364780ecf4c851011b85",
            "275048534431364730da89b82900fb61",
            "744a605553442020104182bbc7010600",
            "035344534e35313280fff7b17b015700",
            // A name of zeros is usual for Samsung.
            "1b534d303030303010a1b2c3d4014700",
        ] {
            assert!(signs(cid).is_empty(), "{cid}");
        }
    }

    #[test]
    fn each_sign_is_detected() {
        for (cid, expected) in [
            // A serial number of 0, and a small one.
            ("0353445343313647800000000001a500", &[(3, "counterfeit.no-serial")][..]),
            ("035344534331364780000012340141 00", &[(2, "counterfeit.small-serial")]),
            // No name, and the name of a controller.
            ("035344303030303080ecf4c851011b00", &[(2, "counterfeit.no-name")]),
            ("035344415354430080ecf4c851011b00", &[(2, "counterfeit.controller-name")]),
            // A manufacturer id that is neither assigned nor on a list.
            (
                "000000534331364780ecf4c851011b00",
                &[(3, "counterfeit.maker-of-counterfeits"), (1, "counterfeit.unknown-maker")],
            ),
            ("1b3432454231515410ecf4c851011b00", &[(1, "counterfeit.not-kingston")]),
            ("123456534331364780ecf4c851011b00", &[(1, "counterfeit.disputed-maker")]),
            ("035344534331364780ecf4c851011f00", &[(1, "counterfeit.no-month")]),
            ("035344534331364780ecf4c851011b87", &[(2, "counterfeit.wrong-checksum")]),
        ] {
            let seen = signs(&cid.replace(' ', ""));
            let seen: Vec<(u8, &str)> = seen.iter().map(|(weight, id)| (*weight, id.as_str())).collect();
            assert_eq!(seen, expected, "{cid}");
        }
    }
}
