//! `cardiograph hdparm`: hdparm's timings, which only read.

use std::ffi::OsString;
use std::time::{Duration, Instant};

use cardiograph_catalogue::Language;
use cardiograph_core::message;
use cardiograph_core::text::plain;
use cardiograph_fio::tools::hdparm::{self, Timing, Timings};
use cardiograph_fio::tools::moved;
use cardiograph_jobs::resolve::FileFacts;

use super::{Tool, print_help_if_asked, to_utf8};
use crate::exit::{DONE, Failure, SIGNAL_BASE};
use crate::stdout;

/// Times each device. Returns the exit code.
pub fn run(words: &[OsString], language: Language) -> Result<u8, Failure> {
    let words = to_utf8(words)?;
    if print_help_if_asked(&words, &["-h", "--help"], language, "help-hdparm.after")? {
        return Ok(DONE);
    }
    let timings = hdparm::parse(&words).map_err(Failure::usage)?;
    let tool = Tool::start("hdparm", timings.devices.first().map_or(".", String::as_str))?;
    // Prepares all timings before the first one: errors show at once.
    let ready = timings.devices.iter().map(|device| prepare(&tool, &timings, device));
    let ready = ready.collect::<Result<Vec<_>, Failure>>()?;
    if timings.cached {
        tool.note(message!("hdparm-note-memory"));
    }
    for (device, ready) in timings.devices.iter().zip(&ready) {
        if !stdout::write(plain(&hdparm::heading(device)).as_bytes())? {
            return Ok(DONE);
        }
        for one in ready {
            time(&tool, &timings, one)?;
            if let Some(signal) = tool.signals.received() {
                return Ok(SIGNAL_BASE + signal);
            }
        }
    }
    Ok(DONE)
}

/// A prepared timing.
struct Ready {
    timing: Timing,
    set: usize,
}

fn prepare(tool: &Tool, timings: &Timings, device: &str) -> Result<Vec<Ready>, Failure> {
    let len_bytes = len_bytes(tool, device)?;
    let each = timings.each().map(|timing| {
        let job = timings.job(timing, device, len_bytes).map_err(Failure::usage)?;
        let plan = tool.plan(&[job])?;
        let set = tool.prepare(&plan, &[])?;
        Ok(Ready { timing, set })
    });
    each.collect()
}

fn len_bytes(tool: &Tool, device: &str) -> Result<u64, Failure> {
    match tool.file_facts(device)? {
        FileFacts::Device { len_bytes } => Ok(len_bytes),
        FileFacts::Missing => Err(Failure::usage(message!("hdparm-no-device", path = device))),
        _ => Err(Failure::usage(message!("hdparm-not-a-device", path = device))),
    }
}

/// Flushes all pending writes, and waits for a time, or until a signal comes.
fn rest(tool: &Tool, time: Duration) {
    if time.is_zero() {
        return;
    }
    rustix::fs::sync();
    let end = Instant::now() + time;
    while let Some(left) = end.checked_duration_since(Instant::now())
        && tool.signals.received().is_none()
    {
        std::thread::sleep(left.min(Duration::from_millis(50)));
    }
}

fn time(tool: &Tool, timings: &Timings, ready: &Ready) -> Result<(), Failure> {
    let Ready { timing, set } = ready;
    rest(tool, Duration::from_secs(timings.rest_s));
    if tool.signals.received().is_some() {
        return Ok(());
    }
    stdout::write(timings.label(*timing).as_bytes())?;
    let ran = tool.execute(*set, None, &|_| {});
    let failure = ran.as_ref().ok().and_then(Tool::failure);
    if ran.is_err() || failure.is_some() {
        // The line of the timing ends without a figure.
        stdout::write(b"\n")?;
    }
    let (bytes, ns) = moved(&ran?.result);
    match failure {
        Some(failure) => Err(failure),
        None => stdout::write(hdparm::figures(*timing, bytes, ns).as_bytes()).map(drop),
    }
}
