//! A Report as one HTML file: no script, nothing from the network, for screen, paper and screen readers.
//!
//! In the order in which it is read: `summary` (what it is, what it is good for) → `figures` (all tests at a glance) → `passport`
//! (the drive and the machine) → `trust` (measurement warnings, and what was ruled out) → `steps` (each with its pictures, figures and
//! commands) → `raw` (the Report itself, to take out). Elements are made by `builder`, which escapes.

pub(crate) mod builder;
mod figures;
mod passport;
mod raw;
mod steps;
mod summary;
mod tables;
mod trust;

use builder::Html;
use cardiograph_core::Report;

use crate::lang::Lang;
use crate::plot::{self, Picture, View};
use crate::text;

const STYLE: &str = include_str!("style.css");
/// Width of pictures on a wide page, and on a telephone.
const WIDE: u32 = 560;
const NARROW: u32 = 330;

/// A section of the page: its id, its heading and its inside.
struct Section {
    id: &'static str,
    heading: &'static str,
    body: String,
}

/// The sections behind the summary that have something to say, in the order in which they are read.
fn sections(report: &Report, lang: Lang) -> Vec<Section> {
    let section = |id, (en, ja), write: fn(&mut Html, &Report)| {
        let mut html = Html::new(lang);
        write(&mut html, report);
        Section { id, heading: lang.pick(en, ja), body: html.into_text() }
    };
    let mut sections = vec![
        section("figures", ("Figures", "測定値"), figures::write),
        section("tables", ("Tables", "表"), tables::write),
        section("passport", ("Drive and machine", "ドライブと機械"), passport::write),
        section("trust", ("Measurement warnings", "計測上の注意"), trust::write),
        section("steps", ("Steps", "手順"), steps::write),
        section("raw", ("The report itself", "レポートのデータ"), raw::write),
    ];
    sections.retain(|section| !section.body.is_empty());
    sections
}

/// The page, with its headings and labels in a language.
pub fn report(report: &Report, lang: Lang) -> String {
    let title = text::report::subject_words(report);
    let sections = sections(report, lang);
    let mut html = Html::new(lang);
    html.element("html", &[("lang", lang.code())], |html| {
        html.element("head", &[], |html| {
            html.void("meta", &[("charset", "utf-8")]);
            html.void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
            html.words("title", &[], &title);
            html.style(&[STYLE, plot::STYLE]);
        });
        html.element("body", &[], |html| {
            let skip = [("class", "skip"), ("href", "#verdicts")];
            html.words("a", &skip, lang.pick("To the verdicts", "判定へ"));
            html.element("header", &[], |html| summary::header(html, report, &title));
            html.element("nav", &[("aria-label", lang.pick("Sections", "目次"))], |html| {
                contents(html, &sections);
            });
            html.element("main", &[], |html| {
                let verdicts = [("id", "verdicts"), ("aria-labelledby", "verdicts-head")];
                html.element("section", &verdicts, |html| summary::write(html, report));
                sections.iter().for_each(|section| write_section(html, section));
            });
        });
    });
    format!("<!DOCTYPE html>\n{}", html.into_text())
}

fn contents(html: &mut Html, sections: &[Section]) {
    html.element("ul", &[], |html| {
        let verdicts = ("verdicts", summary::heading(html.lang));
        let others = sections.iter().map(|section| (section.id, section.heading));
        for (id, heading) in std::iter::once(verdicts).chain(others) {
            html.element("li", &[], |html| html.words("a", &[("href", &format!("#{id}"))], heading));
        }
    });
}

fn write_section(html: &mut Html, section: &Section) {
    let head = format!("{}-head", section.id);
    html.element("section", &[("id", section.id), ("aria-labelledby", &head)], |html| {
        html.words("h2", &[("id", &head)], section.heading);
        html.made(&section.body);
    });
}

/// A picture in both widths, where it can be drawn.
fn draw(html: &mut Html, caption: &str, picture: impl Fn(View) -> Option<Picture>) {
    let at = |width| picture(View { width, lang: html.lang });
    if let Some((wide, narrow)) = at(WIDE).zip(at(NARROW)) {
        html.picture(caption, &wide, &narrow);
    }
}

#[cfg(test)]
mod tests;
