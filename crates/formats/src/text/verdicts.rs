//! What the drive is good for, and what that rests on.

use cardiograph_core::Estimate;
use cardiograph_core::verdict::{Finding, FindingOutcome, Guards, Level, Verdict};

use super::layout::{Page, pad_end, plain, width};
use super::words;
use crate::units;

/// Columns of a level, the longest of which is "cannot be judged".
const LEVEL_COLUMNS: usize = 16;
/// So many passes are shown where nothing failed.
const PASSES_SHOWN: usize = 2;

/// Writes a line for each purpose onto `page`, and under it the figures that decided.
pub(super) fn write(page: &mut Page, verdicts: &[Verdict]) {
    if verdicts.is_empty() {
        return;
    }
    page.head("What it is good for");
    let purpose_columns = verdicts.iter().map(|verdict| width(&plain(&verdict.purpose))).max().unwrap_or(0);
    for verdict in verdicts {
        page.gap();
        let (level, tone) = words::level(verdict.level);
        let padded = pad_end(level, LEVEL_COLUMNS);
        let painted = match tone {
            Some(tone) => padded.replacen(level, &page.style().paint(tone, level), 1),
            None => padded,
        };
        let purpose = pad_end(&plain(&verdict.purpose), purpose_columns);
        let room = page.style().width.saturating_sub(purpose_columns + LEVEL_COLUMNS + 4);
        let title = plain(&verdict.title);
        if width(&title) <= room {
            page.line(&format!("{purpose}  {painted}  {title}"));
        } else {
            page.line(&format!("{purpose}  {painted}"));
            page.prose("  ", &title);
        }
        write_findings(page, verdict);
    }
}

fn write_findings(page: &mut Page, verdict: &Verdict) {
    let findings = deciding(verdict);
    for (index, finding) in findings.iter().enumerate() {
        page.prose("  ", &sentence(finding));
        // Limits that follow each other and come from one place name it once.
        let repeated = findings.get(index + 1).is_some_and(|next| next.source == finding.source);
        if finding.outcome != FindingOutcome::NotJudged && !repeated {
            page.quiet_prose("    ", &finding.source);
        }
    }
}

/// The findings that decided the level, and those that were so close that another run may decide otherwise.
fn deciding(verdict: &Verdict) -> Vec<&Finding> {
    let is = |finding: &Finding, outcome, guards| finding.outcome == outcome && finding.guards == guards;
    let missing = |finding: &Finding| finding.outcome == FindingOutcome::NotJudged && finding.required;
    let all = verdict.findings.iter();
    match verdict.level {
        Level::NotEnough => all.filter(|f| is(f, FindingOutcome::Fail, Guards::Enough)).collect(),
        Level::CannotBeJudged => all.filter(|f| missing(f)).collect(),
        Level::Enough => {
            let stands_in_the_way = |f: &&Finding| {
                is(f, FindingOutcome::Fail, Guards::Comfortable)
                    || missing(f)
                    || (f.close && is(f, FindingOutcome::Pass, Guards::Enough))
            };
            all.filter(stands_in_the_way).collect()
        }
        Level::Comfortable => {
            let mut passes: Vec<_> = all.filter(|f| f.outcome == FindingOutcome::Pass).collect();
            let weight = |finding: &Finding| (finding.guards == Guards::Enough, margin(finding));
            passes.sort_by(|a, b| {
                let ((a_guard, a_margin), (b_guard, b_margin)) = (weight(a), weight(b));
                a_guard.cmp(&b_guard).then(a_margin.total_cmp(&b_margin))
            });
            let mut rank = 0;
            passes.retain(|finding| {
                rank += 1;
                rank <= PASSES_SHOWN || finding.close
            });
            passes
        }
    }
}

/// How many times better than its limit a figure is.
fn margin(finding: &Finding) -> f64 {
    let value = finding.measured.map_or(0.0, |measured| measured.value);
    if finding.metric.more_is_better() { value / finding.limit } else { finding.limit / value }
}

fn sentence(finding: &Finding) -> String {
    let metric = words::metric(finding.metric);
    let limit = words::limit(finding.metric, finding.limit);
    let measured = match &finding.measured {
        Some(measured) if finding.outcome != FindingOutcome::NotJudged => measured,
        // A figure that cannot be believed is not shown either.
        _ => {
            let reason = finding.doubt.as_deref().map_or("not measured".to_string(), plain);
            return format!("{metric}: {reason}");
        }
    };
    let value = words::measured(finding.metric, measured.value);
    let (passed, enough) = (finding.outcome == FindingOutcome::Pass, finding.guards == Guards::Enough);
    let relation = match (passed, enough, finding.metric.more_is_better()) {
        (true, true, true) => format!("enough from {limit}"),
        (true, true, false) => format!("enough up to {limit}"),
        (true, false, true) => format!("comfortable from {limit}"),
        (true, false, false) => format!("comfortable up to {limit}"),
        (false, true, true) => format!("under the {limit} that are enough"),
        (false, true, false) => format!("over the {limit} that are enough"),
        (false, false, true) => format!("under the {limit} for comfortable"),
        (false, false, false) => format!("over the {limit} for comfortable"),
    };
    let close = if finding.close { close_call(finding, measured) } else { String::new() };
    format!("{metric}: {value}, {relation}{close}")
}

fn close_call(finding: &Finding, measured: &Estimate) -> String {
    let interval = measured.low.zip(measured.high).map(|(low, high)| {
        let end = |value| words::in_unit_of_limits(finding.metric, value);
        format!(" (95 % interval: {})", units::range(&end(low), &end(high)))
    });
    format!("; close to the limit{}", interval.unwrap_or_default())
}
