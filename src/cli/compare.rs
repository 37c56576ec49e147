//! The command line of `compare`.

use cardiograph_render::lang::Lang;
use clap::Args;

use super::parse_precision;

/// What stands below the help.
pub(super) const HELP: &str = "\
A SELECTOR is what `cardiograph show` takes. A label, a tag or a drive that
several checkups have names a group of them: the more, the smaller a
difference can be told from chance. Tests are paired by how they were
measured, whatever they are called.

Exit codes:
  0    done; with --fail-if-worse: nothing is worse by more than chance (what
       may be chance is listed)
  2    wrong usage
  4    the same, but a test is missing, a checkup did not end, or nothing
       could be judged (--fail-if-worse)
  5    something is worse (--fail-if-worse)

Examples:
  cardiograph compare microsd ssd
  cardiograph compare microsd ssd --markdown --lang ja > tables.md
  cardiograph compare --by raid,scheduler --metric iops
  cardiograph compare --baseline label:march @last --fail-if-worse 10%
  cardiograph compare @last --shelf";

/// Arguments of `compare`.
#[derive(Debug, Args)]
pub struct CompareArguments {
    /// What is compared, two or more; the first is what the others are compared with
    #[arg(value_name = "SELECTOR")]
    pub selectors: Vec<String>,

    /// What the others are compared with
    #[arg(long, value_name = "SELECTOR", conflicts_with = "by")]
    pub baseline: Option<String>,

    /// Group checkups (all that are kept, if none is named) by the values of these facts or tags, as raid,scheduler
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub by: Vec<String>,

    /// Only these figures, as iops,latency_p99: a table for each, with a row for each test and a column for each group
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub metric: Vec<String>,

    /// Say where a drive stands among what others published, measured in the same or a near way; one SELECTOR is enough
    #[arg(long, conflicts_with_all = ["baseline", "by", "metric", "fail_if_worse"])]
    pub shelf: bool,

    /// Say only what is worse by as much, as 10%, and by more than chance, and exit with 5 if anything is
    #[arg(long, value_name = "PERCENT", value_parser = parse_precision)]
    pub fail_if_worse: Option<f64>,

    /// Write tables in Markdown, to paste into an article
    #[arg(long, conflicts_with_all = ["csv", "json"])]
    pub markdown: bool,

    /// Language of these tables: en (the default) or ja
    #[arg(long, value_name = "LANG", requires = "markdown")]
    pub lang: Option<Lang>,

    /// Write a line for each figure of each group, in base units; with --metric a line for each test, a column for each group
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,

    /// Write all of it as JSON
    #[arg(long)]
    pub json: bool,
}
