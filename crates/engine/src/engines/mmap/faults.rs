//! Surviving SIGBUS in a mapping.
//!
//! A system call reports a bad sector by an error number. A mapping cannot: if a page touched by a copy
//! cannot be read (the sector is bad, the file was truncated, the file system is full), the kernel sends
//! SIGBUS to the thread, which by default kills the process and with it the results of all jobs.
//!
//! Jumping from the handler to the start of the copy, as in C, is impossible in Rust: it would skip the
//! frames in between. So the copy runs to its end. The handler maps an empty page over the missing one, sets
//! a flag and returns; the processor retries the instruction, which now succeeds. If the flag is set after
//! the copy, part of it never reached the file: the request fails with EIO, and the mapping, which now
//! contains foreign pages, is recreated before further use.
//!
//! The handler acts only on faults in the address range that the thread set for its copy. All others kill the
//! process, as by default: a fault anywhere else is a bug and must not be hidden.
//!
//! Everything called in the handler is async-signal-safe: one system call, without the C library's `errno`,
//! and thread-locals without lazy initialization. They are atomic only so that the compiler does not move
//! them across the copy.

use std::ffi::{c_int, c_void};
use std::io;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering, compiler_fence};

use rustix::mm::{MapFlags, ProtFlags};

/// Address range where the thread expects faults, and whether one occurred.
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

/// Installs the handler; once per process is enough.
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
        // On the alternate stack of the standard library: a fault may be a stack overflow.
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        libc::sigaction(libc::SIGBUS, &raw const action, ptr::null_mut())
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error().raw_os_error().unwrap_or(libc::EINVAL)) }
}

/// Copies bytes from or to a mapping that starts at `mapped` and is `mapped_len_bytes` long. Returns whether
/// all pages were present; if not, the mapping must be recreated.
///
/// # Safety
/// Both are valid for `len_bytes` and do not overlap, the mapping may be replaced by other memory, and
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
        // SAFETY: the caller's promise. Others may change a shared mapping meanwhile; the copy is then a
        // mixture, as with a system call.
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
    // SAFETY: the kernel passes a valid pointer, and this signal has an address.
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
        // The instruction is executed again, and this time ends the process.
        // SAFETY: the action is plain data.
        unsafe {
            let mut default: libc::sigaction = std::mem::zeroed();
            default.sa_sigaction = libc::SIG_DFL;
            libc::sigaction(signal, &raw const default, ptr::null_mut());
        }
    }
}

/// Maps an empty page over the one that holds an address. Returns whether it succeeded.
fn cover(address: usize) -> bool {
    let page_len_bytes = PAGE_LEN_BYTES.load(Ordering::Relaxed);
    let page = address - address % page_len_bytes;
    let (access, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE | MapFlags::FIXED);
    // SAFETY: the address is in a mapping whose owner permits replacing it.
    unsafe { rustix::mm::mmap_anonymous(page as *mut c_void, page_len_bytes, access, flags) }.is_ok()
}
