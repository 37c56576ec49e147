//! A whole checkup: figures, verdicts, notes.

use cardiograph_core::report::{ReportState, StepOutcome, StepResult, StepRole};
use cardiograph_core::text::unique;
use cardiograph_core::{Direction, Report};

use super::layout::{Page, Style, listed, plain, said, width};
use super::{claims, counters, imported, precision, sustained, table, tables, traps, verdicts, words};
use crate::lang::Lang;

/// A checkup as it is shown when it is over: the results, what they mean, and what a reader should know.
pub fn report(report: &Report, style: &Style) -> String {
    let mut page = Page::new(style);
    write_title(&mut page, report);
    imported::write_source(&mut page, report);
    table::write(&mut page, report);
    page.gap();
    imported::write_windows(&mut page, report);
    sustained::write(&mut page, report);
    counters::sentences(report).iter().for_each(|sentence| page.paragraph(sentence));
    precision::write(&mut page, report);
    tables::write_all(&mut page, &report.tables);
    claims::write(&mut page, &report.claims);
    verdicts::write(&mut page, &report.verdicts, &report.not_judged);
    traps::write(&mut page, &report.traps, Lang::En);
    page.section("Notes", &notes(report), Page::quiet_prose);
    page.section("Not finished", &all_unfinished(report), Page::prose);
    page.into_text()
}

/// What a Report is of: its label, and the drive as it was seen, or of what was imported as its source calls it.
pub(crate) fn subject_words(report: &Report) -> String {
    let label = report.label.as_ref().map(|label| format!("{}: ", plain(label)));
    let told = match &report.source {
        None => words::drive(&report.drive),
        Some(_) => imported::drive(report).unwrap_or_else(|| "drive not told".to_string()),
    };
    format!("{}{told}", label.unwrap_or_default())
}

/// The program that measured; of what was imported, the one that did that: another one measured.
pub(crate) fn made_by(report: &Report, lang: Lang) -> String {
    let program = plain(&report.program);
    match (&report.source, lang) {
        (None, _) => program,
        (Some(_), Lang::En) => format!("imported by {program}"),
        (Some(_), Lang::Ja) => format!("{program} で取り込み"),
    }
}

/// What its user noted of it, as it is searched for: `board=Pi 5`.
pub(crate) fn tags(report: &Report) -> impl Iterator<Item = String> {
    report.tags.iter().map(|(name, value)| format!("{}={}", plain(name), plain(value)))
}

/// Its suite, what became of it where it has no regular end, and when it began.
pub(crate) fn run_words(report: &Report, lang: Lang) -> Vec<String> {
    let suite = format!("{} {}", lang.pick("suite", "スイート"), plain(&report.suite));
    let state = words::state(report.state).map(str::to_string);
    [Some(suite), state, crate::doc::when(report.started_unix_ms)].into_iter().flatten().collect()
}

fn write_title(page: &mut Page, report: &Report) {
    let drive = subject_words(report);
    let program = report.source.as_ref().map_or(&report.program, |source| &source.program);
    let parts = run_words(report, Lang::En).into_iter().chain([plain(program)]).chain(tags(report));
    let run = parts.collect::<Vec<_>>().join(", ");
    if width(&drive) + 2 + width(&run) <= page.style().width {
        page.quiet_prose(&format!("{drive}  "), &run);
    } else {
        page.prose("", &drive);
        page.quiet_prose("", &run);
    }
}

/// What a reader should know: the Report's notes, and how long its steps were and why. What an engine did otherwise than asked is
/// among the notes already.
pub(crate) fn notes(report: &Report) -> Vec<String> {
    let sizes =
        report.steps.iter().flat_map(|step| &step.step.sizing).map(|sentence| said(sentence, Lang::En));
    let sizes: Vec<String> = unique(sizes.chain(ended_by_size(&report.steps)));
    let notes = report.notes.iter().map(|note| said(note, Lang::En));
    unique(notes.chain((!sizes.is_empty()).then(|| sizes.join(" "))))
}

/// How writing went on over time, and what the kernel counted otherwise: a paragraph each.
pub(crate) fn paragraphs(report: &Report) -> Vec<String> {
    let sustained = sustained::told(report).into_iter().map(|told| told.text);
    sustained.chain(counters::sentences(report)).collect()
}

/// Which of the steps that end by time or by size, whichever comes first, ended by size, in a sentence.
fn ended_by_size(steps: &[StepResult]) -> Option<String> {
    let ended = steps.iter().filter(|step| {
        step.step.role == StepRole::Measure
            && step.outcome == StepOutcome::Done
            && step.step.write_bytes_max > 0
    });
    let ended = ended.filter_map(|step| {
        let writes = step.figures.as_ref()?.direction(Direction::Write)?;
        let in_time = step.step.time_ns_max.is_some_and(|max_ns| writes.runtime_ns < max_ns);
        (in_time && writes.bytes >= step.step.write_bytes_max).then(|| words::short_title(&step.step))
    });
    let ended: Vec<String> = unique(ended);
    (!ended.is_empty()).then(|| format!("Ended by size, not by time: {}.", listed(&ended)))
}

/// What was not done as planned, in sentences.
pub(crate) fn all_unfinished(report: &Report) -> Vec<String> {
    let whole = match report.state {
        ReportState::Finished => None,
        ReportState::Running => Some("The checkup has no end: it was killed, or it still runs."),
        ReportState::Interrupted => Some("The checkup was ended early: what is not above was not measured."),
        ReportState::Failed => Some("The checkup could not go on: what is not above was not measured."),
    };
    report.steps.iter().filter_map(unfinished).chain(whole.map(str::to_string)).collect()
}

fn unfinished(step: &StepResult) -> Option<String> {
    let partly = step.figures.as_ref().is_some_and(|figures| !figures.directions.is_empty());
    let rest = if partly { "; its figures are of the time until then" } else { "" };
    let outcome = match &step.outcome {
        StepOutcome::Done => return None,
        StepOutcome::Interrupted => format!("interrupted{rest}."),
        StepOutcome::Failed { message } => {
            format!("failed{rest}: {}.", said(message, Lang::En).trim_end_matches('.'))
        }
        StepOutcome::Hung => format!("the drive stopped answering{rest}."),
    };
    Some(format!("{}: {outcome}", said(&step.step.title, Lang::En)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn a_step_that_ended_by_size_is_named() {
        let mut steps = samples::card().steps;
        // The sample's bound is what each step wrote; most took longer than the time that they are given here.
        steps.iter_mut().for_each(|step| step.step.time_ns_max = Some(1));
        assert_eq!(ended_by_size(&steps), None);
        steps.iter_mut().for_each(|step| step.step.time_ns_max = Some(u64::MAX));
        let expected = "Random write 4K QD1, Durable write 4K and Sustained write 1M";
        assert_eq!(ended_by_size(&steps), Some(format!("Ended by size, not by time: {expected}.")));
        steps[4].step.write_bytes_max += 1;
        steps[5].outcome = StepOutcome::Interrupted;
        steps[6].step.time_ns_max = None;
        assert_eq!(ended_by_size(&steps), None);
    }
}
