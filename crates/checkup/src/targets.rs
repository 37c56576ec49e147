//! Files and devices of a run: prepared before it, cleaned up after it.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use cardiograph_core::{Message, Plan, message};
use cardiograph_engine::files::{self, Layout, PrepareError, PrepareObserver, PrepareRequest, Prepared};
use cardiograph_engine::gate::WritePermit;
use cardiograph_engine::{Consent, Control, Target};
use cardiograph_fio::output::headline;

use crate::consent::Stake;
use crate::failure::Failure;
use crate::machine::fresh_seed;
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
    let consent = Consent::to(consents.to_vec());
    let observer = &Watcher { control, caller };
    let (seed, root) = (fresh_seed(), Path::new("/"));
    let request = PrepareRequest { plan, consent: &consent, control, observer, seed, root, of_tool };
    let mut prepared = files::prepare(&request).map_err(|error| match error {
        PrepareError::NeedsConsent { job, path, id, content } => stake.refusal(&job, &path, id, content),
        PrepareError::Refused(refused) => Failure::usage(refused),
    })?;
    let mut layout_ns = vec![0; plan.jobs.len()];
    for layout in &prepared.layouts {
        layout_ns[layout.job] += layout.ns;
    }
    Ok(Ready {
        targets: prepared.targets.clone(),
        permit: prepared.permit.take(),
        layout_ns,
        notes: shortened(&prepared.notes),
        prepared: Some(prepared),
    })
}

/// Maximum number of notes of a kind shown one by one. Beyond that, the first represents all.
const NOTES_OF_A_KIND_MAX: usize = 3;

/// Notes on how the files were prepared, without those that others represent.
fn shortened(notes: &[Message]) -> Vec<Message> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    notes.iter().for_each(|note| *counts.entry(note.id()).or_default() += 1);
    let mut shown = Vec::new();
    for note in notes {
        // A kind already reported is no longer counted.
        let Some(count) = counts.get(note.id()).copied() else { continue };
        shown.push(note.clone());
        if count > NOTES_OF_A_KIND_MAX {
            counts.remove(note.id());
            shown.push(message!("prepare-note-others", others = count - 1));
        }
    }
    shown
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
