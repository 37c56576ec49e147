//! The trust panel: which traps are there, and which were looked for in vain.

use cardiograph_core::Report;
use cardiograph_core::trust::{TrapCheck, Warning};

use super::builder::Html;
use crate::lang::Lang;
use crate::text;

pub(super) fn write(html: &mut Html, report: &Report) {
    let lang = html.lang;
    if report.traps.is_empty() {
        return;
    }
    let present = text::traps::warnings(&report.traps);
    if present.is_empty() {
        let none =
            lang.pick("None of the traps that were looked for is there.", "調べた落とし穴はどれもなかった。");
        html.words("p", &[], none);
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
        html.element("dl", &[], |html| {
            for (word, told) in rest.iter().map(|check| text::traps::unseen(check, lang)) {
                html.words("dt", &[], word);
                html.told("dd", "", &told);
            }
        });
    });
}

fn entry(html: &mut Html, warning: &Warning) {
    let class = text::traps::tone(warning.weight).class();
    html.element("li", &[], |html| {
        html.words("span", &[("class", class)], text::traps::weight_word(warning.weight, html.lang));
        html.text(": ");
        html.told("span", "", &text::traps::told(warning));
    });
}
