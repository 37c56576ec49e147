//! What the Report is of, and what the drive is good for.

use cardiograph_core::Report;
use cardiograph_core::claim::Claim;
use cardiograph_core::text::as_sentence;
use cardiograph_core::verdict::Verdict;

use super::builder::Html;
use crate::lang::Lang;
use crate::text::layout::Tone;
use crate::text::{self, claims, verdicts};

pub(super) const fn heading(lang: Lang) -> &'static str {
    lang.pick("What it is good for", "何に向くか")
}

/// The title, when and how it was measured, and where it came from.
pub(super) fn header(html: &mut Html, report: &Report, title: &str) {
    html.words("h1", &[], title);
    let made_by = [text::report::made_by(report, html.lang), report.id.clone()];
    let parts = text::report::run_words(report, html.lang).into_iter().chain(made_by);
    html.words("p", &[("class", "quiet")], &parts.collect::<Vec<_>>().join(", "));
    if let Some(source) = &report.source {
        let line = source.line.map(|line| format!("{} {line}", html.lang.pick("line", "行")));
        let parts = [source.program.as_str(), &source.format, source.place_in_words()].map(Some);
        let parts =
            parts.into_iter().chain([line.as_deref(), source.author.as_deref(), source.date.as_deref()]);
        let parts: Vec<&str> = parts.flatten().filter(|part| !part.is_empty()).collect();
        let imported =
            html.lang.pick("Imported, not measured here", "取り込んだ結果（ここでの測定ではない）");
        html.words("p", &[], &format!("{imported}: {}.", parts.join(", ")));
    }
    let tags: Vec<String> = text::report::tags(report).collect();
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
    if !report.not_judged.is_empty() {
        html.words("p", &[("class", "quiet")], &html.lang.sentences(&report.not_judged));
    }
    list(html, ("What is said of it", "ドライブの表示と実際"), &report.claims, write_claim);
    let unfinished = text::report::all_unfinished(report);
    if !unfinished.is_empty() {
        html.words("h3", &[], html.lang.pick("Not finished", "未完了"));
        unfinished.iter().for_each(|sentence| html.told("p", "", sentence));
    }
    list(html, ("Notes", "注記"), &report.notes, |html, note| {
        let sentence = as_sentence(&html.lang.text(note));
        html.told("li", "", &sentence);
    });
}

/// A list with a heading; nothing where it is empty.
fn list<T>(html: &mut Html, (en, ja): (&'static str, &'static str), items: &[T], write: fn(&mut Html, &T)) {
    if !items.is_empty() {
        html.words("h3", &[], html.lang.pick(en, ja));
        html.element("ul", &[], |html| items.iter().for_each(|item| write(html, item)));
    }
}

fn write_verdict(html: &mut Html, verdict: &Verdict) {
    let line = verdicts::Line::of(verdict, html.lang);
    let class = line.tone.map_or("fair", Tone::class);
    html.element("li", &[], |html| {
        html.element("p", &[], |html| {
            html.words("strong", &[], &line.purpose);
            html.text(": ");
            html.words("span", &[("class", class)], line.level);
        });
        html.words("p", &[("class", "quiet")], &line.title);
        if !line.figure.is_empty() {
            html.words("p", &[], &line.figure);
        }
        if !line.reasons.is_empty() {
            html.words("p", &[("class", "quiet")], &line.reasons);
        }
    });
}

/// All that the verdicts rest on, with the sources of the limits.
fn grounds(html: &mut Html, report: &Report) {
    html.element("details", &[], |html| {
        html.words("summary", &[], html.lang.pick("All limits and their sources", "すべての基準値と出典"));
        for verdict in &report.verdicts {
            let level = text::words::level_word(verdict.level, html.lang);
            html.words("h3", &[], &format!("{}: {level}", verdict.purpose));
            html.element("ul", &[], |html| {
                for finding in &verdict.findings {
                    html.element("li", &[], |html| {
                        html.words("span", &[], &text::findings::sentence(finding, html.lang));
                        html.text(" ");
                        html.words("span", &[("class", "quiet")], &html.lang.text(&finding.source));
                    });
                }
            });
        }
    });
}

fn write_claim(html: &mut Html, claim: &Claim) {
    let line = claims::Line::of(claim, html.lang);
    html.element("li", &[], |html| {
        html.words("span", &[("class", line.tone.class())], line.word);
        html.words("span", &[], &format!(" {}", line.statement));
        line.evidence.iter().for_each(|of| html.words("p", &[], of));
        if !line.reasons.is_empty() {
            html.words("p", &[("class", "quiet")], &line.reasons);
        }
    });
}
