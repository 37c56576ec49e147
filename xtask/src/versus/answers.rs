//! The same work must give the same figures: bandwidth and latency of a disk, measured by cardiograph and fio
//! in turns.

use std::path::Path;

use cardiograph_core::result::RunResult;
use cardiograph_core::units::{self, BandwidthUnits};
use cardiograph_core::{Direction, stats};

use super::Setup;
use super::fio::{FioResult, JobFile};
use super::program::shown;
use super::ratio::{Ratio, take_turns};
use super::table::Line;

/// Number of runs of each.
const RUNS: usize = 5;

/// The quantity compared.
enum Quantity {
    /// Bytes per second.
    Bandwidth,
    /// A percentile (0 to 100) of latency in nanoseconds.
    Percentile(f64),
}

struct Figure {
    name: &'static str,
    direction: Direction,
    quantity: Quantity,
    /// Maximum difference of the medians, as a share of fio's.
    tolerance: f64,
}

const fn figure(name: &'static str, direction: Direction, quantity: Quantity, tolerance: f64) -> Figure {
    Figure { name, direction, quantity, tolerance }
}

const RANDOM_READ: &[Figure] = &[
    figure("random read", Direction::Read, Quantity::Bandwidth, 0.03),
    figure("random read p50", Direction::Read, Quantity::Percentile(50.0), 0.03),
    figure("random read p99", Direction::Read, Quantity::Percentile(99.0), 0.10),
];

const DURABLE_WRITE: &[Figure] = &[
    figure("durable write", Direction::Write, Quantity::Bandwidth, 0.03),
    figure("durable write p50", Direction::Write, Quantity::Percentile(50.0), 0.03),
    figure("durable write p99", Direction::Write, Quantity::Percentile(99.0), 0.10),
    figure("sync p50", Direction::Sync, Quantity::Percentile(50.0), 0.03),
    figure("sync p99", Direction::Sync, Quantity::Percentile(99.0), 0.10),
];

impl Figure {
    fn ours(&self, result: &RunResult) -> Result<f64, String> {
        let found = &result.merged(|_| true)[self.direction];
        match self.quantity {
            Quantity::Bandwidth => Ok(found.bandwidth_bytes_per_s()),
            // Like fio's completion latency, it begins after submission.
            Quantity::Percentile(p) => {
                let latency_ns = found.completion.percentile_ns(p);
                latency_ns.map(|ns| ns as f64).ok_or_else(|| format!("cardiograph has no {}", self.name))
            }
        }
    }

    fn theirs(&self, result: &FioResult) -> Result<f64, String> {
        match self.quantity {
            Quantity::Bandwidth => result.bytes_per_s(self.direction),
            Quantity::Percentile(p) => result.percentile_ns(self.direction, p),
        }
    }

    fn show(&self, value: f64) -> String {
        match self.quantity {
            Quantity::Bandwidth => BandwidthUnits::Decimal.bandwidth(value),
            Quantity::Percentile(_) => units::duration_f64(value),
        }
    }

    /// The comparison of all runs, each with our figure and fio's.
    fn line(&self, runs: &[[f64; 2]]) -> Line {
        let ours: Vec<f64> = runs.iter().map(|[ours, _]| *ours).collect();
        let theirs: Vec<f64> = runs.iter().map(|[_, theirs]| *theirs).collect();
        let low = theirs.iter().copied().fold(f64::INFINITY, f64::min);
        let high = theirs.iter().copied().fold(0.0, f64::max);
        let (our_median, their_median) = (stats::median(&ours), stats::median(&theirs));
        let is_near = (our_median / their_median - 1.0).abs() <= self.tolerance;
        Line {
            figure: self.name,
            ours: self.show(our_median),
            theirs: format!("fio {} ({} to {})", self.show(their_median), self.show(low), self.show(high)),
            ratio: Some(Ratio { median: our_median / their_median, interval: None }),
            target: format!("within {} or in range", units::without_zeros(&units::percent(self.tolerance))),
            met: Some(is_near || (low..=high).contains(&our_median)),
            ..Line::default()
        }
    }
}

