//! Files that this program creates for itself and removes afterwards.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use cardiograph_core::system_error::explained;
use cardiograph_core::{Message, Parameter, message};
use rustix::fs::{FallocateFlags, FileType, FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use super::access::{Access, Identity, identity, identity_of, open_again};
use crate::fill_files::{self, FillSet};
use crate::leftovers;

/// How a test file is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// Nameless if the file system supports it, so that nothing can be left behind; otherwise named.
    Automatic,
    /// With a name and a lock, as on a file system without nameless files.
    Named,
}

/// A file's name, and whether to keep it.
#[derive(Debug)]
struct Name {
    dir: OwnedFd,
    text: Mutex<String>,
    /// Its part of a set, if it is one.
    part: Option<(FillSet, u32)>,
    /// Whether the name remains on drop, or is already gone.
    is_kept: AtomicBool,
}

impl Name {
    fn new(dir: OwnedFd, text: String, part: Option<(FillSet, u32)>) -> Self {
        Self { dir, text: Mutex::new(text), part, is_kept: AtomicBool::new(false) }
    }

    fn text(&self) -> MutexGuard<'_, String> {
        self.text.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A file created by this program, open, and not shared.
#[derive(Debug)]
pub struct TestFile {
    made_by: OwnedFd,
    /// Its name, if it has one.
    name: Option<Name>,
    /// Device and inode at creation.
    pub(crate) identity: Identity,
}

impl TestFile {
    pub(super) fn create(directory: &Path, len_bytes: u64, naming: Naming) -> Result<Self, Message> {
        let wrap = |call| move |errno| create_error(call, directory, len_bytes, errno);
        let dir = open_directory(directory, len_bytes)?;
        let nameless = match naming {
            Naming::Automatic => open_nameless(&dir),
            Naming::Named => Err(Errno::OPNOTSUPP),
        };
        let (made_by, name) = match nameless {
            Ok(fd) => (fd, None),
            Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOENT | Errno::NOSYS) => {
                let new_name = || leftovers::NAMES.name_of(cardiograph_files::system().random());
                let (fd, name) = open_named(&dir, new_name).map_err(wrap("open"))?;
                (fd, Some(name))
            }
            Err(errno) => return Err(create_error("open", directory, len_bytes, errno)),
        };
        let identity = identity(&made_by).map_err(wrap("fstat"))?;
        let file = Self { made_by, name: name.map(|name| Name::new(dir, name, None)), identity };
        // From here on, errors remove the file again.
        match rustix::fs::fallocate(&file.made_by, FallocateFlags::empty(), 0, len_bytes) {
            Ok(()) => {}
            // Without preallocation only the length is set; blocks are then allocated while writing.
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => {
                rustix::fs::ftruncate(&file.made_by, len_bytes).map_err(wrap("ftruncate"))?;
            }
            Err(errno) => return Err(create_error("fallocate", directory, len_bytes, errno)),
        }
        // The file systems of cards (vfat, exfat) cannot allocate without content: they fill the file with
        // zeros in memory, which must not be written back during a measurement.
        rustix::fs::fdatasync(&file.made_by).map_err(wrap("fdatasync"))?;
        Ok(file)
    }

    /// Creates a part of a set. Its space is allocated if that needs no writing; otherwise the part grows as
    /// it is written.
    pub(super) fn create_part(
        directory: &Path,
        set: FillSet,
        part: u32,
        len_bytes: u64,
    ) -> Result<Self, Message> {
        let wrap = |call| move |errno| create_error(call, directory, len_bytes, errno);
        let dir = open_directory(directory, len_bytes)?;
        let (made_by, text) =
            open_named(&dir, || fill_files::name_of(set, part, false)).map_err(wrap("open"))?;
        let identity = identity(&made_by).map_err(wrap("fstat"))?;
        let name = Some(Name::new(dir, text, Some((set, part))));
        let file = Self { made_by, name, identity };
        let room = match rustix::fs::fstatfs(&file.made_by).map_err(wrap("fstatfs"))?.f_type as u64 {
            // If the length were set, they would first fill it with zeros.
            MSDOS_SUPER_MAGIC => Some(FallocateFlags::KEEP_SIZE),
            EXFAT_SUPER_MAGIC => None,
            _ => Some(FallocateFlags::empty()),
        };
        match room.map_or(Ok(()), |flags| rustix::fs::fallocate(&file.made_by, flags, 0, len_bytes)) {
            Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(file),
            Err(errno) => Err(create_error("fallocate", directory, len_bytes, errno)),
        }
    }

