//! `cardiograph drive`: shows what a drive is and claims, without measuring.

use std::path::Path;

use cardiograph_catalogue::english;
use cardiograph_checkup::agent::AgentJobs;
use cardiograph_checkup::job_runner::JobRunner as _;
use cardiograph_checkup::journals;
use cardiograph_checkup::runner::Caller;
use cardiograph_checkup::signals::Signals;
use cardiograph_core::drive::{DeviceJournal, Passport};
use cardiograph_core::json;
use cardiograph_core::message::with_english;
use cardiograph_engine::device;
use cardiograph_render::doc;

use crate::cli::{DriveArguments, Form};
use crate::exit::{DONE, Failure};
use crate::export::Exports;
use crate::records;
use crate::screen::Screen;

/// Shows the passport of the drive under a path, or lists all drives.
pub fn run(arguments: &DriveArguments, screen: &Screen) -> Result<u8, Failure> {
    let exports = Exports::open(arguments.data.files())?;
    records::report_held_processes(screen);
    let signals = Signals::listen()?;
    let caller = Caller { sink: screen, signals: &signals };
    // For the list, what the kernel shows is enough.
    let inquires = arguments.path.is_some() || exports.has(Form::Json);
    let path = arguments.path.as_deref();
    let runner = AgentJobs::start(path.unwrap_or(Path::new("/dev")).to_path_buf(), &signals)?;
    let mut passport = runner.passport(path, inquires, caller)?;
    passport.journals = journals::list();
    if let Some(path) = &arguments.path {
        let ids = ids(path, &passport);
        passport.journals.retain(|journal| ids.iter().any(|id| is_about(journal, id)));
    }
    let doc = if arguments.path.is_some() { doc::passport(&passport) } else { doc::drives(&passport) };
    exports.show(&doc, || with_english(english, || json::indented(&passport)), screen)?;
    if !exports.use_stdout() {
        passport.journals.iter().for_each(|journal| show_journal(journal, screen));
    }
    Ok(DONE)
}

/// Shows an unfinished restore. Its lines are not broken: they have a path and a command.
fn show_journal(journal: &DeviceJournal, screen: &Screen) {
    let [what, undone] = journals::lines(journal).map(|line| screen.language().text(&line));
    screen.say("");
    screen.say(&format!("{what}\n  {undone}"));
}

/// The ids of a named device and of the drives below it.
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
