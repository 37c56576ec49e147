//! Collects the jobs, errors and notes of both parsers, and turns options into settings.

use std::borrow::Cow;

use cardiograph_core::text::shown;
use cardiograph_core::{JobSpec, Message, Origin, Setting, message};
use cardiograph_jobs::options::OptionKind;

use super::GLOBAL;
use super::invocation::{FioJob, Include, Invocation, Loader, ProgramOptions, Rejection};
use super::names::JobOption;
use super::syntax::{Located, tilde};

/// Maximum number of errors shown. A file that is not a job file would have one per line.
pub(crate) const ERRORS_MAX: usize = 1_000;
/// Maximum number of notes kept.
const NOTES_MAX: usize = 1_000;
/// Limit on the memory of all jobs, including inherited settings, in bytes.
const SETTINGS_LEN_BYTES_MAX: usize = 64 << 20;
/// Approximate overhead of a setting besides its text, in bytes. Its name and file name are allocated separately.
const SETTING_LEN_BYTES: usize = size_of::<Setting>() + 64;
/// Approximate overhead of a job besides its settings until it runs, in bytes.
const JOB_LEN_BYTES: usize = 4 << 10;

/// The destination of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// The jobs that follow.
    Global,
    /// The job with this index.
    Job(usize),
    /// None: its job does not run.
    Nowhere,
}

/// The state of parsing.
pub(crate) struct Collector<'a> {
    pub(crate) loader: &'a mut dyn Loader,
    pub(crate) program: ProgramOptions,
    pub(crate) jobs: Vec<FioJob>,
    /// Settings of global sections, which the next job inherits.
    pub(crate) globals: Vec<Setting>,
    globals_len_bytes: usize,
    /// Names of all sections and jobs, including those that do not run.
    pub(crate) names: Vec<String>,
    notes: Vec<Located>,
    errors: Vec<Located>,
    held_len_bytes: usize,
    /// The job files named on the command line.
    roots: Vec<String>,
    includes: Vec<Include>,
}

impl<'a> Collector<'a> {
    pub(crate) fn new(loader: &'a mut dyn Loader) -> Self {
        Self {
            loader,
            program: ProgramOptions::default(),
            jobs: Vec::new(),
            globals: Vec::new(),
            globals_len_bytes: 0,
            names: Vec::new(),
            notes: Vec::new(),
            errors: Vec::new(),
            held_len_bytes: 0,
            roots: Vec::new(),
            includes: Vec::new(),
        }
    }

    /// Starts a file, which is included at `origin` unless it is named on the command line.
    pub(crate) fn enter(&mut self, path: &str, origin: Option<Origin>) {
        let is_known = self.roots.iter().any(|root| root == path)
            || self.includes.iter().any(|include| include.path == path);
        match (is_known, origin) {
            (true, _) => {}
            (false, Some(origin)) => self.includes.push(Include { path: path.to_string(), origin }),
            (false, None) => self.roots.push(path.to_string()),
        }
    }

    pub(crate) fn error(&mut self, origin: Origin, what: Message) {
        let error = Located { origin, what, has_place: true };
        // Report the errors of a file that is included twice only once.
        if !self.includes.is_empty() && self.errors.contains(&error) {
            return;
        }
        if self.errors.len() < ERRORS_MAX {
            self.errors.push(error);
        } else if self.errors.len() == ERRORS_MAX {
            self.error_of_all(error.origin, message!("fio-file.too-many-errors", max = ERRORS_MAX));
        }
    }

    /// Adds an error that has no particular place.
    pub(crate) fn error_of_all(&mut self, origin: Origin, what: Message) {
        self.errors.push(Located { origin, what, has_place: false });
    }

    pub(crate) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// Whether to stop reading.
    pub(crate) fn is_over(&self) -> bool {
        self.errors.len() > ERRORS_MAX || self.held_len_bytes > SETTINGS_LEN_BYTES_MAX
    }

    pub(crate) fn note(&mut self, origin: Origin, what: Message) {
        if self.notes.len() < NOTES_MAX {
            self.notes.push(Located { origin, what, has_place: true });
        }
    }

