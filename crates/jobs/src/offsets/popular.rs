//! Places that are drawn more often than others.

use cardiograph_core::rng::{Rng, derive_seed};
use cardiograph_core::workload::Distribution;

use super::zipf::Zipf;
use crate::permutation::Permutation;

/// Draws indices in `0..places` by a distribution.
#[derive(Debug, Clone)]
pub(super) struct Popular {
    places: u64,
    rng: Rng,
    law: Law,
    spread: Spread,
}

/// Which rank of popularity is drawn, or which index.
#[derive(Debug, Clone)]
enum Law {
    Uniform,
    Zipf(Zipf),
    Pareto { exponent: f64 },
    Normal { mean: f64, deviation: f64 },
}

/// Where a rank lies.
#[derive(Debug, Clone)]
enum Spread {
    /// The draw is an index already.
    AsDrawn,
    /// Ranks follow each other from this index, and go on at 0 behind the last.
    Adjacent { first: u64 },
    /// Ranks lie everywhere, moved by so much.
    Scattered { order: Permutation, shift: u64 },
}

impl Popular {
    /// Draws over blocks: popular ones do not lie side by side, or a drive that fetches more than was asked for would
    /// profit from it. The same seed gives the same draws; where blocks are popular depends on `places_seed`, or on the
    /// center alone where there is one, so that jobs with the same center share them.
    ///
    /// # Panics
    /// When there is no place.
    pub fn scattered(distribution: Distribution, places: u64, places_seed: u64, seed: u64) -> Self {
        let scatter = |center: Option<f64>| {
            let order = Permutation::new(places, if center.is_some() { 0 } else { places_seed });
            let shift =
                center.map_or(0, |center| wrapped(index_of(center, places) + places - order.at(0), places));
            Spread::Scattered { order, shift }
        };
        Self::new(distribution, places, seed, scatter)
    }

    /// Draws over files: popular ones follow each other. The same seed gives the same draws.
    ///
    /// # Panics
    /// When there is no place.
    pub fn adjacent(distribution: Distribution, places: u64, seed: u64) -> Self {
        let mut rng = Rng::new(derive_seed(seed, 0));
        let adjoin = |center: Option<f64>| Spread::Adjacent {
            first: center.map_or_else(|| rng.below(places), |center| index_of(center, places)),
        };
        Self::new(distribution, places, seed, adjoin)
    }

    fn new(
        distribution: Distribution,
        places: u64,
        seed: u64,
        spread: impl FnOnce(Option<f64>) -> Spread,
    ) -> Self {
        assert!(places > 0, "there is at least one place");
        let whole = places as f64;
        let (law, spread) = match distribution {
            Distribution::Uniform => (Law::Uniform, Spread::AsDrawn),
            Distribution::Zipf { theta, center } => (Law::Zipf(Zipf::new(theta, places)), spread(center)),
            // The inverse of the share that belongs to the first `x·n` places.
            Distribution::Pareto { hot, center } => {
                (Law::Pareto { exponent: libm::log(hot) / libm::log(1.0 - hot) }, spread(center))
            }
            Distribution::Normal { deviation_percent, center } => {
                let mean = center.unwrap_or(0.5) * whole;
                (Law::Normal { mean, deviation: deviation_percent / 100.0 * whole }, Spread::AsDrawn)
            }
        };
        Self { places, rng: Rng::new(seed), law, spread }
    }

    /// The next index.
    #[inline]
    pub fn next_index(&mut self) -> u64 {
        let drawn = match &self.law {
            Law::Uniform => self.rng.below(self.places),
            Law::Zipf(zipf) => zipf.rank(&mut self.rng) - 1,
            Law::Pareto { exponent } => {
                let rank = self.places as f64 * libm::pow(self.rng.unit(), *exponent);
                (rank as u64).min(self.places - 1)
            }
            &Law::Normal { mean, deviation } => self.normal(mean, deviation),
        };
        match &self.spread {
            Spread::AsDrawn => drawn,
            Spread::Adjacent { first } => wrapped(drawn + first, self.places),
            Spread::Scattered { order, shift } => wrapped(order.at(drawn) + shift, self.places),
        }
    }

    /// Values outside are drawn again, so that the ends are no more popular than their neighbours. With a
    /// mean inside and a deviation below the whole, that is fewer than three draws on average.
    fn normal(&mut self, mean: f64, deviation: f64) -> u64 {
        loop {
            let drawn = mean + deviation * self.rng.normal();
            if drawn >= 0.0 && drawn < self.places as f64 {
                return (drawn as u64).min(self.places - 1);
            }
        }
    }
}

/// The place at a share of the way from the first to the last.
fn index_of(center: f64, places: u64) -> u64 {
    ((center * places as f64) as u64).min(places - 1)
}

/// An index below twice the number of places, brought back into it.
#[inline]
fn wrapped(index: u64, places: u64) -> u64 {
    if index >= places { index - places } else { index }
}

#[cfg(test)]
mod tests;
