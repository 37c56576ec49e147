//! The figures of a comparison.

use cardiograph_core::quantity::Quantity;
use cardiograph_judge::by_method::limits_of;
use cardiograph_judge::compare::{ComparedGroup, ComparedMetric, ComparedTest, Comparison, GroupValue};

use super::dots::{Dot, DotPlot, draw_dots};
use super::picture::{Picture, View};
use crate::compare::chosen::counted;
use crate::compare::shown;
use crate::doc::comparison::heading;

/// Draws the figure by which each test is quoted, a plot each; `None` if there are none.
pub fn draw_comparison(comparison: &Comparison, view: View) -> Option<Picture> {
    let plot = |(test, metric): (&ComparedTest, &ComparedMetric)| {
        let groups = || comparison.groups.iter().zip(&metric.values).enumerate();
        let dot = |(series, (group, value)): (usize, (&ComparedGroup, &Option<GroupValue>))| {
            let value = value.as_ref()?;
            let estimate = (!value.is_withheld()).then_some(value.estimate);
            Some(Dot { name: group.name.clone(), series, estimate, is_light: value.is_light() })
        };
        let lacking = groups().filter(|(_, (_, value))| value.is_none());
        DotPlot {
            title: heading(comparison, test, metric),
            quantity: metric.quantity,
            operation: counted(test).filter(|_| metric.quantity == Quantity::Iops),
            dots: groups().filter_map(dot).collect(),
            limits: limits_of(&comparison.purposes, &test.method, metric.direction, metric.quantity),
            lacking: lacking.map(|(_, (group, _))| group.name.clone()).collect(),
        }
    };
    let plots: Vec<DotPlot> = shown(comparison).into_iter().map(plot).collect();
    draw_dots(&plots, String::new(), view)
}
