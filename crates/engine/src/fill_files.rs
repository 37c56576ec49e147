//! Files that together fill a file system, part by part, and that remain after an interrupted checkup. The
//! next checkup finds them, resumes after them, and reads them back.
//!
//! A part is recognised by all of: a name that only this program generates (with the id of its set and a
//! check value), a regular file with one link, owned by this user, not locked, and content that is empty or
//! written by this set. Its name shows whether it is complete; it is renamed only after all of it has reached
//! the drive, so that after a power cut no block is reported missing that was never durable.

use cardiograph_core::schemars;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;

use cardiograph_core::MIB;
use cardiograph_core::rng::hash_name;
use cardiograph_files::leftovers::{Cleaned, NotRemoved};
use cardiograph_files::{Directory, OwnFile};
use serde::{Deserialize, Serialize};

use crate::{leftovers, verify};

/// Bytes at the front of a part that identify its content.
const FRONT_BYTES: usize = 4_096;

/// Properties shared by the parts of one checkup.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
pub struct FillSet {
    /// Seed of their content.
    pub seed: u64,
    /// Length of a part in bytes, a multiple of 1 MiB; the last may be shorter.
    pub part_bytes: u64,
}

/// The information in a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Name {
    set: FillSet,
    part: u32,
    is_whole: bool,
}

impl Name {
    fn text(self) -> String {
        let Name { set, part, is_whole } = self;
        let known = format!("{:016x}-{:x}-{part:04}", set.seed, set.part_bytes / MIB);
        let check = hash_name(&format!("cardiograph part {known} {is_whole}")) as u32;
        let end = if is_whole { "tmp" } else { "part" };
        format!("cardiograph-capacity-{known}-{check:08x}.{end}")
    }

    fn parse(name: &OsStr) -> Option<Self> {
        let text = name.to_str()?;
        let mut words = text.strip_prefix("cardiograph-capacity-")?.split(['-', '.']);
        let (seed, len_mib) = (words.next()?, words.next()?);
        let set = FillSet {
            seed: u64::from_str_radix(seed, 16).ok()?,
            part_bytes: u64::from_str_radix(len_mib, 16).ok()?.checked_mul(MIB)?,
        };
        let name = Name { set, part: words.next()?.parse().ok()?, is_whole: text.ends_with(".tmp") };
        (name.text() == text).then_some(name)
    }
}

/// The name of a part, complete or being written.
pub(crate) fn name_of(set: FillSet, part: u32, is_whole: bool) -> String {
    Name { set, part, is_whole }.text()
}

/// Leftover parts of an interrupted checkup.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Found {
    /// The set.
    pub set: FillSet,
    /// Complete parts, by number, with their lengths in bytes.
    pub whole: BTreeMap<u32, u64>,
    /// Number of incomplete parts.
    pub unfinished: u32,
    /// Their total size, in bytes.
    pub len_bytes: u64,
}

/// Finds parts of interrupted checkups of this user in `directory`. Skips unreadable ones.
pub fn find(directory: &dyn Directory) -> Vec<Found> {
    let mut sets = BTreeMap::<FillSet, Found>::new();
    for name in names(directory).unwrap_or_default() {
        let Ok(Some(abandoned)) = abandoned(directory, name) else { continue };
        let found = sets.entry(name.set).or_insert_with(|| Found { set: name.set, ..Found::default() });
        found.len_bytes += abandoned.len_bytes;
        if abandoned.is_whole(name) {
            found.whole.insert(name.part, abandoned.len_bytes);
        } else {
            found.unfinished += 1;
        }
    }
    sets.into_values().collect()
}

/// Which leftover parts to remove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unwanted {
    /// All.
    All,
    /// Incomplete ones: a checkup cannot resume after them.
    Unfinished,
    /// Those of one set.
    Set(FillSet),
}

