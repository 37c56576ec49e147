//! Saving what lies on a device, and putting it back.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use cardiograph_core::MIB;
use rustix::io::{pread, pwrite};

use super::{CONTENT_LEN_MAX, Journal, Record};
use crate::buffers::Arena;
use crate::target::{Access, Target};
use crate::verify;

/// Bytes of which each says by itself who wrote it.
const BLOCK_LEN: usize = 4_096;
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
    /// Places that hold their original content again: it was read back.
    pub restored: u64,
    /// Places that were left alone: what lies there was written by others, or never overwritten.
    pub left_alone: u64,
    /// Places that do not hold what was put back, or could not be written or read.
    pub lost: u64,
}

/// A device through the page cache's back door, and memory that such I/O takes.
struct Door {
    fd: OwnedFd,
    memory: Arc<Arena>,
}

impl Door {
    fn open(target: &Target, writes: bool) -> io::Result<Self> {
        let fd = target.open(Access { direct: true, writes, ..Access::default() })?;
        Ok(Self { fd, memory: Arena::new(1, CONTENT_LEN_MAX as usize)? })
    }

    fn bytes(&mut self, len: usize) -> &mut [u8] {
        // SAFETY: there is one slot, no engine, and the borrow of self lasts as long as the slice.
        unsafe { self.memory.slot_bytes(0, len) }
    }

    fn read(&mut self, offset_bytes: u64, len: usize) -> io::Result<&mut [u8]> {
        // SAFETY: as above.
        let bytes = unsafe { self.memory.slot_bytes(0, len) };
        let mut done = 0;
        while done < len {
            match pread(&self.fd, &mut bytes[done..], offset_bytes + done as u64) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => done += read,
                Err(rustix::io::Errno::INTR) => {}
                Err(errno) => return Err(errno.into()),
            }
        }
        Ok(bytes)
    }

    fn write(&mut self, offset_bytes: u64, content: &[u8]) -> io::Result<()> {
        let bytes = self.bytes(content.len());
        bytes.copy_from_slice(content);
        let mut done = 0;
        while done < content.len() {
            // SAFETY: as above.
            let bytes = unsafe { self.memory.slot_bytes(0, content.len()) };
            match pwrite(&self.fd, &bytes[done..], offset_bytes + done as u64) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => done += written,
                Err(rustix::io::Errno::INTR) => {}
                Err(errno) => return Err(errno.into()),
            }
        }
        Ok(())
    }
}

impl Journal {
    /// Saves what lies at `places` of a device, offset and length in bytes, in their order, until `goes_on` says no; it is
    /// asked before each, with how many were saved. All that was saved is durable then. Returns how many.
    ///
    /// # Errors
    /// When a place cannot be read, or the journal not be written.
    pub fn save_places(
        &mut self,
        target: &Target,
        places: &[(u64, u64)],
        mut goes_on: impl FnMut(usize) -> bool,
    ) -> io::Result<u64> {
        let mut door = Door::open(target, false)?;
        for (number, &(offset_bytes, len_bytes)) in places.iter().enumerate() {
            if !goes_on(number) {
                break;
            }
            let content = door.read(offset_bytes, len_bytes as usize)?;
            self.save(offset_bytes, content)?;
        }
        self.sync()?;
        Ok(self.len() as u64)
    }

    /// Puts back what was saved, makes it durable, and reads it back. `goes_on` is asked before each place, with how many
    /// of twice as many steps are done; where it says no, the rest is left as it is, and so is the journal's use.
    ///
    /// # Errors
    /// When the device cannot be opened or flushed. A place that cannot be written is counted as lost.
    pub fn put_back(
        &self,
        target: &Target,
        places: Places,
        mut goes_on: impl FnMut(usize) -> bool,
    ) -> io::Result<Option<PutBack>> {
        let mut door = Door::open(target, true)?;
        let mut result = PutBack::default();
        let mut written = Vec::new();
        let mut records: Vec<&Record> = self.records.iter().filter(|record| record.len_bytes > 0).collect();
        records.sort_unstable_by_key(|record| record.offset_bytes);
        for (number, record) in records.iter().enumerate() {
            if !goes_on(number) {
                return Ok(None);
            }
            let Some(original) = self.content(record) else {
                result.lost += 1;
                continue;
            };
            match self.wanted(&mut door, record, original, places) {
                Ok(None) => result.left_alone += 1,
                Ok(Some(content)) => match door.write(record.offset_bytes, &content) {
                    Ok(()) => written.push((record.offset_bytes, content.len(), checksum_of(&content))),
                    Err(_) => result.lost += 1,
                },
                Err(_) => result.lost += 1,
            }
        }
        rustix::fs::fsync(&door.fd)?;
        for (number, &(offset_bytes, len, expected)) in written.iter().enumerate() {
            if !goes_on(records.len() + number) {
                return Ok(None);
            }
            match door.read(offset_bytes, len) {
                Ok(bytes) if checksum_of(bytes) == expected => result.restored += 1,
                _ => result.lost += 1,
            }
        }
        Ok(Some(result))
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

    /// What is to lie at a place; `None` where nothing is to be changed.
    fn wanted(
        &self,
        door: &mut Door,
        record: &Record,
        original: Vec<u8>,
        places: Places,
    ) -> io::Result<Option<Vec<u8>>> {
        if places == Places::All {
            return Ok(Some(original));
        }
        let found = door.read(record.offset_bytes, original.len())?;
        let mut is_ours = false;
        for (now, before) in found.chunks_mut(BLOCK_LEN).zip(original.chunks(BLOCK_LEN)) {
            if verify::is_marked(now, self.head().seed) {
                is_ours = true;
                now.copy_from_slice(before);
            }
        }
        Ok(is_ours.then(|| found.to_vec()))
    }
}

fn checksum_of(bytes: &[u8]) -> u32 {
    crc32c::crc32c(bytes)
}
