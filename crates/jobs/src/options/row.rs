//! One row of the table, and how rows are written.

use super::{OptionEffect, OptionGroup, OptionKind, Status};

/// Words of an option that fare otherwise than the option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordStatus {
    /// The words.
    pub words: &'static [&'static str],
    /// What becomes of them.
    pub status: Status,
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct OptionDef {
    /// fio's name, or cardiograph's for one of its own.
    pub name: &'static str,
    /// fio's other names for it.
    pub aliases: &'static [&'static str],
    /// How its value is read.
    pub kind: OptionKind,
    /// The value when it is not written, as text; empty when there is none.
    pub default: &'static str,
    /// What it changes.
    pub effect: OptionEffect,
    /// One sentence.
    pub help: &'static str,
    /// What becomes of it.
    pub status: Status,
    /// What becomes of single words of it, where that is not `status`; see [`super::status_of`].
    pub words: &'static [WordStatus],
    /// Where it is listed.
    pub group: OptionGroup,
    /// The engines that have it; empty when it is an option of every job.
    pub engines: &'static [&'static str],
    /// Whether it is cardiograph's own: fio does not know it.
    pub is_own: bool,
}

/// A row that works, with the test `fio_option_` and its name.
macro_rules! works {
    ($name:literal) => {
        $crate::options::OptionDef::new(
            $name,
            $crate::options::Status::Works { test: concat!("fio_option_", $name) },
        )
    };
}
pub(super) use works;

/// A row that is accepted with a note.
pub(super) const fn hint(name: &'static str, why: &'static str) -> OptionDef {
    OptionDef::new(name, Status::Hint { why })
}

/// A row that cannot work here.
pub(super) const fn refused(name: &'static str, why: &'static str) -> OptionDef {
    OptionDef::new(name, Status::Refused { why })
}

impl OptionDef {
    /// A row of free text without a default.
    pub(super) const fn new(name: &'static str, status: Status) -> Self {
        Self {
            name,
            aliases: &[],
            kind: OptionKind::Text,
            default: "",
            effect: OptionEffect::Workload,
            help: "",
            status,
            words: &[],
            group: OptionGroup::Jobs,
            engines: &[],
            is_own: false,
        }
    }

    pub(super) const fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    pub(super) const fn kind(mut self, kind: OptionKind) -> Self {
        self.kind = kind;
        self
    }

    pub(super) const fn default(mut self, default: &'static str) -> Self {
        self.default = default;
        self
    }

    pub(super) const fn display(mut self) -> Self {
        self.effect = OptionEffect::Display;
        self
    }

    pub(super) const fn help(mut self, help: &'static str) -> Self {
        self.help = help;
        self
    }

    pub(super) const fn words(mut self, words: &'static [WordStatus]) -> Self {
        self.words = words;
        self
    }

    pub(super) const fn engines(mut self, engines: &'static [&'static str]) -> Self {
        self.engines = engines;
        self
    }

    pub(super) const fn own(mut self) -> Self {
        self.is_own = true;
        self
    }

    /// All its names, its own first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

impl WordStatus {
    /// Words that cannot work here.
    pub(super) const fn refused(words: &'static [&'static str], why: &'static str) -> Self {
        Self { words, status: Status::Refused { why } }
    }
}
