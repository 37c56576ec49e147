//! `cardiograph check`: measures a drive and judges it.

use std::sync::Arc;

use cardiograph_catalogue::Language;
use cardiograph_checkup::checkup::{Checkup, Task};
use cardiograph_checkup::outline_lines::{self, Line};
use cardiograph_checkup::runner::{Caller, Kept, TargetKind};
use cardiograph_checkup::session::Ending;
use cardiograph_checkup::signals::Signals;
use cardiograph_core::report::ReportState;
use cardiograph_core::result::ClockInfo;
use cardiograph_core::text::unique;
use cardiograph_core::{JobSpec, Message, Parameter, Report, message};
use cardiograph_engine::Clock;
use cardiograph_jobs::settings::Settings as _;
use cardiograph_render::doc::{self, Additions};
use cardiograph_render::text::{self, HeaderFacts, Writes};
use cardiograph_suites::Outline;

use crate::changes;
use crate::cli::CheckArguments;
use crate::consent::with_consent;
use crate::exit::{self, Failure};
use crate::export::{self, Exports};
use crate::keeper::Keeper;
use crate::purposes;
use crate::records::{self, Records};
use crate::requirement::{self, Requirement};
use crate::screen::Screen;
use crate::send::{self, Sender};

/// Runs a checkup. Returns the exit code.
pub fn run(arguments: &CheckArguments, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    // Before any output: beyond the limit on file lengths (ulimit -f) a write raises a signal that kills.
    let signals = Signals::listen()?;
    records::report_held_processes(screen);
    let caller = Caller { sink: screen, signals: &signals };
    screen.end_after(&signals);
    let (all, own) = purposes::read(arguments.purposes.as_deref())?;
    requirement::refuse_unknown(&arguments.require, &all)?;
    let sender = Sender::of(&arguments.send, records, screen)?;
    let mut checkup = with_consent(&arguments.allow_erase, screen.language(), |consents| {
        Checkup::open(task(arguments, own.as_deref(), consents), caller)
    })?;
    requirement::refuse_claims(checkup.suite, &arguments.require)?;
    if checkup.traits.only_removes_leftovers {
        let is_clean = checkup.remove_leftovers(caller)?;
        return Ok(if is_clean { exit::DONE } else { exit::IO_FAILED });
    }
    let outline = checkup.outline(caller)?;
    let files = arguments.data.files().into_iter().chain(arguments.pictures.files());
    let keeper = Keeper::open(records, arguments.no_keep || arguments.dry_run, Exports::open(files)?)?;
    let keeper = Arc::new(keeper.for_server(sender.as_ref().map(Sender::server)));
    keeper.try_save(&checkup.report)?;
    if arguments.dry_run && !arguments.no_keep {
        keeper.look(records)?;
    }
    sender.iter().for_each(|sender| sender.try_send(screen));
    checkup.make_ready(&outline, keeper.store.as_deref(), caller)?;
    let header = if arguments.verbose || arguments.dry_run { text::header } else { text::announcement };
    let facts = header_facts(&checkup, &outline);
    screen.mention(&header(&checkup.report, &facts, screen.language(), &screen.style()));
    screen.mention("");
    let much = checkup.writes_much(&outline).filter(|_| !arguments.yes);
    if arguments.dry_run {
        screen.say(&outline_text(&outline, much, screen.language()));
        return Ok(exit::DONE);
    }
    if let Some(much) = much {
        match screen.confirms(&message!("check-much-question", much = much.clone())) {
            Some(true) => {}
            Some(false) => return Err(Failure::usage(message!("check-much-declined"))),
            None => return Err(Failure::usage(message!("check-much-unapproved", much))),
        }
    }
    if checkup.traits.says_notes_first {
        outline.notes.iter().for_each(|note| screen.say_prose(&screen.language().text(note)));
    }
    let ending = checkup.run(&keeper, caller)?;
    show_ending(&mut checkup, arguments, (screen, caller), &ending, &keeper);
    let report = &checkup.report;
    if report.state != ReportState::Finished && checkup.traits.can_resume && keeper.store.is_some() {
        screen.say_message(&message!("check-resume"));
    }
    export::finish_report(&keeper.exports, report, ending.is_hung, screen)?;
    let code = exit_code(report, &ending, &signals, &arguments.require);
    let is_sendable = !ending.is_hung && ending.not_kept.is_none();
    Ok(send::saved(sender.as_ref(), &keeper, report, is_sendable, (code, screen)))
}

/// The task of the command line.
fn task(arguments: &CheckArguments, purposes: Option<&str>, consents: &[String]) -> Task {
    Task {
        path: arguments.path.clone(),
        simulate: arguments.simulate.clone(),
        suite: arguments.suite.clone(),
        settings: arguments.set.clone(),
        max_time_ns: arguments.max_time,
        precision: arguments.precision,
        buffered: arguments.buffered,
        label: arguments.label.clone(),
        tags: arguments.tag.iter().cloned().collect(),
        purposes: purposes.map(str::to_string),
        consents: consents.to_vec(),
        resumes: arguments.resume,
        keeps_report: !arguments.no_keep,
        is_dry: arguments.dry_run,
        seed: arguments.seed,
    }
}

fn header_facts(checkup: &Checkup, outline: &Outline) -> HeaderFacts {
    let Checkup { kind, traits, .. } = checkup;
    let is_simulated = *kind == TargetKind::Simulated;
    let jobs = outline.steps.iter().flat_map(|step| step.work.jobs());
    let engines = unique(jobs.filter_map(|job| engine_of(is_simulated, job)));
    let clock = if is_simulated { ClockInfo::default() } else { machine_clock() };
    HeaderFacts {
        engines,
        clock,
        writes: match kind {
            TargetKind::Device { .. } if traits.puts_back => Writes::AndBack(outline.write_bytes_max),
            TargetKind::Device { .. } => Writes::ToDevice(outline.write_bytes_max),
            TargetKind::Directory | TargetKind::Simulated => Writes::ToTestFiles(outline.write_bytes_max),
        },
        time_ns_max: [outline.time_ns_max, checkup.task.max_time_ns].into_iter().flatten().min(),
    }
}

