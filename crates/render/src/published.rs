//! Where drives stand among what others published, as tables to paste into an article and for programs.

use cardiograph_core::published::{Other, Standing};

use crate::csv;
use crate::grid::Grid;
use crate::lang::Lang;
use crate::markdown::{heading, inline, line, markup_table};
use crate::method;
use crate::text::shelf::listed;
use crate::text::standing::{by_test, places, rankings};
use crate::text::{plain, said};

/// The columns of the comma-separated form.
const COLUMNS: &str = "drive,test,direction,metric,place,of,likeness,is_own,value,published_drive,conditions,source,differences";

/// A table for each figure: all places, the drive's own in bold, with sources and in what the others were measured differently.
pub fn markdown(standings: &[Standing], lang: Lang) -> String {
    let mut page = String::new();
    for of_test in by_test(standings) {
        heading(&mut page, 3, &format!("{}: {}", plain(&of_test[0].drive), said(&of_test[0].title, lang)));
        of_test.iter().for_each(|standing| write_figure(&mut page, standing, lang));
    }
    page
}

fn write_figure(page: &mut String, standing: &Standing, lang: Lang) {
    let name = lang.text(&method::of_direction(Some(standing.direction), standing.quantity));
    for (ranking, how) in rankings(standing, lang) {
        line(page, &inline(&format!("{name}{}{how}", lang.pick(", ", "、"))));
        let headings = [
            lang.pick("Place", "順位"),
            lang.pick("Value", "値"),
            lang.pick("Drive", "ドライブ"),
            lang.pick("Conditions", "条件"),
            lang.pick("Source", "出典"),
            lang.pick("Measured differently", "測定方法の違い"),
        ];
        let rows = places(ranking).map(|place| row(standing, place, lang));
        markup_table(page, &Grid::of(headings, 0..2, rows));
    }
}

/// A line for each place, values in base units.
pub fn csv(standings: &[Standing]) -> String {
    let mut text = format!("{COLUMNS}\n");
    for standing in standings {
        for (likeness, ranking) in [("same", &standing.same), ("near", &standing.near)] {
            for (place, other) in places(ranking) {
                let of = |text: fn(&Other) -> String| other.map(text).unwrap_or_default();
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
                    of(|other| other.drive.clone()),
                    of(|other| listed(&other.tags)),
                    of(|other| other.source.clone()),
                    of(|other| Lang::En.phrases(&method::differences(&other.differences))),
                ];
                text += &csv::line(cells.into_iter());
            }
        }
    }
    text
}

fn row(standing: &Standing, (place, other): (usize, Option<&Other>), lang: Lang) -> Vec<String> {
    let value = |value| lang.value(&method::value(standing.quantity, value));
    match other {
        None => {
            let cells = [place.to_string(), value(standing.value), plain(&standing.drive)];
            let bold = cells.map(|cell| format!("**{}**", inline(&cell)));
            bold.into_iter().chain(std::iter::repeat_n(String::new(), 3)).collect()
        }
        Some(other) => {
            let cells = [
                place.to_string(),
                value(other.value),
                plain(&other.drive),
                listed(&other.tags),
                other.source.clone(),
                lang.phrases(&method::differences(&other.differences)),
            ];
            cells.iter().map(|cell| inline(cell)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_import::shelf::{reports, standing};
    use cardiograph_judge::record::RunFigures;

    use super::*;

    fn of_card() -> Vec<Standing> {
        let is_it =
            |report: &&cardiograph_core::Report| report.label.as_deref() == Some("SanDisk Ultra 64GB");
        let runs: Vec<RunFigures> = reports().iter().filter(is_it).map(RunFigures::of).collect();
        standing::standings("my, card", &runs)
    }

    #[test]
    fn every_place_is_in_the_tables() {
        let all = of_card();
        let (en, ja, csv) = (markdown(&all, Lang::En), markdown(&all, Lang::Ja), csv(&all));
        assert!(
            en.contains("\n| Place | Value | Drive | Conditions | Source | Measured differently |\n"),
            "{en}"
        );
        assert!(ja.contains("、同じ測定方法\n"), "{ja}");
        let ranked = all.iter().flat_map(|of| [&of.same, &of.near]).filter(|of| !of.others.is_empty());
        let (places, own) = ranked.fold((0, 0), |(places, own), of| (places + of.others.len() + 1, own + 1));
        assert_eq!(csv.lines().count(), 1 + places, "{csv}");
        assert_eq!(en.matches("| **my, card** |").count(), own, "{en}");
        for line in en.lines().filter(|line| line.starts_with('|')) {
            assert_eq!(line.replace("\\|", "").matches('|').count(), 7, "{line}");
        }
        assert!(csv.lines().skip(1).all(|line| line.starts_with("\"my, card\",")), "{csv}");
    }
}
