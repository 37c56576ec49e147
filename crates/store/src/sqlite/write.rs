//! Writes Reports to the tables.

use std::collections::HashMap;

use cardiograph_catalogue::english;
use cardiograph_core::imported::Figure;
use cardiograph_core::message::with_english;
use cardiograph_core::report::json::{report_line, step_line};
use cardiograph_core::report::{StepResult, StepRole};
use cardiograph_core::summary::RunSummary;
use cardiograph_core::text::word_of;
use cardiograph_core::{Report, message};
use cardiograph_judge::facts;
use cardiograph_judge::record::tries;
use cardiograph_judge::record::{TestFigures, tests_of};
use rusqlite::{Connection, OptionalExtension, params};

use super::sql::{self, prepare};
use super::{Trouble, blob, digest, read};
use crate::StoreError;
use crate::error::check_id;

/// Saves `report`, within a transaction. Unchanged steps are not rewritten.
pub fn report(connection: &Connection, report: &Report, now_ms: i64) -> Result<(), Trouble> {
    check_id(&report.id)?;
    let run = listed(connection, report, now_ms)?;
    let digests: HashMap<i64, i64> = prepare(connection, sql::STEP_DIGESTS)?
        .query_map([run], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (number, step) in report.steps.iter().enumerate() {
        let number = number as i64;
        let json = with_english(english, || step_line(step)).into_bytes();
        if json.len() > blob::LEN_BYTES_MAX {
            let (id, step) = (&report.id, &step.step.id);
            return Err(StoreError::Failed(message!("store-step-too-long", id, step)).into());
        }
        let digest = digest::hash_step(&report.id, number, &json);
        if digests.get(&number) == Some(&digest) {
            continue;
        }
        prepare(connection, sql::UPSERT_STEP)?.execute(params![run, number, digest, blob::press(&json)])?;
        tests(connection, run, number, (step, report))?;
    }
    if digests.len() > report.steps.len() {
        for statement in [sql::DELETE_STEPS_FROM, sql::DELETE_TESTS_FROM, sql::DELETE_FIGURES_FROM] {
            prepare(connection, statement)?.execute(params![run, report.steps.len() as i64])?;
        }
    }
    head(connection, run, report)
}

/// Deletes a Report, within a transaction; `false` if there is none.
pub fn remove(connection: &Connection, id: &str) -> Result<bool, Trouble> {
    let run: Option<i64> =
        prepare(connection, sql::RUN_NUMBER)?.query_row([id], |row| row.get(0)).optional()?;
    let Some(run) = run else { return Ok(false) };
    for statement in [sql::DELETE_STEPS_FROM, sql::DELETE_TESTS_FROM, sql::DELETE_FIGURES_FROM] {
        prepare(connection, statement)?.execute(params![run, 0])?;
    }
    for statement in [sql::DELETE_TAGS, sql::DELETE_DRIVES, sql::DELETE_HEAD, sql::DELETE_RUN] {
        prepare(connection, statement)?.execute([run])?;
    }
    Ok(true)
}

/// Writes what lists show and search. Returns the run's number.
fn listed(connection: &Connection, report: &Report, now_ms: i64) -> Result<i64, Trouble> {
    let summary = RunSummary::from_report(report);
    let started_ms = clamped(summary.started_unix_ms);
    let state = word_of(&summary.state);
    // The sort key as first saved.
    let known_ms: Option<i64> =
        prepare(connection, sql::SORTED)?.query_row([&report.id], |row| row.get(0)).optional()?;
    let sorted_ms = known_ms.unwrap_or(if started_ms > 0 { started_ms } else { now_ms });
    let all = params![
        summary.id.as_str(),
        started_ms,
        sorted_ms,
        summary.suite.as_str(),
        state,
        summary.label.as_deref(),
        summary.host.as_deref(),
        summary.path.as_str(),
        summary.models.as_str(),
        summary.drive_ids.as_str(),
        summary.tags.as_str(),
        summary.capacity_bytes.map(clamped),
        summary.steps as i64,
    ];
    let (run, digest): (i64, u32) = prepare(connection, sql::UPSERT_RUN)?
        .query_row(all, |row| Ok((row.get(14)?, read::digest_of_run(row)?)))?;
    prepare(connection, sql::SET_RUN_DIGEST)?.execute(params![run, digest])?;
    prepare(connection, sql::DELETE_TAGS)?.execute([run])?;
    prepare(connection, sql::DELETE_DRIVES)?.execute([run])?;
    for (name, value) in summary.tags.iter() {
        prepare(connection, sql::INSERT_TAG)?.execute(params![run, name, value])?;
    }
    for name in summary.drive_ids.iter().chain(&summary.models) {
        prepare(connection, sql::INSERT_DRIVE)?.execute(params![run, name.to_ascii_lowercase()])?;
    }
    Ok(run)
}

/// Writes the large columns except the steps, once the tests are written.
fn head(connection: &Connection, run: i64, report: &Report) -> Result<(), Trouble> {
    let facts = serde_json::to_string(&facts::collect(report)).expect("facts are plain data");
    let measurements = serde_json::to_string(&report.measurements).expect("measurements are plain data");
    let body = blob::press(with_english(english, || report_line(&without_steps(report))).as_bytes());
    let all = params![run, facts, measurements, body, report.steps.len() as i64];
    prepare(connection, sql::UPSERT_HEAD)?.execute(all)?;
    let digest = read::digest_of_figures(connection, &report.id)?;
    prepare(connection, sql::SET_HEAD_DIGEST)?.execute(params![run, digest])?;
    Ok(())
}

fn without_steps(report: &Report) -> Report {
    Report {
        steps: Vec::new(),
        id: report.id.clone(),
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

fn tests(
    connection: &Connection,
    run: i64,
    step: i64,
    (result, report): (&StepResult, &Report),
) -> Result<(), Trouble> {
    prepare(connection, sql::DELETE_TESTS)?.execute(params![run, step])?;
    prepare(connection, sql::DELETE_FIGURES)?.execute(params![run, step])?;
    if result.step.role != StepRole::Measure || !tries::counts(&report.steps, result) {
        return Ok(());
    }
    for (part, test) in tests_of(result).iter().enumerate() {
        let TestFigures { test: id, title, method, figures, .. } = test;
        let title =
            with_english(english, || serde_json::to_string(title)).expect("a Message has a form in JSON");
        let method = serde_json::to_string(method).expect("a method has a form in JSON");
        let place = [run, step, part as i64];
        // NaN is not a figure, and databases do not store it.
        let figures = figures.iter().filter(|figure| figure.estimate.value.is_finite());
        for (number, figure) in figures.enumerate() {
            self::figure(connection, place, number as i64, figure)?;
        }
        let all = params![run, step, part as i64, id, title, method];
        prepare(connection, sql::INSERT_TEST)?.execute(all)?;
    }
    Ok(())
}

fn figure(
    connection: &Connection,
    [run, step, part]: [i64; 3],
    number: i64,
    figure: &Figure,
) -> Result<(), Trouble> {
    let Figure { direction, quantity, estimate, window_ns, doubt } = figure;
    let doubt = doubt.as_ref().map(|doubt| serde_json::to_string(doubt).expect("a doubt is plain data"));
    prepare(connection, sql::INSERT_FIGURE)?.execute(params![
        run,
        step,
        part,
        number,
        direction.map(|direction| direction.name()),
        quantity.name(),
        estimate.value,
        clamped(estimate.n),
        estimate.n_effective,
        estimate.low,
        estimate.high,
        window_ns.map(clamped),
        doubt,
    ])?;
    Ok(())
}

/// Databases count to 2^63 - 1. The stored Report has the exact number.
fn clamped(number: u64) -> i64 {
    number.min(i64::MAX as u64) as i64
}
