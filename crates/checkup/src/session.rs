//! Runs a suite: asks it for the next step, runs it, and saves the results after each step.

use std::sync::Arc;

use cardiograph_core::claim::ClaimOutcome;
use cardiograph_core::drive::DriveHealth;
use cardiograph_core::report::{ReportState, Step, StepOutcome, StepResult};
use cardiograph_core::trust::Weight;
use cardiograph_core::words::engine::engine_note;
use cardiograph_core::{Message, NS_PER_MS, Report, message};
use cardiograph_judge::purpose::Purpose;
use cardiograph_judge::standing::standings;
use cardiograph_judge::trust::{self, Evidence};
use cardiograph_judge::{doubt, purposes};
use cardiograph_suites::{Board, Context, NextStep, Options, Outline, Suite};

use crate::failure::Failure;
use crate::keeper::{Keeper, save_with_timeout};
use crate::messages::{self, Fate};
use crate::runner::{Caller, Kept, RunEnd, Runner, StepRun, is_over, without_result};
use crate::signals::Signals;
use crate::sink::{Event, Sink, Stage, Subject, TimeLeft};

/// Window length of all series, in nanoseconds: fine enough to locate a falloff, and a divisor of the quoted
/// windows.
pub const WINDOW_NS: u64 = 100 * NS_PER_MS;

/// What a checkup needs.
pub struct Session<'a> {
    /// Runs its steps.
    pub runner: &'a mut dyn Runner,
    /// The suite.
    pub suite: &'static dyn Suite,
    /// The user's options.
    pub options: Options,
    /// The purposes to judge.
    pub purposes: &'a [Purpose],
    /// Receives events, and may stop it.
    pub caller: Caller<'a>,
    /// Saves the Report.
    pub keeper: Arc<dyn Keeper>,
}

/// How a checkup ended, besides its Report.
#[derive(Debug, Default)]
pub struct Ending {
    /// Why it ended early, for the user; empty if it did not.
    pub messages: Vec<Message>,
    /// Whether workers are still stuck in the kernel.
    pub is_hung: bool,
    /// Why the Report could not be saved.
    pub not_kept: Option<Message>,
    /// What remains on the drive for the next checkup.
    pub parts: Kept,
    /// Whether a device was not restored, though it should have been possible.
    pub is_not_restored: bool,
}

