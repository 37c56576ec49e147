//! `cardiograph check`: the main job.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use cardiograph_core::drive::{Drive, LeafKind};
use cardiograph_core::report::ReportState;
use cardiograph_core::rng::hash_name;
use cardiograph_core::{JobSpec, Report};
use cardiograph_core::{json, units};
use cardiograph_engine::Clock;
use cardiograph_fio::{diagnostics, fio_command};
use cardiograph_jobs::resolve::{FileFacts, Nowhere, ResolveContext, Surroundings, resolve};
use cardiograph_render::html;
use cardiograph_render::lang::Lang;
use cardiograph_render::text::{self, HeaderFacts, Writes};
use cardiograph_suites::{Context, Need, OnDevice, Options, Outline, Settings, Suite};
use time::OffsetDateTime;
use time::macros::format_description;

use crate::calibration;
use crate::cli::CheckArguments;
use crate::elsewhere::Elsewhere;
use crate::exit::{self, Failure};
use crate::export::Export;
use crate::fio::consent::Stake;
use crate::leftovers;
use crate::messages;
use crate::place::Place;
use crate::records;
use crate::requirement::{self, Requirement};
use crate::resume;
use crate::scheduler::Schedulers;
use crate::screen::Screen;
use crate::session::{Ending, Keeper, Kept, Session, WINDOW_NS};
use crate::signals::Signals;
use crate::trim;

/// Program and version, as Reports and passports have them.
pub const PROGRAM: &str = concat!("cardiograph ", env!("CARGO_PKG_VERSION"));

