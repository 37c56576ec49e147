//! The command lines of commands that use saved checkups: `history`, `remove`, `store`, `show` and `plot`.

use std::path::PathBuf;

use cardiograph_render::plot::{Kind, Theme, WIDTH_MAX, WIDTH_MIN};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};

use super::exports::{DataExports, PictureExports};
use super::values::{Since, parse_setting, parse_since, parse_tag_change, whole_number};
use crate::invalid::Invalid;

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
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum StoreCommand {
    Repair,
    Export {
        #[arg(value_name = "FILE")]
        file: String,
    },
    Import {
        #[arg(value_name = "FILE")]
        file: String,
    },
    Copy {
        #[arg(value_name = "STORE")]
        from: PathBuf,
        #[arg(value_name = "STORE")]
        to: PathBuf,
    },
}

/// Arguments of `label`.
#[derive(Debug, Args)]
pub struct LabelArguments {
    #[arg(value_name = "SELECTOR")]
    pub selector: String,
    #[arg(value_name = "TEXT")]
    pub text: String,
}

/// Arguments of `tag`.
#[derive(Debug, Args)]
pub struct TagArguments {
    #[arg(value_name = "SELECTOR")]
    pub selector: String,
    #[arg(value_name = "NAME=VALUE", required = true, value_parser = parse_tag_change)]
    pub tags: Vec<(String, String)>,
}

/// Arguments of `show`.
#[derive(Debug, Args)]
pub struct ShowArguments {
    #[arg(value_name = "SELECTOR", default_value = "@last")]
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
    #[arg(long, value_name = "KIND", default_value = Kind::Dots.name(), value_parser = kinds())]
    pub kind: Kind,
    #[arg(long, value_name = "ID")]
    pub step: Option<String>,
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    #[arg(long, value_name = "SIZE", default_value = "720", value_parser = parse_picture_size)]
    pub size: PictureSize,
    #[arg(long, value_name = "THEME", default_value = Theme::ALL[0].1, value_parser = themes())]
    pub theme: Theme,
}

/// Width and height of a picture in pixels; without a height, it is as high as its content.
pub type PictureSize = (u32, Option<u32>);

fn parse_picture_size(text: &str) -> Result<PictureSize, Invalid> {
    let pixels = whole_number(WIDTH_MIN, Some(WIDTH_MAX));
    match text.split_once('x') {
        Some((width, height)) => Ok((pixels(width)?, Some(pixels(height)?))),
        None => Ok((pixels(text)?, None)),
    }
}

fn themes() -> impl TypedValueParser<Value = Theme> {
    PossibleValuesParser::new(Theme::ALL.map(|(_, name)| name)).map(|name| {
        let found = Theme::ALL.into_iter().find(|(_, known)| *known == name);
        found.expect("only the names of themes are accepted").0
    })
}

fn kinds() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::ALL.map(Kind::name)).map(|name| {
        let found = Kind::ALL.into_iter().find(|kind| kind.name() == name);
        found.expect("only the names of kinds are accepted")
    })
}
