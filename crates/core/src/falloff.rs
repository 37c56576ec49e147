//! Finds whether and after how much written data the write speed falls off.
//!
//! # The test
//!
//! A drive that first writes into fast cells slows down for good when they are full. The search is therefore for one
//! downward change of the level of the windows' bandwidth, in noise that may be strong, heavy-tailed and
//! autocorrelated. The position is where the difference of the means before and after, times `√(k·(n-k)/n)`, is
//! greatest: the least-squares split, a standardised cumulative sum (Page 1954). Divided by the long-run deviation of
//! the noise, and without a change, that maximum is the maximum of a standardised Brownian bridge, whose tail is
//! known (Vostrikova 1981; Csörgő and Horváth 1997, section 1.3).
//!
//! Everything depends on the noise: the residuals from the two levels, modelled as autoregressive of order 1 (as in
//! the plug-in of Andrews 1991), so that the long-run variance is `σ²·(1+φ)/(1-φ)`. φ is corrected for the two
//! subtracted means, and then increased by half a standard error: in simulations of white and AR(1) noise (φ up to
//! 0.9, at least 100 windows) p values are then not too small. Because noise can be fast and slow at once (stalls on
//! a drift), the same is done with the means of 2, 4, 8, ... windows, and the greatest result counts. It is only as
//! precise as the effective number of windows allows, so the statistic is taken as Student's t, and made normal by
//! Wallace's transformation (1959).
//!
//! Significance is not enough: the speed must drop by a fifth, and must stay low until the end in each part of the
//! rest, which excludes a single stall, a burst, a dip that recovers and a drive that alternates between fast and
//! slow. All of this is done for the whole series and for prefixes of it, each three quarters as long as the previous
//! one, because a second fall makes the noise around two levels look great. The p value is multiplied by the number
//! of attempts (Bonferroni, half of it for the whole series and half for all prefixes). When a fall is found, the
//! part before it is searched again: the first fall is wanted.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::direction::Direction;
use crate::series::Series;
use crate::stats::{autocovariance, mean, median};

/// Minimum number of windows to search: both sides of a fall need enough of them to show their variation.
pub const WINDOWS_MIN: usize = 40;
/// Maximum speed after a fall-off relative to before; a smaller loss is not one, however significant.
pub const RATIO_MAX: f64 = 0.8;
/// Accepted probability of a false alarm. A tenth of 1 %, because the probability is an approximation that is poor
/// for short and strongly autocorrelated series: with 50 windows and φ = 0.9 it is up to eight times too small.
pub const P_VALUE_MAX: f64 = 0.001;

/// Minimum number of windows on each side of a change.
const SIDE_WINDOWS_MIN: usize = 5;
/// Fraction of the windows at the end that is not searched: a change there would not have lasted.
const TAIL_SHARE: f64 = 0.05;
/// Number of prefixes tried, including the whole series; the last is 13 % of it.
const TRIES_MAX: usize = 8;
/// Number of parts that each side is divided into; the median part is its level.
const PARTS: usize = 5;
/// Number of windows on each side that give the speed around a fall.
const NEIGHBOURS: usize = 20;
/// Minimum number of blocks of 1, 2, 4, ... windows for measuring the noise over them.
const BLOCKS_MIN: usize = 32;
/// Standard errors added to the autocorrelation.
const CAUTION: f64 = 0.5;
/// Maximum autocorrelation. With more, no series of these lengths could show anything.
const CORRELATION_MAX: f64 = 0.98;
/// Minimum deviation of the noise, relative to the level: a simulated drive can have none at all.
const NOISE_MIN: f64 = 1e-6;

/// Result of the search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FallOffSearch {
    /// Bytes searched: "no falloff in the first ... bytes". Less than was written, because in the last windows a fall
    /// cannot be distinguished from a stall; 0 if the series was too short.
    pub searched_bytes: u64,
    /// The fall-off, if any.
    pub found: Option<FallOff>,
}

