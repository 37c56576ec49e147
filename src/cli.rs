//! The command line. Help, man pages and completions are made from this.

mod check;
mod compare;
mod exports;
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
pub use exports::{DataExports, FileOption, Form, PictureExports, RENAMED, STDOUT, elsewhere};
pub use others::{ImportArguments, SendArguments, ServeArguments, ShelfArguments, TokenCommand};
pub use saved::{
    HistoryArguments, LabelArguments, PlotArguments, RemoveArguments, ShowArguments, StoreCommand,
    TagArguments,
};
pub use values::{Coloring, Since};

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
    /// `auto` follows the terminal and the environment.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", value_parser = values::parse_color)]
    pub color: Coloring,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Check(CheckArguments),
    Drive(DriveArguments),
    History(HistoryArguments),
    Show(ShowArguments),
    Label(LabelArguments),
    Tag(TagArguments),
    Remove(RemoveArguments),
    Store {
        #[command(subcommand)]
        command: StoreCommand,
    },
    Send(SendArguments),
    Token {
        #[command(subcommand)]
        command: TokenCommand,
    },
    Serve(ServeArguments),
    Shelf(ShelfArguments),
    Import(ImportArguments),
    Compare(CompareArguments),
    Plot(PlotArguments),
    Suites(DataExports),
    Engines(DataExports),
    Explain {
        #[arg(value_name = "WORD")]
        words: Vec<String>,
    },
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
    /// What the command writes besides text, if it can.
    fn exports(&self) -> (DataExports, PictureExports) {
        let data = match self {
            Command::Check(arguments) => &arguments.data,
            Command::Drive(arguments) => &arguments.data,
            Command::History(arguments) => &arguments.data,
            Command::Shelf(arguments) => &arguments.data,
            Command::Compare(arguments) => &arguments.data,
            Command::Show(arguments) => &arguments.data,
            Command::Run(arguments) => &arguments.data,
            Command::Token { command: TokenCommand::List(data) } => data,
            Command::Suites(data) | Command::Engines(data) => data,
            _ => &DataExports::default(),
        };
        let pictures = match self {
            Command::Check(arguments) => &arguments.pictures,
            Command::Show(arguments) => &arguments.pictures,
            Command::Plot(arguments) => &arguments.pictures,
            Command::Run(arguments) => &arguments.pictures,
            _ => &PictureExports::default(),
        };
        (data.clone(), pictures.clone())
    }

    /// Whether text goes to standard error because standard output carries data.
    pub fn text_on_stderr(&self) -> bool {
        let (data, pictures) = self.exports();
        match self {
            Command::Job(arguments) => arguments.json,
            Command::Store { command: StoreCommand::Export { file } } => file == STDOUT,
            Command::Show(arguments) if arguments.fio.is_some() => true,
            // Only the token, so that it can be piped to where it belongs.
            Command::Token { command: TokenCommand::Add { .. } | TokenCommand::Replace { .. } } => true,
            _ => data.files().into_iter().chain(pictures.files()).any(|(_, _, file)| file == Some(STDOUT)),
        }
    }

    /// Whether the command is read-only, so that it fails if its output cannot be written. Measurements are saved regardless.
    pub fn is_read_only(&self) -> bool {
        match self {
            Command::Job(_) | Command::Run(_) | Command::Send(_) => false,
            Command::Label(_) | Command::Tag(_) | Command::Remove(_) | Command::Store { .. } => false,
            Command::Token { command } => matches!(command, TokenCommand::List(_)),
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
    #[command(flatten)]
    pub data: DataExports,
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
    #[command(flatten)]
    pub data: DataExports,
    #[command(flatten)]
    pub pictures: PictureExports,
    /// In nanoseconds.
    #[arg(long, value_name = "TIME", value_parser = values::parse_time)]
    pub max_time: Option<u64>,
    #[arg(long, value_name = "TEXT", value_parser = values::parse_label)]
    pub label: Option<String>,
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::parse_tag)]
    pub tag: Vec<(String, String)>,
    #[arg(long, value_name = "ID")]
    pub allow_erase: Vec<String>,
    #[arg(short, long)]
    pub verbose: bool,
    #[arg(long)]
    pub no_keep: bool,
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, conflicts_with = "no_keep")]
    pub send: Option<Option<String>>,
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
