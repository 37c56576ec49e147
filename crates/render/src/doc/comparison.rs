//! A comparison of groups of runs: the answer, a line for each test, each test's figures, the drives'
//! purposes, and the basis of the judgements.

mod asked;
mod figures;
pub(crate) mod groups;
mod notes;
mod remarks;
mod rows;
mod summary;

use cardiograph_core::text::unique;
use cardiograph_core::verdict::{Level, Verdict};
use cardiograph_core::{Message, Parameter, message};
use cardiograph_judge::compare::distribution::{Crossing, Distribution};
use cardiograph_judge::compare::{
    Apart, ComparedPurpose, ComparedTest, Comparison, Namesake, Role, Unpaired,
};

use super::report::verdicts::{deciding_figure, level};
use super::words::names;
use super::{Cell, Doc, Drawing, Fact, Node, Picture, Row, Table};
use crate::compare::chosen;
use crate::gathered::gathered;
use crate::method;
use crate::text::layout;
use figures::Line;
pub(crate) use groups::names as group_names;
use notes::Notes;
pub(crate) use remarks::share;
pub(crate) use rows::heading;
pub use rows::{comparison_pairs, comparison_rows};
use summary::Summary;

/// Fewer percentiles are all among the figures of the test.
const POINTS_MIN: usize = 4;
/// Titles of steps whose amounts are fitted to the drive.
const FITTED: [&str; 2] = ["step-cliff", "step-cameras"];
/// For more groups the deciding figures are left out.
const DECIDED_GROUPS_MAX: usize = 3;

/// How much of a comparison is shown: by default the answer, a line of dots for each test, and the purposes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extent {
    /// All figures that people quote as well, instead of dots.
    pub is_full: bool,
    /// The whole names of groups, as there is room.
    pub has_whole_names: bool,
    /// Of more than two groups, the ratios to the base.
    pub has_ratios: bool,
}

/// A comparison.
pub fn comparison(comparison: &Comparison, extent: Extent) -> Doc {
    let full = extent.is_full;
    let mut sheet = Sheet::new(comparison, extent);
    let summary = comparison.wanted.is_empty().then(|| Summary::new(&sheet));
    let mut nodes: Vec<Node> = summary.iter().filter_map(|summary| summary.answer(&sheet)).collect();
    let is_whole = full || summary.is_none();
    if is_whole {
        let groups = sheet.names.iter().zip(&comparison.groups);
        nodes.push(Node::Facts(groups.map(|(name, group)| groups::group(name, group)).collect()));
    }
    if comparison.tests.is_empty() {
        nodes.push(Node::paragraph(message!("comparison-no-tests")));
    }
    match &summary {
        Some(summary) => nodes.extend(summary.table(&mut sheet)),
        None => nodes.extend(asked::asked(&mut sheet)),
    }
    if summary.is_some() && full {
        let caption = message!("comparison-heading.picture");
        nodes.push(Node::Pictures(vec![Picture { caption, drawing: Drawing::Comparison }]));
        nodes.extend(tests(&mut sheet));
        nodes.extend(purposes(&sheet));
    } else if summary.is_some() {
        nodes.extend(purposes_at_a_glance(&sheet));
    }
    if is_whole {
        let facts = comparison.facts.iter().map(|fact| groups::fact(&sheet.names, fact)).collect();
        nodes.extend(Node::facts("facts", message!("comparison-heading.facts"), facts));
    }
    nodes.extend(unpaired(&sheet));
    nodes.extend(fitted(&sheet));
    nodes.extend(namesakes(&sheet));
    nodes.extend(sheet.notes.nodes(comparison, &sheet.names, is_whole));
    Doc::untitled(nodes)
}

/// Source of a document, and the notes collected for its end.
struct Sheet<'c> {
    comparison: &'c Comparison,
    extent: Extent,
    /// The groups' names.
    names: Vec<String>,
    notes: Notes,
}

impl<'c> Sheet<'c> {
    fn new(comparison: &'c Comparison, extent: Extent) -> Self {
        let names = match extent.has_whole_names {
            true => comparison.groups.iter().map(|group| layout::plain(&group.name)).collect(),
            false => groups::names(&comparison.groups),
        };
        Self { comparison, extent, names, notes: Notes::default() }
    }

    /// The group compared with the base, if there is only one.
    fn other(&self) -> Option<usize> {
        let mut others = self.comparison.others();
        others.next().filter(|_| others.next().is_none())
    }
}

