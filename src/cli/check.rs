//! The command line of `check`.

use std::path::PathBuf;

use cardiograph_jobs::value::parse_duration_ns;
use clap::Args;

use super::{parse_precision, parse_setting, parse_tag};
use crate::requirement::{Requirement, parse_requirement};

/// What stands below the help.
pub(super) const HELP: &str = "\
What it does:
  Makes test files in PATH, measures with them and removes them. It needs no
  root and touches no other file. What it will write at most is shown before it
  writes; it is never more than 1 % of the drive's capacity and 8 GiB with the
  default suite.

After a kill -9 or a power cut:
  Test files are nameless where the file system can do that, and are gone.
  Elsewhere they are named .cardiograph-*.tmp. The suite apps always works in a
  directory .cardiograph-*.dir, and capacity in cardiograph-capacity-* files.
  The next check there removes what is provably left by one of yours, and names
  what it leaves alone. Whole files of capacity stay, to be resumed; --suite
  capacity --set leftovers=remove removes them. What capacity overwrote on a
  device is restored by its next check of it ('cardiograph drive' lists it).

Reading the result:
  A percentile with fewer than 10 samples above it is withheld ('-'). A figure
  that the kernel's own counters contradict is withheld and judges nothing.
  Verdicts are: comfortable, enough, not enough, cannot be judged.

Exit codes:
  0    done
  1    a --require is not met
  2    wrong usage, or the surroundings do not allow it
  3    an I/O failed, the drive stopped answering, or the Report was
       not kept
  4    a --require cannot be judged
  129, 130, 143
       interrupted (terminal closed, Ctrl-C, SIGTERM); finished steps are kept

Examples:
  cardiograph check /mnt/card --label 'card A' --require db-light
  cardiograph check --precision 2% --max-time 3m
  cardiograph check --suite sd-class --require claim:v30
  cardiograph check --suite article --json report.json
  cardiograph check --simulate my-drive.toml --seed 7";

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
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_tag)]
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

fn parse_time(text: &str) -> Result<u64, String> {
    match parse_duration_ns(text, cardiograph_core::NS_PER_S) {
        Ok(0) => Err("must be longer than nothing".to_string()),
        Ok(ns) => Ok(ns),
        Err(error) => Err(format!("{error}; write it as 30s, 2m or 1h")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(parse_time("30"), Ok(30_000_000_000));
        assert_eq!(parse_time("2m"), Ok(120_000_000_000));
        assert!(parse_time("0").is_err());
        assert!(parse_time("5x").unwrap_err().contains("unknown unit 'x'"));
    }
}
