//! What drives cost, in words.

use cardiograph_core::text::unique;
use cardiograph_core::units;
use cardiograph_judge::compare::{ComparedGroup, Comparison};

use crate::lang::Lang;
use crate::text::layout;

/// What a drive costs, and a gigabyte of it: `980 JPY, 15.3 JPY per GB`.
pub(super) fn of_group(group: &ComparedGroup, lang: Lang) -> Vec<String> {
    let Some(price) = &group.price else { return Vec::new() };
    let currency = layout::plain(&price.currency);
    let told = |amount: f64| format!("{} {currency}", units::number(amount));
    let per_gb = group.price_per_gb.map(|amount| match lang {
        Lang::En => format!("{} per GB", told(amount)),
        Lang::Ja => format!("1 GB あたり {}", told(amount)),
    });
    let whole = format!("{} {currency}", units::without_zeros(&units::number(price.amount)));
    [Some(whole), per_gb].into_iter().flatten().collect()
}

/// That prices in several currencies stay as they are.
pub(super) fn not_converted(comparison: &Comparison, lang: Lang) -> Option<String> {
    let prices = comparison.groups.iter().filter_map(|group| group.price.as_ref());
    let currencies = unique(prices.map(|price| layout::plain(&price.currency)));
    if currencies.len() < 2 {
        return None;
    }
    let all = currencies.join(lang.pick(", ", "、"));
    let told = comparison.price_currency.as_deref().map(layout::plain);
    Some(match (told, lang) {
        (Some(told), Lang::En) => {
            format!(
                "Prices are in {all} and are not converted: figures per price are of those in {told} only."
            )
        }
        (Some(told), Lang::Ja) => {
            format!("価格の通貨({all})は換算しない:価格あたりの値は {told} のものだけ。")
        }
        (None, Lang::En) => {
            format!("Prices are in {all} and are not converted: no figures per price are told.")
        }
        (None, Lang::Ja) => format!("価格の通貨({all})は換算しない:価格あたりの値は示さない。"),
    })
}
