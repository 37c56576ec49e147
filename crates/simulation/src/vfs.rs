//! The simulated disk as an SQLite VFS.
//!
//! Locks are SQLite's own five levels. The shared memory of a log belongs to the processes, only one of which
//! runs at a time. It is cleared when all sharers have closed it or are dead, as in the system's VFS.

use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Once};

use rusqlite::ffi;
use rustix::io::Errno;

use crate::disk::{Answer, Number};
use crate::locks::{Level, Process};
use crate::world::{Effect, State, World, current};

/// The name of the VFS, once [`register`] was called.
pub const NAME: &str = "cardiograph-simulation";
const NAME_TO_SQLITE: &CStr = c"cardiograph-simulation";

/// An opened file, starting with SQLite's part.
#[repr(C)]
struct File {
    base: ffi::sqlite3_file,
    opened: *mut Opened,
}

struct Opened {
    world: Arc<World>,
    process: Process,
    number: Number,
    handle: usize,
    /// Directory of a journal or log, which a sync also makes durable. The system's VFS does that if it
    /// created the file; otherwise ext4, xfs and btrfs do.
    syncs: Option<Number>,
    /// Path to remove when it is closed.
    removes: Option<PathBuf>,
}

impl Opened {
    fn call<T>(&self, words: &str, effect: Effect, call: impl FnOnce(&mut State) -> Answer<T>) -> Answer<T> {
        self.world.call(self.process, words, effect, call)
    }
}

/// # Safety
/// `file` must have been filled by `open` and not yet closed.
unsafe fn opened<'f>(file: *mut ffi::sqlite3_file) -> &'f mut Opened {
    // SAFETY: the caller's file is a File, whose Opened was boxed by `open` and lives until `close`.
    unsafe { &mut *(*file.cast::<File>()).opened }
}

