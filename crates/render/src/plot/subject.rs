//! The subjects of a picture: steps of several Reports side by side, each with its own line style.

use std::rc::Rc;

use cardiograph_core::Doubt;
use cardiograph_core::method::Method;
use cardiograph_core::report::{Report, StepResult, StepRole};
use cardiograph_core::{Direction, Latency, Message, Parameter, PerDirection, Series, message};
use cardiograph_jobs::method as jobs_method;
use cardiograph_judge::compare::{TestKind, assign_indexes};

use crate::lang::Lang;
use crate::text;

/// Number of distinguishable Reports.
pub(super) const STYLES: usize = 8;

/// A Report with its name in a picture.
#[derive(Debug, Clone)]
pub(super) struct Subject<'r> {
    pub name: String,
    pub report: &'r Report,
}

impl Subject<'_> {
    /// A remark on it in a picture of several.
    pub(super) fn says(&self, said: impl Into<Parameter>) -> Message {
        message!("picture-of", name = &self.name, said)
    }
}

/// The name of a direction in legends.
pub(super) const fn direction_name(direction: Direction) -> Message {
    match direction {
        Direction::Sync => message!("picture-fsync"),
        _ => direction.message(),
    }
}

/// A step in all Reports that have it.
#[derive(Debug, Clone)]
pub(super) struct Panel<'r> {
    pub id: String,
    pub title: String,
    pub members: Vec<Member<'r>>,
}

/// A Report's step.
#[derive(Debug, Clone)]
pub(super) struct Member<'r> {
    /// Of the Report, in the picture.
    pub index: usize,
    /// Name of the Report; empty if there is only one.
    pub name: String,
    pub step: &'r StepResult,
}

/// A line of a picture: a direction of a step of a Report.
#[derive(Debug, Clone)]
pub(super) struct Line<'r> {
    /// Its name in the legend.
    pub name: String,
    /// Index of its Report's step in the panel.
    pub member: usize,
    /// Index of its colour and mark.
    pub color: usize,
    /// Index of its dashes.
    pub dash: usize,
    pub direction: Direction,
    pub step: &'r StepResult,
}

/// The Reports under distinct names: labels, else models, with the id if two are equal.
pub(super) fn subjects<'r>(reports: &[&'r Report], lang: Lang) -> Vec<Subject<'r>> {
    let names: Vec<String> = reports.iter().map(|report| name(report)).collect();
    let is_shared = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
    let distinct = names.iter().zip(reports).map(|(name, report)| match is_shared(name) {
        true => lang.text(&message!("picture-name-with-id", name, id = &report.id)),
        false => name.clone(),
    });
    distinct.zip(reports).map(|(name, &report)| Subject { name, report }).collect()
}

/// The short name of a Report: the label, else the drive, else its source.
pub(super) fn name(report: &Report) -> String {
    let model = || report.drive.leaves.iter().find_map(|leaf| leaf.model.clone());
    let place = || report.source.as_ref().map(|source| source.place_in_words().to_string());
    let name = report.label.clone().or_else(model).or_else(place).unwrap_or_else(|| report.id.clone());
    text::plain(&name)
}

/// The measuring steps, each with equivalent steps of other Reports, in the order of first appearance.
pub(super) fn panels<'r>(subjects: &[Subject<'r>], lang: Lang) -> Vec<Panel<'r>> {
    let is_measured = |step: &&StepResult| step.step.role == StepRole::Measure;
    let steps: Vec<Vec<&'r StepResult>> =
        subjects.iter().map(|subject| subject.report.steps.iter().filter(is_measured).collect()).collect();
    let methods: Vec<Vec<Method>> =
        steps.iter().map(|steps| steps.iter().map(|step| jobs_method::from_step(step)).collect()).collect();
    let kinds = steps.iter().zip(&methods).map(|(steps, methods)| {
        let kind = |(step, method): (&'r StepResult, _)| TestKind {
            id: &step.step.id,
            title: &step.step.title,
            method,
        };
        steps.iter().copied().zip(methods).map(kind).collect()
    });
    let kinds: Vec<Vec<TestKind>> = kinds.collect();
    let mut panels: Vec<Panel<'r>> = Vec::new();
    for (index, (steps, places)) in steps.iter().zip(assign_indexes(&kinds)).enumerate() {
        let name = if subjects.len() > 1 { subjects[index].name.clone() } else { String::new() };
        for (&step, place) in steps.iter().zip(places) {
            let member = Member { index, name: name.clone(), step };
            match panels.get_mut(place) {
                Some(panel) => panel.members.push(member),
                None => panels.push(Panel { members: vec![member], ..Panel::single(step, lang) }),
            }
        }
    }
    panels
}

