//! Figures that no drive can have: their unit is not the one that they were read in, or something else stands where they were
//! looked for.

use cardiograph_core::imported::Figure;
use cardiograph_core::metric::Unit;
use cardiograph_core::words::figure;
use cardiograph_core::{Message, Parameter, message};

/// Forty times what sixteen lanes of PCIe 6 carry, and more than the memory of a large server: nothing that is one drive, or one
/// array of them, comes near.
const BYTES_PER_S_MAX: f64 = 10e12;
/// A thousand times what the fastest arrays do, and more than requests can be made by all processors of a machine.
const IOS_PER_S_MAX: f64 = 1e10;
/// No request waits for a year, and no test of a drive takes as long.
const NS_MAX: f64 = 365.0 * 86_400.0 * 1e9;

/// The most that a figure in that unit can be.
fn most(unit: Unit) -> f64 {
    let s_max = NS_MAX / 1e9;
    match unit {
        Unit::BytesPerSecond => BYTES_PER_S_MAX,
        Unit::IosPerSecond => IOS_PER_S_MAX,
        Unit::Nanoseconds => NS_MAX,
        // In the longest time, at the highest rate.
        Unit::Bytes => BYTES_PER_S_MAX * s_max,
        Unit::Count => IOS_PER_S_MAX * s_max,
    }
}

/// What is wrong with the first figure that cannot be.
pub(super) fn problem(figures: &[Figure]) -> Option<Message> {
    if let Some(below) = figures.iter().find(|figure| figure.estimate.value < 0.0) {
        return Some(message!("import-figure.negative", figure = figure::figure(below)));
    }
    let wrong = figures.iter().find(|figure| figure.estimate.value > most(figure.quantity.unit()))?;
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
        limit = quantity(most(wrong.quantity.unit()))
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_drive_has_is_told_with_its_limit() {
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
            let told = of(too_much).unwrap();
            assert_eq!(told.id(), "import-figure.impossible");
            assert_eq!((told.parameter("found"), told.parameter("limit")), (Some(&found), Some(&limit)));
        }
    }
}
