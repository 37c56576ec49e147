//! `cardiograph history` and `cardiograph show`: what is kept, and one of it again.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use cardiograph_core::Report;
use cardiograph_core::summary::RunSummary;
use cardiograph_formats::{json, text};
use cardiograph_store::select::select_one;
use cardiograph_store::{JsonDir, Store};

use crate::cli::{HistoryArguments, ShowArguments, Since};
use crate::exit::{DONE, Failure};
use crate::export;
use crate::screen::Screen;

/// Lists what is kept, the newest first.
pub fn list(arguments: &HistoryArguments, screen: &Screen) -> Result<u8, Failure> {
    let store = store()?;
    let runs: Vec<RunSummary> =
        runs(&store, screen)?.into_iter().filter(|run| is_wanted(run, arguments)).collect();
    if arguments.json {
        return export::to_stdout(json::history_to_json(&runs).as_bytes()).map(|_| DONE);
    }
    if runs.is_empty() {
        screen.say_prose(&format!("Nothing like that is kept in {}.", store.directory().display()));
    } else {
        screen.say(&text::history(&runs, &screen.style()));
        screen.say("");
        screen.say_prose("One of them again: cardiograph show ID.");
    }
    Ok(DONE)
}

/// Shows one again.
pub fn show(arguments: &ShowArguments, screen: &Screen) -> Result<u8, Failure> {
    let report = find(&arguments.selector, screen)?;
    if arguments.json {
        return export::to_stdout(json::to_json(&report).as_bytes()).map(|_| DONE);
    }
    let style = screen.style();
    screen.say(&text::report(&report, &style));
    if arguments.verbose {
        screen.say(&text::details(&report, &style));
    }
    Ok(DONE)
}

/// The Report that a selector names: one that is kept, or a file with the JSON of one.
pub fn find(selector: &str, screen: &Screen) -> Result<Report, Failure> {
    if Path::new(selector).is_file() {
        let unreadable = |reason: String| Failure::usage(format!("{selector}: {reason}"));
        let text = std::fs::read_to_string(selector).map_err(|error| unreadable(error.to_string()))?;
        return json::from_json(&text).map_err(|error| unreadable(error.to_string()));
    }
    let store = store()?;
    let runs = runs(&store, screen)?;
    let run = select_one(selector, &runs).map_err(|error| Failure::usage(error.to_string()))?;
    store.load(&run.id).map_err(|error| Failure::io(error.to_string()))
}

fn store() -> Result<JsonDir, Failure> {
    let directory = JsonDir::default_dir(|name| std::env::var_os(name));
    directory.map(JsonDir::new).map_err(|error| Failure::usage(error.to_string()))
}

/// All that is kept. What cannot be read is told, and no reason to show nothing.
fn runs(store: &JsonDir, screen: &Screen) -> Result<Vec<RunSummary>, Failure> {
    let (runs, unreadable) = store.runs().map_err(|error| Failure::io(error.to_string()))?;
    unreadable.iter().for_each(|error| screen.complain(&format!("left out: {error}")));
    Ok(runs)
}

fn is_wanted(run: &RunSummary, arguments: &HistoryArguments) -> bool {
    let is = |wanted: &Option<String>, found: Option<&str>| {
        wanted.as_deref().is_none_or(|wanted| found.is_some_and(|found| found.eq_ignore_ascii_case(wanted)))
    };
    let now_ms = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
    let since_ms = match arguments.since {
        None => 0,
        Some(Since::Moment(unix_ms)) => unix_ms,
        Some(Since::Ago(ms)) => now_ms.saturating_sub(ms),
    };
    let mut tags = arguments.tag.iter();
    run.started_unix_ms >= since_ms
        && arguments.drive.as_deref().is_none_or(|drive| run.has_drive(drive))
        && is(&arguments.suite, Some(&run.suite))
        && is(&arguments.host, run.host.as_deref())
        && tags.all(|(name, value)| run.tags.get(name) == Some(value))
}
