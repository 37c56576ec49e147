//! Looks up options by their written names.

use cardiograph_jobs::options::{self, OPTIONS, OptionDef};

use super::program::{PROGRAM_OPTIONS, ProgramOption};
use cardiograph_core::nearest::nearest;

/// Messages repeat a value after a name up to this length in bytes.
const VALUE_LEN_BYTES_MAX: usize = 60;

/// An option of a job under one of its names.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JobOption {
    pub(crate) name: &'static str,
    pub(crate) def: &'static OptionDef,
}

/// What an argument names.
#[derive(Debug, Clone)]
pub(crate) enum Named {
    Program(&'static ProgramOption),
    Job(JobOption),
    Ambiguous(Vec<&'static str>),
    Nothing,
}

/// The job option with exactly this name or alias. If several engines share a name, the first one.
pub(crate) fn job_option(name: &str) -> Option<JobOption> {
    let def = options::find(name)?;
    def.names().find(|known| *known == name).map(|name| JobOption { name, def })
}

fn job_options() -> impl Iterator<Item = JobOption> {
    OPTIONS.iter().flat_map(|def| def.names().map(move |name| JobOption { name, def }))
}

/// Resolves a name on the command line: an exact name, or an unambiguous prefix.
///
/// Where fio calls a prefix ambiguous, this takes a job option that is itself a prefix of all others: `iod` is
/// `iodepth`, not `iodepth_batch`.
pub(crate) fn command_line_option(written: &str) -> Named {
    let exact = PROGRAM_OPTIONS.iter().find(|option| option.name == written);
    if let Some(option) = exact {
        return Named::Program(option);
    }
    if let Some(option) = job_option(written) {
        return Named::Job(option);
    }
    if written.is_empty() {
        return Named::Nothing;
    }
    let is_first =
        |option: &JobOption| options::find(option.name).is_some_and(|def| std::ptr::eq(def, option.def));
    let programs: Vec<_> = PROGRAM_OPTIONS.iter().filter(|option| option.name.starts_with(written)).collect();
    let mut jobs: Vec<_> =
        job_options().filter(|option| option.name.starts_with(written)).filter(is_first).collect();
    jobs.sort_by_key(|option| option.name.len());
    match (programs.as_slice(), jobs.as_slice()) {
        ([], []) => Named::Nothing,
        ([program], []) => Named::Program(program),
        ([], [first, others @ ..]) if is_root(*first, others) => Named::Job(*first),
        _ => {
            let names =
                programs.iter().map(|option| option.name).chain(jobs.iter().map(|option| option.name));
            Named::Ambiguous(names.collect())
        }
    }
}

fn is_root(first: JobOption, others: &[JobOption]) -> bool {
    others.iter().all(|other| other.name.starts_with(first.name) || std::ptr::eq(first.def, other.def))
}

/// The job file option that was probably meant.
pub(crate) fn meant_in_file(written: &str) -> Option<String> {
    let bare = written.trim_start_matches('-');
    // `bs 4k` and `bs:4k`: the name is right, its separator is not.
    if let Some((name, value)) = bare.split_once([' ', '\t', ':'])
        && let Some(option) = job_option(name)
        && value.len() <= VALUE_LEN_BYTES_MAX
    {
        return Some(format!("{}={}", option.name, cardiograph_core::text::shown(value.trim_start())));
    }
    nearest(bare, job_options().map(|option| option.name)).map(str::to_string)
}

/// The command line option that was probably meant, with its dashes.
pub(crate) fn meant_on_command_line(written: &str) -> Option<String> {
    // Its name in earlier versions.
    if written.trim_start_matches('-') == "allow-destroy" {
        return Some("--allow-erase".to_string());
    }
    let programs = PROGRAM_OPTIONS.iter().map(|option| option.name);
    nearest(written.trim_start_matches('-'), job_options().map(|option| option.name).chain(programs))
        .map(|name| format!("--{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(written: &str) -> String {
        match command_line_option(written) {
            Named::Program(option) => format!("program {}", option.name),
            Named::Job(option) => format!("job {}", option.name),
            Named::Ambiguous(names) => format!("one of {}", names.join(" ")),
            Named::Nothing => "nothing".to_string(),
        }
    }

    #[test]
    fn names_aliases_and_prefixes() {
        let cases = [
            ("bs", "job bs"),
            ("blocksize", "job blocksize"),
            ("iod", "job iodepth"),
            ("iodept", "job iodepth"),
            ("numj", "job numjobs"),
            ("mini", "program minimal"),
            ("output", "program output"),
            ("output-f", "program output-format"),
            ("out", "one of output output-format"),
            ("rwmix", "one of rwmixread rwmixwrite rwmixcycle"),
            ("eta-n", "program eta-newline"),
            ("eta_newline", "nothing"),
            ("nosuch", "nothing"),
            ("", "nothing"),
            ("-bs", "nothing"),
            ("RW", "nothing"),
        ];
        for (written, expected) in cases {
            assert_eq!(name(written), expected, "{written}");
        }
    }

    #[test]
    fn suggestions_for_misspelt_options() {
        let in_files = [
            ("blocksise", Some("blocksize")),
            ("--bs", Some("bs")),
            ("RW", Some("rw")),
            ("bs 4k", Some("bs=4k")),
            ("bs: 4k", Some("bs=4k")),
            ("time-based", Some("time_based")),
            ("xyzzyplugh", None),
            ("", None),
        ];
        for (written, meant) in in_files {
            assert_eq!(meant_in_file(written).as_deref(), meant, "{written}");
        }
        assert_eq!(meant_on_command_line("outptu").as_deref(), Some("--output"));
        assert_eq!(meant_on_command_line("-io-depth").as_deref(), Some("--iodepth"));
        assert_eq!(meant_on_command_line(&"x".repeat(1 << 20)), None);
    }
}
