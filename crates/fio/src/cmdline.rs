//! Parses a fio command line as fio does (`getopt_long_only`): `-opt`, `--opt`, `--opt=value`, `--opt value`,
//! abbreviated names, and job files anywhere between them.

use std::borrow::Cow;
use std::ffi::OsStr;

use cardiograph_core::text::shown;
use cardiograph_core::{Origin, message};
use cardiograph_jobs::options::OptionKind;

use super::collector::{Collector, Target, has_tilde};
use super::expand::arithmetic;
use super::invocation::{Invocation, Loader, Rejection};
use super::jobfile;
use super::names::{JobOption, Named, command_line_option, job_option, meant_on_command_line};
use super::program::{Argument, PROGRAM_OPTIONS, ProgramOption};
use super::syntax::{
    list, not_calculated, tilde, unknown_option, unknown_section, value_empty, value_missing,
};

/// Parses the arguments after the program name, and the job files that they name.
///
/// As in fio, jobs of the command line come first, then those of the files. Options before the first `--name` are
/// inherited by the jobs of the command line and of the first file.
///
/// # Errors
/// All problems in the arguments and files.
pub fn parse<W: AsRef<OsStr>>(words: &[W], loader: &mut dyn Loader) -> Result<Invocation, Rejection> {
    let words: Vec<Option<&str>> = words.iter().map(|word| word.as_ref().to_str()).collect();
    let mut reader = Reader {
        collector: Collector::new(loader),
        words: &words,
        next: 0,
        target: Target::Global,
        files: Vec::new(),
        sections: Vec::new(),
    };
    reader.read_words();
    if !reader.collector.program.asks_for_information() {
        reader.read_files();
    }
    reader.collector.finish()
}

struct Reader<'a, 'w> {
    collector: Collector<'a>,
    /// The arguments; `None` if not UTF-8.
    words: &'w [Option<&'w str>],
    /// Index of the next argument.
    next: usize,
    target: Target,
    files: Vec<(&'w str, Origin)>,
    /// The requested sections, and where they were requested.
    sections: Vec<(String, Origin)>,
}

/// The origin of the argument with this index.
fn origin(index: usize) -> Origin {
    Origin::CommandLine { word: u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1) }
}

