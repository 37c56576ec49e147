//! Formatting of figures: the one place for units, digits and separators.
//!
//! Figures have three significant digits, as in fio and data sheets: no measurement justifies more. Sizes are in
//! powers of two (KiB, MiB); speeds, labels and standards use powers of ten (MB, GB). A figure that is not finite is
//! written as `-`.

const BINARY: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
const DECIMAL: [&str; 7] = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
const BITS: [&str; 5] = ["bit", "kbit", "Mbit", "Gbit", "Tbit"];
const TIMES: [&str; 4] = ["ns", "µs", "ms", "s"];

/// Placeholder for a missing figure.
pub const NO_FIGURE: &str = "-";

/// Units for bandwidth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BandwidthUnits {
    /// Powers of ten, as in limits, labels and standards: MB/s.
    #[default]
    Decimal,
    /// Powers of two: MiB/s.
    Binary,
}

impl BandwidthUnits {
    /// Bytes per second in a suitable unit: `23.8 MB/s`, `22.7 MiB/s`.
    pub fn bandwidth(self, bytes_per_s: f64) -> String {
        per_second(&scaled(bytes_per_s, self.base(), self.names()))
    }

    /// The unit of tables: its symbol, and its size in bytes per second.
    pub const fn table_unit(self) -> (&'static str, f64) {
        match self {
            Self::Decimal => ("MB/s", 1e6),
            Self::Binary => ("MiB/s", crate::MIB as f64),
        }
    }

    /// The unit in which [`bandwidth`](Self::bandwidth) shows a value: its symbol, and its size in bytes per second.
    /// At least thousands, for axes that start at zero.
    pub fn unit_for(self, bytes_per_s: f64) -> (String, f64) {
        let power = power_of(bytes_per_s, self.base(), self.names().len()).max(1);
        (per_second(self.names()[power]), self.base().powi(power as i32))
    }

    const fn base(self) -> f64 {
        match self {
            Self::Decimal => 1_000.0,
            Self::Binary => 1_024.0,
        }
    }

    const fn names(self) -> &'static [&'static str; 7] {
        match self {
            Self::Decimal => &DECIMAL,
            Self::Binary => &BINARY,
        }
    }
}

/// The rate of a link in bits per second: `480 Mbit/s`, `5 Gbit/s`.
pub fn bit_rate(bits_per_s: u64) -> String {
    without_zeros(&per_second(&scaled(bits_per_s as f64, 1_000.0, &BITS)))
}

/// I/Os per second with their unit: `3,786 IOPS`.
pub fn iops(iops: f64) -> String {
    match three_digits(iops) {
        none if none == NO_FIGURE => none,
        number => format!("{number} IOPS"),
    }
}

/// A plain number with at least three significant digits: `3,786`, `31.3`, `0.648`.
pub fn number(value: f64) -> String {
    three_digits(value)
}

/// An integer with separators: `113,595`.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A time in nanoseconds: `263 µs`, `1.87 ms`, `4.20 s`; from ten minutes, to the second: `48 min`, `1 h 20 min 3 s`.
pub fn duration(ns: u64) -> String {
    let seconds = ns / crate::NS_PER_S;
    if seconds < 600 {
        return duration_f64(ns as f64);
    }
    let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    parts.map(|(number, unit)| format!("{} {unit}", count(number))).collect::<Vec<_>>().join(" ")
}

/// A time in nanoseconds with a fraction, such as a mean.
pub fn duration_f64(ns: f64) -> String {
    if ns == 0.0 {
        return "0 ns".to_string();
    }
    scaled(ns, 1_000.0, &TIMES)
}

/// A number of bytes in powers of two: `3.67 GiB`; whole units without a fraction: `4 KiB`.
pub fn bytes(bytes: u64) -> String {
    let unit = BINARY.iter().enumerate().rev().find(|(power, _)| bytes >> (10 * power) > 0);
    match unit {
        Some((power, unit)) if bytes & ((1 << (10 * power)) - 1) == 0 && bytes >> (10 * power) < 1_000 => {
            format!("{} {unit}", bytes >> (10 * power))
        }
        _ => scaled(bytes as f64, 1_024.0, &BINARY),
    }
}

/// The length of an I/O in bytes, as people write it: `4K`, `64K`, `1M`; `512B` if not in whole KiB.
pub fn block(bytes: u64) -> String {
    let units = [(crate::MIB, "M"), (crate::KIB, "K"), (1, "B")];
    let unit =
        units.into_iter().find(|(len_bytes, _)| bytes >= *len_bytes && bytes.is_multiple_of(*len_bytes));
    let (len_bytes, letter) = unit.unwrap_or((1, "B"));
    format!("{}{letter}", bytes / len_bytes)
}

