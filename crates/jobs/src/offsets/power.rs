//! Powers with a constant exponent, faster than the general function.
//!
//! The binary logarithm is computed by a table over the leading bits of the base and a short series for the rest, and
//! so is the power of 2. A draw takes only additions and multiplications, with the same result on every architecture.

use std::f64::consts::{LN_2, LOG2_E};

/// Entries of each table: a power of two.
const CELLS: usize = 128;
const CELL_BITS: u32 = CELLS.trailing_zeros();
/// Fraction bits and exponent bias of a double.
const FRACTION_BITS: u32 = 52;
const EXPONENT_BIAS: i64 = 1_023;
/// Adding this to a float of moderate size leaves the nearest integer in the lowest bits.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// `x^exponent` for positive `x`.
#[derive(Debug, Clone)]
pub(super) struct Power {
    exponent: f64,
    /// For each cell, the inverse of its middle and the logarithm of the middle.
    logs: [(f64, f64); CELLS],
    /// `2^(i/CELLS)`.
    roots: [f64; CELLS],
}

impl Power {
    /// Powers with this exponent.
    pub fn new(exponent: f64) -> Self {
        let share = |cell: f64| cell / CELLS as f64;
        let log = |cell: usize| {
            let middle = 1.0 + share(cell as f64 + 0.5);
            (1.0 / middle, libm::log2(middle))
        };
        let roots = std::array::from_fn(|cell| libm::exp2(share(cell as f64)));
        Self { exponent, logs: std::array::from_fn(log), roots }
    }

    /// The power of a base, with a relative error of about `1e-12` for each unit of a large exponent. Unspecified for
    /// NaN and results that overflow.
    #[inline]
    pub fn raise(&self, base: f64) -> f64 {
        let bits = base.to_bits();
        let (inverse, log) = self.logs[(bits >> (FRACTION_BITS - CELL_BITS)) as usize % CELLS];
        let fraction = bits & ((1 << FRACTION_BITS) - 1) | (EXPONENT_BIAS as u64) << FRACTION_BITS;
        // ln(1 + rest), where rest is below 1/256.
        let rest = f64::from_bits(fraction) * inverse - 1.0;
        let rest_log = rest * (1.0 + rest * (-0.5 + rest * (1.0 / 3.0 + rest * (-0.25 + rest * 0.2))));
        let exponent = ((bits >> FRACTION_BITS) as i64 - EXPONENT_BIAS) as f64;
        let steps = (exponent + (log + rest_log * LOG2_E)) * self.exponent * CELLS as f64;
        let rounded = steps + ROUNDER;
        let whole = (rounded.to_bits() as i64).wrapping_sub(ROUNDER.to_bits() as i64);
        // e^rest, where rest is below 1/368.
        let rest = (steps - (rounded - ROUNDER)) * (LN_2 / CELLS as f64);
        let rest_power = 1.0 + rest * (1.0 + rest * (0.5 + rest * (1.0 / 6.0 + rest * (1.0 / 24.0))));
        let power_of_two = f64::from_bits(((EXPONENT_BIAS + (whole >> CELL_BITS)) as u64) << FRACTION_BITS);
        power_of_two * self.roots[whole as usize % CELLS] * rest_power
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::rng::Rng;

    use super::*;

    #[test]
    fn powers_match_the_standard_library() {
        let mut rng = Rng::new(4);
        for exponent in [0.5, 1.0, -1.0, 2.5, -10.0, 10.0, -0.4, 100.0, -1_000.0] {
            let power = Power::new(exponent);
            for _ in 0..10_000 {
                // Bases whose power is between 2^-60 and 2^60.
                let base = libm::exp2((rng.unit() - 0.5) * 120.0 / exponent);
                let (found, expected) = (power.raise(base), libm::pow(base, exponent));
                let error = (found / expected - 1.0).abs();
                assert!(error < 1e-12 * (1.0 + exponent.abs()), "{base}^{exponent}: {found}, not {expected}");
            }
        }
    }

    #[test]
    fn invalid_bases_do_not_panic() {
        for exponent in [-1e6, -1.0, 0.0, 1.0, 1e6] {
            for base in [0.0, -1.0, f64::MIN_POSITIVE, f64::MAX, f64::INFINITY, f64::NAN] {
                let _ = Power::new(exponent).raise(base);
            }
        }
    }
}
