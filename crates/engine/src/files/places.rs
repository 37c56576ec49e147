//! What stands under the names of a Plan, made where it is missing.

use std::collections::HashMap;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cardiograph_jobs::resolve::{DIRECTORY, FileFacts};
use rustix::fs::{FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::PrepareRequest;
use super::error::{FileHold, PrepareError};
use super::hold;
use super::survey::{Need, User};
use super::undo::Undo;
use crate::device::loops::{self, LoopDevice};
use crate::device::real_file::RealFile;
use crate::device::{self, BlockDevice, DeviceNumber, users};
use crate::target::{
    Access, Identity, NEW_DIRECTORY_MODE, NEW_FILE_MODE, NamedFile, Target, identity, identity_of,
};

/// What stands under a name.
#[derive(Debug)]
pub(super) enum Found {
    /// Whatever it is: no job does I/O on it.
    Unused,
    /// A regular file, or a directory for jobs that handle those.
    File {
        identity: Identity,
        len_bytes: u64,
        /// Whether it was made by this preparation.
        is_new: bool,
    },
    /// Nothing yet: the file is made when it is opened first.
    ToBeMade {
        /// Where: the name may be a symbolic link to it.
        at: PathBuf,
    },
    /// A block device.
    Device {
        number: DeviceNumber,
        len_bytes: u64,
        /// What holds it, once it may be written to.
        held: Option<BlockDevice>,
    },
}

/// A file or device, and what is needed of it.
#[derive(Debug)]
pub(super) struct Place<'a> {
    pub path: PathBuf,
    pub found: Found,
    pub need: Need<'a>,
    /// Up to where it has content, in bytes.
    pub content_end_bytes: u64,
    /// What was written to lay it out, in bytes.
    pub written_bytes: u64,
}

impl<'a> Place<'a> {
    fn new(path: PathBuf, found: Found, need: Need<'a>) -> Self {
        let mut place = Self { path, found, need, content_end_bytes: 0, written_bytes: 0 };
        place.content_end_bytes = place.len_bytes();
        place
    }

    /// The file's or device's present length in bytes.
    pub fn len_bytes(&self) -> u64 {
        match self.found {
            Found::File { len_bytes, .. } | Found::Device { len_bytes, .. } => len_bytes,
            Found::Unused | Found::ToBeMade { .. } => 0,
        }
    }

    /// The first clone for which the file has to be made or continued; `None` when it is long enough.
    pub fn extender(&self) -> Option<&User<'a>> {
        let Found::File { len_bytes, .. } = self.found else { return None };
        let too_short = |user: &&User<'a>| user.file.end_bytes() > len_bytes;
        self.need.stored().filter(|user| user.needs_room()).find(too_short)
    }

    /// Content that is missing at the file's end, in bytes.
    pub fn missing_content_bytes(&self) -> u64 {
        match self.found {
            Found::File { len_bytes, .. } => self.need.content_end_bytes().saturating_sub(len_bytes),
            _ => 0,
        }
    }

    /// The target that a run uses.
    pub fn into_target(self) -> Arc<Target> {
        let end_bytes = self.need.end_bytes();
        let (is_directory, _) = self.need.directory_for();
        match self.found {
            Found::Unused => Target::without_storage(end_bytes),
            Found::File { identity, len_bytes, .. } => {
                let file = NamedFile::found(self.path, identity).with_kind(is_directory);
                Target::named(file, len_bytes.max(end_bytes), self.content_end_bytes)
            }
            Found::ToBeMade { at } => {
                let file = NamedFile::to_be_made(self.path, at).with_kind(is_directory);
                Target::named(file, end_bytes, 0)
            }
            Found::Device { number, len_bytes, held } => {
                let device = held.unwrap_or_else(|| BlockDevice::for_reading(self.path, number));
                Target::device(device, len_bytes)
            }
        }
    }
}