/// A number of bytes as on labels and data sheets, in powers of ten: `64 GB`, `960 GB`, `1.92 TB`. Rounded to an
/// integer from 10 units on, as on a label.
pub fn bytes_si(bytes: u64) -> String {
    let mut value = bytes as f64;
    let mut power = 0;
    while value >= 999.5 && power + 1 < DECIMAL.len() {
        value /= 1_000.0;
        power += 1;
    }
    let number = if power == 0 || value >= 9.995 { format!("{value:.0}") } else { three_digits(value) };
    format!("{} {}", without_zeros(&number), DECIMAL[power])
}

/// A fraction as percent: 0.026 is `2.60 %`, 1 is `100 %`.
pub fn percent(share: f64) -> String {
    match three_digits(share * 100.0) {
        none if none == NO_FIGURE => none,
        number => format!("{number} %"),
    }
}

/// A time in nanoseconds in clock format, rounded down to seconds: `1:05`, `1:01:01`.
pub fn elapsed(ns: u64) -> String {
    let seconds = ns / crate::NS_PER_S;
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// The low end of a range, without its unit if the high end has the same: `28.0` for `28.0 MB/s` and `36.0 MB/s`.
pub fn range_start<'a>(low: &'a str, high: &str) -> &'a str {
    match (low.split_once(' '), high.split_once(' ')) {
        (Some((number, low_unit)), Some((_, high_unit))) if low_unit == high_unit => number,
        _ => low,
    }
}

/// Removes trailing zeros, for a setting such as a limit: `25.0 ms` becomes `25 ms`.
pub fn without_zeros(figure: &str) -> String {
    let (number, unit) = figure.split_at(figure.find(' ').unwrap_or(figure.len()));
    if !number.contains('.') {
        return figure.to_string();
    }
    format!("{}{unit}", number.trim_end_matches('0').trim_end_matches('.'))
}

/// The power of `base`, up to this many units, for showing a value: the largest that is not above it.
fn power_of(value: f64, base: f64, units: usize) -> usize {
    // 999.5 would be shown as 1,000: one of the next unit is shorter and means the same. With a base of 1,024, values
    // between 1,000 and 1,023 stay below their next unit.
    let carries_from = if base == 1_000.0 { 999.5 } else { base - 0.5 };
    let mut value = value;
    let mut power = 0;
    while value >= carries_from && power + 1 < units {
        value /= base;
        power += 1;
    }
    power
}

/// `value` in the largest unit that is not above it.
fn scaled(value: f64, base: f64, units: &[&str]) -> String {
    let power = power_of(value, base, units.len());
    let value = (0..power).fold(value, |value, _| value / base);
    // Bytes are integers; nanoseconds of a mean may have a fraction.
    let number = if power == 0 && base == 1_024.0 && value.fract() == 0.0 {
        count(value as u64)
    } else {
        three_digits(value)
    };
    if number == NO_FIGURE { number } else { format!("{number} {}", units[power]) }
}

/// Three significant digits: `4.15`, `31.3`, `166`, `3,786`. Below 1 there are three decimals.
fn three_digits(value: f64) -> String {
    if !value.is_finite() {
        return NO_FIGURE.to_string();
    }
    if value == 0.0 {
        return "0".to_string();
    }
    if value < 0.0 {
        return format!("-{}", three_digits(-value));
    }
    if value < 0.9995 {
        return format!("{value:.3}");
    }
    // Rounding may add a digit (9.996 is 10.0), so check the text, not the value.
    for decimals in [2, 1] {
        let text = format!("{value:.decimals$}");
        if text.len() <= 4 {
            return text;
        }
    }
    if value >= u64::MAX as f64 { format!("{value:.2e}") } else { count(round(value)) }
}

/// Rounds a non-negative value, halves to even as in formatting.
fn round(value: f64) -> u64 {
    format!("{value:.0}").parse().unwrap_or(u64::MAX)
}

