//! Block devices: opened for reading, or exclusively after the safety gate has approved them.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

pub use cardiograph_core::drive::DeviceNumber;
use cardiograph_core::message;
use cardiograph_core::system_error::explained;
use rustix::fs::{FileType, Mode, OFlags};

use crate::target::{Access, let_wait, open_again};

mod attribute;
pub(crate) mod facts;
pub(crate) mod loops;
pub(crate) mod real_file;
mod serial;
mod signature;
mod usb;
pub(crate) mod users;

pub(crate) use signature::{Signature, find as find_signatures};

/// A device number from a raw value of stat(2).
pub(crate) fn number(raw: u64) -> DeviceNumber {
    DeviceNumber { major: rustix::fs::major(raw), minor: rustix::fs::minor(raw) }
}

/// The id by which a user approves erasing the device `name` (the kernel's name, such as `sda`). `None` when
/// there is no such device, or the kernel does not report enough.
pub fn consent_id(name: &str) -> Option<String> {
    let number = number_in(&Path::new("/sys/class/block").join(name))?;
    Some(facts::DeviceFacts::look_up(Path::new("/"), number).ok()?.id)
}

/// The number of the device with this sysfs directory.
fn number_in(dir: &Path) -> Option<DeviceNumber> {
    DeviceNumber::parse(&attribute::text(dir.join("dev"))?)
}

/// A block device.
#[derive(Debug)]
pub(crate) struct BlockDevice {
    path: PathBuf,
    number: DeviceNumber,
    /// Held while anything may be written: nobody can mount the device or add it to an array meanwhile.
    exclusive: Option<OwnedFd>,
}

impl BlockDevice {
    /// A read-only device.
    pub(crate) fn for_reading(path: PathBuf, number: DeviceNumber) -> Self {
        Self { path, number, exclusive: None }
    }

    /// A device whose exclusive descriptor passed the gate.
    pub(crate) fn exclusive(path: PathBuf, number: DeviceNumber, descriptor: OwnedFd) -> Self {
        Self { path, number, exclusive: Some(descriptor) }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The kernel's number for it.
    pub(crate) fn number(&self) -> DeviceNumber {
        self.number
    }

    /// Whether it is held exclusively.
    pub(crate) fn is_exclusive(&self) -> bool {
        self.exclusive.is_some()
    }

    pub(crate) fn open(&self, access: Access) -> io::Result<OwnedFd> {
        match &self.exclusive {
            // Through the examined descriptor, in case the name now belongs to another device.
            Some(exclusive) => open_again(exclusive.as_fd(), access),
            None if access.writes => Err(io::ErrorKind::PermissionDenied.into()),
            None => {
                let opened = rustix::fs::open(&self.path, access.flags() | OFlags::NONBLOCK, Mode::empty())?;
                if number_of(&opened)? != Some(self.number) {
                    return Err(explained(io::ErrorKind::Other, message!("target-replaced.device")));
                }
                let_wait(&opened)?;
                access.advise(&opened);
                Ok(opened)
            }
        }
    }
}

/// The number of an opened block device; `None` when it is not a block device.
pub(crate) fn number_of(fd: &OwnedFd) -> io::Result<Option<DeviceNumber>> {
    let stat = rustix::fs::fstat(fd)?;
    let is_block = FileType::from_raw_mode(stat.st_mode) == FileType::BlockDevice;
    Ok(is_block.then(|| number(stat.st_rdev)))
}

/// Whether someone holds a device exclusively, such as a mount, even in another container. A device that
/// cannot be opened counts as not held.
pub(crate) fn is_held(root: &Path, part: &facts::Part) -> bool {
    let held = open_by_name(root, &part.name, part.number, OFlags::EXCL).map(drop);
    held.is_err_and(|error| error.raw_os_error() == Some(rustix::io::Errno::BUSY.raw_os_error()))
}

/// Opens the device with the kernel's name `name` for reading, and verifies its number.
pub(crate) fn open_by_name(
    root: &Path,
    name: &str,
    number: DeviceNumber,
    flags: OFlags,
) -> io::Result<std::fs::File> {
    // The kernel writes a slash in a name as an exclamation mark: `cciss!c0d0`.
    let path = root.join("dev").join(name.replace('!', "/"));
    let flags = flags | OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let opened = rustix::fs::open(path, flags, Mode::empty())?;
    match number_of(&opened)? == Some(number) {
        true => Ok(opened.into()),
        false => Err(explained(io::ErrorKind::Other, message!("device-other", device = name))),
    }
}
