//! Cuts the power at every moment of a writer's life; whatever was not synced by then survives or not, sector by
//! sector.
//!
//! A shim between SQLite and the system (a VFS) records each write, sync, truncation and deletion while passing it
//! on. Afterwards the files are rebuilt as a power cut at some moment could have left them: everything up to a file's
//! last sync, plus any subset of the later sectors. Each such state is opened as a user would open it, and every step
//! whose save had returned before the cut must be there.
//!
//! The shim assumes the same of a drive as SQLite: a sync makes earlier writes durable, and a sector is written whole
//! or not at all.

use std::collections::{BTreeMap, HashSet};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use cardiograph_core::rng::Rng;
use cardiograph_store::{SqliteStore, Store};
use cardiograph_testing::reports;
use rusqlite::ffi;

/// The smallest unit that drives write.
const SECTOR_BYTES: usize = 512;

/// Events, in order.
#[derive(Debug, Clone)]
enum Event {
    Write {
        file: String,
        offset: u64,
        bytes: Vec<u8>,
    },
    Truncate {
        file: String,
        len_bytes: u64,
    },
    Sync {
        file: String,
    },
    /// With or without a sync of the directory.
    Delete {
        file: String,
        is_synced: bool,
    },
    /// A save returned: the Report has this many steps.
    Saved {
        id: String,
        steps: usize,
    },
}

static EVENTS: Mutex<Vec<Event>> = Mutex::new(Vec::new());
static SYSTEM: OnceLock<System> = OnceLock::new();

struct System(*mut ffi::sqlite3_vfs);
// SAFETY: SQLite's own VFS is never freed and may be called from any thread.
unsafe impl Send for System {}
// SAFETY: as above.
unsafe impl Sync for System {}

fn note(event: Event) {
    EVENTS.lock().unwrap().push(event);
}

fn system() -> *mut ffi::sqlite3_vfs {
    SYSTEM.get().unwrap().0
}

/// An open file: SQLite's part first, then the wrapped file.
#[repr(C)]
struct Shim {
    base: ffi::sqlite3_file,
    real: *mut ffi::sqlite3_file,
    /// Its name as a `CString`; null if unnamed.
    name: *mut String,
}

/// The real file and its methods.
///
/// # Safety
/// `file` was filled by `open`.
unsafe fn real<'f>(file: *mut ffi::sqlite3_file) -> (*mut ffi::sqlite3_file, &'f ffi::sqlite3_io_methods) {
    // SAFETY: the caller's file is a Shim, whose real file was opened by the system's VFS and has its methods.
    unsafe {
        let real = (*file.cast::<Shim>()).real;
        (real, &*(*real).pMethods)
    }
}

/// # Safety
/// As `real`.
unsafe fn name(file: *mut ffi::sqlite3_file) -> String {
    // SAFETY: the name was boxed by `open` and lives until `close`.
    unsafe { (*(*file.cast::<Shim>()).name).clone() }
}

/// Passes a call on to the real file.
macro_rules! pass_on {
    ($($name:ident => $method:ident ( $($argument:ident : $type:ty),* ) -> $answer:ty;)*) => {$(
        unsafe extern "C" fn $name(file: *mut ffi::sqlite3_file $(, $argument: $type)*) -> $answer {
            // SAFETY: SQLite calls with a file of ours, and the real file has every method that ours has.
            unsafe {
                let (file, methods) = real(file);
                methods.$method.unwrap()(file $(, $argument)*)
            }
        }
    )*};
}

pass_on! {
    read => xRead(buffer: *mut c_void, len: c_int, offset: ffi::sqlite3_int64) -> c_int;
    file_size => xFileSize(size: *mut ffi::sqlite3_int64) -> c_int;
    lock => xLock(level: c_int) -> c_int;
    unlock => xUnlock(level: c_int) -> c_int;
    check_reserved => xCheckReservedLock(out: *mut c_int) -> c_int;
    control => xFileControl(op: c_int, argument: *mut c_void) -> c_int;
    sector_size => xSectorSize() -> c_int;
    shm_map => xShmMap(page: c_int, size: c_int, extend: c_int, out: *mut *mut c_void) -> c_int;
    shm_lock => xShmLock(offset: c_int, n: c_int, flags: c_int) -> c_int;
    shm_barrier => xShmBarrier() -> ();
    shm_unmap => xShmUnmap(delete: c_int) -> c_int;
}