/// Removes leftover parts of this user in `directory`. Returns what was removed and what remains, and the
/// freed space in bytes.
///
/// # Errors
/// When the directory cannot be listed.
pub fn remove(directory: &dyn Directory, unwanted: Unwanted) -> io::Result<(Cleaned, u64)> {
    let (mut cleaned, mut len_bytes) = (Cleaned::default(), 0);
    for name in names(directory)? {
        let text = name.text();
        let removed = abandoned(directory, name).and_then(|abandoned| {
            let Some(abandoned) = abandoned else { return Ok(None) };
            let is_unwanted = match unwanted {
                Unwanted::All => true,
                Unwanted::Unfinished => !abandoned.is_whole(name),
                Unwanted::Set(set) => name.set == set,
            };
            // Stays locked until it is removed.
            is_unwanted.then(|| directory.remove(OsStr::new(&text)).map(|()| abandoned.len_bytes)).transpose()
        });
        match removed {
            Ok(Some(removed_bytes)) => {
                len_bytes += removed_bytes;
                cleaned.removed.push(text.into());
            }
            Ok(None) => {}
            Err(error) => cleaned.stays.push(NotRemoved::new(text, error)),
        }
    }
    Ok((cleaned, len_bytes))
}

/// An open and locked leftover part.
struct Abandoned {
    len_bytes: u64,
    /// Whether its front has the set's signature.
    is_marked: bool,
    _locked: Box<dyn OwnFile>,
}

impl Abandoned {
    /// Whether a checkup can resume after it. Not if its front is lost, nor if it is the shorter last part:
    /// free space may have changed since.
    fn is_whole(&self, name: Name) -> bool {
        name.is_whole && self.is_marked && self.len_bytes == name.set.part_bytes
    }
}

fn names(directory: &dyn Directory) -> io::Result<Vec<Name>> {
    Ok(directory.names()?.iter().filter_map(|name| Name::parse(name)).collect())
}

