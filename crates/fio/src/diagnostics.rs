//! Messages about problems in a job, for its author.

use cardiograph_core::spec::{Origin, Setting};
use cardiograph_core::text::{shown, shown_path};
use cardiograph_core::{Message, Parameter, message};
use cardiograph_jobs::options::{self, OPTIONS, Status};
use cardiograph_jobs::resolve::{Diagnostic, Problem, Remark, kind_message};
use cardiograph_jobs::value::ValueError;

use crate::invocation::{Include, Rejection};
use crate::origin::place;
use crate::syntax;
use cardiograph_core::nearest::nearest;

/// One line: where, what, why and what to do.
///
/// Like a compiler's, it begins with the place: `jobs.fio:3:5: job 'latp': ...`.
pub fn message(diagnostic: &Diagnostic) -> Message {
    let problem = match (&diagnostic.problem, &diagnostic.setting) {
        (problem, Some(setting)) => about_setting(problem, setting),
        (problem, None) => about_job(problem),
    };
    let (place, job) = (place(&diagnostic.origin), shown(&diagnostic.job));
    message!("jobs-problem.at", place, job, problem)
}

/// The messages of a rejected command line and of invalid values in it, in the order in which they were written. Of
/// `found`, the problems found by resolving the jobs, those that a missing option can have caused are left out.
pub fn messages_of_rejection(rejection: &Rejection, found: &[Diagnostic]) -> Vec<Message> {
    let is_certain = |diagnostic: &&Diagnostic| {
        let is_of_value = matches!(
            diagnostic.problem,
            Problem::BadValue(_) | Problem::NoSuchEngine { .. } | Problem::Refused { .. }
        );
        diagnostic.setting.is_some() && is_of_value
    };
    let errors = rejection.errors.iter().map(|error| (&error.origin, error.message()));
    let values = found.iter().filter(is_certain).map(|diagnostic| (&diagnostic.origin, message(diagnostic)));
    let mut all: Vec<(&Origin, Message)> = errors.chain(values).collect();
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
    all.into_iter().map(|(origin, message)| with_inclusion(message, origin, &rejection.includes)).collect()
}

/// A message that also says where the file of `origin` is included: `... (included at a:3:1)`.
pub fn with_inclusion(problem: Message, origin: &Origin, includes: &[Include]) -> Message {
    let mut places = Vec::new();
    let mut at = origin;
    while let Origin::File { path, .. } = at
        && let Some(include) = includes.iter().find(|include| include.path == *path)
        // This terminates: the first inclusion of each file lies in a file read before it.
        && places.len() <= includes.len()
    {
        places.push(place(&include.origin));
        at = &include.origin;
    }
    if places.is_empty() {
        return problem;
    }
    message!("fio-included", problem, places = Parameter::all(places))
}

/// One line about a setting that is accepted but does not do what its name says.
pub fn remark(remark: &Remark) -> Message {
    let Setting { option, value, origin } = &remark.setting;
    let (place, setting) = (place(origin), as_written(option, value));
    message!("jobs-remark.at", place, setting, remark = remark.why.clone())
}

/// Error for an unknown option.
pub fn unknown_option(option: &str) -> Message {
    syntax::unknown_option(option, nearest(option, option_names()).map(str::to_string))
}

/// `bs=4k`, or `thread` without a value.
fn as_written(option: &str, value: &str) -> String {
    if value.is_empty() { shown(option) } else { format!("{}={}", shown(option), shown(value)) }
}

fn about_setting(problem: &Problem, setting: &Setting) -> Message {
    let Setting { option, value, .. } = setting;
    let setting = as_written(option, value);
    match problem {
        Problem::UnknownOption => unknown_option(option),
        Problem::OtherEngine { engines } => other_engine(option, engines),
        &Problem::Refused { why } => message!("jobs-problem.refused", setting, reason = why.clone()),
        Problem::NoSuchEngine { engines } => unknown_engine(value, engines),
        Problem::BadValue(ValueError::UnknownWord { allowed }) if is_engine(option) => {
            unknown_engine(value, allowed)
        }
        Problem::BadValue(error) => bad_value(option, value, error),
        &Problem::NoRoomForHeader { header_len_bytes, block_len_bytes } => message!(
            "jobs-problem.no-room-for-header",
            setting,
            header = header_len_bytes,
            block = block_len_bytes
        ),
        &Problem::RegionTooSmall { region_len_bytes, block_len_bytes } => message!(
            "jobs-problem.region-too-small",
            setting,
            region = Parameter::Bytes(region_len_bytes),
            block = Parameter::Bytes(block_len_bytes),
            option
        ),
        &Problem::BehindTheEnd { offset_bytes, len_bytes } => message!(
            "jobs-problem.beyond-device",
            setting,
            offset = Parameter::Bytes(offset_bytes),
            capacity = Parameter::Bytes(len_bytes)
        ),
        &Problem::TooManyFiles { max } => message!("jobs-problem.too-many-files", setting, max),
        &Problem::ZonesTooLong { zones_bytes, region_len_bytes } => message!(
            "jobs-problem.zones-too-long",
            setting,
            zones = Parameter::Bytes(zones_bytes),
            region = Parameter::Bytes(region_len_bytes)
        ),
        Problem::BlockEmpty => message!("jobs-problem.block-empty", setting),
        Problem::NoSuchJob => message!("jobs-problem.no-such-job", setting),
        &Problem::Contradicts { other } => message!("jobs-problem.contradicts", setting, other),
        &Problem::Needs { other } => message!("jobs-problem.needs", setting, other),
        Problem::SizeMissing
        | Problem::FileMissing { .. }
        | Problem::NothingToVerify { .. }
        | Problem::NotAFile { .. }
        | Problem::OfFile(_) => about_job(problem),
        Problem::TrimsFile { path } => message!("jobs-problem.trims-file", setting, path = shown_path(path)),
    }
}

