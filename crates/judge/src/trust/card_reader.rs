//! A card in a USB reader.

use cardiograph_core::drive::{Bus, Leaf, LeafKind, UsbDriver, UsbLink};
use cardiograph_core::{Message, Parameter, message};

use super::{Evidence, Found, Warning};

/// Words in the names of readers and their slots, in lower case.
const WORDS: [&str; 15] = [
    "card reader",
    "cardreader",
    "card  reader",
    "multi-card",
    "multicard",
    "multi flash reader",
    "media reader",
    "storage device reader",
    "sd reader",
    "usb reader",
    "sd/mmc",
    "sd-mmc",
    "compact flash",
    "sm/xd",
    "ms/ms-pro",
];
/// Readers with other names, by vendor and product id (the list of linux-usb.org, and kernel logs): Super Top
/// and Elecom, Genesys Logic, Realtek, Alcor, Transcend.
const KNOWN: [(&str, &str); 12] = [
    ("14cd", "1212"),
    ("14cd", "125c"),
    ("14cd", "168a"),
    ("14cd", "8168"),
    ("05e3", "0736"),
    ("05e3", "0749"),
    ("0bda", "0306"),
    ("0bda", "0326"),
    ("058f", "6362"),
    ("058f", "6366"),
    ("8564", "4000"),
    ("067b", "2731"),
];

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.check_leaves(message!("trap-link-unknown"), |leaf| {
        if leaf.link.is_none() && matches!(leaf.kind, LeafKind::Virtual | LeafKind::Simulated) {
            return Some(None);
        }
        let (usb, sign) = match &leaf.link.as_ref()?.bus {
            Bus::Usb(usb) => (usb, reader_sign(leaf, usb)),
            Bus::Mmc(mmc) => return Some(mmc.reader.as_ref().map(|usb| with_registers(leaf, usb))),
            _ => return Some(None),
        };
        Some(sign.map(|sign| {
            let (drive, bridge) = (&leaf.name, bridge(usb));
            let first = match sign {
                ReaderSign::Name => message!("trap-card-reader.named", drive, bridge),
                ReaderSign::Slots => message!("trap-card-reader.slot", drive, bridge),
            };
            let is_serial = usb.driver == Some(UsbDriver::UsbStorage);
            let seen: Vec<Message> = std::iter::once(first)
                .chain(rate(usb))
                .chain(is_serial.then(|| message!("trap-card-reader.one-command")))
                .chain([message!("trap-card-reader.hidden")])
                .collect();
            Warning::caution(seen, message!("trap-card-reader.meaning"))
        }))
    })
}

/// A reader that uses the card's own protocol hides nothing, but its cable is still a limit.
fn with_registers(leaf: &Leaf, usb: &UsbLink) -> Warning {
    let first = message!("trap-card-reader.registers", drive = &leaf.name, bridge = bridge(usb));
    let seen: Vec<Message> = std::iter::once(first).chain(rate(usb)).collect();
    Warning::note(seen, message!("trap-card-reader.registers-meaning"))
}

fn rate(usb: &UsbLink) -> Option<Message> {
    let bits_per_s = u64::from(usb.mbit_per_s?) * 1_000_000;
    Some(message!("trap-card-reader.rate", rate = Parameter::BitsPerS(bits_per_s)))
}

/// A bridge's name for use in a sentence.
pub(super) fn bridge(usb: &UsbLink) -> Parameter {
    usb.bridge_name().map_or_else(|| message!("trap-unnamed-bridge").into(), Parameter::from)
}

/// Signs of a card in a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReaderSign {
    /// Name of bridge or drive, or the bridge's ids.
    Name,
    /// Several slots with removable media behind one bridge.
    Slots,
}

