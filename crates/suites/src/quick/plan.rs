//! The plan of `quick`: the steps that the time limit allows, with their time and write limits.

use cardiograph_core::drive::Drive;
use cardiograph_core::message::Parameter;
use cardiograph_core::report::StepResult;
use cardiograph_core::{GIB, MIB, Message, NS_PER_MS, NS_PER_S, message};

use super::{Kind, ORDER, PRIORITY};
use crate::budget::{Budget, fills_files, margin_bytes};
use crate::schedule::{STEP_NS_MIN, divide};
use crate::suite::Context;
use crate::text::whole_mib;

/// With less, there is not even a mebibyte for each step that writes.
pub(crate) const BUDGET_BYTES_MIN: u64 = 4 * MIB;
/// Limit of the fill, in addition to a quarter of the budget.
pub(super) const FILL_BYTES_MAX: u64 = GIB;
/// Limit of random writes, in addition to a fifth of the budget.
const RANDOM_WRITE_BYTES_MAX: u64 = 2 * GIB;
/// Limit of durable writes, in addition to a tenth of the budget, but not less than [`DURABLE_BYTES_WANTED`] if the budget
/// allows that.
const DURABLE_BYTES_MAX: u64 = 256 * MIB;
/// 1,280 writes of 4 KiB: enough for ten samples above the 99th percentile.
const DURABLE_BYTES_WANTED: u64 = 5 * MIB;
/// The share of a time limit that is reserved for the pauses between steps, as a divisor: 2 %.
const RESERVE_DIVISOR: u64 = 50;
/// Time limit of a step that ends by precision: a drive that has not reached it by then is too irregular for it.
const PRECISE_NS_MAX: u64 = 60 * NS_PER_S;

/// The plan of a checkup.
pub(super) struct Plan {
    pub budget: Budget,
    /// The steps in order, each with its time in nanoseconds.
    pub steps: Vec<(Kind, u64)>,
    /// Notes for the user.
    pub notes: Vec<Message>,
    pub direct: bool,
    /// Precision at which steps with rates end, as a share of the rate; `None`: steps run for their time.
    pub precision: Option<f64>,
}

impl Plan {
    pub fn from_context(context: &Context<'_>) -> Self {
        let budget = Budget::for_drive(context.drive);
        let mut notes = budget.reasons.clone();
        let mut kinds = ORDER.to_vec();
        let mut times: Vec<u64> = kinds.iter().map(|kind| kind.wanted_ns()).collect();
        if let Some(max_time_ns) = context.options.max_time_ns {
            kinds = fitting(max_time_ns);
            let wanted: Vec<u64> = kinds.iter().map(|kind| kind.wanted_ns()).collect();
            times = divide(&wanted, max_time_ns);
            notes.extend(time_note(max_time_ns, &kinds, &times));
        }
        if budget.write_bytes < BUDGET_BYTES_MIN {
            notes.extend([message!("note-quick.too-little"), least(context.drive)]);
            kinds.clear();
        }
        let options = context.options;
        notes.extend(
            options.precision.map(precision_note).filter(|_| kinds.iter().any(|kind| kind.is_rate())),
        );
        let steps = kinds.into_iter().zip(times).collect();
        Self { budget, steps, notes, direct: options.direct, precision: options.precision }
    }

    /// Shortens the remaining steps by the overtime of those done: a step also has to complete its I/Os in flight and make
    /// its writes durable. Otherwise, the last step would be cut off. Time that is left over because steps ended early goes
    /// to the next step that ends by precision.
    pub fn keep_to(&mut self, max_time_ns: u64, done: &[StepResult]) {
        let results = done.iter().filter_map(|step| step.result.as_ref());
        let taken_ns: u64 = results.map(|result| result.duration_ns).sum();
        let left_ns = (max_time_ns - max_time_ns / RESERVE_DIVISOR).saturating_sub(taken_ns);
        let is_ahead = |(kind, _): &&mut (Kind, u64)| done.iter().all(|step| step.step.id != kind.id());
        let ahead: Vec<&mut (Kind, u64)> = self.steps.iter_mut().filter(is_ahead).collect();
        let planned_ns: Vec<u64> = ahead.iter().map(|(_, ns)| *ns).collect();
        let shares_ns = divide(&planned_ns, left_ns);
        let spare_ns = left_ns.saturating_sub(shares_ns.iter().sum());
        for ((kind, ns), share_ns) in ahead.into_iter().zip(shares_ns) {
            let is_precise = self.precision.is_some() && kind.is_rate();
            let most_ns = (share_ns + spare_ns).min(PRECISE_NS_MAX);
            *ns = if is_precise { most_ns - most_ns % NS_PER_MS } else { share_ns };
        }
    }

