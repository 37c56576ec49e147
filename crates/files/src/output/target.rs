//! Finds the target of an output path named by a user.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cardiograph_core::system_error::explained;
use cardiograph_core::{Message, message};

use crate::{Directory, Facts, FileSystem, Kind, Open, OwnFile, if_there, split};

/// The target of an output.
#[derive(Debug)]
pub(super) enum Target {
    /// A regular file with its metadata; `None` if it does not exist yet.
    File(Location, Option<Facts>),
    /// A stream of bytes, which is never replaced.
    Stream(Stream),
}

/// Location of a file that may not exist yet.
#[derive(Debug, Clone)]
pub(super) struct Location {
    /// Without links and dots.
    pub path: PathBuf,
    pub directory: Arc<dyn Directory>,
}

impl Location {
    pub fn name(&self) -> &OsStr {
        self.path.file_name().unwrap_or_default()
    }

    pub fn open(&self, how: Open) -> io::Result<Box<dyn OwnFile>> {
        self.directory.open(self.name(), how)
    }
}

/// A stream of bytes.
#[derive(Debug)]
pub(super) enum Stream {
    /// An inherited descriptor, such as `/dev/stdout`. It may refer to a regular file.
    Descriptor(u32),
    /// A named pipe, a terminal, `/dev/null`.
    Named(PathBuf),
}

/// A path that is not for output.
#[derive(Debug)]
pub struct Refused {
    /// As named by the user.
    path: PathBuf,
    obstacle: Obstacle,
}

#[derive(Debug)]
enum Obstacle {
    /// Its type is not for output.
    Unfit(Kind),
    /// It belongs to the kernel.
    Kernel,
    /// A system call failed.
    System(io::Error),
}

impl Refused {
    /// A refusal by the system.
    pub fn system(path: &Path, error: io::Error) -> Self {
        Self { path: path.to_path_buf(), obstacle: Obstacle::System(error) }
    }

