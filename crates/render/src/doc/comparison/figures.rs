//! Figures in rows, with a column for each group.

use cardiograph_core::quantity::Quantity;
use cardiograph_core::{Message, Parameter, message};
use cardiograph_judge::compare::{ComparedMetric, ComparedTest, GroupValue};

use super::Sheet;
use super::remarks::{share, size};
use crate::compare::chosen::counted;
use crate::compare::price;
use crate::compare::ratio::{ABOUT_THE_SAME, larger};
use crate::doc::details::apps;
use crate::doc::{Cell, Column, Row, Table};
use crate::method;

/// If there is no room, precision columns are dropped first, then remarks.
const REACH_RANK: u8 = 2;
const REMARK_RANK: u8 = 1;
/// An interval of which one side is this share of the value, and this many times the other side, is shown by its ends.
const LOPSIDED_SHARE: f64 = 0.1;
const LOPSIDED_TIMES: f64 = 2.0;

/// A figure for all groups.
pub(super) struct Line {
    pub name: Message,
    pub depth: u8,
    pub values: Vec<Cell>,
    /// The precision of each.
    pub reaches: Vec<Option<Message>>,
    /// How each group's value compares with the base's: a remark for two groups, a ratio for more.
    pub remarks: Vec<Option<Message>>,
    /// Whether each is marked as the best or about the same; empty if that is not shown.
    pub best: Vec<bool>,
}

impl Line {
    /// A heading for the lines below.
    pub(super) fn heading(name: Message, groups: usize) -> Self {
        let none = || vec![None; groups];
        let values = vec![Cell::Empty; groups];
        Self {
            name,
            depth: 0,
            values,
            reaches: vec![None; groups],
            remarks: none(),
            best: vec![false; groups],
        }
    }
}

impl Sheet<'_> {
    /// The line of a figure.
    pub(super) fn line(&mut self, test: &ComparedTest, metric: &ComparedMetric) -> Line {
        let groups = self.names.len();
        let remarks = match self.other() {
            Some(_) => (0..groups).map(|group| self.noted_remark(metric, group)).collect(),
            None => (0..groups).map(|group| self.ratio(metric, group)).collect(),
        };
        Line {
            values: cells(test, metric),
            reaches: metric
                .values
                .iter()
                .map(|value| reach(test, metric.quantity, value.as_ref()?))
                .collect(),
            remarks,
            ..Line::heading(method::with_direction(metric.direction, metric.quantity), groups)
        }
    }

    /// The ratio of one of several groups to the base, with its note, if asked for.
    pub(super) fn ratio(&mut self, metric: &ComparedMetric, group: usize) -> Option<Message> {
        let is_wanted = self.extent.has_ratios && self.other().is_none();
        let ratio = metric.against[group].as_ref().filter(|_| is_wanted)?.ratio?;
        self.notes.has_ratios = true;
        Some(self.noted(metric, group, Message::quantity(Parameter::times(ratio))))
    }

    /// The line of a speed per price; `None` if fewer than two groups have one.
    pub(super) fn line_per_price(&mut self, metric: &ComparedMetric) -> Option<Line> {
        let name = method::with_direction(metric.direction, metric.quantity);
        let scale = self.scale(metric)?;
        let base = self.comparison.base;
        let (is_pair, has_ratios) = (self.other().is_some(), self.extent.has_ratios);
        let mut ratio_remark = |group: usize| {
            let ratio = metric.per_price[group]? / metric.per_price[base]?;
            if group == base || !ratio.is_finite() || ratio <= 0.0 {
                return None;
            }
            let more = &self.names[if ratio > 1.0 { group } else { base }];
            let phrase = match is_pair {
                false if !has_ratios => return None,
                false => Message::quantity(Parameter::times(ratio)),
                true if larger(ratio) < ABOUT_THE_SAME => message!("comparison-remark.similar"),
                true => message!("comparison-remark.more", group = more, size = size(ratio)),
            };
            Some(self.noted(metric, group, phrase))
        };
        let groups = metric.values.len();
        let remarks = (0..groups).map(&mut ratio_remark).collect();
        let value = |value: Option<f64>| {
            value.map_or(Cell::Empty, |value| Cell::Value(method::value(metric.quantity, value)))
        };
        Some(Line {
            values: price::amounts(metric, scale).map(value).collect(),
            remarks,
            ..Line::heading(self.per_price(name, scale), groups)
        })
    }

    fn scale(&self, metric: &ComparedMetric) -> Option<f64> {
        let scale = || price::scale(self.comparison, metric.quantity);
        (!metric.per_price.is_empty()).then(scale).flatten()
    }

    /// The name of a figure per price: `IOPS per 1,000 JPY`.
    pub(super) fn per_price(&self, figure: Message, scale: f64) -> Message {
        let currency = self.comparison.price_currency.as_deref().unwrap_or_default();
        match scale == 1.0 && currency.chars().all(char::is_alphabetic) {
            true => message!("comparison-per-price.one", figure, currency),
            false => message!("comparison-per-price.many", figure, amount = scale as u64, currency),
        }
    }

    /// A column for each group.
    pub(super) fn columns(&self) -> Vec<Column> {
        self.names.iter().map(|name| Column::figures(Message::verbatim(name), 0)).collect()
    }

    /// The lines as a table; `None` if there are none.
    pub(super) fn table(&self, names: Message, lines: Vec<Line>) -> Option<Table> {
        let is_any = |has: &dyn Fn(&Line) -> bool| lines.iter().any(has);
        let has_reaches = is_any(&|line| line.reaches.iter().any(Option::is_some));
        let remarked = self.other().filter(|&group| is_any(&|line| line.remarks[group].is_some()));
        let mut columns = Vec::new();
        for column in self.columns() {
            columns.push(column);
            columns.extend(has_reaches.then(|| Column::figures(Message::default(), REACH_RANK)));
        }
        columns
            .extend(remarked.map(|_| Column::text(message!("comparison-heading.difference"), REMARK_RANK)));
        let row = |line: &Line| {
            let reach = |group: usize| match &line.reaches[group] {
                Some(reach) => Cell::Text(reach.clone()),
                None => Cell::Empty,
            };
            let groups = (0..self.names.len())
                .flat_map(|group| [Some(cell(line, group, remarked)), has_reaches.then(|| reach(group))]);
            let remark = remarked.map(|group| line.remarks[group].clone().map_or(Cell::Empty, Cell::Text));
            Row {
                name: line.name.clone(),
                depth: line.depth,
                cells: groups.flatten().chain(remark).collect(),
            }
        };
        let rows: Vec<Row> = lines.iter().map(row).collect();
        let table = || Table { caption: None, names: Some(names), columns, rows, notes: Vec::new() };
        (!lines.is_empty()).then(table)
    }
}

