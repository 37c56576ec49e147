//! What is wrong with a command line or a job file, and what was accepted with a remark.

use cardiograph_core::Origin;
use cardiograph_core::text::{shown, shown_path};

use super::arithmetic::ArithmeticError;
use crate::origin::describe_origin;

/// A message lists so many names at most.
const LISTED_NAMES_MAX: usize = 20;

/// Something that is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// Where: of an option its name, of what a value is made of its value.
    pub origin: Origin,
    /// What.
    pub problem: SyntaxProblem,
}

/// What can be wrong before values are looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SyntaxProblem {
    /// No option has this name.
    UnknownOption {
        /// The name as written.
        option: String,
        /// What was probably meant.
        meant: Option<String>,
    },
    /// The beginning of several options' names.
    AmbiguousOption {
        /// What was written.
        option: String,
        /// The names that begin so.
        candidates: Vec<&'static str>,
    },
    /// An option that this program does not have.
    NotHere {
        /// Its name.
        option: &'static str,
        /// Why, and what to do instead.
        why: &'static str,
    },
    /// An option without the value that it needs.
    ValueMissing {
        /// Its name.
        option: String,
    },
    /// An option with an empty value.
    ValueEmpty {
        /// Its name.
        option: String,
        /// The variable that left it empty.
        unset: Option<String>,
    },
    /// A value for an option that takes none.
    ValueNotAllowed {
        /// Its name.
        option: &'static str,
    },
    /// The value of an option of the program cannot be used.
    BadValue {
        /// Its name.
        option: &'static str,
        /// What was written.
        value: String,
        /// Why, and what can be written.
        why: String,
    },
    /// An expression in a value has no value.
    Arithmetic {
        /// The option.
        option: String,
        /// The expression.
        expression: String,
        /// Why.
        error: ArithmeticError,
    },
    /// `${` without `}`.
    VariableUnclosed,
    /// Bytes that are no UTF-8 text.
    NotText,
    /// A zero byte.
    ZeroByte,
    /// A line that is too long, alone or by the variables in it.
    LineTooLong {
        /// The longest that is read, in bytes.
        max_len_bytes: usize,
    },
    /// A job file that is too long.
    FileTooLong {
        /// The longest that is read, in bytes.
        max_len_bytes: usize,
    },
    /// A section's head without the closing bracket at its end.
    SectionUnclosed {
        /// The head.
        head: String,
    },
    /// A section without a name.
    SectionUnnamed,
    /// A section in an included file.
    SectionInInclude,
    /// An option or an include before the first section.
    OutsideSection {
        /// The line.
        line: String,
    },
    /// A value without an option's name before it.
    OptionUnnamed,
    /// A job file, or a file that it includes, cannot be read.
    FileUnreadable {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// `include` without a file.
    IncludeUnnamed,
    /// A file that includes itself, perhaps by way of others.
    IncludeLoop {
        /// The files, each of which includes the next; the last stands in it twice.
        chain: Vec<String>,
    },
    /// Too many files, each included by the one before.
    IncludeTooDeep {
        /// How many are followed.
        max: usize,
    },
    /// Too many includes in all.
    TooManyIncludes {
        /// How many are followed.
        max: usize,
    },
    /// `--section` names a section that is not there.
    UnknownSection {
        /// The name.
        name: String,
        /// The sections that are.
        existing: Vec<String>,
    },
    /// `--section` names a global section, which holds no job.
    GlobalSection {
        /// The name.
        name: String,
    },
    /// Nothing to run.
    NoJobs,
    /// More errors than are shown.
    TooManyErrors {
        /// How many are shown.
        max: usize,
    },
    /// The jobs with all that they inherit are larger than this program holds.
    TooMuch {
        /// Length of the text of all settings that is held, in bytes.
        max_len_bytes: usize,
    },
}

