//! Why something cannot be told, below the tables.

use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::text::unique;
use cardiograph_judge::compare::price::PRICE_TAG;
use cardiograph_judge::compare::{Against, Basis, ComparedGroup, ComparedMetric, Comparison, Reason, known};

use super::cost;
use super::words::{name, share};
use crate::lang::Lang;
use crate::text::layout;

/// The notes of a page, each with the letter that stands behind what it is about.
#[derive(Debug)]
pub(crate) struct Notes<'c> {
    /// What the page is about.
    pub comparison: &'c Comparison,
    /// What the page is written in.
    pub lang: Lang,
    reasons: Vec<(Reason, String)>,
    /// Whether something stands in brackets.
    has_brackets: bool,
}

impl<'c> Notes<'c> {
    pub(crate) fn new(comparison: &'c Comparison, lang: Lang) -> Self {
        Self { comparison, lang, reasons: Vec::new(), has_brackets: false }
    }

    /// The mark behind a remark, as ` [a]`; nothing where there is nothing to note.
    pub(crate) fn mark(&mut self, metric: &ComparedMetric, group: usize) -> String {
        let Some(reason) = metric.against[group].as_ref().and_then(|against| against.reason) else {
            return String::new();
        };
        // What is never judged stands in brackets; the others say in words what they are.
        if matches!(reason, Reason::Kind | Reason::Windows | Reason::Zero) {
            return String::new();
        }
        let sides = [self.comparison.base, group].into_iter();
        let doubt = |place: usize| {
            let doubt = metric.values[place].as_ref()?.doubt.as_ref()?;
            Some(self.lang.text(&doubt.message()))
        };
        let doubts = sides.filter_map(doubt);
        // Both sides often have the same.
        let doubt = if reason == Reason::Doubt { unique(doubts).join("; ") } else { String::new() };
        let note = (reason, doubt);
        let place = self.reasons.iter().position(|known| *known == note).unwrap_or_else(|| {
            self.reasons.push(note);
            self.reasons.len() - 1
        });
        format!(" [{}]", layout::mark(place))
    }

    /// A remark as it is shown: in brackets where it says which is better and that is never judged.
    pub(crate) fn remark(&mut self, told: String, against: &Against) -> String {
        let is_told_only = against.reason == Some(Reason::Kind) && against.favours.is_some();
        if !is_told_only || told.is_empty() {
            return told;
        }
        self.has_brackets = true;
        format!("({told})")
    }

    /// The notes with their letters, and what all judgements rest on.
    pub(crate) fn told(&self) -> Vec<String> {
        let (comparison, lang) = (self.comparison, self.lang);
        let marked = |(place, (reason, doubt)): (usize, &(Reason, String))| {
            format!("[{}] {}", layout::mark(place), sentence(*reason, doubt, lang))
        };
        let mut notes: Vec<String> = self.reasons.iter().enumerate().map(marked).collect();
        if self.has_brackets {
            let words = lang.pick("In brackets: told, not judged.", "括弧の中:参考の値で、判定していない。");
            notes.push(words.to_string());
        }
        notes.extend(comparison.groups.iter().filter_map(|group| of_several_drives(group, lang)));
        notes.extend(comparison.groups.iter().filter_map(|group| of_several_prices(group, lang)));
        notes.extend(rest_on(comparison, lang));
        notes.extend(cost::not_converted(comparison, lang));
        if comparison.judged_together > 1 {
            let count = comparison.judged_together;
            notes.push(match lang {
                Lang::En => format!(
                    "{count} differences are judged together (Holm, 5 %): of 20 comparisons of equal drives one finds any."
                ),
                Lang::Ja => format!(
                    "{count} 個の差をまとめて判定(Holm 法、5 %):同じドライブの比較 20 回のうち 1 回だけ、差があると誤る。"
                ),
            });
        }
        notes
    }
}

/// That a group's figures are means over different drives, where they are: no drive has such a figure.
fn of_several_drives(group: &ComparedGroup, lang: Lang) -> Option<String> {
    // Those that do not tell their model are at least not known to be the same.
    let models = unique(group.runs.iter().map(|run| run.models.as_str().to_string()));
    let (name, count) = (name(group), models.len());
    (count > 1).then(|| match lang {
        Lang::En => {
            format!("{name} holds runs of {count} different drives: its figures are means over them.")
        }
        Lang::Ja => format!("{name} は {count} 種類のドライブの測定を含む:値はそれらの平均。"),
    })
}

