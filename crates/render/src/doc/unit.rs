//! Units that the figures of a column share.

use cardiograph_core::message::Real;
use cardiograph_core::table::CellUnit;
use cardiograph_core::{Parameter, units};
use serde::Serialize;

use crate::lang::Lang;

/// The unit of a column: its sign stands in the heading, and the cells are bare numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Bytes per second, in the units of the reader.
    BytesPerS,
    /// I/Os per second.
    Iops,
    /// The unit of a suite's table.
    Of(CellUnit),
}

impl Unit {
    /// Its sign; empty if it has none.
    pub const fn sign(self, lang: Lang) -> &'static str {
        match self {
            Self::BytesPerS | Self::Of(CellUnit::MegabytesPerSecond) => lang.units.table_unit().0,
            Self::Iops => "IOPS",
            Self::Of(unit) => unit.sign(),
        }
    }

    /// A figure in base units as a number in this unit.
    pub(super) fn number(self, figure: &Parameter, lang: Lang) -> String {
        let value = base(figure);
        match self {
            Self::BytesPerS | Self::Iops => units::number(value / self.scale(lang)),
            // A count, not a mean.
            Self::Of(CellUnit::Count) if value >= 0.0 && value.fract() == 0.0 => units::count(value as u64),
            Self::Of(CellUnit::BytesPerSecond) => lang.units.bandwidth(value),
            Self::Of(CellUnit::InBrackets) => format!("({})", thousands(value)),
            Self::Of(_) => number(value / self.scale(lang)),
        }
    }

    /// Its size in base units (bytes per second, nanoseconds, bytes, one).
    pub const fn scale(self, lang: Lang) -> f64 {
        match self {
            Self::BytesPerS | Self::Of(CellUnit::MegabytesPerSecond) => lang.units.table_unit().1,
            Self::Iops => 1.0,
            Self::Of(unit) => unit.scale(),
        }
    }
}

/// A quantity in its base unit; NaN for other parameters.
const fn base(figure: &Parameter) -> f64 {
    match figure {
        Parameter::Number(Real(value))
        | Parameter::Share(Real(value))
        | Parameter::Times(Real(value))
        | Parameter::BytesPerS(Real(value))
        | Parameter::Iops(Real(value))
        | Parameter::LatencyNs(Real(value)) => *value,
        Parameter::Count(value)
        | Parameter::Bytes(value)
        | Parameter::CapacityBytes(value)
        | Parameter::BlockBytes(value)
        | Parameter::BitsPerS(value)
        | Parameter::DurationNs(value) => *value as f64,
        Parameter::Name(_)
        | Parameter::OsError(_)
        | Parameter::Message(_)
        | Parameter::All(_)
        | Parameter::Sentences(_) => f64::NAN,
    }
}

/// A number, in thousands from 1,000 on: `37.6k`.
fn thousands(value: f64) -> String {
    match value {
        // Values that would round to 1,000.
        999.5.. => format!("{:.1}k", value / 1e3),
        _ => number(value),
    }
}

/// A number with at least three significant digits, and no decimals from a hundred on.
fn number(value: f64) -> String {
    match value.abs() {
        unknown if !unknown.is_finite() => units::NO_FIGURE.to_string(),
        100.0.. => units::count(value.round() as u64),
        10.0.. => format!("{value:.1}"),
        0.095.. => format!("{value:.2}"),
        0.0 => "0".to_string(),
        // Two significant digits, however small it is.
        small => {
            let decimals = (3..=9).find(|&decimals| small * 10f64.powi(decimals) >= 9.5).unwrap_or(9);
            format!("{value:.*}", decimals as usize)
        }
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::units::BandwidthUnits;

    use super::*;

    #[test]
    fn tiny_figures_have_significant_digits() {
        for (value, text) in [
            (0.0, "0"),
            (0.004_71, "0.0047"),
            (0.000_123, "0.00012"),
            (0.0949, "0.095"),
            (0.36, "0.36"),
            (5.43, "5.43"),
            (15.04, "15.0"),
            (1e-12, "0.000000000"),
            (f64::NAN, "-"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn columns_of_bandwidth_have_the_readers_units() {
        let binary = Lang::EN.with_units(BandwidthUnits::Binary);
        for unit in [Unit::BytesPerS, Unit::Of(CellUnit::MegabytesPerSecond)] {
            let shown = |lang| {
                format!("{} {}", unit.number(&Parameter::bytes_per_s(32_820_000.0), lang), unit.sign(lang))
            };
            assert_eq!((shown(Lang::EN), shown(binary)), ("32.8 MB/s".to_string(), "31.3 MiB/s".to_string()));
        }
        // KiB/s in a published table stay as they are.
        assert_eq!(Unit::Of(CellUnit::KibibytesPerSecond).sign(binary), "KiB/s");
    }

    #[test]
    fn figures_are_shown_in_their_unit() {
        let speed = |value| Parameter::bytes_per_s(value);
        for (unit, figure, text) in [
            (Unit::BytesPerS, speed(32_820_000.0), "32.8"),
            (Unit::BytesPerS, speed(680_000.0), "0.680"),
            (Unit::Iops, Parameter::iops(3_786.0), "3,786"),
            (Unit::Iops, Parameter::iops(90.0), "90.0"),
            (Unit::Of(CellUnit::KibibytesPerSecond), speed(255_500_288.0), "249,512"),
            (Unit::Of(CellUnit::Milliseconds), Parameter::latency_ns(4.1e6), "4.10"),
            (Unit::Of(CellUnit::Count), Parameter::number(4.0), "4"),
            (Unit::Of(CellUnit::BytesPerSecond), speed(4_730.0), "4.73 kB/s"),
            (Unit::Of(CellUnit::BytesPerSecond), speed(1_750_000_000.0), "1.75 GB/s"),
            (Unit::Of(CellUnit::InBrackets), Parameter::number(1.155), "(1.16)"),
            (Unit::Of(CellUnit::InBrackets), Parameter::number(37_612.0), "(37.6k)"),
            (Unit::Of(CellUnit::InBrackets), Parameter::number(999.5), "(1.0k)"),
        ] {
            assert_eq!(unit.number(&figure, Lang::EN), text);
        }
    }
}
