//! Messages to users, as data: an id and parameters. The text is in the catalogues (`crates/catalogue`), one per
//! language.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize};

use crate::JsonSchema;

/// Id of text that is not our sentence, such as a name or another program's message. Its parameter is [`TEXT`].
pub const VERBATIM: &str = "verbatim";
/// Parameter of [`VERBATIM`].
pub const TEXT: &str = "text";

/// A sentence or phrase without its text. Ids are append-only once released.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Form", into = "Form")]
pub struct Message {
    id: Cow<'static, str>,
    parameters: BTreeMap<Cow<'static, str>, Parameter>,
    /// Its English text if read from a stored Report: for an id that this program does not know.
    text: Option<String>,
}

/// Makes a [`Message`]: `message!("trap-swap.seen", drive = name, swapped = Parameter::Bytes(bytes))`. As in a struct,
/// a parameter from a variable of its name is written once: `message!("run-no-commands", job)`. `cargo xtask tidy`
/// checks that the catalogues have the id with these parameters.
#[macro_export]
macro_rules! message {
    ($id:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::message::Message::new($id)$(.with(stringify!($name), $crate::message!(@value $name $($value)?)))*
    };
    (@value $name:ident $value:expr) => { $value };
    (@value $name:ident) => { $name };
}

impl Message {
    /// A message without parameters. Use [`message!`](crate::message!), which is checked.
    pub const fn new(id: &'static str) -> Self {
        Self { id: Cow::Borrowed(id), parameters: BTreeMap::new(), text: None }
    }

    /// A message whose id is read from a data file, which `cargo xtask tidy` also checks.
    pub fn from_data(id: &str) -> Self {
        Self { id: Cow::Owned(id.to_string()), ..Self::new("") }
    }

    /// Adds a parameter.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Parameter>) -> Self {
        self.parameters.insert(Cow::Borrowed(name), value.into());
        self
    }

    /// Text that is shown unchanged in every language.
    pub fn verbatim(text: impl Into<String>) -> Self {
        Self::new(VERBATIM).with(TEXT, Parameter::Name(text.into()))
    }

    /// A quantity as a phrase.
    pub fn quantity(amount: Parameter) -> Self {
        message!("phrase-quantity", amount)
    }

    /// Joins phrases: `SanDisk SC64G, SD card, 64 GB`.
    ///
    /// # Panics
    /// If there are none.
    pub fn joined(phrases: impl IntoIterator<Item = Self>) -> Self {
        let all = phrases.into_iter().reduce(|head, tail| message!("list-more", head, tail));
        all.expect("there is a phrase at least")
    }

    /// Its id in the catalogues: `message` or `message.attribute`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its parameters, by name.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, &Parameter)> {
        self.parameters.iter().map(|(name, parameter)| (name.as_ref(), parameter))
    }

    /// The parameter of this name.
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.get(name)
    }

    /// The stored English text, for an unknown id.
    pub fn stored_text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The text, if verbatim.
    pub fn as_verbatim(&self) -> Option<&str> {
        match self.parameters.get(TEXT) {
            Some(Parameter::Name(text)) if self.id == VERBATIM => Some(text),
            _ => None,
        }
    }
}

/// No text.
impl Default for Message {
    fn default() -> Self {
        Self::verbatim("")
    }
}

/// The stored text follows from the other fields.
impl PartialEq for Message {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.parameters == other.parameters
    }
}

impl Eq for Message {}

/// For tests and developers: `id(parameter=value, ...)`.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = self.as_verbatim() {
            return f.write_str(text);
        }
        f.write_str(&self.id)?;
        for (at, (name, parameter)) in self.parameters.iter().enumerate() {
            write!(f, "{}{name}={parameter}", if at == 0 { "(" } else { ", " })?;
        }
        f.write_str(if self.parameters.is_empty() { "" } else { ")" })
    }
}

/// For tests and developers.
impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Count(count) => write!(f, "{count}"),
            Self::Message(message) => message.fmt(f),
            Self::All(parts) => {
                let parts: Vec<String> = parts.iter().map(Self::to_string).collect();
                f.write_str(&parts.join("+"))
            }
            quantity => write!(f, "{quantity:?}"),
        }
    }
}

/// Joins sentences.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sentences(pub Vec<Message>);

