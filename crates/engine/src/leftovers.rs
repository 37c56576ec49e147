//! Named test files whose owner died.
//!
//! Where a file system has no nameless files, a test file has a name, and `kill -9` leaves it behind. Such a file is
//! recognised by all of: a name that only this program makes (it carries a check value of its own random part), a
//! regular file with one link, owned by this user, and no lock: an owner that is alive holds one. Nothing else is touched.

use std::ffi::OsStr;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use cardiograph_core::rng::hash_name;
use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags};

/// A new name for a test file.
pub(crate) fn new_name() -> String {
    // RandomState is seeded by the system, once per process, and differs with each call.
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    name_of(hasher.finish())
}

fn name_of(random: u64) -> String {
    let check = hash_name(&format!("cardiograph test file {random:016x}")) as u32;
    format!(".cardiograph-{random:016x}-{check:08x}.tmp")
}

fn is_name_of_ours(name: &OsStr) -> bool {
    let random = std::str::from_utf8(name.as_bytes())
        .ok()
        .and_then(|name| name.strip_prefix(".cardiograph-"))
        .and_then(|rest| rest.get(..16))
        .and_then(|hex| u64::from_str_radix(hex, 16).ok());
    random.is_some_and(|random| name.as_bytes() == name_of(random).as_bytes())
}

/// Removes what dead runs of this user left in `directory`. Returns what was removed. A directory that cannot be read
/// has no leftovers that could be removed.
pub fn remove(directory: &Path) -> Vec<PathBuf> {
    let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
    let Ok(dir) = rustix::fs::open(directory, flags, Mode::empty()) else { return Vec::new() };
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
    let remove = |name: &OsStr| {
        // Locked until it is gone: an owner that was about to lock it finds out, and takes another name.
        let _locked = lock_abandoned(&dir, name)?;
        rustix::fs::unlinkat(&dir, name, AtFlags::empty()).ok()
    };
    names
        .filter(|name| is_name_of_ours(name) && remove(name).is_some())
        .map(|name| directory.join(name))
        .collect()
}

/// Opens and locks a file of which the name is one that only this program makes, if it is an abandoned one of ours.
pub(crate) fn lock_abandoned(dir: &OwnedFd, name: &OsStr) -> Option<OwnedFd> {
    // O_NONBLOCK: a FIFO of that name must not hold us.
    let flags = OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let fd = rustix::fs::openat(dir, name, flags, Mode::empty()).ok()?;
    let stat = rustix::fs::fstat(&fd).ok()?;
    let is_ours = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
        && stat.st_nlink == 1
        && stat.st_uid == rustix::process::geteuid().as_raw();
    let is_locked = is_ours && rustix::fs::flock(&fd, FlockOperation::NonBlockingLockExclusive).is_ok();
    is_locked.then_some(fd)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::{Naming, Target};

    #[test]
    fn only_abandoned_files_of_ours_are_removed() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let alive = Target::create_file(directory.path(), 4_096, Naming::Named).unwrap();
        let kept = [
            "cardiograph-read.tmp".to_string(),
            ".cardiograph-0123456789abcdef-00000000.tmp".to_string(),
            format!("{}.bak", name_of(1)),
            ".cardiograph-é".to_string(),
        ];
        kept.iter().for_each(|name| std::fs::write(path(name), "mine").unwrap());
        std::fs::create_dir(path(&name_of(2))).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", path(&name_of(3))).unwrap();
        std::fs::write(path(&name_of(4)), "left").unwrap();
        std::fs::write(path(&name_of(5)), "linked twice").unwrap();
        std::fs::hard_link(path(&name_of(5)), path("other-name")).unwrap();

        assert_eq!(remove(directory.path()), [path(&name_of(4))]);
        assert!(kept.iter().all(|name| path(name).exists()));
        drop(alive);
        assert_eq!(remove(directory.path()), Vec::<PathBuf>::new());
        assert_eq!(remove(Path::new("/nonexistent")), Vec::<PathBuf>::new());
    }

    #[test]
    fn names_differ() {
        assert_ne!(new_name(), new_name());
        assert!(is_name_of_ours(OsStr::new(&new_name())));
    }
}
