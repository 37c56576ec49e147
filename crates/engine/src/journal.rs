//! Write-ahead journal of a checkup's changes to a device, so that the next checkup can undo or resume them.
//!
//! A journal is a file on another drive. Its header identifies the device and the seed of the data written
//! there. A record is either the original content of a range to be overwritten, or the number of a filled
//! part. Originals are durable before the first of their ranges is overwritten, and a range is restored only
//! if it still holds data written with this seed: anything written since belongs to the user. So it is safe
//! to use a journal twice, or after a kill, a power cut or a restart.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use cardiograph_core::rng::{derive_seed, hash_name};
use cardiograph_core::system_error::explained;
use cardiograph_core::{Direction, Plan};
use cardiograph_core::{MIB, message};
use cardiograph_files::{Directory, FileSystem, Kind, Open, OwnFile};
use cardiograph_jobs::offsets::Requests;

use crate::leftovers;

mod restore;

pub use restore::{RestoreOutcome, RestoreScope, SaveError, Saved};

const HEAD_LEN: usize = 4_096;
const RECORD_LEN: usize = 24;
/// Maximum content of a record, in bytes.
const CONTENT_LEN_MAX: u64 = MIB;
/// The device's content is private, so others may not read it.
const FILE_MODE: u32 = 0o600;
const DIRECTORY_MODE: u32 = 0o700;
const ENDING: &str = "journal";

/// Header of a journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// Seed of the data written to the device.
    pub seed: u64,
    /// Consent id of the device.
    pub device: String,
    /// Its length in bytes.
    pub len_bytes: u64,
    /// Length of the filled parts, in bytes; 0 if ranges are overwritten.
    pub part_bytes: u64,
}

impl Head {
    fn text(&self) -> String {
        let Head { seed, device, len_bytes, part_bytes } = self;
        let known = format!("{seed:016x} {len_bytes} {part_bytes} {device}");
        let check = hash_name(&format!("cardiograph journal {known}")) as u32;
        format!("cardiograph journal 1\n{check:08x} {known}\n")
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?.trim_end_matches('\0');
        let (_, known) = text.lines().nth(1)?.split_once(' ')?;
        let mut words = known.splitn(4, ' ');
        let head = Head {
            seed: u64::from_str_radix(words.next()?, 16).ok()?,
            len_bytes: words.next()?.parse().ok()?,
            part_bytes: words.next()?.parse().ok()?,
            device: words.next()?.to_string(),
        };
        (head.text() == text).then_some(head)
    }
}

/// Location of a record's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Record {
    /// Offset on the device, in bytes; for filled parts, the part's number.
    offset_bytes: u64,
    /// Offset in the journal, in bytes.
    at_bytes: u64,
    len_bytes: u64,
    checksum: u32,
}

impl Record {
    fn new(offset_bytes: u64, at_bytes: u64, content: &[u8]) -> Self {
        Self {
            offset_bytes,
            at_bytes,
            len_bytes: content.len() as u64,
            checksum: checksum(offset_bytes, content),
        }
    }

    fn bytes(&self) -> [u8; RECORD_LEN] {
        let mut bytes = [0; RECORD_LEN];
        bytes[..8].copy_from_slice(&self.offset_bytes.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.len_bytes.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.checksum.to_le_bytes());
        bytes[20..].copy_from_slice(b"card");
        bytes
    }

    fn parse(bytes: &[u8; RECORD_LEN], at_bytes: u64) -> Option<Self> {
        let number = |range: std::ops::Range<usize>| {
            let mut word = [0; 8];
            word[..range.len()].copy_from_slice(&bytes[range]);
            u64::from_le_bytes(word)
        };
        let (offset_bytes, len_bytes) = (number(0..8), number(8..16));
        let is_record = &bytes[20..] == b"card" && len_bytes <= CONTENT_LEN_MAX;
        is_record.then_some(Self { offset_bytes, at_bytes, len_bytes, checksum: number(16..20) as u32 })
    }
}

fn checksum(offset_bytes: u64, content: &[u8]) -> u32 {
    crc32c::crc32c_append(crc32c::crc32c(&offset_bytes.to_le_bytes()), content)
}

/// An open journal, locked while it is open.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    dir: Box<dyn Directory>,
    name: OsString,
    file: Box<dyn OwnFile>,
    head: Head,
    records: Vec<Record>,
    end_bytes: u64,
}