impl Session<'_> {
    /// Runs the suite to its end, and fills the Report.
    ///
    /// # Errors
    /// When not even the first step could begin.
    pub fn run(&mut self, report: &mut Report) -> Result<Ending, Failure> {
        let mut ending = Ending::default();
        self.keeper.begin(report)?;
        let outline = self.suite.outline(&self.context(report));
        self.announce(report, &outline);
        while let Some(next) = self.decide(report, &mut ending) {
            let stage = self.stage(report, &outline, &next.step);
            self.caller.sink.event(Event::Stage(Box::new(stage)));
            let mut result = match self.runner.run_step(report.steps.len() as u64, next.clone(), self.caller)
            {
                Ok(StepRun { result, note }) => {
                    report.notes.extend(note);
                    result
                }
                Err(failure) if report.steps.is_empty() => {
                    self.leave(report, &mut ending);
                    let troubles = ending.messages.iter().cloned().map(Event::Trouble);
                    troubles.for_each(|trouble| self.caller.sink.event(trouble));
                    self.leave_no_beginning(report);
                    return Err(failure);
                }
                Err(failure) => {
                    let message = failure.into_message();
                    ending.messages = vec![message.clone()];
                    without_result(next.step, StepOutcome::Failed { message })
                }
            };
            settle(&mut result, report, !self.options.direct);
            self.take_in(result, report, &mut ending);
            self.keep(report, &mut ending);
        }
        if report.state == ReportState::Running {
            report.state = ReportState::Finished;
        }
        self.leave(report, &mut ending);
        if !ending.is_hung {
            report.health_after = asked_again(self.caller.signals, || self.runner.read_health(self.caller));
        }
        self.judge(report);
        self.keep(report, &mut ending);
        Ok(ending)
    }

    /// Restores the drive, and adds the result to the Report.
    fn leave(&mut self, report: &mut Report, ending: &mut Ending) {
        let end = RunEnd {
            is_interrupted: report.state == ReportState::Interrupted,
            is_fake: report.claims.iter().any(|claim| claim.outcome == ClaimOutcome::Broken),
        };
        let left = self.runner.leave_drive(end, self.caller);
        report.notes.extend(left.notes);
        ending.is_not_restored = !left.not_restored.is_empty();
        if ending.messages.is_empty() {
            ending.messages = left.not_restored;
        }
        ending.parts = left.parts;
    }

    /// A Report exported before a first step that could not begin must not look like a running checkup.
    fn leave_no_beginning(&self, report: &mut Report) {
        report.state = ReportState::Failed;
        // There is already an error to report.
        let _ = self.keeper.begin(report);
    }

    /// Reports the subject, and problems that are known before the first step.
    fn announce(&self, report: &mut Report, outline: &Outline) {
        let subject = Subject {
            drive: report.drive.clone(),
            suite: report.suite.clone(),
            write_bytes_max: Some(outline.write_bytes_max),
        };
        self.caller.sink.event(Event::Subject(Box::new(subject)));
        look_for_traps(report, self.caller.sink);
    }

    /// Where the checkup is before the step `next`.
    fn stage(&self, report: &Report, outline: &Outline, next: &Step) -> Stage {
        let (done, elapsed_ns) = (&report.steps, self.runner.elapsed_ns());
        let number = done.len() + 1;
        let wants_board = self.caller.sink.wants_latency();
        let board = wants_board.then(|| self.suite.board(&self.context(report), done, next)).flatten();
        // A search for a number of cameras ends when it is found.
        let is_search = matches!(board, Some(Board::Cameras { .. }));
        let count = Some(outline.steps.len()).filter(|&count| number <= count && !is_search);
        let limit_ns = self.options.max_time_ns.map(|max_ns| max_ns.saturating_sub(elapsed_ns));
        let left = time_left((outline.time_ns_max, limit_ns), count, done, next);
        let written_bytes = done.iter().map(StepResult::written_bytes).fold(0, u64::saturating_add);
        let title = next.title.clone();
        Stage { title, number, count, elapsed_ns, left, written_bytes, board }
    }

    fn context<'b>(&'b self, report: &'b Report) -> Context<'b> {
        Context { drive: &report.drive, environment: &report.environment, options: &self.options }
    }

    fn next_step(&self, report: &Report) -> Option<NextStep> {
        self.suite.next(&self.context(report), &report.steps)
    }

    /// The step to do, if the checkup goes on.
    fn decide(&mut self, report: &mut Report, ending: &mut Ending) -> Option<NextStep> {
        let next = self.next_step(report);
        let is_over = is_over(self.options.max_time_ns, self.runner.elapsed_ns(), self.caller.signals);
        match self.runner.decide(next, is_over) {
            Ok((Some(_), true)) => report.state = ReportState::Interrupted,
            Ok((next, _)) => return next,
            Err(failure) => {
                report.state = ReportState::Failed;
                ending.messages.push(failure.into_message());
            }
        }
        None
    }

    fn judge(&self, report: &mut Report) {
        look_for_traps(report, self.caller.sink);
        let measurements = self.suite.measure(&self.context(report), &report.steps);
        let all = self.purposes;
        report.verdicts = self.suite.judge(&self.context(report), &measurements, all);
        report.not_judged = purposes::left_out(all, &report.verdicts, &measurements);
        report.claims = self.suite.claims(&self.context(report), &report.steps);
        report.tables = self.suite.tables(&self.context(report), &report.steps);
        report.measurements = measurements;
    }

    /// Adds a step's result to the Report, and reports it.
    fn take_in(&self, result: StepResult, report: &mut Report, ending: &mut Ending) {
        match &result.outcome {
            StepOutcome::Done | StepOutcome::Interrupted => {}
            StepOutcome::Failed { message } => {
                if ending.messages.is_empty() {
                    let (step, error) = (result.step.title.clone(), message.clone());
                    ending.messages.push(message!("step-failed", step, error));
                }
            }
            StepOutcome::Hung => {
                ending.is_hung = true;
                let is_simulated = report.drive.simulated;
                let threads = result.result.as_ref().map_or(1, messages::held_threads);
                ending.messages = vec![messages::hung(threads, Fate::Saved, is_simulated)];
            }
        }
        self.caller.sink.step_ended(&result);
        report_temperatures(&result, self.caller.sink);
        take_in(result, report);
        self.judge(report);
    }

    fn keep(&self, report: &Report, ending: &mut Ending) {
        let kept =
            if ending.is_hung { save_with_timeout(&self.keeper, report) } else { self.keeper.save(report) };
        ending.not_kept = kept.err().map(Failure::into_message);
    }
}

