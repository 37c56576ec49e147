//! `cardiograph remove` and `cardiograph store repair`: change the store without measuring.

use std::collections::HashSet;

use cardiograph_core::summary::RunSummary;
use cardiograph_core::{Message, Parameter, message};
use cardiograph_render::doc;
use cardiograph_store::Mended;
use cardiograph_store::select::select;

use crate::cli::RemoveArguments;
use crate::exit::{DONE, Failure};
use crate::records::{self, Records, select_failure};
use crate::screen::{self, Screen};

/// Lists the selected checkups, asks, and removes them.
pub fn run(arguments: &RemoveArguments, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    let store = records.store()?;
    let mut runs: Vec<RunSummary> = Vec::new();
    let mut ids = HashSet::new();
    for selector in &arguments.selectors {
        let found = select(selector, store.as_ref());
        records::show_store_notes(store.as_ref(), screen);
        let found = found.map_err(|error| select_failure(selector, error, store.as_ref()))?;
        runs.extend(found.into_iter().filter(|run| ids.insert(run.id.clone())));
    }
    screen.say_doc(&doc::runs(&runs));
    if !arguments.yes {
        let question = screen.language().text(&message!("remove-question", checkups = runs.len()));
        let answer = screen::ask(&format!("{question} "));
        let answer = answer.ok_or_else(|| Failure::usage(message!("remove-no-terminal")))?;
        if !["y", "yes"].contains(&answer.to_ascii_lowercase().as_str()) {
            screen.say_message(&message!("remove-nothing"));
            return Ok(DONE);
        }
    }
    let ids: Vec<&str> = runs.iter().map(|run| run.id.as_str()).collect();
    store.remove(&ids)?;
    screen.say_message(&message!("remove-done", checkups = ids.len()));
    Ok(DONE)
}

/// Repairs the store.
pub fn repair(records: &Records, screen: &Screen) -> Result<u8, Failure> {
    let store = records.store()?;
    let mended = store.repair()?;
    let path = store.place();
    let say = |message: Message| screen.say(&screen.language().text(&message));
    match mended {
        None => say(message!("repair-undamaged", path = path)),
        Some(Mended { aside, saved, lost, lost_steps }) => {
            say(message!("repair-done", path = path, checkups = saved));
            if lost_steps > 0 {
                say(message!("repair-steps-lost", steps = lost_steps));
            }
            if !lost.is_empty() {
                say(message!("repair-lost", checkups = lost.len(), ids = Parameter::all(lost)));
            }
            say(message!("repair-aside", path = &aside));
        }
    }
    Ok(DONE)
}
