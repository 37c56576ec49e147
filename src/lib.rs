//! cardiograph: a storage checkup. A file for each subcommand; `check` is the main job. What they do is done by the crates.
#![forbid(unsafe_code)]

mod check;
mod cli;
mod compare;
mod consent;
mod drive;
mod engines;
mod exit;
mod export;
mod fio;
mod help;
mod history;
mod import;
mod invalid;
mod job;
mod keeper;
mod plot;
mod png;
mod progress;
mod records;
mod remove;
mod requirement;
mod run;
mod screen;
mod shelf;
mod shell;
mod stdout;
mod suites;
mod tools;
mod usage;

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use cardiograph_catalogue::Language;
use cardiograph_checkup::agent;
use cardiograph_core::text::plain;
use clap::Parser;
use clap::error::ErrorKind;

use crate::cli::{Cli, Command, StoreCommand};
use crate::fio::Called;
use crate::records::Records;
use crate::screen::Screen;

/// Does what the words behind the program's name ask for. Returns the exit code.
pub fn main() -> ExitCode {
    if std::env::args_os().next().is_some_and(|name| is_called(&name, agent::NAME)) {
        return ExitCode::from(agent::serve());
    }
    if let Some((called, words)) = words_of_fio() {
        return ExitCode::from(fio::run(called, &words));
    }
    let words: Vec<OsString> = std::env::args_os().collect();
    let cli = match Cli::try_parse_from(&words) {
        Ok(cli) => cli,
        Err(error) => return ExitCode::from(answer(error, &words)),
    };
    let records = Records { file: cli.store.clone() };
    let language = match cli.command.is_other_program() {
        true => Language::EN,
        false => cli.lang.unwrap_or_else(language_of_environment),
    };
    let screen = Screen::for_words(cli.command.words_on_stderr(), language.with_units(cli.units));
    let outcome = match &cli.command {
        Command::Check(arguments) => check::run(arguments, &records, &screen),
        Command::Drive(arguments) => drive::run(arguments, &screen),
        Command::Job(arguments) => job::run(arguments, &screen),
        Command::History(arguments) => history::list(arguments, &records, &screen),
        Command::Show(arguments) => history::show(arguments, &records, &screen),
        Command::Remove(arguments) => remove::run(arguments, &records, &screen),
        Command::Store { command: StoreCommand::Repair } => remove::repair(&records, &screen),
        Command::Shelf(arguments) => shelf::run(arguments, &screen),
        Command::Import(arguments) => import::run(arguments, &records, &screen),
        Command::Compare(arguments) => compare::run(arguments, &records, &screen),
        Command::Plot(arguments) => plot::run(arguments, &records, &screen),
        Command::Suites => suites::run(&screen),
        Command::Engines => engines::run(&screen),
        Command::Run(arguments) => run::run(arguments, &records, &screen),
        Command::Hdparm { words } => tools::hdparm::run(words),
        Command::Dd { words } => tools::dd::run(words),
        Command::Iozone { words } => tools::iozone::run(words),
        Command::Fio { words } => Ok(fio::run(Called::Subcommand, words)),
        Command::Completions { shell } => shell::completions(*shell, &screen),
        Command::Man { directory } => shell::man_pages(directory, &screen),
    };
    // A read-only command whose output could not be written has failed.
    let failed = || screen.take_failure().filter(|_| cli.command.only_tells());
    match outcome.and_then(|code| if code == exit::DONE { failed().map_or(Ok(code), Err) } else { Ok(code) })
    {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            failure.lines().for_each(|message| screen.complain_message(message));
            ExitCode::from(failure.code)
        }
    }
}

/// Shows the help that words ask for, or what is wrong with them, in their language. Returns the exit code.
fn answer(error: clap::Error, words: &[OsString]) -> u8 {
    let language = language_of(words);
    let screen = Screen::for_words(error.use_stderr(), language);
    let error =
        help::command_line(language, screen.style()).try_get_matches_from(words).err().unwrap_or(error);
    match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            screen.say(&error.render().ansi().to_string());
        }
        // A closed pipe is nobody's fault.
        _ => {
            let _ = write!(std::io::stderr(), "{}", plain(&usage::shown(&error, language)));
        }
    }
    if let Some(failure) = screen.take_failure() {
        screen.complain_message(&failure.message);
        return failure.code;
    }
    if error.use_stderr() { exit::USAGE } else { exit::DONE }
}

/// The language of words that are no complete command line: that of a `--lang`, or the environment's.
fn language_of(words: &[OsString]) -> Language {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    // What stands in for another program is English.
    if words.get(1).is_some_and(|command| ["dd", "hdparm", "iozone"].contains(&command.as_ref())) {
        return Language::EN;
    }
    let apart = words.windows(2).filter(|pair| pair[0] == "--lang").map(|pair| pair[1].as_ref());
    let joined = words.iter().filter_map(|word| word.strip_prefix("--lang="));
    let named = apart.chain(joined).find_map(|code| code.parse().ok());
    named.unwrap_or_else(language_of_environment)
}

fn language_of_environment() -> Language {
    cardiograph_catalogue::from_environment(|name| std::env::var(name).ok())
}

/// The words behind the program's name, when that is `fio`: a link of this name is fio and nothing else. `cardiograph
/// fio` is the same, and its words are not for another parser to look into.
fn words_of_fio() -> Option<(Called, Vec<OsString>)> {
    let mut words = std::env::args_os();
    let name = words.next()?;
    if is_called(&name, "fio") {
        return Some((Called::Fio, words.collect()));
    }
    (words.next()? == "fio").then(|| (Called::Subcommand, words.collect()))
}

/// Whether the program goes by a name.
fn is_called(path: &OsStr, name: &str) -> bool {
    Path::new(path).file_name() == Some(OsStr::new(name))
}
