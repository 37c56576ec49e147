//! The machine's file system.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use cardiograph_core::message;
use cardiograph_core::system_error::explained;
use rustix::fs::{
    AtFlags, Dev, FallocateFlags, FileType, FlockOperation, Gid, Mode, OFlags, ResolveFlags, Stat, Uid,
};
use rustix::io::Errno;

use crate::{Directory, Facts, FileSystem, Kind, Open, Opened, OwnFile, split};

/// Maximum number of links that the kernel follows.
const LINKS_MAX: u32 = 40;
/// Permissions of a shared directory such as `/tmp`.
const STICKY_FOR_ALL: u32 = 0o1002;
/// Maximum length of a file's attribute list (the kernel's `XATTR_LIST_MAX`).
const ATTRIBUTES_LEN_BYTES_MAX: usize = 64 << 10;

/// The machine's file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct System;

/// Returns [`System`] as a trait object.
pub fn system() -> &'static dyn FileSystem {
    &System
}

impl FileSystem for System {
    fn directory(&self, path: &Path) -> io::Result<Box<dyn Directory>> {
        let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
        match rustix::fs::open(path, flags, Mode::empty()) {
            // Files can be opened by name in a directory that cannot be listed.
            Err(Errno::ACCESS) => opened(rustix::fs::open(path, flags | OFlags::PATH, Mode::empty())?),
            directory => opened(directory?),
        }
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        refuse_planted_links(path, 0)?;
        match std::fs::canonicalize(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // A dangling link leads to where a file would be created.
                let target = std::fs::read_link(path);
                let (parent, name) = split(path).ok_or(error)?;
                match target {
                    Ok(target) => self.resolve(&parent.join(target)),
                    Err(_) => Ok(std::fs::canonicalize(parent)?.join(name)),
                }
            }
            resolved => resolved,
        }
    }

    fn random(&self) -> u64 {
        // RandomState is seeded by the system once per process, and differs with each call.
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_u32(std::process::id());
        hasher.finish()
    }

    fn descriptor(&self, path: &Path) -> Option<(u32, Facts)> {
        let own = std::fs::canonicalize("/proc/self/fd").ok()?;
        let mut path = path.to_path_buf();
        for _ in 0..LINKS_MAX {
            let (parent, name) = split(&path)?;
            let parent = std::fs::canonicalize(parent).ok()?;
            if parent == own {
                let number = name.to_str()?.parse().ok()?;
                return Some((number, facts(&rustix::fs::stat(&path).ok()?)));
            }
            path = parent.join(std::fs::read_link(&path).ok()?);
        }
        None
    }
}

fn opened(directory: OwnedFd) -> io::Result<Box<dyn Directory>> {
    Ok(Box::new(File::from(directory)))
}

impl Opened for File {
    fn facts(&self) -> io::Result<Facts> {
        Ok(facts(&rustix::fs::fstat(self)?))
    }

    fn sync(&self) -> io::Result<()> {
        match self.sync_all() {
            // If the file system cannot sync names, or the directory cannot be listed, there is nothing left to do.
            Err(error)
                if matches!(Errno::from_io_error(&error), Some(Errno::INVAL | Errno::BADF))
                    && self.facts()?.kind == Kind::Directory =>
            {
                Ok(())
            }
            synced => synced,
        }
    }

    fn try_lock(&self) -> io::Result<bool> {
        match rustix::fs::flock(self, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) => Ok(false),
            locked => Ok(locked.map(|()| true)?),
        }
    }
}

impl Directory for File {
    fn open(&self, name: &OsStr, how: Open) -> io::Result<Box<dyn OwnFile>> {
        let (access, mode) = match how {
            Open::Read => (OFlags::RDONLY, 0),
            Open::Write => (OFlags::RDWR, 0),
            Open::Create(mode) => (OFlags::RDWR | OFlags::CREATE | OFlags::EXCL, mode),
            Open::OpenOrCreate(mode) => (OFlags::RDWR | OFlags::CREATE, mode),
        };
        let flags = access | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        let file = rustix::fs::openat(self, single(name)?, flags, Mode::from_raw_mode(mode))?;
        Ok(Box::new(File::from(file)))
    }

    fn directory(&self, name: &OsStr) -> io::Result<Box<dyn Directory>> {
        opened(open_below(self, single(name)?)?)
    }

    fn create_directory(&self, name: &OsStr, mode: u32) -> io::Result<()> {
        Ok(rustix::fs::mkdirat(self, single(name)?, Mode::from_raw_mode(mode))?)
    }

    fn facts_of(&self, name: &OsStr) -> io::Result<Facts> {
        Ok(facts(&rustix::fs::statat(self, single(name)?, AtFlags::SYMLINK_NOFOLLOW)?))
    }

