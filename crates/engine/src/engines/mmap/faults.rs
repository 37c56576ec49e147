//! Surviving what a mapping does instead of returning an error.
//!
//! A call tells of a bad sector by an error number. A mapping cannot: when the page that a copy touches cannot be had
//! (the sector is bad, the file was cut short, the file system is full), the kernel sends SIGBUS to the thread, and where
//! nothing is done about it the process ends, with the results of all of its jobs.
//!
//! Jumping out of the handler to where the copy began, as C would, is not possible in Rust: it would skip the frames in
//! between. So the copy is let come to its end. The handler puts an empty page of memory over the page that could not
//! be had, notes that it did, and returns; the processor executes the instruction once more, which now succeeds. When
//! the copy is over, the note says that part of it never met the file: the request fails with EIO, and the mapping, which
//! has strange pages in it by now, is made anew before it is used again.
//!
//! The handler acts on nothing but faults between two addresses that the thread itself has named for the time of its
//! copy. All others end the process, as they do by default: a fault elsewhere is a mistake of the program, and not to be
//! hidden.
//!
//! What is called in the handler may be called there: one system call, without the C library's `errno`, and variables of
//! the thread that need no making. They are atomic for the compiler's sake alone, which must not move them over the copy.

use std::ffi::{c_int, c_void};
use std::io;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering, compiler_fence};

use rustix::mm::{MapFlags, ProtFlags};

/// Where the thread expects faults, and whether there was one.
struct Expected {
    start: AtomicUsize,
    end: AtomicUsize,
    has_come: AtomicBool,
}

thread_local! {
    static EXPECTED: Expected = const {
        Expected { start: AtomicUsize::new(0), end: AtomicUsize::new(0), has_come: AtomicBool::new(false) }
    };
}

static PAGE_LEN_BYTES: AtomicUsize = AtomicUsize::new(0);

/// Makes faults survivable in this process; once is enough.
///
/// # Errors
/// As sigaction(2).
pub fn survive() -> io::Result<()> {
    static INSTALLED: OnceLock<Result<(), i32>> = OnceLock::new();
    INSTALLED.get_or_init(install).map_err(io::Error::from_raw_os_error)
}

fn install() -> Result<(), i32> {
    PAGE_LEN_BYTES.store(rustix::param::page_size(), Ordering::Relaxed);
    let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = on_fault;
    // SAFETY: the action is plain data, and the handler follows the rules of handlers (see the top of this file).
    let result = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as *const () as libc::sighandler_t;
        // On the stack that the standard library has set aside: the fault before could have been a stack's end.
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        libc::sigaction(libc::SIGBUS, &raw const action, ptr::null_mut())
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error().raw_os_error().unwrap_or(libc::EINVAL)) }
}

/// Copies bytes from or to a mapping, which lies from `mapped` on for `mapped_len_bytes`. Returns whether no page was
/// missing; where one was, the mapping must be made anew.
///
/// # Safety
/// Both are valid for `len_bytes` and do not overlap, the mapping is one that may be replaced by other memory, and
/// [`survive`] was called.
#[inline]
pub unsafe fn copy(
    from: *const u8,
    to: *mut u8,
    len_bytes: usize,
    (mapped, mapped_len_bytes): (usize, usize),
) -> bool {
    EXPECTED.with(|expected| {
        expected.start.store(mapped, Ordering::Relaxed);
        expected.end.store(mapped + mapped_len_bytes, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        // SAFETY: the caller's promise. What lies in a shared mapping may be changed by others meanwhile; the bytes are
        // then some of both, as with a system call.
        unsafe { ptr::copy_nonoverlapping(from, to, len_bytes) };
        compiler_fence(Ordering::SeqCst);
        expected.end.store(0, Ordering::Relaxed);
        if expected.has_come.load(Ordering::Relaxed) {
            expected.has_come.store(false, Ordering::Relaxed);
            return false;
        }
        true
    })
}

extern "C" fn on_fault(signal: c_int, information: *mut libc::siginfo_t, _: *mut c_void) {
    // SAFETY: the kernel gives a valid one, and for this signal it has an address.
    let address = unsafe { (*information).si_addr() } as usize;
    let is_mended = EXPECTED.with(|expected| {
        let is_expected =
            (expected.start.load(Ordering::Relaxed)..expected.end.load(Ordering::Relaxed)).contains(&address);
        if is_expected && cover(address) {
            expected.has_come.store(true, Ordering::Relaxed);
            return true;
        }
        false
    });
    if !is_mended {
        // The instruction is executed once more, and this time the process ends.
        // SAFETY: the action is plain data.
        unsafe {
            let mut default: libc::sigaction = std::mem::zeroed();
            default.sa_sigaction = libc::SIG_DFL;
            libc::sigaction(signal, &raw const default, ptr::null_mut());
        }
    }
}

/// Puts an empty page over the one that holds an address. Whether it could.
fn cover(address: usize) -> bool {
    let page_len_bytes = PAGE_LEN_BYTES.load(Ordering::Relaxed);
    let page = address - address % page_len_bytes;
    let (access, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE | MapFlags::FIXED);
    // SAFETY: the address lies in a mapping that its owner lets be replaced.
    unsafe { rustix::mm::mmap_anonymous(page as *mut c_void, page_len_bytes, access, flags) }.is_ok()
}