impl From<Message> for Sentences {
    fn from(message: Message) -> Self {
        Self(vec![message])
    }
}

impl From<Vec<Message>> for Sentences {
    fn from(messages: Vec<Message>) -> Self {
        Self(messages)
    }
}

/// A value in a sentence. Quantities are in base units; formatting depends on the reader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Parameter {
    /// A count. Plural forms depend on it.
    Count(u64),
    /// A number without a unit.
    Number(Real),
    /// A fraction, shown in percent; a change can be negative.
    #[serde(rename = "fraction")]
    Share(Real),
    /// A factor.
    Times(Real),
    /// A length of data, in bytes: `4 KiB`.
    Bytes(u64),
    /// A capacity or amount, as on labels, in bytes: `64 GB`.
    CapacityBytes(u64),
    /// The length of an I/O, in bytes: `4K`.
    BlockBytes(u64),
    /// Bytes per second.
    BytesPerS(Real),
    /// Bits per second, for link rates.
    BitsPerS(u64),
    /// I/Os per second.
    Iops(Real),
    /// A duration setting, in nanoseconds: `25 ms`.
    DurationNs(u64),
    /// A measured duration, in nanoseconds: `25.0 ms`.
    LatencyNs(Real),
    /// A name or text from outside, shown unchanged: a drive, a path, an option.
    Name(String),
    /// A system error number (`errno`).
    OsError(i32),
    /// A phrase.
    Message(Box<Message>),
    /// A list: `a, b and c`.
    All(Vec<Parameter>),
    /// Consecutive sentences.
    Sentences(Vec<Message>),
}

impl Parameter {
    /// A number without a unit.
    pub const fn number(value: f64) -> Self {
        Self::Number(Real(value))
    }

    /// A fraction, shown in percent.
    pub const fn share(value: f64) -> Self {
        Self::Share(Real(value))
    }

    /// A factor.
    pub const fn times(value: f64) -> Self {
        Self::Times(Real(value))
    }

    /// A speed in bytes per second.
    pub const fn bytes_per_s(value: f64) -> Self {
        Self::BytesPerS(Real(value))
    }

    /// I/Os per second.
    pub const fn iops(value: f64) -> Self {
        Self::Iops(Real(value))
    }

    /// A measured duration, in nanoseconds.
    pub const fn latency_ns(ns: f64) -> Self {
        Self::LatencyNs(Real(ns))
    }

    /// A list.
    pub fn all(parts: impl IntoIterator<Item = impl Into<Self>>) -> Self {
        Self::All(parts.into_iter().map(Into::into).collect())
    }
}

macro_rules! from {
    ($($source:ty, $value:ident => $parameter:expr;)*) => {
        $(impl From<$source> for Parameter {
            fn from($value: $source) -> Self {
                $parameter
            }
        })*
    };
}

from! {
    u8, count => Self::Count(count.into());
    u32, count => Self::Count(count.into());
    u64, count => Self::Count(count);
    usize, count => Self::Count(count as u64);
    &str, name => Self::Name(name.to_string());
    &String, name => Self::Name(name.clone());
    String, name => Self::Name(name);
    Message, message => match message.as_verbatim() {
        Some(text) => Self::Name(text.to_string()),
        None => Self::Message(Box::new(message)),
    };
    &Path, path => Self::Name(path.display().to_string());
    &PathBuf, path => Self::from(path.as_path());
}

/// A number with a fraction. Compared by bits.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Option<f64>", into = "Option<f64>")]
pub struct Real(pub f64);