/// What stands under a path, as far as it can be seen without opening it. What cannot be looked at counts as missing:
/// preparing it will tell why.
pub fn facts(path: &Path) -> FileFacts {
    let Ok(stat) = rustix::fs::stat(path) else { return FileFacts::Missing };
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => FileFacts::File { len_bytes: stat.st_size as u64 },
        FileType::BlockDevice => {
            let number = device::number(stat.st_rdev);
            FileFacts::Device { len_bytes: device_len_bytes(Path::new("/"), path, number).unwrap_or(0) }
        }
        other => FileFacts::Other { what: name_of(other) },
    }
}

fn name_of(file_type: FileType) -> &'static str {
    match file_type {
        FileType::RegularFile => "a file",
        FileType::Directory => DIRECTORY,
        FileType::CharacterDevice => "a character device",
        FileType::Fifo => "a pipe",
        FileType::Socket => "a socket",
        _ => "no file",
    }
}

/// A device's length in bytes: as the kernel's tree of devices has it, or by a look at its end.
fn device_len_bytes(root: &Path, path: &Path, number: DeviceNumber) -> Result<u64, Errno> {
    let size = fs::read_to_string(root.join(format!("sys/dev/block/{number}/size")));
    if let Some(sectors) = size.ok().and_then(|size| size.trim().parse::<u64>().ok()) {
        return Ok(sectors.saturating_mul(512));
    }
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    rustix::fs::seek(rustix::fs::open(path, flags, Mode::empty())?, rustix::fs::SeekFrom::End(0))
}

/// What tells files and devices apart.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    File(Identity),
    Device(DeviceNumber),
    /// By where it will be.
    ToBeMade(PathBuf),
}

/// Finds what stands under the names of a Plan, and makes the files that are missing, empty. Several names of one file
/// or device become one place.
pub(super) fn find<'a>(
    request: &PrepareRequest<'_>,
    needs: Vec<Need<'a>>,
    undo: &mut Undo,
) -> Result<Vec<Place<'a>>, PrepareError> {
    let mut places: Vec<Place<'a>> = Vec::with_capacity(needs.len());
    let mut known: HashMap<Key, usize> = HashMap::new();
    for need in needs {
        let path = PathBuf::from(&request.plan.targets[need.targets[0]]);
        let found = match need.stored().next() {
            None => Found::Unused,
            Some(_) => look(request.root, &path, &need, undo)?,
        };
        let keys = keys(&path, &found);
        match keys.iter().find_map(|key| known.get(key).copied()) {
            Some(index) => {
                let place = &mut places[index];
                place.need.targets.extend(need.targets);
                place.need.users.extend(need.users);
                place.need.users.sort_by_key(|user| (user.job, user.clone));
                // Under its other name it had to be made at once.
                if matches!(place.found, Found::ToBeMade { .. }) {
                    place.found = found;
                }
                known.extend(keys.into_iter().map(|key| (key, index)));
            }
            None => {
                known.extend(keys.into_iter().map(|key| (key, places.len())));
                places.push(Place::new(path, found, need));
            }
        }
    }
    let loops = loops::all(request.root).map_err(|source| PrepareError::Other {
        call: "list",
        path: request.root.join("sys/block"),
        source,
    })?;
    places.iter().try_for_each(|place| check(request.root, &loops, place))?;
    Ok(places)
}

/// By what a place is known again under another name.
fn keys(path: &Path, found: &Found) -> Vec<Key> {
    match found {
        Found::Unused => Vec::new(),
        Found::Device { number, .. } => vec![Key::Device(*number)],
        Found::ToBeMade { at } => vec![Key::ToBeMade(at.clone())],
        Found::File { identity, is_new, .. } => {
            let made_at = fs::canonicalize(path).ok().filter(|_| *is_new).map(Key::ToBeMade);
            std::iter::once(Key::File(*identity)).chain(made_at).collect()
        }
    }
}

