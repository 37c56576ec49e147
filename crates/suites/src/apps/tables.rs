//! Results of applications, in their users' units.

use cardiograph_core::app::{AppPart, Operation};
use cardiograph_core::report::StepResult;
use cardiograph_core::table::{Cell, CellUnit, Table, TableRow};
use cardiograph_core::{Estimate, Message, message};

use super::part;
use crate::tabulate::{TOO_FEW_SAMPLES, absent, column, row};

/// The rows: step, part and name.
const ROWS: [(&str, &str, Message); 7] = [
    ("sqlite-wal", "commits", message!("table-apps.commits-wal")),
    ("sqlite-rollback", "commits", message!("table-apps.commits-rollback")),
    ("log-fsync", "lines", message!("table-apps.lines")),
    ("unpack", "unpack", message!("table-apps.unpacked")),
    ("unpack", "read", message!("table-apps.read")),
    ("photos", "import", message!("table-apps.imported")),
    ("photos", "view", message!("table-apps.viewed")),
];

/// The table of all applications that ran; `None` if it would be empty.
pub(super) fn applications(done: &[StepResult]) -> Option<Table> {
    let rows: Vec<TableRow> = ROWS
        .into_iter()
        .filter_map(|(id, part_id, name)| {
            let step = done.iter().find(|step| step.step.id == id)?;
            Some(row(name, cells(step, part_id)))
        })
        .collect();
    let libraries = done.iter().filter_map(|step| step.app.as_ref()?.library.clone());
    let mut libraries: Vec<String> = libraries.collect();
    libraries.dedup();
    let built_in = |library| message!("table-apps.library", library);
    let mut notes: Vec<Message> = libraries.into_iter().map(built_in).collect();
    notes.push(message!("table-apps.units"));
    (!rows.is_empty()).then(|| Table {
        title: message!("table-apps.title"),
        columns: vec![
            column(Message::default(), CellUnit::PerSecond),
            column(Message::default(), CellUnit::MegabytesPerSecond),
            column(message!("table-heading.median"), CellUnit::Milliseconds),
            column(message!("table-heading.p99"), CellUnit::Milliseconds),
            column(message!("table-apps.pause"), CellUnit::Milliseconds),
        ],
        rows,
        notes,
        ..Table::default()
    })
}

fn cells(step: &StepResult, part_id: &str) -> Vec<Cell> {
    let Some(part) = part(step, part_id) else {
        return vec![absent(message!("table-absent.nothing-done")); 5];
    };
    let doubt = step.doubt(part.direction).cloned();
    let figure =
        |estimate: Estimate| Cell::Figure { estimate, step: step.step.id.clone(), doubt: doubt.clone() };
    let percentile = |part: &AppPart, percentile| match Estimate::percentile(&part.latency, percentile) {
        Some(estimate) => figure(estimate),
        None => absent(TOO_FEW_SAMPLES),
    };
    let bandwidth = match part.operation {
        // Their size is of no interest: the figure is not missing, so no reason is given.
        Operation::Commit | Operation::Line => Cell::Text { text: Message::verbatim("-") },
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
