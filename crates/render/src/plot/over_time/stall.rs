//! Stalls: times in which no I/O completed.

use cardiograph_core::figures::STALL_NS;
use cardiograph_core::report::StepResult;
use cardiograph_core::{Parameter, Series, message};

use super::super::sheet::{Entry, Frame, Sample, Sheet};

/// Minimum width, so that short stalls are visible.
const WIDTH_MIN: f64 = 2.0;

/// A time in which no I/O completed, in nanoseconds from the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stall {
    from_ns: u64,
    to_ns: u64,
}

impl Stall {
    fn len_ns(&self) -> u64 {
        self.to_ns - self.from_ns
    }
}

/// Marks and explains the stalls of a step; `place` returns the position of a time on the axis.
pub(super) fn draw(
    sheet: &mut Sheet,
    frame: &Frame,
    step: &StepResult,
    series: &Series,
    place: impl Fn(u64) -> f64,
) -> Option<Entry> {
    // A Report has the longest stall to the nanosecond; an import has none.
    let reported_ns = step.figures.as_ref().map(|figures| figures.longest_stall_ns);
    let (pauses, mut stalls) = (step.pauses_of_series(), find_stalls(series, reported_ns));
    // While the program did not run, the drive had nothing to complete.
    stalls.retain(|stall| !pauses.iter().any(|pause| pause.is_within(stall.from_ns, stall.to_ns)));
    for stall in &stalls {
        frame.mark(&mut sheet.canvas, "stall", [stall.from_ns, stall.to_ns].map(&place), WIDTH_MIN);
    }
    let text = message!(
        "picture-stalls",
        count = stalls.len(),
        least = Parameter::latency_ns(STALL_NS as f64),
        longest = Parameter::latency_ns(longest_ns(&stalls, series.window_ns, reported_ns) as f64)
    );
    let text = sheet.view.lang.text(&text);
    (!stalls.is_empty()).then_some(Entry { sample: Sample::Patch("stall".to_string()), text })
}

/// The longest stall: the Report's, if it can be the same one, which begins and ends within the windows
/// around the idle ones. A longer one is that of a single worker while others continued.
fn longest_ns(stalls: &[Stall], window_ns: u64, reported_ns: Option<u64>) -> u64 {
    let longest_ns = stalls.iter().map(Stall::len_ns).max().unwrap_or(0);
    reported_ns
        .filter(|&reported| reported >= longest_ns && reported - longest_ns < window_ns.saturating_mul(2))
        .unwrap_or(longest_ns)
}

/// Idle windows of at least [`STALL_NS`]. Shorter ones are just between the I/Os of a slow drive.
/// Before the first I/O and after the last, they count only if the Report has a stall as long: there may have
/// been nothing to do.
fn find_stalls(series: &Series, reported_ns: Option<u64>) -> Vec<Stall> {
    let windows = series.recorded_windows();
    let start_ns = |window: usize| series.window_ns.saturating_mul(window as u64);
    let mut stalls = Vec::new();
    let mut from = 0;
    for at in 0..=windows {
        if at < windows && series.is_idle(at) {
            continue;
        }
        let stall = Stall { from_ns: start_ns(from), to_ns: start_ns(at) };
        let is_between = from > 0 && at < windows;
        let is_reported = || reported_ns.is_some_and(|reported| reported >= stall.len_ns());
        if stall.len_ns() >= STALL_NS && (is_between || is_reported()) {
            stalls.push(stall);
        }
        from = at + 1;
    }
    stalls
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Interval;

    use super::*;

    const MS: u64 = 1_000_000;

    /// Stalls in windows of 100 ms, and the longest, in milliseconds.
    fn stalls_ms(ios: &[u64], reported_ms: Option<u64>) -> (Vec<(u64, u64)>, u64) {
        let row = |&ios: &u64| Interval { ios, ..Interval::default() };
        let mut series = Series { window_ns: 100 * MS, ..Series::default() };
        series.duration_ns = ios.len() as u64 * series.window_ns;
        series.rows.write = ios.iter().map(row).collect();
        let reported_ns = reported_ms.map(|ms| ms * MS);
        let stalls = find_stalls(&series, reported_ns);
        let longest_ms = longest_ns(&stalls, series.window_ns, reported_ns) / MS;
        (stalls.iter().map(|stall| (stall.from_ns / MS, stall.to_ns / MS)).collect(), longest_ms)
    }

    #[test]
    fn stalls_are_at_least_as_long_as_the_threshold() {
        let ios = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
        assert_eq!(stalls_ms(&ios, None), (vec![(600, 1_100)], 500));
        assert_eq!(stalls_ms(&[], None), (vec![], 0));
        assert_eq!(stalls_ms(&[0; 9], None), (vec![], 0));
    }

    #[test]
    fn the_first_and_last_wait_count_if_the_report_has_them() {
        let ios = [0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
        assert_eq!(stalls_ms(&ios, Some(760)), (vec![(0, 700), (900, 1_400), (1_500, 2_100)], 760));
        assert_eq!(stalls_ms(&ios, Some(580)), (vec![(900, 1_400)], 580));
        assert_eq!(stalls_ms(&ios, None), (vec![(900, 1_400)], 500));
        assert_eq!(stalls_ms(&[0; 9], Some(930)), (vec![(0, 900)], 930));
    }

    #[test]
    fn the_longest_stall_is_the_reports_if_it_can_be_the_same() {
        let ios = [1, 0, 0, 0, 0, 0, 0, 1];
        for (reported_ms, longest_ms) in
            [(600, 600), (735, 735), (799, 799), (800, 600), (5_000, 600), (65, 600)]
        {
            assert_eq!(stalls_ms(&ios, Some(reported_ms)).1, longest_ms, "{reported_ms}");
        }
    }
}
