//! What interrupted checkups left: resumed, restored, or removed.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cardiograph_core::Report;
use cardiograph_core::units;
use cardiograph_engine::Target;
use cardiograph_engine::fill_files::{FillSet, Found};
use cardiograph_files::leftovers::{self, Stays};
use cardiograph_files::{Directory, system};
use cardiograph_render::text;
use cardiograph_suites::KeptParts;

use crate::exit;
use crate::journals::Journals;
use crate::place::Place;
use crate::screen::Screen;
use crate::signals::Signals;

/// What became of leftovers in a directory.
#[derive(Debug, Default)]
pub struct Cleaned {
    /// What was removed.
    pub removed: Vec<PathBuf>,
    /// What stays, with the reason.
    pub stays: Vec<String>,
}

impl Cleaned {
    /// Opens a directory, and lets `clean` remove what it finds there.
    pub fn of(path: &Path, clean: impl FnOnce(&dyn Directory) -> io::Result<leftovers::Cleaned>) -> Self {
        let cleaned = system().directory(path).and_then(|open| clean(open.as_ref()));
        let (removed, stays) = match cleaned {
            Ok(leftovers::Cleaned { removed, stays }) => (removed, stays),
            Err(error) => {
                let unseen = format!("whatever is in {}, which cannot be read ({error})", path.display());
                return Self { removed: Vec::new(), stays: vec![unseen] };
            }
        };
        let shown = |stays: &Stays| format!("{} ({})", path.join(&stays.path).display(), stays.reason);
        Self {
            removed: removed.iter().map(|name| path.join(name)).collect(),
            stays: stays.iter().map(shown).collect(),
        }
    }

    /// Sentences on what was found before a run.
    pub fn notes(&self) -> Vec<String> {
        let removed = self.removed.iter();
        let removed =
            removed.map(|path| format!("removed {}, left behind by a run that was killed", path.display()));
        let stays = self.stays.iter();
        let stays = stays.map(|stays| format!("not removed: {stays}; look at it and remove it by hand"));
        removed.chain(stays).collect()
    }

    /// A sentence on what is there after a run.
    pub fn sentence(&self) -> String {
        match &self.stays[..] {
            [] => "No test file was left behind.".to_string(),
            stays => format!(
                "Left behind: {}. The next run here tries to remove it again; otherwise remove it by hand.",
                stays.join(", ")
            ),
        }
    }
}

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
pub fn recover(
    place: &Place,
    (puts_back, is_resumed): (bool, bool),
    report: &mut Report,
    screen: &Screen,
    signals: &Signals,
) {
    let Some((journals, target)) = place.journals() else { return };
    for ended in journals.recover(target, false, screen, signals) {
        screen.say_prose(&text::sentence(&ended.note));
        report.notes.push(ended.note);
    }
    if let Some(caution) = journals.caution().filter(|_| puts_back) {
        screen.say_prose(&text::sentence(&caution));
        report.notes.push(caution);
    }
    // A sample leaves them as they are.
    if !is_resumed && !puts_back {
        journals.forget_parts(target, None);
    }
}