/// A lasting loss of write speed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FallOff {
    /// Bytes written before it.
    pub after_bytes: u64,
    /// Mean speed before, in bytes per second.
    pub before_bytes_per_s: f64,
    /// Mean speed after, in bytes per second.
    pub after_bytes_per_s: f64,
    /// Probability that a drive without a fall-off would appear to have one. An approximation.
    pub p_value: f64,
}

/// A split of a series.
#[derive(Debug, Clone, Copy)]
struct Change {
    /// The first window after the split.
    at: usize,
    /// Probability of such a fall by chance.
    p_value: f64,
}

/// Uncertainty of the mean of a series.
#[derive(Debug, Clone, Copy)]
struct Noise {
    /// Long-run variance: n times the variance of the mean of n windows.
    variance: f64,
    /// Degrees of freedom of that estimate.
    freedom: f64,
}

/// Searches for a fall-off in the writes of `series`: the first lasting loss of at least a fifth of the speed.
pub fn search(series: &Series) -> FallOffSearch {
    let rows = series.whole(Direction::Write);
    let speeds = series.bandwidth_bytes_per_s(Direction::Write);
    let n = speeds.len();
    if n < WINDOWS_MIN {
        return FallOffSearch { searched_bytes: 0, found: None };
    }
    let bytes_before =
        |window: usize| rows[..window].iter().map(|row| row.bytes).fold(0, u64::saturating_add);
    let mut first = None;
    while let Some(change) = lasting_fall(&speeds, first.map_or(n, |change: Change| change.at)) {
        first = Some(change);
    }
    let found = first.map(|Change { at, p_value }| {
        // The change may lie inside either of the windows at the border: its speed, between that of its neighbours,
        // gives the part before the change.
        let before = mean(&speeds[(at - 1).saturating_sub(NEIGHBOURS)..at - 1]);
        let after = mean(&speeds[at + 1..(at + 1 + NEIGHBOURS).min(n)]);
        let fall = (before - after).max(f64::MIN_POSITIVE);
        let share = |speed: f64| ((speed - after) / fall).clamp(0.0, 1.0);
        let border_windows = share(speeds[at - 1]) + share(speeds[at]);
        let border_bytes = border_windows * before * series.window_ns as f64 / 1e9;
        FallOff {
            after_bytes: bytes_before(at - 1).saturating_add(border_bytes as u64),
            before_bytes_per_s: mean(&speeds[..at]),
            after_bytes_per_s: mean(&speeds[at..]),
            p_value,
        }
    });
    FallOffSearch { searched_bytes: bytes_before(n - tail_windows(n)), found }
}

/// A significant, large fall in the first `end` windows that lasts until the end of all: from the longest prefix that
/// shows one.
fn lasting_fall(speeds: &[f64], end: usize) -> Option<Change> {
    let shorter = std::iter::successors(Some(end), |end| Some(end * 3 / 4));
    let ends: Vec<usize> = shorter.take_while(|&end| end >= WINDOWS_MIN).take(TRIES_MAX).collect();
    let shorter = ends.len() as f64 - 1.0;
    ends.into_iter().enumerate().find_map(|(index, end)| {
        let change = greatest_fall(&speeds[..end])?;
        let tries = match index {
            _ if shorter == 0.0 => 1.0,
            0 => 2.0,
            _ => 2.0 * shorter,
        };
        let p_value = (change.p_value * tries).min(1.0);
        let accepted = p_value <= P_VALUE_MAX && is_large_and_lasting(speeds, change.at, end);
        accepted.then_some(Change { p_value, ..change })
    })
}

/// Number of windows at the end of `n` that are not searched.
fn tail_windows(n: usize) -> usize {
    ((n as f64 * TAIL_SHARE) as usize).max(SIDE_WINDOWS_MIN)
}