    /// Opens a complete part left by an interrupted checkup, and returns its length in bytes.
    pub(super) fn open_part(directory: &Path, set: FillSet, part: u32) -> Result<(Self, u64), Message> {
        let wrap = |call| move |errno| create_error(call, directory, 0, errno);
        let dir = open_directory(directory, 0)?;
        let text = fill_files::name_of(set, part, true);
        let flags = OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let made_by = rustix::fs::openat(&dir, &text, flags, Mode::empty()).map_err(wrap("open"))?;
        rustix::fs::flock(&made_by, FlockOperation::NonBlockingLockExclusive).map_err(wrap("flock"))?;
        let stat = rustix::fs::fstat(&made_by).map_err(wrap("fstat"))?;
        let (identity, len_bytes) = (identity_of(&stat), u64::try_from(stat.st_size).unwrap_or(0));
        let name = Some(Name::new(dir, text, Some((set, part))));
        Ok((Self { made_by, name, identity }, len_bytes))
    }

    /// Marks a part as complete by renaming it, once all of it has reached the drive. Does nothing to another
    /// file.
    pub(super) fn end_part(&self) -> io::Result<()> {
        let Some(name) = &self.name else { return Ok(()) };
        let Some((set, part)) = name.part else { return Ok(()) };
        let whole = fill_files::name_of(set, part, true);
        let mut text = name.text();
        if *text != whole {
            rustix::fs::fsync(&self.made_by)?;
            rustix::fs::renameat(&name.dir, text.as_str(), &name.dir, &whole)?;
            *text = whole;
        }
        Ok(())
    }

    /// Keeps a part if it is complete and not the shorter last one, after which a checkup cannot resume.
    /// Returns whether it will be kept.
    pub(super) fn keep_part(&self) -> bool {
        let Some((name, (set, part))) = self.name.as_ref().and_then(|name| Some((name, name.part?))) else {
            return false;
        };
        let len_bytes =
            rustix::fs::fstat(&self.made_by).map_or(0, |stat| u64::try_from(stat.st_size).unwrap_or(0));
        let is_whole = *name.text() == fill_files::name_of(set, part, true);
        let stays = is_whole && len_bytes == set.part_bytes;
        name.is_kept.store(stays, Ordering::Relaxed);
        stays
    }

    /// Removes its name unless it is kept.
    pub(super) fn remove(&self) {
        let Some(name) = &self.name else { return };
        if !name.is_kept.swap(true, Ordering::Relaxed) {
            // A failure cannot be handled here; a later run finds and removes the file.
            let _ = rustix::fs::unlinkat(&name.dir, name.text().as_str(), rustix::fs::AtFlags::empty());
        }
    }

    /// Space allocated for it, in bytes, written or not.
    pub(super) fn room_bytes(&self) -> io::Result<u64> {
        Ok(u64::try_from(rustix::fs::fstat(&self.made_by)?.st_blocks).unwrap_or(0) * 512)
    }

    pub(super) fn open(&self, access: Access) -> io::Result<OwnedFd> {
        let Some(name) = &self.name else { return open_again(self.made_by.as_fd(), access) };
        let flags = access.flags() | OFlags::NOFOLLOW;
        let opened = rustix::fs::openat(&name.dir, name.text().as_str(), flags, Mode::empty())?;
        // Its name may now refer to another file, which we must not write to.
        if identity(&opened)? != self.identity {
            return Err(explained(io::ErrorKind::Other, message!("target-replaced.test-file")));
        }
        access.advise(&opened);
        Ok(opened)
    }

    /// The descriptor that created the file, for the safety gate.
    pub(crate) fn made_by(&self) -> BorrowedFd<'_> {
        self.made_by.as_fd()
    }
}

impl Drop for TestFile {
    fn drop(&mut self) {
        self.remove();
    }
}

fn open_nameless(dir: &OwnedFd) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    rustix::fs::openat(dir, ".", flags, Mode::RUSR | Mode::WUSR)
}

/// Magic numbers of file systems that cannot allocate without content.
const MSDOS_SUPER_MAGIC: u64 = 0x4d44;
const EXFAT_SUPER_MAGIC: u64 = 0x2011_bab0;

/// Creates a file with a name and locks it. Before that, another run may take it for a leftover and remove
/// it; it then has no links left, and the next name is tried.
fn open_named(dir: &OwnedFd, new_name: impl Fn() -> String) -> rustix::io::Result<(OwnedFd, String)> {
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    loop {
        let name = new_name();
        let fd = match rustix::fs::openat(dir, &name, flags, Mode::RUSR | Mode::WUSR) {
            Err(Errno::EXIST) if new_name() != name => continue,
            opened => opened?,
        };
        // File systems without locks work, too: leftovers then remain until they are removed manually.
        let locked = rustix::fs::flock(&fd, FlockOperation::NonBlockingLockExclusive);
        let is_linked = rustix::fs::fstat(&fd).is_ok_and(|stat| stat.st_nlink > 0);
        if is_linked && !matches!(locked, Err(Errno::WOULDBLOCK)) {
            return Ok((fd, name));
        }
    }
}

