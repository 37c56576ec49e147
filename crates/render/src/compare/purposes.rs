//! What drives are good for, beside each other.

use cardiograph_core::units;
use cardiograph_core::verdict::Verdict;
use cardiograph_judge::compare::{ComparedPurpose, Comparison};

use super::words::name;
use crate::lang::Lang;
use crate::text;

/// Title, then each group's level with the figure that decided.
pub(super) fn rows(comparison: &Comparison, lang: Lang) -> Vec<Vec<String>> {
    let cell = |verdict: &Option<Verdict>| match verdict {
        None => units::NO_FIGURE.to_string(),
        Some(verdict) => {
            let level = text::words::level_word(verdict.level, lang);
            match text::verdicts::deciding_figure(verdict, lang) {
                Some(figure) => format!("{level}{}{figure}", lang.pick(": ", ":")),
                None => level.to_string(),
            }
        }
    };
    let row = |of: &ComparedPurpose| {
        std::iter::once(lang.text(&of.title)).chain(of.verdicts.iter().map(cell)).collect()
    };
    comparison.purposes.iter().map(row).collect()
}

/// The groups of a purpose by their level, the best first: `comfortable: ssd; enough: microsd`.
pub(crate) fn by_level(comparison: &Comparison, of: &ComparedPurpose) -> String {
    let mut levels: Vec<_> = of.verdicts.iter().flatten().map(|verdict| verdict.level).collect();
    levels.sort();
    levels.dedup();
    let of_level = |level| {
        let groups = of.verdicts.iter().zip(&comparison.groups);
        let names: Vec<String> = groups
            .filter(|(verdict, _)| verdict.as_ref().is_some_and(|verdict| verdict.level == level))
            .map(|(_, group)| name(group))
            .collect();
        format!("{}: {}", text::words::level_word(level, Lang::En), names.join(", "))
    };
    levels.into_iter().rev().map(of_level).collect::<Vec<_>>().join("; ")
}
