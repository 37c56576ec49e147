//! A picture that grows downwards: heads, axes, legends and notes below each other, so that none overlap.

use cardiograph_core::{Message, Parameter, message};

use super::canvas::{Anchor, Canvas};
use super::letters::{LEADING, SIZE, lines, room};
use super::picture::{Picture, View};
use super::scale::{Axis, Tick};
use super::subject::Line;

/// Margins at the left and right of a picture.
pub(super) const EDGE: f64 = 6.0;
/// Distance of labels side by side.
const GAP: f64 = 10.0;
/// Room for a line's mark.
const MARK: f64 = 8.0;
/// Maximum room for names at lines, as a share of the width.
const NAMES_MAX: f64 = 0.36;
/// Distance of parts side by side.
const GUTTER: f64 = 24.0;
/// Width of a line's sample in a legend.
const SAMPLE: f64 = 22.0;

/// An unfinished picture.
#[derive(Debug)]
pub(super) struct Sheet {
    pub canvas: Canvas,
    pub view: View,
    y: f64,
    spoken: Vec<Message>,
}

/// The area of a diagram, with its axes.
#[derive(Debug)]
pub(super) struct Frame {
    left: f64,
    pub top: f64,
    right: f64,
    pub bottom: f64,
    x: Axis,
    y: Axis,
}

/// An entry of a legend.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub sample: Sample,
    pub text: String,
}

/// The sample before a legend's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Sample {
    /// A line with this class.
    Line(String),
    /// A patch with this class.
    Patch(String),
}

impl Sheet {
    pub(super) fn new(view: View) -> Self {
        Self { canvas: Canvas::default(), view, y: 0.0, spoken: Vec::new() }
    }

    /// Width of the picture.
    pub(super) fn width(&self) -> f64 {
        f64::from(self.view.width)
    }

    /// Number of marks that fit on a horizontal axis.
    pub(super) fn marks_across(&self) -> usize {
        (self.width() / 90.0) as usize
    }

    /// Adds a sentence to the description for readers who cannot see the picture.
    pub(super) fn describe(&mut self, sentence: Message) {
        self.spoken.push(sentence);
    }

    /// The same with a phrase.
    pub(super) fn describe_phrase(&mut self, phrase: impl Into<Parameter>) {
        self.describe(message!("picture-phrase-spoken", phrase));
    }

    /// The head of a part, unless it is empty.
    pub(super) fn head(&mut self, text: &str) {
        if !text.is_empty() {
            self.y += if self.y > 0.0 { LEADING / 2.0 } else { 0.0 };
            self.paragraph("head", text);
            self.y += 4.0;
        }
    }

    /// A remark.
    pub(super) fn note(&mut self, text: &str) {
        self.paragraph("quiet", text);
    }

    /// A sentence both in the picture and in the description.
    pub(super) fn remark(&mut self, sentence: Message) {
        self.note(&self.view.lang.text(&sentence));
        self.describe(sentence);
    }

    /// Names those that have nothing to draw, if there are any.
    pub(super) fn remark_lacking(&mut self, names: &[String]) {
        if !names.is_empty() {
            self.remark(message!("picture-lacking", names = Parameter::all(names)));
        }
    }

    /// Draws parts side by side in as many columns of at least `column_min` as fit, row by row.
    pub(super) fn grid<T>(&mut self, column_min: f64, parts: &[T], draw: impl Fn(&mut Sheet, &T)) {
        let fitting = ((self.width() + GUTTER) / (column_min + GUTTER)) as usize;
        let columns = fitting.clamp(1, parts.len().max(1));
        let width = ((self.width() + GUTTER) / columns as f64 - GUTTER).floor();
        for row in parts.chunks(columns) {
            self.y += if self.y > 0.0 { LEADING / 2.0 } else { 0.0 };
            let mut height = 0.0_f64;
            for (at, part) in row.iter().enumerate() {
                let mut sheet = Sheet::new(View { width: width as u32, ..self.view });
                draw(&mut sheet, part);
                height = height.max(sheet.y);
                self.canvas.group((at as f64 * (width + GUTTER), self.y), sheet.canvas);
                self.spoken.extend(sheet.spoken);
            }
            self.y += height;
        }
    }

