//! The program's files besides its store: the user's outputs, and journals of devices.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use cardiograph_apps::AppError;
use cardiograph_apps::scratch::{self, Scratch};
use cardiograph_core::MIB;
use cardiograph_engine::journal::{self, Head, Journal};
use cardiograph_files::{FileSystem, Open, output};

use super::{Acknowledged, has_succeeded, lock};
use crate::SimulatedFiles;

/// Path of the journals.
const JOURNALS: &str = "/data/journals";

/// Working directory of applications on the drive.
pub(super) const DRIVE: &str = "/data/drive";
/// The user's files there.
pub(super) const USERS: [&str; 2] = [".cardiograph-notes.dir", "photos"];

/// Path of a user's output.
fn output_path(slot: usize) -> PathBuf {
    PathBuf::from(format!("/data/out-{slot}.json"))
}

/// Content of an output, long enough to be torn.
fn output_content(version: u64) -> Vec<u8> {
    format!("version {version}\n").repeat(400).into_bytes()
}

/// Repeatedly replaces an output of the user.
pub(super) fn export(acknowledged: &Mutex<Acknowledged>, slot: usize) {
    for _ in 0..4 {
        let version = {
            let mut acknowledged = lock(acknowledged);
            let (_, begun) = acknowledged.outputs.entry(slot).or_default();
            *begun += 1;
            *begun
        };
        let replaced = output::replace(&SimulatedFiles, &output_path(slot), &output_content(version), 0o644);
        if has_succeeded(acknowledged, "an output is not replaced", replaced) {
            lock(acknowledged).outputs.entry(slot).or_default().0 = version;
        }
    }
}

/// Overwrites ranges of a device after saving them, and restores them.
pub(super) fn overwrite_device(acknowledged: &Mutex<Acknowledged>, seed: u64) {
    let seed = seed | 1;
    let head = Head { seed, device: "a drive".to_string(), len_bytes: MIB, part_bytes: 0 };
    let save = || {
        let mut journal = Journal::create(&SimulatedFiles, Path::new(JOURNALS), head)?;
        (0..3 + seed % 5).try_for_each(|place| journal.save(place * 4_096, &[place as u8; 512]))?;
        journal.sync()?;
        Ok::<_, io::Error>(journal)
    };
    let saved = save();
    let Ok(journal) = saved else {
        has_succeeded(acknowledged, "a journal is not made", saved.map(drop));
        return;
    };
    // From here on the device is written to.
    lock(acknowledged).journals.insert(seed, (journal.len(), false));
    if !seed.is_multiple_of(3) {
        lock(acknowledged).journals.insert(seed, (journal.len(), true));
        let _ = journal.remove();
    }
}

/// Works in a test directory next to files of the user, as an application does.
pub(super) fn work(acknowledged: &Mutex<Acknowledged>) {
    let work = || -> Result<(), AppError> {
        let scratch = Scratch::new(&SimulatedFiles, Path::new(DRIVE))?;
        let write = || {
            let directory = SimulatedFiles.directory(scratch.path())?;
            let directory = directory.as_ref();
            let file = directory.open("readings.db".as_ref(), Open::Create(0o600))?;
            file.write_all_at(&[1; 600], 0)?;
            directory.create_directory("package1".as_ref(), 0o700)?;
            let package = directory.directory("package1".as_ref())?;
            package.create_directory("bin".as_ref(), 0o700)?;
            let package = package.directory("bin".as_ref())?;
            package.open("file1".as_ref(), Open::Create(0o600))?.write_all_at(&[2; 600], 0)
        };
        let written = write();
        let removed = scratch.remove();
        has_succeeded(acknowledged, "a file in a test directory is not written", written);
        removed
    };
    has_succeeded(acknowledged, "a test directory does not come and go", work());
}

/// Lets the next run remove leftover test directories of killed ones: all of them, and nothing else.
fn look_for_leftovers(seed: u64) {
    let directory = SimulatedFiles.directory(Path::new(DRIVE)).expect("it is there");
    let cleaned = scratch::remove_leftovers(directory.as_ref()).expect("nothing bad happens here");
    assert!(cleaned.stays.is_empty(), "seed {seed}: {:?}", cleaned.stays);
    let names = directory.names().expect("nothing bad happens here");
    assert!(names.iter().eq(USERS), "seed {seed}: {names:?} next to test directories");
}

/// Checks that outputs are complete, and of the acknowledged version or one begun later, and that saved
/// device content is there.
pub(super) fn look(acknowledged: &Mutex<Acknowledged>, seed: u64) {
    let outputs = lock(acknowledged).outputs.clone();
    let directory = SimulatedFiles.directory(Path::new("/data")).expect("it is there");
    for (slot, (oldest, begun)) in outputs {
        let name = output_path(slot);
        let name = name.file_name().expect("it has one");
        let found = directory.open(name, Open::Read).ok().map(|file| {
            let mut bytes = vec![0; output_content(begun).len() + 1];
            let len = file.read_at(&mut bytes, 0).expect("nothing bad happens here");
            bytes.truncate(len);
            bytes
        });
        let may_be_missing = oldest == 0;
        let is_version = |found: &Vec<u8>| (oldest..=begun).any(|version| *found == output_content(version));
        assert!(
            found.as_ref().map_or(may_be_missing, is_version),
            "seed {seed}: output {slot} is torn or lost"
        );
        output::replace(&SimulatedFiles, &output_path(slot), &output_content(begun), 0o644)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        lock(acknowledged).outputs.insert(slot, (begun, begun));
    }
    look_for_leftovers(seed);
    let names = directory.names().expect("nothing bad happens here");
    let has_leftovers = names.iter().any(|name| name.to_string_lossy().contains("-output-"));
    assert!(!has_leftovers, "seed {seed}: {names:?} after all outputs were replaced");
    let found = journal::find(&SimulatedFiles, Path::new(JOURNALS), &|_| true);
    let mut acknowledged = lock(acknowledged);
    for (journal, &(saved, may_be_gone)) in &acknowledged.journals {
        let found = found.iter().find(|found| found.head().seed == *journal).map_or(0, Journal::len);
        assert!(found >= saved || may_be_gone, "seed {seed}: {found} of {saved} places in a journal");
    }
    acknowledged.journals.clear();
    for journal in found {
        journal.remove().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}
