//! Runs with randomly drawn windows.

use cardiograph_core::precision::{PrecisionJudge, WINDOW_NS};
use cardiograph_core::result::PrecisionEnd;
use cardiograph_core::rng::Rng;
use cardiograph_core::series::Interval;
use cardiograph_core::stats::mean;
use cardiograph_core::workload::Precision;
use cardiograph_core::{Estimate, Series};

use super::Trial;
use super::end::End;

/// Mean number of I/Os in a window: large enough that rounding does not matter.
const IOS: f64 = 1e6;
/// Maximum number of windows in a run with a requested precision.
const WINDOWS_MAX: usize = 12_000;

/// Components of the rate of a window, as shares of the true rate.
#[derive(Debug, Clone, Copy)]
pub struct Process {
    /// Standard deviation of the noise from window to window.
    pub noise: f64,
    /// Correlation of the noise of adjacent windows.
    pub correlation: f64,
    /// Standard deviation of an additional slow drift.
    pub drift: f64,
    /// Correlation time of the drift, in windows.
    pub drift_windows: f64,
    /// Additional speed at the start.
    pub settling: f64,
    /// Number of windows in which it falls to 1/e.
    pub settling_windows: f64,
    /// Share of windows that lose four fifths of their time.
    pub stall_share: f64,
    /// Linear gain from start to end; the middle has the true rate.
    pub slope: f64,
}

/// Independent windows.
pub const DEFAULT: Process = Process {
    noise: 0.05,
    correlation: 0.0,
    drift: 0.0,
    drift_windows: 1.0,
    settling: 0.0,
    settling_windows: 1.0,
    stall_share: 0.0,
    slope: 0.0,
};

/// Share of a window left by a stall.
const STALLED: f64 = 0.2;

/// One run.
pub fn trial(process: &Process, end: End, seed: u64) -> Trial {
    let truth = IOS / (WINDOW_NS as f64 / 1e9) * (1.0 - process.stall_share * (1.0 - STALLED));
    let per_second = 1e9 / WINDOW_NS as f64;
    match end {
        End::Windows(windows) => {
            let mut source = Windows::new(process, seed, windows);
            let rates: Vec<f64> = (0..windows).map(|_| source.next_ios() * per_second).collect();
            Trial {
                estimate: Estimate::rate(mean(&rates), &rates),
                truth,
                seconds: seconds(windows),
                is_ended: true,
            }
        }
        End::Precision(half_width) => {
            let mut source = Windows::new(process, seed, WINDOWS_MAX);
            let mut judge = PrecisionJudge::new(Precision { half_width, ios_min: 0 });
            let mut series = Series { window_ns: WINDOW_NS, ..Series::default() };
            let is_ended = loop {
                let windows = judge.next_look_windows() as usize;
                if windows > WINDOWS_MAX {
                    break false;
                }
                while series.rows.read.len() < windows {
                    let ios = source.next_ios() as u64;
                    series.rows.read.push(Interval { ios, bytes: ios, ..Interval::default() });
                }
                series.duration_ns = windows as u64 * WINDOW_NS;
                if judge.look(&series) {
                    break true;
                }
            };
            let outcome = judge.outcome(0, &series);
            let rates = series.iops(cardiograph_core::Direction::Read);
            let whole = || Estimate::rate(mean(&rates), &rates);
            let estimate = outcome.rate(&rates, WINDOW_NS).unwrap_or_else(whole);
            debug_assert!(!is_ended || outcome.end == PrecisionEnd::Attained);
            Trial { estimate, truth, seconds: seconds(rates.len()), is_ended }
        }
    }
}

fn seconds(windows: usize) -> f64 {
    (windows as u64 * WINDOW_NS) as f64 / 1e9
}

/// Generates the windows of one run.
struct Windows<'a> {
    process: &'a Process,
    rng: Rng,
    noise: f64,
    drift: f64,
    index: usize,
    windows: usize,
}

impl<'a> Windows<'a> {
    fn new(process: &'a Process, seed: u64, windows: usize) -> Self {
        let mut rng = Rng::new(seed);
        let (noise, drift) = (rng.normal(), rng.normal());
        Self { process, rng, noise, drift, index: 0, windows }
    }

    fn next_ios(&mut self) -> f64 {
        let process = self.process;
        let mut follow =
            |state: f64, kept: f64| kept * state + (1.0 - kept * kept).sqrt() * self.rng.normal();
        self.noise = follow(self.noise, process.correlation);
        self.drift = follow(self.drift, (-1.0 / process.drift_windows).exp());
        let settling = process.settling * (-(self.index as f64) / process.settling_windows).exp();
        let along = (self.index as f64 + 0.5) / self.windows as f64 - 0.5;
        self.index += 1;
        let rate =
            1.0 + process.noise * self.noise + process.drift * self.drift + settling + process.slope * along;
        let is_stalled = process.stall_share > 0.0 && self.rng.unit() < process.stall_share;
        IOS * rate.max(0.0) * if is_stalled { STALLED } else { 1.0 }
    }
}
