//! What is wrong with a job, for the person who wrote it.

use cardiograph_core::options::{self, OPTIONS, OptionKind};
use cardiograph_core::resolve::{Diagnostic, Problem};
use cardiograph_core::spec::{Origin, Setting};
use cardiograph_core::value::ValueError;

use crate::units;

/// The beginning of a name counts as the name from so many letters on.
const PREFIX_LEN_MIN: usize = 3;

/// One line: where, what, why, and what to do about it.
///
/// As compilers do, it begins with the place: `jobs.fio:3:5: job 'latp': ...`.
pub fn message(diagnostic: &Diagnostic) -> String {
    let what = match (&diagnostic.problem, &diagnostic.setting) {
        (problem, Some(setting)) => about_setting(problem, setting),
        (problem, None) => about_job(problem),
    };
    format!("{}: job '{}': {what}", place(&diagnostic.origin), diagnostic.job)
}

fn place(origin: &Origin) -> String {
    match origin {
        Origin::File { path, line, column } => format!("{path}:{line}:{column}"),
        Origin::CommandLine { word } => format!("word {word} of the command line"),
        Origin::Suite { suite, step } => format!("suite '{suite}', step '{step}'"),
    }
}

fn about_setting(problem: &Problem, setting: &Setting) -> String {
    let Setting { option, value, .. } = setting;
    match problem {
        Problem::UnknownOption => match nearest(option, option_names()) {
            Some(name) => format!("there is no option '{option}'; did you mean '{name}'?"),
            None => format!("there is no option '{option}'"),
        },
        Problem::BadValue(error) => bad_value(option, value, error),
        Problem::RuntimeMissing => {
            format!("'{option}' needs a time to run: add runtime, for example runtime=30")
        }
        Problem::RegionTooSmall { region_len_bytes, block_len_bytes } => format!(
            "'{option}={value}' is {}, which does not hold one I/O of {} (bs): make {option} larger or bs smaller",
            units::bytes(*region_len_bytes),
            units::bytes(*block_len_bytes)
        ),
        Problem::BlockEmpty => {
            format!("'{option}={value}' is an I/O without bytes: write a size such as bs=4k")
        }
        Problem::NoSuchJob => format!(
            "'{option}={value}' waits for a job that is not there: it must name one that is written before this one"
        ),
        Problem::Contradicts { other } => {
            format!("'{option}={value}' contradicts '{other}', which is set too: keep one of the two")
        }
        Problem::SizeMissing => about_job(problem),
    }
}

fn about_job(problem: &Problem) -> String {
    match problem {
        Problem::SizeMissing => {
            "it is not said how much of the file to use: add size, for example size=1G".to_string()
        }
        Problem::RuntimeMissing => {
            "time_based needs a time to run: add runtime, for example runtime=30".to_string()
        }
        Problem::RegionTooSmall { region_len_bytes, block_len_bytes } => format!(
            "its region of {} does not hold one I/O of {} (bs)",
            units::bytes(*region_len_bytes),
            units::bytes(*block_len_bytes)
        ),
        Problem::BlockEmpty => "an I/O without bytes: write a size such as bs=4k".to_string(),
        Problem::NoSuchJob => "the job to wait for is not there".to_string(),
        Problem::Contradicts { other } => format!("its settings contradict '{other}'"),
        Problem::UnknownOption => "one of its options does not exist".to_string(),
        Problem::BadValue(error) => error.to_string(),
    }
}

fn bad_value(option: &str, value: &str, error: &ValueError) -> String {
    let wanted = options::find(option).map(|def| wanted(def.kind)).unwrap_or_default();
    let written = format!("'{option}={value}'");
    match error {
        ValueError::UnknownWord { allowed } => match nearest(value, allowed.iter().copied()) {
            Some(word) => format!("{written}: {error}; did you mean '{word}'?"),
            None => format!("{written}: {error}"),
        },
        ValueError::OutOfRange { min, max: u64::MAX } => format!("{written}: must be at least {min}"),
        ValueError::OutOfRange { .. } => format!("{written}: {error}"),
        _ if wanted.is_empty() => format!("{written}: {error}"),
        _ => format!("{written}: {error}; write {wanted}"),
    }
}

/// What can be written for an option, by example.
fn wanted(kind: OptionKind) -> &'static str {
    match kind {
        OptionKind::Text | OptionKind::Word(_) => "",
        OptionKind::Count { .. } => "a whole number",
        OptionKind::Bytes => "a size such as 512, 4k, 200M or 1G",
        OptionKind::BytesPerDirection => "a size such as 4k, or two such as 4k,64k for reads and writes",
        OptionKind::Duration { .. } => "a time such as 30, 500ms or 2m",
        OptionKind::Switch => "1 for on or 0 for off",
        OptionKind::Percentiles => "percentiles such as 50:99:99.9",
    }
}

