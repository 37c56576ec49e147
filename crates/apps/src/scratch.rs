//! The directory that a load works in, which is always removed.
//!
//! A directory left by a killed run is recognised by all of: a name that only this program makes (it contains a check value of
//! its random part), ownership by this user, no lock (a live run holds one), and a marker file, created before anything else,
//! with the directory's name and inode. The name alone proves nothing: anyone who may rename a directory can give it. Its content
//! is removed if [all of it](cardiograph_files::tree) is what loads create.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use cardiograph_core::system_error::explained;
use cardiograph_core::{Action, message};
use cardiograph_files::leftovers::{Cleaned, NotRemoved, OwnNames};
use cardiograph_files::tree::{Own, remove_tree};
use cardiograph_files::{Directory, Facts, FileSystem, Kind, Open, if_there};

use crate::error::{AppError, ErrorContext};
use crate::loads::LOADS;

/// Names of these directories.
const NAMES: OwnNames = OwnNames { what: "test directory", ending: "dir" };
/// Number of names tried, in case another run takes each for abandoned before it is locked.
const TRIES: u32 = 8;
/// The file that marks a directory as ours.
const MARKER: &str = "cardiograph-test-directory";
const MARKER_LEN_BYTES_MAX: usize = 256;
const DIRECTORY_MODE: u32 = 0o700;
const MARKER_MODE: u32 = 0o600;
/// Mode bits without those inherited from the parent directory.
const PERMISSIONS: u32 = 0o777;

/// A test directory. It is removed with all its content when dropped.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    parent: Box<dyn Directory>,
    name: String,
    /// Holds the lock while this run is alive.
    tree: Box<dyn Directory>,
    is_removed: bool,
}

impl Scratch {
    /// Creates one in `parent`. If it fails, only what cannot be removed remains.
    pub fn new(files: &dyn FileSystem, parent: &Path) -> Result<Self, AppError> {
        let open = files.directory(parent).context(Action::Open, parent)?;
        for _ in 0..TRIES {
            let name = NAMES.name_of(files.random());
            let path = parent.join(&name);
            let created = make(open.as_ref(), OsStr::new(&name)).context(Action::Create, &path)?;
            let Some(tree) = created else { continue };
            let marked = mark(tree.as_ref(), &name);
            // From here on it is removed if an error returns.
            let scratch = Self { path, parent: open, name, tree, is_removed: false };
            marked.context(Action::Write, &scratch.path)?;
            return Ok(scratch);
        }
        let source = explained(io::ErrorKind::Other, message!("app-directory-removed"));
        Err(AppError::Io { action: Action::Create, path: parent.to_path_buf(), source })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes it. Fails if something remains.
    pub fn remove(mut self) -> Result<(), AppError> {
        self.is_removed = true;
        self.clear().map_err(|NotRemoved { path, reason: source }| AppError::Io {
            action: Action::Remove,
            path: self.path.with_file_name("").join(path),
            source,
        })
    }

    fn clear(&self) -> Result<(), NotRemoved> {
        let name = OsStr::new(&self.name);
        let facts = self.tree.facts().map_err(|error| NotRemoved::new(name, error))?;
        // Some file systems give files to another user, and have no permissions.
        let own = own(facts.user, facts.mode & PERMISSIONS != DIRECTORY_MODE);
        remove_tree(self.parent.as_ref(), name, self.tree.as_ref(), &own)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.is_removed {
            // A later run recognises what remains.
            let _ = self.clear();
        }
    }
}

/// Creates and locks a directory; `None` if another run took it for abandoned before.
fn make(parent: &dyn Directory, name: &OsStr) -> io::Result<Option<Box<dyn Directory>>> {
    parent.create_directory(name, DIRECTORY_MODE)?;
    let Some(tree) = if_there(parent.directory(name))? else { return Ok(None) };
    // On a file system without locks other runs cannot take it for abandoned either.
    let is_taken = tree.try_lock().is_ok_and(|is_locked| !is_locked);
    let identity = tree.facts()?.identity;
    let is_there = parent.facts_of(name).is_ok_and(|facts| facts.identity == identity);
    Ok((is_there && !is_taken).then_some(tree))
}

/// Marks a directory as ours, durably.
fn mark(tree: &dyn Directory, name: &str) -> io::Result<()> {
    let marker = tree.open(OsStr::new(MARKER), Open::Create(MARKER_MODE))?;
    let text = marker_text(name, inode(&tree.facts()?, &marker.facts()?));
    marker.write_all_at(text.as_bytes(), 0)?;
    marker.sync()?;
    tree.sync()
}

fn marker_text(name: &str, inode: u64) -> String {
    format!("cardiograph test directory 1\n{name} {inode}\n")
}

/// The directory's inode; 0 on file systems without permissions, whose inodes change with each mount.
fn inode(tree: &Facts, marker: &Facts) -> u64 {
    let keeps_modes = tree.mode & PERMISSIONS == DIRECTORY_MODE && marker.mode == MARKER_MODE;
    if keeps_modes { tree.identity.1 } else { 0 }
}

/// Removes what dead runs of this user left in `directory`, and reports what remains. Fails if the directory cannot be listed.
pub fn remove_leftovers(directory: &dyn Directory) -> io::Result<Cleaned> {
    Cleaned::remove_all(directory, NAMES, |name| remove_abandoned(directory, name))
}

/// Removes a directory with one of our names if it is abandoned and ours. Returns whether it did.
fn remove_abandoned(parent: &dyn Directory, name: &OsStr) -> Result<bool, NotRemoved> {
    let failed = |error| NotRemoved::new(name, error);
    let user = rustix::process::geteuid().as_raw();
    let facts = if_there(parent.facts_of(name)).map_err(failed)?;
    if !facts.is_some_and(|facts| facts.kind == Kind::Directory && facts.user == user) {
        return Ok(false);
    }
    let tree = parent.directory(name).map_err(failed)?;
    if !tree.try_lock().map_err(failed)? {
        return Ok(false);
    }
    let is_short = |len_bytes| len_bytes <= MARKER_LEN_BYTES_MAX as u64;
    let is_empty = match &tree.names().map_err(failed)?[..] {
        [] => true,
        // Its run was killed, or lost power, before the marker was durable, and had created nothing else.
        [only] => *only == *MARKER && tree.facts_of(only).is_ok_and(|marker| is_short(marker.len_bytes)),
        _ => false,
    };
    if !is_empty && !is_marked(tree.as_ref(), name, user).map_err(failed)? {
        return Err(failed(explained(io::ErrorKind::Other, message!("io-not-ours"))));
    }
    remove_tree(parent, name, tree.as_ref(), &own(user, false)).map(|()| true)
}

/// Whether a directory has the marker for its name and inode.
fn is_marked(tree: &dyn Directory, name: &OsStr, user: u32) -> io::Result<bool> {
    let Some(marker) = if_there(tree.open(OsStr::new(MARKER), Open::Read))? else { return Ok(false) };
    let facts = marker.facts()?;
    let mut bytes = [0; MARKER_LEN_BYTES_MAX];
    let len = marker.read_at(&mut bytes, 0)?;
    let expected = marker_text(&name.to_string_lossy(), inode(&tree.facts()?, &facts));
    let is_ours = facts.kind == Kind::File && facts.user == user && facts.links == 1;
    Ok(is_ours && bytes[..len] == *expected.as_bytes())
}

fn own(user: u32, is_shared: bool) -> Own<'static> {
    Own { user, marker: OsStr::new(MARKER), is_shared, is_expected: &is_made_by_a_load }
}