    /// Gives each step that ends by precision its longest time.
    pub fn allow_precision(&mut self, max_time_ns: Option<u64>) {
        let most_ns = max_time_ns.map_or(PRECISE_NS_MAX, |max_ns| max_ns.min(PRECISE_NS_MAX));
        if self.precision.is_some() {
            self.steps.iter_mut().filter(|(kind, _)| kind.is_rate()).for_each(|(_, ns)| *ns = most_ns);
        }
    }

    pub fn has(&self, wanted: Kind) -> bool {
        self.steps.iter().any(|&(kind, _)| kind == wanted)
    }

    /// Length of the file that is filled.
    pub fn fill_bytes(&self) -> u64 {
        whole_mib(self.budget.write_bytes / 4).clamp(MIB, FILL_BYTES_MAX)
    }

    pub fn random_write_bytes(&self) -> u64 {
        whole_mib(self.budget.write_bytes / 5).clamp(MIB, RANDOM_WRITE_BYTES_MAX)
    }

    pub fn durable_bytes(&self) -> u64 {
        let budget = self.budget.write_bytes;
        let wanted = DURABLE_BYTES_WANTED.min(budget / 4).max(budget / 10);
        whole_mib(wanted).clamp(MIB, DURABLE_BYTES_MAX)
    }
}

/// The steps that fit into `max_time_ns`, each at its shortest, in order.
fn fitting(max_time_ns: u64) -> Vec<Kind> {
    let with_fill = |kinds: &[Kind]| -> Vec<Kind> {
        let fill = kinds.iter().any(|kind| kind.needs_fill());
        ORDER.into_iter().filter(|kind| kinds.contains(kind) || (fill && *kind == Kind::Fill)).collect()
    };
    let prefixes = (1..=PRIORITY.len()).rev().map(|len| with_fill(&PRIORITY[..len]));
    // A second is too short for the first of the list, which needs a filled file, but not for the second.
    let mut candidates = prefixes.chain([vec![Kind::DurableWrite]]);
    candidates.find(|kinds| kinds.len() as u64 * STEP_NS_MIN <= max_time_ns).unwrap_or_default()
}

/// The note on the effect of the time limit.
fn time_note(max_time_ns: u64, kinds: &[Kind], times: &[u64]) -> Option<Message> {
    let limit = Parameter::DurationNs(max_time_ns);
    if kinds.is_empty() {
        let least = Parameter::DurationNs(STEP_NS_MIN);
        return Some(message!("note-time.too-short", limit, least));
    }
    let dropped: Vec<_> =
        PRIORITY.iter().filter(|kind| !kinds.contains(kind)).map(|kind| kind.title()).collect();
    if !dropped.is_empty() {
        return Some(message!("note-time.left-out", limit, steps = Parameter::all(dropped)));
    }
    let shorter = kinds.iter().zip(times).any(|(kind, &ns)| ns < kind.wanted_ns());
    shorter.then(|| message!("note-time.shorter", limit))
}

/// The note on steps that end by precision.
fn precision_note(precision: f64) -> Message {
    message!(
        "note-quick.precision",
        precision = Parameter::share(precision),
        most = Parameter::DurationNs(PRECISE_NS_MAX)
    )
}

/// The requirement of `quick` that the drive does not meet.
pub(crate) fn least(drive: &Drive) -> Message {
    let mount = drive.mount.as_ref();
    // If new files are filled with zeros, these take half of the writes.
    let bytes = BUDGET_BYTES_MIN * if fills_files(drive).is_some() { 2 } else { 1 };
    let holds_bytes = drive.capacity_bytes.or(mount.map(|mount| mount.size_bytes));
    match (holds_bytes, mount) {
        (Some(holds_bytes), _) if holds_bytes / 100 < bytes => {
            let bytes = Parameter::CapacityBytes((bytes * 100).next_multiple_of(10_000_000));
            message!("note-quick-needs.drive", bytes)
        }
        (_, Some(mount)) => {
            let free_bytes = margin_bytes(mount.size_bytes) + bytes;
            let free = Parameter::Bytes(free_bytes);
            match free_bytes < mount.size_bytes {
                true => message!("note-quick-needs.free", bytes = free),
                false => message!("note-quick-needs.file-system", bytes = free),
            }
        }
        (_, None) => message!("note-quick-needs.writes", bytes = Parameter::Bytes(bytes)),
    }
}
