//! `cardiograph remove` and `cardiograph store repair`: what changes the store and measures nothing.

use std::collections::HashSet;

use cardiograph_core::summary::RunSummary;
use cardiograph_render::doc;
use cardiograph_store::Mended;
use cardiograph_store::select::select;

use crate::cli::RemoveArguments;
use crate::exit::{DONE, Failure};
use crate::records::{self, Records, select_failure};
use crate::screen::{self, Screen};

/// Lists what would be removed, asks, and removes it.
pub fn run(arguments: &RemoveArguments, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    let store = records.store()?;
    let mut runs: Vec<RunSummary> = Vec::new();
    let mut ids = HashSet::new();
    for selector in &arguments.selectors {
        let found = select(selector, store.as_ref());
        records::tell(store.as_ref(), screen);
        let found = found.map_err(|error| select_failure(selector, error))?;
        runs.extend(found.into_iter().filter(|run| ids.insert(run.id.clone())));
    }
    screen.say_doc(&doc::runs(&runs));
    let count = match runs.len() {
        1 => "1 checkup".to_string(),
        count => format!("{count} checkups"),
    };
    if !arguments.yes {
        let answer = screen::ask(&format!("Remove {count} for good? [y/N] ")).ok_or_else(|| {
            Failure::usage("nothing was removed: there is no terminal to ask at; to remove them: --yes")
        })?;
        if !["y", "yes"].contains(&answer.to_ascii_lowercase().as_str()) {
            screen.say("Nothing was removed.");
            return Ok(DONE);
        }
    }
    let ids: Vec<&str> = runs.iter().map(|run| run.id.as_str()).collect();
    store.remove(&ids)?;
    screen.say(&format!("Removed {count}."));
    Ok(DONE)
}

/// Mends the store.
pub fn repair(records: &Records, screen: &Screen) -> Result<u8, Failure> {
    let store = records.store()?;
    let mended = store.repair()?;
    let path = store.place().display();
    match mended {
        None => screen.say(&format!("{path} is not damaged. Nothing was changed.")),
        Some(Mended { aside, saved, lost, lost_steps }) => {
            let s = |count: usize| if count == 1 { "" } else { "s" };
            screen.say(&format!("Repaired {path}: {saved} checkup{} saved.", s(saved)));
            if lost_steps > 0 {
                screen
                    .say(&format!("{lost_steps} of their steps were lost; notes in the checkups say which."));
            }
            if !lost.is_empty() {
                screen.say(&format!("Lost {} checkup{}: {}", lost.len(), s(lost.len()), lost.join(", ")));
            }
            screen.say(&format!("The damaged file is kept as {}", aside.display()));
        }
    }
    Ok(DONE)
}
