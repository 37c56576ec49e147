//! What the standard asks a report of a steady-state test to have: its header, the figures, and the data of its plots.

use cardiograph_core::drive::{Drive, Leaf};
use cardiograph_core::report::StepResult;
use cardiograph_core::rounds::{RANGE_SHARE_MAX, RISE_SHARE_MAX};
use cardiograph_core::table::{Cell, CellUnit, Table};
use cardiograph_core::units;
use cardiograph_core::{Estimate, Latency};

use super::{Course, PRECONDITION, PURGE, Point, Progress, ROUND, Test, WINDOW_ROUNDS};
use crate::figure::of_job;
use crate::suite::Context;
use crate::tabulate::{absent, column, row};
use crate::text;

/// The longest latencies that the standard asks for: five nines.
const NINES: f64 = 99.999;

/// The header, the figures of the steady state, and each round.
pub(super) fn all(
    course: &Course,
    progress: &Progress<'_>,
    context: &Context<'_>,
    done: &[StepResult],
) -> Vec<Table> {
    if progress.rounds.is_empty() {
        return Vec::new();
    }
    let mut tables = vec![header(course, progress, context.drive, done)];
    if progress.window.is_some() {
        tables.push(figures(course, progress));
    }
    tables.push(convergence(course, progress));
    tables
}

fn header(course: &Course, progress: &Progress<'_>, drive: &Drive, done: &[StepResult]) -> Table {
    let of_leaves = |value: &dyn Fn(&Leaf) -> Option<String>| {
        let mut values: Vec<String> =
            drive.leaves.iter().map(|leaf| value(leaf).unwrap_or_else(|| "unknown".to_string())).collect();
        values.dedup();
        values.join(", ")
    };
    let written = done.iter().find(|of| of.step.id == PRECONDITION).and_then(|of| of.result.as_ref());
    let written_bytes = written.map_or(0, |result| result.merged(|_| true).write.bytes);
    let purge = match (course.purges, drive.simulated) {
        (_, true) => "a new simulated drive".to_string(),
        (true, _) if done.iter().any(|of| of.step.id == PURGE) => "TRIM of the whole range".to_string(),
        _ => "none".to_string(),
    };
    let lines = [
        ("drive", of_leaves(&|leaf| leaf.model.clone())),
        ("firmware", of_leaves(&|leaf| leaf.firmware.clone())),
        ("capacity", drive.capacity_bytes.map_or("unknown".to_string(), text::capacity)),
        ("write cache", of_leaves(&|leaf| leaf.write_cache.clone())),
        ("purge", purge),
        ("WIPC", format!("{} written, 128 KiB in sequence, over the range", text::capacity(written_bytes))),
        ("WDPC", rounds_of(progress.rounds.len())),
        ("active range", range(course, drive)),
        ("in flight", in_flight(course)),
        ("data", "random, not repeated".to_string()),
        ("each point", each_point(course)),
        ("steady state", steady_state(progress)),
    ];
    let rows = lines.into_iter().map(|(name, text)| row(name, vec![Cell::Text { text }]));
    Table {
        title: "Conditions of the test".to_string(),
        columns: vec![column("", CellUnit::Text)],
        rows: rows.collect(),
        ..Table::default()
    }
}

fn rounds_of(count: usize) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} round{s} of the test itself")
}

fn range(course: &Course, drive: &Drive) -> String {
    let share = drive.capacity_bytes.map(|bytes| course.range_bytes as f64 / bytes as f64);
    let of_capacity =
        share.map_or(String::new(), |share| format!(", {:.1} % of the capacity", share * 100.0));
    format!("{}{of_capacity}", text::size(course.range_bytes))
}

fn in_flight(course: &Course) -> String {
    match (course.jobs, course.depth) {
        (1, 1) => "one at a time".to_string(),
        (1, depth) => format!("{depth}, by one job"),
        (jobs, depth) => format!("{depth} by each of {jobs} jobs"),
    }
}

fn each_point(course: &Course) -> String {
    match course.point_bytes_max {
        Some(bytes) => {
            let bytes = text::size(bytes * u64::from(course.jobs));
            format!("{}, or {bytes} written", text::seconds(course.point_ns))
        }
        None => text::seconds(course.point_ns),
    }
}

/// Where the window lies, and how far it is from the limits.
fn steady_state(progress: &Progress<'_>) -> String {
    let Some(window) = progress.window else {
        return format!("not reached: it takes {WINDOW_ROUNDS} rounds at least");
    };
    let verdict = if window.is_steady() { "" } else { "not reached; last " };
    format!(
        "{verdict}rounds {} to {}: range {:.1} % (at most {}), line {:+.1} % (at most ±{})",
        window.first + 1,
        window.first + WINDOW_ROUNDS,
        window.range_share * 100.0,
        text::percent(RANGE_SHARE_MAX),
        window.rise_share * 100.0,
        text::percent(RISE_SHARE_MAX),
    )
}

