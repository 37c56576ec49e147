//! What interrupted checkups left: resumed, restored, or removed.

use cardiograph_core::Report;
use cardiograph_core::text::as_sentence;
use cardiograph_core::units;
use cardiograph_engine::fill_files::{FillSet, Found};
use cardiograph_suites::KeptParts;

use crate::place::Place;
use crate::signals::Signals;
use crate::sink::{Event, Sink};

/// What a suite can go on with.
pub fn kept_parts(found: &Found) -> Option<KeptParts> {
    (!found.whole.is_empty()).then(|| KeptParts {
        part_bytes: found.set.part_bytes,
        whole: found.whole.keys().copied().collect(),
        len_bytes: found.whole.values().sum(),
    })
}

/// Says what interrupted checkups left: the set that is gone on with, of which only whole parts stay, and others, which are
/// left alone.
pub fn note_parts(place: &Place, found: &[Found], resumed: Option<FillSet>, report: &mut Report) {
    if let Some(set) = resumed {
        let whole = found.iter().filter(|of| of.set == set).flat_map(|of| of.whole.values());
        report.notes.push(format!("goes on with {} of an interrupted checkup", units::bytes(whole.sum())));
    }
    // On a device, parts of others are nothing but a note of ours.
    let others = found.iter().filter(|of| resumed != Some(of.set) && place.journals().is_none());
    let left_bytes: u64 = others.flat_map(|of| of.whole.values()).sum();
    if left_bytes > 0 {
        report.notes.push(format!(
            "an interrupted check of the capacity left {} here; check --suite capacity --set leftovers=remove removes it",
            units::bytes(left_bytes)
        ));
    }
}

/// Puts back what killed checkups overwrote on a device, before it is written again.
pub fn recover(
    place: &Place,
    (puts_back, is_resumed): (bool, bool),
    report: &mut Report,
    sink: &dyn Sink,
    signals: &Signals,
) {
    let Some((journals, target)) = place.journals() else { return };
    for ended in journals.recover(target, false, sink, signals) {
        sink.event(Event::Note(&as_sentence(&ended.note)));
        report.notes.push(ended.note);
    }
    if let Some(caution) = journals.caution().filter(|_| puts_back) {
        sink.event(Event::Note(&as_sentence(&caution)));
        report.notes.push(caution);
    }
    // A sample leaves them as they are.
    if !is_resumed && !puts_back {
        journals.forget_parts(target, None);
    }
}
