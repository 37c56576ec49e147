//! `cardiograph plot`: checkups that are kept as pictures.

use cardiograph_core::Report;
use cardiograph_formats::plot::{self, Kind, Picture, View};

use crate::cli::PlotArguments;
use crate::exit::{DONE, Failure};
use crate::screen::Screen;
use crate::{export, png, records};

/// Draws one picture of all that is named.
pub fn run(arguments: &PlotArguments, screen: &Screen) -> Result<u8, Failure> {
    if arguments.kind == Kind::Sweep && arguments.step.is_some() {
        return Err(Failure::usage("a sweep is drawn whole: leave --step out, or use another --kind"));
    }
    if arguments.svg.as_deref() == Some("-") && arguments.png.as_deref() == Some("-") {
        return Err(Failure::usage("standard output takes one picture: name a file for --svg or for --png"));
    }
    let reports: Vec<Report> = arguments
        .selectors
        .iter()
        .map(|selector| records::newest(selector, screen))
        .collect::<Result<_, _>>()?;
    let reports: Vec<&Report> = reports.iter().collect();
    let view = View { width: arguments.width, lang: arguments.lang };
    let picture = plot::picture(arguments.kind, &reports, arguments.step.as_deref(), view)
        .map_err(|error| Failure::usage(error.to_string()))?;
    if let Some(file) = &arguments.svg {
        export::write(file, picture.file().as_bytes(), "SVG", screen)?;
    }
    if let Some(file) = &arguments.png {
        export::write(file, &rendered(&picture)?, "PNG", screen)?;
    }
    Ok(DONE)
}

fn rendered(picture: &Picture) -> Result<Vec<u8>, Failure> {
    png::render(&picture.file()).map_err(|error| Failure::usage(error.to_string()))
}
