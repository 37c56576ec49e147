//! Reports as pictures: SVG text, in light and dark, in English and Japanese.
//!
//! Reading order: [`Kind`] and [`picture`] (what can be drawn of what) → `subject` (the steps of several Reports beside each
//! other) → one file for each kind → `sheet` (axes, legends, notes) → `scale` (values to places) → `canvas` (elements) →
//! [`Picture`].
//!
//! # Why the axes are our own
//!
//! Two libraries were looked at. plotters 0.3 writes colours into each element as `#RRGGBB`, so that a picture cannot follow
//! a dark page, rounds to whole pixels, and needs a font engine, or a rough guess, to know how wide a label is. kuva 0.6 takes any
//! CSS colour, but writes no `viewBox` (a picture does not shrink to a telephone), no `role`, `title` and `desc` (a screen
//! reader has nothing), measures text by the letters of one Latin font, has no time axis of run times and
//! no axis of nines, and brings 50,000 lines. What these pictures need is small: four axes (`scale`), text that keeps its
//! distance in both scripts (`letters`, `sheet`), and elements with classes, whose looks are one style sheet.

mod bars;
mod canvas;

mod latency;
mod letters;
mod over_time;
mod picture;
mod scale;
mod sheet;
mod subject;
mod sweep;
mod timeline;

use std::borrow::Cow;

use cardiograph_core::figures::SAMPLES_ABOVE_MIN;
use cardiograph_core::report::{Report, StepResult};
use cardiograph_core::table::Table;
use cardiograph_core::{Message, Parameter, message};

pub(crate) use canvas::escaped;
pub use picture::{Picture, STYLE, View, WIDTH_MAX, WIDTH_MIN};
pub(crate) use sweep::SUITE as SWEEP_SUITE;

use sheet::Sheet;
use subject::{Panel, panels, subjects};

use crate::lang::Lang;
use crate::text::said;

/// More steps than these are not drawn below each other.
const PANELS_MAX: usize = 16;

/// What can be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Bandwidth over time, with the fall-off and stalls.
    OverTime,
    /// Latency by the share of I/Os that is faster.
    Percentiles,
    /// How many I/Os had which latency.
    Distribution,
    /// Mean and slowest latency over time.
    LatencyOverTime,
    /// The figure of each test, with its interval.
    Bars,
    /// The tables of a sweep as fields of colour.
    Sweep,
}

impl Kind {
    /// All, in the order in which they are named.
    pub const ALL: [Kind; 6] = [
        Kind::OverTime,
        Kind::Percentiles,
        Kind::Distribution,
        Kind::LatencyOverTime,
        Kind::Bars,
        Kind::Sweep,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::OverTime => "over-time",
            Kind::Percentiles => "percentiles",
            Kind::Distribution => "distribution",
            Kind::LatencyOverTime => "latency-over-time",
            Kind::Bars => "bars",
            Kind::Sweep => "sweep",
        }
    }

    /// What a picture of it shows.
    pub fn title(self, lang: Lang) -> String {
        lang.text(&self.message())
    }

    const fn message(self) -> Message {
        match self {
            Kind::OverTime => message!("picture-over-time"),
            Kind::Percentiles => message!("picture-percentiles"),
            Kind::Distribution => message!("picture-distribution"),
            Kind::LatencyOverTime => message!("picture-latency-over-time"),
            Kind::Bars => message!("picture-bars"),
            Kind::Sweep => message!("picture-sweep"),
        }
    }

    /// What a picture shows, and of what.
    fn full_title(self, subject: impl Into<Parameter>, lang: Lang) -> String {
        lang.text(&message!("picture-title", picture = self.message(), of = subject))
    }

    /// What draws a step, and says before whether it can; `None` of those that are drawn from all steps at once.
    const fn by_step(self) -> Option<(CanDraw, Draw)> {
        match self {
            Kind::OverTime => Some((over_time::can_draw, over_time::draw)),
            Kind::LatencyOverTime => Some((latency::over_time::can_draw, latency::over_time::draw)),
            Kind::Percentiles => Some((latency::percentiles::can_draw, latency::percentiles::draw)),
            Kind::Distribution => Some((latency::distribution::can_draw, latency::distribution::draw)),
            Kind::Bars | Kind::Sweep => None,
        }
    }
}

