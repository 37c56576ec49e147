//! What is wrong with a job, for the person who wrote it.

use cardiograph_core::spec::{Origin, Setting};
use cardiograph_core::text::{shown, shown_path};
use cardiograph_core::units;
use cardiograph_jobs::options::{self, OPTIONS, Status};
use cardiograph_jobs::resolve::{Diagnostic, Problem, Remark};
use cardiograph_jobs::value::ValueError;

use crate::invocation::{Include, Rejection};
use crate::nearest::nearest;
use crate::origin::describe_origin;
use crate::syntax;

/// The example of a whole number.
const WHOLE_NUMBER: &str = "a whole number";

/// One line: where, what, why, and what to do about it.
///
/// As compilers do, it begins with the place: `jobs.fio:3:5: job 'latp': ...`.
pub fn message(diagnostic: &Diagnostic) -> String {
    let what = match (&diagnostic.problem, &diagnostic.setting) {
        (problem, Some(setting)) => about_setting(problem, setting),
        (problem, None) => about_job(problem),
    };
    format!("{}: job '{}': {what}", describe_origin(&diagnostic.origin), shown(&diagnostic.job))
}

/// The messages of a command line that cannot be followed, and of what is wrong with the values in it. Of `found`, what
/// resolving the jobs found, only that counts which no missing option can be the cause of. In the order in which it was
/// written.
pub fn messages_of_rejection(rejection: &Rejection, found: &[Diagnostic]) -> Vec<String> {
    let is_certain = |diagnostic: &&Diagnostic| {
        let is_of_value = matches!(
            diagnostic.problem,
            Problem::BadValue(_) | Problem::NoSuchEngine { .. } | Problem::Refused { .. }
        );
        diagnostic.setting.is_some() && is_of_value
    };
    let errors = rejection.errors.iter().map(|error| (&error.origin, error.message()));
    let values = found.iter().filter(is_certain).map(|diagnostic| (&diagnostic.origin, message(diagnostic)));
    let mut all: Vec<(&Origin, String)> = errors.chain(values).collect();
    // Files that nothing includes come first.
    let mut paths: Vec<&str> = Vec::new();
    let is_included = |path: &str| rejection.includes.iter().any(|include| include.path == path);
    for (origin, _) in &all {
        if let Origin::File { path, .. } = origin
            && !is_included(path)
            && !paths.contains(&path.as_str())
        {
            paths.push(path);
        }
    }
    paths.extend(rejection.includes.iter().map(|include| include.path.as_str()));
    all.sort_by_key(|(origin, _)| match origin {
        Origin::Suite { .. } => (0, 0, 0),
        Origin::CommandLine { word } => (0, *word, 0),
        Origin::File { path, line, column } => {
            (1 + paths.iter().position(|known| known == path).unwrap_or(0), *line, *column)
        }
    });
    all.into_iter().map(|(origin, message)| message + &inclusion(origin, &rejection.includes)).collect()
}

/// How the file of `origin` came to be read, to stand behind a message: ` (included at b:2:1, a:3:1)`. Empty for one
/// that nothing includes.
pub fn inclusion(origin: &Origin, includes: &[Include]) -> String {
    let mut places = Vec::new();
    let mut at = origin;
    while let Origin::File { path, .. } = at
        && let Some(include) = includes.iter().find(|include| include.path == *path)
        // The first inclusion of each file lies in one that was read before it: this has an end.
        && places.len() <= includes.len()
    {
        places.push(describe_origin(&include.origin));
        at = &include.origin;
    }
    if places.is_empty() { String::new() } else { format!(" (included at {})", places.join(", ")) }
}

/// One line about a setting that is accepted and does not do what its name says.
pub fn remark(remark: &Remark) -> String {
    let Setting { option, value, origin } = &remark.setting;
    format!("{}: {}: {}", describe_origin(origin), as_written(option, value), remark.why)
}

/// What is wrong with a name that is no option's.
pub fn unknown_option(option: &str) -> String {
    syntax::unknown_option(option, nearest(option, option_names()).map(str::to_string))
}

/// `'bs=4k'`, or `'thread'` where there is no value.
fn as_written(option: &str, value: &str) -> String {
    if value.is_empty() {
        format!("'{}'", shown(option))
    } else {
        format!("'{}={}'", shown(option), shown(value))
    }
}

