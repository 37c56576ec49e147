//! fio's rules for writing a single figure.
//!
//! A count is written in full if it fits into the requested significant figures (4 by default). Otherwise it is divided
//! by 1,000 or 1,024 until it does; the remainder of the last division fills the remaining figures as decimals. So
//! 3,786 stays, 113,595 becomes `114k` and 15,500 becomes `15.5k`.

/// The format of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scale {
    /// Maximum number of digits.
    pub significant_figures: u32,
    /// Whether prefixes are powers of 1,024 (`Ki`) rather than of 1,000 (`k`).
    pub binary: bool,
    /// What follows the prefix: `B`, `B/s`, `bit/s` or nothing.
    pub unit: &'static str,
}

/// Writes `value` by `scale`.
///
/// The remainders of all but the last division are dropped, not rounded: 1,048,575 bytes are `1024KiB`, because
pub fn scaled(value: u128, scale: Scale) -> String {
    scaled_from(value, 0, scale)
}

/// Writes a value given in the `power`-th power of 1,000 or 1,024 of the unit.
pub fn scaled_from(value: u128, power: usize, scale: Scale) -> String {
    const BINARY: [&str; 7] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
    const DECIMAL: [&str; 7] = ["", "k", "M", "G", "T", "P", "E"];
    let (step, prefixes) = if scale.binary { (1_024, BINARY) } else { (1_000, DECIMAL) };
    let figures = scale.significant_figures.max(1);
    let (mut whole, mut rest, mut power) = (value, None, power);
    while digits(whole) > figures && power + 1 < prefixes.len() {
        rest = Some(whole % step);
        whole /= step;
        power += 1;
    }
    let number = match rest {
        None => whole.to_string(),
        // The point takes up a figure, so a single free figure shows no decimal.
        Some(rest) if figures.saturating_sub(digits(whole)) < 2 => {
            (whole + u128::from(rest >= step / 2)).to_string()
        }
        Some(rest) => {
            let decimals = (figures - digits(whole) - 1) as usize;
            // Round the fraction separately: next to a large integer, 0.05 may become slightly smaller.
            let fraction = format!("{:.decimals$}", rest as f64 / step as f64);
            let (carry, fraction) = fraction.split_once('.').unwrap_or((&fraction, "0"));
            format!("{}.{fraction}", whole + u128::from(carry == "1"))
        }
    };
    format!("{number}{}{}", prefixes[power], scale.unit)
}

/// Number of decimal digits; 1 for zero.
fn digits(value: u128) -> u32 {
    value.checked_ilog10().unwrap_or(0) + 1
}

/// A latency extreme in the normal output: six figures, powers of 1,000.
pub fn extreme(value: u64) -> String {
    scaled(value.into(), Scale { significant_figures: 6, binary: false, unit: "" })
}

/// The unit of a latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LatencyUnit {
    /// Nanoseconds in it.
    pub ns: u64,
    /// Its label.
    pub label: &'static str,
}

impl LatencyUnit {
    const NANOSECONDS: Self = Self { ns: 1, label: "nsec" };
    const MICROSECONDS: Self = Self { ns: 1_000, label: "usec" };
    const MILLISECONDS: Self = Self { ns: 1_000_000, label: "msec" };

    /// The unit for a line with minimum, maximum and deviation, all in nanoseconds.
    ///
    /// A coarser unit is used only if nothing vanishes: the minimum and the deviation must keep a digit before the
    /// point, and the maximum must be long enough to be worth shortening.
    pub fn for_line(min_ns: u64, max_ns: u64, stdev_ns: f64) -> Self {
        match Self::for_range(min_ns, max_ns) {
            Self::MILLISECONDS if stdev_ns > 1e6 => Self::MILLISECONDS,
            // Values that fail for milliseconds pass the limits on minimum and maximum for microseconds.
            Self::MILLISECONDS | Self::MICROSECONDS if stdev_ns > 1e3 => Self::MICROSECONDS,
            _ => Self::NANOSECONDS,
        }
    }

    /// The unit for a table of percentiles with these extremes in nanoseconds.
    pub fn for_range(min_ns: u64, max_ns: u64) -> Self {
        if min_ns > 2_000_000 && max_ns > 99_999_999 {
            Self::MILLISECONDS
        } else if min_ns > 2_000 && max_ns > 99_999 {
            Self::MICROSECONDS
        } else {
            Self::NANOSECONDS
        }
    }
}

/// Each count as percent of `total`. Nonzero shares below `least_percent` are raised to it, so that they do not look
/// like zero. All zeros if `total` is 0.
pub fn shares<const N: usize>(counts: &[u64; N], total: u64, least_percent: f64) -> [f64; N] {
    counts.map(|count| match count {
        0 => 0.0,
        _ if total == 0 => 0.0,
        count => (count as f64 * 100.0 / total as f64).max(least_percent),
    })
}

