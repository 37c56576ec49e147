//! Temperature of a drive, and throttling.

use cardiograph_core::GIB;

use super::model::Thermal;

/// A drive's temperature: data transfer heats it, time cools it at a constant rate; between two thresholds it
/// keeps its speed.
#[derive(Debug)]
pub(super) struct Warmth {
    thermal: Thermal,
    above_rest_k: f64,
    is_slow: bool,
    known_at_ns: u64,
}

impl Warmth {
    pub fn new(thermal: Thermal) -> Self {
        Self { thermal, above_rest_k: 0.0, is_slow: false, known_at_ns: 0 }
    }

    /// Moves `len_bytes` at `now_ns`, and returns the factor on its duration.
    pub fn work(&mut self, now_ns: u64, len_bytes: u64) -> f64 {
        let cooled_k = now_ns.saturating_sub(self.known_at_ns) as f64 / 1e9 * self.thermal.cooling_k_per_s;
        self.known_at_ns = self.known_at_ns.max(now_ns);
        self.above_rest_k = (self.above_rest_k - cooled_k).max(0.0);
        if self.above_rest_k >= self.thermal.limit_k {
            self.is_slow = true;
        } else if self.above_rest_k <= self.thermal.resume_k {
            self.is_slow = false;
        }
        self.above_rest_k += len_bytes as f64 / GIB as f64 * self.thermal.heating_k_per_gib;
        if self.is_slow { self.thermal.slow_factor } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heat_throttles_until_it_has_dissipated() {
        let thermal = Thermal {
            heating_k_per_gib: 10.0,
            cooling_k_per_s: 1.0,
            limit_k: 30.0,
            resume_k: 20.0,
            slow_factor: 4.0,
        };
        let mut warmth = Warmth::new(thermal);
        // Three GiB bring it to the limit.
        assert_eq!([0; 3].map(|_| warmth.work(0, GIB)), [1.0; 3]);
        assert_eq!(warmth.work(0, 0), 4.0);
        // 21 K: still slow; 19 K: fast again; slow only at the limit.
        assert_eq!(warmth.work(9_000_000_000, 0), 4.0);
        assert_eq!(warmth.work(11_000_000_000, GIB), 1.0);
        assert_eq!(warmth.work(11_000_000_000, GIB), 1.0);
        assert_eq!(warmth.work(11_000_000_000, 0), 4.0);
        // It does not cool below the temperature at rest.
        assert_eq!([0; 3].map(|_| warmth.work(3_600_000_000_000, GIB)), [1.0; 3]);
        assert_eq!(warmth.work(3_600_000_000_000, 0), 4.0);
    }
}
