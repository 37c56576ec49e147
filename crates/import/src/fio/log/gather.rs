//! Builds a test from a log's lines.

use cardiograph_core::{Message, Parameter, message};
use std::collections::BTreeMap;

use cardiograph_core::direction::{Direction, PerDirection};
use cardiograph_core::histogram::{Latency, LatencyHistogram, LatencyParts, bucket_low_ns, bucket_middle_ns};
use cardiograph_core::imported::Imported;
use cardiograph_core::method::Method;
use cardiograph_core::quantity::{LatencyKind, Quantity, Statistic};
use cardiograph_core::series::{Interval, Series, Spread};
use cardiograph_core::{KIB, NS_PER_MS};

use super::super::super::ImportedTest;
use super::super::super::lines::named_title;
use super::super::{COUNT_MAX, Figures, Summary, TOOL};
use super::Kind;
use super::grid::Grid;
use super::line::Line;
use super::seconds::Seconds;
use super::shape::Shape;

/// Initial length of the windows of a log of single I/Os, in milliseconds.
const WINDOW_MS: u64 = 100;
/// Larger times are absolute, since 1970: no run lasts three years.
const EPOCH_MS_MIN: u64 = 100_000_000_000;
/// Limit of an I/O's latency in nanoseconds: three days.
const LATENCY_NS_MAX: u64 = 1 << 48;
/// A percentile is reported if this many samples lie above it.
const ABOVE_MIN: u64 = 10;
const PERCENTILES: [f64; 6] = [50.0, 90.0, 95.0, 99.0, 99.9, 99.99];
/// Note on logs that have only means of windows.
const MEANS_ONLY: Message = message!("import-log.means-only");
/// Note on logs that are too long for [`Seconds`].
const TOO_LONG: Message = message!("import-log.too-long");

/// Collects a log line by line.
pub(super) struct Gatherer {
    kind: Kind,
    shape: Shape,
    /// Start of the log, if its times are absolute.
    epoch_ms: u64,
    grid: Grid,
    seconds: Seconds,
    latency: PerDirection<Latency>,
    counts: PerDirection<LatencyHistogram>,
    /// Sum of the windows' means, and number of windows.
    means: PerDirection<(u128, u64)>,
    max_ns: PerDirection<Option<u64>>,
    /// Time of a direction's last window, and number of its windows so far.
    last: PerDirection<Option<(u64, u64)>>,
    /// Sum of all histogram counts.
    counted: u64,
    end_ms: u64,
}

impl Gatherer {
    pub(super) fn new(kind: Kind, shape: Shape, first: &Line) -> Self {
        let window_ms = match shape {
            Shape::Ios => WINDOW_MS,
            Shape::Windows(ms) => ms,
        };
        let before = if shape == Shape::Ios { 0 } else { window_ms };
        let is_epoch = first.time_ms >= EPOCH_MS_MIN;
        Self {
            kind,
            shape,
            epoch_ms: if is_epoch { first.time_ms.saturating_sub(before) } else { 0 },
            grid: Grid::new(window_ms),
            seconds: Seconds::default(),
            latency: PerDirection::default(),
            counts: PerDirection::default(),
            means: PerDirection::default(),
            max_ns: PerDirection::default(),
            last: PerDirection::default(),
            counted: 0,
            end_ms: 0,
        }
    }

