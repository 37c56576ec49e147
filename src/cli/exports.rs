//! The forms of what a command shows, as options of the commands.

use clap::Args;

/// Forms for programs, pages and articles.
#[derive(Debug, Clone, Default, Args)]
pub struct DataExports {
    /// The same as `--export-json -`.
    #[arg(long)]
    pub json: bool,
    #[arg(long, value_name = "FILE")]
    pub export_json: Option<String>,
    #[arg(long, value_name = "FILE")]
    pub export_csv: Option<String>,
    #[arg(long, value_name = "FILE")]
    pub export_markdown: Option<String>,
    #[arg(long, value_name = "FILE")]
    pub export_html: Option<String>,
}

/// Pictures.
#[derive(Debug, Clone, Default, Args)]
pub struct PictureExports {
    #[arg(long, value_name = "FILE")]
    pub export_svg: Option<String>,
    #[arg(long, value_name = "FILE")]
    pub export_png: Option<String>,
}

/// Options of earlier versions, with what replaced them.
pub const RENAMED: [(&str, &str); 7] = [
    ("--allow-destroy", "--allow-erase"),
    ("--html", "--export-html FILE"),
    ("--markdown", "--export-markdown FILE"),
    ("--csv", "--export-csv FILE"),
    ("--svg", "--export-svg FILE"),
    ("--png", "--export-png FILE"),
    ("--width", "--size WIDTH"),
];

/// The command that has an option which others lack.
pub fn elsewhere(option: &str) -> Option<&'static str> {
    match option.strip_prefix("--export-")? {
        "png" | "svg" => Some("plot"),
        "json" | "html" | "markdown" | "csv" => Some("compare"),
        _ => None,
    }
}

/// An option that names a file, with its value.
pub type FileOption<'a> = (Form, &'static str, Option<&'a str>);

/// A form of what a command shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Json,
    Csv,
    Markdown,
    Html,
    Svg,
    Png,
}

impl Form {
    /// Its name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Form::Json => "JSON",
            Form::Csv => "CSV",
            Form::Markdown => "Markdown",
            Form::Html => "HTML",
            Form::Svg => "SVG",
            Form::Png => "PNG",
        }
    }
}

/// Standard output, in place of a file.
pub const STDOUT: &str = "-";

impl DataExports {
    /// Its options.
    pub fn files(&self) -> [FileOption<'_>; 5] {
        [
            (Form::Json, "--json", self.json.then_some(STDOUT)),
            (Form::Json, "--export-json", self.export_json.as_deref()),
            (Form::Csv, "--export-csv", self.export_csv.as_deref()),
            (Form::Markdown, "--export-markdown", self.export_markdown.as_deref()),
            (Form::Html, "--export-html", self.export_html.as_deref()),
        ]
    }
}

impl PictureExports {
    /// Its options.
    pub fn files(&self) -> [FileOption<'_>; 2] {
        [
            (Form::Svg, "--export-svg", self.export_svg.as_deref()),
            (Form::Png, "--export-png", self.export_png.as_deref()),
        ]
    }
}
