//! The command line. Help, man pages and completions are made from this.

mod check;
mod compare;
#[cfg(test)]
#[allow(dead_code)]
#[path = "../tests/program/outputs/options.rs"]
mod options;
mod others;
mod saved;
mod values;

use std::path::PathBuf;

use cardiograph_catalogue::Language;
use cardiograph_core::units::BandwidthUnits;
use clap::{Args, Parser, Subcommand};

pub use check::CheckArguments;
pub use compare::CompareArguments;
pub use others::{ImportArguments, ShelfArguments};
pub use saved::{HistoryArguments, PlotArguments, RemoveArguments, ShowArguments, StoreCommand};
pub use values::Since;

/// The whole command line. Help texts are in the catalogue; see [`crate::help`].
#[derive(Debug, Parser)]
#[command(name = "cardiograph", version, disable_help_subcommand = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[arg(long, global = true, value_name = "FILE")]
    pub store: Option<PathBuf>,
    /// Defaults to the language of the environment.
    #[arg(long, global = true, value_name = "LANG", value_parser = values::languages())]
    pub lang: Option<Language>,
    /// Bandwidth in MB/s or MiB/s.
    #[arg(long, global = true, value_name = "UNITS", default_value = "decimal", value_parser = values::parse_units)]
    pub units: BandwidthUnits,
    /// Prints only results, warnings and errors.
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Check(CheckArguments),
    Drive(DriveArguments),
    History(HistoryArguments),
    Show(ShowArguments),
    Remove(RemoveArguments),
    Store {
        #[command(subcommand)]
        command: StoreCommand,
    },
    Shelf(ShelfArguments),
    Import(ImportArguments),
    Compare(CompareArguments),
    Plot(PlotArguments),
    Suites,
    Engines,
    Job(JobArguments),
    Run(RunArguments),
    #[command(disable_help_flag = true, disable_version_flag = true)]
    Fio {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTION|FILE")]
        words: Vec<std::ffi::OsString>,
    },
    #[command(disable_help_flag = true)]
    Hdparm {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTION|DEVICE")]
        words: Vec<std::ffi::OsString>,
    },
    #[command(disable_help_flag = true)]
    Dd {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPERAND")]
        words: Vec<std::ffi::OsString>,
    },
    #[command(disable_help_flag = true)]
    Iozone {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTION")]
        words: Vec<std::ffi::OsString>,
    },
    Completions {
        shell: clap_complete::Shell,
    },
    Man {
        directory: PathBuf,
    },
}

impl Command {
    /// Whether text goes to standard error because standard output carries data.
    pub fn text_on_stderr(&self) -> bool {
        match self {
            Command::Check(arguments) => arguments.json.as_deref() == Some("-"),
            Command::Job(arguments) => arguments.json,
            Command::Drive(arguments) => arguments.json.as_deref() == Some("-"),
            Command::History(arguments) => arguments.json,
            Command::Shelf(arguments) => arguments.json,
            Command::Compare(arguments) => arguments.json || arguments.csv || arguments.markdown,
            Command::Show(arguments) => {
                let is_piped = arguments.html.as_deref() == Some("-");
                arguments.json || arguments.markdown || arguments.csv || arguments.fio.is_some() || is_piped
            }
            Command::Plot(arguments) => {
                [&arguments.svg, &arguments.png].into_iter().any(|file| file.as_deref() == Some("-"))
            }
            Command::Run(arguments) => arguments.json.as_deref() == Some("-"),
            _ => false,
        }
    }

    /// Whether the command is read-only, so that it fails if its output cannot be written. Measurements are saved regardless.
    pub fn is_read_only(&self) -> bool {
        match self {
            Command::Job(_) | Command::Run(_) | Command::Remove(_) | Command::Store { .. } => false,
            Command::Check(arguments) => arguments.dry_run,
            Command::Import(arguments) => arguments.list_formats || arguments.dry_run,
            _ => true,
        }
    }

    /// Whether the command emulates another program, whose output is English.
    pub fn is_emulation(&self) -> bool {
        matches!(
            self,
            Command::Fio { .. } | Command::Hdparm { .. } | Command::Dd { .. } | Command::Iozone { .. }
        )
    }
}

/// Arguments of `drive`.
#[derive(Debug, Args)]
pub struct DriveArguments {
    #[arg(value_name = "PATH|DEVICE")]
    pub path: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
}

/// Arguments of `job`.
#[derive(Debug, Args)]
pub struct JobArguments {
    #[arg(value_name = "NAME=VALUE", required = true)]
    pub settings: Vec<String>,
    #[arg(long)]
    pub json: bool,
    #[arg(long)]
    pub each_line: bool,
}

/// Arguments of `run`.
#[derive(Debug, Args)]
pub struct RunArguments {
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<std::ffi::OsString>,
    #[arg(long, value_name = "NAME")]
    pub section: Vec<String>,
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
    #[arg(long, value_name = "TEXT")]
    pub label: Option<String>,
    #[arg(long, value_name = "ID")]
    pub allow_destroy: Vec<String>,
    #[arg(short, long)]
    pub verbose: bool,
    #[arg(long)]
    pub no_keep: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_table_of_options_is_complete() {
        fn collect<'a>(command: &'a clap::Command, found: &mut Vec<(&'a str, &'a str)>) {
            let arguments = command.get_arguments().filter(|argument| argument.get_action().takes_values());
            found.extend(arguments.map(|argument| (command.get_name(), argument.get_id().as_str())));
            command.get_subcommands().for_each(|below| collect(below, found));
        }
        let (program, mut found) = (Cli::command(), Vec::new());
        collect(&program, &mut found);
        found.sort_unstable();
        let mut known: Vec<_> = options::CARDIOGRAPH.iter().map(|row| (row.0, row.1)).collect();
        known.sort_unstable();
        assert_eq!(found, known, "tests/program/outputs/options.rs lists each argument");
    }
}
