//! Completions and man pages, generated from the definition of the command line.

use std::path::Path;

use cardiograph_catalogue::Language;
use cardiograph_checkup::simulated;
use cardiograph_core::message;
use cardiograph_files::output::{self, Refused};
use cardiograph_files::system;
use cardiograph_import::shelf;
use cardiograph_judge::purpose::PURPOSES;
use cardiograph_render::doc::explain;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};

use crate::compare::COMMON_METRICS;
use crate::exit::{DONE, Failure};
use crate::help::{command_line, man_page, topics};
use crate::import;
use crate::requirement::claim_ids;
use crate::screen::Screen;

/// Prints a completion script.
pub fn completions(shell: clap_complete::Shell, screen: &Screen) -> Result<u8, Failure> {
    let mut script = Vec::new();
    let mut program = with_names(command_line(screen.language(), screen.style()));
    clap_complete::generate(shell, &mut program, "cardiograph", &mut script);
    screen.say(&String::from_utf8_lossy(&script));
    Ok(DONE)
}

/// Lists the names that commands check themselves, because files, saved checkups and users' own files have further ones.
fn with_names(program: Command) -> Command {
    let owned = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<String>>();
    let purposes = PURPOSES.iter().map(|purpose| purpose.id.clone());
    let requirements: Vec<String> =
        purposes.chain(claim_ids().map(|claim| format!("claim:{claim}"))).collect();
    let models = simulated::names();
    let sources: Vec<&str> = shelf::sources().iter().map(|source| source.name.as_str()).collect();
    let suites = owned(&cardiograph_suites::names());
    let with = |names: Vec<String>| move |arg: Arg| arg.value_parser(PossibleValuesParser::new(names));
    let program = program
        .mut_arg("color", with(owned(&["auto", "always", "never"])))
        .mut_arg("units", with(owned(&["decimal", "binary"])));
    [
        ("check", "suite", suites.clone()),
        ("check", "simulate", owned(&models)),
        ("check", "require", requirements),
        ("history", "suite", suites),
        ("compare", "metric", owned(&COMMON_METRICS)),
        ("import", "as", owned(&import::formats())),
        ("shelf", "source", owned(&sources)),
        ("explain", "words", explain::known_words()),
    ]
    .into_iter()
    .fold(program, |program, (command, argument, names)| {
        program.mut_subcommand(command, |command| command.mut_arg(argument, with(names)))
    })
}

/// Writes a man page for the program and each command.
pub fn man_pages(directory: &Path, screen: &Screen) -> Result<u8, Failure> {
    let language = screen.language();
    let pages = write_pages(&command_line(language, screen.style()), directory, language);
    pages.and_then(|()| write_topics(directory, language)).map_err(|refused| {
        let refused = refused.message();
        Failure::usage(message!("man-not-written", directory, refused))
    })?;
    screen.say(&language.text(&message!("man-written", directory)));
    Ok(DONE)
}

/// Writes the pages of the manual's section 7. They belong into a directory `man7` next to `man1`.
fn write_topics(directory: &Path, language: Language) -> Result<(), Refused> {
    let directory = match directory.file_name() {
        Some(name) if name == "man1" => directory.with_file_name("man7"),
        _ => directory.to_path_buf(),
    };
    for (name, text) in topics(language) {
        output::replace(system(), &directory.join(name), text.as_bytes(), 0o666)?;
    }
    Ok(())
}

/// Writes the pages of a command and its subcommands.
fn write_pages(command: &Command, directory: &Path, language: Language) -> Result<(), Refused> {
    for below in command.get_subcommands() {
        write_pages(below, directory, language)?;
    }
    let (name, text) = man_page(command, language);
    output::replace(system(), &directory.join(name), text.as_bytes(), 0o666)
}
