//! Targets of I/O: files, block devices, and targets without storage.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cardiograph_core::Message;

use crate::device::BlockDevice;
use crate::device::facts::DeviceFacts;
use crate::fill_files::FillSet;
use crate::sim::SimFile;

mod access;
mod named_file;
mod test_file;

pub use access::Access;
pub(crate) use access::{Identity, canonical_path, identity, identity_of, let_wait, open_again};
pub(crate) use named_file::{NEW_DIRECTORY_MODE, NEW_FILE_MODE, NamedFile};
pub use test_file::Naming;
pub(crate) use test_file::{TestFile, length_limit};

/// A target that a Workload can use.
#[derive(Debug)]
pub struct Target {
    id: u64,
    /// Name as given in the job; for a nameless file, its directory; empty without storage.
    name: String,
    kind: Kind,
    len_bytes: u64,
    /// Bytes from the start that have been written; reads must not go beyond.
    filled_bytes: AtomicU64,
}

#[derive(Debug)]
enum Kind {
    File(TestFile),
    Named(NamedFile),
    Device(BlockDevice),
    WithoutStorage,
    Simulated(SimFile),
}

impl Target {
    fn new(name: String, kind: Kind, len_bytes: u64) -> Arc<Self> {
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        Arc::new(Self { id, name, kind, len_bytes, filled_bytes: AtomicU64::new(0) })
    }

    /// Creates a test file of `len_bytes` in `directory`. Its space is allocated, but nothing is written. It
    /// is removed when the Target is dropped, at the latest when the process ends or, if it has a name, when
    /// a later run finds it.
    ///
    /// # Errors
    /// What is wrong, where, and what to do.
    pub fn create_file(directory: &Path, len_bytes: u64, naming: Naming) -> Result<Arc<Self>, Message> {
        let file = TestFile::create(directory, len_bytes, naming)?;
        let name = directory.to_string_lossy().into_owned();
        Ok(Self::new(name, Kind::File(file), len_bytes))
    }

    /// Creates a part of a set of files that fill a file system (see [`crate::fill_files`]). It is removed
    /// when the Target is dropped, unless it is complete ([`end_part`](Self::end_part)) and
    /// [kept](Self::keep_part).
    ///
    /// # Errors
    /// What is wrong, where, and what to do.
    pub fn create_part(
        directory: &Path,
        set: FillSet,
        part: u32,
        len_bytes: u64,
    ) -> Result<Arc<Self>, Message> {
        let file = TestFile::create_part(directory, set, part, len_bytes)?;
        Ok(Self::new(directory.to_string_lossy().into_owned(), Kind::File(file), len_bytes))
    }

    /// Opens a complete part left by an interrupted checkup.
    ///
    /// # Errors
    /// What is wrong, where, and what to do.
    pub fn open_part(directory: &Path, set: FillSet, part: u32) -> Result<Arc<Self>, Message> {
        let (file, len_bytes) = TestFile::open_part(directory, set, part)?;
        let target = Self::new(directory.to_string_lossy().into_owned(), Kind::File(file), len_bytes);
        target.mark_filled(len_bytes);
        Ok(target)
    }

    /// Marks a part as complete in its name. Does nothing to another target.
    ///
    /// # Errors
    /// When it could not be made durable or renamed.
    pub fn end_part(&self) -> io::Result<()> {
        self.test_file().map_or(Ok(()), TestFile::end_part)
    }

    /// Keeps a part when the Target is dropped, if it is complete. Returns whether it will be kept.
    pub fn keep_part(&self) -> bool {
        self.test_file().is_some_and(TestFile::keep_part)
    }

    /// Removes the name of a test file unless it is [kept](Self::keep_part), even while it is in use: a
    /// thread stuck in the kernel would prevent the file from being dropped.
    pub fn remove(&self) {
        self.test_file().iter().for_each(|file| file.remove());
    }

