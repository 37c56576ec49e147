//! Resuming an unfinished checkup: its Report was saved after each step.

use cardiograph_core::drive::Drive;
use cardiograph_core::report::{ReportState, StepOutcome, StepRole};
use cardiograph_core::{Report, message};
use cardiograph_store::{Query, Store};
use cardiograph_suites::Suite;

use crate::failure::Failure;

/// Takes over the results of the newest unfinished checkup that matches `report`: same suite, same settings,
/// same drive.
///
/// # Errors
/// When the suite cannot be resumed, or no such checkup is saved.
pub fn take_over(
    report: &mut Report,
    suite: &dyn Suite,
    can_resume: bool,
    store: &dyn Store,
) -> Result<(), Failure> {
    if !can_resume {
        return Err(Failure::usage(message!("resume-not-possible", suite = suite.name())));
    }
    let query = Query { suite: Some(report.suite.clone()), ..Query::default() };
    let runs = store.find(&query)?;
    let open = runs.iter().filter(|run| is_open(run.state));
    // Skip unreadable reports.
    let found = open.filter_map(|run| store.load(&run.id).ok()).find(|kept| is_match(kept, report));
    let Some(kept) = found else {
        let (suite, path) = (suite.name(), store.place());
        return Err(Failure::usage(message!("resume-not-found", suite, path)));
    };
    (report.id, report.started_unix_ms, report.seed) = (kept.id, kept.started_unix_ms, kept.seed);
    report.label = report.label.take().or(kept.label);
    let steps = kept.steps.into_iter();
    report.steps = steps
        .filter(|step| step.step.role == StepRole::Measure && step.outcome == StepOutcome::Done)
        .collect();
    let count = report.steps.len();
    report.notes.push(match kept.state {
        ReportState::Failed => message!("resume-note.failed", measurements = count),
        _ => message!("resume-note.interrupted", measurements = count),
    });
    Ok(())
}

/// Whether steps are left. Steps done before a failure are valid.
fn is_open(state: ReportState) -> bool {
    state != ReportState::Finished
}

fn is_match(kept: &Report, report: &Report) -> bool {
    is_open(kept.state)
        && kept.suite == report.suite
        && kept.settings == report.settings
        && kept.purposes == report.purposes
        && kept.program == report.program
        && is_same(&kept.drive, &report.drive)
}

/// Whether it is the same drive at the same path.
fn is_same(a: &Drive, b: &Drive) -> bool {
    let leaves = |drive: &Drive| {
        let serials =
            drive.leaves.iter().map(|leaf| (leaf.model.clone(), leaf.serial.clone(), leaf.capacity_bytes));
        serials.collect::<Vec<_>>()
    };
    a.path == b.path && a.capacity_bytes == b.capacity_bytes && leaves(a) == leaves(b)
}
