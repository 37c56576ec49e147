//! What is drawn: the steps of several Reports beside each other, each line with a look of its own.

use std::rc::Rc;

use cardiograph_core::Doubt;
use cardiograph_core::method::{Difference, Likeness, Method, Pattern};
use cardiograph_core::report::{Report, StepResult, StepRole};
use cardiograph_core::{Direction, Latency, PerDirection, Series};
use cardiograph_jobs::method as jobs_method;

use super::sheet::Sample;
use crate::lang::Lang;
use crate::method::direction_word;
use crate::text;

/// How many Reports can be told apart.
pub(super) const STYLES: usize = 8;

/// A Report, with the name that it has in a picture.
#[derive(Debug, Clone)]
pub(super) struct Subject<'r> {
    pub name: String,
    pub report: &'r Report,
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
    /// Name of the Report; empty where there is only one.
    pub name: String,
    pub step: &'r StepResult,
}

/// A line of a picture: a direction of a step of a Report.
#[derive(Debug, Clone)]
pub(super) struct Line<'r> {
    /// What tells it from others, for people.
    pub name: String,
    /// Of the colour.
    pub color: usize,
    /// Of the dashes.
    pub dash: usize,
    pub direction: Direction,
    pub step: &'r StepResult,
}

/// The Reports under names that tell them apart: labels, else models, with the id where two are alike.
pub(super) fn subjects<'r>(reports: &[&'r Report]) -> Vec<Subject<'r>> {
    let names: Vec<String> = reports.iter().map(|report| name(report)).collect();
    let is_shared = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
    let told_apart = names.iter().zip(reports).map(|(name, report)| match is_shared(name) {
        true => format!("{name} ({})", text::plain(&report.id)),
        false => name.clone(),
    });
    told_apart.zip(reports).map(|(name, &report)| Subject { name, report }).collect()
}

/// What a Report is called where there is little room: the label, else the drive, else where it came from.
pub(super) fn name(report: &Report) -> String {
    let model = || report.drive.leaves.iter().find_map(|leaf| leaf.model.clone());
    let place = || report.source.as_ref().map(|source| source.place_in_words().to_string());
    let name = report.label.clone().or_else(model).or_else(place).unwrap_or_else(|| report.id.clone());
    text::plain(&name)
}

/// The steps that measured, with those of other Reports that did the same, in the order in which they are met.
pub(super) fn panels<'r>(subjects: &[Subject<'r>]) -> Vec<Panel<'r>> {
    let is_measured = |step: &&StepResult| step.step.role == StepRole::Measure;
    let steps: Vec<Vec<&'r StepResult>> =
        subjects.iter().map(|subject| subject.report.steps.iter().filter(is_measured).collect()).collect();
    let test = |step: &&'r StepResult| Test { id: &step.step.id, method: jobs_method::of_step(step) };
    let tests: Vec<Vec<Test>> = steps.iter().map(|steps| steps.iter().map(test).collect()).collect();
    let mut panels: Vec<Panel<'r>> = Vec::new();
    for (index, (steps, places)) in steps.iter().zip(places(&tests)).enumerate() {
        let name = if subjects.len() > 1 { subjects[index].name.clone() } else { String::new() };
        for (&step, place) in steps.iter().zip(places) {
            let member = Member { index, name: name.clone(), step };
            match panels.get_mut(place) {
                Some(panel) => panel.members.push(member),
                None => panels.push(Panel { members: vec![member], ..Panel::of(step) }),
            }
        }
    }
    panels
}

/// What tells which tests of several Reports belong together.
pub(super) struct Test<'t> {
    pub id: &'t str,
    pub method: Method,
}

impl Test<'_> {
    /// Whether another Report's test is the same: it is called the same and is not known to do something else, or does the same.
    /// Parts of applications have one method between them.
    fn is_the_same(&self, other: &Test<'_>, by_id: bool) -> bool {
        let likeness = self.method.likeness(&other.method);
        if by_id {
            let is_unknown = self.method.pattern.is_none() || other.method.pattern.is_none();
            return self.id == other.id && (is_unknown || likeness != Likeness::Other);
        }
        let is_told = self.method.pattern.is_some_and(|pattern| pattern != Pattern::Application);
        is_told
            && match likeness {
                Likeness::Same => true,
                Likeness::Near { differences } => Difference::are_of_scale(&differences),
                Likeness::Other => false,
            }
    }
}

