//! What pictures say of tests.

use cardiograph_judge::record::TestFigures;

use crate::doc::report::doubts;
use crate::doc::words;
use crate::lang::Lang;
use crate::text::said;

/// A test, with the part of an application that it is.
pub(crate) fn title(test: &TestFigures, lang: Lang) -> String {
    said(&words::test(test), lang)
}

/// Why figures are withheld or in doubt: each reason once, with the tests that it is for; what is withheld comes first.
pub(crate) fn reasons(tests: &[TestFigures], lang: Lang) -> Vec<String> {
    doubts::notes(tests).iter().map(|note| lang.text(note)).collect()
}
