//! cardiograph: a storage checkup. Each command has a file; the work is done in the crates.
#![forbid(unsafe_code)]

mod changes;
mod check;
mod cli;
mod compare;
mod consent;
mod drive;
mod engines;
mod exit;
mod explain;
mod export;
mod fio;
mod help;
mod history;
mod import;
mod invalid;
mod job;
mod keeper;
mod live;
mod plot;
mod png;
mod progress;
mod purposes;
mod records;
mod remove;
mod requirement;
mod run;
mod screen;
mod send;
mod serve;
mod shelf;
mod shell;
mod stdout;
mod store;
mod store_copy;
mod suites;
mod token;
mod tools;
mod usage;

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use cardiograph_catalogue::Language;
use cardiograph_checkup::agent;
use cardiograph_core::message;
use cardiograph_core::text::plain;
use clap::Parser;
use clap::error::ErrorKind;

use crate::cli::{Cli, Coloring, Command};
use crate::fio::Called;
use crate::records::Records;
use crate::screen::Screen;

/// Runs the command line. Returns the exit code.
pub fn main() -> ExitCode {
    if std::env::args_os().next().is_some_and(|name| is_called(&name, agent::NAME)) {
        return ExitCode::from(agent::serve());
    }
    agent::enable();
    if let Some((called, words)) = fio_command_line() {
        return ExitCode::from(fio::run(called, &words));
    }
    let words: Vec<OsString> = std::env::args_os().collect();
    if let Some(file) = file_of_json(&words) {
        let error = message!(
            "errors-cli-renamed",
            old = format!("--json {file}"),
            new = format!("--export-json {file}")
        );
        Screen::new(true, guess_language(&words), Coloring::Auto, false).complain_message(&error);
        return ExitCode::from(exit::USAGE);
    }
    let cli = match Cli::try_parse_from(&words) {
        Ok(cli) => cli,
        Err(error) => return ExitCode::from(show_help_or_error(error, &words)),
    };
    let records = Records { file: cli.store.clone() };
    let language = match cli.command.is_emulation() {
        true => Language::EN,
        false => cli.lang.unwrap_or_else(environment_language),
    };
    let screen =
        Screen::new(cli.command.text_on_stderr(), language.with_units(cli.units), cli.color, cli.quiet);
    let outcome = match &cli.command {
        Command::Check(arguments) => check::run(arguments, &records, &screen),
        Command::Drive(arguments) => drive::run(arguments, &screen),
        Command::Job(arguments) => job::run(arguments, &screen),
        Command::History(arguments) => history::list(arguments, &records, &screen),
        Command::Show(arguments) => history::show(arguments, &records, &screen),
        Command::Remove(arguments) => remove::run(arguments, &records, &screen),
        Command::Label(arguments) => remove::label(arguments, &records, &screen),
        Command::Tag(arguments) => remove::tag(arguments, &records, &screen),
        Command::Store { command } => store::run(command, &records, &screen),
        Command::Send(arguments) => send::run(arguments, &records, &screen),
        Command::Token { command } => token::run(command, &records, &screen),
        Command::Serve(arguments) => serve::run(arguments, &records, &screen),
        Command::Shelf(arguments) => shelf::run(arguments, &screen),
        Command::Import(arguments) => import::run(arguments, &records, &screen),
        Command::Compare(arguments) => compare::run(arguments, &records, &screen),
        Command::Plot(arguments) => plot::run(arguments, &records, &screen),
        Command::Suites(data) => suites::run(data, &screen),
        Command::Explain { words } => explain::run(words, &screen),
        Command::Engines(data) => engines::run(data, &screen),
        Command::Run(arguments) => run::run(arguments, &records, &screen),
        Command::Hdparm { words: operands } => tools::hdparm::run(operands, guess_language(&words)),
        Command::Dd { words: operands } => tools::dd::run(operands, guess_language(&words)),
        Command::Iozone { words: operands } => tools::iozone::run(operands, guess_language(&words)),
        Command::Fio { words } => Ok(fio::run(Called::Subcommand, words)),
        Command::Completions { shell } => shell::completions(*shell, &screen),
        Command::Man { directory } => shell::man_pages(directory, &screen),
    };
    // A read-only command whose output could not be written has failed.
    let failed = || screen.take_failure().filter(|_| cli.command.is_read_only());
    match outcome.and_then(|code| if code == exit::DONE { failed().map_or(Ok(code), Err) } else { Ok(code) })
    {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            failure.lines().for_each(|message| screen.complain_message(message));
            ExitCode::from(failure.code)
        }
    }
}

/// Shows the help that was asked for, or the error of the command line. Returns the exit code.
fn show_help_or_error(error: clap::Error, words: &[OsString]) -> u8 {
    let language = guess_language(words);
    let screen = Screen::new(error.use_stderr(), language, Coloring::Auto, false);
    let error =
        help::command_line(language, screen.style()).try_get_matches_from(words).err().unwrap_or(error);
    match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            screen.say(&error.render().ansi().to_string());
        }
        // A closed pipe is not an error.
        _ => {
            let _ = write!(std::io::stderr(), "{}", plain(&usage::render(&error, language)));
        }
    }
    if let Some(failure) = screen.take_failure() {
        screen.complain_message(&failure.message);
        return failure.code;
    }
    if error.use_stderr() { exit::USAGE } else { exit::DONE }
}

/// The file in the `--json FILE` of earlier versions, which would be taken for a path or a job file.
fn file_of_json(words: &[OsString]) -> Option<String> {
    let had_file = words.iter().any(|word| ["check", "drive", "run"].iter().any(|command| word == command));
    let pair = words.windows(2).find(|pair| pair[0] == "--json").filter(|_| had_file)?;
    let file = pair[1].to_str().filter(|file| *file == "-" || file.ends_with(".json"))?;
    Some(file.to_string())
}

/// The language of a command line that is not parsed: that of a `--lang`, or the environment's.
fn guess_language(words: &[OsString]) -> Language {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let apart = words.windows(2).filter(|pair| pair[0] == "--lang").map(|pair| pair[1].as_ref());
    let joined = words.iter().filter_map(|word| word.strip_prefix("--lang="));
    let named = apart.chain(joined).find_map(|code| code.parse().ok());
    named.unwrap_or_else(environment_language)
}

fn environment_language() -> Language {
    cardiograph_catalogue::from_environment(|name| std::env::var(name).ok())
}

/// fio's words, if the program was called as `fio` or as `cardiograph fio`: clap must not parse them.
fn fio_command_line() -> Option<(Called, Vec<OsString>)> {
    let mut words = std::env::args_os();
    let name = words.next()?;
    if is_called(&name, "fio") {
        return Some((Called::Fio, words.collect()));
    }
    (words.next()? == "fio").then(|| (Called::Subcommand, words.collect()))
}

/// Whether the file name of a path is `name`.
fn is_called(path: &OsStr, name: &str) -> bool {
    Path::new(path).file_name() == Some(OsStr::new(name))
}
