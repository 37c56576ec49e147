//! A fast card in a slow slot.

use cardiograph_core::drive::{Bus, MmcTiming};

use super::{Evidence, Found, Warning};

/// SD modes below UHS-I, for which a card with a UHS grade was not made.
const BELOW_UHS: [MmcTiming; 4] =
    [MmcTiming::Legacy, MmcTiming::SdHighSpeed, MmcTiming::Sdr12, MmcTiming::Sdr25];

pub(super) fn look(evidence: &Evidence<'_>) -> Found {
    let Some((leaf, card)) = evidence.sd_card()? else { return Ok(None) };
    let timing = leaf.link.as_ref().and_then(|link| match &link.bus {
        Bus::Mmc(mmc) => mmc.timing,
        _ => None,
    });
    let grade = card.status.and_then(|status| status.uhs_grade);
    let known = timing.zip(grade).ok_or("the mode of the bus, or what the card knows, is not known");
    let (timing, grade) = known?;
    if grade == 0 || !BELOW_UHS.contains(&timing) {
        return Ok(None);
    }
    let ceiling = leaf.link.as_ref().and_then(|link| link.ceiling_bytes_per_s);
    Ok(Some(Warning::caution(
        format!(
            "the card is made for UHS-I (U{grade}), and the bus runs in a mode below{}",
            ceiling.map(|bytes| format!(", at most {} MB/s", bytes / 1_000_000)).unwrap_or_default()
        ),
        "the figures are the slot's: the host knows no UHS-I, or tuning failed (see the kernel's log); clean the contacts, and \
         try another slot or reader",
    )))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::card::{SdCard, SdStatus};
    use cardiograph_core::drive::{Leaf, LeafKind, Link, MmcLink};

    use super::super::bench::Scene;
    use super::*;
    use cardiograph_core::card::Card;

    #[test]
    fn a_uhs_card_at_high_speed_is_told() {
        let scene = |timing, uhs_grade| {
            let status = Some(SdStatus { uhs_grade, ..SdStatus::default() });
            let link = Link::new(Bus::Mmc(MmcLink { timing, ..MmcLink::default() }));
            let card = Some(Card::Sd(SdCard { status, ..SdCard::default() }));
            Scene::of(Leaf { kind: LeafKind::SdCard, link: Some(link), card, ..Leaf::default() })
        };
        let warning = scene(Some(MmcTiming::SdHighSpeed), Some(3)).warning(look);
        assert!(warning.seen.contains("U3") && warning.seen.contains("25 MB/s"), "{warning:?}");
        assert!(scene(Some(MmcTiming::Sdr104), Some(3)).is_absent(look));
        assert!(scene(Some(MmcTiming::SdHighSpeed), Some(0)).is_absent(look));
        assert!(scene(None, Some(3)).is_not_seen(look));
        assert!(Scene::of_kind(LeafKind::Nvme).is_absent(look));
    }
}
