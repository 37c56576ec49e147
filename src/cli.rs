//! The command line. Help, man pages and completions are made from this.

mod compare;

use std::path::PathBuf;

use cardiograph_core::value::{parse_duration_ns, parse_share};
use cardiograph_core::verdict::Level;
use cardiograph_formats::import::table::Map;
use cardiograph_formats::lang::Lang;
use cardiograph_formats::plot::{Kind, WIDTH_MAX, WIDTH_MIN};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};

pub use compare::CompareArguments;

const EXAMPLES: &str = "\
Examples:
  cardiograph check                      the drive under this directory, about a minute
  cardiograph check /mnt/card            the drive under any directory you can write to
  cardiograph drive                      the drives of this machine, and what they claim
  cardiograph check --dry-run            what would be run and written, at most
  cardiograph check --simulate sandisk-ultra-64
                                         a simulated drive, in under a second";

const CHECK_HELP: &str = "\
What it does:
  Makes nameless test files in PATH, measures with them and removes them. It
  needs no root and touches no other file. What it will write at most is shown
  before it writes; it is never more than 1 % of the drive's capacity and 8 GiB
  with the default suite.

Reading the result:
  A percentile with fewer than 10 samples above it is withheld ('-'). A figure
  that the kernel's own counters contradict is withheld and judges nothing.
  Verdicts are: comfortable, enough, not enough, cannot be judged.

Exit codes:
  0    done
  1    a --require is not met
  2    wrong usage, or the surroundings do not allow it
  3    an I/O failed, or the drive stopped answering
  4    a --require cannot be judged
  129, 130, 143
       interrupted (terminal closed, Ctrl-C, SIGTERM); finished steps are kept

Examples:
  cardiograph check /mnt/card --label 'card A' --require db-light
  cardiograph check --precision 2% --max-time 3m
  cardiograph check --suite sd-class --require claim:v30
  cardiograph check --suite article --json report.json
  cardiograph check --simulate my-drive.toml --seed 7";

const DRIVE_HELP: &str = "\
Nothing is written and nothing is measured. What only root may see, and what
needs a program that is not installed, is named as not known.

Examples:
  cardiograph drive                      all drives, with their ids
  cardiograph drive /mnt/card            what stands under a path
  cardiograph drive /dev/mmcblk0 --json -";

const SELECTOR_HELP: &str = "\
A SELECTOR is an id or its beginning, a label, or
  @last, @last~1     the newest checkup, the one before
  label:NAME         what a checkup was called with --label
  tag:NAME=VALUE     what was noted with --tag
  drive:ID           the drive's serial number, id or model
  FILE               a Report that --json wrote

Examples:
  cardiograph show @last
  cardiograph show 20261122 --verbose
  cardiograph show label:microsd --json
  cardiograph show @last --html report.html
  cardiograph show @last --markdown --lang ja";

const HISTORY_HELP: &str = "\
Examples:
  cardiograph history --since 30d
  cardiograph history --suite sd-class --tag board='Pi 5'";

const SHELF_HELP: &str = "\
A figure is only worth comparing with one that was measured in the same way: a
SOURCE shows the commands that made its figures.

Examples:
  cardiograph shelf                      the sources
  cardiograph shelf dramble-cards        the tables of one
  cardiograph shelf --drive 'samsung evo'
                                         what all of them say of a drive";

const IMPORT_HELP: &str = "\
What is imported:
  What a file tells, and nothing else. A file may hold several outputs, with
  prompts and text around them; each drive in it becomes a checkup of its own.
  A file with a problem is left out as a whole, with the lines that are wrong.

Tables (--map):
  Markdown, columns of spaces or tabs, comma-separated. MAP has assignments with
  ';' between them: drive=COLUMN, test=COLUMN, TEST.FIGURE=COLUMN UNIT, and
  TEST: COMMAND, which tells how it was measured. A COLUMN is a number from 1, a
  heading, or * for all that have a drive as their heading.

