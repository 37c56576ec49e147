//! Sizes and times as values of job options.

use cardiograph_core::{GIB, KIB, MIB, NS_PER_MS, NS_PER_S};

/// Bytes, rounded down to whole mebibytes.
pub(crate) fn whole_mib(bytes: u64) -> u64 {
    bytes - bytes % MIB
}

/// A share as a job option's value in percent, rounded to nine decimals to hide arithmetic errors.
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
}