/// SQLite's result code of a call.
fn code(answer: Answer<()>, failure: c_int) -> c_int {
    match answer {
        Ok(()) => ffi::SQLITE_OK,
        Err(Errno::NOSPC) => ffi::SQLITE_FULL,
        Err(Errno::AGAIN) => ffi::SQLITE_BUSY,
        Err(_) => failure,
    }
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    // SAFETY: SQLite closes a file once; what `open` boxed is freed here.
    unsafe {
        let opened = Box::from_raw((*file.cast::<File>()).opened);
        (*file).pMethods = std::ptr::null();
        let _ = opened.call("close", Effect::None, |state| {
            state.locks.levels.retain(|(_, handle), _| *handle != opened.handle);
            if let Some(path) = &opened.removes {
                let (directory, name) = state.disk.find_parent(path)?;
                state.disk.remove(directory, name, false)?;
            }
            Ok(())
        });
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn read(
    file: *mut ffi::sqlite3_file,
    buffer: *mut c_void,
    len: c_int,
    offset: ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: SQLite hands over room for `len` bytes and a file of ours.
    let (opened, room) =
        unsafe { (opened(file), std::slice::from_raw_parts_mut(buffer.cast::<u8>(), len as usize)) };
    let read = opened.call("read", Effect::None, |state| {
        let seen = state.disk.bytes(opened.number)?;
        let from = (offset as usize).min(seen.len());
        let count = room.len().min(seen.len() - from);
        room[..count].copy_from_slice(&seen[from..from + count]);
        room[count..].fill(0);
        Ok(count)
    });
    match read {
        Ok(count) if count == len as usize => ffi::SQLITE_OK,
        Ok(_) => ffi::SQLITE_IOERR_SHORT_READ,
        Err(_) => ffi::SQLITE_IOERR_READ,
    }
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    buffer: *const c_void,
    len: c_int,
    offset: ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: SQLite hands over `len` readable bytes and a file of ours.
    let (opened, bytes) =
        unsafe { (opened(file), std::slice::from_raw_parts(buffer.cast::<u8>(), len as usize)) };
    let written =
        opened.call("write", Effect::Change, |state| state.disk.write(opened.number, offset as usize, bytes));
    code(written, ffi::SQLITE_IOERR_WRITE)
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, len: ffi::sqlite3_int64) -> c_int {
    // SAFETY: SQLite calls with a file of ours.
    let opened = unsafe { opened(file) };
    let cut =
        opened.call("set length", Effect::Change, |state| state.disk.set_len(opened.number, len as usize));
    code(cut, ffi::SQLITE_IOERR_TRUNCATE)
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, _flags: c_int) -> c_int {
    // SAFETY: as in `truncate`.
    let opened = unsafe { opened(file) };
    let synced = opened.call("sync", Effect::Change, |state| {
        state.disk.sync(opened.number);
        if let Some(directory) = opened.syncs {
            state.disk.sync(directory);
        }
        Ok(())
    });
    code(synced, ffi::SQLITE_IOERR_FSYNC)
}

unsafe extern "C" fn file_size(file: *mut ffi::sqlite3_file, size: *mut ffi::sqlite3_int64) -> c_int {
    // SAFETY: as in `truncate`, and `size` points to writable memory of SQLite.
    unsafe {
        let opened = opened(file);
        let len = opened.call("size", Effect::None, |state| Ok(state.disk.bytes(opened.number)?.len()));
        code(len.map(|len| *size = len as ffi::sqlite3_int64), ffi::SQLITE_IOERR_FSTAT)
    }
}

unsafe extern "C" fn lock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    // SAFETY: as in `truncate`.
    let opened = unsafe { opened(file) };
    let locked = opened.call(&format!("lock {level}"), Effect::None, |state| {
        let levels = &mut state.locks.levels;
        let key = (opened.number, opened.handle);
        let held = levels.get(&key).copied();
        let has = held.map_or(ffi::SQLITE_LOCK_NONE, |held| held.level);
        if has >= level {
            return Ok(());
        }
        let others = levels.iter().filter(|((number, handle), _)| *number == key.0 && *handle != key.1);
        let highest = others.map(|(_, other)| other.level).max().unwrap_or(ffi::SQLITE_LOCK_NONE);
        let is_reserved = level == ffi::SQLITE_LOCK_RESERVED || held.is_some_and(|held| held.is_reserved);
        let mut take = |level| levels.insert(key, Level { level, is_reserved, process: opened.process });
        match level {
            ffi::SQLITE_LOCK_SHARED if highest >= ffi::SQLITE_LOCK_PENDING => return Err(Errno::AGAIN),
            ffi::SQLITE_LOCK_RESERVED if highest >= ffi::SQLITE_LOCK_RESERVED => return Err(Errno::AGAIN),
            ffi::SQLITE_LOCK_EXCLUSIVE if highest >= ffi::SQLITE_LOCK_RESERVED => return Err(Errno::AGAIN),
            ffi::SQLITE_LOCK_EXCLUSIVE if highest > ffi::SQLITE_LOCK_NONE => {
                // Readers may end; none may begin.
                take(ffi::SQLITE_LOCK_PENDING);
                return Err(Errno::AGAIN);
            }
            _ => {}
        }
        take(level);
        Ok(())
    });
    code(locked, ffi::SQLITE_IOERR_LOCK)
}

unsafe extern "C" fn unlock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    // SAFETY: as in `truncate`.
    let opened = unsafe { opened(file) };
    let _ = opened.call("unlock", Effect::None, |state| {
        let key = (opened.number, opened.handle);
        if level == ffi::SQLITE_LOCK_NONE {
            state.locks.levels.remove(&key);
        } else if let Some(held) = state.locks.levels.get_mut(&key) {
            held.level = held.level.min(level);
            held.is_reserved &= level >= ffi::SQLITE_LOCK_RESERVED;
        }
        Ok(())
    });
    ffi::SQLITE_OK
}

unsafe extern "C" fn check_reserved(file: *mut ffi::sqlite3_file, out: *mut c_int) -> c_int {
    // SAFETY: as in `truncate`, and `out` points to writable memory of SQLite.
    unsafe {
        let opened = opened(file);
        let is_reserved = opened.call("check lock", Effect::None, |state| {
            let mut all = state.locks.levels.iter();
            Ok(all.any(|((number, _), held)| *number == opened.number && held.is_reserved))
        });
        code(is_reserved.map(|is| *out = c_int::from(is)), ffi::SQLITE_IOERR_CHECKRESERVEDLOCK)
    }
}

unsafe extern "C" fn control(file: *mut ffi::sqlite3_file, op: c_int, argument: *mut c_void) -> c_int {
    if op != ffi::SQLITE_FCNTL_HAS_MOVED {
        return ffi::SQLITE_NOTFOUND;
    }
    // SAFETY: as in `truncate`; this operation's argument points to a writable int.
    unsafe {
        let opened = opened(file);
        let has_name =
            opened.call("has moved", Effect::None, |state| Ok(state.disk.node(opened.number).links > 0));
        code(has_name.map(|has_name| *argument.cast::<c_int>() = c_int::from(!has_name)), ffi::SQLITE_IOERR)
    }
}