fn about_setting(problem: &Problem, setting: &Setting) -> String {
    let Setting { option, value, .. } = setting;
    let written = as_written(option, value);
    match problem {
        Problem::UnknownOption => unknown_option(option),
        Problem::OtherEngine { engines } => other_engine(option, engines),
        Problem::Refused { why } => format!("{written} cannot work here: {why}"),
        Problem::NoSuchEngine { engines } => match nearest(value, engines.iter().copied()) {
            Some(name) => format!("no engine is called '{}'; did you mean '{name}'?", shown(value)),
            None => format!("no engine is called '{}'; there are: {}", shown(value), engines.join(", ")),
        },
        Problem::BadValue(error) => bad_value(option, value, error),
        Problem::NoRoomForHeader { header_len_bytes, block_len_bytes } => format!(
            "{written} needs {header_len_bytes} bytes for a header in each block, and the longest blocks that all I/Os \
             can be divided into have {block_len_bytes}: give I/Os (bs, blockalign, verify_interval) lengths with a \
             longer common divisor"
        ),
        Problem::RegionTooSmall { region_len_bytes, block_len_bytes } => format!(
            "{written} is {}, which does not hold one I/O of {} (bs): make {option} larger or bs smaller",
            units::bytes(*region_len_bytes),
            units::bytes(*block_len_bytes)
        ),
        Problem::BehindTheEnd { offset_bytes, len_bytes } => format!(
            "{written} begins at {}, behind the end of the device at {}: make it smaller",
            units::bytes(*offset_bytes),
            units::bytes(*len_bytes)
        ),
        Problem::TooManyFiles { max } => {
            format!("{written} makes more than {max} files, those of all clones counted: make it smaller")
        }
        Problem::ZonesTooLong { zones_bytes, region_len_bytes } => format!(
            "{written} has zones of {} in all, and the region has {}: make them shorter, or size larger",
            units::bytes(*zones_bytes),
            units::bytes(*region_len_bytes)
        ),
        Problem::BlockEmpty => {
            format!("{written} is an I/O without bytes: write a size such as bs=4k")
        }
        Problem::NoSuchJob => format!(
            "{written} waits for a job that is not there: it must name one that is written before this one"
        ),
        Problem::Contradicts { other } => {
            format!("{written} contradicts '{other}', which is set too: keep one of the two")
        }
        Problem::Needs { other } => format!("{written} needs '{other}': add it"),
        Problem::SizeMissing
        | Problem::FileMissing { .. }
        | Problem::NothingToVerify { .. }
        | Problem::NotADirectory { .. }
        | Problem::NotAFile { .. }
        | Problem::BadRecording { .. }
        | Problem::ReplayWrites { .. } => about_job(problem),
        Problem::TrimsFile { path } => {
            format!("{written} trims, and {}: name a device with filename, or write", no_device(path))
        }
    }
}

fn about_job(problem: &Problem) -> String {
    match problem {
        Problem::SizeMissing => {
            "it is not said how much of the file to use: add size, for example size=1G".to_string()
        }
        Problem::NoRoomForHeader { header_len_bytes, block_len_bytes } => {
            format!("its blocks of {block_len_bytes} bytes do not hold a header of {header_len_bytes} bytes")
        }
        Problem::RegionTooSmall { region_len_bytes, block_len_bytes } => format!(
            "its region of {} does not hold one I/O of {} (bs)",
            units::bytes(*region_len_bytes),
            units::bytes(*block_len_bytes)
        ),
        Problem::FileMissing { path } => format!(
            "{} does not exist, and allow_file_create=0 forbids to make it: make the file, or leave \
             allow_file_create out",
            shown_path(path)
        ),
        Problem::NothingToVerify { path, len_bytes: 0, .. } => {
            format!(
                "{} does not exist or is empty: there is nothing that verify_only could check",
                shown_path(path)
            )
        }
        Problem::NothingToVerify { path, len_bytes, end_bytes } => format!(
            "{} has {len_bytes} bytes, and verify_only is to check it up to {end_bytes}: write it with the same job \
             without verify_only, or make size smaller",
            shown_path(path)
        ),
        Problem::BadRecording { path, problem } => {
            let line = problem.line.map_or_else(String::new, |line| format!(":{line}"));
            format!("recording {}{line}: {}", shown_path(path), problem.what)
        }
        Problem::ReplayWrites { path } => {
            let path = shown_path(path);
            format!(
                "the recording writes to {path}, which is there and which the job does not name: name it with \
                 filename={path} if it may be overwritten, or replay elsewhere with replay_redirect or directory"
            )
        }
        Problem::NotADirectory { path } => {
            format!("{} is no directory: make it first, or name another one with directory", shown_path(path))
        }
        Problem::NotAFile { path, what } => {
            format!(
                "{} is {what}; name a file or a block device with filename, or a directory with directory",
                shown_path(path)
            )
        }
        Problem::TrimsFile { path } => format!("it trims, and {}", no_device(path)),
        Problem::BlockEmpty => "an I/O without bytes: write a size such as bs=4k".to_string(),
        Problem::TooManyFiles { max } => {
            format!(
                "with its files the clones of all jobs have more than {max}: make numjobs or nrfiles smaller"
            )
        }
        Problem::NoSuchJob => "the job to wait for is not there".to_string(),
        Problem::Contradicts { other } => format!("its settings contradict '{other}'"),
        Problem::Needs { other } => format!("it needs '{other}'"),
        Problem::UnknownOption => "one of its options does not exist".to_string(),
        Problem::BadValue(error) => error.to_string(),
        Problem::OtherEngine { .. } | Problem::NoSuchEngine { .. } => "its engine does not fit".to_string(),
        Problem::BehindTheEnd { .. } => "its region begins behind the end of the device".to_string(),
        Problem::ZonesTooLong { .. } => "its zones are longer than its region".to_string(),
        Problem::Refused { why } => (*why).to_string(),
    }
}

