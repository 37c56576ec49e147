//! Precision of a group of jobs at its end.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::estimate::Estimate;

/// Result for a precision target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PrecisionEnd {
    /// It was reached, and the jobs ended.
    Attained,
    /// The speed had settled, but the precision or the number of I/Os was too low when the jobs ended otherwise.
    NotNarrow,
    /// The speed was still rising or falling when they ended otherwise.
    NotSettled,
    /// They ended too early to decide whether it was steady.
    TooShort,
}

/// Outcome of a precision target for a group of jobs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PrecisionOutcome {
    /// Index of the job that asked for it; all jobs of its group are judged together.
    pub job: usize,
    /// Maximum half width of the 95 % interval of each rate, relative to the rate.
    pub wanted: f64,
    /// The result.
    pub end: PrecisionEnd,
    /// The widest relative half width; `None` if unknown.
    pub half_width: Option<f64>,
    /// Number of the deciding look, from 1: intervals of later looks are wider, because there were several.
    pub look: u32,
    /// Start of the part used, in nanoseconds from the start of counting: the speed before it had not settled, or was
    /// left out as a precaution.
    pub from_ns: u64,
    /// End of that part, in nanoseconds from the start of counting.
    pub until_ns: u64,
}

impl PrecisionOutcome {
    /// The rate over the part used, from the rate in the complete windows of the run; `None` if the speed had not
    /// settled in any part.
    pub fn rate(&self, windows: &[f64], window_ns: u64) -> Option<Estimate> {
        if matches!(self.end, PrecisionEnd::NotSettled | PrecisionEnd::TooShort) {
            return None;
        }
        let place = |ns: u64| ns.checked_div(window_ns).unwrap_or(0) as usize;
        let part = windows.get(place(self.from_ns)..place(self.until_ns).min(windows.len()))?;
        Some(Estimate::rate_at_look(part, self.look))
    }
}
