//! Completions and man pages, made from the command line's own definition.

use std::path::Path;

use cardiograph_files::output::{self, Refused};
use cardiograph_files::system;
use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::cli::Cli;
use crate::exit::{DONE, Failure};
use crate::screen::Screen;

/// Prints a completion script.
pub fn completions(shell: clap_complete::Shell, screen: &Screen) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "cardiograph", &mut script);
    screen.say(&String::from_utf8_lossy(&script));
    Ok(DONE)
}

/// Writes a man page for the program and each subcommand.
pub fn man_pages(directory: &Path, screen: &Screen) -> Result<u8, Failure> {
    let mut program = Cli::command();
    program.build();
    write_pages(&program, directory)
        .map_err(|refused| Failure::usage(format!("no man pages in {}: {refused}", directory.display())))?;
    screen.say(&format!("man pages are in {}", directory.display()));
    Ok(DONE)
}

/// Writes the page of a command and of those below it.
fn write_pages(command: &Command, directory: &Path) -> Result<(), Refused> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        write_pages(below, directory)?;
    }
    let page = Man::new(command.clone());
    let path = directory.join(page.get_filename());
    let mut text = Vec::new();
    page.render(&mut text).map_err(|error| Refused::system(&path, error))?;
    output::replace(system(), &path, &text, 0o666)
}
