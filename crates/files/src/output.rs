//! The only way to write to paths named by users: exports, pictures, logs.
//!
//! Each function first checks what exists, and refuses what is not for output: devices, sockets, directories. A regular
//! file is replaced as a whole, by [`replace`] or a [`Writer`]: the new file is created next to it, synced and renamed,
//! with mode and owner of the old one. A file that cannot be replaced (several links, a file mounted on it, an access
//! control list, a directory that accepts no new files) is overwritten once all new content is ready. Pipes, terminals
//! and inherited descriptors are written to directly.

mod target;
mod temporary;
#[cfg(test)]
mod tests;
mod writer;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::Path;

use cardiograph_core::message;
use cardiograph_core::system_error::explained;
use rustix::fs::{Mode, OFlags};

use crate::{FileSystem, Open};
pub use target::Refused;
use target::{Location, Stream, Target, find_target};
use temporary::Temporary;
pub use writer::Writer;

/// Replaces the file at `path` by `bytes`; a stream is written to. A new file gets the permissions `mode`, reduced by
/// the umask. Fails if the path is not for output, or the system refuses. The old file remains then, unless it had to
/// be overwritten.
pub fn replace(files: &dyn FileSystem, path: &Path, bytes: &[u8], mode: u32) -> Result<(), Refused> {
    let replaced = match find_target(files, path)? {
        Target::Stream(stream) => open_stream(&stream).and_then(|mut file| file.write_all(bytes)),
        Target::File(place, old) => {
            Temporary::create(files, place, old.as_ref(), mode).and_then(|mut new| {
                new.file.write_all_at(bytes, 0)?;
                new.commit()
            })
        }
    };
    replaced.map_err(|error| Refused::system(path, error))
}

/// Checks whether [`replace`] is expected to work, without changing anything. A stream is opened, to be written to
/// later. Fails like [`replace`].
pub fn try_open(files: &dyn FileSystem, path: &Path) -> Result<Option<File>, Refused> {
    let tried = match find_target(files, path)? {
        Target::Stream(stream) => open_stream(&stream).map(Some),
        // The directory may accept no new file: then this one is overwritten.
        Target::File(place, Some(_)) => place.open(Open::Write).map(|_| None),
        Target::File(place, None) => Temporary::create(files, place, None, 0o600).map(|_| None),
    };
    tried.map_err(|error| Refused::system(path, error))
}

/// Opens a stream. One that accepts nothing, such as `/dev/full`, fails here and not after an hour of measuring.
fn open_stream(stream: &Stream) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::CLOEXEC | OFlags::NOCTTY;
    let open = |path: &OsStr, flags| rustix::fs::open(path, flags, Mode::empty()).map_err(io::Error::from);
    if let Stream::Descriptor(number) = stream
        && std::fs::symlink_metadata(format!("/proc/self/fd/{number}"))?.permissions().mode() & 0o200 == 0
    {
        // It is open for reading, and may lead to anything.
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let opened: OwnedFd = match stream {
        // Duplicated instead of opened by name: sockets cannot be opened, and a file would be opened at its start.
        Stream::Descriptor(1) => io::stdout().as_fd().try_clone_to_owned()?,
        Stream::Descriptor(2) => io::stderr().as_fd().try_clone_to_owned()?,
        Stream::Descriptor(number) => {
            open(OsStr::new(&format!("/proc/self/fd/{number}")), flags | OFlags::APPEND)?
        }
        Stream::Named(path) => open(path.as_os_str(), flags | OFlags::NOFOLLOW)?,
    };
    let mut file = File::from(opened);
    let kind = file.metadata()?.file_type();
    if matches!(stream, Stream::Named(_)) && !kind.is_char_device() && !kind.is_fifo() {
        return Err(explained(io::ErrorKind::Other, message!("output-changed")));
    }
    if kind.is_char_device() {
        let _ = file.write(&[])?;
    }
    Ok(file)
}
