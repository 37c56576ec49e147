//! The languages that everything is written in.

use cardiograph_core::Message;
use cardiograph_core::text::as_sentence;

pub use cardiograph_catalogue::{Language as Lang, UnknownLanguage as UnknownLang};

/// A phrase as a sentence.
pub(crate) fn sentence(phrase: &Message, lang: Lang) -> String {
    let text = lang.text(phrase);
    match lang {
        Lang::En => as_sentence(&text),
        Lang::Ja => format!("{}。", text.trim_end_matches('。')),
    }
}
