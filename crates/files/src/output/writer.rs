//! Outputs that are written piece by piece: logs, recordings, results of a run.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::temporary::Temporary;
use super::{Place, Refused, Target, look_at, open_stream};
use crate::{FileSystem, Open, OwnFile};

/// An output that is open. A file with content stays as it is until [`finish`](Self::finish): what takes its place is written
/// beside it. Else what is written can be read at once.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    sink: Sink,
    len_bytes: u64,
    /// Whether anything was to be written, be it nothing.
    is_used: bool,
    has_failed: bool,
}

#[derive(Debug)]
enum Sink {
    Stream(File),
    /// A file that was empty; one that was made for this has a place from which it can be removed.
    Empty(Box<dyn OwnFile>, Option<Place>),
    /// What takes the place of a file with content.
    Beside(Temporary),
}

impl Writer {
    /// Opens what a path names, and makes a file with permissions `mode`, less the process's mask, where there is none. A run
    /// that is refused before it wrote anything leaves an old file as it was, and no new one.
    /// Fails when the path is not for output, or cannot be opened.
    pub fn open(files: &dyn FileSystem, path: &Path, mode: u32) -> Result<Self, Refused> {
        let sink = match look_at(files, path)? {
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

    /// The path, as it was named.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Another handle of the file, for a program that is started. Fails when there are too many.
    pub fn handle(&mut self) -> io::Result<File> {
        self.is_used = true;
        match &self.sink {
            Sink::Stream(file) => file.try_clone(),
            Sink::Empty(file, _) => file.handle(),
            Sink::Beside(new) => new.file.handle(),
        }
    }

    /// Ends it: what was written, be it nothing, is now the content of the file, durably. After a failure to write, an old file
    /// stays as it is.
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
            // It was made for nothing. That it stays, empty, would do no harm.
            let _ = place.directory.remove(place.name());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system;

    #[test]
    fn old_content_stays_until_the_new_is_whole() {
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
    fn a_new_file_can_be_followed_and_is_not_made_for_nothing() {
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
    fn programs_that_are_started_write_to_the_same_file() {
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
