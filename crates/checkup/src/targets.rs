//! Files and devices of a run: prepared before it, cleaned up after it.

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

/// A prepared run.
pub struct Ready {
    /// The targets in the order of the Plan.
    pub targets: Vec<Arc<Target>>,
    /// Permit to write to them.
    pub permit: Option<WritePermit>,
    /// Layout time of each job, in nanoseconds.
    pub layout_ns: Vec<u64>,
    /// Remarks for the report.
    pub notes: Vec<Message>,
    pub(crate) prepared: Option<Prepared>,
}

/// Creates the files, lays them out, and opens devices. A device is written to only if its id is among
/// `consents`; otherwise the error says what is at `stake`. Jobs `of_tool` have no option names for advice.
///
/// # Errors
/// When something is missing, not allowed, or too small. Nothing is left behind then.
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
                Failure::usage(message!("prepare-misaligned-tool", path, align, bytes))
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

/// Removes files after the run where requested. Returns those that could not be removed.
pub fn finish(ready: Ready, plan: &Plan) -> Vec<Message> {
    let Some(prepared) = ready.prepared else { return Vec::new() };
    let left = files::finish(&prepared, plan);
    let left = left.iter();
    left.map(|(path, error)| message!("files-not-removed", path, error)).collect()
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