    /// Begins a job or global section. A job not selected by `--section` is dropped.
    pub(crate) fn begin(&mut self, name: &str, origin: Origin, starts_group: bool) -> Target {
        if name.starts_with(GLOBAL) {
            return Target::Global;
        }
        if name.trim_start().get(..GLOBAL.len()).is_some_and(|start| start.eq_ignore_ascii_case(GLOBAL)) {
            let what = message!("fio-file.capital-global", section = shown(name));
            self.note(origin.clone(), what);
        }
        self.names.push(name.to_string());
        let sections = &self.program.sections;
        let is_wanted = sections.is_empty() || sections.iter().any(|section| section == name);
        if !is_wanted || !self.holds(self.globals_len_bytes + name.len() + JOB_LEN_BYTES, &origin) {
            return Target::Nowhere;
        }
        let mut spec = JobSpec::new(name, origin);
        spec.settings = self.globals.clone();
        self.jobs.push(FioJob { spec, own_from: self.globals.len(), starts_group });
        Target::Job(self.jobs.len() - 1)
    }

    /// Accounts for `more_bytes` of memory; reports an error if the limit is exceeded.
    fn holds(&mut self, more_bytes: usize, origin: &Origin) -> bool {
        let was_over = self.is_over();
        self.held_len_bytes = self.held_len_bytes.saturating_add(more_bytes + SETTING_LEN_BYTES);
        if !was_over && self.held_len_bytes > SETTINGS_LEN_BYTES_MAX {
            self.error(origin.clone(), message!("fio-file.settings-too-long", max = SETTINGS_LEN_BYTES_MAX));
        }
        !self.is_over()
    }

    /// Forgets the global settings: each job file starts without those of the previous one.
    pub(crate) fn forget_globals(&mut self) {
        self.globals.clear();
        self.globals_len_bytes = 0;
    }

    /// Adds a correctly written option.
    pub(crate) fn set(&mut self, target: Target, option: JobOption, value: Cow<'_, str>, origin: Origin) {
        if target == Target::Nowhere || !self.holds(value.len(), &origin) {
            return;
        }
        if is_path(option.def.kind) && has_tilde(&value) {
            self.note(origin.clone(), tilde(option.def.name));
        }
        let value = value.into_owned();
        match target {
            Target::Global => {
                self.globals_len_bytes += value.len() + SETTING_LEN_BYTES;
                self.globals.push(Setting { option: option.def.name.to_string(), value, origin });
            }
            Target::Job(index) => {
                let spec = &mut self.jobs[index].spec;
                if option.def.name == "name" && value != spec.name {
                    let name = std::mem::replace(&mut spec.name, value.clone());
                    spec.section.get_or_insert(name);
                }
                spec.settings.push(Setting { option: option.def.name.to_string(), value, origin });
            }
            Target::Nowhere => {}
        }
    }

    pub(crate) fn finish(self) -> Result<Invocation, Rejection> {
        let Self { program, jobs, notes, errors, includes, .. } = self;
        match errors.is_empty() {
            true => Ok(Invocation { program, jobs, notes, includes }),
            false => Err(Rejection { errors, notes, jobs, includes }),
        }
    }
}

/// Whether a path in a list begins with `~`, the shell's home directory.
pub(crate) fn has_tilde(value: &str) -> bool {
    value.split(':').any(|path| path == "~" || path.starts_with("~/"))
}

/// Whether an option's value is a path or list of paths. Other texts may be meant for a shell.
fn is_path(kind: OptionKind) -> bool {
    matches!(kind, OptionKind::List | OptionKind::OptionalText)
}

/// Whether an option's value is free text.
pub(crate) fn is_text(kind: OptionKind) -> bool {
    matches!(kind, OptionKind::Text | OptionKind::OptionalText | OptionKind::List)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::job_option;
    use crate::testing::{FakeLoader, messages};

    #[test]
    fn inherited_settings_count_for_each_job() {
        let mut loader = FakeLoader::default();
        let mut collector = Collector::new(&mut loader);
        let place = |word| Origin::CommandLine { word };
        let option = job_option("description").expect("it is in the table");
        let value = "x".repeat(1_000);
        collector.set(Target::Global, option, Cow::Borrowed(&value), place(1));
        let one_job_len_bytes = value.len() + 2 * SETTING_LEN_BYTES + "a".len() + JOB_LEN_BYTES;
        // Room for two jobs.
        collector.held_len_bytes = SETTINGS_LEN_BYTES_MAX - 2 * one_job_len_bytes;
        assert_eq!(collector.begin("a", place(2), false), Target::Job(0));
        assert_eq!(collector.begin("a", place(3), false), Target::Job(1));
        assert!(!collector.is_over());
        assert_eq!(collector.begin("a", place(4), false), Target::Nowhere);
        assert!(collector.is_over());
        collector.set(Target::Job(1), option, Cow::Borrowed(&value), place(5));
        let rejection = collector.finish().unwrap_err();
        assert_eq!(
            messages(&rejection),
            ["fio-place.word(word=4): fio-file.settings-too-long(max=67108864)"]
        );
    }
}
