//! Decides whether the rates of a job are precise enough for it to end.
//!
//! # What is guaranteed
//!
//! A job ends by precision when each of its rates, I/Os and bytes per second of each direction that it uses, has a 95
//! % interval that reaches no farther to each side than the requested fraction of the rate, over at least
//! [`WINDOWS_MIN`] windows in which no rate has a trend. The intervals are those printed
//! ([`Estimate::rate_at_look`]).
//!
//! A drive's initial behaviour differs from its later one: caches fill, links wake up. So the first tenth of the
//! windows is never used; if the others still show a trend, the first two tenths are left out, and so on up to half
//! (Heidelberger and Welch 1983, "Simulation run length control in the presence of an initial transient", whose test
//! for a Brownian bridge is here a test for a straight line). A job that starts fast and slows down before it could
//! end does not end in its fast part: the fall shows as a trend or, shortly after it, as an interval that is too
//! wide. A slope that is indistinguishable from chance passes: it changes the rate over the part by less than about
//! three half widths. Changes after the end cannot be known: writing into a cache of unknown size is therefore
//! limited by bytes.
//!
//! Looking repeatedly until an interval is narrow finds intervals that are narrow by chance. So looks are few, each
//! after half as many windows again as the previous one, and from the second on the interval must be narrow at a
//! higher level. `cargo xtask calibrate` shows that the result is 95 %.

use crate::estimate::Estimate;
use crate::long_run;
use crate::result::{PrecisionEnd, PrecisionOutcome};
use crate::series::Series;
use crate::workload::Precision;
use crate::{Direction, NS_PER_MS};

/// Maximum window length for rates, in nanoseconds.
pub const WINDOW_NS: u64 = 100 * NS_PER_MS;
/// Minimum number of windows for a decision.
pub const WINDOWS_MIN: usize = 40;
/// The first look comes when the windows without the first tenth number [`WINDOWS_MIN`].
const FIRST_LOOK_WINDOWS: u64 = 44;
/// Maximum part left out at the start, in tenths.
const SKIPPED_TENTHS_MAX: usize = 5;
/// False-alarm probability of the trend test. A higher one would find slower slopes, but would select parts in which
/// a slow drift does not show, whose intervals are too narrow.
const FALSE_ALARM: f64 = 0.05;

/// Checks the windows of jobs as they arrive.
#[derive(Debug, Clone)]
pub struct PrecisionJudge {
    wanted: Precision,
    looks: u32,
    next_look_windows: u64,
    attained: Option<PrecisionOutcome>,
}

/// Result of a look at some windows.
struct Look {
    end: PrecisionEnd,
    half_width: Option<f64>,
    skipped: usize,
}

impl PrecisionJudge {
    /// A judge without windows.
    pub fn new(wanted: Precision) -> Self {
        Self { wanted, looks: 0, next_look_windows: FIRST_LOOK_WINDOWS, attained: None }
    }

    /// Number of complete windows required for its next look.
    pub fn next_look_windows(&self) -> u64 {
        self.next_look_windows
    }

    /// Checks the complete windows of all jobs together. Returns whether they are precise enough; after that, further
    /// windows are ignored.
    pub fn look(&mut self, series: &Series) -> bool {
        if self.attained.is_some() {
            return true;
        }
        self.looks += 1;
        self.next_look_windows = self.next_look_windows * 3 / 2;
        let outcome = self.outcome_of(series, self.looks);
        self.attained = Some(outcome).filter(|outcome| outcome.end == PrecisionEnd::Attained);
        self.attained.is_some()
    }

    /// The outcome for the job that asked. If precision did not end the jobs, takes a last look at all their windows,
    /// in `series`.
    pub fn outcome(&self, job: usize, series: &Series) -> PrecisionOutcome {
        let found = self.attained.unwrap_or_else(|| self.outcome_of(series, self.looks + 1));
        PrecisionOutcome { job, ..found }
    }

    fn outcome_of(&self, series: &Series, look: u32) -> PrecisionOutcome {
        let windows = series.whole_windows();
        let rates = rates(series);
        let found = self.look_at(&rates, look, has_done(series, self.wanted.ios_min));
        PrecisionOutcome {
            job: 0,
            wanted: self.wanted.half_width,
            end: found.end,
            half_width: found.half_width,
            look,
            from_ns: found.skipped as u64 * series.window_ns,
            until_ns: windows as u64 * series.window_ns,
        }
    }