/// Why a USB drive is taken for a card in a reader; `None` if it is not.
pub(super) fn reader_sign(leaf: &Leaf, usb: &UsbLink) -> Option<ReaderSign> {
    let names = [&usb.product, &leaf.vendor, &leaf.model];
    let calls_itself_so = names.into_iter().flatten().any(|name| {
        let name = name.to_lowercase();
        WORDS.iter().any(|word| name.contains(word))
    });
    let ids = usb.vendor_id.as_deref().zip(usb.product_id.as_deref());
    let has_slots = usb.units.is_some_and(|units| units > 1) && leaf.removable == Some(true);
    if calls_itself_so || ids.is_some_and(|ids| KNOWN.contains(&ids)) {
        Some(ReaderSign::Name)
    } else if has_slots {
        Some(ReaderSign::Slots)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Link, MmcLink};

    use super::super::bench::Scene;
    use super::*;
    use crate::trust::Weight;

    /// A drive behind a bridge with these ids and this name, whose SCSI name is `model`.
    fn scene(ids: (&str, &str), product: &str, model: &str, units: u32, removable: bool) -> Scene {
        let usb = UsbLink {
            mbit_per_s: Some(5_000),
            driver: Some(UsbDriver::UsbStorage),
            vendor_id: Some(ids.0.to_string()),
            product_id: Some(ids.1.to_string()),
            product: Some(product.to_string()),
            units: Some(units),
            ..UsbLink::default()
        };
        Scene::from_leaf(Leaf {
            kind: LeafKind::Usb,
            model: Some(model.to_string()),
            removable: Some(removable),
            link: Some(Link::new(Bus::Usb(usb))),
            ..Leaf::default()
        })
    }

    #[test]
    fn readers_are_known_by_name_id_and_slots() {
        // From kernel logs: Genesys GL3224 (Forlinx's manual of the OK3568), Realtek (F3 issue 10), Alcor
        // (xbian issue 52), Super Top in CanaKit's reader, Prolific (rpi-eeprom issue 527), a reader of four slots.
        let readers = [
            (("05e3", "0749"), "USB3.0 Card Reader", "STORAGE DEVICE", 1),
            (("0bda", "0306"), "USB3.0 Card Reader", "SD/MMC/MS PRO", 2),
            (("058f", "6366"), "Multi Flash Reader", "Compact Flash", 4),
            (("14cd", "1212"), "Mass Storage Device", "Mass Storage Device", 1),
            (("067b", "2731"), "USB SD Card Reader", "Prolific", 1),
            (("1234", "5678"), "Storage", "Slot", 4),
        ];
        for (ids, product, model, units) in readers {
            let warning = scene(ids, product, model, units, true).warning(look);
            let bridge = format!("{product} ({}:{})", ids.0, ids.1);
            let first = match product {
                "Storage" => message!("trap-card-reader.slot", drive = "sda", bridge),
                _ => message!("trap-card-reader.named", drive = "sda", bridge),
            };
            let expected = [
                first,
                message!("trap-card-reader.rate", rate = Parameter::BitsPerS(5_000_000_000)),
                message!("trap-card-reader.one-command"),
                message!("trap-card-reader.hidden"),
            ];
            assert_eq!(warning.seen, expected);
        }
    }

    #[test]
    fn bridges_and_sticks_are_not_readers() {
        // A case with two bays has two units with fixed media; Super Top makes bridges, too.
        for (ids, product, model, units, removable) in [
            (("152d", "0578"), "JMS579", "00SSD1", 1, false),
            (("152d", "0567"), "External USB 3.0", "DISK01", 2, false),
            (("14cd", "6116"), "USB Mass Storage Device", "HDD", 1, false),
            (("0781", "5581"), "Ultra", "Ultra", 1, true),
        ] {
            assert!(scene(ids, product, model, units, removable).is_absent(look), "{product}");
        }
        assert!(Scene::with_kind(LeafKind::Usb).is_not_seen(look));
    }

    #[test]
    fn a_reader_that_shows_the_registers_is_noted() {
        let reader = |reader| {
            let link = Link::new(Bus::Mmc(MmcLink { reader, ..MmcLink::default() }));
            Scene::from_leaf(Leaf { kind: LeafKind::SdCard, link: Some(link), ..Leaf::default() })
        };
        let usb = UsbLink { mbit_per_s: Some(480), ..UsbLink::default() };
        let warning = reader(Some(usb)).warning(look);
        assert_eq!(warning.weight, Weight::Note);
        let expected = [
            message!("trap-card-reader.registers", drive = "sda", bridge = message!("trap-unnamed-bridge")),
            message!("trap-card-reader.rate", rate = Parameter::BitsPerS(480_000_000)),
        ];
        assert_eq!(warning.seen, expected);
        assert!(reader(None).is_absent(look));
    }
}
