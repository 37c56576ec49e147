//! The trust panel: which traps are there, and which were looked for in vain.

use cardiograph_core::Report;
use cardiograph_core::text::as_sentence;
use cardiograph_core::trust::{TrapCheck, TrapOutcome, Warning, Weight};

use super::builder::Html;
use crate::lang::Lang;
use crate::text;

pub(super) fn has(report: &Report) -> bool {
    !report.traps.is_empty()
}

pub(super) fn write(html: &mut Html, report: &Report) {
    let lang = html.lang;
    let present = text::trap_warnings(&report.traps);
    if present.is_empty() {
        html.words(
            "p",
            &[],
            lang.pick("None of the traps that were looked for is there.", "調べた落とし穴はどれもなかった。"),
        );
    } else {
        html.element("ul", &[], |html| present.into_iter().for_each(|warning| entry(html, warning)));
    }
    let rest: Vec<&TrapCheck> =
        report.traps.iter().filter(|check| check.outcome.warning().is_none()).collect();
    if rest.is_empty() {
        return;
    }
    html.element("details", &[], |html| {
        let looked = match lang {
            Lang::En => format!("{} others that were looked for", rest.len()),
            Lang::Ja => format!("ほかに調べた {} 件", rest.len()),
        };
        html.words("summary", &[], &looked);
        html.element("dl", &[], |html| rest.iter().for_each(|check| unseen(html, check)));
    });
}

fn entry(html: &mut Html, warning: &Warning) {
    let class = match warning.weight {
        Weight::Spoils => "bad",
        Weight::Caution => "fair",
        Weight::Note => "quiet",
    };
    html.element("li", &[], |html| {
        html.words("span", &[("class", class)], text::weight_word(warning.weight, html.lang));
        html.text(": ");
        html.told("span", "", &text::trap_told(warning));
    });
}

fn unseen(html: &mut Html, check: &TrapCheck) {
    let lang = html.lang;
    let (word, why) = match &check.outcome {
        TrapOutcome::NotSeen { why } => (lang.pick("unknown", "不明"), as_sentence(why)),
        TrapOutcome::Absent | TrapOutcome::Present(_) => (lang.pick("absent", "なし"), String::new()),
    };
    html.words("dt", &[], word);
    html.told("dd", "", format!("{} {why}", as_sentence(&check.title)).trim_end());
}
