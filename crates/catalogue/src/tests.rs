use std::collections::BTreeSet;

use cardiograph_core::{Message, Parameter};

use crate::{Language, known};

#[test]
fn all_languages_have_the_same_messages_with_the_same_parameters() {
    let english = known(Language::EN);
    assert!(!english.is_empty());
    for language in Language::ALL {
        let other = known(language);
        let missing: Vec<&String> = english.keys().filter(|id| !other.contains_key(*id)).collect();
        let unknown: Vec<&String> = other.keys().filter(|id| !english.contains_key(*id)).collect();
        let code = language.code();
        assert!(missing.is_empty() && unknown.is_empty(), "{code}: missing {missing:?}, unknown {unknown:?}");
        for (id, parameters) in &english {
            assert_eq!(&other[id], parameters, "{language:?}: {id}");
        }
    }
}

/// The text of a message with all parameters set to this count.
fn text(language: Language, id: &str, parameters: &BTreeSet<String>, count: u64) -> String {
    let leaked = |text: &str| -> &'static str { Box::leak(text.to_string().into_boxed_str()) };
    let message = Message::new(leaked(id));
    language.text(&parameters.iter().fold(message, |message, name| message.with(leaked(name), count)))
}

/// Each message becomes text with the parameters that it names.
#[test]
fn every_message_becomes_text() {
    for (language, (id, parameters)) in Language::ALL
        .iter()
        .flat_map(|language| known(*language).into_iter().map(move |known| (*language, known)))
    {
        for count in [0, 1, 2] {
            let text = text(language, &id, &parameters, count);
            // The text below help has columns.
            let has_columns = id.starts_with("help-") && id.ends_with(".after");
            // A manual page has a file as an example.
            let has_example = id.starts_with("manual-") && text.contains("\n[[");
            let is_prose = !text.contains(['{', '}']) && (has_columns || !text.contains("  "));
            assert!(!text.is_empty() && (is_prose || has_example), "{language:?} {id}: {text}");
            assert_eq!(text, text.trim(), "{language:?} {id}");
        }
    }
}

/// Full stops of the world's scripts.
const STOPS: [char; 6] = ['.', '。', '।', '։', '።', '۔'];

fn is_sentence(text: &str) -> bool {
    text.ends_with(STOPS) && !text.ends_with("...")
}

/// Sentences are translated as sentences, and phrases as phrases.
#[test]
fn sentences_are_translated_as_sentences() {
    let mut wrong = Vec::new();
    for (id, parameters) in known(Language::EN) {
        let english = text(Language::EN, &id, &parameters, 2);
        for language in Language::ALL.into_iter().filter(|&language| language != Language::EN) {
            let translated = text(language, &id, &parameters, 2);
            // An example at the end has no full stop in any language.
            if english.contains("\n[[") && translated.contains("\n[[") {
                continue;
            }
            if is_sentence(&english) != is_sentence(&translated) {
                wrong.push(format!(
                    "{}: {id}: one has a full stop: {english} / {translated}",
                    language.code()
                ));
            } else if is_sentence(&english) && english == translated && english.contains(' ') {
                wrong.push(format!("{}: {id} is not translated: {english}", language.code()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} entries\n{}", wrong.len(), wrong.join("\n"));
}

/// Names, commands and options stay English; sentences have words that these lack.
#[test]
fn japanese_has_no_english_sentences() {
    let english =
        ["the", "of", "is", "are", "was", "and", "or", "in", "to", "for", "with", "it", "that", "not"];
    for (id, parameters) in known(Language::JA) {
        let text = text(Language::JA, &id, &parameters, 2);
        // Examples are quoted, and dd's operands, such as of=FILE, are not words.
        let text: String = text.split('\'').step_by(2).collect();
        let plain = text.split_whitespace().filter(|word| !word.starts_with("--"));
        let text = plain.collect::<Vec<_>>().join(" ");
        let mut words = text.split(|letter: char| !letter.is_ascii_alphabetic() && letter != '=');
        assert!(!words.any(|word| english.contains(&word)), "{id}: {text}");
    }
}

#[test]
fn parameters_are_formatted_for_the_language() {
    let all = |count: usize| Parameter::all(["a", "b", "c"].into_iter().take(count));
    let cases = [
        (all(0), "", ""),
        (all(1), "a", "a"),
        (all(2), "a and b", "a、b"),
        (all(3), "a, b and c", "a、b、c"),
        (Parameter::all(["a, 1", "a, 2", "b"]), "a, 1; a, 2; and b", "a, 1; a, 2; b"),
        (Parameter::Count(1_234_567), "1,234,567", "1,234,567"),
        (Parameter::share(0.25), "25 %", "25 %"),
        (Parameter::times(3.06), "3.1x", "3.1倍"),
        (Parameter::times(0.0712), "1/14x", "1/14倍"),
        (Parameter::times(1_234.2), "1,234x", "1,234倍"),
        (Parameter::Bytes(4_096), "4 KiB", "4 KiB"),
        (Parameter::BitsPerS(480_000_000), "480 Mbit/s", "480 Mbit/s"),
        (Parameter::BlockBytes(1 << 20), "1M", "1M"),
        (Parameter::CapacityBytes(64_000_000_000), "64 GB", "64 GB"),
        (Parameter::DurationNs(25_000_000), "25 ms", "25 ms"),
        (Parameter::latency_ns(25e6), "25.0 ms", "25.0 ms"),
        (Parameter::Name("a\x1b[2J".to_string()), "a\u{fffd}[2J", "a\u{fffd}[2J"),
    ];
    for (parameter, english, japanese) in cases {
        let shown = |language: Language| language.value(&parameter);
        assert_eq!(shown(Language::EN), english);
        assert_eq!(shown(Language::JA), japanese);
    }
}

#[test]
fn unknown_messages_are_shown_in_their_stored_english() {
    let stored: Message =
        message_of(r#"{"id":"of-a-later-version","parameters":{"count":{"count":3}},"text":"Three."}"#);
    assert_eq!(Language::JA.text(&stored), "Three.");
    let other_parameters =
        message_of(r#"{"id":"list-last","parameters":{"name":{"name":"x"}},"text":"An x."}"#);
    assert_eq!(Language::EN.text(&other_parameters), "An x.");
    let bare = message_of(r#"{"id":"of-a-later-version"}"#);
    assert_eq!(Language::EN.text(&bare), "of-a-later-version");
}

fn message_of(json: &str) -> Message {
    serde_json::from_str(json).unwrap()
}
