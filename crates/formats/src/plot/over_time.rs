//! Bandwidth over time, with the fall-off and stalls.

use std::rc::Rc;

use cardiograph_core::falloff::FallOff;
use cardiograph_core::figures::QUOTED_WINDOW_NS;
use cardiograph_core::series::Spread;
use cardiograph_core::{Direction, Interval, Series};

use super::scale::{bandwidth_axis, time_axis};
use super::sheet::{Entry, Frame, Sample, Sheet};
use super::subject::{Line, Panel};
use crate::lang::Lang;
use crate::units;

const HEIGHT: f64 = 180.0;
/// With fewer windows there is nothing to see.
const WINDOWS_MIN: usize = 3;
/// A point of the curve takes so much room at least.
const POINT: f64 = 2.0;
/// A stall is seen, however short it is.
const STALL_WIDTH_MIN: f64 = 2.0;

/// A time in which nothing completed, in nanoseconds from the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stall {
    from_ns: u64,
    to_ns: u64,
}

pub(super) fn can_draw(panel: &Panel<'_>) -> bool {
    !panel.series(Lang::En, is_drawn).is_empty()
}

fn is_drawn(series: &Series, direction: Direction) -> bool {
    let rows = series.whole(direction);
    rows.len() >= WINDOWS_MIN && rows.iter().any(|row| row.bytes > 0)
}

pub(super) fn draw(sheet: &mut Sheet, panel: &Panel<'_>) {
    let lang = sheet.view.lang;
    let lines = panel.series(lang, is_drawn);
    let end_ns = lines.iter().map(|(_, series)| series.duration_ns).max().unwrap_or(0);
    let buckets = (sheet.width() / POINT) as usize;
    let curves: Vec<Curve> =
        lines.iter().map(|(line, series)| Curve::of(series, line.direction, buckets)).collect();
    let highest = curves.iter().flat_map(|curve| &curve.points).map(|point| point.high).fold(0.0, f64::max);
    let x = time_axis(end_ns, sheet.marks_across(), lang.pick("time", "時間"));
    let frame = sheet.frame(HEIGHT, x, bandwidth_axis(highest, 5, lang.pick("speed", "速度")));
    let mut entries: Vec<Entry> = Vec::new();
    for ((line, _), curve) in lines.iter().zip(&curves) {
        curve.draw(sheet, &frame, line);
        entries.push(Entry { sample: line.sample(), text: line.name.clone() });
        sheet.tell(&told(line, curve, lang));
    }
    for (line, series) in &lines {
        let of = if panel.members.len() > 1 { format!("{}: ", line.name) } else { String::new() };
        let found = line.step.figures.as_ref().and_then(|figures| figures.fall_off.as_ref()?.found);
        if let Some(found) = found.filter(|_| line.direction == Direction::Write) {
            entries.push(cliff(sheet, &frame, series, &found, &of));
        }
    }
    entries.extend(stalls(sheet, &frame, panel, &lines));
    entries[lines.len()..].iter().for_each(|entry| sheet.tell(&format!("{}.", entry.text)));
    sheet.legend(&entries);
}

/// What a curve is, in a sentence.
fn told(line: &Line<'_>, curve: &Curve, lang: Lang) -> String {
    let Some(spread) = &curve.spread else { return String::new() };
    let [low, mean, high] = [spread.min, spread.mean, spread.max].map(units::bandwidth);
    match lang {
        Lang::En => format!("{}: {mean} on average, from {low} to {high}.", line.name),
        Lang::Ja => format!("{}: 平均 {mean}、最小 {low}、最大 {high}。", line.name),
    }
}

/// Bandwidth over time, with no more points than can be seen.
struct Curve {
    points: Vec<Point>,
    spread: Option<Spread>,
    /// Whether a point stands for several windows, which differ.
    is_gathered: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Point {
    time_ns: f64,
    low: f64,
    mean: f64,
    high: f64,
}

impl Curve {
    fn of(series: &Series, direction: Direction, points_max: usize) -> Self {
        let speeds = series.bandwidth_bytes_per_s(direction);
        let gathered = speeds.len().div_ceil(points_max.max(1)).max(1);
        let point = |(at, speeds): (usize, &[f64])| {
            let spread = Spread::of(speeds)?;
            let middle = (at * gathered) as f64 + speeds.len() as f64 / 2.0;
            let time_ns = middle * series.window_ns as f64;
            Some(Point { time_ns, low: spread.min, mean: spread.mean, high: spread.max })
        };
        let points = speeds.chunks(gathered).enumerate().filter_map(point).collect();
        Self { points, spread: Spread::of(&speeds), is_gathered: gathered > 1 }
    }

