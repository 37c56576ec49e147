//! The command line of `compare`.

use clap::Args;

use super::exports::DataExports;
use super::values::parse_precision;

/// Arguments of `compare`.
#[derive(Debug, Args)]
pub struct CompareArguments {
    #[arg(value_name = "SELECTOR")]
    pub selectors: Vec<String>,
    #[arg(short, long, conflicts_with = "shelf")]
    pub verbose: bool,
    #[arg(long, value_name = "SELECTOR", conflicts_with = "by")]
    pub baseline: Option<String>,
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub by: Vec<String>,
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "by", conflicts_with_all = ["rows", "fail_if_worse"])]
    pub pair: Vec<String>,
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub metric: Vec<String>,
    #[arg(long, conflicts_with_all = ["shelf", "fail_if_worse"])]
    pub rows: bool,
    #[arg(long, conflicts_with_all = ["rows", "shelf", "fail_if_worse"])]
    pub ratios: bool,
    #[arg(long, conflicts_with_all = ["baseline", "by", "metric", "fail_if_worse"])]
    pub shelf: bool,
    /// A share of 1.
    #[arg(long, value_name = "PERCENT", value_parser = parse_precision)]
    pub fail_if_worse: Option<f64>,
    #[arg(long, value_name = "FILE", conflicts_with = "shelf")]
    pub purposes: Option<std::path::PathBuf>,
    #[command(flatten)]
    pub data: DataExports,
}
