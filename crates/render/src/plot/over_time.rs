//! Bandwidth over time, with the fall-off and stalls.

mod stall;

use std::rc::Rc;

use cardiograph_core::falloff::FallOff;
use cardiograph_core::pause::{self, Pause};
use cardiograph_core::series::Spread;
use cardiograph_core::{Direction, Interval, Message, Parameter, Series, message};

use super::scale::{bandwidth_axis, time_axis};
use super::sheet::{Entry, Frame, Sample, Sheet};
use super::subject::{Line, Panel};
use crate::lang::Lang;

const HEIGHT: f64 = 180.0;
/// Minimum number of windows drawn.
const WINDOWS_MIN: usize = 3;
/// Minimum distance of points of the curve.
const POINT: f64 = 2.0;
/// Minimum mean number of I/Os in a window: with fewer, chance decides how many end in it, and a steady drive
/// seems to stop.
const IOS_MIN: f64 = 20.0;
/// Minimum number of windows left of a short step.
const WINDOWS_LEFT: usize = 10;
/// Number of parts of a step. The median of their mean I/O counts is typical of the step: a fast start does not
/// hide a slow rest.
const PARTS: usize = 8;

pub(super) fn can_draw(panel: &Panel<'_>) -> bool {
    !panel.series(Lang::EN, is_drawn).is_empty()
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
    let windows = |(line, series): &(Line<'_>, Rc<Series>)| drawn(series, line.direction);
    let windows: Vec<Series> = lines.iter().map(windows).collect();
    let curve = |((line, _), windows): (&(Line<'_>, _), &Series)| {
        Curve::from_series(windows, line.direction, buckets)
    };
    let curves: Vec<Curve> = lines.iter().zip(&windows).map(curve).collect();
    let highest = curves.iter().flat_map(|curve| &curve.points).map(|point| point.high).fold(0.0, f64::max);
    let x = time_axis(end_ns, sheet.marks_across(), lang);
    let speed = speed_words(&windows, lang);
    let frame = sheet.frame(HEIGHT, x, bandwidth_axis(highest, 5, &speed, lang));
    let mut entries: Vec<Entry> = Vec::new();
    for ((line, _), curve) in lines.iter().zip(&curves) {
        curve.draw(sheet, &frame, line);
        entries.push(line.entry());
        curve.spread.iter().for_each(|spread| sheet.describe(spoken(line, spread)));
    }
    for (line, series) in &lines {
        let name = (panel.members.len() > 1).then_some(line.name.as_str());
        let found = line.step.figures.as_ref().and_then(|figures| figures.fall_off.as_ref()?.found);
        if let Some(found) = found.filter(|_| line.direction == Direction::Write) {
            entries.push(cliff(sheet, &frame, series, &found, name));
        }
    }
    entries.extend(stall::draw(sheet, &frame, panel, &lines));
    entries.extend(pauses(sheet, &frame, panel));
    entries[lines.len()..].iter().for_each(|entry| sheet.describe_phrase(&entry.text));
    sheet.legend(&entries);
}

/// A series in the windows drawn for a direction: longer than its own by a factor of 1, 2 or 5 times a power
/// of ten.
fn drawn(series: &Series, direction: Direction) -> Series {
    let rows = series.whole(direction);
    let ios = |part: &[Interval]| part.iter().map(|row| row.ios as f64).sum::<f64>() / part.len() as f64;
    let mut parts: Vec<f64> = rows.chunks(rows.len().div_ceil(PARTS).max(1)).map(ios).collect();
    parts.sort_unstable_by(f64::total_cmp);
    let typical = parts.get(parts.len() / 2).copied().unwrap_or(IOS_MIN);
    let factors = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_usize.pow(power)));
    let mut chosen = 1;
    for factor in factors.take_while(|factor| rows.len() / factor >= WINDOWS_LEFT) {
        chosen = factor;
        if typical * factor as f64 >= IOS_MIN {
            break;
        }
    }
    series.coarser(chosen)
}

/// The name of the axis, with the length of the windows, or of the shortest and the longest.
fn speed_words(windows: &[Series], lang: Lang) -> String {
    let lengths = || windows.iter().map(|series| series.window_ns);
    let [shortest, longest] =
        [lengths().min(), lengths().max()].map(|ns| Parameter::DurationNs(ns.unwrap_or(0)));
    lang.text(&match shortest == longest {
        true => message!("picture-speed-windows", window = shortest),
        false => message!("picture-speed-windows-differ", shortest = shortest, longest = longest),
    })
}

/// The description of a curve.
fn spoken(line: &Line<'_>, spread: &Spread) -> Message {
    let [low, mean, high] = [spread.min, spread.mean, spread.max].map(Parameter::bytes_per_s);
    message!("picture-speed-spread", line = &line.name, low = low, mean = mean, high = high)
}

