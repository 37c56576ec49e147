//! Ranks of drives among published figures, for programs. The form for people is [`crate::doc::standings`].

use cardiograph_core::published::{Other, Ranking, Standing};

use crate::csv;
use crate::lang::Lang;
use crate::method;

/// The columns of the comma-separated form.
const COLUMNS: &str = "drive,test,direction,metric,place,of,likeness,is_own,value,published_drive,conditions,source,differences";

/// A line for each rank, values in base units.
pub fn csv(standings: &[Standing]) -> String {
    let mut text = format!("{COLUMNS}\n");
    for standing in standings {
        for (likeness, ranking) in [("same", &standing.same), ("near", &standing.near)] {
            for (place, other) in ranked(ranking) {
                let other_cell = |text: fn(&Other) -> String| other.map(text).unwrap_or_default();
                let cells = [
                    standing.drive.clone(),
                    standing.test.clone(),
                    standing.direction.name().to_string(),
                    standing.quantity.name(),
                    place.to_string(),
                    ranking.of.to_string(),
                    likeness.to_string(),
                    other.is_none().to_string(),
                    other.map_or(standing.value, |other| other.value).to_string(),
                    other_cell(|other| other.drive.clone()),
                    other_cell(|other| listed(&other.tags)),
                    other_cell(|other| other.source.clone()),
                    other_cell(|other| Lang::EN.phrases(&method::differences(&other.differences))),
                ];
                text += &csv::line(cells.into_iter());
            }
        }
    }
    text
}

/// Conditions in a line: `board Raspberry Pi 5, kind SATA SSD`.
fn listed<'p>(tags: impl IntoIterator<Item = (&'p String, &'p String)>) -> String {
    let tags = tags.into_iter().map(|(name, value)| format!("{} {value}", name.replace('_', " ")));
    tags.collect::<Vec<_>>().join(", ")
}

/// All ranks in order, `None` for the drive itself; empty if there are no others.
pub(crate) fn ranked(ranking: &Ranking) -> impl Iterator<Item = (usize, Option<&Other>)> {
    let own = ranking.rank.saturating_sub(1);
    let (before, behind) = ranking.others.split_at(own.min(ranking.others.len()));
    let all = before.iter().map(Some).chain([None]).chain(behind.iter().map(Some));
    (1..).zip(all).take(if ranking.others.is_empty() { 0 } else { ranking.others.len() + 1 })
}

#[cfg(test)]
mod tests {
    use cardiograph_import::shelf::{reports, standing};
    use cardiograph_judge::record::RunFigures;

    use super::*;

    #[test]
    fn every_rank_has_a_line() {
        let is_sample =
            |report: &&cardiograph_core::Report| report.label.as_deref() == Some("SanDisk Ultra 64GB");
        let runs: Vec<RunFigures> = reports().iter().filter(is_sample).map(RunFigures::from_report).collect();
        let all = standing::standings("my, card", &runs);
        let csv = csv(&all);
        let ranked = all
            .iter()
            .flat_map(|standing| [&standing.same, &standing.near])
            .filter(|standing| !standing.others.is_empty());
        assert_eq!(
            csv.lines().count(),
            1 + ranked.map(|ranking| ranking.others.len() + 1).sum::<usize>(),
            "{csv}"
        );
        assert!(csv.lines().skip(1).all(|line| line.starts_with("\"my, card\",")), "{csv}");
    }
}
