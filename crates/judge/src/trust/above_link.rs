//! A figure that the link cannot carry.

use cardiograph_core::{Parameter, message};

use super::{Evidence, Found, Warning};
use crate::standing::LINK_SHARE_IMPOSSIBLE;

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let ceiling_bytes_per_s = evidence.ceiling_bytes_per_s()?;
    evidence.check_measured()?;
    let limit = ceiling_bytes_per_s as f64 * LINK_SHARE_IMPOSSIBLE;
    let above = evidence.in_steps(|step| {
        let mut directions = step.figures.iter().flat_map(|figures| &figures.directions);
        directions.any(|figures| figures.bandwidth_bytes_per_s.value >= limit)
    });
    Ok(above.map(|above| {
        let carried = Parameter::bytes_per_s(ceiling_bytes_per_s as f64);
        Warning::spoils(
            message!("trap-above-link.seen", carried, tests = above),
            message!("trap-above-link.meaning"),
        )
    }))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Direction;
    use cardiograph_core::drive::{Bus, Leaf, Link, SataLink};

    use super::super::bench::{Scene, step};
    use super::*;

    #[test]
    fn no_link_carries_more_than_its_wire() {
        let sata = Link::new(Bus::Sata(SataLink { mbit_per_s: Some(3_000), ..SataLink::default() }));
        let scene = |bytes_per_s| {
            Scene::from_leaf(Leaf { link: Some(sata.clone()), ..Leaf::default() }).measured(step(
                &[],
                Direction::Read,
                bytes_per_s,
            ))
        };
        let warning = scene(4e9).warning(look);
        assert_eq!(warning.seen[0].parameter("carried"), Some(&Parameter::bytes_per_s(300e6)));
        assert!(scene(280e6).is_absent(look));
        assert!(Scene::default().measured(step(&[], Direction::Read, 4e9)).is_not_seen(look));
    }
}
