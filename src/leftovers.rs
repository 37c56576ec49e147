//! `check --set leftovers=remove`: what interrupted checkups left is removed, or put back.

use std::sync::Arc;

use cardiograph_checkup::cleaned::Cleaned;
use cardiograph_checkup::journals::Journals;
use cardiograph_checkup::place::Place;
use cardiograph_checkup::signals::Signals;
use cardiograph_core::text::as_sentence;
use cardiograph_core::units;
use cardiograph_engine::Target;

use crate::exit;
use crate::screen::Screen;

/// Removes what interrupted checkups left, and says so. On a device, what they overwrote is put back.
pub fn remove(place: &Place, is_dry: bool, screen: &Screen, signals: &Signals) -> u8 {
    if let Some((journals, target)) = place.journals() {
        return remove_from_device(place, (journals, target), is_dry, screen, signals);
    }
    if is_dry {
        let found = place.parts_found();
        let len_bytes = found.iter().map(|of| of.len_bytes).sum();
        screen.say(&format!("Would remove {} that an interrupted checkup left.", units::bytes(len_bytes)));
        return exit::DONE;
    }
    let (Cleaned { removed, stays }, len_bytes) = place.remove_parts();
    let (files, s) = (removed.len(), if removed.len() == 1 { "" } else { "s" });
    match (files, stays.is_empty()) {
        (0, true) => screen.say("No interrupted checkup has left anything here."),
        (0, false) => {}
        _ => screen.say(&format!(
            "Removed {files} file{s} that an interrupted checkup left ({}).",
            units::bytes(len_bytes)
        )),
    }
    stays.iter().for_each(|stays| screen.complain(&format!("not removed: {stays}")));
    if stays.is_empty() { exit::DONE } else { exit::IO_FAILED }
}

fn remove_from_device(
    place: &Place,
    (journals, target): (&Journals, &Arc<Target>),
    is_dry: bool,
    screen: &Screen,
    signals: &Signals,
) -> u8 {
    if is_dry {
        let (parts, originals) = (place.parts_found(), journals.has_originals(target));
        screen.say_prose(match (originals, parts.is_empty()) {
            (true, _) => {
                "Would put back what an interrupted checkup overwrote and nobody has written over since."
            }
            (false, false) => "Would forget which parts an interrupted full proof has filled.",
            (false, true) => "No interrupted checkup has left anything here.",
        });
        return exit::DONE;
    }
    let ended = journals.recover(target, true, screen, signals);
    let forgotten = journals.forget_parts(target, None);
    ended.iter().for_each(|ended| screen.say_prose(&as_sentence(&ended.note)));
    if forgotten > 0 {
        screen.say_prose(
            "Forgot what an interrupted full proof had filled; the device holds it until it is written over.",
        );
    } else if ended.is_empty() {
        screen.say("No interrupted checkup has left anything here.");
    }
    if ended.iter().all(|ended| ended.is_whole) { exit::DONE } else { exit::IO_FAILED }
}
