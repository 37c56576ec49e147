//! The trust panel: which traps are there.

use cardiograph_core::text::as_sentence;
use cardiograph_core::trust::{TrapCheck, TrapOutcome, Warning, Weight};

use super::layout::{Page, Tone, joined, pad_end, plain};
use crate::lang::Lang;

/// Columns of the word before a trap.
const WORD_COLUMNS: usize = 11;

/// The traps that are there, those first that spoil most. Of those that only a comparison must know, what was seen is told
/// and not what it means. Nothing when there is none.
pub(super) fn write(page: &mut Page, traps: &[TrapCheck]) {
    if present(traps).next().is_none() {
        return;
    }
    page.head("What can spoil a figure");
    let (notes, others): (Vec<&Warning>, Vec<&Warning>) =
        warnings(traps).into_iter().partition(|warning| warning.weight == Weight::Note);
    others.into_iter().for_each(|warning| entry(page, warning));
    let notes = joined([notes.iter().map(|warning| plain(&warning.seen))], "; ");
    notes.iter().for_each(|notes| page.quiet_prose(&label("Note"), &as_sentence(notes)));
    page.quiet_prose(&label(""), &rest(traps));
}

/// All traps that were looked for, with what came of each.
pub(super) fn write_all(page: &mut Page, traps: &[TrapCheck]) {
    if traps.is_empty() {
        return;
    }
    page.head("Traps that were looked for");
    for check in traps {
        match &check.outcome {
            TrapOutcome::Present(warning) => entry(page, warning),
            TrapOutcome::Absent | TrapOutcome::NotSeen { .. } => {
                let (word, told) = unseen(check, Lang::En);
                page.quiet_prose(&label(word), &told);
            }
        }
    }
}

/// What came of looking for a trap that was not found, in a word, and what was looked for.
pub(crate) fn unseen(check: &TrapCheck, lang: Lang) -> (&'static str, String) {
    let title = as_sentence(&plain(&check.title));
    match &check.outcome {
        TrapOutcome::NotSeen { why } => {
            (lang.pick("unknown", "不明"), format!("{title} {}", as_sentence(&plain(why))))
        }
        TrapOutcome::Absent | TrapOutcome::Present(_) => (lang.pick("absent", "なし"), title),
    }
}

/// The traps that are there, those first that spoil most.
pub(crate) fn warnings(traps: &[TrapCheck]) -> Vec<&Warning> {
    let mut warnings: Vec<&Warning> = present(traps).collect();
    warnings.sort_by_key(|warning| std::cmp::Reverse(warning.weight));
    warnings
}

/// How much a trap spoils, in a word.
pub(crate) const fn weight_word(weight: Weight, lang: Lang) -> &'static str {
    match weight {
        Weight::Spoils => lang.pick("Spoiled", "信用できない"),
        Weight::Caution => lang.pick("Caution", "注意"),
        Weight::Note => lang.pick("Note", "参考"),
    }
}

/// What was seen and what it means.
pub(crate) fn told(warning: &Warning) -> String {
    format!("{} {}", as_sentence(&plain(&warning.seen)), as_sentence(&plain(&warning.meaning)))
}

fn present(traps: &[TrapCheck]) -> impl Iterator<Item = &Warning> {
    traps.iter().filter_map(|check| check.outcome.warning())
}

fn entry(page: &mut Page, warning: &Warning) {
    let word = label(weight_word(warning.weight, Lang::En));
    page.prose(&page.style().paint(tone(warning.weight), &word), &told(warning));
}

/// How much a trap spoils, as it is painted.
pub(crate) const fn tone(weight: Weight) -> Tone {
    match weight {
        Weight::Spoils => Tone::Bad,
        Weight::Caution => Tone::Fair,
        Weight::Note => Tone::Quiet,
    }
}

fn label(word: &str) -> String {
    pad_end(&format!("  {word}"), WORD_COLUMNS)
}

/// How many were looked for in vain, in a sentence.
fn rest(traps: &[TrapCheck]) -> String {
    let absent = traps.iter().filter(|check| check.outcome == TrapOutcome::Absent).count();
    let not_seen = traps.iter().filter(|check| matches!(check.outcome, TrapOutcome::NotSeen { .. })).count();
    let unseen = match not_seen {
        0 => String::new(),
        some => format!("; for {some} nothing could be seen"),
    };
    format!("{absent} others were looked for and are not there{unseen}.")
}

#[cfg(test)]
mod tests {
    use super::super::layout::Style;
    use super::*;

    fn check(outcome: TrapOutcome) -> TrapCheck {
        TrapCheck { trap: "one".to_string(), title: "what is looked for".to_string(), outcome }
    }

    fn shown(traps: &[TrapCheck]) -> String {
        let mut page = Page::new(&Style::default());
        write(&mut page, traps);
        page.into_text()
    }

    #[test]
    fn what_spoils_most_stands_first() {
        let traps = [
            check(TrapOutcome::Present(Warning::note("vda turns", "it does not"))),
            check(TrapOutcome::Present(Warning::caution("vda is virtual", "the host answers"))),
            check(TrapOutcome::Absent),
            check(TrapOutcome::Present(Warning::spoils("30 % reached the drive", "a cache answered"))),
            check(TrapOutcome::Present(Warning::note("vda has a cache", "it forgets"))),
            check(TrapOutcome::not_seen("needs root")),
        ];
        let expected = "What can spoil a figure\n\
                        \x20 Spoiled  30 % reached the drive. A cache answered.\n\
                        \x20 Caution  Vda is virtual. The host answers.\n\
                        \x20 Note     Vda turns; vda has a cache.\n\
                        \x20          1 others were looked for and are not there; for 1 nothing could be\n\
                        \x20          seen.\n";
        assert_eq!(shown(&traps), expected);
        assert_eq!(shown(&[]), "");
        assert_eq!(shown(&[check(TrapOutcome::Absent)]), "");
    }

    #[test]
    fn all_are_listed_for_who_asks() {
        let traps = [check(TrapOutcome::Absent), check(TrapOutcome::not_seen("only root may see it"))];
        let mut page = Page::new(&Style::default());
        write_all(&mut page, &traps);
        let expected = "Traps that were looked for\n\
                        \x20 absent   What is looked for.\n\
                        \x20 unknown  What is looked for. Only root may see it.\n";
        assert_eq!(page.into_text(), expected);
    }
}
