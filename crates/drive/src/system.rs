//! The root directory for all reads.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use cardiograph_core::drive::Drive;
use cardiograph_core::message;
use cardiograph_core::system_error::cause;

use crate::attribute;
use crate::error::IdentifyError;
use crate::{file_system, mountinfo, stack};

/// Directory that contains `proc`, `sys` and `etc`.
#[derive(Debug, Clone)]
pub struct System {
    root: PathBuf,
    program_dirs: Vec<PathBuf>,
}

/// Directories of programs for drives; an ordinary user's search path lacks some.
const PROGRAM_DIRS: [&str; 14] = [
    "/usr/sbin",
    "/usr/bin",
    "/sbin",
    "/bin",
    "/usr/local/sbin",
    "/opt/MegaRAID/storcli",
    "/opt/MegaRAID/perccli",
    "/opt/MegaRAID/storcli2",
    "/opt/MegaRAID/perccli2",
    "/opt/smartstorageadmin/ssacli/bin",
    "/opt/hp/hpssacli/bld",
    "/opt/hp/hpssacli/bin",
    "/opt/compaq/hpacucli/bld",
    "/opt/vc/bin",
];

/// Whether a file may be executed and, for root, only if nobody else can change it.
fn is_startable(file: &fs::Metadata, only_roots: bool) -> bool {
    let mode = file.permissions().mode();
    let is_roots = file.uid() == 0 && mode & 0o022 == 0;
    file.is_file() && mode & 0o111 != 0 && (is_roots || !only_roots)
}

/// Space in a file system.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Space {
    /// Its size in bytes.
    pub size_bytes: u64,
    /// Available to an unprivileged user, in bytes.
    pub available_bytes: u64,
}

impl System {
    /// The running machine.
    pub fn local() -> Self {
        Self::searching(rustix::process::geteuid().is_root(), std::env::var_os("PATH"))
    }

    /// Uses the caller's search path only with the caller's own privileges, not with those from sudo.
    fn searching(is_root: bool, path: Option<OsString>) -> Self {
        let searched = path.filter(|_| !is_root);
        let searched = searched.iter().flat_map(std::env::split_paths).filter(|dir| dir.is_absolute());
        let program_dirs = searched.chain(PROGRAM_DIRS.map(PathBuf::from)).collect();
        Self { root: PathBuf::from("/"), program_dirs }
    }

