//! What is wrong with a command line or a job file, and what was accepted with a remark.

use cardiograph_core::Origin;
use cardiograph_core::text::{shown, shown_path};

use crate::origin::describe_origin;

/// A message lists so many names at most.
const LISTED_NAMES_MAX: usize = 20;
/// Bytes that no option can hold.
pub(crate) const ZERO_BYTE: &str = "a zero byte, which no option can hold";
/// Bytes that are no text.
pub(crate) const NOT_TEXT: &str = "bytes that are no UTF-8 text, in which options and names are written";

/// Something that is wrong, or was accepted and may not be what was meant, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// Where: of an option its name, of what a value is made of its value.
    pub origin: Origin,
    /// What.
    pub what: String,
    /// Whether the place tells something on a command line: what is missing or too much as a whole has none there.
    pub has_place: bool,
}

impl Located {
    /// One line: where, and what, for people.
    pub fn message(&self) -> String {
        match &self.origin {
            Origin::CommandLine { .. } if !self.has_place => self.what.clone(),
            origin => format!("{}: {}", describe_origin(origin), self.what),
        }
    }
}

/// No option has this name; `meant` is what was probably meant.
pub(crate) fn unknown_option(option: &str, meant: Option<String>) -> String {
    let meant = meant.map_or(String::new(), |meant| format!("; did you mean '{meant}'?"));
    format!("there is no option '{}'{meant}", shown(option))
}

/// An option stands without a value.
pub(crate) fn value_missing(option: &str) -> String {
    format!("'{option}' needs a value: write {option}=...")
}

/// The value of an option is empty, because of the variable `unset` where there is one.
pub(crate) fn value_empty(option: &str, unset: Option<&str>) -> String {
    let why = match unset {
        None => "write one behind '=', or leave the option out".to_string(),
        Some(variable) => format!("the variable '{}' is not set or empty: set it", shown(variable)),
    };
    format!("the value of '{option}' is empty: {why}")
}

/// Arithmetic that cannot be done.
pub(crate) fn not_calculated(option: &str, expression: &str, error: &str) -> String {
    format!("'{option}={}' cannot be calculated: {}", shown(expression), shown(error))
}

/// A line or a file that is too long.
pub(crate) fn too_long(what: &str, max_len_bytes: usize) -> String {
    format!("a {what} longer than {max_len_bytes} bytes: is this a job file?")
}

/// A job file that cannot be read.
pub(crate) fn unreadable(path: &str, reason: &str) -> String {
    if path.trim().is_empty() {
        return format!(
            "'{}' is no job file: {}; a backslash continues a line only when nothing follows it",
            shown(path),
            shown(reason)
        );
    }
    format!("the job file '{}' cannot be read: {}", shown_path(path), shown(reason))
}

/// A section that was asked for and is not there.
pub(crate) fn unknown_section(name: &str, existing: &[String]) -> String {
    if existing.is_empty() {
        return format!("there is no section '{}': there are no sections", shown(name));
    }
    let existing: Vec<_> = existing.iter().map(|name| shown(name)).collect();
    format!("there is no section '{}'; there are: {}", shown(name), list(&existing))
}

/// A path begins with `~`, which nothing replaces.
pub(crate) fn tilde(option: &str) -> String {
    format!(
        "'~' in the value of '{option}' is not the home directory here, and a shell replaces it only at the beginning of \
         a word: write $HOME if you mean that"
    )
}

/// Names with commas between, the first of many.
pub(crate) fn list<T: AsRef<str>>(names: &[T]) -> String {
    let listed: Vec<_> = names.iter().take(LISTED_NAMES_MAX).map(AsRef::as_ref).collect();
    match names.len() - listed.len() {
        0 => listed.join(", "),
        more => format!("{} and {more} more", listed.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_end_with_a_count() {
        let names: Vec<String> = (0..22).map(|n| n.to_string()).collect();
        assert!(list(&names).ends_with("18, 19 and 2 more"), "{}", list(&names));
        assert_eq!(list(&["a", "b"]), "a, b");
    }
}
