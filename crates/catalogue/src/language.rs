//! The languages, and their catalogues.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use cardiograph_core::message::{Message, Parameter, VERBATIM};
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};

use crate::parameters;

/// Files of a language. Each has its line here.
macro_rules! locale {
    ($code:literal) => {
        locale!(
            $code, "card", "checkup", "claims", "comparison", "details", "doubts", "drives", "engine", "errors", "errors-cli", "figures", "file-system", "fio", "help", "import", "jobs", "lists", "machine", "manual", "notes", "passport", "pictures", "report", "shelf", "store", "suites", "tables", "traps", "verdicts"
        )
    };
    ($code:literal, $($file:literal),*) => {
        &[$((concat!($code, "/", $file, ".ftl"), include_str!(concat!("../locales/", $code, "/", $file, ".ftl")))),*]
    };
}

/// Sources of a catalogue: paths below `locales`, and texts.
pub type Sources = &'static [(&'static str, &'static str)];

/// A language. Names, commands and what other programs said stay as they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Japanese.
    Ja,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::En, Self::Ja];

    /// Its code, as in HTML (`lang="ja"`) and on the command line, and the sources of its catalogue.
    const fn row(self) -> (&'static str, Sources) {
        match self {
            Self::En => ("en", locale!("en")),
            Self::Ja => ("ja", locale!("ja")),
        }
    }

    /// Its code, as in HTML (`lang="ja"`) and on the command line.
    pub const fn code(self) -> &'static str {
        self.row().0
    }

    /// The sources of its catalogue.
    pub const fn sources(self) -> Sources {
        self.row().1
    }

    /// A message in this language; where this program does not know it, its stored English; where there is none, its id.
    pub fn text(self, message: &Message) -> String {
        let of_outside =
            || message.stored_text().map_or_else(|| parameters::name(&message.to_string()), parameters::name);
        self.known_text(message).unwrap_or_else(of_outside)
    }

    /// Sentences one after the other, as the language separates them.
    pub fn sentences<'a>(self, messages: impl IntoIterator<Item = &'a Message>) -> String {
        let texts: Vec<String> = messages.into_iter().map(|message| self.text(message)).collect();
        texts.join(self.pick(" ", ""))
    }

    /// Phrases one after the other, as the language separates them.
    pub fn phrases<'a>(self, messages: impl IntoIterator<Item = &'a Message>) -> String {
        let texts: Vec<String> = messages.into_iter().map(|message| self.text(message)).collect();
        texts.join(self.pick(", ", "、"))
    }

    /// A value as this language shows it.
    pub fn value(self, parameter: &Parameter) -> String {
        parameters::shown(parameter, &|message| self.text(message))
    }

    /// The words in this language, given in all.
    pub const fn pick(self, en: &'static str, ja: &'static str) -> &'static str {
        match self {
            Self::En => en,
            Self::Ja => ja,
        }
    }

    /// The text without parameters of an id that is made at run time, as those of help are.
    pub fn text_of(self, id: &str) -> Option<String> {
        self.formatted(id, &FluentArgs::new())
    }

    /// A message, where the catalogue has it with its parameters.
    fn known_text(self, message: &Message) -> Option<String> {
        if message.id() == VERBATIM {
            return message.as_verbatim().map(parameters::name);
        }
        let mut arguments = FluentArgs::new();
        for (name, parameter) in message.parameters() {
            arguments.set(name.to_string(), parameters::value(parameter, &|message| self.text(message)));
        }
        self.formatted(message.id(), &arguments)
    }

    fn formatted(self, id: &str, arguments: &FluentArgs<'_>) -> Option<String> {
        let bundle = self.bundle();
        let (id, attribute) = match id.split_once('.') {
            Some((id, attribute)) => (id, Some(attribute)),
            None => (id, None),
        };
        let entry = bundle.get_message(id)?;
        let pattern = match attribute {
            Some(attribute) => entry.get_attribute(attribute)?.value(),
            None => entry.value()?,
        };
        let mut errors = Vec::new();
        let text = bundle.format_pattern(pattern, Some(arguments), &mut errors).into_owned();
        errors.is_empty().then_some(text)
    }

    fn bundle(self) -> &'static FluentBundle<FluentResource> {
        static BUNDLES: [OnceLock<FluentBundle<FluentResource>>; Language::ALL.len()] =
            [const { OnceLock::new() }; Language::ALL.len()];
        BUNDLES[self as usize].get_or_init(|| {
            let code = self.code().parse().expect("the code of a language is one");
            let mut bundle = FluentBundle::new_concurrent(vec![code]);
            // Marks of direction are of no use where all is written from left to right, and spoil columns.
            bundle.set_use_isolating(false);
            bundle.set_formatter(Some(|value, _| match value {
                FluentValue::Number(number) => Some(cardiograph_core::units::count(number.value as u64)),
                _ => None,
            }));
            for (path, source) in self.sources() {
                let resource = FluentResource::try_new((*source).to_string())
                    .unwrap_or_else(|(_, errors)| panic!("{path}: {errors:?}"));
                bundle.add_resource(resource).unwrap_or_else(|errors| panic!("{path}: {errors:?}"));
            }
            bundle
        })
    }
}

/// A language that there is no catalogue of.
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
