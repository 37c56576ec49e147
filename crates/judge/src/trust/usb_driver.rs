//! USB drives behind the old protocol, and readers of cards.

use cardiograph_core::drive::{Bus, UsbDriver, UsbLink};

use super::card_reader::reader_sign;
use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.of_leaves("the link is not known", |leaf| match &leaf.link.as_ref()?.bus {
        // A reader has a trap of its own: no other would speak UAS to a card.
        Bus::Usb(usb) if reader_sign(leaf, usb).is_none() => {
            Some((*usb.driver.as_ref()? == UsbDriver::UsbStorage).then(|| {
                Warning::caution(
                    format!("drive {} hangs on {}, by usb-storage{}", leaf.name, usb.bridge_name(), quirk(usb)),
                    "one command at a time: figures with many I/Os in flight are those of one; with a bridge that speaks UAS it may do \
                     better",
                )
            }))
        }
        _ => Some(None),
    })
}

fn quirk(usb: &UsbLink) -> &'static str {
    match &usb.quirks {
        Some(quirks) if quirks.contains('u') => " because the kernel was told so (usb-storage.quirks)",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Leaf, LeafKind, Link};

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn the_old_protocol_is_told() {
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
        let old = scene(Some(UsbDriver::UsbStorage), "JMS578", None).warning(look);
        assert!(old.seen.contains("JMS578 (152d:0578)") && old.seen.contains("usb-storage"), "{old:?}");
        assert!(
            scene(Some(UsbDriver::UsbStorage), "JMS578", Some("u"))
                .warning(look)
                .seen
                .contains("was told so")
        );
        assert!(scene(Some(UsbDriver::UsbStorage), "USB3.0 Card Reader", None).is_absent(look));
        assert!(scene(Some(UsbDriver::Uas), "JMS578", None).is_absent(look));
        assert!(scene(None, "JMS578", None).is_not_seen(look));
        assert!(Scene::of_kind(LeafKind::Usb).is_not_seen(look));
    }
}
