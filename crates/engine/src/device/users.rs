//! Current users of a block device: mounts, swap, arrays and volumes.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use cardiograph_core::text::unescape;
use cardiograph_core::{Message, message};

use super::DeviceNumber;
use super::facts::{DeviceFacts, Part};
use super::loops::{self, Blocks, LoopDevice};
use super::real_file::RealFile;

/// A program or driver holds a device exclusively.
pub(crate) const HELD_OPEN: Message = message!("device-use-open");
/// The kernel refuses writes to a device.
pub(crate) const READ_ONLY: Message = message!("device-use-read-only");

/// All current uses of a device, and of those that share its blocks through loop devices: why it, or a part of
/// it, may not be written to.
///
/// # Errors
/// When the mount list cannot be read, or a device that shares its blocks cannot be looked up. It must then
/// not be written to.
pub(crate) fn find(root: &Path, facts: &DeviceFacts) -> io::Result<Vec<Message>> {
    let lists = Lists::read(root)?;
    let mut uses = listed(root, &lists, facts);
    let start = facts.related().map(|part| Blocks::Device(part.number));
    for sharing in loops::sharing(root, &loops::all(root)?, start)? {
        for used in uses_of_sharing(root, &lists, &sharing) {
            if !uses.contains(&used) {
                uses.push(used);
            }
        }
    }
    if facts.is_read_only {
        uses.push(READ_ONLY);
    }
    Ok(uses)
}

/// Whether a regular file backs a loop device that is in use.
///
/// # Errors
/// When it backs one whose users cannot be determined.
pub(crate) fn is_under_used_loop(root: &Path, loops: &[LoopDevice], file: RealFile) -> io::Result<bool> {
    let sharing = loops::sharing(root, loops, [Blocks::File(file)])?;
    if sharing.is_empty() {
        return Ok(false);
    }
    let lists = Lists::read(root)?;
    Ok(sharing.iter().any(|device| !uses_of_sharing(root, &lists, device).is_empty()))
}

/// The kernel's lists of current uses.
struct Lists {
    mounts: Vec<u8>,
    swaps: Vec<u8>,
}

impl Lists {
    fn read(root: &Path) -> io::Result<Self> {
        Ok(Self {
            mounts: fs::read(root.join("proc/self/mountinfo"))?,
            // A kernel without swap has no such list.
            swaps: fs::read(root.join("proc/swaps")).unwrap_or_default(),
        })
    }
}

/// Uses of a device found through loop devices, which was not opened exclusively to check that it is free.
fn uses_of_sharing(root: &Path, lists: &Lists, facts: &DeviceFacts) -> Vec<Message> {
    let mut uses = listed(root, lists, facts);
    if uses.is_empty() && super::is_held(root, &facts.device) {
        uses.push(HELD_OPEN);
    }
    uses
}

/// Uses of a device according to the kernel's lists.
fn listed(root: &Path, lists: &Lists, facts: &DeviceFacts) -> Vec<Message> {
    let mut uses = Vec::new();
    for part in facts.related() {
        let mounted = mount_points(&lists.mounts, part.number);
        let name = &part.name;
        uses.extend(mounted.iter().map(|path| message!("device-use-mounted", part = name, path)));
        if is_swap(root, &lists.swaps, part) {
            uses.push(message!("device-use-swap", part = name));
        }
        // Something is built on it: an array, a volume, an encrypted device.
        let holders = part.holders.iter();
        uses.extend(holders.map(|holder| message!("device-use-holder", part = name, holder)));
    }
    uses
}

/// Mount points of a device from `/proc/self/mountinfo` (proc(5)): field 3 is the device, field 5 the mount
/// point.
fn mount_points(mounts: &[u8], number: DeviceNumber) -> Vec<PathBuf> {
    let number = number.to_string();
    let lines = mounts.split(|&byte| byte == b'\n');
    let place = |line: &[u8]| {
        let mut fields = line.split(|&byte| byte == b' ').skip(2);
        let is_this = fields.next()? == number.as_bytes();
        let place = fields.nth(1)?;
        is_this.then(|| PathBuf::from(unescape(place)))
    };
    lines.filter_map(place).collect()
}

/// Whether `/proc/swaps` lists it. The list has paths, and a device can have several.
fn is_swap(root: &Path, swaps: &[u8], part: &Part) -> bool {
    swap_paths(swaps).any(|path| {
        let in_root = root.join(path.strip_prefix("/").unwrap_or(&path));
        match rustix::fs::stat(&in_root) {
            Ok(stat) => super::number(stat.st_rdev) == part.number,
            Err(_) => path.file_name().is_some_and(|name| name.as_bytes() == part.name.as_bytes()),
        }
    })
}

/// The paths of `/proc/swaps`.
pub(crate) fn swap_paths(swaps: &[u8]) -> impl Iterator<Item = PathBuf> {
    let lines = swaps.split(|&byte| byte == b'\n').skip(1);
    let path = |line: &[u8]| {
        let field = line.split(|&byte| byte == b' ' || byte == b'\t').next()?;
        (!field.is_empty()).then(|| PathBuf::from(unescape(field)))
    };
    lines.filter_map(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mounts_are_found_by_number() {
        let mounts = b"22 1 8:1 / / rw,noatime shared:1 - ext4 /dev/root rw\n\
            23 22 8:17 /sub /mnt/a\\040b\\134c rw - xfs /dev/sdb1 rw\n\
            24 22 8:1 /x /srv rw - ext4 /dev/root rw\nbroken\n25 1 8:1\n";
        let at = |major, minor| mount_points(mounts, DeviceNumber { major, minor });
        assert_eq!(at(8, 1), [Path::new("/"), Path::new("/srv")]);
        assert_eq!(at(8, 17), [Path::new("/mnt/a b\\c")]);
        assert_eq!(at(8, 11), Vec::<PathBuf>::new());
        assert_eq!(at(8, 7), Vec::<PathBuf>::new());
    }

    #[test]
    fn swap_is_found_by_path() {
        let swaps = b"Filename\tType\n/dev/dm-1   partition 1 0 -2\n/with\\040blank file 1 0 -3\n\n";
        let paths: Vec<PathBuf> = swap_paths(swaps).collect();
        assert_eq!(paths, [Path::new("/dev/dm-1"), Path::new("/with blank")]);
        assert_eq!(swap_paths(b"").count() + swap_paths(b"Filename").count(), 0);
    }
}
