//! Documents for people, independent of the medium: sections, facts, tables, sentences. Each medium is a file
//! that writes every kind of [`Node`]; documents know none of them. Text is a [`Message`]; text from outside
//! is verbatim.

pub mod csv;
pub(crate) mod html;
pub mod markdown;
pub mod terminal;

pub(crate) mod comparison;
pub(crate) mod details;
pub(crate) mod dots;
mod drive;
pub mod explain;
mod glance;
mod header;
mod history;
pub(crate) mod passport;
pub(crate) mod report;
mod shelf;
mod unit;
pub(crate) mod words;

use cardiograph_core::{Message, Parameter, units};
use serde::{Deserialize, Serialize};

use crate::grid::Grid;
use crate::lang::Lang;
use crate::plot::Kind;
use crate::text::layout::Tone;

pub use comparison::{Extent, comparison, comparison_pairs, comparison_rows};
pub use details::details;
pub use dots::{Dot, Dots};
pub use drive::{DriveCard, drive_card, drive_event, drive_events, drive_words, limits_around, metric_name};
pub use glance::{Additions, Bar, Grade, announcement, bars_of, change, effort, ending, glance};
pub(crate) use glance::{banner, banner_rows};
pub use header::{HeaderFacts, Writes, header};
pub use history::{HEADLINES, history, history_first, over_time, runs, when};
pub use passport::{drives, passport};
pub use report::verdicts::deciding_figure;
pub use report::verdicts::finding::in_unit;
pub(crate) use report::warnings;
pub use report::{article, drive_sections, page, report};
pub use shelf::{shelf, shelf_sources, standings};
pub use unit::Unit;

/// A document.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Doc {
    /// Its title; lists have none.
    pub title: Option<Message>,
    /// Its content.
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
    /// Items of one kind, one below the other.
    Items(Vec<Item>),
    /// Figures in rows and columns.
    Table(Table),
    /// Tests with their figures and bars, a row each.
    Bars(Vec<Bar>),
    /// Purposes by verdict.
    Grades(Vec<Grade>),
    /// Commands to copy.
    Commands(Vec<String>),
    /// Speed over time, in bytes per second for windows of equal length: its shape at a glance.
    Curve(Vec<f64>),
    /// Pictures side by side, if the medium has pictures.
    Pictures(Vec<Picture>),
}

/// A picture of the document's Report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Picture {
    /// What it shows.
    pub caption: Message,
    /// Its drawing.
    pub drawing: Drawing,
}

/// Drawings of a Report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Drawing {
    /// The figures of all tests.
    Tests,
    /// Speed over the whole timeline of writing measured in pieces.
    #[serde(rename = "course")]
    Timeline,
    /// The table with this index, as a heat map.
    Table(usize),
    /// The figures of a comparison.
    Comparison,
    /// The step with this index.
    Step(usize, #[serde(serialize_with = "kind_name")] Kind),
}

fn kind_name<S: serde::Serializer>(kind: &Kind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

/// Parts under a heading.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Section {
    /// Its name in links, such as `verdicts`. Not unique: each drive has the same sections.
    pub id: &'static str,
    /// Its heading.
    pub heading: Message,
    /// Whether it is for those who look for it: a page shows only the heading until it is opened.
    pub is_folded: bool,
    /// Its content.
    pub nodes: Vec<Node>,
}

/// Sentences that follow each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Paragraph {
    /// How good or important it is.
    pub tone: Option<Tone>,
    /// The sentences.
    pub text: Vec<Message>,
}

/// A value with its label.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fact {
    /// Its label; `None` for a further value of the fact above.
    pub label: Option<Message>,
    /// Its depth below the fact above: 0, or more for its parts.
    pub depth: u8,
    /// A name explained by the value, such as a mark of a card.
    pub term: Option<Message>,
    /// The value: phrases of one kind, as a list.
    pub value: Vec<Message>,
}

/// An item of a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Item {
    /// Its subject, if the label is a state of the subject.
    pub subject: Option<Subject>,
    /// A word for its kind or state, or a name.
    pub label: Message,
    /// How good or important it is.
    pub tone: Option<Tone>,
    /// Its sentences.
    pub text: Vec<Message>,
    /// Its evidence, a line each.
    pub grounds: Vec<Message>,
    /// Further, less important sentences.
    pub more: Vec<Message>,
}

/// The subject of an item.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Subject {
    /// Its name, as used in commands.
    pub name: Message,
    /// Its description; left out if there is no room.
    pub about: Message,
}

