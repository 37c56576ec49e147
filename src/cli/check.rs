//! The command line of `check`.

use std::path::PathBuf;

use clap::Args;

use super::exports::{DataExports, PictureExports};
use super::values::{parse_label, parse_precision, parse_setting, parse_tag, parse_time, whole_number};
use crate::requirement::{Requirement, parse_requirement};

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArguments {
    #[arg(default_value = ".", conflicts_with = "simulate", value_name = "PATH|DEVICE")]
    pub path: PathBuf,
    #[arg(long, value_name = "NAME", default_value = cardiograph_suites::DEFAULT)]
    pub suite: String,
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_setting)]
    pub set: Vec<(String, String)>,
    #[arg(long, value_name = "MODEL|FILE")]
    pub simulate: Option<String>,
    #[arg(long, value_name = "FILE")]
    pub purposes: Option<PathBuf>,
    #[arg(long)]
    pub dry_run: bool,
    /// Writes much without asking.
    #[arg(long)]
    pub yes: bool,
    #[command(flatten)]
    pub data: DataExports,
    #[command(flatten)]
    pub pictures: PictureExports,
    /// In nanoseconds.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub max_time: Option<u64>,
    /// A share of 1.
    #[arg(long, value_name = "PERCENT", value_parser = parse_precision)]
    pub precision: Option<f64>,
    #[arg(long, value_name = "TEXT", value_parser = parse_label)]
    pub label: Option<String>,
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_tag)]
    pub tag: Vec<(String, String)>,
    #[arg(long, value_name = "PURPOSE|claim:ID", value_parser = parse_requirement)]
    pub require: Vec<Requirement>,
    #[arg(long, conflicts_with = "simulate")]
    pub buffered: bool,
    #[arg(short, long)]
    pub verbose: bool,
    #[arg(long, value_name = "ID", conflicts_with = "simulate")]
    pub allow_erase: Vec<String>,
    #[arg(long, conflicts_with_all = ["no_keep", "dry_run"])]
    pub resume: bool,
    #[arg(long)]
    pub no_keep: bool,
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, conflicts_with = "no_keep")]
    pub send: Option<Option<String>>,
    #[arg(long, value_name = "NUMBER", value_parser = whole_number(0_u64, None))]
    pub seed: Option<u64>,
}