/// The mean over the window of each point.
fn figures(course: &Course, progress: &Progress<'_>) -> Table {
    let rounds = progress.in_window();
    let (title, unit) = kind(course.test);
    let state =
        if progress.is_steady() { "in steady state" } else { "in the last rounds, which are not steady" };
    let mut mixes: Vec<u32> = course.points.iter().map(|point| point.read_percent).collect();
    mixes.dedup();
    let mut blocks: Vec<u64> = course.points.iter().map(|point| point.block_bytes).collect();
    blocks.sort_unstable_by(|a, b| b.cmp(a));
    blocks.dedup();
    let cell = |block_bytes, read_percent| {
        let at = course.points.iter().position(|&point| point == Point { block_bytes, read_percent });
        at.map_or_else(|| absent("not measured"), |at| mean_cell(course, rounds, at))
    };
    let mut columns: Vec<_> = mixes
        .iter()
        .map(|&read_percent| column(&Point { block_bytes: 0, read_percent }.mix(), unit))
        .collect();
    let tails = course.test == Test::Latency;
    if tails {
        columns.extend([column("99.999 %", unit), column("longest", unit)]);
    }
    let rows = blocks.into_iter().map(|block_bytes| {
        let mut cells: Vec<Cell> = mixes.iter().map(|&mix| cell(block_bytes, mix)).collect();
        if tails {
            cells.extend(tail_cells(course, rounds, block_bytes));
        }
        row(&text::size(block_bytes), cells)
    });
    let mut notes = vec!["100/0, 65/35: so many of a hundred I/Os read, and so many write.".to_string()];
    if tails {
        notes.push("99.999 % and the longest are over all mixes.".to_string());
    }
    Table {
        title: format!("{title} {state}"),
        heading: "block".to_string(),
        columns,
        rows: rows.collect(),
        notes,
        ..Table::default()
    }
}

fn kind(test: Test) -> (&'static str, CellUnit) {
    match test {
        Test::Iops => ("I/Os per second", CellUnit::PerSecond),
        Test::Throughput => ("Throughput", CellUnit::MegabytesPerSecond),
        Test::Latency => ("Mean latency", CellUnit::Microseconds),
    }
}

fn mean_cell(course: &Course, rounds: &[&StepResult], at: usize) -> Cell {
    match course.over(rounds, at) {
        Some(estimate) => {
            Cell::Figure { estimate, step: rounds[0].step.id.clone(), doubt: course.doubt(rounds, at) }
        }
        None => absent("nothing completed"),
    }
}

/// How long the slowest of a length of blocks took: the percentile of five nines, where there are enough, and the longest.
fn tail_cells(course: &Course, rounds: &[&StepResult], block_bytes: u64) -> [Cell; 2] {
    let mut all = Latency::default();
    for (at, point) in course.points.iter().enumerate().filter(|(_, point)| point.block_bytes == block_bytes)
    {
        for round in rounds {
            let of = of_job(round, at);
            let merged = of.result.as_ref().map(|result| result.merged(|_| true));
            for direction in point.directions() {
                merged.iter().for_each(|merged| all.merge(merged[direction].total()));
            }
        }
    }
    let step = rounds[0].step.id.clone();
    let nines = match Estimate::percentile(&all, NINES) {
        Some(estimate) => Cell::Figure { estimate, step: step.clone(), doubt: None },
        None => absent("too few samples for 99.999 %"),
    };
    let longest = match all.n() {
        0 => absent("nothing completed"),
        n => Cell::Figure { estimate: Estimate::bare(all.max_ns() as f64, n), step, doubt: None },
    };
    [nines, longest]
}

/// The data of the convergence plot: what writes alone reach in each round, for each length of blocks.
fn convergence(course: &Course, progress: &Progress<'_>) -> Table {
    let (title, unit) = kind(course.test);
    let writes: Vec<usize> =
        (0..course.points.len()).filter(|&at| course.points[at].read_percent == 0).collect();
    let columns = writes.iter().map(|&at| column(&text::size(course.points[at].block_bytes), unit)).collect();
    let rows = progress.rounds.iter().enumerate().map(|(nth, round)| {
        row(&(nth + 1).to_string(), writes.iter().map(|&at| mean_cell(course, &[*round], at)).collect())
    });
    let mut notes = Vec::new();
    if let Some(window) = progress.window {
        let (first, last) = window.line();
        let scale = unit.scale();
        notes.push(format!(
            "The line through rounds {} to {} runs from {} to {} {}; their mean is {}.",
            window.first + 1,
            window.first + WINDOW_ROUNDS,
            units::count((first / scale).round() as u64),
            units::count((last / scale).round() as u64),
            unit.sign(),
            units::count((window.mean / scale).round() as u64),
        ));
    }
    Table {
        title: format!("{title} of writes alone, {ROUND} by {ROUND}"),
        heading: ROUND.to_string(),
        columns,
        rows: rows.collect(),
        notes,
        ..Table::default()
    }
}
