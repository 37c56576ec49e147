//! Resolves the target names of a Plan to files and devices, and creates missing files.

use std::collections::HashMap;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cardiograph_core::{Message, Parameter, message};
use cardiograph_jobs::resolve::{DIRECTORY, FileFacts, kind_message};
use rustix::fs::{FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::PrepareRequest;
use super::error::{PrepareError, call_failed, failed};
use super::hold;
use super::survey::{Need, User};
use super::undo::Undo;
use crate::device::loops::{self, LoopDevice};
use crate::device::real_file::RealFile;
use crate::device::{self, BlockDevice, DeviceNumber, users};
use crate::target::{
    Access, Identity, NEW_DIRECTORY_MODE, NEW_FILE_MODE, NamedFile, Target, identity, identity_of,
};

/// The referent of a name.
#[derive(Debug)]
pub(super) enum Found {
    /// Not examined, because no job does I/O on it.
    Unused,
    /// A regular file, or a directory for jobs that handle directories.
    File {
        identity: Identity,
        len_bytes: u64,
        /// Whether this preparation created it.
        is_new: bool,
    },
    /// Does not exist yet: it is created when it is first opened.
    ToBeMade {
        /// Its path, after following symbolic links.
        at: PathBuf,
    },
    /// A block device.
    Device {
        number: DeviceNumber,
        len_bytes: u64,
        /// Held exclusively, once writing is permitted.
        held: Option<BlockDevice>,
    },
}

/// A file or device, and what jobs need of it.
#[derive(Debug)]
pub(super) struct ResolvedTarget<'a> {
    pub path: PathBuf,
    pub found: Found,
    pub need: Need<'a>,
    /// End of its content, in bytes.
    pub content_end_bytes: u64,
    /// Bytes written to lay it out.
    pub written_bytes: u64,
}

impl<'a> ResolvedTarget<'a> {
    fn new(path: PathBuf, found: Found, need: Need<'a>) -> Self {
        let mut resolved = Self { path, found, need, content_end_bytes: 0, written_bytes: 0 };
        resolved.content_end_bytes = resolved.len_bytes();
        resolved
    }

    /// Current length of the file or device, in bytes.
    pub fn len_bytes(&self) -> u64 {
        match self.found {
            Found::File { len_bytes, .. } | Found::Device { len_bytes, .. } => len_bytes,
            Found::Unused | Found::ToBeMade { .. } => 0,
        }
    }

    /// The first clone that needs the file created or extended; `None` when it is long enough.
    pub fn extender(&self) -> Option<&User<'a>> {
        let Found::File { len_bytes, .. } = self.found else { return None };
        let too_short = |user: &&User<'a>| user.file.end_bytes() > len_bytes;
        self.need.stored().filter(|user| user.needs_room()).find(too_short)
    }

    /// Content missing at the end, in bytes.
    pub fn missing_content_bytes(&self) -> u64 {
        match self.found {
            Found::File { len_bytes, .. } => self.need.content_end_bytes().saturating_sub(len_bytes),
            _ => 0,
        }
    }

    /// The target for the run.
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

/// What a path refers to, as far as is visible without opening it. A path that cannot be examined counts as
/// missing; preparing it will report why.
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

fn not_a_file(path: &Path, found: FileType) -> Message {
    message!("prepare-not-a-file", path, kind = kind_message(name_of(found)))
}

/// A device's length in bytes, from sysfs or by seeking to its end.
fn device_len_bytes(root: &Path, path: &Path, number: DeviceNumber) -> Result<u64, Errno> {
    let size = fs::read_to_string(root.join(format!("sys/dev/block/{number}/size")));
    if let Some(sectors) = size.ok().and_then(|size| size.trim().parse::<u64>().ok()) {
        return Ok(sectors.saturating_mul(512));
    }
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    rustix::fs::seek(rustix::fs::open(path, flags, Mode::empty())?, rustix::fs::SeekFrom::End(0))
}

/// Identity of a file or device.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    File(Identity),
    Device(DeviceNumber),
    /// The path that it will have.
    ToBeMade(PathBuf),
}