Exit codes:
  0    done
  2    a file could not be read; the others are kept
  3    the store cannot be written

Examples:
  cardiograph import fio.txt --label ssd --tag board='Pi 5'
  fio --output-format=json job.fio | cardiograph import -
  cardiograph import run_lat.1.log run_bw.1.log --dry-run
  cardiograph import --list-formats
  cardiograph import table.md --map 'drive=1; wr: dd if=/dev/zero of=x bs=8k
      conv=fsync; wr.write.bandwidth=dd write MB/s'";

const PLOT_HELP: &str = "\
Kinds:
  bars               the figure of each test, with its interval
  over-time          speed over time, with the fall-off and stalls
  percentiles        latency by percentile
  distribution       how many I/Os had which latency
  latency-over-time  mean and slowest latency of each window
  sweep              the tables of a sweep as fields of colour

Examples:
  cardiograph plot @last --svg bars.svg
  cardiograph plot microsd ssd --kind percentiles --step durable-write --png fsync.png
  cardiograph plot @last --kind over-time --svg - --lang ja";

/// A storage checkup: measures a drive, says how far each figure can be trusted and what the drive is good for
#[derive(Debug, Parser)]
#[command(name = "cardiograph", version, after_help = EXAMPLES, max_term_width = 100, disable_help_subcommand = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Keep and find checkups in this file instead of the one in your data directory
    #[arg(long, global = true, value_name = "FILE")]
    pub store: Option<PathBuf>,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Measure a drive and say what it is good for
    #[command(after_help = CHECK_HELP)]
    Check(CheckArguments),
    /// Tell what a drive is and claims, without measuring; or list all drives
    #[command(after_help = DRIVE_HELP)]
    Drive(DriveArguments),
    /// List the checkups that are kept, the newest first
    #[command(after_help = HISTORY_HELP)]
    History(HistoryArguments),
    /// Show a checkup that is kept, as it was printed
    #[command(after_help = SELECTOR_HELP)]
    Show(ShowArguments),
    /// Show what others measured of other drives: published results, with their sources
    #[command(after_help = SHELF_HELP)]
    Shelf(ShelfArguments),
    /// Keep what other programs measured: read their outputs and logs
    #[command(after_help = IMPORT_HELP)]
    Import(ImportArguments),
    /// Set checkups beside each other, and say what differs by more than chance
    #[command(after_help = compare::HELP)]
    Compare(CompareArguments),
    /// Draw checkups that are kept: bars, speed and latency over time, percentiles, sweeps
    #[command(after_help = PLOT_HELP)]
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
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// A directory on the drive; for some suites its block device
    #[arg(default_value = ".", conflicts_with = "simulate", value_name = "PATH|DEVICE")]
    pub path: PathBuf,

    /// Which checkup (see `cardiograph suites`)
    #[arg(long, value_name = "NAME", default_value = cardiograph_suites::DEFAULT)]
    pub suite: String,

    /// Set something of the suite's own, as NAME=VALUE (see `cardiograph suites`); may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_setting)]
    pub set: Vec<(String, String)>,

    /// Check a simulated drive instead, in simulated time: a shipped model, or a TOML file
    #[arg(long, value_name = "MODEL|FILE")]
    pub simulate: Option<String>,

    /// Show what would be run and how many bytes written, at most, and do nothing
    #[arg(long)]
    pub dry_run: bool,

    /// Write the whole Report as JSON ('-': to standard output; the words then go to standard error)
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,

    /// Write it as one HTML file with pictures, at the end
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    pub html: Option<PathBuf>,

    /// Take no longer than this, as 30s or 2m; steps become shorter or are left out
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub max_time: Option<u64>,

    /// End each step that measures a rate when the rate is known to this, as 2%, and its speed has settled; --max-time
    /// bounds it
    #[arg(long, value_name = "PERCENT", value_parser = parse_precision)]
    pub precision: Option<f64>,

    /// A name for the drive, to find the Report by
    #[arg(long, value_name = "TEXT")]
    pub label: Option<String>,

    /// Something to find and compare the Report by, as board="Pi 5" or price=980JPY; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_setting)]
    pub tag: Vec<(String, String)>,

    /// Exit with 1 unless the drive is enough for this purpose (or PURPOSE=comfortable), or unless a claim is found kept, as
    /// claim:v30, claim:capacity or claim:flush; may be repeated
    #[arg(long, value_name = "PURPOSE|claim:ID", value_parser = parse_requirement)]
    pub require: Vec<Requirement>,

    /// Measure through the page cache instead of with direct I/O: the figures are then the system's, not the drive's
    #[arg(long, conflicts_with = "simulate")]
    pub buffered: bool,

    /// Show all figures of each step, and the fio command line that does the same
    #[arg(short, long)]
    pub verbose: bool,

    /// The content of the device with this id may be destroyed; a refusal tells the id
    #[arg(long, value_name = "ID", conflicts_with = "simulate")]
    pub allow_destroy: Vec<String>,

    /// Go on with the last checkup of this suite, drive and settings that was interrupted
    #[arg(long, conflicts_with_all = ["no_keep", "dry_run"])]
    pub resume: bool,

    /// Do not keep the Report
    #[arg(long)]
    pub no_keep: bool,

    /// Seed of all that is random; a simulated checkup with the same seed gives the same Report
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
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