/// Bandwidth over time, with no more points than are visible.
struct Curve {
    points: Vec<Point>,
    spread: Option<Spread>,
    /// Whether points merge several windows with different speeds.
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
    fn from_series(series: &Series, direction: Direction, points_max: usize) -> Self {
        let speeds = series.bandwidth_bytes_per_s(direction);
        let gathered = speeds.len().div_ceil(points_max.max(1)).max(1);
        let point = |(at, speeds): (usize, &[f64])| {
            let spread = Spread::from_values(speeds)?;
            let middle = (at * gathered) as f64 + speeds.len() as f64 / 2.0;
            let time_ns = middle * series.window_ns as f64;
            Some(Point { time_ns, low: spread.min, mean: spread.mean, high: spread.max })
        };
        let points = speeds.chunks(gathered).enumerate().filter_map(point).collect();
        Self { points, spread: Spread::from_values(&speeds), is_gathered: gathered > 1 }
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

/// Marks and describes times in which the program did not run: they are not the drive's.
fn pauses(sheet: &mut Sheet, frame: &Frame, panel: &Panel<'_>) -> Option<Entry> {
    let pauses: Vec<Pause> = panel.members.iter().flat_map(|member| member.step.pauses_of_series()).collect();
    for pause in &pauses {
        frame.mark(&mut sheet.canvas, "pause", (pause.begin_ns, pause.end_ns()), POINT);
    }
    let total = Parameter::latency_ns(pause::total_ns(&pauses) as f64);
    let text = sheet.view.lang.text(&message!("picture-pauses", count = pauses.len(), total = total));
    (!pauses.is_empty()).then_some(Entry { sample: Sample::Patch("pause".to_string()), text })
}

/// Marks and describes where writing fell off.
fn cliff(sheet: &mut Sheet, frame: &Frame, series: &Series, found: &FallOff, name: Option<&str>) -> Entry {
    let x = frame.x(time_of_bytes_ns(series, found.after_bytes));
    sheet.canvas.line("cliff", (x, frame.top), (x, frame.bottom));
    let after = Parameter::CapacityBytes(found.after_bytes);
    let [before, then] = [found.before_bytes_per_s, found.after_bytes_per_s].map(Parameter::bytes_per_s);
    let fall = message!("picture-fall-off", written = after, before = before, after = then);
    let fall = match name {
        Some(name) => message!("picture-of", name = name, said = fall),
        None => fall,
    };
    Entry { sample: Sample::Line("cliff".to_string()), text: sheet.view.lang.text(&fall) }
}

/// The time at which `bytes` had been written, in nanoseconds from the start.
fn time_of_bytes_ns(series: &Series, bytes: u64) -> f64 {
    let mut written: u64 = 0;
    for (at, row) in series.rows.write.iter().enumerate() {
        if written.saturating_add(row.bytes) >= bytes && row.bytes > 0 {
            let share = bytes.saturating_sub(written) as f64 / row.bytes as f64;
            return (at as f64 + share) * series.window_ns as f64;
        }
        written = written.saturating_add(row.bytes);
    }
    series.duration_ns as f64
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

    /// The windows of a drive that writes 1 MiB every `every_ms`.
    fn steady(every_ms: u64, windows: u64) -> Series {
        let end_ios = |at: u64| (at + 1) * 100 / every_ms;
        written(&(0..windows).map(|at| (end_ios(at) - at * 100 / every_ms) << 20).collect::<Vec<_>>())
    }

    #[test]
    fn few_large_ios_do_not_look_like_stalls() {
        for (every_ms, windows, window_ms) in [
            (130, 300, 2_000),
            (130, 100, 1_000),
            (130, 20, 200),
            (130, 9, 100),
            (1, 300, 100),
            (20, 300, 500),
        ] {
            let mut series = steady(every_ms, windows);
            series.rows.write.iter_mut().for_each(|row| row.ios = row.bytes >> 20);
            let drawn = drawn(&series, Direction::Write);
            assert_eq!(drawn.window_ns / 1_000_000, window_ms, "{every_ms} {windows}");
        }
        let series = steady(130, 300);
        let comb = Curve::from_series(&series, Direction::Write, 1_000).spread.unwrap();
        assert_eq!(comb.min, 0.0);
        let windows = drawn(&series, Direction::Write);
        assert_eq!(speed_words(std::slice::from_ref(&windows), Lang::EN), "bandwidth in windows of 2 s");
        assert_eq!(speed_words(&[series, windows.clone()], Lang::JA), "100 ms〜2 s ごとの帯域");
        let spread = Curve::from_series(&windows, Direction::Write, 1_000).spread.unwrap();
        assert!(spread.min > 0.9 * spread.mean && spread.max < 1.1 * spread.mean, "{spread:?}");
    }

    /// It is slow most of the time; its fast start does not hide that.
    #[test]
    fn a_drive_is_drawn_at_its_speed_after_the_fall_off() {
        let mut series = steady(130, 300);
        series.rows.write.iter_mut().for_each(|row| row.ios = row.bytes >> 20);
        series.rows.write[..60].iter_mut().for_each(|row| row.ios = 400);
        assert_eq!(drawn(&series, Direction::Write).window_ns, 2_000_000_000);
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
        let curve = Curve::from_series(&series, Direction::Write, 100);
        assert_eq!(curve.points.len(), 100);
        assert!(curve.points.iter().any(|point| point.high == 90_000.0 && point.mean < 20_000.0));
        let short = Curve::from_series(&written(&[1, 2]), Direction::Write, 100);
        assert_eq!(short.points.iter().map(|point| point.time_ns / 1e6).collect::<Vec<_>>(), [50.0, 150.0]);
    }
}
