//! The files and devices of a run: made ready before it, tidied up after it.

use std::path::Path;
use std::sync::Arc;

use cardiograph_core::{Message, Parameter, Plan, message};
use cardiograph_engine::files::{self, Layout, PrepareError, PrepareObserver, PrepareRequest, Prepared};
use cardiograph_engine::gate::WritePermit;
use cardiograph_engine::{Consent, Control, Target};
use cardiograph_fio::output::headline;

use crate::consent::Stake;
use crate::failure::Failure;
use crate::machine::fresh_seed;
use crate::prepare_messages;
use crate::runner::Caller;
use crate::sink::{Activity, Event};

/// What a run needs, ready.
pub struct Ready {
    /// The targets in the order of the Plan.
    pub targets: Vec<Arc<Target>>,
    /// Leave to write to them.
    pub permit: Option<WritePermit>,
    /// Time that laying out took for each job, in nanoseconds.
    pub layout_ns: Vec<u64>,
    /// What a reader of the results should know.
    pub notes: Vec<Message>,
    pub(crate) prepared: Option<Prepared>,
}

/// Makes the files, lays them out, and opens devices. A device is written to where `consents` has its id alone; what is at
/// `stake` then is said where it has not. Jobs `of_tool` have no names of options to be advised with.
///
/// # Errors
/// When something is not there, not allowed, or too small. Nothing of ours is left behind then.
pub fn prepare(
    consents: &[String],
    plan: &Plan,
    stake: Stake,
    control: &Control,
    of_tool: bool,
    caller: Caller<'_>,
) -> Result<Ready, Failure> {
    let mut prepared =
        open(consents, plan, control, &Watcher { control, caller }).map_err(|error| match &error {
            PrepareError::Misaligned { path, value_bytes, align_bytes, .. } if of_tool => {
                let [align, bytes] = [align_bytes, value_bytes].map(|bytes| Parameter::BlockBytes(*bytes));
                Failure::usage(message!("prepare-misaligned-tool", path = path, align = align, bytes = bytes))
            }
            error => prepare_messages::failure(error, plan, stake),
        })?;
    let mut layout_ns = vec![0; plan.jobs.len()];
    for layout in &prepared.layouts {
        layout_ns[layout.job] += layout.ns;
    }
    Ok(Ready {
        targets: prepared.targets.clone(),
        permit: prepared.permit.take(),
        layout_ns,
        notes: prepare_messages::notes(&prepared.notes, plan),
        prepared: Some(prepared),
    })
}

fn open(
    consents: &[String],
    plan: &Plan,
    control: &Control,
    observer: &dyn PrepareObserver,
) -> Result<Prepared, PrepareError> {
    let consent = Consent::to(consents.to_vec());
    let (seed, root) = (fresh_seed(), Path::new("/"));
    files::prepare(&PrepareRequest { plan, consent: &consent, control, observer, seed, root })
}

/// Removes what is to be removed after the run. Returns what could not be.
pub fn finish(ready: Ready, plan: &Plan) -> Vec<Message> {
    let Some(prepared) = ready.prepared else { return Vec::new() };
    let stays = files::finish(&prepared, plan);
    let stays = stays.iter();
    stays.map(|(path, error)| message!("files-not-removed", path = path, error = error)).collect()
}

struct Watcher<'a> {
    control: &'a Control,
    caller: Caller<'a>,
}

impl PrepareObserver for Watcher<'_> {
    fn laying_out(&self, layout: &Layout<'_>) {
        let line = headline::laying_out(layout.name, u64::from(layout.files), layout.len_bytes);
        self.caller.sink.event(Event::Doing(Activity::LayingOut(line)));
    }

    fn progress(&self, _: u64) {
        if self.caller.signals.received().is_some() {
            self.control.stop();
        }
    }
}
