//! Leftovers of interrupted checkups: resumed, restored, or removed.

use std::sync::Arc;

use cardiograph_core::{Message, Parameter, message};
use cardiograph_engine::Target;
use cardiograph_engine::fill_files::{FillSet, Found};
use cardiograph_suites::KeptParts;

use crate::checkup_target::CheckupTarget;
use crate::cleaned::Cleaned;
use crate::journals::Journals;
use crate::runner::Caller;
use crate::sink::Event;

/// The parts that a suite can resume.
pub fn kept_parts(found: &Found) -> Option<KeptParts> {
    (!found.whole.is_empty()).then(|| KeptParts {
        part_bytes: found.set.part_bytes,
        whole: found.whole.keys().copied().collect(),
        len_bytes: found.whole.values().sum(),
    })
}

/// Notes on leftover parts: those of the resumed set, of which only complete ones are kept, and others, which
/// are left alone.
pub fn parts_notes(target: &CheckupTarget, found: &[Found], resumed: Option<FillSet>) -> Vec<Message> {
    let mut notes = Vec::new();
    if let Some(set) = resumed {
        let whole = found.iter().filter(|parts| parts.set == set).flat_map(|parts| parts.whole.values());
        notes.push(message!("parts-resumed", length = Parameter::Bytes(whole.sum())));
    }
    // On a device, parts of others are only our records.
    let others = found.iter().filter(|parts| resumed != Some(parts.set) && target.journals().is_none());
    let left_bytes: u64 = others.flat_map(|parts| parts.whole.values()).sum();
    if left_bytes > 0 {
        notes.push(message!("parts-others", length = Parameter::Bytes(left_bytes)));
    }
    notes
}

/// Restores what killed checkups overwrote on a device, before it is written again. Returns notes for the
/// Report.
pub fn recover(
    target: &CheckupTarget,
    (puts_back, is_resumed): (bool, bool),
    caller: Caller<'_>,
) -> Vec<Message> {
    let Some((journals, device)) = target.journals() else { return Vec::new() };
    let mut notes: Vec<Message> =
        journals.recover(device, false, caller).into_iter().flat_map(|ended| ended.notes).collect();
    notes.extend(journals.caution().filter(|_| puts_back));
    notes.iter().for_each(|note| caller.sink.event(Event::Note(note.clone())));
    // A sample leaves them as they are.
    if !is_resumed && !puts_back {
        journals.forget_parts(device, None);
    }
    notes
}

/// Removes leftovers of interrupted checkups, and reports it. On a device, overwritten data is restored.
/// Returns whether nothing remains.
pub fn remove(target: &CheckupTarget, is_dry: bool, caller: Caller<'_>) -> bool {
    let notify = |note: Message| caller.sink.event(Event::Note(note));
    if let Some(of_device) = target.journals() {
        return remove_from_device(target, of_device, is_dry, caller);
    }
    if is_dry {
        let len_bytes = target.parts_found().iter().map(|parts| parts.len_bytes).sum();
        notify(message!("leftovers-would-remove", length = Parameter::Bytes(len_bytes)));
        return true;
    }
    let (Cleaned { removed, stays }, len_bytes) = target.remove_parts();
    match (removed.len(), stays.is_empty()) {
        (0, true) => notify(NOTHING_LEFT),
        (0, false) => {}
        (files, _) => {
            notify(message!("leftovers-removed", files, length = Parameter::Bytes(len_bytes)));
        }
    }
    let complain = |left: &Message| {
        caller.sink.event(Event::Trouble(message!("not-removed", stays = left.clone())));
    };
    stays.iter().for_each(complain);
    stays.is_empty()
}

const NOTHING_LEFT: Message = message!("leftovers-none");

fn remove_from_device(
    target: &CheckupTarget,
    (journals, device): (&Journals, &Arc<Target>),
    is_dry: bool,
    caller: Caller<'_>,
) -> bool {
    let notify = |note: Message| caller.sink.event(Event::Note(note));
    if is_dry {
        let (parts, originals) = (target.parts_found(), journals.has_originals(device));
        notify(match (originals, parts.is_empty()) {
            (true, _) => message!("leftovers-would-restore"),
            (false, false) => message!("leftovers-would-forget"),
            (false, true) => NOTHING_LEFT,
        });
        return true;
    }
    let ended = journals.recover(device, true, caller);
    let forgotten = journals.forget_parts(device, None);
    ended.iter().flat_map(|ended| &ended.notes).for_each(|note| notify(note.clone()));
    if forgotten > 0 {
        notify(message!("leftovers-forgotten"));
    } else if ended.is_empty() {
        notify(NOTHING_LEFT);
    }
    ended.iter().all(|ended| ended.is_whole)
}
