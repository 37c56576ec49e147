//! The places where settings were written.

use cardiograph_core::text::shown_path;
use cardiograph_core::{Message, Origin, message};

/// A place as text: `jobs.fio:3:5`, or `word 2 of the command line`.
pub fn place(origin: &Origin) -> Message {
    match origin {
        Origin::File { path, line, column } => {
            Message::verbatim(format!("{}:{line}:{column}", shown_path(path)))
        }
        &Origin::CommandLine { word } => message!("fio-place.word", word),
        Origin::Suite { suite, step } => message!("fio-place.step", suite, step),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_all_origins() {
        let file = Origin::File { path: "a".into(), line: 2, column: 3 };
        assert_eq!(place(&file), Message::verbatim("a:2:3"));
        assert_eq!(place(&Origin::CommandLine { word: 3 }), message!("fio-place.word", word = 3_u32));
        let suite = Origin::Suite { suite: "quick".into(), step: "random-read".into() };
        assert_eq!(place(&suite), message!("fio-place.step", suite = "quick", step = "random-read"));
    }
}
