//! The mount list (`/proc/self/mountinfo`, described in proc(5)) and lookup of a path's mount.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use cardiograph_core::drive::{DeviceNumber, Mount};
use cardiograph_core::text::unescape;

use crate::system::Space;

/// File systems in memory, including views of the kernel's state.
const MEMORY_FILE_SYSTEMS: [&str; 12] = [
    "tmpfs", "ramfs", "devtmpfs", "rootfs", "proc", "sysfs", "cgroup", "cgroup2", "devpts", "debugfs",
    "tracefs", "configfs",
];

/// One line of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MountEntry {
    /// The mount's number.
    pub id: u64,
    /// The number of the parent mount.
    pub parent: u64,
    /// The device of the file system.
    pub device: DeviceNumber,
    /// The mount point.
    pub mount_point: PathBuf,
    /// The type of the file system.
    pub fs_type: String,
    /// The source of the mount.
    pub source: String,
    /// Options of the mount.
    options: Vec<OsString>,
    /// Options of the file system, shared by all of its mounts.
    super_options: Vec<OsString>,
}

impl MountEntry {
    fn parse(line: &[u8]) -> Option<Self> {
        // Fields are split at single spaces: a source can be empty.
        let fields: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
        let [id, parent, device, _root, mount_point, options] = *fields.first_chunk()?;
        // A variable number of optional fields is between the sixth field and a lone dash.
        let dash = 6 + fields[6..].iter().position(|field| *field == b"-")?;
        let [fs_type, source] = *fields[dash + 1..].first_chunk()?;
        let super_options = fields.get(dash + 3).copied().unwrap_or_default();
        let number = |field| std::str::from_utf8(field).ok()?.parse().ok();
        let text = |field| unescape(field).to_string_lossy().into_owned();
        Some(Self {
            id: number(id)?,
            parent: number(parent)?,
            device: DeviceNumber::parse(std::str::from_utf8(device).ok()?)?,
            mount_point: PathBuf::from(unescape(mount_point)),
            fs_type: text(fs_type),
            source: text(source),
            options: split_options(options),
            super_options: split_options(super_options),
        })
    }

    /// Whether it is in memory.
    pub fn is_memory(&self) -> bool {
        MEMORY_FILE_SYSTEMS.contains(&self.fs_type.as_str())
    }

    /// Upper directory of an overlay, if known.
    pub fn overlay_upper(&self) -> Option<PathBuf> {
        if self.fs_type != "overlay" {
            return None;
        }
        let upper =
            self.super_options.iter().find_map(|option| option.as_bytes().strip_prefix(b"upperdir="))?;
        let upper = PathBuf::from(OsString::from_vec(upper.to_vec()));
        // A relative path is relative to the mounting program's directory.
        upper.is_absolute().then_some(upper)
    }

    /// Converts it for a report. Combines the options of the mount and of the file system, as `mount` lists
    /// them: it is read-only if either is.
    pub fn to_mount(&self, space: Space) -> Mount {
        let mut options: Vec<String> = Vec::new();
        for option in self.options.iter().chain(&self.super_options) {
            let option = option.to_string_lossy();
            if !options.iter().any(|seen| *seen == option) {
                options.push(option.into_owned());
            }
        }
        if options.iter().any(|option| option == "ro") {
            options.retain(|option| option != "rw");
        }
        Mount {
            mount_point: self.mount_point.to_string_lossy().into_owned(),
            fs_type: self.fs_type.clone(),
            source: self.source.clone(),
            options,
            size_bytes: space.size_bytes,
            available_bytes: space.available_bytes,
            is_memory: self.is_memory(),
            file_system: None,
        }
    }
}

/// Parses the list. Malformed lines are skipped.
pub(crate) fn parse(list: &[u8]) -> Vec<MountEntry> {
    list.split(|&byte| byte == b'\n').filter_map(MountEntry::parse).collect()
}

/// The mount of an absolute path without symbolic links.
///
/// The path is followed from the root as the kernel does: from a mount to the first one mounted on it along
/// the path, and to the last of several on one mount point. So a mount hidden by a later one is not used,
/// although its name matches better.
pub(crate) fn containing<'a>(mounts: &'a [MountEntry], path: &Path) -> Option<&'a MountEntry> {
    let covering: Vec<&MountEntry> =
        mounts.iter().filter(|mount| path.starts_with(&mount.mount_point)).collect();
    let first = |may_be_next: &dyn Fn(&MountEntry) -> bool| {
        let candidates = covering.iter().rev().copied().filter(|mount| may_be_next(mount));
        candidates.min_by_key(|mount| mount.mount_point.as_os_str().len())
    };
    let is_listed = |id| covering.iter().any(|mount| mount.id == id);
    let mut current = first(&|mount| mount.parent == mount.id || !is_listed(mount.parent))?;
    // A list with circular parents must not loop.
    for _ in 0..covering.len() {
        match first(&|mount| mount.parent == current.id && mount.id != current.id) {
            Some(next) => current = next,
            None => break,
        }
    }
    Some(current)
}

