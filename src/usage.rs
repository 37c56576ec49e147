//! Errors of the command line, in the user's language.

use std::error::Error as _;
use std::fmt::Write as _;

use cardiograph_catalogue::Language;
use cardiograph_core::{Message, message};
use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cli::{RENAMED, elsewhere};
use crate::help::{joined_names, localized_usage};
use crate::invalid::Invalid;

/// An error with suggestions and the command's usage. It ends with a line break.
pub fn render(error: &Error, language: Language) -> String {
    let mut text = language.text(&message!("errors-cli-error", error = error_message(error, language)));
    for line in listed_arguments(error) {
        let _ = write!(text, "\n  {line}");
    }
    if let Some(values) = possible_values(error) {
        let _ = write!(text, "\n  {}", language.text(&values));
    }
    if let Some(tip) = tip(error) {
        let _ = write!(text, "\n\n  {}", language.text(&message!("errors-cli-tip", tip)));
    }
    if let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) {
        let heading = language.text(&message!("manual-usage"));
        let _ = write!(text, "\n\n{heading}: {}", localized_usage(&usage.to_string(), language));
    }
    let _ = writeln!(text, "\n\n{}", language.text(&message!("errors-cli-more")));
    text
}

/// The text of this kind in an error's context.
fn context_text(error: &Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        _ => String::new(),
    }
}

/// The texts of this kind in an error's context.
fn context_texts(error: &Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::Strings(texts)) => texts.clone(),
        Some(ContextValue::String(text)) => vec![text.clone()],
        _ => Vec::new(),
    }
}

fn error_message(error: &Error, language: Language) -> Message {
    let argument = context_text(error, ContextKind::InvalidArg);
    let value = context_text(error, ContextKind::InvalidValue);
    let command = context_text(error, ContextKind::InvalidSubcommand);
    match error.kind() {
        ErrorKind::UnknownArgument => message!("errors-cli-unknown-argument", argument),
        ErrorKind::InvalidSubcommand => message!("errors-cli-unknown-command", command),
        ErrorKind::MissingRequiredArgument => message!("errors-cli-missing-arguments"),
        ErrorKind::InvalidValue if value.is_empty() => message!("errors-cli-missing-value", argument),
        ErrorKind::InvalidValue => message!("errors-cli-invalid-value", argument, value),
        ErrorKind::ValueValidation => {
            let why = match error.source().map(|source| (source, source.downcast_ref::<Invalid>())) {
                Some((_, Some(Invalid(message)))) => language.text(message),
                Some((other, None)) => other.to_string(),
                None => return message!("errors-cli-invalid-value", argument, value),
            };
            message!("errors-cli-invalid-value-because", argument, value, why)
        }
        ErrorKind::TooManyValues => message!("errors-cli-too-many-values", argument, value),
        ErrorKind::ArgumentConflict => match context_texts(error, ContextKind::PriorArg).as_slice() {
            [other] if *other == argument => message!("errors-cli-repeated", argument),
            [other] => message!("errors-cli-conflict", argument, other),
            _ => message!("errors-cli-conflicts", argument),
        },
        ErrorKind::InvalidUtf8 => message!("errors-cli-not-utf8"),
        ErrorKind::MissingSubcommand => message!("errors-cli-no-command"),
        _ => message!("errors-cli-other"),
    }
}

/// The arguments below the error, one in a line.
fn listed_arguments(error: &Error) -> Vec<String> {
    match error.kind() {
        ErrorKind::MissingRequiredArgument => context_texts(error, ContextKind::InvalidArg),
        ErrorKind::ArgumentConflict => Some(context_texts(error, ContextKind::PriorArg))
            .filter(|others| others.len() > 1)
            .unwrap_or_default(),
        _ => Vec::new(),
    }
}

fn possible_values(error: &Error) -> Option<Message> {
    let values = context_texts(error, ContextKind::ValidValue);
    (!values.is_empty()).then(|| message!("errors-cli-possible-values", values = joined_names(values)))
}

