//! Zipf's distribution in constant time and memory.
//!
//! Uses rejection-inversion (W. Hörmann, G. Derflinger: "Rejection-inversion to generate variates from monotone
//! discrete distributions", ACM TOMACS 6(3), 1996): the area below `x^-theta` between the borders of a rank slightly
//! exceeds the rank's share, because the function is convex. A point is drawn in the whole area, and drawn again if it
//! lies above the share. No sum over all ranks is needed, so regions of any length start at once.

use cardiograph_core::rng::Rng;

use super::power::Power;

/// Draws ranks from 1 to a number, the k-th in proportion to `1/k^theta`.
#[derive(Debug, Clone)]
pub(super) struct Zipf {
    theta: f64,
    /// `1 - theta`, and its inverse.
    power: f64,
    power_inverse: f64,
    /// From area to point, if there is a faster way than the general one.
    root: Option<Box<Power>>,
    ranks: u64,
    /// The area up to the first rank's left border, chosen to make it as large as the share; and up to the last one's
    /// right.
    area_begin: f64,
    area_end: f64,
    /// A point this close below its rank is always within the rank's share.
    sure_distance: f64,
}

/// Exponents closer to 1 than this count as 1, where the area is a logarithm.
const POWER_MIN: f64 = 1e-6;
/// From here on, roots by tables are accurate enough.
const ROOT_POWER_MIN: f64 = 1e-3;

impl Zipf {
    /// Draws with `theta`, at least 0, over `ranks`, at least 1.
    pub fn new(theta: f64, ranks: u64) -> Self {
        let power = if (1.0 - theta).abs() < POWER_MIN { 0.0 } else { 1.0 - theta };
        let mut zipf = Self {
            theta,
            power,
            power_inverse: if power == 0.0 { 0.0 } else { 1.0 / power },
            root: (power.abs() >= ROOT_POWER_MIN).then(|| Box::new(Power::new(1.0 / power))),
            ranks,
            area_begin: 0.0,
            area_end: 0.0,
            sure_distance: 0.0,
        };
        zipf.area_begin = zipf.area(1.5) - 1.0;
        zipf.area_end = zipf.area(ranks as f64 + 0.5);
        zipf.sure_distance = 2.0 - zipf.exact_point(zipf.area(2.5) - zipf.share(2.0));
        zipf
    }

    /// The next rank.
    #[inline]
    pub fn rank(&self, rng: &mut Rng) -> u64 {
        loop {
            let area = self.area_end + rng.unit() * (self.area_begin - self.area_end);
            let point = match &self.root {
                Some(root) => root.raise(1.0 + self.power * area),
                None => self.exact_point(area),
            };
            let rank = ((point + 0.5) as u64).clamp(1, self.ranks);
            let whole = rank as f64;
            if whole - point <= self.sure_distance || area >= self.area(whole + 0.5) - self.share(whole) {
                return rank;
            }
        }
    }

    /// The weight of a rank.
    fn share(&self, rank: f64) -> f64 {
        libm::exp(-self.theta * libm::log(rank))
    }

    /// The area below the function from 1 to a point: the integral of `x^-theta`.
    fn area(&self, point: f64) -> f64 {
        let log = libm::log(point);
        if self.power == 0.0 { log } else { libm::expm1(self.power * log) * self.power_inverse }
    }

    /// The point up to which the function has this area.
    fn exact_point(&self, area: f64) -> f64 {
        let log =
            if self.power == 0.0 { area } else { libm::log(1.0 + self.power * area) * self.power_inverse };
        libm::exp(log)
    }
}
