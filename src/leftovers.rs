//! What interrupted checkups left: gone on with, put back, or removed.

use cardiograph_core::Report;
use cardiograph_engine::Target;
use cardiograph_engine::fill_files::{FillSet, Found};
use cardiograph_formats::{text, units};
use cardiograph_suites::KeptParts;

use crate::exit;
use crate::journals::Journals;
use crate::place::Place;
use crate::screen::Screen;

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
        place.remove_unfinished_parts(set);
        let whole = found.iter().filter(|of| of.set == set).flat_map(|of| of.whole.values());
        report.notes.push(format!("goes on with {} of an interrupted checkup", units::bytes(whole.sum())));
    }
    // On a device, parts of others are nothing but a note of ours.
    let others = found.iter().filter(|of| resumed != Some(of.set) && place.journals().is_none());
    let left_bytes: u64 = others.map(|of| of.len_bytes).sum();
    if left_bytes > 0 {
        report.notes.push(format!(
            "an interrupted check of the capacity left {} here; check --suite capacity --set leftovers=remove removes it",
            units::bytes(left_bytes)
        ));
    }
}

/// Removes what interrupted checkups left, and says so. On a device, what they overwrote is put back.
pub fn remove(place: &Place, is_dry: bool, screen: &Screen) -> u8 {
    if let Some((journals, target)) = place.journals() {
        return remove_from_device(place, journals, target, is_dry, screen);
    }
    if is_dry {
        let found = place.parts_found();
        let len_bytes = found.iter().map(|of| of.len_bytes).sum();
        screen.say(&format!("Would remove {} that an interrupted checkup left.", units::bytes(len_bytes)));
        return exit::DONE;
    }
    screen.say(&match place.remove_parts() {
        (0, _) => "No interrupted checkup has left anything here.".to_string(),
        (files, len_bytes) => {
            let s = if files == 1 { "" } else { "s" };
            format!("Removed {files} file{s} that an interrupted checkup left ({}).", units::bytes(len_bytes))
        }
    });
    exit::DONE
}

fn remove_from_device(
    place: &Place,
    journals: &Journals,
    target: &Target,
    is_dry: bool,
    screen: &Screen,
) -> u8 {
    if is_dry {
        let (parts, originals) = (place.parts_found(), journals.has_originals());
        screen.say_prose(match (originals, parts.is_empty()) {
            (true, _) => {
                "Would put back what an interrupted checkup overwrote and nobody has written over since."
            }
            (false, false) => "Would forget which parts an interrupted full proof has filled.",
            (false, true) => "No interrupted checkup has left anything here.",
        });
        return exit::DONE;
    }
    let ended = journals.recover(target, true, screen);
    let forgotten = journals.forget_parts(None);
    ended.iter().for_each(|ended| screen.say_prose(&text::sentence(&ended.note)));
    if forgotten > 0 {
        screen.say_prose(
            "Forgot what an interrupted full proof had filled; the device holds it until it is written over.",
        );
    } else if ended.is_empty() {
        screen.say("No interrupted checkup has left anything here.");
    }
    if ended.iter().all(|ended| ended.is_whole) { exit::DONE } else { exit::IO_FAILED }
}

/// Puts back what killed checkups overwrote on a device, before it is written again.
pub fn recover(place: &Place, puts_back: bool, is_resumed: bool, report: &mut Report, screen: &Screen) {
    let Some((journals, target)) = place.journals() else { return };
    for ended in journals.recover(target, false, screen) {
        screen.say_prose(&text::sentence(&ended.note));
        report.notes.push(ended.note);
    }
    if let Some(caution) = journals.caution().filter(|_| puts_back) {
        screen.say_prose(&text::sentence(&caution));
        report.notes.push(caution);
    }
    // A sample leaves them as they are.
    if !is_resumed && !puts_back {
        journals.forget_parts(None);
    }
}