fn no_device(path: &str) -> String {
    format!("{} is a file: only block devices can be trimmed", shown_path(path))
}

/// `engine 'a'` or `engines 'a', 'b'`.
fn list(names: &[&str], one: &str, many: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    format!("{} {}", if names.len() == 1 { one } else { many }, quoted.join(", "))
}

fn bad_value(option: &str, value: &str, error: &ValueError) -> String {
    let wanted = options::find(option).map(|def| def.kind.example()).unwrap_or_default();
    let written = format!("'{}={}'", shown(option), shown(value));
    let error_text = value_error(error);
    match error {
        ValueError::UnknownWord { allowed } => {
            let error = ValueError::UnknownWord { allowed: working(option, allowed) };
            let word = value.split(':').next().unwrap_or(value);
            match nearest(word, allowed.iter().copied()) {
                Some(word) => format!("{written}: {error}; did you mean '{word}'?"),
                None => format!("{written}: {error}"),
            }
        }
        ValueError::OutOfRange { min, max: u64::MAX } => format!("{written}: must be at least {min}"),
        ValueError::OutOfRange { .. } | ValueError::NotBetween { .. } => format!("{written}: {error_text}"),
        // It says what is wanted.
        ValueError::NotWhole if wanted == WHOLE_NUMBER => format!("{written}: {error_text}"),
        _ if wanted.is_empty() => format!("{written}: {error_text}"),
        _ => format!("{written}: {error_text}; write {wanted}"),
    }
}

