//! cardiograph's sentences in every language: turns a [`Message`] into text.
//!
//! A language is a directory in `locales/` with a file per area, in Project Fluent's syntax, and a row of [`Language`].
//! All languages have the same messages with the same parameters; tests and `cargo xtask tidy` check this.

mod environment;
mod known;
mod language;
mod os_errors;
#[cfg(test)]
mod tests;
mod text;

use cardiograph_core::Message;

pub use environment::from_environment;
pub use known::{Known, known};
pub use language::{Language, UnknownLanguage};

/// The English of a Message.
pub fn english(message: &Message) -> String {
    Language::EN.text(message)
}
