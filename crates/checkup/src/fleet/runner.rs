//! The Runner of a fleet: a step on all of its hosts.

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;

use cardiograph_core::drive::DriveHealth;
use cardiograph_core::report::{StepOutcome, StepResult};
use cardiograph_engine::fill_files::FillSet;
use cardiograph_engine::observer::SoFar;
use cardiograph_suites::NextStep;

use super::member::Member;
use super::whole::Whole;
use crate::cleaned::Cleaned;
use crate::failure::Failure;
use crate::runner::{
    Begun, Caller, DriveLeft, Looked, RunEnd, Runner, StepRun, Terms, Wanted, without_result,
};
use crate::sink::{Began, Event, Sink};

/// Runs each step on all hosts, each with its own Runner. Each host gets its own result; rank 0 has that of all in the
/// [`Whole`], too.
pub struct FleetRunner {
    own: Box<dyn Runner>,
    member: Rc<Member>,
    whole: Rc<RefCell<Option<Whole>>>,
}

impl FleetRunner {
    /// This host's Runner, as a member.
    pub fn new(own: Box<dyn Runner>, member: Rc<Member>, whole: Rc<RefCell<Option<Whole>>>) -> Self {
        Self { own, member, whole }
    }
}

impl Runner for FleetRunner {
    fn look(&mut self, caller: Caller<'_>) -> Result<Looked, Failure> {
        let looked = self.own.look(caller);
        self.member.agree(looked)
    }

    fn make_ready(&mut self, wanted: &Wanted, caller: Caller<'_>) -> Result<(), Failure> {
        // Each has a drive of its own, and does what rank 0 decides.
        let wanted = self.member.share(wanted.clone())?;
        let ready = self.own.make_ready(&wanted, caller);
        self.member.agree(ready)
    }

    fn begin(&mut self, terms: Terms, caller: Caller<'_>) -> Result<Begun, Failure> {
        let begun = self.own.begin(terms, caller);
        self.member.agree(begun)
    }

    fn elapsed_ns(&self) -> u64 {
        self.own.elapsed_ns()
    }

    fn decide(&mut self, next: Option<NextStep>, is_over: bool) -> Result<(Option<NextStep>, bool), Failure> {
        let is_over = self.member.collect(&is_over)?.contains(&true);
        self.member.share((next, is_over))
    }

    fn run_step(&mut self, nth: u64, next: NextStep, caller: Caller<'_>) -> Result<StepRun, Failure> {
        let together = Together {
            sink: caller.sink,
            member: &self.member,
            has_started: Cell::new(false),
            failure: RefCell::default(),
        };
        let run = self.own.run_step(nth, next.clone(), Caller { sink: &together, ..caller });
        if !together.has_started.get() {
            // The others need not wait for it. Simulated drives have a time of their own.
            self.member.start_at_ns()?;
        }
        if let Some(failure) = together.failure.take() {
            return Err(failure);
        }
        // A host's failure is data, even in its first step.
        let own = run.unwrap_or_else(|failure| {
            let outcome = StepOutcome::Failed { message: failure.into_message() };
            StepRun { result: without_result(next.step, outcome), note: None }
        });
        let results = self.member.collect(&own.result)?;
        if let Some(whole) = &mut *self.whole.borrow_mut() {
            whole.take_in(&results);
        }
        Ok(own)
    }

    fn leave_drive(&mut self, end: RunEnd, caller: Caller<'_>) -> DriveLeft {
        self.own.leave_drive(end, caller)
    }

    fn read_health(&mut self, caller: Caller<'_>) -> Vec<DriveHealth> {
        self.own.read_health(caller)
    }

    fn clean(&mut self, unneeded: Option<FillSet>, caller: Caller<'_>) -> Cleaned {
        self.own.clean(unneeded, caller)
    }

    fn remove_leftovers(&mut self, is_dry: bool, caller: Caller<'_>) -> Result<bool, Failure> {
        self.own.remove_leftovers(is_dry, caller)
    }
}

/// Starts jobs together with those of the others, and passes everything else on.
struct Together<'a> {
    sink: &'a dyn Sink,
    member: &'a Member,
    has_started: Cell<bool>,
    failure: RefCell<Option<Failure>>,
}

impl Sink for Together<'_> {
    fn event(&self, event: Event) {
        self.sink.event(event);
    }

    fn step_ended(&self, result: &StepResult) {
        self.sink.step_ended(result);
    }

    fn began(&self, began: Began) {
        self.sink.began(began);
    }

    fn start_at_ns(&self) -> Option<u64> {
        if self.has_started.replace(true) {
            return None;
        }
        match self.member.start_at_ns() {
            Ok(at_ns) => Some(at_ns),
            Err(failure) => {
                self.failure.replace(Some(failure));
                None
            }
        }
    }

    fn starts_together(&self) -> bool {
        true
    }

    fn look(&self, elapsed_ns: u64, run: &dyn SoFar) {
        self.sink.look(elapsed_ns, run);
    }

    fn overwrites(&self, kept_in: Option<&Path>) {
        self.sink.overwrites(kept_in);
    }

    fn wants_latency(&self) -> bool {
        self.sink.wants_latency()
    }
}
