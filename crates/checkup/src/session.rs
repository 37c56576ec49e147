//! Runs a suite: asks it for the next step, has it done, and keeps what came out after each step.

use std::sync::Arc;

use cardiograph_core::claim::ClaimOutcome;
use cardiograph_core::drive::DriveHealth;
use cardiograph_core::report::{ReportState, StepOutcome, StepResult};
use cardiograph_core::words::engine::engine_note;
use cardiograph_core::{Message, NS_PER_MS, Report, message};
use cardiograph_judge::standing::standings;
use cardiograph_judge::trust::{self, Evidence};
use cardiograph_judge::{doubt, purposes};
use cardiograph_suites::{Context, NextStep, Options, Suite};

use crate::failure::Failure;
use crate::keeper::{Keeper, save_in_time};
use crate::messages::{self, Fate};
use crate::runner::{Caller, Kept, RunEnd, Runner, StepRun, is_over, without_result};
use crate::signals::Signals;
use crate::sink::Event;

/// Length of the windows of all series, in nanoseconds: fine enough to place a fall-off, and a divisor of the windows
/// that are quoted.
pub const WINDOW_NS: u64 = 100 * NS_PER_MS;

/// What a checkup needs.
pub struct Session<'a> {
    /// What runs its steps.
    pub runner: &'a mut dyn Runner,
    /// The suite.
    pub suite: &'static dyn Suite,
    /// What the user asked of it.
    pub options: Options,
    /// Who receives what happens, and what may end it.
    pub caller: Caller<'a>,
    /// Where it is kept.
    pub keeper: Arc<dyn Keeper>,
}

/// How a checkup ended, beside its Report.
#[derive(Debug, Default)]
pub struct Ending {
    /// Why it ended early, for the user; empty where it did not.
    pub messages: Vec<Message>,
    /// Whether workers are still held by the kernel.
    pub is_hung: bool,
    /// Why the Report could not be kept.
    pub not_kept: Option<Message>,
    /// What stays on the drive for the next checkup.
    pub parts: Kept,
    /// Whether a device does not hold what it held, though nothing says that it cannot.
    pub is_not_put_back: bool,
}

impl Session<'_> {
    /// Runs the suite to its end, and fills the Report.
    ///
    /// # Errors
    /// When not even the first step could begin.
    pub fn run(&mut self, report: &mut Report) -> Result<Ending, Failure> {
        let mut ending = Ending::default();
        self.keeper.begin(report)?;
        while let Some(next) = self.next_step(report) {
            if is_over(self.options.max_time_ns, self.runner.elapsed_ns(), self.caller.signals) {
                report.state = ReportState::Interrupted;
                break;
            }
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
            result.standings = standings(&result, &report.drive, &report.environment);
            doubt::settle(&mut result, &report.drive, !self.options.direct);
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

    /// Has the drive restored, and takes what became of it into the Report.
    fn leave(&mut self, report: &mut Report, ending: &mut Ending) {
        let end = RunEnd {
            is_interrupted: report.state == ReportState::Interrupted,
            is_fake: report.claims.iter().any(|claim| claim.outcome == ClaimOutcome::Broken),
        };
        let left = self.runner.leave_drive(end, self.caller);
        report.notes.extend(left.notes);
        ending.is_not_put_back = !left.not_restored.is_empty();
        if ending.messages.is_empty() {
            ending.messages = left.not_restored;
        }
        ending.parts = left.parts;
    }

    /// What was exported before a first step that could not begin must not look as if the checkup still ran.
    fn leave_no_beginning(&self, report: &mut Report) {
        report.state = ReportState::Failed;
        // There is already an error to report.
        let _ = self.keeper.begin(report);
    }

    fn context<'b>(&'b self, report: &'b Report) -> Context<'b> {
        Context { drive: &report.drive, environment: &report.environment, options: &self.options }
    }

    fn next_step(&self, report: &Report) -> Option<NextStep> {
        self.suite.next(&self.context(report), &report.steps)
    }

    fn judge(&self, report: &mut Report) {
        look_for_traps(report);
        let measurements = self.suite.measure(&self.context(report), &report.steps);
        report.verdicts = self.suite.judge(&self.context(report), &measurements);
        report.not_judged = purposes::left_out(&report.verdicts, &measurements);
        report.claims = self.suite.claims(&self.context(report), &report.steps);
        report.tables = self.suite.tables(&self.context(report), &report.steps);
        report.measurements = measurements;
    }

    /// Adds a step's result to the Report, and says how it went.
    fn take_in(&self, result: StepResult, report: &mut Report, ending: &mut Ending) {
        match &result.outcome {
            StepOutcome::Done | StepOutcome::Interrupted => {}
            StepOutcome::Failed { message } => {
                if ending.messages.is_empty() {
                    let (step, error) = (result.step.title.clone(), message.clone());
                    ending.messages.push(message!("step-failed", step = step, error = error));
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
        take_in(result, report);
        self.judge(report);
    }

    fn keep(&self, report: &Report, ending: &mut Ending) {
        let kept = if ending.is_hung { save_in_time(&self.keeper, report) } else { self.keeper.save(report) };
        ending.not_kept = kept.err().map(Failure::into_message);
    }
}

/// How the drives are, asked once more. Who ended the checkup by a signal is not kept waiting.
pub fn asked_again(signals: &Signals, health: impl FnOnce() -> Vec<DriveHealth>) -> Vec<DriveHealth> {
    if signals.received().is_none() { health() } else { Vec::new() }
}

/// Looks for all traps in what is known so far.
pub fn look_for_traps(report: &mut Report) {
    report.traps = trust::panel(&Evidence {
        drive: &report.drive,
        host: &report.host,
        environment: &report.environment,
        steps: &report.steps,
        health_after: &report.health_after,
    });
}

/// Adds a step's result to the Report, with what the engine noted in it, each note once for the whole Report, and what its end
/// means for that of the Report.
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
