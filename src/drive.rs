//! `cardiograph drive`: what a drive is and claims, without measuring.

use std::path::Path;

use cardiograph_checkup::checkup::{PROGRAM, unix_ms};
use cardiograph_checkup::deadline::in_time;
use cardiograph_checkup::journals;
use cardiograph_checkup::messages;
use cardiograph_checkup::place::with_ids;
use cardiograph_core::drive::{DeviceJournal, Drive, PASSPORT_VERSION, Passport};
use cardiograph_core::json;
use cardiograph_drive::System;
use cardiograph_engine::device;
use cardiograph_judge::trust::{self, Evidence};
use cardiograph_render::text;

use crate::cli::DriveArguments;
use crate::exit::{DONE, Failure};
use crate::export::Export;
use crate::records;
use crate::screen::Screen;

/// Shows the passport of what stands under a path, or all drives.
pub fn run(arguments: &DriveArguments, screen: &Screen) -> Result<u8, Failure> {
    let json = arguments.json.as_deref().map(|path| Export::open("--json", path)).transpose()?;
    records::tell_held(screen);
    let name = arguments.path.clone();
    // A list of names needs no more than the kernel shows.
    let inquires = arguments.path.is_some() || arguments.json.is_some();
    let found = in_time(move || look(name.as_deref(), inquires));
    let mut passport = found.unwrap_or_else(|| Err(messages::silent_drive(arguments.path.as_deref())))?;
    passport.drives = passport.drives.into_iter().map(with_ids).collect();
    let mut words = match arguments.path {
        Some(_) => text::passport(&passport, &screen.style()),
        None => text::drives(&passport, &screen.style()),
    };
    passport.journals = journals::list();
    if let Some(path) = &arguments.path {
        let ids = ids(path, &passport);
        passport.journals.retain(|journal| ids.iter().any(|id| is_about(journal, id)));
    }
    for journal in &passport.journals {
        words = format!("{}\n\n{}", words.trim_end(), journals::text(journal));
    }
    if let Some(file) = &json {
        file.finish(json::passport_to_json(&passport).as_bytes())?;
    }
    if arguments.json.as_deref() != Some("-") {
        screen.say(&words);
    }
    Ok(DONE)
}

/// The ids of a device that was named and of the drives below it.
fn ids(path: &Path, passport: &Passport) -> Vec<String> {
    let name = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let name = name.file_name().and_then(|name| name.to_str());
    let leaves = passport.drives.iter().flat_map(|drive| &drive.leaves);
    leaves.filter_map(|leaf| leaf.id.clone()).chain(name.and_then(device::consent_id)).collect()
}

/// Whether a journal is about the device of this id, or a partition of it.
fn is_about(journal: &DeviceJournal, id: &str) -> bool {
    let rest = journal.device_id.strip_prefix(id);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("-part"))
}

/// Looks at what is there. It waits where the kernel waits for a drive.
fn look(name: Option<&Path>, inquires: bool) -> Result<Passport, Failure> {
    let system = System::local();
    let mut drives: Vec<Drive> = match name {
        Some(name) => {
            let found = system.identify_named(name);
            let hint = "`cardiograph drive` lists the drives of this machine";
            vec![found.map_err(|error| Failure::usage(format!("{error}; {hint}")))?]
        }
        None => system.drives(),
    };
    if inquires {
        system.inquire(drives.iter_mut().flat_map(|drive| &mut drive.leaves));
    }
    let mut passport = Passport {
        passport_version: PASSPORT_VERSION,
        program: PROGRAM.to_string(),
        made_unix_ms: unix_ms(),
        host: system.host(),
        environment: system.environment(),
        drives,
        ..Passport::default()
    };
    if let (Some(_), [drive]) = (name, passport.drives.as_slice()) {
        let (host, environment) = (&passport.host, &passport.environment);
        passport.traps = trust::panel(&Evidence { drive, host, environment, steps: &[], health_after: &[] });
    }
    Ok(passport)
}