    /// Space allocated for a test file, in bytes, written or not; the length of other targets.
    ///
    /// # Errors
    /// As fstat(2).
    pub fn room_bytes(&self) -> io::Result<u64> {
        self.test_file().map_or(Ok(self.len_bytes), TestFile::room_bytes)
    }

    /// A file named by a job. Bytes before `filled_bytes` may be read.
    pub(crate) fn named(file: NamedFile, len_bytes: u64, filled_bytes: u64) -> Arc<Self> {
        let name = file.path().to_string_lossy().into_owned();
        let target = Self::new(name, Kind::Named(file), len_bytes);
        target.mark_filled(filled_bytes);
        target
    }

    /// A block device. All of it may be read.
    pub(crate) fn device(device: BlockDevice, len_bytes: u64) -> Arc<Self> {
        let name = device.path().to_string_lossy().into_owned();
        let target = Self::new(name, Kind::Device(device), len_bytes);
        target.mark_filled(len_bytes);
        target
    }

    /// A target with a length but without storage, for engines that do no I/O.
    pub fn without_storage(len_bytes: u64) -> Arc<Self> {
        Self::new(String::new(), Kind::WithoutStorage, len_bytes)
    }

    /// A file on a simulated drive.
    pub fn simulated(file: SimFile) -> Arc<Self> {
        let len_bytes = file.len_bytes();
        Self::new(String::new(), Kind::Simulated(file), len_bytes)
    }

    /// Identifies the target.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// Length in bytes.
    pub fn len_bytes(&self) -> u64 {
        self.len_bytes
    }

    /// Whether reads require earlier writes.
    pub(crate) fn has_storage(&self) -> bool {
        !matches!(self.kind, Kind::WithoutStorage)
    }

    /// Bytes from the start that have been written.
    pub fn filled_bytes(&self) -> u64 {
        self.filled_bytes.load(Ordering::Relaxed)
    }

    /// Records that all bytes before `end_bytes` have been written.
    pub(crate) fn mark_filled(&self, end_bytes: u64) {
        self.filled_bytes.fetch_max(end_bytes, Ordering::Relaxed);
    }

    /// Opens it: a new descriptor of the examined file, with its own position and flags.
    ///
    /// # Errors
    /// `Unsupported` if there is nothing to open. Otherwise as open(2): `EINVAL` if the file system refuses
    /// O_DIRECT. Also when the name now refers to another file.
    pub fn open(&self, access: Access) -> io::Result<OwnedFd> {
        match &self.kind {
            Kind::File(file) => file.open(access),
            Kind::Named(file) => file.open(access),
            Kind::Device(device) => device.open(access),
            Kind::WithoutStorage | Kind::Simulated(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is a regular file.
    pub fn is_file(&self) -> bool {
        matches!(self.kind, Kind::File(_) | Kind::Named(_))
    }

    /// Whether it is a block device.
    pub fn is_device(&self) -> bool {
        matches!(self.kind, Kind::Device(_))
    }

    /// The consent id, if it is a block device about which the kernel reports enough.
    pub fn consent_id(&self) -> Option<String> {
        let number = self.block_device()?.number();
        Some(DeviceFacts::look_up(Path::new("/"), number).ok()?.id)
    }

    /// The test file, if it is one.
    pub(crate) fn test_file(&self) -> Option<&TestFile> {
        match &self.kind {
            Kind::File(file) => Some(file),
            _ => None,
        }
    }

    /// The file named by the job, if it is one.
    pub(crate) fn named_file(&self) -> Option<&NamedFile> {
        match &self.kind {
            Kind::Named(file) => Some(file),
            _ => None,
        }
    }

    /// The block device, if it is one.
    pub(crate) fn block_device(&self) -> Option<&BlockDevice> {
        match &self.kind {
            Kind::Device(device) => Some(device),
            _ => None,
        }
    }

    /// The simulated file, if it is one.
    pub fn simulated_file(&self) -> Option<&SimFile> {
        match &self.kind {
            Kind::Simulated(file) => Some(file),
            _ => None,
        }
    }
}
