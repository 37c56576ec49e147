//! `explain WORD`: what the words of reports mean, from the texts and tables that reports use themselves.

use cardiograph_core::card::Mark;
use cardiograph_core::metric::Metric;
use cardiograph_core::{Message, Parameter, message};
use cardiograph_judge::purpose::{PURPOSES, Purpose};
use cardiograph_judge::trust;

use super::report::verdicts::finding;
use super::{Doc, Item, Node};
use crate::lang::Lang;

/// Words, of which the first is its name; its text; and words of the catalogue, separated by commas.
type Term = (&'static [&'static str], Message, Option<Message>);
static TERMS: [Term; 22] = [
    (
        &["queue-depth", "depth", "qd", "qd1", "qd32"],
        message!("explain-term.queue-depth"),
        Some(message!("explain-words.queue-depth")),
    ),
    (
        &["block-size", "bs", "4k", "1m"],
        message!("explain-term.block-size"),
        Some(message!("explain-words.block-size")),
    ),
    (&["latency", "p50", "mean"], message!("explain-term.latency"), Some(message!("explain-words.latency"))),
    (
        &["p99", "p99.9", "percentile", "tail"],
        message!("explain-term.percentile"),
        Some(message!("explain-words.percentile")),
    ),
    (&["iops"], message!("explain-term.iops"), None),
    (
        &["bandwidth", "throughput", "mb/s"],
        message!("explain-term.bandwidth"),
        Some(message!("explain-words.bandwidth")),
    ),
    (
        &["durable-write", "fsync", "flush", "sync"],
        message!("explain-term.durable"),
        Some(message!("explain-words.durable")),
    ),
    (
        &["sustained-write", "steady"],
        message!("explain-term.sustained"),
        Some(message!("explain-words.sustained")),
    ),
    (
        &["fall-off", "cliff", "slc-cache"],
        message!("explain-term.fall-off"),
        Some(message!("explain-words.fall-off")),
    ),
    (&["stall", "pause"], message!("explain-term.stall"), Some(message!("explain-words.stall"))),
    (
        &["interval", "confidence", "close"],
        message!("explain-term.interval"),
        Some(message!("explain-words.interval")),
    ),
    (&["withheld", "-"], message!("explain-term.withheld"), Some(message!("explain-words.withheld"))),
    (&["write-amplification"], message!("explain-term.amplification"), None),
    (&["trim", "discard"], message!("explain-term.trim"), None),
    (&["steady-state", "precondition"], message!("explain-term.steady-state"), None),
    (&["working-set"], message!("explain-term.working-set"), None),
    (&["direct-io", "page-cache"], message!("explain-term.direct"), None),
    (&["life-left", "worn"], message!("explain-term.life"), None),
    (&["bars", "bar"], message!("explain-term.bars"), None),
    (
        &["verdict", "good", "enough", "not-enough"],
        message!("explain-term.verdict"),
        Some(message!("explain-words.verdict")),
    ),
    (&["claim", "kept", "broken"], message!("explain-term.claim"), Some(message!("explain-words.claim"))),
    (&["a2-queue", "command-queue", "cache"], message!("explain-term.queue"), None),
];

/// Explains a word; `None` if it is not known. Case, blanks, hyphens and underscores do not matter.
pub fn explain(word: &str) -> Option<Doc> {
    let word = normal(word);
    let term = TERMS.iter().find(|term| words_of(term).contains(&word));
    let nodes = if let Some(purpose) = PURPOSES.iter().find(|purpose| is_purpose(&word, purpose)) {
        return Some(self::purpose(purpose));
    } else if let Some(mark) = Mark::ALL.into_iter().find(|mark| names(*mark).contains(&word)) {
        vec![Node::paragraph(mark_text(mark))]
    } else if let Some((_, text, _)) = term {
        vec![Node::paragraph(text.clone())]
    } else if let Some(metric) = Metric::ALL.into_iter().find(|metric| metric_names(*metric).contains(&word))
    {
        vec![Node::paragraph(self::metric(metric))]
    } else {
        let (_, title) = trust::trap_titles().find(|(name, _)| normal(name) == word)?;
        let meaning = format!("{}.meaning", title.id());
        let has_meaning = Lang::EN.text_of(&meaning).is_some();
        let meaning = has_meaning.then(|| Message::from_data(&meaning));
        vec![Node::paragraph(
            std::iter::once(message!("explain-warning", title)).chain(meaning).collect::<Vec<_>>(),
        )]
    };
    Some(Doc::untitled(nodes))
}

/// All words, by kind.
pub fn words() -> Doc {
    let item = |name: String, text: Message| Item::new(Message::verbatim(name), vec![text]);
    let purposes = PURPOSES.iter().map(|purpose| item(purpose.id.clone(), purpose.title.clone()));
    let list = |names: Vec<String>| vec![Node::paragraph(Message::quantity(Parameter::all(names)))];
    let terms = TERMS.iter().map(|(words, ..)| words[0].to_string()).collect();
    let marks = Mark::ALL.iter().map(|mark| mark.label().to_lowercase()).collect();
    let metrics = Metric::ALL.iter().map(|metric| normal(&metric.name())).collect();
    let warnings = trust::trap_titles().map(|(name, _)| normal(name)).collect();
    let sections = [
        Node::section("purposes", message!("explain-list.purposes"), Node::from_items(purposes.collect())),
        Node::section("terms", message!("explain-list.terms"), list(terms)),
        Node::section("figures", message!("explain-list.figures"), list(metrics)),
        Node::section("marks", message!("explain-list.marks"), list(marks)),
        Node::section("warnings", message!("explain-list.warnings"), list(warnings)),
    ];
    Doc::untitled(sections.into_iter().flatten().collect())
}

