//! What applications did, in their users' units.

use cardiograph_core::Estimate;
use cardiograph_core::app::{AppPart, Operation};
use cardiograph_core::report::StepResult;
use cardiograph_core::table::{Cell, CellUnit, Table, TableRow};

use super::part;
use crate::tabulate::{absent, column, row};

/// The rows: the step, the part of it, and what it is called.
const ROWS: [(&str, &str, &str); 7] = [
    ("sqlite-wal", "commits", "SQLite commits, WAL"),
    ("sqlite-rollback", "commits", "SQLite commits, rollback"),
    ("log-fsync", "lines", "log lines, durable"),
    ("unpack", "unpack", "files unpacked"),
    ("unpack", "read", "files read"),
    ("photos", "import", "photos imported"),
    ("photos", "view", "photos viewed"),
];

/// The table of all applications that ran; `None` when none has a row in it.
pub(super) fn applications(done: &[StepResult]) -> Option<Table> {
    let rows: Vec<TableRow> = ROWS
        .iter()
        .filter_map(|&(id, part_id, name)| {
            let step = done.iter().find(|step| step.step.id == id)?;
            Some(row(name, cells(step, part_id)))
        })
        .collect();
    let libraries = done.iter().filter_map(|step| step.app.as_ref()?.library.clone());
    let mut libraries: Vec<String> = libraries.collect();
    libraries.dedup();
    let mut notes: Vec<String> =
        libraries.into_iter().map(|library| format!("{library}, built in.")).collect();
    notes.push(
        "A pause is the longest time in which nothing was done; MB/s are the user's own bytes.".to_string(),
    );
    (!rows.is_empty()).then(|| Table {
        title: "What applications get".to_string(),
        heading: String::new(),
        columns: vec![
            column("", CellUnit::PerSecond),
            column("", CellUnit::MegabytesPerSecond),
            column("median", CellUnit::Milliseconds),
            column("99 of 100", CellUnit::Milliseconds),
            column("pause", CellUnit::Milliseconds),
        ],
        rows,
        notes,
        ..Table::default()
    })
}

fn cells(step: &StepResult, part_id: &str) -> Vec<Cell> {
    let Some(part) = part(step, part_id) else { return vec![absent("nothing was done"); 5] };
    let doubt = step.doubt(part.direction).cloned();
    let figure =
        |estimate: Estimate| Cell::Figure { estimate, step: step.step.id.clone(), doubt: doubt.clone() };
    let percentile = |part: &AppPart, percentile| match Estimate::percentile(&part.latency, percentile) {
        Some(estimate) => figure(estimate),
        None => absent("too few samples"),
    };
    let bandwidth = match part.operation {
        // Nobody asks how many bytes they have: nothing is missing, so no reason stands below.
        Operation::Commit | Operation::Line => Cell::Text { text: "-".to_string() },
        Operation::File | Operation::Photo | Operation::Second => figure(part.bandwidth_bytes_per_s()),
    };
    vec![
        figure(part.operations_per_s()),
        bandwidth,
        percentile(part, 50.0),
        percentile(part, 99.0),
        figure(part.longest_pause()),
    ]
}
