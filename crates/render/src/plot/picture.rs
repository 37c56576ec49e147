//! A finished picture, as a separate file or inside a page.

use super::canvas::{Anchor, Canvas, escaped};
use super::letters::{LEADING, lines};
use crate::lang::Lang;

/// The style of all pictures, for light and dark backgrounds: included once in a page, or in each SVG file.
pub const STYLE: &str = include_str!("style.css");

/// Minimum width of a picture.
pub const WIDTH_MIN: u32 = 280;
/// Maximum width of a picture.
pub const WIDTH_MAX: u32 = 4_000;

/// Settings of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// Width of a picture, in its units: CSS pixels where it is not scaled. From [`WIDTH_MIN`] to [`WIDTH_MAX`].
    pub width: u32,
    /// Language of the labels.
    pub lang: Lang,
}

/// A picture: its title, its description for readers who cannot see it, and the drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Its title.
    pub title: String,
    /// Its description: sentences; may be empty.
    pub description: String,
    /// Width in units.
    pub width: u32,
    /// Height in units.
    pub height: u32,
    /// Language of its labels: a Japanese picture has one font for all.
    pub lang: Lang,
    pub(super) body: String,
}

impl Picture {
    /// As an element of a page that includes [`STYLE`] and shows the title. It takes the width of its
    /// container.
    pub fn inline(&self) -> String {
        let Self { title, description, width, height, body, lang } = self;
        let lang = lang.code();
        format!(
            "<svg class=\"plot\" lang=\"{lang}\" role=\"img\" viewBox=\"0 0 {width} {height}\"><title>{}</title><desc>{}</desc>\n{body}</svg>\n",
            escaped(title),
            escaped(description)
        )
    }

    /// As a separate file, with the title above.
    pub fn file(&self) -> String {
        let Self { title, description, width, body, .. } = self;
        let lang = self.lang.code();
        let mut heading = Canvas::default();
        // The title is larger than other text, and bold.
        let rows = lines(title, (f64::from(*width) - 24.0) * 0.7);
        for (at, line) in rows.iter().enumerate() {
            heading.text("title", Anchor::Start, (6.0, 24.0 + at as f64 * 20.0), line);
        }
        let above = 16.0 + rows.len() as f64 * 20.0;
        let height = f64::from(self.height) + above + LEADING / 2.0;
        let mut ground = Canvas::default();
        ground.rect("ground", (0.0, 0.0), (f64::from(*width), height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" lang=\"{lang}\" role=\"img\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 \
             {width} {height}\">\n<title>{}</title>\n<desc>{}</desc>\n<style>{STYLE}</style>\n{}{}<g transform=\"translate(0 \
             {above})\">\n{body}</g>\n</svg>\n",
            escaped(title),
            escaped(description),
            ground.into_svg(),
            heading.into_svg(),
        )
    }
}