/// `value`, or 0 if JSON cannot represent it.
pub fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(value: u64) -> String {
        scaled(value.into(), Scale { significant_figures: 4, binary: true, unit: "B" })
    }

    #[test]
    fn block_sizes_match_fio() {
        // As printed by Debian's fio 3.33 when announcing a job.
        let table = [
            (512, "512B"),
            (1_023, "1023B"),
            (1_024, "1024B"),
            (9_999, "9999B"),
            (10_000, "9.77KiB"),
            (10_240, "10.0KiB"),
            (10_241, "10.0KiB"),
            (65_535, "64.0KiB"),
            (99_999, "97.7KiB"),
            (102_399, "100.0KiB"),
            (102_400, "100KiB"),
            (104_447, "102KiB"),
            (1_048_575, "1024KiB"),
            (1_048_576, "1024KiB"),
            (1_572_864, "1536KiB"),
            (10_485_759, "10.00MiB"),
            (10_737_418, "10.2MiB"),
            (104_857_599, "100.0MiB"),
            (1_073_741_823, "1024MiB"),
            (1_073_741_824, "1024MiB"),
        ];
        for (value, text) in table {
            assert_eq!(bytes(value), text, "{value}");
        }
        assert_eq!(bytes(0), "0B");
        assert_eq!(bytes(u64::MAX), "16.0EiB");
    }

    #[test]
    fn figures_and_prefixes_follow_the_scale() {
        let decimal = |value, significant_figures| {
            scaled(value, Scale { significant_figures, binary: false, unit: "B/s" })
        };
        assert_eq!(decimal(3_786, 4), "3786B/s");
        assert_eq!(decimal(113_595, 4), "114kB/s");
        assert_eq!(decimal(15_511_552, 4), "15.5MB/s");
        assert_eq!(decimal(6_399_744, 4), "6400kB/s");
        assert_eq!(decimal(99_050, 4), "99.1kB/s");
        assert_eq!(decimal(1_048_576_000, 10), "1048576000B/s");
        assert_eq!(decimal(1_048_576_000, 1), "1GB/s");
        assert_eq!(decimal(1_048_576_000, 0), "1GB/s");
        assert_eq!(decimal(1_048_576_000, 7), "1048576kB/s");
        let kibi = Scale { significant_figures: 4, binary: true, unit: "B/s" };
        assert_eq!(scaled_from(1_201, 1, kibi), "1201KiB/s");
        assert_eq!(scaled_from(48_000, 1, kibi), "46.9MiB/s");
    }

    #[test]
    fn extremes_have_six_figures() {
        for (value, text) in
            [(999_999, "999999"), (1_462_309, "1462.3k"), (14_007_000, "14007k"), (94_396_000, "94396k")]
        {
            assert_eq!(extreme(value), text);
        }
    }

    #[test]
    fn units_change_only_if_nothing_vanishes() {
        // Minimum, maximum and deviation as printed by fio 3.33 and 3.39, and their units.
        let table = [
            (3_000_000, 623_000_000, 25.86e6, "msec"),
            (116_894_000, 141_026_000, 6.137e6, "msec"),
            (23_696_000, 65_467_000, 4.7e6, "usec"),
            (2_770_000, 3_998_000, 221_510.0, "usec"),
            (9_000, 85_000, 12_099.0, "nsec"),
            (1_472, 1_462_309, 170_006.0, "nsec"),
            (2_200, 150_000, 999.0, "nsec"),
            (2_200_000, 150_000_000, 999_000.0, "usec"),
            (2_200_000, 150_000_000, 0.0, "nsec"),
            (2_000, 100_000, 5e3, "nsec"),
        ];
        for (min, max, stdev, unit) in table {
            assert_eq!(LatencyUnit::for_line(min, max, stdev).label, unit, "{min} {max} {stdev}");
        }
        assert_eq!(LatencyUnit::for_range(2_000_001, 100_000_000).label, "msec");
        assert_eq!(LatencyUnit::for_range(2_000_000, 100_000_000).label, "usec");
        assert_eq!(LatencyUnit::for_range(2_001, 99_999).label, "nsec");
    }

    #[test]
    fn small_shares_do_not_look_like_zero() {
        assert_eq!(shares(&[0, 1, 9_999], 10_000, 0.1), [0.0, 0.1, 99.99]);
        assert_eq!(shares(&[1, 2], 0, 0.1), [0.0, 0.0]);
        assert_eq!(shares(&[2], 1, 0.01), [200.0]);
        assert_eq!(finite(f64::NAN), 0.0);
        assert_eq!(finite(f64::NEG_INFINITY), 0.0);
    }
}
