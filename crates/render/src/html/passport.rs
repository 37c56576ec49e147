//! What is known of the drive and the machine.

use cardiograph_core::Report;

use super::builder::Html;
use crate::doc;

pub(super) fn write(html: &mut Html, report: &Report) {
    doc::html::write(html, &doc::passport::of_report(report));
}