/// Health of the drives, queried again, but not after the user ended the checkup by a signal.
pub fn asked_again(signals: &Signals, health: impl FnOnce() -> Vec<DriveHealth>) -> Vec<DriveHealth> {
    if signals.received().is_none() { health() } else { Vec::new() }
}

/// Time left for the step `next` and all later ones, if all steps together take at most `planned_ns`, and the checkup ends
/// after `limit_ns`.
fn time_left(
    (planned_ns, limit_ns): (Option<u64>, Option<u64>),
    count: Option<usize>,
    done: &[StepResult],
    next: &Step,
) -> TimeLeft {
    let planned_ns = planned_ns.map(|planned_ns| {
        let of_done = done.iter().filter_map(|step| step.step.time_ns_max).fold(0, u64::saturating_add);
        // Steps that end by precision get the time that others left.
        planned_ns.saturating_sub(of_done).max(next.time_ns_max.unwrap_or(0))
    });
    match (planned_ns.into_iter().chain(limit_ns).min(), count) {
        (Some(left_ns), _) => TimeLeft::AtMost(left_ns),
        (None, Some(count)) if !done.is_empty() => {
            let taken_ns = done.iter().map(StepResult::duration_ns).fold(0, u64::saturating_add);
            TimeLeft::About(taken_ns / done.len() as u64 * (count - done.len()) as u64)
        }
        (None, _) => TimeLeft::Unknown,
    }
}

/// Reports the drives' temperatures after a step.
pub fn report_temperatures(result: &StepResult, sink: &dyn Sink) {
    let after = result.conditions.iter().flat_map(|conditions| &conditions.after.temperatures);
    after.for_each(|temperature| sink.event(Event::Temperature(temperature.clone())));
}

/// Checks for all traps with the data so far, and reports those that distort figures when they are new.
pub fn look_for_traps(report: &mut Report, sink: &dyn Sink) {
    let known: Vec<String> = warnings(report).map(|(trap, _)| trap.clone()).collect();
    report.traps = trust::panel(&Evidence {
        drive: &report.drive,
        host: &report.host,
        environment: &report.environment,
        steps: &report.steps,
        health_after: &report.health_after,
    });
    let new = warnings(report).filter(|(trap, _)| !known.contains(trap));
    new.for_each(|(_, seen)| sink.event(Event::Warning(seen.clone())));
}

/// Traps that distort figures, with their first sentence.
fn warnings(report: &Report) -> impl Iterator<Item = (&String, &Message)> {
    report.traps.iter().filter_map(|check| {
        let warning = check.outcome.warning().filter(|warning| warning.weight > Weight::Note)?;
        Some((&check.trap, warning.seen.first().unwrap_or(&check.title)))
    })
}

/// Decides how far the figures of a step of a Report can be trusted; see [`doubt::settle`].
pub fn settle(result: &mut StepResult, report: &Report, asked_buffered: bool) {
    result.standings = standings(result, &report.drive, &report.environment);
    doubt::settle(result, &report.drive, asked_buffered);
}

/// Adds a step's result to the Report, with the engine's notes, each once per Report, and updates the
/// Report's state.
pub fn take_in(result: StepResult, report: &mut Report) {
    match &result.outcome {
        StepOutcome::Done => {}
        StepOutcome::Interrupted => report.state = ReportState::Interrupted,
        StepOutcome::Failed { .. } | StepOutcome::Hung => report.state = ReportState::Failed,
    }
    for note in result.result.iter().flat_map(|result| &result.notes) {
        let note = engine_note(note);
        if !report.notes.contains(&note) {
            report.notes.push(note);
        }
    }
    report.steps.push(result);
}

#[cfg(test)]
mod tests;