/// For each test of each Report its place among all, where those that belong together have the same. Places count from 0 in the order
/// in which they are met. Two tests of one Report never share a place.
pub(super) fn places(reports: &[Vec<Test<'_>>]) -> Vec<Vec<usize>> {
    // The first test of each place, and the last Report that has one there.
    let mut known: Vec<(&Test<'_>, usize)> = Vec::new();
    let mut all = Vec::with_capacity(reports.len());
    for (report, tests) in reports.iter().enumerate() {
        let mut places: Vec<Option<usize>> = vec![None; tests.len()];
        for by_id in [true, false] {
            for (test, place) in tests.iter().zip(&mut places).filter(|(_, place)| place.is_none()) {
                let is_free =
                    |&(first, last): &(&Test<'_>, usize)| last != report && first.is_the_same(test, by_id);
                *place = known.iter().position(is_free);
                place.iter().for_each(|&place| known[place].1 = report);
            }
        }
        let place = |(test, place): (_, Option<usize>)| {
            place.unwrap_or_else(|| {
                known.push((test, report));
                known.len() - 1
            })
        };
        all.push(tests.iter().zip(places).map(place).collect());
    }
    all
}

impl<'r> Panel<'r> {
    /// One step alone.
    pub(super) fn of(step: &'r StepResult) -> Self {
        let member = Member { index: 0, name: String::new(), step };
        Self { id: step.step.id.clone(), title: text::plain(&step.step.title), members: vec![member] }
    }

    /// A line for each direction of each Report's step, with what `of` finds to draw of it: none where that is nothing. What
    /// all directions share is made by `whole`, once for a step. What is withheld is left out.
    pub(super) fn lines<W, T>(
        &self,
        lang: Lang,
        whole: impl Fn(&'r StepResult) -> W,
        of: impl Fn(&W, Direction) -> Option<T>,
    ) -> Vec<(Line<'r>, T)> {
        self.lines_but(Doubt::withholds, lang, whole, of)
    }

    /// The same without what a doubt is `hidden` for.
    fn lines_but<W, T>(
        &self,
        hidden: impl Fn(&Doubt) -> bool,
        lang: Lang,
        whole: impl Fn(&'r StepResult) -> W,
        of: impl Fn(&W, Direction) -> Option<T>,
    ) -> Vec<(Line<'r>, T)> {
        let several = self.members.len() > 1 || self.members.iter().any(|member| member.index > 0);
        let mut lines: Vec<(Line<'r>, T)> = Vec::new();
        for member in &self.members {
            let whole = whole(member.step);
            for direction in
                Direction::ALL.into_iter().filter(|&one| !member.step.doubt(one).is_some_and(&hidden))
            {
                let Some(drawn) = of(&whole, direction) else { continue };
                let word = direction_word(direction, lang);
                let name = match member.name.as_str() {
                    "" => word.to_string(),
                    name => format!("{name}, {word}"),
                };
                let color = if several { member.index } else { direction.index() } % STYLES;
                let dash = if several { direction.index() } else { 0 };
                lines.push((Line { name, color, dash, direction, step: member.step }, drawn));
            }
        }
        // Dashes tell directions apart, where there are several.
        if lines.windows(2).all(|pair| pair[0].0.direction == pair[1].0.direction) {
            lines.iter_mut().for_each(|(line, _)| line.dash = 0);
        }
        lines
    }

    /// A line with its windows for each direction of which `is_drawn` says so.
    pub(super) fn series(
        &self,
        lang: Lang,
        is_drawn: impl Fn(&Series, Direction) -> bool,
    ) -> Vec<(Line<'r>, Rc<Series>)> {
        let of = |series: &Option<Rc<Series>>, direction| {
            series.as_ref().filter(|series| is_drawn(series, direction)).cloned()
        };
        // Pauses are marked in what goes over time: the rest of it is the drive's.
        let hidden = |doubt: &Doubt| doubt.withholds() && !matches!(doubt, Doubt::Paused { .. });
        self.lines_but(hidden, lang, |step| series(step).map(Rc::new), of)
    }
}

impl Line<'_> {
    /// The class of the line.
    pub(super) fn class(&self) -> String {
        match self.dash {
            0 => format!("line s{}", self.color),
            dash => format!("line s{} dash{dash}", self.color),
        }
    }

    /// The class of what is filled in its colour.
    pub(super) fn fill(&self, class: &str) -> String {
        format!("{class} f{}", self.color)
    }

    pub(super) fn sample(&self) -> Sample {
        Sample::Line(self.class())
    }
}

/// The windows of a step, of this program or of another; `None` where there are none.
pub(super) fn series(step: &StepResult) -> Option<Series> {
    let measured = step.result.as_ref().map(|result| result.series());
    let series = measured.or_else(|| step.imported.as_ref()?.series.clone())?;
    (series.window_ns > 0).then_some(series)
}

/// All latencies of a step; `None` of a direction where they are not known one by one.
pub(super) fn latencies(step: &StepResult) -> PerDirection<Option<Latency>> {
    let known = match (&step.result, &step.imported) {
        (Some(result), _) => result.merged(|_| true).map(|direction| Some(direction.total().clone())),
        (None, Some(imported)) => imported.latency.clone(),
        (None, None) => PerDirection::default(),
    };
    known.map(|latency| latency.clone().filter(|latency| latency.n() > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_did_the_same_belong_together() {
        let method = |pattern, depth, time_ns| Method {
            tool: "fio".to_string(),
            pattern: Some(pattern),
            block_bytes: Some(4_096),
            depth: Some(depth),
            time_ns: Some(time_ns),
            ..Method::default()
        };
        let read = || method(Pattern::RandomRead, 1, 30);
        let write = || method(Pattern::RandomWrite, 1, 30);
        let unknown = Method::default;
        type Tests = Vec<(&'static str, Method)>;
        let cases: Vec<(Tests, Tests, Vec<usize>)> = vec![
            (vec![("a", read()), ("b", write())], vec![("b", write()), ("a", read())], vec![1, 0]),
            // Called otherwise, or for as long as a suite has it.
            (vec![("a", read()), ("b", write())], vec![("x", write()), ("y", read())], vec![1, 0]),
            (vec![("a", read())], vec![("x", method(Pattern::RandomRead, 1, 8))], vec![0]),
            // Called the same, and something else.
            (vec![("a", read())], vec![("a", write())], vec![1]),
            (vec![("a", read()), ("b", write())], vec![("a", write()), ("b", read())], vec![1, 0]),
            // What is near goes by its name only.
            (vec![("a", read())], vec![("a", method(Pattern::RandomRead, 2, 30))], vec![0]),
            (vec![("a", read())], vec![("x", method(Pattern::RandomRead, 2, 30))], vec![1]),
            // Where nothing is told the name is all there is.
            (vec![("a", unknown())], vec![("a", unknown()), ("x", unknown())], vec![0, 1]),
            // Tries of one test stand each for itself.
            (vec![("a", read()), ("a-2", read())], vec![("a-2", read()), ("a", read())], vec![1, 0]),
            (vec![("a", read())], vec![("a-2", read()), ("a", read())], vec![1, 0]),
        ];
        for (one, two, expected) in cases {
            let tests = |all: &'_ Tests| -> Vec<Test<'static>> {
                all.iter().map(|(id, method)| Test { id, method: method.clone() }).collect()
            };
            let found = places(&[tests(&one), tests(&two)]);
            let names: Vec<_> = two.iter().map(|(id, method)| (id, method.pattern)).collect();
            assert_eq!(found[0], (0..one.len()).collect::<Vec<_>>());
            assert_eq!(found[1], expected, "{names:?}");
        }
    }
}
