//! Completions and man pages, made from the command line's own definition.

use std::path::Path;

use clap::CommandFactory;

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
    clap_mangen::generate_to(Cli::command(), directory)
        .map_err(|error| Failure::usage(format!("no man pages in {}: {error}", directory.display())))?;
    screen.say(&format!("man pages are in {}", directory.display()));
    Ok(DONE)
}
