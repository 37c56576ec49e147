//! The languages, and their catalogues.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, OnceLock, PoisonError};

use cardiograph_core::units::{self, BandwidthUnits};
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};

type Bundle = FluentBundle<FluentResource>;

/// Files of a language, one per line.
macro_rules! locale {
    ($code:literal) => {
        locale!(
            $code, "card", "checkup", "claims", "commands", "comparison", "details", "doubts", "drives", "engine", "errors", "errors-cli", "explain", "figures", "file-system", "fio", "fleet", "glance", "help", "import", "jobs", "lists", "machine", "manual", "notes", "passport", "pictures", "report", "send", "serve", "serve-ui", "shelf", "store", "suites", "tables", "token", "tools", "traps", "verdicts"
        )
    };
    ($code:literal, $($file:literal),*) => {
        &[$((concat!($code, "/", $file, ".ftl"), include_str!(concat!("../locales/", $code, "/", $file, ".ftl")))),*]
    };
}

/// Sources of a catalogue: paths below `locales`, and texts.
pub type Sources = &'static [(&'static str, &'static str)];

/// The language of text, and its bandwidth units. Names, commands and the output of other programs stay unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Language {
    code: &'static str,
    /// The units of bandwidth.
    pub units: BandwidthUnits,
}

macro_rules! languages {
    ($($constant:ident $name:literal $code:literal;)*) => {
        impl Language {
            $(#[doc = $name] pub const $constant: Self = Self::named($code);)*

            /// All languages.
            pub const ALL: [Self; [$($code),*].len()] = [$(Self::$constant),*];

            /// The sources of its catalogue.
            pub fn sources(self) -> Sources {
                match self.code { $($code => locale!($code),)* other => unreachable!("no catalogue {other}") }
            }
        }
    };
}

// One line per language.
languages! {
    EN "English." "en";
    JA "Japanese." "ja";
}

impl Default for Language {
    fn default() -> Self {
        Self::EN
    }
}

impl Language {
    const fn named(code: &'static str) -> Self {
        Self { code, units: BandwidthUnits::Decimal }
    }

    /// The same language with bandwidth in other units.
    #[must_use]
    pub const fn with_units(self, units: BandwidthUnits) -> Self {
        Self { units, ..self }
    }

    /// Its code, as in HTML (`lang="ja"`) and on the command line.
    pub const fn code(self) -> &'static str {
        self.code
    }

    /// Its place in [`Language::ALL`].
    pub fn index(self) -> usize {
        Self::ALL.iter().position(|known| known.code == self.code).expect("each language is listed")
    }

    /// The text of an id that is made at run time, such as those of help. It has no parameters.
    pub fn text_of(self, id: &str) -> Option<String> {
        self.formatted(id, &FluentArgs::new())
    }

    /// The text of an id with its parameters, if the catalogue has it.
    pub(crate) fn formatted(self, id: &str, arguments: &FluentArgs<'_>) -> Option<String> {
        static READ: [Mutex<Option<Bundle>>; Language::ALL.len()] =
            [const { Mutex::new(None) }; Language::ALL.len()];
        let mut bundle = READ[self.index()].lock().unwrap_or_else(PoisonError::into_inner);
        let bundle = bundle.get_or_insert_with(|| self.empty_bundle());
        let (id, attribute) = match id.split_once('.') {
            Some((id, attribute)) => (id, Some(attribute)),
            None => (id, None),
        };
        if !bundle.has_message(id) {
            let entry = FluentResource::try_new(self.entry(id)?.to_string());
            let resource = entry.unwrap_or_else(|(_, errors)| panic!("{id}: {errors:?}"));
            bundle.add_resource(resource).unwrap_or_else(|errors| panic!("{id}: {errors:?}"));
        }
        let entry = bundle.get_message(id)?;
        let pattern = match attribute {
            Some(attribute) => entry.get_attribute(attribute)?.value(),
            None => entry.value()?,
        };
        let mut errors = Vec::new();
        let text = bundle.format_pattern(pattern, Some(arguments), &mut errors).into_owned();
        errors.is_empty().then_some(text)
    }

    fn empty_bundle(self) -> Bundle {
        let code = self.code().parse().expect("the code of a language is one");
        let mut bundle = FluentBundle::new_concurrent(vec![code]);
        // Direction marks are useless in left-to-right text, and break columns.
        bundle.set_use_isolating(false);
        bundle.set_formatter(Some(|value, _| match value {
            FluentValue::Number(number) => Some(units::count(number.value as u64)),
            _ => None,
        }));
        bundle
    }

    /// The source of an entry. Entries are parsed one by one on first use: a whole catalogue takes milliseconds and
    /// megabytes, and a run shows few of its sentences. No entry refers to another, which [`known`](crate::known)
    /// checks.
    fn entry(self, id: &str) -> Option<&'static str> {
        static ENTRIES: [OnceLock<HashMap<&str, &str>>; Language::ALL.len()] =
            [const { OnceLock::new() }; Language::ALL.len()];
        let entries = || self.sources().iter().flat_map(|(_, source)| entries(source)).collect();
        ENTRIES[self.index()].get_or_init(entries).get(id).copied()
    }
}

/// The ids and texts of a source's entries. A line that begins with a letter begins an entry.
fn entries(source: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = source.split_inclusive('\n').scan(0, |end, line| {
        *end += line.len();
        Some((*end - line.len(), line))
    });
    let begins = lines.filter(|(_, line)| line.starts_with(|first: char| first.is_ascii_alphabetic()));
    begins.filter_map(|(at, line)| {
        let id = line.split_once('=')?.0.trim_end();
        let rest = &source[at + line.len()..];
        let is_inside = |line: &&str| line.starts_with([' ', '\n', '}']);
        let len_bytes: usize = rest.split_inclusive('\n').take_while(is_inside).map(str::len).sum();
        Some((id, &source[at..at + line.len() + len_bytes]))
    })
}

/// A language without a catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownLanguage(String);

impl fmt::Display for UnknownLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown language '{}'; use {}", self.0, Language::ALL.map(Language::code).join(" or "))
    }
}

impl std::error::Error for UnknownLanguage {}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(code: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|language| language.code() == code);
        known.ok_or_else(|| UnknownLanguage(cardiograph_core::text::shown(code)))
    }
}