/// The most likely single fall of the level. `None` if it only rises.
fn greatest_fall(speeds: &[f64]) -> Option<Change> {
    let n = speeds.len();
    let (first, last) = (SIDE_WINDOWS_MIN, n - tail_windows(n));
    let total: f64 = speeds.iter().sum();
    let mut sum: f64 = speeds[..first].iter().sum();
    let (mut at, mut greatest) = (0, 0.0);
    for (k, speed) in speeds.iter().enumerate().take(last + 1).skip(first) {
        let (before, after) = (k as f64, (n - k) as f64);
        let fall = (sum / before - (total - sum) / after) * libm::sqrt(before * after / n as f64);
        if fall > greatest {
            (at, greatest) = (k, fall);
        }
        sum += speed;
    }
    if at == 0 {
        return None;
    }
    let Noise { variance, freedom } = noise_about(speeds, at);
    let z = libm::sqrt(freedom * libm::log1p(greatest * greatest / variance / freedom));
    Some(Change { at, p_value: maximum_exceeds(z, first as f64 / n as f64, last as f64 / n as f64) })
}

/// The noise of `speeds` around their means before and after `at`, at the time scale where it is greatest.
fn noise_about(speeds: &[f64], at: usize) -> Noise {
    let (before, after) = (mean(&speeds[..at]), mean(&speeds[at..]));
    let levels = std::iter::repeat_n(before, at).chain(std::iter::repeat(after));
    let residuals: Vec<f64> = speeds.iter().zip(levels).map(|(speed, level)| speed - level).collect();
    let floor = NOISE_MIN * before;
    let mut greatest = Noise { variance: floor * floor, freedom: speeds.len() as f64 - 2.0 };
    let mut block_len = 1;
    while residuals.len() / block_len >= BLOCKS_MIN {
        let blocks: Vec<f64> = residuals.chunks_exact(block_len).map(mean).collect();
        let noise = autoregressive_noise(&blocks);
        let variance = noise.variance * block_len as f64;
        if variance > greatest.variance {
            greatest = Noise { variance, ..noise };
        }
        block_len *= 2;
    }
    greatest
}

/// The noise of an autoregressive series of order 1 from which two means were subtracted.
fn autoregressive_noise(residuals: &[f64]) -> Noise {
    let n = residuals.len() as f64;
    let variance = autocovariance(residuals, 0);
    if variance <= 0.0 {
        return Noise { variance: 0.0, freedom: n - 2.0 };
    }
    let seen = autocovariance(residuals, 1) / variance;
    // One mean takes (1 + 4φ) / n from the correlation (Kendall 1954), the means of two parts about twice that.
    let unbiased = (seen + 2.0 * (1.0 + 4.0 * seen.max(0.0)) / n).clamp(-1.0, 1.0);
    let error = libm::sqrt((1.0 - unbiased * unbiased) / n);
    // A correlation below 0 would make the noise small, as when a card fits three and four I/Os into windows
    // alternately. Ignore it.
    let phi = (unbiased + CAUTION * error).clamp(0.0, CORRELATION_MAX);
    let n_effective = n * (1.0 - phi) / (1.0 + phi);
    Noise { variance: variance * n / (n - 2.0) * n / n_effective, freedom: (n_effective - 2.0).max(1.0) }
}

/// Probability that a standardised Brownian bridge exceeds `x` somewhere between the times `from` and `to`.
///
/// Csörgő and Horváth 1997, formula 1.3.26 with one dimension, halved for one side. An expansion for large `x`; not
/// used below 2.
fn maximum_exceeds(x: f64, from: f64, to: f64) -> f64 {
    if x < 2.0 {
        return 1.0;
    }
    let square = x * x;
    let log_odds = libm::log((1.0 - from) * to / (from * (1.0 - to)));
    let density = libm::exp(-square / 2.0) / libm::sqrt(2.0 * std::f64::consts::PI);
    (0.5 * x * density * ((1.0 - 1.0 / square) * log_odds + 4.0 / square)).min(1.0)
}

