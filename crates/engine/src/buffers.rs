//! Buffers for I/O: one arena per worker, cut into slots.
//!
//! An [`IoOp`](crate::IoOp) names a slot, never a pointer, so the worker stays safe code and an engine can
//! register the whole arena with the kernel. All raw access is in this file and in the engines' system calls,
//! and follows one rule: **the worker owns a slot while it is on the worker's free list; the engine owns it
//! from `submit` until its [`Completion`](crate::Completion) is reaped.** The arena lives as long as any
//! `Arc` to it. An engine holds one until it is dropped, and is never dropped with I/O in flight before the
//! kernel has released the buffers (see each engine).

use std::io;
use std::ptr::NonNull;
use std::sync::Arc;

use cardiograph_core::workload::{Memory, MemoryKind};
use cardiograph_core::{message, system_error};
use rustix::mm::{MapFlags, ProtFlags};

/// Bytes between two stamps: the smallest unit that a drive can distinguish.
pub const STAMP_EVERY_BYTES: usize = 512;
/// Length of a stamp.
pub const STAMP_LEN_BYTES: usize = 16;

/// Alignment of slots relative to the first one, in bytes.
const PAGE_LEN_BYTES: usize = 4_096;

/// `slots` buffers of `slot_len_bytes` each, page-aligned unless asked otherwise.
#[derive(Debug)]
pub struct Arena {
    /// Start of the first slot.
    base: NonNull<u8>,
    /// Unmapped together with the arena.
    _mapping: Mapping,
    slot_len_bytes: usize,
    slots: usize,
}

// SAFETY: the arena is plain memory; the rule at the top of this file says who may access a slot, and when.
unsafe impl Send for Arena {}
// SAFETY: as above.
unsafe impl Sync for Arena {}

impl Arena {
    /// An arena for `slots` I/Os of up to `slot_len_bytes` each. It is mapped but not touched: reads need
    /// none of its pages until the kernel writes there.
    ///
    /// # Errors
    /// When the system cannot provide that much memory.
    pub fn new(slots: usize, slot_len_bytes: usize) -> io::Result<Arc<Self>> {
        Self::with_memory(Memory::default(), slots, slot_len_bytes)
    }

    /// Like [`Arena::new`], with the given kind of memory. Each slot starts `shift_bytes` after a page
    /// boundary.
    ///
    /// # Errors
    /// When the system cannot provide that much memory.
    pub fn with_memory(memory: Memory, slots: usize, slot_len_bytes: usize) -> io::Result<Arc<Self>> {
        let too_much = || io::Error::from(io::ErrorKind::OutOfMemory);
        let slots = slots.max(1);
        let slot_len_bytes =
            slot_len_bytes.max(1).checked_next_multiple_of(PAGE_LEN_BYTES).ok_or_else(too_much)?;
        let shift_bytes = usize::try_from(memory.shift_bytes).map_err(|_| too_much())?;
        let len = slots.checked_mul(slot_len_bytes).and_then(|len| len.checked_add(shift_bytes));
        let mapping = Mapping::new(memory, len.ok_or_else(too_much)?)?;
        // SAFETY: `shift_bytes` is less than the mapping's length.
        let base = unsafe { mapping.start.add(shift_bytes) };
        Ok(Arc::new(Self { base, _mapping: mapping, slot_len_bytes, slots }))
    }

    /// Start address of a slot.
    ///
    /// # Panics
    /// When there is no such slot.
    pub fn slot(&self, slot: u32) -> *mut u8 {
        assert!((slot as usize) < self.slots, "slot {slot} of {}", self.slots);
        // SAFETY: the slot lies inside the mapping.
        unsafe { self.base.as_ptr().add(slot as usize * self.slot_len_bytes) }
    }

    /// Length of each slot, in bytes.
    pub fn slot_len_bytes(&self) -> usize {
        self.slot_len_bytes
    }

    /// The whole arena, for registration with the kernel: start and length in bytes.
    pub fn whole(&self) -> (*mut u8, usize) {
        (self.base.as_ptr(), self.slots * self.slot_len_bytes)
    }

    /// The first `len_bytes` of a slot.
    ///
    /// # Safety
    /// The caller owns the slot by the rule at the top of this file and holds no other reference into it.
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn slot_bytes(&self, slot: u32, len_bytes: usize) -> &mut [u8] {
        assert!(len_bytes <= self.slot_len_bytes);
        // SAFETY: inside the mapping; exclusive by the caller's promise.
        unsafe { std::slice::from_raw_parts_mut(self.slot(slot), len_bytes) }
    }
}

/// Memory that is returned to the system on drop.
#[derive(Debug)]
struct Mapping {
    start: NonNull<u8>,
    len_bytes: usize,
    is_segment: bool,
}

impl Mapping {
    /// At least `len_bytes` of memory.
    fn new(memory: Memory, len_bytes: usize) -> io::Result<Self> {
        let page_len_bytes = memory.huge_page_len_bytes.map_or(PAGE_LEN_BYTES as u64, |bytes| bytes);
        let page_len_bytes = usize::try_from(page_len_bytes).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let len_bytes =
            len_bytes.checked_next_multiple_of(page_len_bytes).ok_or(io::ErrorKind::OutOfMemory)?;
        let is_segment = memory.kind == MemoryKind::Segment;
        let start = match is_segment {
            true => segment(memory.huge_page_len_bytes, len_bytes),
            false => pages(memory, len_bytes),
        };
        let start = start.map_err(|error| explain(error, memory, len_bytes))?;
        Ok(Self { start: NonNull::new(start).ok_or(io::ErrorKind::OutOfMemory)?, len_bytes, is_segment })
    }
}