/// Runs a checkup. Returns the exit code.
pub fn run(arguments: &CheckArguments, screen: &Screen) -> Result<u8, Failure> {
    // Before anything is written, be it words: over the limit on file lengths that would kill.
    let signals = Signals::listen()?;
    let suite = find_suite(&arguments.suite)?;
    let unix_ms = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
    let settings = Settings::parse(suite.name(), suite.settings(), &arguments.set).map_err(Failure::usage)?;
    let puts_back = suite.puts_back(&settings);
    let place = match &arguments.simulate {
        Some(model) => Place::simulated(model, arguments.seed.unwrap_or(1))?,
        None => place_of(suite, arguments, puts_back, &signals)?,
    };
    let seed = arguments.seed.unwrap_or_else(|| place.default_seed(unix_ms));
    let (label, tags) = (arguments.label.clone(), &arguments.tag);
    let asked = (settings.given(), arguments.max_time, arguments.precision, arguments.buffered);
    let mut report = blank_report(label, tags, suite.name(), &place, seed, unix_ms, &asked)?;
    refuse_memory(&report.drive)?;
    report.settings = settings.given().clone();
    refuse_precision(suite, arguments.precision)?;
    requirement::refuse_claims(suite, &arguments.require)?;
    let mut options = Options {
        max_time_ns: arguments.max_time,
        precision: arguments.precision,
        direct: !arguments.buffered,
        settings,
        keeps_report: !arguments.no_keep,
        kept: None,
    };
    let context = Context { drive: &report.drive, environment: &report.environment, options: &options };
    if suite.only_removes_leftovers(&context) {
        return Ok(leftovers::remove(&place, arguments.dry_run, screen, &signals));
    }
    let found = place.parts_found();
    let resumed = found.first().filter(|_| suite.keeps_parts(&context));
    let kept = resumed.and_then(leftovers::kept_parts);
    let resumed = resumed.filter(|_| kept.is_some()).map(|found| found.set);
    options.kept = kept;
    // What the drive says of its health counts before the first byte: a suite tells what share of its life it takes.
    screen.live("asking the drive how it is");
    place.inquire(&mut report.drive);
    let context = Context { drive: &report.drive, environment: &report.environment, options: &options };
    let outline = suite.outline(&context);
    if outline.steps.is_empty() {
        return Err(Failure::usage(format!("{}: {}", report.drive.path, outline.notes.join(" "))));
    }
    refuse_what_cannot_be_run(&outline, report.seed)?;
    let keeper = Arc::new(keeper(arguments.no_keep || arguments.dry_run, arguments.json.as_deref())?);
    let page = arguments.html.as_deref().map(|path| Export::open_path("--html", path)).transpose()?;
    keeper.try_save(&report)?;
    let surroundings = surroundings(&suite.needs(&context), &place, &report.drive, arguments.dry_run)?;
    if let Some(store) = keeper.store.as_ref().filter(|_| arguments.resume) {
        resume::take_over(&mut report, suite, store)?;
    }
    if !arguments.dry_run {
        place.probe()?;
        place.check_space(outline.file_bytes_max)?;
    }
    let facts = header_facts(&place, &outline, puts_back, options.max_time_ns);
    screen.say(&text::header(&report, &facts, &screen.style()));
    if arguments.dry_run {
        screen.say(&outline_text(&outline));
        return Ok(exit::DONE);
    }
    if suite.says_notes_first() {
        outline.notes.iter().for_each(|note| screen.say_prose(note));
    }
    if suite.on_device() == OnDevice::Writes {
        leftovers::recover(&place, (puts_back, resumed.is_some()), &mut report, screen, &signals);
    }
    note_surroundings(&place, arguments, &mut report);
    let sequence_seed = resumed.map_or_else(|| place.content_seed(report.seed), |set| set.seed);
    leftovers::note_parts(&place, &found, resumed, &mut report);
    if !place.is_simulated() {
        report.environment.calibration = calibration::calibrate();
    }
    let session = Session {
        place: &place,
        suite,
        options,
        screen,
        signals: &signals,
        keeper: keeper.clone(),
        sequence_seed,
        elsewhere: surroundings.0,
        schedulers: RefCell::new(surroundings.1),
    };
    let rendered = |report: &Report| html::report(report, Lang::En);
    if let Some(page) = &page {
        page.save(|| rendered(&report))?;
    }
    let ending = session.run(&mut report)?;
    if let Some(set) = resumed.filter(|_| report.state != ReportState::Interrupted && !ending.is_hung) {
        // Parts that were not needed, as less of the space was asked for.
        place.remove_set(set);
    }
    let elsewhere = &session.elsewhere;
    show((&place, elsewhere), arguments, screen, &report, &ending, &keeper);
    if report.state == ReportState::Interrupted && suite.can_resume() && keeper.store.is_some() {
        screen.say_prose("The same command with --resume goes on with what is left.");
    }
    // The file was replaced after the last step; to write it once more could wait for the drive that hangs.
    if let Some(export) = &keeper.export
        && !(ending.is_hung && export.is_file())
    {
        export.finish(json::to_json(&report).as_bytes())?;
    }
    match page {
        Some(_) if ending.is_hung => screen
            .complain("--html is not written while the drive hangs; cardiograph show @last --html does it"),
        Some(page) => page.finish(rendered(&report).as_bytes())?,
        None => {}
    }
    Ok(exit_code(&report, &ending, &signals, &arguments.require))
}

/// Resolves the jobs of all steps before the first byte: what a user set may be a value that no job takes.
fn refuse_what_cannot_be_run(outline: &Outline, seed: u64) -> Result<(), Failure> {
    let context = ResolveContext { surroundings: &AllThere, ..ResolveContext::new(seed, WINDOW_NS) };
    let jobs = outline.steps.iter().map(|step| step.work.jobs()).filter(|jobs| !jobs.is_empty());
    for jobs in jobs {
        resolve(jobs, &context).map_err(|found| {
            Failure::usage(found.iter().map(diagnostics::message).collect::<Vec<_>>().join("\n"))
        })?;
    }
    Ok(())
}

/// Test files as they will be when their step begins: some steps check what an earlier one wrote.
pub struct AllThere;

