//! One row of the table, and how rows are written.

use cardiograph_core::Message;

use super::{OptionKind, Status};

/// Words of an option with a status that differs from the option's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordStatus {
    /// The words.
    pub words: &'static [&'static str],
    /// Their status.
    pub status: Status,
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct OptionDef {
    /// fio's name, or cardiograph's for its own options.
    pub name: &'static str,
    /// fio's other names for it.
    pub aliases: &'static [&'static str],
    /// Type of its value.
    pub kind: OptionKind,
    /// The default value, as text; empty if there is none.
    pub default: &'static str,
    /// Its description in one sentence.
    pub help: &'static str,
    /// Its status.
    pub status: Status,
    /// Status of single words, if it differs from `status`; see [`super::status_of`].
    pub words: &'static [WordStatus],
    /// Title of its group.
    pub group: &'static str,
    /// The engines that have it; empty if every job has it.
    pub engines: &'static [&'static str],
    /// Whether it is cardiograph's own, unknown to fio.
    pub is_own: bool,
}

/// Writes the rows of a group, after its title: status, names, type, default, help, and differences from a plain row. A
/// row that works names the test `fio_option_` and its name, or another one.
macro_rules! rows {
    ($title:literal; $($status:ident $(($why:expr))? $name:literal $(| $alias:literal)*:
        $kind:expr, $default:literal, $help:literal $(, $fact:ident: $value:expr)*;)*) => {
        pub(super) const ROWS: &[$crate::options::OptionDef] = {
            #[allow(unused_imports)]
            use $crate::options::kind::{OptionKind::*, *};
            &[$($crate::options::OptionDef {
                $($fact: $value,)*
                ..$crate::options::OptionDef {
                    name: $name,
                    aliases: &[$($alias),*],
                    kind: $kind,
                    default: $default,
                    help: $help,
                    status: $crate::options::row::status!($status $name $(, $why)?),
                    words: &[],
                    group: $title,
                    engines: &[],
                    is_own: false,
                }
            }),*]
        };
    };
}
pub(super) use rows;

/// The status of a row.
macro_rules! status {
    (works $name:literal) => {
        $crate::options::Status::Works { test: concat!("fio_option_", $name) }
    };
    (works $name:literal, $test:expr) => {
        $crate::options::Status::Works { test: $test }
    };
    (hint $name:literal, $why:expr) => {
        $crate::options::Status::Hint { why: const { $why } }
    };
    (refused $name:literal, $why:expr) => {
        $crate::options::Status::Refused { why: const { $why } }
    };
}
pub(super) use status;

impl OptionDef {
    /// All its names, the primary one first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

impl WordStatus {
    /// Refused words.
    pub(super) const fn refused(words: &'static [&'static str], why: &'static Message) -> Self {
        Self { words, status: Status::Refused { why } }
    }
}
