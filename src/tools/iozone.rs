//! `cardiograph iozone`: iozone's tests 0, 1 and 2, with its arguments and its output.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cardiograph_catalogue::Language;
use cardiograph_checkup::checkup::PROGRAM;
use cardiograph_checkup::job_runner::{JobRunner as _, OwnFile};
use cardiograph_checkup::local_jobs::directory_of;
use cardiograph_checkup::machine::{fresh_seed, resolved};
use cardiograph_checkup::runner::{Runner as _, TargetSpec, Wanted};
use cardiograph_checkup::session::WINDOW_NS;
use cardiograph_core::message;
use cardiograph_core::text::plain;
use cardiograph_fio::tools::iozone::{self, Pass, Request};
use cardiograph_fio::tools::moved;
use cardiograph_jobs::resolve::{FileFacts, ResolveContext, kind_message};
use cardiograph_suites::SuiteTraits;
use time::UtcOffset;

use super::{Tool, print_help_if_asked, to_utf8};
use crate::exit::{DONE, Failure, SIGNAL_BASE};
use crate::fio::local_time;
use crate::stdout;

/// Runs the tests. Returns the exit code.
pub fn run(words: &[OsString], language: Language) -> Result<u8, Failure> {
    // The time zone can be read only while there is a single thread.
    let offset = UtcOffset::current_local_offset().unwrap_or(UtcOffset::UTC);
    let words = to_utf8(words)?;
    if print_help_if_asked(&words, &["-h", "--help"], language, "help-iozone.after")? {
        return Ok(DONE);
    }
    let request = iozone::parse(&words).map_err(Failure::usage)?;
    let tool = Tool::start("iozone", request.path.as_deref().unwrap_or("."))?;
    let directory = directory(&tool, &request)?;
    let rows = request.rows();
    let (path, suite) = (directory.clone(), "iozone".to_string());
    let (consents, is_dry) = (Vec::new(), false);
    let spec = TargetSpec { path, suite, traits: SuiteTraits::default(), consents, is_dry };
    let (mut target, _) = tool.runner.open(&spec, tool.caller())?;
    let file_bytes_max = rows.iter().map(|&(file_len_bytes, _)| file_len_bytes).max().unwrap_or(0);
    target.make_ready(&Wanted { needs: Vec::new(), file_bytes_max, is_dry }, tool.caller())?;
    target.clean(None, tool.caller()).notes().iter().for_each(|note| tool.note(note.clone()));
    if !request.direct {
        tool.note(message!("iozone-note.cached"));
    }
    if !stdout::write(plain(&iozone::header(&request, PROGRAM, &local_time(offset), &words)).as_bytes())? {
        return Ok(DONE);
    }
    for lens in rows {
        run_row(&tool, &request, &directory, lens)?;
        if let Some(signal) = tool.signals.received() {
            return Ok(SIGNAL_BASE + signal);
        }
    }
    stdout::write(b"\niozone test complete.\n").map(|_| DONE)
}

/// The directory for the file.
fn directory(tool: &Tool, request: &Request) -> Result<PathBuf, Failure> {
    let Some(path) = &request.path else { return Ok(PathBuf::from(".")) };
    match tool.file_facts(path)? {
        FileFacts::Missing => {}
        FileFacts::File { .. } => {
            tool.note(message!("iozone-note.left-alone", path));
        }
        FileFacts::Device { .. } => {
            return Err(Failure::usage(message!("iozone-path.device", path)));
        }
        FileFacts::Other { what } => {
            let kind = kind_message(what);
            return Err(Failure::usage(message!("iozone-path.kind", path, kind)));
        }
    }
    Ok(directory_of(path).to_path_buf())
}

/// Runs the passes over one file, and shows each when it ends.
fn run_row(tool: &Tool, request: &Request, directory: &Path, lens: (u64, u64)) -> Result<(), Failure> {
    let file = OwnFile { directory: Some(directory.to_path_buf()), len_bytes: lens.0 };
    let set = tool.runner.make_file(file, tool.caller())?.set;
    stdout::write(iozone::row(lens).as_bytes())?;
    let mut failure = None;
    for pass in Pass::ALL {
        let is_over = failure.is_some() || tool.signals.received().is_some();
        if is_over || !request.wants(pass) {
            stdout::write(iozone::blank().as_bytes())?;
            continue;
        }
        let (mut bytes, mut ns) = (0, 0);
        if request.runs(pass) {
            let plan = resolved(
                &[request.job(pass, "iozone", lens)],
                &ResolveContext::new(fresh_seed(), WINDOW_NS),
            )?;
            let ran = tool.execute(set, Some(plan), &|_| {});
            let ended = ran.map_err(Some).and_then(|ran| match Tool::failure(&ran) {
                Some(failure) => Err(Some(failure)),
                // An interrupted pass has no figure.
                None if tool.signals.received().is_some() => Err(None),
                None => Ok(ran.result),
            });
            match ended {
                Ok(result) => (bytes, ns) = moved(&result),
                Err(reason) => {
                    failure = reason;
                    stdout::write(iozone::blank().as_bytes())?;
                    continue;
                }
            }
        }
        stdout::write(iozone::cell(bytes, ns).as_bytes())?;
    }
    stdout::write(iozone::row_end().as_bytes())?;
    if failure.is_none() {
        tool.runner.finish(set, tool.caller()).map(drop)?;
    }
    failure.map_or(Ok(()), Err)
}