/// Claims no property that would let SQLite skip a sync.
unsafe extern "C" fn characteristics(_: *mut ffi::sqlite3_file) -> c_int {
    0
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    buffer: *const c_void,
    len: c_int,
    offset: ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: SQLite hands over `len` readable bytes and a file of ours.
    unsafe {
        let bytes = std::slice::from_raw_parts(buffer.cast::<u8>(), len as usize).to_vec();
        note(Event::Write { file: name(file), offset: offset as u64, bytes });
        let (file, methods) = real(file);
        methods.xWrite.unwrap()(file, buffer, len, offset)
    }
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, len: ffi::sqlite3_int64) -> c_int {
    // SAFETY: as in `write`.
    unsafe {
        note(Event::Truncate { file: name(file), len_bytes: len as u64 });
        let (file, methods) = real(file);
        methods.xTruncate.unwrap()(file, len)
    }
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, flags: c_int) -> c_int {
    // SAFETY: as in `write`. A sync counts once the call has returned; nobody else writes meanwhile.
    unsafe {
        note(Event::Sync { file: name(file) });
        let (file, methods) = real(file);
        methods.xSync.unwrap()(file, flags)
    }
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    // SAFETY: SQLite closes a file once; what `open` allocated is freed here.
    unsafe {
        let (real, methods) = real(file);
        let closed = methods.xClose.unwrap()(real);
        let shim = &mut *file.cast::<Shim>();
        ffi::sqlite3_free(real.cast());
        drop(Box::from_raw(shim.name));
        shim.base.pMethods = std::ptr::null();
        closed
    }
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

unsafe extern "C" fn open(
    _: *mut ffi::sqlite3_vfs,
    path: ffi::sqlite3_filename,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    // SAFETY: SQLite provides space for a Shim, a path that outlives the file, and a place for the flags. The real file
    // gets as much space as its VFS requires.
    unsafe {
        let shim = &mut *file.cast::<Shim>();
        shim.base.pMethods = std::ptr::null();
        let system = system();
        let len = (*system).szOsFile;
        shim.real = ffi::sqlite3_malloc(len).cast();
        std::ptr::write_bytes(shim.real.cast::<u8>(), 0, len as usize);
        let opened = (*system).xOpen.unwrap()(system, path, shim.real, flags, out_flags);
        if opened != ffi::SQLITE_OK {
            ffi::sqlite3_free(shim.real.cast());
            return opened;
        }
        shim.name = Box::into_raw(Box::new(text(path)));
        shim.base.pMethods = &METHODS;
        opened
    }
}

/// # Safety
/// `path` is null or a C string.
unsafe fn text(path: *const c_char) -> String {
    if path.is_null() {
        return String::new();
    }
    // SAFETY: it is a C string.
    unsafe { CStr::from_ptr(path) }.to_string_lossy().into_owned()
}

unsafe extern "C" fn delete(_: *mut ffi::sqlite3_vfs, path: *const c_char, sync: c_int) -> c_int {
    // SAFETY: SQLite's path is a C string.
    unsafe {
        note(Event::Delete { file: text(path), is_synced: sync != 0 });
        (*system()).xDelete.unwrap()(system(), path, sync)
    }
}

/// Puts the shim in front of the system for all files that this process opens from now on.
fn install() {
    // SAFETY: the system's VFS is copied with its methods, which use the VFS that they are called with only for its
    // name and sizes; both live as long as the process.
    unsafe {
        let system = ffi::sqlite3_vfs_find(std::ptr::null());
        assert!(!system.is_null() && SYSTEM.set(System(system)).is_ok());
        let mut shim = *system;
        shim.szOsFile = size_of::<Shim>() as c_int;
        shim.zName = c"recorder".as_ptr();
        shim.pNext = std::ptr::null_mut();
        shim.xOpen = Some(open);
        shim.xDelete = Some(delete);
        let shim = Box::leak(Box::new(shim));
        assert_eq!(ffi::sqlite3_vfs_register(shim, 1), ffi::SQLITE_OK);
    }
}

/// The files as a power cut after `events` may have left them.
fn after_cut(events: &[Event], rng: &mut Rng) -> BTreeMap<String, Option<Vec<u8>>> {
    let mut last_sync = BTreeMap::new();
    for (at, event) in events.iter().enumerate() {
        if let Event::Sync { file } = event {
            last_sync.insert(file.clone(), at);
        }
    }
    let mut files: BTreeMap<String, Option<Vec<u8>>> = BTreeMap::new();
    // Fraction of the unsynced sectors that survive in this state: none, most, all, or a random one.
    let share = [0, 10, 50, 90, 100][rng.below(5) as usize];
    let mut unreachable = HashSet::new();
    for (at, event) in events.iter().enumerate() {
        if let Event::Write { file, .. } | Event::Truncate { file, .. } = event
            && unreachable.contains(file)
        {
            continue;
        }
        let is_durable = |file: &String| last_sync.get(file).is_some_and(|&sync| at < sync);
        match event {
            Event::Write { file, offset, bytes } => {
                let content = files.entry(file.clone()).or_default().get_or_insert_default();
                for (number, sector) in bytes.chunks(SECTOR_BYTES).enumerate() {
                    if is_durable(file) || rng.below(100) < share {
                        let begin = *offset as usize + number * SECTOR_BYTES;
                        content.resize(content.len().max(begin + sector.len()), 0);
                        content[begin..begin + sector.len()].copy_from_slice(sector);
                    }
                }
            }
            Event::Truncate { file, len_bytes } => {
                if is_durable(file) || rng.below(100) < share {
                    let content = files.entry(file.clone()).or_default().get_or_insert_default();
                    content.resize(*len_bytes as usize, 0);
                }
            }
            // The first sync of a file recreated under this name also syncs the directory. Before that, the name may
            // still refer to the old file, and writes to the new one are lost with it.
            Event::Delete { file, is_synced } => {
                if *is_synced || is_durable(file) || rng.below(100) < share {
                    files.insert(file.clone(), None);
                } else {
                    unreachable.insert(file.clone());
                }
            }
            Event::Sync { .. } | Event::Saved { .. } => {}
        }
    }
    files
}

fn put(files: &BTreeMap<String, Option<Vec<u8>>>, directory: &Path) -> PathBuf {
    let mut database = None;
    for (name, content) in files {
        let name = Path::new(name).file_name().unwrap();
        let path = directory.join(name);
        if let Some(content) = content {
            std::fs::write(&path, content).unwrap();
        }
        if name == "drives.db" {
            database = Some(path);
        }
    }
    database.unwrap_or_else(|| directory.join("drives.db"))
}

#[test]
fn a_power_cut_loses_no_saved_step() {
    let cuts = cardiograph_testing::part_or_all(20, 1_000);
    install();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("drives.db");
    let mut reports = BTreeMap::new();
    // Closing a store writes its log back; the large steps also make that happen in between.
    for run in 0..3u64 {
        let store = SqliteStore::new(&file);
        for number in 0..2 {
            let mut report = reports::report(&format!("r{run}-{number}"), 1 + run);
            for step in 0..5 {
                report.steps.push(reports::step(step, run * 100 + number * 10 + step as u64, 8_000));
                store.save(&report).unwrap();
                note(Event::Saved { id: report.id.clone(), steps: report.steps.len() });
            }
            reports.insert(report.id.clone(), report);
        }
    }
    let events = std::mem::take(&mut *EVENTS.lock().unwrap());
    let kinds: HashSet<_> = events.iter().map(std::mem::discriminant).collect();
    assert!(kinds.len() >= 4 && events.len() > 500, "{} events of {} kinds", events.len(), kinds.len());

    let mut rng = Rng::new(11);
    for cut in 0..cuts {
        let end = 1 + rng.below(events.len() as u64) as usize;
        let events = &events[..end];
        let place = tempfile::tempdir().unwrap();
        let store = SqliteStore::new(put(&after_cut(events, &mut rng), place.path()));
        let mut saved: BTreeMap<&String, usize> = BTreeMap::new();
        for event in events {
            if let Event::Saved { id, steps } = event {
                saved.insert(id, *steps);
            }
        }
        for (id, steps) in saved {
            let found = store.load(id).unwrap_or_else(|error| panic!("cut {cut} after event {end}: {error}"));
            assert!(found.steps.len() >= steps, "cut {cut} after event {end}: {id}");
            assert_eq!(found.steps, reports[id].steps[..found.steps.len()], "cut {cut}: {id}");
        }
        assert!(store.remarks().is_empty(), "cut {cut} after event {end}: a file was unreadable");
        drop(store);
        EVENTS.lock().unwrap().clear();
    }
}
