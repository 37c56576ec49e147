//! Writes Reports to the tables.

use std::collections::HashMap;

use cardiograph_catalogue::english;
use cardiograph_core::imported::Figure;
use cardiograph_core::message::with_english;
use cardiograph_core::report::StepRole;
use cardiograph_core::report::json::{report_line, step_line};
use cardiograph_core::summary::RunSummary;
use cardiograph_core::text::word_of;
use cardiograph_core::{Report, message};
use cardiograph_judge::facts;
use cardiograph_judge::record::tests_of;
use cardiograph_judge::record::tries;

use super::{blob, digest, drives, figures, listed, sql};
use crate::database::{Database, Value, row, values};
use crate::error::check_id;
use crate::trouble::Trouble;
use crate::{StoreError, drive_key};

/// Saves `report`, within a transaction. Unchanged steps are not rewritten.
pub fn report(database: &dyn Database, report: &Report, now_ms: i64) -> Result<(), Trouble> {
    check_id(&report.id)?;
    let run = listed(database, report, now_ms)?;
    let mut digests: HashMap<i64, i64> = HashMap::new();
    database.rows(sql::STEP_DIGESTS, values![run], &mut |row| {
        digests.insert(row.integer(0)?, row.integer(1)?);
        Ok(())
    })?;
    let mut changed = Vec::new();
    for (number, step) in report.steps.iter().enumerate() {
        let number = number as i64;
        let json = with_english(english, || step_line(step)).into_bytes();
        if json.len() > blob::LEN_BYTES_MAX {
            let (id, step) = (&report.id, &step.step.id);
            return Err(StoreError::Failed(message!("store-step-too-long", id, step)).into());
        }
        let digest = digest::hash_step(&report.id, number, &json);
        if digests.get(&number) != Some(&digest) {
            changed.push((number, digest, blob::press(&json)));
        }
    }
    let steps: Vec<Value<'_>> = changed
        .iter()
        .flat_map(|(number, digest, body)| [run.into(), (*number).into(), (*digest).into(), body.into()])
        .collect();
    database.execute_many(sql::UPSERT_STEP, 4, &steps)?;
    if digests.is_empty() {
        delete_from(database, &[sql::DELETE_TESTS_FROM, sql::DELETE_FIGURES_FROM], run, 0)?;
    } else {
        for (number, ..) in &changed {
            database.execute(sql::DELETE_TESTS, values![run, *number])?;
            database.execute(sql::DELETE_FIGURES, values![run, *number])?;
        }
    }
    tests(database, run, changed.iter().map(|(number, ..)| *number), report)?;
    if digests.len() > report.steps.len() {
        delete_from(database, &DELETE_FROM, run, report.steps.len() as i64)?;
    }
    head(database, run, report)
}

/// Delete all of a run's steps from a number on.
const DELETE_FROM: [&str; 3] = [sql::DELETE_STEPS_FROM, sql::DELETE_TESTS_FROM, sql::DELETE_FIGURES_FROM];

fn delete_from(database: &dyn Database, statements: &[&str], run: i64, step: i64) -> Result<(), Trouble> {
    statements.iter().try_for_each(|statement| database.execute(statement, values![run, step]).map(drop))
}

/// Deletes a Report, within a transaction; `false` if there is none.
pub fn remove(database: &dyn Database, id: &str) -> Result<bool, Trouble> {
    database.lock(id)?;
    let run = row(database, sql::KNOWN, values![id], |row| Ok((row.integer(4)?, row.integer_or_null(1)?)))?;
    let Some((run, drive)) = run else { return Ok(false) };
    delete_from(database, &DELETE_FROM, run, 0)?;
    for statement in [sql::DELETE_TAGS, sql::DELETE_DRIVES, sql::DELETE_HEAD, sql::DELETE_RUN] {
        database.execute(statement, values![run])?;
    }
    database.execute(sql::DELETE_UNSENT_ANYWHERE, values![id])?;
    drive.map_or(Ok(()), |drive| drives::left(database, drive))?;
    Ok(true)
}