type CanDraw = fn(&Panel<'_>) -> bool;
type Draw = fn(&mut Sheet, &Panel<'_>);

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlotError {
    /// There is no such step.
    NoStep {
        /// The id that was asked for.
        id: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// Nothing in the Reports can be drawn so.
    Nothing(Kind),
    /// There would be too many lines to tell apart.
    TooManyReports {
        /// How many there are.
        found: usize,
        /// How many can be drawn.
        max: usize,
    },
    /// There would be too many parts below each other.
    TooManySteps(Vec<String>),
}

impl PlotError {
    /// What is wrong, and what to do.
    pub fn message(&self) -> Message {
        match self {
            Self::NoStep { id, known } => {
                let id = cardiograph_core::text::shown(id);
                message!("plot-error.no-step", id = id, steps = listed(known))
            }
            Self::Nothing(Kind::OverTime | Kind::LatencyOverTime) => message!("plot-error.no-series"),
            // Of so few no percentile is more than chance.
            Self::Nothing(Kind::Percentiles) => {
                message!("plot-error.no-percentiles", ios = SAMPLES_ABOVE_MIN)
            }
            Self::Nothing(Kind::Distribution) => message!("plot-error.no-latencies"),
            Self::Nothing(Kind::Bars) => message!("plot-error.no-figures"),
            Self::Nothing(Kind::Sweep) => message!("plot-error.no-sweep"),
            Self::TooManyReports { found, max } => {
                message!("plot-error.too-many-reports", found = *found, most = *max)
            }
            Self::TooManySteps(ids) => {
                message!(
                    "plot-error.too-many-steps",
                    found = ids.len(),
                    most = PANELS_MAX,
                    steps = listed(ids)
                )
            }
        }
    }
}

/// The first of some ids, and that there are more.
fn listed(ids: &[String]) -> Parameter {
    const LISTED_MAX: usize = 20;
    let more = (ids.len() > LISTED_MAX).then_some("...");
    Parameter::all(ids.iter().take(LISTED_MAX).map(String::as_str).chain(more))
}

/// A picture of one or several Reports: all of their steps, or the one of an id. A sweep is drawn from its tables, whole.
///
/// # Errors
/// When there is nothing to draw, or too much.
pub fn picture(
    kind: Kind,
    reports: &[&Report],
    step: Option<&str>,
    view: View,
) -> Result<Picture, PlotError> {
    let whole = |&report: &_| match kind {
        Kind::OverTime | Kind::LatencyOverTime if step.is_none() => timeline::joined(report),
        _ => Cow::Borrowed(report),
    };
    let reports: Vec<Cow<'_, Report>> = reports.iter().map(whole).collect();
    let reports: Vec<&Report> = reports.iter().map(AsRef::as_ref).collect();
    let subjects = subjects(&reports, view.lang);
    if subjects.len() > subject::STYLES {
        return Err(PlotError::TooManyReports { found: subjects.len(), max: subject::STYLES });
    }
    let all = panels(&subjects, view.lang);
    let has = |panel: &Panel<'_>, id: &str| panel.members.iter().any(|member| member.step.step.id == id);
    let chosen: Vec<Panel<'_>> =
        all.iter().filter(|panel| step.is_none_or(|id| has(panel, id))).cloned().collect();
    if let Some(id) = step.filter(|_| chosen.is_empty()) {
        let known = all.iter().map(|panel| panel.id.clone()).collect();
        return Err(PlotError::NoStep { id: id.to_string(), known });
    }
    let mut sheet = Sheet::new(view);
    let is_drawn = match kind {
        Kind::Bars => bars::draw(&mut sheet, &subjects, &chosen),
        Kind::Sweep => sweep::draw(&mut sheet, &subjects),
        _ => {
            let drawn = || chosen.iter().filter(|panel| can_draw(kind, panel));
            if drawn().count() > PANELS_MAX {
                return Err(PlotError::TooManySteps(drawn().map(|panel| panel.id.clone()).collect()));
            }
            chosen.iter().for_each(|panel| match can_draw(kind, panel) {
                true => draw_panel(&mut sheet, kind, panel, true),
                false => remark_too_few(&mut sheet, kind, panel),
            });
            drawn().next().is_some()
        }
    };
    if !is_drawn {
        return Err(PlotError::Nothing(kind));
    }
    let names: Vec<&str> = subjects.iter().map(|subject| subject.name.as_str()).collect();
    Ok(sheet.finish(kind.full_title(Parameter::all(names), view.lang)))
}

/// A picture of one step alone; `None` where there is nothing to draw. The caller gives it its title.
pub fn draw_step(kind: Kind, step: &StepResult, view: View) -> Option<Picture> {
    let panel = Panel::single(step, view.lang);
    if !can_draw(kind, &panel) {
        return None;
    }
    let mut sheet = Sheet::new(view);
    draw_panel(&mut sheet, kind, &panel, false);
    Some(sheet.finish(kind.full_title(panel.title, view.lang)))
}

/// Of which directions of a step there is no curve by percentile, for want of I/Os, a sentence each.
pub(crate) fn too_few_for_percentiles(step: &StepResult, lang: Lang) -> Vec<String> {
    latency::percentiles::too_few(&Panel::single(step, lang), lang)
        .iter()
        .map(|sentence| lang.text(sentence))
        .collect()
}

/// What the table of a sweep shows.
pub(crate) fn sweep_title(table: &Table, lang: Lang) -> String {
    said(&sweep::title(table), lang)
}

/// Speed over the whole of a course of writing that was measured in pieces; `None` where there is none.
pub fn draw_timeline(report: &Report, view: View) -> Option<Picture> {
    draw_step(Kind::OverTime, &timeline::whole(report)?, view)
}

/// The figures of all tests of one Report; `None` where there are none.
pub fn draw_report(report: &Report, view: View) -> Option<Picture> {
    let subjects = subjects(&[report], view.lang);
    let panels = panels(&subjects, view.lang);
    let mut sheet = Sheet::new(view);
    let is_drawn = bars::draw(&mut sheet, &subjects, &panels);
    is_drawn.then(|| sheet.finish(Kind::Bars.title(view.lang).to_string()))
}

/// A table of figures in rows and columns as a field of colour; `None` where it has too few of them.
pub fn draw_table(table: &Table, view: View) -> Option<Picture> {
    let mut sheet = Sheet::new(view);
    let is_drawn = sweep::draw_table(&mut sheet, table, "");
    is_drawn.then(|| sheet.finish(sweep_title(table, view.lang)))
}

fn can_draw(kind: Kind, panel: &Panel<'_>) -> bool {
    kind.by_step().is_some_and(|(can_draw, _)| can_draw(panel))
}

fn draw_panel(sheet: &mut Sheet, kind: Kind, panel: &Panel<'_>, has_head: bool) {
    if has_head {
        sheet.head(&panel.title);
    }
    if let Some((_, draw)) = kind.by_step() {
        draw(sheet, panel);
    }
}

/// Says of a step without a curve that it has too few I/Os for one, where that is why.
fn remark_too_few(sheet: &mut Sheet, kind: Kind, panel: &Panel<'_>) {
    let too_few = latency::percentiles::too_few(panel, sheet.view.lang);
    if kind == Kind::Percentiles && !too_few.is_empty() {
        sheet.head(&panel.title);
        too_few.into_iter().for_each(|sentence| sheet.remark(sentence));
    }
}

#[cfg(test)]
mod tests;
