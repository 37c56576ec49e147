//! The parts of a report that the standard requires: header, figures, and the data of the plots.

use cardiograph_core::drive::{Drive, Leaf};
use cardiograph_core::message::Parameter;
use cardiograph_core::report::StepResult;
use cardiograph_core::rounds::{RANGE_SHARE_MAX, RISE_SHARE_MAX};
use cardiograph_core::table::{Cell, CellUnit, Table};
use cardiograph_core::{Estimate, Latency, Message, message};

use super::{PURGE, Plan, Point, Progress, Test, WINDOW_ROUNDS};
use crate::figure::job_result;
use crate::precondition::{BLOCK_BYTES, PRECONDITION};
use crate::suite::Context;
use crate::tabulate::{NOT_MEASURED, NOTHING_COMPLETED, TOO_FEW_SAMPLES, absent, column, row};

/// The percentile of the longest latencies that the standard requires: five nines.
const NINES: f64 = 99.999;

/// The figures of the steady state, the header, and each round.
pub(super) fn all(
    plan: &Plan,
    progress: &Progress<'_>,
    context: &Context<'_>,
    done: &[StepResult],
) -> Vec<Table> {
    if progress.rounds.is_empty() {
        return Vec::new();
    }
    let figures = progress.window.is_some().then(|| figures(plan, progress));
    let rest = [header(plan, progress, context.drive, done), convergence(plan, progress)];
    figures.into_iter().chain(rest).collect()
}

fn header(plan: &Plan, progress: &Progress<'_>, drive: &Drive, done: &[StepResult]) -> Table {
    let join_leaves = |value: &dyn Fn(&Leaf) -> Option<String>| {
        let unknown = || Parameter::from(message!("table-steady.unknown"));
        let mut values: Vec<Parameter> =
            drive.leaves.iter().map(|leaf| value(leaf).map_or_else(unknown, Parameter::from)).collect();
        values.dedup();
        message!("table-steady.of-drives", values = Parameter::All(values))
    };
    let written = done.iter().find(|step| step.step.id == PRECONDITION).and_then(|step| step.result.as_ref());
    let written_bytes = written.map_or(0, |result| result.merged(|_| true).write.bytes);
    let purge = match (plan.purges, drive.simulated) {
        (_, true) => message!("table-steady.purge-simulated"),
        (true, _) if done.iter().any(|step| step.step.id == PURGE) => message!("table-steady.purge-trim"),
        _ => message!("table-steady.purge-none"),
    };
    let capacity = drive.capacity_bytes.map(Parameter::CapacityBytes);
    let preconditioned = message!(
        "table-steady.wipc-value",
        bytes = Parameter::CapacityBytes(written_bytes),
        block = Parameter::BlockBytes(BLOCK_BYTES)
    );
    let rounds = message!("table-steady.wdpc-value", rounds = progress.rounds.len());
    let lines = [
        (message!("table-steady.drive"), join_leaves(&|leaf| leaf.model.clone())),
        (message!("table-steady.firmware"), join_leaves(&|leaf| leaf.firmware.clone())),
        (
            message!("table-steady.capacity"),
            capacity.map_or(message!("table-steady.unknown"), |bytes| {
                message!("table-steady.capacity-value", bytes)
            }),
        ),
        (message!("table-steady.write-cache"), join_leaves(&|leaf| leaf.write_cache.clone())),
        (message!("table-steady.purge"), purge),
        (message!("table-steady.wipc"), preconditioned),
        (message!("table-steady.wdpc"), rounds),
        (message!("table-steady.range"), range(plan, drive)),
        (message!("table-steady.in-flight"), in_flight(plan)),
        (message!("table-steady.data"), message!("table-steady.data-value")),
        (message!("table-steady.point"), each_point(plan)),
        (message!("table-steady.state"), steady_state(progress)),
    ];
    let rows = lines.into_iter().map(|(name, text)| row(name, vec![Cell::Text { text }]));
    Table {
        title: message!("table-steady.conditions"),
        columns: vec![column(Message::default(), CellUnit::Text)],
        rows: rows.collect(),
        ..Table::default()
    }
}

fn range(plan: &Plan, drive: &Drive) -> Message {
    let range = Parameter::Bytes(plan.range_bytes);
    match drive.capacity_bytes {
        Some(bytes) => {
            let share = Parameter::share(plan.range_bytes as f64 / bytes as f64);
            message!("table-steady.range-share", range, share)
        }
        None => message!("table-steady.range-value", range),
    }
}

fn in_flight(plan: &Plan) -> Message {
    message!("table-steady.in-flight-value", depth = plan.depth, jobs = plan.jobs)
}

fn each_point(plan: &Plan) -> Message {
    let time = Parameter::DurationNs(plan.point_ns);
    match plan.point_bytes_max {
        Some(bytes) => {
            let bytes = Parameter::Bytes(bytes * u64::from(plan.jobs));
            message!("table-steady.point-bytes", time, bytes)
        }
        None => message!("table-steady.point-time", time),
    }
}

/// The position of the window, and its values next to the limits.
fn steady_state(progress: &Progress<'_>) -> Message {
    let Some(window) = progress.window else {
        return message!("table-steady.too-few-rounds", rounds = WINDOW_ROUNDS);
    };
    let (first, last) = (window.first + 1, window.first + WINDOW_ROUNDS);
    let (range, rise) = (Parameter::share(window.range_share), Parameter::share(window.rise_share));
    let (range_max, rise_max) = (Parameter::share(RANGE_SHARE_MAX), Parameter::share(RISE_SHARE_MAX));
    if window.is_steady() {
        message!("table-steady.reached", first, last, range, range_max, rise, rise_max)
    } else {
        message!("table-steady.not-reached", first, last, range, range_max, rise, rise_max)
    }
}