/// Opens and locks a part, if it is a leftover of ours.
fn abandoned(dir: &dyn Directory, name: Name) -> io::Result<Option<Abandoned>> {
    let Some(file) = leftovers::lock_abandoned(dir, OsStr::new(&name.text()))? else { return Ok(None) };
    let len_bytes = file.facts()?.len_bytes;
    let mut front = vec![0; FRONT_BYTES];
    let read_bytes = file.read_at(&mut front, 0)?;
    let is_marked = read_bytes == FRONT_BYTES && verify::is_marked(&front, name.set.seed);
    // A part without content, lost or never written, holds no data of others.
    let is_empty = front[..read_bytes].iter().all(|&byte| byte == 0);
    Ok((is_marked || is_empty).then_some(Abandoned { len_bytes, is_marked, _locked: file }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Target;

    const SET: FillSet = FillSet { seed: 0x1234, part_bytes: MIB };
    const LEN: usize = MIB as usize;

    fn marked(seed: u64, len_bytes: usize) -> Vec<u8> {
        let mut bytes = vec![0; len_bytes];
        bytes[..FRONT_BYTES].copy_from_slice(&verify::marked_block(seed, FRONT_BYTES));
        bytes
    }

    #[test]
    fn names_identify_parts() {
        for name in [
            Name { set: SET, part: 0, is_whole: false },
            Name { set: SET, part: 12_345, is_whole: true },
            Name { set: FillSet { seed: u64::MAX, part_bytes: 4_095 * MIB }, part: 7, is_whole: true },
        ] {
            assert_eq!(Name::parse(OsStr::new(&name.text())), Some(name));
            assert_eq!(Name::parse(OsStr::new(&format!("{}x", name.text()))), None);
        }
        let whole = name_of(SET, 3, true);
        // Complete and incomplete names have different check values.
        assert_eq!(Name::parse(OsStr::new(&whole.replace(".tmp", ".part"))), None);
        assert_eq!(Name::parse(OsStr::new("cardiograph-capacity-x-y-z.tmp")), None);
    }

    #[test]
    fn parts_are_found_and_other_files_are_kept() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let other = FillSet { seed: 9, ..SET };
        std::fs::write(path(&name_of(SET, 0, true)), marked(SET.seed, LEN)).unwrap();
        std::fs::write(path(&name_of(SET, 1, true)), marked(SET.seed, LEN)).unwrap();
        std::fs::write(path(&name_of(SET, 2, false)), b"").unwrap();
        // As on a fake drive that lost its content: ours, but a checkup cannot resume after it.
        std::fs::write(path(&name_of(SET, 3, true)), vec![0; 8_192]).unwrap();
        std::fs::write(path(&name_of(SET, 9, true)), marked(SET.seed, 8_192)).unwrap();
        std::fs::write(path(&name_of(other, 0, true)), marked(9, LEN)).unwrap();
        // Another user's content, a link, a name with a wrong check value.
        let kept =
            [name_of(SET, 4, true), name_of(SET, 5, true), name_of(SET, 6, false).replace("0006", "0007")];
        std::fs::write(path(&kept[0]), vec![7; 8_192]).unwrap();
        std::fs::write(path(&kept[1]), marked(SET.seed, 4_096)).unwrap();
        std::fs::hard_link(path(&kept[1]), path("linked")).unwrap();
        std::fs::write(path(&kept[2]), b"").unwrap();

        let open = cardiograph_files::system().directory(directory.path()).unwrap();
        let found = find(open.as_ref());
        assert_eq!(found.len(), 2);
        let ours = found.iter().find(|found| found.set == SET).unwrap();
        assert_eq!(ours.whole, BTreeMap::from([(0, MIB), (1, MIB)]));
        assert_eq!(ours.unfinished, 3);
        assert_eq!(remove(open.as_ref(), Unwanted::Unfinished).unwrap().0.removed.len(), 3);
        assert!(!path(&name_of(SET, 2, false)).exists() && path(&name_of(SET, 0, true)).exists());
        let (cleaned, _) = remove(open.as_ref(), Unwanted::All).unwrap();
        assert_eq!((cleaned.removed.len(), cleaned.stays.len()), (3, 0));
        assert_eq!(find(open.as_ref()), []);
        assert!(kept.iter().all(|name| path(name).exists()));
    }

    #[test]
    fn a_part_is_kept_only_if_it_is_complete_and_wanted() {
        let directory = cardiograph_testing::disk_dir();
        let entries = || {
            let names = std::fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name());
            names.collect::<Vec<_>>()
        };
        let create_of =
            |part, len_bytes| Target::create_part(directory.path(), SET, part, len_bytes).unwrap();
        let create = |part| create_of(part, MIB);
        // Complete but unwanted; wanted but incomplete.
        let target = create(0);
        target.end_part().unwrap();
        assert_eq!(entries(), [name_of(SET, 0, true).as_str()]);
        drop(target);
        let target = create(1);
        target.keep_part();
        drop(target);
        assert!(entries().is_empty());
        // The shorter last part.
        let target = create_of(2, 8_192);
        target.end_part().unwrap();
        assert!(!target.keep_part());
        drop(target);
        assert!(entries().is_empty());
        let target = create(2);
        target.end_part().unwrap();
        target.keep_part();
        let open = cardiograph_files::system().directory(directory.path()).unwrap();
        assert_eq!(find(open.as_ref()), [], "an owner that is alive holds it");
        drop(target);
        assert_eq!(entries(), [name_of(SET, 2, true).as_str()]);
        std::fs::write(directory.path().join(name_of(SET, 2, true)), marked(SET.seed, 8_192)).unwrap();
        let target = cardiograph_testing::soon(|| Target::open_part(directory.path(), SET, 2).ok());
        assert_eq!((target.len_bytes(), target.filled_bytes()), (8_192, 8_192));
        drop(target);
        assert!(entries().is_empty());
    }
}
