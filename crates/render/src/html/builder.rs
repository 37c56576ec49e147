//! Builds HTML. Text is escaped when it is added; only finished parts are added verbatim.

use crate::grid::Grid;
use crate::lang::Lang;
use crate::plot::{Picture, escaped};
use crate::text::plain;

/// Attributes of an element. Names are ours; values are escaped.
pub type Attributes<'a> = &'a [(&'static str, &'a str)];

/// A page, or a part of it, built from elements.
#[derive(Debug)]
pub struct Html {
    text: String,
    /// The language of the page.
    pub lang: Lang,
}

impl Html {
    /// An empty part.
    pub fn new(lang: Lang) -> Self {
        Self { text: String::new(), lang }
    }

    /// An element with the content written by `inside`.
    pub fn element(&mut self, tag: &'static str, attributes: Attributes<'_>, inside: impl FnOnce(&mut Html)) {
        self.open(tag, attributes);
        inside(self);
        self.text.push_str(&format!("</{tag}>"));
        // Line breaks are visible after these elements.
        if !matches!(tag, "code" | "a" | "strong" | "span" | "td" | "th") {
            self.text.push('\n');
        }
    }

    fn open(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.text.push('<');
        self.text.push_str(tag);
        for (name, value) in attributes {
            self.text.push_str(&format!(" {name}=\"{}\"", escaped(value)));
        }
        self.text.push('>');
    }

    /// An element without content, such as `meta`.
    pub fn void(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.open(tag, attributes);
        self.text.push('\n');
    }

    /// Escaped text.
    pub fn text(&mut self, text: &str) {
        self.text.push_str(&escaped(&plain(text)));
    }

    /// A finished part, verbatim.
    pub(crate) fn made(&mut self, html: &str) {
        self.text.push_str(html);
    }

    /// An element with text in the language of the page.
    pub fn words(&mut self, tag: &'static str, attributes: Attributes<'_>, text: &str) {
        self.element(tag, attributes, |html| html.text(text));
    }

    /// Our own style sheet.
    pub(crate) fn style(&mut self, sheet: &str) {
        self.text.push_str(&format!("<style>\n{sheet}</style>\n"));
    }

    /// JSON for scripts, without any '<'.
    pub fn data(&mut self, id: &str, json: &str) {
        let id = escaped(id);
        self.text.push_str(&format!("<script type=\"application/json\" id=\"{id}\">{json}</script>\n"));
    }

    /// A picture in two widths: the page shows the one that fits.
    pub(crate) fn picture(&mut self, caption: &str, wide: &Picture, narrow: &Picture) {
        self.element("figure", &[], |html| {
            html.words("figcaption", &[], caption);
            for (class, picture) in [("wide", wide), ("narrow", narrow)] {
                html.element("div", &[("class", class)], |html| html.made(&picture.inline()));
            }
        });
    }

    /// A region that scrolls sideways if it is too wide, with its name for screen readers.
    pub fn scrolling(&mut self, label: &str, inside: impl FnOnce(&mut Html)) {
        let region = [("class", "scroll"), ("role", "region"), ("aria-label", label), ("tabindex", "0")];
        self.element("div", &region, inside);
    }

    /// A table, which scrolls sideways if it is too wide. Without a caption, the heading above has its name.
    pub(crate) fn table(&mut self, caption: Option<&str>, under: &str, grid: &Grid) {
        self.scrolling(caption.unwrap_or(under), |html| {
            html.element("table", &[], |html| {
                caption.iter().for_each(|caption| html.words("caption", &[], caption));
                html.element("thead", &[], |html| html.element("tr", &[], |html| html.headings(grid)));
                html.element("tbody", &[], |html| grid.rows.iter().for_each(|row| html.row(row, grid)));
            });
        });
    }

    fn headings(&mut self, grid: &Grid) {
        let attributes = [("scope", "col"), ("class", "number")];
        for (heading, &is_number) in grid.headings.iter().zip(&grid.is_number) {
            match heading.as_str() {
                // An empty cell is not a heading.
                "" => self.words("td", &[], ""),
                heading => self.words("th", &attributes[..1 + usize::from(is_number)], heading),
            }
        }
    }

    /// A row: its head, and cells.
    fn row(&mut self, cells: &[String], grid: &Grid) {
        self.element("tr", &[], |html| {
            for (at, (cell, &is_number)) in cells.iter().zip(&grid.is_number).enumerate() {
                match (at, is_number) {
                    (0, _) => html.words("th", &[("scope", "row")], cell),
                    (_, true) => html.words("td", &[("class", "number")], cell),
                    (_, false) => html.words("td", &[], cell),
                }
            }
        });
    }

    /// What was built.
    pub fn into_text(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let mut html = Html::new(Lang::JA);
        html.element("p", &[("title", "a\"b<")], |html| html.text("<script>&\u{1b}"));
        assert_eq!(html.into_text(), "<p title=\"a&quot;b&lt;\">&lt;script&gt;&amp;\u{fffd}</p>\n");
    }
}