/// A suggestion.
fn tip(error: &Error) -> Option<Message> {
    let similar = |names: Vec<String>| {
        let names = names.iter().map(|name| format!("'{name}'"));
        message!("errors-cli-tip-similar", names = joined_names(names))
    };
    let kinds = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let argument = context_text(error, ContextKind::InvalidArg);
    if let Some((old, new)) = RENAMED.iter().find(|(old, _)| *old == argument) {
        return Some(message!("errors-cli-renamed", old = *old, new = *new));
    }
    if error.kind() == ErrorKind::UnknownArgument
        && let Some(command) = elsewhere(&argument)
    {
        return Some(similar(vec![format!("cardiograph {command} ... {argument} FILE")]));
    }
    if context_text(error, ContextKind::InvalidSubcommand) == "help" {
        return Some(similar(vec!["--help".to_string()]));
    }
    if error.kind() == ErrorKind::TooManyValues && argument == "--json" {
        return Some(message!("errors-cli-renamed", old = "--json=FILE", new = "--export-json FILE"));
    }
    if let Some(names) =
        kinds.map(|kind| context_texts(error, kind)).into_iter().find(|names| !names.is_empty())
    {
        return Some(similar(names));
    }
    // clap's sentences: "'check --resume' exists", "to pass '-x' as a value, use '-- -x'".
    let Some(ContextValue::StyledStrs(tips)) = error.get(ContextKind::Suggested) else { return None };
    let tip = tips.first()?.to_string();
    let words = tip.rsplit('\'').nth(1)?.to_string();
    match tip.ends_with(" exists") {
        true => Some(similar(vec![words])),
        false => Some(message!("errors-cli-tip-as-value", words)),
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_render::text::Style;

    use super::*;
    use crate::help::command_line;

    fn error(words: &str, language: Language) -> String {
        let words = std::iter::once("cardiograph").chain(words.split_whitespace());
        render(&command_line(language, Style::default()).try_get_matches_from(words).unwrap_err(), language)
    }

    /// Command lines with parts of their errors, in English and in Japanese.
    const CASES: [(&str, [&str; 2], [&str; 2]); 18] = [
        (
            "check --suit article",
            ["unexpected argument '--suit' found", "did you mean '--suite'?"],
            ["引数 '--suit' は使えません", "'--suite' ではありませんか?"],
        ),
        (
            "compare a b --export-png x.png",
            [
                "unexpected argument '--export-png' found",
                "did you mean 'cardiograph plot ... --export-png FILE'?",
            ],
            [
                "引数 '--export-png' は使えません",
                "'cardiograph plot ... --export-png FILE' ではありませんか?",
            ],
        ),
        (
            "plot a b --export-json x.json",
            ["unexpected argument '--export-json' found", "'cardiograph compare ... --export-json FILE'?"],
            [
                "引数 '--export-json' は使えません",
                "'cardiograph compare ... --export-json FILE' ではありませんか?",
            ],
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
            "help",
            ["unknown command 'help'", "did you mean '--help'?"],
            ["'help' というコマンドはありません", "'--help' ではありませんか?"],
        ),
        (
            "--lang ja",
            ["a command is missing", "Usage: cardiograph"],
            ["コマンドがありません", "使い方: cardiograph"],
        ),
        (
            "job",
            ["required arguments are missing:\n  <NAME=VALUE>...", "Usage:"],
            ["必要な引数がありません:\n  <名前=値>...", "使い方:"],
        ),
        (
            "show x --fio",
            ["a value is required for '--fio <FORMAT>'", "[possible values: json, json+]"],
            ["'--fio <形式>' の値がありません", "[指定できる値: json、json+]"],
        ),
        (
            "plot x --export-svg - --kind dot",
            ["invalid value 'dot' for '--kind <KIND>'", "did you mean 'dots'?"],
            ["'--kind <種類>' に値 'dot' は指定できません", "'dots' ではありませんか?"],
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
    fn errors_have_suggestions() {
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
    fn japanese_has_no_english_words() {
        for (words, ..) in CASES {
            let shown = error(words, Language::JA);
            for english in ["error", "tip", "Usage", "For more", "OPTIONS", "value", "argument"] {
                assert!(!shown.contains(english), "{words}: {english}:\n{shown}");
            }
        }
    }
}