unsafe extern "C" fn sector_size(_: *mut ffi::sqlite3_file) -> c_int {
    512
}

/// Declares nothing that would let SQLite skip a sync.
unsafe extern "C" fn characteristics(_: *mut ffi::sqlite3_file) -> c_int {
    0
}

unsafe extern "C" fn shm_map(
    file: *mut ffi::sqlite3_file,
    region: c_int,
    size: c_int,
    extend: c_int,
    out: *mut *mut c_void,
) -> c_int {
    // SAFETY: as in `truncate`, and SQLite passes a writable pointer for the address. A region is never moved
    // or freed while the world lives, which each opened file keeps alive.
    unsafe {
        let opened = opened(file);
        *out = std::ptr::null_mut();
        let mapped = opened.call("map", Effect::None, |state| {
            let shared = state.shared.entry(opened.number).or_default();
            let user = (opened.handle, opened.process);
            if !shared.users.contains(&user) {
                shared.users.push(user);
            }
            while extend != 0 && shared.regions.len() <= region as usize {
                shared.regions.push(vec![0; size as usize].into_boxed_slice());
            }
            Ok(shared.regions.get_mut(region as usize).map(|region| region.as_mut_ptr()))
        });
        let address = mapped.map(|address| {
            *out = address.map_or(std::ptr::null_mut(), |address| address.cast());
        });
        code(address, ffi::SQLITE_IOERR_SHMMAP)
    }
}

unsafe extern "C" fn shm_lock(file: *mut ffi::sqlite3_file, offset: c_int, n: c_int, flags: c_int) -> c_int {
    // SAFETY: as in `truncate`.
    let opened = unsafe { opened(file) };
    let key = |slot: c_int| (opened.number, slot as u8, opened.handle);
    let is_exclusive = flags & ffi::SQLITE_SHM_EXCLUSIVE != 0;
    let words = format!("slots {offset} {n} {flags}");
    let locked = opened.call(&words, Effect::None, |state| {
        let slots = &mut state.locks.slots;
        for slot in offset..offset + n {
            let others = slots.iter().filter(|((number, at, handle), _)| {
                (*number, *at) == (opened.number, slot as u8) && *handle != opened.handle
            });
            let mut others = others.map(|(_, (is_exclusive, _))| *is_exclusive);
            let is_lock = flags & ffi::SQLITE_SHM_LOCK != 0;
            if is_lock && others.any(|held_alone| held_alone || is_exclusive) {
                return Err(Errno::AGAIN);
            }
        }
        for slot in offset..offset + n {
            if flags & ffi::SQLITE_SHM_LOCK != 0 {
                slots.insert(key(slot), (is_exclusive, opened.process));
            } else {
                slots.remove(&key(slot));
            }
        }
        Ok(())
    });
    code(locked, ffi::SQLITE_IOERR_SHMLOCK)
}

unsafe extern "C" fn shm_barrier(_: *mut ffi::sqlite3_file) {}

unsafe extern "C" fn shm_unmap(file: *mut ffi::sqlite3_file, _delete: c_int) -> c_int {
    // SAFETY: as in `truncate`.
    let opened = unsafe { opened(file) };
    let _ = opened.call("unmap", Effect::None, |state| {
        state.locks.slots.retain(|(_, _, handle), _| *handle != opened.handle);
        if let Some(shared) = state.shared.get_mut(&opened.number) {
            shared.leave(|handle, _| handle == opened.handle);
        }
        Ok(())
    });
    ffi::SQLITE_OK
}

