//! Where something was written, in words.

use cardiograph_core::Origin;
use cardiograph_core::text::shown_path;

/// Where something was written: `jobs.fio:3:5`, or `word 2 of the command line`.
pub fn describe_origin(origin: &Origin) -> String {
    match origin {
        Origin::File { path, line, column } => format!("{}:{line}:{column}", shown_path(path)),
        Origin::CommandLine { word } => format!("word {word} of the command line"),
        Origin::Suite { suite, step } => format!("suite '{suite}', step '{step}'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_all_origins() {
        assert_eq!(describe_origin(&Origin::CommandLine { word: 3 }), "word 3 of the command line");
        let suite = Origin::Suite { suite: "quick".into(), step: "random-read".into() };
        assert_eq!(describe_origin(&suite), "suite 'quick', step 'random-read'");
    }
}