impl PartialEq for Real {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Eq for Real {}

impl From<Option<f64>> for Real {
    /// JSON has no NaN or infinity.
    fn from(value: Option<f64>) -> Self {
        Self(value.unwrap_or(f64::NAN))
    }
}

impl From<Real> for Option<f64> {
    fn from(Real(value): Real) -> Self {
        value.is_finite().then_some(value)
    }
}

/// A Message in JSON: verbatim text is a string.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Form {
    /// Verbatim text.
    Verbatim(String),
    /// A catalogue sentence.
    Sentence {
        /// Its id in the catalogue.
        id: Cow<'static, str>,
        /// Its parameters, by name.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        parameters: BTreeMap<Cow<'static, str>, Parameter>,
        /// Its English text, for readers that do not know the id.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
}

impl From<Form> for Message {
    fn from(form: Form) -> Self {
        match form {
            Form::Verbatim(text) => Self::verbatim(text),
            Form::Sentence { id, parameters, text } => Self { id, parameters, text },
        }
    }
}

impl From<Message> for Form {
    fn from(message: Message) -> Self {
        if let Some(text) = message.as_verbatim() {
            return Self::Verbatim(text.to_string());
        }
        let text = ENGLISH.get().map(|english| english(&message));
        let Message { id, parameters, text: stored } = message;
        Self::Sentence { id, parameters, text: text.or(stored) }
    }
}

/// Reads sentences; earlier versions stored a single one, or none.
pub(crate) fn one_or_all<'de, D: Deserializer<'de>>(stored: D) -> Result<Vec<Message>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Stored {
        All(Vec<Message>),
        One(Option<Message>),
    }
    Ok(match Stored::deserialize(stored)? {
        Stored::All(all) => all,
        Stored::One(one) => one.into_iter().collect(),
    })
}

/// The English text of a Message.
pub type English = fn(&Message) -> String;

thread_local! {
    static ENGLISH: Cell<Option<English>> = const { Cell::new(None) };
}

/// Calls `write`, during which Messages are serialised with their English text, as in stored and exported Reports:
/// a reader may not know their ids.
pub fn with_english<T>(english: English, write: impl FnOnce() -> T) -> T {
    /// Restores the thread's previous setting.
    struct Before(Option<English>);
    impl Drop for Before {
        fn drop(&mut self) {
            ENGLISH.set(self.0);
        }
    }
    let _before = Before(ENGLISH.replace(Some(english)));
    write()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_round_trips() {
        let name = Parameter::from("sda");
        let all = Parameter::all([name.clone(), message!("b").into(), 3_u32.into()]);
        let cases = [
            (Message::verbatim("fio said"), r#""fio said""#),
            (message!("a"), r#"{"id":"a"}"#),
            (message!("a.b", drive = name), r#"{"id":"a.b","parameters":{"drive":{"name":"sda"}}}"#),
            (
                message!("a", share = Parameter::share(0.1)),
                r#"{"id":"a","parameters":{"share":{"fraction":0.1}}}"#,
            ),
            (
                message!("a", parts = all),
                r#"{"id":"a","parameters":{"parts":{"all":[{"name":"sda"},{"message":{"id":"b"}},{"count":3}]}}}"#,
            ),
        ];
        for (message, json) in cases {
            assert_eq!(serde_json::to_string(&message).unwrap(), json);
            assert_eq!(serde_json::from_str::<Message>(json).unwrap(), message);
        }
        let odd = message!("a", value = Parameter::number(f64::INFINITY));
        let json = serde_json::to_string(&odd).unwrap();
        let read: Message = serde_json::from_str(&json).unwrap();
        assert!(matches!(read.parameter("value"), Some(Parameter::Number(Real(value))) if value.is_nan()));
    }

    #[test]
    fn one_or_several_sentences_are_read() {
        let read = |json: &str| one_or_all(&mut serde_json::Deserializer::from_str(json)).unwrap();
        assert_eq!(read("null"), []);
        assert_eq!(read(r#""All of it.""#), [Message::verbatim("All of it.")]);
        assert_eq!(read(r#"{"id":"a"}"#), [message!("a")]);
        assert_eq!(read(r#"[{"id":"a"},"b"]"#), [message!("a"), Message::verbatim("b")]);
    }

    #[test]
    fn english_is_written_on_request() {
        let message = message!("a", count = 3_u32);
        let json =
            with_english(|message| message.id().repeat(2), || serde_json::to_string(&message).unwrap());
        assert_eq!(json, r#"{"id":"a","parameters":{"count":{"count":3}},"text":"aa"}"#);
        let read: Message = serde_json::from_str(&json).unwrap();
        assert_eq!((&read, read.stored_text()), (&message, Some("aa")));
        assert_eq!(serde_json::to_string(&read).unwrap(), json, "what was stored stays");
        assert_eq!(
            serde_json::to_string(&message).unwrap(),
            r#"{"id":"a","parameters":{"count":{"count":3}}}"#
        );
    }
}
