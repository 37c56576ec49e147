//! fio's job files: sections, options, comments, includes.

use std::borrow::Cow;

use cardiograph_core::text::{shown, shown_path as shown_name};
use cardiograph_core::{Message, Origin, message};
use cardiograph_jobs::options::OptionKind;

use super::collector::{Collector, Target, is_text};
use super::expand::{self, LineError};
use super::invocation::MachineFacts;
use super::names::{job_option, meant_in_file};
use super::syntax::{not_calculated, unknown_option, unreadable, value_empty, value_missing};

/// Maximum length of a job file or included file in bytes: about fifty thousand lines.
pub const FILE_LEN_BYTES_MAX: usize = 2 << 20;
/// Maximum length of a line in bytes, without its comment and with variables replaced.
pub const LINE_LEN_BYTES_MAX: usize = 1 << 16;
/// Maximum nesting of includes.
const INCLUDE_DEPTH_MAX: usize = 32;
/// Maximum number of includes per job file.
const INCLUDES_MAX: usize = 1_000;

/// Reads the job file `path`, named at `named_at`. With `starts_group`, its first job waits for those before it.
/// Returns whether the file could be read.
pub(crate) fn read(collector: &mut Collector<'_>, path: &str, named_at: &Origin, starts_group: bool) -> bool {
    let content = match load(collector, path) {
        Ok(content) => content,
        Err(problem) => {
            collector.error(named_at.clone(), problem);
            return false;
        }
    };
    let mut reader = Reader {
        collector,
        section: Section::None,
        chain: Vec::new(),
        includes: 0,
        starts_group,
        machine: None,
    };
    reader.file(path, &content, None);
    true
}

/// The path as messages show it.
pub(crate) fn shown_path(path: &str) -> String {
    if path == "-" { "<stdin>".to_string() } else { path.to_string() }
}

fn load(collector: &mut Collector<'_>, path: &str) -> Result<Vec<u8>, Message> {
    match collector.loader.load(path) {
        Ok(content) if content.len() > FILE_LEN_BYTES_MAX => {
            Err(message!("fio-file.too-long", max = FILE_LEN_BYTES_MAX))
        }
        Ok(content) => Ok(content),
        Err(reason) => Err(unreadable(path, reason)),
    }
}

/// The current section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    /// No section has begun.
    None,
    /// As `None`, but the error has been reported.
    Missed,
    /// A section that does not run. fio ignores its lines as well.
    Skipped,
    /// A section that runs.
    Read(Target),
}

struct Reader<'c, 'a> {
    collector: &'c mut Collector<'a>,
    section: Section,
    /// The open files, each included by the one before.
    chain: Vec<String>,
    includes: usize,
    starts_group: bool,
    machine: Option<MachineFacts>,
}

/// A line without its comment.
#[derive(Debug, Clone, Copy)]
struct Line<'t> {
    path: &'t str,
    /// 1 for the first.
    number: u32,
    text: &'t str,
    /// Whether a comment directly follows the last character.
    cuts_word: bool,
}

impl<'t> Line<'t> {
    /// The origin of the byte at this offset.
    fn origin_at(&self, offset: usize) -> Origin {
        let column = self.text.get(..offset).map_or(0, |before| before.chars().count()) as u32 + 1;
        Origin::File { path: self.path.to_string(), line: self.number, column }
    }

    fn trimmed(&self) -> &'t str {
        self.text.trim_matches(is_blank)
    }

    /// Offset of its first character.
    fn start(&self) -> usize {
        self.text.len() - self.text.trim_start_matches(is_blank).len()
    }

    /// Offset of the option's value; the start of the line without `=`.
    fn value_start(&self) -> usize {
        match self.text.split_once('=') {
            Some((_, value)) => self.text.len() - value.trim_start_matches(is_blank).len(),
            None => self.start(),
        }
    }
}

/// As C's `isspace`.
fn is_blank(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\x0b'
}

impl Reader<'_, '_> {
    /// Reads a file that may be included at `included_at`.
    fn file(&mut self, path: &str, content: &[u8], included_at: Option<Origin>) {
        self.chain.push(path.to_string());
        let path = shown_path(path);
        self.collector.enter(&path, included_at);
        let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
        for (raw, number) in content.split(|byte| *byte == b'\n').zip(1..) {
            if self.collector.is_over() {
                break;
            }
            self.raw_line(&path, number, raw);
        }
        self.chain.pop();
    }

