//! Completions and man pages, generated from the definition of the command line.

use std::path::Path;

use cardiograph_catalogue::Language;
use cardiograph_core::message;
use cardiograph_files::output::{self, Refused};
use cardiograph_files::system;
use clap::Command;

use crate::exit::{DONE, Failure};
use crate::help::{command_line, man_page};
use crate::screen::Screen;

/// Prints a completion script.
pub fn completions(shell: clap_complete::Shell, screen: &Screen) -> Result<u8, Failure> {
    let mut script = Vec::new();
    let mut program = command_line(screen.language(), screen.style());
    clap_complete::generate(shell, &mut program, "cardiograph", &mut script);
    screen.say(&String::from_utf8_lossy(&script));
    Ok(DONE)
}

/// Writes a man page for the program and each command.
pub fn man_pages(directory: &Path, screen: &Screen) -> Result<u8, Failure> {
    let language = screen.language();
    write_pages(&command_line(language, screen.style()), directory, language).map_err(|refused| {
        let refused = refused.message();
        Failure::usage(message!("man-not-written", directory = directory, refused = refused))
    })?;
    screen.say(&language.text(&message!("man-written", directory = directory)));
    Ok(DONE)
}

/// Writes the pages of a command and its subcommands.
fn write_pages(command: &Command, directory: &Path, language: Language) -> Result<(), Refused> {
    for below in command.get_subcommands() {
        write_pages(below, directory, language)?;
    }
    let (name, text) = man_page(command, language);
    output::replace(system(), &directory.join(name), text.as_bytes(), 0o666)
}