/// A section for each test, and one for the drives' steadiness.
fn tests(sheet: &mut Sheet<'_>) -> Vec<Node> {
    let mut nodes = Vec::new();
    let mut steady: Vec<Line> = Vec::new();
    for test in &sheet.comparison.tests {
        let (mut speeds, mut spreads) = (Vec::new(), Vec::new());
        for figure in chosen::figures(test) {
            let line = sheet.line(test, figure.metric);
            let lines = if figure.metric.role == Role::Stability { &mut spreads } else { &mut speeds };
            lines.push(line);
            // Per price, only quoted speeds are given.
            speeds.extend(figure.is_first.then(|| sheet.line_per_price(figure.metric)).flatten());
        }
        let differences = sheet.differences(test).map(Node::paragraph);
        let table = sheet.table(message!("comparison-heading.figure"), speeds).map(Node::Table);
        let latencies = test.distributions.iter().flat_map(|distribution| latencies(sheet, distribution));
        let nodes_of_test = differences.into_iter().chain(table).chain(latencies).collect();
        nodes.extend(Node::section("test", test.title.clone(), nodes_of_test));
        if !spreads.is_empty() {
            steady.push(Line::heading(test.title.clone(), sheet.names.len()));
            steady.extend(spreads.into_iter().map(|line| Line { depth: 1, ..line }));
        }
    }
    let table = sheet.table(message!("comparison-heading.figure"), steady).map(Node::Table);
    nodes.extend(Node::section(
        "stability",
        message!("comparison-heading.stability"),
        table.into_iter().collect(),
    ));
    nodes
}

/// The latencies at which another group becomes faster, and the percentiles.
fn latencies(sheet: &Sheet<'_>, distribution: &Distribution) -> Vec<Node> {
    let changes_back = |one: &Crossing, next: &Crossing| {
        (one.faster_above, one.faster_below) == (next.faster_below, next.faster_above)
    };
    let mut nodes: Vec<Node> = distribution
        .crossings
        .chunk_by(changes_back)
        .map(|all| Node::paragraph(crossings(&sheet.names, distribution, all)))
        .collect();
    if distribution.points.len() >= POINTS_MIN {
        let cell = |ns: &Option<f64>| ns.map_or(Cell::Empty, |ns| Cell::Value(Parameter::latency_ns(ns)));
        let rows = distribution.points.iter().map(|point| Row {
            name: message!("statistic.percentile", percent = point.percent.to_string()),
            depth: 0,
            cells: point.values_ns.iter().map(cell).collect(),
        });
        nodes.push(Node::Table(Table {
            caption: None,
            names: Some(method::latencies(distribution.direction, distribution.kind)),
            columns: sheet.columns(),
            rows: rows.collect(),
            notes: Vec::new(),
        }));
    }
    nodes
}

/// The percentiles at which another group becomes faster, and the first one again.
fn crossings(names: &[String], distribution: &Distribution, all: &[Crossing]) -> Vec<Message> {
    let sentence = |(at, crossing): (usize, &Crossing)| {
        let (above, to) = (&names[crossing.faster_above], crossing.to_percent.to_string());
        match at {
            0 => message!(
                "comparison-crossing.first",
                latency = method::latencies(distribution.direction, distribution.kind),
                below = &names[crossing.faster_below],
                from = crossing.from_percent.to_string(),
                above,
                to
            ),
            _ => message!("comparison-crossing.again", group = above, to),
        }
    };
    all.iter().enumerate().map(sentence).collect()
}

/// The drives' purposes: for few groups each with the deciding figure, for many the groups of each level.
fn purposes(sheet: &Sheet<'_>) -> Option<Node> {
    let with_figure = |(name, verdict): (&String, &Verdict)| {
        let figure = deciding_figure(verdict);
        (Message::verbatim(name), std::iter::once(level(verdict.level)).chain(figure).collect())
    };
    let entry = |purpose: &ComparedPurpose| {
        let judged = || {
            sheet
                .names
                .iter()
                .zip(&purpose.verdicts)
                .filter_map(|(name, verdict)| Some((name, verdict.as_ref()?)))
        };
        let entries: Vec<(Message, Vec<Message>)> = if sheet.names.len() > DECIDED_GROUPS_MAX {
            let mut levels: Vec<Level> = judged().map(|(_, verdict)| verdict.level).collect();
            levels.sort();
            levels.dedup();
            let groups = |one: Level| {
                let at_level = judged().filter(|(_, verdict)| verdict.level == one);
                (level(one), names(at_level.map(|(name, _)| name)))
            };
            levels.into_iter().rev().map(groups).collect()
        } else {
            let unjudged = sheet.names.iter().zip(&purpose.verdicts).filter(|(_, verdict)| verdict.is_none());
            let unjudged =
                unjudged.map(|(name, _)| (Message::verbatim(name), vec![level(Level::CannotBeJudged)]));
            judged().map(with_figure).chain(unjudged).collect()
        };
        let fact = |(at, (term, value))| Fact {
            label: (at == 0).then(|| purpose.title.clone()),
            depth: 0,
            term: Some(term),
            value,
        };
        entries.into_iter().enumerate().map(fact).collect::<Vec<_>>()
    };
    let facts = sheet.comparison.purposes.iter().flat_map(entry).collect();
    Node::facts("purposes", message!("comparison-heading.purposes"), facts)
}

