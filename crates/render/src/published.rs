//! Where drives stand among what others published, as tables to paste into an article and for programs.

use cardiograph_core::published::{Other, Standing};

use crate::doc::standing::in_order;
use crate::lang::Lang;
use crate::text::shelf::listed;
use crate::{csv, doc, method};

/// The columns of the comma-separated form.
const COLUMNS: &str = "drive,test,direction,metric,place,of,likeness,is_own,value,published_drive,conditions,source,differences";

/// A table for each figure: all places, with sources and in what the others were measured differently.
pub fn markdown(standings: &[Standing], lang: Lang) -> String {
    doc::markdown::render(&doc::places(standings), lang)
}

/// A line for each place, values in base units.
pub fn csv(standings: &[Standing]) -> String {
    let mut text = format!("{COLUMNS}\n");
    for standing in standings {
        for (likeness, ranking) in [("same", &standing.same), ("near", &standing.near)] {
            for (place, other) in in_order(ranking) {
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
