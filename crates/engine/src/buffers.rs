//! The memory that I/O moves: one arena per worker, cut into slots.
//!
//! An [`IoOp`](crate::IoOp) names a slot, never a pointer, so that the worker stays safe code and an engine can register
//! the whole arena with the kernel. All raw access is in this file and in the engines' system calls, and rests on one
//! rule: **a slot belongs to the worker while it is on the worker's free list, and to the engine from `submit` until its
//! [`Completion`](crate::Completion) was reaped.** The arena lives as long as anyone holds its `Arc`; an engine holds one until it is
//! dropped, and an engine with I/O in flight is never dropped before the kernel has let go (see each engine).

use std::io;
use std::ptr::NonNull;
use std::sync::Arc;

use rustix::mm::{MapFlags, ProtFlags};

/// Bytes between two stamps: the smallest unit that a drive can tell apart.
pub const STAMP_EVERY_BYTES: usize = 512;
/// Length of a stamp.
pub const STAMP_LEN_BYTES: usize = 16;

/// Page-aligned memory, `slots` times `slot_len_bytes`.
#[derive(Debug)]
pub struct Arena {
    base: NonNull<u8>,
    slot_len_bytes: usize,
    slots: usize,
}

// SAFETY: the arena is plain memory; who may touch which slot when is the rule at the top of this file.
unsafe impl Send for Arena {}
// SAFETY: as above.
unsafe impl Sync for Arena {}

impl Arena {
    /// Memory for `slots` I/Os of up to `slot_len_bytes` each. It is mapped, not touched: reading needs no page of it
    /// before the kernel writes there.
    ///
    /// # Errors
    /// When the system does not give that much.
    pub fn new(slots: usize, slot_len_bytes: usize) -> io::Result<Arc<Self>> {
        let slot_len_bytes = slot_len_bytes.max(1).next_multiple_of(4_096);
        let len = slots.max(1).checked_mul(slot_len_bytes).ok_or(io::ErrorKind::OutOfMemory)?;
        // SAFETY: an anonymous private mapping at an address of the kernel's choice touches nothing that exists.
        let base = unsafe {
            rustix::mm::mmap_anonymous(
                std::ptr::null_mut(),
                len,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::PRIVATE | MapFlags::NORESERVE,
            )
        }?;
        let base = NonNull::new(base.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Arc::new(Self { base, slot_len_bytes, slots: slots.max(1) }))
    }

    /// Where a slot begins. Page-aligned.
    ///
    /// # Panics
    /// When there is no such slot.
    pub fn slot(&self, slot: u32) -> *mut u8 {
        assert!((slot as usize) < self.slots, "slot {slot} of {}", self.slots);
        // SAFETY: the slot lies inside the mapping.
        unsafe { self.base.as_ptr().add(slot as usize * self.slot_len_bytes) }
    }

    /// How long each slot is, in bytes.
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

impl Drop for Arena {
    fn drop(&mut self) {
        let (base, len) = self.whole();
        // SAFETY: the mapping was made in `new` with this length, and the last holder is gone. A failure would only
        // keep the memory until the process ends.
        let _ = unsafe { rustix::mm::munmap(base.cast(), len) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_aligned_and_apart() {
        let arena = Arena::new(3, 5_000).unwrap();
        assert_eq!(arena.slot_len_bytes(), 8_192);
        for slot in 0..3 {
            assert_eq!(arena.slot(slot) as usize % 4_096, 0);
        }
        assert_eq!(arena.slot(1) as usize - arena.slot(0) as usize, 8_192);
    }

    #[test]
    fn too_much_memory_is_an_error() {
        assert!(Arena::new(usize::MAX / 2, 1 << 20).is_err());
    }
}
