//! The figure that decided a verdict.

use cardiograph_core::verdict::Verdict;

use crate::doc::report::verdicts;
use crate::lang::Lang;

/// The figure that decided, beside its limit; `None` where a verdict rests on none.
pub(crate) fn deciding_figure(verdict: &Verdict, lang: Lang) -> Option<String> {
    verdicts::deciding_figure(verdict).map(|figure| lang.text(&figure))
}
