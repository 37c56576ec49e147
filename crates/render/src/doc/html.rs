//! A document as HTML elements.

use super::{Bar, Drawing, Fact, Grade, Item, Node, Table};
use crate::html::Html;

/// Headings of the sections of a document, by their depth. A page has `h1` for its title.
const TAGS: [&str; 5] = ["h2", "h3", "h4", "h5", "h6"];

/// Draws a picture in a page, if there is something to draw.
pub(crate) type Draw<'d> = &'d dyn Fn(&mut Html, (&str, Drawing));

/// Writes parts of a document. Sections at its top have ids.
pub(crate) fn write(html: &mut Html, nodes: &[Node], draw: Draw<'_>) {
    nodes.iter().for_each(|node| match node {
        Node::Section(section) => {
            let head = format!("{}-head", section.id);
            html.element("section", &[("id", section.id), ("aria-labelledby", &head)], |html| {
                let heading = html.lang.text(&section.heading);
                html.words(TAGS[0], &[("id", &head)], &heading);
                write_at(html, (&section.nodes, &heading), 1, draw);
            });
        }
        node => write_at(html, (std::slice::from_ref(node), ""), 0, draw),
    });
}

/// Writes parts under a heading.
fn write_at(html: &mut Html, (nodes, under): (&[Node], &str), depth: usize, draw: Draw<'_>) {
    let lang = html.lang;
    for node in nodes {
        match node {
            Node::Section(section) => {
                let heading = lang.text(&section.heading);
                if section.is_folded {
                    html.element("details", &[], |html| {
                        html.words("summary", &[], &heading);
                        write_at(html, (&section.nodes, &heading), depth, draw);
                    });
                } else {
                    html.words(TAGS[depth.min(TAGS.len() - 1)], &[], &heading);
                    write_at(html, (&section.nodes, &heading), depth + 1, draw);
                }
            }
            Node::Paragraph(paragraph) => {
                let class = paragraph.tone.map(|tone| ("class", tone.class()));
                html.words("p", class.as_slice(), &lang.sentences(&paragraph.text));
            }
            Node::Facts(facts) => {
                html.element("dl", &[], |html| facts.iter().for_each(|entry| fact(html, entry)))
            }
            Node::Items(items) => {
                let has_subjects = items.iter().any(|item| item.subject.is_some());
                let class: &[_] = if has_subjects { &[("class", "cards")] } else { &[] };
                html.element("ul", class, |html| items.iter().for_each(|entry| item(html, entry)));
            }
            Node::Bars(bars) => html.element("table", &[("class", "bars")], |html| {
                bars.iter().for_each(|row| bar(html, row));
            }),
            Node::Grades(grades) => html.element("dl", &[("class", "grades")], |html| {
                grades.iter().for_each(|group| grade(html, group));
            }),
            Node::Table(table) => write_table(html, table, under),
            Node::Commands(commands) => html.element("pre", &[], |html| {
                html.words("code", &[], &commands.join("\n"));
            }),
            // A page has pictures of it.
            Node::Curve(_) => {}
            Node::Pictures(pictures) => html.element("div", &[("class", "pictures")], |html| {
                pictures
                    .iter()
                    .for_each(|picture| draw(html, (&lang.text(&picture.caption), picture.drawing)));
            }),
        }
    }
}

/// A test: its figure, a bar, and its tail.
fn bar(html: &mut Html, bar: &Bar) {
    let lang = html.lang;
    html.element("tr", &[], |html| {
        html.words("th", &[("scope", "row")], &lang.text(&bar.name));
        let class = if bar.is_figure { "number" } else { "quiet" };
        html.words("td", &[("class", class)], &lang.text(&bar.value));
        html.element("td", &[], |html| {
            if let Some(share) = bar.share {
                let style = format!("width:{:.0}%", share.clamp(0.01, 1.0) * 100.0);
                html.element("span", &[("class", "bar"), ("style", &style)], |_| {});
            }
        });
        html.words(
            "td",
            &[("class", "quiet")],
            &bar.note.as_ref().map(|note| lang.text(note)).unwrap_or_default(),
        );
    });
}

/// Purposes with one verdict.
fn grade(html: &mut Html, Grade { label, tone, purposes, figure }: &Grade) {
    let lang = html.lang;
    let class = tone.map(|tone| ("class", tone.class()));
    html.words("dt", class.as_slice(), &lang.text(label));
    html.element("dd", &[], |html| {
        html.text(&lang.phrases(purposes));
        let figure = figure.as_ref().map(|figure| format!(" {}", lang.text(figure)));
        figure.iter().for_each(|figure| html.words("span", &[("class", "quiet")], figure));
    });
}

fn fact(html: &mut Html, Fact { label, depth, term, value }: &Fact) {
    let lang = html.lang;
    let depth = "\u{2003}".repeat((*depth).into());
    label.iter().for_each(|label| html.words("dt", &[], &(depth.clone() + &lang.text(label))));
    let value = lang.phrases(value);
    let text = term.as_ref().map_or_else(|| value.clone(), |term| format!("{}: {value}", lang.text(term)));
    html.words("dd", &[], &text);
}

fn item(html: &mut Html, Item { subject, label, tone, text, grounds, more }: &Item) {
    let lang = html.lang;
    html.element("li", &[], |html| {
        if let Some(subject) = subject {
            html.words("strong", &[], &lang.text(&subject.name));
            html.text(": ");
        }
        let class = tone.map(|tone| ("class", tone.class()));
        html.words("span", class.as_slice(), &lang.text(label));
        if let Some(subject) = subject {
            html.words("p", &[("class", "quiet")], &lang.text(&subject.about));
        }
        match (text.is_empty(), subject) {
            (true, _) => {}
            (false, Some(_)) => html.words("p", &[], &lang.sentences(text)),
            (false, None) => {
                html.text(": ");
                html.words("span", &[], &lang.sentences(text));
            }
        }
        grounds.iter().for_each(|ground| html.words("p", &[], &lang.text(ground)));
        if !more.is_empty() {
            html.words("p", &[("class", "quiet")], &lang.sentences(more));
        }
    });
}

fn write_table(html: &mut Html, table: &Table, under: &str) {
    let lang = html.lang;
    let caption = table.caption.as_ref().map(|caption| lang.text(caption));
    html.table(caption.as_deref(), under, &table.indented_grid(lang));
    let notes = table.legends(lang).chain(table.notes.iter().map(|note| lang.text(note)));
    notes.for_each(|note| html.words("p", &[("class", "quiet")], &note));
}
