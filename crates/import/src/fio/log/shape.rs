//! Whether a log has a line for each I/O or one for each window, by its first lines.

use cardiograph_core::Direction;

use super::super::stream::round;
use super::Kind;
use super::line::Line;

/// Windows of a bandwidth log that says the length of its I/Os are no shorter than this, in milliseconds.
const USUAL_WINDOW_MS_MIN: u64 = 100;
/// Windows are no shorter than this, in milliseconds: fio's own clock is not finer.
const WINDOW_MS_MIN: u64 = 2;
/// Of the times between lines so many percent are whole windows, and come so many percent late or early.
const REGULAR_PERCENT: usize = 80;
const LATE_PERCENT: u64 = 10;
/// What a line of a window must come to, in parts of an I/O: less is one I/O's own.
const IO_PART_MIN: f64 = 0.9;

/// What the lines of a log are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Single I/Os.
    Ios,
    /// Windows of so many milliseconds.
    Windows(u64),
}

impl Shape {
    /// Of a log that begins with `lines`; `None` where both could be.
    pub(super) fn of(kind: Kind, lines: &[&Line]) -> Option<Self> {
        let window = Shape::Windows(window_ms(lines));
        // A window has no length of its own in most versions, and its largest value beside the mean in some.
        let is_window = |line: &&Line| line.block_bytes == 0 || line.max.is_some();
        if kind == Kind::Histogram || lines.iter().any(is_window) {
            return Some(window);
        }
        let is_one = |line: &&Line| line.has_place;
        if matches!(kind, Kind::Latency(_)) || lines.iter().any(is_one) {
            return Some(Shape::Ios);
        }
        if kind == Kind::Iops {
            // A line of one I/O says 1.
            return Some(if lines.iter().all(|line| line.value == 1) { Shape::Ios } else { window });
        }
        let apart = apart(lines);
        let exact_ms = apart.get(apart.len() / 2).copied().unwrap_or(0);
        if !is_regular(&apart, exact_ms) || !holds_ios(lines, exact_ms) {
            return Some(Shape::Ios);
        }
        // I/Os at a rate come at a beat, too, but hardly at that of windows.
        let rounded = round(exact_ms);
        let is_usual = exact_ms >= USUAL_WINDOW_MS_MIN
            && rounded.is_multiple_of(50)
            && rounded.abs_diff(exact_ms) * 50 <= exact_ms;
        is_usual.then_some(window)
    }
}

/// Length of the windows of a log, in milliseconds.
pub(super) fn window_ms(lines: &[&Line]) -> u64 {
    let apart = apart(lines);
    round(apart.get(apart.len() / 2).copied().unwrap_or(0)).max(1)
}

/// Times between lines of the same direction, from the shortest on.
fn apart(lines: &[&Line]) -> Vec<u64> {
    let mut apart: Vec<u64> = Vec::new();
    for direction in Direction::ALL {
        let times: Vec<u64> =
            lines.iter().filter(|line| line.direction == direction).map(|line| line.time_ms).collect();
        // The first window begins with the log.
        let from_start = times.first().copied().filter(|&ms| times.len() == 1 && ms > 0);
        apart.extend(times.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).chain(from_start));
    }
    apart.sort_unstable();
    apart
}

/// Whether lines come at a beat: windows without I/O are left out.
fn is_regular(apart: &[u64], window_ms: u64) -> bool {
    let on_beat = |&ms: &u64| {
        let late = ms % window_ms.max(1);
        late.min(window_ms - late) * 100 <= window_ms * LATE_PERCENT && ms > 0
    };
    window_ms >= WINDOW_MS_MIN
        && apart.iter().filter(|ms| on_beat(ms)).count() * 100 >= apart.len() * REGULAR_PERCENT
}

/// Whether each line can be a window's: one has an I/O at least.
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
            Line::of(format!("{ms}, {value}, 1, {len}").as_bytes(), kind).unwrap()
        };
        text.iter().map(line).collect()
    }

    fn shape(kind: Kind, text: &[(u64, u64, u64)]) -> Option<Shape> {
        let lines = lines(kind, text);
        Shape::of(kind, &lines.iter().collect::<Vec<_>>())
    }

    #[test]
    fn windows_have_a_beat_and_hold_ios() {
        let ios = Some(Shape::Ios);
        let regular = |value, len| (1..20).map(|n| (n * 500 + n % 3, value, len)).collect::<Vec<_>>();
        assert_eq!(shape(Kind::Bandwidth, &regular(32_000, 1_048_576)), Some(Shape::Windows(500)));
        assert_eq!(shape(Kind::Bandwidth, &regular(3, 0)), Some(Shape::Windows(500)));
        // A slow card at depth 32: an I/O comes each 31 ms, and each took a second.
        let deep: Vec<_> = (1..100).map(|n| (n * 31, 1_048, 1_048_576)).collect();
        assert_eq!(shape(Kind::Bandwidth, &deep), ios);
        let fast: Vec<_> = (1..400).map(|n| (n / 4, 90_000, 4_096)).collect();
        assert_eq!(shape(Kind::Bandwidth, &fast), ios);
        // I/Os at a rate that the drive keeps easily, or short windows: nobody knows.
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
