//! Distributions of offsets.

use cardiograph_core::direction::PerDirection;
use cardiograph_core::workload::{AccessZone, Distribution, ZoneLen};
use cardiograph_core::{Parameter, message};

use super::ValueError;
use super::list::parse_per_direction;
use super::number::{parse_decimal, percent};
use super::size::parse_bytes_in;

/// Maximum number of zones per direction.
pub const ACCESS_ZONES_MAX: usize = 256;

/// fio's defaults of Zipf's exponent and Pareto's share.
const THETA: f64 = 1.1;
const HOT: f64 = 0.2;

/// Zones for each direction; `None` if not set.
pub type AccessZones = PerDirection<Option<Vec<AccessZone>>>;

/// Parses the arguments of the distribution `word`: `1.2` or `1.2:0.5` after `zipf:`, with the center last.
///
/// # Errors
/// If a number is missing, invalid or out of range, or there are too many.
pub fn parse_distribution(word: &str, arguments: Option<&str>) -> Result<Distribution, ValueError> {
    let mut numbers = arguments.map(|text| text.split(':').map(str::trim)).into_iter().flatten();
    let first = numbers.next().map(parse_decimal).transpose()?;
    let center = numbers.next().map(parse_decimal).transpose()?;
    if center.is_some_and(|center| center > 1.0) {
        return Err(message!("jobs-value.center-outside").into());
    }
    if numbers.next().is_some() {
        return Err(ValueError::TooMany { max: 2 });
    }
    match word {
        "zipf" => Ok(Distribution::Zipf { theta: first.unwrap_or(THETA), center }),
        "pareto" => match first.unwrap_or(HOT) {
            hot if hot > 0.0 && hot < 1.0 => Ok(Distribution::Pareto { hot, center }),
            _ => Err(message!("jobs-value.pareto-outside").into()),
        },
        "normal" | "gauss" => match first {
            Some(deviation_percent) if deviation_percent > 0.0 && deviation_percent < 100.0 => {
                Ok(Distribution::Normal { deviation_percent, center })
            }
            Some(_) => Err(message!("jobs-value.deviation-outside").into()),
            None => Err(message!("jobs-value.deviation-missing").into()),
        },
        _ => Ok(Distribution::Uniform),
    }
}

/// Parses the arguments of `zoned` (`60/10:40/90`, both in percent) or `zoned_abs` (`60/1G:40/9G`): for each zone the
/// share of I/Os and the length. Those of writes and trims follow after commas, with or without a repeated word.
///
/// # Errors
/// If a zone lacks either, shares do not add up to 100, lengths exceed the whole, or there are too many zones.
pub fn parse_access_zones(
    word: &'static str,
    arguments: Option<&str>,
    kb_base: u64,
) -> Result<AccessZones, ValueError> {
    let zones = |text: &str| {
        let own = text.strip_prefix(word).and_then(|rest| rest.strip_prefix(':'));
        zones_of_one(own.unwrap_or(text), word == "zoned_abs", kb_base)
    };
    match arguments.map(str::trim) {
        None | Some("") => Err(message!("jobs-value.zone-incomplete").into()),
        Some(text) => parse_per_direction(text, zones),
    }
}

fn zones_of_one(text: &str, is_absolute: bool, kb_base: u64) -> Result<Vec<AccessZone>, ValueError> {
    let mut zones = Vec::new();
    for part in text.split(':') {
        let (share, len) = part.split_once('/').ok_or(message!("jobs-value.zone-incomplete"))?;
        if share.trim().is_empty() || len.trim().is_empty() {
            return Err(message!("jobs-value.zone-incomplete").into());
        }
        let len = match is_absolute {
            false => ZoneLen::Percent { percent: percent(len)? },
            true => ZoneLen::Bytes { len_bytes: parse_bytes_in(len, kb_base)? },
        };
        zones.push(AccessZone { percent: percent(share)?, len });
        if zones.len() > ACCESS_ZONES_MAX {
            return Err(ValueError::TooMany { max: ACCESS_ZONES_MAX as u64 });
        }
    }
    let sum: u32 = zones.iter().map(|zone| zone.percent).sum();
    if sum != 100 {
        return Err(shares_not_100(sum));
    }
    let lens = zones.iter().map(|zone| match zone.len {
        ZoneLen::Percent { percent } => percent,
        ZoneLen::Bytes { .. } => 0,
    });
    if lens.sum::<u32>() > 100 {
        return Err(message!("jobs-value.zones-above-100").into());
    }
    // A zone with I/Os needs a length.
    let is_empty = |zone: &AccessZone| zone.percent > 0 && zone.len.len_bytes(100) == 0;
    if zones.iter().any(is_empty) { Err(message!("jobs-value.zone-empty").into()) } else { Ok(zones) }
}

