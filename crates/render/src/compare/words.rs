//! What a ratio is called.

use cardiograph_core::quantity::{Quantity, Statistic};
use cardiograph_core::units;
pub(super) use cardiograph_judge::compare::ABOUT_THE_SAME;
use cardiograph_judge::compare::distribution::{Crossing, Distribution};
use cardiograph_judge::compare::{
    Against, ComparedGroup, ComparedMetric, ComparedTest, Comparison, Favours, GroupValue, Judgement, Reason,
};

use super::cost;
use crate::lang::Lang;
use crate::method;
use crate::text::{cut, layout};

/// Columns of a group's name in a sentence, and of its end where the middle is left out.
const NAME_COLUMNS: usize = 20;
const NAME_END_COLUMNS: usize = 8;

/// A group's name as it stands in tables and sentences.
pub(crate) fn name(group: &ComparedGroup) -> String {
    let whole = layout::plain(&group.name);
    if layout::width(&whole) <= NAME_COLUMNS {
        return whole;
    }
    // Names of one kind differ at their end: `a long label of card 1`.
    let fits = |at: &usize| layout::width(&whole[*at..]) <= NAME_END_COLUMNS;
    let end = whole.char_indices().map(|(at, _)| at).find(fits).unwrap_or(whole.len());
    format!("{}{}", cut(&whole, NAME_COLUMNS - layout::width(&whole[end..])), &whole[end..])
}

/// A group's value of a figure.
pub(super) fn shown(quantity: Quantity, value: Option<&GroupValue>) -> String {
    let shown = value.filter(|value| !value.is_withheld());
    shown.map_or(units::NO_FIGURE.to_string(), |value| {
        Lang::En.value(&method::value(quantity, value.estimate.value))
    })
}

/// How much better one of two values is, and which, as people say it: `ssd 6.3 times faster`.
pub(super) fn remark(
    comparison: &Comparison,
    metric: &ComparedMetric,
    group: usize,
    lang: Lang,
) -> Option<String> {
    let against = metric.against[group].as_ref()?;
    let Some(ratio) = against.ratio else {
        let words = match against.reason {
            Some(Reason::Doubt) => lang.pick("withheld", "除外"),
            Some(Reason::Windows) => lang.pick("windows of different lengths", "測定間隔が異なる"),
            _ if both_zero(metric, comparison.base, group) => lang.pick("the same", "同じ"),
            _ => lang.pick("one of them is 0", "一方が 0"),
        };
        return Some(words.to_string());
    };
    let better = match against.favours {
        Some(Favours::Base) => Some(comparison.base),
        Some(Favours::Other) => Some(group),
        None => None,
    };
    let size = larger(ratio);
    Some(match better {
        _ if against.judgement == Judgement::NoDifference => lang.pick("no difference", "差なし").to_string(),
        _ if is_about_the_same(against) => lang.pick("about the same", "ほぼ同等").to_string(),
        None => {
            let more = if ratio > 1.0 { group } else { comparison.base };
            sized(size, &name(&comparison.groups[more]), lang.pick("as much", "多い"), lang)
        }
        Some(better) => {
            let (en, ja) = compared_words(metric.quantity).better;
            sized(size, &name(&comparison.groups[better]), lang.pick(en, ja), lang)
        }
    })
}

/// The same of the group itself, in a few columns: `1.4x better`. Empty where there is no ratio.
pub(super) fn short_remark(metric: &ComparedMetric, group: usize) -> String {
    let Some(against) = metric.against[group].as_ref() else { return String::new() };
    let Some(size) = size(against) else { return String::new() };
    if is_about_the_same(against) {
        return "same".to_string();
    }
    let size = if size < ABOUT_THE_SAME { share(size - 1.0) } else { format!("{}x", times(size)) };
    match against.favours {
        Some(Favours::Other) => format!("{size} better"),
        Some(Favours::Base) => format!("{size} worse"),
        // Without a better side the ratio says which way it goes.
        None => against.ratio.map_or(String::new(), |ratio| ratio_words(ratio, false, Lang::En)),
    }
}

/// How many times the base's value a group's is: `0.71x`, `1.4x`, `1/14x`, `same`. Empty where there is no ratio.
pub(super) fn ratio(metric: &ComparedMetric, group: usize, lang: Lang) -> String {
    let Some(against) = metric.against[group].as_ref() else { return String::new() };
    let Some(ratio) = against.ratio else { return String::new() };
    ratio_words(ratio, is_about_the_same(against), lang)
}