impl SyntaxError {
    /// One line: where, what, why, and what to do about it.
    pub fn message(&self) -> String {
        let what = self.problem.message();
        match (&self.problem, &self.origin) {
            // Nothing that was written is at fault.
            (SyntaxProblem::NoJobs | SyntaxProblem::TooManyErrors { .. }, Origin::CommandLine { .. }) => what,
            _ => format!("{}: {what}", describe_origin(&self.origin)),
        }
    }
}

impl SyntaxProblem {
    fn message(&self) -> String {
        match self {
            Self::UnknownOption { .. }
            | Self::AmbiguousOption { .. }
            | Self::NotHere { .. }
            | Self::OptionUnnamed => self.about_option(),
            Self::ValueMissing { .. }
            | Self::ValueEmpty { .. }
            | Self::ValueNotAllowed { .. }
            | Self::BadValue { .. }
            | Self::Arithmetic { .. }
            | Self::VariableUnclosed => self.about_value(),
            Self::SectionUnclosed { .. }
            | Self::SectionUnnamed
            | Self::SectionInInclude
            | Self::OutsideSection { .. }
            | Self::UnknownSection { .. }
            | Self::GlobalSection { .. }
            | Self::NoJobs => self.about_section(),
            _ => self.about_file(),
        }
    }

    fn about_option(&self) -> String {
        match self {
            Self::UnknownOption { option, meant: Some(meant) } => {
                format!("there is no option '{}'; did you mean '{meant}'?", shown(option))
            }
            Self::UnknownOption { option, meant: None } => format!("there is no option '{}'", shown(option)),
            Self::AmbiguousOption { option, candidates } => {
                format!("'{}' can mean {}: write more of it", shown(option), list(candidates))
            }
            Self::NotHere { option, why } => format!("'--{option}' cannot be used here: {why}"),
            _ => "the name of an option is missing".to_string(),
        }
    }

    fn about_value(&self) -> String {
        match self {
            Self::ValueMissing { option } => format!("'{option}' needs a value: write {option}=..."),
            Self::ValueEmpty { option, unset: None } => {
                format!("the value of '{option}' is empty: write one behind '=', or leave the option out")
            }
            Self::ValueEmpty { option, unset: Some(variable) } => format!(
                "the value of '{option}' is empty: the variable '{}' is not set or empty: set it",
                shown(variable)
            ),
            Self::ValueNotAllowed { option } => {
                format!("'--{option}' takes no value: leave out what is behind '='")
            }
            Self::BadValue { option, value, why } => format!("'--{option}={}': {why}", shown(value)),
            Self::Arithmetic { option, expression, error } => {
                format!(
                    "'{option}={}' cannot be calculated: {}",
                    shown(expression),
                    shown(&error.to_string())
                )
            }
            _ => "'${' begins the name of a variable that no '}' ends".to_string(),
        }
    }

    fn about_section(&self) -> String {
        match self {
            Self::SectionUnclosed { head } => {
                format!("the section '{}' must end with ']', and nothing may follow that", shown(head))
            }
            Self::SectionUnnamed => "a section needs a name: write one such as [job1]".to_string(),
            Self::SectionInInclude => {
                "a section in an included file: such a file can hold options only".to_string()
            }
            Self::OutsideSection { line } => format!(
                "'{}' stands before the first section: write a section such as [job1] above it",
                shown(line)
            ),
            Self::UnknownSection { name, existing } if existing.is_empty() => {
                format!("there is no section '{}': there are no sections", shown(name))
            }
            Self::UnknownSection { name, existing } => {
                let existing: Vec<_> = existing.iter().map(|name| shown(name)).collect();
                format!("there is no section '{}'; there are: {}", shown(name), list(&existing))
            }
            Self::GlobalSection { name } => {
                format!("the section '{}' is a global one, which has no job of its own to run", shown(name))
            }
            _ => "no job is defined: name a job file, or begin a job with --name=NAME".to_string(),
        }
    }