fn about_job(problem: &Problem) -> Message {
    match problem {
        Problem::SizeMissing => message!("jobs-problem-of-job.size-missing"),
        &Problem::NoRoomForHeader { header_len_bytes, block_len_bytes } => message!(
            "jobs-problem-of-job.no-room-for-header",
            header = header_len_bytes,
            block = block_len_bytes
        ),
        &Problem::RegionTooSmall { region_len_bytes, block_len_bytes } => message!(
            "jobs-problem-of-job.region-too-small",
            region = Parameter::Bytes(region_len_bytes),
            block = Parameter::Bytes(block_len_bytes)
        ),
        Problem::FileMissing { path } => {
            message!("jobs-problem-of-job.file-missing", path = shown_path(path))
        }
        Problem::NothingToVerify { path, len_bytes: 0, .. } => {
            message!("jobs-problem-of-job.nothing-to-verify", path = shown_path(path))
        }
        Problem::NothingToVerify { path, len_bytes, end_bytes } => message!(
            "jobs-problem-of-job.too-short-to-verify",
            path = shown_path(path),
            len = *len_bytes,
            end = *end_bytes
        ),
        Problem::OfFile(problem) => problem.clone(),
        Problem::NotAFile { path, what } => {
            message!("jobs-problem-of-job.not-a-file", path = shown_path(path), kind = kind_message(what))
        }
        Problem::TrimsFile { path } => message!("jobs-problem-of-job.trims-file", path = shown_path(path)),
        Problem::BlockEmpty => message!("jobs-problem-of-job.block-empty"),
        &Problem::TooManyFiles { max } => message!("jobs-problem-of-job.too-many-files", max),
        Problem::NoSuchJob => message!("jobs-problem-of-job.no-such-job"),
        &Problem::Contradicts { other } => message!("jobs-problem-of-job.contradicts", other),
        &Problem::Needs { other } => message!("jobs-problem-of-job.needs", other),
        Problem::UnknownOption => message!("jobs-problem-of-job.unknown-option"),
        Problem::BadValue(error) => error.message(),
        Problem::OtherEngine { .. } | Problem::NoSuchEngine { .. } => {
            message!("jobs-problem-of-job.engine-unfit")
        }
        Problem::BehindTheEnd { .. } => message!("jobs-problem-of-job.beyond-device"),
        Problem::ZonesTooLong { .. } => message!("jobs-problem-of-job.zones-too-long"),
        &Problem::Refused { why } => why.clone(),
    }
}

fn is_engine(option: &str) -> bool {
    options::find(option).is_some_and(|def| def.name == "ioengine")
}

fn unknown_engine(engine: &str, known: &[&str]) -> Message {
    match nearest(engine, known.iter().copied()) {
        Some(meant) => message!("jobs-problem.no-such-engine-meant", engine = shown(engine), meant),
        None => {
            let engines = Parameter::all(options::engines_here().map(|engine| engine.name));
            message!("jobs-problem.no-such-engine", engine = shown(engine), engines)
        }
    }
}

fn bad_value(option: &str, value: &str, error: &ValueError) -> Message {
    let setting = format!("{}={}", shown(option), shown(value));
    let example = options::find(option).and_then(|def| def.kind.example());
    match error {
        ValueError::UnknownWord { allowed } => {
            let problem = ValueError::UnknownWord { allowed: working(option, allowed) }.message();
            let word = value.split(':').next().unwrap_or(value);
            match nearest(word, allowed.iter().copied()) {
                Some(meant) => message!("jobs-problem.bad-value-meant", setting, problem, meant),
                None => message!("jobs-problem.bad-value", setting, problem),
            }
        }
        ValueError::OutOfRange { .. } | ValueError::NotBetween { .. } => {
            message!("jobs-problem.bad-value", setting, problem = error.message())
        }
        _ => match example {
            Some(example) => {
                message!("jobs-problem.bad-value-example", setting, problem = error.message(), example)
            }
            None => message!("jobs-problem.bad-value", setting, problem = error.message()),
        },
    }
}

