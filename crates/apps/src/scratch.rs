//! The directory that a load works in: of our own, and removed whatever happens.
//!
//! It is recognised by all of: a name that only this program makes (it carries a check value of its own random part), a
//! directory, owned by this user, and no lock: a run that is alive holds one. Nothing else is touched.

use std::ffi::OsStr;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use cardiograph_core::rng::hash_name;
use rustix::fs::{FileType, FlockOperation, Mode, OFlags};

use crate::error::{AppError, Doing};

/// Names that are tried, should another run take each of them for abandoned before it is locked.
const TRIES: u32 = 8;

/// A directory of ours. It is removed with all that is in it when it is dropped.
#[derive(Debug)]
pub(crate) struct Scratch {
    path: PathBuf,
    /// Held for as long as this run is alive.
    _lock: OwnedFd,
    is_removed: bool,
}

impl Scratch {
    /// Makes one in `parent`.
    pub fn new(parent: &Path) -> Result<Self, AppError> {
        for _ in 0..TRIES {
            let path = parent.join(new_name());
            std::fs::create_dir(&path).doing("make the test directory", &path)?;
            if let Some(lock) = open(&path) {
                // On a file system without locks nobody else can take one either, and it is not taken for abandoned.
                let _ = rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive);
                if std::fs::symlink_metadata(&path).is_ok() {
                    return Ok(Self { path, _lock: lock, is_removed: false });
                }
            }
        }
        let source = io::Error::other("other runs remove it at once");
        Err(AppError::Io { action: "keep a test directory in", path: parent.to_path_buf(), source })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes it.
    ///
    /// # Errors
    /// When something of it stays.
    pub fn remove(mut self) -> Result<(), AppError> {
        self.is_removed = true;
        std::fs::remove_dir_all(&self.path).doing("remove", &self.path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.is_removed {
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

/// Removes what dead runs of this user left in `directory`. Returns what was removed. A directory that cannot be read has
/// no leftovers that could be removed.
pub fn remove_leftovers(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
    let remove = |name: std::ffi::OsString| {
        let path = directory.join(&name);
        let _locked = lock_abandoned(&path)?;
        std::fs::remove_dir_all(&path).ok().map(|()| path)
    };
    names.filter(|name| is_name_of_ours(name)).filter_map(remove).collect()
}

fn open(path: &Path) -> Option<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    rustix::fs::open(path, flags, Mode::empty()).ok()
}

/// Opens and locks the directory, if it is an abandoned one of ours.
fn lock_abandoned(path: &Path) -> Option<OwnedFd> {
    let fd = open(path)?;
    let stat = rustix::fs::fstat(&fd).ok()?;
    let is_ours = FileType::from_raw_mode(stat.st_mode) == FileType::Directory
        && stat.st_uid == rustix::process::geteuid().as_raw();
    let is_locked = is_ours && rustix::fs::flock(&fd, FlockOperation::NonBlockingLockExclusive).is_ok();
    is_locked.then_some(fd)
}

fn new_name() -> String {
    // RandomState is seeded by the system, once per process, and differs with each call.
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    name_of(hasher.finish())
}

fn name_of(random: u64) -> String {
    let check = hash_name(&format!("cardiograph test directory {random:016x}")) as u32;
    format!(".cardiograph-{random:016x}-{check:08x}.dir")
}

fn is_name_of_ours(name: &OsStr) -> bool {
    let random = std::str::from_utf8(name.as_bytes())
        .ok()
        .and_then(|name| name.strip_prefix(".cardiograph-"))
        .and_then(|rest| rest.get(..16))
        .and_then(|hex| u64::from_str_radix(hex, 16).ok());
    random.is_some_and(|random| name.as_bytes() == name_of(random).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_abandoned_directories_of_ours_are_removed() {
        let parent = tempfile::tempdir().unwrap();
        let path = |name: &str| parent.path().join(name);
        let alive = Scratch::new(parent.path()).unwrap();
        std::fs::write(alive.path().join("a"), "mine").unwrap();
        let kept = ["mine", ".cardiograph-0123456789abcdef-00000000.dir", ".cardiograph-é"];
        kept.iter().for_each(|name| std::fs::create_dir(path(name)).unwrap());
        std::fs::write(path(&name_of(1)), "a file").unwrap();
        std::os::unix::fs::symlink("/etc", path(&name_of(2))).unwrap();
        let abandoned = path(&name_of(3));
        std::fs::create_dir_all(abandoned.join("deep/er")).unwrap();
        std::fs::write(abandoned.join("deep/er/f"), "left").unwrap();

        assert_eq!(remove_leftovers(parent.path()), std::slice::from_ref(&abandoned));
        assert!(!abandoned.exists() && kept.iter().all(|name| path(name).is_dir()));
        assert!(alive.path().join("a").exists() && path(&name_of(1)).exists());
        let was = alive.path().to_path_buf();
        alive.remove().unwrap();
        assert!(!was.exists());
        assert_eq!(remove_leftovers(parent.path()), Vec::<PathBuf>::new());
        assert_eq!(remove_leftovers(Path::new("/nonexistent")), Vec::<PathBuf>::new());
    }

    #[test]
    fn a_dropped_one_is_gone() {
        let parent = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(parent.path()).unwrap();
        std::fs::write(scratch.path().join("f"), "x").unwrap();
        drop(scratch);
        assert_eq!(std::fs::read_dir(parent.path()).unwrap().count(), 0);
    }
}