    /// Finds a program in the first directory with an executable one. All lookups use this: root only starts
    /// programs that nobody else can change.
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        let only_roots = self.is_local() && rustix::process::geteuid().is_root();
        let is_program = |path: &PathBuf| path.metadata().is_ok_and(|found| is_startable(&found, only_roots));
        self.program_dirs.iter().map(|dir| dir.join(name)).find(is_program)
    }

    /// A machine whose files are under `root`. Its programs are in `bin`; programs of the running machine are
    /// never started.
    pub fn rooted_at(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        // Devices are found by canonical paths, which must be comparable with the root.
        let root = fs::canonicalize(&root).unwrap_or(root);
        Self { program_dirs: vec![root.join("bin")], root }
    }

    /// The stack under `path` on the running machine: its mount, the layers below and the drives.
    ///
    /// # Errors
    /// When the path does not exist or cannot be accessed, or when the mount list cannot be read or has no
    /// entry for the path. Missing facts are `None` or omitted, but are not errors.
    pub fn identify(&self, path: &Path) -> Result<Drive, IdentifyError> {
        let canonical = fs::canonicalize(path).map_err(|answer| IdentifyError::from_path(path, &answer))?;
        let room =
            rustix::fs::statvfs(&canonical).map_err(|errno| IdentifyError::from_path(path, &errno.into()))?;
        let space = Space {
            size_bytes: room.f_blocks.saturating_mul(room.f_frsize),
            available_bytes: room.f_bavail.saturating_mul(room.f_frsize),
        };
        let live = self.is_local().then(|| canonical.clone());
        self.identify_seen(&canonical, space, live.as_deref())
    }

    /// Like [`identify`](Self::identify), for an absolute path without symbolic links, on a file system with
    /// `space`. Reads only below the root.
    ///
    /// # Errors
    /// When the mount list cannot be read, or has no entry for the path.
    #[cfg(test)]
    pub(crate) fn identify_mounted(&self, path: &Path, space: Space) -> Result<Drive, IdentifyError> {
        self.identify_seen(path, space, None)
    }

    /// Like [`identify_mounted`](Self::identify_mounted); `live` is a path for live queries of the file
    /// system.
    fn identify_seen(&self, path: &Path, space: Space, live: Option<&Path>) -> Result<Drive, IdentifyError> {
        let list = self.under_root("proc/self/mountinfo");
        let mounts = attribute::list(&list)
            .map_err(|error| IdentifyError(message!("cannot-read", path = &list, error = cause(&error))))?;
        let mut drive = stack::identify(self, &mountinfo::parse(&mounts), path, space)
            .ok_or_else(|| IdentifyError(message!("drive-path-no-mount", path)))?;
        let tops: Vec<_> = drive.tops().into_iter().filter_map(|name| self.block_by_name(name)).collect();
        if let Some(mount) = &mut drive.mount {
            mount.file_system = Some(file_system::describe(self, mount, &tops, live));
        }
        Ok(drive)
    }

    /// The root directory.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Whether this is the running machine.
    pub(crate) fn is_local(&self) -> bool {
        self.root == Path::new("/")
    }

    /// A path of the machine, below the root.
    pub(crate) fn under_root(&self, path: impl AsRef<Path>) -> PathBuf {
        let path = path.as_ref();
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::time::{Duration, Instant};

    use cardiograph_core::drive::{LayerDetail, LayerKind};

    use super::*;
    use crate::fixture::{self, Fixture};

    #[test]
    fn root_starts_only_programs_of_root() {
        let directory = tempfile::tempdir().unwrap();
        let program = directory.path().join("fstrim");
        fs::write(&program, "#!/bin/sh\n").unwrap();
        let path = Some(directory.path().as_os_str().to_os_string());
        let set_mode = |mode| fs::set_permissions(&program, fs::Permissions::from_mode(mode)).unwrap();
        set_mode(0o755);
        assert_eq!(System::searching(false, path.clone()).program_dirs[0], directory.path());
        assert!(!System::searching(true, path).program_dirs.iter().any(|dir| dir == directory.path()));
        // If others can change it, it is not started, wherever it is.
        let is_roots = rustix::process::geteuid().is_root();
        for (mode, is_started) in [(0o755, is_roots), (0o775, false), (0o757, false), (0o644, false)] {
            set_mode(mode);
            assert_eq!(is_startable(&program.metadata().unwrap(), true), is_started, "{mode:o}");
        }
    }

    #[test]
    fn errors_name_the_path() {
        let missing = System::local().identify(Path::new("/no/such/directory")).unwrap_err();
        assert_eq!(missing.0, message!("drive-path-missing", path = "/no/such/directory"));
        let below_file = System::local().identify(Path::new("/proc/self/stat/x")).unwrap_err();
        assert_eq!(below_file.0, message!("drive-path-missing", path = "/proc/self/stat/x"));
        let too_long = PathBuf::from(format!("/{}", "x".repeat(300)));
        let refused = System::local().identify(&too_long).unwrap_err();
        let error = cause(&rustix::io::Errno::NAMETOOLONG.into());
        assert_eq!(refused.0, message!("drive-path-unreadable", path = &too_long, error));

        let fixture = Fixture::new();
        let no_list = fixture.system().identify(Path::new("/")).unwrap_err();
        assert_eq!(no_list.0.id(), "cannot-read");
        fixture.mounts("5 4 0:21 / /proc rw - proc proc rw\n");
        let no_mount = fixture.system().identify_mounted(Path::new("/home"), Space::default()).unwrap_err();
        assert_eq!(no_mount.0, message!("drive-path-no-mount", path = "/home"));
        for garbage in [&b""[..], b"\xff\xfe\n", b"- - - - - - - - -\n", &[b'a'; 100_000]] {
            fixture.mounts(garbage);
            let error = fixture.system().identify_mounted(Path::new("/"), Space::default()).unwrap_err();
            assert_eq!(error.0, message!("drive-path-no-mount", path = "/"));
        }
    }

    #[test]
    fn a_path_may_be_relative_or_a_link() {
        let directory = tempfile::tempdir().unwrap();
        let link = directory.path().join("link");
        std::os::unix::fs::symlink(".", &link).unwrap();
        let drive = fixture::raspberry_pi().system().identify(&link).unwrap();
        assert_eq!(Path::new(&drive.path), fs::canonicalize(directory.path()).unwrap());
        assert!(drive.mount.unwrap().size_bytes > 0);
    }

    #[test]
    fn this_machine_has_a_mount_here() {
        let here = cardiograph_testing::disk_dir();
        let drive = System::local().identify(here.path()).unwrap();
        let mount = drive.mount.as_ref().unwrap();
        assert!(Path::new(&drive.path).starts_with(&mount.mount_point), "{mount:?}");
        assert!(mount.available_bytes < mount.size_bytes, "{mount:?}");
        for leaf in &drive.leaves {
            assert!(leaf.capacity_bytes.is_some_and(|bytes| bytes > 0), "{leaf:?}");
        }
        let host = System::local().host();
        assert!(host.cpus.is_some_and(|cpus| cpus > 0) && host.memory_bytes.is_some(), "{host:?}");
        assert!(host.kernel.is_some_and(|kernel| kernel.starts_with("Linux ")));
        assert!(System::local().environment().load_1m.is_some());
    }

    #[test]
    fn this_machine_counts_writes() {
        const LEN_BYTES: u64 = 8 << 20;
        let system = System::local();
        let here = cardiograph_testing::disk_dir();
        let drive = system.identify(here.path()).unwrap();
        let Some(before) = system.counters(&drive) else {
            cardiograph_testing::skip("the kernel's counters", "no drive with counters lies below the build");
            return;
        };
        let mut file = tempfile::tempfile_in(here.path()).unwrap();
        let content: Vec<u8> = (0..LEN_BYTES).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 13) as u8).collect();
        file.write_all(&content).unwrap();
        file.sync_all().unwrap();
        // A file system may compress, but all bytes of a fresh file cannot vanish.
        let deadline = Instant::now() + Duration::from_secs(5);
        loop {
            let counted = system.counters(&drive).unwrap().since(&before);
            if counted.write_bytes > 0 && counted.write_ios > 0 {
                break;
            }
            assert!(Instant::now() < deadline, "nothing was counted for {:?}", drive.leaves);
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    #[test]
    fn this_machine_shows_the_drive_of_a_loop_device() {
        let mounted = match cardiograph_testing::LoopMount::new(&["mkfs.ext4", "-q"], 16 << 20, "noatime") {
            Ok(mounted) => mounted,
            Err(reason) => return cardiograph_testing::skip("the drive below a mounted file", &reason),
        };
        let system = System::local();
        let below = system.identify(mounted.path().parent().unwrap()).unwrap();
        let drive = system.identify(mounted.path()).unwrap();
        let mount = drive.mount.unwrap();
        assert_eq!((mount.fs_type.as_str(), Path::new(&mount.mount_point)), ("ext4", mounted.path()));
        assert!(mount.options.iter().any(|option| option == "noatime"), "{mount:?}");
        assert!(mount.available_bytes < mount.size_bytes && mount.size_bytes <= 16 << 20, "{mount:?}");
        assert_eq!(drive.layers[0].kind, LayerKind::Loop);
        assert!(drive.layers[0].label.as_ref().is_some_and(|file| Path::new(file).ends_with("image")));
        let Some(LayerDetail::Loop(file)) = &drive.layers[0].detail else { panic!("{:?}", drive.layers) };
        assert_eq!((file.direct_io, file.offset_bytes, file.block_bytes), (Some(false), Some(0), Some(512)));
        assert_eq!(drive.layers[0].below, below.tops());
        assert_eq!(drive.layers[1..], below.layers);
        assert_eq!((drive.leaves, drive.capacity_bytes), (below.leaves, below.capacity_bytes));
    }
}