    fn look_at(&self, rates: &[Vec<f64>], look: u32, has_done: bool) -> Look {
        let windows = rates.first().map_or(0, Vec::len);
        let whole = |end| Look {
            end,
            half_width: widest(rates, |windows| Estimate::rate(crate::stats::mean(windows), windows)),
            skipped: 0,
        };
        let mut parts = (1..=SKIPPED_TENTHS_MAX)
            .map(|tenths| windows * tenths / 10)
            .take_while(|skipped| windows - skipped >= WINDOWS_MIN)
            .peekable();
        if parts.peek().is_none() {
            return whole(PrecisionEnd::TooShort);
        }
        let is_settled = |skipped: &usize| {
            !rates.iter().any(|windows| long_run::has_trend(&windows[*skipped..], FALSE_ALARM))
        };
        let Some(skipped) = parts.find(is_settled) else { return whole(PrecisionEnd::NotSettled) };
        let part: Vec<Vec<f64>> = rates.iter().map(|windows| windows[skipped..].to_vec()).collect();
        let half_width = widest(&part, |windows| Estimate::rate_at_look(windows, look));
        let is_narrow = half_width.is_some_and(|half_width| half_width <= self.wanted.half_width);
        let end = if is_narrow && has_done { PrecisionEnd::Attained } else { PrecisionEnd::NotNarrow };
        Look { end, half_width, skipped }
    }
}

/// I/Os and bytes per second by window, for each direction used; all of the same length.
fn rates(series: &Series) -> Vec<Vec<f64>> {
    let of_direction = |direction| [series.iops(direction), series.bandwidth_bytes_per_s(direction)];
    let is_used = |windows: &Vec<f64>| windows.iter().any(|&rate| rate > 0.0);
    let mut rates: Vec<Vec<f64>> =
        Direction::DATA.into_iter().flat_map(of_direction).filter(is_used).collect();
    rates.iter_mut().for_each(|windows| windows.resize(series.whole_windows(), 0.0));
    rates
}

fn has_done(series: &Series, ios_min: u64) -> bool {
    let ios = |direction| series.whole(direction).iter().map(|row| row.ios).sum::<u64>();
    Direction::DATA.into_iter().map(ios).sum::<u64>() >= ios_min
}

