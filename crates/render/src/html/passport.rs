//! What is known of the drive and the machine.

use cardiograph_core::Report;

use super::builder::Html;
use crate::text;

pub(super) fn write(html: &mut Html, report: &Report) {
    for part in text::passport::facts(report) {
        html.told("h3", "", &part.head);
        html.element("dl", &[], |html| {
            for fact in &part.rows {
                if !fact.label.is_empty() {
                    html.told("dt", "", &fact.label);
                }
                html.told("dd", "", &fact.words());
            }
        });
    }
}