impl Journal {
    /// Creates a journal in `directory`, which is created if missing.
    ///
    /// # Errors
    /// As open(2) and write(2).
    pub fn create(files: &dyn FileSystem, directory: &Path, head: Head) -> io::Result<Self> {
        files.create_directories(directory, DIRECTORY_MODE)?;
        let dir = files.directory(directory)?;
        let name = OsString::from(format!("{:016x}.{ENDING}", head.seed));
        let file = dir.open(&name, Open::Create(FILE_MODE))?;
        let begin = || {
            if !file.try_lock()? {
                return Err(explained(io::ErrorKind::Other, message!("journal-locked")));
            }
            // Some file systems assign files to another user, so such a journal could not be found again.
            if file.facts()?.user != rustix::process::geteuid().as_raw() {
                return Err(explained(io::ErrorKind::Other, message!("journal-other-user")));
            }
            let mut bytes = head.text().into_bytes();
            bytes.resize(HEAD_LEN, 0);
            file.write_all_at(&bytes, 0)
        };
        if let Err(error) = begin() {
            let _ = dir.remove(&name);
            return Err(error);
        }
        let path = directory.join(&name);
        Ok(Self { path, dir, name, file, head, records: Vec::new(), end_bytes: HEAD_LEN as u64 })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its header.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Number of ranges or parts in it.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether it has no records.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Records the content at `offset_bytes` of the device. It is durable after [`sync`](Self::sync).
    ///
    /// # Errors
    /// As write(2).
    pub fn save(&mut self, offset_bytes: u64, content: &[u8]) -> io::Result<()> {
        let record = Record::new(offset_bytes, self.end_bytes + RECORD_LEN as u64, content);
        self.file.write_all_at(&record.bytes(), self.end_bytes)?;
        self.file.write_all_at(content, record.at_bytes)?;
        self.end_bytes = record.at_bytes + record.len_bytes;
        self.records.push(record);
        Ok(())
    }

    /// Records, durably, that a part has been filled.
    ///
    /// # Errors
    /// As write(2) and fsync(2).
    pub fn note_part(&mut self, part: u32) -> io::Result<()> {
        self.save(u64::from(part), &[])?;
        self.sync()
    }

    /// Makes all records and the file's name durable.
    ///
    /// # Errors
    /// As fsync(2).
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync()?;
        self.dir.sync()
    }

    /// Numbers of the filled parts.
    pub fn parts(&self) -> Vec<u32> {
        let numbers = self.records.iter().filter(|record| record.len_bytes == 0);
        numbers.filter_map(|record| u32::try_from(record.offset_bytes).ok()).collect()
    }

    /// Removes it when nothing is left to undo.
    ///
    /// # Errors
    /// As unlink(2).
    pub fn remove(self) -> io::Result<()> {
        self.dir.remove(&self.name)
    }

    /// Content of a record; `None` if its checksum does not match.
    fn content(&self, record: &Record) -> Option<Vec<u8>> {
        let mut content = vec![0; usize::try_from(record.len_bytes).ok()?];
        (self.file.read_at(&mut content, record.at_bytes).ok()? == content.len()).then_some(())?;
        (checksum(record.offset_bytes, &content) == record.checksum).then_some(content)
    }

    /// Opens a journal that nobody has locked, with all complete records.
    fn open(
        dir: Box<dyn Directory>,
        directory: &Path,
        name: OsString,
        is_wanted: &dyn Fn(&Head) -> bool,
    ) -> Option<Self> {
        // Do not lock journals of other devices even for a moment.
        head_of(dir.open(&name, Open::Read).ok()?.as_ref()).filter(|head| is_wanted(head))?;
        let file = leftovers::lock_abandoned(dir.as_ref(), &name).ok()??;
        let head = head_of(file.as_ref()).filter(|head| is_wanted(head))?;
        let file_bytes = file.facts().ok()?.len_bytes;
        let path = directory.join(&name);
        let mut journal =
            Self { path, dir, name, file, head, records: Vec::new(), end_bytes: HEAD_LEN as u64 };
        let mut bytes = [0; RECORD_LEN];
        while journal.file.read_at(&mut bytes, journal.end_bytes).is_ok_and(|read| read == RECORD_LEN) {
            let at_bytes = journal.end_bytes + RECORD_LEN as u64;
            let Some(record) = Record::parse(&bytes, at_bytes) else { break };
            if at_bytes + record.len_bytes > file_bytes {
                break;
            }
            journal.end_bytes = at_bytes + record.len_bytes;
            journal.records.push(record);
        }
        Some(journal)
    }
}

fn head_of(file: &dyn OwnFile) -> Option<Head> {
    let mut bytes = [0; HEAD_LEN];
    let read = file.read_at(&mut bytes, 0).ok()?;
    if read == HEAD_LEN { Head::parse(&bytes) } else { None }
}

/// Names of journals in a directory.
fn names(dir: &dyn Directory) -> Vec<OsString> {
    let names = dir.names().unwrap_or_default().into_iter();
    names.filter(|name| Path::new(name).extension() == Some(OsStr::new(ENDING))).collect()
}

/// Journals in `directory` that this user's dead checkups left and whose header is wanted, newest first.
/// Skips unreadable ones.
pub fn find(files: &dyn FileSystem, directory: &Path, is_wanted: &dyn Fn(&Head) -> bool) -> Vec<Journal> {
    let Ok(dir) = files.directory(directory) else { return Vec::new() };
    let open = |name: OsString| Journal::open(files.directory(directory).ok()?, directory, name, is_wanted);
    let mut journals: Vec<Journal> = names(dir.as_ref()).into_iter().filter_map(open).collect();
    // A later one may have saved what an earlier one wrote.
    journals
        .sort_by_key(|journal| std::cmp::Reverse(journal.file.facts().map(|facts| facts.modified_ns).ok()));
    journals
}