/// Arguments of `history`.
#[derive(Debug, Args)]
pub struct HistoryArguments {
    /// Only of this drive: its model, serial number or id
    #[arg(long, value_name = "ID")]
    pub drive: Option<String>,

    /// Only of this suite
    #[arg(long, value_name = "NAME")]
    pub suite: Option<String>,

    /// Only since this day (2026-11-22), or for so long (30d, 12h)
    #[arg(long, value_name = "DATE|TIME", value_parser = parse_since)]
    pub since: Option<Since>,

    /// Only of this machine
    #[arg(long, value_name = "NAME")]
    pub host: Option<String>,

    /// Only with this tag; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_setting)]
    pub tag: Vec<(String, String)>,

    /// At most so many
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,

    /// Write the list as JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `show`.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("page").args(["html", "markdown"]))]
pub struct ShowArguments {
    /// Which checkup
    #[arg(value_name = "SELECTOR")]
    pub selector: String,

    /// Show all figures of each step, too
    #[arg(short, long)]
    pub verbose: bool,

    /// Write the whole Report as JSON instead
    #[arg(long, conflicts_with = "verbose")]
    pub json: bool,

    /// Write it as one HTML file, with pictures, that needs no script and no network ('-': to standard output)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["verbose", "json"])]
    pub html: Option<String>,

    /// Write it as Markdown instead, to paste into an article
    #[arg(long, conflicts_with_all = ["verbose", "json", "html"])]
    pub markdown: bool,

    /// Write its figures as CSV instead: run, test, direction, metric, value, unit, n, low, high, doubt
    #[arg(long, conflicts_with_all = ["verbose", "json", "html", "markdown"])]
    pub csv: bool,

    /// Write what its steps measured as fio's own JSON instead ('json+': with the bins of latencies)
    #[arg(long, value_name = "FORMAT", value_parser = ["json", "json+"],
          conflicts_with_all = ["verbose", "json", "page", "csv"])]
    pub fio: Option<String>,

    /// Language of headings and labels, with --html and --markdown: en (the default) or ja
    #[arg(long, value_name = "LANG", requires = "page")]
    pub lang: Option<Lang>,
}

/// Arguments of `plot`.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("file").args(["svg", "png"]).multiple(true).required(true))]
pub struct PlotArguments {
    /// Which checkups, beside each other in one picture (see `cardiograph show --help`)
    #[arg(value_name = "SELECTOR", required = true)]
    pub selectors: Vec<String>,

