//! What people read, without a medium: sections, facts, tables, sentences. Each medium is a file that writes every kind of
//! [`Node`]; each document is made without a look at any of them. Text is a [`Message`]; what comes from outside is verbatim.

pub(crate) mod html;
pub mod markdown;
pub mod terminal;

pub(crate) mod comparison;
mod history;
pub(crate) mod passport;
mod shelf;
pub(crate) mod words;

use cardiograph_core::{Message, Parameter, units};
use serde::Serialize;

use crate::grid::Grid;
use crate::lang::Lang;
use crate::text::layout::Tone;

pub use comparison::comparison;
pub use history::{history, runs, when};
pub use passport::{drives, passport};
pub use shelf::{shelf, shelf_source, standings};

/// A document.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Doc {
    /// What it is about; a list has no title.
    pub title: Option<Message>,
    /// What it says.
    pub nodes: Vec<Node>,
}

/// A part of a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Node {
    /// Parts under a heading.
    Section(Section),
    /// Sentences that follow each other.
    Paragraph(Paragraph),
    /// Values with their labels.
    Facts(Vec<Fact>),
    /// Things of a kind, one below the other.
    Items(Vec<Item>),
    /// Figures in rows and columns.
    Table(Table),
    /// Commands, to be copied.
    Commands(Vec<String>),
}

/// Parts under a heading.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Section {
    /// Its name in links, such as `verdicts`. Several drives have sections of one name.
    pub id: &'static str,
    /// Its heading.
    pub heading: Message,
    /// What it says.
    pub nodes: Vec<Node>,
}

/// Sentences that follow each other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Paragraph {
    /// How good or important it is.
    pub tone: Option<Tone>,
    /// The sentences.
    pub text: Vec<Message>,
}

/// A value with its label.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fact {
    /// What it is; a further value of the fact above has none.
    pub label: Option<Message>,
    /// How deep it stands below the fact above: 0, or more for its parts.
    pub depth: u8,
    /// A name that the value explains, such as a mark of a card.
    pub term: Option<Message>,
    /// The value: phrases of one kind, as a list.
    pub value: Vec<Message>,
}

/// A thing in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Item {
    /// A word that says what it is or how it stands; a name.
    pub label: Message,
    /// How good or important it is.
    pub tone: Option<Tone>,
    /// Sentences on it.
    pub text: Vec<Message>,
    /// What else is known, less important: a paragraph each.
    pub more: Vec<Message>,
}

/// Figures in rows and columns.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// What it shows.
    pub caption: Option<Message>,
    /// The heading of the column of names.
    pub names: Option<Message>,
    /// The columns behind the names.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Row>,
    /// What is to be said of its figures: a paragraph each.
    pub notes: Vec<Message>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Column {
    /// Its heading, with the unit of its figures.
    pub heading: Message,
    /// Whether it is of figures, which are aligned at their right.
    pub is_number: bool,
    /// Where there is no room, columns with a higher rank give way first; those with 0 stay. Phrases that give way stand below
    /// their rows.
    pub rank: u8,
}

/// A row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// What its figures are of.
    pub name: Message,
    /// How deep it stands below the row above: 0, or more for its parts.
    pub depth: u8,
    /// A cell for each column.
    pub cells: Vec<Cell>,
}

/// A cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cell {
    /// There is no such figure.
    Empty,
    /// There is one, and it is not shown: it is not the drive's, or rests on too few samples.
    Withheld,
    /// A figure with its unit.
    Value(Parameter),
    /// A phrase.
    Text(Message),
}

impl Doc {
    /// A document without a title.
    pub const fn of(nodes: Vec<Node>) -> Self {
        Self { title: None, nodes }
    }
}

impl Table {
    /// The table as texts in a language.
    pub(crate) fn grid(&self, lang: Lang) -> Grid {
        let text = |message: &Message| lang.text(message);
        let names = self.names.as_ref().map(text).unwrap_or_default();
        let cells = |row: &Row| row.cells.iter().map(|cell| cell.text(lang)).collect::<Vec<_>>();
        let row = |row: &Row| std::iter::once(text(&row.name)).chain(cells(row)).collect();
        Grid {
            headings: std::iter::once(names).chain(self.columns.iter().map(|of| text(&of.heading))).collect(),
            is_number: std::iter::once(false).chain(self.columns.iter().map(|of| of.is_number)).collect(),
            rows: self.rows.iter().map(row).collect(),
        }
    }
}

impl Column {
    /// One of figures each of which has its own unit, with a rank.
    pub const fn figures(heading: Message, rank: u8) -> Self {
        Self { heading, is_number: true, rank }
    }

    /// One of phrases, with a rank: where it gives way, they stand below their rows.
    pub const fn text(heading: Message, rank: u8) -> Self {
        Self { heading, is_number: false, rank }
    }
}

impl Item {
    /// One of a label and sentences.
    pub const fn new(label: Message, text: Vec<Message>) -> Self {
        Self { label, tone: None, text, more: Vec::new() }
    }
}

impl Cell {
    /// The cell as text in a language: empty where there is no such figure, a dash where it is withheld.
    fn text(&self, lang: Lang) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Withheld => units::NO_FIGURE.to_string(),
            Self::Value(value) => lang.value(value),
            Self::Text(text) => lang.text(text),
        }
    }
}

impl Node {
    /// A section; `None` where it says nothing.
    pub fn section(id: &'static str, heading: Message, nodes: Vec<Self>) -> Option<Self> {
        (!nodes.is_empty()).then_some(Self::Section(Section { id, heading, nodes }))
    }

