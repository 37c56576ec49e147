//! How well a rate is known that was to reach a precision.

use crate::result::{PrecisionEnd, PrecisionOutcome};
use crate::units;

/// What was wanted and what came of it, in a few words: `2 % wanted, known to 1.83 % after 4.40 s`.
pub fn precision(outcome: &PrecisionOutcome) -> String {
    format!("{} wanted, {}", wanted(outcome), reached(outcome))
}

/// What was wanted, as `2 %`.
pub fn wanted(outcome: &PrecisionOutcome) -> String {
    units::without_zeros(&units::percent(outcome.wanted))
}

/// What came of it: `known to 1.83 % after 4.40 s`.
pub fn reached(outcome: &PrecisionOutcome) -> String {
    let known = outcome.half_width.map_or("not known how well".to_string(), |half_width| {
        let percent = if half_width > 0.0 { units::percent(half_width) } else { "0 %".to_string() };
        format!("known to {percent}")
    });
    let after = units::without_zeros(&units::duration(outcome.until_ns));
    match outcome.end {
        PrecisionEnd::Attained => format!("{known} after {after}"),
        PrecisionEnd::NotNarrow if outcome.half_width.is_some_and(|known| known <= outcome.wanted) => {
            format!("{known} when it ended after {after}, by too few I/Os")
        }
        PrecisionEnd::NotNarrow => format!("{known} when it ended after {after}"),
        PrecisionEnd::NotSettled => format!("still rising or falling when it ended after {after}; {known}"),
        PrecisionEnd::TooShort => format!("{known} when it ended after {after}, too early to have settled"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NS_PER_S;

    #[test]
    fn each_end_is_described() {
        let outcome = |end, half_width| PrecisionOutcome {
            job: 0,
            wanted: 0.02,
            end,
            half_width,
            look: 2,
            from_ns: NS_PER_S,
            until_ns: 8 * NS_PER_S,
        };
        let cases = [
            (PrecisionEnd::Attained, Some(0.018_31), "known to 1.83 % after 8 s"),
            (PrecisionEnd::Attained, Some(0.0), "known to 0 % after 8 s"),
            (PrecisionEnd::NotNarrow, Some(0.113), "known to 11.3 % when it ended after 8 s"),
            (PrecisionEnd::NotNarrow, Some(0.01), "known to 1.00 % when it ended after 8 s, by too few I/Os"),
            (
                PrecisionEnd::NotSettled,
                Some(0.3),
                "still rising or falling when it ended after 8 s; known to 30.0 %",
            ),
            (
                PrecisionEnd::TooShort,
                None,
                "not known how well when it ended after 8 s, too early to have settled",
            ),
        ];
        for (end, half_width, expected) in cases {
            assert_eq!(precision(&outcome(end, half_width)), format!("2 % wanted, {expected}"));
        }
    }
}
