//! Small dot plots: a figure of several drives, or several figures of one, each on a scale that tells its own values
//! apart. Values are printed at their points, so that axes need few marks (Cleveland 1985).

use cardiograph_core::app::Operation;
use cardiograph_core::quantity::{Better, Quantity};
use cardiograph_core::{Estimate, Message, message, units};

use super::canvas::Anchor;
use super::letters::{LEADING, SIZE, lines, room};
use super::picture::{Picture, View};
use super::scale::{Axis, Tick, value_axis};
use super::sheet::{EDGE, Sheet};
use super::subject::STYLES;
use crate::doc::details::apps;
use crate::lang::Lang;
use crate::method;

/// Height of a row of one line.
const ROW: f64 = 20.0;
/// Minimum width of a plot next to another.
const COLUMN_MIN: f64 = 440.0;
/// Maximum room for names, as a share of the width.
const NAMES_MAX: f64 = 0.4;
/// Distance from a point to its value.
const GAP: f64 = 9.0;

/// A figure of several drives.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DotPlot {
    /// What was measured: the test.
    pub title: Message,
    /// The figure: it has the unit, and which way is better.
    pub quantity: Quantity,
    /// What an application's users count, if the figure is its rate.
    pub operation: Option<Operation>,
    /// The points, a row each.
    pub dots: Vec<Dot>,
    /// Limits to mark, in any order.
    pub limits: Vec<f64>,
    /// Names of drives without the figure.
    pub lacking: Vec<String>,
}

/// A drive's value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Dot {
    /// Its name.
    pub name: String,
    /// Index of its colour and mark: that of the drive in all pictures of a page. From the
    /// ninth on they repeat, which matters little next to names.
    pub series: usize,
    /// The value; `None` if it is withheld.
    pub estimate: Option<Estimate>,
    /// Whether it is a percentile with few samples above it, which stands in parentheses.
    pub is_light: bool,
}

/// A picture of several plots, side by side where there is room; `None` if none has a point.
pub(super) fn draw_dots(plots: &[DotPlot], title: String, view: View) -> Option<Picture> {
    let mut sheet = Sheet::new(view);
    draw_plots(&mut sheet, plots);
    plots.iter().any(|plot| !plot.dots.is_empty()).then(|| sheet.finish(title))
}

/// Draws plots with a row for each drive.
pub(super) fn draw_plots(sheet: &mut Sheet, plots: &[DotPlot]) {
    sheet.grid(COLUMN_MIN, plots, |sheet, plot| plot.draw(sheet));
    explain(sheet, plots);
}

/// Draws a row for each plot: the figures of a single drive.
pub(super) fn draw_rows(sheet: &mut Sheet, plots: &[DotPlot]) {
    let lang = sheet.view.lang;
    let names: Vec<String> = plots.iter().map(|plot| lang.text(&plot.title)).collect();
    let columns = Columns::new(sheet, &names, plots);
    for (plot, name) in plots.iter().zip(&names) {
        let axis = plot.axis(true, lang);
        for dot in &plot.dots {
            let below = columns.marks(sheet, plot, &axis, (columns.height(name), &[]));
            columns.row(sheet, plot, (dot, name), &axis);
            sheet.strip(below);
            let spoken = message!("picture-of", name, said = plot.value(dot, lang));
            sheet.describe_phrase(spoken);
        }
    }
    sheet.note(&lang.text(&message!("picture-better")));
    explain(sheet, plots);
}

/// What lines and marks are.
fn explain(sheet: &mut Sheet, plots: &[DotPlot]) {
    let lang = sheet.view.lang;
    let mut estimates = plots.iter().flat_map(|plot| &plot.dots).filter_map(|dot| dot.estimate);
    if estimates.any(|estimate| interval(&estimate).is_some()) {
        sheet.note(&lang.text(&message!("picture-interval")));
    }
    if plots.iter().any(|plot| !plot.limits.is_empty()) {
        sheet.note(&lang.text(&message!("picture-limits")));
    }
}

fn interval(estimate: &Estimate) -> Option<(f64, f64)> {
    estimate.low.zip(estimate.high).filter(|(low, high)| low < high)
}