    /// A section of facts; `None` where there are none.
    pub fn facts(id: &'static str, heading: Message, facts: Vec<Fact>) -> Option<Self> {
        (!facts.is_empty()).then(|| Self::Section(Section { id, heading, nodes: vec![Self::Facts(facts)] }))
    }

    /// A paragraph.
    pub fn paragraph(text: impl Into<cardiograph_core::message::Sentences>) -> Self {
        Self::Paragraph(Paragraph { tone: None, text: text.into().0 })
    }
}

impl Fact {
    /// A value with its label.
    pub fn new(label: Message, value: Message) -> Self {
        Self { label: Some(label), depth: 0, term: None, value: vec![value] }
    }

    /// A value of several phrases with its label; `None` where there are none.
    pub fn of(label: Message, value: impl IntoIterator<Item = Message>) -> Option<Self> {
        let value: Vec<Message> = value.into_iter().collect();
        (!value.is_empty()).then_some(Self { label: Some(label), depth: 0, term: None, value })
    }

    /// A further value of the fact above.
    pub fn further(value: impl IntoIterator<Item = Message>) -> Option<Self> {
        let value: Vec<Message> = value.into_iter().collect();
        (!value.is_empty()).then_some(Self { label: None, depth: 0, term: None, value })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use cardiograph_core::message;

    use super::*;
    use crate::html::builder::Html;
    use crate::lang::Lang;
    use crate::text::Style;
    use crate::text::layout::width;

    fn quote(text: &str) -> Message {
        Message::verbatim(text)
    }

    /// One that has every kind of node.
    fn sample() -> Doc {
        let column = |heading, rank| Column { heading: quote(heading), is_number: true, rank };
        let rows = [("Random read 4K QD1", 0, 3_786.0), ("fsync", 1, 240.0)];
        let table = Table {
            caption: Some(quote("Figures of each test")),
            names: Some(quote("Test")),
            columns: vec![
                column("IOPS", 0),
                column("mean", 3),
                column("p50", 2),
                column("p99", 1),
                column("max", 1),
            ],
            rows: rows
                .map(|(name, depth, iops)| Row {
                    name: quote(name),
                    depth,
                    cells: vec![
                        Cell::Value(Parameter::number(iops)),
                        Cell::Value(Parameter::DurationNs(264_000)),
                        Cell::Withheld,
                        Cell::Empty,
                        Cell::Text(quote("long")),
                    ],
                })
                .to_vec(),
            notes: vec![quote("fewer than 10 samples lie above this percentile.")],
        };
        let item = |label, tone, text| Item {
            label: quote(label),
            tone: Some(tone),
            text: vec![quote(text), quote("Measure again.")],
            more: vec![quote("Seen in two tests.")],
        };
        let facts = vec![
            Fact::new(quote("Maker"), quote("SanDisk")),
            Fact {
                label: Some(quote("Marks")),
                depth: 0,
                term: Some(quote("C10")),
                value: vec![quote("10 MB/s"), quote("any host")],
            },
            Fact {
                label: None,
                depth: 0,
                term: Some(quote("A1")),
                value: vec![quote("runs programs | a system")],
            },
            Fact { depth: 1, ..Fact::new(quote("sda1"), quote("partition")) },
        ];
        let sections = [
            (
                "facts",
                "The card",
                vec![Node::Facts(facts), Node::paragraph(quote("Registers can be copied."))],
            ),
            (
                "warnings",
                "Warnings",
                vec![Node::Items(vec![item("Caution", Tone::Fair, "The drive was hot.")])],
            ),
            ("figures", "Figures", vec![Node::Table(table)]),
            ("commands", "Commands", vec![Node::Commands(vec!["fio --name=`x`".to_string()])]),
            ("empty", "Nothing", vec![]),
        ];
        let sections =
            sections.into_iter().filter_map(|(id, heading, nodes)| Node::section(id, quote(heading), nodes));
        let list = Node::Facts(vec![Fact::new(quote("/dev/sda"), quote("another drive"))]);
        let nodes = sections.chain([list, Node::paragraph(quote("That is all."))]).collect();
        Doc { title: Some(quote("SanDisk SC64G")), nodes }
    }

    #[test]
    fn every_kind_of_node_has_its_form_in_every_medium() {
        let doc = sample();
        let narrow = Style { width: 50, color: false };
        let mut html = Html::new(Lang::En);
        super::html::write(&mut html, &doc.nodes);
        let json = serde_json::to_string_pretty(&doc).unwrap();
        for (name, text) in [
            ("doc.txt", terminal::render(&doc, Lang::En, &Style { width: 80, color: true })),
            ("doc-50.txt", terminal::render(&doc, Lang::En, &narrow)),
            ("doc.md", markdown::render(&doc, Lang::En)),
            ("doc.html", html.into_text()),
            ("doc.json", json + "\n"),
        ] {
            cardiograph_testing::check_golden!(name, &text);
        }
    }

    #[test]
    fn columns_give_way_where_there_is_no_room() {
        for columns in 40..=200 {
            let text = terminal::render(&sample(), Lang::Ja, &Style { width: columns, color: false });
            assert!(text.lines().all(|line| width(line) <= columns), "{columns}: {text}");
        }
    }

    #[test]
    fn a_reader_of_json_gets_the_english() {
        let doc = Doc::of(vec![Node::paragraph(message!("list-last", head = "a", tail = "b"))]);
        let json = cardiograph_core::message::with_english(cardiograph_catalogue::english, || {
            serde_json::to_value(&doc).unwrap()
        });
        let text = &json["nodes"][0]["paragraph"]["text"][0];
        let known: BTreeMap<&str, &str> = BTreeMap::from([("id", "list-last"), ("text", "a and b")]);
        known.into_iter().for_each(|(key, value)| assert_eq!(text[key], value));
    }
}