/// A ratio in a few letters.
pub(super) fn ratio_words(ratio: f64, is_same: bool, lang: Lang) -> String {
    if is_same {
        return lang.pick("same", "同等").to_string();
    }
    let number = match ratio {
        // A small part has more zeros than digits.
        _ if ratio < 0.1 => format!("1/{}", times(1.0 / ratio)),
        // Of 0.71 and 1.08 the second digit is what differs.
        _ if ratio < ABOUT_THE_SAME => format!("{ratio:.2}"),
        _ => times(ratio),
    };
    format!("{number}{}", lang.pick("x", "倍"))
}

fn both_zero(metric: &ComparedMetric, base: usize, group: usize) -> bool {
    let is_zero = |place: usize| metric.values[place].as_ref().is_some_and(|of| of.estimate.value == 0.0);
    is_zero(base) && is_zero(group)
}

/// How many times one value is the other, the larger in units of the smaller; `None` where one of them is 0.
pub(super) fn size(against: &Against) -> Option<f64> {
    against.ratio.map(larger)
}

pub(super) fn larger(ratio: f64) -> f64 {
    ratio.max(1.0 / ratio)
}

/// Whether the values are not known to differ, or by so little that nobody would tell.
pub(super) fn is_about_the_same(against: &Against) -> bool {
    let is_known = matches!(against.judgement, Judgement::Better | Judgement::Worse);
    let is_same = |size| against.judgement == Judgement::NoDifference || size < ABOUT_THE_SAME && !is_known;
    size(against).is_some_and(is_same)
}

pub(super) fn sized(size: f64, name: &str, word: &str, lang: Lang) -> String {
    match (size < ABOUT_THE_SAME, lang) {
        (true, Lang::En) => format!("{name} {} {word}", share(size - 1.0)),
        (true, Lang::Ja) => format!("{name}が約{} {word}", share(size - 1.0)),
        (false, Lang::En) => format!("{name} {} times {word}", times(size)),
        (false, Lang::Ja) => format!("{name}が約{}倍 {word}", times(size)),
    }
}

/// A ratio with the digits that people say: `1.4`, `6.3`, `94`, `1,200`.
pub(super) fn times(size: f64) -> String {
    if size < 9.95 { format!("{size:.1}") } else { units::number(size.round()).replace(".0", "") }
}

/// A share with the digits that people say: `0.4 %`, `5.1 %`, `12 %`.
pub(super) fn share(share: f64) -> String {
    let percent = share * 100.0;
    if percent < 9.95 { format!("{percent:.1} %") } else { format!("{percent:.0} %") }
}

/// How two values of a quantity compare, in words.
pub(super) struct CompareWords {
    /// What the better one is, in English and Japanese.
    better: (&'static str, &'static str),
    /// What the worse one is.
    pub worse: &'static str,
    /// As what the larger one is.
    pub much: &'static str,
}

pub(super) fn compared_words(quantity: Quantity) -> CompareWords {
    let words = |better, worse, much| CompareWords { better, worse, much };
    match quantity {
        Quantity::Bandwidth | Quantity::Iops => words(("faster", "高速"), "slower", "large"),
        Quantity::Latency(_, Statistic::Stdev) => words(("smaller", "小さい"), "longer", "large"),
        Quantity::WindowBandwidth(Statistic::Stdev) | Quantity::WindowIops(Statistic::Stdev) => {
            words(("smaller", "小さい"), "larger", "large")
        }
        Quantity::Latency(..) | Quantity::Runtime | Quantity::LongestStall => {
            words(("shorter", "短い"), "longer", "long")
        }
        Quantity::WindowBandwidth(_) | Quantity::WindowIops(_) => words(("higher", "高い"), "lower", "large"),
        Quantity::Bytes | Quantity::Ios => words(("more", "多い"), "less", "large"),
    }
}

/// What a figure is.
pub(super) fn figure_name(metric: &ComparedMetric, lang: Lang) -> String {
    lang.text(&method::of_direction(metric.direction, metric.quantity))
}

/// What a group is, behind its name: `2 runs, SD64G, 64 GB, 980 JPY, 15.3 JPY per GB`.
pub(crate) fn group_line(group: &ComparedGroup, lang: Lang) -> String {
    let count = group.runs.len();
    let mut parts = vec![match (lang, count) {
        (Lang::En, 1) => "1 run".to_string(),
        (Lang::En, _) => format!("{count} runs"),
        (Lang::Ja, _) => format!("{count} 回"),
    }];
    let mut models: Vec<String> = group.runs.iter().flat_map(|run| &run.models).map(layout::plain).collect();
    let has_others = !models.is_empty() && group.runs.iter().any(|run| run.models.as_str().is_empty());
    if models.is_empty() {
        // An import often knows no more of a drive than its name.
        models =
            group.runs.iter().map(|run| layout::plain(&run.path)).filter(|path| !path.is_empty()).collect();
    }
    models.sort();
    models.dedup();
    parts.extend(models);
    parts.extend(has_others.then(|| lang.pick("and others", "ほか").to_string()));
    parts.extend(group.capacity_bytes.map(units::bytes_si));
    parts.extend(cost::of_group(group, lang));
    parts.join(", ")
}

