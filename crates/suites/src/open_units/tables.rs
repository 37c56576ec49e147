//! The result, and the speed for each number of units.

use cardiograph_core::Doubt;
use cardiograph_core::message::Parameter;
use cardiograph_core::report::{StepResult, StepRole};
use cardiograph_core::table::{Cell, CellUnit, Table, TableRow};
use cardiograph_core::{Direction, Estimate, Message, message};
use cardiograph_judge::open_units::{OpenUnits, SLOW_SHARE, Trial};

use super::{BLOCK_BYTES, Plan, complete_runs};
use crate::tabulate::{NOTHING_COMPLETED, absent, column, row};

/// The result, and the speeds that it rests on; no tables before the first run.
pub(super) fn all(plan: &Plan, done: &[StepResult]) -> Vec<Table> {
    let runs: Vec<&StepResult> = done.iter().filter(|step| step.step.role == StepRole::Measure).collect();
    if runs.is_empty() {
        return Vec::new();
    }
    let doubt = complete_runs(done).find_map(|run| run.doubt(Direction::Write).cloned());
    vec![answer(plan, plan.found(done), (doubt, has_slowed(&runs))), speeds(&runs)]
}

/// Whether the drive became slow with one unit, too, for another reason.
fn has_slowed(runs: &[&StepResult]) -> bool {
    let ones = runs.iter().filter_map(|run| Trial::from_step(run)).filter(|trial| trial.units == 1);
    let speeds: Vec<f64> = ones.map(|trial| trial.bytes_per_s).collect();
    speeds.iter().any(|speed| *speed < SLOW_SHARE * speeds[0])
}

fn answer(plan: &Plan, found: OpenUnits, (doubt, has_slowed): (Option<Doubt>, bool)) -> Table {
    let (fast, meaning) = match (found, doubt) {
        (_, Some(doubt)) => (message!("table-open-units.unclear", reason = doubt.message()), None),
        (OpenUnits::Limit { fast, slow_share }, None) => {
            (limit(fast, slow_share), Some(message!("table-open-units.advice", fast)))
        }
        (OpenUnits::NoLimit { tried }, None) => (
            message!("table-open-units.no-limit", tried),
            Some(match has_slowed {
                true => message!("table-open-units.no-cost-slowed", tried),
                false => message!("table-open-units.no-cost", tried),
            }),
        ),
        (OpenUnits::Try { fast, .. }, None) if fast > 1 => {
            (message!("table-open-units.at-least", fast), None)
        }
        (OpenUnits::Try { .. } | OpenUnits::Foreign, None) => (message!("table-open-units.open"), None),
    };
    let lines = [
        (message!("table-open-units.units"), fast),
        (message!("table-open-units.unit"), plan.origin.describe(plan.unit_bytes)),
    ];
    Table {
        title: message!("table-open-units.title"),
        columns: vec![column(Message::default(), CellUnit::Text)],
        rows: lines.map(|(name, text)| row(name, vec![Cell::Text { text }])).to_vec(),
        notes: meaning.into_iter().collect(),
        ..Table::default()
    }
}

fn limit(fast: u32, slow_share: f64) -> Message {
    let more = fast + 1;
    match slow_share {
        ..0.01 => message!("table-open-units.limit-far", fast, more),
        _ => {
            let share = Parameter::share((slow_share * 100.0).round() / 100.0);
            message!("table-open-units.limit", fast, more, share)
        }
    }
}

/// The speed of each run, also as a share of the run with one unit before it.
fn speeds(runs: &[&StepResult]) -> Table {
    let mut one: Option<f64> = None;
    let mut rows: Vec<TableRow> = Vec::new();
    for run in runs {
        let Some(trial) = Trial::from_step(run) else {
            let why = run.doubt(Direction::Write).cloned();
            let cell = absent(why.map_or(NOTHING_COMPLETED, |doubt| doubt.message()));
            rows.push(row(run.step.title.clone(), vec![cell.clone(), cell]));
            continue;
        };
        if trial.units == 1 {
            one = Some(trial.bytes_per_s);
        }
        let figure = |value: f64| Cell::Figure {
            estimate: Estimate::bare(value, 1),
            step: run.step.id.clone(),
            doubt: run.doubt(Direction::Write).cloned(),
        };
        let share = one.filter(|&one| one > 0.0).map(|one| figure(trial.bytes_per_s / one));
        let share = share.unwrap_or_else(|| absent(message!("table-open-units.no-single")));
        let name = message!("table-open-units.row", units = trial.units);
        let name = match rows.iter().any(|row| row.name == name) {
            true => message!("table-open-units.again", row = name),
            false => name,
        };
        rows.push(row(name, vec![figure(trial.bytes_per_s), share]));
    }
    let block = Parameter::BlockBytes(BLOCK_BYTES);
    Table {
        title: message!("table-open-units.speeds"),
        heading: message!("table-open-units.in-turn"),
        columns: vec![
            column(message!("table-open-units.writes", block), CellUnit::MegabytesPerSecond),
            column(message!("table-open-units.of-one"), CellUnit::Percent),
        ],
        rows,
        notes: vec![message!("table-open-units.rule", share = Parameter::share(SLOW_SHARE))],
    }
}
