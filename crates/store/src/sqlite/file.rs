//! The store's file and the files next to it, on any file system.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cardiograph_core::{Action, message};
use cardiograph_files::{Directory, Facts, FileSystem, Kind, Open, OwnFile, System, if_there, split};
use rusqlite::{Connection, OpenFlags};

use crate::StoreError;
use crate::error::{io_error, not_a_file};

/// A Report contains serial numbers and paths, so only the owner may read it. SQLite gives its log the file's mode.
const FILE_MODE: u32 = 0o600;
const DIRECTORY_MODE: u32 = 0o700;

/// The store's file. SQLite keeps other files with a suffix added to its name.
#[derive(Debug, Clone)]
pub struct StoreFile {
    /// The path as the user gave it.
    pub path: PathBuf,
    pub files: Arc<dyn FileSystem>,
    /// SQLite layer (VFS) that reads and writes it; `None`: the default.
    pub vfs: Option<String>,
    /// Whether the directory is reserved for the store.
    pub is_ours_alone: bool,
}

impl StoreFile {
    /// On the machine's own file system.
    pub fn new(path: PathBuf) -> Self {
        Self { path, files: Arc::new(System), vfs: None, is_ours_alone: false }
    }

    /// The file under this name and suffix; `None` if it does not exist. [`StoreError::NoStore`] if it is not a
    /// regular file.
    pub fn facts(&self, suffix: &str) -> Result<Option<Facts>, StoreError> {
        match self.find(Action::Open, suffix, |directory, name| directory.facts_of(name))? {
            Some(Facts { kind, .. }) if kind != Kind::File => {
                Err(not_a_file(&beside(&self.path, suffix), kind))
            }
            facts => Ok(facts),
        }
    }

    /// Length including the log.
    pub fn len_bytes(&self) -> Result<u64, StoreError> {
        let of = |suffix| Ok(self.facts(suffix)?.map_or(0, |facts| facts.len_bytes));
        Ok(of("")? + of("-wal")?)
    }

    /// Creates the file and any missing parent directories.
    pub fn create(&self) -> Result<(), StoreError> {
        if let Some((directory, _)) = split(&self.path) {
            let made = self.files.create_directories(directory, DIRECTORY_MODE);
            made.map_err(|source| io_error(Action::Create, directory, source))?;
        }
        self.get(Action::Create, |directory, name| {
            directory.open(name, Open::OpenOrCreate(FILE_MODE))?;
            // SQLite syncs the directory for files that it makes itself.
            directory.sync()
        })
    }

    /// Opens the file. Do not close it while SQLite holds locks on it: closing any handle drops all locks that the
    /// process holds on the file.
    pub fn open(&self) -> Result<Box<dyn OwnFile>, StoreError> {
        self.get(Action::Open, |directory, name| directory.open(name, Open::Read))
    }

    /// Opens the log, if there is one. SQLite holds no lock on it.
    pub fn log(&self) -> Result<Option<Box<dyn OwnFile>>, StoreError> {
        self.find(Action::Open, "-wal", |directory, name| directory.open(name, Open::Read))
    }

    /// Creates an empty file one page long.
    pub fn make_longer(&self) -> Result<(), StoreError> {
        self.get(Action::Write, |directory, name| directory.open(name, Open::Write)?.set_len(4_096))
    }