/// Options are split before they are unescaped, because a comma within a value is escaped.
fn split_options(field: &[u8]) -> Vec<OsString> {
    field.split(|&byte| byte == b',').filter(|option| !option.is_empty()).map(unescape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "\
22 27 0:21 / /proc rw,relatime - proc proc rw
24 27 0:6 / /dev rw,relatime shared:2 - devtmpfs devtmpfs rw,size=12k
25 24 0:23 / /dev/shm rw,relatime - tmpfs tmpfs rw
27 1 254:0 / / rw,noatime shared:1 master:7 - ext4 /dev/vda rw,discard
30 25 0:27 / /dev/shm ro,relatime - tmpfs stacked rw
40 27 8:1 / /mnt/my\\040card\\134x rw - vfat /dev/sda1 rw
41 27 8:2 /sub /mnt/card rw - ext4 /dev/sda2 rw
42 27 0:50 / /empty rw - tmpfs  rw
";

    fn source_of<'a>(mounts: &'a [MountEntry], path: &str) -> Option<&'a str> {
        containing(mounts, Path::new(path)).map(|mount| mount.source.as_str())
    }

    #[test]
    fn a_path_is_in_the_nearest_and_topmost_mount() {
        let mounts = parse(LIST.as_bytes());
        assert_eq!(mounts.len(), 8);
        let cases = [
            ("/", "/dev/vda"),
            ("/home/pi", "/dev/vda"),
            ("/proc", "proc"),
            ("/dev/sda", "devtmpfs"),
            ("/dev/shm/a", "stacked"),
            ("/mnt", "/dev/vda"),
            ("/mnt/card/a/b", "/dev/sda2"),
            // A name is a prefix only up to a slash.
            ("/mnt/cardigan", "/dev/vda"),
            ("/mnt/my card\\x/file", "/dev/sda1"),
            ("/empty/a", ""),
        ];
        for (path, source) in cases {
            assert_eq!(source_of(&mounts, path), Some(source), "{path}");
        }
    }

    #[test]
    fn a_hidden_mount_is_not_used() {
        // /a/b was mounted first, then /a over it: the path now leads into the second, although the first
        // matches better.
        let list = "1 1 8:1 / / rw - ext4 root rw\n2 1 8:2 / /a/b rw - ext4 hidden rw\n3 1 8:3 / /a rw - ext4 over rw\n";
        assert_eq!(source_of(&parse(list.as_bytes()), "/a/b/c"), Some("over"));
        // In the usual order the second is mounted on the first.
        let list = "1 0 8:1 / / rw - ext4 root rw\n3 1 8:3 / /a rw - ext4 over rw\n2 3 8:2 / /a/b rw - ext4 inner rw\n";
        assert_eq!(source_of(&parse(list.as_bytes()), "/a/b/c"), Some("inner"));
        // Of two on the same mount point the last counts, even if they have the same parent.
        let list = "1 0 8:1 / / rw - ext4 root rw\n2 1 8:2 / /a rw - ext4 first rw\n3 1 8:3 / /a rw - ext4 last rw\n";
        assert_eq!(source_of(&parse(list.as_bytes()), "/a"), Some("last"));
    }

    #[test]
    fn a_missing_root_mount_and_circular_parents_are_handled() {
        let mounts = parse(b"5 4 0:21 / /proc rw - proc proc rw\n");
        assert_eq!(source_of(&mounts, "/proc/self"), Some("proc"));
        assert_eq!(source_of(&mounts, "/home"), None);
        let circle =
            parse(b"1 0 8:1 / / rw - ext4 a rw\n2 1 8:1 / / rw - ext4 b rw\n1 2 8:1 / / rw - ext4 c rw\n");
        assert!(source_of(&circle, "/x").is_some());
    }

    #[test]
    fn options_of_both_kinds_are_listed_once() {
        let mounts = parse(LIST.as_bytes());
        let options =
            |path: &str| containing(&mounts, Path::new(path)).unwrap().to_mount(Space::default()).options;
        assert_eq!(options("/"), ["rw", "noatime", "discard"]);
        assert_eq!(options("/dev/shm"), ["ro", "relatime"]);
    }

    #[test]
    fn an_overlay_reports_its_upper_directory() {
        let upper = |options: &str| {
            let line = format!("9 1 0:60 / / rw - overlay overlay rw,lowerdir=/l1:/l2,{options}");
            MountEntry::parse(line.as_bytes()).unwrap().overlay_upper()
        };
        assert_eq!(upper("upperdir=/var/up,workdir=/w"), Some("/var/up".into()));
        assert_eq!(upper("upperdir=/a\\054b\\040c"), Some("/a,b c".into()));
        assert_eq!(upper("upperdir=diff"), None);
        assert_eq!(upper("workdir=/w"), None);
        let line = b"9 1 0:60 / / rw - tmpfs x rw,upperdir=/a";
        assert_eq!(MountEntry::parse(line).unwrap().overlay_upper(), None);
    }

    #[test]
    fn malformed_lines_are_skipped() {
        let bad: [&[u8]; 8] = [
            b"",
            b"22",
            b"x 27 0:21 / /proc rw - proc proc rw",
            b"22 27 21 / /proc rw - proc proc rw",
            b"22 27 0:21 / /proc rw proc proc rw",
            b"22 27 0:21 / /proc rw - proc",
            b"\xff\xff \xff \xff",
            b"99999999999999999999999 27 0:21 / /proc rw - proc proc rw",
        ];
        for line in bad {
            assert_eq!(MountEntry::parse(line), None, "{}", String::from_utf8_lossy(line));
        }
        // A mount point need not be UTF-8.
        let mounts = parse(b"1 0 8:1 / /\xff rw - ext4 /dev/sda1 rw\n");
        assert!(containing(&mounts, Path::new(std::ffi::OsStr::from_bytes(b"/\xff/a"))).is_some());
    }

    #[test]
    fn only_complete_escapes_are_decoded() {
        for (field, plain) in
            [("a\\040b", "a b"), ("\\", "\\"), ("\\04", "\\04"), ("\\777", "\\777"), ("\\134040", "\\040")]
        {
            assert_eq!(unescape(field.as_bytes()), *plain, "{field}");
        }
    }
}
