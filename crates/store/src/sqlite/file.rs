//! The store's file and its neighbours, on whichever file system.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cardiograph_core::Action;
use cardiograph_files::{Directory, Facts, FileSystem, Kind, Open, OwnFile, System, if_there, split};
use rusqlite::{Connection, OpenFlags};

use crate::StoreError;
use crate::error::io_error;

/// A Report names serial numbers and paths, so others may not read it. SQLite gives its log the mode of the file.
const FILE_MODE: u32 = 0o600;
const DIRECTORY_MODE: u32 = 0o700;

/// The store's file. SQLite keeps other files with a suffix added to its name.
#[derive(Debug, Clone)]
pub struct StoreFile {
    /// As the user named it.
    pub path: PathBuf,
    pub files: Arc<dyn FileSystem>,
    /// The layer of SQLite that reads and writes it; `None`: SQLite's own.
    pub vfs: Option<String>,
    /// Whether nobody else keeps a file there.
    pub is_ours_alone: bool,
}

impl StoreFile {
    /// On the machine's file system.
    pub fn new(path: PathBuf) -> Self {
        Self { path, files: Arc::new(System), vfs: None, is_ours_alone: false }
    }

    /// What there is under the name with a suffix; `None`: nothing. [`StoreError::NotAFile`] of what is not a regular file.
    pub fn facts(&self, suffix: &str) -> Result<Option<Facts>, StoreError> {
        match self.find(Action::Open, suffix, |directory, name| directory.facts_of(name))? {
            Some(Facts { kind, .. }) if kind != Kind::File => {
                Err(StoreError::NotAFile { path: beside(&self.path, suffix), kind })
            }
            facts => Ok(facts),
        }
    }

    /// Length with its log.
    pub fn len_bytes(&self) -> Result<u64, StoreError> {
        let of = |suffix| Ok(self.facts(suffix)?.map_or(0, |facts| facts.len_bytes));
        Ok(of("")? + of("-wal")?)
    }

    /// Makes it, and the directories that it lies in, where they are missing.
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

    /// It, opened. While SQLite holds locks of the file this must not be closed: the system drops all that a process holds of a
    /// file when it closes it once.
    pub fn open(&self) -> Result<Box<dyn OwnFile>, StoreError> {
        self.get(Action::Open, |directory, name| directory.open(name, Open::Read))
    }

    /// Its log, where there is one. SQLite holds no lock of that.
    pub fn log(&self) -> Result<Option<Box<dyn OwnFile>>, StoreError> {
        self.find(Action::Open, "-wal", |directory, name| directory.open(name, Open::Read))
    }

    /// Makes an empty file as long as one page.
    pub fn make_longer(&self) -> Result<(), StoreError> {
        self.get(Action::Write, |directory, name| directory.open(name, Open::Write)?.set_len(4_096))
    }

    /// Copies the open file and its log to an unused name in the same directory, and makes the copy durable.
    /// Removes a copy that fails.
    pub fn keep_aside(&self, open: &dyn OwnFile) -> Result<Self, StoreError> {
        let log = self.log()?;
        self.get(Action::Copy, |directory, name| {
            let names = directory.names()?;
            let mut suffixes = (1u32..).map(|number| format!(".damaged-{number}"));
            let suffix = suffixes.find(|suffix| !names.contains(&with_suffix(name, suffix)));
            let suffix = suffix.expect("there are more names than files");
            // The log first: a copy that has its name is whole.
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
                // One that is whole stays; what is left of another is in the way of nothing.
                parts.iter().for_each(|(_, part, _)| _ = directory.remove(part));
            }
            let path = beside(&self.absolute(), &suffix);
            named.and_then(|()| directory.sync()).map(|()| Self { path, ..self.clone() })
        })
    }

    /// Removes what lies there under its name with these suffixes, where that can be done.
    pub fn remove(&self, suffixes: &[&str]) {
        suffixes.iter().for_each(|suffix| {
            _ = self.find(Action::Remove, suffix, |directory, name| directory.remove(name))
        });
    }

    /// A connection to it.
    pub fn connect(&self, flags: OpenFlags) -> rusqlite::Result<Connection> {
        self.connect_to(&self.absolute(), flags)
    }

    /// A connection to it that takes it for a file that nobody changes.
    pub fn connect_immutable(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        self.connect_to(immutable_uri(&self.absolute()).as_ref(), flags)
    }

    /// SQLite takes some relative paths for something else, as `:memory:`.
    fn absolute(&self) -> PathBuf {
        self.files.resolve(&self.path).unwrap_or_else(|_| self.path.clone())
    }

    fn connect_to(&self, path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
        match &self.vfs {
            Some(vfs) => Connection::open_with_flags_and_vfs(path, flags, vfs.as_str()),
            None => Connection::open_with_flags(path, flags),
        }
    }

    /// Does something with the file itself, links followed: with the directory in which it lies and its name there with a
    /// suffix. `None` where nothing is there; else it says what could not be done.
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

    /// The same where the file has to be there.
    fn get<T>(
        &self,
        action: Action,
        work: impl FnOnce(&dyn Directory, &OsStr) -> io::Result<T>,
    ) -> Result<T, StoreError> {
        self.find(action, "", work)?.ok_or_else(|| StoreError::NoStore { path: self.path.clone() })
    }
}

/// A path with a suffix to its name.
pub fn beside(file: &Path, suffix: &str) -> PathBuf {
    PathBuf::from(with_suffix(file.as_os_str(), suffix))
}

fn with_suffix(name: &OsStr, suffix: &str) -> OsString {
    let mut name = name.to_os_string();
    name.push(suffix);
    name
}

/// A file that nobody changes as SQLite's URI, with bytes that mean something in one written out.
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