/// Writes what lists show and search. Returns the run's number.
fn listed(database: &dyn Database, report: &Report, now_ms: i64) -> Result<i64, Trouble> {
    let summary = RunSummary::from_report(report);
    let started_ms = clamped(summary.started_unix_ms);
    let state = word_of(&summary.state);
    database.lock(&report.id)?;
    let drive = drives::hold(database, &drive_key(&summary))?;
    // The sort key as first saved.
    let known =
        row(database, sql::KNOWN, values![&report.id], |row| Ok((row.integer(0)?, row.integer_or_null(1)?)))?;
    let (known_ms, earlier) = known.map_or((None, None), |(sorted_ms, drive)| (Some(sorted_ms), drive));
    let sorted_ms = known_ms.unwrap_or(if started_ms > 0 { started_ms } else { now_ms });
    let all = values![
        summary.id.as_str(),
        started_ms,
        sorted_ms,
        summary.suite.as_str(),
        state.as_str(),
        summary.label.as_deref(),
        summary.host.as_deref(),
        summary.path.as_str(),
        summary.models.as_str(),
        summary.drive_ids.as_str(),
        summary.tags.as_str(),
        summary.capacity_bytes.map(clamped),
        summary.steps as i64,
        drive.number,
    ];
    let saved =
        row(database, sql::UPSERT_RUN, all, |row| Ok((row.integer(14)?, listed::digest_of_run(row)?)))?;
    let (run, digest) = saved.ok_or(Trouble::TooLarge)?;
    database.execute(sql::SET_RUN_DIGEST, values![run, digest])?;
    database.execute(sql::DELETE_TAGS, values![run])?;
    database.execute(sql::DELETE_DRIVES, values![run])?;
    let tags = summary.tags.iter().flat_map(|(name, value)| [run.into(), name.into(), value.into()]);
    database.execute_many(sql::INSERT_TAG, 3, &tags.collect::<Vec<Value<'_>>>())?;
    let names = summary.drive_ids.iter().chain(&summary.models).map(str::to_ascii_lowercase);
    let names: Vec<String> = names.collect();
    let names = names.iter().flat_map(|name| [run.into(), name.into()]);
    database.execute_many(sql::INSERT_DRIVE, 2, &names.collect::<Vec<Value<'_>>>())?;
    drives::saved(
        database,
        drive,
        earlier,
        &drives::Run { number: run, sorted_unix_ms: sorted_ms, summary },
    )?;
    Ok(run)
}

/// Writes the large columns except the steps, once the tests are written.
fn head(database: &dyn Database, run: i64, report: &Report) -> Result<(), Trouble> {
    let facts = serde_json::to_string(&facts::collect(report)).expect("facts are plain data");
    let measurements = serde_json::to_string(&report.measurements).expect("measurements are plain data");
    let body = blob::press(with_english(english, || report_line(&without_steps(report))).as_bytes());
    let all = values![run, &facts, &measurements, &body, report.steps.len() as i64];
    database.execute(sql::UPSERT_HEAD, all)?;
    let [deciding, all] = figures::digests(database, &report.id)?;
    database.execute(sql::SET_HEAD_DIGESTS, values![run, deciding, all])?;
    Ok(())
}

fn without_steps(report: &Report) -> Report {
    Report {
        steps: Vec::new(),
        id: report.id.clone(),
        fleet: report.fleet.clone(),
        purposes: report.purposes.clone(),
        program: report.program.clone(),
        label: report.label.clone(),
        tags: report.tags.clone(),
        source: report.source.clone(),
        suite: report.suite.clone(),
        settings: report.settings.clone(),
        host: report.host.clone(),
        drive: report.drive.clone(),
        environment: report.environment.clone(),
        health_after: report.health_after.clone(),
        measurements: report.measurements.clone(),
        verdicts: report.verdicts.clone(),
        not_judged: report.not_judged.clone(),
        claims: report.claims.clone(),
        tables: report.tables.clone(),
        notes: report.notes.clone(),
        traps: report.traps.clone(),
        ..*report
    }
}

/// Writes the tests and figures of these steps.
fn tests(
    database: &dyn Database,
    run: i64,
    steps: impl Iterator<Item = i64>,
    report: &Report,
) -> Result<(), Trouble> {
    let mut tests = Vec::new();
    for step in steps {
        let result = &report.steps[step as usize];
        if result.step.role != StepRole::Measure || !tries::counts(&report.steps, result) {
            continue;
        }
        for (part, test) in tests_of(result).into_iter().enumerate() {
            let title = with_english(english, || serde_json::to_string(&test.title))
                .expect("a Message has a form in JSON");
            let method = serde_json::to_string(&test.method).expect("a method has a form in JSON");
            tests.push((step, part as i64, test, title, method));
        }
    }
    let mut figures = Vec::new();
    for (step, part, test, ..) in &tests {
        // NaN is not a figure, and databases do not store it.
        let finite = test.figures.iter().filter(|figure| figure.estimate.value.is_finite());
        figures.extend(finite.enumerate().map(|(number, figure)| {
            let to_json = |doubt| serde_json::to_string(doubt).expect("a doubt is plain data");
            let doubt = figure.doubt.as_ref().map(to_json);
            ([run, *step, *part, number as i64], figure, figure.quantity.name(), doubt)
        }));
    }
    let figures = figures.iter().flat_map(|(place, figure, metric, doubt)| {
        let Figure { direction, estimate, window_ns, .. } = figure;
        let [run, step, part, number] = place.map(Value::from);
        [
            run,
            step,
            part,
            number,
            direction.map(|direction| direction.name()).into(),
            metric.into(),
            estimate.value.into(),
            clamped(estimate.n).into(),
            estimate.n_effective.into(),
            estimate.low.into(),
            estimate.high.into(),
            window_ns.map(clamped).into(),
            doubt.as_ref().into(),
        ]
    });
    database.execute_many(sql::INSERT_FIGURE, 13, &figures.collect::<Vec<Value<'_>>>())?;
    let tests = tests.iter().flat_map(|(step, part, test, title, method)| {
        [run.into(), (*step).into(), (*part).into(), (&test.test).into(), title.into(), method.into()]
    });
    database.execute_many(sql::INSERT_TEST, 6, &tests.collect::<Vec<Value<'_>>>())
}

/// Databases count to 2^63 - 1. The stored Report has the exact number.
fn clamped(number: u64) -> i64 {
    number.min(i64::MAX as u64) as i64
}
