//! The command lines of `shelf`, `import`, `send`, `serve` and `token`.

use std::net::SocketAddr;
use std::path::PathBuf;

use cardiograph_core::message;
use cardiograph_import::table::Map;
use cardiograph_serve::{Role, is_token_name};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};

use super::exports::DataExports;
use super::values::{parse_age, parse_capacity, parse_label, parse_map, parse_tag, whole_number};
use crate::invalid::Invalid;

/// Arguments of `shelf`.
#[derive(Debug, Args)]
pub struct ShelfArguments {
    #[arg(value_name = "SOURCE")]
    pub source: Option<String>,
    #[arg(long, value_name = "TEXT")]
    pub drive: Option<String>,
    #[command(flatten)]
    pub data: DataExports,
}

/// Arguments of `import`.
#[derive(Debug, Args)]
pub struct ImportArguments {
    #[arg(value_name = "FILE", required_unless_present = "list_formats")]
    pub files: Vec<String>,
    #[arg(long, value_name = "FORMAT")]
    pub r#as: Option<String>,
    #[arg(long, value_name = "MAP", conflicts_with = "as", value_parser = parse_map)]
    pub map: Option<Map>,
    #[arg(long, value_name = "TEXT", value_parser = parse_label)]
    pub label: Option<String>,
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_tag)]
    pub tag: Vec<(String, String)>,
    /// In bytes.
    #[arg(long, value_name = "SIZE", value_parser = parse_capacity)]
    pub capacity: Option<u64>,
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, conflicts_with = "dry_run")]
    pub send: Option<Option<String>>,
    #[arg(long)]
    pub list_formats: bool,
    #[arg(long)]
    pub dry_run: bool,
}

/// Arguments of `send`. What may be a token is not parsed here: errors of the parser show it.
#[derive(Debug, Args)]
pub struct SendArguments {
    #[arg(value_name = "SELECTOR")]
    pub selectors: Vec<String>,
    #[arg(long, value_name = "ADDRESS")]
    pub to: Option<String>,
    #[arg(long, value_name = "FILE", requires = "to", conflicts_with = "selectors")]
    pub token_file: Option<PathBuf>,
    #[arg(long, value_name = "FILE", requires = "to", conflicts_with = "selectors")]
    pub ca: Option<PathBuf>,
}

/// Arguments of `serve`.
#[derive(Debug, Args)]
pub struct ServeArguments {
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7878")]
    pub listen: SocketAddr,
    #[arg(long, value_name = "NAME")]
    pub host: Vec<String>,
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    #[arg(long, requires = "host", conflicts_with = "tls_cert")]
    pub behind_proxy: bool,
    /// In milliseconds.
    #[arg(long, value_name = "TIME", requires = "keep_newest", value_parser = parse_age)]
    pub keep: Option<u64>,
    #[arg(long, value_name = "N", requires = "keep", value_parser = whole_number(1_u64, None))]
    pub keep_newest: Option<u64>,
    #[arg(long)]
    pub open: bool,
    #[arg(long)]
    pub allow_erase: bool,
}

/// Commands for the tokens of a server.
#[derive(Debug, Subcommand)]
pub enum TokenCommand {
    Add {
        #[arg(value_name = "NAME", value_parser = parse_token_name)]
        name: String,
        #[arg(long, value_name = "ROLE", value_parser = roles())]
        role: Role,
        /// In milliseconds from now.
        #[arg(long, value_name = "TIME", value_parser = parse_age)]
        expires: Option<u64>,
    },
    List(DataExports),
    Revoke {
        #[arg(value_name = "NAME")]
        name: String,
    },
    Replace {
        #[arg(value_name = "NAME")]
        name: String,
    },
}

fn roles() -> impl TypedValueParser<Value = Role> {
    PossibleValuesParser::new(Role::ALL.map(Role::name))
        .map(|name| name.parse::<Role>().expect("it is one of them"))
}

fn parse_token_name(text: &str) -> Result<String, Invalid> {
    match is_token_name(text) {
        true => Ok(text.to_string()),
        false => Err(message!("errors-value-token-name").into()),
    }
}