impl DotPlot {
    fn draw(&self, sheet: &mut Sheet) {
        let lang = sheet.view.lang;
        let axis = self.axis(false, lang);
        let title = lang.text(&self.title);
        sheet.head(&title);
        sheet.note(&lang.text(&self.measure(axis.scale.is_log())));
        let names: Vec<String> = self.dots.iter().map(|dot| dot.name.clone()).collect();
        let columns = Columns::new(sheet, &names, std::slice::from_ref(self));
        let height = names.iter().map(|name| columns.height(name)).sum();
        let below = columns.marks(sheet, self, &axis, (height, &axis.ticks));
        for (dot, name) in self.dots.iter().zip(&names) {
            columns.row(sheet, self, (dot, name), &axis);
            let said = message!("picture-of", name = &title, said = self.value(dot, lang));
            sheet.describe_phrase(message!("picture-of", name, said));
        }
        sheet.strip(below);
        sheet.remark_lacking(&self.lacking);
    }

    /// The figure, which way is better, and a logarithmic scale: `IOPS, higher is better, log scale`.
    fn measure(&self, is_log: bool) -> Message {
        // What an application counts is at its values.
        let figure = self.operation.is_none().then(|| method::heading(self.quantity));
        let better = match self.quantity.better() {
            Better::More => Some(message!("picture-measure.higher")),
            Better::Less => Some(message!("picture-measure.lower")),
            Better::Neither => None,
        };
        let log = is_log.then(|| message!("picture-measure.log"));
        Message::joined(figure.into_iter().chain(better).chain(log))
    }

    /// The value in its unit.
    fn value(&self, dot: &Dot, lang: Lang) -> String {
        match dot.estimate {
            Some(estimate) => match (self.number(estimate.value, lang), dot.is_light) {
                (value, true) => lang.text(&message!("figure-light", value)),
                (value, false) => value,
            },
            None => lang.text(&message!("picture-withheld")),
        }
    }

    fn number(&self, value: f64, lang: Lang) -> String {
        match self.operation {
            Some(operation) => lang.text(&apps::rate(operation, value, value)),
            None => lang.value(&method::value(self.quantity, value)),
        }
    }

    /// A mark's label; the unit of rates is in the head.
    fn label(&self, value: f64, lang: Lang) -> String {
        match (self.quantity, self.operation) {
            _ if value == 0.0 => "0".to_string(),
            (Quantity::Iops | Quantity::WindowIops(_), _) => units::without_zeros(&units::number(value)),
            _ => units::without_zeros(&self.number(value, lang)),
        }
    }

    /// The scale: of the values, and of the limits too if `has_limits`, because a single value has no other company.
    fn axis(&self, has_limits: bool, lang: Lang) -> Axis {
        let estimates = || self.dots.iter().filter_map(|dot| dot.estimate);
        let ends = |estimate: Estimate| {
            let (low, high) = interval(&estimate).unwrap_or((estimate.value, estimate.value));
            // An interval down to nothing does not stretch a logarithmic scale.
            [low.max(estimate.value / 10.0), estimate.value, high]
        };
        let limits = self.limits.iter().copied().filter(|_| has_limits);
        let values: Vec<f64> =
            estimates().flat_map(ends).chain(limits).filter(|value| value.is_finite()).collect();
        let unit = match self.quantity {
            Quantity::Bandwidth | Quantity::WindowBandwidth(_) => {
                lang.units.unit_for(values.iter().copied().fold(0.0, f64::max)).1
            }
            _ => 1.0,
        };
        value_axis(&values, unit, |value| self.label(value, lang))
    }
}

/// Names, points and values side by side.
struct Columns {
    names: f64,
    left: f64,
    right: f64,
}

impl Columns {
    fn new(sheet: &Sheet, names: &[String], plots: &[DotPlot]) -> Self {
        let lang = sheet.view.lang;
        let longest = names.iter().map(|name| room(name)).fold(0.0, f64::max);
        let names = longest.min(sheet.width() * NAMES_MAX);
        let values = plots.iter().flat_map(|plot| plot.dots.iter().map(move |dot| plot.value(dot, lang)));
        let widest = values.map(|value| room(&value)).fold(0.0, f64::max);
        let left = EDGE + names + GAP;
        Self { names, left, right: (sheet.width() - EDGE - widest - GAP).max(left + 1.0) }
    }

    fn x(&self, axis: &Axis, value: f64) -> f64 {
        self.left + axis.scale.position(value) * (self.right - self.left)
    }

    fn height(&self, name: &str) -> f64 {
        ROW.max(lines(name, self.names).len() as f64 * LEADING + 4.0)
    }

