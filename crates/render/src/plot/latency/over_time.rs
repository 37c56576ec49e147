//! Latency over time: a heat map if the latencies are known for each second, else mean and slowest I/O of each window.

use std::rc::Rc;

use cardiograph_core::{Direction, Interval, Message, Parameter, Series, message};

use super::super::scale::{latency_axis, time_axis};
use super::super::sheet::{Frame, Sheet};
use super::super::subject::{Line, Panel};
use super::heat;
use crate::lang::Lang;

const HEIGHT: f64 = 180.0;
const HEIGHT_OF_SEVERAL: f64 = 100.0;
const WINDOWS_MIN: usize = 3;
/// Minimum distance of points.
const POINT: f64 = 3.0;

pub(in super::super) fn can_draw(panel: &Panel<'_>) -> bool {
    !panel.series(Lang::EN, is_drawn).is_empty()
}

fn is_drawn(series: &Series, direction: Direction) -> bool {
    let rows = series.whole(direction);
    rows.len() >= WINDOWS_MIN && rows.iter().any(|row| row.latency_ns_max > 0)
}

/// Latencies of several windows merged.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Point {
    time_ns: f64,
    mean_ns: f64,
    max_ns: f64,
}

/// Draws each line as a separate diagram, on the same axes.
pub(in super::super) fn draw(sheet: &mut Sheet, panel: &Panel<'_>) {
    let lang = sheet.view.lang;
    let buckets = (sheet.width() / POINT) as usize;
    let lines = panel.series(lang, is_drawn);
    let drawn = |(line, series): &(Line<'_>, Rc<Series>)| match heat::can_draw(series, line.direction) {
        true => Drawn::Heat(heat::columns(series, line.direction, sheet.width())),
        false => Drawn::Points(points(series, line.direction, buckets)),
    };
    let all: Vec<Drawn> = lines.iter().map(drawn).collect();
    let ends: Vec<(f64, f64)> = all.iter().map(Drawn::ends_ns).collect();
    let low = ends.iter().map(|ends| ends.0).fold(f64::MAX, f64::min);
    let high = ends.iter().map(|ends| ends.1).fold(0.0, f64::max);
    let end_ns = lines.iter().map(|(_, series)| series.duration_ns).max().unwrap_or(0);
    let are_several = lines.len() > 1;
    for (at, ((line, _), (drawn, ends))) in lines.iter().zip(all.iter().zip(ends)).enumerate() {
        let mut x = time_axis(end_ns, sheet.marks_across(), lang);
        if at + 1 < lines.len() {
            x.name = String::new();
        }
        let what = line.said(are_several, drawn.what(), lang);
        let height = if are_several { HEIGHT_OF_SEVERAL } else { HEIGHT };
        let frame = sheet.frame(height, x, latency_axis(low, high, &what));
        match drawn {
            Drawn::Heat(columns) => heat::draw(sheet, &frame, line, columns),
            Drawn::Points(points) => draw_points(sheet, &frame, line, points),
        }
        let [low, high] = [ends.0, ends.1].map(Parameter::latency_ns);
        sheet.describe(message!("picture-latency-range", line = &line.name, low, high));
    }
}

/// What is drawn of a line.
enum Drawn {
    /// Its latencies.
    Heat(Vec<heat::Column>),
    /// Mean and slowest I/O of each window.
    Points(Vec<Point>),
}

impl Drawn {
    fn what(&self) -> Message {
        match self {
            Drawn::Heat(_) => message!("picture-latency.heat"),
            Drawn::Points(_) => message!("picture-latency.points"),
        }
    }

    fn ends_ns(&self) -> (f64, f64) {
        match self {
            Drawn::Heat(columns) => heat::ends_ns(columns),
            Drawn::Points(points) => points
                .iter()
                .fold((f64::MAX, 0.0), |(low, high), point| (low.min(point.mean_ns), high.max(point.max_ns))),
        }
    }
}

fn draw_points(sheet: &mut Sheet, frame: &Frame, line: &Line<'_>, points: &[Point]) {
    for point in points {
        sheet.canvas.circle(&line.fill("dot"), frame.point(point.time_ns, point.max_ns), 1.6);
    }
    let means: Vec<(f64, f64)> =
        points.iter().map(|point| frame.point(point.time_ns, point.mean_ns)).collect();
    sheet.canvas.polyline(&line.class(), &means);
}

/// Windows without I/O have no point.
fn points(series: &Series, direction: Direction, points_max: usize) -> Vec<Point> {
    let rows = series.whole(direction);
    let gathered = rows.len().div_ceil(points_max.max(1)).max(1);
    let point = |(at, rows): (usize, &[Interval])| {
        let mut sum = Interval::default();
        rows.iter().for_each(|row| sum.merge(row));
        let middle = (at * gathered) as f64 + rows.len() as f64 / 2.0;
        (sum.ios > 0).then(|| Point {
            time_ns: middle * series.window_ns as f64,
            mean_ns: sum.latency_ns_sum as f64 / sum.ios as f64,
            max_ns: sum.latency_ns_max as f64,
        })
    };
    rows.chunks(gathered).enumerate().filter_map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_without_ios_have_no_point() {
        let row = |ios, sum, max| Interval { ios, bytes: ios, latency_ns_sum: sum, latency_ns_max: max };
        let mut series = Series { window_ns: 10, duration_ns: 40, ..Series::default() };
        series.rows.read = vec![row(2, 30, 20), row(0, 0, 0), row(1, 7, 7), row(1, 9, 9)];
        let shown = |points_max| {
            let values = |point: &Point| (point.time_ns, point.mean_ns, point.max_ns);
            points(&series, Direction::Read, points_max).iter().map(values).collect::<Vec<_>>()
        };
        assert_eq!(shown(9), [(5.0, 15.0, 20.0), (25.0, 7.0, 7.0), (35.0, 9.0, 9.0)]);
        assert_eq!(shown(2), [(10.0, 15.0, 20.0), (30.0, 8.0, 9.0)]);
    }
}
