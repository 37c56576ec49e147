//! Precision of a rate with a precision target.

use crate::result::{PrecisionEnd, PrecisionOutcome};
use crate::{Message, Parameter, message};

/// Target and result, a phrase: `2 % wanted, known to 1.83 % after 4.4 s`.
pub fn precision(outcome: &PrecisionOutcome) -> Message {
    message!("precision-outcome", wanted = Parameter::share(outcome.wanted), reached = reached(outcome))
}

/// The result, a phrase: `known to 1.83 % after 4.4 s`.
pub fn reached(outcome: &PrecisionOutcome) -> Message {
    let time = Parameter::DurationNs(outcome.until_ns);
    let Some(half_width) = outcome.half_width else {
        return match outcome.end {
            PrecisionEnd::NotSettled => message!("precision-unknown.not-settled", time),
            PrecisionEnd::TooShort => message!("precision-unknown.too-short", time),
            PrecisionEnd::Attained | PrecisionEnd::NotNarrow => message!("precision-unknown", time),
        };
    };
    let known = Parameter::share(half_width);
    match outcome.end {
        PrecisionEnd::Attained => message!("precision-reached", known, time),
        PrecisionEnd::NotNarrow if half_width <= outcome.wanted => {
            message!("precision-reached.few-ios", known, time)
        }
        PrecisionEnd::NotNarrow => message!("precision-reached.not-narrow", known, time),
        PrecisionEnd::NotSettled => message!("precision-reached.not-settled", known, time),
        PrecisionEnd::TooShort => message!("precision-reached.too-short", known, time),
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
            (PrecisionEnd::Attained, Some(0.018_31), "precision-reached"),
            (PrecisionEnd::Attained, Some(0.0), "precision-reached"),
            (PrecisionEnd::NotNarrow, Some(0.113), "precision-reached.not-narrow"),
            (PrecisionEnd::NotNarrow, Some(0.01), "precision-reached.few-ios"),
            (PrecisionEnd::NotSettled, Some(0.3), "precision-reached.not-settled"),
            (PrecisionEnd::TooShort, None, "precision-unknown.too-short"),
        ];
        for (end, half_width, expected) in cases {
            let reached = reached(&outcome(end, half_width));
            assert_eq!(reached.id(), expected);
            assert_eq!(reached.parameter("known"), half_width.map(Parameter::share).as_ref());
        }
    }
}