    fn draw(&self, sheet: &mut Sheet, frame: &Frame, line: &Line<'_>) {
        if self.is_gathered {
            let upper = self.points.iter().map(|point| frame.point(point.time_ns, point.high));
            let lower = self.points.iter().rev().map(|point| frame.point(point.time_ns, point.low));
            let around: Vec<(f64, f64)> = upper.chain(lower).collect();
            sheet.canvas.polygon(&line.fill("band"), &around);
        }
        let points: Vec<(f64, f64)> =
            self.points.iter().map(|point| frame.point(point.time_ns, point.mean)).collect();
        sheet.canvas.polyline(&line.class(), &points);
    }
}

/// Marks where writing fell off, and says how far.
fn cliff(sheet: &mut Sheet, frame: &Frame, series: &Series, found: &FallOff, of: &str) -> Entry {
    let x = frame.x(time_of_bytes_ns(series, found.after_bytes));
    sheet.canvas.line("cliff", (x, frame.top()), (x, frame.bottom()));
    let after = units::bytes(found.after_bytes);
    let [before, then] = [found.before_bytes_per_s, found.after_bytes_per_s].map(units::bandwidth);
    let text = match sheet.view.lang {
        Lang::En => format!("{of}falls off after {after}, from {}", units::range(&before, &then)),
        Lang::Ja => format!("{of}{after} を書いた後に低下（{before} から {then}）"),
    };
    Entry { sample: Sample::Line("cliff".to_string()), text }
}

/// When so many bytes had been written, in nanoseconds from the start.
fn time_of_bytes_ns(series: &Series, bytes: u64) -> f64 {
    let mut written = 0;
    for (at, row) in series.rows.write.iter().enumerate() {
        if written + row.bytes >= bytes && row.bytes > 0 {
            let share = (bytes - written) as f64 / row.bytes as f64;
            return (at as f64 + share) * series.window_ns as f64;
        }
        written += row.bytes;
    }
    series.duration_ns as f64
}

/// Marks where nothing completed, and says how long that was.
fn stalls(
    sheet: &mut Sheet,
    frame: &Frame,
    panel: &Panel<'_>,
    lines: &[(Line<'_>, Rc<Series>)],
) -> Option<Entry> {
    let mut found: Vec<Stall> = Vec::new();
    for member in &panel.members {
        let of_member = lines.iter().find(|(line, _)| std::ptr::eq(line.step, member.step));
        found.extend(of_member.iter().flat_map(|(_, series)| stalls_of(series)));
    }
    let long_ns = |stall: &Stall| stall.to_ns - stall.from_ns;
    let longest = units::duration(found.iter().map(long_ns).max()?);
    for stall in &found {
        let (from, to) = (frame.x(stall.from_ns as f64), frame.x(stall.to_ns as f64));
        let size = ((to - from).max(STALL_WIDTH_MIN), frame.bottom() - frame.top());
        sheet.canvas.rect("stall", (from, frame.top()), size);
    }
    let text = match (sheet.view.lang, found.len()) {
        (Lang::En, 1) => format!("a stall: nothing completed for {longest}"),
        (Lang::En, n) => format!("{n} stalls: nothing completed, for {longest} at most"),
        (Lang::Ja, n) => format!("停止 {n} 回（最長 {longest}、完了した I/O なし）"),
    };
    Some(Entry { sample: Sample::Patch("stall".to_string()), text })
}

/// Times of at least [`QUOTED_WINDOW_NS`] between the first I/O and the last in whose windows nothing completed. Shorter ones are
/// windows between the I/Os of a slow drive.
fn stalls_of(series: &Series) -> Vec<Stall> {
    let windows = series.whole_windows();
    let is_idle = |at: usize| {
        Direction::ALL
            .iter()
            .all(|&direction| series.rows[direction].get(at).is_none_or(|row: &Interval| row.ios == 0))
    };
    let first = (0..windows).find(|&at| !is_idle(at)).unwrap_or(windows);
    let last = (0..windows).rev().find(|&at| !is_idle(at)).unwrap_or(0);
    let (mut stalls, mut began) = (Vec::new(), None);
    for at in first..=last.max(first) {
        match (at < windows && is_idle(at), began) {
            (true, None) => began = Some(at),
            (false, Some(from)) => {
                let stall =
                    Stall { from_ns: from as u64 * series.window_ns, to_ns: at as u64 * series.window_ns };
                stalls.extend((stall.to_ns - stall.from_ns >= QUOTED_WINDOW_NS).then_some(stall));
                began = None;
            }
            _ => {}
        }
    }
    stalls
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(bytes: &[u64]) -> Series {
        let row = |&bytes: &u64| Interval { ios: u64::from(bytes > 0), bytes, ..Interval::default() };
        let mut series = Series { window_ns: 100_000_000, ..Series::default() };
        series.duration_ns = bytes.len() as u64 * series.window_ns;
        series.rows.write = bytes.iter().map(row).collect();
        series
    }

    #[test]
    fn stalls_lie_between_ios_and_are_no_shorter_than_a_window_that_is_quoted() {
        let of = |bytes: &[u64]| {
            let ms = |stall: &Stall| (stall.from_ns / 1_000_000, stall.to_ns / 1_000_000);
            stalls_of(&written(bytes)).iter().map(ms).collect::<Vec<_>>()
        };
        assert_eq!(of(&[0, 0, 0, 0, 0, 0, 1, 1]), []);
        assert_eq!(of(&[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]), [(600, 1_100)]);
        assert_eq!(of(&[]), []);
    }

    #[test]
    fn the_cliff_stands_where_its_bytes_were_written() {
        let series = written(&[100, 100, 0, 50]);
        let ms = |bytes| time_of_bytes_ns(&series, bytes) / 1e6;
        assert_eq!([ms(50), ms(200), ms(225), ms(999)], [50.0, 200.0, 350.0, 400.0]);
    }

    #[test]
    fn a_long_series_keeps_its_extremes() {
        let series = written(&(0..1_000).map(|at| if at == 500 { 9_000 } else { 100 }).collect::<Vec<_>>());
        let curve = Curve::of(&series, Direction::Write, 100);
        assert_eq!(curve.points.len(), 100);
        assert!(curve.points.iter().any(|point| point.high == 90_000.0 && point.mean < 20_000.0));
        let short = Curve::of(&written(&[1, 2]), Direction::Write, 100);
        assert_eq!(short.points.iter().map(|point| point.time_ns / 1e6).collect::<Vec<_>>(), [50.0, 150.0]);
    }
}
