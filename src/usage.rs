//! Errors of the command line, in the user's language.

use std::error::Error as _;
use std::fmt::Write as _;

use cardiograph_catalogue::Language;
use cardiograph_core::{Message, message};
use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::help::localized_usage;
use crate::invalid::Invalid;

/// What is wrong with a command line, what may have been meant, and how the command is used. It ends with a line break.
pub fn shown(error: &Error, language: Language) -> String {
    let mut text = language.text(&message!("errors-cli-error", error = what(error, language)));
    for line in list(error) {
        let _ = write!(text, "\n  {line}");
    }
    if let Some(values) = values(error) {
        let _ = write!(text, "\n  {}", language.text(&values));
    }
    if let Some(tip) = tip(error) {
        let _ = write!(text, "\n\n  {}", language.text(&message!("errors-cli-tip", tip = tip)));
    }
    if let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) {
        let heading = language.text(&message!("manual-usage"));
        let _ = write!(text, "\n\n{heading}: {}", localized_usage(&usage.to_string(), language));
    }
    let _ = writeln!(text, "\n\n{}", language.text(&message!("errors-cli-more")));
    text
}

/// A part of an error that is one text.
fn part(error: &Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        _ => String::new(),
    }
}

/// A part of an error that may be several texts.
fn parts(error: &Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::Strings(texts)) => texts.clone(),
        Some(ContextValue::String(text)) => vec![text.clone()],
        _ => Vec::new(),
    }
}

fn what(error: &Error, language: Language) -> Message {
    let argument = part(error, ContextKind::InvalidArg);
    let value = part(error, ContextKind::InvalidValue);
    let command = part(error, ContextKind::InvalidSubcommand);
    match error.kind() {
        ErrorKind::UnknownArgument => message!("errors-cli-unknown-argument", argument = argument),
        ErrorKind::InvalidSubcommand => message!("errors-cli-unknown-command", command = command),
        ErrorKind::MissingRequiredArgument => message!("errors-cli-missing-arguments"),
        ErrorKind::InvalidValue if value.is_empty() => {
            message!("errors-cli-missing-value", argument = argument)
        }
        ErrorKind::InvalidValue => message!("errors-cli-invalid-value", argument = argument, value = value),
        ErrorKind::ValueValidation => {
            let why = match error.source().map(|source| (source, source.downcast_ref::<Invalid>())) {
                Some((_, Some(Invalid(message)))) => language.text(message),
                Some((other, None)) => other.to_string(),
                None => return message!("errors-cli-invalid-value", argument = argument, value = value),
            };
            message!("errors-cli-invalid-value-because", argument = argument, value = value, why = why)
        }
        ErrorKind::TooManyValues => {
            message!("errors-cli-too-many-values", argument = argument, value = value)
        }
        ErrorKind::ArgumentConflict => match parts(error, ContextKind::PriorArg).as_slice() {
            [other] if *other == argument => message!("errors-cli-repeated", argument = argument),
            [other] => message!("errors-cli-conflict", argument = argument, other = other),
            _ => message!("errors-cli-conflicts", argument = argument),
        },
        ErrorKind::InvalidUtf8 => message!("errors-cli-not-utf8"),
        _ => message!("errors-cli-other"),
    }
}

