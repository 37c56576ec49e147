//! Figures requested by name: a table for each, with a row for each test and a column for each group.

use cardiograph_core::quantity::Quantity;
use cardiograph_core::text::unique;
use cardiograph_core::{Message, Parameter, message};
use cardiograph_judge::compare::{ComparedMetric, ComparedTest};

use super::figures::Line;
use super::{Sheet, test_name};
use crate::compare::{all_metrics, best, metrics, price, shown};
use crate::doc::Node;
use crate::gathered::gathered;
use crate::method;

/// The figures in the requested order, without those that no two groups have in a test, and how tests were
/// measured differently.
pub(super) fn asked(sheet: &mut Sheet<'_>) -> Vec<Node> {
    let comparison = sheet.comparison;
    let mut nodes = Vec::new();
    for &quantity in &comparison.wanted {
        let value_line = |sheet: &mut Sheet, (test, metric): (&ComparedTest, &ComparedMetric)| {
            Some(Line { best: best::best_values(metric), ..sheet.line(test, metric) })
        };
        nodes.extend(section(sheet, quantity, method::heading(quantity), value_line));
        if let Some(scale) = price::scale(comparison, quantity) {
            let price_line = |sheet: &mut Sheet, (_, metric): (&ComparedTest, &ComparedMetric)| {
                let line = sheet.line_per_price(metric)?;
                Some(Line { best: best::best_per_price(metric), ..line })
            };
            let heading = sheet.per_price(method::heading(quantity), scale);
            nodes.extend(section(sheet, quantity, heading, price_line));
        }
    }
    nodes.extend(differences(sheet));
    nodes
}

fn section(
    sheet: &mut Sheet<'_>,
    quantity: Quantity,
    heading: Message,
    line: impl Fn(&mut Sheet<'_>, (&ComparedTest, &ComparedMetric)) -> Option<Line>,
) -> Option<Node> {
    let comparison = sheet.comparison;
    let named = |(test, metric): (&ComparedTest, &ComparedMetric)| {
        let is_alone = metrics(test, quantity).len() == 1;
        Some(Line { name: test_name(test, metric.direction, is_alone), ..line(sheet, (test, metric))? })
    };
    let lines: Vec<Line> = all_metrics(comparison, quantity).filter_map(named).collect();
    sheet.notes.has_best |= lines.iter().any(|line| line.best.contains(&true));
    let table = sheet.table(message!("comparison-heading.test"), lines).map(Node::Table);
    Node::section("asked", heading, table.into_iter().collect())
}

/// How the tests shown were measured differently; those with the same differences are listed together.
pub(super) fn differences(sheet: &Sheet<'_>) -> Vec<Node> {
    let tests = unique(shown(sheet.comparison).into_iter().map(|(test, _)| &test.test));
    let is_shown = |test: &&ComparedTest| tests.contains(&&test.test);
    let with_title = |test| Some((sheet.differences(test)?, test.title.clone()));
    let all = gathered(sheet.comparison.tests.iter().filter(is_shown).filter_map(with_title));
    let paragraph = |(differences, titles): (Message, Vec<Message>)| {
        let tests = message!("comparison-differs.tests", tests = Parameter::all(titles));
        Node::paragraph(vec![differences, tests])
    };
    all.into_iter().map(paragraph).collect()
}
