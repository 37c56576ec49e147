//! What people read, without a medium: sections, facts, tables, sentences. Each medium is a file that writes every kind of
//! [`Node`]; each document is made without a look at any of them. Text is a [`Message`]; what comes from outside is verbatim.

pub(crate) mod html;
pub mod markdown;
pub mod terminal;

pub(crate) mod comparison;
pub(crate) mod details;
mod header;
mod history;
pub(crate) mod passport;
pub(crate) mod report;
mod shelf;
mod unit;
pub(crate) mod words;

use cardiograph_core::{Message, Parameter, units};
use serde::Serialize;

use crate::grid::Grid;
use crate::lang::Lang;
use crate::plot::Kind;
use crate::text::layout::Tone;

pub use comparison::comparison;
pub use details::details;
pub use header::{HeaderFacts, Writes, header};
pub use history::{history, runs, when};
pub use passport::{drives, passport};
pub use report::{article, page, report, warnings};
pub use shelf::{shelf, shelf_source, standings};
pub use unit::Unit;

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
    /// Speed over time, in bytes per second of equally long windows: its shape at a glance.
    Curve(Vec<f64>),
    /// Pictures beside each other, where a medium has pictures.
    Pictures(Vec<Picture>),
}

/// A picture of the Report that the document is of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Picture {
    /// What it shows.
    pub caption: Message,
    /// What is drawn.
    pub drawing: Drawing,
}

/// What is drawn of a Report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Drawing {
    /// The figures of all tests.
    Tests,
    /// Speed over the whole of a course of writing that was measured in pieces.
    Course,
    /// A table by its place: a field of colour.
    Table(usize),
    /// A step by its place.
    Step(usize, #[serde(serialize_with = "kind_name")] Kind),
}

fn kind_name<S: serde::Serializer>(kind: &Kind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

/// Parts under a heading.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Section {
    /// Its name in links, such as `verdicts`. Several drives have sections of one name.
    pub id: &'static str,
    /// Its heading.
    pub heading: Message,
    /// Whether only those need it who look for it: a page shows the heading, and the rest when it is opened.
    pub is_folded: bool,
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
    /// What it is about, where the label says how that stands.
    pub subject: Option<Subject>,
    /// A word that says what it is or how it stands; a name.
    pub label: Message,
    /// How good or important it is.
    pub tone: Option<Tone>,
    /// Sentences on it.
    pub text: Vec<Message>,
    /// What it rests on, a line each.
    pub grounds: Vec<Message>,
    /// What else is known, less important: sentences.
    pub more: Vec<Message>,
}

/// What an item is about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Subject {
    /// Its name, as commands take it.
    pub name: Message,
    /// What it is; left out where there is no room.
    pub about: Message,
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
    /// Its heading, without the unit.
    pub heading: Message,
    /// The unit that all of its figures share, where they do: cells are bare numbers then.
    pub unit: Option<Unit>,
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
    pub const fn untitled(nodes: Vec<Node>) -> Self {
        Self { title: None, nodes }
    }
}

impl Table {
    /// The same where nothing else sets names of parts off.
    pub(crate) fn indented_grid(&self, lang: Lang) -> Grid {
        let mut grid = self.grid(lang);
        for (row, texts) in self.rows.iter().zip(&mut grid.rows) {
            texts[0].insert_str(0, &"\u{2003}".repeat(row.depth.into()));
        }
        grid
    }

    /// The table as texts in a language.
    pub(crate) fn grid(&self, lang: Lang) -> Grid {
        let text = |message: &Message| lang.text(message);
        let names = self.names.as_ref().map(text).unwrap_or_default();
        let cells = |row: &Row| {
            let all = row.cells.iter().zip(&self.columns);
            all.map(|(cell, column)| cell.text(column.unit, lang)).collect::<Vec<_>>()
        };
        let row = |row: &Row| std::iter::once(text(&row.name)).chain(cells(row)).collect();
        Grid {
            headings: std::iter::once(names)
                .chain(self.columns.iter().map(|column| column.label(lang)))
                .collect(),
            is_number: std::iter::once(false)
                .chain(self.columns.iter().map(|column| column.is_number))
                .collect(),
            rows: self.rows.iter().map(row).collect(),
        }
    }
}

