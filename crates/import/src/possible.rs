//! Figures that no drive can have: their unit is not the one that they were read in, or something else stands where they were
//! looked for.

use cardiograph_core::imported::Figure;
use cardiograph_core::metric::Unit;
use cardiograph_core::units;
use cardiograph_core::words::method::figure_name;

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
pub(super) fn problem(figures: &[Figure]) -> Option<String> {
    if let Some(below) = figures.iter().find(|figure| figure.estimate.value < 0.0) {
        return Some(format!("{} is below zero", figure_name(below)));
    }
    let wrong = figures.iter().find(|figure| figure.estimate.value > most(figure.quantity.unit()))?;
    let said = |number: f64| match wrong.quantity.unit() {
        Unit::BytesPerSecond => units::bandwidth_si(number),
        Unit::IosPerSecond => units::iops(number),
        Unit::Nanoseconds => units::duration_f64(number),
        Unit::Bytes => format!("{number:.1e} bytes"),
        Unit::Count => format!("{number:.1e}"),
    };
    let (name, found) = (figure_name(wrong), said(wrong.estimate.value));
    let limit = said(most(wrong.quantity.unit()));
    Some(format!(
        "{name} is {found}, and no drive has more than {limit}: is its unit wrong, or did a counter run over?"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_drive_has_is_told_with_its_limit() {
        for (name, possible, too_much, expected) in [
            (
                "bandwidth",
                9.9e12,
                1.2e13,
                "read speed is 12.0 TB/s, and no drive has more than 10.0 TB/s: is its unit",
            ),
            ("window_bandwidth_max", 9.9e12, 1e300, "no drive has more than 10.0 TB/s"),
            ("iops", 9.9e9, 1.1e10, "is 11,000,000,000 IOPS, and no drive has more than 10,000,000,000 IOPS"),
            ("latency_max", 3.1e16, 3.2e16, "is 32,000,000 s, and no drive has more than 31,536,000 s"),
            ("completion_p99", 3.1e16, 1.8e19, "no drive has more than 31,536,000 s"),
            ("runtime", 3.1e16, 3.2e16, "no drive has more than 31,536,000 s"),
            ("bytes", 3e20, 4e20, "read moved is 4.0e20 bytes"),
            ("ios", 3e17, 4e17, "read I/Os is 4.0e17"),
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
            assert!(told.contains(expected), "{name}: {told}");
        }
    }
}
