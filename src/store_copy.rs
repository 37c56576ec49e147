//! `cardiograph store copy`: all checkups of one store into another.

use std::collections::HashSet;
use std::path::Path;

use cardiograph_catalogue::english;
use cardiograph_core::message::with_english;
use cardiograph_core::summary::RunSummary;
use cardiograph_core::{Message, Report, json, message};
use cardiograph_store::{Query, Store, StoreError};

use crate::exit::{DONE, Failure, IO_FAILED};
use crate::records;
use crate::screen::Screen;

/// Checkups read and saved at once: a Report may have megabytes.
const AT_ONCE: usize = 16;
/// List entries read at once, and the distance of progress lines.
const PAGE: usize = 1_000;

/// Copies all Reports, and which drives are joined. A Report that is there but differs is replaced: the copy can be
/// repeated, and continues where it ended.
pub fn run(from: &Path, to: &Path, screen: &Screen) -> Result<u8, Failure> {
    let (from, to) = (cardiograph_store::open(from)?, cardiograph_store::open(to)?);
    if from.place() == to.place() {
        return Err(Failure::usage(message!("store-copy-same", path = from.place())));
    }
    if let Some(existing) = missing_file(from.place()) {
        return Err(Failure::usage(existing));
    }
    let (mut copied, mut equal, mut unread) = (0, 0_usize, 0);
    // Oldest first: what has no date is sorted by when it was saved.
    let mut ids = all_ids(from.as_ref())?;
    ids.reverse();
    for (part, some) in ids.chunks(AT_ONCE).enumerate() {
        let mut wanted = Vec::new();
        for id in some {
            match from.load(id) {
                Ok(report) => match is_same(to.as_ref(), &report)? {
                    true => equal += 1,
                    false => wanted.push(report),
                },
                Err(error @ (StoreError::Unreadable { .. } | StoreError::TooNew { .. })) => {
                    screen.complain_message(&error.message());
                    unread += 1;
                }
                // Removed meanwhile.
                Err(StoreError::NotFound { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        to.save_all(&wanted)?;
        copied += wanted.len();
        let done = part * AT_ONCE + some.len();
        if done / PAGE > part * AT_ONCE / PAGE && done < ids.len() {
            screen.say_message(&message!("store-copy-progress", done, checkups = ids.len()));
        }
    }
    for (key, into_key) in from.joined_drives()? {
        match to.join_drives(&key, &into_key) {
            // Nothing is left of one of them.
            Err(StoreError::NoSuchDrive { .. }) => {}
            joined => joined?,
        }
    }
    let wrong = differing(from.as_ref(), to.as_ref(), &ids)?;
    records::show_store_notes(from.as_ref(), screen);
    records::show_store_notes(to.as_ref(), screen);
    let (from, to) = (from.place(), to.place());
    screen.say_message(&message!("store-copied", from, to, checkups = copied, known = equal));
    if !wrong.is_empty() {
        let ids = cardiograph_core::Parameter::all(wrong.iter().map(String::as_str));
        screen.complain_message(&message!("store-copy-differs", to, checkups = wrong.len(), ids));
    } else if unread == 0 {
        screen.say_message(&message!("store-copy-compared", checkups = ids.len()));
    }
    Ok(if unread == 0 && wrong.is_empty() { DONE } else { IO_FAILED })
}

/// The message for an SQLite file that does not exist: nothing to copy would look like success.
fn missing_file(place: &Path) -> Option<Message> {
    let is_address = place.to_str().is_some_and(|place| place.starts_with("postgresql://"));
    (!is_address && !place.exists()).then(|| message!("store-missing", path = place))
}

/// The ids of all checkups, newest first.
fn all_ids(store: &dyn Store) -> Result<Vec<String>, Failure> {
    let mut ids: Vec<String> = Vec::new();
    loop {
        let after = ids.last().cloned();
        let page = store.find(&Query { after, limit: Some(PAGE as u64), ..Query::default() })?;
        if page.is_empty() {
            return Ok(ids);
        }
        ids.extend(page.into_iter().map(|run: RunSummary| run.id.to_string()));
    }
}

fn is_same(store: &dyn Store, report: &Report) -> Result<bool, Failure> {
    match store.load(&report.id) {
        Ok(found) => Ok(line(&found) == line(report)),
        Err(StoreError::NotFound { .. } | StoreError::Unreadable { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn line(report: &Report) -> String {
    with_english(english, || json::to_json_line(report))
}

/// The ids of Reports that are not in both stores with the same content, of those that the first can read.
fn differing(from: &dyn Store, to: &dyn Store, ids: &[String]) -> Result<Vec<String>, Failure> {
    let there: HashSet<String> = all_ids(to)?.into_iter().collect();
    let mut wrong = Vec::new();
    for id in ids {
        let is_copied = match from.load(id) {
            Ok(report) => there.contains(id) && is_same(to, &report)?,
            Err(_) => true,
        };
        if !is_copied {
            wrong.push(id.clone());
        }
    }
    Ok(wrong)
}