/// In what the groups' parts in a test were measured differently, a sentence each.
pub(crate) fn differences(comparison: &Comparison, test: &ComparedTest, lang: Lang) -> Vec<String> {
    let told = |(group, told): (usize, String)| format!("{}: {told}", name(&comparison.groups[group]));
    of_sides(test, lang).into_iter().map(told).collect()
}

/// The same with the groups' places in place of their names.
pub(super) fn of_sides(test: &ComparedTest, lang: Lang) -> Vec<(usize, String)> {
    let told = test.sides.iter().enumerate().filter_map(|(group, side)| {
        let side = side.as_ref().filter(|side| !side.differences.is_empty())?;
        let words = match side.is_near() {
            true => lang.pick("measured in another way, so not judged", "測定方法が異なるため判定しない"),
            false => lang.pick("measured at another scale", "測定規模が異なる"),
        };
        Some((group, format!("{words}: {}", lang.phrases(&method::differences(&side.differences)))))
    });
    told.collect()
}

/// Where two groups change places, a sentence for each two: `fsync latency: microsd is shorter up to p90, ssd from p95 on`. Where they
/// change back, the same sentence goes on.
pub(crate) fn crossings(comparison: &Comparison, of: &Distribution, lang: Lang) -> Vec<String> {
    let what = lang.text(&method::latencies(of.direction, of.kind));
    let name = |group: usize| name(&comparison.groups[group]);
    let goes_on = |one: &Crossing, next: &Crossing| {
        (one.faster_above, one.faster_below) == (next.faster_below, next.faster_above)
    };
    let told = |both: &[Crossing]| {
        let later = |(at, one): (usize, &Crossing)| {
            let (above, to) = (name(one.faster_above), one.to_percent);
            match (lang, at) {
                (Lang::En, 0) => format!(", {above} from p{to} on"),
                (Lang::En, _) => format!(", {above} again from p{to} on"),
                (Lang::Ja, 0) => format!("、{to}% からは {above}"),
                (Lang::Ja, _) => format!("、{to}% からは再び {above}"),
            }
        };
        let first = &both[0];
        let (below, from) = (name(first.faster_below), first.from_percent);
        let later: String = both.iter().enumerate().map(later).collect();
        match lang {
            Lang::En => format!("{what}: {below} is shorter up to p{from}{later}"),
            Lang::Ja => format!("{what}: {from}% までは {below}{later} の方が短い"),
        }
    };
    of.crossings.chunk_by(goes_on).map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::super::samples::{card_and_ssd, in_another_way};
    use super::*;

    #[test]
    fn of_what_was_measured_in_another_way_neither_is_better() {
        let of = in_another_way();
        let metric = &of.tests[0].metrics[0];
        assert_eq!(short_remark(metric, 1), "0.20x");
        assert_eq!(remark(&of, metric, 1, Lang::En).as_deref(), Some("a 5.0 times as much"));
    }

    #[test]
    fn groups_that_change_places_twice_change_back() {
        let comparison = card_and_ssd();
        let of = comparison.tests.iter().flat_map(|test| &test.distributions).next().unwrap();
        let crossing = |faster_below, from_percent, faster_above, to_percent| Crossing {
            faster_below,
            faster_above,
            from_percent,
            to_percent,
        };
        let (there, back) = (crossing(1, 99.0, 0, 99.5), crossing(0, 99.5, 1, 99.9));
        let told = |all: &[Crossing], lang| {
            crossings(&comparison, &Distribution { crossings: all.to_vec(), ..of.clone() }, lang)
        };
        let en = "read latency: ssd is shorter up to p99, microsd from p99.5 on";
        assert_eq!(told(&[there], Lang::En), [en]);
        assert_eq!(told(&[there, back], Lang::En), [format!("{en}, ssd again from p99.9 on")]);
        let ja = "リードレイテンシ: 99% までは ssd、99.5% からは microsd、99.9% からは再び ssd の方が短い";
        assert_eq!(told(&[there, back], Lang::Ja), [ja]);
        assert_eq!(told(&[there, there], Lang::En), [en, en], "of other groups");
    }
}
