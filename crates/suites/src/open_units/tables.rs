//! What was found, and each number of units with its speed.

use cardiograph_core::Doubt;
use cardiograph_core::report::{StepResult, StepRole};
use cardiograph_core::table::{Cell, CellUnit, Table};
use cardiograph_core::{Direction, Estimate};
use cardiograph_judge::open_units::{OpenUnits, SLOW_SHARE, Trial};

use super::{Course, whole_runs};
use crate::tabulate::{absent, column, row};
use crate::text;

/// The answer, and the speeds that it rests on; nothing before something was measured.
pub(super) fn all(course: &Course, done: &[StepResult]) -> Vec<Table> {
    let runs: Vec<&StepResult> = done.iter().filter(|of| of.step.role == StepRole::Measure).collect();
    if runs.is_empty() {
        return Vec::new();
    }
    let doubt = whole_runs(done).find_map(|run| run.doubt(Direction::Write).cloned());
    vec![answer(course, course.found(done), doubt), speeds(&runs)]
}

fn answer(course: &Course, found: OpenUnits, doubt: Option<Doubt>) -> Table {
    let (fast, meaning) = match (found, doubt) {
        (_, Some(doubt)) => (format!("cannot be told: {}", doubt.reason()), None),
        (OpenUnits::Limit { fast, slow_share }, None) => (limit(fast, slow_share), Some(advice(fast))),
        (OpenUnits::NoLimit { tried }, None) => (
            format!("no limit up to {tried}, and more were not tried"),
            Some(format!("{tried} files can be written at once at no cost in speed.")),
        ),
        (OpenUnits::Try { fast, .. }, None) if fast > 1 => {
            (format!("fast with {fast} at least: not all was tried that was to be"), None)
        }
        (OpenUnits::Try { .. } | OpenUnits::Foreign, None) => {
            ("not settled: not all was tried that was to be".to_string(), None)
        }
    };
    let unit = format!("{}, {}", text::size(course.unit_bytes), course.said.words());
    let lines = [("open units", fast), ("allocation unit", unit)];
    Table {
        title: "Units that can be written in turn".to_string(),
        heading: String::new(),
        columns: vec![column("", CellUnit::Text)],
        rows: lines.map(|(name, text)| row(name, vec![Cell::Text { text }])).to_vec(),
        notes: meaning.into_iter().collect(),
        ..Table::default()
    }
}

fn limit(fast: u32, slow_share: f64) -> String {
    let share = match slow_share * 100.0 {
        percent if percent < 1.0 => "less than 1 %".to_string(),
        percent => format!("{percent:.0} %"),
    };
    format!("fast with {fast}; with {} the speed is {share} of that of one", fast + 1)
}

/// What a limit means for who uses the drive.
fn advice(fast: u32) -> String {
    match fast {
        1 => "It writes one file at a time well, and two at once badly: one recording, no log beside it, and nothing to \
              run a system from."
            .to_string(),
        _ => format!(
            "It takes {fast} files at once, as recordings, logs or downloads. With one more it copies whole units for small \
             writes: slow, and hard on the flash."
        ),
    }
}

/// Each run: the speed, and what that is of the run with one unit before it.
fn speeds(runs: &[&StepResult]) -> Table {
    let mut one: Option<f64> = None;
    let mut rows = Vec::new();
    for run in runs {
        let Some(trial) = Trial::of(run) else {
            let why = run.doubt(Direction::Write).cloned();
            let cell = absent(why.map_or("nothing completed".to_string(), |doubt| doubt.reason()));
            rows.push(row(&run.step.title, vec![cell.clone(), cell]));
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
        let share = share.unwrap_or_else(|| absent("one unit was not written before"));
        let name = match trial.units {
            1 => "1 unit".to_string(),
            units => format!("{units} units"),
        };
        rows.push(row(&name, vec![figure(trial.bytes_per_s), share]));
    }
    Table {
        title: "Speed by units in turn".to_string(),
        heading: "in turn".to_string(),
        columns: vec![
            column("64 KiB writes", CellUnit::MegabytesPerSecond),
            column("of one unit", CellUnit::Percent),
        ],
        rows,
        notes: vec![format!(
            "Each without its first round. Too many are those with less than {} twice.",
            text::percent(SLOW_SHARE)
        )],
        ..Table::default()
    }
}
