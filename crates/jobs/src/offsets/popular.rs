//! Nonuniform choices.

use cardiograph_core::rng::{Rng, derive_seed};
use cardiograph_core::workload::Distribution;

use super::zipf::Zipf;
use crate::permutation::Permutation;

/// Draws indices in `0..places` from a distribution.
#[derive(Debug, Clone)]
pub(super) struct Popular {
    places: u64,
    rng: Rng,
    law: Law,
    spread: Spread,
}

/// Distribution of ranks or indices.
#[derive(Debug, Clone)]
enum Law {
    Uniform,
    Zipf(Zipf),
    Pareto { exponent: f64 },
    Normal { mean: f64, deviation: f64 },
}

/// Mapping of ranks to indices.
#[derive(Debug, Clone)]
enum Spread {
    /// The draw is an index.
    AsDrawn,
    /// Ranks are consecutive from this index, wrapping around to 0.
    Adjacent { first: u64 },
    /// Ranks are scattered, shifted by this number.
    Scattered { order: Permutation, shift: u64 },
}

impl Popular {
    /// Draws blocks: popular ones are not adjacent, because a drive with readahead would profit from that. The same
    /// seed gives the same draws. The position of popular blocks depends on `places_seed`, or only on the center if
    /// there is one, so that jobs with the same center share them.
    ///
    /// # Panics
    /// If there is no block.
    pub fn scattered(distribution: Distribution, places: u64, places_seed: u64, seed: u64) -> Self {
        let scatter = |center: Option<f64>| {
            let order = Permutation::new(places, if center.is_some() { 0 } else { places_seed });
            let shift =
                center.map_or(0, |center| wrap(index_of(center, places) + places - order.get(0), places));
            Spread::Scattered { order, shift }
        };
        Self::new(distribution, places, seed, scatter)
    }

    /// Draws files: popular ones are adjacent. The same seed gives the same draws.
    ///
    /// # Panics
    /// If there is no file.
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
            // The inverse of the share of the first `x·n` indices.
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
            Spread::Adjacent { first } => wrap(drawn + first, self.places),
            Spread::Scattered { order, shift } => wrap(order.get(drawn) + shift, self.places),
        }
    }

    /// Values outside are drawn again, so that the ends are as popular as their neighbours. With a mean inside and a
    /// deviation below the whole, this takes fewer than three draws on average.
    fn normal(&mut self, mean: f64, deviation: f64) -> u64 {
        loop {
            let drawn = mean + deviation * self.rng.normal();
            if drawn >= 0.0 && drawn < self.places as f64 {
                return (drawn as u64).min(self.places - 1);
            }
        }
    }
}

/// The index at a fraction of the range.
fn index_of(center: f64, places: u64) -> u64 {
    ((center * places as f64) as u64).min(places - 1)
}

/// Wraps an index below twice the number of indices.
#[inline]
fn wrap(index: u64, places: u64) -> u64 {
    if index >= places { index - places } else { index }
}

#[cfg(test)]
mod tests;
