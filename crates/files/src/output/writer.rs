//! Outputs that are written piece by piece: logs, recordings, results of a run.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::temporary::Temporary;
use super::{Location, Refused, Target, find_target, open_stream};
use crate::{FileSystem, Open, OwnFile};

/// An open output. A file with content stays unchanged until [`finish`](Self::finish): its replacement is written next
/// to it. Other outputs can be read while they are written.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    sink: Sink,
    len_bytes: u64,
    /// Whether a write was attempted, even an empty one.
    is_used: bool,
    has_failed: bool,
}

#[derive(Debug)]
enum Sink {
    Stream(File),
    /// A file that was empty; if it was created for this, with the location for removing it.
    Empty(Box<dyn OwnFile>, Option<Location>),
    /// The replacement of a file with content.
    Beside(Temporary),
}

impl Writer {
    /// Opens a path, creating a file with permissions `mode`, reduced by the umask, if there is none. If nothing is
    /// written, an old file stays unchanged, and a new one is removed. Fails if the path is not for output, or cannot
    /// be opened.
    pub fn open(files: &dyn FileSystem, path: &Path, mode: u32) -> Result<Self, Refused> {
        let sink = match find_target(files, path)? {
            Target::Stream(stream) => open_stream(&stream).map(Sink::Stream),
            Target::File(place, None) => {
                place.open(Open::Create(mode)).map(|made| Sink::Empty(made, Some(place)))
            }
            Target::File(place, Some(old)) if old.len_bytes == 0 => {
                place.open(Open::Write).map(|file| Sink::Empty(file, None))
            }
            Target::File(place, old) => Temporary::create(files, place, old.as_ref(), mode).map(Sink::Beside),
        };
        let sink = sink.map_err(|error| Refused::system(path, error))?;
        Ok(Self { path: path.to_path_buf(), sink, len_bytes: 0, is_used: false, has_failed: false })
    }

    /// The path, as named by the user.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Another handle of the file for a child process. Fails if there are too many.
    pub fn handle(&mut self) -> io::Result<File> {
        self.is_used = true;
        match &self.sink {
            Sink::Stream(file) => file.try_clone(),
            Sink::Empty(file, _) => file.handle(),
            Sink::Beside(new) => new.file.handle(),
        }
    }

    /// Finishes the output: the written bytes, even none, become the content of the file, durably. If a write failed,
    /// an old file stays unchanged.
    pub fn finish(&mut self) -> io::Result<()> {
        self.is_used = true;
        match &mut self.sink {
            Sink::Empty(file, _) => file.sync(),
            Sink::Beside(new) if !self.has_failed => new.commit(),
            Sink::Stream(_) | Sink::Beside(_) => Ok(()),
        }
    }
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.is_used |= !bytes.is_empty();
        let file = match &mut self.sink {
            Sink::Stream(file) => return file.write(bytes),
            Sink::Empty(file, _) => file,
            Sink::Beside(new) => &new.file,
        };
        let written = file.write_all_at(bytes, self.len_bytes);
        self.has_failed |= written.is_err();
        self.len_bytes += bytes.len() as u64;
        written.map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if let (Sink::Empty(_, Some(place)), false) = (&self.sink, self.is_used) {
            // Nothing was written. An empty file that remains is harmless.
            let _ = place.directory.remove(place.name());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system;

    #[test]
    fn old_content_stays_until_the_new_is_complete() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results");
        let open = || Writer::open(system(), &path, 0o666).unwrap();
        let read = || std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, "precious").unwrap();
        drop(open());
        assert_eq!(read(), "precious");
        let mut writer = open();
        writer.write_all(b"half").unwrap();
        assert_eq!(read(), "precious");
        drop(writer);
        assert_eq!(read(), "precious", "what was not finished replaces nothing");
        let mut writer = open();
        writer.write_all(b"ne").and_then(|()| writer.write_all(b"w")).unwrap();
        writer.finish().unwrap();
        assert_eq!(read(), "new");
        drop(writer);
        open().finish().unwrap();
        assert_eq!(read(), "", "nothing, but finished");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn new_files_are_readable_while_written_and_removed_if_unused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        drop(Writer::open(system(), &path, 0o666).unwrap());
        assert!(!path.exists());
        let mut writer = Writer::open(system(), &path, 0o666).unwrap();
        writer.write_all(b"a line").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"a line");
        drop(writer);
        assert!(path.exists(), "what was written stays");
    }

    #[test]
    fn child_processes_write_to_the_same_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        for old in ["", "precious"] {
            std::fs::write(&path, old).unwrap();
            let mut writer = Writer::open(system(), &path, 0o666).unwrap();
            for word in ["one ", "two"] {
                writer.handle().unwrap().write_all(word.as_bytes()).unwrap();
            }
            writer.finish().unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), "one two");
        }
    }
}
