//! Levels in words, for comparisons.

use cardiograph_core::verdict::Level;

use crate::doc::report::verdicts;
use crate::lang::Lang;

/// How good a drive is for a purpose.
pub(crate) fn level_word(level: Level, lang: Lang) -> String {
    lang.text(&verdicts::level(level))
}