/// Encodes the huge page size as flags for mmap and shmget.
fn huge_flags(huge_page_len_bytes: u64) -> u32 {
    huge_page_len_bytes.trailing_zeros() << libc::MAP_HUGE_SHIFT
}

fn pages(memory: Memory, len_bytes: usize) -> io::Result<*mut u8> {
    let sharing = if memory.kind == MemoryKind::Shared { MapFlags::SHARED } else { MapFlags::PRIVATE };
    let how = match memory.huge_page_len_bytes {
        // Without a reservation, touching a page could find none left and kill the process.
        Some(bytes) => MapFlags::HUGETLB | MapFlags::from_bits_retain(huge_flags(bytes)),
        None => MapFlags::NORESERVE,
    };
    let protection = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: an anonymous mapping at an address of the kernel's choice touches nothing that exists.
    let start =
        unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), len_bytes, protection, sharing | how) }?;
    Ok(start.cast())
}

/// A shared memory segment that disappears with its last user: it is marked for removal once attached.
fn segment(huge_page_len_bytes: Option<u64>, len_bytes: usize) -> io::Result<*mut u8> {
    let huge = huge_page_len_bytes.map_or(0, |bytes| libc::SHM_HUGETLB | huge_flags(bytes) as libc::c_int);
    // SAFETY: it makes a new segment, which nobody else knows.
    let id = unsafe { libc::shmget(libc::IPC_PRIVATE, len_bytes, libc::IPC_CREAT | 0o600 | huge) };
    if id < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: it is attached at an address of the kernel's choice.
    let start = unsafe { libc::shmat(id, std::ptr::null(), 0) };
    let error = io::Error::last_os_error();
    // SAFETY: this removal takes no argument.
    unsafe { libc::shmctl(id, libc::IPC_RMID, std::ptr::null_mut()) };
    if start as isize == -1 { Err(error) } else { Ok(start.cast()) }
}

/// Explains what to do when there are not enough huge pages.
fn explain(error: io::Error, memory: Memory, len_bytes: usize) -> io::Error {
    let Some(page_len_bytes) = memory.huge_page_len_bytes else { return error };
    let pages = len_bytes as u64 / page_len_bytes;
    let kib = page_len_bytes >> 10;
    let reason = match error.raw_os_error() {
        Some(libc::ENOMEM) => message!("engine-huge-pages", pages, kib = kib.to_string()),
        Some(libc::EINVAL | libc::ENOSYS) => {
            message!("engine-huge-pages.no-such-length", kib = kib.to_string())
        }
        Some(libc::EPERM) => message!("engine-huge-pages.not-permitted"),
        _ => return error,
    };
    system_error::explained(error.kind(), reason)
}

impl Drop for Mapping {
    fn drop(&mut self) {
        let start = self.start.as_ptr().cast();
        // SAFETY: the memory was taken in `new` in this way and with this length, and the last holder is gone. A
        // failure would only keep it until the process ends.
        unsafe {
            if self.is_segment {
                libc::shmdt(start);
            } else {
                let _ = rustix::mm::munmap(start, self.len_bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_aligned_and_do_not_overlap() {
        let arena = Arena::new(3, 5_000).unwrap();
        assert_eq!(arena.slot_len_bytes(), 8_192);
        for slot in 0..3 {
            assert_eq!(arena.slot(slot) as usize % 4_096, 0);
        }
        assert_eq!(arena.slot(1) as usize - arena.slot(0) as usize, 8_192);
    }

    #[test]
    fn each_kind_of_memory_is_writable_and_can_be_shifted() {
        for kind in [MemoryKind::Private, MemoryKind::Shared, MemoryKind::Segment] {
            for shift_bytes in [0, 512, 10_000] {
                let arena =
                    Arena::with_memory(Memory { kind, huge_page_len_bytes: None, shift_bytes }, 3, 8_192)
                        .unwrap();
                for slot in 0..3 {
                    assert_eq!(arena.slot(slot) as u64 % 4_096, shift_bytes % 4_096, "{kind:?}");
                    // SAFETY: nobody else has the arena.
                    unsafe { arena.slot_bytes(slot, 8_192) }.fill(slot as u8 + 1);
                }
                // SAFETY: as above.
                let found = (0..3).map(|slot| unsafe { arena.slot_bytes(slot, 8_192) }[8_191]);
                assert_eq!(found.collect::<Vec<_>>(), [1, 2, 3]);
            }
        }
    }

    #[test]
    fn huge_pages_work_or_the_error_explains_why_not() {
        for kind in [MemoryKind::Private, MemoryKind::Shared, MemoryKind::Segment] {
            for (huge_page_len_bytes, wanted) in [(2 << 20, "kib=2048"), (8 << 10, "kib=8")] {
                let memory = Memory { kind, huge_page_len_bytes: Some(huge_page_len_bytes), shift_bytes: 0 };
                match Arena::with_memory(memory, 1, 4_096) {
                    // SAFETY: nobody else has the arena.
                    Ok(arena) => unsafe { arena.slot_bytes(0, 4_096) }.fill(1),
                    Err(error) if error.raw_os_error().is_none() => {
                        let text = error.to_string();
                        assert!(text.contains(wanted) || text == "engine-huge-pages.not-permitted", "{text}");
                    }
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }

    #[test]
    fn too_much_memory_is_an_error() {
        assert!(Arena::new(usize::MAX / 2, 1 << 20).is_err());
    }
}