/// All journals of this user in `directory`, by name, with their headers, including those of active checkups.
pub fn list(files: &dyn FileSystem, directory: &Path) -> Vec<(PathBuf, Head)> {
    let Ok(dir) = files.directory(directory) else { return Vec::new() };
    let head = |name: &OsStr| {
        let file = dir.open(name, Open::Read).ok()?;
        let facts = file.facts().ok()?;
        let is_ours = facts.kind == Kind::File && facts.user == rustix::process::geteuid().as_raw();
        head_of(file.as_ref()).filter(|_| is_ours)
    };
    let mut names = names(dir.as_ref());
    names.sort();
    names.iter().filter_map(|name| Some((directory.join(name), head(name)?))).collect()
}

/// Ranges that the only worker of a Plan writes, in order: offset and length in bytes.
///
/// # Panics
/// When the Plan has several workers, or its end is not a number of I/Os.
pub fn write_ranges(plan: &Plan) -> Vec<(u64, u64)> {
    let [job] = &plan.jobs[..] else { panic!("a Plan of one job") };
    let [files] = &job.clones[..] else { panic!("a job without further clones") };
    let workload = &job.workload;
    let ios = workload.stop.ios.expect("a number of I/Os");
    let files: Vec<_> = files.iter().map(|file| workload.drawn_part(file)).collect();
    let mut requests = Requests::new(workload, &files, derive_seed(workload.seed, 0));
    let drawn = (0..ios).map(|_| requests.next_in(Direction::Write));
    drawn.map(|request| (request.offset_bytes, request.len_bytes)).collect()
}

#[cfg(test)]
mod tests {
    use cardiograph_files::system;

    use super::*;

    const HEAD: Head = Head { seed: 0x1234, device: String::new(), len_bytes: MIB, part_bytes: 0 };

    /// A journal whose owner has released it.
    fn left(directory: &Path) -> Journal {
        cardiograph_testing::soon(|| find(directory, MIB).pop())
    }

    fn find(directory: &Path, len_bytes: u64) -> Vec<Journal> {
        super::find(system(), directory, &|head| head.len_bytes == len_bytes)
    }

    fn head(device: &str) -> Head {
        Head { device: device.to_string(), ..HEAD }
    }

    #[test]
    fn a_journal_is_found_again_with_all_complete_records() {
        let directory = tempfile::tempdir().unwrap();
        let inner = directory.path().join("made/for/it");
        let mut journal = Journal::create(system(), &inner, head("ab 12")).unwrap();
        for number in 0..5_u8 {
            journal.save(u64::from(number) * 8_192, &vec![number; 4_096]).unwrap();
        }
        journal.sync().unwrap();
        let path = journal.path().to_path_buf();
        assert!(find(&inner, MIB).is_empty(), "an owner that is alive holds it");
        assert_eq!(list(system(), &inner), [(path.clone(), head("ab 12"))]);
        drop(journal);
        assert!(find(&inner, 2 * MIB).is_empty());
        let found = left(&inner);
        assert_eq!((found.len(), found.head().device.as_str()), (5, "ab 12"));
        drop(found);

        // Truncated anywhere, the records before the cut remain.
        let whole = std::fs::read(&path).unwrap();
        for len in
            [0, 100, HEAD_LEN, HEAD_LEN + 7, HEAD_LEN + RECORD_LEN, HEAD_LEN + 3 * (4_096 + RECORD_LEN) + 9]
        {
            std::fs::write(&path, &whole[..len]).unwrap();
            let records = len.saturating_sub(HEAD_LEN) / (4_096 + RECORD_LEN);
            if len >= HEAD_LEN {
                assert_eq!(left(&inner).len(), records, "{len}");
            } else {
                assert!(find(&inner, MIB).is_empty(), "{len}");
            }
        }
        // Damaged content is not returned.
        let mut damaged = whole;
        damaged[HEAD_LEN + RECORD_LEN + 17] ^= 1;
        std::fs::write(&path, &damaged).unwrap();
        let journal = left(&inner);
        assert_eq!(journal.content(&journal.records[0]), None);
        assert_eq!(journal.content(&journal.records[1]).unwrap(), vec![1; 4_096]);
        damaged[40] ^= 1;
        std::fs::write(&path, &damaged).unwrap();
        drop(journal);
        assert!(find(&inner, MIB).is_empty(), "its head does not check");
    }

    #[test]
    fn filled_parts_are_recorded_by_number() {
        let directory = tempfile::tempdir().unwrap();
        let mut journal =
            Journal::create(system(), directory.path(), Head { part_bytes: MIB, ..head("id") }).unwrap();
        journal.note_part(0).unwrap();
        journal.note_part(7).unwrap();
        assert_eq!(journal.parts(), [0, 7]);
        drop(journal);
        let journal = left(directory.path());
        assert_eq!((journal.parts(), journal.head().part_bytes), (vec![0, 7], MIB));
        journal.remove().unwrap();
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}
