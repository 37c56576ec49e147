//! From values to positions: linear and logarithmic scales, and the marks of an axis.

use cardiograph_core::{NS_PER_MS, NS_PER_S, message, units};

use crate::doc::dots::LINEAR_MAX;
use crate::lang::Lang;

const NS_PER_MINUTE: u64 = 60 * NS_PER_S;
/// Intervals of marks on a time axis, in milliseconds, as on clocks.
const TIME_STEPS_MS: [u64; 21] = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000,
    600_000, 1_800_000, 3_600_000, 14_400_000,
];
/// A logarithmic axis with fewer decades also has marks at 2 and 5.
const SPARSE_DECADES: i32 = 4;
/// Marks of a linear axis of values, which are printed anyway.
const VALUE_MARKS: usize = 4;
/// Latencies within the first factor count as one value, around which the axis extends by the second factor,
/// the square root of ten, in either direction.
const LEVEL: f64 = 1.02;
const LEVEL_REACH: f64 = 3.162_277_660_168_379_5;

/// Positions of values on an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    is_log: bool,
}

/// A mark on an axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub value: f64,
    pub label: String,
}

/// An axis: its scale, its marks and its name, with the unit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    pub scale: Scale,
    pub ticks: Vec<Tick>,
    pub name: String,
}

impl Scale {
    /// From `low` to `high` in equal steps. An empty range is extended.
    pub(super) fn linear(low: f64, high: f64) -> Self {
        Self { low, high: if high > low { high } else { low + 1.0 }, is_log: false }
    }

    /// From `low` to `high` in equal factors; both must be positive.
    fn log(low: f64, high: f64) -> Self {
        let low = low.max(f64::MIN_POSITIVE);
        Self { low, high: if high > low { high } else { low * 10.0 }, is_log: true }
    }

    pub(super) const fn is_log(&self) -> bool {
        self.is_log
    }

