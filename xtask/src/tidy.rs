//! `cargo xtask tidy`: checks the design's rules over the source tree.
//!
//! Files and functions have a maximum length, pure crates do not access the machine, and files of a crate do
//! not depend on each other in a cycle. Messages in code match the catalogues. `tidy/exceptions.txt` lists
//! the exceptions to lengths and cycles, one per line:
//!
//! ```text
//! file PATH LINES # REASON
//! function PATH NAME LINES # REASON
//! circle PATH PATH... # REASON
//! ```
//!
//! The list only shrinks: an entry that is too generous or unnecessary fails, too. Code compiled only for
//! tests is exempt.

mod arrows;
mod message_use;
mod messages;
mod source;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use self::arrows::{arrows, circles};
use self::source::{Package, Texts};
use crate::workspace;

const EXCEPTIONS: &str = include_str!("tidy/exceptions.txt");
const EXCEPTIONS_PATH: &str = "xtask/src/tidy/exceptions.txt";
/// Maximum lines of a file.
const FILE_LIMIT: usize = 500;
/// Maximum lines of a function.
const FUNCTION_LIMIT: usize = 70;
/// Crates that only compute.
const PURE: [&str; 2] = ["crates/core/src", "crates/jobs/src"];
/// Modules and types that these crates must not use.
const IMPURE: [&str; 5] =
    ["std::fs", "std::env", "std::thread", "std::time::Instant", "std::time::SystemTime"];
/// Packages for development only. The same rules apply, except to the fuzz targets, which are a separate
/// package.
const DEVELOPMENT: [&str; 5] =
    ["crates/simulation/src", "crates/testing/src", "xtask/src", "fuzz/src", "fuzz/targets"];

/// A broken rule, with its position and what to do.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Problem {
    path: String,
    line: usize,
    message: String,
}

/// Files, functions and cycles that need an exception, by their entry in the list. Cycles have no length.
type Findings = BTreeMap<String, (Option<usize>, Problem)>;

/// Checks the source tree, or counts its lines with `--count`.
pub fn run(arguments: &[&str]) -> Result<ExitCode, String> {
    let mut directories = vec!["src".to_string(), "xtask/src".to_string()];
    for entry in std::fs::read_dir(workspace::root().join("crates")).map_err(|error| error.to_string())? {
        let name = entry.map_err(|error| error.to_string())?.file_name();
        directories.push(format!("crates/{}/src", name.to_string_lossy()));
    }
    directories.sort();
    match arguments {
        [] => check(&directories),
        ["--count"] => count(&directories),
        _ => Err("usage: cargo xtask tidy [--count]".to_string()),
    }
}

