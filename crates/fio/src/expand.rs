//! Expansion in job files: `${VARIABLE}`, `$ncpus` and similar keywords, arithmetic.

use std::borrow::Cow;

use cardiograph_core::Message;
use cardiograph_jobs::options::OptionKind;

use super::arithmetic::{Units, evaluate};
use super::invocation::{Loader, MachineFacts};

/// A line with its variables replaced.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    pub(crate) text: Cow<'a, str>,
    /// Unset or empty variables.
    pub(crate) unset: Vec<String>,
}

/// Why a line cannot be expanded.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum LineError<'a> {
    /// `${` without `}`; `rest` begins there.
    Unclosed { rest: &'a str },
    /// Longer than allowed.
    TooLong,
}

/// Replaces each `${NAME}` by the variable's value, which is not expanded again. An unset variable is empty.
pub(crate) fn variables<'a>(
    line: &'a str,
    loader: &dyn Loader,
    max_len_bytes: usize,
) -> Result<Line<'a>, LineError<'a>> {
    if !line.contains("${") {
        return Ok(Line { text: Cow::Borrowed(line), unset: Vec::new() });
    }
    let (mut text, mut unset, mut rest) = (String::new(), Vec::new(), line);
    while let Some(start) = rest.find("${") {
        let behind = &rest[start + 2..];
        let end = behind.find('}').ok_or(LineError::Unclosed { rest: &rest[start..] })?;
        text.push_str(&rest[..start]);
        match loader.variable(&behind[..end]).filter(|value| !value.is_empty()) {
            Some(value) => text.push_str(&value),
            None => unset.push(behind[..end].to_string()),
        }
        if text.len() > max_len_bytes {
            return Err(LineError::TooLong);
        }
        rest = &behind[end + 1..];
    }
    text.push_str(rest);
    if text.len() > max_len_bytes {
        Err(LineError::TooLong)
    } else {
        Ok(Line { text: Cow::Owned(text), unset })
    }
}

/// Replaces `$pagesize`, `$mb_memory` and `$ncpus`; `None` if there are none.
pub(crate) fn keywords(value: &str, machine: impl FnOnce() -> MachineFacts) -> Option<String> {
    const KEYWORDS: [&str; 3] = ["$pagesize", "$mb_memory", "$ncpus"];
    if !value.contains('$') || !KEYWORDS.iter().any(|keyword| value.contains(keyword)) {
        return None;
    }
    let machine = machine();
    let figures = [machine.page_len_bytes, machine.memory_mib, machine.cpus];
    let replaced = KEYWORDS
        .iter()
        .zip(figures)
        .fold(value.to_string(), |value, (keyword, figure)| value.replace(keyword, &figure.to_string()));
    Some(replaced)
}

/// Evaluates the arithmetic in a value: parts that begin with a parenthesis and, if a keyword was replaced, any part
/// with an operator. Parts are separated by commas, and in ranges by dashes.
///
/// `None` if there is no arithmetic or the option's value is not a number.
///
/// # Errors
/// The part that has no value, and why.
pub(crate) fn arithmetic(
    value: &str,
    kind: OptionKind,
    had_keyword: bool,
) -> Result<Option<String>, (String, Message)> {
    if !had_keyword && !value.contains('(') {
        return Ok(None);
    }
    let Some((units, separators)) = calculable(kind) else { return Ok(None) };
    let mut calculated = String::new();
    let mut is_changed = false;
    for (part, separator) in parts(value, separators) {
        let (number, percent) = split_percent(part);
        if number.trim_start().starts_with('(') || had_keyword && number.contains(OPERATORS) {
            let result = evaluate(number, units).map_err(|error| (part.to_string(), error))?;
            calculated.push_str(&result);
            calculated.push_str(percent);
            is_changed = true;
        } else {
            calculated.push_str(part);
        }
        calculated.extend(separator);
    }
    Ok(is_changed.then_some(calculated))
}

const OPERATORS: [char; 7] = ['+', '-', '*', '/', '^', '%', '('];

/// The units of an option's numbers and the separators of its parts; `None` if it takes no arithmetic.
fn calculable(kind: OptionKind) -> Option<(Units, &'static [char])> {
    match kind {
        OptionKind::Count { .. }
        | OptionKind::CountPerDirection { .. }
        | OptionKind::SignedCount { .. }
        | OptionKind::Bytes
        | OptionKind::BytesOrPercent
        | OptionKind::BytesPerDirection
        | OptionKind::Switch
        | OptionKind::Flag => Some((Units::Size, &[','])),
        OptionKind::BytesRange | OptionKind::BytesRangePerDirection | OptionKind::CpuList => {
            Some((Units::Size, &[',', '-', ':']))
        }
        OptionKind::Split => Some((Units::Size, &[',', ':', '/'])),
        OptionKind::Duration { .. } | OptionKind::DurationPerDirection { .. } => Some((Units::Time, &[','])),
        OptionKind::DurationRange { .. } => Some((Units::Time, &[',', '-'])),
        OptionKind::Text
        | OptionKind::OptionalText
        | OptionKind::List
        | OptionKind::Word(_)
        | OptionKind::WordWithArguments(_)
        | OptionKind::Float { .. }
        | OptionKind::Floats
        | OptionKind::Share
        | OptionKind::Percentiles
        | OptionKind::Errors
        | OptionKind::NodeList => None,
    }
}

/// Splits off a trailing percent sign, which is a unit; between two numbers it is an operator.
fn split_percent(part: &str) -> (&str, &str) {
    match part.trim_end().strip_suffix('%') {
        Some(number) => (number, "%"),
        None => (part, ""),
    }
}

/// Splits at separators outside parentheses; each part comes with the separator after it.
fn parts<'a>(value: &'a str, separators: &'static [char]) -> impl Iterator<Item = (&'a str, Option<char>)> {
    let mut rest = Some(value);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut depth = 0i64;
        for (at, c) in text.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                c if depth == 0 && at > 0 && separators.contains(&c) => {
                    rest = Some(&text[at + c.len_utf8()..]);
                    return Some((&text[..at], Some(c)));
                }
                _ => {}
            }
        }
        rest = None;
        Some((text, None))
    })
}
