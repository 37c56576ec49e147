//! Saving and restoring the content of a device.

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

/// Block size for telling our data from others', in bytes.
const BLOCK_LEN: usize = 4_096;
/// Give up after this many consecutive failures.
const FAILURES_MAX: u32 = 16;
/// Length of the check at each end of a part, in bytes; a part is at least this long.
const END_LEN: usize = MIB as usize;

/// Which ranges to restore.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestoreScope {
    /// All, because the device has been held since they were saved.
    All,
    /// Ranges that still hold data written with the journal's seed.
    StillOurs,
}

/// Result of restoring a journal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RestoreOutcome {
    /// Ranges restored and verified by reading back.
    pub restored: u64,
    /// Ranges that already held their original content.
    pub untouched: u64,
    /// Ranges with data that is neither original nor this journal's: others wrote there since, or it is
    /// another device. Not changed.
    pub foreign: u64,
    /// Ranges that could not be read or written, or failed verification.
    pub lost: u64,
    /// Ranges that identify the journal's device: they held data of the journal's seed, or an original that
    /// other devices do not have, unlike blocks of zeros.
    pub recognised: u64,
}

impl RestoreOutcome {
    /// Whether each range holds its original content.
    pub fn is_whole(&self) -> bool {
        self.foreign == 0 && self.lost == 0
    }
}

/// Why ranges were not saved.
#[derive(Debug)]
pub enum SaveError {
    /// The device cannot be read.
    Device {
        /// The offset, in bytes.
        offset_bytes: u64,
        /// The reason.
        source: io::Error,
    },
    /// The journal cannot be written.
    Journal(io::Error),
}

impl SaveError {
    /// Says what failed, where and why.
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

/// Result of saving ranges.
#[derive(Debug)]
pub struct Saved {
    /// Number of ranges.
    pub ranges: u64,
    /// The read error that ended it early.
    pub ended_by: Option<SaveError>,
}

/// A device opened for direct I/O, with an aligned buffer.
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
        // SAFETY: there is one slot and no engine, and the borrow of self lasts as long as the slice.
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

/// What to do with a range.
enum Action {
    /// The range has its original content; whether that identifies the journal's device.
    Nothing { is_recognisable: bool },
    /// Others wrote there; whether some of the data is the journal's.
    Foreign { is_recognisable: bool },
    /// Write this content.
    Write(Vec<u8>),
}

impl Journal {
    /// Saves ranges of a device (offset and length in bytes), in order, until `should_continue` returns false
    /// (called before each with the number saved so far) or the device cannot be read. Everything saved is
    /// durable on return.
    ///
    /// # Errors
    /// When not even the first range can be read, or the journal cannot be written.
    pub fn save_ranges(
        &mut self,
        target: &Target,
        ranges: &[(u64, u64)],
        mut should_continue: impl FnMut(usize) -> bool,
    ) -> Result<Saved, SaveError> {
        let mut door = Door::open(target, false)?;
        let mut ended_by = None;
        for (number, &(offset_bytes, len_bytes)) in ranges.iter().enumerate() {
            if !should_continue(number) {
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
        Ok(Saved { ranges: self.len() as u64, ended_by })
    }

    /// Restores ranges that differ from the saved content, flushes them, and reads them back. Calls `show`
    /// before each range with the number of steps done, out of two per range. If a device keeps failing, the
    /// rest is skipped and the result is `None`.
    ///
    /// # Errors
    /// When the device cannot be opened or flushed. A range that cannot be written counts as lost.
    pub fn restore(
        &self,
        target: &Target,
        scope: RestoreScope,
        mut show: impl FnMut(usize),
    ) -> io::Result<Option<RestoreOutcome>> {
        let mut door = Door::open(target, true)?;
        let mut result = RestoreOutcome::default();
        let mut written = Vec::new();
        let mut records: Vec<&Record> = self.records.iter().filter(|record| record.len_bytes > 0).collect();
        records.sort_unstable_by_key(|record| record.offset_bytes);
        let mut failures_in_turn = 0;
        for (number, record) in records.iter().enumerate() {
            if failures_in_turn >= FAILURES_MAX {
                return Ok(None);
            }
            show(number);
            let action = self.action(&mut door, record, scope);
            let done = action.and_then(|action| match action {
                Action::Nothing { is_recognisable } => {
                    result.untouched += 1;
                    result.recognised += u64::from(is_recognisable);
                    Ok(())
                }
                Action::Foreign { is_recognisable } => {
                    result.foreign += 1;
                    result.recognised += u64::from(is_recognisable);
                    Ok(())
                }
                Action::Write(content) => {
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

    /// Decides what to do with a range. Reads the device first: the record of a range that was never
    /// overwritten may be damaged, if the machine stopped while it was being saved.
    fn action(&self, door: &mut Door, record: &Record, scope: RestoreScope) -> io::Result<Action> {
        let seed = self.head().seed;
        let len = usize::try_from(record.len_bytes).map_err(|_| io::ErrorKind::InvalidData)?;
        let now = door.read(record.offset_bytes, len)?;
        let has_ours = now.chunks(BLOCK_LEN).any(|block| verify::is_marked(block, seed));
        let Some(original) = self.content(record) else {
            return match has_ours || scope == RestoreScope::All {
                true => Err(explained(io::ErrorKind::InvalidData, message!("journal-damaged"))),
                false => Ok(Action::Nothing { is_recognisable: false }),
            };
        };
        if now == original {
            let is_recognisable = original.iter().any(|byte| *byte != original[0]);
            return Ok(Action::Nothing { is_recognisable });
        }
        if scope == RestoreScope::All {
            return Ok(Action::Write(original));
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
            (true, false) => Ok(Action::Write(mixed)),
            (true, true) => {
                door.write(record.offset_bytes, &mixed)?;
                Ok(Action::Foreign { is_recognisable: true })
            }
            (false, _) => Ok(Action::Foreign { is_recognisable: false }),
        }
    }

    /// Whether the device has data of this journal's seed: in a saved range, or at an end of a part.
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

    /// The filled parts, if nobody has written to the device since, judging by both ends of each part, where
    /// a new file system or partition table would be written. Otherwise none, because data overwritten by
    /// others must not count as lost by the drive.
    pub fn parts_on(&self, target: &Target) -> Vec<u32> {
        let (mut parts, part_bytes) = (self.parts(), self.head().part_bytes);
        parts.sort_unstable();
        parts.dedup();
        let Ok(mut door) = Door::open(target, false) else { return Vec::new() };
        let end_of = |part: u32| (u64::from(part) + 1).saturating_mul(part_bytes);
        // The last one is shorter, and is rewritten.
        parts.retain(|&part| end_of(part) <= target.len_bytes());
        let ends = parts.iter().flat_map(|&part| [end_of(part) - part_bytes, end_of(part) - END_LEN as u64]);
        let mut ends = ends.map(|at| self.is_intact(&mut door, at));
        if ends.all(|is_intact| is_intact) { parts } else { Vec::new() }
    }

    /// Whether all data at `offset_bytes` is what this seed wrote there.
    fn is_intact(&self, door: &mut Door, offset_bytes: u64) -> bool {
        let Ok(bytes) = door.read(offset_bytes, END_LEN) else { return false };
        let offsets = (offset_bytes..).step_by(BLOCK_LEN);
        bytes.chunks(BLOCK_LEN).zip(offsets).all(|(block, at)| verify::is_intact(block, at, self.head().seed))
    }
}

fn checksum_of(bytes: &[u8]) -> u32 {
    crc32c::crc32c(bytes)
}