impl Surroundings for AllThere {
    fn file(&self, _: &str) -> FileFacts {
        FileFacts::File { len_bytes: u64::MAX / 2 }
    }

    fn engines(&self) -> Vec<&'static str> {
        Nowhere.engines()
    }

    fn is_without_files(&self, engine: &str) -> bool {
        Nowhere.is_without_files(engine)
    }
}

/// What a suite needs beside the place of the checkup: directories, and drives that take its schedulers.
fn surroundings(
    needs: &[Need],
    place: &Place,
    drive: &Drive,
    is_dry: bool,
) -> Result<(Elsewhere, Schedulers), Failure> {
    let mut elsewhere = Elsewhere::default();
    let mut schedulers = Vec::new();
    for need in needs {
        match need {
            Need::Directory { path, file_bytes } => elsewhere.add(path, *file_bytes, is_dry)?,
            Need::Scheduler { name } => schedulers.push(name.clone()),
            Need::Trim { path } if !is_dry => match path {
                Some(path) => trim::probe(Path::new(path))?,
                None => place.trim(trim::probe)?,
            },
            Need::Trim { .. } => {}
        }
    }
    Ok((elsewhere, Schedulers::of(drive, &schedulers)?))
}

/// The directory that was named, or the device, for suites that take one.
fn place_of(
    suite: &dyn Suite,
    arguments: &CheckArguments,
    puts_back: bool,
    signals: &Signals,
) -> Result<Place, Failure> {
    let path = &arguments.path;
    let is_device = std::fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_block_device());
    if !is_device {
        return Place::directory(path);
    }
    match suite.on_device() {
        OnDevice::Never => Err(messages::not_for_devices(path, suite.name())),
        OnDevice::Reads => Place::device(path, None, &[], signals),
        // What is only shown destroys nothing.
        OnDevice::Writes => {
            let stake = if puts_back { Stake::PutBack } else { Stake::Lost };
            let writes = (!arguments.dry_run).then_some(stake);
            Place::device(path, writes, &arguments.allow_destroy, signals)
        }
    }
}

fn find_suite(name: &str) -> Result<&'static dyn Suite, Failure> {
    cardiograph_suites::find(name).ok_or_else(|| {
        let names: Vec<&str> = cardiograph_suites::SUITES.iter().map(|suite| suite.name()).collect();
        Failure::usage(format!("no suite is called '{name}'; there are: {}", names.join(", ")))
    })
}

/// A suite whose steps have their own end does not take a precision for it and run on regardless.
fn refuse_precision(suite: &dyn Suite, precision: Option<f64>) -> Result<(), Failure> {
    if precision.is_none() || suite.ends_by_precision() {
        return Ok(());
    }
    let others = cardiograph_suites::SUITES.iter().filter(|suite| suite.ends_by_precision());
    let others: Vec<&str> = others.map(|suite| suite.name()).collect();
    Err(Failure::usage(format!(
        "--precision: the steps of the suite {} end by time or size, whatever is known by then; those of --suite {} end by \
         precision",
        suite.name(),
        others.join(", ")
    )))
}

/// The Report before the first step. What is simulated has no date: the same again is the same checkup, and what differs in the
/// model, in what it is called or in what is `asked` of it is another.
pub fn blank_report(
    label: Option<String>,
    tags: &[(String, String)],
    suite: &str,
    place: &Place,
    seed: u64,
    unix_ms: u64,
    asked: &impl Debug,
) -> Result<Report, Failure> {
    let drive = place.identify()?;
    let started_unix_ms = if place.is_simulated() { 0 } else { unix_ms };
    let tags: BTreeMap<String, String> = tags.iter().cloned().collect();
    let id = match place {
        Place::Simulated(simulated) => {
            let what = format!("{:?}", (&drive.path, simulated.model(), &label, &tags, asked));
            format!("sim-{:08x}-{}-{seed:x}", hash_name(&what) as u32, suite.replace(' ', "-"))
        }
        _ => format!("{}-{:06x}", utc(unix_ms), seed & 0xff_ffff),
    };
    Ok(Report {
        label,
        tags,
        seed,
        host: place.host(),
        drive,
        environment: place.environment(),
        ..Report::new(&id, started_unix_ms, PROGRAM, suite)
    })
}

