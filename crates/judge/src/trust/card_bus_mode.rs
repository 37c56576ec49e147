//! A fast card in a slow slot.

use cardiograph_core::drive::{Bus, MmcTiming};
use cardiograph_core::{Parameter, message};

use super::{Evidence, Found, Warning};

/// SD modes below UHS-I, which slow down a card with a UHS grade.
const BELOW_UHS: [MmcTiming; 4] =
    [MmcTiming::Legacy, MmcTiming::SdHighSpeed, MmcTiming::Sdr12, MmcTiming::Sdr25];

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let Some((leaf, card)) = evidence.sd_card()? else { return Ok(None) };
    let timing = leaf.link.as_ref().and_then(|link| match &link.bus {
        Bus::Mmc(mmc) => mmc.timing,
        _ => None,
    });
    let grade = card.status.and_then(|status| status.uhs_grade);
    let (timing, grade) = timing.zip(grade).ok_or_else(|| message!("trap-card-bus-mode.unknown"))?;
    if grade == 0 || !BELOW_UHS.contains(&timing) {
        return Ok(None);
    }
    let ceiling = leaf.link.as_ref().and_then(|link| link.ceiling_bytes_per_s);
    let mut seen = vec![message!("trap-card-bus-mode.seen", grade)];
    seen.extend(ceiling.map(|ceiling| {
        message!("trap-card-bus-mode.carried", carried = Parameter::bytes_per_s(ceiling as f64))
    }));
    Ok(Some(Warning::caution(seen, message!("trap-card-bus-mode.meaning"))))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::card::{SdCard, SdStatus};
    use cardiograph_core::drive::{Leaf, LeafKind, Link, MmcLink};

    use super::super::bench::Scene;
    use super::*;
    use cardiograph_core::card::Card;

    #[test]
    fn a_uhs_card_at_high_speed_is_reported() {
        let scene = |timing, uhs_grade| {
            let status = Some(SdStatus { uhs_grade, ..SdStatus::default() });
            let link = Link::new(Bus::Mmc(MmcLink { timing, ..MmcLink::default() }));
            let card = Some(Card::Sd(SdCard { status, ..SdCard::default() }));
            Scene::from_leaf(Leaf { kind: LeafKind::SdCard, link: Some(link), card, ..Leaf::default() })
        };
        let warning = scene(Some(MmcTiming::SdHighSpeed), Some(3)).warning(look);
        let expected = [
            message!("trap-card-bus-mode.seen", grade = 3_u32),
            message!("trap-card-bus-mode.carried", carried = Parameter::bytes_per_s(25e6)),
        ];
        assert_eq!(warning.seen, expected);
        assert!(scene(Some(MmcTiming::Sdr104), Some(3)).is_absent(look));
        assert!(scene(Some(MmcTiming::SdHighSpeed), Some(0)).is_absent(look));
        assert!(scene(None, Some(3)).is_not_seen(look));
        assert!(Scene::with_kind(LeafKind::Nvme).is_absent(look));
    }
}