impl<'r> Panel<'r> {
    /// A single step.
    pub(super) fn single(step: &'r StepResult, lang: Lang) -> Self {
        let member = Member { index: 0, name: String::new(), step };
        Self { id: step.step.id.clone(), title: text::said(&step.step.title, lang), members: vec![member] }
    }

    /// A line for each direction of each Report's step for which `drawn` returns data. Data shared by all
    /// directions is made by `whole`, once per step. Directions with a `hidden` doubt are left out.
    pub(super) fn lines<W, T>(
        &self,
        hidden: impl Fn(&Doubt) -> bool,
        lang: Lang,
        whole: impl Fn(&'r StepResult) -> W,
        drawn: impl Fn(&W, Direction) -> Option<T>,
    ) -> Vec<(Line<'r>, T)> {
        let several = self.members.iter().any(|member| !member.name.is_empty());
        let mut lines: Vec<(Line<'r>, T)> = Vec::new();
        for (at, member) in self.members.iter().enumerate() {
            let whole = whole(member.step);
            let is_shown = |&one: &Direction| !member.step.doubt(one).is_some_and(&hidden);
            for direction in Direction::ALL.into_iter().filter(is_shown) {
                let Some(drawn) = drawn(&whole, direction) else { continue };
                let full_name =
                    message!("picture-line", name = &member.name, direction = direction_name(direction));
                let name = match member.name.as_str() {
                    "" => lang.text(&direction_name(direction)),
                    _ => lang.text(&full_name),
                };
                let color = if several { member.index } else { direction.index() } % STYLES;
                let dash = if several { direction.index() } else { 0 };
                lines.push((Line { name, member: at, color, dash, direction, step: member.step }, drawn));
            }
        }
        // Dashes and names tell directions apart, if there are several.
        if lines.windows(2).all(|pair| pair[0].0.direction == pair[1].0.direction) {
            for (line, _) in &mut lines {
                line.dash = 0;
                let name = &self.members[line.member].name;
                line.name = if name.is_empty() { line.name.clone() } else { name.clone() };
            }
        }
        lines
    }

    /// A line with its windows for each direction accepted by `is_drawn`.
    pub(super) fn series(
        &self,
        lang: Lang,
        is_drawn: impl Fn(&Series, Direction) -> bool,
    ) -> Vec<(Line<'r>, Rc<Series>)> {
        let shown = |series: &Option<Rc<Series>>, direction| {
            series.as_ref().filter(|series| is_drawn(series, direction)).cloned()
        };
        // Pauses are marked in pictures over time: the rest is the drive's.
        let hidden = |doubt: &Doubt| doubt.withholds() && !matches!(doubt, Doubt::Paused { .. });
        self.lines(hidden, lang, |step| series(step).map(Rc::new), shown)
    }
}

impl Line<'_> {
    /// The class of the line.
    pub(super) fn class(&self) -> String {
        match self.dash {
            0 => format!("line c{}", self.color),
            dash => format!("line c{} dash{dash}", self.color),
        }
    }

    /// The class for areas filled in its colour.
    pub(super) fn fill(&self, class: &str) -> String {
        format!("{class} c{}", self.color)
    }

    /// What is drawn, with the name of the line if there `are_several`.
    pub(super) fn said(&self, are_several: bool, what: Message, lang: Lang) -> String {
        lang.text(&if are_several { message!("picture-of", name = &self.name, said = what) } else { what })
    }
}

/// The windows of a step of this or another program; `None` if there are none.
pub(super) fn series(step: &StepResult) -> Option<Series> {
    let measured = step.result.as_ref().map(|result| result.series());
    let series = measured.or_else(|| step.imported.as_ref()?.series.clone())?;
    (series.window_ns > 0).then_some(series)
}

/// All latencies of a step; `None` for directions without individual latencies.
pub(super) fn latencies(step: &StepResult) -> PerDirection<Option<Latency>> {
    let known = match (&step.result, &step.imported) {
        (Some(result), _) => result.merged(|_| true).map(|direction| Some(direction.total().clone())),
        (None, Some(imported)) => imported.latency.clone(),
        (None, None) => PerDirection::default(),
    };
    known.map(|latency| latency.clone().filter(|latency| latency.n() > 0))
}
