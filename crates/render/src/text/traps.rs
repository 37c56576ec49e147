//! The trust panel: which traps are there.

use cardiograph_core::message;
use cardiograph_core::trust::{TrapCheck, TrapOutcome, Warning, Weight};

use super::layout::{Page, Tone, pad_end};
use crate::lang::Lang;

/// Columns of the word before a trap.
const WORD_COLUMNS: usize = 11;

/// The traps that are there, those first that spoil most. Of those that only a comparison must know, what was seen is told
/// and not what it means. Nothing when there is none.
pub(super) fn write(page: &mut Page, traps: &[TrapCheck], lang: Lang) {
    if present(traps).next().is_none() {
        return;
    }
    page.head(&lang.text(&message!("traps-heading")));
    let (notes, others): (Vec<&Warning>, Vec<&Warning>) =
        warnings(traps).into_iter().partition(|warning| warning.weight == Weight::Note);
    others.into_iter().for_each(|warning| entry(page, warning, lang));
    if !notes.is_empty() {
        let seen = notes.iter().flat_map(|warning| &warning.seen);
        page.quiet_prose(&label(weight_word(Weight::Note, lang)), &lang.sentences(seen));
    }
    page.quiet_prose(&label(""), &rest(traps, lang));
}

/// All traps, each with its outcome.
pub(super) fn write_all(page: &mut Page, traps: &[TrapCheck]) {
    if traps.is_empty() {
        return;
    }
    page.head("All checks for measurement problems");
    for check in traps {
        match &check.outcome {
            TrapOutcome::Present(warning) => entry(page, warning, Lang::En),
            TrapOutcome::Absent | TrapOutcome::NotSeen { .. } => {
                let (word, told) = unseen(check, Lang::En);
                page.quiet_prose(&label(word), &told);
            }
        }
    }
}

/// What came of looking for a trap that was not found, in a word, and what was looked for.
pub(crate) fn unseen(check: &TrapCheck, lang: Lang) -> (&'static str, String) {
    match &check.outcome {
        TrapOutcome::NotSeen { why } => {
            let unchecked = message!("traps-not-seen", title = check.title.clone(), why = why.clone());
            (lang.pick("unknown", "不明"), lang.text(&unchecked))
        }
        TrapOutcome::Absent | TrapOutcome::Present(_) => {
            (lang.pick("absent", "なし"), lang.text(&check.title))
        }
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
pub(crate) fn sentences(warning: &Warning, lang: Lang) -> String {
    lang.sentences(warning.seen.iter().chain(&warning.meaning))
}

fn present(traps: &[TrapCheck]) -> impl Iterator<Item = &Warning> {
    traps.iter().filter_map(|check| check.outcome.warning())
}

fn entry(page: &mut Page, warning: &Warning, lang: Lang) {
    let word = label(weight_word(warning.weight, lang));
    page.prose(&page.style().paint(tone(warning.weight), &word), &sentences(warning, lang));
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

/// How many were ruled out and how many could not be checked, in a sentence.
pub(crate) fn rest(traps: &[TrapCheck], lang: Lang) -> String {
    let absent = traps.iter().filter(|check| check.outcome == TrapOutcome::Absent).count();
    let unknown = traps.iter().filter(|check| matches!(check.outcome, TrapOutcome::NotSeen { .. })).count();
    lang.text(&match present(traps).next() {
        Some(_) => message!("traps-rest", absent = absent, unknown = unknown),
        None => message!("traps-none", absent = absent, unknown = unknown),
    })
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Message;

    use super::super::layout::Style;
    use super::*;

    fn check(outcome: TrapOutcome) -> TrapCheck {
        TrapCheck { trap: "one".to_string(), title: Message::verbatim("What is looked for"), outcome }
    }

    fn shown(traps: &[TrapCheck]) -> String {
        let mut page = Page::new(&Style::default());
        write(&mut page, traps, Lang::En);
        page.into_text()
    }

    #[test]
    fn what_spoils_most_stands_first() {
        let warning = |new: fn(Message, Message) -> Warning, seen, meaning| {
            check(TrapOutcome::Present(new(Message::verbatim(seen), Message::verbatim(meaning))))
        };
        let traps = [
            warning(Warning::note, "vda turns.", "It does not."),
            warning(Warning::caution, "vda is virtual.", "The host answers."),
            check(TrapOutcome::Absent),
            warning(Warning::spoils, "30 % reached the drive.", "A cache answered."),
            warning(Warning::note, "vda has a cache.", "It forgets."),
            check(TrapOutcome::not_seen(Message::verbatim("It needs root."))),
        ];
        let expected = "Measurement warnings\n\
                        \x20 Spoiled  30 % reached the drive. A cache answered.\n\
                        \x20 Caution  vda is virtual. The host answers.\n\
                        \x20 Note     vda turns. vda has a cache.\n\
                        \x20          1 other problem ruled out; 1 could not be checked.\n";
        assert_eq!(shown(&traps), expected);
        assert_eq!(shown(&[]), "");
        assert_eq!(shown(&[check(TrapOutcome::Absent)]), "");
    }

    #[test]
    fn all_are_listed_for_who_asks() {
        let why = Message::verbatim("It needs root.");
        let traps = [check(TrapOutcome::Absent), check(TrapOutcome::not_seen(why))];
        let mut page = Page::new(&Style::default());
        write_all(&mut page, &traps);
        let expected = "All checks for measurement problems\n\
                        \x20 absent   What is looked for\n\
                        \x20 unknown  What is looked for: not checked. It needs root.\n";
        assert_eq!(page.into_text(), expected);
    }
}
