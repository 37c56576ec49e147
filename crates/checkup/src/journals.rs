//! Journals of checkups on devices, in this user's data directory, for restoring or resuming.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use cardiograph_core::drive::{DeviceJournal, JournalContent};
use cardiograph_core::{Message, Parameter, Plan, message};
use cardiograph_engine::fill_files::{FillSet, Found};
use cardiograph_engine::journal::{self, Head, Journal, RestoreOutcome, RestoreScope, SaveError, Saved};
use cardiograph_engine::{Target, device};
use cardiograph_store::data_dir;
use cardiograph_suites::margin_bytes;

use crate::failure::Failure;
use crate::runner::Caller;
use crate::sink::{Activity, Event, Sink};

/// Subdirectory of the data directory.
const DIRECTORY: &str = "journals";
/// File systems in memory, by their statfs(2) magic (the kernel's `magic.h`).
const TMPFS: u64 = 0x0102_1994;
const RAMFS: u64 = 0x8584_58f6;

/// Polling interval of a restore.
const LOOK: Duration = Duration::from_millis(100);
/// Timeout for one range of a device: as long as a checkup waits for a hanging drive.
const SILENCE_MAX: Duration = Duration::from_secs(60);

/// All journals of this user, including those of absent devices.
pub fn list() -> Vec<DeviceJournal> {
    let Ok(data) = data_dir(|name| std::env::var_os(name)) else { return Vec::new() };
    let journals = journal::list(cardiograph_files::system(), &data.join(DIRECTORY));
    let present = |id: &str| {
        let names = std::fs::read_dir("/sys/class/block").into_iter().flatten();
        let mut names = names.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names.find(|name| device::consent_id(name).as_deref() == Some(id))
    };
    let listed = |(file, head): (PathBuf, Head)| {
        let device = present(&head.device);
        let node = device.as_ref().map(|name| format!("/dev/{}", name.replace('!', "/")));
        let node = node.as_deref().unwrap_or("DEVICE");
        let command = format!(
            "cardiograph check {node} --suite capacity --allow-erase {} --set leftovers=remove",
            head.device
        );
        let keeps = if head.part_bytes > 0 { JournalContent::Parts } else { JournalContent::Originals };
        DeviceJournal {
            file: file.display().to_string(),
            device_id: head.device,
            len_bytes: head.len_bytes,
            keeps,
            device,
            command,
        }
    };
    journals.into_iter().map(listed).collect()
}

/// Lines for the screen: what it keeps, and the command that undoes it.
pub fn lines(journal: &DeviceJournal) -> [Message; 2] {
    let device = match &journal.device {
        Some(name) => Parameter::from(name),
        None => message!("journal-absent", id = &journal.device_id).into(),
    };
    let (file, command) = (&journal.file, &journal.command);
    let length = Parameter::Bytes(journal.len_bytes);
    match journal.keeps {
        JournalContent::Originals => [
            message!("journal-originals", device, length, file),
            message!("journal-originals.command", command),
        ],
        JournalContent::Parts => {
            [message!("journal-parts", device, length, file), message!("journal-parts.command", command)]
        }
    }
}

/// The journals of one device.
#[derive(Debug)]
pub struct Journals {
    directory: PathBuf,
    /// Consent id of the device.
    device: String,
    len_bytes: u64,
    /// The journal of this checkup.
    own: RefCell<Option<Journal>>,
}

impl Journals {
    /// The journals of a device; `None` if the kernel does not report enough to recognise it, or there is no
    /// data directory.
    pub fn open(target: &Target) -> Option<Self> {
        let data = data_dir(|name| std::env::var_os(name)).ok()?;
        Some(Self {
            directory: data.join(DIRECTORY),
            device: target.consent_id()?,
            len_bytes: target.len_bytes(),
            own: RefCell::new(None),
        })
    }

    /// The journals of this device, by its id or, because a reader, a port or a reboot may change ids, by its
    /// content. Equal length is not enough.
    fn found(&self, target: &Target) -> Vec<Journal> {
        let has_len = |head: &Head| head.len_bytes == self.len_bytes;
        let mut found = journal::find(cardiograph_files::system(), &self.directory, &has_len);
        found.retain(|journal| journal.head().device == self.device || journal.lies_on(target));
        found
    }

    fn create(&self, seed: u64, part_bytes: u64) -> io::Result<Journal> {
        let head = Head { seed, device: self.device.clone(), len_bytes: self.len_bytes, part_bytes };
        Journal::create(cardiograph_files::system(), &self.directory, head)
    }

