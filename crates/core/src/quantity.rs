//! Quantities of a test: rates, latencies, spreads.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::metric::Unit;

/// Kind of figure. Serialised as its [name](Quantity::name).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(into = "String", try_from = "String")]
#[schemars(with = "String")]
pub enum Quantity {
    /// Bytes per second over the whole test.
    Bandwidth,
    /// I/Os per second over the whole test; for applications, their operations.
    Iops,
    /// Latency of individual I/Os.
    Latency(LatencyKind, Statistic),
    /// Bandwidth of windows of one length: its spread over time.
    WindowBandwidth(Statistic),
    /// I/Os per second of windows of one length.
    WindowIops(Statistic),
    /// Bytes moved.
    Bytes,
    /// I/Os done.
    Ios,
    /// Duration.
    Runtime,
    /// The longest time without a completion by a worker.
    LongestStall,
}

/// Part of an I/O's latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LatencyKind {
    /// Until submitted to the kernel (fio's `slat`).
    Submission,
    /// From submission to completion (fio's `clat`).
    Completion,
    /// The sum of both (fio's `lat`); for syncs the whole call.
    Total,
}

/// A statistic of many values.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub enum Statistic {
    /// Minimum.
    Min,
    /// The mean.
    Mean,
    /// Maximum.
    Max,
    /// Standard deviation.
    Stdev,
    /// Percentile.
    Percentile(f64),
}

/// Which direction is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// Higher.
    More,
    /// Lower.
    Less,
    /// Neither: it is a setting of the test, or depends on it.
    Neither,
}

impl Quantity {
    /// Whether it is an amount or a duration: these are valid whatever answered the I/O.
    pub const fn is_amount(self) -> bool {
        matches!(self, Quantity::Bytes | Quantity::Ios | Quantity::Runtime)
    }

    /// Its unit.
    pub const fn unit(self) -> Unit {
        match self {
            Quantity::Bandwidth | Quantity::WindowBandwidth(_) => Unit::BytesPerSecond,
            Quantity::Iops | Quantity::WindowIops(_) => Unit::IosPerSecond,
            Quantity::Latency(..) | Quantity::Runtime | Quantity::LongestStall => Unit::Nanoseconds,
            Quantity::Bytes => Unit::Bytes,
            Quantity::Ios => Unit::Count,
        }
    }

    /// Which direction is better. A short run time is better if the work is fixed, and means nothing if the time is;
    /// that depends on the test, so it is neither here.
    pub const fn better(self) -> Better {
        match self {
            Quantity::WindowBandwidth(Statistic::Stdev) | Quantity::WindowIops(Statistic::Stdev) => {
                Better::Less
            }
            Quantity::Bandwidth | Quantity::Iops => Better::More,
            Quantity::WindowBandwidth(_) | Quantity::WindowIops(_) => Better::More,
            Quantity::Latency(..) | Quantity::LongestStall => Better::Less,
            Quantity::Bytes | Quantity::Ios | Quantity::Runtime => Better::Neither,
        }
    }

    /// Whether it is a statistic of windows, which depends on their length.
    pub const fn is_of_windows(self) -> bool {
        matches!(self, Quantity::WindowBandwidth(_) | Quantity::WindowIops(_))
    }

