//! Latencies: by percentile, as a distribution and over time.

pub(super) mod distribution;
mod heat;
pub(super) mod over_time;
pub(super) mod percentiles;