    /// Copies the open file and its log to an unused name in the same directory, and makes the copy durable. Removes
    /// an incomplete copy.
    pub fn keep_aside(&self, open: &dyn OwnFile) -> Result<Self, StoreError> {
        let log = self.log()?;
        self.get(Action::Copy, |directory, name| {
            let names = directory.names()?;
            let mut suffixes = (1u32..).map(|number| format!(".damaged-{number}"));
            let suffix = suffixes.find(|suffix| !names.contains(&with_suffix(name, suffix)));
            let suffix = suffix.expect("there are more names than files");
            // The log first: a copy that has its final name is complete.
            let mut parts = Vec::new();
            for (from, ending) in [(log.as_deref(), "-wal"), (Some(open), "")] {
                let named = |suffix: &str| with_suffix(name, &format!("{suffix}{ending}"));
                parts.extend(from.map(|from| (from, named("-copy"), named(&suffix))));
            }
            let copied = parts.iter().try_for_each(|(from, part, _)| {
                directory.open(part, Open::OpenOrCreate(FILE_MODE))?.copy_from(*from)
            });
            let mut names = parts.iter();
            let named = copied.and_then(|()| names.try_for_each(|(_, part, to)| directory.rename(part, to)));
            if named.is_err() {
                // Keep a complete copy; leftovers of an incomplete one do no harm.
                parts.iter().for_each(|(_, part, _)| _ = directory.remove(part));
            }
            let path = beside(&self.absolute(), &suffix);
            named.and_then(|()| directory.sync()).map(|()| Self { path, ..self.clone() })
        })
    }

    /// Removes the files with these suffixes, where possible.
    pub fn remove(&self, suffixes: &[&str]) {
        suffixes.iter().for_each(|suffix| {
            _ = self.find(Action::Remove, suffix, |directory, name| directory.remove(name))
        });
    }

    /// Opens a connection.
    pub fn connect(&self, flags: OpenFlags) -> rusqlite::Result<Connection> {
        self.connect_to(&self.absolute(), flags)
    }

    /// Opens a connection that treats the file as immutable.
    pub fn connect_immutable(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        self.connect_to(immutable_uri(&self.absolute()).as_ref(), flags)
    }

    /// SQLite gives some relative paths a special meaning, such as `:memory:`.
    fn absolute(&self) -> PathBuf {
        self.files.resolve(&self.path).unwrap_or_else(|_| self.path.clone())
    }

    fn connect_to(&self, path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
        match &self.vfs {
            Some(vfs) => Connection::open_with_flags_and_vfs(path, flags, vfs.as_str()),
            None => Connection::open_with_flags(path, flags),
        }
    }

    /// Calls `work` with the directory and name (plus suffix) of the file itself, links followed. `None` if there is
    /// no such file; otherwise the error names the failed operation.
    fn find<T>(
        &self,
        action: Action,
        suffix: &str,
        work: impl FnOnce(&dyn Directory, &OsStr) -> io::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        let done = || {
            let path = self.files.resolve(&self.path)?;
            let (directory, name) = split(&path).ok_or(io::ErrorKind::IsADirectory)?;
            work(self.files.directory(directory)?.as_ref(), &with_suffix(name, suffix))
        };
        if_there(done()).map_err(|source| io_error(action, &beside(&self.path, suffix), source))
    }

    /// Like [`find`](Self::find), but the file must exist.
    fn get<T>(
        &self,
        action: Action,
        work: impl FnOnce(&dyn Directory, &OsStr) -> io::Result<T>,
    ) -> Result<T, StoreError> {
        self.find(action, "", work)?
            .ok_or_else(|| StoreError::NoStore(message!("store-missing", path = &self.path)))
    }
}

/// A path with a suffix appended to its name.
pub fn beside(file: &Path, suffix: &str) -> PathBuf {
    PathBuf::from(with_suffix(file.as_os_str(), suffix))
}

fn with_suffix(name: &OsStr, suffix: &str) -> OsString {
    let mut name = name.to_os_string();
    name.push(suffix);
    name
}

/// SQLite's URI for an immutable file, with special bytes escaped.
fn immutable_uri(file: &Path) -> String {
    use std::fmt::Write;
    use std::os::unix::ffi::OsStrExt;
    let mut uri = "file:".to_string();
    for &byte in file.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' => uri.push(byte as char),
            _ => write!(uri, "%{byte:02X}").expect("a String takes everything"),
        }
    }
    uri + "?immutable=1"
}
