//! The Report as data, to download from the page.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use cardiograph_catalogue::english;
use cardiograph_core::message::with_english;
use cardiograph_core::{Report, json, message, units};

use super::builder::Html;
use crate::csv;

/// Its id in the page.
pub(super) const ID: &str = "raw";

pub(super) fn write(html: &mut Html, report: &Report) {
    let lang = html.lang;
    html.element("section", &[("id", ID), ("aria-labelledby", "raw-head")], |html| {
        html.words("h2", &[("id", "raw-head")], &lang.text(&message!("page-raw")));
        html.words("p", &[], &lang.text(&message!("page-raw.explained")));
        html.element("ul", &[("class", "screen")], |html| {
            download(
                html,
                report,
                "json",
                "application/json",
                &with_english(english, || json::to_json_line(report)),
            );
            download(html, report, "csv", "text/csv", &csv::figures(report));
        });
    });
}

/// A link that contains the file.
fn download(html: &mut Html, report: &Report, ending: &str, kind: &str, content: &str) {
    let href = format!("data:{kind};charset=utf-8;base64,{}", BASE64_STANDARD.encode(content));
    let name = format!("{}.{ending}", report.id);
    html.element("li", &[], |html| {
        html.words("a", &[("download", &name), ("href", &href)], &name);
        html.text(&format!(" ({})", units::bytes(content.len() as u64)));
    });
}