/// Whether the fall at `at`, found in the first `end` windows, is large enough and lasts.
fn is_large_and_lasting(speeds: &[f64], at: usize, end: usize) -> bool {
    let parts = |side: &[f64]| {
        let border = |part: usize| part * side.len() / PARTS;
        (0..PARTS).map(|part| mean(&side[border(part)..border(part + 1)])).collect::<Vec<f64>>()
    };
    // The median part of each side, not the mean: a burst into a buffer or a stall of seconds changes only the mean.
    let (level_before, level_after) = (median(&parts(&speeds[..at])), median(&parts(&speeds[at..end])));
    let halfway = (level_before + level_after) / 2.0;
    // The speed may fall further, but not rise again: in no part of the rest, nor, if the fall was found without it,
    // for as long as the fall was seen to last.
    let mut later = speeds[end..].chunks(end - at).filter(|block| block.len() >= SIDE_WINDOWS_MIN);
    level_after <= RATIO_MAX * level_before
        && parts(&speeds[at..]).iter().all(|&part| part < halfway)
        && later.all(|block| mean(block) < halfway)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Rng, derive_seed};
    use crate::series::Interval;
    use crate::stats::autoregressive;
    use crate::{MIB, NS_PER_MS};

    /// A series of windows of 100 ms.
    fn series(bytes: impl IntoIterator<Item = f64>) -> Series {
        let row = |bytes: f64| Interval { ios: 1, bytes: bytes.max(0.0) as u64, ..Default::default() };
        let mut series = Series { window_ns: 100 * NS_PER_MS, ..Default::default() };
        series.rows.write = bytes.into_iter().map(row).collect();
        series.duration_ns = series.rows.write.len() as u64 * series.window_ns;
        series
    }

    fn found(bytes: impl IntoIterator<Item = f64>) -> Option<FallOff> {
        search(&series(bytes)).found
    }

    /// Whole I/Os of 1 MiB for a drive that would complete `ios` of them in each window.
    fn whole_ios(ios: impl IntoIterator<Item = f64>) -> Vec<f64> {
        let mut begun = 0.0;
        let mut window = |ios: f64| {
            begun += ios.max(0.0);
            let done = libm::floor(begun);
            begun -= done;
            done * MIB as f64
        };
        ios.into_iter().map(&mut window).collect()
    }

    /// Fraction of each window in which a drive is not stalled. Stalls take 310 ms, and the fraction `long` of them
    /// half a second more on average; they start with the given probability in each window.
    fn awake(rng: &mut Rng, n: usize, probability: f64, long: f64) -> Vec<f64> {
        let mut left_windows = 0.0;
        let mut window = || {
            if left_windows <= 0.0 && rng.unit() < probability {
                left_windows = 3.1 + if rng.unit() < long { rng.exponential(5.0) } else { 0.0 };
            }
            let asleep = f64::clamp(left_windows, 0.0, 1.0);
            left_windows -= asleep;
            1.0 - asleep
        };
        (0..n).map(|_| window()).collect()
    }

    #[test]
    fn flat_series_raise_no_more_alarms_than_promised() {
        let mut alarms = Vec::new();
        for run in 0..1_000 {
            let mut rng = Rng::new(derive_seed(0xf1a7, run));
            let n = 50 + rng.below(1_151) as usize;
            let deviation = 0.03 + 0.37 * rng.unit();
            let phi = [0.0, 0.3, 0.6, 0.9][run as usize % 4];
            let speeds: Vec<f64> =
                autoregressive(&mut rng, n, phi).iter().map(|x| (1.0 + deviation * x).max(0.0)).collect();
            let bytes = match run / 4 % 3 {
                0 => speeds.iter().map(|speed| 20e6 * speed).collect(),
                1 => whole_ios(speeds.iter().map(|speed| 3.1 * speed)),
                _ => {
                    let awake = awake(&mut rng, n, 0.1, 0.1);
                    speeds.iter().zip(awake).map(|(speed, awake)| 33e6 * speed * awake).collect()
                }
            };
            alarms.extend(found(bytes).map(|fall| (n, deviation, phi, run / 4 % 3, fall)));
        }
        assert!(alarms.len() <= 10, "{} false alarms in 1,000: {alarms:?}", alarms.len());
    }

    #[test]
    fn cliffs_are_found_where_they_are() {
        let [mut runs, mut seen, mut located] = [[0u32; 4]; 3];
        let mut run = 0;
        let ratios = [0.1, 0.25, 0.5, 0.7];
        for n in [100, 200, 500, 1_200] {
            for (deviation, phi) in [0.03, 0.08, 0.2]
                .into_iter()
                .flat_map(|deviation| [0.0, 0.3, 0.6].map(|phi| (deviation, phi)))
            {
                for position in [0.15, 0.25, 0.4, 0.55, 0.7, 0.85] {
                    for (which, ratio) in ratios.into_iter().enumerate() {
                        run += 1;
                        let mut rng = Rng::new(derive_seed(0xc11f, run));
                        let cliff = position * n as f64 + rng.unit();
                        let noise = autoregressive(&mut rng, n, phi);
                        let mut bytes_before = 0.0;
                        let bytes = noise.iter().enumerate().map(|(window, x)| {
                            let share = (cliff - window as f64).clamp(0.0, 1.0);
                            let speed = 20e6 * (1.0 + deviation * x).max(0.0);
                            bytes_before += share * speed;
                            speed * (share + (1.0 - share) * ratio)
                        });
                        let fall = found(bytes.collect::<Vec<f64>>());
                        let is_near =
                            |fall: &FallOff| (fall.after_bytes as f64 / bytes_before - 1.0).abs() <= 0.05;
                        runs[which] += 1;
                        seen[which] += u32::from(fall.is_some());
                        located[which] += u32::from(fall.as_ref().is_some_and(is_near));
                    }
                }
            }
        }
        for which in 0..4 {
            let seen_share = f64::from(seen[which]) / f64::from(runs[which]);
            let located_share = f64::from(located[which]) / f64::from(seen[which]);
            // A loss of 30 % in noise of 20 % is not always significant in ten or twenty seconds.
            let seen_least = if ratios[which] <= 0.5 { 0.95 } else { 0.8 };
            assert!(seen_share >= seen_least, "{}: {seen_share} of {}", ratios[which], runs[which]);
            assert!(located_share >= 0.95, "{}: {located_share} of {}", ratios[which], seen[which]);
        }
    }

    #[test]
    fn a_cliff_inside_a_window_is_found_to_the_byte() {
        for (tenths, later) in (0..10).flat_map(|tenths| [(tenths, 5e6), (tenths, 1e6)]) {
            // 60 windows of 20 MB, a mixed one, the rest 5 MB; perhaps less after 9 s, which must not matter.
            let share = f64::from(tenths) / 10.0;
            let bytes = (0..200).map(|window| match window {
                0..60 => 20e6,
                60 => 20e6 * share + 5e6 * (1.0 - share),
                61..150 => 5e6,
                _ => later,
            });
            let fall = found(bytes).unwrap();
            let expected = 20e6 * (60.0 + share);
            assert!((fall.after_bytes as f64 - expected).abs() < 10.0, "{} for {expected}", fall.after_bytes);
            assert!((fall.before_bytes_per_s / 200e6 - 1.0).abs() < 0.01, "{}", fall.before_bytes_per_s);
            let after = (50e6 * 90.0 + later * 10.0 * 50.0) / 140.0;
            assert!((fall.after_bytes_per_s / after - 1.0).abs() < 0.02, "{}", fall.after_bytes_per_s);
            assert!(fall.p_value < 1e-6);
        }
    }

    #[test]
    fn a_change_that_recovers_or_rises_is_not_a_fall_off() {
        let mut rng = Rng::new(5);
        let noise = autoregressive(&mut rng, 400, 0.3);
        type Level = fn(usize) -> f64;
        let levels: [(&str, Level); 10] = [
            ("flat", |_| 1.0),
            ("rise", |window| if window < 200 { 0.4 } else { 1.0 }),
            ("slow rise", |window| 0.5 + window as f64 / 400.0),
            ("dip in the middle", |window| if (150..250).contains(&window) { 0.3 } else { 1.0 }),
            ("dip that ends late", |window| if (150..370).contains(&window) { 0.3 } else { 1.0 }),
            ("fast in the middle", |window| if (100..300).contains(&window) { 1.0 } else { 0.3 }),
            ("fast and slow by turns", |window| if window / 40 % 2 == 0 { 1.0 } else { 0.3 }),
            ("stall at the end", |window| if window < 397 { 1.0 } else { 0.0 }),
            ("burst into a buffer", |window| if window == 0 { 30.0 } else { 1.0 }),
            ("loss of a tenth", |window| if window < 200 { 1.0 } else { 0.9 }),
        ];
        for (name, level) in levels {
            for deviation in [0.0, 0.02, 0.1] {
                let bytes = noise.iter().enumerate().map(|(i, x)| 3e7 * level(i) * (1.0 + deviation * x));
                let searched = search(&series(bytes));
                assert_eq!(searched.found, None, "{name}, noise {deviation}");
                assert!(searched.searched_bytes > 0);
            }
        }
    }

    #[test]
    fn stalls_are_not_a_fall_off_but_starting_to_stall_is() {
        // About once a second 310 ms without I/O, otherwise at 330 MB/s.
        let (mut stalling, mut drifting, mut phases, mut begins) = (0, 0, 0, 0);
        for run in 0..100 {
            let mut rng = Rng::new(derive_seed(0x57a1, run));
            stalling += u32::from(found(awake(&mut rng, 300, 0.13, 0.02).iter().map(|x| 33e6 * x)).is_some());
            let stalls = awake(&mut rng, 1_200, 0.25, 0.0);
            let from_the_middle =
                stalls.iter().enumerate().map(|(i, x)| 33e6 * if i < 600 { 1.0 } else { *x });
            begins += u32::from(found(from_the_middle).is_some());
            let drift = autoregressive(&mut rng, 600, 0.97);
            let drifts = drift.iter().map(|drift| 3e7 * (1.0 + 0.15 * drift + 0.3 * rng.normal()));
            drifting += u32::from(found(drifts).is_some());
            let mut fast = true;
            let by_turns = (0..1_200).map(|_| {
                fast ^= rng.unit() < 0.02;
                (if fast { 33e6 } else { 6e6 }) * (1.0 + 0.05 * rng.normal())
            });
            phases += u32::from(found(by_turns).is_some());
        }
        assert_eq!(stalling, 0, "drives that stall from the start");
        assert!(drifting <= 5, "{drifting} of 100 drives with strong fast noise on a slow drift");
        assert!(phases <= 2, "{phases} of 100 drives with fast and slow phases of 5 s");
        assert!(begins >= 95, "{begins} of 100 drives that begin to stall");
    }

    #[test]
    fn the_first_of_several_falls_is_reported() {
        let two_falls = |seed, first, second, middle, last, deviation: f64| {
            let mut rng = Rng::new(seed);
            let bytes = (0..400).map(|window| {
                let before_second = if window < second { middle } else { last };
                let level = if window < first { 1.0 } else { before_second };
                3e7 * level * (1.0 + deviation * rng.normal())
            });
            found(bytes).map(|fall| fall.after_bytes as f64 / (3e7 * f64::from(first)) - 1.0)
        };
        let cases = [
            (60, 120, 0.5, 0.2),
            (60, 350, 0.5, 0.2),
            (150, 200, 0.5, 0.2),
            (250, 330, 0.5, 0.2),
            (100, 200, 0.7, 0.1),
        ];
        for (first, second, middle, last) in cases {
            let error =
                two_falls(1, first, second, middle, last, 0.05).expect("two falls are no fewer than one");
            assert!(error.abs() < 0.02, "{first}, {second}: {error}");
        }
        // The second fall stands out so much that the first is only found by searching before it.
        let errors = (0..20).filter_map(|seed| two_falls(seed, 80, 120, 0.75, 0.1, 0.2));
        let near = errors.filter(|error| error.abs() < 0.05).count();
        assert!(near >= 10, "{near} of 20");
        // A dip that ends before the fall is not the first of two.
        let dip = (0..1_200).map(|window| if matches!(window, 0..200 | 220..500) { 1e7 } else { 3e6 });
        assert_eq!(found(dip).map(|fall| fall.after_bytes), Some(480 * 10_000_000 + 20 * 3_000_000));
    }

    #[test]
    fn more_attempts_raise_the_p_value() {
        let noisy = |seed, deviation: f64, level: fn(usize) -> f64, n: usize| {
            let mut rng = Rng::new(seed);
            (0..n).map(|window| level(window) + deviation * rng.normal()).collect::<Vec<f64>>()
        };
        // Found in the whole series, which gets half of the accepted probability.
        let one = noisy(12, 0.4, |window| if window < 100 { 1.0 } else { 0.6 }, 200);
        let p_value = greatest_fall(&one).unwrap().p_value;
        assert!(p_value > 1e-12 && p_value < 1e-4, "{p_value}");
        assert_eq!(lasting_fall(&one, 200).unwrap().p_value, 2.0 * p_value);
        // Found in its first half; 400 windows have seven shorter prefixes.
        let two = noisy(13, 0.2, |window| [1.0, 0.5, 0.2][(window / 70).min(2)], 400);
        let change = lasting_fall(&two, 400).unwrap();
        let p_values =
            [300, 225, 168, 126, 94, 70, 52].map(|end| greatest_fall(&two[..end]).unwrap().p_value);
        assert!(p_values.contains(&(change.p_value / 14.0)), "{change:?}, {p_values:?}");
        // Too short for more than one attempt.
        let short = noisy(14, 0.1, |window| if window < 25 { 1.0 } else { 0.3 }, 50);
        assert_eq!(lasting_fall(&short, 50).unwrap().p_value, greatest_fall(&short).unwrap().p_value);
    }

    #[test]
    fn a_short_time_at_full_speed_is_found_in_a_long_run() {
        let mut rng = Rng::new(8);
        let bytes = (0..1_200).map(|i| 3e7 * if i < 30 { 1.0 } else { 0.3 } * (1.0 + 0.05 * rng.normal()));
        let fall = found(bytes).unwrap();
        assert!((fall.after_bytes as f64 / 9e8 - 1.0).abs() < 0.05, "{}", fall.after_bytes);
    }

    #[test]
    fn slow_cards_have_few_ios_in_a_window() {
        // 31 I/Os of 1 MiB a second, then 3: most windows are empty after the fall.
        let bytes = whole_ios((0..200).map(|window| if window < 120 { 3.1 } else { 0.3 }));
        let fall = found(bytes).unwrap();
        assert!((fall.after_bytes as f64 / (372.0 * MIB as f64) - 1.0).abs() < 0.01, "{}", fall.after_bytes);
        assert_eq!(found(whole_ios((0..1_200).map(|_| 0.3))), None);
    }

    #[test]
    fn short_series_are_not_searched() {
        let cliff = |n: usize| (0..n).map(move |window| if window < n / 2 { 10.0 } else { 1.0 });
        assert_eq!(search(&series(cliff(39))), FallOffSearch { searched_bytes: 0, found: None });
        assert_eq!(found(cliff(40)).unwrap().after_bytes, 200);
        assert_eq!(search(&Series::default()), FallOffSearch { searched_bytes: 0, found: None });
        // The last 5 % are not searched: a fall there could be a stall.
        assert_eq!(search(&series([10.0; 200])).searched_bytes, 1_900);
        assert_eq!(search(&series([0.0; 200])), FallOffSearch { searched_bytes: 0, found: None });
    }

    #[test]
    fn p_values_are_not_too_small() {
        for (n, phi) in [(100, 0.0), (100, 0.6), (100, 0.9), (200, 0.9), (400, 0.0), (400, 0.6)] {
            let below = |limit: f64| {
                let hits = (0..1_000).filter(|&run| {
                    let noise = autoregressive(&mut Rng::new(derive_seed(n as u64, run)), n, phi);
                    let speeds: Vec<f64> = noise.iter().map(|x| 10.0 + x).collect();
                    greatest_fall(&speeds).is_some_and(|change| change.p_value <= limit)
                });
                hits.count()
            };
            let (tenths, hundredths) = (below(0.1), below(0.01));
            assert!(tenths <= 100 && hundredths <= 10, "{n}, φ {phi}: {tenths}, {hundredths} of 1,000");
            assert!(phi > 0.0 || tenths >= 15, "{n}: {tenths} of 1,000 is so cautious that falls are missed");
        }
    }
}
