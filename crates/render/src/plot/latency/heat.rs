//! Latency over time as a heat map: the number of I/Os by latency and second. The stronger the colour, the
//! more.

use cardiograph_core::series::over_time::{LatencyRow, bucket_low_ns};
use cardiograph_core::{Direction, Series};

use super::super::canvas::Path;
use super::super::sheet::{Frame, Sheet};
use super::super::subject::Line;

/// Minimum number of seconds drawn.
const ROWS_MIN: usize = 3;
/// Minimum width of a column.
const COLUMN: f64 = 4.0;
/// Number of distinguishable shades.
const SHADES: usize = 5;
/// Opacity of the weakest and the strongest shade.
const SHARES: (f64, f64) = (0.14, 1.0);

/// Whether a direction's latencies are known for each second.
pub(super) fn can_draw(series: &Series, direction: Direction) -> bool {
    series.latency[direction].iter().filter(|row| !row.is_empty()).count() >= ROWS_MIN
}

/// The latencies of a direction of a step, in as many columns as fit into a width.
pub(super) fn columns(series: &Series, direction: Direction, width: f64) -> Vec<Column> {
    gathered(&series.latency[direction], series.latency_row_ns() as f64, (width / COLUMN) as usize)
}

/// The lowest and the highest latency, in nanoseconds.
pub(super) fn ends_ns(columns: &[Column]) -> (f64, f64) {
    let buckets =
        || columns.iter().flat_map(|column| &column.row.counts).map(|&(bucket, _)| usize::from(bucket));
    let (lowest, highest) = (buckets().min().unwrap_or(0), buckets().max().unwrap_or(0));
    (bucket_low_ns(lowest) as f64, bucket_low_ns(highest + 1) as f64)
}

/// Draws a line's latencies.
pub(super) fn draw(sheet: &mut Sheet, frame: &Frame, line: &Line<'_>, columns: &[Column]) {
    let most = columns.iter().flat_map(|column| &column.row.counts).map(|&(_, count)| count).max();
    let mut paths: Vec<Path> = (0..SHADES).map(|_| Path::default()).collect();
    for column in columns {
        for &(bucket, count) in &column.row.counts {
            let (at, size) = cell(frame, column, usize::from(bucket));
            paths[shade(count, most.unwrap_or(1))].rect(at, size);
        }
    }
    for (shade, path) in paths.into_iter().enumerate() {
        let share = SHARES.0 + (SHARES.1 - SHARES.0) * shade as f64 / (SHADES - 1) as f64;
        sheet.canvas.path(&line.fill("dot"), path, share);
    }
}

/// Several seconds merged.
#[derive(Debug)]
pub(super) struct Column {
    from_ns: f64,
    to_ns: f64,
    row: LatencyRow,
}

fn gathered(rows: &[LatencyRow], row_ns: f64, columns_max: usize) -> Vec<Column> {
    let together = rows.len().div_ceil(columns_max.max(1)).max(1);
    let column = |(at, rows): (usize, &[LatencyRow])| {
        let mut row = LatencyRow::default();
        rows.iter().for_each(|one| row.merge(one));
        let from_ns = (at * together) as f64 * row_ns;
        Column { from_ns, to_ns: from_ns + rows.len() as f64 * row_ns, row }
    };
    rows.chunks(together).enumerate().map(column).collect()
}

/// Position and size of a bucket's cell. The last second may be cut short: its cell ends with the axis.
fn cell(frame: &Frame, column: &Column, bucket: usize) -> ((f64, f64), (f64, f64)) {
    // The logarithmic axis begins above zero.
    let low_ns = (bucket_low_ns(bucket) as f64).max(1.0);
    let (left, bottom) = frame.point(column.from_ns, low_ns);
    let (right, top) = frame.point(column.to_ns, bucket_low_ns(bucket + 1) as f64);
    // Neighbours touch: the background does not show through.
    ((left, top), (right - left, (bottom - top).max(0.5)))
}

/// The shade of a count, in equal factors: one slow I/O among thousands must be seen.
fn shade(count: u64, most: u64) -> usize {
    let share = (count.max(1) as f64).ln() / (most.max(2) as f64).ln();
    ((share * SHADES as f64) as usize).min(SHADES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_among_thousands_is_visible() {
        assert_eq!([1, 3, 20, 5_000, 10_000].map(|count| shade(count, 10_000)), [0, 0, 1, 4, 4]);
        assert_eq!(shade(1, 1), 0);
    }

    #[test]
    fn seconds_are_merged_if_there_is_no_room() {
        let row = |bucket| LatencyRow { counts: vec![(bucket, 1)] };
        let rows = [row(1), row(2), LatencyRow::default(), row(2), row(9)];
        let columns = gathered(&rows, 1e9, 2);
        let ends: Vec<(f64, f64, u64)> = columns.iter().map(|c| (c.from_ns, c.to_ns, c.row.len())).collect();
        assert_eq!(ends, [(0.0, 3e9, 2), (3e9, 5e9, 2)]);
    }
}
