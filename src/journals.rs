//! What checkups do to devices, written down in this user's data directory, so that it can be undone or gone on with.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;

use cardiograph_core::Plan;
use cardiograph_engine::Target;
use cardiograph_engine::fill_files::{FillSet, Found};
use cardiograph_engine::journal::{self, Head, Journal, Places, PutBack};
use cardiograph_formats::units;
use cardiograph_store::JsonDir;
use cardiograph_suites::margin_bytes;

use crate::exit::Failure;
use crate::screen::Screen;

/// File systems in memory, as statfs(2) calls them (the kernel's `magic.h`).
const TMPFS: u64 = 0x0102_1994;
const RAMFS: u64 = 0x8584_58f6;

/// The journals of one device.
#[derive(Debug)]
pub struct Journals {
    directory: PathBuf,
    /// By which it is given away.
    device: String,
    len_bytes: u64,
    /// The one of this checkup.
    own: RefCell<Option<Journal>>,
}

impl Journals {
    /// Those of a device; `None` where the kernel does not tell enough of it to know it again, or there is no data
    /// directory.
    pub fn of(target: &Target) -> Option<Self> {
        let reports = JsonDir::default_dir(|name| std::env::var_os(name)).ok()?;
        Some(Self {
            directory: reports.parent()?.join("journals"),
            device: target.consent_id()?,
            len_bytes: target.len_bytes(),
            own: RefCell::new(None),
        })
    }

    fn found(&self) -> Vec<Journal> {
        journal::find(&self.directory, &self.device, self.len_bytes)
    }

    fn create(&self, seed: u64, part_bytes: u64) -> Result<Journal, Failure> {
        let head = Head { seed, device: self.device.clone(), len_bytes: self.len_bytes, part_bytes };
        Journal::create(&self.directory, head).map_err(|error| {
            Failure::io(format!(
                "what is on the device cannot be saved in {}: {error}; nothing was written to the device (XDG_DATA_HOME \
                 names another directory)",
                self.directory.display()
            ))
        })
    }

    /// Refuses to fill the file system of the data directory.
    fn check_room(&self, len_bytes: u64) -> Result<(), Failure> {
        // It may not be there yet.
        let space = self.directory.ancestors().find_map(|path| rustix::fs::statvfs(path).ok());
        let Some(space) = space else { return Ok(()) };
        let free_bytes = space.f_bavail.saturating_mul(space.f_frsize);
        let margin_bytes = margin_bytes(space.f_blocks.saturating_mul(space.f_frsize));
        if free_bytes < len_bytes.saturating_add(margin_bytes) {
            return Err(Failure::usage(format!(
                "what is on the device would be saved in {}, which has {} free; {} are needed, and {} stay free: make room, or \
                 name another directory with XDG_DATA_HOME; nothing was written to the device",
                self.directory.display(),
                units::bytes(free_bytes),
                units::bytes(len_bytes),
                units::bytes(margin_bytes)
            )));
        }
        Ok(())
    }

    /// A sentence for the Report where what is saved would not outlive a power cut.
    pub fn caution(&self) -> Option<String> {
        let place = self.directory.ancestors().find_map(|path| rustix::fs::statfs(path).ok())?;
        let is_memory = [TMPFS, RAMFS].contains(&(place.f_type as u64));
        is_memory.then(|| {
            let shown = self.directory.display();
            format!("what is on the device is saved in memory ({shown}): a power cut would lose it")
        })
    }

    /// Saves what lies where the one job of a Plan will write, until `goes_on` says no. Returns at how many places, in the
    /// order of the job.
    ///
    /// # Errors
    /// Where that cannot be read or saved; then nothing must be written.
    pub fn save(
        &self,
        target: &Target,
        seed: u64,
        plan: &Plan,
        goes_on: impl FnMut(usize) -> bool,
    ) -> Result<u64, Failure> {
        let places = journal::places(plan);
        self.check_room(places.iter().map(|(_, len_bytes)| len_bytes).sum())?;
        let mut journal = self.create(seed, 0)?;
        let saved = journal.save_places(target, &places, goes_on);
        match saved {
            Ok(count) => {
                *self.own.borrow_mut() = Some(journal);
                Ok(count)
            }
            Err(error) => {
                let _ = journal.remove();
                Err(Failure::io(format!(
                    "what is on the device could not be saved in {}: {error}; nothing was written to the device",
                    self.directory.display()
                )))
            }
        }
    }

