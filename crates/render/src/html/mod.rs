//! A Report as a single HTML file, without scripts or network access, for screen, paper and screen readers.
//!
//! The document is [`doc::report::page`]; this module adds the page around it: head, table of contents,
//! pictures, and the Report as data (`raw`). `builder` makes elements and escapes text.

pub(crate) mod builder;
mod pictures;
mod raw;

use builder::Html;
use cardiograph_core::{Message, Parameter, Report, message};
use cardiograph_judge::compare::Comparison;

use crate::doc::{self, Doc, Drawing, Node};
use crate::lang::Lang;
use crate::plot;

const STYLE: &str = include_str!("style.css");

/// The page of a Report in a language.
pub fn report(report: &Report, lang: Lang) -> String {
    let draw = |html: &mut Html, picture: (&str, _)| pictures::draw(html, report, picture);
    page(&doc::page(report), lang, &draw, Some(report))
}

/// The page of a comparison, with its picture.
pub fn comparison(comparison: &Comparison, doc: &Doc, lang: Lang) -> String {
    let draw = |html: &mut Html, (caption, _): (&str, Drawing)| {
        pictures::draw_comparison(html, comparison, caption);
    };
    let names = comparison.groups.iter().map(|group| group.name.as_str());
    let title = Some(Message::quantity(Parameter::all(names)));
    page(&Doc { title, ..doc.clone() }, lang, &draw, None)
}

/// The page of another document. It has no pictures.
pub fn document(doc: &Doc, lang: Lang) -> String {
    page(doc, lang, &|_, _| {}, None)
}

/// A page of a document, and of a Report also its data.
fn page(doc: &Doc, lang: Lang, draw: doc::html::Draw<'_>, data: Option<&Report>) -> String {
    let Doc { title, nodes } = doc;
    let title = title.as_ref().map(|title| lang.text(title));
    let title = title.unwrap_or_else(|| lang.text(&message!("page-untitled")));
    let is_section = |node: &Node| matches!(node, Node::Section(_));
    let (head, sections) = nodes.split_at(nodes.iter().position(is_section).unwrap_or(nodes.len()));
    let mut html = Html::new(lang);
    html.element("html", &[("lang", lang.code())], |html| {
        html.element("head", &[], |html| {
            html.void("meta", &[("charset", "utf-8")]);
            html.void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
            html.words("title", &[], &title);
            html.style(&[STYLE, &plot::Theme::Auto.style()]);
        });
        html.element("body", &[], |html| {
            // A fake has none.
            if sections.iter().any(|node| matches!(node, Node::Section(section) if section.id == "verdicts"))
            {
                let skip = [("class", "skip"), ("href", "#verdicts")];
                html.words("a", &skip, &lang.text(&message!("page-skip")));
            }
            html.element("header", &[], |html| {
                html.words("h1", &[], &title);
                doc::html::write(html, head, draw);
                if let Some(report) = data {
                    banner(html, report, draw);
                }
            });
            if let Some(report) = data {
                let label = lang.text(&message!("page-sections"));
                html.element("nav", &[("aria-label", &label)], |html| contents(html, sections));
                html.element("main", &[], |html| {
                    doc::html::write(html, sections, draw);
                    raw::write(html, report);
                });
            } else {
                html.element("main", &[], |html| doc::html::write(html, sections, draw));
            }
        });
    });
    format!("<!DOCTYPE html>\n{}", html.into_text())
}

/// The answer in a sentence, with the figures that people quote.
fn banner(html: &mut Html, report: &Report, draw: doc::html::Draw<'_>) {
    let (nodes, figures) = doc::banner(report);
    if nodes.is_empty() && figures.is_empty() {
        return;
    }
    let lang = html.lang;
    html.element("div", &[("class", "banner")], |html| {
        doc::html::write(html, &nodes, draw);
        if figures.is_empty() {
            return;
        }
        html.element("dl", &[("class", "key")], |html| {
            for figure in &figures {
                html.element("div", &[], |html| {
                    html.words("dt", &[], &lang.text(&figure.name));
                    html.words("dd", &[], &lang.text(&figure.value));
                    let note = figure.note.as_ref().map(|note| lang.text(note));
                    note.iter().for_each(|note| html.words("dd", &[("class", "quiet")], note));
                });
            }
        });
    });
}

fn contents(html: &mut Html, nodes: &[Node]) {
    let lang = html.lang;
    let sections = nodes.iter().filter_map(|node| match node {
        Node::Section(section) => Some((section.id, lang.text(&section.heading))),
        _ => None,
    });
    let raw = (raw::ID, lang.text(&message!("page-raw")));
    html.element("ul", &[], |html| {
        for (id, heading) in sections.chain([raw]) {
            html.element("li", &[], |html| html.words("a", &[("href", &format!("#{id}"))], &heading));
        }
    });
}

#[cfg(test)]
mod tests;