fn per_second(figure: &str) -> String {
    if figure == NO_FIGURE { figure.to_string() } else { format!("{figure}/s") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GIB, KIB, MIB, NS_PER_MS, NS_PER_S};

    #[test]
    fn speeds() {
        for (bytes_per_s, decimal, binary) in [
            (0.0, "0 B/s", "0 B/s"),
            (512.0, "512 B/s", "512 B/s"),
            (999.6, "1.00 kB/s", "1,000 B/s"),
            (680_000.0, "680 kB/s", "664 KiB/s"),
            (23_802_675.0, "23.8 MB/s", "22.7 MiB/s"),
            (999.6 * 1e6, "1.00 GB/s", "953 MiB/s"),
            (7.0e9, "7.00 GB/s", "6.52 GiB/s"),
            (f64::NAN, "-", "-"),
            (f64::INFINITY, "-", "-"),
        ] {
            assert_eq!(BandwidthUnits::Decimal.bandwidth(bytes_per_s), decimal, "{bytes_per_s}");
            assert_eq!(BandwidthUnits::Binary.bandwidth(bytes_per_s), binary, "{bytes_per_s}");
        }
    }

    #[test]
    fn link_rates() {
        for (mbit_per_s, text) in
            [(12, "12 Mbit/s"), (480, "480 Mbit/s"), (5_000, "5 Gbit/s"), (22_500, "22.5 Gbit/s")]
        {
            assert_eq!(bit_rate(mbit_per_s * 1_000_000), text);
        }
    }

    #[test]
    fn io_lengths() {
        let cases = [
            (512, "512B"),
            (4_096, "4K"),
            (1_536, "1536B"),
            (65_536, "64K"),
            (1 << 20, "1M"),
            (1 << 30, "1024M"),
        ];
        for (bytes, text) in cases {
            assert_eq!(block(bytes), text);
        }
    }

    #[test]
    fn rates() {
        let cases = [
            (0.0, "0 IOPS"),
            (0.9996, "1.00 IOPS"),
            (1.0, "1.00 IOPS"),
            (9.996, "10.0 IOPS"),
            (99.96, "100 IOPS"),
            (166.1, "166 IOPS"),
            (999.6, "1,000 IOPS"),
            (3_786.4, "3,786 IOPS"),
            (1_234_567.8, "1,234,568 IOPS"),
            (1e30, "1.00e30 IOPS"),
            (-5.0, "-5.00 IOPS"),
            (f64::NAN, "-"),
        ];
        for (value, text) in cases {
            assert_eq!(iops(value), text, "{value}");
        }
        assert_eq!(count(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!((count(0), count(999), count(1_000)), ("0".into(), "999".into(), "1,000".into()));
    }

    #[test]
    fn durations_of_all_lengths() {
        let cases = [
            (0, "0 ns"),
            (1, "1.00 ns"),
            (263, "263 ns"),
            (999, "999 ns"),
            (1_000, "1.00 µs"),
            (262_900, "263 µs"),
            (999_499, "999 µs"),
            (999_600, "1.00 ms"),
            (1_866_030, "1.87 ms"),
            (28_967_000, "29.0 ms"),
            (999_600_000, "1.00 s"),
            (4_200_000_000, "4.20 s"),
            (120 * NS_PER_S, "120 s"),
            (599_900_000_000, "600 s"),
            (2_891_700_000_000, "48 min 11 s"),
            (7_200 * NS_PER_S, "2 h"),
            (u64::MAX, "5,124,095 h 34 min 33 s"),
        ];
        for (ns, text) in cases {
            assert_eq!(duration(ns), text, "{ns}");
        }
        assert_eq!(duration_f64(1_234.5), "1.23 µs");
        assert_eq!(duration_f64(0.25), "0.250 ns");
        assert_eq!(duration_f64(f64::NAN), "-");
    }

    #[test]
    fn sizes() {
        let cases = [
            (0, "0 B", "0 B"),
            (1, "1 B", "1 B"),
            (999, "999 B", "999 B"),
            (1_000, "1,000 B", "1 kB"),
            (1_023, "1,023 B", "1.02 kB"),
            (KIB, "1 KiB", "1.02 kB"),
            (4 * KIB, "4 KiB", "4.1 kB"),
            (1_023 * KIB, "1,023 KiB", "1.05 MB"),
            (MIB - 1, "1.00 MiB", "1.05 MB"),
            (200 * MIB, "200 MiB", "210 MB"),
            (3_756 * MIB, "3.67 GiB", "3.94 GB"),
            (GIB, "1 GiB", "1.07 GB"),
            (63_864_569_856, "59.5 GiB", "64 GB"),
            (960_197_124_096, "894 GiB", "960 GB"),
            (999_600_000_000, "931 GiB", "1 TB"),
            (1_920_383_410_176, "1.75 TiB", "1.92 TB"),
            (9_996_000_000_000, "9.09 TiB", "10 TB"),
            (u64::MAX, "16.0 EiB", "18 EB"),
        ];
        for (value, binary, decimal) in cases {
            assert_eq!(bytes(value), binary, "{value}");
            assert_eq!(bytes_si(value), decimal, "{value}");
        }
    }

    #[test]
    fn shares_clocks_and_limits() {
        for (share, text) in [(0.0, "0 %"), (0.026, "2.60 %"), (0.979, "97.9 %"), (1.0, "100 %")] {
            assert_eq!(percent(share), text);
        }
        assert_eq!(range_start("28.0 MB/s", "36.0 MB/s"), "28.0");
        assert_eq!(range_start("900 kB/s", "1.20 MB/s"), "900 kB/s");
        let clocks =
            [(0, "0:00"), (999, "0:00"), (65_000, "1:05"), (3_599_999, "59:59"), (3_661_000, "1:01:01")];
        for (ms, text) in clocks {
            assert_eq!(elapsed(ms * NS_PER_MS), text);
        }
        assert_eq!(elapsed(u64::MAX), "5124095:34:33");
        for (figure, text) in
            [("25.0 ms", "25 ms"), ("1.50 s", "1.5 s"), ("100 MB/s", "100 MB/s"), ("10.0", "10")]
        {
            assert_eq!(without_zeros(figure), text);
        }
    }
}
