//! The command lines of `history`, `show` and `plot`: of what is kept.

use cardiograph_jobs::value::parse_duration_ns;
use cardiograph_render::lang::Lang;
use cardiograph_render::plot::{Kind, WIDTH_MAX, WIDTH_MIN};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};

use super::parse_setting;

/// What stands below the help of `show`.
pub(super) const SELECTOR_HELP: &str = "\
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

/// What stands below the help of `history`.
pub(super) const HISTORY_HELP: &str = "\
Examples:
  cardiograph history --since 30d
  cardiograph history --suite sd-class --tag board='Pi 5'";

/// What stands below the help of `remove`.
pub(super) const REMOVE_HELP: &str = "\
A SELECTOR is as for `cardiograph show`, and may name several checkups. A
checkup that is still running is saved again with its next step.

Examples:
  cardiograph remove 20261122-101500-4f2a11
  cardiograph remove label:test tag:board=Pi-4 --yes";

/// What stands below the help of `plot`.
pub(super) const PLOT_HELP: &str = "\
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
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,

    /// Write the list as JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `remove`.
#[derive(Debug, Args)]
pub struct RemoveArguments {
    /// Which checkups
    #[arg(value_name = "SELECTOR", required = true)]
    pub selectors: Vec<String>,

    /// Do not ask
    #[arg(long)]
    pub yes: bool,
}

/// What is done with the file in which checkups are saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Subcommand)]
pub enum StoreCommand {
    /// Restore what can be read of a damaged file; the damaged one is kept beside it
    Repair,
}

/// From when on checkups are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    /// From a moment on, in milliseconds since 1970-01-01 UTC.
    Moment(u64),
    /// For so many milliseconds until now.
    Ago(u64),
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
    /// Which checkups, beside each other in one picture (see `cardiograph show --help`); the newest of several
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

/// A day in UTC, as Reports have it, or a time until now. Months and years are of different lengths.
fn parse_since(text: &str) -> Result<Since, String> {
    const MS_PER_DAY: u64 = 24 * 3_600 * 1_000;
    const HOW: &str = "write it as 2026-11-22, 30d or 12h";
    if text.contains(['-', '/']) {
        let day = time::macros::format_description!("[year]-[month]-[day]");
        let no_day = |_| format!("the calendar has no such day since 1970; {HOW}");
        let date = time::Date::parse(text, day).map_err(|_| no_day(()))?;
        let seconds = date.midnight().assume_utc().unix_timestamp();
        return u64::try_from(seconds * 1_000).map(Since::Moment).map_err(|_| no_day(()));
    }
    // Days beside what a time of nanoseconds can hold.
    if let Some(days) = text.strip_suffix('d').and_then(|days| days.parse::<u64>().ok()) {
        let ms = days.checked_mul(MS_PER_DAY);
        return ms.map(Since::Ago).ok_or_else(|| format!("that is too long ago; {HOW}"));
    }
    let ns =
        parse_duration_ns(text, cardiograph_core::NS_PER_S).map_err(|error| format!("{error}; {HOW}"))?;
    Ok(Since::Ago(ns / 1_000_000))
}
