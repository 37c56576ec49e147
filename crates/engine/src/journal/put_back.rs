//! Saving what lies on a device, and putting it back.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use cardiograph_core::system_error::cause;
use cardiograph_core::system_error::explained;
use cardiograph_core::{MIB, Message, message};

use super::{CONTENT_LEN_MAX, Journal, Record};
use crate::buffers::Arena;
use crate::target::{Access, Target};
use crate::verify;

/// Bytes of which each says by itself who wrote it.
const BLOCK_LEN: usize = 4_096;
/// A device that fails so often in turn is left alone.
const FAILURES_MAX: u32 = 16;
/// What is looked at of each end of a part, in bytes: a part is no shorter.
const END_LEN: usize = MIB as usize;

/// Which places are put back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Places {
    /// All of them: the device has been held since they were saved.
    All,
    /// Where something still lies that the journal's seed wrote.
    StillOurs,
}

/// What became of the places of a journal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PutBack {
    /// Places that were put back, and hold their original content: it was read back.
    pub restored: u64,
    /// Places that held it already.
    pub untouched: u64,
    /// Places of which something is neither original nor of this journal: others wrote there since, or it is another device.
    /// They were left alone.
    pub foreign: u64,
    /// Places that do not hold what was put back, or could not be written or read.
    pub lost: u64,
    /// Places that show that it is the journal's device: what the journal's seed wrote lay there, or an original that other
    /// devices do not hold, as they do blocks of zeros.
    pub recognised: u64,
}

impl PutBack {
    /// Whether each place holds what it held.
    pub fn is_whole(&self) -> bool {
        self.foreign == 0 && self.lost == 0
    }
}

/// Why places were not saved.
#[derive(Debug)]
pub enum SaveError {
    /// The device cannot be read.
    Device {
        /// Where, in bytes.
        offset_bytes: u64,
        /// Why.
        source: io::Error,
    },
    /// The journal cannot be written.
    Journal(io::Error),
}

impl SaveError {
    /// What failed, where and why.
    pub fn message(&self) -> Message {
        match self {
            Self::Device { offset_bytes, source } => {
                message!("journal-device-unreadable", offset = offset_bytes.to_string(), error = source)
            }
            Self::Journal(error) => cause(error),
        }
    }
}

impl From<io::Error> for SaveError {
    fn from(error: io::Error) -> Self {
        Self::Journal(error)
    }
}

/// Places that were saved.
#[derive(Debug)]
pub struct Saved {
    /// How many.
    pub places: u64,
    /// Why no more, where the device could not be read.
    pub ended_by: Option<SaveError>,
}

/// A device through the page cache's back door, and memory that such I/O takes.
struct Door {
    file: File,
    memory: Arc<Arena>,
}

impl Door {
    fn open(target: &Target, writes: bool) -> io::Result<Self> {
        let file = target.open(Access { direct: true, writes, ..Access::default() })?.into();
        Ok(Self { file, memory: Arena::new(1, CONTENT_LEN_MAX as usize)? })
    }

    fn read(&mut self, offset_bytes: u64, len: usize) -> io::Result<&mut [u8]> {
        // SAFETY: there is one slot, no engine, and the borrow of self lasts as long as the slice.
        let bytes = unsafe { self.memory.slot_bytes(0, len) };
        self.file.read_exact_at(bytes, offset_bytes)?;
        Ok(bytes)
    }

    fn write(&mut self, offset_bytes: u64, content: &[u8]) -> io::Result<()> {
        // SAFETY: as above.
        let bytes = unsafe { self.memory.slot_bytes(0, content.len()) };
        bytes.copy_from_slice(content);
        self.file.write_all_at(bytes, offset_bytes)
    }
}

/// What is to be done at a place.
enum Wanted {
    /// It holds what it held; whether that shows that it is the journal's device.
    Nothing { is_telling: bool },
    /// Others wrote there; whether some of it is of the journal.
    Foreign { is_telling: bool },
    /// This is to be written.
    Write(Vec<u8>),
}

impl Journal {
    /// Saves what lies at `places` of a device, offset and length in bytes, in their order, until `goes_on` says no (it is
    /// asked before each, with how many were saved) or the device cannot be read. All that was saved is durable then.
    ///
    /// # Errors
    /// When not even the first place can be read, or the journal not be written.
    pub fn save_places(
        &mut self,
        target: &Target,
        places: &[(u64, u64)],
        mut goes_on: impl FnMut(usize) -> bool,
    ) -> Result<Saved, SaveError> {
        let mut door = Door::open(target, false)?;
        let mut ended_by = None;
        for (number, &(offset_bytes, len_bytes)) in places.iter().enumerate() {
            if !goes_on(number) {
                break;
            }
            match door.read(offset_bytes, len_bytes as usize) {
                Ok(content) => self.save(offset_bytes, content)?,
                Err(source) => {
                    ended_by = Some(SaveError::Device { offset_bytes, source });
                    break;
                }
            }
        }
        if let Some(error) = ended_by.take_if(|_| self.is_empty()) {
            return Err(error);
        }
        self.sync()?;
        Ok(Saved { places: self.len() as u64, ended_by })
    }

