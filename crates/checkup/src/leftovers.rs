//! What interrupted checkups left: resumed, restored, or removed.

use std::sync::Arc;

use cardiograph_core::text::as_sentence;
use cardiograph_core::units;
use cardiograph_engine::Target;
use cardiograph_engine::fill_files::{FillSet, Found};
use cardiograph_suites::KeptParts;

use crate::cleaned::Cleaned;
use crate::journals::Journals;
use crate::place::Place;
use crate::runner::Caller;
use crate::sink::Event;

/// What a suite can go on with.
pub fn kept_parts(found: &Found) -> Option<KeptParts> {
    (!found.whole.is_empty()).then(|| KeptParts {
        part_bytes: found.set.part_bytes,
        whole: found.whole.keys().copied().collect(),
        len_bytes: found.whole.values().sum(),
    })
}

/// What interrupted checkups left, in sentences: the set that is gone on with, of which only whole parts stay, and others, which
/// are left alone.
pub fn parts_notes(place: &Place, found: &[Found], resumed: Option<FillSet>) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(set) = resumed {
        let whole = found.iter().filter(|of| of.set == set).flat_map(|of| of.whole.values());
        notes.push(format!("goes on with {} of an interrupted checkup", units::bytes(whole.sum())));
    }
    // On a device, parts of others are nothing but a note of ours.
    let others = found.iter().filter(|of| resumed != Some(of.set) && place.journals().is_none());
    let left_bytes: u64 = others.flat_map(|of| of.whole.values()).sum();
    if left_bytes > 0 {
        notes.push(format!(
            "an interrupted check of the capacity left {} here; check --suite capacity --set leftovers=remove removes it",
            units::bytes(left_bytes)
        ));
    }
    notes
}

/// Puts back what killed checkups overwrote on a device, before it is written again. Returns what the Report says of it.
pub fn recover(place: &Place, (puts_back, is_resumed): (bool, bool), caller: Caller<'_>) -> Vec<String> {
    let Some((journals, target)) = place.journals() else { return Vec::new() };
    let mut notes: Vec<String> =
        journals.recover(target, false, caller).into_iter().map(|ended| ended.note).collect();
    notes.extend(journals.caution().filter(|_| puts_back));
    notes.iter().for_each(|note| caller.sink.event(Event::Note(as_sentence(note))));
    // A sample leaves them as they are.
    if !is_resumed && !puts_back {
        journals.forget_parts(target, None);
    }
    notes
}

/// Removes what interrupted checkups left, and says so. On a device, what they overwrote is put back. Returns whether nothing
/// stays.
pub fn remove(place: &Place, is_dry: bool, caller: Caller<'_>) -> bool {
    let say = |words: String| caller.sink.event(Event::Note(words));
    if let Some(of_device) = place.journals() {
        return remove_from_device(place, of_device, is_dry, caller);
    }
    if is_dry {
        let len_bytes = place.parts_found().iter().map(|of| of.len_bytes).sum();
        say(format!("Would remove {} that an interrupted checkup left.", units::bytes(len_bytes)));
        return true;
    }
    let (Cleaned { removed, stays }, len_bytes) = place.remove_parts();
    let (files, s) = (removed.len(), if removed.len() == 1 { "" } else { "s" });
    match (files, stays.is_empty()) {
        (0, true) => say(NOTHING_LEFT.to_string()),
        (0, false) => {}
        _ => say(format!(
            "Removed {files} file{s} that an interrupted checkup left ({}).",
            units::bytes(len_bytes)
        )),
    }
    let complain = |stays: &String| caller.sink.event(Event::Trouble(format!("not removed: {stays}")));
    stays.iter().for_each(complain);
    stays.is_empty()
}

const NOTHING_LEFT: &str = "No interrupted checkup has left anything here.";

fn remove_from_device(
    place: &Place,
    (journals, target): (&Journals, &Arc<Target>),
    is_dry: bool,
    caller: Caller<'_>,
) -> bool {
    let say = |words: &str| caller.sink.event(Event::Note(words.to_string()));
    if is_dry {
        let (parts, originals) = (place.parts_found(), journals.has_originals(target));
        say(match (originals, parts.is_empty()) {
            (true, _) => {
                "Would put back what an interrupted checkup overwrote and nobody has written over since."
            }
            (false, false) => "Would forget which parts an interrupted full proof has filled.",
            (false, true) => NOTHING_LEFT,
        });
        return true;
    }
    let ended = journals.recover(target, true, caller);
    let forgotten = journals.forget_parts(target, None);
    ended.iter().for_each(|ended| say(&as_sentence(&ended.note)));
    if forgotten > 0 {
        say(
            "Forgot what an interrupted full proof had filled; the device holds it until it is written over.",
        );
    } else if ended.is_empty() {
        say(NOTHING_LEFT);
    }
    ended.iter().all(|ended| ended.is_whole)
}
