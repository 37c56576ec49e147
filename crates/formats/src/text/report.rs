//! A whole checkup: figures, verdicts, notes.

use cardiograph_core::Report;
use cardiograph_core::report::{ReportState, StepOutcome, StepResult};
use time::OffsetDateTime;

use super::layout::{Page, Style, plain};
use super::{counters, sustained, table, verdicts, words};

/// A checkup as it is shown when it is over: the results, what they mean, and what a reader should know.
pub fn report(report: &Report, style: &Style) -> String {
    let mut page = Page::new(style);
    write_title(&mut page, report);
    table::write(&mut page, report);
    sustained::write(&mut page, report);
    counters::write(&mut page, report);
    verdicts::write(&mut page, &report.verdicts);
    write_notes(&mut page, report);
    write_unfinished(&mut page, report);
    page.into_text()
}

fn write_title(page: &mut Page, report: &Report) {
    let label = report.label.as_ref().map(|label| format!("{}: ", plain(label)));
    page.prose("", &format!("{}{}", label.unwrap_or_default(), words::drive(&report.drive)));
    let suite = format!("suite {}", plain(&report.suite));
    let state = words::state(report.state).map(str::to_string);
    let parts = [Some(suite), state, began(report), Some(plain(&report.program))];
    page.quiet_prose("", &parts.into_iter().flatten().collect::<Vec<_>>().join(", "));
}

/// When it began, in UTC: the Report does not know where its reader is. A simulated checkup has no date.
fn began(report: &Report) -> Option<String> {
    let seconds = i64::try_from(report.started_unix_ms / 1_000).ok().filter(|&seconds| seconds > 0)?;
    let began = OffsetDateTime::from_unix_timestamp(seconds).ok()?;
    let (year, month, day) = began.to_calendar_date();
    Some(format!("{year}-{:02}-{day:02} {:02}:{:02} UTC", u8::from(month), began.hour(), began.minute()))
}

fn write_notes(page: &mut Page, report: &Report) {
    let mut notes: Vec<String> = Vec::new();
    let mut add = |note: String| {
        if !notes.contains(&note) {
            notes.push(note);
        }
    };
    report.notes.iter().for_each(|note| add(plain(note)));
    for step in &report.steps {
        for sentence in &step.step.sizing {
            add(format!("{}: {}", plain(&step.step.title), plain(sentence)));
        }
        for note in step.result.iter().flat_map(|result| &result.notes) {
            add(plain(&words::engine_note(note)));
        }
    }
    if notes.is_empty() {
        return;
    }
    page.head("Notes");
    notes.iter().for_each(|note| page.quiet_prose("  ", note));
}

fn write_unfinished(page: &mut Page, report: &Report) {
    let whole = match report.state {
        ReportState::Finished => None,
        ReportState::Running => Some("The checkup has no end: it was killed, or it still runs."),
        ReportState::Interrupted => Some("The checkup was ended early: what is not above was not measured."),
        ReportState::Failed => Some("The checkup could not go on: what is not above was not measured."),
    };
    let steps: Vec<String> = report.steps.iter().filter_map(unfinished).collect();
    if whole.is_none() && steps.is_empty() {
        return;
    }
    page.head("Not finished");
    steps.iter().for_each(|step| page.prose("  ", step));
    whole.into_iter().for_each(|whole| page.prose("  ", whole));
}

fn unfinished(step: &StepResult) -> Option<String> {
    let partly = step.figures.as_ref().is_some_and(|figures| !figures.directions.is_empty());
    let rest = if partly { "; its figures are of the time until then" } else { "" };
    let outcome = match &step.outcome {
        StepOutcome::Done => return None,
        StepOutcome::Interrupted => format!("interrupted{rest}."),
        StepOutcome::Failed { message } => {
            format!("failed{rest}: {}.", plain(message).trim_end_matches('.'))
        }
        StepOutcome::Hung => format!("the drive stopped answering{rest}."),
    };
    Some(format!("{}: {outcome}", plain(&step.step.title)))
}