/// Resolves the names of a Plan, and creates missing files, empty. Several names of one file or device become
/// one target.
pub(super) fn find<'a>(
    request: &PrepareRequest<'_>,
    needs: Vec<Need<'a>>,
    undo: &mut Undo,
) -> Result<Vec<ResolvedTarget<'a>>, Message> {
    let mut targets: Vec<ResolvedTarget<'a>> = Vec::with_capacity(needs.len());
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
                let resolved = &mut targets[index];
                resolved.need.targets.extend(need.targets);
                resolved.need.users.extend(need.users);
                resolved.need.users.sort_by_key(|user| (user.job, user.clone));
                // Another name of it required creating it now.
                if matches!(resolved.found, Found::ToBeMade { .. }) {
                    resolved.found = found;
                }
                known.extend(keys.into_iter().map(|key| (key, index)));
            }
            None => {
                known.extend(keys.into_iter().map(|key| (key, targets.len())));
                targets.push(ResolvedTarget::new(path, found, need));
            }
        }
    }
    let loops = loops::all(request.root)
        .map_err(|error| failed(message!("call.list"), &request.root.join("sys/block"), error))?;
    targets.iter().try_for_each(|resolved| check(request.root, &loops, resolved))?;
    Ok(targets)
}

/// Keys by which a target is recognised under another name.
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

fn look(root: &Path, path: &Path, need: &Need<'_>, undo: &mut Undo) -> Result<Found, Message> {
    let stat = match rustix::fs::stat(path) {
        Ok(stat) => stat,
        Err(Errno::NOENT) => return make(path, need, undo),
        Err(errno) => return Err(call_failed(message!("call.look-at"), path, errno)),
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
                .map_err(|errno| call_failed(message!("call.find-length"), path, errno))?;
            Ok(Found::Device { number, len_bytes, held: None })
        }
        other => Err(not_a_file(path, other)),
    }
}

/// Creates an empty file and its missing directories.
fn make(path: &Path, need: &Need<'_>, undo: &mut Undo) -> Result<Found, Message> {
    if !need.any(|files| files.may_create) {
        let job = need.stored().next().map_or("", |user| &user.workload.name);
        return Err(message!("prepare-may-not-create", job, path));
    }
    let unexamined = |errno| call_failed(message!("call.look-at"), path, errno);
    let not_made = |errno| call_failed(message!("call.make"), path, errno);
    let (is_directory, for_all) = need.directory_for();
    if is_directory && !for_all {
        return Err(not_a_file(path, FileType::Directory));
    }
    // A dangling symbolic link: create the file it points to.
    let at = behind_links(path).map_err(unexamined)?;
    if is_among_devices(&at) {
        return Err(message!("prepare-no-device", path));
    }
    make_directories(path, undo)?;
    if need.stored().all(User::makes_file) {
        return Ok(Found::ToBeMade { at: in_real_directory(at) });
    }
    if is_directory {
        rustix::fs::mkdir(&at, NEW_DIRECTORY_MODE).map_err(not_made)?;
        undo.made_directory(at.clone());
        let stat = rustix::fs::lstat(&at).map_err(unexamined)?;
        return Ok(Found::File { identity: identity_of(&stat), len_bytes: 0, is_new: true });
    }
    // A file that has appeared meanwhile was not examined and is not ours.
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC;
    let opened = rustix::fs::open(&at, flags, NEW_FILE_MODE).map_err(not_made)?;
    let identity = identity(&opened).map_err(unexamined)?;
    undo.made(path.to_path_buf(), identity);
    Ok(Found::File { identity, len_bytes: 0, is_new: true })
}

/// Path where a file of this name would be created: the end of a chain of symbolic links, which need not
/// exist. Directories on the way may still be links.
fn behind_links(path: &Path) -> Result<PathBuf, Errno> {
    let mut path = path.to_path_buf();
    // The kernel follows the same number of links: path_resolution(7).
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(Errno::LOOP)
}

/// The same file with a canonical directory, for comparison.
fn in_real_directory(path: PathBuf) -> PathBuf {
    let real = path.parent().and_then(|parent| fs::canonicalize(or_current(parent)).ok());
    match (real, path.file_name()) {
        (Some(directory), Some(name)) => directory.join(name),
        _ => path,
    }
}

/// The directory of a path; the current one for a bare name.
fn or_current(directory: &Path) -> &Path {
    if directory.as_os_str().is_empty() { Path::new(".") } else { directory }
}

/// Whether a new file of this name would be in `/dev`.
fn is_among_devices(path: &Path) -> bool {
    // Missing directories would be created in the innermost existing one.
    let Some(directory) =
        path.ancestors().skip(1).find_map(|parent| fs::canonicalize(or_current(parent)).ok())
    else {
        return false;
    };
    let device = |path: &Path| rustix::fs::stat(path).map(|stat: Stat| stat.st_dev).ok();
    directory.starts_with("/dev") && device(&directory) == device(Path::new("/dev"))
}

