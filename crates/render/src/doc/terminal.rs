//! A document in a terminal: aligned with spaces, colour only for emphasis, no line wider than the terminal.

mod bars;
pub(super) mod curve;
mod table;

use super::{Doc, Fact, Item, Node, Paragraph};
use crate::lang::Lang;
use crate::text::layout::{INDENT, Page, SPACE, Style, Tone, pad_end, plain, widest, width};

/// Maximum width of labels; longer ones get a separate line.
const LABEL_COLUMNS_MAX: usize = 24;
/// If labels of items are wider, the text follows each label directly.
const ITEM_LABEL_COLUMNS_MAX: usize = 16;
/// With less room the text of an item gets a separate line.
const TEXT_COLUMNS_MIN: usize = 24;
/// Labels take at most one of this many parts of a narrow terminal.
const LABELS_SHARE: usize = 3;
/// Maximum depth shown.
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
    /// Columns of the labels of facts, the same in all sections.
    label_columns: usize,
}

/// The columns for the labels of facts.
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
            // Content outside sections is set apart.
            let is_joined = at > 0
                && matches!(
                    nodes[at - 1..=at],
                    [Node::Paragraph(_) | Node::Grades(_), Node::Paragraph(_)]
                        // A legend belongs to its table or rows.
                        | [Node::Table(_) | Node::Bars(_), Node::Paragraph(Paragraph { tone: Some(Tone::Quiet), .. })]
                        | [Node::Items(_) | Node::Bars(_), Node::Items(_)]
                );
            if indent.is_empty() && at > 0 && !is_joined {
                self.page.gap();
            }
            match node {
                Node::Section(section) => {
                    self.page.gap();
                    self.page.prose(indent, &self.lang.text(&section.heading));
                    self.nodes(&section.nodes, &format!("{indent}{INDENT}"));
                }
                Node::Paragraph(paragraph) => {
                    let text = self.lang.sentences(&paragraph.text);
                    self.page.toned(indent, &text, paragraph.tone);
                }
                Node::Facts(facts) => self.facts(facts, indent),
                Node::Items(items) => self.items(items, indent),
                Node::Bars(bars) => bars::write(&mut self.page, bars, self.lang),
                Node::Grades(grades) => bars::write_grades(&mut self.page, grades, self.lang),
                Node::Table(table) => table::write(&mut self.page, table, self.lang, indent),
                Node::Commands(commands) => {
                    commands
                        .iter()
                        .for_each(|command| self.page.line(&format!("{INDENT}{}", plain(command))));
                }
                Node::Curve(speeds) => {
                    let room = self.page.style().width.saturating_sub(width(indent));
                    let bars = curve::bars(speeds, room);
                    bars.iter().for_each(|bars| self.page.line(&format!("{indent}{bars}")));
                }
                Node::Pictures(_) => {}
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
        let subjects = Subjects::measure(items, indent, labels, self);
        for item in items {
            let text = lang.sentences(&item.text);
            let label = self.page.style().paint(item.tone, &lang.text(&item.label));
            let first = format!("{indent}{}{}", subjects.text(item, self), pad_end(&label, labels + SPACE));
            let mut below = " ".repeat(width(&first));
            if labels > ITEM_LABEL_COLUMNS_MAX {
                below = format!("{indent}{INDENT}");
                self.page.hanging(indent, &format!("{}: {text}", lang.text(&item.label)));
            } else if width(&first) + width(&text).min(TEXT_COLUMNS_MIN) <= self.page.style().width {
                self.page.prose(&first, &text);
            } else {
                self.page.line(&first);
                below = format!("{indent}{INDENT}");
                self.page.prose(&below, &text);
            }
            if item.subject.is_some() {
                below = format!("{indent}{INDENT}");
            }
            item.grounds.iter().for_each(|ground| self.page.prose(&below, &lang.text(ground)));
            if !item.more.is_empty() {
                self.page.quiet_prose(&below, &lang.sentences(&item.more));
            }
        }
    }
}

/// The columns before the labels of items.
struct Subjects {
    /// Columns of their names.
    names: usize,
    /// Columns of their descriptions; 0 if there is no room.
    abouts: usize,
}

impl Subjects {
    fn measure(items: &[Item], indent: &str, labels: usize, writer: &Writer) -> Self {
        let lang = writer.lang;
        let subjects = || items.iter().filter_map(|item| item.subject.as_ref());
        let columns = |widest: usize| if widest == 0 { 0 } else { widest + SPACE };
        let names = columns(widest(subjects().map(|subject| lang.text(&subject.name))));
        let abouts = columns(widest(subjects().map(|subject| lang.text(&subject.about))));
        let texts = widest(items.iter().map(|item| lang.sentences(&item.text)));
        let all = width(indent) + names + abouts + labels + SPACE + texts;
        Self { names, abouts: if all <= writer.page.style().width { abouts } else { 0 } }
    }

    fn text(&self, item: &Item, writer: &Writer) -> String {
        let text = |part: fn(&super::Subject) -> &cardiograph_core::Message| {
            item.subject.as_ref().map(|subject| writer.lang.text(part(subject))).unwrap_or_default()
        };
        let name = pad_end(&text(|subject| &subject.name), self.names);
        if self.abouts == 0 {
            return name;
        }
        name + &writer.page.style().paint(Tone::Quiet, &pad_end(&text(|subject| &subject.about), self.abouts))
    }
}
