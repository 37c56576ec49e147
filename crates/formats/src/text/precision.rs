//! How well the rates of steps are known that were to reach a precision.

use cardiograph_core::Report;
use cardiograph_core::result::{PrecisionEnd, PrecisionOutcome};

use super::layout::{Page, plain};
use super::words;
use crate::units;

/// Writes what came of the wanted precision onto `page`, a line for each step; nothing when none was wanted.
pub(super) fn write(page: &mut Page, report: &Report) {
    let outcomes = report.steps.iter().filter_map(|step| {
        let [outcome] = step.result.as_ref()?.precision[..] else { return None };
        Some((words::short_title(&step.step), outcome))
    });
    let outcomes: Vec<(String, PrecisionOutcome)> = outcomes.collect();
    let Some((_, first)) = outcomes.first() else { return };
    page.head(&format!("How well rates are known ({} wanted)", wanted(first)));
    for (title, outcome) in &outcomes {
        page.prose("  ", &format!("{}: {}", plain(title), reached(outcome)));
    }
}

/// What was wanted and what came of it, in a few words: `2 % wanted, known to 1.83 % after 4.40 s`.
pub fn precision(outcome: &PrecisionOutcome) -> String {
    format!("{} wanted, {}", wanted(outcome), reached(outcome))
}

fn wanted(outcome: &PrecisionOutcome) -> String {
    units::without_zeros(&units::percent(outcome.wanted))
}

fn reached(outcome: &PrecisionOutcome) -> String {
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
    use cardiograph_core::NS_PER_S;

    use super::*;

    #[test]
    fn each_end_is_told() {
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