/// A moment as sortable digits.
fn utc(unix_ms: u64) -> String {
    let form = format_description!("[year][month][day]-[hour][minute][second]");
    let moment = OffsetDateTime::from_unix_timestamp((unix_ms / 1_000) as i64).ok();
    moment.and_then(|moment| moment.format(form).ok()).unwrap_or_else(|| unix_ms.to_string())
}

pub fn refuse_memory(drive: &Drive) -> Result<(), Failure> {
    let is_memory = drive.mount.as_ref().is_some_and(|mount| mount.is_memory)
        || drive.leaves.iter().any(|leaf| leaf.kind == LeafKind::Memory);
    if is_memory {
        let kind = drive.mount.as_ref().map_or("memory", |mount| mount.fs_type.as_str());
        return Err(Failure::usage(format!(
            "{} lies in memory ({kind}), not on a drive; name a directory on the drive",
            drive.path
        )));
    }
    Ok(())
}

fn header_facts(place: &Place, outline: &Outline, puts_back: bool, max_time_ns: Option<u64>) -> HeaderFacts {
    let jobs = outline.steps.iter().flat_map(|step| step.work.jobs());
    let engines: BTreeSet<String> = jobs.filter_map(|job| engine_of(place, job)).collect();
    let clock = match place.is_simulated() {
        true => "simulated".to_string(),
        false => clock_text(),
    };
    HeaderFacts {
        engines: engines.into_iter().collect(),
        clock,
        writes: match place {
            Place::Device { .. } if puts_back => Writes::AndBack(outline.write_bytes_max),
            Place::Device { .. } => Writes::ToDevice(outline.write_bytes_max),
            Place::Directory { .. } | Place::Simulated(_) => Writes::ToTestFiles(outline.write_bytes_max),
        },
        // What takes longer than is allowed is cut off.
        time_ns_max: [outline.time_ns_max, max_time_ns].into_iter().flatten().min(),
    }
}

/// The machine's clock, in a few words.
pub fn clock_text() -> String {
    let clock = Clock::machine();
    let info = clock.info(&clock.mark());
    let name = serde_json::to_value(info.source).ok().and_then(|name| name.as_str().map(str::to_string));
    format!("{}, {:.0} ns a reading", name.unwrap_or_default(), info.read_cost_ns)
}

/// The engine that will execute a job, and why if it is another than the one that is written.
fn engine_of(place: &Place, job: &JobSpec) -> Option<String> {
    if place.is_simulated() {
        return Some("sim".to_string());
    }
    let written = job.settings.iter().rev().find(|setting| setting.option == "ioengine");
    let entry = cardiograph_engine::engine::find(written.map_or("psync", |setting| &setting.value))?;
    match ((entry.probe)(), entry.fallback) {
        (Err(unavailable), Some(other)) => {
            Some(format!("{other} for {} ({})", entry.name, unavailable.reason))
        }
        _ => Some(entry.name.to_string()),
    }
}

fn outline_text(outline: &Outline) -> String {
    let mut lines = vec!["Would run, at most:".to_string()];
    for step in &outline.steps {
        let time = step.time_ns_max.map_or("as long as it takes".to_string(), units::elapsed);
        let written = match step.write_bytes_max {
            0 => "writes nothing".to_string(),
            bytes => format!("writes up to {}", units::bytes(bytes)),
        };
        lines.push(format!("  {} ({time}, {written})", step.title));
        lines.extend(step.work.jobs().iter().map(|job| format!("      {}", fio_command::command_line(job))));
        lines.extend(step.work.app().map(|app| format!("      the application {}", app.load)));
    }
    lines.extend(outline.notes.iter().map(|note| format!("  {note}")));
    lines.push("Nothing was written.".to_string());
    lines.join("\n")
}