    fn names(&self) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in rustix::fs::Dir::read_from(self)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                names.push(OsString::from_vec(name.to_vec()));
            }
        }
        Ok(names)
    }

    fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::renameat(self, single(from)?, self, single(to)?)?)
    }

    fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(self, single(name)?, AtFlags::empty())?)
    }

    fn remove_directory(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(self, single(name)?, AtFlags::REMOVEDIR)?)
    }
}

impl OwnFile for File {
    fn read_at(&self, bytes: &mut [u8], offset_bytes: u64) -> io::Result<usize> {
        let mut done = 0;
        while done < bytes.len() {
            match FileExt::read_at(self, &mut bytes[done..], offset_bytes + done as u64) {
                Ok(0) => break,
                Ok(read) => done += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(done)
    }

    fn write_all_at(&self, bytes: &[u8], offset_bytes: u64) -> io::Result<()> {
        FileExt::write_all_at(self, bytes, offset_bytes)
    }

    fn reserve(&self, len_bytes: u64) -> io::Result<()> {
        match rustix::fs::fallocate(self, FallocateFlags::KEEP_SIZE, 0, len_bytes.max(1)) {
            Err(Errno::NOTSUP | Errno::NOSYS) => Ok(()),
            reserved => Ok(reserved?),
        }
    }

    fn set_len(&self, len_bytes: u64) -> io::Result<()> {
        File::set_len(self, len_bytes)
    }

    fn resemble(&self, other: &Facts) -> io::Result<bool> {
        let own = self.facts()?;
        if (own.user, own.group) != (other.user, other.group) {
            rustix::fs::fchown(self, Some(Uid::from_raw(other.user)), Some(Gid::from_raw(other.group)))?;
        }
        // The mode would be combined with its access control list.
        if self.has_attributes()? {
            return Ok(false);
        }
        if own.mode != other.mode {
            rustix::fs::fchmod(self, Mode::from_raw_mode(other.mode))?;
        }
        let own = self.facts()?;
        Ok((own.user, own.group, own.mode) == (other.user, other.group, other.mode))
    }

    fn has_attributes(&self) -> io::Result<bool> {
        let mut names = Vec::with_capacity(ATTRIBUTES_LEN_BYTES_MAX);
        match rustix::fs::flistxattr(self, rustix::buffer::spare_capacity(&mut names)) {
            Err(Errno::NOTSUP) => Ok(false),
            listed => {
                listed?;
                let mut names = names.split(|&byte| byte == 0).filter(|name| !name.is_empty());
                Ok(names.any(|name| !name.starts_with(b"security.")))
            }
        }
    }

    fn handle(&self) -> io::Result<File> {
        self.try_clone()
    }
}

/// Opens a directory in another one, on the same mount.
fn open_below(above: &File, name: &OsStr) -> io::Result<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_XDEV | ResolveFlags::NO_SYMLINKS;
    match rustix::fs::openat2(above, name, flags, Mode::empty(), resolve) {
        // Kernels before 5.6, and sandboxes that do not know the call.
        Err(Errno::NOSYS | Errno::PERM) => {
            let opened = rustix::fs::openat(above, name, flags, Mode::empty())?;
            if mount_id(above.as_fd())? == mount_id(opened.as_fd())? {
                Ok(opened)
            } else {
                Err(Errno::XDEV.into())
            }
        }
        opened => Ok(opened?),
    }
}

/// Id of the mount of an open file.
fn mount_id(file: BorrowedFd<'_>) -> io::Result<String> {
    let info = std::fs::read_to_string(format!("/proc/self/fdinfo/{}", file.as_raw_fd()))?;
    let id = info.lines().find_map(|line| line.strip_prefix("mnt_id:"));
    id.map(|id| id.trim().to_string()).ok_or_else(|| io::ErrorKind::Unsupported.into())
}

/// Applies the kernel's rule of `fs.protected_symlinks`, which is not enabled everywhere: in a sticky directory that
/// everybody may write to, only links of this user or of the directory's owner are followed.
fn refuse_planted_links(path: &Path, depth: u32) -> io::Result<()> {
    let mut at = PathBuf::new();
    for part in path.components() {
        at.push(part);
        let found = match std::fs::symlink_metadata(&at) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Err(error),
            // Missing files and loops are reported when the path is opened.
            Err(_) => return Ok(()),
            Ok(found) => found,
        };
        if !found.is_symlink() || depth > LINKS_MAX {
            continue;
        }
        let parent = at.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let directory = std::fs::metadata(parent)?;
        let is_for_all = directory.mode() & STICKY_FOR_ALL == STICKY_FOR_ALL;
        if is_for_all && ![rustix::process::geteuid().as_raw(), directory.uid()].contains(&found.uid()) {
            let why = message!("foreign-link", user = found.uid().to_string());
            return Err(explained(io::ErrorKind::PermissionDenied, why));
        }
        refuse_planted_links(&parent.join(std::fs::read_link(&at)?), depth + 1)?;
    }
    Ok(())
}