/// Those of an option's words that work, as long as there are any.
fn working(option: &str, words: &[&'static str]) -> Vec<&'static str> {
    let Some(def) = options::find(option) else { return words.to_vec() };
    let works =
        |word: &str| matches!(options::status_of(def, word), Status::Works { .. } | Status::Hint { .. });
    let working: Vec<_> = words.iter().copied().filter(|word| works(word)).collect();
    if working.is_empty() { words.to_vec() } else { working }
}

fn other_engine(option: &str, engines: &[&'static str]) -> String {
    let works = |engine: &&&str| options::find_engine(engine).is_some();
    let here: Vec<&str> = engines.iter().filter(works).copied().collect();
    match here.as_slice() {
        [] => format!(
            "'{option}' is an option of {}, which is not here: leave it out",
            list(engines, "engine", "engines")
        ),
        [engine] => format!(
            "'{option}' is an option of engine '{engine}', which the job does not use: set ioengine={engine}, or leave \
             '{option}' out"
        ),
        here => format!(
            "'{option}' is an option of {}, none of which the job uses: choose one with ioengine, or leave '{option}' out",
            list(here, "engine", "engines")
        ),
    }
}

/// What is wrong with a value; what stands in it is shown as far as a terminal can.
pub(crate) fn value_error(error: &ValueError) -> String {
    match error {
        ValueError::UnknownUnit(unit) => format!("unknown unit '{}'", shown(unit)),
        ValueError::UnknownErrno(name) => format!("no error is called '{}'; write its number", shown(name)),
        error => error.to_string(),
    }
}

fn option_names() -> impl Iterator<Item = &'static str> {
    OPTIONS.iter().flat_map(|def| def.names())
}

#[cfg(test)]
mod tests {
    use cardiograph_core::JobSpec;
    use cardiograph_jobs::resolve::{ResolveContext, resolve};

    use super::*;

    fn messages(settings: &[(&str, &str)]) -> Vec<String> {
        let origin = |line| Origin::File { path: "card.fio".to_string(), line, column: 1 };
        let mut job = JobSpec::new("latp", origin(1));
        for ((option, value), line) in settings.iter().zip(2..) {
            let (option, value) = (option.to_string(), value.to_string());
            job.settings.push(Setting { option, value, origin: origin(line) });
        }
        let context = ResolveContext::new(1, 100_000_000);
        resolve(&[job], &context).unwrap_err().iter().map(message).collect()
    }

    #[test]
    fn each_problem_says_where_what_and_what_to_do() {
        let cases: [(&[(&str, &str)], &str); 16] = [
            (
                &[("size", "1M"), ("blocksise", "1")],
                "card.fio:3:1: job 'latp': there is no option 'blocksise'; did you mean 'blocksize'?",
            ),
            (
                &[("size", "1M"), ("io-depth", "1")],
                "card.fio:3:1: job 'latp': there is no option 'io-depth'; did you mean 'iodepth'?",
            ),
            (&[("size", "1M"), ("xyzzy", "1")], "card.fio:3:1: job 'latp': there is no option 'xyzzy'"),
            (
                &[("size", "1M"), ("rw", "raed")],
                "card.fio:3:1: job 'latp': 'rw=raed': expected one of: read, write, trim, randread, \
                 randwrite, randtrim, rw, readwrite, randrw, trimwrite, randtrimwrite; did you mean 'read'?",
            ),
            (
                &[("size", "4_000")],
                "card.fio:2:1: job 'latp': 'size=4_000': unknown unit '_000'; write a size such as 4k, 200M or 1G, or a \
                 share such as 50%",
            ),
            (
                &[("size", "1M"), ("runtime", "1.5ms")],
                "card.fio:3:1: job 'latp': 'runtime=1.5ms': a whole number is wanted, without a fraction or an \
                 exponent; write a time such as 30, 500ms or 2m",
            ),
            (
                &[("size", "1M"), ("iodepth", "0")],
                "card.fio:3:1: job 'latp': 'iodepth=0': must lie between 1 and 32768",
            ),
            (
                &[("size", "1M"), ("direct", "yes")],
                "card.fio:3:1: job 'latp': 'direct=yes': expected one of: 0, 1",
            ),
            (
                &[("rw", "read")],
                "card.fio:1:1: job 'latp': it is not said how much of the file to use: add size, for example size=1G",
            ),
            (
                &[("size", "1M"), ("blockalign", "4k"), ("hipri", "1")],
                "card.fio:4:1: job 'latp': 'hipri' is an option of engines 'io_uring', 'pvsync2', none of which the job uses: \
                 choose one with ioengine, or leave 'hipri' out",
            ),
            (
                &[("size", "512")],
                "card.fio:2:1: job 'latp': 'size=512' is 512 B, which does not hold one I/O of 4 KiB (bs): make size \
                 larger or bs smaller",
            ),
            (
                &[("size", "1M"), ("bs", "0")],
                "card.fio:3:1: job 'latp': 'bs=0' is an I/O without bytes: write a size such as bs=4k",
            ),
            (
                &[("size", "1M"), ("wait_for", "z")],
                "card.fio:3:1: job 'latp': 'wait_for=z' waits for a job that is not there: it must name one that is \
                 written before this one",
            ),
            (
                &[("size", "1M"), ("fsync", "1"), ("fdatasync", "2")],
                "card.fio:4:1: job 'latp': 'fdatasync=2' contradicts 'fsync', which is set too: keep one of the two",
            ),
            (
                &[("size", "1M"), ("nrfiles", "10m")],
                "card.fio:3:1: job 'latp': 'nrfiles=10m' makes more than 262144 files, those of all clones counted: make it smaller",
            ),
            (
                &[("size", "1M"), ("bs", "4_0\u{1b}[1m")],
                "card.fio:3:1: job 'latp': 'bs=4_0\\u{1b}[1m': unknown unit '_0\\u{1b}[1m'; write a size such as 4k, or two \
                 such as 4k,64k for reads and writes",
            ),
        ];
        for (settings, expected) in cases {
            assert_eq!(messages(settings), [expected]);
        }
    }
}
