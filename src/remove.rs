//! `cardiograph remove`, `cardiograph label` and `cardiograph tag`: change saved checkups without measuring.

use std::collections::HashSet;

use cardiograph_core::summary::RunSummary;
use cardiograph_core::{Report, message};
use cardiograph_render::doc;
use cardiograph_store::select::select;
use cardiograph_store::{AuditEntry, Deed, Store};

use crate::cli::{LabelArguments, RemoveArguments, TagArguments};
use crate::exit::{DONE, Failure};
use crate::records::{self, Records, select_failure};
use crate::screen::Screen;
use crate::token::WHO;

/// Lists the selected checkups, asks, and removes them.
pub fn run(arguments: &RemoveArguments, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    let store = records.store()?;
    let mut runs: Vec<RunSummary> = Vec::new();
    let mut ids = HashSet::new();
    for selector in &arguments.selectors {
        let found = selected(selector, store.as_ref(), screen)?;
        runs.extend(found.into_iter().filter(|run| ids.insert(run.id.clone())));
    }
    screen.say_doc(&doc::runs(&runs));
    if !arguments.yes {
        let is_confirmed = screen.confirms(&message!("remove-question", checkups = runs.len()));
        if !is_confirmed.ok_or_else(|| Failure::usage(message!("remove-no-terminal")))? {
            screen.say_message(&message!("remove-nothing"));
            return Ok(DONE);
        }
    }
    let ids: Vec<&str> = runs.iter().map(|run| run.id.as_str()).collect();
    store.remove(&ids)?;
    // On a server's store only: nobody else asks who removed what.
    if !store.access().tokens()?.is_empty() {
        for id in &ids {
            store.access().note(&AuditEntry::now(WHO, Deed::CheckupRemoved, *id))?;
        }
    }
    screen.say_message(&message!("remove-done", checkups = ids.len()));
    Ok(DONE)
}

/// The checkups that a selector names.
fn selected(selector: &str, store: &dyn Store, screen: &Screen) -> Result<Vec<RunSummary>, Failure> {
    let found = select(selector, store);
    records::show_store_notes(store, screen);
    found.map_err(|error| select_failure(selector, error))
}

/// Labels the selected checkups; an empty text removes their label.
pub fn label(arguments: &LabelArguments, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    let label = Some(arguments.text.trim().to_string()).filter(|text| !text.is_empty());
    edit(&arguments.selector, records, screen, |report| report.label.clone_from(&label))
}

/// Tags the selected checkups; an empty value removes a tag.
pub fn tag(arguments: &TagArguments, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    edit(&arguments.selector, records, screen, |report| {
        for (name, value) in &arguments.tags {
            match value.is_empty() {
                true => drop(report.tags.remove(name)),
                false => drop(report.tags.insert(name.clone(), value.clone())),
            }
        }
    })
}

/// Changes the selected checkups, all or none, and lists them.
fn edit(
    selector: &str,
    records: &Records,
    screen: &Screen,
    change: impl Fn(&mut Report),
) -> Result<u8, Failure> {
    let store = records.store()?;
    let mut changed = Vec::new();
    let mut runs = Vec::new();
    for run in selected(selector, store.as_ref(), screen)? {
        let before = store.load(&run.id)?;
        let mut report = before.clone();
        change(&mut report);
        runs.push(RunSummary::from_report(&report));
        changed.extend(Some(report).filter(|report| *report != before));
    }
    store.save_all(&changed)?;
    screen.say_doc(&doc::runs(&runs));
    screen.say_message(&message!("edit-done", checkups = changed.len()));
    Ok(DONE)
}
