//! A document as HTML elements.

use super::{Fact, Item, Node, Table};
use crate::html::builder::Html;

/// Headings of the sections of a document stand on this level of its page.
const TAGS: [&str; 4] = ["h3", "h4", "h5", "h6"];

/// Writes parts of a document, whose sections have headings of the first level of [`TAGS`].
pub fn write(html: &mut Html, nodes: &[Node]) {
    write_at(html, nodes, 0);
}

fn write_at(html: &mut Html, nodes: &[Node], depth: usize) {
    let lang = html.lang;
    for node in nodes {
        match node {
            Node::Section(section) => {
                html.words(TAGS[depth.min(TAGS.len() - 1)], &[], &lang.text(&section.heading));
                write_at(html, &section.nodes, depth + 1);
            }
            Node::Paragraph(paragraph) => {
                let class = paragraph.tone.map(|tone| ("class", tone.class()));
                html.words("p", class.as_slice(), &lang.sentences(&paragraph.text));
            }
            Node::Facts(facts) => html.element("dl", &[], |html| facts.iter().for_each(|of| fact(html, of))),
            Node::Items(items) => html.element("ul", &[], |html| items.iter().for_each(|of| item(html, of))),
            Node::Table(table) => write_table(html, table),
            Node::Commands(commands) => html.element("pre", &[], |html| {
                html.words("code", &[], &commands.join("\n"));
            }),
        }
    }
}

fn fact(html: &mut Html, Fact { label, depth, term, value }: &Fact) {
    let lang = html.lang;
    let depth = "\u{2003}".repeat((*depth).into());
    label.iter().for_each(|label| html.words("dt", &[], &(depth.clone() + &lang.text(label))));
    let value = lang.phrases(value);
    let text = term.as_ref().map_or_else(|| value.clone(), |term| format!("{}: {value}", lang.text(term)));
    html.words("dd", &[], &text);
}

fn item(html: &mut Html, Item { label, tone, text, more }: &Item) {
    let lang = html.lang;
    html.element("li", &[], |html| {
        let class = tone.map(|tone| ("class", tone.class()));
        html.words("span", class.as_slice(), &lang.text(label));
        html.text(": ");
        html.words("span", &[], &lang.sentences(text));
        more.iter().for_each(|more| html.words("p", &[("class", "quiet")], &lang.text(more)));
    });
}

fn write_table(html: &mut Html, table: &Table) {
    let lang = html.lang;
    let grid = table.grid(lang);
    html.table(&table.caption.as_ref().map(|caption| lang.text(caption)).unwrap_or_default(), &grid);
    table.notes.iter().for_each(|note| html.words("p", &[("class", "quiet")], &lang.text(note)));
}