impl Column {
    /// One of figures with a unit; it stays where there is no room.
    pub const fn with_unit(heading: Message, unit: Unit) -> Self {
        Self { heading, unit: Some(unit), is_number: true, rank: 0 }
    }

    /// One of figures each of which has its own unit, with a rank.
    pub const fn figures(heading: Message, rank: u8) -> Self {
        Self { heading, unit: None, is_number: true, rank }
    }

    /// One of phrases, with a rank: where it gives way, they stand below their rows.
    pub const fn text(heading: Message, rank: u8) -> Self {
        Self { heading, unit: None, is_number: false, rank }
    }

    /// The heading with the sign of the unit.
    fn label(&self, lang: Lang) -> String {
        let sign = self.unit.map_or("", |unit| unit.sign(lang));
        format!("{} {sign}", lang.text(&self.heading)).trim().to_string()
    }
}

impl Cell {
    /// A figure; empty where there is none.
    pub fn from_value(value: Option<Parameter>) -> Self {
        value.map_or(Self::Empty, Self::Value)
    }

    /// The cell as text in a language: empty where there is no such figure, a dash where it is withheld.
    pub(crate) fn text(&self, unit: Option<Unit>, lang: Lang) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Withheld => units::NO_FIGURE.to_string(),
            Self::Value(value) => match unit {
                Some(unit) => unit.number(value, lang),
                None => lang.value(value),
            },
            Self::Text(text) => lang.text(text),
        }
    }
}

impl Node {
    /// A section; `None` where it says nothing.
    pub fn section(id: &'static str, heading: Message, nodes: Vec<Self>) -> Option<Self> {
        (!nodes.is_empty()).then_some(Self::Section(Section { id, heading, is_folded: false, nodes }))
    }

    /// A section that is folded; `None` where it says nothing.
    pub fn folded(id: &'static str, heading: Message, nodes: Vec<Self>) -> Option<Self> {
        (!nodes.is_empty()).then_some(Self::Section(Section { id, heading, is_folded: true, nodes }))
    }

    /// A section of facts; `None` where there are none.
    pub fn facts(id: &'static str, heading: Message, facts: Vec<Fact>) -> Option<Self> {
        Self::section(id, heading, Self::from_facts(facts))
    }

    /// Facts; nothing where there are none.
    pub fn from_facts(facts: Vec<Fact>) -> Vec<Self> {
        if facts.is_empty() { Vec::new() } else { vec![Self::Facts(facts)] }
    }

    /// Items; nothing where there are none.
    pub fn from_items(items: Vec<Item>) -> Vec<Self> {
        if items.is_empty() { Vec::new() } else { vec![Self::Items(items)] }
    }

    /// A paragraph.
    pub fn paragraph(text: impl Into<cardiograph_core::message::Sentences>) -> Self {
        Self::Paragraph(Paragraph { tone: None, text: text.into().0 })
    }

    /// A paragraph in a tone.
    pub fn toned(tone: Tone, text: impl Into<cardiograph_core::message::Sentences>) -> Self {
        Self::Paragraph(Paragraph { tone: Some(tone), text: text.into().0 })
    }
}

impl Item {
    /// One of a label and sentences.
    pub const fn new(label: Message, text: Vec<Message>) -> Self {
        Self { subject: None, label, tone: None, text, grounds: Vec::new(), more: Vec::new() }
    }
}

impl Row {
    /// A row that is not a part of another.
    pub const fn new(name: Message, cells: Vec<Cell>) -> Self {
        Self { name, depth: 0, cells }
    }
}

impl Fact {
    /// A value with its label.
    pub fn new(label: Message, value: Message) -> Self {
        Self { label: Some(label), depth: 0, term: None, value: vec![value] }
    }

    /// A value of several phrases with its label; `None` where there are none.
    pub fn from_phrases(label: Message, value: impl IntoIterator<Item = Message>) -> Option<Self> {
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
pub(crate) mod language_tests;
#[cfg(test)]
mod tests;
