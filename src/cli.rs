//! The command line. Help, man pages and completions are made from this.

mod check;
mod compare;
mod kept;
#[cfg(test)]
#[allow(dead_code)]
#[path = "../tests/program/outputs/options.rs"]
mod options;
mod others;

use std::path::PathBuf;

use cardiograph_jobs::value::parse_share;
use cardiograph_judge::compare::price::{PRICE_TAG, Price};
use clap::{Args, Parser, Subcommand};

pub use check::CheckArguments;
pub use compare::CompareArguments;
pub use kept::{HistoryArguments, PlotArguments, RemoveArguments, ShowArguments, Since, StoreCommand};
pub use others::{ImportArguments, ShelfArguments};

const EXAMPLES: &str = "\
Examples:
  cardiograph check                      the drive under this directory, about a minute
  cardiograph check /mnt/card            the drive under any directory you can write to
  cardiograph drive                      the drives of this machine, and what they claim
  cardiograph check --dry-run            what would be run and written, at most
  cardiograph check --simulate sandisk-ultra-64
                                         a simulated drive, in under a second";

const DRIVE_HELP: &str = "\
Nothing is written and nothing is measured. What only root may see, and what
needs a program that is not installed, is named as not known.

Examples:
  cardiograph drive                      all drives, with their ids
  cardiograph drive /mnt/card            what stands under a path
  cardiograph drive /dev/mmcblk0 --json -";

/// A storage checkup: measures a drive, says how far each figure can be trusted and what the drive is good for
#[derive(Debug, Parser)]
#[command(name = "cardiograph", version, after_help = EXAMPLES, max_term_width = 100, disable_help_subcommand = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Save and find checkups in this file instead of the one in your data directory; made where it is missing
    #[arg(long, global = true, value_name = "FILE")]
    pub store: Option<PathBuf>,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Measure a drive and say what it is good for
    #[command(after_help = check::HELP)]
    Check(CheckArguments),
    /// Tell what a drive is and claims, without measuring; or list all drives
    #[command(after_help = DRIVE_HELP)]
    Drive(DriveArguments),
    /// List the checkups that are kept, the newest first
    #[command(after_help = kept::HISTORY_HELP)]
    History(HistoryArguments),
    /// Show a checkup that is kept, as it was printed
    #[command(after_help = kept::SELECTOR_HELP)]
    Show(ShowArguments),
    /// Remove saved checkups for good
    #[command(after_help = kept::REMOVE_HELP)]
    Remove(RemoveArguments),
    /// Mend the file in which checkups are saved
    Store {
        #[command(subcommand)]
        command: StoreCommand,
    },
    /// Show what others measured of other drives: published results, with their sources
    #[command(after_help = others::SHELF_HELP)]
    Shelf(ShelfArguments),
    /// Keep what other programs measured: read their outputs and logs
    #[command(after_help = others::IMPORT_HELP)]
    Import(ImportArguments),
    /// Set checkups beside each other, and say what differs by more than chance
    #[command(after_help = compare::HELP)]
    Compare(CompareArguments),
    /// Draw checkups that are kept: bars, speed and latency over time, percentiles, sweeps
    #[command(after_help = kept::PLOT_HELP)]
    Plot(PlotArguments),
    /// List the suites, their steps, and the purposes that are judged
    Suites,
    /// List the engines, and why one is not available here
    Engines,
    /// Run one job, written with fio's option names, and show its figures
    #[command(
        after_help = "Example:\n  cardiograph job rw=randread bs=4k size=512M runtime=10 time_based=1 \
                            direct=1 ioengine=io_uring iodepth=32"
    )]
    Job(JobArguments),
    /// Run fio's job files, and show and keep the figures as a checkup's
    #[command(after_help = "Example:\n  cardiograph run ssd-test.fio --section seqread")]
    Run(RunArguments),
    /// fio's command line, job files and outputs (see `cardiograph fio --help`)
    #[command(disable_help_flag = true, disable_version_flag = true)]
    Fio {
        /// fio's options and job files
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTION|FILE")]
        words: Vec<std::ffi::OsString>,
    },
    /// hdparm's timings of a device, with its output (see `cardiograph hdparm --help`)
    #[command(disable_help_flag = true, after_help = crate::tools::hdparm::HELP)]
    Hdparm {
        /// hdparm's options and devices
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTION|DEVICE")]
        words: Vec<std::ffi::OsString>,
    },
    /// dd's copies to and from a drive, with its output (see `cardiograph dd --help`)
    #[command(disable_help_flag = true, after_help = crate::tools::dd::HELP)]
    Dd {
        /// dd's operands
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPERAND")]
        words: Vec<std::ffi::OsString>,
    },
    /// iozone's tests 0, 1 and 2, with its output (see `cardiograph iozone --help`)
    #[command(disable_help_flag = true, after_help = crate::tools::iozone::HELP)]
    Iozone {
        /// iozone's options
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTION")]
        words: Vec<std::ffi::OsString>,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write man pages into a directory
    Man {
        /// The directory
        directory: PathBuf,
    },
}

