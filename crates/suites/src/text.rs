//! Sizes and times in sentences.

use cardiograph_core::{GIB, KIB, MIB, NS_PER_MS, NS_PER_S};

/// Bytes without what exceeds a whole mebibyte.
pub(crate) fn whole_mib(bytes: u64) -> u64 {
    bytes - bytes % MIB
}

/// Bytes in the largest binary unit that leaves a number of at least one.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        GIB.. => format!("{:.1} GiB", bytes as f64 / GIB as f64),
        MIB.. => format!("{} MiB", bytes / MIB),
        KIB.. => format!("{} KiB", bytes / KIB),
        _ => format!("{bytes} B"),
    }
}

/// What a drive holds, in the decimal units that it is sold in.
pub(crate) fn capacity(bytes: u64) -> String {
    match bytes {
        999_500_000_000.. => format!("{:.1} TB", bytes as f64 / 1e12),
        9_950_000_000.. => format!("{:.0} GB", bytes as f64 / 1e9),
        1_000_000_000.. => format!("{:.1} GB", bytes as f64 / 1e9),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}

/// A share as a job option's value, without what arithmetic adds behind the ninth decimal of its percents.
pub(crate) fn option_percent(share: f64) -> String {
    let digits = format!("{:.9}", share * 100.0);
    format!("{}%", digits.trim_end_matches('0').trim_end_matches('.'))
}

/// A size as a job option's value: exact, in the largest unit that divides it.
pub(crate) fn option_bytes(bytes: u64) -> String {
    let units = [(GIB, "G"), (MIB, "M"), (KIB, "k")];
    let unit = units.into_iter().find(|&(unit, _)| bytes > 0 && bytes.is_multiple_of(unit));
    unit.map_or_else(|| bytes.to_string(), |(unit, letter)| format!("{}{letter}", bytes / unit))
}

/// A time as a job option's value: whole seconds bare, everything else in milliseconds.
pub(crate) fn option_time(ns: u64) -> String {
    if ns.is_multiple_of(NS_PER_S) { (ns / NS_PER_S).to_string() } else { format!("{}ms", ns / NS_PER_MS) }
}

#[cfg(test)]
mod tests {
    use cardiograph_jobs::value::{parse_bytes, parse_duration_ns, parse_share};

    use super::*;

    #[test]
    fn option_values_are_read_back_exactly() {
        for bytes in [1, 4_096, 5 * MIB, 152 * MIB, GIB, 3 * GIB, GIB + MIB, 12_345] {
            assert_eq!(parse_bytes(&option_bytes(bytes)), Ok(bytes));
        }
        for ns in [NS_PER_S, 8 * NS_PER_S, 1_250 * NS_PER_MS, 20_001 * NS_PER_MS] {
            assert_eq!(parse_duration_ns(&option_time(ns), NS_PER_S), Ok(ns));
        }
    }

    #[test]
    fn shares_are_read_back() {
        for text in ["2%", "0.5%", "7%", "33%", "100%", "0.0625%", "0.000001%"] {
            assert_eq!(option_percent(parse_share(text).unwrap()), text);
        }
    }

    #[test]
    fn people_read_short_numbers() {
        assert_eq!(size(610 * MIB + 5), "610 MiB");
        assert_eq!(size(3 * GIB / 2), "1.5 GiB");
        assert_eq!((size(8 * KIB), size(512)), ("8 KiB".to_string(), "512 B".to_string()));
        assert_eq!(capacity(63_864_569_856), "64 GB");
        assert_eq!(capacity(4_000_000_000), "4.0 GB");
        assert_eq!((capacity(9_900_000_000), capacity(9_990_000_000)), ("9.9 GB".into(), "10 GB".into()));
        assert_eq!(capacity(999_999_000_000), "1.0 TB");
        assert_eq!(capacity(2_000_000_000_000), "2.0 TB");
        assert_eq!(capacity(300_000_000), "300 MB");
    }
}