fn make_directories(path: &Path, undo: &mut Undo) -> Result<(), Message> {
    let missing = |directory: &&Path| {
        !directory.as_os_str().is_empty() && matches!(rustix::fs::stat(*directory), Err(Errno::NOENT))
    };
    let mut directories: Vec<&Path> = path.ancestors().skip(1).take_while(missing).collect();
    directories.reverse();
    for directory in directories {
        let made = DirBuilder::new().mode(NEW_DIRECTORY_MODE.bits()).create(directory);
        made.map_err(|error| call_failed(message!("call.make"), directory, error))?;
        undo.made_directory(directory.to_path_buf());
    }
    Ok(())
}

/// End of a user's region, and the length of what it is in.
fn region(user: &User<'_>, len_bytes: u64) -> (Parameter, Parameter) {
    (Parameter::Bytes(user.file.end_bytes()), Parameter::Bytes(len_bytes))
}

/// Checks that a target supports what its jobs do.
fn check(root: &Path, loops: &[LoopDevice], resolved: &ResolvedTarget<'_>) -> Result<(), Message> {
    let path = &resolved.path;
    match resolved.found {
        Found::Unused => Ok(()),
        Found::Device { len_bytes, .. } => {
            let outside = resolved.need.stored().find(|user| user.file.end_bytes() > len_bytes);
            outside.map_or(Ok(()), |user| {
                let (end, length) = region(user, len_bytes);
                Err(message!("prepare-outside", job = &user.workload.name, path, end, length))
            })
        }
        Found::File { .. } | Found::ToBeMade { .. } => {
            let len_bytes = resolved.len_bytes();
            let is_made_too_late =
                |user: &&User<'_>| user.needs_content() && user.file.end_bytes() > len_bytes;
            let all_late = resolved.need.stored().all(User::makes_file);
            let reader = resolved.need.stored().find(is_made_too_late).filter(|_| all_late);
            if let Some(user) = reader {
                let (job, (end, length)) = (&user.workload.name, region(user, len_bytes));
                return Err(message!("prepare-nothing-to-read", job, path, end, length));
            }
            check_writable(root, loops, resolved)
        }
    }
}

/// Opens a file that will be written to, so that a refusal comes early.
fn check_writable(root: &Path, loops: &[LoopDevice], resolved: &ResolvedTarget<'_>) -> Result<(), Message> {
    let Found::File { identity: found, .. } = resolved.found else { return Ok(()) };
    let (is_directory, _) = resolved.need.directory_for();
    if is_directory || (resolved.need.writer().is_none() && resolved.extender().is_none()) {
        return Ok(());
    }
    let path = &resolved.path;
    let file = Target::named(NamedFile::found(path.clone(), found), 0, 0);
    file.open(Access { writes: true, ..Access::default() })
        .map_err(|error| call_failed(message!("call.open"), path, error))?;
    // The kernel allows opening a swap file for writing, which would destroy swapped memory.
    let swaps = fs::read(root.join("proc/swaps")).unwrap_or_default();
    let not_found = |error| failed(message!("call.find-users"), path, error);
    let found = RealFile::from_path(path).map_err(not_found)?;
    let is_swap = users::swap_paths(&swaps)
        .filter_map(|swap| RealFile::from_path(&root.join(swap.strip_prefix("/").unwrap_or(&swap))).ok())
        .any(|swap| swap.can_be(&found));
    if is_swap {
        return Err(message!("prepare-in-use.swap", path));
    }
    match users::is_under_used_loop(root, loops, found).map_err(not_found)? {
        true => Err(message!("prepare-in-use.loop-device", path)),
        false => Ok(()),
    }
}

/// Takes a device for writing; see [`hold::device`].
pub(super) fn take(
    request: &PrepareRequest<'_>,
    resolved: &mut ResolvedTarget<'_>,
) -> Result<(), PrepareError> {
    let Found::Device { number, held, .. } = &mut resolved.found else { return Ok(()) };
    let Some(writer) = resolved.need.writer() else { return Ok(()) };
    let wants_mounted_write = resolved.need.any(|files| files.allow_mounted_write);
    *held =
        Some(hold::device(request, &resolved.path, *number, (&writer.workload.name, wants_mounted_write))?);
    Ok(())
}
