//! `cardiograph store`: the file that holds saved checkups.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use cardiograph_catalogue::english;
use cardiograph_core::message::with_english;
use cardiograph_core::report::ReportState;
use cardiograph_core::summary::SmolStr;
use cardiograph_core::system_error::cause;
use cardiograph_core::{Message, Parameter, json, message};
use cardiograph_files::input;
use cardiograph_store::{Mended, Query};

use crate::cli::{STDOUT, StoreCommand};
use crate::exit::{DONE, Failure, IO_FAILED, USAGE};
use crate::export::Export;
use crate::records::{self, Records};
use crate::screen::Screen;
use crate::{stdout, store_copy};

/// Repairs the store, or copies checkups out of it or into it.
pub fn run(command: &StoreCommand, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    match command {
        StoreCommand::Repair => repair(records, screen),
        StoreCommand::Export { file } => export(file, records, screen),
        StoreCommand::Import { file } => import(file, records, screen),
        StoreCommand::Copy { from, to } => store_copy::run(from, to, screen),
    }
}

/// Writes all checkups as JSON, one in a line, oldest first. Those that cannot be read are named and left out.
fn export(file: &str, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    let output = Export::open("store export", file)?;
    let store = records.store()?;
    let mut runs = store.find(&Query::default())?;
    runs.reverse();
    let (mut lines, mut unread) = (Vec::new(), 0);
    for run in &runs {
        match store.load(&run.id) {
            Ok(report) => {
                lines.extend(with_english(english, || json::to_json_line(&report)).into_bytes());
                lines.push(b'\n');
                // A closed pipe wants no more.
                if file == STDOUT && !stdout::write(&std::mem::take(&mut lines))? {
                    return Ok(DONE);
                }
            }
            Err(error) => {
                screen.complain_message(&error.message());
                unread += 1;
            }
        }
    }
    records::show_store_notes(store.as_ref(), screen);
    if file != STDOUT {
        output.finish(&lines)?;
        screen.say_message(&message!("store-exported", checkups = runs.len() - unread, path = file));
    }
    Ok(if unread == 0 { DONE } else { IO_FAILED })
}

/// Saves the checkups of an export that are not there. One that is unfinished there is replaced by a finished one.
fn import(file: &str, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    let store = records.store()?;
    let runs = store.find(&Query::default())?;
    let mut known: HashMap<SmolStr, ReportState> = runs.into_iter().map(|run| (run.id, run.state)).collect();
    let unreadable = |error: std::io::Error| {
        Failure::usage(message!("input-unreadable", path = file, error = Parameter::from(cause(&error))))
    };
    let mut source = BufReader::new(input::open(Path::new(file)).map_err(unreadable)?);
    let (mut taken, mut skipped, mut refused) = (0_u64, 0_u64, 0_u64);
    for number in 1_u64.. {
        let mut line = Vec::new();
        source.by_ref().take(json::LEN_BYTES_MAX).read_until(b'\n', &mut line).map_err(unreadable)?;
        if line.is_empty() {
            break;
        }
        match json::from_json(&line) {
            Ok(report) => {
                let saved = known.insert(report.id.as_str().into(), report.state);
                let is_better = report.state == ReportState::Finished;
                match saved {
                    Some(state) if state == ReportState::Finished || !is_better => {
                        known.insert(report.id.as_str().into(), state);
                        skipped += 1;
                    }
                    _ => {
                        store.save(&report)?;
                        taken += 1;
                    }
                }
            }
            Err(_) if line.trim_ascii().is_empty() => {}
            Err(_) if taken + skipped + refused == 0 => {
                return Err(Failure::usage(message!("store-not-an-export", path = file)));
            }
            Err(error) => {
                let why = error.message();
                screen.complain_message(&message!("store-import-line", path = file, line = number, why));
                refused += 1;
            }
        }
    }
    records::show_store_notes(store.as_ref(), screen);
    screen.say_message(&message!("store-imported", checkups = taken, known = skipped, path = store.place()));
    Ok(if refused == 0 { DONE } else { USAGE })
}

/// Repairs the file.
fn repair(records: &Records, screen: &Screen) -> Result<u8, Failure> {
    let store = records.store()?;
    let mended = store.repair()?;
    let path = store.place();
    let say = |message: Message| screen.say(&screen.language().text(&message));
    match mended {
        None => say(message!("repair-undamaged", path)),
        Some(Mended { aside, saved, lost, lost_steps }) => {
            say(message!("repair-done", path, checkups = saved));
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
