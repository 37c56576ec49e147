//! `cardiograph history` and `cardiograph show`: list and show saved checkups.

use cardiograph_checkup::checkup::unix_ms;
use cardiograph_core::{json, message};
use cardiograph_fio::output::json::Bins;
use cardiograph_render::doc::{self, Additions};
use cardiograph_render::{csv, text};
use cardiograph_store::Query;

use crate::changes;
use crate::cli::{Form, HistoryArguments, ShowArguments, Since};
use crate::exit::{DONE, Failure};
use crate::export::{self, Exports};
use crate::fio::report_json;
use crate::records::{self, Records};
use crate::screen::Screen;
use crate::stdout;

/// Lists saved checkups, the newest first.
pub fn list(arguments: &HistoryArguments, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    let exports = Exports::open(arguments.data.files())?;
    let store = records.store()?;
    let runs = store.find(&query(arguments))?;
    records::show_store_notes(store.as_ref(), screen);
    records::report_held_processes(screen);
    let list = doc::history(&runs, &store.place().display().to_string());
    if !exports.use_stdout() {
        screen.say_doc(&list);
    }
    let content = |form| match form {
        Form::Csv => csv::history(&runs).into(),
        _ => export::doc_as(form, &list, || json::history_to_json(&runs), screen.language()),
    };
    exports.finish(screen, |form| Ok(content(form))).map(|()| DONE)
}

/// Shows a saved checkup, or writes it in another format.
pub fn show(arguments: &ShowArguments, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    let exports = Exports::open(arguments.data.files().into_iter().chain(arguments.pictures.files()))?;
    let report = records.report(&arguments.selector, screen)?;
    let lang = screen.language();
    if let Some(format) = &arguments.fio {
        if exports.use_stdout() {
            return Err(Failure::usage(message!("show-fio-or-export")));
        }
        let bins = if format == "json+" { Bins::Yes } else { Bins::No };
        stdout::write(report_json::fio_json(&report, bins)?.as_bytes())?;
    } else if !exports.use_stdout() {
        let style = screen.style();
        if arguments.verbose {
            screen.say(&text::report(&report, lang, &style));
            screen.say(&text::details(&report, lang, &style));
        } else {
            let changes = changes::sentences(&report, records.store()?.as_ref(), screen);
            let additions = Additions { changes, ..Additions::default() };
            screen.say(&text::glance(&report, &additions, lang, &style));
        }
    }
    export::finish_report(&exports, &report, false, screen).map(|()| DONE)
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
