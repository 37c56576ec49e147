//! The pictures of a Report in its page.

use cardiograph_core::Report;

use super::builder::Html;
use crate::doc::Drawing;
use crate::plot::{self, Kind, Picture, View};

/// Width of pictures on a wide page, and on a telephone.
const WIDE: u32 = 560;
const NARROW: u32 = 330;

/// Draws a picture in both widths; where it cannot be drawn for want of I/Os, says so.
pub(super) fn draw(html: &mut Html, report: &Report, (caption, drawing): (&str, Drawing)) {
    let at = |width| picture(report, drawing, View { width, lang: html.lang });
    match (at(WIDE).zip(at(NARROW)), drawing) {
        (Some((wide, narrow)), _) => html.picture(caption, &wide, &narrow),
        // A curve of other directions says so itself.
        (None, Drawing::Step(step, Kind::Percentiles)) => {
            let too_few = plot::too_few_for_percentiles(&report.steps[step], html.lang);
            too_few.iter().for_each(|of| html.words("p", &[("class", "quiet")], &format!("{caption}: {of}")));
        }
        (None, _) => {}
    }
}

fn picture(report: &Report, drawing: Drawing, view: View) -> Option<Picture> {
    match drawing {
        Drawing::Tests => plot::of_report(report, view),
        Drawing::Course => plot::of_course(report, view),
        Drawing::Table(table) => plot::of_table(report.tables.get(table)?, view),
        Drawing::Step(step, kind) => plot::of_step(kind, report.steps.get(step)?, view),
    }
}
