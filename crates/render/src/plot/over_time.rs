//! Bandwidth over time, with the fall-off and stalls.

mod stall;

use std::rc::Rc;

use cardiograph_core::falloff::FallOff;
use cardiograph_core::pause::{self, Pause};
use cardiograph_core::series::Spread;
use cardiograph_core::{Direction, Interval, Message, Parameter, Series, message};

use super::scale::{bandwidth_axis, bytes_axis, time_axis};
use super::sheet::{Entry, Frame, Sample, Sheet};
use super::subject::{Line, Member, Panel};
use crate::lang::Lang;
use crate::method::LONG_IO_BYTES;

const HEIGHT: f64 = 180.0;
const HEIGHT_OF_SEVERAL: f64 = 80.0;
/// Drives share a scale if the fastest is at most this many times as fast as the slowest.
const SHARED_RATIO: f64 = 4.0;
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

/// Draws the step of each Report below each other, so that stalls and a fall-off belong to their drive.
pub(super) fn draw(sheet: &mut Sheet, panel: &Panel<'_>) {
    let lang = sheet.view.lang;
    let lines = panel.series(lang, is_drawn);
    let is_by_bytes = lines.iter().all(|(line, series)| asks_for_bytes(line, series));
    let points_max = (sheet.width() / POINT) as usize;
    let members = lines.chunk_by(|(a, _), (b, _)| a.member == b.member);
    let parts: Vec<Part<'_, '_>> = members.map(|lines| Part::new(lines, points_max, is_by_bytes)).collect();
    let most = |of: fn(&Part<'_, '_>) -> f64| {
        let values = || parts.iter().map(of);
        let most = values().fold(0.0, f64::max);
        // A slow drive on the scale of a fast one would be a line on the axis.
        values().all(|value| value * SHARED_RATIO >= most).then_some(most)
    };
    let (end, highest) = (most(|part| part.end), most(|part| part.highest));
    let are_several = parts.len() > 1;
    for (at, part) in parts.iter().enumerate() {
        let member = &panel.members[part.lines[0].0.member];
        let words = match are_several {
            true => {
                lang.text(&message!("picture-of", name = &member.name, said = speed_words(&part.windows)))
            }
            false => lang.text(&speed_words(&part.windows)),
        };
        let mut x = match is_by_bytes {
            true => bytes_axis(end.unwrap_or(part.end), sheet.marks_across(), lang),
            false => time_axis(end.unwrap_or(part.end) as u64, sheet.marks_across(), lang),
        };
        if end.is_some() && at + 1 < parts.len() {
            x.name = String::new();
        }
        let y = bandwidth_axis(highest.unwrap_or(part.highest), 5, &words, lang);
        let height = if are_several { HEIGHT_OF_SEVERAL } else { HEIGHT };
        let frame =
            sheet.frame_of_lines(height, (x, y), part.lines.iter().map(|(line, _)| line.name.as_str()));
        part.draw(sheet, &frame);
        events(sheet, &frame, member, part.lines, is_by_bytes);
    }
    if highest.is_none() || end.is_none() {
        sheet.remark(message!("picture-own-scales"));
    }
}

/// What is drawn of a Report's step.
struct Part<'l, 'r> {
    lines: &'l [(Line<'r>, Rc<Series>)],
    windows: Vec<Series>,
    curves: Vec<Curve>,
    /// The end of the horizontal axis: a time in nanoseconds, or bytes.
    end: f64,
    /// The highest bandwidth drawn.
    highest: f64,
}

impl<'l, 'r> Part<'l, 'r> {
    fn new(lines: &'l [(Line<'r>, Rc<Series>)], points_max: usize, is_by_bytes: bool) -> Self {
        let windows = lines.iter().map(|(line, series)| drawn(series, line.direction));
        let windows: Vec<Series> = windows.collect();
        let curve = |((line, _), windows): (&(Line<'_>, _), &Series)| {
            Curve::from_series(windows, line.direction, points_max, is_by_bytes)
        };
        let curves: Vec<Curve> = lines.iter().zip(&windows).map(curve).collect();
        let end = |series: &Series| if is_by_bytes { written_bytes(series) } else { series.duration_ns };
        let end = lines.iter().map(|(_, series)| end(series)).max().unwrap_or(0) as f64;
        let points = curves.iter().flat_map(|curve| &curve.points);
        let highest = points.map(|point| point.high).fold(0.0, f64::max);
        Self { lines, windows, curves, end, highest }
    }

    fn draw(&self, sheet: &mut Sheet, frame: &Frame) {
        let mut ends = Vec::new();
        for ((line, _), curve) in self.lines.iter().zip(&self.curves) {
            curve.draw(sheet, frame, line);
            ends.extend(curve.points.last().map(|last| (line, frame.point(last.at, last.mean))));
            curve.spread.iter().for_each(|spread| sheet.describe(spoken(line, spread)));
        }
        sheet.name_lines(frame, &ends);
    }
}