/// Every word, to find the nearest to a wrong one.
pub fn known_words() -> Vec<String> {
    let terms = TERMS.iter().flat_map(words_of);
    let marks = Mark::ALL.iter().flat_map(|mark| names(*mark));
    let metrics = Metric::ALL.iter().flat_map(|metric| metric_names(*metric));
    let purposes =
        PURPOSES.iter().flat_map(|purpose| [vec![purpose.id.clone()], titles(&purpose.title)].concat());
    terms
        .chain(marks)
        .chain(metrics)
        .chain(purposes)
        .chain(trust::trap_titles().map(|(name, _)| normal(name)))
        .collect()
}

/// Whether a word is a purpose's id or its title in any language, with or without blanks.
pub fn is_purpose(word: &str, purpose: &Purpose) -> bool {
    let letters = |text: &str| normal(text).replace('-', "");
    purpose.id == normal(word) || titles(&purpose.title).iter().any(|title| letters(title) == letters(word))
}

/// A title as a word, in all languages.
fn titles(title: &Message) -> Vec<String> {
    Lang::ALL.iter().map(|lang| normal(&lang.text(title))).collect()
}

/// The names of a figure: in files, and in reports.
fn metric_names(metric: Metric) -> Vec<String> {
    [vec![normal(&metric.name())], titles(&finding::metric(metric))].concat()
}

/// The words for a term, also those of the catalogues.
fn words_of((words, _, others): &Term) -> Vec<String> {
    let others = others.iter().flat_map(|all| Lang::ALL.map(|lang| lang.text(all)));
    let others = others.flat_map(|all| all.split(',').map(normal).collect::<Vec<_>>());
    words.iter().map(|word| word.to_string()).chain(others).collect()
}

fn normal(word: &str) -> String {
    word.trim().to_lowercase().replace(['_', ' '], "-")
}

/// A purpose with all its limits and their sources.
pub fn purpose(purpose: &Purpose) -> Doc {
    let rules = purpose.rules.iter().map(|rule| {
        let limit = finding::rule(rule);
        Item { more: vec![rule.source.clone()], ..Item::new(Message::verbatim("-"), vec![limit]) }
    });
    let title = message!("explain-purpose", purpose = &purpose.id, title = purpose.title.clone());
    Doc { title: Some(title), nodes: Node::from_items(rules.collect()) }
}

/// A figure, and the purposes that it decides.
fn metric(metric: Metric) -> Message {
    let decides = |purpose: &&Purpose| {
        purpose.rules.iter().any(|rule| rule.evidence.iter().any(|evidence| evidence.metric() == metric))
    };
    let purposes: Vec<&str> = PURPOSES.iter().filter(decides).map(|purpose| purpose.id.as_str()).collect();
    let name = finding::metric(metric);
    match purposes.is_empty() {
        true => message!("explain-figure.none", figure = name),
        false => message!("explain-figure", figure = name, purposes = Parameter::all(purposes)),
    }
}

/// The names of a mark: `c10`, `class-10`.
fn names(mark: Mark) -> Vec<String> {
    let label = mark.label().to_lowercase();
    let long = match mark {
        Mark::Speed { class } => Some(format!("class-{class}")),
        _ => None,
    };
    std::iter::once(label).chain(long).collect()
}

fn mark_text(mark: Mark) -> Vec<Message> {
    let write = Parameter::bytes_per_s(mark.sequential_write_bytes_per_s_min() as f64);
    let (text, more) = match (mark, mark.application_class()) {
        (Mark::Application { .. }, Some(class)) => {
            let (reads, writes) =
                (Parameter::Count(class.read_iops_min), Parameter::Count(class.write_iops_min));
            let text = message!("explain-mark.application", mark = mark.label(), reads, writes, write);
            (text, class.needs_queue_and_cache.then(|| message!("explain-term.queue")))
        }
        _ => (message!("explain-mark.speed", mark = mark.label(), write), None),
    };
    std::iter::once(text).chain(more).chain([message!("explain-mark.check")]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::terminal;
    use crate::text::Style;

    #[test]
    fn every_word_is_explained_in_every_language() {
        for lang in Lang::ALL {
            for word in known_words() {
                let doc = explain(&word).unwrap_or_else(|| panic!("{word}"));
                let text = terminal::render(&doc, lang, &Style::default());
                assert!(text.trim().chars().count() > 15, "{word}: {text}");
            }
        }
    }

    #[test]
    fn words_are_found_however_they_are_written() {
        for word in [
            "A2",
            "class 10",
            "Queue Depth",
            "random_read_iops",
            "the",
            "P99.9",
            "DB-LIGHT",
            "Fast Flush",
            "random write",
            "永続化ライト",
            "too slow",
            "More than chance",
        ] {
            assert_eq!(explain(word).is_some(), word != "the", "{word}");
        }
    }
}
