//! The command lines of commands that use saved checkups: `history`, `remove`, `store`, `show` and `plot`.

use cardiograph_render::plot::{Kind, WIDTH_MAX, WIDTH_MIN};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};

use super::exports::{DataExports, PictureExports};
use super::values::{Since, parse_setting, parse_since, whole_number};

/// Arguments of `history`.
#[derive(Debug, Args)]
pub struct HistoryArguments {
    #[arg(long, value_name = "ID")]
    pub drive: Option<String>,
    #[arg(long, value_name = "NAME")]
    pub suite: Option<String>,
    #[arg(long, value_name = "DATE|TIME", value_parser = parse_since)]
    pub since: Option<Since>,
    #[arg(long, value_name = "NAME")]
    pub host: Option<String>,
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_setting)]
    pub tag: Vec<(String, String)>,
    #[arg(long, value_name = "N", value_parser = whole_number(1_u64, None))]
    pub limit: Option<u64>,
    #[command(flatten)]
    pub data: DataExports,
}

/// Arguments of `remove`.
#[derive(Debug, Args)]
pub struct RemoveArguments {
    #[arg(value_name = "SELECTOR", required = true)]
    pub selectors: Vec<String>,
    #[arg(long)]
    pub yes: bool,
}

/// Commands for the file that holds saved checkups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Subcommand)]
pub enum StoreCommand {
    Repair,
}

/// Arguments of `show`.
#[derive(Debug, Args)]
pub struct ShowArguments {
    #[arg(value_name = "SELECTOR")]
    pub selector: String,
    #[arg(short, long)]
    pub verbose: bool,
    #[command(flatten)]
    pub data: DataExports,
    #[command(flatten)]
    pub pictures: PictureExports,
    #[arg(long, value_name = "FORMAT", value_parser = ["json", "json+"],
          conflicts_with_all = ["verbose", "json"])]
    pub fio: Option<String>,
}

/// Arguments of `plot`.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("file").args(["export_svg", "export_png"]).multiple(true).required(true))]
pub struct PlotArguments {
    #[arg(value_name = "SELECTOR", required = true)]
    pub selectors: Vec<String>,
    #[command(flatten)]
    pub pictures: PictureExports,
    #[arg(long, value_name = "KIND", default_value = Kind::Bars.name(), value_parser = kinds())]
    pub kind: Kind,
    #[arg(long, value_name = "ID")]
    pub step: Option<String>,
    #[arg(long, value_name = "PX", default_value_t = 720,
          value_parser = whole_number(WIDTH_MIN, Some(WIDTH_MAX)))]
    pub width: u32,
}

fn kinds() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::ALL.map(Kind::name)).map(|name| {
        let found = Kind::ALL.into_iter().find(|kind| kind.name() == name);
        found.expect("only the names of kinds are accepted")
    })
}
