//! I/Os per second, beside what else a job's lines tell.

use cardiograph_core::{Direction, NS_PER_MS, NS_PER_S};

use super::super::units::Rounded;

/// Shorter runs, in milliseconds, say little: what is in flight at their ends counts in one figure and not in the other.
const RUNTIME_MS_MIN: u64 = 10;
/// What other roundings may come to, as a share.
const ROUNDED: f64 = 0.02;

/// The figures of a direction that go together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rate {
    pub(super) direction: Option<Direction>,
    /// Where they stand, from 1.
    pub(super) line: u64,
    pub(super) iops: Rounded,
    /// In bytes per second.
    pub(super) bandwidth: Rounded,
    pub(super) runtime_ms: u64,
}

impl Rate {
    /// Whether that many I/Os were done in the time.
    ///
    /// # Errors
    /// A sentence, when others were.
    pub(super) fn is_of_ios(&self, ios: u64) -> Result<(), String> {
        let made = ios as f64 / self.runtime_s();
        if self.runtime_ms <= RUNTIME_MS_MIN || self.is_iops(made, 0.0) {
            return Ok(());
        }
        let (told, ms) = (self.iops.value, self.runtime_ms);
        Err(format!("the I/Os per second are {told:.0}, and {ios} I/Os in {ms} ms make {made:.0}"))
    }

    /// Whether I/Os of `len_bytes` make the bandwidth. `in_flight` may be counted in one of both alone.
    ///
    /// # Errors
    /// A sentence, when they do not.
    pub(super) fn is_of_length(&self, len_bytes: u64, in_flight: u64) -> Result<(), String> {
        let Rounded { value, step } = self.bandwidth;
        let made = value / len_bytes as f64;
        let ends = in_flight as f64 / self.runtime_s() + step / len_bytes as f64;
        if self.runtime_ms <= RUNTIME_MS_MIN || self.is_iops(made, ends) {
            return Ok(());
        }
        let told = self.iops.value;
        Err(format!(
            "the I/Os per second are {told:.0}, and {value:.0} bytes/s in I/Os of {len_bytes} bytes are {made:.0}"
        ))
    }

    /// Whether `made` is what is told, which may be off by `more`, too. I/Os per second are cut to whole ones.
    fn is_iops(&self, made: f64, more: f64) -> bool {
        let told = self.iops.value;
        (told - made).abs() <= self.iops.step + 1.0 + more + ROUNDED * told.max(made)
    }

    /// How long it ran, in seconds; a millisecond where none is told.
    pub(super) fn runtime_s(&self) -> f64 {
        self.runtime_ms.max(1) as f64 * NS_PER_MS as f64 / NS_PER_S as f64
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::units::{Names, bytes_per_s, scaled};
    use super::*;

    fn rate(iops: &str, speed: &str, runtime_ms: u64) -> Rate {
        let bandwidth = bytes_per_s(speed, Names::Version3).unwrap();
        Rate { direction: Some(Direction::Read), line: 1, iops: scaled(iops).unwrap(), bandwidth, runtime_ms }
    }

    #[test]
    fn roundings_are_no_contradictions() {
        for (iops, speed, runtime_ms, len_bytes, ios) in [
            ("31", "31.3MiB/s", 120_018, 1 << 20, 3_756),
            ("0", "0B/s", 30_000, 4_096, 0),
            ("0", "512KiB/s", 30_000, 1 << 20, 15),
            ("55.5k", "217MiB/s", 4_722, 4_096, 262_144),
            ("1234k", "4820MiB/s", 30_000, 4_096, 37_020_000),
            ("178", "715KiB/s", 30_003, 4_096, 5_363),
        ] {
            let rate = rate(iops, speed, runtime_ms);
            assert_eq!(rate.is_of_length(len_bytes, 1), Ok(()), "{iops} {speed}");
            assert_eq!(rate.is_of_ios(ios), Ok(()), "{iops} {ios}");
        }
    }

    #[test]
    fn wrong_units_are_contradictions() {
        for (iops, speed) in
            [("3786k", "14.8MiB/s"), ("3.7M", "14.8MiB/s"), ("3786", "14.8GiB/s"), ("37", "14.8MiB/s")]
        {
            assert!(rate(iops, speed, 30_001).is_of_length(4_096, 32).is_err(), "{iops} {speed}");
        }
        assert!(rate("3786", "14.8MiB/s", 30_001).is_of_length(8_192, 1).is_err());
        assert!(rate("3786k", "14.8MiB/s", 30_001).is_of_ios(113_600).is_err());
        // 32 in flight are much of what is done in 20 ms, and nothing in 30 s.
        assert_eq!(rate("100", "6MiB/s", 20).is_of_length(4_096, 32), Ok(()));
        assert!(rate("100", "6MiB/s", 30_000).is_of_length(4_096, 32).is_err());
    }
}