/// Measures both kinds of work, without intervals: there are only five runs, and medians are compared, not
/// pairs.
pub fn measure(setup: &Setup) -> Result<Vec<Line>, String> {
    let mut lines = random_read(setup)?;
    lines.extend(durable_write(setup)?);
    Ok(lines)
}

/// Both read the same file.
fn random_read(setup: &Setup) -> Result<Vec<Line>, String> {
    const LEN_BYTES: u64 = 1 << 30;
    let settings =
        ["ioengine=psync", "direct=1", "rw=randread", "bs=4k", "size=1G", "time_based=1", "runtime=3s"];
    let fio = setup.fio()?;
    let mut ours = setup.program.turns(&settings, &setup.disk)?;
    ours.turn()?;
    let file = ours.file(LEN_BYTES)?;
    let mut theirs = fio.job(&settings, &JobFile::Existing(&file));
    println!("  fio:  {}", shown(&theirs));
    compare(setup, RANDOM_READ, &mut || ours.turn(), &mut || fio.run(&mut theirs))
}

/// Both write a new file with preallocated space each time: the first write to a block costs the file system
/// more than later ones.
fn durable_write(setup: &Setup) -> Result<Vec<Line>, String> {
    let settings = [
        "ioengine=psync",
        "direct=1",
        "rw=write",
        "fsync=1",
        "bs=4k",
        "size=256M",
        "time_based=1",
        "runtime=3s",
    ];
    let fio = setup.fio()?;
    let directory: &Path = &setup.disk;
    let mut theirs = fio.job(&settings, &JobFile::CreatedIn(directory));
    println!("  ours: {}\n  fio:  {}", shown(&setup.program.job(&settings, directory)), shown(&theirs));
    let mut our_turn = || setup.program.run(&settings, directory);
    compare(setup, DURABLE_WRITE, &mut our_turn, &mut || fio.run(&mut theirs))
}

fn compare(
    setup: &Setup,
    figures: &[Figure],
    ours: &mut dyn FnMut() -> Result<RunResult, String>,
    theirs: &mut dyn FnMut() -> Result<FioResult, String>,
) -> Result<Vec<Line>, String> {
    let mut our_turn = || {
        let result = ours()?;
        figures.iter().map(|figure| figure.ours(&result)).collect::<Result<Vec<f64>, String>>()
    };
    let mut their_turn = || {
        let result = theirs()?;
        figures.iter().map(|figure| figure.theirs(&result)).collect::<Result<Vec<f64>, String>>()
    };
    let runs = take_turns(setup.slices.min(RUNS), [&mut our_turn, &mut their_turn])?;
    let line = |(index, figure): (usize, &Figure)| {
        let column: Vec<[f64; 2]> = runs.iter().map(|[ours, theirs]| [ours[index], theirs[index]]).collect();
        figure.line(&column)
    };
    Ok(figures.iter().enumerate().map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_or_in_range_is_enough() {
        let p50 = &RANDOM_READ[1];
        let met = |ours: f64, theirs: [f64; 3]| p50.line(&theirs.map(|theirs| [ours, theirs])).met.unwrap();
        assert!(met(102.9, [100.0, 100.0, 100.0]));
        assert!(!met(103.1, [100.0, 100.0, 100.0]));
        assert!(!met(96.9, [100.0, 100.0, 100.0]));
        assert!(met(110.0, [90.0, 100.0, 111.0]), "inside fio's own range");
        assert!(met(91.0, [90.0, 100.0, 111.0]));
        assert!(!met(112.0, [90.0, 100.0, 111.0]));
    }

    #[test]
    fn medians_are_shown_with_the_range() {
        let line = DURABLE_WRITE[0].line(&[[2.0e6, 1.0e6], [3.0e6, 2.0e6], [9.0e6, 4.0e6]]);
        assert_eq!(line.ours, "3.00 MB/s");
        assert_eq!(line.theirs, "fio 2.00 MB/s (1.00 MB/s to 4.00 MB/s)");
        assert_eq!(line.target, "within 3 % or in range");
        assert_eq!(line.ratio.map(|ratio| ratio.median), Some(1.5));
        assert_eq!(line.met, Some(true));
    }
}