fn look(root: &Path, path: &Path, need: &Need<'_>, undo: &mut Undo) -> Result<Found, PrepareError> {
    let stat = match rustix::fs::stat(path) {
        Ok(stat) => stat,
        Err(Errno::NOENT) => return make(path, need, undo),
        Err(errno) => return Err(PrepareError::of_call("look at", path, errno)),
    };
    let (is_directory, for_all) = need.directory_for();
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory if for_all => {
            Ok(Found::File { identity: identity_of(&stat), len_bytes: 0, is_new: false })
        }
        FileType::RegularFile if !is_directory => {
            Ok(Found::File { identity: identity_of(&stat), len_bytes: stat.st_size as u64, is_new: false })
        }
        FileType::BlockDevice if !is_directory => {
            let number = device::number(stat.st_rdev);
            let len_bytes = device_len_bytes(root, path, number)
                .map_err(|errno| PrepareError::of_call("find the length of", path, errno))?;
            Ok(Found::Device { number, len_bytes, held: None })
        }
        other => Err(PrepareError::NotAFile { path: path.to_path_buf(), what: name_of(other) }),
    }
}

/// Makes an empty file, and the directories that it needs.
fn make(path: &Path, need: &Need<'_>, undo: &mut Undo) -> Result<Found, PrepareError> {
    if !need.any(|files| files.may_create) {
        let job = need.stored().next().map_or(0, |user| user.job);
        return Err(PrepareError::MayNotCreate { job, path: path.to_path_buf() });
    }
    let (is_directory, for_all) = need.directory_for();
    if is_directory && !for_all {
        return Err(PrepareError::NotAFile { path: path.to_path_buf(), what: DIRECTORY });
    }
    // A symbolic link to nothing: the file is made where it points to.
    let at = behind_links(path).map_err(|errno| PrepareError::of_call("look at", path, errno))?;
    if is_among_devices(&at) {
        return Err(PrepareError::NoSuchDevice { path: path.to_path_buf() });
    }
    make_directories(path, undo)?;
    if need.stored().all(User::makes_file) {
        return Ok(Found::ToBeMade { at: in_real_directory(at) });
    }
    if is_directory {
        let made = rustix::fs::mkdir(&at, NEW_DIRECTORY_MODE);
        made.map_err(|errno| PrepareError::of_call("make", path, errno))?;
        undo.made_directory(at.clone());
        let stat = rustix::fs::lstat(&at).map_err(|errno| PrepareError::of_call("look at", path, errno))?;
        return Ok(Found::File { identity: identity_of(&stat), len_bytes: 0, is_new: true });
    }
    // What appeared there since was not examined, and is somebody else's.
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC;
    let opened = rustix::fs::open(&at, flags, NEW_FILE_MODE);
    let opened = opened.map_err(|errno| PrepareError::of_call("make", path, errno))?;
    let identity = identity(&opened).map_err(|errno| PrepareError::of_call("look at", path, errno))?;
    undo.made(path.to_path_buf(), identity);
    Ok(Found::File { identity, len_bytes: 0, is_new: true })
}

/// Where a file of this name would be made: the end of a chain of symbolic links, which need not exist. Directories on
/// the way may be links still.
fn behind_links(path: &Path) -> Result<PathBuf, Errno> {
    let mut path = path.to_path_buf();
    // So many the kernel follows, too: path_resolution(7).
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(Errno::LOOP)
}

/// The same file by a path whose directories are no links, so that it can be told from others.
fn in_real_directory(path: PathBuf) -> PathBuf {
    let real = path.parent().and_then(|parent| fs::canonicalize(or_current(parent)).ok());
    match (real, path.file_name()) {
        (Some(directory), Some(name)) => directory.join(name),
        _ => path,
    }
}

/// A relative name's directory is the current one.
fn or_current(directory: &Path) -> &Path {
    if directory.as_os_str().is_empty() { Path::new(".") } else { directory }
}

/// Whether a new file of this name would lie in the kernel's own directory of devices.
fn is_among_devices(path: &Path) -> bool {
    // Directories that are missing would be made, in the innermost one that is there.
    let Some(directory) =
        path.ancestors().skip(1).find_map(|parent| fs::canonicalize(or_current(parent)).ok())
    else {
        return false;
    };
    let device = |path: &Path| rustix::fs::stat(path).map(|stat: Stat| stat.st_dev).ok();
    directory.starts_with("/dev") && device(&directory) == device(Path::new("/dev"))
}

