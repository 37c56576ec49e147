//! `cardiograph plot`: draws saved checkups.

use cardiograph_core::{Report, message};
use cardiograph_render::plot::{self, Kind, View};

use crate::cli::PlotArguments;
use crate::exit::{DONE, Failure};
use crate::export::Export;
use crate::png;
use crate::records::Records;
use crate::screen::Screen;

/// Draws the selected checkups as one chart.
pub fn run(arguments: &PlotArguments, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    if arguments.kind == Kind::Sweep && arguments.step.is_some() {
        return Err(Failure::usage(message!("plot-error.sweep-is-whole")));
    }
    if arguments.svg.as_deref() == Some("-") && arguments.png.as_deref() == Some("-") {
        return Err(Failure::usage(message!("plot-error.one-output")));
    }
    let open =
        |option, file: &Option<String>| file.as_deref().map(|file| Export::open(option, file)).transpose();
    let (svg, png) = (open("--svg", &arguments.svg)?, open("--png", &arguments.png)?);
    let reports: Vec<Report> = arguments
        .selectors
        .iter()
        .map(|selector| records.newest(selector, screen))
        .collect::<Result<_, _>>()?;
    let reports: Vec<&Report> = reports.iter().collect();
    let view = View { width: arguments.width, lang: screen.language() };
    let picture = plot::picture(arguments.kind, &reports, arguments.step.as_deref(), view)
        .map_err(|error| Failure::usage(error.message()))?;
    if let Some(svg) = svg {
        svg.finish_and_say(picture.file().as_bytes(), screen)?;
    }
    if let Some(png) = png {
        png.finish_and_say(&png::render(&picture.file()).map_err(Failure::usage)?, screen)?;
    }
    Ok(DONE)
}
