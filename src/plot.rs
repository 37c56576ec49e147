//! `cardiograph plot`: draws saved checkups.

use cardiograph_core::{Report, message};
use cardiograph_render::plot::{self, Kind, View};

use crate::cli::PlotArguments;
use crate::exit::{DONE, Failure};
use crate::export::{self, Exports};
use crate::records::Records;
use crate::screen::Screen;

/// Draws the selected checkups as one chart.
pub fn run(arguments: &PlotArguments, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    if arguments.kind == Kind::Sweep && arguments.step.is_some() {
        return Err(Failure::usage(message!("plot-error.sweep-is-whole")));
    }
    let exports = Exports::open(arguments.pictures.files())?;
    let reports: Vec<Report> = arguments
        .selectors
        .iter()
        .map(|selector| records.newest(selector, screen))
        .collect::<Result<_, _>>()?;
    let reports: Vec<&Report> = reports.iter().collect();
    let draw = |width| {
        let view = View { width, lang: screen.language() };
        let mut picture = plot::picture(arguments.kind, &reports, arguments.step.as_deref(), view)?;
        picture.title = arguments.title.clone().unwrap_or(picture.title);
        Ok(picture)
    };
    let picture = match arguments.size {
        (width, None) => draw(width),
        (width, Some(height)) => plot::fitted((width, height), draw),
    };
    let picture = picture.map_err(Failure::usage)?;
    exports.finish(screen, |form| export::picture_as(form, &picture, arguments.theme)).map(|()| DONE)
}