/// The option's supported words, or all of them if none is supported.
fn working(option: &str, words: &[&'static str]) -> Vec<&'static str> {
    let Some(def) = options::find(option) else { return words.to_vec() };
    let works =
        |word: &str| matches!(options::status_of(def, word), Status::Works { .. } | Status::Hint { .. });
    let working: Vec<_> = words.iter().copied().filter(|word| works(word)).collect();
    if working.is_empty() { words.to_vec() } else { working }
}

fn other_engine(option: &str, engines: &[&'static str]) -> Message {
    let works = |engine: &&&str| options::find_engine(engine).is_some();
    let here: Vec<&str> = engines.iter().filter(works).copied().collect();
    match here[..] {
        [] => {
            let engines = Parameter::all(engines.iter().copied());
            message!("jobs-problem.missing-engine", option, engines)
        }
        [engine] => message!("jobs-problem.other-engine", option, engine),
        _ => message!("jobs-problem.other-engines", option, engines = Parameter::all(here)),
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
    use crate::testing::brief;

    fn messages(settings: &[(&str, &str)]) -> Vec<String> {
        let origin = |line| Origin::File { path: "card.fio".to_string(), line, column: 1 };
        let mut job = JobSpec::new("latp", origin(1));
        for ((option, value), line) in settings.iter().zip(2..) {
            let (option, value) = (option.to_string(), value.to_string());
            job.settings.push(Setting { option, value, origin: origin(line) });
        }
        let context = ResolveContext::new(1, 100_000_000);
        resolve(&[job], &context).unwrap_err().iter().map(|found| brief(&message(found))).collect()
    }

    #[test]
    fn each_problem_names_place_cause_and_remedy() {
        let example = |of: &str, problem: &str, setting: &str| {
            format!(
                "jobs-problem.bad-value-example(example=jobs-example.{of}, problem=jobs-value.{problem}, setting={setting})"
            )
        };
        type Case<'a> = (&'a [(&'a str, &'a str)], u32, String);
        let cases: [Case<'_>; 16] = [
            (
                &[("size", "1M"), ("blocksise", "1")],
                3,
                "jobs-problem.unknown-option-meant(meant=blocksize, option=blocksise)".into(),
            ),
            (
                &[("size", "1M"), ("io-depth", "1")],
                3,
                "jobs-problem.unknown-option-meant(meant=iodepth, option=io-depth)".into(),
            ),
            (&[("size", "1M"), ("xyzzy", "1")], 3, "jobs-problem.unknown-option(option=xyzzy)".into()),
            (
                &[("size", "1M"), ("rw", "raed")],
                3,
                "jobs-problem.bad-value-meant(meant=read, problem=jobs-value.unknown-word(words=read+write+trim+randread+\
                 randwrite+randtrim+rw+readwrite+randrw+trimwrite+randtrimwrite), setting=rw=raed)"
                    .into(),
            ),
            (
                &[("size", "4_000")],
                2,
                example("bytes-or-percent", "unknown-unit(unit=_000)", "size=4_000"),
            ),
            (&[("size", "1M"), ("runtime", "1.5ms")], 3, example("duration", "not-whole", "runtime=1.5ms")),
            (
                &[("size", "1M"), ("iodepth", "0")],
                3,
                "jobs-problem.bad-value(problem=jobs-value.out-of-range(max=32768, min=1), setting=iodepth=0)".into(),
            ),
            (
                &[("size", "1M"), ("direct", "yes")],
                3,
                "jobs-problem.bad-value(problem=jobs-value.unknown-word(words=0+1), setting=direct=yes)".into(),
            ),
            (&[("rw", "read")], 1, "jobs-problem-of-job.size-missing".into()),
            (
                &[("size", "1M"), ("blockalign", "4k"), ("hipri", "1")],
                4,
                "jobs-problem.other-engines(engines=io_uring+pvsync2, option=hipri)".into(),
            ),
            (
                &[("size", "512")],
                2,
                "jobs-problem.region-too-small(block=Bytes(4096), option=size, region=Bytes(512), setting=size=512)".into(),
            ),
            (&[("size", "1M"), ("bs", "0")], 3, "jobs-problem.block-empty(setting=bs=0)".into()),
            (&[("size", "1M"), ("wait_for", "z")], 3, "jobs-problem.no-such-job(setting=wait_for=z)".into()),
            (
                &[("size", "1M"), ("fsync", "1"), ("fdatasync", "2")],
                4,
                "jobs-problem.contradicts(other=fsync, setting=fdatasync=2)".into(),
            ),
            (
                &[("size", "1M"), ("nrfiles", "10m")],
                3,
                "jobs-problem.too-many-files(max=262144, setting=nrfiles=10m)".into(),
            ),
            (
                &[("size", "1M"), ("bs", "4_0\u{1b}[1m")],
                3,
                example("bytes-per-direction", "unknown-unit(unit=_0\\u{1b}[1m)", "bs=4_0\\u{1b}[1m"),
            ),
        ];
        for (settings, line, problem) in cases {
            let expected = format!("jobs-problem.at(job=latp, place=card.fio:{line}:1, problem={problem})");
            assert_eq!(messages(settings), [expected]);
        }
    }
}
