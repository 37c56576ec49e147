//! What the Report is of, and what the drive is good for.

use cardiograph_core::Report;
use cardiograph_core::claim::{Claim, ClaimOutcome};
use cardiograph_core::verdict::{Level, Verdict};

use super::builder::Html;
use crate::lang::Lang;
use crate::text::{self, VerdictLine};

pub(super) const fn heading(lang: Lang) -> &'static str {
    lang.pick("What it is good for", "何に向くか")
}

/// The title, when and how it was measured, and where it came from.
pub(super) fn header(html: &mut Html, report: &Report, title: &str) {
    html.words("h1", &[], title);
    let suite = format!("{} {}", html.lang.pick("suite", "スイート"), report.suite);
    let state = text::state_words(report.state).map(str::to_string);
    let when = text::when(report.started_unix_ms);
    let parts = [Some(suite), state, when, Some(text::made_by(report, html.lang)), Some(report.id.clone())];
    html.words("p", &[("class", "quiet")], &parts.into_iter().flatten().collect::<Vec<_>>().join(", "));
    if let Some(source) = &report.source {
        let line = source.line.map(|line| format!("{} {line}", html.lang.pick("line", "行")));
        let parts = [
            Some(source.program.clone()),
            Some(source.format.clone()),
            Some(source.place_in_words().to_string()),
            line,
            source.author.clone(),
            source.date.clone(),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        let imported =
            html.lang.pick("Imported, not measured here", "取り込んだ結果（ここでの測定ではない）");
        html.words("p", &[], &format!("{imported}: {}.", parts.join(", ")));
    }
    let tags: Vec<String> = text::tags(report).collect();
    if !tags.is_empty() {
        html.words("p", &[("class", "quiet")], &tags.join(", "));
    }
}

/// Verdicts, claims and notes.
pub(super) fn write(html: &mut Html, report: &Report) {
    html.words("h2", &[("id", "verdicts-head")], heading(html.lang));
    if report.verdicts.is_empty() {
        let none = html.lang.pick("No purpose was judged.", "用途の判定はない。");
        html.words("p", &[], none);
    } else {
        html.element("ul", &[("class", "verdicts")], |html| {
            report.verdicts.iter().for_each(|verdict| write_verdict(html, verdict));
        });
        grounds(html, report);
    }
    if let Some(why) = &report.not_judged {
        html.told("p", "quiet", why);
    }
    if !report.claims.is_empty() {
        html.words("h3", &[], html.lang.pick("What is said of it", "ドライブの表示と実際"));
        html.element("ul", &[], |html| report.claims.iter().for_each(|claim| write_claim(html, claim)));
    }
    let unfinished = text::unfinished(report);
    if !unfinished.is_empty() {
        html.words("h3", &[], html.lang.pick("Not finished", "未完了"));
        unfinished.iter().for_each(|sentence| html.told("p", "", sentence));
    }
    if !report.notes.is_empty() {
        html.words("h3", &[], html.lang.pick("Notes", "注記"));
        html.element("ul", &[], |html| {
            report
                .notes
                .iter()
                .for_each(|note| html.told("li", "", &cardiograph_core::text::as_sentence(note)));
        });
    }
}

fn write_verdict(html: &mut Html, verdict: &Verdict) {
    let line = VerdictLine::of(verdict, html.lang);
    let class = match verdict.level {
        Level::Comfortable => "good",
        Level::Enough | Level::CannotBeJudged => "fair",
        Level::NotEnough => "bad",
    };
    html.element("li", &[], |html| {
        html.element("p", &[], |html| {
            html.words("strong", &[], &line.purpose);
            html.text(": ");
            html.words("span", &[("class", class)], text::level_word(verdict.level, html.lang));
        });
        html.words("p", &[("class", "quiet")], &line.title);
        if !line.figure.is_empty() {
            html.words("p", &[], &line.figure);
        }
        if !line.reasons.is_empty() {
            html.told("p", "quiet", &line.reasons);
        }
    });
}

/// All that the verdicts rest on, with the sources of the limits.
fn grounds(html: &mut Html, report: &Report) {
    html.element("details", &[], |html| {
        html.words("summary", &[], html.lang.pick("All limits and their sources", "すべての基準値と出典"));
        for verdict in &report.verdicts {
            html.words(
                "h3",
                &[],
                &format!("{}: {}", verdict.purpose, text::level_word(verdict.level, html.lang)),
            );
            html.element("ul", &[], |html| {
                for finding in &verdict.findings {
                    html.element("li", &[], |html| {
                        html.told("span", "", &text::finding_sentence(finding));
                        html.text(" ");
                        html.told("span", "quiet", &finding.source);
                    });
                }
            });
        }
    });
}

fn write_claim(html: &mut Html, claim: &Claim) {
    let class = match claim.outcome {
        ClaimOutcome::Kept => "good",
        ClaimOutcome::Broken => "bad",
        ClaimOutcome::CannotBeJudged => "fair",
    };
    html.element("li", &[], |html| {
        html.told("span", class, text::claim_word(claim));
        let said_by = claim.said_by.as_ref().map(|by| format!(" ({by})")).unwrap_or_default();
        html.told("span", "", &format!(" {}{said_by}", claim.statement));
        claim.evidence.iter().for_each(|of| html.told("p", "", &text::claim_evidence(of)));
        if !claim.reasons.is_empty() {
            html.told("p", "quiet", &claim.reasons.join(" "));
        }
    });
}
