//! Pages: of a Report, a comparison or another document, for screen, paper and screen readers; readable without
//! scripts.
//!
//! The documents are [`doc::report::page`] and others; this module adds the page around them: head, table of contents,
//! pictures, and the Report as data (`raw`). `builder` makes elements and escapes text. A page is a single file without
//! network access, or stands in the [`Frame`] of a server.

mod builder;
mod pictures;
mod raw;

pub use builder::Html;

use cardiograph_core::{Message, Parameter, Report, message};
use cardiograph_judge::compare::Comparison;

use crate::doc::{self, Bar, Doc, Drawing, Node};
use crate::lang::Lang;
use crate::plot::{self, Kind, View};

const STYLE: &str = include_str!("style.css");

/// What surrounds the content of a page: nothing, or what a server puts there.
pub trait Frame {
    /// Adds to the head of the page. What a single file carries itself, a server has as [`styles`].
    fn head(&self, html: &mut Html);

    /// Adds what stands above the content.
    fn above(&self, html: &mut Html);
}

/// The frame of a single file.
struct Alone;

impl Frame for Alone {
    fn head(&self, html: &mut Html) {
        html.style(&styles());
    }

    fn above(&self, _: &mut Html) {}
}

/// The style sheet of all pages.
pub fn styles() -> String {
    [STYLE, &plot::Theme::Auto.style()].concat()
}

/// A page: its title, and what `body` adds.
pub fn framed(title: &str, lang: Lang, frame: &dyn Frame, body: impl FnOnce(&mut Html)) -> String {
    let mut html = Html::new(lang);
    html.element("html", &[("lang", lang.code())], |html| {
        html.element("head", &[], |html| {
            html.void("meta", &[("charset", "utf-8")]);
            html.void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
            html.words("title", &[], title);
            frame.head(html);
        });
        html.element("body", &[], |html| {
            frame.above(html);
            body(html);
        });
    });
    format!("<!DOCTYPE html>\n{}", html.into_text())
}

/// The page of a Report in a language.
pub fn report(report: &Report, lang: Lang) -> String {
    report_in(&Alone, report, lang)
}

/// The page of a Report in a frame.
pub fn report_in(frame: &dyn Frame, report: &Report, lang: Lang) -> String {
    let draw = |html: &mut Html, picture: (&str, _)| pictures::draw(html, report, picture);
    page(frame, &doc::page(report), lang, &draw, Some(report))
}

/// The page of a comparison, with its picture.
pub fn comparison(comparison: &Comparison, doc: &Doc, lang: Lang) -> String {
    let draw = |html: &mut Html, (caption, _): (&str, Drawing)| {
        pictures::draw_comparison(html, comparison, caption);
    };
    page(&Alone, &titled(comparison, doc), lang, &draw, None)
}

/// Adds a comparison with its picture to a page.
pub fn add_comparison(html: &mut Html, comparison: &Comparison, doc: &Doc) {
    let draw = |html: &mut Html, (caption, _): (&str, Drawing)| {
        pictures::draw_comparison(html, comparison, caption);
    };
    doc::html::write(html, &doc.nodes, &draw);
}

/// Adds parts of a document without pictures to a page.
pub fn add(html: &mut Html, nodes: &[Node]) {
    doc::html::write(html, nodes, &|_, _| {});
}

fn titled(comparison: &Comparison, doc: &Doc) -> Doc {
    let names = comparison.groups.iter().map(|group| group.name.as_str());
    Doc { title: Some(Message::quantity(Parameter::all(names))), ..doc.clone() }
}

/// The page of another document. It has no pictures.
pub fn document(doc: &Doc, lang: Lang) -> String {
    page(&Alone, doc, lang, &|_, _| {}, None)
}

/// A page of a document, and of a Report also its data.
fn page(
    frame: &dyn Frame,
    doc: &Doc,
    lang: Lang,
    draw: doc::html::Draw<'_>,
    data: Option<&Report>,
) -> String {
    let Doc { title, nodes } = doc;
    let title = title.as_ref().map(|title| lang.text(title));
    let title = title.unwrap_or_else(|| lang.text(&message!("page-untitled")));
    let is_section = |node: &Node| matches!(node, Node::Section(_));
    let (head, sections) = nodes.split_at(nodes.iter().position(is_section).unwrap_or(nodes.len()));
    framed(&title, lang, frame, |html| {
        // A fake has none.
        if sections.iter().any(|node| matches!(node, Node::Section(section) if section.id == "verdicts")) {
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
            html.element("main", &[("id", "main")], |html| {
                doc::html::write(html, sections, draw);
                raw::write(html, report);
            });
        } else {
            html.element("main", &[("id", "main")], |html| doc::html::write(html, sections, draw));
        }
    })
}

/// The answer in a sentence, with the figures that people quote.
fn banner(html: &mut Html, report: &Report, draw: doc::html::Draw<'_>) {
    let (nodes, figures) = (doc::banner(report), doc::banner_rows(report));
    if nodes.is_empty() && figures.is_empty() {
        return;
    }
    html.element("div", &[("class", "banner")], |html| {
        doc::html::write(html, &nodes, draw);
        key_figures(html, &figures);
    });
}

/// Adds figures that people quote.
pub fn key_figures(html: &mut Html, figures: &[Bar]) {
    if figures.is_empty() {
        return;
    }
    let lang = html.lang;
    html.element("dl", &[("class", "key")], |html| {
        for figure in figures {
            html.element("div", &[], |html| {
                html.words("dt", &[], &lang.text(&figure.name));
                html.words("dd", &[], &lang.text(&figure.value));
                let note = figure.note.as_ref().map(|note| lang.text(note));
                note.iter().for_each(|note| html.words("dd", &[("class", "quiet")], note));
            });
        }
    });
}

/// Adds a picture of several Reports in both widths, if there is anything to draw.
pub fn add_picture(html: &mut Html, kind: Kind, reports: &[&Report]) {
    let draw = |width| plot::picture(kind, reports, None, View { width, lang: html.lang });
    if let Ok((wide, narrow)) = draw(pictures::WIDE).and_then(|wide| Ok((wide, draw(pictures::NARROW)?))) {
        html.picture(&kind.title(html.lang), &wide, &narrow);
    }
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