/// The mean of each point over the window.
fn figures(plan: &Plan, progress: &Progress<'_>) -> Table {
    let rounds = progress.in_window();
    let (figure, unit) = kind(plan.test);
    let title = match progress.is_steady() {
        true => message!("table-steady.in-steady-state", figure),
        false => message!("table-steady.in-last-rounds", figure),
    };
    let mut mixes: Vec<u32> = plan.points.iter().map(|point| point.read_percent).collect();
    mixes.dedup();
    let mut blocks: Vec<u64> = plan.points.iter().map(|point| point.block_bytes).collect();
    blocks.sort_unstable_by(|a, b| b.cmp(a));
    blocks.dedup();
    let cell = |block_bytes, read_percent| {
        let at = plan.points.iter().position(|&point| point == Point { block_bytes, read_percent });
        at.map_or_else(|| absent(NOT_MEASURED), |at| mean_cell(plan, rounds, at))
    };
    let mut columns: Vec<_> = mixes
        .iter()
        .map(|&read_percent| column(Point { block_bytes: 0, read_percent }.mix(), unit))
        .collect();
    let tails = plan.test == Test::Latency;
    if tails {
        columns.extend([
            column(message!("table-steady.nines"), unit),
            column(message!("table-heading.longest"), unit),
        ]);
    }
    let rows = blocks.into_iter().map(|block_bytes| {
        let mut cells: Vec<Cell> = mixes.iter().map(|&mix| cell(block_bytes, mix)).collect();
        if tails {
            cells.extend(tail_cells(plan, rounds, block_bytes));
        }
        row(block(block_bytes), cells)
    });
    let mut notes = vec![message!("table-steady.mixes-note")];
    if tails {
        notes.push(message!("table-steady.tails-note"));
    }
    Table { title, heading: message!("table-heading.block"), columns, rows: rows.collect(), notes }
}

fn kind(test: Test) -> (Message, CellUnit) {
    match test {
        Test::Iops => (message!("table-figure.iops"), CellUnit::PerSecond),
        Test::Throughput => (message!("table-figure.bandwidth"), CellUnit::MegabytesPerSecond),
        Test::Latency => (message!("table-figure.mean-latency"), CellUnit::Microseconds),
    }
}

/// The name of a block size.
fn block(block_bytes: u64) -> Message {
    message!("table-block", block = Parameter::BlockBytes(block_bytes))
}

fn mean_cell(plan: &Plan, rounds: &[&StepResult], at: usize) -> Cell {
    match plan.over(rounds, at) {
        Some(estimate) => {
            Cell::Figure { estimate, step: rounds[0].step.id.clone(), doubt: plan.doubt(rounds, at) }
        }
        None => absent(NOTHING_COMPLETED),
    }
}

/// The slowest I/Os of a block size: the percentile of five nines, if there are enough samples, and the longest.
fn tail_cells(plan: &Plan, rounds: &[&StepResult], block_bytes: u64) -> [Cell; 2] {
    let mut all = Latency::default();
    for (at, point) in plan.points.iter().enumerate().filter(|(_, point)| point.block_bytes == block_bytes) {
        for round in rounds {
            let result = job_result(round, at);
            let merged = result.result.as_ref().map(|run| run.merged(|_| true));
            for direction in point.directions() {
                merged.iter().for_each(|merged| all.merge(merged[direction].total()));
            }
        }
    }
    let step = rounds[0].step.id.clone();
    let nines = match Estimate::percentile(&all, NINES) {
        Some(estimate) => Cell::Figure { estimate, step: step.clone(), doubt: None },
        None => absent(TOO_FEW_SAMPLES),
    };
    let longest = match all.n() {
        0 => absent(NOTHING_COMPLETED),
        n => Cell::Figure { estimate: Estimate::bare(all.max_ns() as f64, n), step, doubt: None },
    };
    [nines, longest]
}

/// The data of the convergence plot: pure writes in each round, for each block size.
fn convergence(plan: &Plan, progress: &Progress<'_>) -> Table {
    let (figure, unit) = kind(plan.test);
    let writes: Vec<usize> = (0..plan.points.len()).filter(|&at| plan.points[at].read_percent == 0).collect();
    let columns = writes.iter().map(|&at| column(block(plan.points[at].block_bytes), unit)).collect();
    let rows = progress.rounds.iter().enumerate().map(|(nth, round)| {
        let name = message!("table-count", count = nth + 1);
        row(name, writes.iter().map(|&at| mean_cell(plan, &[*round], at)).collect())
    });
    let mut notes = Vec::new();
    if let Some(window) = progress.window {
        let (first, last) = window.line();
        notes.push(message!(
            "table-steady.line",
            first = window.first + 1,
            last = window.first + WINDOW_ROUNDS,
            from = quantity(unit, first),
            to = quantity(unit, last),
            mean = quantity(unit, window.mean)
        ));
    }
    Table {
        title: message!("table-steady.writes-alone", figure),
        heading: message!("table-heading.round"),
        columns,
        rows: rows.collect(),
        notes,
    }
}

/// A figure of a column in a sentence.
fn quantity(unit: CellUnit, value: f64) -> Parameter {
    match unit {
        CellUnit::MegabytesPerSecond => Parameter::bytes_per_s(value),
        CellUnit::PerSecond => Parameter::iops(value),
        _ => Parameter::DurationNs(value.round() as u64),
    }
}