fn check(directories: &[String]) -> Result<ExitCode, String> {
    let (mut findings, mut problems) = (Findings::new(), Vec::new());
    let mut packages = Vec::new();
    for directory in directories {
        let package = source::parse(directory, &read(directory)?)?;
        inspect(&package, directory, &mut findings, &mut problems);
        packages.push(package);
    }
    messages::check(&packages, &mut problems);
    except(findings, EXCEPTIONS, &mut problems);
    problems.sort();
    for Problem { path, line, message } in &problems {
        println!("{path}:{line}: {message}");
    }
    println!("problems: {}, exceptions: {}", problems.len(), entries(EXCEPTIONS).count());
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn count(directories: &[String]) -> Result<ExitCode, String> {
    let lines = |directory: &str| -> Result<usize, String> {
        let files = source::parse(directory, &read(directory)?)?.files;
        Ok(files.iter().map(|file| file.code_lines).sum())
    };
    println!("Lines of code, without tests, comments and blank lines:");
    let mut sum = 0;
    let is_development = |directory: &&String| DEVELOPMENT.contains(&directory.as_str());
    for directory in directories.iter().filter(|directory| !is_development(directory)) {
        let count = lines(directory)?;
        sum += count;
        println!("{count:>8}  {directory}");
    }
    println!("{sum:>8}  total of the program");
    for directory in DEVELOPMENT {
        println!("{:>8}  {directory} (not in the total)", lines(directory)?);
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the sources under a directory.
fn read(directory: &str) -> Result<Texts, String> {
    let mut texts = Texts::new();
    let mut waiting = vec![directory.to_string()];
    while let Some(directory) = waiting.pop() {
        let failed = |error: std::io::Error| format!("{directory}: {error}");
        for entry in std::fs::read_dir(workspace::root().join(&directory)).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let path = format!("{directory}/{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                waiting.push(path);
            } else if Path::new(&path).extension().is_some_and(|extension| extension == "rs") {
                let text =
                    std::fs::read_to_string(entry.path()).map_err(|error| format!("{path}: {error}"))?;
                texts.insert(path, text);
            }
        }
    }
    Ok(texts)
}

/// Adds broken rules to the findings if they can have an exception, and otherwise to the problems.
fn inspect(package: &Package, directory: &str, findings: &mut Findings, problems: &mut Vec<Problem>) {
    let mut add = |key: String, path: &str, line, lines, message: String| {
        if findings.get(&key).is_none_or(|(known, _)| *known < lines) {
            findings.insert(key, (lines, Problem { path: path.to_string(), line, message }));
        }
    };
    for file in &package.files {
        let path = &file.path;
        if file.lines > FILE_LIMIT {
            let message = format!("{} lines outside tests, more than {FILE_LIMIT}", file.lines);
            add(format!("file {path}"), path, 1, Some(file.lines), message);
        }
        for function in file.functions.iter().filter(|function| function.lines > FUNCTION_LIMIT) {
            let (name, lines) = (&function.name, function.lines);
            let message = format!("function {name} has {lines} lines, more than {FUNCTION_LIMIT}");
            add(format!("function {path} {name}"), path, function.line, Some(lines), message);
        }
    }
    let path = |file: usize| package.files[file].path.as_str();
    let (arrows, outward) = arrows(package);
    for circle in circles(&arrows) {
        let mut paths: Vec<&str> = circle.iter().map(|file| path(*file)).collect();
        paths.sort();
        let within = |(from, to): &(usize, usize)| circle.contains(from) && circle.contains(to);
        let mut uses: Vec<_> = arrows.iter().filter(|(arrow, _)| within(arrow)).collect();
        uses.sort_by_key(|((from, to), _)| (path(*from), path(*to)));
        let mut message = format!("{} files depend on each other in a cycle", paths.len());
        for ((from, to), line) in &uses {
            message.push_str(&format!("\n    {}:{line} uses {}", path(*from), path(*to)));
        }
        add(format!("circle {}", paths.join(" ")), paths[0], *uses[0].1, None, message);
    }
    if PURE.contains(&directory) {
        for (file, line, used) in outward {
            if let Some(impure) = IMPURE.iter().find(|impure| includes(&used, impure)) {
                let message =
                    format!("uses {impure}, but {directory} only computes: pass the value as an argument");
                problems.push(Problem { path: path(file).to_string(), line, message });
            }
        }
    }
}

/// Whether a path, possibly with a glob, uses a module or type.
fn includes(path: &str, used: &str) -> bool {
    let path = path.trim_start_matches("::");
    path == used
        || path.strip_prefix(used).is_some_and(|rest| rest.starts_with("::"))
        || path.strip_suffix('*').is_some_and(|module| used.starts_with(module))
}

/// The entries of the list: line number, rule and item, reason.
fn entries(list: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    let lines = list.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(at, line)| {
        let (entry, reason) = line.split_once(" # ").unwrap_or((line, ""));
        (at + 1, entry.trim(), reason.trim())
    })
}

/// Adds findings without an exception to the problems, and unnecessary exceptions.
fn except(mut findings: Findings, list: &str, problems: &mut Vec<Problem>) {
    for (line, entry, reason) in entries(list) {
        let mut fail = |message| {
            problems.push(Problem { path: EXCEPTIONS_PATH.to_string(), line, message });
        };
        let is_circle = entry.starts_with("circle ");
        let (key, listed) = match entry.rsplit_once(' ') {
            Some((key, lines)) if !is_circle => (key, lines.parse::<usize>().ok()),
            _ => (entry, None),
        };
        if reason.is_empty() || listed.is_none() != is_circle {
            fail("not an exception: see the first lines of this file for the forms".to_string());
            continue;
        }
        let Some((lines, problem)) = findings.remove(key) else {
            fail(format!("'{key}' is within the rule, listed twice or does not exist: remove this line"));
            continue;
        };
        // A function that shrinks by a line or two needs no change of the list.
        let (lines, listed) = (lines.unwrap_or(0), listed.unwrap_or(0));
        if lines > listed {
            let message = format!("{}, but its exception allows {listed}: shorten it", problem.message);
            problems.push(Problem { message, ..problem });
        } else if lines + listed / 20 < listed {
            fail(format!("'{key}' has {lines} lines now: lower {listed} to {lines}"));
        }
    }
    for (key, (lines, problem)) in findings {
        let (advice, entry) = match lines {
            Some(lines) => ("Split it", format!("{key} {lines}")),
            None => ("Remove one of these uses", key),
        };
        let message =
            format!("{}\n    {advice}, or add to {EXCEPTIONS_PATH}: {entry} # REASON", problem.message);
        problems.push(Problem { message, ..problem });
    }
}
