//! Rejects figures that no drive can reach: a misread unit, or an unexpected text.

use cardiograph_core::imported::Figure;
use cardiograph_core::metric::Unit;
use cardiograph_core::words::figure;
use cardiograph_core::{Message, Parameter, message};

/// Forty times the rate of sixteen PCIe 6 lanes, and above the memory bandwidth of a large server: no drive or array
/// comes close.
const BYTES_PER_S_MAX: f64 = 10e12;
/// A thousand times the rate of the fastest arrays, and more than all processors of a machine can request.
const IOS_PER_S_MAX: f64 = 1e10;
/// No request or test takes a year.
const NS_MAX: f64 = 365.0 * 86_400.0 * 1e9;

/// The limit for figures in a unit.
fn limit(unit: Unit) -> f64 {
    let s_max = NS_MAX / 1e9;
    match unit {
        Unit::BytesPerSecond => BYTES_PER_S_MAX,
        Unit::IosPerSecond => IOS_PER_S_MAX,
        Unit::Nanoseconds => NS_MAX,
        // The longest time at the highest rate.
        Unit::Bytes => BYTES_PER_S_MAX * s_max,
        Unit::Count => IOS_PER_S_MAX * s_max,
    }
}

/// The problem with the first impossible figure.
pub(super) fn problem(figures: &[Figure]) -> Option<Message> {
    if let Some(below) = figures.iter().find(|figure| figure.estimate.value < 0.0) {
        return Some(message!("import-figure.negative", figure = figure::figure(below)));
    }
    let wrong = figures.iter().find(|figure| figure.estimate.value > limit(figure.quantity.unit()))?;
    let quantity = |number: f64| match wrong.quantity.unit() {
        Unit::BytesPerSecond => Parameter::bytes_per_s(number),
        Unit::IosPerSecond => Parameter::iops(number),
        Unit::Nanoseconds => Parameter::DurationNs(number as u64),
        Unit::Bytes | Unit::Count => Parameter::number(number),
    };
    Some(message!(
        "import-figure.impossible",
        figure = figure::figure(wrong),
        found = quantity(wrong.estimate.value),
        limit = quantity(limit(wrong.quantity.unit()))
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_figures_name_their_limit() {
        let (bandwidth, iops) = (Parameter::bytes_per_s, Parameter::iops);
        let (time, number) = (Parameter::DurationNs, Parameter::number);
        let year_ns = 31_536_000_000_000_000;
        for (name, possible, too_much, found, limit) in [
            ("bandwidth", 9.9e12, 1.2e13, bandwidth(1.2e13), bandwidth(1e13)),
            ("window_bandwidth_max", 9.9e12, 1e300, bandwidth(1e300), bandwidth(1e13)),
            ("iops", 9.9e9, 1.1e10, iops(1.1e10), iops(1e10)),
            ("latency_max", 3.1e16, 3.2e16, time(32_000_000_000_000_000), time(year_ns)),
            ("completion_p99", 3.1e16, 1.8e19, time(18_000_000_000_000_000_000), time(year_ns)),
            ("runtime", 3.1e16, 3.2e16, time(32_000_000_000_000_000), time(year_ns)),
            ("bytes", 3e20, 4e20, number(4e20), number(3.1536e20)),
            ("ios", 3e17, 4e17, number(4e17), number(3.1536e17)),
        ] {
            let of = |value: f64| {
                problem(&[Figure::bare(
                    Some(cardiograph_core::Direction::Read),
                    name.parse().unwrap(),
                    value,
                    0,
                )])
            };
            assert_eq!(of(possible), None, "{name}");
            let message = of(too_much).unwrap();
            assert_eq!(message.id(), "import-figure.impossible");
            assert_eq!(
                (message.parameter("found"), message.parameter("limit")),
                (Some(&found), Some(&limit))
            );
        }
    }
}