    /// Write the picture as SVG ('-': to standard output)
    #[arg(long, value_name = "FILE")]
    pub svg: Option<String>,

    /// Write the picture as PNG, in the fonts of this machine ('-': to standard output)
    #[arg(long, value_name = "FILE")]
    pub png: Option<String>,

    /// What is drawn
    #[arg(long, value_name = "KIND", default_value = Kind::Bars.name(), value_parser = kinds())]
    pub kind: Kind,

    /// Draw only the step of this id (`show --verbose` tells the ids)
    #[arg(long, value_name = "ID")]
    pub step: Option<String>,

    /// Width of the picture in pixels
    #[arg(long, value_name = "PX", default_value_t = 720,
          value_parser = clap::value_parser!(u32).range(i64::from(WIDTH_MIN)..=i64::from(WIDTH_MAX)))]
    pub width: u32,

    /// Language of the labels: en or ja
    #[arg(long, value_name = "LANG", default_value = Lang::En.code())]
    pub lang: Lang,
}

fn kinds() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::ALL.map(Kind::name)).map(|name| {
        let found = Kind::ALL.into_iter().find(|kind| kind.name() == name);
        found.expect("only the names of kinds are accepted")
    })
}

/// Arguments of `shelf`.
#[derive(Debug, Args)]
pub struct ShelfArguments {
    /// Show the tables of this source
    #[arg(value_name = "SOURCE")]
    pub source: Option<String>,

    /// Only drives with this in their name; their tables are shown
    #[arg(long, value_name = "TEXT")]
    pub drive: Option<String>,

    /// Write it as JSON, with all tables
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `import`.
#[derive(Debug, Args)]
pub struct ImportArguments {
    /// Outputs and logs of other programs ('-': standard input)
    #[arg(value_name = "FILE", required_unless_present = "list_formats")]
    pub files: Vec<String>,

    /// Which format they have, where it is not recognised
    #[arg(long, value_name = "FORMAT")]
    pub r#as: Option<String>,

    /// Read tables by what this says of their columns, as 'drive=1; read.bandwidth=2 MB/s' (more below)
    #[arg(long, value_name = "MAP", conflicts_with = "as")]
    pub map: Option<Map>,

    /// A name for the drive, to find the checkups by
    #[arg(long, value_name = "TEXT")]
    pub label: Option<String>,

    /// Something to find and compare the checkups by, as board="Pi 5" or price=980JPY; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_setting)]
    pub tag: Vec<(String, String)>,

    /// List the formats that are known
    #[arg(long)]
    pub list_formats: bool,

    /// Read and show, and keep nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// From when on checkups are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    /// From a moment on, in milliseconds since 1970-01-01 UTC.
    Moment(u64),
    /// For so many milliseconds until now.
    Ago(u64),
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

/// What decides the exit code of a checkup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Requirement {
    /// A purpose, and how good the drive must be for it.
    Purpose {
        /// Its id.
        purpose: String,
        /// The least level.
        level: Level,
    },
    /// Something that is said of the drive, and must be found kept.
    Claim {
        /// Its id.
        id: String,
    },
}

fn parse_time(text: &str) -> Result<u64, String> {
    match parse_duration_ns(text, cardiograph_core::NS_PER_S) {
        Ok(0) => Err("must be longer than nothing".to_string()),
        Ok(ns) => Ok(ns),
        Err(error) => Err(format!("{error}; write it as 30s, 2m or 1h")),
    }
}

/// A day in UTC, as Reports have it, or a time until now. Months and years are of different lengths.
fn parse_since(text: &str) -> Result<Since, String> {
    const MS_PER_DAY: u64 = 24 * 3_600 * 1_000;
    const HOW: &str = "write it as 2026-11-22, 30d or 12h";
    if let Ok(date) = time::Date::parse(text, time::macros::format_description!("[year]-[month]-[day]")) {
        let seconds = date.midnight().assume_utc().unix_timestamp();
        return u64::try_from(seconds * 1_000).map(Since::Moment).map_err(|_| HOW.to_string());
    }
    if let Some(days) = text.strip_suffix('d').and_then(|days| days.parse::<u64>().ok()) {
        return days.checked_mul(MS_PER_DAY).map(Since::Ago).ok_or_else(|| HOW.to_string());
    }
    let ns =
        parse_duration_ns(text, cardiograph_core::NS_PER_S).map_err(|error| format!("{error}; {HOW}"))?;
    Ok(Since::Ago(ns / 1_000_000))
}

fn parse_precision(text: &str) -> Result<f64, String> {
    parse_share(text).map_err(|error| format!("{error}; write it as 2%"))
}

fn parse_setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    Ok((name.to_string(), value.to_string()))
}

