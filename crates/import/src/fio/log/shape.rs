//! Detects from its first lines whether a log has a line for each I/O or for each window.

use cardiograph_core::Direction;

use super::super::stream::rounded_interval_ms;
use super::Kind;
use super::line::Line;

/// Minimum length of windows in a bandwidth log with I/O lengths, in milliseconds.
const USUAL_WINDOW_MS_MIN: u64 = 100;
/// Minimum length of windows in milliseconds, the resolution of fio's clock.
const WINDOW_MS_MIN: u64 = 2;
/// Minimum percentage of line distances that are whole windows, and their tolerance in percent.
const REGULAR_PERCENT: usize = 80;
const LATE_PERCENT: u64 = 10;
/// Minimum number of I/Os in a window's line, as a fraction; a smaller value is that of a single I/O.
const IO_PART_MIN: f64 = 0.9;

/// What a line of the log represents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A single I/O.
    Ios,
    /// A window of this length in milliseconds.
    Windows(u64),
}

impl Shape {
    /// Detects the shape from the first lines; `None` if ambiguous.
    pub(super) fn detect(kind: Kind, lines: &[&Line]) -> Option<Self> {
        let window = Shape::Windows(window_ms(lines));
        // Most versions write no length for a window, and some a maximum after the mean.
        let is_window = |line: &&Line| line.block_bytes == 0 || line.max.is_some();
        if kind == Kind::Histogram || lines.iter().any(is_window) {
            return Some(window);
        }
        let is_one = |line: &&Line| line.has_offset;
        if matches!(kind, Kind::Latency(_)) || lines.iter().any(is_one) {
            return Some(Shape::Ios);
        }
        if kind == Kind::Iops {
            // The line of a single I/O has the value 1.
            return Some(if lines.iter().all(|line| line.value == 1) { Shape::Ios } else { window });
        }
        let distances_ms = distances_ms(lines);
        let exact_ms = distances_ms.get(distances_ms.len() / 2).copied().unwrap_or(0);
        if !is_regular(&distances_ms, exact_ms) || !holds_ios(lines, exact_ms) {
            return Some(Shape::Ios);
        }
        // Rate-limited I/Os are regular, too, but rarely at a window's length.
        let rounded = rounded_interval_ms(exact_ms);
        let is_usual = exact_ms >= USUAL_WINDOW_MS_MIN
            && rounded.is_multiple_of(50)
            && rounded.abs_diff(exact_ms) * 50 <= exact_ms;
        is_usual.then_some(window)
    }
}

/// Length of the log's windows in milliseconds.
pub(super) fn window_ms(lines: &[&Line]) -> u64 {
    let distances_ms = distances_ms(lines);
    rounded_interval_ms(distances_ms.get(distances_ms.len() / 2).copied().unwrap_or(0)).max(1)
}

/// Times between lines of the same direction, in ascending order.
fn distances_ms(lines: &[&Line]) -> Vec<u64> {
    let mut distances_ms: Vec<u64> = Vec::new();
    for direction in Direction::ALL {
        let times: Vec<u64> =
            lines.iter().filter(|line| line.direction == direction).map(|line| line.time_ms).collect();
        // The first window starts with the log.
        let from_start = times.first().copied().filter(|&ms| times.len() == 1 && ms > 0);
        distances_ms.extend(times.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).chain(from_start));
    }
    distances_ms.sort_unstable();
    distances_ms
}

/// Whether lines come at regular intervals. Windows without I/O are missing.
fn is_regular(distances_ms: &[u64], window_ms: u64) -> bool {
    let on_beat = |&ms: &u64| {
        let late = ms % window_ms.max(1);
        late.min(window_ms - late) * 100 <= window_ms * LATE_PERCENT && ms > 0
    };
    window_ms >= WINDOW_MS_MIN
        && distances_ms.iter().filter(|ms| on_beat(ms)).count() * 100 >= distances_ms.len() * REGULAR_PERCENT
}

/// Whether each line has at least one I/O, as a window's must.
fn holds_ios(lines: &[&Line], window_ms: u64) -> bool {
    let ios = |line: &&Line| line.value as f64 * 1.024 * window_ms as f64 / line.block_bytes.max(1) as f64;
    let holding = lines.iter().filter(|line| ios(line) >= IO_PART_MIN).count();
    holding * 100 >= lines.len() * REGULAR_PERCENT
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(kind: Kind, text: &[(u64, u64, u64)]) -> Vec<Line> {
        let line = |(ms, value, len): &(u64, u64, u64)| {
            Line::parse(format!("{ms}, {value}, 1, {len}").as_bytes(), kind).unwrap()
        };
        text.iter().map(line).collect()
    }

    fn shape(kind: Kind, text: &[(u64, u64, u64)]) -> Option<Shape> {
        let lines = lines(kind, text);
        Shape::detect(kind, &lines.iter().collect::<Vec<_>>())
    }

    #[test]
    fn windows_are_regular_and_hold_ios() {
        let ios = Some(Shape::Ios);
        let regular = |value, len| (1..20).map(|n| (n * 500 + n % 3, value, len)).collect::<Vec<_>>();
        assert_eq!(shape(Kind::Bandwidth, &regular(32_000, 1_048_576)), Some(Shape::Windows(500)));
        assert_eq!(shape(Kind::Bandwidth, &regular(3, 0)), Some(Shape::Windows(500)));
        // A slow card at queue depth 32: an I/O every 31 ms, each taking a second.
        let deep: Vec<_> = (1..100).map(|n| (n * 31, 1_048, 1_048_576)).collect();
        assert_eq!(shape(Kind::Bandwidth, &deep), ios);
        let fast: Vec<_> = (1..400).map(|n| (n / 4, 90_000, 4_096)).collect();
        assert_eq!(shape(Kind::Bandwidth, &fast), ios);
        // Slowly rate-limited I/Os, or short windows: ambiguous.
        let paced: Vec<_> = (1..100).map(|n| (n * 17, 1_374, 4_096)).collect();
        assert_eq!(shape(Kind::Bandwidth, &paced), None);
        assert_eq!(shape(Kind::Iops, &(1..100).map(|n| (n * 31, 1, 4_096)).collect::<Vec<_>>()), ios);
        assert_eq!(shape(Kind::Iops, &regular(120, 4_096)), Some(Shape::Windows(500)));
        let lat = Kind::Latency(cardiograph_core::quantity::LatencyKind::Total);
        assert_eq!(shape(lat, &deep), ios);
        assert_eq!(shape(lat, &regular(5_000_000, 0)), Some(Shape::Windows(500)));
        // Windows without I/O are not written.
        let holes: Vec<_> = [1, 2, 3, 7, 8, 9, 10, 15, 16].map(|n| (n * 1_000, 64, 65_536)).to_vec();
        assert_eq!(shape(Kind::Bandwidth, &holes), Some(Shape::Windows(1_000)));
    }
}
