//! Errors in a command line or job file, and remarks on accepted settings.

use cardiograph_core::text::{shown, shown_path};
use cardiograph_core::{Message, Origin, Parameter, message};

use crate::origin::place;

/// Maximum number of names in a message.
const LISTED_NAMES_MAX: usize = 20;

/// An error, or an accepted setting that may not be what was meant, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The place: an option's name, or its value if the problem is in the value.
    pub origin: Origin,
    /// The problem as a phrase.
    pub what: Message,
    /// Whether the place is meaningful on a command line: something missing or too much as a whole has no place there.
    pub has_place: bool,
}

impl Located {
    /// One line: place and problem.
    pub fn message(&self) -> Message {
        match &self.origin {
            Origin::CommandLine { .. } if !self.has_place => self.what.clone(),
            origin => message!("fio-at", place = place(origin), problem = self.what.clone()),
        }
    }
}

/// No option has this name; `meant` is the probable one.
pub(crate) fn unknown_option(option: &str, meant: Option<String>) -> Message {
    match meant {
        None => message!("jobs-problem.unknown-option", option = shown(option)),
        Some(meant) => message!("jobs-problem.unknown-option-meant", option = shown(option), meant),
    }
}

/// An option lacks a value.
pub(crate) fn value_missing(option: &str) -> Message {
    message!("fio-option.value-missing", option)
}

/// An option's value is empty, perhaps because of the variable `unset`.
pub(crate) fn value_empty(option: &str, unset: Option<&str>) -> Message {
    match unset {
        None => message!("fio-option.value-empty", option),
        Some(variable) => message!("fio-option.value-unset", option, variable = shown(variable)),
    }
}

/// Arithmetic that cannot be evaluated.
pub(crate) fn not_calculated(option: &str, expression: &str, problem: Message) -> Message {
    let setting = format!("{option}={}", shown(expression));
    message!("fio-option.not-calculated", setting, problem)
}

/// A job file that cannot be read.
pub(crate) fn unreadable(path: &str, reason: Message) -> Message {
    if path.trim().is_empty() {
        return message!("fio-file.not-a-job-file", path = shown(path), reason);
    }
    message!("fio-file.unreadable", path = shown_path(path), reason)
}

/// A requested section that does not exist.
pub(crate) fn unknown_section(name: &str, existing: &[String]) -> Message {
    if existing.is_empty() {
        return message!("fio-file.no-sections", section = shown(name));
    }
    let existing: Vec<_> = existing.iter().map(|name| shown(name)).collect();
    message!("fio-file.unknown-section", section = shown(name), sections = list(&existing))
}

/// A path begins with `~`, which is not expanded.
pub(crate) fn tilde(option: &str) -> Message {
    message!("fio-option.tilde", option)
}

/// A list of names, shortened if too long.
pub(crate) fn list<T: AsRef<str>>(names: &[T]) -> Parameter {
    let listed = names.iter().take(LISTED_NAMES_MAX).map(|name| Parameter::from(name.as_ref()));
    let others = names.len().saturating_sub(LISTED_NAMES_MAX);
    let others = (others > 0).then(|| message!("fio-others", count = others).into());
    Parameter::all(listed.chain(others))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_end_with_a_count() {
        let names: Vec<String> = (0..22).map(|n| n.to_string()).collect();
        let Parameter::All(listed) = list(&names) else { panic!("a list") };
        assert_eq!(listed[19..], ["19".into(), message!("fio-others", count = 2_u32).into()]);
        assert_eq!(list(&["a", "b"]), Parameter::all(["a", "b"]));
    }
}
