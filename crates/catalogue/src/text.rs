//! Messages and values as text.

use cardiograph_core::message::{Message, Parameter, Real, VERBATIM};
use cardiograph_core::{message, text, units};
use fluent_bundle::{FluentArgs, FluentValue};

use crate::{Language, os_errors};

impl Language {
    /// A message in this language; if unknown to this program, its stored English; without that, its id.
    pub fn text(self, message: &Message) -> String {
        let of_outside = || message.stored_text().map_or_else(|| name(&message.to_string()), name);
        self.known_text(message).unwrap_or_else(of_outside)
    }

    /// Sentences, joined as in this language.
    pub fn sentences<'a>(self, messages: impl IntoIterator<Item = &'a Message>) -> String {
        let joined = |head, tail| self.text(&message!("list-sentences", head, tail));
        messages.into_iter().map(|message| self.text(message)).reduce(joined).unwrap_or_default()
    }

    /// Phrases, joined as in this language.
    pub fn phrases<'a>(self, messages: impl IntoIterator<Item = &'a Message>) -> String {
        let joined = |head, tail| self.text(&message!("list-more", head, tail));
        messages.into_iter().map(|message| self.text(message)).reduce(joined).unwrap_or_default()
    }

    /// A value, formatted for this language.
    pub fn value(self, parameter: &Parameter) -> String {
        shown(parameter, self)
    }

    /// A message, if the catalogue has it with its parameters.
    fn known_text(self, message: &Message) -> Option<String> {
        if message.id() == VERBATIM {
            return message.as_verbatim().map(name);
        }
        let mut arguments = FluentArgs::new();
        for (name, parameter) in message.parameters() {
            let mut value = value(parameter, self);
            if let (FluentValue::String(low), Some(high)) = (&value, high_end(message, name)) {
                let high = shown(high, self);
                value = FluentValue::from(units::range_start(low, &high).to_string());
            }
            arguments.set(name.to_string(), value);
        }
        self.formatted(message.id(), &arguments)
    }
}

/// The high end of the range whose low end is a parameter: `low` and `high`, `other_low` and `other_high`.
fn high_end<'a>(message: &'a Message, name: &str) -> Option<&'a Parameter> {
    let high = format!("{}high", name.strip_suffix("low")?);
    message.parameters().find_map(|(name, parameter)| (*name == high).then_some(parameter))
}

/// A parameter for Fluent: a count is a number, so that plural forms can depend on it.
fn value(parameter: &Parameter, language: Language) -> FluentValue<'static> {
    match parameter {
        Parameter::Count(count) => FluentValue::from(*count as f64),
        other => FluentValue::from(shown(other, language)),
    }
}

/// Text from outside, without terminal control characters.
fn name(name: &str) -> String {
    text::plain_line(name)
}

/// A parameter as text.
fn shown(parameter: &Parameter, language: Language) -> String {
    let rounded = |figure: String| units::without_zeros(&figure);
    match parameter {
        Parameter::Count(count) => units::count(*count),
        Parameter::Number(Real(number)) => rounded(units::number(*number)),
        Parameter::Share(Real(share)) => rounded(units::percent(*share)),
        Parameter::Times(Real(factor)) => language.text(&message!("times", factor = times(*factor))),
        Parameter::Bytes(bytes) => units::bytes(*bytes),
        Parameter::CapacityBytes(bytes) => units::bytes_si(*bytes),
        Parameter::BlockBytes(bytes) => units::block(*bytes),
        Parameter::BytesPerS(Real(rate)) => rounded(language.units.bandwidth(*rate)),
        Parameter::BitsPerS(rate) => units::bit_rate(*rate),
        Parameter::Iops(Real(rate)) => units::iops(*rate),
        Parameter::DurationNs(ns) => rounded(units::duration(*ns)),
        Parameter::LatencyNs(Real(ns)) => units::duration_f64(*ns),
        Parameter::Name(text) => name(text),
        Parameter::OsError(errno) => language.text(&os_errors::message(*errno)),
        Parameter::Message(message) => language.text(message),
        Parameter::All(parts) => listed(parts, language),
        Parameter::Sentences(sentences) => language.sentences(sentences),
    }
}

/// A factor with customary digits: `1/14`, `0.71`, `1.04`, `3.1`, `17`, `1,200`.
fn times(factor: f64) -> String {
    match factor {
        _ if !(factor.is_finite() && factor > 0.0) => units::number(factor),
        // Small decimals have more zeros than digits.
        ..0.1 => format!("1/{}", times(1.0 / factor)),
        // Factors such as 0.71 and 1.08 need two decimals.
        ..1.1 => format!("{factor:.2}"),
        ..9.95 => format!("{factor:.1}"),
        _ => units::count(factor.round() as u64),
    }
}

/// Joins items by halves: one by one would copy a list of a store's million checkups a million times.
fn in_halves(items: &[String], join: &impl Fn(String, String) -> String) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        _ => {
            let (head, tail) = items.split_at(items.len() / 2);
            join(in_halves(head, join), in_halves(tail, join))
        }
    }
}

/// `a`, `a and b`, `a, b and c` in the language's form; `a, try 1; a, try 2; and b` if items have commas.
fn listed(parts: &[Parameter], language: Language) -> String {
    let items: Vec<String> = parts.iter().map(|part| shown(part, language)).collect();
    let has_commas = items.len() > 2 && items.iter().any(|item| item.contains(", ") || item.contains('、'));
    let more = |head: String, tail: String| match has_commas {
        true => language.text(&message!("list-more.with-commas", head, tail)),
        false => language.text(&message!("list-more", head, tail)),
    };
    let Some((last, items)) = items.split_last() else { return String::new() };
    if items.is_empty() {
        return last.clone();
    }
    let head = in_halves(items, &more);
    language.text(&match has_commas {
        true => message!("list-last.with-commas", head, tail = last),
        false => message!("list-last", head, tail = last),
    })
}
