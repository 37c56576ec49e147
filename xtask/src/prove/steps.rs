//! What each program does in each place.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::Value;

use super::place::{NOBODY, Place, WORK};
use crate::served::{ANY, Served};
use crate::workspace;

/// A step: what it shows, and what it does.
type Step = (&'static str, fn(&Place) -> Result<(), String>);

/// All steps, in order.
pub const STEPS: &[Step] = &[
    ("a simulated checkup", simulated),
    ("a checkup of the drive", real),
    ("fio under its name", fio),
    ("import and comparison", compared),
    ("a page", page),
];

/// What the README shows: the same on each processor.
fn simulated(place: &Place) -> Result<(), String> {
    let text = place.run(&["check", "--simulate", "sandisk-ultra-64", "--no-keep"])?;
    let readme = workspace::root().join("README.md");
    let readme = fs::read_to_string(&readme).map_err(|error| format!("{}: {error}", readme.display()))?;
    match readme.contains(text.trim()) {
        true => Ok(()),
        false => Err(format!("README.md does not show this:\n{text}")),
    }
}

fn real(place: &Place) -> Result<(), String> {
    let report = place.run(&["check", "--max-time", "10s", "--quiet", "--json", WORK])?;
    let report: Value = serde_json::from_str(&report).map_err(|error| format!("no Report: {error}"))?;
    let state = report["state"].as_str().unwrap_or_default();
    if state != "finished" {
        return Err(format!("the checkup is {state}"));
    }
    let history = place.run(&["history", "--json"])?;
    let id = report["id"].as_str().unwrap_or_default();
    if history.contains(id) { Ok(()) } else { Err(format!("{id} was not kept: {history}")) }
}

fn fio(place: &Place) -> Result<(), String> {
    let link = place.path("/usr/bin/fio");
    // One of an earlier proof leads nowhere.
    let _ = fs::remove_file(&link);
    symlink("cardiograph", &link).map_err(|error| format!("{}: {error}", link.display()))?;
    let file = format!("--filename={WORK}/fio.dat");
    let job = [
        "--name=job",
        &file,
        "--rw=randrw",
        "--bs=4k",
        "--size=8m",
        "--verify=crc32c",
        "--verify_state_save=0",
        "--output-format=json",
    ];
    let text = crate::workspace::stdout_of(&mut place.command("/usr/bin/fio", &job))?;
    let result: Value = serde_json::from_str(&text).map_err(|error| format!("no JSON: {error}\n{text}"))?;
    let job = &result["jobs"][0];
    let (error, written) = (job["error"].as_i64(), job["write"]["io_bytes"].as_u64());
    match (error, written) {
        (Some(0), Some(1..)) => Ok(()),
        _ => Err(format!("error {error:?}, {written:?} bytes written")),
    }
}

/// The outputs of a published comparison: what its author did with a spreadsheet.
fn compared(place: &Place) -> Result<(), String> {
    let fixtures = workspace::root().join("crates/import/src/fixtures/pi5");
    for drive in ["microsd", "ssd"] {
        let mut words = vec!["import".to_string(), "--label".to_string(), drive.to_string()];
        for part in ["sustain", "fsync", "sdtest", "latp"] {
            let name = format!("{drive}-{part}.txt");
            let to = place.path(&format!("{WORK}/{name}"));
            fs::copy(fixtures.join(&name), &to).map_err(|error| format!("{}: {error}", to.display()))?;
            words.push(format!("{WORK}/{name}"));
        }
        place.run(&words.iter().map(String::as_str).collect::<Vec<_>>())?;
    }
    let answer = place.run(&["compare", "microsd", "ssd"])?;
    if answer.contains("ssd is faster") { Ok(()) } else { Err(format!("no answer:\n{answer}")) }
}

fn page(place: &Place) -> Result<(), String> {
    let served = Served::run(place.command(place.program, &["serve", "--listen", ANY]))?;
    let answer = served.connect()?.get("/")?;
    let text = String::from_utf8_lossy(&answer.body);
    match answer.status {
        200 if text.contains("microsd") || text.contains("cardiograph") => Ok(()),
        status => Err(format!("{status}: {text}")),
    }
}

/// Reads a copy of another place's store: as many checkups as this one has.
pub fn other_store(place: &Place, store: &Path) -> Result<(), String> {
    let to = place.path(&format!("{WORK}/other.db"));
    fs::copy(store, &to).map_err(|error| format!("{}: {error}", store.display()))?;
    let owner = if place.user.name == NOBODY.name { Some(65_534) } else { Some(0) };
    std::os::unix::fs::chown(&to, owner, owner).map_err(|error| format!("{}: {error}", to.display()))?;
    let other = format!("{WORK}/other.db");
    for label in ["microsd", "ssd"] {
        place.run(&["show", label, "--store", &other])?;
    }
    place.run(&["compare", "microsd", "ssd", "--store", &other]).map(drop)
}
