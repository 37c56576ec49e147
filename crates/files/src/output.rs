//! What a user names for output: one door for exports, pictures, logs and all else that is written where somebody said.
//!
//! Each function looks first at what is there, and refuses what is not for output: devices, sockets, directories. A regular
//! file is replaced as a whole, by [`replace`] or a [`Writer`]: what is new is made beside it, synced and renamed, with the
//! mode and the owner that the old one had. Where a file cannot be replaced so, as with several names, a file mounted on it,
//! an access list or a directory that takes no file, it is overwritten once all that is new is at hand. Pipes, terminals and
//! what the program was started with are written to as they stand.

mod look;
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
pub use look::Refused;
use look::{Place, Stream, Target, look_at};
use temporary::Temporary;
pub use writer::Writer;

/// Replaces what is at `path` by `bytes`; a stream is written to. A new file gets the permissions `mode`, less the process's
/// mask.
/// Fails when the path is not for output, or the system refuses. The old file stays then, unless it had to be overwritten.
pub fn replace(files: &dyn FileSystem, path: &Path, bytes: &[u8], mode: u32) -> Result<(), Refused> {
    let replaced = match look_at(files, path)? {
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

/// Finds out whether [`replace`] can be expected to work, and changes nothing. A stream is opened, to be written to later.
/// Fails as [`replace`].
pub fn try_open(files: &dyn FileSystem, path: &Path) -> Result<Option<File>, Refused> {
    let tried = match look_at(files, path)? {
        Target::Stream(stream) => open_stream(&stream).map(Some),
        // The directory may take no file: then this one is overwritten.
        Target::File(place, Some(_)) => place.open(Open::Write).map(|_| None),
        Target::File(place, None) => Temporary::create(files, place, None, 0o600).map(|_| None),
    };
    tried.map_err(|error| Refused::system(path, error))
}

/// Opens a stream. One that takes nothing, as `/dev/full`, is found here and not with the results of an hour.
fn open_stream(stream: &Stream) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::CLOEXEC | OFlags::NOCTTY;
    let open = |path: &OsStr, flags| rustix::fs::open(path, flags, Mode::empty()).map_err(io::Error::from);
    if let Stream::Descriptor(number) = stream
        && std::fs::symlink_metadata(format!("/proc/self/fd/{number}"))?.permissions().mode() & 0o200 == 0
    {
        // It is open to be read, and what it leads to may be anything.
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let opened: OwnedFd = match stream {
        // Not by their names: those of a socket cannot be opened, and a file's would begin at its start.
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