/// Refuses names that lead out of the directory, which [`Directory`] excludes.
fn single(name: &OsStr) -> io::Result<&OsStr> {
    let bytes = name.as_bytes();
    if bytes.is_empty() || bytes == b"." || bytes == b".." || bytes.contains(&b'/') {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    Ok(name)
}

// The types of these fields differ between architectures.
#[allow(clippy::unnecessary_cast)]
fn facts(stat: &Stat) -> Facts {
    let kind = match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => Kind::Directory,
        FileType::Symlink => Kind::Link,
        FileType::BlockDevice => Kind::BlockDevice,
        FileType::CharacterDevice if is_stream(stat.st_rdev) => Kind::Stream,
        FileType::CharacterDevice => Kind::CharacterDevice,
        FileType::Fifo => Kind::Pipe,
        FileType::Socket => Kind::Socket,
        _ => Kind::File,
    };
    Facts {
        kind,
        identity: (stat.st_dev as u64, stat.st_ino as u64),
        links: stat.st_nlink as u64,
        mode: stat.st_mode as u32 & 0o7777,
        user: stat.st_uid,
        group: stat.st_gid,
        len_bytes: stat.st_size as u64,
        modified_ns: i128::from(stat.st_mtime) * 1_000_000_000 + i128::from(stat.st_mtime_nsec),
    }
}

/// Whether a character device accepts any bytes without harm, by the numbers in the kernel's `devices.txt`, and for
/// other terminal drivers by their class.
fn is_stream(device: Dev) -> bool {
    match (rustix::fs::major(device), rustix::fs::minor(device)) {
        // null, zero, full; consoles and serial lines, the terminal of the process; pseudo-terminals.
        (1, 3 | 5 | 7) | (4 | 5 | 136..=143, _) => true,
        (major, minor) => std::fs::read_link(format!("/sys/dev/char/{major}:{minor}/subsystem"))
            .is_ok_and(|class| class.ends_with("tty")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_lead_out_of_the_directory() {
        let directory = tempfile::tempdir().unwrap();
        let open = system().directory(directory.path()).unwrap();
        for name in ["", ".", "..", "a/b", "/etc/passwd"] {
            let error = open.open(OsStr::new(name), Open::OpenOrCreate(0o600)).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{name}");
        }
        std::os::unix::fs::symlink("/etc/passwd", directory.path().join("link")).unwrap();
        assert!(open.open(OsStr::new("link"), Open::Read).is_err());
        assert_eq!(open.facts_of(OsStr::new("link")).unwrap().kind, Kind::Link);
    }

    #[test]
    fn paths_resolve_to_where_a_file_would_be_created() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("d")).unwrap();
        std::os::unix::fs::symlink("d/new", root.join("link")).unwrap();
        assert_eq!(system().resolve(&root.join("link")).unwrap(), root.join("d/new"));
        assert_eq!(system().resolve(&root.join("d/../x")).unwrap(), root.join("x"));
        assert!(system().resolve(&root.join("missing/x")).is_err());
    }

    #[test]
    fn links_of_others_in_shared_directories_are_not_followed() {
        use std::os::unix::fs::{PermissionsExt, lchown, symlink};
        const NOBODY: u32 = 65_534;
        if !rustix::process::geteuid().is_root() {
            return cardiograph_testing::skip("links of another user", "only root can make them");
        }
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        std::fs::write(root.join("file"), "precious").unwrap();
        let cases = [("for-all", 0o1777, false), ("shared", 0o777, true), ("sticky", 0o1755, true)];
        for (name, mode, is_followed) in cases {
            let directory = root.join(name);
            std::fs::create_dir(&directory).unwrap();
            std::fs::set_permissions(&directory, PermissionsExt::from_mode(mode)).unwrap();
            for (link, target) in [("planted", "../file"), ("new", "../new"), ("way", "..")] {
                symlink(target, directory.join(link)).unwrap();
                symlink(target, directory.join(format!("own-{link}"))).unwrap();
                lchown(directory.join(link), Some(NOBODY), None).unwrap();
            }
            symlink(directory.join("planted"), root.join(format!("to-{name}"))).unwrap();
            for path in ["planted", "new", "way/file"] {
                let resolved = system().resolve(&directory.join(path));
                assert_eq!(resolved.is_ok(), is_followed, "{name}/{path}: {resolved:?}");
                assert!(system().resolve(&directory.join(format!("own-{path}"))).is_ok(), "{name}/{path}");
            }
            assert_eq!(system().resolve(&root.join(format!("to-{name}"))).is_ok(), is_followed, "{name}");
        }
    }

    #[test]
    fn missing_directories_are_created() {
        let directory = tempfile::tempdir().unwrap();
        let deep = directory.path().join("a/b/c");
        system().create_directories(&deep, 0o700).unwrap();
        system().create_directories(&deep, 0o700).unwrap();
        let names = system().directory(&directory.path().join("a")).unwrap().names().unwrap();
        assert_eq!(names, [OsString::from("b")]);
    }
}
