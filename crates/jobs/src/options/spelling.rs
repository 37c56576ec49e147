//! How fio reads the values of an option that are not spelled plainly.

use std::borrow::Cow;

use cardiograph_core::KIB;

use super::kind::OptionKind;
use super::row::OptionDef;
use crate::value::{parse_bytes, spelling, split_word};

/// Single values of which fio takes the last where several are written. Of others it takes the first.
const LAST_COUNTS: [&str; 2] = ["rwmixread", "rwmixwrite"];

/// The reasons for which spellings are read otherwise than by fio, each in a line: name, examples, what fio makes of them, what
/// is made of them here, and why, with tabs between.
pub const SPELLING_CLASSES: &str = include_str!("spelling_classes.tsv");

impl OptionDef {
    /// The value as the parsers of this crate read it, which says what fio makes of `text`: `10M` for `10M/s`. It is `text`
    /// itself where that is plain, and where nothing that can be meant comes of it.
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
            // A time on a clock is not cut to its hours.
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

    /// What stands behind the colon of a word is the option's own.
    fn with_arguments<'t>(&self, text: &'t str, words: &'static [&'static str]) -> Cow<'t, str> {
        let Ok((word, Some(arguments))) = split_word(text, words) else { return spelling::word(text, words) };
        let plain = match (self.name, word) {
            (_, "zoned" | "zoned_abs") => {
                spelling::by_comma(arguments, |zones| spelling::zones(zones, word == "zoned_abs"))
            }
            // fio looks for a word in front of the comma.
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

/// The limit of a steady state: a share, or a number that for bandwidths is a size.
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
