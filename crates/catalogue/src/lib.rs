//! The sentences of cardiograph in every language: a [`Message`] becomes text.
//!
//! A language is a directory of `locales/` with a file for each area, in Project Fluent's syntax, and a row of [`Language`]. All
//! languages have the same messages with the same parameters; tests and `cargo xtask tidy` check that.

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
