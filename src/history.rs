//! `cardiograph history` and `cardiograph show`: list and show saved checkups.

use cardiograph_checkup::checkup::unix_ms;
use cardiograph_core::summary::RunSummary;
use cardiograph_core::{json, message};
use cardiograph_fio::output::json::Bins;
use cardiograph_judge::changes::timelines;
use cardiograph_render::doc::{self, Additions, Node};
use cardiograph_render::{csv, text};
use cardiograph_store::select::{self, SelectError};
use cardiograph_store::{Query, Store, over_time};

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
    let query = query(arguments);
    let runs = store.find(&query)?;
    let is_first = runs.is_empty() && store.find(&Query { limit: Some(1), ..Query::default() })?.is_empty();
    if runs.is_empty() && !is_first {
        refuse_unknown(&query, store.as_ref())?;
    }
    let place = store.place().display().to_string();
    let list = match is_first {
        true => doc::history_first(&place),
        false => doc::history(&runs, went(&runs, store.as_ref())?, &place),
    };
    records::show_store_notes(store.as_ref(), screen);
    records::report_held_processes(screen);
    if !exports.use_stdout() {
        screen.say_doc(&list);
    }
    let content = |form| match form {
        Form::Csv => csv::history(&runs).into(),
        _ => export::doc_as(form, &list, || json::history_to_json(&runs), screen.language()),
    };
    exports.finish(screen, |form| Ok(content(form))).map(|()| DONE)
}

/// How figures went, for each drive and suite with several dated checkups among the newest of `runs`. A drive without an id
/// cannot be recognised, and a simulated one does not change.
fn went(runs: &[RunSummary], store: &dyn Store) -> Result<Vec<Node>, Failure> {
    /// Checkups looked at, newest first: all and of each drive.
    const LOOKED_MAX: usize = 1_000;
    const OF_DRIVE_MAX: usize = 40;
    let looked = runs.iter().take(LOOKED_MAX).filter(|run| run.drive_ids.iter().next().is_some());
    let looked: Vec<RunSummary> = looked.cloned().collect();
    let mut nodes = Vec::new();
    for group in over_time::groups(&looked).iter().filter(|group| group.len() > 1) {
        let figures = over_time::figures(group, OF_DRIVE_MAX, store)?;
        nodes.extend(doc::over_time(group[0], group.len(), &timelines(&figures)));
    }
    Ok(nodes)
}

/// Shows a saved checkup, or writes it in another format.
pub fn show(arguments: &ShowArguments, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    let exports = Exports::open(arguments.data.files().into_iter().chain(arguments.pictures.files()))?;
    let report = records.newest(&arguments.selector, screen)?;
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

/// Refuses names that no checkup has; a suite of this program is a name even if none was made.
fn refuse_unknown(query: &Query, store: &dyn Store) -> Result<(), Failure> {
    let suite = query.suite.clone().filter(|suite| cardiograph_suites::find(suite).is_none());
    match select::refuse_unknown(&Query { suite, ..query.clone() }, store) {
        Ok(()) | Err(SelectError::Empty) => Ok(()),
        Err(error) => Err(records::select_failure("", error)),
    }
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