/// What stands below the error, one in a line.
fn list(error: &Error) -> Vec<String> {
    match error.kind() {
        ErrorKind::MissingRequiredArgument => parts(error, ContextKind::InvalidArg),
        ErrorKind::ArgumentConflict => {
            Some(parts(error, ContextKind::PriorArg)).filter(|others| others.len() > 1).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// What there is to choose from.
fn values(error: &Error) -> Option<Message> {
    let values = parts(error, ContextKind::ValidValue).join(", ");
    (!values.is_empty()).then(|| message!("errors-cli-possible-values", values = values))
}

/// What may have been meant.
fn tip(error: &Error) -> Option<Message> {
    let similar = |names: Vec<String>| {
        let names: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
        message!("errors-cli-tip-similar", names = names.join(", "))
    };
    let kinds = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    if let Some(names) = kinds.map(|kind| parts(error, kind)).into_iter().find(|names| !names.is_empty()) {
        return Some(similar(names));
    }
    // Sentences of clap's: "'check --resume' exists", "to pass '-x' as a value, use '-- -x'".
    let Some(ContextValue::StyledStrs(tips)) = error.get(ContextKind::Suggested) else { return None };
    let tip = tips.first()?.to_string();
    let words = tip.rsplit('\'').nth(1)?.to_string();
    match tip.ends_with(" exists") {
        true => Some(similar(vec![words])),
        false => Some(message!("errors-cli-tip-as-value", words = words)),
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_render::text::Style;

    use super::*;
    use crate::help::command_line;

    fn error(words: &str, language: Language) -> String {
        let words = std::iter::once("cardiograph").chain(words.split_whitespace());
        shown(&command_line(language, Style::default()).try_get_matches_from(words).unwrap_err(), language)
    }

    /// Command lines, and what is said of them first and in a tip.
    const CASES: [(&str, [&str; 2], [&str; 2]); 14] = [
        (
            "check --suit article",
            ["unexpected argument '--suit' found", "did you mean '--suite'?"],
            ["引数 '--suit' は使えません", "'--suite' ではありませんか?"],
        ),
        ("check a --zzz", ["unexpected argument '--zzz' found", "\n"], ["引数 '--zzz' は使えません", "\n"]),
        (
            "show --zzz",
            ["unexpected argument '--zzz' found", "to pass it as a value, write '-- --zzz'"],
            ["引数 '--zzz' は使えません", "値として渡すには '-- --zzz' と書いてください"],
        ),
        (
            "--resume check",
            ["unexpected argument '--resume' found", "did you mean 'check --resume'?"],
            ["引数 '--resume' は使えません", "'check --resume' ではありませんか?"],
        ),
        (
            "chek",
            ["unknown command 'chek'", "did you mean 'check'?"],
            ["'chek' というコマンドはありません", "'check' ではありませんか?"],
        ),
        (
            "job",
            ["required arguments are missing:\n  <NAME=VALUE>...", "Usage:"],
            ["必要な引数がありません:\n  <名前=値>...", "使い方:"],
        ),
        (
            "show x --fio",
            ["a value is required for '--fio <FORMAT>'", "[possible values: json, json+]"],
            ["'--fio <形式>' の値がありません", "[指定できる値: json, json+]"],
        ),
        (
            "plot x --svg - --kind bar",
            ["invalid value 'bar' for '--kind <KIND>'", "did you mean 'bars'?"],
            ["'--kind <種類>' に値 'bar' は指定できません", "'bars' ではありませんか?"],
        ),
        (
            "check --seed many",
            ["invalid value 'many' for '--seed <NUMBER>': must be a whole number", "\n"],
            ["'--seed <数値>' に値 'many' は指定できません: 0 以上", "\n"],
        ),
        (
            "check --dry-run=yes",
            ["unexpected value 'yes' for '--dry-run'", "\n"],
            ["'--dry-run' に余分な値 'yes' があります", "\n"],
        ),
        (
            "check --seed 1 --seed 2",
            ["the argument '--seed <NUMBER>' cannot be used multiple times", "\n"],
            ["引数 '--seed <数値>' は 1 回しか使えません", "\n"],
        ),
        (
            "check --no-keep --resume",
            ["the argument '--no-keep' cannot be used with '--resume'", "\n"],
            ["引数 '--no-keep' は '--resume' と同時に使えません", "\n"],
        ),
        (
            "check --resume --dry-run --no-keep",
            ["cannot be used with:\n  --dry-run\n  --no-keep", "\n"],
            ["次の引数と同時に使えません:\n  --dry-run\n  --no-keep", "\n"],
        ),
        (
            "suites --lang fr",
            ["invalid value 'fr' for '--lang <LANG>'", "en, ja"],
            ["'--lang <言語>' に値 'fr' は指定できません", "en"],
        ),
    ];

    #[test]
    fn errors_name_what_is_wrong_and_what_may_be_meant() {
        for (words, english, japanese) in CASES {
            for (language, parts) in [(Language::EN, english), (Language::JA, japanese)] {
                let shown = error(words, language);
                assert!(parts.iter().all(|part| shown.contains(part)), "{words}:\n{shown}");
            }
        }
        assert!(error("chek", Language::JA).contains("使い方: cardiograph [オプション] <コマンド>"));
        assert_eq!(
            error("check --suit article", Language::EN),
            "error: unexpected argument '--suit' found\n\n  tip: did you mean '--suite'?\n\n\
             Usage: cardiograph check --suite <NAME> [PATH|DEVICE]\n\n\
             For more information, try '--help'.\n"
        );
    }

    #[test]
    fn nothing_in_japanese_is_english() {
        for (words, ..) in CASES {
            let shown = error(words, Language::JA);
            for english in ["error", "tip", "Usage", "For more", "OPTIONS", "value", "argument"] {
                assert!(!shown.contains(english), "{words}: {english}:\n{shown}");
            }
        }
    }
}
