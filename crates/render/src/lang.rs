//! The languages of all output.

pub use cardiograph_catalogue::{Language as Lang, UnknownLanguage as UnknownLang};
