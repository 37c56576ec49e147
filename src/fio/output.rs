//! Writes fio's outputs in the formats of the command line, to a file or standard output.

use std::cell::RefCell;
use std::io::{IsTerminal, Write};
use std::path::Path;

use cardiograph_checkup::job_io::OUTPUT_MODE;
use cardiograph_core::message;
use cardiograph_core::system_error::cause;
use cardiograph_core::text::plain;
use cardiograph_files::output::Writer;
use cardiograph_files::system;
use cardiograph_fio::invocation::{EtaWhen, OutputFormats, ProgramOptions};
use cardiograph_fio::output::json::{Bins, json};
use cardiograph_fio::output::normal::normal;
use cardiograph_fio::output::run::FioRun;
use cardiograph_fio::output::terse::{TerseVersion, terse};

use crate::exit::Failure;
use crate::export;

/// The outputs of a run.
pub struct Output {
    formats: OutputFormats,
    terse_version: TerseVersion,
    file: Option<RefCell<Writer>>,
    /// The first failure to write.
    failure: RefCell<Option<std::io::Error>>,
}

impl Output {
    /// Opens the file of the command line, or standard output.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn open(options: &ProgramOptions) -> Result<Self, Failure> {
        let file = match options.output.as_deref() {
            None | Some("-") => None,
            Some(path) => {
                let opened = Writer::open(system(), Path::new(path), OUTPUT_MODE);
                Some(RefCell::new(opened.map_err(|refused| export::refusal("--output", &refused))?))
            }
        };
        Ok(Self {
            formats: options.formats,
            terse_version: options.terse_version,
            file,
            failure: RefCell::default(),
        })
    }

    /// Writes lines of the normal output, if it is wanted.
    pub fn print(&self, text: &str) {
        if self.formats.normal {
            self.write(text);
        }
    }

    /// Whether the normal output is wanted.
    pub fn has_text(&self) -> bool {
        self.formats.normal
    }

    /// Whether results on standard output begin with the normal output.
    pub fn begins_with_text(&self) -> bool {
        self.formats == OutputFormats::default() && self.file.is_none()
    }

    /// Writes the results in all wanted formats: terse, JSON, then normal.
    pub fn results(&self, run: &FioRun) {
        if self.formats.terse {
            self.write(&terse(run, self.terse_version));
        }
        if self.formats.json_plus {
            self.write(&json(run, Bins::Yes));
        } else if self.formats.json {
            self.write(&json(run, Bins::No));
        }
        if self.formats.normal {
            self.write(&normal(run));
        }
    }

    /// Whether to show the progress line.
    pub fn shows_eta(&self, when: EtaWhen) -> bool {
        match when {
            EtaWhen::Always => true,
            EtaWhen::Never => false,
            EtaWhen::Auto => {
                let only_normal = self.formats == OutputFormats::default();
                // Other formats in a file do not disturb the line.
                std::io::stdout().is_terminal() && (only_normal || self.file.is_some())
            }
        }
    }

    fn write(&self, text: &str) {
        let written = match &self.file {
            Some(file) => file.borrow_mut().write_all(text.as_bytes()),
            None => {
                let mut stdout = std::io::stdout().lock();
                // Programs get exactly what fio writes; control characters in names do not reach a terminal.
                let text = if stdout.is_terminal() { plain(text) } else { text.into() };
                stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
            }
        };
        if let Err(error) = written {
            self.failure.borrow_mut().get_or_insert(error);
        }
    }

    /// Ends the outputs; an existing file is replaced now.
    ///
    /// # Errors
    /// When something could not be written. A closed pipe is not an error.
    pub fn finish(self) -> Result<(), Failure> {
        let finished = self.file.as_ref().map_or(Ok(()), |file| file.borrow_mut().finish());
        match self.failure.into_inner().or(finished.err()) {
            Some(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                let path = self.file.map(|file| file.into_inner().path().display().to_string());
                let error = cause(&error);
                Err(Failure::io(match path {
                    Some(path) => message!("fio-results-not-written", path, error),
                    None => message!("stdout-failed", error),
                }))
            }
            _ => Ok(()),
        }
    }
}