static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved),
    xFileControl: Some(control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

/// # Safety
/// `path` is a C string that outlives the answer.
unsafe fn path<'p>(path: *const c_char) -> &'p Path {
    // SAFETY: it is a C string.
    Path::new(OsStr::from_bytes(unsafe { CStr::from_ptr(path) }.to_bytes()))
}

unsafe extern "C" fn open(
    _: *mut ffi::sqlite3_vfs,
    name: ffi::sqlite3_filename,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    let (world, process) = current();
    // SAFETY: SQLite passes memory for a File, a path that outlives this call or null, and a writable pointer
    // for the flags or null.
    unsafe {
        (*file).pMethods = std::ptr::null();
        let name = (!name.is_null()).then(|| path(name));
        let journals = ffi::SQLITE_OPEN_MAIN_JOURNAL | ffi::SQLITE_OPEN_SUPER_JOURNAL | ffi::SQLITE_OPEN_WAL;
        let words =
            format!("sqlite opens {}", name.map_or_else(String::new, |name| name.display().to_string()));
        let found = world.call(process, &words, Effect::None, |state| {
            let handle = state.locks.handle();
            let disk = &mut state.disk;
            let Some(name) = name else { return Ok((disk.create_nameless(), handle, None)) };
            let (directory, last) = disk.find_parent(name)?;
            let number = match disk.look_up(directory, last) {
                Ok(_) if flags & ffi::SQLITE_OPEN_EXCLUSIVE != 0 => return Err(Errno::EXIST),
                Err(Errno::NOENT) if flags & ffi::SQLITE_OPEN_CREATE != 0 => {
                    disk.create(directory, last, 0o600)?
                }
                found => found?,
            };
            Ok((number, handle, (flags & journals != 0).then_some(directory)))
        });
        let Ok((number, handle, syncs)) = found else { return ffi::SQLITE_CANTOPEN };
        let removes = name.filter(|_| flags & ffi::SQLITE_OPEN_DELETEONCLOSE != 0).map(Path::to_path_buf);
        let opened = Opened { world, process, number, handle, syncs, removes };
        (*file.cast::<File>()).opened = Box::into_raw(Box::new(opened));
        (*file).pMethods = &METHODS;
        if !out_flags.is_null() {
            *out_flags = flags;
        }
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn delete(_: *mut ffi::sqlite3_vfs, name: *const c_char, sync: c_int) -> c_int {
    let (world, process) = current();
    // SAFETY: SQLite's path is a C string.
    let name = unsafe { path(name) };
    let words = format!("sqlite removes {}", name.display());
    let removed = world.call(process, &words, Effect::Change, |state| {
        let (directory, last) = state.disk.find_parent(name)?;
        state.disk.remove(directory, last, false)?;
        if sync != 0 {
            state.disk.sync(directory);
        }
        Ok(())
    });
    match removed {
        Err(Errno::NOENT) => ffi::SQLITE_IOERR_DELETE_NOENT,
        removed => code(removed, ffi::SQLITE_IOERR_DELETE),
    }
}

unsafe extern "C" fn access(
    _: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    _flags: c_int,
    out: *mut c_int,
) -> c_int {
    let (world, process) = current();
    // SAFETY: SQLite's path is a C string, and the result pointer is writable.
    unsafe {
        let name = path(name);
        let is_there = world.call(process, "access", Effect::None, |state| Ok(state.disk.walk(name).is_ok()));
        code(is_there.map(|is| *out = c_int::from(is)), ffi::SQLITE_IOERR_ACCESS)
    }
}

unsafe extern "C" fn full_pathname(
    _: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    room: c_int,
    out: *mut c_char,
) -> c_int {
    // SAFETY: SQLite's path is a C string, and the buffer has the given length.
    unsafe {
        let bytes = CStr::from_ptr(name).to_bytes_with_nul();
        if bytes.len() > room as usize {
            return ffi::SQLITE_CANTOPEN;
        }
        std::ptr::copy_nonoverlapping(bytes.as_ptr().cast(), out, bytes.len());
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn sleep(_: *mut ffi::sqlite3_vfs, microseconds: c_int) -> c_int {
    let (world, process) = current();
    world.wait(process, i128::from(microseconds) * 1_000);
    microseconds
}

/// Registers the VFS with SQLite under [`NAME`].
///
/// # Panics
/// When SQLite refuses.
pub fn register() {
    static ONCE: Once = Once::new();
    // SAFETY: the system's VFS is copied for functions unrelated to files; the copy is never freed.
    ONCE.call_once(|| unsafe {
        let system = ffi::sqlite3_vfs_find(std::ptr::null());
        assert!(!system.is_null());
        let vfs = ffi::sqlite3_vfs {
            szOsFile: size_of::<File>() as c_int,
            mxPathname: 512,
            pNext: std::ptr::null_mut(),
            zName: NAME_TO_SQLITE.as_ptr(),
            xOpen: Some(open),
            xDelete: Some(delete),
            xAccess: Some(access),
            xFullPathname: Some(full_pathname),
            xSleep: Some(sleep),
            ..*system
        };
        assert_eq!(ffi::sqlite3_vfs_register(Box::leak(Box::new(vfs)), 0), ffi::SQLITE_OK);
    });
}
