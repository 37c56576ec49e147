//! USB drives behind the old protocol, and readers of cards.

use cardiograph_core::drive::{Bus, UsbDriver, UsbLink};
use cardiograph_core::trust::{TrapOutcome, Weight};

use super::{Evidence, Trap, of_leaves};

pub(super) const TRAP: Trap = Trap {
    name: "usb_driver",
    title: "a USB drive that takes one command at a time, or a reader in between",
    look,
};

fn look(evidence: &Evidence<'_>) -> TrapOutcome {
    of_leaves(evidence, "the link is not known", |leaf| match &leaf.link.as_ref()?.bus {
        Bus::Usb(usb) if is_reader(usb) => Some(TrapOutcome::present(
            Weight::Caution,
            format!(
                "drive {} sits in a reader, {}, which shows nothing of the card itself",
                leaf.name,
                name(usb)
            ),
            "the figures are those of card and reader together; the card's registers are only seen in a slot of its own",
        )),
        Bus::Usb(usb) => Some(match usb.driver.as_ref()? {
            UsbDriver::UsbStorage => TrapOutcome::present(
                Weight::Caution,
                format!("drive {} hangs on {}, by usb-storage{}", leaf.name, name(usb), quirk(usb)),
                "one command at a time: figures with many I/Os in flight are those of one; with a bridge that speaks UAS it may do \
                 better",
            ),
            UsbDriver::Uas | UsbDriver::Other(_) => TrapOutcome::Absent,
        }),
        _ => Some(TrapOutcome::Absent),
    })
}

fn name(usb: &UsbLink) -> String {
    let id = match (&usb.vendor_id, &usb.product_id) {
        (Some(vendor), Some(product)) => format!("{vendor}:{product}"),
        _ => "a bridge without an id".to_string(),
    };
    match &usb.product {
        Some(product) => format!("{product} ({id})"),
        None => id,
    }
}

fn quirk(usb: &UsbLink) -> String {
    match &usb.quirks {
        Some(quirks) if quirks.contains('u') => {
            " because the kernel was told so (usb-storage.quirks)".to_string()
        }
        _ => String::new(),
    }
}

/// What calls itself a reader of cards.
fn is_reader(usb: &UsbLink) -> bool {
    usb.product.as_ref().is_some_and(|product| {
        let product = product.to_lowercase();
        ["card reader", "cardreader", "multi-card", "multicard", "sd reader", "mass storage device reader"]
            .iter()
            .any(|word| product.contains(word))
    })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Leaf, LeafKind, Link};

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn the_old_protocol_and_readers_are_told() {
        let scene = |driver, product: &str, quirks: Option<&str>| {
            let usb = UsbLink {
                driver,
                vendor_id: Some("152d".to_string()),
                product_id: Some("0578".to_string()),
                product: Some(product.to_string()),
                quirks: quirks.map(str::to_string),
                ..UsbLink::default()
            };
            Scene::of(Leaf {
                name: "sda".to_string(),
                link: Some(Link::new(Bus::Usb(usb))),
                ..Leaf::default()
            })
        };
        let old = scene(Some(UsbDriver::UsbStorage), "JMS578", None).warning(&TRAP);
        assert!(old.seen.contains("JMS578 (152d:0578)") && old.seen.contains("usb-storage"), "{old:?}");
        assert!(
            scene(Some(UsbDriver::UsbStorage), "JMS578", Some("u"))
                .warning(&TRAP)
                .seen
                .contains("was told so")
        );
        assert!(
            scene(Some(UsbDriver::UsbStorage), "USB3.0 Card Reader", None)
                .warning(&TRAP)
                .seen
                .contains("reader")
        );
        assert!(scene(Some(UsbDriver::Uas), "JMS578", None).is_absent(&TRAP));
        assert!(scene(None, "JMS578", None).is_not_seen(&TRAP));
        assert!(Scene::of_kind(LeafKind::Usb).is_not_seen(&TRAP));
    }
}
