//! A document in a terminal: aligned with spaces, colour only for emphasis, no line wider than the terminal.

mod table;

use super::{Doc, Fact, Item, Node};
use crate::lang::Lang;
use crate::text::layout::{Page, SPACE, Style, pad_end, plain, widest, width};

/// Spaces before what stands in a section.
const INDENT: &str = "  ";
/// Labels are no wider than this; longer ones have a line of their own.
const LABEL_COLUMNS_MAX: usize = 24;
/// In a narrow terminal they take no more than this part of its width.
const LABELS_SHARE: usize = 3;
/// Deeper parts of a fact are shown at this depth.
const DEPTH_MAX: u8 = 6;

/// The document as text.
pub fn render(doc: &Doc, lang: Lang, style: &Style) -> String {
    let mut page = Page::new(style);
    doc.title.iter().for_each(|title| page.prose("", &lang.text(title)));
    let label_columns = label_columns(&doc.nodes, lang).min(style.width / LABELS_SHARE);
    let mut writer = Writer { page, lang, label_columns };
    writer.nodes(&doc.nodes, "");
    writer.page.into_text()
}

struct Writer {
    page: Page,
    lang: Lang,
    /// Columns of the labels of facts, in all sections alike.
    label_columns: usize,
}

/// Columns that the labels of facts take.
fn label_columns(nodes: &[Node], lang: Lang) -> usize {
    let widths = nodes.iter().map(|node| match node {
        Node::Section(section) => label_columns(&section.nodes, lang),
        Node::Facts(facts) => widest(facts.iter().map(|fact| label(fact, lang))).min(LABEL_COLUMNS_MAX),
        _ => 0,
    });
    widths.max().unwrap_or(0)
}

fn label(fact: &Fact, lang: Lang) -> String {
    let depth = INDENT.repeat(fact.depth.min(DEPTH_MAX).into());
    fact.label.as_ref().map(|label| depth + &lang.text(label)).unwrap_or_default()
}

impl Writer {
    fn nodes(&mut self, nodes: &[Node], indent: &str) {
        for (at, node) in nodes.iter().enumerate() {
            // What stands in no section is apart from the rest.
            if indent.is_empty()
                && at > 0
                && !matches!(nodes[at - 1..=at], [Node::Paragraph(_), Node::Paragraph(_)])
            {
                self.page.gap();
            }
            match node {
                Node::Section(section) => {
                    self.page.head(&self.lang.text(&section.heading));
                    self.nodes(&section.nodes, INDENT);
                }
                Node::Paragraph(paragraph) => {
                    let text = self.lang.sentences(&paragraph.text);
                    self.page.toned(indent, &text, paragraph.tone);
                }
                Node::Facts(facts) => self.facts(facts, indent),
                Node::Items(items) => self.items(items, indent),
                Node::Table(table) => table::write(&mut self.page, table, self.lang, indent),
                Node::Commands(commands) => {
                    commands
                        .iter()
                        .for_each(|command| self.page.line(&format!("{INDENT}{}", plain(command))));
                }
            }
        }
    }

    fn facts(&mut self, facts: &[Fact], indent: &str) {
        let lang = self.lang;
        let labels = self.label_columns;
        let terms = widest(facts.iter().filter_map(|fact| fact.term.as_ref()).map(|term| lang.text(term)));
        for fact in facts {
            let label = label(fact, lang);
            let mut first = format!("{indent}{}", pad_end(&label, labels + SPACE));
            if width(&label) > labels {
                self.page.prose(indent, &label);
                first = " ".repeat(width(indent) + labels + SPACE);
            }
            if let Some(term) = &fact.term {
                first += &pad_end(&lang.text(term), terms + SPACE);
            }
            self.page.prose(&first, &lang.phrases(&fact.value));
        }
    }

    fn items(&mut self, items: &[Item], indent: &str) {
        let lang = self.lang;
        let labels = widest(items.iter().map(|item| lang.text(&item.label)));
        for item in items {
            let label = self.page.style().paint(item.tone, &lang.text(&item.label));
            let first = format!("{indent}{}", pad_end(&label, labels + SPACE));
            self.page.prose(&first, &lang.sentences(&item.text));
            let below = " ".repeat(width(&first));
            item.more.iter().for_each(|more| self.page.quiet_prose(&below, &lang.text(more)));
        }
    }
}
