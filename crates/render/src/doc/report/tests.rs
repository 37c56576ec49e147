use cardiograph_core::imported::Source;
use cardiograph_core::{Message, Parameter};
use cardiograph_import::shelf;
use serde_json::Value;

use super::*;
use crate::lang::Lang;
use crate::samples;

/// All messages of a document.
fn messages(of: &Value, found: &mut Vec<Message>) {
    match of {
        // A section has an id, too.
        Value::Object(fields) if fields.contains_key("id") && !fields.contains_key("heading") => {
            found.push(serde_json::from_value(of.clone()).unwrap());
        }
        Value::Object(fields) => fields.values().for_each(|of| messages(of, found)),
        Value::Array(parts) => parts.iter().for_each(|of| messages(of, found)),
        _ => {}
    }
}

/// The names and texts from outside in a parameter.
fn verbatim(parameter: &Parameter, found: &mut Vec<String>) {
    match parameter {
        Parameter::Name(name) => found.push(name.clone()),
        Parameter::Message(message) => {
            message.parameters().for_each(|(_, parameter)| verbatim(parameter, found));
        }
        Parameter::All(parts) => parts.iter().for_each(|part| verbatim(part, found)),
        Parameter::Sentences(sentences) => {
            let parameters = sentences.iter().flat_map(Message::parameters);
            parameters.for_each(|(_, parameter)| verbatim(parameter, found));
        }
        _ => {}
    }
}

#[test]
fn a_report_in_japanese_has_no_english_words() {
    const ENGLISH: [&str; 12] =
        ["the", "is", "of", "and", "was", "not", "a", "in", "to", "for", "it", "from"];
    let mut all = Vec::new();
    for sample in samples::all() {
        for doc in [report(&sample), page(&sample), details::details(&sample)] {
            messages(&serde_json::to_value(&doc).unwrap(), &mut all);
        }
    }
    assert!(all.len() > 500, "{}", all.len());
    for message in all {
        let mut text = Lang::JA.text(&message);
        let mut names = Vec::new();
        message.parameters().for_each(|(_, parameter)| verbatim(parameter, &mut names));
        names.iter().for_each(|name| text = text.replace(name.as_str(), ""));
        let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
        assert!(!words.any(|word| ENGLISH.contains(&word)), "{message}: {text}");
    }
}

#[test]
fn every_extent_has_what_the_report_says() {
    for sample in samples::all() {
        let (report, article, page) = (report(&sample), article(&sample), page(&sample));
        for node in &report.nodes {
            assert!(article.nodes.contains(node), "{node:?}");
            // In a page verdicts have all limits, and warnings all checks.
            let Node::Section(section) = node else { continue };
            let in_page = page.nodes.iter().find_map(|other| match other {
                Node::Section(other) if other.id == section.id => Some(other),
                _ => None,
            });
            let in_page = in_page.unwrap_or_else(|| panic!("{}", section.id));
            assert!(section.nodes.iter().all(|node| in_page.nodes.contains(node)), "{}", section.id);
        }
    }
}

#[test]
fn what_was_imported_has_the_drive_that_its_source_names() {
    let is_it = |report: &&Report| report.label.as_deref() == Some("SanDisk Ultra 64GB");
    let published = shelf::reports().iter().find(is_it).unwrap();
    assert!(!published.drive.leaves.is_empty());
    let drive = source::drive(published).unwrap();
    let label = Parameter::from("SanDisk Ultra 64GB");
    assert_eq!(title::title(published), message!("history-labelled", label = label, drive = drive));
    let unknown = Source { place: "-".to_string(), ..Source::default() };
    assert_eq!(source::place(&unknown), message!("source-standard-input"));
}

#[test]
fn tags_stand_behind_the_rest() {
    let tags = [("board", "Pi 5"), ("price", "980JPY")].map(|(name, value)| (name.into(), value.into()));
    let tagged = Report { tags: tags.into_iter().collect(), ..samples::card() };
    let run = Lang::EN.sentences(match &report(&tagged).nodes[0] {
        Node::Paragraph(paragraph) => &paragraph.text,
        other => panic!("{other:?}"),
    });
    assert!(run.ends_with(", board=Pi 5, price=980JPY"), "{run}");
}