    /// Refuses to fill up the file system of the data directory.
    fn check_room(&self, len_bytes: u64) -> Result<(), Failure> {
        // It may not exist yet.
        let space = self.directory.ancestors().find_map(|path| rustix::fs::statvfs(path).ok());
        let Some(space) = space else { return Ok(()) };
        let free_bytes = space.f_bavail.saturating_mul(space.f_frsize);
        let margin_bytes = margin_bytes(space.f_blocks.saturating_mul(space.f_frsize));
        if free_bytes < len_bytes.saturating_add(margin_bytes) {
            return Err(Failure::usage(message!(
                "originals-no-room",
                path = &self.directory,
                free = Parameter::Bytes(free_bytes),
                needed = Parameter::Bytes(len_bytes),
                margin = Parameter::Bytes(margin_bytes)
            )));
        }
        Ok(())
    }

    /// A sentence for the Report if the saved data would not survive a power cut.
    pub fn caution(&self) -> Option<Message> {
        let place = self.directory.ancestors().find_map(|path| rustix::fs::statfs(path).ok())?;
        let is_memory = [TMPFS, RAMFS].contains(&(place.f_type as u64));
        is_memory.then(|| message!("originals-in-memory", path = &self.directory))
    }

    /// Saves the ranges that the only job of a Plan will write, until `should_continue` returns false. Returns how
    /// many, in the order of the job. From then on no signal ends the program before they are restored: a
    /// drive that hangs is given up.
    ///
    /// # Errors
    /// When reading or saving fails; then nothing must be written.
    pub fn save(
        &self,
        target: &Target,
        seed: u64,
        plan: &Plan,
        sink: &dyn Sink,
        should_continue: impl FnMut(usize) -> bool,
    ) -> Result<Saved, Failure> {
        let ranges = journal::write_ranges(plan);
        self.check_room(ranges.iter().map(|(_, len_bytes)| len_bytes).sum())?;
        let not_saved =
            |error: &io::Error| Failure::io(message!("originals-not-saved", path = &self.directory, error));
        let mut journal = self.create(seed, 0).map_err(|error| not_saved(&error))?;
        match journal.save_ranges(target, &ranges, should_continue) {
            Ok(saved) => {
                sink.overwrites(Some(journal.path()));
                *self.own.borrow_mut() = Some(journal);
                Ok(saved)
            }
            Err(error) => {
                let _ = journal.remove();
                Err(match &error {
                    SaveError::Journal(error) => not_saved(error),
                    SaveError::Device { .. } => {
                        Failure::io(message!("originals-not-read", error = error.message()))
                    }
                })
            }
        }
    }

    /// Restores what this checkup overwrote; `None` if nothing was saved.
    pub fn restore(&self, target: &Arc<Target>, Caller { sink, .. }: Caller<'_>) -> Option<Ended> {
        let journal = self.own.borrow_mut().take_if(|journal| journal.head().part_bytes == 0)?;
        let doing = message!("restoring.own");
        Some(end(journal, RestoreScope::All, (false, true), target, &Restoring { doing, sink }))
    }

    /// File with the data that this checkup has overwritten and not yet restored.
    pub fn own_path(&self) -> Option<PathBuf> {
        let own = self.own.borrow();
        own.as_ref()
            .filter(|journal| journal.head().part_bytes == 0)
            .map(|journal| journal.path().to_path_buf())
    }

    /// Restores what killed checkups overwrote, where their data is still there. With `forgets` the rest is
    /// dropped. Returns the result of each.
    pub fn recover(
        &self,
        target: &Arc<Target>,
        forgets: bool,
        Caller { sink, .. }: Caller<'_>,
    ) -> Vec<Ended> {
        let originals = self.found(target).into_iter().filter(|journal| journal.head().part_bytes == 0);
        let doing = message!("restoring.interrupted");
        let end = |journal: Journal| {
            let is_known = journal.head().device == self.device && !is_only_number(&self.device);
            end(
                journal,
                RestoreScope::StillOurs,
                (forgets, is_known),
                target,
                &Restoring { doing: doing.clone(), sink },
            )
        };
        originals.map(end).collect()
    }

    /// Whether a killed checkup has overwritten data that was not restored.
    pub fn has_originals(&self, target: &Target) -> bool {
        self.found(target).iter().any(|journal| journal.head().part_bytes == 0)
    }

