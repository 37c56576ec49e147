//! The command line of `compare`.

use clap::Args;

use super::exports::DataExports;
use super::values::parse_precision;

/// Arguments of `compare`.
#[derive(Debug, Args)]
pub struct CompareArguments {
    #[arg(value_name = "SELECTOR")]
    pub selectors: Vec<String>,
    #[arg(long, value_name = "SELECTOR", conflicts_with = "by")]
    pub baseline: Option<String>,
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub by: Vec<String>,
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub metric: Vec<String>,
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
