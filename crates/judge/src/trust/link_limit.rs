//! The link as the bottleneck.

use cardiograph_core::{Parameter, message};

use super::{Evidence, Found, Warning};

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let ceiling_bytes_per_s = evidence.ceiling_bytes_per_s()?;
    evidence.check_measured()?;
    let limited = evidence.in_steps_with(|standing| standing.link_limited == Some(true));
    Ok(limited.map(|tests| {
        let carried = Parameter::bytes_per_s(ceiling_bytes_per_s as f64);
        Warning::note(message!("trap-link-limit.seen", carried, tests), message!("trap-link-limit.meaning"))
    }))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Direction;
    use cardiograph_core::drive::{Bus, Leaf, Link, UsbLink};

    use super::super::bench::{Scene, step};
    use super::*;
    use crate::standing::standings;

    #[test]
    fn a_full_link_is_reported() {
        let usb = Link::new(Bus::Usb(UsbLink { mbit_per_s: Some(5_000), ..UsbLink::default() }));
        let scene = |bytes_per_s| {
            let mut scene = Scene::from_leaf(Leaf { link: Some(usb.clone()), ..Leaf::default() });
            let mut step = step(&[], Direction::Read, bytes_per_s);
            step.standings = standings(&step, &scene.drive, &scene.environment);
            scene.steps.push(step);
            scene
        };
        let (carried, tests) = (Parameter::bytes_per_s(500e6), Parameter::all(["One step"]));
        let seen = message!("trap-link-limit.seen", carried, tests);
        assert_eq!(scene(440e6).warning(look).seen, [seen]);
        assert!(scene(200e6).is_absent(look));
        // Exceeding the link's rate is another trap.
        assert!(scene(900e6).is_absent(look));
        assert!(Scene::default().is_not_seen(look));
    }
}
