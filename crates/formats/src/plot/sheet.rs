//! A picture that grows downwards: heads, axes, legends and notes below each other, so that none can lie upon another.

use super::canvas::{Anchor, Canvas};
use super::letters::{LEADING, SIZE, lines, room};
use super::picture::{Picture, View};
use super::scale::{Axis, Tick};

/// Free room at the left and the right of a picture.
const EDGE: f64 = 6.0;
/// Between labels beside each other.
const GAP: f64 = 10.0;
/// Width of the sample of a line in a legend.
const SAMPLE: f64 = 22.0;

/// A picture in the making.
#[derive(Debug)]
pub(super) struct Sheet {
    pub canvas: Canvas,
    pub view: View,
    y: f64,
    told: Vec<String>,
}

/// The place of a diagram with its axes.
#[derive(Debug)]
pub(super) struct Frame {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    x: Axis,
    y: Axis,
}

/// What a legend explains.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub sample: Sample,
    pub text: String,
}

/// What stands before the words of a legend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Sample {
    /// A line of this class.
    Line(String),
    /// A patch of this class.
    Patch(String),
}

impl Sheet {
    pub(super) fn new(view: View) -> Self {
        Self { canvas: Canvas::default(), view, y: 0.0, told: Vec::new() }
    }

    /// Width of the picture.
    pub(super) fn width(&self) -> f64 {
        f64::from(self.view.width)
    }

    /// How many marks fit on an axis along the picture.
    pub(super) fn marks_across(&self) -> usize {
        (self.width() / 90.0) as usize
    }

    /// What a reader who does not see the picture is told of it.
    pub(super) fn tell(&mut self, sentence: &str) {
        self.told.push(sentence.to_string());
    }

    /// The head of a part; nothing where it is empty.
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

    /// A remark that is told, too.
    pub(super) fn remark(&mut self, text: &str) {
        self.note(text);
        self.tell(text);
    }

    fn paragraph(&mut self, class: &str, text: &str) {
        // A bold letter is a little wider.
        let room_max = (self.width() - 2.0 * EDGE) * if class == "head" { 0.87 } else { 1.0 };
        for line in lines(text, room_max) {
            self.y += LEADING;
            self.canvas.text(class, Anchor::Start, (EDGE, self.y - 4.0), &line);
        }
    }

    /// A strip of the whole width and a height: where it begins.
    pub(super) fn strip(&mut self, height: f64) -> f64 {
        let top = self.y;
        self.y += height;
        top
    }

    /// Draws axes around a place of so much height, and gives the place.
    pub(super) fn frame(&mut self, height: f64, x: Axis, y: Axis) -> Frame {
        let widest = y.ticks.iter().map(|tick| room(&tick.label)).fold(0.0, f64::max);
        let last = x.ticks.last().map_or(0.0, |tick| room(&tick.label) / 2.0);
        let left = EDGE + widest + 6.0;
        // The name of the upright axis stands above it, where it can be read without turning one's head.
        self.paragraph("quiet", &y.name);
        let top = self.y + LEADING / 2.0;
        let frame =
            Frame { left, top, right: self.width() - EDGE - last.max(2.0), bottom: top + height, x, y };
        frame.draw(&mut self.canvas);
        self.y = frame.bottom + LEADING + 6.0;
        for line in lines(&frame.x.name, frame.right - EDGE) {
            self.y += LEADING;
            self.canvas.text("quiet", Anchor::End, (frame.right, self.y - 6.0), &line);
        }
        frame
    }

    /// Explains lines and patches, as many beside each other as fit.
    pub(super) fn legend(&mut self, entries: &[Entry]) {
        let mut x = EDGE;
        self.y += 4.0;
        let mut baseline = self.y + SIZE;
        for entry in entries {
            let room_max = self.width() - 2.0 * EDGE - SAMPLE - 6.0;
            let lines = lines(&entry.text, room_max);
            let wide = lines.iter().map(|line| room(line)).fold(0.0, f64::max) + SAMPLE + 6.0;
            if x > EDGE && x + wide > self.width() - EDGE {
                (x, baseline) = (EDGE, baseline + LEADING);
            }
            self.sample(&entry.sample, (x, baseline));
            for (at, line) in lines.iter().enumerate() {
                baseline += if at > 0 { LEADING } else { 0.0 };
                self.canvas.text("", Anchor::Start, (x + SAMPLE + 6.0, baseline), line);
            }
            // Nothing stands beside what has several lines.
            x = if lines.len() > 1 { self.width() } else { x + wide + GAP };
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

    /// The picture, with a title that says what it shows.
    pub(super) fn finish(self, title: String) -> Picture {
        Picture {
            title,
            description: self.told.join(" "),
            width: self.view.width,
            height: (self.y + EDGE).ceil() as u32,
            body: self.canvas.into_svg(),
        }
    }
}

impl Frame {
    pub(super) fn x(&self, value: f64) -> f64 {
        self.left + self.x.scale.place(value) * (self.right - self.left)
    }

    pub(super) fn y(&self, value: f64) -> f64 {
        self.bottom - self.y.scale.place(value) * (self.bottom - self.top)
    }

    pub(super) fn point(&self, x: f64, y: f64) -> (f64, f64) {
        (self.x(x), self.y(y))
    }

    pub(super) fn top(&self) -> f64 {
        self.top
    }

    pub(super) fn bottom(&self) -> f64 {
        self.bottom
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

/// The marks whose labels are at least `gap` apart, from the first on. `place` says where the middle of a label is, and how long it is.
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
    fn labels_of_an_axis_keep_their_distance() {
        for width in [300, 360, 700, 1_400] {
            let mut sheet = Sheet::new(View { width, lang: Lang::En });
            let frame = sheet.frame(100.0, percentile_axis(6.5, "share"), latency_axis(1e3, 1e9, "latency"));
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
    fn a_legend_wraps_and_stays_inside() {
        let entry =
            |text: &str| Entry { sample: Sample::Line("line s0".to_string()), text: text.to_string() };
        let entries = [entry("read"), entry("write"), entry(&"a long explanation ".repeat(8)), entry("trim")];
        let mut sheet = Sheet::new(View { width: 320, lang: Lang::En });
        sheet.legend(&entries);
        let picture = sheet.finish(String::new());
        let baselines: Vec<&str> =
            picture.body.lines().filter_map(|line| line.split(" y=\"").nth(1)?.split('"').next()).collect();
        // The two short ones stand in a line; each line of the long one, and the one below it, has its own.
        assert_eq!(baselines[0], baselines[1]);
        let mut distinct = baselines.clone();
        distinct.dedup();
        assert_eq!(distinct.len(), baselines.len() - 1, "{baselines:?}");
    }
}
