//! Loop devices: they expose the blocks of a file or device under a second name.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, OFlags};
use rustix::ioctl::Getter;

use super::facts::DeviceFacts;
use super::real_file::RealFile;
use super::{DeviceNumber, number_in};

/// A holder of blocks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Blocks {
    Device(DeviceNumber),
    File(RealFile),
}

impl Blocks {
    /// Whether both may be the same.
    fn can_be(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::File(file), Self::File(other)) => file.can_be(other),
            _ => self == other,
        }
    }
}

/// A loop device and its backing file, by its original name and as reported by the device.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LoopDevice {
    number: DeviceNumber,
    backing: Vec<Blocks>,
}

/// All loop devices whose backing file can be found, by name or by the device's report.
///
/// # Errors
/// When the kernel's list of block devices exists but cannot be read.
pub(crate) fn all(root: &Path) -> io::Result<Vec<LoopDevice>> {
    let entries = match fs::read_dir(root.join("sys/block")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut loops = Vec::new();
    for entry in entries {
        let dir = entry?.path();
        // Only a loop device in use has this attribute.
        let Ok(name) = fs::read(dir.join("loop/backing_file")) else { continue };
        let Some(number) = number_in(&dir) else { continue };
        let said = status(root, &dir, number);
        let named = backing(root, &name);
        let said = said.filter(|said| !named.is_some_and(|named| named.can_be(said)));
        loops.push(LoopDevice { number, backing: named.into_iter().chain(said).collect() });
    }
    Ok(loops)
}

/// Resolves a name in `backing_file`.
fn backing(root: &Path, name: &[u8]) -> Option<Blocks> {
    let name = name.strip_suffix(b"\n").unwrap_or(name);
    let path = Path::new(OsStr::from_bytes(name));
    let in_root = root.join(path.strip_prefix("/").unwrap_or(path));
    if let Ok(stat) = rustix::fs::stat(&in_root) {
        return match FileType::from_raw_mode(stat.st_mode) {
            FileType::BlockDevice => Some(Blocks::Device(super::number(stat.st_rdev))),
            FileType::RegularFile => RealFile::from_path(&in_root).ok().map(Blocks::File),
            _ => None,
        };
    }
    device_of(root, name).map(Blocks::Device)
}

/// The device that had this name in `/dev`.
fn device_of(root: &Path, name: &[u8]) -> Option<DeviceNumber> {
    // The node may be gone or absent from this container; the kernel still knows the device.
    let name = name.strip_suffix(b" (deleted)").unwrap_or(name);
    let below = Path::new(OsStr::from_bytes(name)).strip_prefix("/dev").ok()?;
    let below = below.as_os_str().as_bytes().iter().map(|&byte| if byte == b'/' { b'!' } else { byte });
    let kernel_name = PathBuf::from(std::ffi::OsString::from_vec(below.collect()));
    number_in(&root.join("sys/class/block").join(kernel_name))
}

/// The start of the kernel's `loop_info64`; device numbers are packed as in its `huge_encode_dev`.
#[repr(C)]
struct LoopStatus {
    device: u64,
    inode: u64,
    backing_device: u64,
    rest: [u64; 26],
}

/// `LOOP_GET_STATUS64` (the kernel's `loop.h`).
const GET_STATUS: rustix::ioctl::Opcode = 0x4c05;

/// The backing file as the loop device itself reports it, independent of its current name; `None` if that is not
/// permitted.
fn status(root: &Path, dir: &Path, number: DeviceNumber) -> Option<Blocks> {
    let opened = super::open_by_name(root, dir.file_name()?.to_str()?, number, OFlags::empty()).ok()?;
    // SAFETY: the kernel writes a `loop_info64`, LoopStatus has its length, and all bit patterns are valid.
    let status = unsafe { rustix::ioctl::ioctl(&opened, Getter::<GET_STATUS, LoopStatus>::new()) }.ok()?;
    let unpacked = |packed: u64| DeviceNumber {
        major: (packed >> 8 & 0xfff) as u32,
        minor: (packed & 0xff | packed >> 12 & 0xf_ff00) as u32,
    };
    if status.backing_device != 0 {
        return Some(Blocks::Device(unpacked(status.backing_device)));
    }
    let device = unpacked(status.device);
    let len_blocks = fs::read_to_string(dir.join("size")).ok()?.trim().parse().ok()?;
    let identity = (rustix::fs::makedev(device.major, device.minor), status.inode);
    Some(Blocks::File(RealFile::hidden(identity, len_blocks)))
}

/// All other devices that share blocks with `start`: loop devices on it, its backing device if it is a loop
/// device, and so on. Ignores which range a loop device exposes.
///
/// # Errors
/// When one of them cannot be looked up.
pub(crate) fn sharing(
    root: &Path,
    loops: &[LoopDevice],
    start: impl IntoIterator<Item = Blocks>,
) -> io::Result<Vec<DeviceFacts>> {
    let mut known: Vec<Blocks> = start.into_iter().collect();
    let mut found = Vec::new();
    loop {
        let beyond = loops.iter().find_map(|device| {
            let itself = Blocks::Device(device.number);
            let is_known = |blocks: &&Blocks| known.iter().any(|known| known.can_be(blocks));
            match known.contains(&itself) {
                true => device.backing.iter().find(|blocks| !is_known(blocks)).copied(),
                false => device.backing.iter().find(is_known).map(|_| itself),
            }
        });
        let Some(beyond) = beyond else { return Ok(found) };
        known.push(beyond);
        if let Blocks::Device(number) = beyond {
            let facts = DeviceFacts::look_up(root, number)?;
            known.extend(facts.related().map(|part| Blocks::Device(part.number)));
            found.push(facts);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk: name, number, and the same for its partitions.
    type Disk<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);

    /// A machine with disks and loop devices `(name, number, backing file)`.
    fn machine(disks: &[Disk<'_>], loops: &[(&str, &str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        let sys = root.path().join("sys");
        for dir in ["dev/block", "class/block"] {
            fs::create_dir_all(sys.join(dir)).unwrap();
        }
        let device = |dir: PathBuf, number: &str| {
            fs::create_dir_all(&dir).unwrap();
            fs::write(dir.join("dev"), format!("{number}\n")).unwrap();
            fs::write(dir.join("size"), "64\n").unwrap();
            std::os::unix::fs::symlink(&dir, sys.join("dev/block").join(number)).unwrap();
            std::os::unix::fs::symlink(&dir, sys.join("class/block").join(dir.file_name().unwrap())).unwrap();
        };
        for (name, number, partitions) in disks {
            let dir = sys.join("block").join(name);
            device(dir.clone(), number);
            for (name, number) in *partitions {
                device(dir.join(name), number);
                fs::write(dir.join(name).join("partition"), "1\n").unwrap();
            }
        }
        for (name, number, backing) in loops {
            let dir = sys.join("block").join(name);
            device(dir.clone(), number);
            fs::create_dir(dir.join("loop")).unwrap();
            fs::write(dir.join("loop/backing_file"), format!("{backing}\n")).unwrap();
        }
        root
    }

    fn names(root: &Path, start: Blocks) -> Vec<String> {
        let start = match start {
            Blocks::File(_) => vec![start],
            Blocks::Device(number) => {
                let facts = DeviceFacts::look_up(root, number).unwrap();
                facts.related().map(|part| Blocks::Device(part.number)).collect()
            }
        };
        let found = sharing(root, &all(root).unwrap(), start).unwrap();
        let mut names: Vec<String> = found.into_iter().map(|facts| facts.device.name).collect();
        names.sort();
        names
    }

    #[test]
    fn loop_devices_are_followed_in_both_directions() {
        let root = machine(
            &[("sda", "8:0", &[("sda1", "8:1"), ("sda2", "8:2")]), ("sdb", "8:16", &[])],
            &[
                ("loop0", "7:0", "/dev/sda1"),
                ("loop1", "7:1", "/dev/loop0 (deleted)"),
                ("loop2", "7:2", "/images/two words"),
                ("loop3", "7:3", "/images/linked"),
                ("loop4", "7:4", "/images/gone (deleted)"),
                ("loop5", "7:5", "/home/sdb"),
            ],
        );
        let images = root.path().join("images");
        fs::create_dir(&images).unwrap();
        fs::write(images.join("two words"), "").unwrap();
        fs::hard_link(images.join("two words"), images.join("linked")).unwrap();
        fs::write(images.join("free"), "").unwrap();
        let of = |major, minor| names(root.path(), Blocks::Device(DeviceNumber { major, minor }));
        assert_eq!(of(8, 0), ["loop0", "loop1"]);
        assert_eq!(of(8, 1), ["loop0", "loop1"]);
        assert_eq!(of(8, 2), [""; 0], "its neighbour is another's");
        assert_eq!(of(8, 16), [""; 0], "a file that is called so is another thing");
        assert_eq!(of(7, 0), ["loop1", "sda1"]);
        assert_eq!(of(7, 1), ["loop0", "sda1"]);
        assert_eq!(of(7, 2), ["loop3"], "two on one file");
        assert_eq!(of(7, 4), [""; 0]);
        let of_file =
            |name: &str| names(root.path(), Blocks::File(RealFile::from_path(&images.join(name)).unwrap()));
        assert_eq!(of_file("linked"), ["loop2", "loop3"]);
        assert_eq!(of_file("free"), [""; 0]);
    }

    #[test]
    fn a_loop_device_on_a_disk_does_not_relate_its_partitions() {
        let root = machine(
            &[("sda", "8:0", &[("sda1", "8:1"), ("sda2", "8:2")])],
            &[("loop0", "7:0", "/dev/sda"), ("loop1", "7:1", "/dev/sda2")],
        );
        let of = |major, minor| names(root.path(), Blocks::Device(DeviceNumber { major, minor }));
        assert_eq!(of(8, 1), ["loop0"]);
        assert_eq!(of(7, 0), ["loop1", "sda"]);
    }

    #[test]
    fn a_machine_without_the_list_has_no_loop_devices() {
        assert_eq!(all(tempfile::tempdir().unwrap().path()).unwrap(), []);
    }
}
