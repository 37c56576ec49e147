//! The kernel's interface for asynchronous I/O (`linux/aio_abi.h`), by system call: the C library does not
//! wrap it.
//!
//! Events also lie in a ring that the kernel maps into the process, at the address that serves as the
//! context's id. They are taken from there without a system call if its header is the known one; otherwise,
//! as under an emulated kernel, with `io_getevents`.

use std::ffi::{c_int, c_long, c_ulong};
use std::io;
use std::os::fd::RawFd;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU32, Ordering};

/// Opcodes of requests.
pub const READ: u16 = 0;
pub const WRITE: u16 = 1;
pub const FSYNC: u16 = 2;
pub const FDATASYNC: u16 = 3;

// With the other byte order, `key` and `transfer_flags` are swapped.
const _: () =
    assert!(cfg!(target_endian = "little"), "libaio: write the control block for big-endian processors");

/// A request as defined by the kernel for little-endian processors (`struct iocb`).
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct ControlBlock {
    /// Returned with the event.
    data: u64,
    key: u32,
    transfer_flags: c_int,
    opcode: u16,
    priority: i16,
    file: u32,
    /// Address of the memory.
    buffer: u64,
    len_bytes: u64,
    offset_bytes: i64,
    reserved: u64,
    flags: u32,
    notify_file: u32,
}

impl ControlBlock {
    /// A request without offset and buffer. The event returns `data`.
    pub fn sync(opcode: u16, file: RawFd, data: u32) -> Self {
        Self { data: u64::from(data), opcode, file: file as u32, ..Self::default() }
    }

    /// A request to read or to write.
    pub fn transfer(
        opcode: u16,
        file: RawFd,
        data: u32,
        (buffer, len_bytes): (*mut u8, u32),
        offset_bytes: u64,
    ) -> Self {
        Self {
            buffer: buffer.expose_provenance() as u64,
            len_bytes: u64::from(len_bytes),
            // An offset beyond any file becomes negative, so the kernel refuses it.
            offset_bytes: offset_bytes as i64,
            ..Self::sync(opcode, file, data)
        }
    }

    /// Sets flags as for preadv2(2).
    pub fn flags(self, flags: c_int) -> Self {
        Self { transfer_flags: flags, ..self }
    }
}

/// The result of a request, as written by the kernel (`struct io_event`).
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct Event {
    /// The request's `data`.
    pub data: u64,
    control_block: u64,
    /// Bytes moved, or a negative error number.
    pub result: i64,
    result_2: i64,
}

/// The layouts are the same on 32-bit and 64-bit machines.
const _: () = assert!(size_of::<ControlBlock>() == 64 && size_of::<Event>() == 32);

/// A timeout for these system calls: two machine words.
#[repr(C)]
struct Timeout {
    seconds: c_long,
    nanoseconds: c_long,
}

/// The start of the mapped ring (`struct aio_ring` in the kernel's `fs/aio.c`); the events follow.
#[repr(C)]
struct RingHeader {
    id: u32,
    events: u32,
    /// Index of the next event to take. Written by the consumer.
    head: AtomicU32,
    /// Index of the next free entry. Written by the kernel.
    tail: AtomicU32,
    magic: u32,
    compatible_features: u32,
    incompatible_features: u32,
    header_len_bytes: u32,
}

const RING_MAGIC: u32 = 0xa10a_10a1;

struct Ring {
    header: NonNull<RingHeader>,
    /// Capacity in events.
    events: u32,
}

impl Ring {
    /// The ring of a context; `None` if its header is not the known one.
    fn from_context(id: c_ulong) -> Option<Self> {
        let header = NonNull::new(ptr::with_exposed_provenance_mut::<RingHeader>(id as usize))?;
        if !header.is_aligned() {
            return None;
        }
        // SAFETY: a context's id is the address at which the kernel mapped its ring. This is part of the
        // interface, and the C library for it relies on it too.
        let ring = unsafe { header.as_ref() };
        let is_known = ring.magic == RING_MAGIC
            && ring.incompatible_features == 0
            && ring.header_len_bytes as usize == size_of::<RingHeader>();
        is_known.then_some(Self { header, events: ring.events })
    }

