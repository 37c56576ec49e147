//! Why figures are withheld or in doubt.

use cardiograph_core::{Doubt, Message, message};
use cardiograph_judge::record::TestFigures;

use crate::doc::words;
use crate::gathered::gathered;

/// Maximum number of tests named individually.
const NAMED_MAX: usize = 3;

/// Each reason once, with its tests; reasons for withheld figures come first.
pub(crate) fn notes(tests: &[TestFigures]) -> Vec<Message> {
    let doubts = tests.iter().flat_map(|test| test.doubts().into_iter().map(move |doubt| (doubt, test)));
    let mut known = gathered_by_doubt(doubts);
    known.sort_by_key(|(doubt, _)| !doubt.withholds());
    known.into_iter().map(|(doubt, doubted)| note(doubt, &doubted, doubted.len() == tests.len())).collect()
}

fn gathered_by_doubt<'t>(
    doubts: impl Iterator<Item = (&'t Doubt, &'t TestFigures)>,
) -> Vec<(&'t Doubt, Vec<&'t TestFigures>)> {
    gathered(doubts)
}

fn note(doubt: &Doubt, tests: &[&TestFigures], are_all: bool) -> Message {
    let why = doubt.message();
    match (doubt.withholds(), are_all) {
        (true, true) => message!("doubt-note.withheld", doubt = why),
        (false, true) => message!("doubt-note.doubtful", doubt = why),
        (true, false) => message!("doubt-note.withheld-of", tests = named(tests), doubt = why),
        (false, false) => message!("doubt-note.doubtful-of", tests = named(tests), doubt = why),
    }
}

fn named(tests: &[&TestFigures]) -> Message {
    match tests {
        [first, rest @ ..] if rest.len() >= NAMED_MAX => {
            message!("tests-more", first = words::test(first), more = rest.len())
        }
        few => Message::joined(few.iter().map(|test| words::test(test))),
    }
}