/// Figures in rows and columns.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// What it shows.
    pub caption: Option<Message>,
    /// The heading of the column of names.
    pub names: Option<Message>,
    /// The columns after the names.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Row>,
    /// Notes on its figures, a paragraph each.
    pub notes: Vec<Message>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Column {
    /// Its heading, without the unit.
    pub heading: Message,
    /// The common unit of its figures, if any: cells are bare numbers then.
    pub unit: Option<Unit>,
    /// Whether it holds figures, which are aligned to the right.
    pub is_number: bool,
    /// Columns with a higher rank are dropped first if there is no room; those with 0 never. Phrases of a
    /// dropped column stand below their rows.
    pub rank: u8,
    /// What its marks mean, below the table; empty if they speak for themselves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub legend: Vec<Message>,
}

/// A row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Name of the row.
    pub name: Message,
    /// Its depth below the row above: 0, or more for its parts.
    pub depth: u8,
    /// A cell for each column.
    pub cells: Vec<Cell>,
}

/// A cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cell {
    /// No such figure.
    Empty,
    /// A figure not shown because it is not the drive's, or has too few samples.
    Withheld,
    /// A figure with its unit.
    Value(Parameter),
    /// A phrase.
    Text(Message),
    /// Values of several groups on a line, if the medium is text of fixed width.
    Dots(Dots),
}

impl Doc {
    /// A document without a title.
    pub const fn untitled(nodes: Vec<Node>) -> Self {
        Self { title: None, nodes }
    }
}

impl Table {
    /// What the marks in its columns mean, a paragraph a column.
    pub(crate) fn legends(&self, lang: Lang) -> impl Iterator<Item = String> {
        let legends = self.columns.iter().filter(|column| !column.legend.is_empty());
        legends.map(move |column| lang.sentences(&column.legend))
    }

    /// The same with indented names of parts, for media without another way to show the former.
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
    /// A column of figures with a common unit, which is never dropped.
    pub const fn with_unit(heading: Message, unit: Unit) -> Self {
        Self { heading, unit: Some(unit), is_number: true, rank: 0, legend: Vec::new() }
    }

    /// A column of figures with their own units, with a rank.
    pub const fn figures(heading: Message, rank: u8) -> Self {
        Self { heading, unit: None, is_number: true, rank, legend: Vec::new() }
    }

    /// A column of phrases, with a rank: if it is dropped, they stand below their rows.
    pub const fn text(heading: Message, rank: u8) -> Self {
        Self { heading, unit: None, is_number: false, rank, legend: Vec::new() }
    }

    /// The heading with the unit's sign.
    fn label(&self, lang: Lang) -> String {
        let sign = self.unit.map_or("", |unit| unit.sign(lang));
        format!("{} {sign}", lang.text(&self.heading)).trim().to_string()
    }
}

impl Cell {
    /// A figure, or an empty cell.
    pub fn from_value(value: Option<Parameter>) -> Self {
        value.map_or(Self::Empty, Self::Value)
    }

    /// The cell as text in a language: empty if there is no such figure, a dash if it is withheld.
    pub(crate) fn text(&self, unit: Option<Unit>, lang: Lang) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Withheld => units::NO_FIGURE.to_string(),
            Self::Value(value) => match unit {
                Some(unit) => unit.number(value, lang),
                None => lang.value(value),
            },
            Self::Text(text) => lang.text(text),
            Self::Dots(dots) => dots.text(),
        }
    }
}

impl Node {
    /// A section; `None` if it would be empty.
    pub fn section(id: &'static str, heading: Message, nodes: Vec<Self>) -> Option<Self> {
        (!nodes.is_empty()).then_some(Self::Section(Section { id, heading, is_folded: false, nodes }))
    }

    /// A folded section; `None` if it would be empty.
    pub fn folded(id: &'static str, heading: Message, nodes: Vec<Self>) -> Option<Self> {
        (!nodes.is_empty()).then_some(Self::Section(Section { id, heading, is_folded: true, nodes }))
    }

    /// A section of facts; `None` if there are none.
    pub fn facts(id: &'static str, heading: Message, facts: Vec<Fact>) -> Option<Self> {
        Self::section(id, heading, Self::from_facts(facts))
    }

    /// A node of facts, if there are any.
    pub fn from_facts(facts: Vec<Fact>) -> Vec<Self> {
        if facts.is_empty() { Vec::new() } else { vec![Self::Facts(facts)] }
    }

    /// A node of items, if there are any.
    pub fn from_items(items: Vec<Item>) -> Vec<Self> {
        if items.is_empty() { Vec::new() } else { vec![Self::Items(items)] }
    }

    /// A node of rows, if there are any.
    pub fn from_bars(bars: Vec<Bar>) -> Vec<Self> {
        if bars.is_empty() { Vec::new() } else { vec![Self::Bars(bars)] }
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
    /// An item with only a label and sentences.
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

    /// A value of several phrases with its label; `None` if there are none.
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
