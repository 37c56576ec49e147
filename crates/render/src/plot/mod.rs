//! Reports as pictures: SVG text, in light and dark, in English and Japanese.
//!
//! Reading order: [`Kind`] and [`picture`] (which pictures there are) → `subject` (the steps of several
//! Reports side by side) → one file for each kind → `sheet` (axes, legends, notes) → `scale` (values to
//! positions) → `canvas` (elements) → [`Picture`].
//!
//! # Why the axes are our own
//!
//! plotters 0.3 writes colours into each element as `#RRGGBB`, so pictures cannot follow a dark page, rounds
//! to whole pixels, and needs a font engine or a rough guess for the width of a label. kuva 0.6 takes any CSS
//! colour, but writes no `viewBox` (pictures do not shrink on a phone), no `role`, `title` and `desc`
//! (nothing for screen readers), measures text by one Latin font, has no axis of run times or nines, and is
//! 50,000 lines long. These pictures need little: four axes (`scale`), text that does not overlap in both
//! scripts (`letters`, `sheet`), and elements with classes for one style sheet.

mod canvas;
mod compared;
mod dots;
mod figures;
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
use cardiograph_core::nearest::{is_same, suggestion_or};
use cardiograph_core::report::{Report, StepResult};
use cardiograph_core::table::Table;
use cardiograph_core::{Message, Parameter, message};

pub(crate) use canvas::escaped;
pub use compared::draw_comparison;
pub use picture::{Picture, Theme, View, WIDTH_MAX, WIDTH_MIN, fitted};
pub(crate) use sweep::SUITE as SWEEP_SUITE;
pub use sweep::is_sweep;

use sheet::Sheet;
use subject::{Panel, Subject, panels, subjects};

use crate::lang::Lang;
use crate::text::said;

/// Maximum number of steps drawn below each other.
const PANELS_MAX: usize = 16;

/// Kinds of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Bandwidth over time, with the fall-off and stalls.
    OverTime,
    /// Latency by the share of faster I/Os.
    Percentiles,
    /// Distribution of latencies.
    Distribution,
    /// Mean and slowest latency over time.
    LatencyOverTime,
    /// The figure of each test, with its interval, on its own scale.
    Dots,
    /// The tables of a sweep as heat maps.
    Sweep,
}

impl Kind {
    /// All kinds, in the order in which they are listed.
    pub const ALL: [Kind; 6] = [
        Kind::OverTime,
        Kind::Percentiles,
        Kind::Distribution,
        Kind::LatencyOverTime,
        Kind::Dots,
        Kind::Sweep,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::OverTime => "over-time",
            Kind::Percentiles => "percentiles",
            Kind::Distribution => "distribution",
            Kind::LatencyOverTime => "latency-over-time",
            Kind::Dots => "dots",
            Kind::Sweep => "sweep",
        }
    }

    /// The title of such a picture.
    pub fn title(self, lang: Lang) -> String {
        lang.text(&self.message())
    }

    const fn message(self) -> Message {
        match self {
            Kind::OverTime => message!("picture-over-time"),
            Kind::Percentiles => message!("picture-percentiles"),
            Kind::Distribution => message!("picture-distribution"),
            Kind::LatencyOverTime => message!("picture-latency-over-time"),
            Kind::Dots => message!("picture-dots"),
            Kind::Sweep => message!("picture-sweep"),
        }
    }

    /// The title, with the subject.
    fn full_title(self, subject: impl Into<Parameter>, lang: Lang) -> String {
        lang.text(&message!("picture-title", picture = self.message(), of = subject))
    }

    /// Functions that draw a step, and decide whether they can; `None` for kinds drawn from all steps at
    /// once.
    const fn by_step(self) -> Option<(CanDraw, Draw)> {
        match self {
            Kind::OverTime => Some((over_time::can_draw, over_time::draw)),
            Kind::LatencyOverTime => Some((latency::over_time::can_draw, latency::over_time::draw)),
            Kind::Percentiles => Some((latency::percentiles::can_draw, latency::percentiles::draw)),
            Kind::Distribution => Some((latency::distribution::can_draw, latency::distribution::draw)),
            Kind::Dots | Kind::Sweep => None,
        }
    }
}

