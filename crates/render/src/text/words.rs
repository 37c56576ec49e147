//! Levels and states in words, for comparisons.

use cardiograph_core::report::ReportState;
use cardiograph_core::verdict::Level;

use crate::lang::Lang;

pub(crate) use crate::doc::report::verdicts::tone as level_tone;

/// How good a drive is for a purpose.
pub(crate) const fn level_word(level: Level, lang: Lang) -> &'static str {
    match level {
        Level::Comfortable => lang.pick("comfortable", "余裕あり"),
        Level::Enough => lang.pick("enough", "足りる"),
        Level::CannotBeJudged => lang.pick("cannot be judged", "判定できない"),
        Level::NotEnough => lang.pick("not enough", "足りない"),
    }
}

/// What stands behind a suite's name when the checkup has no regular end.
pub(crate) fn state(state: ReportState) -> Option<&'static str> {
    match state {
        ReportState::Finished => None,
        ReportState::Running => Some("not finished"),
        ReportState::Interrupted => Some("interrupted"),
        ReportState::Failed => Some("failed"),
    }
}
