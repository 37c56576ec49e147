//! What options write as a whole: Reports, pages and pictures, into a file of the user's or to standard output.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use cardiograph_catalogue::english;
use cardiograph_core::message::with_english;
use cardiograph_core::{Report, json, message};
use cardiograph_files::{output, system};

use crate::exit::Failure;
use crate::screen::Screen;
use crate::stdout;

/// Permissions of a new file, less the process's mask.
const FILE_MODE: u32 = 0o644;

/// A Report as JSON with the English of its sentences, for readers that do not know their ids.
pub fn json_of(report: &Report) -> String {
    with_english(english, || json::to_json(report))
}

/// What an option names for output. It was opened or looked at, so that a path that cannot be written is refused before an hour
/// was spent.
#[derive(Debug)]
pub struct Export {
    option: &'static str,
    path: PathBuf,
    sink: Sink,
}

#[derive(Debug)]
enum Sink {
    /// Standard output, written to once, at the end.
    Stdout,
    /// The same of a pipe or a terminal.
    Stream(File),
    /// A file, replaced whenever there is more.
    File,
}

impl Export {
    /// Opens what `option` names: a path, or `-` for standard output. Fails when it is nothing that can be written to.
    pub fn open(option: &'static str, argument: &str) -> Result<Self, Failure> {
        match argument {
            "-" => Ok(Self { option, path: PathBuf::new(), sink: Sink::Stdout }),
            path => Self::open_path(option, Path::new(path)),
        }
    }

    /// The same of a path, whatever it is called.
    pub fn open_path(option: &'static str, path: &Path) -> Result<Self, Failure> {
        let opened = output::try_open(system(), path).map_err(|refused| refusal(option, &refused))?;
        Ok(Self { option, path: path.to_path_buf(), sink: opened.map_or(Sink::File, Sink::Stream) })
    }

    /// Whether it goes to a file.
    pub fn is_file(&self) -> bool {
        matches!(self.sink, Sink::File)
    }

    /// Writes what there is so far, where that can be replaced by more.
    pub fn save<T: AsRef<[u8]>>(&self, content: impl FnOnce() -> T) -> Result<(), Failure> {
        match self.sink {
            Sink::Stdout | Sink::Stream(_) => Ok(()),
            Sink::File => output::replace(system(), &self.path, content().as_ref(), FILE_MODE)
                .map_err(|refused| refusal(self.option, &refused)),
        }
    }

    /// Writes the whole. A reader who has gone away is no failure.
    pub fn finish(&self, bytes: &[u8]) -> Result<(), Failure> {
        match &self.sink {
            Sink::Stdout => stdout::write(bytes).map(drop),
            Sink::File => self.save(|| bytes),
            Sink::Stream(file) => match (&mut &*file).write_all(bytes) {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                    Err(refusal(self.option, &output::Refused::system(&self.path, error)))
                }
                _ => Ok(()),
            },
        }
    }

    /// Writes the whole, and then says where a file with it is.
    pub fn finish_and_say(&self, bytes: &[u8], screen: &Screen) -> Result<(), Failure> {
        self.finish(bytes)?;
        if !matches!(self.sink, Sink::Stdout) {
            let format = self.option.trim_start_matches('-').to_uppercase();
            let written = message!("export-written", format = format, path = &self.path);
            screen.say(&screen.language().text(&written));
        }
        Ok(())
    }
}

/// A path that an option named in vain.
pub fn refusal(option: &str, refused: &output::Refused) -> Failure {
    Failure::usage(message!("option-refused", option = option, refused = refused.message()))
}
