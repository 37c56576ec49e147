//! Builds the elements of an SVG. Text is escaped here and nowhere else.

use std::fmt::Write;

use cardiograph_core::text::steers;

use super::subject::STYLES;

/// Alignment of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A drawing built from elements. Lengths are in units of the picture; the style sheet defines the classes.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    svg: String,
}

/// Many rectangles of one class as a path: a third of the length of separate elements.
#[derive(Debug, Default)]
pub(super) struct Path(String);

impl Path {
    pub(super) fn rect(&mut self, at: (f64, f64), size: (f64, f64)) {
        let (x, y, width, height) = (length(at.0), length(at.1), length(size.0), length(size.1));
        let _ = write!(self.0, "M{x} {y}h{width}v{height}h-{width}z");
    }
}

impl Canvas {
    pub(super) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let (x1, y1, x2, y2) = (length(from.0), length(from.1), length(to.0), length(to.1));
        self.add(format_args!(r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#));
    }

    pub(super) fn rect(&mut self, class: &str, at: (f64, f64), size: (f64, f64)) {
        self.shaded_rect(class, at, size, None);
    }

    /// The same with an opacity of `share`.
    pub(super) fn shaded_rect(&mut self, class: &str, at: (f64, f64), size: (f64, f64), share: Option<f64>) {
        let (x, y, width, height) = (length(at.0), length(at.1), length(size.0), length(size.1));
        let opacity = share.map(|share| format!(r#" fill-opacity="{share:.2}""#)).unwrap_or_default();
        let place = format_args!(r#"x="{x}" y="{y}" width="{width}" height="{height}""#).to_string();
        self.add(format_args!(r#"<rect class="{class}" {place}{opacity}/>"#));
    }

    pub(super) fn polyline(&mut self, class: &str, points: &[(f64, f64)]) {
        self.add(format_args!(r#"<polyline class="{class}" points="{}"/>"#, joined(points)));
    }

    pub(super) fn polygon(&mut self, class: &str, points: &[(f64, f64)]) {
        self.add(format_args!(r#"<polygon class="{class}" points="{}"/>"#, joined(points)));
    }

    pub(super) fn circle(&mut self, class: &str, at: (f64, f64), radius: f64) {
        let (x, y, radius) = (length(at.0), length(at.1), length(radius));
        self.add(format_args!(r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}"/>"#));
    }

    /// The mark of a series: with its shape, it is known without its colour.
    pub(super) fn mark(&mut self, series: usize, (x, y): (f64, f64)) {
        let series = series % STYLES;
        let class = format!("mark {}c{series}", if series < 4 { "" } else { "hollow " });
        let corners: &[(f64, f64)] = match series % 4 {
            0 => return self.circle(&class, (x, y), 4.0),
            1 => &[(-3.6, -3.6), (3.6, -3.6), (3.6, 3.6), (-3.6, 3.6)],
            2 => &[(0.0, -4.8), (4.6, 3.4), (-4.6, 3.4)],
            _ => &[(0.0, -5.2), (5.2, 0.0), (0.0, 5.2), (-5.2, 0.0)],
        };
        let corners: Vec<(f64, f64)> = corners.iter().map(|corner| (x + corner.0, y + corner.1)).collect();
        self.polygon(&class, &corners);
    }

    /// A part, moved to a place.
    pub(super) fn group(&mut self, (x, y): (f64, f64), part: Canvas) {
        let (x, y, svg) = (length(x), length(y), part.svg);
        self.add(format_args!("<g transform=\"translate({x} {y})\">\n{svg}</g>"));
    }

    /// A path with an opacity of `share`, unless it is empty.
    pub(super) fn path(&mut self, class: &str, path: Path, share: f64) {
        if !path.0.is_empty() {
            let opacity = length(share * 100.0);
            self.add(format_args!(r#"<path class="{class}" fill-opacity="{opacity}%" d="{}"/>"#, path.0));
        }
    }

    /// One line of text on a baseline.
    pub(super) fn text(&mut self, class: &str, anchor: Anchor, at: (f64, f64), text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let class = if class.is_empty() { String::new() } else { format!(r#" class="{class}""#) };
        let (x, y, text) = (length(at.0), length(at.1), escaped(text));
        self.add(format_args!(r#"<text{class}{anchor} x="{x}" y="{y}">{text}</text>"#));
    }

    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.svg, "{element}");
    }

    pub(super) fn into_svg(self) -> String {
        self.svg
    }
}

/// A length with at most one decimal.
fn length(value: f64) -> String {
    let tenths = if value.is_finite() { (value * 10.0).round() } else { 0.0 };
    if tenths % 10.0 == 0.0 { format!("{}", tenths as i64 / 10) } else { format!("{:.1}", tenths / 10.0) }
}

fn joined(points: &[(f64, f64)]) -> String {
    points.iter().map(|&(x, y)| format!("{},{}", length(x), length(y))).collect::<Vec<_>>().join(" ")
}

/// Text escaped for an element or an attribute. Characters that XML cannot hold are replaced.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            letter => escaped.push(if steers(letter) { '\u{fffd}' } else { letter }),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_an_element() {
        let mut canvas = Canvas::default();
        canvas.text("head", Anchor::End, (1.25, 2.0), "<script>\"&'\0</script>");
        let expected = "<text class=\"head\" text-anchor=\"end\" x=\"1.3\" y=\"2\">&lt;script&gt;&quot;&amp;&#39;\u{fffd}\
                        &lt;/script&gt;</text>\n";
        assert_eq!(canvas.into_svg(), expected);
    }

    #[test]
    fn lengths_are_short_and_always_numbers() {
        assert_eq!([1.0, 1.04, -0.26, f64::NAN, 1e6].map(length), ["1", "1", "-0.3", "0", "1000000"]);
    }
}