    /// The problem with the path, and what to do.
    pub fn message(&self) -> Message {
        let path = &self.path;
        match &self.obstacle {
            Obstacle::Kernel => message!("output-unfit.kernel", path),
            Obstacle::Unfit(Kind::BlockDevice) => message!("output-unfit.block-device", path),
            Obstacle::Unfit(Kind::CharacterDevice) => message!("output-unfit.device", path),
            Obstacle::Unfit(Kind::Directory) => message!("output-unfit.directory", path),
            Obstacle::Unfit(Kind::Socket) => message!("output-unfit.socket", path),
            Obstacle::Unfit(_) => message!("output-unfit.other", path),
            Obstacle::System(error) => match error.kind() {
                io::ErrorKind::NotFound => message!("output-not-written.no-directory", path, error),
                io::ErrorKind::StorageFull => message!("output-not-written.full", path, error),
                _ => message!("output-not-written", path, error),
            },
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for Refused {}

impl From<Refused> for io::Error {
    fn from(refused: Refused) -> Self {
        match refused.obstacle {
            Obstacle::System(error) => error,
            _ => explained(io::ErrorKind::Other, refused.message()),
        }
    }
}

/// Finds the target of a path, following links. Nothing is opened, created or changed.
/// Fails if the path is not for output, or cannot be accessed.
pub(super) fn find_target(files: &dyn FileSystem, path: &Path) -> Result<Target, Refused> {
    let refused = |obstacle| Err(Refused { path: path.to_path_buf(), obstacle });
    let unfit = |kind| refused(Obstacle::Unfit(kind));
    let system = |error| Refused::system(path, error);
    if let Some((number, facts)) = files.descriptor(path) {
        return match facts.kind {
            Kind::BlockDevice | Kind::CharacterDevice | Kind::Directory => unfit(facts.kind),
            _ => Ok(Target::Stream(Stream::Descriptor(number))),
        };
    }
    let resolved = files.resolve(path).map_err(system)?;
    if ["/proc", "/sys"].iter().any(|kernel| resolved.starts_with(kernel)) {
        return refused(Obstacle::Kernel);
    }
    // The root has no name, and a trailing slash means a directory, existing or not.
    let (Some((parent, name)), false) = (split(&resolved), path.as_os_str().as_bytes().ends_with(b"/"))
    else {
        return unfit(Kind::Directory);
    };
    let directory: Arc<dyn Directory> = Arc::from(files.directory(parent).map_err(system)?);
    let facts = if_there(directory.facts_of(name)).map_err(system)?;
    match facts.map_or(Kind::File, |facts| facts.kind) {
        Kind::File => Ok(Target::File(Location { path: resolved, directory }, facts)),
        Kind::Pipe | Kind::Stream => Ok(Target::Stream(Stream::Named(resolved))),
        kind => unfit(kind),
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;

    use cardiograph_core::Parameter;
    use rustix::io::Errno;

    use super::*;
    use crate::system;

    fn describe(path: &Path) -> String {
        match find_target(system(), path) {
            Ok(Target::File(place, None)) => format!("missing {}", place.path.display()),
            Ok(Target::File(place, Some(_))) => format!("file {}", place.path.display()),
            Ok(Target::Stream(Stream::Descriptor(_))) => "descriptor".to_string(),
            Ok(Target::Stream(Stream::Named(path))) => format!("stream {}", path.display()),
            Err(refused) => refused.to_string(),
        }
    }

    #[test]
    fn only_files_and_streams_are_targets() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let root = root.as_path();
        let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, root.join(name)).unwrap();
        std::fs::write(root.join("file"), "x").unwrap();
        std::fs::create_dir(root.join("dir")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            root.join("pipe"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .unwrap();
        link("file", "to-file");
        link("to-file", "to-link");
        link("dir/new", "to-new");
        link("/dev/null", "to-null");
        link("loop", "loop");
        let shown = root.display();
        let failed = |name: &str, errno: Errno| {
            let (path, error) = (&root.join(name), Parameter::OsError(errno.raw_os_error()));
            match errno {
                Errno::NOENT => message!("output-not-written.no-directory", path, error),
                _ => message!("output-not-written", path, error),
            }
            .to_string()
        };
        let cases = [
            ("file", format!("file {shown}/file")),
            ("to-link", format!("file {shown}/file")),
            ("dir/../file", format!("file {shown}/file")),
            ("new", format!("missing {shown}/new")),
            ("to-new", format!("missing {shown}/dir/new")),
            ("pipe", format!("stream {shown}/pipe")),
            ("to-null", "stream /dev/null".to_string()),
            ("/dev/full", "stream /dev/full".to_string()),
            ("dir", message!("output-unfit.directory", path = &root.join("dir")).to_string()),
            ("new/", message!("output-unfit.directory", path = format!("{shown}/new/")).to_string()),
            ("/", message!("output-unfit.directory", path = "/").to_string()),
            ("socket", message!("output-unfit.socket", path = &root.join("socket")).to_string()),
            ("/dev/urandom", message!("output-unfit.device", path = "/dev/urandom").to_string()),
            (
                "/proc/sysrq-trigger",
                message!("output-unfit.kernel", path = "/proc/sysrq-trigger").to_string(),
            ),
            ("none/new", failed("none/new", Errno::NOENT)),
            ("file/new", failed("file/new", Errno::NOTDIR)),
            ("loop", failed("loop", Errno::LOOP)),
        ];
        for (name, expected) in cases {
            assert_eq!(describe(&root.join(name)), expected, "{name}");
        }
    }

    #[test]
    fn inherited_descriptors_are_streams() {
        let directory = tempfile::tempdir().unwrap();
        let file = std::fs::File::create(directory.path().join("file")).unwrap();
        let (_reader, pipe) = std::io::pipe().unwrap();
        let link = directory.path().join("link");
        for number in [file.as_raw_fd(), pipe.as_raw_fd()] {
            for path in [format!("/dev/fd/{number}"), format!("/proc/self/fd/{number}")] {
                assert_eq!(describe(Path::new(&path)), "descriptor", "{path}");
            }
            std::os::unix::fs::symlink(format!("/dev/fd/{number}"), &link).unwrap();
            assert_eq!(describe(&link), "descriptor");
            std::fs::remove_file(&link).unwrap();
        }
        let open = std::fs::File::open(directory.path()).unwrap();
        let path = format!("/dev/fd/{}", open.as_raw_fd());
        assert_eq!(describe(Path::new(&path)), message!("output-unfit.directory", path = &path).to_string());
    }
}