    /// Parts filled by interrupted full capacity tests.
    pub fn parts_found(&self, target: &Target) -> Vec<Found> {
        let filled = self.found(target).into_iter().filter(|journal| journal.head().part_bytes > 0);
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

    /// Records a filled part of a full capacity test.
    ///
    /// # Errors
    /// As write(2): the test cannot be resumed then, nothing else is wrong.
    pub fn note_part(&self, set: FillSet, part: u32) -> io::Result<()> {
        let mut own = self.own.borrow_mut();
        if own.is_none() {
            let is_its = |head: &Head| head.seed == set.seed && head.len_bytes == self.len_bytes;
            let earlier = journal::find(cardiograph_files::system(), &self.directory, &is_its).pop();
            *own = Some(match earlier {
                Some(journal) => journal,
                None => self.create(set.seed, set.part_bytes)?,
            });
        }
        own.as_mut().map_or(Ok(()), |journal| journal.note_part(part))
    }

    /// Releases the parts of this checkup, so that the next one finds them.
    pub fn leave_parts(&self) {
        drop(self.own.borrow_mut().take_if(|journal| journal.head().part_bytes > 0));
    }

    /// Drops the records of a set's parts. Returns the number of journals.
    pub fn forget_parts(&self, target: &Target, set: Option<FillSet>) -> u64 {
        self.leave_parts();
        let is_wanted = |journal: &Journal| {
            journal.head().part_bytes > 0 && set.is_none_or(|set| set.seed == journal.head().seed)
        };
        let journals = self.found(target).into_iter().filter(is_wanted);
        journals.map(|journal| u64::from(journal.remove().is_ok())).sum()
    }
}

/// Result of a journal.
#[derive(Debug)]
pub struct Ended {
    /// Sentences for the Report.
    pub notes: Vec<Message>,
    /// Whether each range has its original content, or data written by others since.
    pub is_whole: bool,
}

/// A restore, as shown to the user. No signal interrupts it.
struct Restoring<'a> {
    doing: Message,
    sink: &'a dyn Sink,
}

impl Restoring<'_> {
    /// Restores a journal on another thread. `None` if the device does not respond: the thread is abandoned,
    /// and the journal stays.
    fn restore(
        &self,
        journal: Journal,
        scope: RestoreScope,
        target: &Arc<Target>,
    ) -> Option<(Journal, io::Result<Option<RestoreOutcome>>)> {
        self.sink.overwrites(Some(journal.path()));
        let ended = self.restore_from(journal, scope, target);
        self.sink.overwrites(None);
        ended
    }

    fn restore_from(
        &self,
        journal: Journal,
        scope: RestoreScope,
        target: &Arc<Target>,
    ) -> Option<(Journal, io::Result<Option<RestoreOutcome>>)> {
        let steps = 2 * journal.len().max(1);
        let (sender, receiver) = mpsc::channel();
        let target = target.clone();
        let work = move || {
            let result = journal.restore(&target, scope, |step| drop(sender.send((step, None))));
            drop(sender.send((steps, Some((journal, result)))));
        };
        std::thread::Builder::new().spawn(work).ok()?;
        let (mut percent, mut silence) = (0, Duration::ZERO);
        loop {
            let what = self.doing.clone();
            self.sink.event(Event::Doing(Activity::Restoring { what, percent: percent as u64 }));
            match receiver.recv_timeout(LOOK) {
                Ok((_, Some(ended))) => return Some(ended),
                Ok((step, None)) => (percent, silence) = (step * 100 / steps, Duration::ZERO),
                Err(RecvTimeoutError::Timeout) if silence < SILENCE_MAX => silence += LOOK,
                Err(_) => return None,
            }
        }
    }
}

/// Whether an id consists of the kernel's device number and length, which the next device at that port may
/// share.
fn is_only_number(id: &str) -> bool {
    id.split_once('-').is_some_and(|(number, len)| {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number(len)
            && number.split_once(':').is_some_and(|(major, minor)| is_number(major) && is_number(minor))
    })
}

/// Restores a journal, and removes it when it is no longer needed. `is_known` if it certainly belongs to this
/// device.
fn end(
    journal: Journal,
    scope: RestoreScope,
    (forgets, is_known): (bool, bool),
    target: &Arc<Target>,
    restoring: &Restoring<'_>,
) -> Ended {
    let path = journal.path().to_path_buf();
    let again = message!("restore-again", path = &path);
    let broken = |mut notes: Vec<Message>| {
        notes.push(again.clone());
        Ended { notes, is_whole: false }
    };
    let Some((journal, result)) = restoring.restore(journal, scope, target) else {
        return broken(vec![message!("restore-stopped")]);
    };
    let result = match result {
        Err(error) => return broken(vec![message!("restore-failed", error)]),
        Ok(None) => return broken(vec![message!("restore-device-failed")]),
        Ok(Some(result)) => result,
    };
    let RestoreOutcome { restored, untouched: _, foreign, lost, recognised } = result;
    let is_known = is_known || recognised > 0;
    let mut notes = vec![match restored {
        0 => message!("restored-none"),
        count => message!("restored", places = count),
    }];
    if lost > 0 {
        notes.push(message!("restored-not-held", places = lost));
        return broken(notes);
    }
    notes.extend((foreign > 0).then(|| message!("restored-foreign", places = foreign)));
    // Unrestored data is only dropped if it certainly belongs to this device.
    if (result.is_whole() && is_known) || (forgets && restored > 0) {
        let failed = journal.remove().err();
        notes.extend(failed.map(|error| message!("restore-file-stays", path = &path, error)));
        return Ended { notes, is_whole: true };
    }
    notes.push(match (forgets, is_known) {
        (true, _) => message!("restore-kept.device-gone", path = &path),
        (false, true) => message!("restore-kept.forget", path = &path),
        (false, false) => message!("restore-kept.other-device", path = &path),
    });
    Ended { notes, is_whole: true }
}
