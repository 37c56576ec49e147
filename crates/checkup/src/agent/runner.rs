//! The Runner on a real drive, by an Agent.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use cardiograph_core::drive::DriveHealth;
use cardiograph_core::figures::StepFigures;
use cardiograph_core::report::{StepOutcome, StepResult};
use cardiograph_engine::fill_files::FillSet;
use cardiograph_fio::fio_command;
use cardiograph_suites::NextStep;

use super::child::{CallError, Child, Loss};
use super::so_far::SoFar;
use crate::cleaned::Cleaned;
use crate::failure::Failure;
use crate::messages;
use crate::runner::{
    Begun, Caller, DriveLeft, Looked, Opened, RunEnd, Runner, StepRun, TargetSpec, Terms, Wanted,
};
use crate::sink::{Began, Event};
use crate::wire::Call;

/// Runs a checkup's steps on the drive in an Agent.
#[derive(Debug)]
pub struct AgentRunner {
    child: Rc<RefCell<Child>>,
    spec: TargetSpec,
    began: Instant,
}

impl AgentRunner {
    /// Starts an Agent, and has it open a target. Nothing is written yet.
    ///
    /// # Errors
    /// When no process can be started, the target cannot be used, or consent is missing.
    pub fn open(spec: &TargetSpec, caller: Caller<'_>) -> Result<(Self, Opened), Failure> {
        Self::open_by(Rc::new(RefCell::new(Child::start(spec.path.clone())?)), spec, caller)
    }

    /// The same with an existing Agent.
    pub(super) fn open_by(
        child: Rc<RefCell<Child>>,
        spec: &TargetSpec,
        caller: Caller<'_>,
    ) -> Result<(Self, Opened), Failure> {
        let opened = child.borrow_mut().ask(Call::Open(spec.clone()), caller)?;
        Ok((Self { child, spec: spec.clone(), began: Instant::now() }, opened))
    }

    /// A call whose only messages are events.
    fn call<T: serde::de::DeserializeOwned>(&mut self, call: Call, caller: Caller<'_>) -> Result<T, Failure> {
        Ok(self.child.borrow_mut().ask(call, caller)?)
    }

    /// The same for calls whose failure is only reported.
    fn try_call<T: serde::de::DeserializeOwned + Default>(&mut self, call: Call, caller: Caller<'_>) -> T {
        match self.child.borrow_mut().ask(call, caller) {
            Ok(answer) => answer,
            Err(error) => {
                // A lost Agent was reported when it was noticed.
                if let CallError::Failed(failure) = error {
                    caller.sink.event(Event::Trouble(failure.into_message()));
                }
                T::default()
            }
        }
    }
}

impl Runner for AgentRunner {
    fn look(&mut self, caller: Caller<'_>) -> Result<Looked, Failure> {
        self.call(Call::Look, caller)
    }

    fn make_ready(&mut self, wanted: &Wanted, caller: Caller<'_>) -> Result<(), Failure> {
        self.call(Call::MakeReady(wanted.clone()), caller)
    }

    fn begin(&mut self, terms: Terms, caller: Caller<'_>) -> Result<Begun, Failure> {
        let begun = self.call(Call::Begin(terms), caller);
        self.began = Instant::now();
        begun
    }

    fn elapsed_ns(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn run_step(&mut self, nth: u64, next: NextStep, caller: Caller<'_>) -> Result<StepRun, Failure> {
        let mut so_far = SoFar::default();
        let (wants_latency, starts_together) = (caller.sink.wants_latency(), caller.sink.starts_together());
        let call = Call::Step { nth, next: next.clone(), wants_latency, starts_together };
        let run = self.child.borrow_mut().call(call, caller, &mut |heard| {
            so_far.hear(heard);
            false
        });
        match run {
            Ok(run) => {
                let run: StepRun = run;
                if run.result.outcome == StepOutcome::Hung {
                    // It could only wait, too.
                    self.child.borrow_mut().give_up();
                }
                Ok(run)
            }
            Err(CallError::Failed(failure)) => Err(failure),
            Err(CallError::Lost(loss)) => {
                Ok(StepRun { result: step_result(so_far, next, &loss), note: None })
            }
        }
    }

    fn leave_drive(&mut self, end: RunEnd, caller: Caller<'_>) -> DriveLeft {
        let mut left: DriveLeft = self.try_call(Call::Leave(end), caller);
        // It is gone, or was asked to leave the drive alone.
        left.notes.extend(self.child.borrow().kept_in().map(|path| messages::kept_in(&path)));
        left
    }

    fn read_health(&mut self, caller: Caller<'_>) -> Vec<DriveHealth> {
        self.try_call(Call::Health, caller)
    }

    fn clean(&mut self, unneeded: Option<FillSet>, caller: Caller<'_>) -> Cleaned {
        let cleaned = self.child.borrow_mut().ask(Call::Clean { unneeded }, caller);
        let Err(CallError::Lost(Loss::Died(_))) = cleaned else { return cleaned.unwrap_or_default() };
        // Another Agent removes what it left.
        let spec = TargetSpec { is_dry: true, ..self.spec.clone() };
        match Self::open(&spec, caller) {
            Ok((mut another, _)) => another.try_call(Call::Clean { unneeded: None }, caller),
            Err(_) => Cleaned::default(),
        }
    }

    fn remove_leftovers(&mut self, is_dry: bool, caller: Caller<'_>) -> Result<bool, Failure> {
        self.call(Call::RemoveLeftovers { is_dry }, caller)
    }
}

/// Result of a step as far as known.
fn step_result(so_far: SoFar, next: NextStep, loss: &Loss) -> StepResult {
    let (Began { jobs, in_turn, result }, ages) = so_far.lost(loss);
    let outcome = match loss {
        Loss::Hung => StepOutcome::Hung,
        Loss::Died(how) => StepOutcome::Failed { message: messages::died(how.clone(), ages) },
    };
    StepResult {
        fio_commands: next.step.jobs().iter().map(fio_command::command_line).collect(),
        jobs,
        figures: (ages.is_some() && !in_turn).then(|| StepFigures::from_result(&result)),
        result: ages.is_some().then_some(result),
        ..StepResult::new(next.step, outcome)
    }
}