fn make_directories(path: &Path, undo: &mut Undo) -> Result<(), PrepareError> {
    let missing = |directory: &&Path| {
        !directory.as_os_str().is_empty() && matches!(rustix::fs::stat(*directory), Err(Errno::NOENT))
    };
    let mut directories: Vec<&Path> = path.ancestors().skip(1).take_while(missing).collect();
    directories.reverse();
    for directory in directories {
        let made = DirBuilder::new().mode(NEW_DIRECTORY_MODE.bits()).create(directory);
        made.map_err(|error| PrepareError::of_io("make", directory, error))?;
        undo.made_directory(directory.to_path_buf());
    }
    Ok(())
}

/// Whether jobs can do with a place what they are to do.
fn check(root: &Path, loops: &[LoopDevice], place: &Place<'_>) -> Result<(), PrepareError> {
    let path = || place.path.clone();
    match place.found {
        Found::Unused => Ok(()),
        Found::Device { len_bytes, .. } => {
            let outside = place.need.stored().find(|user| user.file.end_bytes() > len_bytes);
            outside.map_or(Ok(()), |user| {
                let (job, end_bytes) = (user.job, user.file.end_bytes());
                Err(PrepareError::OutsideDevice { job, path: path(), end_bytes, len_bytes })
            })
        }
        Found::File { .. } | Found::ToBeMade { .. } => {
            let len_bytes = place.len_bytes();
            let is_made_too_late =
                |user: &&User<'_>| user.needs_content() && user.file.end_bytes() > len_bytes;
            let all_late = place.need.stored().all(User::makes_file);
            let reader = place.need.stored().find(is_made_too_late).filter(|_| all_late);
            if let Some(user) = reader {
                let (job, end_bytes) = (user.job, user.file.end_bytes());
                return Err(PrepareError::NothingToRead { job, path: path(), len_bytes, end_bytes });
            }
            check_writable(root, loops, place)
        }
    }
}

/// Opens a file that will be written to once, so that a refusal comes before everything else.
fn check_writable(root: &Path, loops: &[LoopDevice], place: &Place<'_>) -> Result<(), PrepareError> {
    let Found::File { identity: found, .. } = place.found else { return Ok(()) };
    let (is_directory, _) = place.need.directory_for();
    if is_directory || (place.need.writer().is_none() && place.extender().is_none()) {
        return Ok(());
    }
    let file = Target::named(NamedFile::found(place.path.clone(), found), 0, 0);
    file.open(Access { writes: true, ..Access::default() })
        .map_err(|error| PrepareError::of_io("open", &place.path, error))?;
    // The kernel lets a swap file be opened for writing, and what is written there is lost to whom it belonged.
    let swaps = fs::read(root.join("proc/swaps")).unwrap_or_default();
    let not_found =
        |source| PrepareError::Other { call: "find the users of", path: place.path.clone(), source };
    let found = RealFile::at(&place.path).map_err(not_found)?;
    let is_swap = users::swap_paths(&swaps)
        .filter_map(|swap| RealFile::at(&root.join(swap.strip_prefix("/").unwrap_or(&swap))).ok())
        .any(|swap| swap.can_be(&found));
    let in_use = |hold| Err(PrepareError::InUse { path: place.path.clone(), hold });
    if is_swap {
        return in_use(FileHold::Swap);
    }
    match users::is_under_used_loop(root, loops, found) {
        Ok(true) => in_use(FileHold::LoopDevice),
        Ok(false) => Ok(()),
        Err(source) => Err(not_found(source)),
    }
}

/// Takes a device that will be written to; see [`hold::device`].
pub(super) fn take(request: &PrepareRequest<'_>, place: &mut Place<'_>) -> Result<(), PrepareError> {
    let Found::Device { number, held, .. } = &mut place.found else { return Ok(()) };
    let Some(writer) = place.need.writer() else { return Ok(()) };
    let wants_mounted_write = place.need.any(|files| files.allow_mounted_write);
    *held = Some(hold::device(request, &place.path, *number, (writer.job, wants_mounted_write))?);
    Ok(())
}
