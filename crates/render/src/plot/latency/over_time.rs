//! Latency over time: a heat map if one checkup is drawn and its latencies are known for each second, else
//! mean and slowest I/O of each window.

use std::rc::Rc;

use cardiograph_core::{Direction, Interval, Parameter, Series, message};

use super::super::scale::{latency_axis, time_axis};
use super::super::sheet::{Entry, Frame, Sample, Sheet};
use super::super::subject::{Line, Panel};
use super::heat;
use crate::lang::Lang;

const HEIGHT: f64 = 180.0;
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

pub(in super::super) fn draw(sheet: &mut Sheet, panel: &Panel<'_>) {
    let lang = sheet.view.lang;
    let buckets = (sheet.width() / POINT) as usize;
    let lines = panel.series(lang, is_drawn);
    let is_known = |(line, series): &(Line<'_>, Rc<Series>)| heat::can_draw(series, line.direction);
    if panel.members.len() == 1 && lines.iter().all(is_known) {
        return lines.iter().for_each(|(line, series)| heat::draw(sheet, line, series));
    }
    let curves: Vec<Vec<Point>> =
        lines.iter().map(|(line, series)| points(series, line.direction, buckets)).collect();
    let all = || curves.iter().flatten();
    let low = all().map(|point| point.mean_ns).fold(f64::MAX, f64::min);
    let high = all().map(|point| point.max_ns).fold(0.0, f64::max);
    let end_ns = lines.iter().map(|(_, series)| series.duration_ns).max().unwrap_or(0);
    let x = time_axis(end_ns, sheet.marks_across(), lang);
    let frame =
        sheet.frame(HEIGHT, x, latency_axis(low, high, &lang.text(&message!("picture-axis-latency"))));
    let mut entries = Vec::new();
    for ((line, _), points) in lines.iter().zip(&curves) {
        draw_line(sheet, &frame, line, points);
        let mean = lang.text(&message!("picture-window-mean", line = &line.name));
        entries.push(Entry { sample: line.sample(), text: mean });
        let slowest = lang.text(&message!("picture-window-slowest", line = &line.name));
        entries.push(Entry { sample: Sample::Patch(line.fill("dot")), text: slowest });
        let max = points.iter().map(|point| point.max_ns).fold(0.0, f64::max);
        let latency = Parameter::latency_ns(max);
        sheet.describe(message!("picture-slowest", line = &line.name, latency = latency));
    }
    sheet.legend(&entries);
}

fn draw_line(sheet: &mut Sheet, frame: &Frame, line: &Line<'_>, points: &[Point]) {
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
