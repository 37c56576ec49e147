//! `cardiograph shelf`: what others published.

use cardiograph_core::Message;
use cardiograph_core::json;
use cardiograph_core::published::Published;
use cardiograph_import::shelf;
use cardiograph_render::text;

use crate::cli::ShelfArguments;
use crate::exit::{DONE, Failure};
use crate::screen::Screen;
use crate::stdout;

/// Lists the sources, or shows the tables of one, or those that name a drive.
pub fn run(arguments: &ShelfArguments, screen: &Screen) -> Result<u8, Failure> {
    let sources = wanted(arguments)?;
    if arguments.json {
        return stdout::write(json::shelf_to_json(&sources).as_bytes()).map(|_| DONE);
    }
    let style = screen.style();
    if arguments.source.is_none() && arguments.drive.is_none() {
        screen.say(&text::shelf(&sources, &style));
        screen.say("");
        screen.say_prose("The tables of one, and how they were measured: cardiograph shelf SOURCE. Where a drive of yours stands among \
             them: cardiograph compare @last --shelf.",
        );
        return Ok(DONE);
    }
    let shown: Vec<String> = sources.iter().map(|source| text::shelf_source(source, &style)).collect();
    screen.say(&shown.join("\n\n"));
    Ok(DONE)
}

/// The sources that are asked for, with the drives that are asked for.
fn wanted(arguments: &ShelfArguments) -> Result<Vec<Published>, Failure> {
    let all = shelf::sources();
    let mut sources: Vec<Published> = match &arguments.source {
        None => all.to_vec(),
        Some(name) => {
            let source = all.iter().find(|source| source.name.eq_ignore_ascii_case(name));
            let names = || all.iter().map(|source| source.name.as_str()).collect::<Vec<_>>().join(", ");
            vec![source.cloned().ok_or_else(|| {
                Failure::usage(Message::verbatim(format!(
                    "no source on the shelf is called '{name}'; there are: {}",
                    names()
                )))
            })?]
        }
    };
    if let Some(drive) = &arguments.drive {
        sources = sources.iter().filter_map(|source| source.of_drive(drive)).collect();
        if sources.is_empty() {
            let place =
                arguments.source.as_ref().map_or("on the shelf".to_string(), |name| format!("in {name}"));
            return Err(Failure::usage(Message::verbatim(format!(
                "no drive {place} has '{drive}' in its name; cardiograph shelf SOURCE shows which there are"
            ))));
        }
    }
    Ok(sources)
}