/// A value in its unit; what an application's users count, in theirs.
fn amount(test: &ComparedTest, quantity: Quantity, value: f64) -> Parameter {
    match counted(test).filter(|_| quantity == Quantity::Iops) {
        Some(counted) => apps::rate(counted, value, value).into(),
        None => method::value(quantity, value),
    }
}

/// Each group's value.
pub(super) fn cells(test: &ComparedTest, metric: &ComparedMetric) -> Vec<Cell> {
    let cell = |value: &Option<GroupValue>| {
        let shown = |value: &GroupValue| amount(test, metric.quantity, value.estimate.value);
        match value {
            None => Cell::Empty,
            Some(value) if value.is_withheld() => Cell::Withheld,
            Some(value) if value.is_light() => Cell::Text(message!("figure-light", value = shown(value))),
            Some(value) => Cell::Value(shown(value)),
        }
    };
    metric.values.iter().map(cell).collect()
}

/// A group's value, with its ratio if there are several groups.
fn cell(line: &Line, group: usize, remarked: Option<usize>) -> Cell {
    let Cell::Value(value) = &line.values[group] else { return line.values[group].clone() };
    shown(value, line.best[group], line.remarks[group].clone().filter(|_| remarked.is_none()))
}

/// A value, marked as the best and with its ratio.
pub(super) fn shown(value: &Parameter, is_best: bool, ratio: Option<Message>) -> Cell {
    let value = match is_best {
        true => message!("comparison-value.best", value = value.clone()),
        false if ratio.is_none() => return Cell::Value(value.clone()),
        false => Message::quantity(value.clone()),
    };
    Cell::Text(match ratio {
        Some(ratio) => message!("comparison-value.ratio", value, ratio),
        None => value,
    })
}

/// The interval: its wider side as a share of the value, or its ends if one is much farther away than the other.
fn reach(test: &ComparedTest, quantity: Quantity, value: &GroupValue) -> Option<Message> {
    let estimate = value.estimate;
    let (low, high) = (estimate.low?, estimate.high?);
    let (below, above) = (estimate.value - low, high - estimate.value);
    let half = above.max(below);
    if estimate.value <= 0.0 || half <= 0.0 || value.is_withheld() {
        return None;
    }
    let is_lopsided = half > LOPSIDED_SHARE * estimate.value && half > LOPSIDED_TIMES * above.min(below);
    Some(match is_lopsided {
        true => {
            let [low, high] = [low, high].map(|end| amount(test, quantity, end));
            message!("comparison-value.between", low, high)
        }
        false => message!("comparison-value.reach", share = share(half / estimate.value)),
    })
}
