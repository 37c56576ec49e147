//! Words for a figure beside a limit.

use cardiograph_core::metric::Metric;
use cardiograph_core::units;
use cardiograph_core::verdict::{Finding, FindingOutcome, Guards, Level};

use super::words;
use crate::lang::Lang;

/// How many times better than its limit a figure is; 0 when there is none.
pub(super) fn margin(finding: &Finding) -> f64 {
    let value = finding.measured.map_or(0.0, |measured| measured.value);
    if finding.metric.more_is_better() || value == 0.0 {
        value / finding.limit
    } else {
        finding.limit / value
    }
}

/// The figure and its limit as short as can be: `random read 3,786 IOPS; enough from 4,000`.
pub(super) fn short(finding: &Finding, lang: Lang) -> String {
    let metric = words::metric(finding.metric, lang);
    match &finding.measured {
        None => format!("{metric}{}", lang.pick(" is missing", "が未計測")),
        Some(_) if finding.outcome == FindingOutcome::NotJudged => {
            format!("{metric}{}", lang.pick(" is in doubt", "が疑わしい"))
        }
        Some(measured) => {
            let value = words::in_unit_of_limits(finding.metric, measured.value);
            let limit = words::bare_limit(finding.metric, finding.limit);
            let asked = asked(finding, &limit, lang);
            match lang {
                Lang::En => format!("{metric} {value}; {asked}"),
                Lang::Ja => format!("{metric} {value}({asked})"),
            }
        }
    }
}

/// The limit and the interval that it lies in: `fsync p99, enough up to 10 ms, 95 % interval 5.73 to 11.1 ms`.
pub(super) fn close_call(finding: &Finding, lang: Lang) -> Option<String> {
    let metric = words::metric(finding.metric, lang);
    let asked = asked(finding, &words::bare_limit(finding.metric, finding.limit), lang);
    let interval = close_interval(finding, lang)?;
    Some(match lang {
        Lang::En => format!("{metric}, {asked}, {interval}"),
        Lang::Ja => format!("{metric} ({asked}、{interval})"),
    })
}

/// The figure and its limit in full, with what there is to say against the figure.
pub(crate) fn sentence(finding: &Finding, lang: Lang) -> String {
    let metric = words::metric(finding.metric, lang);
    let asked = asked(finding, &words::limit(finding.metric, finding.limit), lang);
    let measured = match &finding.measured {
        Some(measured) if finding.outcome != FindingOutcome::NotJudged => measured,
        // A figure that cannot be believed is not shown either.
        _ => {
            let unmeasured = || lang.pick("not measured", "未計測").to_string();
            let reason = finding.doubt.as_ref().map_or_else(unmeasured, |doubt| lang.text(doubt));
            return match lang {
                Lang::En => format!("{metric}, {asked}: {reason}"),
                Lang::Ja => format!("{metric} ({asked}): {reason}。"),
            };
        }
    };
    let value = words::measured(finding.metric, measured.value);
    let outcome =
        if finding.outcome == FindingOutcome::Pass { "" } else { lang.pick("missed: ", "未達: ") };
    let close = |interval| format!("{}{interval}", lang.pick("; close: ", "、僅差で "));
    let close = close_interval(finding, lang).map(close).unwrap_or_default();
    match lang {
        Lang::En => format!("{outcome}{metric} {value}, {asked}{close}"),
        Lang::Ja => format!("{outcome}{metric} {value} ({asked}{close})。"),
    }
}

/// The figure's interval, if the limit lies in it.
pub(super) fn close_interval(finding: &Finding, lang: Lang) -> Option<String> {
    let measured = finding.measured.filter(|_| finding.close)?;
    let end = |value| words::in_unit_of_limits(finding.metric, value);
    let interval = measured.low.zip(measured.high);
    let (low, high) = interval.map(|(low, high)| (end(low), end(high)))?;
    Some(match lang {
        Lang::En => format!("95 % interval {}", units::range(&low, &high)),
        Lang::Ja => format!("95 % 信頼区間 {low}～{high}"),
    })
}

/// What a limit asks: `enough from 4,000`, `comfortable up to 10 ms`, `4,000 以上で足りる`.
fn asked(finding: &Finding, limit: &str, lang: Lang) -> String {
    // Not a limit of the purpose: a drive that lies is good for none.
    let is_claim = finding.metric == Metric::RealCapacity;
    let is_least = finding.metric.more_is_better();
    let level = match finding.guards {
        Guards::Enough => words::level_word(Level::Enough, lang),
        Guards::Comfortable => words::level_word(Level::Comfortable, lang),
    };
    match lang {
        Lang::En if is_claim => format!("{limit} are claimed"),
        Lang::Ja if is_claim => format!("公称 {limit}"),
        Lang::En => format!("{level} {} {limit}", if is_least { "from" } else { "up to" }),
        Lang::Ja => format!("{limit} {}で{level}", if is_least { "以上" } else { "以下" }),
    }
}
