//! Figures and directions as phrases in Messages, for importers and pages.

use crate::direction::Direction;
use crate::imported::Figure;
use crate::quantity::{LatencyKind, Quantity, Statistic};
use crate::{Message, message};

/// A word for a direction; syncs are named after the system call.
pub fn direction(direction: Direction) -> Message {
    match direction {
        Direction::Sync => Message::verbatim("fsync"),
        other => other.message(),
    }
}

/// Name of a figure: `read bandwidth`, `fsync p99.9`, `write latency mean`.
pub fn figure(figure: &Figure) -> Message {
    with_direction(figure.direction, figure.quantity)
}

/// Name of a quantity, with its direction if it has one.
pub fn with_direction(direction: Option<Direction>, quantity: Quantity) -> Message {
    match (direction, quantity) {
        (None, _) => self::quantity(quantity),
        (Some(Direction::Sync), Quantity::Latency(LatencyKind::Total, statistic)) => {
            message!("figure.of-sync", statistic = self::statistic(statistic))
        }
        (Some(direction), _) => {
            message!("figure.of", direction = self::direction(direction), figure = self::quantity(quantity))
        }
    }
}

fn quantity(quantity: Quantity) -> Message {
    match quantity {
        Quantity::Bandwidth => message!("figure.bandwidth"),
        Quantity::Iops => message!("figure.iops"),
        Quantity::Latency(LatencyKind::Total, of) => message!("figure.latency", statistic = statistic(of)),
        Quantity::Latency(LatencyKind::Completion, of) => {
            message!("figure.completion", statistic = statistic(of))
        }
        Quantity::Latency(LatencyKind::Submission, of) => {
            message!("figure.submission", statistic = statistic(of))
        }
        Quantity::WindowBandwidth(of) => message!("figure.window-bandwidth", statistic = statistic(of)),
        Quantity::WindowIops(of) => message!("figure.window-iops", statistic = statistic(of)),
        Quantity::Bytes => message!("figure.bytes"),
        Quantity::Ios => message!("figure.ios"),
        Quantity::Runtime => message!("figure.runtime"),
        Quantity::LongestStall => message!("figure.longest-stall"),
    }
}

/// Name of a statistic: `mean`, `p99.9`.
pub fn statistic(statistic: Statistic) -> Message {
    match statistic {
        Statistic::Min => message!("statistic.min"),
        Statistic::Mean => message!("statistic.mean"),
        Statistic::Max => message!("statistic.max"),
        Statistic::Stdev => message!("statistic.deviation"),
        // All digits matter: 99.999 is not 100.
        Statistic::Percentile(percent) => message!("statistic.percentile", percent = percent.to_string()),
    }
}
