//! Named test files whose owner died.
//!
//! On a file system without nameless files, a test file has a name, and `kill -9` leaves it behind. Such a
//! file is recognised by all of: a name that only this program generates (with a check value of its random
//! part), a regular file with one link, owned by this user, and not locked, as a live owner holds a lock.
//! Nothing else is touched. Whoever gave another file such a name could have removed it as well: both need
//! write permission for the directory.

use std::ffi::OsStr;
use std::io;

use cardiograph_files::leftovers::{self, Cleaned, NotRemoved, OwnNames};
use cardiograph_files::{Directory, OwnFile};

/// Names of test files.
pub(crate) const NAMES: OwnNames = OwnNames { what: "test file", ending: "tmp" };

/// Removes files of dead runs of this user in `directory`, and returns the remaining ones. Fails when the
/// directory cannot be listed.
pub fn remove(directory: &dyn Directory) -> io::Result<Cleaned> {
    Cleaned::remove_all(directory, NAMES, |name| {
        let removed = lock_abandoned(directory, name).and_then(|locked| {
            // Stays locked until it is removed: an owner about to lock it notices, and takes another name.
            let Some(_locked) = locked else { return Ok(false) };
            directory.remove(name).map(|()| true)
        });
        removed.map_err(|error| NotRemoved::new(name, error))
    })
}

/// [`leftovers::lock_abandoned`] for this user.
pub(crate) fn lock_abandoned(dir: &dyn Directory, name: &OsStr) -> io::Result<Option<Box<dyn OwnFile>>> {
    leftovers::lock_abandoned(dir, name, rustix::process::geteuid().as_raw())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::{Naming, Target};

    #[test]
    fn only_our_abandoned_files_are_removed() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let alive = Target::create_file(directory.path(), 4_096, Naming::Named).unwrap();
        let kept = [
            "cardiograph-read.tmp".to_string(),
            ".cardiograph-0123456789abcdef-00000000.tmp".to_string(),
            format!("{}.bak", NAMES.name_of(1)),
            ".cardiograph-é".to_string(),
        ];
        kept.iter().for_each(|name| std::fs::write(path(name), "mine").unwrap());
        std::fs::create_dir(path(&NAMES.name_of(2))).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", path(&NAMES.name_of(3))).unwrap();
        std::fs::write(path(&NAMES.name_of(4)), "left").unwrap();
        std::fs::write(path(&NAMES.name_of(5)), "linked twice").unwrap();
        std::fs::hard_link(path(&NAMES.name_of(5)), path("other-name")).unwrap();

        let open = cardiograph_files::system().directory(directory.path()).unwrap();
        let cleaned = remove(open.as_ref()).unwrap();
        assert_eq!((cleaned.removed, cleaned.stays.len()), (vec![NAMES.name_of(4).into()], 0));
        assert!(kept.iter().all(|name| path(name).exists()));
        drop(alive);
        assert!(remove(open.as_ref()).unwrap().removed.is_empty());
    }

    #[test]
    fn names_are_unique() {
        let new_name = || NAMES.name_of(cardiograph_files::system().random());
        assert_ne!(new_name(), new_name());
        assert!(NAMES.contains(OsStr::new(&new_name())));
    }
}