impl Command {
    /// Whether standard output is taken, so that words go to standard error.
    pub fn words_on_stderr(&self) -> bool {
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

    /// Whether it does nothing but tell, so that what cannot be written is lost. What was measured is kept.
    pub fn only_tells(&self) -> bool {
        match self {
            Command::Job(_) | Command::Run(_) | Command::Remove(_) | Command::Store { .. } => false,
            Command::Check(arguments) => arguments.dry_run,
            Command::Import(arguments) => arguments.list_formats || arguments.dry_run,
            _ => true,
        }
    }
}

/// Arguments of `drive`.
#[derive(Debug, Args)]
pub struct DriveArguments {
    /// A path on the drive, its device or the kernel's name of it; without one, all drives are listed
    #[arg(value_name = "PATH|DEVICE")]
    pub path: Option<PathBuf>,

    /// Write it as JSON ('-': to standard output, instead of the words)
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
}

/// Arguments of `job`.
#[derive(Debug, Args)]
pub struct JobArguments {
    /// fio options as NAME=VALUE
    #[arg(value_name = "NAME=VALUE", required = true)]
    pub settings: Vec<String>,

    /// Print the result as JSON instead
    #[arg(long)]
    pub json: bool,

    /// Run the job once for each line on standard input, on the same file, so that other programs can take turns
    #[arg(long)]
    pub each_line: bool,
}

/// Arguments of `run`.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// fio job files ('-': standard input)
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<std::ffi::OsString>,

    /// Run only this section; may be repeated
    #[arg(long, value_name = "NAME")]
    pub section: Vec<String>,

    /// Write the whole Report as JSON ('-': to standard output; the words then go to standard error)
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,

    /// A name for the drive, to find the Report by
    #[arg(long, value_name = "TEXT")]
    pub label: Option<String>,

    /// The content of the device with this id may be destroyed; a refusal tells the id
    #[arg(long, value_name = "ID")]
    pub allow_destroy: Vec<String>,

    /// Show all figures of each job, and the fio command line that does the same
    #[arg(short, long)]
    pub verbose: bool,

    /// Do not keep the Report
    #[arg(long)]
    pub no_keep: bool,
}

fn parse_precision(text: &str) -> Result<f64, String> {
    parse_share(text).map_err(|error| format!("{error}; write it as 2%"))
}

fn parse_setting(text: &str) -> Result<(String, String), String> {
    let (name, value) =
        text.split_once('=').filter(|(name, _)| !name.trim().is_empty()).ok_or("write it as NAME=VALUE")?;
    Ok((name.to_string(), value.to_string()))
}

/// A tag of a checkup. Figures per price need one that can be read, and who notes it should learn that now.
fn parse_tag(text: &str) -> Result<(String, String), String> {
    let (name, value) = parse_setting(text)?;
    if name == PRICE_TAG && Price::parse(&value).is_none() {
        return Err("a price is an amount and its currency, as price=980JPY or price='12.50 EUR'".to_string());
    }
    Ok((name, value))
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
    fn of_each_argument_it_is_known_whether_it_is_a_path() {
        fn values<'a>(command: &'a clap::Command, found: &mut Vec<(&'a str, &'a str)>) {
            let arguments = command.get_arguments().filter(|argument| argument.get_action().takes_values());
            found.extend(arguments.map(|argument| (command.get_name(), argument.get_id().as_str())));
            command.get_subcommands().for_each(|below| values(below, found));
        }
        let (program, mut found) = (Cli::command(), Vec::new());
        values(&program, &mut found);
        found.sort_unstable();
        let mut known: Vec<_> = options::CARDIOGRAPH.iter().map(|row| (row.0, row.1)).collect();
        known.sort_unstable();
        assert_eq!(found, known, "tests/program/outputs/options.rs says of each what it is");
    }

    #[test]
    fn precisions() {
        assert_eq!(parse_precision("2%"), Ok(0.02));
        assert_eq!(parse_precision("0.5"), Ok(0.005));
        assert!(parse_precision("0").unwrap_err().contains("more than 0"));
        assert!(parse_precision("two").unwrap_err().contains("write it as 2%"));
    }
}
