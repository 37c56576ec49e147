//! Values of options and arguments.

use std::fmt;
use std::str::FromStr;

use cardiograph_catalogue::Language;
use cardiograph_core::units::BandwidthUnits;
use cardiograph_core::{NS_PER_S, message};
use cardiograph_import::table::Map;
use cardiograph_jobs::value::{ValueError, parse_duration_ns, parse_share};
use cardiograph_judge::compare::price::{PRICE_TAG, Price};
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::invalid::Invalid;

/// The time of the oldest checkup to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    /// In milliseconds since 1970-01-01 UTC.
    Moment(u64),
    /// In milliseconds before now.
    Ago(u64),
}

/// When text is coloured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Coloring {
    /// In a terminal, unless the environment says otherwise.
    #[default]
    Auto,
    Always,
    Never,
}

impl Coloring {
    /// Whether text is coloured on a terminal (`is_terminal`) or in a pipe. In `Auto`, `CLICOLOR_FORCE` and `NO_COLOR` come
    /// before what the output is (bixense.com/clicolors, no-color.org).
    pub fn is_on(self, is_terminal: bool, variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> bool {
        let is_set = |name| variable(name).is_some_and(|value| !value.is_empty() && value != "0");
        let is = |name, word| variable(name).is_some_and(|value| value == word);
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto if variable("NO_COLOR").is_some_and(|value| !value.is_empty()) => false,
            Self::Auto => {
                is_set("CLICOLOR_FORCE") || is_terminal && !is("TERM", "dumb") && !is("CLICOLOR", "0")
            }
        }
    }
}

pub(super) fn parse_color(text: &str) -> Result<Coloring, Invalid> {
    match text {
        "auto" => Ok(Coloring::Auto),
        "always" => Ok(Coloring::Always),
        "never" => Ok(Coloring::Never),
        _ => Err(message!("errors-value-color").into()),
    }
}

pub(super) fn languages() -> impl TypedValueParser<Value = Language> {
    PossibleValuesParser::new(Language::ALL.map(Language::code)).try_map(|code| code.parse::<Language>())
}

pub(super) fn parse_units(text: &str) -> Result<BandwidthUnits, Invalid> {
    match text {
        "decimal" => Ok(BandwidthUnits::Decimal),
        "binary" => Ok(BandwidthUnits::Binary),
        _ => Err(message!("errors-value-units").into()),
    }
}

/// A parser of whole numbers from `low` to `high`.
pub(super) fn whole_number<T>(low: T, high: Option<T>) -> impl Fn(&str) -> Result<T, Invalid> + Clone
where
    T: FromStr + PartialOrd + fmt::Display + Clone,
{
    move |text| {
        let is_in_range = |number: &T| *number >= low && high.as_ref().is_none_or(|high| number <= high);
        let number = text.parse().ok().filter(is_in_range);
        number.ok_or_else(|| {
            let low = low.to_string();
            let message = match &high {
                Some(high) => message!("errors-value-number", low, high = high.to_string()),
                None => message!("errors-value-number-from", low),
            };
            message.into()
        })
    }
}

/// Parses a percentage into a share of 1.
pub(super) fn parse_precision(text: &str) -> Result<f64, Invalid> {
    parse_share(text).map_err(|_| message!("errors-value-precision").into())
}

pub(super) fn parse_setting(text: &str) -> Result<(String, String), Invalid> {
    let parts = text.split_once('=').filter(|(name, _)| !name.trim().is_empty());
    let (name, value) = parts.ok_or(Invalid(message!("errors-value-setting")))?;
    Ok((name.to_string(), value.to_string()))
}

/// Parses a label.
pub(super) fn parse_label(text: &str) -> Result<String, Invalid> {
    let label = text.trim();
    if label.is_empty() { Err(message!("errors-value-label").into()) } else { Ok(label.to_string()) }
}

/// Parses a tag. An invalid price is refused here: figures per price would be missing later.
pub(super) fn parse_tag(text: &str) -> Result<(String, String), Invalid> {
    let (name, value) = parse_setting(text)?;
    if name == PRICE_TAG && Price::parse(&value).is_none() {
        return Err(message!("errors-value-price").into());
    }
    Ok((name, value))
}

/// Parses a tag, or `NAME=` for none.
pub(super) fn parse_tag_change(text: &str) -> Result<(String, String), Invalid> {
    if text.ends_with('=') { parse_setting(text) } else { parse_tag(text) }
}

/// Parses a time greater than 0, in nanoseconds.
pub(super) fn parse_time(text: &str) -> Result<u64, Invalid> {
    match parse_duration_ns(text, NS_PER_S) {
        Ok(ns) if ns > 0 => Ok(ns),
        Err(ValueError::UnknownUnit(unit)) => Err(message!("errors-value-time-unit", unit).into()),
        _ => Err(message!("errors-value-time").into()),
    }
}