/// The widest interval of several rates, as half width relative to the rate; `None` if one has none, or without
/// rates.
fn widest(rates: &[Vec<f64>], estimate: impl Fn(&[f64]) -> Estimate) -> Option<f64> {
    let shares = rates.iter().map(|windows| estimate(windows).half_width_share());
    shares.reduce(|a, b| Some(a?.max(b?))).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Rng, derive_seed};
    use crate::series::Interval;
    use crate::stats::autoregressive;

    const WANTED: Precision = Precision { half_width: 0.02, ios_min: 0 };

    fn series(reads: &[f64]) -> Series {
        let row = |&ios: &f64| Interval { ios: ios as u64, bytes: ios as u64 * 4_096, ..Default::default() };
        let window_ns = WINDOW_NS;
        let mut series =
            Series { window_ns, duration_ns: reads.len() as u64 * window_ns, ..Default::default() };
        series.rows.read = reads.iter().map(row).collect();
        series
    }

    /// Checks windows as they arrive; returns the outcome of the look that was satisfied, or of a last one.
    fn judge(wanted: Precision, windows: &[f64]) -> PrecisionOutcome {
        let mut judge = PrecisionJudge::new(wanted);
        while (judge.next_look_windows() as usize) <= windows.len() {
            let until = judge.next_look_windows() as usize;
            if judge.look(&series(&windows[..until])) {
                break;
            }
        }
        judge.outcome(3, &series(windows))
    }

    /// Windows of 1,000 I/Os with correlated noise of this size, plus an offset.
    fn windows(seed: u64, n: usize, noise: f64, more: impl Fn(usize) -> f64) -> Vec<f64> {
        let noise =
            autoregressive(&mut Rng::new(derive_seed(5, seed)), n, 0.5).into_iter().map(|x| noise * x);
        noise.enumerate().map(|(i, x)| (1_000.0 + x + more(i)).max(0.0)).collect()
    }

    #[test]
    fn a_constant_rate_ends_at_the_first_look() {
        let outcome = judge(WANTED, &[1_000.0; 300]);
        let expected = PrecisionOutcome {
            job: 3,
            wanted: 0.02,
            end: PrecisionEnd::Attained,
            half_width: Some(0.0),
            look: 1,
            from_ns: 4 * WINDOW_NS,
            until_ns: 44 * WINDOW_NS,
        };
        assert_eq!(outcome, expected);
    }

    #[test]
    fn more_noise_takes_longer() {
        let looks = [5.0, 50.0, 150.0, 300.0].map(|noise| {
            let outcome = judge(WANTED, &windows(1, 8_000, noise, |_| 0.0));
            assert_eq!(outcome.end, PrecisionEnd::Attained, "{noise}: {outcome:?}");
            assert!(outcome.half_width.unwrap() <= 0.02);
            outcome.look
        });
        assert!(looks.is_sorted() && looks[0] == 1 && looks[3] >= 5, "{looks:?}");
    }

    #[test]
    fn a_fast_start_is_left_out() {
        // Twice as fast for a fraction of a second up to some seconds, then 1,000.
        for fast in [1, 5, 12, 20, 35, 43, 60] {
            for seed in 0..20 {
                let more = |i: usize| if i < fast { 1_000.0 } else { 0.0 };
                let windows = windows(seed, 2_000, 20.0, more);
                let outcome = judge(WANTED, &windows);
                let until = (outcome.until_ns / WINDOW_NS) as usize;
                // A drive that is still fast at the first look has not shown another speed yet.
                if fast < 44 {
                    assert_eq!(outcome.end, PrecisionEnd::Attained, "{fast}: {outcome:?}");
                    let part = &windows[(outcome.from_ns / WINDOW_NS) as usize..until];
                    let mean = crate::stats::mean(part);
                    assert!((mean / 1_000.0 - 1.0).abs() < 0.03, "{fast}: {mean} {outcome:?}");
                    assert!(until < 500, "{fast}: {outcome:?}");
                }
            }
        }
    }

    #[test]
    fn a_falling_rate_has_not_settled() {
        for seed in 0..20 {
            let outcome = judge(WANTED, &windows(seed, 300, 20.0, |i| -2.5 * i as f64));
            assert_eq!(outcome.end, PrecisionEnd::NotSettled, "{outcome:?}");
            assert_eq!((outcome.from_ns, outcome.until_ns), (0, 300 * WINDOW_NS));
            assert!(outcome.half_width.unwrap() > 0.05, "{outcome:?}");
        }
    }

    #[test]
    fn ending_early_reports_the_precision_reached() {
        let noisy = judge(WANTED, &windows(2, 80, 300.0, |_| 0.0));
        assert_eq!((noisy.end, noisy.look), (PrecisionEnd::NotNarrow, 3));
        assert!(noisy.half_width.unwrap() > 0.02 && noisy.from_ns > 0, "{noisy:?}");
        let short = judge(WANTED, &windows(2, 30, 10.0, |_| 0.0));
        assert_eq!((short.end, short.from_ns), (PrecisionEnd::TooShort, 0));
        assert!(short.half_width.unwrap() < 0.02, "{short:?}");
        let nothing = judge(WANTED, &[]);
        assert_eq!((nothing.end, nothing.half_width, nothing.until_ns), (PrecisionEnd::TooShort, None, 0));
    }

    #[test]
    fn an_idle_job_has_no_precision() {
        let outcome = judge(WANTED, &[0.0; 200]);
        assert_eq!((outcome.end, outcome.half_width), (PrecisionEnd::TooShort, None), "{outcome:?}");
    }

    #[test]
    fn the_minimum_number_of_ios_is_waited_for() {
        let wanted = Precision { ios_min: 90_000, ..WANTED };
        let outcome = judge(wanted, &[1_000.0; 300]);
        assert_eq!((outcome.end, outcome.until_ns), (PrecisionEnd::Attained, 99 * WINDOW_NS));
        let never = judge(Precision { ios_min: 1_000_000, ..WANTED }, &[1_000.0; 300]);
        assert_eq!(never.end, PrecisionEnd::NotNarrow);
    }

    #[test]
    fn the_least_precise_direction_decides() {
        let mut mixed = series(&[1_000.0; 44]);
        let writes = windows(7, 44, 400.0, |_| 0.0);
        mixed.rows.write = series(&writes).rows.read;
        let mut judge = PrecisionJudge::new(WANTED);
        assert!(!judge.look(&mixed));
        mixed.rows.write = mixed.rows.read.clone();
        assert!(PrecisionJudge::new(WANTED).look(&mixed));
    }
}