    fn paragraph(&mut self, class: &str, text: &str) {
        // A bold letter is a little wider.
        let room_max = (self.width() - 2.0 * EDGE) * if class == "head" { 0.87 } else { 1.0 };
        for line in lines(text, room_max) {
            self.y += LEADING;
            self.canvas.text(class, Anchor::Start, (EDGE, self.y - 4.0), &line);
        }
    }

    /// Reserves a strip of the whole width and returns its top.
    pub(super) fn strip(&mut self, height: f64) -> f64 {
        let top = self.y;
        self.y += height;
        top
    }

    /// Draws axes around an area of this height, and returns the area.
    pub(super) fn frame(&mut self, height: f64, x: Axis, y: Axis) -> Frame {
        self.frame_with_margin(height, x, y, 0.0)
    }

    /// The same with room for the names of lines at its right, and high enough for them. A single line needs no name.
    pub(super) fn frame_of_lines<'n>(
        &mut self,
        height: f64,
        (x, y): (Axis, Axis),
        names: impl Iterator<Item = &'n str>,
    ) -> Frame {
        let names: Vec<&str> = names.collect();
        if names.len() < 2 {
            return self.frame(height, x, y);
        }
        let most = self.width() * NAMES_MAX;
        let widest = names.iter().map(|name| room(name)).fold(0.0, f64::max).min(most);
        let rows: usize = names.iter().map(|name| lines(name, widest).len()).sum();
        self.frame_with_margin(height.max(rows as f64 * LEADING), x, y, widest + 2.0 * MARK)
    }

    /// Names lines at their ends.
    pub(super) fn name_lines(&mut self, frame: &Frame, ends: &[(&Line<'_>, (f64, f64))]) {
        if ends.len() < 2 {
            return;
        }
        let left = frame.right + 2.0 * MARK;
        let mut ends: Vec<_> =
            ends.iter().map(|(line, end)| (*line, *end, lines(&line.name, self.width() - left))).collect();
        ends.sort_by(|(_, a, _), (_, b, _)| a.1.total_cmp(&b.1));
        let height = |words: &[String]| words.len() as f64 * LEADING;
        let mut tops: Vec<f64> = Vec::new();
        let mut free = frame.top - LEADING / 2.0;
        for (_, (_, y), words) in &ends {
            tops.push(free.max(y - height(words) / 2.0));
            free = tops[tops.len() - 1] + height(words);
        }
        // Push back up what was pushed out at the bottom.
        let mut limit = frame.bottom + LEADING / 2.0;
        for (top, (.., words)) in tops.iter_mut().zip(&ends).rev() {
            *top = top.min(limit - height(words));
            limit = *top;
        }
        for ((line, (x, y), words), top) in ends.iter().zip(tops) {
            let middle = top + height(words) / 2.0;
            let turn = (frame.right + 2.0, *y);
            let lead = [(*x, *y), (turn.0.max(*x), turn.1), (left - MARK * 1.5, middle)];
            self.canvas.polyline(&format!("lead {}", line.class()), &lead);
            self.canvas.mark(line.color, (left - MARK, middle));
            for (at, text) in words.iter().enumerate() {
                let baseline = top + at as f64 * LEADING + SIZE;
                self.canvas.text("", Anchor::Start, (left, baseline), text);
            }
        }
    }

    fn frame_with_margin(&mut self, height: f64, x: Axis, y: Axis, margin: f64) -> Frame {
        let widest = y.ticks.iter().map(|tick| room(&tick.label)).fold(0.0, f64::max);
        let last = x.ticks.last().map_or(0.0, |tick| room(&tick.label) / 2.0);
        let left = EDGE + widest + 6.0;
        // The name of the vertical axis stands above it, horizontally, to be readable.
        self.paragraph("quiet", &y.name);
        let top = self.y + LEADING / 2.0;
        let frame = Frame {
            left,
            top,
            right: self.width() - EDGE - margin.max(last).max(2.0),
            bottom: top + height,
            x,
            y,
        };
        frame.draw(&mut self.canvas);
        self.y = frame.bottom + LEADING + 6.0;
        for line in lines(&frame.x.name, frame.right - EDGE) {
            self.y += LEADING;
            self.canvas.text("quiet", Anchor::End, (frame.right, self.y - 6.0), &line);
        }
        frame
    }

    /// Explains lines and patches, as many side by side as fit; in columns if they take several rows.
    pub(super) fn legend(&mut self, entries: &[Entry]) {
        let width = self.width() - 2.0 * EDGE;
        let text_room = width - SAMPLE - 6.0;
        let shapes: Vec<Vec<String>> = entries.iter().map(|entry| lines(&entry.text, text_room)).collect();
        let wide = |shape: &[String]| shape.iter().map(|line| room(line)).fold(0.0, f64::max) + SAMPLE + 6.0;
        let all: f64 = shapes.iter().map(|shape| wide(shape) + GAP).sum();
        let is_one_row = all - GAP <= width && shapes.iter().all(|shape| shape.len() == 1);
        // Entries of several lines are not in columns.
        let short = shapes.iter().filter(|shape| shape.len() == 1);
        let column = short.map(|shape| wide(shape) + GAP).fold(0.0, f64::max);
        self.y += 4.0;
        let (mut x, mut baseline) = (EDGE, self.y + SIZE);
        for (entry, shape) in entries.iter().zip(&shapes) {
            // The last row has the same columns as the others.
            let needed = if shape.len() == 1 && !is_one_row { column - GAP } else { wide(shape) };
            if x > EDGE && x + needed > EDGE + width {
                (x, baseline) = (EDGE, baseline + LEADING);
            }
            self.sample(&entry.sample, (x, baseline));
            for (at, line) in shape.iter().enumerate() {
                baseline += if at > 0 { LEADING } else { 0.0 };
                self.canvas.text("", Anchor::Start, (x + SAMPLE + 6.0, baseline), line);
            }
            // Entries of several lines have no neighbours.
            x += if shape.len() == 1 { needed + GAP } else { self.width() };
        }
        self.y = if entries.is_empty() { self.y } else { baseline + 6.0 };
    }

    fn sample(&mut self, sample: &Sample, (x, baseline): (f64, f64)) {
        let middle = baseline - SIZE * 0.35;
        match sample {
            Sample::Line(class) => self.canvas.line(class, (x, middle), (x + SAMPLE, middle)),
            Sample::Patch(class) => self.canvas.rect(class, (x + 5.0, middle - 5.0), (12.0, 10.0)),
        }
    }

    /// The finished picture with this title.
    pub(super) fn finish(self, title: String) -> Picture {
        Picture {
            title,
            description: self.view.lang.sentences(&self.spoken),
            width: self.view.width,
            lang: self.view.lang,
            height: (self.y + EDGE).ceil() as u32,
            shown: None,
            body: self.canvas.into_svg(),
        }
    }
}

impl Frame {
    pub(super) fn x(&self, value: f64) -> f64 {
        self.left + self.x.scale.position(value) * (self.right - self.left)
    }

    pub(super) fn y(&self, value: f64) -> f64 {
        self.bottom - self.y.scale.position(value) * (self.bottom - self.top)
    }

    pub(super) fn point(&self, x: f64, y: f64) -> (f64, f64) {
        (self.x(x), self.y(y))
    }

    /// Marks a part of the horizontal axis over the whole height, with a minimum width.
    pub(super) fn mark(&self, canvas: &mut Canvas, class: &str, ends: [f64; 2], width_min: f64) {
        let [from, to] = ends.map(|end| self.x(end));
        canvas.rect(class, (from, self.top), ((to - from).max(width_min), self.bottom - self.top));
    }

    fn draw(&self, canvas: &mut Canvas) {
        for tick in spread(&self.y.ticks, LEADING, |tick| (self.y(tick.value), SIZE)) {
            let y = self.y(tick.value);
            canvas.line("grid", (self.left, y), (self.right, y));
            canvas.text("quiet", Anchor::End, (self.left - 6.0, y + SIZE * 0.35), &tick.label);
        }
        for tick in spread(&self.x.ticks, GAP, |tick| (self.x(tick.value), room(&tick.label))) {
            let x = self.x(tick.value);
            canvas.line("axis", (x, self.bottom), (x, self.bottom + 5.0));
            canvas.text("quiet", Anchor::Middle, (x, self.bottom + 5.0 + SIZE), &tick.label);
        }
        canvas.line("axis", (self.left, self.bottom), (self.right, self.bottom));
        canvas.line("axis", (self.left, self.top), (self.left, self.bottom));
    }
}

/// The marks whose labels are at least `gap` apart, from the first on. `place` returns the middle of a label
/// and its length.
fn spread(ticks: &[Tick], gap: f64, place: impl Fn(&Tick) -> (f64, f64)) -> Vec<&Tick> {
    let mut kept: Vec<&Tick> = Vec::new();
    for tick in ticks {
        let (middle, long) = place(tick);
        let is_free = kept.last().is_none_or(|last| {
            let (last_middle, last_long) = place(last);
            let needed = if gap >= LEADING { gap } else { (long + last_long) / 2.0 + gap };
            (middle - last_middle).abs() >= needed
        });
        if is_free {
            kept.push(tick);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::super::scale::{latency_axis, percentile_axis};
    use super::*;
    use crate::lang::Lang;

    #[test]
    fn labels_of_an_axis_do_not_overlap() {
        for width in [300, 360, 700, 1_400] {
            let mut sheet = Sheet::new(View { width, lang: Lang::EN });
            let frame = sheet.frame(100.0, percentile_axis(6.5, Lang::EN), latency_axis(1e3, 1e9, "latency"));
            let shown = spread(&frame.x.ticks, GAP, |tick| (frame.x(tick.value), room(&tick.label)));
            assert!(shown.len() > 2, "{width}");
            for pair in shown.windows(2) {
                let end = frame.x(pair[0].value) + room(&pair[0].label) / 2.0;
                assert!(end + GAP <= frame.x(pair[1].value) - room(&pair[1].label) / 2.0 + 1e-9, "{pair:?}");
            }
            let last = shown[shown.len() - 1];
            assert!(frame.x(last.value) + room(&last.label) / 2.0 <= f64::from(width));
        }
    }

    #[test]
    fn a_legend_of_several_rows_has_columns() {
        let words = ["bad-card, read: mean", "bad-card, read: slowest I/O", "b: mean", "b: slowest"];
        let entries =
            words.map(|text| Entry { sample: Sample::Line("line s0".to_string()), text: text.to_string() });
        let positions = |width| {
            let mut sheet = Sheet::new(View { width, lang: Lang::EN });
            sheet.legend(&entries);
            let body = sheet.finish(String::new()).body;
            let numbers = |name: &str| -> Vec<f64> {
                let value = |line: &str| line.split(name).nth(1)?.split('"').next()?.parse().ok();
                body.lines().filter(|line| line.starts_with("<text")).filter_map(value).collect()
            };
            (numbers(" x=\""), numbers(" y=\""))
        };
        let (x, y) = positions(560);
        assert!(x[0] == x[2] && x[1] == x[3] && x[0] < x[1], "{x:?}");
        assert!(y[0] == y[1] && y[2] == y[3] && y[0] < y[2], "{y:?}");
        // The last would fit next to the third, but not in a column.
        let (x, y) = positions(400);
        assert!(x.iter().all(|&one| one == x[0]) && y.is_sorted_by(|a, b| a < b), "{x:?} {y:?}");
        let (x, y) = positions(1_400);
        assert!(x.is_sorted_by(|a, b| a < b) && y.iter().all(|&one| one == y[0]), "{x:?} {y:?}");
    }

    #[test]
    fn a_legend_wraps_and_stays_inside() {
        let entry =
            |text: &str| Entry { sample: Sample::Line("line s0".to_string()), text: text.to_string() };
        let entries = [entry("read"), entry("write"), entry(&"a long explanation ".repeat(8)), entry("trim")];
        let mut sheet = Sheet::new(View { width: 320, lang: Lang::EN });
        sheet.legend(&entries);
        let picture = sheet.finish(String::new());
        let baselines: Vec<&str> =
            picture.body.lines().filter_map(|line| line.split(" y=\"").nth(1)?.split('"').next()).collect();
        // The two short ones share a row; each line of the long one, and the one below it, has a separate
        // row.
        assert_eq!(baselines[0], baselines[1]);
        let mut distinct = baselines.clone();
        distinct.dedup();
        assert_eq!(distinct.len(), baselines.len() - 1, "{baselines:?}");
    }
}
