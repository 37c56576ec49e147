//! The timeline of writing measured in pieces, as one step in which a fall-off is searched for.

use cardiograph_core::message;
use std::borrow::Cow;

use cardiograph_core::falloff;
use cardiograph_core::figures::StepFigures;
use cardiograph_core::imported::Imported;
use cardiograph_core::report::{Report, StepResult};
use cardiograph_core::{Direction, Series};

use super::subject::series;

/// The suite that writes one file in pieces, and the prefix of their ids.
const SUITE: &str = "cliff";
const PIECE: &str = "write-";
/// Id of the step that represents all pieces.
const ID: &str = "write";

/// The Report with one step in place of its pieces; unchanged if it has none.
pub(super) fn joined<'r>(report: &'r Report) -> Cow<'r, Report> {
    let Some(whole) = all_pieces(report) else { return Cow::Borrowed(report) };
    let mut report = report.clone();
    let first = report.steps.iter().position(is_piece).unwrap_or(0);
    report.steps.retain(|step| !is_piece(step));
    report.steps.insert(first, whole);
    Cow::Owned(report)
}

/// One step that represents all pieces; `None` if there are not several.
pub(super) fn whole(report: &Report) -> Option<StepResult> {
    let has_several = report.steps.iter().filter(|step| is_piece(step)).nth(1).is_some();
    has_several.then(|| all_pieces(report)).flatten()
}

/// The same for a single one, too: on another drive there are several.
fn all_pieces(report: &Report) -> Option<StepResult> {
    if report.suite != SUITE {
        return None;
    }
    let pieces: Vec<&StepResult> = report.steps.iter().filter(|step| is_piece(step)).collect();
    let all: Vec<Series> = pieces.iter().filter_map(|step| series(step)).collect();
    let (&first, longest_ns) = (pieces.first()?, all.iter().map(|series| series.window_ns).max()?);
    if all.iter().any(|series| longest_ns % series.window_ns != 0) {
        return None;
    }
    let mut timeline = Series::default();
    all.iter().for_each(|series| timeline.append(series));
    let longest =
        pieces.iter().filter_map(|step| step.figures.as_ref()).map(|figures| figures.longest_stall_ns);
    let mut whole = StepResult {
        figures: Some(StepFigures {
            longest_stall_ns: longest.max().unwrap_or(0),
            fall_off: (!timeline.rows[Direction::Write].is_empty()).then(|| falloff::search(&timeline)),
            ..StepFigures::default()
        }),
        result: None,
        imported: Some(Imported { series: Some(timeline), ..Imported::default() }),
        ..first.clone()
    };
    whole.step.id = ID.to_string();
    whole.step.title = message!("picture-course");
    // A doubt about one piece applies to the whole.
    whole.doubts = pieces.iter().flat_map(|step| step.doubts.clone()).collect();
    Some(whole)
}

fn is_piece(step: &StepResult) -> bool {
    step.step.id.starts_with(PIECE)
}
