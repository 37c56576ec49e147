//! Figures of a direction in fio's JSON.

use cardiograph_core::direction::Direction;
use cardiograph_core::histogram::{Latency, LatencyHistogram, LatencyParts, bucket_middle_ns, bucket_of};
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::text::shown;
use cardiograph_core::words::figure;
use cardiograph_core::{KIB, NS_PER_MS};
use cardiograph_core::{Message, message};

use super::super::stream::Done;
use super::super::{COUNT_MAX, Figures, Summary};
use super::document::{Data, Times};

impl Data {
    /// Whether there was any I/O.
    pub(super) fn is_used(&self) -> bool {
        self.io_bytes > 0 || self.iops > 0.0 || self.total_ios.unwrap_or(0) > 0
    }

    fn bytes(&self) -> u64 {
        // Before version 3, the field's unit differs from its name.
        if self.io_kbytes.is_some() { self.io_bytes } else { self.io_bytes.saturating_mul(KIB) }
    }

    fn bytes_per_s(&self) -> f64 {
        self.bw_bytes.map_or(self.bw * KIB as f64, |bytes| bytes as f64)
    }

    /// Latencies of a kind, and the factor from their unit to nanoseconds.
    fn times(&self, kind: LatencyKind) -> Option<(&Times, f64)> {
        let (now, before) = match kind {
            LatencyKind::Submission => (&self.slat_ns, &self.slat),
            LatencyKind::Completion => (&self.clat_ns, &self.clat),
            LatencyKind::Total => (&self.lat_ns, &self.lat),
        };
        now.as_deref().map(|times| (times, 1.0)).or_else(|| before.as_deref().map(|times| (times, 1e3)))
    }

    /// The work done so far.
    pub(super) fn done(&self) -> Done {
        let ios = self.total_ios.unwrap_or(0);
        let times = self.times(LatencyKind::Total).or_else(|| self.times(LatencyKind::Completion));
        let sum =
            times.and_then(|(times, factor)| Some(times.mean? * factor * times.n.unwrap_or(ios) as f64));
        Done { ios, bytes: self.bytes(), latency_ns_sum: sum.unwrap_or(0.0) as u64 }
    }

    /// Adds the figures.
    pub(super) fn add(&self, figures: &mut Figures, direction: Option<Direction>) -> Result<(), Message> {
        let name = || direction.map_or(Message::verbatim("mixed"), figure::direction);
        figures.add(direction, Quantity::Bandwidth, self.bytes_per_s(), 0);
        figures.add(direction, Quantity::Iops, self.iops, 0);
        figures.add(direction, Quantity::Bytes, self.bytes() as f64, 0);
        let runtime_ns = self.runtime.checked_mul(NS_PER_MS).ok_or_else(|| {
            let problem = message!("import-fio.runtime-too-long");
            message!("import-at.part", part = name(), problem)
        })?;
        figures.add(direction, Quantity::Runtime, runtime_ns as f64, 0);
        if let Some(ios) = self.total_ios {
            figures.add(direction, Quantity::Ios, ios as f64, 0);
        }
        for kind in [LatencyKind::Submission, LatencyKind::Completion, LatencyKind::Total] {
            if let Some((times, factor)) = self.times(kind) {
                let ios = self.total_ios.unwrap_or(0);
                times
                    .add(figures, direction, kind, factor, ios)
                    .map_err(|message| message!("import-at.part", part = name(), problem = message))?;
            }
        }
        let summary = |min, max, mean, stdev| Summary { min, max, mean, stdev };
        let samples = self.bw_samples.unwrap_or(0);
        if self.bw_mean > 0.0 {
            let of = summary(self.bw_min, self.bw_max, self.bw_mean, self.bw_dev).scaled(KIB as f64);
            figures.add_windows(direction, Quantity::WindowBandwidth, of, samples);
        }
        let samples = self.iops_samples.unwrap_or(0);
        if self.iops_mean > 0.0 {
            let of = summary(self.iops_min, self.iops_max, self.iops_mean, self.iops_stddev);
            figures.add_windows(direction, Quantity::WindowIops, of, samples);
        }
        Ok(())
    }

    /// The full distribution, of the total latency or else of the completion latency.
    pub(super) fn latency(&self) -> Option<(LatencyKind, Latency)> {
        let of = |kind| Some((kind, self.times(kind).filter(|(_, factor)| *factor == 1.0)?.0.latency()?));
        of(LatencyKind::Total).or_else(|| of(LatencyKind::Completion))
    }
}

impl Times {
    /// Adds the figures, converted by `factor` to nanoseconds; none if there were no values.
    pub(super) fn add(
        &self,
        figures: &mut Figures,
        direction: Option<Direction>,
        kind: LatencyKind,
        factor: f64,
        ios: u64,
    ) -> Result<(), Message> {
        let n = self.n.unwrap_or(ios);
        let (Some(mean), Some(stdev)) = (self.mean, self.stddev) else { return Ok(()) };
        if n == 0 || (self.max == 0.0 && mean == 0.0) {
            return Ok(());
        }
        let of = Summary { min: self.min, max: self.max, mean, stdev };
        figures.add_latencies(direction, kind, of.scaled(factor), n);
        let mut percentiles: Vec<(f64, f64)> = Vec::new();
        for (name, &value) in &self.percentile {
            let percent: Option<f64> = name.parse().ok();
            let percent = percent.filter(|percent| (0.0..=100.0).contains(percent) && value >= 0.0);
            percentiles.push((
                percent.ok_or_else(|| message!("import-value.not-a-percentile", text = shown(name)))?,
                value,
            ));
        }
        percentiles.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Unused entries of the list are 0.
        for (percent, value) in percentiles.into_iter().filter(|(percent, _)| *percent > 0.0) {
            figures.add(
                direction,
                Quantity::Latency(kind, Statistic::Percentile(percent)),
                value * factor,
                n,
            );
        }
        Ok(())
    }

    /// The distribution from json+: its bins are this program's buckets, named by their middles.
    pub(super) fn latency(&self) -> Option<Latency> {
        let (mean, stdev) = (self.mean?, self.stddev?);
        let (mut histogram, mut n) = (LatencyHistogram::default(), 0_u64);
        for (middle, &count) in &self.bins {
            let ns: u64 = middle.parse().ok()?;
            let bucket = bucket_of(ns);
            // Very old versions number their bins differently.
            if bucket_middle_ns(bucket) != ns {
                return None;
            }
            n = n.checked_add(count).filter(|&n| n <= COUNT_MAX)?;
            histogram.add(bucket, count);
        }
        if n == 0 || self.n.is_some_and(|count| count != n) {
            return None;
        }
        let sum = mean * n as f64;
        let squares = stdev * stdev * (n - 1) as f64 + sum * mean;
        let parts = LatencyParts {
            min_ns: self.min as u64,
            max_ns: self.max as u64,
            sum_ns: sum.round() as u128,
            sum_squares_ns2: squares.round() as u128,
        };
        Latency::from_summary(histogram, parts)
    }
}