fn open_directory(path: &Path, len_bytes: u64) -> Result<OwnedFd, Message> {
    let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
    rustix::fs::open(path, flags, Mode::empty()).map_err(|errno| match errno {
        Errno::NOTDIR => not_a_directory(path),
        errno => create_error("open", path, len_bytes, errno),
    })
}

fn not_a_directory(path: &Path) -> Message {
    match rustix::fs::stat(path).map(|stat| FileType::from_raw_mode(stat.st_mode)) {
        Ok(FileType::BlockDevice | FileType::CharacterDevice) => message!("create-device", path),
        _ => message!("checkup-target-not-a-directory", path),
    }
}

fn create_error(call: &'static str, path: &Path, len_bytes: u64, errno: Errno) -> Message {
    let length = Parameter::Bytes(len_bytes);
    match errno {
        Errno::NOENT => message!("checkup-target-missing", path),
        Errno::ACCESS | Errno::PERM => message!("create-not-permitted", path),
        Errno::ROFS => message!("create-read-only", path),
        Errno::NOSPC | Errno::DQUOT => message!("create-no-room", path, length),
        Errno::FBIG => message!("create-too-long", path, length, reason = length_limit(path)),
        errno => message!("create-failed", path, call, error = io::Error::from(errno)),
    }
}

/// Why a file at `path`, or in that directory, cannot be as long as it should be, and what to do.
pub(crate) fn length_limit(path: &Path) -> Message {
    // The file itself may not exist.
    let paths = [Some(path), path.parent()];
    let found = paths.into_iter().flatten().find_map(|path| rustix::fs::statfs(path).ok());
    match found {
        Some(found) if found.f_type as u64 == MSDOS_SUPER_MAGIC => message!("file-limit.vfat"),
        _ => message!("file-limit.other"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Target;
    use super::*;

    fn entries(directory: &Path) -> usize {
        std::fs::read_dir(directory).unwrap().count()
    }

    #[test]
    fn a_test_file_leaves_nothing_behind() {
        let directory = tempfile::tempdir().unwrap();
        for naming in [Naming::Automatic, Naming::Named] {
            let target = Target::create_file(directory.path(), 1 << 20, naming).unwrap();
            let stat = rustix::fs::fstat(target.open(Access::default()).unwrap()).unwrap();
            assert_eq!(stat.st_size, 1 << 20);
            assert!(stat.st_blocks * 512 >= 1 << 20, "the space is reserved");
            assert_eq!(entries(directory.path()), usize::from(naming == Naming::Named));
            drop(target);
            assert_eq!(entries(directory.path()), 0, "{naming:?}");
        }
    }

    #[test]
    fn descriptors_are_independent_but_refer_to_the_same_file() {
        let directory = cardiograph_testing::disk_dir();
        for naming in [Naming::Automatic, Naming::Named] {
            let target = Target::create_file(directory.path(), 4_096, naming).unwrap();
            let open = |direct| target.open(Access { direct, writes: true, ..Access::default() }).unwrap();
            let (first, second, direct) = (open(false), open(false), open(true));
            assert_eq!(identity(&first).unwrap(), identity(&direct).unwrap());
            assert!(!rustix::fs::fcntl_getfl(&first).unwrap().contains(OFlags::DIRECT));
            assert!(rustix::fs::fcntl_getfl(&direct).unwrap().contains(OFlags::DIRECT));
            rustix::fs::seek(&first, rustix::fs::SeekFrom::Start(7)).unwrap();
            assert_eq!(rustix::fs::tell(&second).unwrap(), 0, "positions are not shared");
        }
    }

    #[test]
    fn a_name_that_now_refers_to_another_file_is_not_opened() {
        let directory = tempfile::tempdir().unwrap();
        let target = Target::create_file(directory.path(), 4_096, Naming::Named).unwrap();
        let path = std::fs::read_dir(directory.path()).unwrap().next().unwrap().unwrap().path();
        std::fs::rename(&path, directory.path().join("kept")).unwrap();
        std::fs::write(&path, "another").unwrap();
        assert!(target.open(Access::default()).is_err());
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let directory = tempfile::tempdir().unwrap();
        let create = |path: &Path, len| Target::create_file(path, len, Naming::Automatic).unwrap_err();
        let (missing, file) = (directory.path().join("x"), directory.path().join("f"));
        std::fs::write(&file, "").unwrap();
        assert_eq!(create(&missing, 1), message!("checkup-target-missing", path = &missing));
        assert_eq!(create(&file, 1), message!("checkup-target-not-a-directory", path = &file));
        let device = Path::new("/dev/null");
        assert_eq!(create(device, 1), message!("create-device", path = device));
        let huge = create(directory.path(), 1 << 60);
        assert!(["create-no-room", "create-too-long"].contains(&huge.id()), "{huge}");
        assert_eq!(huge.parameter("length"), Some(&Parameter::Bytes(1 << 60)), "{huge}");
        assert_eq!(entries(directory.path()), 1);
    }
}