/// That a group has no price, where its runs note several.
fn of_several_prices(group: &ComparedGroup, lang: Lang) -> Option<String> {
    let prices = unique(group.runs.iter().filter_map(|run| run.tags.get(PRICE_TAG)).map(layout::plain));
    let all = prices.join(lang.pick(" and ", "、"));
    (prices.len() > 1 && group.price.is_none()).then(|| match lang {
        Lang::En => format!("{} has no price: its runs note {all}.", name(group)),
        Lang::Ja => format!("{} の価格は用いない:測定ごとに異なる({all})。", name(group)),
    })
}

fn sentence(reason: Reason, doubt: &str, lang: Lang) -> String {
    let words = match reason {
        Reason::Doubt => return format!("{}: {}", lang.pick("Not judged", "判定せず"), doubt),
        Reason::NoInterval => lang.pick(
            "Not known to be more than chance: a single run on a side, of which nothing tells how well it is known.",
            "偶然でないとは言えない:1 回の測定で、値の確かさが分からない。",
        ),
        Reason::SingleRuns => lang.pick(
            "Not known to be more than chance: one run on each side, and runs of one drive may differ by as much.",
            "偶然でないとは言えない:それぞれ 1 回の測定で、同じドライブでもこの程度の差は出る。",
        ),
        Reason::Wide => lang.pick(
            "Not known to be more than chance: the values spread too much. More or longer runs tell.",
            "偶然でないとは言えない:値のばらつきが大きい。測定の回数か時間を増やすと分かる。",
        ),
        Reason::Method => lang.pick(
            "Not measured in the same way, so not judged.",
            "測定方法が異なるため判定せず。",
        ),
        Reason::Durations => lang.pick(
            "Measured for different lengths of time: over a longer one a maximum is larger, so neither is better.",
            "測定時間が異なる:長いほど最大値は大きくなるため優劣なし。",
        ),
        Reason::Windows | Reason::Zero | Reason::Kind => "",
    };
    words.to_string()
}

/// What the judgements of a comparison rest on, each once.
fn rest_on(comparison: &Comparison, lang: Lang) -> Vec<String> {
    let metrics = comparison.tests.iter().flat_map(|test| &test.metrics);
    let bases = metrics.flat_map(|metric| metric.against.iter().flatten()).filter_map(|one| one.basis);
    unique(bases.map(|basis| rests_on(basis, lang)))
}

fn rests_on(basis: Basis, lang: Lang) -> String {
    let tail = Quantity::Latency(LatencyKind::Total, Statistic::Percentile(99.0));
    let (rate, tail) = (known::assumed_spread(Quantity::Iops), known::assumed_spread(tail));
    match (basis, lang) {
        (Basis::BetweenRuns, Lang::En) => "Judged by the spread between the runs.".to_string(),
        (Basis::BetweenRuns, Lang::Ja) => "測定ごとのばらつきから判定。".to_string(),
        (Basis::RunsOfOneSide, Lang::En) => {
            "A single run on one side: it is taken to spread as those of the other do.".to_string()
        }
        (Basis::RunsOfOneSide, Lang::Ja) => {
            "一方は 1 回だけの測定:もう一方と同じばらつきと仮定。".to_string()
        }
        (Basis::WithinRun, Lang::En) => format!(
            "A single run on each side: the spread between runs is not known. Judged by the interval within the run, with a \
             spread between runs of {} assumed, {} for p99 and beyond.",
            whole(rate),
            whole(tail)
        ),
        (Basis::WithinRun, Lang::Ja) => format!(
            "それぞれ 1 回だけの測定:測定ごとのばらつきは不明。測定中の信頼区間と、測定ごとのばらつき {}(99% 以上は {})の\
             仮定から判定。",
            whole(rate),
            whole(tail)
        ),
    }
}

fn whole(of: f64) -> String {
    share(of).replace(".0 ", " ")
}

#[cfg(test)]
mod tests {
    use super::super::samples::of_several_drives;
    use super::*;

    #[test]
    fn means_over_several_drives_are_told_to_be_that() {
        let told = Notes::new(&of_several_drives(), Lang::En).told();
        assert!(
            told.contains(
                &"WB holds runs of 2 different drives: its figures are means over them.".to_string()
            ),
            "{told:?}"
        );
        assert!(!told.iter().any(|note| note.starts_with("WT")), "{told:?}");
    }
}