/// Parses a capacity, in bytes.
pub(super) fn parse_capacity(text: &str) -> Result<u64, Invalid> {
    cardiograph_import::parse_capacity(text).map_err(|_| message!("errors-value-size").into())
}

pub(super) fn parse_map(text: &str) -> Result<Map, Invalid> {
    text.parse().map_err(Invalid)
}

/// Parses a day in UTC, as in Reports, or a time before now. Months and years are not units: their lengths vary.
pub(super) fn parse_since(text: &str) -> Result<Since, Invalid> {
    const MS_PER_DAY: u64 = 24 * 3_600 * 1_000;
    let invalid = || Invalid(message!("errors-value-since"));
    if text.contains(['-', '/']) {
        let day = time::macros::format_description!("[year]-[month]-[day]");
        let invalid = || Invalid(message!("errors-value-date"));
        let date = time::Date::parse(text, day).map_err(|_| invalid())?;
        let seconds = date.midnight().assume_utc().unix_timestamp();
        return u64::try_from(seconds * 1_000).map(Since::Moment).map_err(|_| invalid());
    }
    // More days than fit into a time in nanoseconds.
    if let Some(days) = text.strip_suffix('d').and_then(|days| days.parse::<u64>().ok()) {
        return days.checked_mul(MS_PER_DAY).map(Since::Ago).ok_or_else(invalid);
    }
    let ns = parse_duration_ns(text, NS_PER_S).map_err(|_| invalid())?;
    Ok(Since::Ago(ns / 1_000_000))
}

/// Parses a time greater than 0, such as `90d`, in milliseconds.
pub(super) fn parse_age(text: &str) -> Result<u64, Invalid> {
    match parse_since(text) {
        Ok(Since::Ago(ms)) if ms > 0 => Ok(ms),
        _ => Err(message!("errors-value-age").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(parse_time("30"), Ok(30_000_000_000));
        assert_eq!(parse_time("2m"), Ok(120_000_000_000));
        assert_eq!(parse_time("0"), Err(message!("errors-value-time").into()));
        assert_eq!(parse_time("5x"), Err(message!("errors-value-time-unit", unit = "x").into()));
    }

    #[test]
    fn ages() {
        assert_eq!(parse_age("90d"), Ok(90 * 86_400_000));
        assert_eq!(parse_age("12h"), Ok(12 * 3_600_000));
        for text in ["0d", "2026-01-01", "long", ""] {
            assert_eq!(parse_age(text), Err(message!("errors-value-age").into()), "{text}");
        }
    }

    #[test]
    fn colors() {
        for (when, is_terminal, variables, expected) in [
            (Coloring::Auto, true, &[][..], true),
            (Coloring::Auto, false, &[], false),
            (Coloring::Auto, true, &[("TERM", "dumb")], false),
            (Coloring::Auto, true, &[("CLICOLOR", "0")], false),
            (Coloring::Auto, true, &[("NO_COLOR", "1")], false),
            (Coloring::Auto, true, &[("NO_COLOR", "")], true),
            (Coloring::Auto, false, &[("CLICOLOR_FORCE", "1")], true),
            (Coloring::Auto, false, &[("CLICOLOR_FORCE", "0")], false),
            (Coloring::Auto, false, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
            (Coloring::Always, false, &[("NO_COLOR", "1")], true),
            (Coloring::Never, true, &[("CLICOLOR_FORCE", "1")], false),
        ] {
            let variable = |name: &str| {
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
            };
            assert_eq!(when.is_on(is_terminal, variable), expected, "{when:?} {is_terminal} {variables:?}");
        }
    }

    #[test]
    fn precisions() {
        assert_eq!(parse_precision("2%"), Ok(0.02));
        assert_eq!(parse_precision("0.5"), Ok(0.005));
        for text in ["0", "two"] {
            assert_eq!(parse_precision(text), Err(message!("errors-value-precision").into()));
        }
    }

    #[test]
    fn whole_numbers() {
        let parse = whole_number(1, Some(20_u32));
        assert_eq!((parse("1"), parse("20")), (Ok(1), Ok(20)));
        for text in ["0", "21", "-1", "1.5", "many", ""] {
            let problem = message!("errors-value-number", low = "1", high = "20");
            assert_eq!(parse(text), Err(problem.into()), "{text}");
        }
        let parse = whole_number(1_u64, None);
        assert_eq!(parse("21"), Ok(21));
        assert_eq!(parse("0"), Err(message!("errors-value-number-from", low = "1").into()));
    }
}
