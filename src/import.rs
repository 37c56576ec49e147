//! `cardiograph import`: saves other programs' output as checkups.

use std::io::{BufReader, Read};
use std::path::Path;

use cardiograph_checkup::checkup::PROGRAM;
use cardiograph_core::json;
use cardiograph_core::nearest::{is_same, suggestion};
use cardiograph_core::system_error::cause;
use cardiograph_core::text::shown_path;
use cardiograph_core::{Message, Parameter, Report, message};
use cardiograph_files::input;
use cardiograph_import::table::{self, Map};
use cardiograph_import::{HEAD_LEN_BYTES, IMPORTERS, Importer, Named};
use cardiograph_render::text;
use cardiograph_store::{Store, StoreError};

use crate::cli::ImportArguments;
use crate::exit::{DONE, Failure, USAGE};
use crate::records::{self, Records};
use crate::screen::{Screen, hanging};
use crate::send::Sender;

/// Length of each read from a file, in bytes.
const CHUNK_LEN_BYTES: usize = 256 << 10;

/// The format of a file.
#[derive(Clone, Copy)]
enum Format {
    /// A Report, as `check --json` writes it.
    Report,
    /// Output of another program.
    Output(&'static Importer),
}

impl Format {
    fn named(name: &str) -> Option<Self> {
        if is_same(name, json::NAME) {
            Some(Self::Report)
        } else {
            cardiograph_import::find(name).map(Self::Output)
        }
    }

    fn detect(head: &[u8], named: &Named) -> Option<Self> {
        if json::is_report(head) {
            Some(Self::Report)
        } else {
            cardiograph_import::detect(head, named).map(Self::Output)
        }
    }

    /// Names and titles, a Report first.
    fn all() -> impl Iterator<Item = (&'static str, Message)> {
        let others = IMPORTERS.iter().map(|importer| (importer.name, importer.title.clone()));
        std::iter::once((json::NAME, message!("import-format.report"))).chain(others)
    }
}

/// Imports files. A file with a problem is left out as a whole; the others are saved.
pub fn run(arguments: &ImportArguments, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    if arguments.list_formats {
        list_formats(screen);
        return Ok(DONE);
    }
    let wanted = match &arguments.r#as {
        Some(name) => Some(Format::named(name).ok_or_else(|| unknown_format(name))?),
        None => None,
    };
    let store = records.store()?;
    let sender = Sender::of(&arguments.send, records, screen)?;
    let (mut code, mut shown, mut saved) = (DONE, None, Vec::new());
    for path in &arguments.files {
        match read(path, wanted, arguments.map.as_ref()) {
            Ok(reports) => {
                if let Some(sender) = &sender {
                    // First, so that a kill in between does not make them forgotten.
                    let ids: Vec<&str> = reports.iter().map(|report| report.id.as_str()).collect();
                    store.access().add_to_outbox(&sender.server(), &ids)?;
                    saved.extend(ids.into_iter().map(str::to_string));
                }
                let mut reports = save(reports, arguments, store.as_ref(), screen)?;
                shown = reports.pop().map(|report| report.id).or(shown);
            }
            Err(messages) => {
                let lines: Vec<String> = messages.iter().map(|line| screen.language().text(line)).collect();
                screen.complain(&lines.join("\n  "));
                code = USAGE;
            }
        }
    }
    records::show_store_notes(store.as_ref(), screen);
    if let Some(id) = shown.filter(|_| !arguments.dry_run) {
        screen.say("");
        screen.say_message(&message!("import-view", command = records.view_command(&id)));
    }
    Ok(match sender {
        Some(sender) if !saved.is_empty() => sender.send_saved(store.as_ref(), &saved, code, screen),
        _ => code,
    })
}

fn list_formats(screen: &Screen) {
    let columns = Format::all().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, title) in Format::all() {
        screen.say(&hanging(&format!("{name:columns$}  "), &screen.language().text(&title)));
    }
}

/// The names of all formats.
pub fn formats() -> Vec<&'static str> {
    Format::all().map(|(name, _)| name).collect()
}

fn unknown_format(name: &str) -> Failure {
    Failure::usage(message!("import-no-format", name, hint = suggestion(name, &formats())))
}

