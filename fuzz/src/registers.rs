//! Registers of cards: decoded without a panic, and valid to show and store.

use cardiograph_core::card::Card;
use cardiograph_core::drive::{Drive, Leaf, PASSPORT_VERSION, Passport};
use cardiograph_drive::card;
use cardiograph_render::doc;
use cardiograph_render::lang::Lang;
use cardiograph_render::text::{Style, width};

/// Decodes attributes, one `name=value` per line, as those of an SD card and of an eMMC.
pub fn decodes(lines: &str) {
    let attribute = |name: &str| {
        let mut attributes = lines.lines().filter_map(|line| line.split_once('='));
        Some(attributes.find(|(known, _)| *known == name)?.1.to_string())
    };
    let cards = [card::sd(attribute).map(Card::Sd), card::emmc(attribute).map(Card::Emmc)];
    for card in cards.into_iter().flatten() {
        makes_sense(&card);
        is_shown(card);
    }
}

fn makes_sense(card: &Card) {
    let identity = match card {
        Card::Sd(card) => {
            assert!(card.hints.iter().all(|hint| (1..=3).contains(&hint.weight)));
            assert!(card.data.is_none_or(|data| data.capacity_bytes > 0));
            assert!(
                card.status
                    .iter()
                    .flat_map(|status| status.marks())
                    .all(|mark| { mark.sequential_write_bytes_per_s_min() >= 2_000_000 })
            );
            &card.identity
        }
        Card::Emmc(chip) => {
            let used = chip.life_used_percent.iter().flatten();
            assert!(used.into_iter().all(|(low, high)| low <= high && *high <= 100));
            &chip.identity
        }
    };
    assert!(identity.made.is_none_or(|made| (1..=12).contains(&made.month) && made.year >= 1997));
    let texts = [&identity.application_id, &identity.product, &identity.revision];
    assert!(texts.iter().all(|text| !text.contains(char::is_control)), "{identity:?}");
}

fn is_shown(card: Card) {
    let leaf = Leaf { name: "mmcblk0".to_string(), card: Some(card), ..Leaf::default() };
    let passport = Passport {
        passport_version: PASSPORT_VERSION,
        drives: vec![Drive { leaves: vec![leaf], ..Drive::default() }],
        ..Passport::default()
    };
    for language in Lang::ALL {
        let shown = doc::terminal::render(&doc::passport(&passport), language, &Style::default());
        let is_plain = |line: &str| width(line) <= 80 && !line.contains(char::is_control);
        assert!(shown.lines().all(is_plain), "{shown}");
    }
}