    /// Draws a value with its name.
    fn row(&self, sheet: &mut Sheet, plot: &DotPlot, (dot, name): (&Dot, &str), axis: &Axis) {
        let words = lines(name, self.names);
        let height = self.height(name);
        let middle = sheet.strip(height) + height / 2.0;
        let first = middle + SIZE * 0.35 - (words.len() as f64 - 1.0) * LEADING / 2.0;
        for (at, line) in words.iter().enumerate() {
            sheet.canvas.text("", Anchor::Start, (EDGE, first + at as f64 * LEADING), line);
        }
        sheet.canvas.line("grid", (self.left, middle), (self.right, middle));
        let mut end = self.left - GAP;
        if let Some(estimate) = dot.estimate {
            let at = self.x(axis, estimate.value);
            end = at;
            if let Some((low, high)) = interval(&estimate) {
                end = self.x(axis, high);
                let class = format!("line c{}", dot.series % STYLES);
                sheet.canvas.line(&class, (self.x(axis, low), middle), (end, middle));
            }
            sheet.canvas.mark(dot.series, (at, middle));
        }
        let value = plot.value(dot, sheet.view.lang);
        sheet.canvas.text("value", Anchor::Start, (end + GAP, middle + SIZE * 0.35), &value);
    }

    /// Draws limits across the next rows, and an axis below them, with as many labels as do not overlap: of limits those
    /// nearest to a value first. Returns the height of the labels.
    fn marks(&self, sheet: &mut Sheet, plot: &DotPlot, axis: &Axis, (height, ticks): (f64, &[Tick])) -> f64 {
        let lang = sheet.view.lang;
        let top = sheet.strip(0.0);
        let bottom = top + height;
        let values: Vec<f64> =
            plot.dots.iter().filter_map(|dot| Some(axis.scale.position(dot.estimate?.value))).collect();
        let distance = |limit: f64| {
            let at = axis.scale.position(limit);
            values.iter().map(|value| (value - at).abs()).fold(1.0, f64::min)
        };
        let mut limits = plot.limits.clone();
        limits.retain(|&limit| axis.scale.holds(limit));
        limits.sort_by(|a, b| distance(*a).total_cmp(&distance(*b)));
        let sign = if plot.quantity.better() == Better::Less { "≤" } else { "≥" };
        let limit = |limit: f64| (limit, format!("{sign} {}", plot.label(limit, lang)), true);
        let tick = |tick: &Tick| (tick.value, tick.label.clone(), false);
        let mut taken: Vec<(f64, f64)> = Vec::new();
        for (value, label, is_limit) in limits.into_iter().map(limit).chain(ticks.iter().map(tick)) {
            let (x, half) = (self.x(axis, value), room(&label) / 2.0);
            let (from, to) = (x - half, x + half);
            let is_free = taken.iter().all(|&(left, right)| to + 6.0 < left || right + 6.0 < from);
            let is_labelled = is_free && from >= 0.0 && to <= sheet.width();
            if is_labelled {
                taken.push((from, to));
                sheet.canvas.text("quiet", Anchor::Middle, (x, bottom + 4.0 + SIZE), &label);
            }
            match is_limit {
                true if is_labelled => sheet.canvas.line("limit", (x, top + 2.0), (x, bottom + 4.0)),
                true => {}
                false => sheet.canvas.line("axis", (x, bottom), (x, bottom + 4.0)),
            }
        }
        if !ticks.is_empty() {
            sheet.canvas.line("axis", (self.left, bottom), (self.right, bottom));
        }
        if taken.is_empty() { 0.0 } else { LEADING + 4.0 }
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::quantity::{LatencyKind, Statistic};

    use super::*;

    #[test]
    fn percentiles_with_few_samples_stand_in_parentheses() {
        for (is_light, expected) in [(false, "54.3 ms"), (true, "(54.3 ms)")] {
            let dot =
                Dot { name: String::new(), series: 0, estimate: Some(Estimate::exact(54.3e6)), is_light };
            let plot = DotPlot {
                title: Message::default(),
                quantity: Quantity::Latency(LatencyKind::Total, Statistic::Percentile(99.0)),
                operation: None,
                dots: Vec::new(),
                limits: Vec::new(),
                lacking: Vec::new(),
            };
            assert_eq!(plot.value(&dot, Lang::EN), expected);
        }
    }
}
