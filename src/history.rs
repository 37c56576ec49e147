//! `cardiograph history` and `cardiograph show`: list and show saved checkups.

use cardiograph_checkup::checkup::unix_ms;
use cardiograph_core::json;
use cardiograph_fio::output::json::Bins;
use cardiograph_render::{csv, doc, html, markdown, text};
use cardiograph_store::Query;

use crate::cli::{HistoryArguments, ShowArguments, Since};
use crate::exit::{DONE, Failure};
use crate::export::{self, Export};
use crate::fio::report_json;
use crate::records::{self, Records};
use crate::screen::Screen;
use crate::stdout;

/// Lists saved checkups, the newest first.
pub fn list(arguments: &HistoryArguments, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    let store = records.store()?;
    let runs = store.find(&query(arguments))?;
    records::show_store_notes(store.as_ref(), screen);
    records::report_held_processes(screen);
    if arguments.json {
        return stdout::write(json::history_to_json(&runs).as_bytes()).map(|_| DONE);
    }
    screen.say_doc(&doc::history(&runs, &store.place().display().to_string()));
    Ok(DONE)
}

/// Shows a saved checkup, or writes it in another format.
pub fn show(arguments: &ShowArguments, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    let page = arguments.html.as_deref().map(|file| Export::open("--html", file)).transpose()?;
    let report = records.report(&arguments.selector, screen)?;
    if arguments.json {
        return stdout::write(export::json_of(&report).as_bytes()).map(|_| DONE);
    }
    let lang = screen.language();
    if arguments.markdown {
        return stdout::write(markdown::report(&report, lang).as_bytes()).map(|_| DONE);
    }
    if arguments.csv {
        return stdout::write(csv::figures(&report).as_bytes()).map(|_| DONE);
    }
    if let Some(format) = &arguments.fio {
        let bins = if format == "json+" { Bins::Yes } else { Bins::No };
        return stdout::write(report_json::fio_json(&report, bins)?.as_bytes()).map(|_| DONE);
    }
    if let Some(page) = page {
        return page.finish_and_say(html::report(&report, lang).as_bytes(), screen).map(|()| DONE);
    }
    let style = screen.style();
    screen.say(&text::report(&report, lang, &style));
    if arguments.verbose {
        screen.say(&text::details(&report, lang, &style));
    }
    Ok(DONE)
}

fn query(arguments: &HistoryArguments) -> Query {
    let since_unix_ms = arguments.since.map(|since| match since {
        Since::Moment(unix_ms) => unix_ms,
        Since::Ago(ms) => unix_ms().saturating_sub(ms),
    });
    Query {
        drive: arguments.drive.clone(),
        suite: arguments.suite.clone(),
        host: arguments.host.clone(),
        tags: arguments.tag.clone(),
        since_unix_ms,
        limit: arguments.limit,
        ..Query::default()
    }
}