/// Whether a load creates a file or directory at this path.
fn is_made_by_a_load(path: &Path, kind: Kind) -> bool {
    let mut patterns = LOADS.iter().flat_map(|load| load.names);
    patterns.any(|pattern| {
        let (mut wanted, mut given) = (Path::new(pattern).iter(), path.iter());
        let fits = given.by_ref().all(|given| {
            let pair = wanted.next().and_then(OsStr::to_str).zip(given.to_str());
            pair.is_some_and(|(pattern, name)| matches_pattern(pattern, name))
        });
        fits && kind == if wanted.next().is_some() { Kind::Directory } else { Kind::File }
    })
}

/// Whether a name matches a pattern, in which `#` stands for one or more digits.
fn matches_pattern(pattern: &str, name: &str) -> bool {
    match pattern.split_once('#') {
        None => pattern == name,
        Some((front, rest)) => name.strip_prefix(front).is_some_and(|name| {
            let after = name.trim_start_matches(|c: char| c.is_ascii_digit());
            after.len() < name.len() && matches_pattern(rest, after)
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use cardiograph_files::system;

    use super::*;

    fn clean(parent: &Path) -> Cleaned {
        remove_leftovers(system().directory(parent).unwrap().as_ref()).unwrap()
    }

    /// Leaves a directory like a killed run, with files of several loads. Returns its path.
    fn abandon(parent: &Path) -> PathBuf {
        let mut scratch = Scratch::new(system(), parent).unwrap();
        scratch.is_removed = true;
        for name in [
            "readings.db",
            "readings.db-wal",
            "img_0012.raw",
            "package3/bin/file151.new",
            "package3/lib/file7",
        ] {
            let path = scratch.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "left").unwrap();
        }
        scratch.path().to_path_buf()
    }

    /// All paths below a directory, sorted.
    fn all(directory: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(directory).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                found.extend(all(&entry.path()));
            }
            found.push(entry.path());
        }
        found.sort();
        found
    }

    #[test]
    fn only_abandoned_directories_of_ours_are_removed() {
        let parent = tempfile::tempdir().unwrap();
        let path = |name: &str| parent.path().join(name);
        let alive = Scratch::new(system(), parent.path()).unwrap();
        std::fs::write(alive.path().join("service.log"), "mine").unwrap();
        let kept = ["mine", ".cardiograph-0123456789abcdef-00000000.dir", ".cardiograph-é"];
        kept.iter().for_each(|name| std::fs::create_dir(path(name)).unwrap());
        std::fs::write(path(&NAMES.name_of(1)), "a file").unwrap();
        symlink("/etc", path(&NAMES.name_of(2))).unwrap();
        let abandoned = abandon(parent.path());
        // Killed before they were marked.
        let (empty, begun) = (path(&NAMES.name_of(4)), path(&NAMES.name_of(5)));
        std::fs::create_dir(&empty).unwrap();
        std::fs::create_dir(&begun).unwrap();
        std::fs::set_permissions(&begun, PermissionsExt::from_mode(0o700)).unwrap();
        std::fs::write(begun.join(MARKER), "").unwrap();

        let cleaned = clean(parent.path());
        assert_eq!(cleaned.removed.len(), 3, "{cleaned:?}");
        assert!(cleaned.stays.is_empty(), "{cleaned:?}");
        assert!([abandoned, empty, begun].iter().all(|path| !path.exists()));
        assert!(kept.iter().all(|name| path(name).is_dir()));
        assert!(alive.path().join("service.log").exists() && path(&NAMES.name_of(1)).exists());
        let was = alive.path().to_path_buf();
        alive.remove().unwrap();
        assert!(!was.exists());
        assert!(clean(parent.path()).removed.is_empty());
    }

    #[test]
    fn directories_not_provably_ours_are_kept() {
        type Case = (&'static str, &'static str, fn(&Path));
        let cases: [Case; 12] = [
            ("another directory that was given the name", "io-not-ours", |path| {
                std::fs::remove_file(path.join(MARKER)).unwrap();
            }),
            ("one that was moved into the place of ours", "io-not-ours", |path| {
                let moved = path.with_extension("moved");
                std::fs::rename(path, &moved).unwrap();
                std::fs::create_dir(path).unwrap();
                std::fs::set_permissions(path, PermissionsExt::from_mode(0o700)).unwrap();
                std::fs::copy(moved.join(MARKER), path.join(MARKER)).unwrap();
                std::fs::write(path.join("readings.db"), "mine").unwrap();
                std::fs::remove_dir_all(moved).unwrap();
            }),
            ("another's marker", "io-not-ours", |path| {
                std::fs::write(path.join(MARKER), marker_text(&NAMES.name_of(7), 1)).unwrap();
            }),
            ("a link in place of the marker", "", |path| {
                std::fs::rename(path.join(MARKER), path.with_extension("marker")).unwrap();
                symlink(path.with_extension("marker"), path.join(MARKER)).unwrap();
            }),
            ("a file of another name", "tree.unexpected", |path| {
                std::fs::write(path.join("photo.jpg"), "mine").unwrap();
            }),
            ("deep down, too", "tree.unexpected", |path| {
                std::fs::write(path.join("package3/bin/notes"), "mine").unwrap();
            }),
            ("a name that is almost ours", "tree.unexpected", |path| {
                std::fs::write(path.join("img_12a.raw"), "mine").unwrap();
            }),
            ("a directory where a file is expected", "tree.unexpected", |path| {
                std::fs::create_dir(path.join("service.log")).unwrap();
            }),
            ("a link out of the directory", "tree.unexpected", |path| {
                symlink("/etc", path.join("package4")).unwrap();
            }),
            ("a link to a file", "tree.unexpected", |path| {
                symlink("/etc/passwd", path.join("service.log")).unwrap();
            }),
            ("a file that has another name, too", "tree.two-names", |path| {
                std::fs::hard_link(path.join("readings.db"), path.with_extension("linked")).unwrap();
            }),
            ("a directory that others may change", "tree.others-write", |path| {
                std::fs::set_permissions(path.join("package3/bin"), PermissionsExt::from_mode(0o777))
                    .unwrap();
            }),
        ];
        for (case, reason, prepare) in cases {
            let parent = tempfile::tempdir().unwrap();
            let path = abandon(parent.path());
            prepare(&path);
            let before = all(parent.path());
            let cleaned = clean(parent.path());
            assert!(cleaned.removed.is_empty(), "{case}");
            let [stays] = &cleaned.stays[..] else { panic!("{case}: {cleaned:?}") };
            assert!(stays.reason.to_string().contains(reason), "{case}: {}", stays.reason);
            assert!(stays.path.starts_with(path.file_name().unwrap()), "{case}: {stays:?}");
            assert_eq!(all(parent.path()), before, "{case}");
        }
    }

    #[test]
    fn remaining_directories_are_reported() {
        let parent = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(system(), parent.path()).unwrap();
        std::fs::write(scratch.path().join("service.log"), "x").unwrap();
        std::fs::write(scratch.path().join("mine"), "x").unwrap();
        let mine = scratch.path().join("mine");
        let stays = scratch.remove().unwrap_err().message();
        assert_eq!(stays, message!("cannot-remove", path = &mine, error = message!("tree.unexpected")));
    }

    #[test]
    fn dropped_directories_are_removed() {
        let parent = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(system(), parent.path()).unwrap();
        std::fs::write(scratch.path().join("readings.db"), "x").unwrap();
        drop(scratch);
        assert_eq!(std::fs::read_dir(parent.path()).unwrap().count(), 0);
    }
}