/// Says what can be said of the surroundings before the first step.
fn note_surroundings(place: &Place, arguments: &CheckArguments, report: &mut Report) {
    report.notes.extend(place.clean().notes());
    if arguments.buffered {
        report.notes.push(
            "measured through the page cache (--buffered): these are the system's figures, not the drive's"
                .to_string(),
        );
    }
    if place.counters(&report.drive).is_none() {
        report.notes.push(
            "the kernel's counters for the drive cannot be read here, so no figure was checked against them"
                .to_string(),
        );
    }
}

/// Where Reports go.
pub fn keeper(keeps_nothing: bool, export: Option<&str>) -> Result<Keeper, Failure> {
    let export = export.map(|argument| Export::open("--json", argument)).transpose()?;
    let store = match keeps_nothing {
        true => None,
        false => Some(
            records::store()
                .map_err(|failure| Failure::usage(format!("{}, or run with --no-keep", failure.message)))?,
        ),
    };
    Ok(Keeper { store, export })
}

fn show(
    (place, elsewhere): (&Place, &Elsewhere),
    arguments: &CheckArguments,
    screen: &Screen,
    report: &Report,
    ending: &Ending,
    keeper: &Keeper,
) {
    let style = screen.style();
    screen.say("");
    screen.say(&text::report(report, &style));
    if arguments.verbose {
        screen.say(&text::details(report, &style));
    }
    if let Some(message) = &ending.message {
        screen.complain(message);
    }
    let left = match ending.is_hung {
        true => String::new(),
        false => left_sentence(place, elsewhere, ending.parts),
    };
    match (&ending.not_kept, &keeper.store) {
        (Some(reason), _) => {
            screen.say(&left);
            screen.complain(&format!("the Report was not kept: {reason}"));
        }
        (None, Some(store)) => {
            // It is copied: this one has a line of its own.
            screen.say(format!("{left}\nKept. Again: {}", records::again(&report.id)).trim_start());
            records::tell(store, screen);
        }
        (None, None) => screen.say_prose(format!("{left} The Report was not kept, as asked.").trim_start()),
    }
}

/// What is on the drive after a checkup.
fn left_sentence(place: &Place, elsewhere: &Elsewhere, parts: Kept) -> String {
    // All that this run made is closed by now, so that what stays can be seen.
    let mut cleaned = place.clean();
    elsewhere.clean().into_iter().for_each(|more| cleaned.stays.extend(more.stays));
    let wanted = match parts {
        Kept { files: 0, len_bytes: 0 } if place.journals().is_some() => return String::new(),
        Kept { files: 0, len_bytes: 0 } => return cleaned.sentence(),
        Kept { files: 0, len_bytes } => messages::parts_stay_on_device(len_bytes),
        Kept { files, len_bytes } => messages::parts_stay(files, len_bytes),
    };
    if cleaned.stays.is_empty() { wanted } else { format!("{wanted} {}", cleaned.sentence()) }
}

fn exit_code(report: &Report, ending: &Ending, signals: &Signals, required: &[Requirement]) -> u8 {
    if let Some(signal) = signals.received() {
        return exit::SIGNAL_BASE + signal;
    }
    let is_lost = ending.not_kept.is_some();
    if report.state == ReportState::Failed || ending.is_hung || ending.is_not_put_back || is_lost {
        return exit::IO_FAILED;
    }
    let codes: Vec<u8> = required.iter().map(|requirement| requirement::code(report, requirement)).collect();
    // What is not met outweighs what is not known.
    [exit::REQUIREMENT_NOT_MET, exit::NOT_JUDGED]
        .into_iter()
        .find(|code| codes.contains(code))
        .unwrap_or(exit::DONE)
}
