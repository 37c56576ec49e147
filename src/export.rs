//! Output files of options: Reports, pages and charts, in a file or on standard output.

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

/// A Report as JSON with the English text of its messages, for readers that do not know their ids.
pub fn json_of(report: &Report) -> String {
    with_english(english, || json::to_json(report))
}

/// An output that an option names. It is checked when it is opened, so that a bad path is refused before hours of measuring.
#[derive(Debug)]
pub struct Export {
    option: &'static str,
    path: PathBuf,
    sink: Sink,
}

#[derive(Debug)]
enum Sink {
    /// Standard output, written once, at the end.
    Stdout,
    /// A pipe or a terminal, also written once.
    Stream(File),
    /// A file, replaced at each save.
    File,
}

impl Export {
    /// Opens the argument of `option`: a path, or `-` for standard output. Fails if it cannot be written.
    pub fn open(option: &'static str, argument: &str) -> Result<Self, Failure> {
        match argument {
            "-" => Ok(Self { option, path: PathBuf::new(), sink: Sink::Stdout }),
            path => Self::open_path(option, Path::new(path)),
        }
    }

    /// Opens a path, even one named `-`.
    pub fn open_path(option: &'static str, path: &Path) -> Result<Self, Failure> {
        let opened = output::try_open(system(), path).map_err(|refused| refusal(option, &refused))?;
        Ok(Self { option, path: path.to_path_buf(), sink: opened.map_or(Sink::File, Sink::Stream) })
    }

    pub fn is_file(&self) -> bool {
        matches!(self.sink, Sink::File)
    }

    /// Writes interim content, if it can be replaced later.
    pub fn save<T: AsRef<[u8]>>(&self, content: impl FnOnce() -> T) -> Result<(), Failure> {
        match self.sink {
            Sink::Stdout | Sink::Stream(_) => Ok(()),
            Sink::File => output::replace(system(), &self.path, content().as_ref(), FILE_MODE)
                .map_err(|refused| refusal(self.option, &refused)),
        }
    }

    /// Writes the final content. A closed pipe is not an error.
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

    /// Writes the final content, and reports the path.
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

/// The error for an option's path that cannot be written.
pub fn refusal(option: &str, refused: &output::Refused) -> Failure {
    Failure::usage(message!("option-refused", option = option, refused = refused.message()))
}
