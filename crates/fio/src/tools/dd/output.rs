//! dd's output.

use cardiograph_core::NS_PER_S;

/// The totals of a copy.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Copied {
    /// Whole blocks.
    pub whole: u64,
    /// Partial blocks.
    pub partial: u64,
    /// Total bytes.
    pub bytes: u64,
    /// Its duration in nanoseconds.
    pub ns: u64,
}

/// The lines about blocks.
pub fn records(copied: &Copied) -> String {
    let Copied { whole, partial, .. } = copied;
    format!("{whole}+{partial} records in\n{whole}+{partial} records out\n")
}

/// The line about bytes and time.
pub fn transfer(copied: &Copied) -> String {
    let seconds = general(copied.ns as f64 / NS_PER_S as f64);
    format!("{} copied, {seconds} s, {}\n", size(copied.bytes), rate(copied.bytes, copied.ns))
}

/// The progress line.
pub fn progress(bytes: u64, ns: u64) -> String {
    let seconds = ns as f64 / NS_PER_S as f64;
    format!("{} copied, {seconds:.0} s, {}", size(bytes), rate(bytes, ns))
}

/// `419430400 bytes (419 MB, 400 MiB)`.
fn size(bytes: u64) -> String {
    match bytes {
        1 => "1 byte".to_string(),
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_024 => format!("{bytes} bytes ({})", scaled(bytes, 1_000, "")),
        _ => format!("{bytes} bytes ({}, {})", scaled(bytes, 1_000, ""), scaled(bytes, 1_024, "i")),
    }
}

/// In the largest unit of which there is at least one: two digits below ten, integers from ten on, rounded to nearest.
fn scaled(bytes: u64, base: u64, infix: &str) -> String {
    let (bytes, base) = (u128::from(bytes), u128::from(base));
    let (mut power, mut unit) = (0, 1);
    while unit * base <= bytes {
        (power, unit) = (power + 1, unit * base);
    }
    let tenths = nearest(bytes * 10, unit);
    let whole = nearest(bytes, unit);
    match (tenths, whole) {
        (..100, _) => format!("{}.{} {}", tenths / 10, tenths % 10, letters(power, infix, base)),
        (_, whole) if whole == base => format!("1.0 {}", letters(power + 1, infix, base)),
        (_, whole) => format!("{whole} {}", letters(power, infix, base)),
    }
}

/// `dividend / divisor`, rounded to nearest, ties to even.
fn nearest(dividend: u128, divisor: u128) -> u128 {
    let (quotient, rest) = (dividend / divisor, dividend % divisor);
    let is_up = rest * 2 > divisor || (rest * 2 == divisor && quotient % 2 == 1);
    quotient + u128::from(is_up)
}

/// `kB`, `KiB`, `MB`, ...
fn letters(power: usize, infix: &str, base: u128) -> String {
    let letter = match power {
        0 => "",
        1 if base == 1_000 => "k",
        _ => ["K", "M", "G", "T", "P", "E", "Z"][(power - 1).min(6)],
    };
    format!("{letter}{infix}B")
}

/// Bytes per second, at least in kB. Rates up to 99.9 keep a decimal.
fn rate(bytes: u64, ns: u64) -> String {
    if ns == 0 {
        return "Infinity B/s".to_string();
    }
    let per_s = bytes as f64 * NS_PER_S as f64 / ns as f64;
    let (mut power, mut unit) = (1, 1e3);
    while unit * 1e3 <= per_s && power < 7 {
        (power, unit) = (power + 1, unit * 1e3);
    }
    let fine = format!("{:.1}", per_s / unit);
    let number = if fine.len() <= 4 { fine } else { format!("{:.0}", per_s / unit) };
    format!("{number} {}/s", letters(power, "", 1_000))
}

/// A number as in C's `%g`: six significant digits without trailing zeros.
fn general(value: f64) -> String {
    if value == 0.0 {
        return "0".to_string();
    }
    let scientific = format!("{value:.5e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text.to_string(),
    };
    if (-4..6).contains(&exponent) {
        return trimmed(&format!("{value:.*}", (5 - exponent) as usize));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trimmed(digits), exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As printed by dd of coreutils 9.1.
    #[test]
    fn sizes_match_dd() {
        let cases = [
            (0, "0 bytes"),
            (1, "1 byte"),
            (999, "999 bytes"),
            (1_000, "1000 bytes (1.0 kB)"),
            (1_023, "1023 bytes (1.0 kB)"),
            (1_024, "1024 bytes (1.0 kB, 1.0 KiB)"),
            (1_050, "1050 bytes (1.0 kB, 1.0 KiB)"),
            (1_051, "1051 bytes (1.1 kB, 1.0 KiB)"),
            (9_949, "9949 bytes (9.9 kB, 9.7 KiB)"),
            (9_950, "9950 bytes (10 kB, 9.7 KiB)"),
            (10_239, "10239 bytes (10 kB, 10 KiB)"),
            (10_500, "10500 bytes (10 kB, 10 KiB)"),
            (10_501, "10501 bytes (11 kB, 10 KiB)"),
            (999_499, "999499 bytes (999 kB, 976 KiB)"),
            (999_500, "999500 bytes (1.0 MB, 976 KiB)"),
            (1_048_575, "1048575 bytes (1.0 MB, 1.0 MiB)"),
            (9_961_472, "9961472 bytes (10 MB, 9.5 MiB)"),
            (419_430_400, "419430400 bytes (419 MB, 400 MiB)"),
            (4_194_304_000, "4194304000 bytes (4.2 GB, 3.9 GiB)"),
        ];
        for (bytes, text) in cases {
            assert_eq!(size(bytes), text);
        }
    }

    #[test]
    fn lines_match_dd() {
        let cases = [
            (419_430_400, 391_305_000, "419430400 bytes (419 MB, 400 MiB) copied, 0.391305 s, 1.1 GB/s\n"),
            (419_430_400, 25_319_300_000, "419430400 bytes (419 MB, 400 MiB) copied, 25.3193 s, 16.6 MB/s\n"),
            (
                4_194_304_000,
                17_223_000_000,
                "4194304000 bytes (4.2 GB, 3.9 GiB) copied, 17.223 s, 244 MB/s\n",
            ),
            (1, 140_395, "1 byte copied, 0.000140395 s, 7.1 kB/s\n"),
            (1_000, 51_107, "1000 bytes (1.0 kB) copied, 5.1107e-05 s, 19.6 MB/s\n"),
            (0, 51_099, "0 bytes copied, 5.1099e-05 s, 0.0 kB/s\n"),
            (0, 0, "0 bytes copied, 0 s, Infinity B/s\n"),
        ];
        for (bytes, ns, line) in cases {
            assert_eq!(transfer(&Copied { whole: 0, partial: 0, bytes, ns }), line);
        }
        let copied = Copied { whole: 9, partial: 1, bytes: 10_000, ns: 1 };
        assert_eq!(records(&copied), "9+1 records in\n9+1 records out\n");
        assert_eq!(
            progress(1 << 30, 1_400_000_000),
            "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 1 s, 767 MB/s"
        );
    }

    #[test]
    fn numbers_have_six_digits() {
        let cases = [
            (1.0, "1"),
            (100_000.0, "100000"),
            (1_234_567.0, "1.23457e+06"),
            (0.0001, "0.0001"),
            (9.999_999_9, "10"),
        ];
        for (value, text) in cases {
            assert_eq!(general(value), text);
        }
    }
}
