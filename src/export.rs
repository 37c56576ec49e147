//! The Report as a JSON file of the user's, or on standard output.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use cardiograph_core::Report;
use cardiograph_formats::json;

use crate::exit::Failure;
use crate::screen::Screen;

/// Where the JSON goes.
#[derive(Debug)]
pub enum Export {
    /// To standard output, once, at the end.
    Stdout,
    /// To a file, replaced after each step.
    File(PathBuf),
}

impl Export {
    /// Understands `--json`.
    pub fn from_argument(argument: &str) -> Self {
        if argument == "-" { Export::Stdout } else { Export::File(PathBuf::from(argument)) }
    }

    /// Whether it goes to a file.
    pub fn is_file(&self) -> bool {
        matches!(self, Export::File(_))
    }

    /// Writes what there is so far. Called before the first step, too, so that a path that cannot be written is found
    /// before an hour was spent.
    pub fn save(&self, report: &Report) -> Result<(), Failure> {
        match self {
            Export::Stdout => Ok(()),
            Export::File(path) => to_file(path, json::to_json(report).as_bytes(), "JSON"),
        }
    }

    /// Writes the whole.
    pub fn finish(&self, report: &Report) -> Result<(), Failure> {
        match self {
            Export::Stdout => to_stdout(json::to_json(report).as_bytes()).map(drop),
            Export::File(_) => self.save(report),
        }
    }
}

/// Writes data to standard output where `file` is `-`, else to that file, and then says where it is.
///
/// # Errors
/// When it cannot be written.
pub fn write(file: &str, bytes: &[u8], what: &str, screen: &Screen) -> Result<(), Failure> {
    if file == "-" {
        return to_stdout(bytes).map(drop);
    }
    to_file(Path::new(file), bytes, what)?;
    screen.say(&format!("{what}: {file}"));
    Ok(())
}

/// Replaces a file of the user's as a whole. `what` is it that is written, for a message.
pub fn to_file(path: &Path, bytes: &[u8], what: &str) -> Result<(), Failure> {
    cardiograph_store::write_atomically(path, bytes, 0o644).map_err(|error| {
        Failure::usage(format!("the {what} cannot be written to {}: {error}", path.display()))
    })
}

/// Writes data to standard output. Returns whether somebody still reads there: a reader who has gone away is no failure.
///
/// # Errors
/// When it cannot be written for another reason, such as a full disk: a script must not take nothing for a result.
pub fn to_stdout(bytes: &[u8]) -> Result<bool, Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => {
            Err(Failure::io(format!("standard output: {}", crate::messages::without_number(&error))))
        }
    }
}
