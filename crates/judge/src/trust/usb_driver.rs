//! USB drives on the old protocol, and card readers.

use cardiograph_core::drive::{Bus, UsbDriver};
use cardiograph_core::message;

use super::card_reader::{bridge, reader_sign};
use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    evidence.check_leaves(message!("trap-link-unknown"), |leaf| match &leaf.link.as_ref()?.bus {
        // A reader has its own trap: UAS does not exist for cards.
        Bus::Usb(usb) if reader_sign(leaf, usb).is_none() => {
            Some((*usb.driver.as_ref()? == UsbDriver::UsbStorage).then(|| {
                let mut seen =
                    vec![message!("trap-usb-driver.seen", drive = &leaf.name, bridge = bridge(usb))];
                if usb.quirks.as_ref().is_some_and(|quirks| quirks.contains('u')) {
                    seen.push(message!("trap-usb-driver.quirk"));
                }
                Warning::caution(seen, message!("trap-usb-driver.meaning"))
            }))
        }
        _ => Some(None),
    })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::{Leaf, LeafKind, Link, UsbLink};

    use super::super::bench::Scene;
    use super::*;

    #[test]
    fn the_old_protocol_is_reported() {
        let scene = |driver, product: &str, quirks: Option<&str>| {
            let usb = UsbLink {
                driver,
                vendor_id: Some("152d".to_string()),
                product_id: Some("0578".to_string()),
                product: Some(product.to_string()),
                quirks: quirks.map(str::to_string),
                ..UsbLink::default()
            };
            Scene::from_leaf(Leaf {
                name: "sda".to_string(),
                link: Some(Link::new(Bus::Usb(usb))),
                ..Leaf::default()
            })
        };
        let old = scene(Some(UsbDriver::UsbStorage), "JMS578", None).warning(look);
        let seen = message!("trap-usb-driver.seen", drive = "sda", bridge = "JMS578 (152d:0578)");
        assert_eq!(old.seen, std::slice::from_ref(&seen));
        let forced = scene(Some(UsbDriver::UsbStorage), "JMS578", Some("u")).warning(look);
        assert_eq!(forced.seen, [seen, message!("trap-usb-driver.quirk")]);
        assert!(scene(Some(UsbDriver::UsbStorage), "USB3.0 Card Reader", None).is_absent(look));
        assert!(scene(Some(UsbDriver::Uas), "JMS578", None).is_absent(look));
        assert!(scene(None, "JMS578", None).is_not_seen(look));
        assert!(Scene::with_kind(LeafKind::Usb).is_not_seen(look));
    }
}