    /// Adds a line.
    pub(super) fn take(&mut self, line: &Line) -> Result<(), Message> {
        // Lines of different jobs or directions are slightly out of order.
        let time_ms = line.time_ms.saturating_sub(self.epoch_ms);
        if time_ms >= EPOCH_MS_MIN {
            return Err({
                let time = Parameter::DurationNs(line.time_ms.saturating_mul(NS_PER_MS));
                message!("import-log.time-of-another-run", time)
            });
        }
        if matches!(self.kind, Kind::Latency(_)) && line.max.unwrap_or(line.value) > LATENCY_NS_MAX {
            return Err({
                let latency = Parameter::DurationNs(line.max.unwrap_or(line.value));
                message!("import-log.not-a-latency", latency)
            });
        }
        self.end_ms = self.end_ms.max(time_ms);
        let direction = line.direction;
        let one = Interval { ios: 1, bytes: line.block_bytes, ..Interval::default() };
        match (self.kind, self.shape) {
            (Kind::Latency(_), Shape::Ios) => {
                self.latency[direction].record(line.value);
                self.seconds.record(direction, time_ms, line.value);
                let interval = Interval { latency_ns_sum: line.value, latency_ns_max: line.value, ..one };
                self.add(direction, time_ms, &interval);
            }
            (Kind::Bandwidth | Kind::Iops, Shape::Ios) => self.add(direction, time_ms, &one),
            (kind, Shape::Windows(window_ms)) => {
                let interval = self.window(kind, line, window_ms)?;
                let window = self.next_window(direction, time_ms, window_ms);
                self.seconds.record_window(line, self.shape, window * window_ms);
                self.grid.add(direction, window * window_ms, &interval);
                self.grid.extend_to((window + 1) * window_ms);
            }
            (Kind::Histogram, Shape::Ios) => return Err(message!("import-log.histogram-of-ios")),
        }
        Ok(())
    }

    fn add(&mut self, direction: Direction, time_ms: u64, interval: &Interval) {
        self.grid.add(direction, time_ms, interval);
        self.grid.extend_to(time_ms + 1);
    }

    /// The window of a line. fio writes a window after its end, with growing delay, so windows are counted from the
    /// previous line: only whole windows in between had no I/O.
    fn next_window(&mut self, direction: Direction, time_ms: u64, window_ms: u64) -> u64 {
        let windows = |ms: u64| (ms + window_ms / 2) / window_ms;
        let (before_ms, before) = self.last[direction].unwrap_or((0, 0));
        let ended = before + windows(time_ms.saturating_sub(before_ms));
        self.last[direction] = Some((before_ms.max(time_ms), ended));
        ended.saturating_sub(1)
    }

    /// Converts a line to a window.
    fn window(&mut self, kind: Kind, line: &Line, window_ms: u64) -> Result<Interval, Message> {
        let too_large = || message!("import-log.value-too-large", found = line.value);
        let in_window = |per_s: u64| u64::try_from(u128::from(per_s) * u128::from(window_ms) / 1_000).ok();
        Ok(match kind {
            Kind::Bandwidth => {
                let bytes_per_s = line.value.checked_mul(KIB).ok_or_else(too_large)?;
                let bytes = in_window(bytes_per_s).ok_or_else(too_large)?;
                let ios = if line.block_bytes > 0 {
                    (bytes as f64 / line.block_bytes as f64).round() as u64
                } else {
                    0
                };
                Interval { ios, bytes, ..Interval::default() }
            }
            Kind::Iops => {
                let ios = in_window(line.value).ok_or_else(too_large)?;
                let bytes = ios.checked_mul(line.block_bytes).ok_or_else(too_large)?;
                Interval { ios, bytes, ..Interval::default() }
            }
            Kind::Latency(_) => {
                let (sum, count) = &mut self.means[line.direction];
                (*sum, *count) = (*sum + u128::from(line.value), *count + 1);
                let max = &mut self.max_ns[line.direction];
                *max = (*max).max(line.max);
                let slowest = line.max.unwrap_or(line.value);
                Interval { ios: 1, bytes: 0, latency_ns_sum: line.value, latency_ns_max: slowest }
            }
            Kind::Histogram => {
                let mut sum = 0_u64;
                let counted = &mut self.counted;
                *counted = counted
                    .checked_add(line.value)
                    .filter(|&all| all <= COUNT_MAX)
                    .ok_or(message!("import-log.counts-too-large"))?;
                for &(bucket, count) in &line.buckets {
                    self.counts[line.direction].add(bucket, count);
                    sum = sum.saturating_add(bucket_middle_ns(bucket).saturating_mul(count));
                }
                let slowest = line.buckets.last().map_or(0, |&(bucket, _)| bucket_middle_ns(bucket));
                let bytes = line.value.checked_mul(line.block_bytes).ok_or_else(too_large)?;
                Interval { ios: line.value, bytes, latency_ns_sum: sum, latency_ns_max: slowest }
            }
        })
    }

