//! Where drives stand among what others published.

use cardiograph_core::method::TOOL;
use cardiograph_core::published::{Other, Ranking, Standing};

use super::layout::{Page, Style, cut, pad_end, pad_start, plain, said, widest, width};
use super::shelf::{NAME_COLUMNS_MAX, listed};
use crate::lang::Lang;
use crate::method;

/// So many of the others are shown on each side.
const NEIGHBOURS: usize = 2;

/// Each figure with its place, and those that stand next to it, with their sources and in what they were measured differently.
pub fn standings(standings: &[Standing], style: &Style) -> String {
    let mut page = Page::new(style);
    for of_test in by_test(standings) {
        let drive = cut(&plain(&of_test[0].drive), NAME_COLUMNS_MAX);
        page.head(&format!("{drive}: {}", said(&of_test[0].title, Lang::En)));
        of_test.iter().for_each(|standing| of_figure(&mut page, standing));
    }
    page.into_text()
}

/// Those of each drive and test together.
pub(crate) fn by_test(standings: &[Standing]) -> impl Iterator<Item = &[Standing]> {
    standings.chunk_by(|one, next| (&one.drive, &one.test) == (&next.drive, &next.test))
}

fn of_figure(page: &mut Page, standing: &Standing) {
    let name = Lang::En.text(&method::of_direction(Some(standing.direction), standing.quantity));
    for (ranking, how) in rankings(standing, Lang::En) {
        let place = format!("{} of {}", ordinal(ranking.rank), ranking.of);
        page.prose("  ", &format!("{name}: {place} {how}{}", between(ranking)));
        of_ranking(page, standing, ranking);
    }
}

/// Whom the drive stands between.
fn between(ranking: &Ranking) -> String {
    let name = |at: usize| cut(&plain(&ranking.others[at].drive), NAME_COLUMNS_MAX);
    match (ranking.rank, ranking.rank == ranking.of) {
        (1, _) => format!(", ahead of {}", name(0)),
        (rank, true) => format!(", behind {}", name(rank - 2)),
        (rank, false) => format!(", between {} and {}", name(rank - 2), name(rank - 1)),
    }
}

/// What a drive is ranked among, where somebody else is.
pub(crate) fn rankings(standing: &Standing, lang: Lang) -> Vec<(&Ranking, &'static str)> {
    let all = [
        (&standing.same, lang.pick("measured in the same way", "同じ測定方法")),
        (&standing.near, lang.pick("measured in a near way", "近い測定方法")),
    ];
    all.into_iter().filter(|(ranking, _)| !ranking.others.is_empty()).collect()
}

/// All places in their order, `None` for the drive itself; none where nobody else is.
pub(crate) fn places(ranking: &Ranking) -> impl Iterator<Item = (usize, Option<&Other>)> {
    let own = ranking.rank.saturating_sub(1);
    let (before, behind) = ranking.others.split_at(own.min(ranking.others.len()));
    let all = before.iter().map(Some).chain([None]).chain(behind.iter().map(Some));
    (1..).zip(all).take(if ranking.others.is_empty() { 0 } else { ranking.others.len() + 1 })
}

/// The neighbours in their order, the drive itself among them.
fn of_ranking(page: &mut Page, standing: &Standing, ranking: &Ranking) {
    let near = places(ranking).filter(|(place, _)| place.abs_diff(ranking.rank) <= NEIGHBOURS);
    let value = |of: Option<&Other>| {
        Lang::En.value(&method::value(standing.quantity, of.map_or(standing.value, |of| of.value)))
    };
    let lines: Vec<(Option<&Other>, String)> = near.map(|(_, other)| (other, value(other))).collect();
    let columns = widest(lines.iter().map(|(_, value)| value));
    for (other, value) in &lines {
        let mark = if other.is_none() { "  > " } else { "    " };
        let first = format!("{mark}{}  ", pad_start(value, columns));
        match other {
            None => page.prose(&first, &cut(&plain(&standing.drive), NAME_COLUMNS_MAX)),
            Some(other) => {
                page.prose(&first, &told(other));
                if !other.differences.is_empty() {
                    let differences = Lang::En.phrases(&method::differences(&other.differences));
                    page.quiet_prose(&pad_end("", width(&first) + 2), &differences);
                }
            }
        }
    }
}

/// A drive with its conditions and its source.
fn told(other: &Other) -> String {
    let tags = listed(&other.tags);
    let conditions = if tags.is_empty() { String::new() } else { format!(" ({tags})") };
    // fio's jobs are cardiograph's own.
    let tool = match other.tool.as_str() {
        "fio" | TOOL => String::new(),
        tool => format!(" (by {tool})"),
    };
    format!("{}{conditions}, {}{tool}", other.drive, other.source)
}

/// `1st`, `2nd`, `11th`, `23rd`.
fn ordinal(number: usize) -> String {
    let end = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}

#[cfg(test)]
mod tests {
    use cardiograph_import::shelf::{reports, standing};
    use cardiograph_judge::record::RunFigures;

    use super::*;

    /// The article's card, a tenth faster: it stands between itself and the SSD.
    fn of_card() -> Vec<Standing> {
        let is_it =
            |report: &&cardiograph_core::Report| report.label.as_deref() == Some("SanDisk Ultra 64GB");
        let mut runs: Vec<RunFigures> = reports().iter().filter(is_it).map(RunFigures::of).collect();
        let figures = runs.iter_mut().flat_map(|run| &mut run.tests).flat_map(|test| &mut test.figures);
        figures.for_each(|figure| figure.estimate.value *= 1.1);
        standing::standings("my card", &runs)
    }

    #[test]
    fn places_are_shown_with_their_neighbours() {
        cardiograph_testing::check_golden!("standing.txt", &standings(&of_card(), &Style::default()));
        let narrow = Style { width: 50, color: false };
        let text = standings(&of_card(), &narrow);
        cardiograph_testing::check_golden!("standing-50.txt", &text);
        assert!(text.lines().all(|line| width(line) <= 50), "{text}");
    }

    #[test]
    fn places_are_called_as_people_call_them() {
        for (number, expected) in
            [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (112, "112th"), (23, "23rd")]
        {
            assert_eq!(ordinal(number), expected);
        }
    }
}
