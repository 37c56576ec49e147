//! `cardiograph shelf`: shows published results.

use cardiograph_core::nearest::{is_same, suggestion};
use cardiograph_core::published::Published;
use cardiograph_core::{json, message};
use cardiograph_import::shelf;
use cardiograph_render::doc;

use crate::cli::ShelfArguments;
use crate::exit::{DONE, Failure};
use crate::export::Exports;
use crate::screen::Screen;

/// Lists the sources, or shows the tables of one or those of a drive.
pub fn run(arguments: &ShelfArguments, screen: &Screen) -> Result<u8, Failure> {
    let exports = Exports::open(arguments.data.files())?;
    let sources = select_sources(arguments)?;
    let doc = match arguments.source.is_none() && arguments.drive.is_none() {
        true => doc::shelf(&sources),
        false => doc::shelf_sources(&sources),
    };
    let json = || json::indented(&sources);
    exports.show(&doc, json, screen).map(|()| DONE)
}

fn unknown_source(name: &str) -> Failure {
    let names: Vec<&str> = shelf::sources().iter().map(|source| source.name.as_str()).collect();
    Failure::usage(message!("errors-shelf-source", source = name, hint = suggestion(name, &names)))
}

/// The selected sources, with the selected drives only.
fn select_sources(arguments: &ShelfArguments) -> Result<Vec<Published>, Failure> {
    let all = shelf::sources();
    let mut sources: Vec<Published> = match &arguments.source {
        None => all.to_vec(),
        Some(name) => {
            let source = all.iter().find(|source| is_same(name, &source.name));
            vec![source.cloned().ok_or_else(|| unknown_source(name))?]
        }
    };
    if let Some(drive) = &arguments.drive {
        sources = sources.iter().filter_map(|source| source.for_drive(drive)).collect();
        if sources.is_empty() {
            return Err(Failure::usage(match &arguments.source {
                None => message!("errors-shelf-drive", drive),
                Some(source) => message!("errors-shelf-drive-in", source, drive),
            }));
        }
    }
    Ok(sources)
}