type CanDraw = fn(&Panel<'_>) -> bool;
type Draw = fn(&mut Sheet, &Panel<'_>);

/// Why the Reports have no data for a picture of this kind.
fn nothing(kind: Kind) -> Message {
    match kind {
        Kind::OverTime | Kind::LatencyOverTime => message!("plot-error.no-series"),
        // With so few I/Os each percentile is mere chance.
        Kind::Percentiles => message!("plot-error.no-percentiles", ios = SAMPLES_ABOVE_MIN),
        Kind::Distribution => message!("plot-error.no-latencies"),
        Kind::Dots => message!("plot-error.no-figures"),
        Kind::Sweep => message!("plot-error.no-sweep"),
    }
}

/// The first ids, with a sign that there are more.
fn listed(ids: &[String]) -> Parameter {
    const LISTED_MAX: usize = 20;
    let more = (ids.len() > LISTED_MAX).then_some("...");
    Parameter::all(ids.iter().take(LISTED_MAX).map(String::as_str).chain(more))
}

/// A picture of one or several Reports: all steps, or the one with an id. A sweep is always drawn whole, from
/// its tables.
///
/// # Errors
/// If there is nothing to draw, or too much.
pub fn picture(kind: Kind, reports: &[&Report], step: Option<&str>, view: View) -> Result<Picture, Message> {
    let whole = |&report: &_| match kind {
        Kind::OverTime | Kind::LatencyOverTime if step.is_none() => timeline::joined(report),
        _ => Cow::Borrowed(report),
    };
    let reports: Vec<Cow<'_, Report>> = reports.iter().map(whole).collect();
    let reports: Vec<&Report> = reports.iter().map(AsRef::as_ref).collect();
    let subjects = subjects(&reports, view.lang);
    if subjects.len() > subject::STYLES {
        let (found, most) = (subjects.len(), subject::STYLES);
        return Err(message!("plot-error.too-many-reports", found, most));
    }
    let all = panels(&subjects, view.lang);
    let has =
        |panel: &Panel<'_>, id: &str| panel.members.iter().any(|member| is_same(id, &member.step.step.id));
    let chosen: Vec<Panel<'_>> =
        all.iter().filter(|panel| step.is_none_or(|id| has(panel, id))).cloned().collect();
    if let Some(id) = step.filter(|_| chosen.is_empty()) {
        let known: Vec<String> = all.iter().map(|panel| panel.id.clone()).collect();
        let hint = suggestion_or(id, &known, message!("name-choose", known = listed(&known)));
        return Err(message!("plot-error.no-step", id = cardiograph_core::text::shown(id), hint));
    }
    let mut sheet = Sheet::new(view);
    let is_drawn = match kind {
        Kind::Dots => figures::draw(&mut sheet, &subjects, &chosen),
        Kind::Sweep => sweep::draw(&mut sheet, &subjects),
        _ => {
            let drawn = || chosen.iter().filter(|panel| can_draw(kind, panel));
            if drawn().count() > PANELS_MAX {
                let ids: Vec<String> = drawn().map(|panel| panel.id.clone()).collect();
                let (found, steps) = (ids.len(), listed(&ids));
                return Err(message!("plot-error.too-many-steps", found, most = PANELS_MAX, steps));
            }
            for panel in &chosen {
                if can_draw(kind, panel) {
                    draw_panel(&mut sheet, kind, panel, true);
                } else if !remark_too_few(&mut sheet, kind, panel) {
                    continue;
                }
                sheet.remark_lacking(&lacking(kind, panel, &subjects));
            }
            drawn().next().is_some()
        }
    };
    if !is_drawn {
        return Err(nothing(kind));
    }
    let names: Vec<&str> = subjects.iter().map(|subject| subject.name.as_str()).collect();
    Ok(sheet.finish(kind.full_title(Parameter::all(names), view.lang)))
}

/// A picture of a single step, without a title; `None` if there is nothing to draw.
pub fn draw_step(kind: Kind, step: &StepResult, view: View) -> Option<Picture> {
    let panel = Panel::single(step, view.lang);
    if !can_draw(kind, &panel) {
        return None;
    }
    let mut sheet = Sheet::new(view);
    draw_panel(&mut sheet, kind, &panel, false);
    Some(sheet.finish(kind.full_title(panel.title, view.lang)))
}

/// A sentence for each direction of a step that has too few I/Os for a curve by percentile.
pub(crate) fn too_few_for_percentiles(step: &StepResult, lang: Lang) -> Vec<String> {
    latency::percentiles::too_few(&Panel::single(step, lang), lang)
        .iter()
        .map(|sentence| lang.text(sentence))
        .collect()
}

/// The title of a sweep's table.
pub(crate) fn sweep_title(table: &Table, lang: Lang) -> String {
    said(&table.title, lang)
}

/// Speed over the whole timeline of writing measured in pieces; `None` if there is none.
pub fn draw_timeline(report: &Report, view: View) -> Option<Picture> {
    draw_step(Kind::OverTime, &timeline::whole(report)?, view)
}

/// The figures of all tests of one Report; `None` if there are none.
pub fn draw_report(report: &Report, view: View) -> Option<Picture> {
    let subjects = subjects(&[report], view.lang);
    let panels = panels(&subjects, view.lang);
    let mut sheet = Sheet::new(view);
    let is_drawn = figures::draw(&mut sheet, &subjects, &panels);
    is_drawn.then(|| sheet.finish(Kind::Dots.title(view.lang).to_string()))
}

/// A table of figures in rows and columns as a heat map; `None` if it has too few.
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

/// The Reports of which a panel draws nothing and says nothing.
fn lacking(kind: Kind, panel: &Panel<'_>, subjects: &[Subject<'_>]) -> Vec<String> {
    let is_said = |index: usize| {
        let members = panel.members.iter().filter(|member| member.index == index).cloned();
        let own = Panel { members: members.collect(), ..panel.clone() };
        let too_few = kind == Kind::Percentiles && !latency::percentiles::too_few(&own, Lang::EN).is_empty();
        can_draw(kind, &own) || too_few
    };
    let silent = subjects.iter().enumerate().filter(|(index, _)| !is_said(*index));
    silent.map(|(_, subject)| subject.name.clone()).collect()
}

/// Remarks that a step without a curve has too few I/Os for one. Returns whether that is the reason.
fn remark_too_few(sheet: &mut Sheet, kind: Kind, panel: &Panel<'_>) -> bool {
    let too_few = latency::percentiles::too_few(panel, sheet.view.lang);
    let is_reason = kind == Kind::Percentiles && !too_few.is_empty();
    if is_reason {
        sheet.head(&panel.title);
        too_few.into_iter().for_each(|sentence| sheet.remark(sentence));
    }
    is_reason
}

#[cfg(test)]
mod tests;