    /// Puts back what was saved where something else lies, makes it durable, and reads it back. `show` is told before each
    /// place how many of twice as many steps are done. Where a device fails again and again, the rest is left as it is, and
    /// the answer is `None`.
    ///
    /// # Errors
    /// When the device cannot be opened or flushed. A place that cannot be written is counted as lost.
    pub fn put_back(
        &self,
        target: &Target,
        places: Places,
        mut show: impl FnMut(usize),
    ) -> io::Result<Option<PutBack>> {
        let mut door = Door::open(target, true)?;
        let mut result = PutBack::default();
        let mut written = Vec::new();
        let mut records: Vec<&Record> = self.records.iter().filter(|record| record.len_bytes > 0).collect();
        records.sort_unstable_by_key(|record| record.offset_bytes);
        let mut failures_in_turn = 0;
        for (number, record) in records.iter().enumerate() {
            if failures_in_turn >= FAILURES_MAX {
                return Ok(None);
            }
            show(number);
            let wanted = self.wanted(&mut door, record, places);
            let done = wanted.and_then(|wanted| match wanted {
                Wanted::Nothing { is_telling } => {
                    result.untouched += 1;
                    result.recognised += u64::from(is_telling);
                    Ok(())
                }
                Wanted::Foreign { is_telling } => {
                    result.foreign += 1;
                    result.recognised += u64::from(is_telling);
                    Ok(())
                }
                Wanted::Write(content) => {
                    result.recognised += 1;
                    door.write(record.offset_bytes, &content)?;
                    written.push((record.offset_bytes, content.len(), checksum_of(&content)));
                    Ok(())
                }
            });
            failures_in_turn = if done.is_err() { failures_in_turn + 1 } else { 0 };
            result.lost += u64::from(done.is_err());
        }
        door.file.sync_all()?;
        for (number, &(offset_bytes, len, expected)) in written.iter().enumerate() {
            show(records.len() + number);
            match door.read(offset_bytes, len) {
                Ok(bytes) if checksum_of(bytes) == expected => result.restored += 1,
                _ => result.lost += 1,
            }
        }
        Ok(Some(result))
    }

    /// What is to lie at a place. The device is looked at first: of a place that was never overwritten the journal may be
    /// damaged, as the machine may have stopped while it was saved.
    fn wanted(&self, door: &mut Door, record: &Record, places: Places) -> io::Result<Wanted> {
        let seed = self.head().seed;
        let len = usize::try_from(record.len_bytes).map_err(|_| io::ErrorKind::InvalidData)?;
        let now = door.read(record.offset_bytes, len)?;
        let has_ours = now.chunks(BLOCK_LEN).any(|block| verify::is_marked(block, seed));
        let Some(original) = self.content(record) else {
            return match has_ours || places == Places::All {
                true => Err(explained(io::ErrorKind::InvalidData, message!("journal-damaged"))),
                false => Ok(Wanted::Nothing { is_telling: false }),
            };
        };
        if now == original {
            let is_telling = original.iter().any(|byte| *byte != original[0]);
            return Ok(Wanted::Nothing { is_telling });
        }
        if places == Places::All {
            return Ok(Wanted::Write(original));
        }
        let mut is_foreign = false;
        for (block, before) in now.chunks_mut(BLOCK_LEN).zip(original.chunks(BLOCK_LEN)) {
            if verify::is_marked(block, seed) {
                block.copy_from_slice(before);
            } else {
                is_foreign |= block != before;
            }
        }
        let mixed = now.to_vec();
        match (has_ours, is_foreign) {
            (true, false) => Ok(Wanted::Write(mixed)),
            (true, true) => {
                door.write(record.offset_bytes, &mixed)?;
                Ok(Wanted::Foreign { is_telling: true })
            }
            (false, _) => Ok(Wanted::Foreign { is_telling: false }),
        }
    }

    /// Whether something lies on a device that this journal's seed wrote: at a place that was saved, or at an end of a part.
    pub fn lies_on(&self, target: &Target) -> bool {
        if self.head().part_bytes > 0 {
            return !self.parts_on(target).is_empty();
        }
        let Ok(mut door) = Door::open(target, false) else { return false };
        let seed = self.head().seed;
        self.records.iter().filter(|record| record.len_bytes > 0).any(|record| {
            let now = door.read(record.offset_bytes, record.len_bytes as usize);
            now.is_ok_and(|now| now.chunks(BLOCK_LEN).any(|block| verify::is_marked(block, seed)))
        })
    }

    /// The parts that were filled, if nobody has written to the device since, as far as both ends of each part show: who
    /// makes a file system or a partition table writes there. None otherwise: what others wrote must not be taken for
    /// what the drive lost.
    pub fn parts_on(&self, target: &Target) -> Vec<u32> {
        let (mut parts, part_bytes) = (self.parts(), self.head().part_bytes);
        parts.sort_unstable();
        parts.dedup();
        let Ok(mut door) = Door::open(target, false) else { return Vec::new() };
        let end_of = |part: u32| (u64::from(part) + 1).saturating_mul(part_bytes);
        // The last one is shorter, and written anew.
        parts.retain(|&part| end_of(part) <= target.len_bytes());
        let ends = parts.iter().flat_map(|&part| [end_of(part) - part_bytes, end_of(part) - END_LEN as u64]);
        let mut ends = ends.map(|at| self.is_intact(&mut door, at));
        if ends.all(|is_intact| is_intact) { parts } else { Vec::new() }
    }

    /// Whether all that lies at `offset_bytes` is what this seed wrote there.
    fn is_intact(&self, door: &mut Door, offset_bytes: u64) -> bool {
        let Ok(bytes) = door.read(offset_bytes, END_LEN) else { return false };
        let offsets = (offset_bytes..).step_by(BLOCK_LEN);
        bytes.chunks(BLOCK_LEN).zip(offsets).all(|(block, at)| verify::is_intact(block, at, self.head().seed))
    }
}

fn checksum_of(bytes: &[u8]) -> u32 {
    crc32c::crc32c(bytes)
}