    /// Puts back what this checkup overwrote. Returns a sentence for the Report; `None` where nothing was saved.
    pub fn put_back(&self, target: &Target, screen: &Screen) -> Option<String> {
        let journal = self.own.borrow_mut().take_if(|journal| journal.head().part_bytes == 0)?;
        let steps = 2 * journal.len().max(1);
        let show = |done: usize| {
            let percent = done * 100 / steps;
            screen.live(&format!("putting back what was on the device: {percent} %"));
            true
        };
        Some(end(journal, Places::All, target, show))
    }

    /// Puts back what killed checkups overwrote, where it still lies there. Returns sentences for the reader.
    pub fn recover(&self, target: &Target, screen: &Screen) -> Vec<String> {
        let originals = self.found().into_iter().filter(|journal| journal.head().part_bytes == 0);
        let show = |_: usize| {
            screen.live("putting back what an interrupted checkup overwrote");
            true
        };
        originals.map(|journal| end(journal, Places::StillOurs, target, show)).collect()
    }

    /// Whether a killed checkup has overwritten something that was not put back.
    pub fn has_originals(&self) -> bool {
        self.found().iter().any(|journal| journal.head().part_bytes == 0)
    }

    /// What interrupted full proofs have filled.
    pub fn parts_found(&self, target: &Target) -> Vec<Found> {
        let filled = self.found().into_iter().filter(|journal| journal.head().part_bytes > 0);
        let found = filled.map(|journal| {
            let Head { seed, part_bytes, .. } = *journal.head();
            let len_bytes = |part: &u32| part_bytes.min(self.len_bytes - u64::from(*part) * part_bytes);
            let there = journal.parts_on(target).into_iter();
            let whole: BTreeMap<u32, u64> = there.map(|part| (part, len_bytes(&part))).collect();
            let len_bytes = whole.values().sum();
            Found { set: FillSet { seed, part_bytes }, whole, unfinished: 0, len_bytes }
        });
        found.collect()
    }

    /// Writes down that a part of a full proof is whole.
    pub fn note_part(&self, set: FillSet, part: u32) -> Result<(), Failure> {
        let mut own = self.own.borrow_mut();
        if own.is_none() {
            let earlier = self.found().into_iter().find(|journal| journal.head().seed == set.seed);
            *own = Some(match earlier {
                Some(journal) => journal,
                None => self.create(set.seed, set.part_bytes)?,
            });
        }
        let noted = own.as_mut().map_or(Ok(()), |journal| journal.note_part(part));
        noted.map_err(|error| Failure::io(format!("{}: {error}", self.directory.display())))
    }

    /// Forgets which parts of a set are whole. Returns how many journals that were.
    pub fn forget_parts(&self, set: Option<FillSet>) -> u64 {
        if self.own.borrow().as_ref().is_some_and(|journal| journal.head().part_bytes > 0) {
            drop(self.own.borrow_mut().take());
        }
        let is_wanted = |journal: &Journal| {
            journal.head().part_bytes > 0 && set.is_none_or(|set| set.seed == journal.head().seed)
        };
        let journals = self.found().into_iter().filter(is_wanted);
        journals.map(|journal| u64::from(journal.remove().is_ok())).sum()
    }
}

/// Puts back what a journal has, and removes it when nothing of it is needed any more. Returns what became of it.
fn end(journal: Journal, places: Places, target: &Target, show: impl FnMut(usize) -> bool) -> String {
    let path = journal.path().display().to_string();
    let kept = format!("what was there is kept in {path}, and the next check --suite capacity tries again");
    match journal.put_back(target, places, show) {
        Err(error) => format!("what was overwritten could not be put back ({error}): {kept}"),
        Ok(None) => format!("not all that was overwritten was put back: {kept}"),
        Ok(Some(PutBack { restored, left_alone, lost: 0 })) => {
            let alone = match left_alone {
                0 => String::new(),
                count => {
                    format!("; {count} others hold what was written since, or before, and were left alone")
                }
            };
            match journal.remove() {
                Ok(()) => format!("put back what was at {} and read it back{alone}", places_of(restored)),
                Err(error) => format!("put back what was at {}{alone}; {path}: {error}", places_of(restored)),
            }
        }
        Ok(Some(PutBack { restored, lost, .. })) => format!(
            "put back what was at {}; {} do not hold it: {kept}",
            places_of(restored),
            places_of(lost)
        ),
    }
}

fn places_of(count: u64) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{} place{s}", units::count(count))
}