    fn raw_line(&mut self, path: &str, number: u32, raw: &[u8]) {
        let comment = raw.iter().position(|byte| matches!(byte, b';' | b'#'));
        let bytes = &raw[..comment.unwrap_or(raw.len())];
        let first = bytes.trim_ascii_start().first();
        if first.is_none() || self.section == Section::Skipped && first != Some(&b'[') {
            return;
        }
        let cuts_word = comment.is_some() && bytes.last().is_some_and(|last| !last.is_ascii_whitespace());
        let (text, broken) = match std::str::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let good = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
                (good, Some(message!("fio-file.not-text")))
            }
        };
        let line = Line { path, number, text, cuts_word };
        let is_broken = bytes.len() > LINE_LEN_BYTES_MAX || text.contains('\0') || broken.is_some();
        if is_broken && first == Some(&b'[') && self.chain.len() == 1 {
            // The lines that follow still belong to a section.
            self.section = Section::Read(Target::Nowhere);
        }
        if bytes.len() > LINE_LEN_BYTES_MAX {
            self.collector
                .error(line.origin_at(0), message!("fio-file.line-too-long", max = LINE_LEN_BYTES_MAX));
        } else if let Some(at) = text.find('\0') {
            self.collector.error(line.origin_at(at), message!("fio-file.zero-byte"));
        } else if let Some(problem) = broken {
            self.collector.error(line.origin_at(text.len()), problem);
        } else {
            self.line(line);
        }
    }

    fn line(&mut self, line: Line<'_>) {
        let trimmed = line.trimmed();
        if trimmed.is_empty() {
            return;
        }
        if trimmed.starts_with('[') {
            return self.head(line);
        }
        match self.section {
            Section::Skipped | Section::Missed => {}
            Section::None => {
                let problem = message!("fio-file.before-section", line = shown(trimmed));
                self.collector.error(line.origin_at(line.start()), problem);
                self.section = Section::Missed;
            }
            Section::Read(target) => match included(trimmed) {
                Some(name) => self.include(line, name),
                None => self.option(line, target),
            },
        }
    }

    fn head(&mut self, line: Line<'_>) {
        let head = line.trimmed();
        let place = line.origin_at(line.start());
        if self.chain.len() > 1 {
            self.collector.error(place, message!("fio-file.section-included"));
            self.section = Section::Skipped;
            return;
        }
        // Still read the options of a section with a bad header, to find their errors.
        self.section = Section::Read(Target::Nowhere);
        match head[1..].strip_suffix(']') {
            None => {
                self.collector.error(place, message!("fio-file.section-unclosed", section = shown(head)));
            }
            Some(name) if name.trim().is_empty() => {
                self.collector.error(place, message!("fio-file.section-unnamed"));
            }
            Some(name) => {
                let target = self.collector.begin(name, place, self.starts_group);
                match target {
                    Target::Job(_) => self.starts_group = false,
                    Target::Global => {}
                    Target::Nowhere => {
                        self.section = Section::Skipped;
                        return;
                    }
                }
                self.section = Section::Read(target);
            }
        }
    }

    fn include(&mut self, line: Line<'_>, name: &str) {
        let place = line.origin_at(line.start());
        let Some(name) = self.with_variables(line, name) else { return };
        let name = name.trim_matches(is_blank);
        if name.is_empty() {
            return self.collector.error(place, message!("fio-file.include-unnamed"));
        }
        self.includes += 1;
        if self.chain.len() > INCLUDE_DEPTH_MAX {
            return self
                .collector
                .error(place, message!("fio-file.nested-too-deep", max = INCLUDE_DEPTH_MAX));
        }
        if self.includes > INCLUDES_MAX {
            // Report this only once.
            if self.includes == INCLUDES_MAX + 1 {
                self.collector.error(place, message!("fio-file.too-many-includes", max = INCLUDES_MAX));
            }
            return;
        }
        match self.load_included(name) {
            Ok((path, content)) => {
                let section = self.section;
                self.file(&path, &content, Some(place));
                self.section = section;
            }
            Err(problem) => self.collector.error(place, problem),
        }
    }

    /// Loads an included file, relative to the current directory or else to the including file, as fio does.
    fn load_included(&mut self, name: &str) -> Result<(String, Vec<u8>), Message> {
        let includer = self.chain.last().map_or("", String::as_str);
        let beside = match includer.rsplit_once('/') {
            Some((directory, _)) if !name.starts_with('/') => Some(format!("{directory}/{name}")),
            _ => None,
        };
        self.refuse_loop(name)?;
        let first = match load(self.collector, name) {
            Ok(content) => return Ok((name.to_string(), content)),
            Err(problem) => problem,
        };
        let Some(beside) = beside else { return Err(first) };
        self.refuse_loop(&beside)?;
        match load(self.collector, &beside) {
            Ok(content) => Ok((beside, content)),
            Err(_) => Err(first),
        }
    }

    fn refuse_loop(&self, path: &str) -> Result<(), Message> {
        match self.chain.iter().position(|above| above == path) {
            Some(from) => {
                let chain = self.chain[from..].iter().map(String::as_str).chain([path]);
                let chain: Vec<String> = chain.map(shown_name).collect();
                Err(message!("fio-file.includes-itself", chain = chain.join(" -> ")))
            }
            None => Ok(()),
        }
    }

    /// The text with its variables replaced; `None` after reporting an error.
    fn with_variables<'t>(&mut self, line: Line<'_>, text: &'t str) -> Option<Cow<'t, str>> {
        let expanded = self.expanded(line, text)?;
        self.note_unset(line, expanded.unset);
        Some(expanded.text)
    }

    fn note_unset(&mut self, line: Line<'_>, unset: Vec<String>) {
        for name in unset {
            let what = message!("fio-file.variable-unset", variable = shown(&name));
            self.collector.note(line.origin_at(line.start()), what);
        }
    }

    fn expanded<'t>(&mut self, line: Line<'_>, text: &'t str) -> Option<expand::Line<'t>> {
        match expand::variables(text, self.collector.loader, LINE_LEN_BYTES_MAX) {
            Ok(expanded) => Some(expanded),
            Err(LineError::Unclosed { rest }) => {
                // The expanded text extends to the end of the line.
                let at = line.text.trim_end_matches(is_blank).len() - rest.len();
                self.collector.error(
                    line.origin_at(at),
                    message!("fio-file.variable-unclosed", opening = "${", closing = "}"),
                );
                None
            }
            Err(LineError::TooLong) => {
                self.collector.error(
                    line.origin_at(line.start()),
                    message!("fio-file.line-too-long", max = LINE_LEN_BYTES_MAX),
                );
                None
            }
        }
    }

    fn option(&mut self, line: Line<'_>, target: Target) {
        let place = line.origin_at(line.start());
        let Some(mut expanded) = self.expanded(line, line.trimmed()) else { return };
        let (name, value) = match expanded.text.split_once('=') {
            Some((name, value)) => (name.trim_matches(is_blank), Some(value.trim_matches(is_blank))),
            None => (expanded.text.trim_matches(is_blank), None),
        };
        // An empty value is an error that names the variable.
        let unset = if value == Some("") { expanded.unset.pop() } else { None };
        self.note_unset(line, expanded.unset);
        if name.is_empty() {
            return self.collector.error(place, message!("fio-option.name-missing"));
        }
        let Some(option) = job_option(name) else {
            return self.collector.error(place, unknown_option(name, meant_in_file(name)));
        };
        let value = match value {
            None if option.def.kind.may_stand_bare_in_file() => "",
            None => {
                return self.collector.error(place, value_missing(name));
            }
            Some("") if option.def.kind != OptionKind::OptionalText => {
                return self.collector.error(place, value_empty(name, unset.as_deref()));
            }
            Some(value) => value,
        };
        let collector = &*self.collector;
        let machine = &mut self.machine;
        let replaced = expand::keywords(value, || *machine.get_or_insert_with(|| collector.loader.machine()));
        let value = replaced.as_deref().unwrap_or(value);
        let value = match expand::arithmetic(value, option.def.kind, replaced.is_some()) {
            Ok(Some(calculated)) => Cow::Owned(calculated),
            Ok(None) => Cow::Borrowed(value),
            Err((expression, error)) => {
                let problem = not_calculated(name, &expression, error);
                return self.collector.error(line.origin_at(line.value_start()), problem);
            }
        };
        if line.cuts_word && is_text(option.def.kind) {
            let what = message!("fio-file.comment-cuts-value", option = name, value = shown(&value));
            self.collector.note(place.clone(), what);
        }
        self.collector.set(target, option, value, place);
    }
}

/// The argument of `include`, with or without `=`; `None` for other lines.
fn included(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("include")?;
    if !rest.is_empty() && !rest.starts_with(|c| is_blank(c) || c == '=') {
        return None;
    }
    let rest = rest.trim_start_matches(is_blank);
    Some(rest.strip_prefix('=').unwrap_or(rest))
}

#[cfg(test)]
mod tests;