/// The drives' purposes side by side: those with the same verdicts share a row.
fn purposes_at_a_glance(sheet: &Sheet<'_>) -> Option<Node> {
    let cell = |verdict: &Option<Verdict>| {
        Cell::Text(level(verdict.as_ref().map_or(Level::CannotBeJudged, |verdict| verdict.level)))
    };
    let verdicts = |purpose: &ComparedPurpose| {
        (purpose.verdicts.iter().map(cell).collect::<Vec<_>>(), purpose.title.clone())
    };
    let row = |(cells, titles): (Vec<Cell>, Vec<Message>)| {
        Row::new(Message::quantity(Parameter::all(titles)), cells)
    };
    let rows: Vec<Row> =
        gathered(sheet.comparison.purposes.iter().map(verdicts)).into_iter().map(row).collect();
    let names = Some(message!("comparison-heading.purposes"));
    let is_any = !rows.is_empty();
    is_any.then(|| {
        Node::Table(Table { caption: None, names, columns: sheet.columns(), rows, notes: Vec::new() })
    })
}

/// Why tests with the same title are not compared, each pair once.
fn namesakes(sheet: &Sheet<'_>) -> Vec<Node> {
    let mut sentences: Vec<Message> = Vec::new();
    for alone in &sheet.comparison.unpaired {
        let Some(Namesake { group, apart }) = &alone.namesake else { continue };
        let is_told =
            |other: &&Unpaired| other.group == *group && other.title == alone.title && *group < alone.group;
        if sheet.comparison.unpaired.iter().any(|other| is_told(&other)) {
            continue;
        }
        let [one, other] = [alone.group, *group].map(|group| &sheet.names[group]);
        let why = match apart {
            Apart::MethodUnknown => message!("comparison-apart.unknown"),
            Apart::Pattern => message!("comparison-apart.pattern"),
            Apart::NoCommonFigure => message!("comparison-apart.no-figure"),
            Apart::Differences { differences } => {
                let named =
                    differences.iter().map(|difference| method::named_difference(difference, one, other));
                message!("comparison-apart.differences", differences = Parameter::all(named))
            }
        };
        let (one, other) = (one.as_str(), other.as_str());
        sentences.push(message!("comparison-apart", one, other, test = alone.title.clone(), why));
    }
    unique(sentences.into_iter()).into_iter().map(Node::paragraph).collect()
}

/// Why steps of a suite that fits them to the drive stand alone in several groups.
fn fitted(sheet: &Sheet<'_>) -> Option<Node> {
    let is_fitted = |alone: &&Unpaired| FITTED.iter().any(|id| alone.title.id().starts_with(id));
    let mut groups = sheet.comparison.unpaired.iter().filter(is_fitted).map(|alone| alone.group);
    let first = groups.next()?;
    groups.any(|group| group != first).then(|| Node::paragraph(message!("comparison-apart-fitted")))
}

/// Tests that only one group has.
fn unpaired<'s>(sheet: &'s Sheet<'_>) -> impl Iterator<Item = Node> + 's {
    let tests = |(group, name): (usize, &String)| {
        let alone = sheet.comparison.unpaired.iter().filter(|test| test.group == group);
        let titles: Vec<Message> = alone.map(|test| test.title.clone()).collect();
        let sentence =
            || message!("comparison-unpaired", group = name, tests = Parameter::all(titles.clone()));
        (!titles.is_empty()).then(|| Node::paragraph(sentence()))
    };
    sheet.names.iter().enumerate().filter_map(tests)
}

impl Sheet<'_> {
    /// How the groups were measured differently in a test.
    fn differences(&self, test: &ComparedTest) -> Option<Message> {
        let first =
            |group: &usize| test.sides[*group].as_ref().is_some_and(|side| side.differences.is_empty());
        let order: Vec<usize> =
            std::iter::once(self.comparison.base).chain(self.comparison.others()).collect();
        let left = *order.iter().find(|group| first(group))?;
        let sides = order.iter().filter_map(|&group| Some((group, test.sides[group].as_ref()?)));
        let different: Vec<_> = sides.filter(|(_, side)| !side.differences.is_empty()).collect();
        let phrases = different.iter().flat_map(|(group, side)| {
            let named =
                |difference| method::named_difference(difference, &self.names[left], &self.names[*group]);
            side.differences.iter().map(named)
        });
        let all = Parameter::all(phrases);
        let is_near = different.iter().any(|(_, side)| side.is_near());
        (!different.is_empty()).then(|| match is_near {
            true => message!("comparison-differs.method", differences = all),
            false => message!("comparison-differs.scale", differences = all),
        })
    }
}

/// The name of a test, with the direction unless its title implies it.
fn test_name(test: &ComparedTest, direction: Option<cardiograph_core::Direction>, is_alone: bool) -> Message {
    let is_told = is_alone && test.method.pattern.is_some_and(|pattern| !pattern.is_mixed());
    match direction {
        Some(direction) if !is_told || direction == cardiograph_core::Direction::Sync => message!(
            "comparison-of-direction",
            test = test.title.clone(),
            direction = method::direction(direction)
        ),
        _ => test.title.clone(),
    }
}

#[cfg(test)]
pub(crate) mod tests;