    fn about_file(&self) -> String {
        match self {
            Self::NotText => {
                "bytes that are no UTF-8 text, in which options and names are written".to_string()
            }
            Self::ZeroByte => "a zero byte, which no option can hold".to_string(),
            Self::LineTooLong { max_len_bytes } => {
                format!("a line longer than {max_len_bytes} bytes: is this a job file?")
            }
            Self::FileTooLong { max_len_bytes } => {
                format!("a file longer than {max_len_bytes} bytes: is this a job file?")
            }
            Self::FileUnreadable { path, reason } if path.trim().is_empty() => format!(
                "'{}' is no job file: {}; a backslash continues a line only when nothing follows it",
                shown(path),
                shown(reason)
            ),
            Self::FileUnreadable { path, reason } => {
                format!("the job file '{}' cannot be read: {}", shown_path(path), shown(reason))
            }
            Self::IncludeUnnamed => "'include' needs the name of a file behind it".to_string(),
            Self::IncludeLoop { chain } => {
                let chain: Vec<_> = chain.iter().map(|path| shown_path(path)).collect();
                format!("a file that includes itself: {}", chain.join(" includes "))
            }
            Self::IncludeTooDeep { max } => {
                format!("more than {max} files that each include the next: does one include itself?")
            }
            Self::TooManyIncludes { max } => format!("more than {max} includes"),
            Self::TooManyErrors { max } => {
                format!("more than {max} errors: the others are not shown")
            }
            Self::TooMuch { max_len_bytes } => format!(
                "the settings of all jobs, with those of the global sections, are longer than {max_len_bytes} bytes"
            ),
            _ => String::new(),
        }
    }
}

/// A remark on something that was accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Where it stands.
    pub origin: Origin,
    /// The remark.
    pub remark: Remark,
}

/// What can be remarked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remark {
    /// A `~` that stays as it is.
    Tilde {
        /// The option.
        option: String,
    },
    /// An option that changes nothing here.
    Ignored {
        /// Its name.
        option: &'static str,
        /// Why.
        why: &'static str,
    },
    /// A variable that is not set or empty: nothing stands in its place.
    VariableUnset {
        /// Its name.
        name: String,
    },
    /// A comment sign in the middle of a word.
    CommentInWord {
        /// The option.
        option: String,
        /// What is left of its value.
        value: String,
    },
    /// A job's name that looks like a global section's.
    AlmostGlobal {
        /// The name.
        name: String,
    },
    /// Options of the command line that do not reach the second and later job files.
    OnlyForFirstFile,
    /// `--section` with several job files.
    SectionsOfAllFiles,
}

impl Note {
    /// One line: where and what.
    pub fn message(&self) -> String {
        let what = match &self.remark {
            Remark::Tilde { option } => format!(
                "'~' in the value of '{option}' is not the home directory here, and a shell replaces it only at the \
                 beginning of a word: write $HOME if you mean that"
            ),
            Remark::Ignored { option, why } => format!("'--{option}' is ignored: {why}"),
            Remark::VariableUnset { name } => {
                format!("the variable '{}' is not set or empty: nothing stands in its place", shown(name))
            }
            Remark::CommentInWord { option, value } => format!(
                "';' and '#' begin a comment, also within a word: the value of '{option}' is '{}'",
                shown(value)
            ),
            Remark::AlmostGlobal { name } => format!(
                "'{}' is a job: a global section's name begins with 'global', in small letters",
                shown(name)
            ),
            Remark::OnlyForFirstFile => {
                "the options of the command line that stand before a job count for the first job file only, as in fio"
                    .to_string()
            }
            Remark::SectionsOfAllFiles => {
                "only these sections of all job files run; fio would look in the first file alone and run all of the \
                 others"
                    .to_string()
            }
        };
        format!("{}: {what}", describe_origin(&self.origin))
    }
}

/// Names, separated by commas; the last ones of many are only counted.
fn list<T: AsRef<str>>(names: &[T]) -> String {
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