fn shares_not_100(sum: u32) -> ValueError {
    ValueError::Said(message!("jobs-value.shares-not-100", sum = Parameter::share(f64::from(sum) / 100.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions_are_parsed() {
        let zipf = |theta, center| Ok(Distribution::Zipf { theta, center });
        let pareto = |hot, center| Ok(Distribution::Pareto { hot, center });
        let normal = |deviation_percent, center| Ok(Distribution::Normal { deviation_percent, center });
        let cases = [
            ("zipf", None, zipf(1.1, None)),
            ("zipf", Some("0.8"), zipf(0.8, None)),
            ("zipf", Some("1"), zipf(1.0, None)),
            ("zipf", Some("1.2:0.25"), zipf(1.2, Some(0.25))),
            ("zipf", Some(""), Err(ValueError::Empty)),
            ("zipf", Some("x"), Err(ValueError::NotANumber)),
            ("zipf", Some("-1"), Err(ValueError::Negative)),
            ("zipf", Some("1.2:"), Err(ValueError::Empty)),
            ("zipf", Some("1.2:1.1"), Err(message!("jobs-value.center-outside").into())),
            ("zipf", Some("1.2:0:1"), Err(ValueError::TooMany { max: 2 })),
            ("pareto", None, pareto(0.2, None)),
            ("pareto", Some("0.9:1"), pareto(0.9, Some(1.0))),
            ("pareto", Some("0"), Err(message!("jobs-value.pareto-outside").into())),
            ("pareto", Some("1"), Err(message!("jobs-value.pareto-outside").into())),
            ("normal", Some("99.5"), normal(99.5, None)),
            ("gauss", Some("10:0"), normal(10.0, Some(0.0))),
            ("normal", None, Err(message!("jobs-value.deviation-missing").into())),
            ("normal", Some("0"), Err(message!("jobs-value.deviation-outside").into())),
            ("normal", Some("100"), Err(message!("jobs-value.deviation-outside").into())),
            ("random", None, Ok(Distribution::Uniform)),
        ];
        for (word, arguments, expected) in cases {
            assert_eq!(parse_distribution(word, arguments), expected, "{word} {arguments:?}");
        }
    }

    #[test]
    fn zones_have_shares_and_lengths() {
        let zone = |percent, len| AccessZone { percent, len: ZoneLen::Percent { percent: len } };
        let read = parse_access_zones("zoned", Some("60/10:40%/90%"), 1_024).unwrap();
        let both = Some(vec![zone(60, 10), zone(40, 90)]);
        assert_eq!((&read.read, &read.write, &read.trim), (&both, &both, &both));
        for text in ["100/50,0/10:100/20", "100/50,zoned:0/10:100/20"] {
            let zones = parse_access_zones("zoned", Some(text), 1_024).unwrap();
            assert_eq!(zones.read, Some(vec![zone(100, 50)]), "{text}");
            assert_eq!(zones.write, Some(vec![zone(0, 10), zone(100, 20)]), "{text}");
        }
        assert_eq!(parse_access_zones("zoned", Some(",100/5"), 1_024).unwrap().read, None);
        let absolute = parse_access_zones("zoned_abs", Some("100/4k"), 1_000).unwrap();
        let expected = AccessZone { percent: 100, len: ZoneLen::Bytes { len_bytes: 4_000 } };
        assert_eq!(absolute.write, Some(vec![expected]));
    }

    #[test]
    fn invalid_zones_are_refused() {
        let many = |n: usize| format!("100/1:{}", vec!["0/0"; n - 1].join(":"));
        assert!(parse_access_zones("zoned", Some(&many(256)), 1_024).is_ok());
        let cases = [
            (None, ValueError::Said(message!("jobs-value.zone-incomplete"))),
            (Some(""), ValueError::Said(message!("jobs-value.zone-incomplete"))),
            (Some("50"), ValueError::Said(message!("jobs-value.zone-incomplete"))),
            (Some("50/50:"), ValueError::Said(message!("jobs-value.zone-incomplete"))),
            (Some("50/50:/50"), ValueError::Said(message!("jobs-value.zone-incomplete"))),
            (Some("50/50:50/"), ValueError::Said(message!("jobs-value.zone-incomplete"))),
            (Some("50/10"), shares_not_100(50)),
            (Some("60/10:60/10"), shares_not_100(120)),
            (Some("50/50:50/60"), ValueError::Said(message!("jobs-value.zones-above-100"))),
            (Some("100/50,50/50:50/51"), ValueError::Said(message!("jobs-value.zones-above-100"))),
            (Some("50/0:50/100"), ValueError::Said(message!("jobs-value.zone-empty"))),
            (Some("101/10"), ValueError::OutOfRange { min: 0, max: 100 }),
            (Some("33.3/50:66.7/50"), ValueError::Said(message!("jobs-value.not-whole"))),
            (Some("50/1g:50/10"), ValueError::UnknownUnit("g".into())),
            (Some("x/10"), ValueError::NotANumber),
            (Some(&many(257)), ValueError::TooMany { max: 256 }),
        ];
        for (text, error) in cases {
            assert_eq!(parse_access_zones("zoned", text, 1_024), Err(error), "{text:?}");
        }
        let absolute = |text| parse_access_zones("zoned_abs", Some(text), 1_024);
        assert_eq!(absolute("50/0:50/1m"), Err(message!("jobs-value.zone-empty").into()));
        assert_eq!(absolute("50/1m"), Err(shares_not_100(50)));
        assert_eq!(absolute("50/1m:50/10%"), Err(ValueError::UnknownUnit("%".into())));
    }
}
