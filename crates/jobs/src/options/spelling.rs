//! Normalises values that fio accepts although they are malformed.

use std::borrow::Cow;

use cardiograph_core::KIB;

use super::kind::OptionKind;
use super::row::OptionDef;
use crate::value::{parse_bytes, spelling, split_word};

/// Options for which fio uses the last of several values. For others it uses the first.
const LAST_COUNTS: [&str; 2] = ["rwmixread", "rwmixwrite"];

/// Classes of spellings that are parsed differently from fio, one per line: name, examples, fio's value, our value, and
/// the reason, separated by tabs.
pub const SPELLING_CLASSES: &str = include_str!("spelling_classes.tsv");

impl OptionDef {
    /// The value in the form that the parsers of this crate accept, with fio's meaning of `text`: `10M` for `10M/s`.
    /// `text` itself if it is well-formed or meaningless.
    pub fn plain<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let has_arguments = matches!(self.kind, OptionKind::WordWithArguments(_));
        if !has_arguments && self.kind.check(text, KIB).is_ok() {
            return text.into();
        }
        let plain = self.respelled(text);
        if plain != text && self.kind.check(&plain, KIB).is_ok() {
            Cow::Owned(plain.into_owned())
        } else {
            text.into()
        }
    }

    fn respelled<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let number = |max: u64| if max == 100 { spelling::percent } else { spelling::size };
        let last_counts = LAST_COUNTS.contains(&self.name);
        match self.kind {
            OptionKind::Count { max, .. } => spelling::single(text, last_counts, number(max)),
            OptionKind::CountPerDirection { max, .. } => spelling::per_direction(text, number(max)),
            OptionKind::SignedCount { .. } => spelling::single(text, false, spelling::signed),
            OptionKind::Float { .. } => spelling::decimal(text),
            OptionKind::Floats => spelling::decimals(text),
            OptionKind::Bytes => spelling::single(text, false, spelling::size),
            OptionKind::BytesOrPercent => spelling::single(text, true, spelling::amount),
            OptionKind::BytesRange => spelling::range(text, spelling::size),
            OptionKind::BytesPerDirection => spelling::per_direction(text, spelling::size),
            OptionKind::BytesRangePerDirection => spelling::by_comma(text, spelling::size_range),
            OptionKind::Split => spelling::by_comma(text, spelling::split),
            // A time of day is not truncated to its hours.
            OptionKind::Duration { .. } if text.contains(':') => text.into(),
            OptionKind::Duration { unit_ns } => {
                spelling::single(text, false, |part| spelling::time(part, unit_ns))
            }
            OptionKind::DurationRange { unit_ns } => {
                spelling::range(text, |part| spelling::time(part, unit_ns))
            }
            OptionKind::DurationPerDirection { unit_ns } => {
                spelling::per_direction(text, |part| spelling::time(part, unit_ns))
            }
            OptionKind::Switch => spelling::switch(text, false),
            OptionKind::Flag => spelling::switch(text, true),
            OptionKind::Percentiles => spelling::percentiles(text),
            OptionKind::CpuList => spelling::cpus(text),
            OptionKind::Errors => spelling::by_comma(text, spelling::errors),
            OptionKind::Word(words) => spelling::word(text, words),
            OptionKind::WordWithArguments(words) => self.with_arguments(text, words),
            OptionKind::Text
            | OptionKind::OptionalText
            | OptionKind::List
            | OptionKind::Share
            | OptionKind::NodeList => text.into(),
        }
    }

    /// Arguments after the colon of a word are parsed by the option.
    fn with_arguments<'t>(&self, text: &'t str, words: &'static [&'static str]) -> Cow<'t, str> {
        let Ok((word, Some(arguments))) = split_word(text, words) else { return spelling::word(text, words) };
        let plain = match (self.name, word) {
            (_, "zoned" | "zoned_abs") => {
                spelling::by_comma(arguments, |zones| spelling::zones(zones, word == "zoned_abs"))
            }
            // fio looks for a word before the comma.
            _ if arguments.contains(',') => return text.into(),
            ("steadystate", _) => limit(word, arguments),
            ("random_distribution", "random") => return Cow::Owned(word.to_string()),
            ("random_distribution" | "file_service_type", "zipf" | "pareto" | "normal" | "gauss") => {
                spelling::decimals(arguments)
            }
            ("rw" | "file_service_type", _) => match count(arguments) {
                Some(count) => count,
                None => return Cow::Owned(word.to_string()),
            },
            _ => return text.into(),
        };
        match plain {
            plain if plain == arguments => text.into(),
            plain => Cow::Owned(format!("{word}:{plain}")),
        }
    }
}

/// The limit of a steady state: a percentage, or a number that is a size for bandwidths.
fn limit<'t>(word: &str, text: &'t str) -> Cow<'t, str> {
    match text.split_once('%') {
        Some((number, _)) => Cow::Owned(format!("{}%", spelling::decimal(number))),
        None if word.starts_with("bw") && !text.contains('.') => {
            let bytes = parse_bytes(&spelling::size(text));
            bytes.map_or(text.into(), |bytes| Cow::Owned(bytes.to_string()))
        }
        None if word.starts_with("bw") => text.into(),
        None => spelling::decimal(text),
    }
}

/// The leading number. fio drops the rest.
fn count(text: &str) -> Option<Cow<'_, str>> {
    let text = text.split(':').next()?.trim();
    let (sign, number) = text.strip_prefix('-').map_or(("", text), |number| ("-", number));
    let is_number = number.trim_start_matches('+').starts_with(|c: char| c.is_ascii_digit());
    is_number.then(|| Cow::Owned(format!("{sign}{}", spelling::size(number))))
}

#[cfg(test)]
mod table;