impl<'w> Reader<'_, 'w> {
    /// The next argument; anything but text without zero bytes is an error.
    fn take_word(&mut self) -> Option<&'w str> {
        let index = self.next;
        self.next += 1;
        match self.words[index] {
            Some(word) if !word.contains('\0') => return Some(word),
            Some(_) => self.collector.error(origin(index), message!("fio-file.zero-byte")),
            None => self.collector.error(origin(index), message!("fio-file.not-text")),
        }
        None
    }

    fn read_words(&mut self) {
        let mut only_files = false;
        while self.next < self.words.len() && !self.collector.is_over() {
            let place = origin(self.next);
            let Some(word) = self.take_word() else { continue };
            match word {
                "--" if !only_files => only_files = true,
                word if only_files || word == "-" || !word.starts_with('-') => self.files.push((word, place)),
                word => self.option(word, place),
            }
            // fio prints these immediately and ignores what follows.
            if self.collector.program.version || self.collector.program.help {
                break;
            }
        }
    }

    fn option(&mut self, word: &'w str, place: Origin) {
        let (body, may_be_letters) = match word.strip_prefix("--") {
            Some(body) => (body, false),
            None => (&word[1..], true),
        };
        let (name, value) = match body.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (body, None),
        };
        let letter = body.chars().next().filter(|letter| may_be_letters && is_letter(*letter));
        if letter.is_some() && body.chars().count() == 1 {
            return self.letters(body, place);
        }
        let written = &word[..word.len() - body.len() + name.len()];
        match command_line_option(name) {
            Named::Program(option) => self.program_option(option, value, place),
            Named::Job(option) => self.job_option(option, value, place),
            // fio takes `-blocksise=4k` for `-b` with a value.
            Named::Nothing
                if letter.is_some() && (value.is_none() || meant_on_command_line(name).is_none()) =>
            {
                self.letters(body, place);
            }
            Named::Nothing => {
                self.collector.error(place, unknown_option(written, meant_on_command_line(name)));
            }
            Named::Ambiguous(candidates) => {
                let problem =
                    message!("fio-option.ambiguous", option = shown(written), options = list(&candidates));
                self.collector.error(place, problem);
            }
        }
    }

    /// Parses one-letter options, several of which can share a word.
    fn letters(&mut self, letters: &'w str, place: Origin) {
        for (at, letter) in letters.char_indices() {
            let Some(option) = ProgramOption::by_letter(letter) else {
                return self.collector.error(place, unknown_option(&format!("-{letter}"), None));
            };
            let rest = &letters[at + letter.len_utf8()..];
            let is_last = option.argument != Argument::None;
            let value = Some(rest).filter(|rest| is_last && !rest.is_empty());
            self.program_option(option, value, place.clone());
            if is_last {
                return;
            }
        }
    }

    fn program_option(&mut self, option: &'static ProgramOption, value: Option<&'w str>, place: Origin) {
        let name = option.name;
        let value = match (option.argument, value) {
            (Argument::None, Some(_)) => {
                let problem = message!("fio-option.value-unwanted", option = format!("--{name}"));
                return self.collector.error(place, problem);
            }
            (Argument::None, None) => "",
            (Argument::Optional, value) => value.unwrap_or_default(),
            (Argument::Required, value) => match self.required(name, value, &place) {
                Some(value) => value,
                None => return,
            },
        };
        let sections = self.collector.program.sections.len();
        match option.apply(value, &mut self.collector.program) {
            Ok(remark) => {
                if let Some(remark) = remark {
                    self.collector.note(place.clone(), remark);
                }
            }
            Err(problem) => return self.collector.error(place, problem),
        }
        if name == "output" && has_tilde(value) {
            self.collector.note(place.clone(), tilde(name));
        }
        let added = self.collector.program.sections.get(sections);
        self.sections.extend(added.map(|section| (section.clone(), place)));
    }

    fn job_option(&mut self, option: JobOption, value: Option<&'w str>, place: Origin) {
        let name = option.def.name;
        let value = match value {
            None if option.def.kind.may_stand_bare() => "",
            None if option.def.kind == OptionKind::OptionalText && !self.has_value() => "",
            value => match self.required(option.name, value, &place) {
                Some(value) => value,
                None => return,
            },
        };
        if name == "name" {
            self.target = self.collector.begin(value, place.clone(), false);
        }
        let value = match arithmetic(value, option.def.kind, false) {
            Ok(Some(value)) => Cow::Owned(value),
            Ok(None) => Cow::Borrowed(value),
            Err((expression, error)) => {
                let option = format!("--{}", option.name);
                return self.collector.error(place, not_calculated(&option, &expression, error));
            }
        };
        self.collector.set(self.target, option, value, place);
    }

    /// Whether the next argument can be an option's value.
    fn has_value(&self) -> bool {
        self.next < self.words.len() && !self.words[self.next].is_some_and(is_long_option)
    }

    /// The value after `=`, or else the next argument. A missing or empty value is an error.
    fn required(&mut self, name: &str, value: Option<&'w str>, place: &Origin) -> Option<&'w str> {
        let value = match value {
            Some(value) => value,
            None if self.has_value() => self.take_word()?,
            None => {
                self.collector.error(place.clone(), value_missing(&format!("--{name}")));
                return None;
            }
        };
        if value.is_empty() {
            self.collector.error(place.clone(), value_empty(&format!("--{name}"), None));
            return None;
        }
        Some(value)
    }

    fn read_files(&mut self) {
        let files = std::mem::take(&mut self.files);
        let mut all_read = true;
        if let [_, (_, second), ..] = files.as_slice() {
            if !self.collector.globals.is_empty() {
                self.collector.note(second.clone(), message!("fio-file.only-first-file"));
            }
            if let Some((_, place)) = self.sections.first() {
                self.collector.note(place.clone(), message!("fio-file.sections-of-all-files"));
            }
        }
        for (index, (path, place)) in files.iter().enumerate() {
            if index > 0 {
                self.collector.forget_globals();
            }
            all_read &= jobfile::read(&mut self.collector, path, place, index > 0);
        }
        if all_read {
            for (name, place) in std::mem::take(&mut self.sections) {
                if !self.collector.names.contains(&name) {
                    let mut existing = self.collector.names.clone();
                    existing.dedup();
                    self.collector.error(place, unknown_section(&name, &existing));
                }
            }
        }
        let needs_jobs = !self.collector.program.parse_only && !self.collector.program.showcmd;
        if needs_jobs && self.collector.jobs.is_empty() && !self.collector.has_errors() {
            let place = match files.first() {
                Some((path, _)) => Origin::File { path: jobfile::shown_path(path), line: 1, column: 1 },
                None => origin(0),
            };
            self.collector.error_of_all(place, message!("fio-file.no-jobs"));
        }
    }
}

fn is_letter(letter: char) -> bool {
    ProgramOption::by_letter(letter).is_some()
}

/// Whether an argument is an option with its full name. fio would take it as the value of a preceding option that lacks
/// one.
fn is_long_option(word: &str) -> bool {
    let Some(body) = word.strip_prefix('-') else { return false };
    let body = body.strip_prefix('-').unwrap_or(body);
    let name = body.split('=').next().unwrap_or_default();
    name.len() > 1 && (job_option(name).is_some() || PROGRAM_OPTIONS.iter().any(|option| option.name == name))
}

#[cfg(test)]
mod tests;
