//! Statistics shared by several modules.
//!
//! Transcendental functions come from `libm`, so that the same numbers give the same bytes on every architecture.

/// Above this many degrees of freedom Student's t is treated as having this many; its quantiles are then within 3
/// millionths of the normal distribution's.
const DEGREES_OF_FREEDOM_MAX: f64 = 1e6;

/// The arithmetic mean; 0 if empty.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The median; 0 if empty.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = sorted.len() / 2;
    match sorted.len() {
        0 => 0.0,
        n if n % 2 == 1 => sorted[upper],
        _ => (sorted[upper - 1] + sorted[upper]) / 2.0,
    }
}

/// Deviations from the mean.
pub(crate) fn deviations(values: &[f64]) -> Vec<f64> {
    let centre = mean(values);
    values.iter().map(|value| value - centre).collect()
}

/// Mean product of deviations `lag` apart, divided by their total number.
pub(crate) fn autocovariance(deviations: &[f64], lag: usize) -> f64 {
    let products = deviations.iter().zip(deviations.iter().skip(lag)).map(|(a, b)| a * b);
    products.sum::<f64>() / deviations.len().max(1) as f64
}

/// The quantile of Student's t with `degrees_of_freedom` at `probability`.
///
/// Found by Newton's method in the cumulative distribution, `1 - I(ν/(ν+t²); ν/2, 1/2) / 2` (Abramowitz and Stegun 1964,
/// 26.7.1), to a relative 1e-9 or better. Requires `0 < probability < 1` and positive degrees of freedom, not
/// necessarily whole; returns NaN otherwise.
pub fn student_t_quantile(probability: f64, degrees_of_freedom: f64) -> f64 {
    if !(probability > 0.0 && probability < 1.0 && degrees_of_freedom > 0.0) {
        return f64::NAN;
    }
    if probability < 0.5 {
        return -student_t_quantile(1.0 - probability, degrees_of_freedom);
    }
    let distribution = StudentT::new(degrees_of_freedom);
    let tail = 2.0 * (1.0 - probability);
    let excess = |t: f64| distribution.tails(t) - tail;
    let (mut t, mut high) = (0.0, 1.0);
    while excess(high) > 0.0 && high < 1e150 {
        (t, high) = (high, high * 2.0);
    }
    // The tails are convex: steps from the left never pass the quantile, but for rounding.
    for _ in 0..STEPS_MAX {
        let step = excess(t) / (2.0 * distribution.density(t));
        t = (t + step).min(high);
        if libm::fabs(step) <= 1e-12 * t {
            break;
        }
    }
    t
}

/// More steps than Newton's method takes from half of the quantile on.
const STEPS_MAX: usize = 100;

/// The two-sided probability that Student's t with `degrees_of_freedom` is at least as far from 0 as `t`. NaN unless
/// the degrees of freedom are positive and `t` is a number; 0 for an infinite `t`.
pub fn student_t_tails(t: f64, degrees_of_freedom: f64) -> f64 {
    if t.is_nan() || degrees_of_freedom.is_nan() || degrees_of_freedom <= 0.0 {
        return f64::NAN;
    }
    if t.is_infinite() {
        return 0.0;
    }
    StudentT::new(degrees_of_freedom).tails(t)
}

/// Student's distribution with some degrees of freedom, above 0.
struct StudentT {
    freedom: f64,
    /// The logarithm of `1 / B(ν/2, 1/2)`.
    log_front: f64,
}

impl StudentT {
    fn new(degrees_of_freedom: f64) -> Self {
        let freedom = degrees_of_freedom.min(DEGREES_OF_FREEDOM_MAX);
        let half = freedom / 2.0;
        Self { freedom, log_front: libm::lgamma(half + 0.5) - libm::lgamma(half) - libm::lgamma(0.5) }
    }

    /// The two-sided probability of a finite `t`.
    fn tails(&self, t: f64) -> f64 {
        let whole = self.freedom + t * t;
        incomplete_beta((self.freedom / 2.0, 0.5), self.log_front, self.freedom / whole, t * t / whole)
    }

    fn density(&self, t: f64) -> f64 {
        let shape = (self.freedom + 1.0) / 2.0 * libm::log1p(t * t / self.freedom);
        libm::exp(self.log_front - libm::log(self.freedom) / 2.0 - shape)
    }
}

/// Corrects weighted p values of several tests so that the probability of any false alarm among them is that of a
/// single test (Holm 1979, "A simple sequentially rejective multiple test procedure"; section 4 has the weights).
/// With equal weights the smallest is multiplied by their number, the next by one less, and so on; each is at least
/// the previous one and at most 1. A heavier weight is corrected less, at the cost of the rest. Returned in the
/// original order. No p value may be NaN, and weights are above 0.
pub fn holm(tests: &[(f64, f64)]) -> Vec<f64> {
    let share = |place: usize| tests[place].0 / tests[place].1;
    let mut rising: Vec<usize> = (0..tests.len()).collect();
    rising.sort_by(|&a, &b| share(a).total_cmp(&share(b)));
    let mut corrected = vec![1.0; tests.len()];
    let mut left: f64 = tests.iter().map(|(_, weight)| weight).sum();
    let mut highest: f64 = 0.0;
    for &place in &rising {
        highest = highest.max((share(place) * left).min(1.0));
        corrected[place] = highest;
        left -= tests[place].1;
    }
    corrected
}

