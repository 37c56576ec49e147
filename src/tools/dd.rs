//! `cardiograph dd`: copies from memory to a drive or from a drive to /dev/null, with dd's operands and outputs.

use std::cell::Cell;
use std::ffi::OsString;
use std::io::Write as _;

use cardiograph_catalogue::Language;
use cardiograph_checkup::job_runner::JobRunner as _;
use cardiograph_checkup::local_jobs::directory_of;
use cardiograph_core::result::RunResult;
use cardiograph_core::{Direction, Message, NS_PER_S, Parameter, Plan, message};
use cardiograph_engine::Progress;
use cardiograph_fio::tools::dd::{self, Copied, Copy, EndSync, Status, Way, Write};
use cardiograph_fio::tools::moved;
use cardiograph_jobs::resolve::{FileFacts, Surroundings as _, kind_message};

use super::{Tool, print_help_if_asked, to_utf8};
use crate::exit::{DONE, Failure, SIGNAL_BASE};

/// Copies. Returns the exit code.
pub fn run(words: &[OsString], language: Language) -> Result<u8, Failure> {
    let words = to_utf8(words)?;
    if print_help_if_asked(&words, &["--help"], language, "help-dd.after")? {
        return Ok(DONE);
    }
    let copy = dd::parse(&words).map_err(Failure::usage)?;
    let tool = Tool::start("dd", copy.path())?;
    let (part, notes) = check(&tool, &copy)?;
    let plan = tool.plan(&copy.jobs(part))?;
    let set = tool.prepare(&plan, &copy.consents)?;
    if copy.status != Status::None {
        notes.into_iter().for_each(|note| tool.note(note));
    }
    let shown_s = Cell::new(0);
    let show_progress = |progress: &Progress| {
        let seconds = progress.elapsed_ns / NS_PER_S;
        if copy.status == Status::Progress && seconds > shown_s.replace(seconds) {
            let bytes = progress.total.read.bytes + progress.total.write.bytes;
            say(&format!("\r{}", dd::progress(bytes, progress.elapsed_ns)));
        }
    };
    let ran = tool.execute(set, None, &show_progress)?;
    if shown_s.get() > 0 {
        say("\n");
    }
    let copied = copied(&copy, &plan, &ran.result);
    if copy.status != Status::None {
        say(&dd::records(&copied));
    }
    if matches!(copy.status, Status::All | Status::Progress) {
        say(&dd::transfer(&copied));
    }
    match Tool::failure(&ran) {
        Some(failure) => Err(failure),
        None => Ok(tool.signals.received().map_or(DONE, |signal| SIGNAL_BASE + signal)),
    }
}

/// dd prints everything on standard error. Failures to write are ignored.
fn say(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// The offset and length of the copied part, in bytes, and notes on the figure.
fn check(tool: &Tool, copy: &Copy) -> Result<((u64, u64), Vec<Message>), Failure> {
    let found = tool.file_facts(copy.path())?;
    match &copy.way {
        Way::Read { from, .. } => {
            let found_bytes = match found {
                FileFacts::File { len_bytes } | FileFacts::Device { len_bytes } => len_bytes,
                FileFacts::Missing => return Err(Failure::usage(message!("dd-missing", path = from))),
                FileFacts::Other { what } => {
                    let kind = kind_message(what);
                    return Err(Failure::usage(message!("dd-kind.from", path = from, kind)));
                }
            };
            let part = copy.part(found_bytes);
            if part.1 == 0 {
                let length = Parameter::Bytes(found_bytes);
                return Err(Failure::usage(message!("dd-nothing-left", path = from, length)));
            }
            Ok((part, (!copy.direct).then(|| message!("dd-note.cached")).into_iter().collect()))
        }
        Way::Write(write) => {
            let part = copy.part(0);
            let mut notes = check_output(tool, write, found, part)?;
            if write.end_sync == Some(EndSync::Fdatasync) {
                notes.push(message!("dd-note.fdatasync"));
            }
            if write.end_sync.is_none() && write.write_through.is_none() && !copy.direct {
                notes.push(message!("dd-note.in-memory"));
            }
            Ok((part, notes))
        }
    }
}

/// Refuses what only dd does: truncating a file, and writing until the file system is full.
fn check_output(
    tool: &Tool,
    write: &Write,
    found: FileFacts,
    (start_bytes, len_bytes): (u64, u64),
) -> Result<Vec<Message>, Failure> {
    let to = &write.to;
    let end_bytes = start_bytes.saturating_add(len_bytes);
    let refused = |message: Message| Err(Failure::usage(message));
    match found {
        FileFacts::Missing => {
            let directory = directory_of(to);
            if !tool.runner.is_directory(&directory.to_string_lossy()) {
                return refused(message!("dd-no-directory", path = to, directory));
            }
            check_room(tool, to, len_bytes)?;
            Ok(Vec::new())
        }
        FileFacts::File { len_bytes: found_bytes } if found_bytes > end_bytes && !write.keeps_rest => {
            let (found, left) = (Parameter::Bytes(found_bytes), Parameter::Bytes(end_bytes));
            refused(message!("dd-would-cut", path = to, found, left))
        }
        FileFacts::File { len_bytes: found_bytes } => {
            check_room(tool, to, end_bytes.saturating_sub(found_bytes.max(start_bytes)))?;
            let is_over = found_bytes > 0 && !write.keeps_rest;
            Ok(is_over.then(|| message!("dd-note.in-place", path = to)).into_iter().collect())
        }
        FileFacts::Device { len_bytes: device_bytes } if end_bytes > device_bytes => {
            let (end, wanted) = (device_bytes.to_string(), end_bytes.to_string());
            refused(message!("dd-device-too-short", path = to, end, wanted))
        }
        FileFacts::Device { .. } => Ok(Vec::new()),
        FileFacts::Other { what } => refused(message!("dd-kind.to", path = to, kind = kind_message(what))),
    }
}

/// Refuses a copy without enough free space: dd would write until the file system is full.
fn check_room(tool: &Tool, to: &str, needed_bytes: u64) -> Result<(), Failure> {
    // Unknown for some file systems; then writing fails.
    let Some(free_bytes) = tool.runner.free_bytes(directory_of(to))? else { return Ok(()) };
    if free_bytes >= needed_bytes {
        return Ok(());
    }
    let (needed, free) = (Parameter::Bytes(needed_bytes), Parameter::Bytes(free_bytes));
    Err(Failure::usage(message!("dd-no-room", path = to, needed, free)))
}

fn copied(copy: &Copy, plan: &Plan, result: &RunResult) -> Copied {
    let (bytes, ns) = moved(result);
    let mut copied = Copied { bytes, ns, ..Copied::default() };
    for worker in &result.workers {
        let ios: u64 = [Direction::Read, Direction::Write]
            .map(|direction| worker.directions[direction].ios)
            .iter()
            .sum();
        let short: u64 = [Direction::Read, Direction::Write]
            .map(|direction| worker.directions[direction].short_ios)
            .iter()
            .sum();
        let is_whole = plan.jobs[worker.job].workload.block_len_bytes_max() == copy.block_len_bytes;
        copied.whole += if is_whole { ios - short } else { 0 };
        copied.partial += if is_whole { short } else { ios };
    }
    copied
}