    /// Builds the test.
    pub(super) fn test(mut self, id: &str) -> ImportedTest {
        let mut series = std::mem::replace(&mut self.grid, Grid::new(1)).series();
        let is_too_long = self.seconds.is_too_long();
        series.latency = std::mem::take(&mut self.seconds).rows();
        let used: Vec<Direction> =
            Direction::ALL.into_iter().filter(|&direction| !series.rows[direction].is_empty()).collect();
        let mut figures = Figures::default();
        let mut imported = Imported::default();
        for direction in used {
            match (self.kind, self.shape) {
                (Kind::Latency(kind), Shape::Ios) => {
                    let latency = std::mem::take(&mut self.latency[direction]);
                    add_distribution(&mut figures, direction, kind, &latency);
                    self.add_totals(&mut figures, direction, &series);
                    imported.latency[direction] = Some(latency);
                }
                (Kind::Latency(kind), Shape::Windows(_)) => {
                    self.add_means(&mut figures, &mut imported.others, direction, kind)
                }
                (Kind::Histogram, _) => {
                    let latency = distribution(std::mem::take(&mut self.counts[direction]));
                    add_percentiles(&mut figures, direction, LatencyKind::Completion, &latency);
                    figures.add(Some(direction), Quantity::Ios, latency.n() as f64, 0);
                    imported.latency[direction] = Some(latency);
                }
                (Kind::Bandwidth | Kind::Iops, shape) => {
                    if shape == Shape::Ios {
                        self.add_totals(&mut figures, direction, &series);
                    }
                    add_window_statistics(&mut figures, direction, self.kind, &series);
                }
            }
        }
        let kind = match self.kind {
            Kind::Bandwidth => message!("import-log-kind.bandwidth"),
            Kind::Iops => message!("import-log-kind.iops"),
            Kind::Latency(LatencyKind::Submission) => message!("import-log-kind.submission"),
            Kind::Latency(LatencyKind::Completion) => message!("import-log-kind.completion"),
            Kind::Latency(LatencyKind::Total) => message!("import-log-kind.total"),
            Kind::Histogram => message!("import-log-kind.histogram"),
        };
        let means_only = matches!((self.kind, self.shape), (Kind::Latency(_), Shape::Windows(_)));
        let notes = [(means_only, MEANS_ONLY), (is_too_long, TOO_LONG)];
        let notes = notes.into_iter().filter_map(|(holds, note)| holds.then_some(note)).collect();
        let method = Method { tool: TOOL.to_string(), ..Method::default() };
        figures.set_window(Some(series.window_ns));
        imported.figures = figures.0;
        imported.series = Some(series);
        ImportedTest {
            imported,
            started_unix_ms: Some(self.epoch_ms).filter(|&ms| ms > 0),
            line: Some(1),
            notes,
            ..ImportedTest::new(id, named_title(id, kind), method)
        }
    }

    /// Adds totals of a log of single I/Os.
    fn add_totals(&self, figures: &mut Figures, direction: Direction, series: &Series) {
        let rows = &series.rows[direction];
        let ios: u64 = rows.iter().map(|row| row.ios).fold(0, u64::saturating_add);
        let bytes: u64 = rows.iter().map(|row| row.bytes).fold(0, u64::saturating_add);
        figures.add(Some(direction), Quantity::Ios, ios as f64, 0);
        figures.add(Some(direction), Quantity::Bytes, bytes as f64, 0);
        if self.end_ms > 0 {
            let seconds = self.end_ms as f64 / 1e3;
            figures.add(Some(direction), Quantity::Bandwidth, bytes as f64 / seconds, 0);
            figures.add(Some(direction), Quantity::Iops, ios as f64 / seconds, 0);
            figures.add(Some(direction), Quantity::Runtime, self.end_ms as f64 * NS_PER_MS as f64, 0);
        }
    }

