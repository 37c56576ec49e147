//! The languages that everything is written in.

pub use cardiograph_catalogue::{Language as Lang, UnknownLanguage as UnknownLang};
