//! A finished picture, as a separate file or inside a page.

use cardiograph_core::{Message, message};

use super::canvas::{Anchor, Canvas, escaped};
use super::letters::{LEADING, lines};
use crate::lang::Lang;

/// The style of all pictures, on a white ground. Its eight colours are those of Okabe and Ito ("Color Universal Design",
/// 2008), moved until each has a contrast of 3 with the ground, and any two are told apart by readers with each kind of
/// colour blindness. Series also have marks of their own, so that they survive a grey print.
const LIGHT: &str = include_str!("style.css");
const DARK: &str = include_str!("dark.css");
const PRINT: &str = include_str!("print.css");

/// Colours of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Those of the reader's screen.
    Auto,
    /// On white.
    Light,
    /// On a dark ground.
    Dark,
    /// Black and grey on white.
    Print,
}

impl Theme {
    /// All themes, with their names on the command line.
    pub const ALL: [(Theme, &str); 4] =
        [(Theme::Auto, "auto"), (Theme::Light, "light"), (Theme::Dark, "dark"), (Theme::Print, "print")];

    /// The style sheet: included once in a page, or in each SVG file.
    pub fn style(self) -> String {
        match self {
            Theme::Auto => format!("{LIGHT}@media screen and (prefers-color-scheme:dark){{\n{DARK}}}\n"),
            Theme::Light => LIGHT.to_string(),
            Theme::Dark => format!("{LIGHT}{DARK}"),
            Theme::Print => format!("{LIGHT}{PRINT}"),
        }
    }
}

/// Minimum width of a picture.
pub const WIDTH_MIN: u32 = 280;
/// Maximum width of a picture.
pub const WIDTH_MAX: u32 = 4_000;
/// Minimum scale of a picture that is fitted into a size: letters are then 8 pixels high.
const SCALE_MIN: f64 = 0.67;
/// Widths that are tried for it.
const WIDTH_STEP: usize = 20;

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
    /// Width and height of the file in pixels, if they are not those of the drawing.
    pub shown: Option<(u32, u32)>,
    pub(super) body: String,
}

impl Picture {
    /// As an element of a page that includes [`Theme::style`] and shows the title. It takes the width of its
    /// container.
    pub fn inline(&self) -> String {
        let Self { title, description, width, height, body, lang, .. } = self;
        let lang = lang.code();
        format!(
            "<svg class=\"plot\" lang=\"{lang}\" role=\"img\" viewBox=\"0 0 {width} {height}\"><title>{}</title><desc>{}</desc>\n{body}</svg>\n",
            escaped(title),
            escaped(description)
        )
    }

    /// As a separate file, with the title above.
    pub fn file(&self, theme: Theme) -> String {
        let (width, height) = self.file_size();
        let (shown_width, shown_height) = self.shown.unwrap_or((width, height));
        // The room around a picture of other proportions.
        let scale = fit((width, height), (shown_width, shown_height));
        let (around_width, around_height) = (f64::from(shown_width) / scale, f64::from(shown_height) / scale);
        let left = -((around_width - f64::from(width)) / 2.0).round();
        let mut canvas = Canvas::default();
        canvas.rect("ground", (left, 0.0), (around_width.ceil(), around_height.ceil()));
        // The title is larger than other text, and bold.
        for (at, line) in self.title_lines().iter().enumerate() {
            canvas.text("title", Anchor::Start, (6.0, 24.0 + at as f64 * 20.0), line);
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" lang=\"{}\" role=\"img\" width=\"{shown_width}\" \
             height=\"{shown_height}\" viewBox=\"{left} 0 {around_width:.0} {around_height:.0}\">\n<title>{}</title>\n\
             <desc>{}</desc>\n<style>{}</style>\n{}<g transform=\"translate(0 {})\">\n{}</g>\n</svg>\n",
            self.lang.code(),
            escaped(&self.title),
            escaped(&self.description),
            theme.style(),
            canvas.into_svg(),
            self.title_height(),
            self.body,
        )
    }

    /// Width and height of the file in the units of the drawing.
    fn file_size(&self) -> (u32, u32) {
        (self.width, self.height + self.title_height() + LEADING as u32 / 2)
    }

    fn title_lines(&self) -> Vec<String> {
        lines(&self.title, (f64::from(self.width) - 24.0) * 0.7)
    }

    fn title_height(&self) -> u32 {
        16 + self.title_lines().len() as u32 * 20
    }
}

/// The factor by which a drawing fills as much of a size as it can.
fn fit((width, height): (u32, u32), size: (u32, u32)) -> f64 {
    (f64::from(size.0) / f64::from(width)).min(f64::from(size.1) / f64::from(height))
}

/// The picture of this size with the largest letters, drawn for a width by `draw`.
///
/// # Errors
/// Those of `draw`, and if the letters would be too small to read.
pub fn fitted(size: (u32, u32), draw: impl Fn(u32) -> Result<Picture, Message>) -> Result<Picture, Message> {
    let mut best: Option<(f64, Picture)> = None;
    for width in (WIDTH_MIN..=(f64::from(size.0) / SCALE_MIN) as u32).step_by(WIDTH_STEP) {
        let picture = draw(width)?;
        let scale = fit(picture.file_size(), size);
        if best.as_ref().is_none_or(|(largest, _)| scale > *largest) {
            best = Some((scale, picture));
        }
    }
    match best {
        Some((scale, picture)) if scale >= SCALE_MIN => Ok(Picture { shown: Some(size), ..picture }),
        _ => {
            let ((width, height), (_, needed)) = (size, draw(size.0)?.file_size());
            // Pixels without separators of thousands, as they are written.
            let [width, height, needed] = [width, height, needed].map(|pixels| pixels.to_string());
            Err(message!("plot-error.too-low", width, height, needed))
        }
    }
}
