//! All documents of all samples, in a language other than English: no English is left except names and
//! quotes.

use std::collections::BTreeSet;

use cardiograph_core::drive::Drive;
use cardiograph_core::message::Message;
use cardiograph_import::shelf as sources;
use serde_json::Value;

use super::*;
use crate::lang::Lang;
use crate::samples;

/// Every English sentence has one of these words, and they are not names of options, units or commands.
pub(crate) const FUNCTION_WORDS: [&str; 25] = [
    "a", "an", "and", "are", "as", "at", "by", "for", "from", "has", "in", "is", "it", "its", "not", "of",
    "on", "or", "that", "the", "this", "to", "was", "were", "with",
];

/// Publications' statements about themselves and their drives, in their original language.
fn quotes(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => fields.values().for_each(|field| quotes(field, found)),
        Value::Array(parts) => parts.iter().for_each(|part| quotes(part, found)),
        Value::String(text) => found.extend([text.clone()]),
        _ => {}
    }
}

fn documents() -> Vec<Doc> {
    let drives: Vec<Drive> = samples::named_drives().into_iter().map(|(_, drive)| drive).collect();
    let one_by_one = drives.iter().map(|drive| passport(&samples::passport(vec![drive.clone()])));
    let mut all: Vec<Doc> = one_by_one.collect();
    all.extend([super::drives(&samples::passport(drives)), super::drives(&samples::passport(Vec::new()))]);
    for sample in samples::all() {
        all.extend([
            report(&sample),
            page(&sample),
            details(&sample),
            glance(&sample, &Additions::default()),
        ]);
    }
    for compared in comparison::tests::samples() {
        all.extend(
            [Extent::default(), Extent { is_full: true, has_whole_names: true, has_ratios: true }]
                .map(|extent| comparison(&compared, extent)),
        );
    }
    all.extend(sources::sources().iter().map(|source| shelf_sources(std::slice::from_ref(source))));
    all.push(shelf(sources::sources()));
    all.extend([false, true].map(|full| standings(&shelf::tests::card_standings(), full)));
    all
}

/// All messages of a document.
fn messages(value: &Value, found: &mut Vec<Message>) {
    match value {
        // A section has an id, too.
        Value::Object(fields) if fields.contains_key("id") && !fields.contains_key("heading") => {
            found.push(serde_json::from_value(value.clone()).unwrap());
        }
        Value::Object(fields) => fields.values().for_each(|field| messages(field, found)),
        Value::Array(parts) => parts.iter().for_each(|part| messages(part, found)),
        // Verbatim text, and words of the form.
        Value::String(text) => found.push(Message::verbatim(text)),
        _ => {}
    }
}

/// A message with numbers in place of names and quotes, which are collected.
fn without_names(value: &Value, names: &mut Vec<String>) -> Value {
    match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(key, value)| match (key.as_str(), value) {
                ("name", Value::String(name)) => {
                    names.push(name.clone());
                    (key.clone(), Value::from("0"))
                }
                _ => (key.clone(), without_names(value, names)),
            })
            .collect(),
        Value::Array(parts) => parts.iter().map(|part| without_names(part, names)).collect(),
        other => other.clone(),
    }
}

/// Whether a text contains an English sentence. A single word is a name.
fn is_english(text: &str) -> bool {
    let words: Vec<&str> =
        text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.len() > 1 && words.iter().any(|word| FUNCTION_WORDS.contains(word))
}

#[test]
fn no_english_is_left_on_a_japanese_page() {
    let mut all = Vec::new();
    documents().iter().for_each(|doc| messages(&serde_json::to_value(doc).unwrap(), &mut all));
    assert!(all.len() > 3_000, "{}", all.len());
    let mut quoted = BTreeSet::new();
    quotes(&serde_json::to_value(sources::sources()).unwrap(), &mut quoted);
    let mut english = BTreeSet::new();
    for message in all {
        let mut names = Vec::new();
        names.extend(message.as_verbatim().map(str::to_string));
        let bare = without_names(&serde_json::to_value(&message).unwrap(), &mut names);
        let text = Lang::JA.text(&serde_json::from_value(bare).unwrap());
        english.extend(
            (message.as_verbatim().is_none() && is_english(&text)).then(|| format!("{message}: {text}")),
        );
        english.extend(names.into_iter().filter(|name| is_english(name) && !quoted.contains(name)));
    }
    assert!(english.is_empty(), "{english:#?}");
}
