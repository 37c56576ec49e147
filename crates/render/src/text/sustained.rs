//! How writing goes on over time: its speed, its ups and downs, its stalls and whether it falls off.

use cardiograph_core::falloff::FallOffSearch;
use cardiograph_core::figures::{DirectionFigures, StepFigures};
use cardiograph_core::metric::Metric;
use cardiograph_core::report::{Report, StepResult};
use cardiograph_core::units;
use cardiograph_core::{Direction, MIB, NS_PER_S, Series, stats};

use super::layout::Page;
use super::words;

/// Speeds from nothing to the fastest.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const CURVE_COLUMNS_MAX: usize = 76;
/// With fewer windows there is no curve.
const CURVE_WINDOWS_MIN: usize = 20;
const MINUTE_NS: u64 = 60 * NS_PER_S;
/// The metrics that are measured by writing on and on.
const METRICS: [Metric; 3] = [Metric::SustainedWrite, Metric::SequentialWrite, Metric::WriteStallMax];

/// How a step that wrote on and on went.
pub(super) struct Told<'r> {
    /// In a sentence.
    pub text: String,
    step: &'r StepResult,
}

/// Writes a paragraph for each step that wrote on and on onto `page`, with its speed over time.
pub(super) fn write(page: &mut Page, report: &Report) {
    for told in told(report) {
        page.paragraph(&told.text);
        let series = told.step.result.as_ref().map(|result| result.series());
        if let Some(curve) = series.and_then(|series| curve(&series, page.style().width)) {
            page.line(&format!("  {curve}"));
        }
    }
}

/// The steps that wrote on and on. Which did is told by the metrics that they gave; others are told of only if their writing fell
/// off.
pub(super) fn told(report: &Report) -> Vec<Told<'_>> {
    let steps = METRICS.iter().filter_map(|metric| report.measurements.get(metric));
    let steps: Vec<&str> = steps.map(|measured| measured.step.as_str()).collect();
    let all = report.steps.iter().filter_map(|step| {
        let figures = step.figures.as_ref()?;
        let fell_off = figures.fall_off.as_ref().is_some_and(|search| search.found.is_some());
        let wanted = steps.contains(&step.step.id.as_str()) || fell_off;
        let contradicted = step.is_withheld(Direction::Write);
        let writes = figures.direction(Direction::Write).filter(|_| wanted && !contradicted)?;
        Some(Told { text: sentence(step, figures, writes), step })
    });
    all.collect()
}

fn sentence(step: &StepResult, figures: &StepFigures, writes: &DirectionFigures) -> String {
    let time = match writes.runtime_ns {
        ..MINUTE_NS => units::duration(writes.runtime_ns),
        _ => units::elapsed(writes.runtime_ns),
    };
    let mut text = format!("{}: {} in {time}", words::short_title(&step.step), units::bytes(writes.bytes));
    if let Some(windows) = writes.windows.as_ref().filter(|windows| windows.bandwidth_bytes_per_s.n > 1) {
        let spread = &windows.bandwidth_bytes_per_s;
        let range = units::range(&units::bandwidth(spread.min), &units::bandwidth(spread.max));
        let (window, stdev) = (window(windows.window_ns), units::number(spread.stdev / MIB as f64));
        text += &format!(" at {range} ({window} windows, deviation {stdev} MiB/s)");
    }
    text += &format!(", longest stall {}", units::duration(figures.longest_stall_ns));
    let fall_off = figures.fall_off.as_ref().map(|search| format!("; {}", fall_off(search)));
    format!("{text}{}.", fall_off.unwrap_or_default())
}

fn fall_off(search: &FallOffSearch) -> String {
    match &search.found {
        Some(found) => {
            let [before, after] = [found.before_bytes_per_s, found.after_bytes_per_s].map(units::bandwidth);
            let speeds = units::range(&before, &after);
            format!("falls off after {}, from {speeds}", units::bytes(found.after_bytes))
        }
        None if search.searched_bytes == 0 => "too short to tell whether it falls off".to_string(),
        None => format!("no fall-off in the first {}", units::bytes(search.searched_bytes)),
    }
}

/// The speed over time as a line of bars: from nothing to the fastest, each the mean of equally many windows. `None`
/// when there are too few windows for a line to show more than the figures do.
fn curve(series: &Series, columns: usize) -> Option<String> {
    let speeds = series.bandwidth_bytes_per_s(Direction::Write);
    let windows_per_bar = speeds.len().div_ceil(columns.saturating_sub(4).clamp(1, CURVE_COLUMNS_MAX));
    if speeds.len() < CURVE_WINDOWS_MIN {
        return None;
    }
    let bars: Vec<f64> = speeds.chunks(windows_per_bar).map(stats::mean).collect();
    let fastest = bars.iter().copied().fold(0.0, f64::max);
    let bar = |speed: &f64| match speed / fastest {
        share if share.is_finite() => BARS[((share * BARS.len() as f64) as usize).min(BARS.len() - 1)],
        _ => BARS[0],
    };
    Some(bars.iter().map(bar).collect())
}

/// The length of a window, which is a round number.
pub(super) fn window(window_ns: u64) -> String {
    units::without_zeros(&units::duration(window_ns))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::{Interval, PerDirection};

    use super::*;

    fn series(speeds: &[u64]) -> Series {
        let row = |&bytes: &u64| Interval { ios: 1, bytes, ..Default::default() };
        let rows = PerDirection { write: speeds.iter().map(row).collect(), ..Default::default() };
        Series { window_ns: NS_PER_S, duration_ns: speeds.len() as u64 * NS_PER_S, rows, ..Series::default() }
    }

    #[test]
    fn the_curve_shows_speed_from_nothing_to_the_fastest() {
        let cliff: Vec<u64> = (0..20).map(|window| if window < 8 { 800 } else { window % 2 * 250 }).collect();
        assert_eq!(curve(&series(&cliff), 80).unwrap(), "████████▁▃▁▃▁▃▁▃▁▃▁▃");
        // Half as many columns: each bar is the mean of two windows, 125 of 800.
        assert_eq!(curve(&series(&cliff), 14).unwrap(), "████▂▂▂▂▂▂");
        assert_eq!(curve(&series(&[0; 20]), 80).unwrap(), "▁".repeat(20));
        assert_eq!(curve(&series(&cliff[..19]), 80), None);
        assert!(curve(&series(&[7; 10_000]), 120).unwrap().chars().count() <= CURVE_COLUMNS_MAX);
    }
}