fn parse_requirement(text: &str) -> Result<Requirement, String> {
    if let Some(id) = text.strip_prefix("claim:") {
        return parse_claim(id);
    }
    let (purpose, level) = match text.split_once('=') {
        None | Some((_, "enough")) => (text.split('=').next().unwrap_or(text), Level::Enough),
        Some((purpose, "comfortable")) => (purpose, Level::Comfortable),
        Some((_, other)) => return Err(format!("'{other}' is not a level; use enough or comfortable")),
    };
    let known: Vec<&str> = cardiograph_suites::rules::PURPOSES.iter().map(|purpose| purpose.id).collect();
    if !known.contains(&purpose) {
        return Err(format!("no purpose is called '{purpose}'; there are: {}", known.join(", ")));
    }
    Ok(Requirement::Purpose { purpose: purpose.to_string(), level })
}

fn parse_claim(id: &str) -> Result<Requirement, String> {
    // As it is printed on the card.
    let id = id.to_lowercase();
    let known: Vec<String> = cardiograph_suites::SUITES.iter().flat_map(|suite| suite.claim_ids()).collect();
    match id.split_once('=') {
        Some((id, _)) => Err(format!("a claim is kept or not and has no level; write claim:{id}")),
        None if known.contains(&id) => Ok(Requirement::Claim { id }),
        None => Err(format!("no claim is called '{id}'; there are: {}", known.join(", "))),
    }
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
    fn requirements() {
        let purpose = |purpose: &str, level| Requirement::Purpose { purpose: purpose.to_string(), level };
        let claim = |id: &str| Requirement::Claim { id: id.to_string() };
        for (text, expected) in [
            ("db-light", purpose("db-light", Level::Enough)),
            ("db-light=enough", purpose("db-light", Level::Enough)),
            ("nas=comfortable", purpose("nas", Level::Comfortable)),
            ("claim:v30", claim("v30")),
            ("claim:A2", claim("a2")),
            ("claim:flush", claim("flush")),
        ] {
            assert_eq!(parse_requirement(text), Ok(expected), "{text}");
        }
        for (text, expected) in [
            ("nas=great", "'great' is not a level"),
            ("toaster", "db-light"),
            ("v30", "no purpose is called 'v30'"),
            ("claim:v31", "no claim is called 'v31'; there are: flush, c2"),
            ("claim:", "no claim is called ''"),
            ("claim:v30=comfortable", "write claim:v30"),
        ] {
            let error = parse_requirement(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(parse_time("30"), Ok(30_000_000_000));
        assert_eq!(parse_time("2m"), Ok(120_000_000_000));
        assert!(parse_time("0").is_err());
        assert!(parse_time("5x").unwrap_err().contains("unknown unit 'x'"));
    }

    #[test]
    fn precisions() {
        assert_eq!(parse_precision("2%"), Ok(0.02));
        assert_eq!(parse_precision("0.5"), Ok(0.005));
        assert!(parse_precision("0").unwrap_err().contains("more than 0"));
        assert!(parse_precision("two").unwrap_err().contains("write it as 2%"));
    }
}
