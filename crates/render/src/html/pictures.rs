//! The pictures of a Report in its page.

use cardiograph_core::Report;
use cardiograph_judge::compare::Comparison;

use super::builder::Html;
use crate::doc::Drawing;
use crate::plot::{self, Kind, Picture, View};

/// Width of pictures on a wide page, and on a phone.
pub(super) const WIDE: u32 = 560;
pub(super) const NARROW: u32 = 330;

/// Draws a picture in both widths, or says that there are too few I/Os for it.
pub(super) fn draw(html: &mut Html, report: &Report, (caption, drawing): (&str, Drawing)) {
    let draw = |width| picture(report, drawing, View { width, lang: html.lang });
    match (draw(WIDE).zip(draw(NARROW)), drawing) {
        (Some((wide, narrow)), _) => html.picture(caption, &wide, &narrow),
        // If other directions have a curve, the picture itself says so.
        (None, Drawing::Step(step, Kind::Percentiles)) => {
            let too_few = plot::too_few_for_percentiles(&report.steps[step], html.lang);
            too_few.iter().for_each(|sentence| {
                html.words("p", &[("class", "quiet")], &format!("{caption}: {sentence}"))
            });
        }
        (None, _) => {}
    }
}

/// Draws a comparison in both widths.
pub(super) fn draw_comparison(html: &mut Html, comparison: &Comparison, caption: &str) {
    let draw = |width| {
        let mut drawn = plot::draw_comparison(comparison, View { width, lang: html.lang })?;
        // Readers who cannot see it hear its name.
        drawn.title = caption.to_string();
        Some(drawn)
    };
    if let Some((wide, narrow)) = draw(WIDE).zip(draw(NARROW)) {
        html.picture(caption, &wide, &narrow);
    }
}

fn picture(report: &Report, drawing: Drawing, view: View) -> Option<Picture> {
    match drawing {
        Drawing::Tests => plot::draw_report(report, view),
        Drawing::Timeline => plot::draw_timeline(report, view),
        Drawing::Table(table) => plot::draw_table(report.tables.get(table)?, view),
        Drawing::Comparison => None,
        Drawing::Step(step, kind) => plot::draw_step(kind, report.steps.get(step)?, view),
    }
}