/// Draws and explains what happened to a Report's step: a fall-off, stalls and pauses.
fn events(
    sheet: &mut Sheet,
    frame: &Frame,
    member: &Member<'_>,
    lines: &[(Line<'_>, Rc<Series>)],
    is_by_bytes: bool,
) {
    let mut entries: Vec<Entry> = Vec::new();
    for (line, series) in lines {
        let found = line.step.figures.as_ref().and_then(|figures| figures.fall_off.as_ref()?.found);
        if let Some(found) = found.filter(|_| line.direction == Direction::Write) {
            let at = if is_by_bytes {
                found.after_bytes as f64
            } else {
                time_of_bytes_ns(series, found.after_bytes)
            };
            entries.push(cliff(sheet, frame, at, &found));
        }
    }
    let (first, series) = &lines[0];
    let place = |ns: u64| match is_by_bytes {
        true => Written::new(series, first.direction).at(ns as f64),
        false => ns as f64,
    };
    let pauses = member.step.pauses_of_series();
    entries.extend(stall::draw(sheet, frame, member.step, series, place));
    entries.extend(self::pauses(sheet, frame, &pauses, place));
    for entry in &entries {
        let said = match member.name.as_str() {
            "" => Message::verbatim(&entry.text),
            name => message!("picture-of", name, said = &entry.text),
        };
        sheet.describe_phrase(said);
    }
    sheet.legend(&entries);
}

/// Whether what matters is after how many bytes something happened: of long writes, in which a fall-off was searched.
fn asks_for_bytes(line: &Line<'_>, series: &Series) -> bool {
    let ios = series.rows.write.iter().fold(0, |sum: u64, row| sum.saturating_add(row.ios));
    let is_searched = line.step.figures.as_ref().is_some_and(|figures| figures.fall_off.is_some());
    line.direction == Direction::Write
        && is_searched
        && written_bytes(series) >= ios.saturating_mul(LONG_IO_BYTES)
}

fn written_bytes(series: &Series) -> u64 {
    series.rows.write.iter().fold(0, |sum, row| sum.saturating_add(row.bytes))
}

/// The bytes moved by a time.
struct Written {
    window_ns: u64,
    /// At the end of each window.
    bytes: Vec<u64>,
}

impl Written {
    fn new(series: &Series, direction: Direction) -> Self {
        let sum = |sum: &mut u64, row: &Interval| {
            *sum = sum.saturating_add(row.bytes);
            Some(*sum)
        };
        let bytes = series.rows[direction].iter().scan(0, sum).collect();
        Self { window_ns: series.window_ns, bytes }
    }

    fn at(&self, time_ns: f64) -> f64 {
        let windows = time_ns / self.window_ns as f64;
        let end = |at: usize| self.bytes.get(at).or(self.bytes.last()).copied().unwrap_or(0) as f64;
        let whole = windows as usize;
        let start = if whole == 0 { 0.0 } else { end(whole - 1) };
        start + (end(whole) - start) * windows.fract()
    }
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
fn speed_words(windows: &[Series]) -> Message {
    let lengths = || windows.iter().map(|series| series.window_ns);
    let [shortest, longest] =
        [lengths().min(), lengths().max()].map(|ns| Parameter::DurationNs(ns.unwrap_or(0)));
    match shortest == longest {
        true => message!("picture-speed-windows", window = shortest),
        false => message!("picture-speed-windows-differ", shortest, longest),
    }
}

/// The description of a curve.
fn spoken(line: &Line<'_>, spread: &Spread) -> Message {
    let [low, mean, high] = [spread.min, spread.mean, spread.max].map(Parameter::bytes_per_s);
    message!("picture-speed-spread", line = &line.name, low, mean, high)
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
    /// Its time in nanoseconds, or the bytes written until then.
    at: f64,
    low: f64,
    mean: f64,
    high: f64,
}

impl Curve {
    fn from_series(series: &Series, direction: Direction, points_max: usize, is_by_bytes: bool) -> Self {
        let written = is_by_bytes.then(|| Written::new(series, direction));
        let speeds = series.bandwidth_bytes_per_s(direction);
        let gathered = speeds.len().div_ceil(points_max.max(1)).max(1);
        let point = |(at, speeds): (usize, &[f64])| {
            let spread = Spread::from_values(speeds)?;
            let middle = (at * gathered) as f64 + speeds.len() as f64 / 2.0;
            let time_ns = middle * series.window_ns as f64;
            let at = written.as_ref().map_or(time_ns, |written| written.at(time_ns));
            Some(Point { at, low: spread.min, mean: spread.mean, high: spread.max })
        };
        let points = speeds.chunks(gathered).enumerate().filter_map(point).collect();
        Self { points, spread: Spread::from_values(&speeds), is_gathered: gathered > 1 }
    }

    fn draw(&self, sheet: &mut Sheet, frame: &Frame, line: &Line<'_>) {
        if self.is_gathered {
            let upper = self.points.iter().map(|point| frame.point(point.at, point.high));
            let lower = self.points.iter().rev().map(|point| frame.point(point.at, point.low));
            let around: Vec<(f64, f64)> = upper.chain(lower).collect();
            sheet.canvas.polygon(&line.fill("band"), &around);
        }
        let points: Vec<(f64, f64)> =
            self.points.iter().map(|point| frame.point(point.at, point.mean)).collect();
        sheet.canvas.polyline(&line.class(), &points);
    }
}

/// Marks and explains times in which the program did not run: they are not the drive's.
fn pauses(sheet: &mut Sheet, frame: &Frame, pauses: &[Pause], place: impl Fn(u64) -> f64) -> Option<Entry> {
    for pause in pauses {
        frame.mark(&mut sheet.canvas, "pause", [pause.begin_ns, pause.end_ns()].map(&place), POINT);
    }
    let total = Parameter::latency_ns(pause::total_ns(pauses) as f64);
    let text = sheet.view.lang.text(&message!("picture-pauses", count = pauses.len(), total));
    (!pauses.is_empty()).then_some(Entry { sample: Sample::Patch("pause".to_string()), text })
}

/// Marks and explains where writing fell off.
fn cliff(sheet: &mut Sheet, frame: &Frame, at: f64, found: &FallOff) -> Entry {
    let x = frame.x(at);
    sheet.canvas.line("cliff", (x, frame.top), (x, frame.bottom));
    let after = Parameter::CapacityBytes(found.after_bytes);
    let [before, then] = [found.before_bytes_per_s, found.after_bytes_per_s].map(Parameter::bytes_per_s);
    let fall = message!("picture-fall-off", written = after, before, after = then);
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
        let comb = Curve::from_series(&series, Direction::Write, 1_000, false).spread.unwrap();
        assert_eq!(comb.min, 0.0);
        let windows = drawn(&series, Direction::Write);
        assert_eq!(
            Lang::EN.text(&speed_words(std::slice::from_ref(&windows))),
            "bandwidth in windows of 2 s"
        );
        assert_eq!(Lang::JA.text(&speed_words(&[series, windows.clone()])), "100 ms〜2 s ごとの帯域");
        let spread = Curve::from_series(&windows, Direction::Write, 1_000, false).spread.unwrap();
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
    fn a_time_has_the_bytes_written_until_then() {
        let series = written(&[100, 100, 0, 50]);
        let of = Written::new(&series, Direction::Write);
        assert_eq!(
            [0.0, 50.0, 200.0, 250.0, 350.0, 999.0].map(|ms| of.at(ms * 1e6)),
            [0.0, 50.0, 200.0, 200.0, 225.0, 250.0]
        );
    }

    #[test]
    fn a_long_series_keeps_its_extremes() {
        let series = written(&(0..1_000).map(|at| if at == 500 { 9_000 } else { 100 }).collect::<Vec<_>>());
        let curve = Curve::from_series(&series, Direction::Write, 100, false);
        assert_eq!(curve.points.len(), 100);
        assert!(curve.points.iter().any(|point| point.high == 90_000.0 && point.mean < 20_000.0));
        let short = Curve::from_series(&written(&[1, 2]), Direction::Write, 100, false);
        assert_eq!(short.points.iter().map(|point| point.at / 1e6).collect::<Vec<_>>(), [50.0, 150.0]);
    }
}
