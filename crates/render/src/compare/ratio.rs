//! How many times one value is another, and whether that counts.

pub(crate) use cardiograph_judge::compare::ABOUT_THE_SAME;
use cardiograph_judge::compare::{Against, Judgement};

/// The larger in units of the smaller; `None` where one of them is 0.
pub(crate) fn size(against: &Against) -> Option<f64> {
    against.ratio.map(larger)
}

/// A ratio that is not below 1.
pub(crate) fn larger(ratio: f64) -> f64 {
    ratio.max(1.0 / ratio)
}

/// Whether the values are not known to differ, or by so little that nobody would notice.
pub(crate) fn is_about_the_same(against: &Against) -> bool {
    let is_known = matches!(against.judgement, Judgement::Better | Judgement::Worse);
    let is_same = |size| against.judgement == Judgement::NoDifference || size < ABOUT_THE_SAME && !is_known;
    size(against).is_some_and(is_same)
}
