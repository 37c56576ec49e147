//! The files and devices of a run: made ready before it, tidied up after it.

use std::sync::Arc;

use cardiograph_core::Plan;
use cardiograph_engine::files::{self, Layout, PrepareObserver, Prepared};
use cardiograph_engine::gate::WritePermit;
use cardiograph_engine::{Control, Target};
use cardiograph_fio::invocation::ProgramOptions;
use cardiograph_fio::output::headline;

use super::consent::Stake;
use super::{complain, consent, prepare_messages, simulated};
use crate::exit::Failure;
use crate::in_time::in_time;
use crate::place::Place;
use crate::signals::Signals;

/// What a run needs, ready.
pub struct Ready {
    /// The targets in the order of the Plan.
    pub targets: Vec<Arc<Target>>,
    /// Leave to write to them.
    pub permit: Option<WritePermit>,
    /// Time that laying out took for each job, in nanoseconds.
    pub layout_ns: Vec<u64>,
    /// What a reader of the results should know.
    pub notes: Vec<String>,
    pub(super) prepared: Option<Prepared>,
}

/// Makes the files, lays them out, and opens devices; on a simulated drive where there is one.
///
/// # Errors
/// When something is not there, not allowed, or too small. Nothing of ours is left behind then.
pub fn prepare(
    program: &ProgramOptions,
    plan: &Plan,
    simulated: Option<&Place>,
    control: &Control,
    signals: &Signals,
    say: &dyn Fn(&str),
) -> Result<Ready, Failure> {
    match simulated {
        Some(place) => simulated::prepare(plan, place, control),
        None => prepare_at_stake(program, plan, Stake::Lost, &Watcher { control, signals, say }),
    }
}

/// The same for a whole device of which more is known than that it is written to.
///
/// # Errors
/// As [`prepare`].
pub fn prepare_device(
    program: &ProgramOptions,
    plan: &Plan,
    stake: Stake,
    signals: &Signals,
) -> Result<Ready, Failure> {
    let control = Control::default();
    prepare_at_stake(program, plan, stake, &Watcher { control: &control, signals, say: &|_| {} })
}

fn prepare_at_stake(
    program: &ProgramOptions,
    plan: &Plan,
    stake: Stake,
    watcher: &Watcher<'_>,
) -> Result<Ready, Failure> {
    let prepared = consent::prepare(plan, program, stake, watcher.control, watcher);
    let prepared =
        prepared.map_err(|error| Failure::usage(prepare_messages::prepare_error(&error, plan, stake)))?;
    Ok(ready(plan, prepared))
}

fn ready(plan: &Plan, mut prepared: Prepared) -> Ready {
    let mut layout_ns = vec![0; plan.jobs.len()];
    for layout in &prepared.layouts {
        layout_ns[layout.job] += layout.ns;
    }
    Ready {
        targets: prepared.targets.clone(),
        permit: prepared.permit.take(),
        layout_ns,
        notes: prepare_messages::notes(&prepared.notes, plan),
        prepared: Some(prepared),
    }
}

/// Removes what is to be removed after the run.
pub fn finish(ready: &Ready, plan: &Plan) {
    let Some(prepared) = &ready.prepared else { return };
    for (path, error) in files::finish(prepared, plan) {
        complain(&format!("{}: could not be removed: {error}", path.display()));
    }
}

/// The same where a drive does not answer any more: it is not waited for.
pub fn finish_in_time(ready: Ready, plan: &Plan) {
    let plan = plan.clone();
    if in_time(move || finish(&ready, &plan)).is_none() {
        complain("the files of the jobs could not be dealt with in time, and are left as they are");
    }
}

struct Watcher<'a> {
    control: &'a Control,
    signals: &'a Signals,
    say: &'a dyn Fn(&str),
}

impl PrepareObserver for Watcher<'_> {
    fn laying_out(&self, layout: &Layout<'_>) {
        (self.say)(&headline::laying_out(layout.name, u64::from(layout.files), layout.len_bytes));
    }

    fn progress(&self, _: u64) {
        if self.signals.received().is_some() {
            self.control.stop();
        }
    }
}