/// The clock of this machine.
pub fn machine_clock() -> ClockInfo {
    let clock = Clock::machine();
    clock.info(&clock.mark())
}

/// The engine that will execute a job; if it replaces the named one, with the reason.
fn engine_of(is_simulated: bool, job: &JobSpec) -> Option<Message> {
    if is_simulated {
        return Some(Message::verbatim("sim"));
    }
    let entry = cardiograph_engine::find_engine(job.last("ioengine").unwrap_or("psync"))?;
    match ((entry.probe)(), cardiograph_engine::find_substitute(entry)) {
        (Err(unavailable), Some(other)) => {
            Some(message!("header-engine", engine = other.name, wanted = entry.name, why = unavailable))
        }
        _ => Some(Message::verbatim(entry.name)),
    }
}

/// The steps; `much` is what the checkup would ask.
fn outline_text(outline: &Outline, much: Option<Message>, language: Language) -> String {
    let mut lines = vec![language.text(&message!("outline-heading"))];
    for Line { depth, text } in outline_lines::lines(outline) {
        let indent = " ".repeat(2 + 4 * depth);
        lines.push(format!("{indent}{}", language.text(&text)));
    }
    let asks = much.map(|much| message!("check-would-ask", why = message!("check-much-unapproved", much)));
    lines.extend(asks.map(|asks| language.text(&asks)));
    lines.push(language.text(&message!("outline-end")));
    lines.join("\n")
}

/// Shows the Report, what is left on the drive, and whether the Report was saved.
fn show_ending(
    checkup: &mut Checkup,
    arguments: &CheckArguments,
    (screen, caller): (&Screen, Caller<'_>),
    ending: &Ending,
    keeper: &Keeper,
) {
    let (report, style) = (&checkup.report, screen.style());
    if arguments.verbose {
        screen.say("");
        screen.say(&text::report(report, screen.language(), &style));
        screen.say(&text::details(report, screen.language(), &style));
    } else {
        let requirements = requirement::items(report, &arguments.require);
        // A store on a drive that hangs would be waited for.
        let store = keeper.store.as_deref().filter(|_| !ending.is_hung);
        let changes = store.map_or(Vec::new(), |store| changes::sentences(report, store, screen));
        let additions = Additions { changes, requirements };
        screen.say(&text::ending(report, &additions, screen.language(), &style));
    }
    ending.messages.iter().for_each(|message| screen.complain_message(message));
    let leftovers = if ending.is_hung { Vec::new() } else { clean_up(checkup, ending.parts, caller) };
    show_saved(&checkup.report, ending.not_kept.as_ref(), leftovers, keeper, screen);
}

/// Shows what a checkup cost, what stays on the drive, whether it is saved, and the command to see more of it.
pub fn show_saved(
    report: &Report,
    not_kept: Option<&Message>,
    leftovers: Vec<Message>,
    keeper: &Keeper,
    screen: &Screen,
) {
    let effort = doc::effort(report).map(|effort| message!("report-effort", effort));
    let is_unwanted = not_kept.is_none() && keeper.store.is_none();
    let not_saved = is_unwanted.then(|| message!("report-not-wanted"));
    screen.say_prose(&screen.language().sentences(effort.iter().chain(&leftovers).chain(&not_saved)));
    match (not_kept, &keeper.store) {
        (Some(reason), _) => screen.complain_message(&message!("report-not-saved", error = reason.clone())),
        (None, Some(store)) => {
            // The command is to be copied: the line is not broken.
            screen.say(&screen.language().text(&keeper.records.saved_message(&report.id)));
            records::show_store_notes(store.as_ref(), screen);
        }
        (None, None) => {}
    }
}

/// Removes test files after a checkup, and reports what stays on the drive.
fn clean_up(checkup: &mut Checkup, parts: Kept, caller: Caller<'_>) -> Vec<Message> {
    let cleaned = checkup.clean(caller);
    let has_journals = checkup.kind == TargetKind::Device { has_journals: true };
    let wanted = match parts {
        Kept { files: 0, len_bytes: 0 } if has_journals => return Vec::new(),
        Kept { files: 0, len_bytes: 0 } => return vec![cleaned.sentence()],
        Kept { files: 0, len_bytes } => {
            message!("parts-stay-on-device", length = Parameter::Bytes(len_bytes))
        }
        Kept { files, len_bytes } => message!("parts-stay", files, length = Parameter::Bytes(len_bytes)),
    };
    let unwanted = (!cleaned.stays.is_empty()).then(|| cleaned.sentence());
    std::iter::once(wanted).chain(unwanted).collect()
}

fn exit_code(report: &Report, ending: &Ending, signals: &Signals, required: &[Requirement]) -> u8 {
    if let Some(signal) = signals.received() {
        return exit::SIGNAL_BASE + signal;
    }
    let is_lost = ending.not_kept.is_some();
    if report.state == ReportState::Failed || ending.is_hung || ending.is_not_restored || is_lost {
        return exit::IO_FAILED;
    }
    let codes: Vec<u8> = required.iter().map(|requirement| requirement::code(report, requirement)).collect();
    // An unmet requirement outweighs an unjudged one.
    [exit::REQUIREMENT_NOT_MET, exit::NOT_JUDGED]
        .into_iter()
        .find(|code| codes.contains(code))
        .unwrap_or(exit::DONE)
}