    /// Its name: `bandwidth`, `iops`, `latency_p99.9`, `completion_mean`, `submission_max`, `window_bandwidth_stdev`,
    /// `runtime`, `bytes`, `ios`, `longest_stall`.
    pub fn name(self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Quantity::Bandwidth => f.write_str("bandwidth"),
            Quantity::Iops => f.write_str("iops"),
            Quantity::Latency(LatencyKind::Submission, of) => write!(f, "submission_{of}"),
            Quantity::Latency(LatencyKind::Completion, of) => write!(f, "completion_{of}"),
            Quantity::Latency(LatencyKind::Total, of) => write!(f, "latency_{of}"),
            Quantity::WindowBandwidth(of) => write!(f, "window_bandwidth_{of}"),
            Quantity::WindowIops(of) => write!(f, "window_iops_{of}"),
            Quantity::Bytes => f.write_str("bytes"),
            Quantity::Ios => f.write_str("ios"),
            Quantity::Runtime => f.write_str("runtime"),
            Quantity::LongestStall => f.write_str("longest_stall"),
        }
    }
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Statistic::Min => f.write_str("min"),
            Statistic::Mean => f.write_str("mean"),
            Statistic::Max => f.write_str("max"),
            Statistic::Stdev => f.write_str("stdev"),
            Statistic::Percentile(percent) => write!(f, "p{percent}"),
        }
    }
}

impl FromStr for Quantity {
    /// The problem, with the name shortened.
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let unknown = || format!("unknown metric '{}'", crate::text::shown(name));
        let whole = match name {
            "bandwidth" => Quantity::Bandwidth,
            "iops" => Quantity::Iops,
            "bytes" => Quantity::Bytes,
            "ios" => Quantity::Ios,
            "runtime" => Quantity::Runtime,
            "longest_stall" => Quantity::LongestStall,
            _ => {
                let (what, of) = name.rsplit_once('_').ok_or_else(unknown)?;
                let of = statistic(of).ok_or_else(unknown)?;
                return Ok(match what {
                    "submission" => Quantity::Latency(LatencyKind::Submission, of),
                    "completion" => Quantity::Latency(LatencyKind::Completion, of),
                    "latency" => Quantity::Latency(LatencyKind::Total, of),
                    "window_bandwidth" => Quantity::WindowBandwidth(of),
                    "window_iops" => Quantity::WindowIops(of),
                    _ => return Err(unknown()),
                });
            }
        };
        Ok(whole)
    }
}

fn statistic(name: &str) -> Option<Statistic> {
    Some(match name {
        "min" => Statistic::Min,
        "mean" => Statistic::Mean,
        "max" => Statistic::Max,
        "stdev" => Statistic::Stdev,
        _ => {
            let percent: f64 = name.strip_prefix('p')?.parse().ok()?;
            Statistic::Percentile(Some(percent).filter(|percent| (0.0..=100.0).contains(percent))?)
        }
    })
}

impl From<Quantity> for String {
    fn from(quantity: Quantity) -> Self {
        quantity.name()
    }
}

impl TryFrom<String> for Quantity {
    type Error = String;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        name.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        use LatencyKind::{Completion, Submission, Total};
        for (quantity, name) in [
            (Quantity::Bandwidth, "bandwidth"),
            (Quantity::Latency(Total, Statistic::Percentile(99.9)), "latency_p99.9"),
            (Quantity::Latency(Completion, Statistic::Percentile(50.0)), "completion_p50"),
            (Quantity::Latency(Submission, Statistic::Mean), "submission_mean"),
            (Quantity::WindowBandwidth(Statistic::Stdev), "window_bandwidth_stdev"),
            (Quantity::WindowIops(Statistic::Min), "window_iops_min"),
            (Quantity::LongestStall, "longest_stall"),
        ] {
            assert_eq!(quantity.name(), name);
            assert_eq!(name.parse(), Ok(quantity));
        }
        for bad in ["", "p99", "latency_p101", "latency_pNaN", "latency_99", "speed", "window_mean"] {
            assert!(bad.parse::<Quantity>().is_err(), "{bad}");
        }
    }

    #[test]
    fn better_direction_of_each_quantity() {
        assert_eq!("latency_p99".parse::<Quantity>().unwrap().better(), Better::Less);
        assert_eq!("window_bandwidth_min".parse::<Quantity>().unwrap().better(), Better::More);
        assert_eq!("window_bandwidth_stdev".parse::<Quantity>().unwrap().better(), Better::Less);
        assert_eq!("runtime".parse::<Quantity>().unwrap().better(), Better::Neither);
    }
}