/// Reads the Reports in a file. An error has several lines.
fn read(path: &str, wanted: Option<Format>, map: Option<&Map>) -> Result<Vec<Report>, Vec<Message>> {
    let shown = || match path {
        "-" => Parameter::from(message!("import-standard-input")),
        path => shown_path(path).into(),
    };
    let failed = |why: Parameter| vec![message!("input-unreadable", path = shown(), error = why)];
    let unreadable = |error: std::io::Error| failed(cause(&error).into());
    let mut file = input::open(Path::new(path)).map_err(unreadable)?;
    let mut head = Vec::new();
    file.by_ref().take(HEAD_LEN_BYTES as u64).read_to_end(&mut head).map_err(unreadable)?;
    if head.is_empty() {
        return Err(vec![message!("import-empty", file = shown())]);
    }
    let named = Named { place: path };
    let mut whole = BufReader::with_capacity(CHUNK_LEN_BYTES, head.as_slice().chain(file));
    let (parts, refused) = match (map, wanted.or_else(|| Format::detect(&head, &named))) {
        (Some(map), _) => {
            let tests = map.read(&mut whole).map(|tests| vec![(table::NAME, tests)]);
            (tests, message!("import-refused.map", file = shown()))
        }
        (None, Some(Format::Output(importer))) => {
            let refused = message!("import-refused", file = shown(), format = importer.name);
            let parts = match wanted {
                Some(_) => importer.read(&mut whole, &named).map(|tests| vec![(importer, tests)]),
                None => importer.read_page(&mut whole, &named),
            };
            let named = |(importer, tests): (&Importer, _)| (importer.name, tests);
            (parts.map(|parts| parts.into_iter().map(named).collect()), refused)
        }
        (None, Some(Format::Report)) => {
            let text = input::read_limited(whole, json::LEN_BYTES_MAX, json::KIND).map_err(unreadable)?;
            return json::from_json(text)
                .map(|report| vec![report])
                .map_err(|error| failed(error.message().into()));
        }
        (None, None) => return Err(vec![message!("import-unknown", file = shown())]),
    };
    let parts: Vec<_> = parts.map_err(|problems| [vec![refused], problems.messages()].concat())?;
    let reports = |(format, tests)| cardiograph_import::reports(tests, format, &named, PROGRAM);
    Ok(parts.into_iter().flat_map(reports).collect())
}

/// Saves the Reports of a file, all or none, and shows them. Reports that are already saved get the new notes.
fn save(
    mut reports: Vec<Report>,
    arguments: &ImportArguments,
    store: &dyn Store,
    screen: &Screen,
) -> Result<Vec<Report>, Failure> {
    let mut states = Vec::new();
    let mut is_changed = Vec::new();
    for report in &mut reports {
        let before = match store.load(&report.id) {
            Ok(saved) => Some(saved),
            Err(StoreError::NotFound { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        if let Some(saved) = &before {
            report.clone_from(saved);
        }
        let earlier_label = report.label.clone();
        add_notes(report, arguments);
        is_changed.push(before.as_ref() != Some(report));
        let relabelled = earlier_label.filter(|_| before.is_some()).zip(report.label.clone());
        let relabelled = relabelled.filter(|(before, after)| before != after && !arguments.dry_run);
        states.push(match (before.is_none(), is_changed[is_changed.len() - 1], arguments.dry_run) {
            _ if let Some((before, after)) = relabelled => {
                message!("import-state.relabelled", id = &report.id, before, after)
            }
            (true, _, true) => message!("import-state.would-be-new", id = &report.id),
            (true, _, false) => message!("import-state.new", id = &report.id),
            (false, true, true) => message!("import-state.would-change", id = &report.id),
            (false, true, false) => message!("import-state.changed", id = &report.id),
            (false, false, _) => message!("import-state.known", id = &report.id),
        });
    }
    if !arguments.dry_run && is_changed.contains(&true) {
        // Copies only some of the Reports: large ones are seldom imported twice.
        if is_changed.contains(&false) {
            let changed = reports.iter().zip(&is_changed).filter(|(_, is_changed)| **is_changed);
            let changed: Vec<Report> = changed.map(|(report, _)| report.clone()).collect();
            store.save_all(&changed)?;
        } else {
            store.save_all(&reports)?;
        }
    }
    for (report, state) in reports.iter().zip(states) {
        screen.say(&text::imported(report, state, screen.language(), &screen.style()));
    }
    Ok(reports)
}

/// Adds label, tags and capacity of the command line, and judges with them. cardiograph's Reports are judged already.
fn add_notes(report: &mut Report, arguments: &ImportArguments) {
    report.label = arguments.label.clone().or(report.label.take());
    report.tags.extend(arguments.tag.iter().cloned());
    report.drive.capacity_bytes = arguments.capacity.or(report.drive.capacity_bytes);
    if report.source.is_some() {
        cardiograph_judge::by_method::judge_imported(report);
    }
}
