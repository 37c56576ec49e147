//! Ratios of two values, and whether they matter.

pub(crate) use cardiograph_judge::compare::ABOUT_THE_SAME;
use cardiograph_judge::compare::{Against, Judgement};

/// The larger value divided by the smaller; `None` if one of them is 0.
pub(crate) fn size(against: &Against) -> Option<f64> {
    against.ratio.map(larger)
}

/// The ratio or its inverse, whichever is at least 1.
pub(crate) fn larger(ratio: f64) -> f64 {
    ratio.max(1.0 / ratio)
}

/// Whether one of the values is shown to be better: they are neither about the same nor unclear.
pub(crate) fn is_shown(against: &Against) -> bool {
    against.unclear().is_none() && !is_about_the_same(against)
}

/// Whether the values are not known to differ, or differ too little to notice.
pub(crate) fn is_about_the_same(against: &Against) -> bool {
    let is_known = matches!(against.judgement, Judgement::Better | Judgement::Worse);
    let is_same = |size| against.judgement == Judgement::NoDifference || size < ABOUT_THE_SAME && !is_known;
    size(against).is_some_and(is_same)
}
