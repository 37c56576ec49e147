//! The Report as data, to take out of the page.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use cardiograph_catalogue::english;
use cardiograph_core::Report;
use cardiograph_core::message::with_english;
use cardiograph_core::{json, units};

use super::builder::Html;
use crate::csv;

pub(super) fn write(html: &mut Html, report: &Report) {
    let lang = html.lang;
    let explained = lang.pick(
        "All that was measured, histograms and time series included. cardiograph show FILE reads the JSON again.",
        "ヒストグラムと時系列を含むすべての測定値。JSON は cardiograph show FILE で読める。",
    );
    html.words("p", &[], explained);
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
}

/// A link that holds the file itself.
fn download(html: &mut Html, report: &Report, ending: &str, kind: &str, content: &str) {
    let href = format!("data:{kind};charset=utf-8;base64,{}", BASE64_STANDARD.encode(content));
    let name = format!("{}.{ending}", report.id);
    html.element("li", &[], |html| {
        html.words("a", &[("download", &name), ("href", &href)], &name);
        html.text(&format!(" ({})", units::bytes(content.len() as u64)));
    });
}
