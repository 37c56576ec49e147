//! The trust panel: which problems were found, and which were ruled out or could not be checked.

use cardiograph_core::Report;
use cardiograph_core::trust::{TrapCheck, Warning};

use super::builder::Html;
use crate::text;

pub(super) fn write(html: &mut Html, report: &Report) {
    let lang = html.lang;
    if report.traps.is_empty() {
        return;
    }
    let present = text::traps::warnings(&report.traps);
    if !present.is_empty() {
        html.element("ul", &[], |html| present.into_iter().for_each(|warning| entry(html, warning)));
    }
    let rest: Vec<&TrapCheck> =
        report.traps.iter().filter(|check| check.outcome.warning().is_none()).collect();
    if rest.is_empty() {
        return;
    }
    html.element("details", &[], |html| {
        html.words("summary", &[], &text::traps::rest(&report.traps, lang));
        html.element("dl", &[], |html| {
            for (word, sentence) in rest.iter().map(|check| text::traps::unseen(check, lang)) {
                html.words("dt", &[], word);
                html.words("dd", &[], &sentence);
            }
        });
    });
}

fn entry(html: &mut Html, warning: &Warning) {
    let class = text::traps::tone(warning.weight).class();
    html.element("li", &[], |html| {
        html.words("span", &[("class", class)], text::traps::weight_word(warning.weight, html.lang));
        html.text(": ");
        html.words("span", &[], &text::traps::sentences(warning, html.lang));
    });
}