    /// Whether it reaches a value.
    pub(super) fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// The position of a value, from 0 to 1. Values outside are at the ends.
    pub(super) fn position(&self, value: f64) -> f64 {
        let share = match self.is_log {
            true => (value.max(self.low) / self.low).ln() / (self.high / self.low).ln(),
            false => (value - self.low) / (self.high - self.low),
        };
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// The smallest step of 1, 2 or 5 times a power of ten that is at least `least`.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    steps.into_iter().find(|&step| step >= least).unwrap_or(least)
}

/// An axis from 0 to beyond `high`, in a unit of `scale` base units, with about `marks` marks.
pub(super) fn linear_axis(high: f64, scale: f64, marks: usize, name: String) -> Axis {
    let high = if high.is_finite() && high > 0.0 { high / scale } else { 1.0 };
    let step = round_step(high / marks.max(1) as f64);
    let decimals = decimals(step);
    let count = (high / step).ceil() as usize;
    let tick = |at: usize| {
        let value = at as f64 * step;
        let label =
            if decimals == 0 { units::count(value.round() as u64) } else { format!("{value:.decimals$}") };
        Tick { value: value * scale, label }
    };
    let ticks: Vec<Tick> = (0..=count).map(tick).collect();
    Axis { scale: Scale::linear(0.0, count as f64 * step * scale), ticks, name }
}

/// An axis of bytes per second from 0 to beyond `high`, in the unit of its maximum. `what` names it.
pub(super) fn bandwidth_axis(high: f64, marks: usize, what: &str, lang: Lang) -> Axis {
    let (sign, scale) = lang.units.unit_for(high);
    linear_axis(high, scale, marks, with_unit(what, &sign, lang))
}

/// An axis of bytes written from 0 to `end`, with about `marks` marks.
pub(super) fn bytes_axis(end: f64, marks: usize, lang: Lang) -> Axis {
    let (unit, scale) = if end < 1e9 { ("MB", 1e6) } else { ("GB", 1e9) };
    let name = with_unit(&lang.text(&message!("picture-axis-written")), unit, lang);
    let axis = linear_axis(end, scale, marks, name);
    // The curve ends with the axis, not at the next mark.
    let ticks = axis.ticks.into_iter().filter(|tick| tick.value <= end).collect();
    Axis { scale: Scale::linear(0.0, end), ticks, ..axis }
}

fn with_unit(what: &str, unit: &str, lang: Lang) -> String {
    lang.text(&message!("picture-axis", what, unit))
}

/// An axis of time from 0 to `end_ns`, with about `marks` marks.
pub(super) fn time_axis(end_ns: u64, marks: usize, lang: Lang) -> Axis {
    let least = end_ns / marks.max(1) as u64;
    let steps = TIME_STEPS_MS.map(|ms| ms * NS_PER_MS);
    let longest = steps[steps.len() - 1];
    let fits = steps.into_iter().find(|&step| step >= least);
    let step = fits.unwrap_or_else(|| least.div_ceil(longest).saturating_mul(longest));
    let in_minutes = end_ns > 2 * NS_PER_MINUTE;
    let label = |ns: u64| match in_minutes {
        true => units::elapsed(ns),
        false if step < NS_PER_S => {
            format!("{:.*}", decimals(step as f64 / NS_PER_S as f64), ns as f64 / NS_PER_S as f64)
        }
        false => (ns / NS_PER_S).to_string(),
    };
    let unit = match (in_minutes, end_ns >= 60 * NS_PER_MINUTE) {
        (true, true) => "h:mm:ss",
        (true, false) => "m:ss",
        (false, _) => "s",
    };
    let ticks = (0..=end_ns / step).map(|at| Tick { value: (at * step) as f64, label: label(at * step) });
    let scale = Scale::linear(0.0, end_ns as f64);
    let name = with_unit(&lang.text(&message!("picture-axis-time")), unit, lang);
    Axis { scale, ticks: ticks.collect(), name }
}

/// Decimals needed to distinguish values one step apart.
fn decimals(step: f64) -> usize {
    (-step.log10().floor()).max(0.0) as usize
}

/// A logarithmic axis of latencies from `low_ns` to `high_ns` that begins and ends at round values.
pub(super) fn latency_axis(low_ns: f64, high_ns: f64, what: &str) -> Axis {
    let low_ns = low_ns.clamp(1.0, 1e15);
    let high_ns = high_ns.clamp(low_ns, 1e15);
    let (low_ns, high_ns) = match high_ns / low_ns {
        // A level line is in the middle of a decade, not on the axis.
        ..LEVEL => ((low_ns / LEVEL_REACH).max(1.0), high_ns * LEVEL_REACH),
        _ => (low_ns, high_ns),
    };
    let label = |ns: f64| units::without_zeros(&units::duration_f64(ns));
    Axis { name: what.to_string(), ..log_axis(low_ns, high_ns, label) }
}

/// An axis without a name on which values are told apart: in equal factors if the greatest is more than [`LINEAR_MAX`]
/// times the smallest, else from 0. Marks are round in `unit` base units.
pub(super) fn value_axis(values: &[f64], unit: f64, label: impl Fn(f64) -> String) -> Axis {
    let positive = || values.iter().copied().filter(|&value| value > 0.0);
    let (low, high) = (positive().fold(f64::MAX, f64::min), positive().fold(0.0, f64::max));
    let mut axis = match high / low > LINEAR_MAX {
        true => log_axis(low / unit, high / unit, |_| String::new()),
        false => linear_axis(high / unit, 1.0, VALUE_MARKS, String::new()),
    };
    let Scale { low, high, .. } = &mut axis.scale;
    (*low, *high) = (*low * unit, *high * unit);
    axis.ticks.iter_mut().for_each(|tick| {
        tick.value *= unit;
        tick.label = label(tick.value);
    });
    axis
}

/// A logarithmic axis without a name from `low` to `high` that begins and ends at round values.
fn log_axis(low: f64, high: f64, label: impl Fn(f64) -> String) -> Axis {
    let marks = |from: f64, to: f64| {
        let (first, last) = (from.log10().floor() as i32, to.log10().ceil() as i32);
        let factors: &[f64] = if last - first < SPARSE_DECADES { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let decades = (first..=last).map(|decade| 10f64.powi(decade));
        decades.flat_map(|decade| factors.iter().map(move |factor| factor * decade)).collect::<Vec<f64>>()
    };
    let marks = marks(low, high);
    let low = marks.iter().copied().rev().find(|&mark| mark <= low).unwrap_or(low);
    let high = marks.iter().copied().find(|&mark| mark >= high && mark > low).unwrap_or(low * 10.0);
    let shown = marks.into_iter().filter(|mark| (low..=high).contains(mark));
    let ticks = shown.map(|value| Tick { value, label: label(value) }).collect();
    Axis { scale: Scale::log(low, high), ticks, name: String::new() }
}

/// The position of the share `below` on an axis with equal room for each nine after the decimal point.
pub(super) fn nines(below: f64) -> f64 {
    -(1.0 - below).max(1e-12).log10()
}

/// An axis of shares, in percent, up to the position `high` ([`nines`]).
pub(super) fn percentile_axis(high: f64, lang: Lang) -> Axis {
    let shares = [0.0, 50.0, 90.0, 99.0, 99.9, 99.99, 99.999, 99.999_9, 99.999_99];
    let high = if high > 0.31 { high } else { 1.0 };
    let ticks =
        shares.into_iter().map(|percent| Tick { value: nines(percent / 100.0), label: percent.to_string() });
    // Keep a mark at the end although its value may exceed it by a rounding error.
    let ticks = ticks.filter(|tick| tick.value <= high + 1e-9).collect();
    Axis { scale: Scale::linear(0.0, high), ticks, name: lang.text(&message!("picture-axis-faster")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn linear_axes_have_round_marks_and_hold_their_values() {
        for (high, marks, expected) in [
            (97.0, 5, &["0", "20", "40", "60", "80", "100"][..]),
            (1.1, 4, &["0.0", "0.5", "1.0", "1.5"]),
            (4_100.0, 4, &["0", "2,000", "4,000", "6,000"]),
            (0.031, 3, &["0.00", "0.02", "0.04"]),
            (0.0, 2, &["0.0", "0.5", "1.0"]),
            (f64::NAN, 2, &["0.0", "0.5", "1.0"]),
        ] {
            let axis = linear_axis(high, 1.0, marks, String::new());
            assert_eq!(labels(&axis), expected, "{high}");
            assert!(high.is_nan() || axis.scale.high >= high);
        }
    }

    #[test]
    fn speeds_are_in_the_unit_of_their_figures() {
        let axis = |high| bandwidth_axis(high, 5, "speed", Lang::EN);
        assert_eq!(labels(&axis(90e6)), ["0", "20", "40", "60", "80", "100"]);
        for high in [16e3, 680e3, 999.4e3, 999.6e3, 90e6, 999.6e6, 2e10] {
            let figure = Lang::EN.units.bandwidth(high);
            let unit = figure.split_once(' ').unwrap().1;
            assert_eq!(axis(high).name, format!("speed ({unit})"));
        }
        assert_eq!(axis(0.0).name, "speed (kB/s)");
    }

    #[test]
    fn times_have_the_marks_of_a_clock() {
        for (end_ns, marks, expected, name) in [
            (9 * NS_PER_S, 5, &["0", "2", "4", "6", "8"][..], "time (s)"),
            (NS_PER_S, 5, &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"], "time (s)"),
            (10 * NS_PER_MINUTE, 5, &["0:00", "2:00", "4:00", "6:00", "8:00", "10:00"], "time (m:ss)"),
            (3 * 60 * NS_PER_MINUTE, 3, &["0:00", "1:00:00", "2:00:00", "3:00:00"], "time (h:mm:ss)"),
            (0, 3, &["0.000"], "time (s)"),
        ] {
            let axis = time_axis(end_ns, marks, Lang::EN);
            assert_eq!((labels(&axis).as_slice(), axis.name.as_str()), (expected, name));
        }
        // Weeks do not get more marks than fit.
        assert!(time_axis(40 * 24 * 60 * NS_PER_MINUTE, 5, Lang::EN).ticks.len() <= 7);
    }

    #[test]
    fn latencies_are_marked_in_powers_of_ten() {
        let axis = latency_axis(130_000.0, 7e6, "latency");
        assert_eq!(labels(&axis), ["100 µs", "200 µs", "500 µs", "1 ms", "2 ms", "5 ms", "10 ms"]);
        let wide = latency_axis(900.0, 3e9, "latency");
        assert_eq!(labels(&wide).first().zip(labels(&wide).last()), Some((&"100 ns", &"10 s")));
        for level in [10_000.0, 349_525.0, 1e6] {
            let axis = latency_axis(level, level * 1.01, "");
            let place = axis.scale.position(level);
            assert!(0.3 < place && place < 0.7, "{level} stands at {place}: {:?}", labels(&axis));
        }
        for (low, high) in [(0.0, 0.0), (5.0, 5.0), (f64::INFINITY, f64::INFINITY), (1e3, 1.0)] {
            assert!(latency_axis(low, high, "").ticks.len() > 1, "{low} {high}");
        }
    }

    #[test]
    fn values_have_their_position() {
        let log = latency_axis(1e3, 1e6, "").scale;
        assert!((log.position(1e4) - 1.0 / 3.0).abs() < 1e-9);
        assert_eq!((log.position(0.0), log.position(1e9), log.position(f64::NAN)), (0.0, 1.0, 0.0));
        assert_eq!(Scale::linear(0.0, 10.0).position(2.5), 0.25);
        assert_eq!(Scale::linear(1.0, 1.0).position(1.0), 0.0);
        assert!((nines(0.999) - 3.0).abs() < 1e-9);
        assert_eq!(labels(&percentile_axis(3.0, Lang::EN)), ["0", "50", "90", "99", "99.9"]);
    }
}
