//! A finished picture, as a file of its own or inside a page.

use super::canvas::{Anchor, Canvas, escaped};
use super::letters::{LEADING, lines};
use crate::lang::Lang;

/// What all pictures look like, in light and in dark surroundings: goes into a page once, or into each SVG file.
pub const STYLE: &str = include_str!("style.css");

/// Narrower than this no picture is drawn.
pub const WIDTH_MIN: u32 = 280;
/// Wider than this none is drawn.
pub const WIDTH_MAX: u32 = 4_000;

/// How pictures are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// Width of a picture, in its units: CSS pixels where it is not scaled. From [`WIDTH_MIN`] to [`WIDTH_MAX`].
    pub width: u32,
    /// Language of the labels.
    pub lang: Lang,
}

/// A picture: what it shows, what it tells a reader who does not see it, and the drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// What it shows, in a line.
    pub title: String,
    /// What it tells: sentences; may be empty.
    pub description: String,
    /// Width in units.
    pub width: u32,
    /// Height in units.
    pub height: u32,
    /// Language of its labels: a Japanese picture has one font for all of them.
    pub lang: Lang,
    pub(super) body: String,
}

impl Picture {
    /// As an element of a page that has [`STYLE`] and gives the picture its title. It takes the width of its surroundings.
    pub fn inline(&self) -> String {
        let Self { title, description, width, height, body, lang } = self;
        let lang = lang.code();
        format!(
            "<svg class=\"plot\" lang=\"{lang}\" role=\"img\" viewBox=\"0 0 {width} {height}\"><title>{}</title><desc>{}</desc>\n{body}</svg>\n",
            escaped(title),
            escaped(description)
        )
    }

    /// As a file of its own, with its title above it.
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