fn option_names() -> impl Iterator<Item = &'static str> {
    OPTIONS.iter().flat_map(|def| std::iter::once(def.name).chain(def.aliases.iter().copied()))
}

/// The candidate that `written` was most likely meant to be; `None` when none is near: more than a third of the
/// letters would have to change. Among equally near ones the first counts.
fn nearest<'a>(written: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let near = |candidate: &str| {
        if written.len() >= PREFIX_LEN_MIN && candidate.starts_with(written) {
            return Some(1);
        }
        let letters = written.chars().count().max(candidate.chars().count());
        let distance = edit_distance(written, candidate);
        (distance <= (letters / 3).max(1) && distance < letters).then_some(distance)
    };
    candidates
        .filter_map(|name| Some((near(name)?, name)))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

/// How many letters must be inserted, removed, replaced or swapped with their neighbour to get from `a` to `b`,
/// ignoring case and taking `-` for `_` (optimal string alignment, a restricted Damerau-Levenshtein distance).
fn edit_distance(a: &str, b: &str) -> usize {
    let letters = |text: &str| -> Vec<char> {
        text.chars().map(|c| if c == '-' { '_' } else { c.to_ascii_lowercase() }).collect()
    };
    let (a, b) = (letters(a), letters(b));
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use cardiograph_core::JobSpec;
    use cardiograph_core::resolve::{ResolveContext, resolve};

    fn messages(settings: &[(&str, &str)]) -> Vec<String> {
        let origin = |line| Origin::File { path: "card.fio".to_string(), line, column: 1 };
        let mut job = JobSpec::new("latp", origin(1));
        for ((option, value), line) in settings.iter().zip(2..) {
            let (option, value) = (option.to_string(), value.to_string());
            job.settings.push(Setting { option, value, origin: origin(line) });
        }
        let context = ResolveContext { run_seed: 1, window_ns: 100_000_000 };
        resolve(&[job], &context).unwrap_err().iter().map(message).collect()
    }

    #[test]
    fn each_problem_says_where_what_and_what_to_do() {
        let cases: [(&[(&str, &str)], &str); 14] = [
            (
                &[("size", "1M"), ("blocksise", "1")],
                "card.fio:3:1: job 'latp': there is no option 'blocksise'; did you mean 'blocksize'?",
            ),
            (
                &[("size", "1M"), ("io-depth", "1")],
                "card.fio:3:1: job 'latp': there is no option 'io-depth'; did you mean 'iodepth'?",
            ),
            (&[("size", "1M"), ("zonemode", "1")], "card.fio:3:1: job 'latp': there is no option 'zonemode'"),
            (
                &[("size", "1M"), ("rw", "raed")],
                "card.fio:3:1: job 'latp': 'rw=raed': expected one of: read, write, randread, randwrite, rw, \
                 readwrite, randrw; did you mean 'read'?",
            ),
            (
                &[("size", "4kk")],
                "card.fio:2:1: job 'latp': 'size=4kk': unknown unit 'kk'; write a size such as 512, 4k, 200M or 1G",
            ),
            (
                &[("size", "1M"), ("runtime", "1.5")],
                "card.fio:3:1: job 'latp': 'runtime=1.5': a whole number is wanted, without a fraction or an \
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
                &[("size", "1M"), ("time_based", "1")],
                "card.fio:3:1: job 'latp': 'time_based' needs a time to run: add runtime, for example runtime=30",
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
                &[("size", "1M"), ("direct", "1"), ("buffered", "1")],
                "card.fio:4:1: job 'latp': 'buffered=1' contradicts 'direct', which is set too: keep one of the two",
            ),
        ];
        for (settings, expected) in cases {
            assert_eq!(messages(settings), [expected]);
        }
    }

    #[test]
    fn places_of_all_origins() {
        assert_eq!(place(&Origin::CommandLine { word: 3 }), "word 3 of the command line");
        let suite = Origin::Suite { suite: "quick".into(), step: "random-read".into() };
        assert_eq!(place(&suite), "suite 'quick', step 'random-read'");
    }

    #[test]
    fn distances() {
        let cases =
            [("", "", 0), ("", "abc", 3), ("kitten", "sitting", 3), ("raed", "read", 1), ("a-B", "a_b", 0)];
        for (a, b, distance) in cases {
            assert_eq!(edit_distance(a, b), distance, "{a} {b}");
            assert_eq!(edit_distance(b, a), distance, "{b} {a}");
        }
    }

    #[test]
    fn only_near_names_are_offered() {
        let offers = [
            ("filenam", Some("filename")),
            ("blocksiz", Some("blocksize")),
            ("numbjobs", Some("numjobs")),
            ("rampime", Some("ramp_time")),
            ("iod", Some("iodepth")),
            ("x", None),
            ("verify_pattern", None),
            ("", None),
        ];
        for (written, offered) in offers {
            assert_eq!(nearest(written, option_names()), offered, "{written}");
        }
    }
}