/// The regularised incomplete beta function `I(x; a, b)`, with the logarithm of `1 / B(a, b)`, and with `y` for `1 - x`:
/// passed in, because near 1 it would be lost in the subtraction. By its continued fraction (Abramowitz and Stegun 26.5.8), which
/// converges fast below the mean of the distribution, evaluated from the front by Lentz's method; above the mean by symmetry.
fn incomplete_beta((a, b): (f64, f64), log_front: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if y <= 0.0 {
        return 1.0;
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta((b, a), log_front, y, x);
    }
    let front = libm::exp(log_front + a * libm::log(x) + b * libm::log(y)) / a;
    let away_from_zero = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let (mut c, mut fraction) = (1.0, d);
    for step in 1..10_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + term * d);
            c = away_from_zero(1.0 + term / c);
            change = c * d;
            fraction *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    front * fraction
}

/// A stationary autoregressive series of order 1 with mean 0, deviation 1 and lag-1 correlation `phi`.
pub fn autoregressive(rng: &mut crate::rng::Rng, n: usize, phi: f64) -> Vec<f64> {
    let mut state = rng.normal();
    let fresh = libm::sqrt(1.0 - phi * phi);
    (0..n)
        .map(|_| {
            state = phi * state + fresh * rng.normal();
            state
        })
        .collect()
}

/// The largest count that a Poisson variable of this mean does not exceed with a probability of at most `p`; `None` if even 0
/// is more likely.
pub fn poisson_below(mean: f64, p: f64) -> Option<u64> {
    let mut sum = 0.0;
    let below = poisson(mean).take_while(|share| {
        sum += share;
        sum <= p
    });
    (below.count() as u64).checked_sub(1)
}

/// The smallest count that a Poisson variable of this mean exceeds with a probability of at most `p`.
pub fn poisson_above(mean: f64, p: f64) -> u64 {
    let mut sum = 0.0;
    let below = poisson(mean).take_while(|share| {
        sum += share;
        sum < 1.0 - p
    });
    below.count() as u64
}

/// Probabilities of 0, 1, ... of a Poisson variable, by logarithms: those of a large mean underflow.
fn poisson(mean: f64) -> impl Iterator<Item = f64> {
    let mut log = -mean;
    // Far beyond the mean all that is left is rounding.
    let counts = (mean + 20.0 * libm::sqrt(mean) + 40.0) as u64;
    (0..counts).map(move |count| {
        let share = libm::exp(log);
        log += libm::log(mean) - libm::log((count + 1) as f64);
        share
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_t_match_the_tables() {
        // Two-sided 95 % and 99 %. The column for 95 % to the usual three decimals and more.
        let table = [
            (1.0, 12.706_204_736, 63.656_741_162),
            (2.0, 4.302_652_730, 9.924_843_201),
            (3.0, 3.182_446_305, 5.840_909_310),
            (5.0, 2.570_581_836, 4.032_142_984),
            (10.0, 2.228_138_852, 3.169_272_673),
            (30.0, 2.042_272_456, 2.749_995_654),
            (120.0, 1.979_930_405, 2.617_421_145),
        ];
        for (freedom, t_95, t_99) in table {
            let found = student_t_quantile(0.975, freedom);
            assert!((found - t_95).abs() < 1e-8, "{freedom}: {found} for {t_95}");
            let found = student_t_quantile(0.995, freedom);
            assert!((found - t_99).abs() < 1e-7, "{freedom}: {found} for {t_99}");
            assert_eq!(student_t_quantile(0.025, freedom), -student_t_quantile(0.975, freedom));
        }
        assert!((student_t_quantile(0.975, f64::INFINITY) - 1.959_964).abs() < 5e-6);
        assert!(student_t_quantile(0.5, 4.0).abs() < 1e-9);
        // Fractional degrees of freedom lie between the neighbouring values.
        let between = student_t_quantile(0.975, 2.5);
        assert!(between < 4.302 && between > 3.183, "{between}");
        for (probability, freedom) in [(0.0, 1.0), (1.0, 1.0), (0.9, 0.0), (f64::NAN, 1.0), (0.9, f64::NAN)] {
            assert!(student_t_quantile(probability, freedom).is_nan());
        }
    }

    #[test]
    fn tails_of_t_match_its_quantiles() {
        for (t, freedom, tails) in [(4.302_652_730, 2.0, 0.05), (2.617_421_145, 120.0, 0.01), (0.0, 3.0, 1.0)]
        {
            assert!((student_t_tails(t, freedom) - tails).abs() < 1e-9, "{t}");
            assert_eq!(student_t_tails(-t, freedom), student_t_tails(t, freedom));
        }
        assert_eq!(student_t_tails(f64::INFINITY, 2.0), 0.0);
        assert!(student_t_tails(1.0, 0.0).is_nan() && student_t_tails(f64::NAN, 5.0).is_nan());
    }

    #[test]
    fn holm_corrects_several_tests() {
        // A textbook example: 0.01·4, 0.02·3, then 0.03·2 may not fall below it, and neither may 0.04·1.
        let equal = |probabilities: [f64; 4]| holm(&probabilities.map(|p| (p, 1.0)));
        let corrected = equal([0.03, 0.01, 0.04, 0.02]);
        let expected = [0.06, 0.04, 0.06, 0.06];
        assert!(corrected.iter().zip(expected).all(|(found, wanted)| (found - wanted).abs() < 1e-12));
        assert_eq!(equal([0.6, 0.7, 0.8, 0.9]), [1.0; 4]);
        // The first has two thirds of the weight: it is multiplied by 3/2, and the rest is unchanged.
        let corrected = holm(&[(0.02, 2.0), (0.02, 1.0)]);
        assert!((corrected[0] - 0.03).abs() < 1e-12 && corrected[1] == corrected[0], "{corrected:?}");
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn medians() {
        assert_eq!((mean(&[]), median(&[])), (0.0, 0.0));
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(mean(&[1.0, 2.0]), 1.5);
    }
}
