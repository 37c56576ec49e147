//! Real-time recording: a home's four cameras for ten minutes, for deadlines and stalls that a short trial does not meet.

use cardiograph_core::app::AppSpec;
use cardiograph_core::metric::{Measured, Metric};
use cardiograph_core::report::{StepOutcome, StepResult};
use cardiograph_core::{Direction, Estimate, NS_PER_S};

use super::{CAMERAS, cameras, part};

/// Its name, and the id of its step.
pub(super) const ID: &str = "recording";
/// Its length.
pub(super) const TIME_NS: u64 = 600 * NS_PER_S;
/// What counts as its whole length.
const LEAST_NS: u64 = 590 * NS_PER_S;
const CAMERAS_COUNT: u64 = 4;
/// What four cameras write in this time.
pub(super) const WRITE_BYTES: u64 =
    CAMERAS_COUNT * cameras::USUAL_MBIT_PER_S * 125_000 * (TIME_NS / NS_PER_S);

/// The recording.
pub(super) fn spec() -> AppSpec {
    AppSpec::new(CAMERAS)
        .set("cameras", CAMERAS_COUNT)
        .set("mbit_per_s", cameras::USUAL_MBIT_PER_S)
        .set("buffer_s", cameras::BUFFER_S)
}

/// Missed deadlines and the longest stall; nothing if the recording was shorter and missed none.
pub(super) fn measured(done: &[StepResult]) -> impl Iterator<Item = (Metric, Measured)> {
    let step = done.iter().find(|step| step.step.id == ID && step.outcome == StepOutcome::Done);
    let found = step.and_then(|step| Some((step, part(step, "record")?)));
    // It ends within the last seconds, and at once if the drive falls too far behind.
    let whole = found.filter(|(_, part)| part.duration_ns >= LEAST_NS || part.late > 0);
    let figures = whole.map(|(step, part)| {
        let missed = Estimate::bare(part.late as f64, part.operations);
        let doubt = step.doubt(Direction::Write).cloned();
        let measured = |estimate| Measured { estimate, step: step.step.id.clone(), doubt: doubt.clone() };
        [
            (Metric::RecordingMissed, measured(missed)),
            (Metric::RecordingStallMax, measured(Estimate::bare(part.latency.max_ns() as f64, 1))),
        ]
    });
    figures.into_iter().flatten()
}
