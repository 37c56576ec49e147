//! How well the rates of a group of jobs were known when it ended.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::estimate::Estimate;

/// What came of a wanted precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PrecisionEnd {
    /// It was reached, and the jobs ended.
    Attained,
    /// The speed had settled, but was not known that well, or too few I/Os were done, when the jobs ended otherwise.
    NotNarrow,
    /// The speed still rose or fell when they ended otherwise.
    NotSettled,
    /// They ended too early to decide whether it was steady.
    TooShort,
}

/// How far a group of jobs came to the precision that it was to reach.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PrecisionOutcome {
    /// Index of the job that asked for it; jobs of its group are judged with it.
    pub job: usize,
    /// How far the 95 % interval of each rate may reach to each side, as a share of the rate.
    pub wanted: f64,
    /// What came of it.
    pub end: PrecisionEnd,
    /// How far the widest of them reaches, as a share; `None` where it is not known.
    pub half_width: Option<f64>,
    /// The number of the look that decided, from 1: intervals of later ones are wider, as several looks were taken.
    pub look: u32,
    /// Where the part begins that was used, in nanoseconds from the start of counting: what came before had not settled, or
    /// was left out in case it had not.
    pub from_ns: u64,
    /// Where that part ends, in nanoseconds from the start of counting.
    pub until_ns: u64,
}

impl PrecisionOutcome {
    /// The rate over the part that was used, from the same rate in the whole windows of the run; `None` where the speed had
    /// not settled in any part.
    pub fn rate(&self, windows: &[f64], window_ns: u64) -> Option<Estimate> {
        if matches!(self.end, PrecisionEnd::NotSettled | PrecisionEnd::TooShort) {
            return None;
        }
        let place = |ns: u64| ns.checked_div(window_ns).unwrap_or(0) as usize;
        let part = windows.get(place(self.from_ns)..place(self.until_ns).min(windows.len()))?;
        Some(Estimate::rate_at_look(part, self.look))
    }
}