    /// Takes at most `max` events. Returns how many.
    fn take(&mut self, max: u32, mut each: impl FnMut(&Event)) -> u32 {
        // SAFETY: the mapping lives as long as the context, and its header changes only through the two
        // atomics.
        let header = unsafe { self.header.as_ref() };
        let mut head = header.head.load(Ordering::Relaxed);
        // Everything the kernel wrote before it moved the tail is now visible.
        let tail = header.tail.load(Ordering::Acquire);
        if head >= self.events || tail >= self.events {
            return 0;
        }
        let mut taken = 0;
        while head != tail && taken < max {
            // SAFETY: the events follow the header, `head` is less than their number, and the kernel does not
            // write to entries between head and tail.
            each(unsafe { self.header.add(1).cast::<Event>().add(head as usize).as_ref() });
            head = if head + 1 == self.events { 0 } else { head + 1 };
            taken += 1;
        }
        if taken > 0 {
            // Returns the entries to the kernel after reading them.
            header.head.store(head, Ordering::Release);
        }
        taken
    }
}

/// Checks whether the kernel has this interface, without creating a context, whose destruction takes
/// milliseconds.
///
/// # Errors
/// Any error other than the expected one for a context with no requests.
pub fn ask() -> io::Result<()> {
    match Context::new(0) {
        Err(error) if error.raw_os_error() != Some(libc::EINVAL) => Err(error),
        _ => Ok(()),
    }
}

/// An AIO context for requests and their events.
pub struct Context {
    id: c_ulong,
    ring: Option<Ring>,
}

impl Context {
    /// Creates a context for `requests` requests at a time.
    ///
    /// # Errors
    /// `EAGAIN` if all contexts of the machine together would exceed `fs.aio-max-nr`, `ENOSYS` without
    /// support.
    pub fn new(requests: u32) -> io::Result<Self> {
        let mut id: c_ulong = 0;
        // SAFETY: the call writes the id.
        let result = unsafe { libc::syscall(libc::SYS_io_setup, requests, &raw mut id) };
        if result < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { id, ring: Ring::from_context(id) })
    }

    /// Whether events can be taken without a system call.
    pub fn has_ring(&self) -> bool {
        self.ring.is_some()
    }

    /// Behaves as if the ring were unknown.
    #[cfg(test)]
    pub fn forget_ring(&mut self) {
        self.ring = None;
    }

    /// Submits requests. Returns how many the kernel accepted, at least one.
    ///
    /// # Errors
    /// The error number of the first request. The next call returns that of a later one.
    ///
    /// # Safety
    /// Each pointer is valid, and the memory and file of its request stay valid until its event is taken.
    pub unsafe fn submit(&self, blocks: &[*mut ControlBlock]) -> Result<usize, c_int> {
        // SAFETY: the caller's promise; the kernel copies the control blocks before it returns.
        checked(unsafe { libc::syscall(libc::SYS_io_submit, self.id, blocks.len(), blocks.as_ptr()) })
    }

    /// Takes at most `max` available events without a system call. Returns how many.
    #[inline]
    pub fn take(&mut self, max: u32, each: impl FnMut(&Event)) -> u32 {
        self.ring.as_mut().map_or(0, |ring| ring.take(max, each))
    }

    /// Waits until `min` events are available or the timeout expires, and takes as many as fit in `events`.
    /// Returns how many.
    ///
    /// # Errors
    /// `EINTR` when a signal came before the first event.
    pub fn wait(&self, min: u32, events: &mut [Event], timeout_ns: Option<u64>) -> Result<usize, c_int> {
        let timeout = timeout_ns.map(|ns| Timeout {
            seconds: c_long::try_from(ns / 1_000_000_000).unwrap_or(c_long::MAX),
            nanoseconds: (ns % 1_000_000_000) as c_long,
        });
        let (min, max) = (min as c_long, events.len() as c_long);
        let timeout = timeout.as_ref().map_or(ptr::null(), ptr::from_ref);
        // SAFETY: the kernel writes at most `max` events, and reads the timeout.
        checked(unsafe {
            libc::syscall(libc::SYS_io_getevents, self.id, min, max, events.as_mut_ptr(), timeout)
        })
    }

    /// Cancels a request. Its event arrives as usual, whether or not the kernel could cancel it.
    pub fn cancel(&self, block: &mut ControlBlock) {
        let mut event = Event::default();
        // SAFETY: the kernel looks up the request by the block's address and key, and may write the event.
        unsafe {
            libc::syscall(libc::SYS_io_cancel, self.id, ptr::from_mut(block), &raw mut event);
        }
    }
}