    fn add_means(
        &self,
        figures: &mut Figures,
        others: &mut BTreeMap<String, String>,
        direction: Direction,
        kind: LatencyKind,
    ) {
        let (sum, count) = self.means[direction];
        if count > 0 {
            let mean = cardiograph_core::units::duration_f64(sum as f64 / count as f64);
            others.insert(format!("{}_mean_of_windows", direction.name()), mean);
        }
        if let Some(max_ns) = self.max_ns[direction] {
            figures.add(Some(direction), Quantity::Latency(kind, Statistic::Max), max_ns as f64, 0);
        }
    }
}

fn add_distribution(figures: &mut Figures, direction: Direction, kind: LatencyKind, latency: &Latency) {
    let of = Summary {
        min: latency.min_ns() as f64,
        max: latency.max_ns() as f64,
        mean: latency.mean_ns(),
        stdev: latency.stdev_ns(),
    };
    figures.add_latencies(Some(direction), kind, of, latency.n());
    add_percentiles(figures, direction, kind, latency);
}

fn add_percentiles(figures: &mut Figures, direction: Direction, kind: LatencyKind, latency: &Latency) {
    for percent in PERCENTILES.into_iter().filter(|&percent| latency.samples_above(percent) >= ABOVE_MIN) {
        if let Some(ns) = latency.percentile_ns(percent) {
            let quantity = Quantity::Latency(kind, Statistic::Percentile(percent));
            figures.add(Some(direction), quantity, ns as f64, latency.n());
        }
    }
}

/// Adds statistics of the windows, including those without I/O.
fn add_window_statistics(figures: &mut Figures, direction: Direction, kind: Kind, series: &Series) {
    let (values, quantity, whole): (_, fn(Statistic) -> Quantity, _) = match kind {
        Kind::Iops => (series.iops(direction), Quantity::WindowIops, Quantity::Iops),
        _ => (series.bandwidth_bytes_per_s(direction), Quantity::WindowBandwidth, Quantity::Bandwidth),
    };
    let Some(Spread { n, min, mean, max, stdev }) = Spread::from_values(&values) else { return };
    if !figures.0.iter().any(|figure| figure.quantity == whole && figure.direction == Some(direction)) {
        figures.add(Some(direction), whole, mean, n);
    }
    figures.add_windows(Some(direction), quantity, Summary { min, max, mean, stdev }, n);
}

/// Makes a distribution from bucket counts.
fn distribution(counts: LatencyHistogram) -> Latency {
    let first = counts.buckets().next().map_or(0, |(bucket, _)| bucket);
    let mut parts = LatencyParts { min_ns: bucket_low_ns(first), ..LatencyParts::default() };
    for (bucket, count) in counts.buckets() {
        let middle = u128::from(bucket_middle_ns(bucket));
        parts.max_ns = bucket_low_ns(bucket + 1) - 1;
        parts.sum_ns += middle * u128::from(count);
        parts.sum_squares_ns2 += middle * middle * u128::from(count);
    }
    Latency::from_parts(counts, parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_minimum_is_in_the_first_bucket() {
        for buckets in [&[0, 40][..], &[0], &[3, 40], &[40]] {
            let mut counts = LatencyHistogram::default();
            buckets.iter().for_each(|&bucket| counts.add(bucket, 2));
            assert_eq!(distribution(counts).min_ns(), bucket_low_ns(buckets[0]), "{buckets:?}");
        }
    }
}