impl Drop for Context {
    /// Waits for everything in flight, and for a grace period on all processors: some 30 ms.
    fn drop(&mut self) {
        // SAFETY: this value owns the context, and nothing uses it any more.
        unsafe { libc::syscall(libc::SYS_io_destroy, self.id) };
    }
}

fn checked(result: c_long) -> Result<usize, c_int> {
    usize::try_from(result).map_err(|_| io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACES: u32 = 4;

    #[repr(C)]
    struct Mapped {
        header: RingHeader,
        events: [Event; PLACES as usize],
    }

    impl Mapped {
        fn new(head: u32, tail: u32) -> Self {
            let header = RingHeader {
                id: 1,
                events: PLACES,
                head: AtomicU32::new(head),
                tail: AtomicU32::new(tail),
                magic: RING_MAGIC,
                compatible_features: 1,
                incompatible_features: 0,
                header_len_bytes: size_of::<RingHeader>() as u32,
            };
            let event = |data: u32| Event { data: u64::from(data), ..Event::default() };
            Self { header, events: std::array::from_fn(|place| event(place as u32)) }
        }

        fn ring(&mut self) -> Option<Ring> {
            Ring::from_context(ptr::from_mut(self).expose_provenance() as c_ulong)
        }
    }

    #[test]
    fn events_are_taken_in_order_and_wrap_around() {
        // Head, tail, maximum to take; expected events, and the head afterwards.
        for (head, tail, max, expected, head_after) in [
            (0, 0, 9, vec![], 0),
            (0, 3, 9, vec![0, 1, 2], 3),
            (0, 3, 0, vec![], 0),
            (1, 3, 1, vec![1], 2),
            (3, 2, 9, vec![3, 0, 1], 2),
            (2, 1, 2, vec![2, 3], 0),
            (3, 0, 9, vec![3], 0),
            // Invalid indices are ignored.
            (4, 0, 9, vec![], 4),
            (0, 4, 9, vec![], 0),
        ] {
            let mut mapped = Mapped::new(head, tail);
            let mut ring = mapped.ring().unwrap();
            let mut taken = Vec::new();
            let count = ring.take(max, |event| taken.push(event.data));
            assert_eq!((count as usize, &taken), (expected.len(), &expected), "{head} {tail} {max}");
            assert_eq!(mapped.header.head.load(Ordering::Relaxed), head_after, "{head} {tail} {max}");
        }
    }

    #[test]
    fn only_a_known_ring_is_used() {
        assert!(Mapped::new(0, 0).ring().is_some());
        let spoil: [fn(&mut RingHeader); 3] = [
            |header| header.magic = 0,
            |header| header.incompatible_features = 1,
            |header| header.header_len_bytes = 64,
        ];
        for spoil in spoil {
            let mut mapped = Mapped::new(0, 0);
            spoil(&mut mapped.header);
            assert!(mapped.ring().is_none());
        }
        assert!(Ring::from_context(0).is_none());
        assert!(Ring::from_context(0x1001).is_none(), "no header begins at an odd address");
    }
}
